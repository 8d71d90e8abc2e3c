//! Whether a submission is well formed. Pure; what stands in the way of a well-formed one is `precheck`'s.

mod options;

use app::model::name::{check_namespace, check_release_name};
use app::model::{ApiError, ChartSource, SubmitOperation};
pub use options::check_helm;
use url::Url;

/// How much text the values may have, in bytes: helm's record holds them too, and has 1 MiB for everything.
pub const VALUES_MAX: usize = 512 * 1024;
/// How long they may be as a JSON string: Slipway keeps them as one in a Secret, which holds 1 MiB with all else.
const VALUES_ESCAPED_MAX: usize = 1_000_000;
/// The longest idempotency key, in characters.
pub const KEY_MAX: usize = 128;
/// The longest time-out for each of helm's waits: a day, in seconds.
pub const TIMEOUT_MAX: u32 = 86_400;
/// The most revisions that helm may be told to keep.
pub const HISTORY_MAX: u32 = 1_000;
/// The longest chart name and version, in characters.
const CHART_WORD_MAX: usize = 250;
/// The longest address of a chart, in characters.
const URL_MAX: usize = 2_000;

/// Checks a submission; the error names the field.
///
/// # Errors
/// [`ApiError::Invalid`] or [`ApiError::TooLarge`].
pub fn check(request: &SubmitOperation) -> Result<(), ApiError> {
    check_namespace(&request.namespace).map_err(|error| ApiError::invalid("namespace", error))?;
    check_release_name(&request.name).map_err(|error| ApiError::invalid("name", error))?;
    check_chart(request)?;
    options::check(request.kind, &request.options)?;
    if let Some(key) = &request.idempotency_key
        && (key.is_empty() || key.chars().count() > KEY_MAX)
    {
        let message = format!("An idempotency key has 1 to {KEY_MAX} characters.");
        return Err(ApiError::invalid("idempotencyKey", message));
    }
    if !request.kind.takes_chart() && !request.values.is_empty() {
        return Err(ApiError::invalid(
            "values",
            "Only an install and an upgrade take values; leave them out.",
        ));
    }
    check_values(&request.values)
}

fn check_chart(request: &SubmitOperation) -> Result<(), ApiError> {
    match (&request.chart, request.kind) {
        (None, kind) if !kind.takes_chart() => Ok(()),
        (Some(_), kind) if !kind.takes_chart() => {
            Err(ApiError::invalid("chart", "Only an install and an upgrade take a chart."))
        }
        (None, kind) => {
            Err(ApiError::invalid("chart", format!("A chart is required for an {}.", kind.as_str())))
        }
        (
            Some(ChartSource::Repository { name, version, .. } | ChartSource::Upload { name, version, .. }),
            _,
        ) => {
            let has_only = |text: &str, others: &str| {
                !text.is_empty()
                    && text.len() <= CHART_WORD_MAX
                    && text.starts_with(|c: char| c.is_ascii_alphanumeric())
                    && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
            };
            if !has_only(name, "-_.") {
                return Err(ApiError::invalid(
                    "chart.name",
                    "A chart's name has letters, digits, '-', '_' and '.', and starts with a letter or a digit.",
                ));
            }
            if !has_only(version, "-_.+") {
                return Err(ApiError::invalid(
                    "chart.version",
                    "An exact version is required, such as 1.2.3.",
                ));
            }
            Ok(())
        }
        (Some(ChartSource::Url { url }), _) => check_url(url, &["https", "http"]),
        // Where it leads, and which versions there can be, is the registry's matter.
        (Some(ChartSource::Oci { url, .. }), _) => check_url(url, &["oci"]),
    }
}

fn check_url(url: &str, schemes: &[&str]) -> Result<(), ApiError> {
    let bad = |message: &str| Err(ApiError::invalid("chart.url", message));
    if url.len() > URL_MAX {
        return bad("The address is too long.");
    }
    match Url::parse(url) {
        Ok(parsed) if !schemes.contains(&parsed.scheme()) || parsed.host_str().is_none_or(str::is_empty) => {
            bad(&format!("This address of a chart starts with {}://.", schemes.join(":// or ")))
        }
        Ok(parsed) if !parsed.username().is_empty() || parsed.password().is_some() => bad(
            "An address with a user name or a password in it would be recorded and shown; leave them out.",
        ),
        Ok(_) => Ok(()),
        Err(error) => bad(&format!("The address cannot be read: {error}.")),
    }
}

