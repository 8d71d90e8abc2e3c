//! The same in a terminal: the line that a person would type to have helm do what an operation does. Pure.

use app::model::{CommandLine, OperationKind};

use super::source::Told;
use super::{Generation, arguments};
use crate::charts;
use crate::credentials::RepositoryCredentials;
use crate::kube::Target;
use crate::kube::records::OPERATION_LABEL;
use crate::operations::{ResolvedChart, Task};

/// What stands for what an address asks for, which may be a token.
const QUERY: &str = "QUERY";
/// The file that the user's values are taken from.
const VALUES_FILE: &str = "values.yaml";

/// The command line for `task`, of which `has_values` tells whether the user gave any. The cluster is `context` in the
/// user's own kubeconfig; else the one that this is set to.
pub fn line(task: &Task, generation: Generation, has_values: bool, context: Option<&str>) -> CommandLine {
    if task.kind == OperationKind::MarkFailed {
        let remark = "Helm has no command for this: Slipway changes the record itself.";
        return CommandLine { text: String::new(), remarks: vec![remark.to_owned()] };
    }
    let mut remarks = Vec::new();
    let takes_values = has_values && task.kind.takes_chart();
    if takes_values {
        remarks.push(format!("Save the values as {VALUES_FILE} first."));
    }
    let source = task.chart.as_ref().map(|chart| told(chart, &task.credentials, &mut remarks));
    let values = takes_values.then_some(VALUES_FILE.as_ref());
    let target = Target { kubeconfig: None, context: context.map(str::to_owned) };
    let words = arguments::of(task, &source.unwrap_or_default(), generation, &target, values);
    // What is for Slipway's own eyes: whose record it is, and a preview's form.
    let ours = format!("--labels={OPERATION_LABEL}=");
    let words = words.iter().map(|word| word.to_string_lossy());
    let words = words.filter(|word| !word.starts_with(&ours) && word != "--output=json");
    let words: Vec<String> = words.map(|word| quoted(&word)).collect();
    CommandLine { text: format!("helm {}", words.join(" ")), remarks }
}

