//! How much evidence a record keeps. Only the server writes it.

use super::{ContainerEvidence, Evidence};

/// How many objects are kept.
pub const OBJECTS_MAX: usize = 8;
/// How many pods of each.
pub const PODS_MAX: usize = 5;
/// How many containers of each pod.
pub const CONTAINERS_MAX: usize = 6;
/// How many events of each object.
pub const EVENTS_MAX: usize = 5;
/// How much of a container's log, in bytes: its end.
pub const CONTAINER_LOG_MAX: usize = 4 * 1024;
/// How much in all, in bytes of JSON: an operation's record is one Secret, and a watch carries it to every server.
pub const EVIDENCE_MAX: usize = 64 * 1024;
/// How long a sentence may be, in bytes; the scheduler's words are the longest.
const SENTENCE_MAX: usize = 600;
/// What a part costs beside its texts, in bytes of JSON: the names of its fields.
const OVERHEAD: usize = 256;

/// `evidence` within all of the bounds above, without what does not belong in a text. The objects' sentences come first:
/// what is left goes to pods, in order.
pub fn bounded(mut evidence: Vec<Evidence>) -> Vec<Evidence> {
    let mut purse = Purse(EVIDENCE_MAX);
    evidence.truncate(OBJECTS_MAX);
    evidence.retain_mut(|evidence| {
        evidence.events.truncate(EVENTS_MAX);
        let paid = purse.pay(OVERHEAD + cost(&evidence.object.name) + cost(&evidence.object.kind));
        paid && purse.starts([&mut evidence.reason].into_iter().chain(&mut evidence.events))
    });
    for pods in evidence.iter_mut().map(|evidence| &mut evidence.pods) {
        pods.truncate(PODS_MAX);
        pods.retain_mut(|pod| purse.pay(OVERHEAD) && purse.starts([&mut pod.name, &mut pod.phase]));
        for containers in pods.iter_mut().map(|pod| &mut pod.containers) {
            containers.truncate(CONTAINERS_MAX);
            containers.retain_mut(|container| purse.container(container));
        }
    }
    evidence
}

/// How many bytes of JSON are left.
struct Purse(usize);

impl Purse {
    fn pay(&mut self, price: usize) -> bool {
        let left = self.0.checked_sub(price);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }

    /// Shortens texts to their starts, and pays for them.
    fn starts<'a>(&mut self, texts: impl IntoIterator<Item = &'a mut String>) -> bool {
        texts.into_iter().all(|text| {
            *text = start(&clean(text), SENTENCE_MAX);
            self.pay(cost(text))
        })
    }

    fn container(&mut self, container: &mut ContainerEvidence) -> bool {
        let texts =
            [&mut container.name, &mut container.state, &mut container.reason, &mut container.message];
        if !self.pay(OVERHEAD) || !self.starts(texts.into_iter().chain(&mut container.log_missing)) {
            return false;
        }
        container.log = end(&clean(&container.log), CONTAINER_LOG_MAX.min(self.0)).to_owned();
        // Quotes and line ends cost twice.
        if !self.pay(cost(&container.log)) {
            container.log = end(&container.log, self.0 / 2).to_owned();
            self.pay(cost(&container.log));
        }
        true
    }
}

/// What `text`, once [`clean`], costs in JSON.
fn cost(text: &str) -> usize {
    text.len() + text.bytes().filter(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\t')).count()
}

/// `text` without colours and control characters: it comes from programs that think of a terminal.
fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' if characters.next_if_eq(&'[').is_some() => {
                // Up to the letter that ends the sequence.
                while characters.next().is_some_and(|character| !('\u{40}'..='\u{7e}').contains(&character)) {
                }
            }
            '\n' | '\t' => clean.push(character),
            _ if character.is_control() => {}
            _ => clean.push(character),
        }
    }
    clean
}

/// The start of `text`, `max` bytes at most and a sign that there was more.
fn start(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let cut = (0..=max).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    format!("{}…", text.get(..cut).unwrap_or_default().trim_end())
}