/// Checks that `values` is one YAML document with a mapping, or nothing at all.
fn check_values(values: &str) -> Result<(), ApiError> {
    if values.len() > VALUES_MAX {
        let message = format!("The values have at most {} KiB.", VALUES_MAX / 1024);
        return Err(ApiError::TooLarge { message });
    }
    if serde_json::to_string(values).map_or(usize::MAX, |text| text.len()) > VALUES_ESCAPED_MAX {
        let message =
            "The values are too large to be kept: they have very many line breaks or quotation marks.".into();
        return Err(ApiError::TooLarge { message });
    }
    let invalid = |line: Option<u32>, message: String| {
        Err(ApiError::Invalid { field: Some("values".into()), line, message })
    };
    match serde_saphyr::from_str::<serde_json::Value>(values) {
        Ok(serde_json::Value::Object(_) | serde_json::Value::Null) => Ok(()),
        // A document of comments alone reads as an empty text.
        Ok(serde_json::Value::String(text)) if text.is_empty() => Ok(()),
        Ok(_) => invalid(None, "The values are a mapping of names to values, such as `replicas: 2`.".into()),
        Err(error) => {
            let line = error.location().and_then(|location| u32::try_from(location.line()).ok());
            let words = error.without_snippet().to_string();
            invalid(
                line.filter(|line| *line > 0),
                format!("The values are not valid YAML: {}.", plain(&words)),
            )
        }
    }
}

/// The parser's words without its advice to programmers.
fn plain(words: &str) -> &str {
    let first = words.lines().next().unwrap_or_default();
    if first.contains("multiple") && first.contains("document") {
        "there is more than one document in them"
    } else if first.contains("budget") {
        "they are too large when their aliases are expanded"
    } else {
        first.split(", set ").next().unwrap_or_default().trim_end_matches('.')
    }
}

#[cfg(test)]
mod tests {
    use app::model::{OperationKind, OperationOptions};

    use super::*;

    fn install() -> SubmitOperation {
        SubmitOperation {
            kind: OperationKind::Install,
            namespace: "shop".into(),
            name: "web".into(),
            chart: Some(ChartSource::Repository {
                repository: "samples".into(),
                name: "web".into(),
                version: "1.0.0".into(),
            }),
            values: "replicas: 2\n".into(),
            options: OperationOptions::default(),
            idempotency_key: Some("k".into()),
        }
    }

    fn refused(change: impl FnOnce(&mut SubmitOperation)) -> (String, Option<u32>) {
        let mut request = install();
        change(&mut request);
        match check(&request).unwrap_err() {
            ApiError::Invalid { field, line, .. } => (field.unwrap_or_default(), line),
            other => (other.title().to_owned(), None),
        }
    }

    fn by_url(url: &str) -> Option<ChartSource> {
        Some(ChartSource::Url { url: url.into() })
    }

    fn chart(name: &str, version: &str) -> Option<ChartSource> {
        let (name, version) = (name.into(), version.into());
        Some(ChartSource::Repository { repository: "samples".into(), name, version })
    }