/// What helm is told of where a chart is, with words in the place of what is secret; what those stand for is remarked.
fn told(chart: &ResolvedChart, credentials: &RepositoryCredentials, remarks: &mut Vec<String>) -> Told {
    let mut chart = chart.clone();
    let mut needs_password = credentials.username.is_some() || credentials.password.is_some();
    if let ResolvedChart::Repository { url, .. }
    | ResolvedChart::Url { url }
    | ResolvedChart::Oci { url, .. } = &mut chart
    {
        let hidden = hide(url);
        needs_password |= hidden.credentials;
        if hidden.query {
            remarks.push(format!("Put what the chart's address asks for in the place of {QUERY}."));
        }
    }
    let mut source = match chart {
        ResolvedChart::Repository { url, name, version } => Told {
            flags: vec![("repo", Some(url.into())), ("version", Some(version.into()))],
            chart: Some(name.into()),
        },
        ResolvedChart::Url { url } => Told { flags: Vec::new(), chart: Some(url.into()) },
        ResolvedChart::Oci { url, version } => {
            if needs_password || credentials.token.is_some() {
                let registry = url.trim_start_matches("oci://").split('/').next().unwrap_or_default();
                remarks
                    .push(format!("Sign in to the registry first: helm registry login {}", quoted(registry)));
                needs_password = false;
            }
            let mut flags = vec![("version", Some(version.into()))];
            if charts::is_local_registry(&url) {
                flags.push(("plain-http", None));
            }
            Told { flags, chart: Some(url.into()) }
        }
        ResolvedChart::Archive { name, .. } => {
            remarks.push(format!("Put the chart's archive beside you as {name}."));
            // Beside us it is a file, whatever it is called.
            return Told { flags: Vec::new(), chart: Some(format!("./{name}").into()) };
        }
    };
    if needs_password {
        source.flags.extend([("username", Some("USER".into())), ("password", Some("PASSWORD".into()))]);
        remarks.push("Put the repository's credentials in the place of USER and PASSWORD.".to_owned());
    } else if credentials.token.is_some() && source.flags.iter().any(|(name, _)| *name == "repo") {
        remarks.push(
            "The repository takes a token, which helm itself cannot send: fetch the chart first.".to_owned(),
        );
    }
    for (flag, file, pem) in [
        ("ca-file", "ca.crt", &credentials.ca),
        ("cert-file", "tls.crt", &credentials.certificate),
        ("key-file", "tls.key", &credentials.key),
    ] {
        if pem.is_some() {
            source.flags.push((flag, Some(file.into())));
            remarks.push(format!("Save what --{flag} stands for as {file} first."));
        }
    }
    source
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

/// Takes out of an address what may be secret.
fn hide(url: &mut String) -> Hidden {
    let Some(start) = url.find("://").map(|at| at + 3) else { return Hidden::default() };
    let rest = &url[start..];
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    let user = authority.rfind('@');
    if let Some(end) = user {
        url.replace_range(start..=start + end, "");
    }
    let query = url.find('?');
    if let Some(query) = query {
        url.replace_range(query + 1.., QUERY);
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
            credentials: RepositoryCredentials::default(),
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
            let line = line(&task(kind, "https://charts"), Generation::Four, has_values, None);
            assert_eq!(line.text, text);
            assert_eq!(!line.remarks.is_empty(), kind == Install || kind == MarkFailed, "{line:?}");
        }
    }

    #[test]
    fn among_several_clusters_it_is_the_one_that_the_page_is_about() {
        let task = task(OperationKind::Uninstall, "");
        for (context, shown) in [("kind-a", " --kube-context=kind-a "), ("a $b", " '--kube-context=a $b' ")] {
            let line = line(&task, Generation::Four, false, Some(context));
            assert!(line.text.contains(shown), "{line:?}");
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
            let line = line(&task(OperationKind::Install, url), Generation::Three, false, None);
            assert!(line.text.contains(shown) && line.text.ends_with(" -- front web"), "{line:?}");
            assert_eq!(line.remarks.len(), remarks, "{url}");
            let has_credentials = line.text.contains(" --username=USER --password=PASSWORD ");
            assert_eq!(has_credentials, url.contains("//me"), "{line:?}");
            assert!(!line.text.contains("secret") && !line.text.contains("evil"), "{line:?}");
        }
    }

    #[test]
    fn each_source_is_told_as_helm_takes_it_and_what_is_secret_is_not() {
        let version = || "1.0.0".to_owned();
        let basic = RepositoryCredentials {
            username: Some("me".into()),
            password: Some("secret".into()),
            ..RepositoryCredentials::default()
        };
        let token =
            RepositoryCredentials { token: Some("secret".into()), ..RepositoryCredentials::default() };
        let certificates = RepositoryCredentials {
            ca: Some("secret".into()),
            certificate: Some("secret".into()),
            key: Some("secret".into()),
            ..RepositoryCredentials::default()
        };
        let repository =
            || ResolvedChart::Repository { url: "https://c".into(), name: "web".into(), version: version() };
        let oci = |host: &str| ResolvedChart::Oci { url: format!("oci://{host}/web"), version: version() };
        let archive = ResolvedChart::Archive { name: "--evil $x.tgz".into(), content: b"".as_ref().into() };
        for (chart, credentials, has, ends, remarks) in [
            (repository(), basic.clone(), " --username=USER --password=PASSWORD ", " -- front web", 1),
            (repository(), token.clone(), " --repo=https://c ", " -- front web", 1),
            (
                repository(),
                certificates,
                " --ca-file=ca.crt --cert-file=tls.crt --key-file=tls.key ",
                " -- front web",
                3,
            ),
            (oci("r.example"), basic, " --version=1.0.0 ", " -- front oci://r.example/web", 1),
            (oci("127.0.0.1:5000"), token, " --plain-http ", " -- front oci://127.0.0.1:5000/web", 1),
            (archive, RepositoryCredentials::default(), " --wait ", " -- front './--evil $x.tgz'", 1),
        ] {
            let task = Task { chart: Some(chart), credentials, ..task(OperationKind::Install, "") };
            let line = line(&task, Generation::Four, false, None);
            assert!(line.text.contains(has) && line.text.ends_with(ends), "{line:?}");
            assert!(line.remarks.len() == remarks && !format!("{line:?}").contains("secret"), "{line:?}");
        }
    }

    #[test]
    fn a_dry_run_is_shown_as_helm_shows_it() {
        let mut task = task(OperationKind::Upgrade, "https://charts");
        task.options.dry_run = true;
        let text = line(&task, Generation::Four, false, None).text;
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
        let text = line(&task, Generation::Four, false, None).text;
        let expected = format!("'--description={}'", task.options.description.replace('\'', r"'\''"));
        assert!(text.contains(&expected), "{text}");
    }
}
