//! What the code of a failed object said at last: of what went wrong in a hook nobody else knows more.

use super::{ContainerEvidence, Evidence};

/// How much of it a headline has, in characters.
const SAID_MAX: usize = 200;

impl Evidence {
    /// The last line that a container of it wrote before it failed, or left as its last word; none where it said nothing.
    pub fn last_words(&self) -> Option<String> {
        let all = self.pods.iter().flat_map(|pod| &pod.containers);
        let has_failed =
            |it: &&ContainerEvidence| it.signal.is_some() || it.exit_code.is_some_and(|code| code != 0);
        all.filter(has_failed)
            .find_map(|container| last_line(&container.log).or_else(|| last_line(&container.message)))
    }
}

/// The last line with a word in it, without colours.
fn last_line(text: &str) -> Option<String> {
    let line = text.lines().rev().map(plain).find(|line| line.chars().any(char::is_alphanumeric))?;
    let cut =
        line.char_indices().nth(SAID_MAX).and_then(|(at, _)| line.get(..at)).map(|cut| format!("{cut}…"));
    Some(cut.unwrap_or(line))
}

/// `line` without what a terminal takes for colours.
fn plain(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, rest)| rest);
    }
    plain.retain(|c| !c.is_control());
    plain.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ObjectRef, PodEvidence};

    fn evidence(containers: Vec<ContainerEvidence>) -> Evidence {
        let object = ObjectRef {
            api_version: "batch/v1".into(),
            kind: "Job".into(),
            namespace: None,
            name: "m".into(),
        };
        let pod = PodEvidence { name: "m-x".into(), phase: "Failed".into(), containers };
        Evidence { object, reason: String::new(), pods: vec![pod], events: vec![] }
    }

    fn container(exit_code: i32, log: &str, message: &str) -> ContainerEvidence {
        let (log, message) = (log.to_owned(), message.to_owned());
        ContainerEvidence { exit_code: Some(exit_code), log, message, ..ContainerEvidence::default() }
    }

    #[test]
    fn the_last_line_of_the_container_that_failed_is_its_last_word() {
        for (containers, said) in [
            (
                vec![container(1, "migrating\nrelation \"orders\" does not exist\n\n", "")],
                Some("relation \"orders\" does not exist"),
            ),
            (
                vec![container(0, "ready\n", ""), container(1, "\u{1b}[31mno database\u{1b}[0m\n}\n", "")],
                Some("no database"),
            ),
            (vec![container(1, "", "migration 42 failed\n")], Some("migration 42 failed")),
            (vec![container(0, "ready\n", ""), container(1, "", "")], None),
            (vec![], None),
        ] {
            assert_eq!(evidence(containers).last_words().as_deref(), said);
        }
    }

    #[test]
    fn a_long_line_is_cut() {
        let words = evidence(vec![container(1, &"ä".repeat(900), "")]).last_words().unwrap_or_default();
        assert_eq!(words.chars().count(), SAID_MAX + 1);
    }
}