    #[test]
    fn a_good_submission_passes() {
        assert_eq!(check(&install()), Ok(()));
        let uninstall = SubmitOperation {
            kind: OperationKind::Uninstall,
            chart: None,
            values: String::new(),
            idempotency_key: None,
            ..install()
        };
        assert_eq!(check(&uninstall), Ok(()));
        let archive = SubmitOperation { chart: by_url("https://example.com/web-1.0.0.tgz"), ..install() };
        assert_eq!(check(&archive), Ok(()));
        let url = "oci://example.com/charts/web".to_owned();
        let registry = ChartSource::Oci { url, version: "v1.0.0+b".into() };
        assert_eq!(check(&SubmitOperation { chart: Some(registry), ..install() }), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_named_by_its_field() {
        assert_eq!(refused(|r| r.namespace = "A".into()).0, "namespace");
        assert_eq!(refused(|r| r.name = "--help".into()).0, "name");
        assert_eq!(refused(|r| r.chart = None).0, "chart");
        assert_eq!(refused(|r| r.kind = OperationKind::Uninstall).0, "chart");
        assert_eq!(refused(|r| r.chart = chart("../etc", "1")).0, "chart.name");
        assert_eq!(refused(|r| r.chart = chart("--debug", "1")).0, "chart.name");
        assert_eq!(refused(|r| r.chart = chart("web", ">0")).0, "chart.version");
        assert_eq!(refused(|r| r.chart = chart("web", "")).0, "chart.version");
        assert_eq!(refused(|r| r.chart = by_url("file:///etc/passwd")).0, "chart.url");
        assert_eq!(refused(|r| r.chart = by_url("/etc/passwd")).0, "chart.url");
        assert_eq!(refused(|r| r.chart = by_url("https://me:secret@host/a.tgz")).0, "chart.url");
        assert_eq!(refused(|r| r.chart = by_url("oci://host/a")).0, "chart.url");
        let plain = ChartSource::Oci { url: "https://host/a".into(), version: "1".into() };
        assert_eq!(refused(|r| r.chart = Some(plain)).0, "chart.url");
        let (rollback, values) = (OperationKind::Rollback, "a: 1".to_owned());
        assert_eq!(refused(|r| (r.kind, r.chart, r.values) = (rollback, None, values)).0, "values");
        assert_eq!(refused(|r| r.options.keep_history = true).0, "options.keepHistory");
        assert_eq!(refused(|r| r.options.timeout = 0).0, "options.timeout");
        assert_eq!(refused(|r| r.options.timeout = 86_401).0, "options.timeout");
        assert_eq!(
            refused(|r| (r.kind, r.options.history_max) = (OperationKind::Upgrade, 1_001)).0,
            "options.historyMax"
        );
        assert_eq!(refused(|r| r.idempotency_key = Some("x".repeat(129))).0, "idempotencyKey");
        assert_eq!(refused(|r| r.values = "#".repeat(VALUES_MAX + 1)).0, "Too large");
        assert_eq!(refused(|r| r.values = "\n".repeat(VALUES_MAX)).0, "Too large");
    }

    #[test]
    fn values_that_helm_would_take_pass() {
        for values in [
            "",
            "\n\n",
            "# nothing\n",
            "{}",
            "a: 1\nb: [1, 2]\n",
            "---\na: {b: c}\n",
            "base: &b {x: 1}\nmore:\n  <<: *b\n",
            "1: one\ntrue: yes\n",
            "text: |\n  {{ template }}\n",
            "emoji: \"🚀\"\n",
        ] {
            assert_eq!(check_values(values), Ok(()), "{values:?}");
        }
    }

    #[test]
    fn values_that_are_not_a_yaml_mapping_are_refused_with_the_line() {
        for (values, line) in [
            ("a: 1\nb: [1, 2\nc: 3\n", true),
            ("a: 1\na: 2\n", true),
            ("a: 1\n---\nb: 2\n", true),
            ("a:\n\t- b\n", true),
            ("- a\n- b\n", false),
            ("just text", false),
        ] {
            let (field, at) = refused(|request| request.values = values.into());
            assert_eq!((field.as_str(), at.is_some()), ("values", line), "{values:?}: {at:?}");
        }
        assert_eq!(refused(|request| request.values = "a: 1\na: 2\n".into()).1, Some(2));
    }

    #[test]
    fn values_are_refused_in_words_for_users() {
        for (values, words) in
            [("a: 1\n---\nb: 2\n", "more than one document"), ("a: 1\na: 2\n", "duplicate mapping key: a.")]
        {
            let message = check_values(values).unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
            assert!(!message.contains("Options") && !message.contains("from_str"), "{message}");
        }
    }
}
