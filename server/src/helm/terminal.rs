//! The same in a terminal: the line that a person would type to have helm do what an operation does. Pure.

use app::model::{CommandLine, OperationKind};

use super::{Generation, arguments};
use crate::kube::Target;
use crate::kube::records::OPERATION_LABEL;
use crate::operations::{ResolvedChart, Task};

/// What stands for credentials: as flags, for helm takes them apart from the address.
const CREDENTIALS: [&str; 2] = ["--username=USER", "--password=PASSWORD"];
/// What stands for what an address asks for, which may be a token.
const QUERY: &str = "QUERY";
/// The file that the user's values are taken from.
const VALUES_FILE: &str = "values.yaml";

/// The command line for `task`, of which `has_values` tells whether the user gave any. The cluster is the one that the
/// user's own kubeconfig is set to.
pub fn line(task: &Task, generation: Generation, has_values: bool) -> CommandLine {
    if task.kind == OperationKind::MarkFailed {
        let remark = "Helm has no command for this: Slipway changes the record itself.";
        return CommandLine { text: String::new(), remarks: vec![remark.to_owned()] };
    }
    let mut task = task.clone();
    let hidden = task.chart.as_mut().map(hide).unwrap_or_default();
    let takes_values = has_values && task.kind.takes_chart();
    let values = takes_values.then_some(VALUES_FILE.as_ref());
    let words = arguments::of(&task, generation, &Target::default(), values);
    // What is for Slipway's own eyes: whose record it is, and a preview's form.
    let ours = format!("--labels={OPERATION_LABEL}=");
    let words = words.iter().map(|word| word.to_string_lossy());
    let words = words.filter(|word| !word.starts_with(&ours) && word != "--output=json");
    let mut words: Vec<String> = words.map(std::borrow::Cow::into_owned).collect();
    if hidden.query {
        let repository = words.iter().position(|word| word.starts_with("--repo="));
        let place = repository.unwrap_or(words.len().saturating_sub(1));
        if let Some(word) = words.get_mut(place) {
            word.push('?');
            word.push_str(QUERY);
        }
    }
    let mut words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let mut remarks = Vec::new();
    if takes_values {
        remarks.push(format!("Save the values as {VALUES_FILE} first."));
    }
    if hidden.credentials {
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(end..end, CREDENTIALS.map(str::to_owned));
        remarks.push("Put the repository's credentials in the place of USER and PASSWORD.".to_owned());
    }
    if hidden.query {
        remarks.push(format!("Put what the chart's address asks for in the place of {QUERY}."));
    }
    CommandLine { text: format!("helm {}", words.join(" ")), remarks }
}

/// `word` so that a POSIX shell takes it for one word and reads nothing into it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && !word.starts_with('=') && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// What was taken out of an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hidden {
    credentials: bool,
    query: bool,
}

/// Takes out of a chart's address what may be secret.
fn hide(chart: &mut ResolvedChart) -> Hidden {
    let (ResolvedChart::Repository { url, .. } | ResolvedChart::Url { url }) = chart;
    let Some(start) = url.find("://").map(|at| at + 3) else { return Hidden::default() };
    let rest = &url[start..];
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    let user = authority.rfind('@');
    if let Some(end) = user {
        url.replace_range(start..=start + end, "");
    }
    // helm is given an address with a query in a file: it goes back into the line by hand.
    let query = url.find('?');
    if let Some(query) = query {
        url.truncate(query);
    }
    Hidden { credentials: user.is_some(), query: query.is_some() }
}

#[cfg(test)]
mod tests {
    use app::model::{OperationId, OperationOptions, ReleaseKey};

    use super::*;

    fn task(kind: OperationKind, url: &str) -> Task {
        let chart =
            ResolvedChart::Repository { url: url.into(), name: "web".into(), version: "1.2.3".into() };
        Task {
            id: OperationId("id-1".into()),
            kind,
            release: ReleaseKey::new("shop", "front"),
            chart: kind.takes_chart().then_some(chart),
            options: OperationOptions::default(),
            replace: false,
            values: String::new(),
        }
    }