/// The end of `text`, `max` bytes at most, from the start of a line if one begins in it.
pub fn end(text: &str, max: usize) -> &str {
    let text = text.trim_end();
    if text.len() <= max {
        return text;
    }
    let earliest = text.len() - max;
    let at = (earliest..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let cut = text.get(at..).unwrap_or_default();
    let is_line_start = text.get(..at).is_some_and(|before| before.ends_with('\n'));
    match cut.split_once('\n') {
        Some((_, lines)) if !is_line_start => lines,
        _ => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ObjectRef, PodEvidence};

    fn container(log: &str) -> ContainerEvidence {
        ContainerEvidence { name: "main".into(), log: log.into(), ..ContainerEvidence::default() }
    }

    fn evidence(pods: Vec<PodEvidence>) -> Evidence {
        let object = ObjectRef {
            api_version: "batch/v1".into(),
            kind: "Job".into(),
            namespace: Some("shop".into()),
            name: "migrate".into(),
        };
        let reason = "Job shop/migrate failed: container migrate exited with 3.".into();
        Evidence { object, reason, pods, events: vec![] }
    }

    fn pod(containers: Vec<ContainerEvidence>) -> PodEvidence {
        PodEvidence { name: "migrate-x".into(), phase: "Failed".into(), containers }
    }

    #[test]
    fn evidence_within_its_bounds_is_left_as_it_is() {
        let all = vec![evidence(vec![pod(vec![container("one\ntwo \"quoted\"")])])];
        assert_eq!(bounded(all.clone()), all);
    }

    #[test]
    fn of_a_long_log_the_last_whole_lines_are_kept() {
        let log = format!("{}the last line", "a line of it\n".repeat(1_000));
        let kept = bounded(vec![evidence(vec![pod(vec![container(&log)])])]);
        let kept = &kept[0].pods[0].containers[0].log;
        assert!(kept.starts_with("a line of it\n") && kept.ends_with("\nthe last line"), "{kept}");
        assert!((CONTAINER_LOG_MAX - 20..=CONTAINER_LOG_MAX).contains(&kept.len()), "{}", kept.len());
        assert_eq!(end("äöü", 3), "ü", "no letter is cut in two");
        assert_eq!(end("one\ntwo\n", 3), "two");
        assert_eq!(end("one line without an end", 3), "end");
    }

    #[test]
    fn colours_and_control_characters_are_left_out() {
        let kept =
            bounded(vec![evidence(vec![pod(vec![container("\u{1b}[31mred\u{1b}[0m\r\n\u{0}\tbell\u{7}")])])]);
        assert_eq!(kept[0].pods[0].containers[0].log, "red\n\tbell");
    }

    #[test]
    fn whatever_is_seen_the_record_stays_small() {
        let hostile = [
            "\"".repeat(5_000),
            "\u{1}".repeat(5_000),
            "\n\\".repeat(5_000),
            "ü".repeat(5_000),
            "\u{1b}[".repeat(5_000),
        ];
        for text in hostile {
            let container = ContainerEvidence {
                name: text.clone(),
                state: text.clone(),
                reason: text.clone(),
                message: text.clone(),
                log: text.clone(),
                log_missing: Some(text.clone()),
                ..ContainerEvidence::default()
            };
            let pods = vec![
                PodEvidence { name: text.clone(), ..pod(vec![container; CONTAINERS_MAX + 1]) };
                PODS_MAX + 1
            ];
            let one = Evidence {
                reason: text.clone(),
                events: vec![text.clone(); EVENTS_MAX + 1],
                ..evidence(pods)
            };
            let kept = bounded(vec![one; OBJECTS_MAX + 1]);
            let size = serde_json::to_vec(&kept).unwrap().len();
            assert!(size <= EVIDENCE_MAX && !kept.is_empty(), "{size}");
            assert!(kept.iter().all(|evidence| evidence.events.len() <= EVENTS_MAX));
        }
    }

    #[test]
    fn the_sentences_of_all_objects_come_before_the_logs_of_one() {
        let long = pod(vec![container(&"line\n".repeat(2_000)); 6]);
        let kept = bounded(vec![evidence(vec![long; 5]); OBJECTS_MAX + 1]);
        assert_eq!(kept.len(), OBJECTS_MAX);
        assert!(kept.iter().all(|evidence| evidence.reason.ends_with("exited with 3.")));
    }
}