    #[test]
    fn each_verb_is_a_line_that_can_be_pasted() {
        use OperationKind::{Install, MarkFailed, Rollback, Test, Uninstall, Upgrade};
        for (kind, has_values, text) in [
            (
                Install,
                true,
                "helm install --namespace=shop --timeout=300s --values=values.yaml --repo=https://charts --version=1.2.3 \
                 --wait -- front web",
            ),
            (
                Upgrade,
                false,
                "helm upgrade --namespace=shop --timeout=300s --repo=https://charts --version=1.2.3 --history-max=10 \
                 --wait --reset-values -- front web",
            ),
            (
                Rollback,
                false,
                "helm rollback --namespace=shop --timeout=300s --history-max=10 --wait -- front",
            ),
            (Uninstall, true, "helm uninstall --namespace=shop --timeout=300s --wait -- front"),
            (Test, false, "helm test --namespace=shop --timeout=300s --logs -- front"),
            (MarkFailed, false, ""),
        ] {
            let line = line(&task(kind, "https://charts"), Generation::Four, has_values);
            assert_eq!(line.text, text);
            assert_eq!(!line.remarks.is_empty(), kind == Install || kind == MarkFailed, "{line:?}");
        }
    }

    #[test]
    fn credentials_are_left_out_and_that_is_said() {
        for (url, shown, remarks) in [
            ("https://charts/x", "--repo=https://charts/x ", 0),
            ("https://me:secret@charts/x", "--repo=https://charts/x ", 1),
            ("https://me@evil@charts", "--repo=https://charts ", 1),
            ("https://charts/x?token=secret", "'--repo=https://charts/x?QUERY' ", 1),
            ("https://me:secret@charts/x?token=secret", "'--repo=https://charts/x?QUERY' ", 2),
            ("https://charts/a@b", "--repo=https://charts/a@b ", 0),
        ] {
            let line = line(&task(OperationKind::Install, url), Generation::Three, false);
            assert!(line.text.contains(shown) && line.text.ends_with(" -- front web"), "{line:?}");
            assert_eq!(line.remarks.len(), remarks, "{url}");
            let has_credentials = line.text.contains(" --username=USER --password=PASSWORD -- ");
            assert_eq!(has_credentials, url.contains("//me"), "{line:?}");
            assert!(!line.text.contains("secret") && !line.text.contains("evil"), "{line:?}");
        }
    }

    #[test]
    fn a_dry_run_is_shown_as_helm_shows_it() {
        let mut task = task(OperationKind::Upgrade, "https://charts");
        task.options.dry_run = true;
        let text = line(&task, Generation::Four, false).text;
        assert!(text.contains(" --dry-run=server ") && !text.contains("json"), "{text}");
    }

    #[test]
    fn nothing_in_a_word_says_anything_to_the_shell() {
        for (word, shown) in [
            ("plain-1.2/x:y=z@w", "plain-1.2/x:y=z@w"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", r"'it'\''s'"),
            ("$(rm -rf)", "'$(rm -rf)'"),
            ("a;b|c&d>e", "'a;b|c&d>e'"),
            ("*?[a]~", "'*?[a]~'"),
            ("line\nline", "'line\nline'"),
            ("`x` \"y\" \\", "'`x` \"y\" \\'"),
            ("é", "'é'"),
        ] {
            assert_eq!(quoted(word), shown);
        }
    }

    #[test]
    fn what_a_shell_makes_of_a_line_is_what_helm_would_be_given() {
        let mut task = task(OperationKind::Upgrade, "https://charts");
        task.options.description = "it's $HOME; a \"test\"\n`of` it".into();
        let text = line(&task, Generation::Four, false).text;
        let expected = format!("'--description={}'", task.options.description.replace('\'', r"'\''"));
        assert!(text.contains(&expected), "{text}");
    }
}
