//! What a form holds before it is sent: kept while one types, checked, and made into a submission.

use serde::{Deserialize, Serialize};

use crate::client::call::to_json;
use crate::model::name::{check_namespace, check_release_name};
use crate::model::operation::{DEFAULT_HISTORY_MAX, DEFAULT_TIMEOUT_SECONDS};
use crate::model::{ApiError, ChartSource, OperationKind, OperationOptions, SubmitOperation};
use crate::words::t;

/// The form's contents. Numbers are texts, as typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Made when the form opened: what is in it is one operation, however often it is sent ([`tie_key`]).
    pub key: String,
    /// The namespace.
    pub namespace: String,
    /// The release's name.
    pub name: String,
    /// The chart's version; empty for the newest stable one.
    pub version: String,
    /// The values' text as the user changed it, and the text that they began with.
    pub edited: Option<Edited>,
    /// What the user should look at since the values were taken to another version, as JSON; empty if nothing.
    #[serde(default)]
    pub notes: String,
    /// The revision that the form of an upgrade was filled from: a newer one is not to be overwritten unseen.
    #[serde(default)]
    pub revision: Option<u32>,
    /// Where the chart of an upgrade is taken from, where that was chosen.
    #[serde(default)]
    pub origin: String,
    /// How helm is to do it, but for the numbers that are typed.
    pub options: OperationOptions,
    /// How long each of helm's waits may take: `5m`, `90s`, `2m30s`.
    pub timeout: String,
    /// How many revisions are kept.
    pub history_max: String,
}

/// Values that the user has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edited {
    /// The text now.
    pub text: String,
    /// The text that was there before.
    pub base: String,
}

/// A place where an error belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The release's name.
    Name,
    /// The namespace.
    Namespace,
    /// The chart and its version.
    Version,
    /// The values.
    Values,
    /// The time-out.
    Timeout,
    /// The number of revisions.
    HistoryMax,
    /// The description of the revision.
    Description,
}

impl Field {
    /// The field by its name in the API.
    pub fn of_api(name: &str) -> Option<Self> {
        Some(match name {
            "name" => Self::Name,
            "namespace" => Self::Namespace,
            "values" => Self::Values,
            "options.timeout" => Self::Timeout,
            "options.historyMax" => Self::HistoryMax,
            "options.description" => Self::Description,
            name if name.starts_with("chart") => Self::Version,
            _ => return None,
        })
    }

    /// Where the error of an answer belongs; none if it is about the whole.
    pub fn of_error(error: &ApiError) -> Option<Self> {
        match error {
            ApiError::Invalid { field: Some(field), .. } => Self::of_api(field),
            _ => None,
        }
    }

    /// The id of its element in the form.
    pub fn id(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Namespace => "namespace",
            Self::Version => "version",
            Self::Values => "values",
            Self::Timeout => "timeout",
            Self::HistoryMax => "history-max",
            Self::Description => "description",
        }
    }
}

impl Draft {
    /// An untouched form. Its key is still to be given.
    pub fn new(namespace: String, name: String, version: String) -> Self {
        Self {
            key: String::new(),
            namespace,
            name,
            version,
            edited: None,
            notes: String::new(),
            revision: None,
            origin: String::new(),
            options: OperationOptions::default(),
            timeout: format!("{}m", DEFAULT_TIMEOUT_SECONDS / 60),
            history_max: DEFAULT_HISTORY_MAX.to_string(),
        }
    }

    /// Takes in how an operation was to be done; not what an attempt of its own has put to that.
    pub fn recall(&mut self, version: Option<String>, options: &OperationOptions) {
        self.version = version.unwrap_or_else(|| std::mem::take(&mut self.version));
        self.timeout = format!("{}s", options.timeout);
        self.history_max = options.history_max.to_string();
        self.options = OperationOptions {
            take_over: false,
            runner: None,
            revision: None,
            expected_revision: None,
            // What the way here asked for.
            create_namespace: self.options.create_namespace || options.create_namespace,
            force_conflicts: self.options.force_conflicts || options.force_conflicts,
            ..options.clone()
        };
    }

    /// The submission, or what stands in its way, field by field.
    pub fn request(
        &self,
        kind: OperationKind,
        chart: Option<ChartSource>,
        values: String,
    ) -> Result<SubmitOperation, Vec<(Field, String)>> {
        let mut errors = Vec::new();
        let mut note = |field, error: Option<String>| errors.extend(error.map(|error| (field, error)));
        note(Field::Name, check_release_name(&self.name).err());
        note(Field::Namespace, check_namespace(&self.namespace).err());
        let (timeout, history_max) = (seconds(&self.timeout), self.history_max.trim().parse::<u32>());
        note(
            Field::Timeout,
            timeout.is_none().then(|| t("Give minutes and seconds, as in 5m, 90s or 2m30s.").to_owned()),
        );
        note(
            Field::HistoryMax,
            history_max.is_err().then(|| t("Give a number; 0 keeps all revisions.").to_owned()),
        );
        let (Some(timeout), Ok(history_max), true) = (timeout, history_max, errors.is_empty()) else {
            return Err(errors);
        };
        Ok(SubmitOperation {
            kind,
            namespace: self.namespace.clone(),
            name: self.name.clone(),
            chart,
            values,
            options: OperationOptions {
                timeout,
                history_max,
                expected_revision: self.revision,
                ..self.options.clone()
            },
            idempotency_key: Some(self.key.clone()),
        })
    }
}

/// Ties the key of `request` to the rest of it: what is changed after it was refused, or got no answer, is another intent.
pub fn tie_key(request: &mut SubmitOperation) {
    let Some(key) = request.idempotency_key.take() else { return };
    let text = to_json(request).unwrap_or_default();
    request.idempotency_key = Some(format!("{key}-{:x}", digest(&text)));
}

/// FNV-1a: enough to tell one's own edits apart, and next to nothing to load.
fn digest(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Reads `5m`, `90s`, `1h`, `2m30s`; more than nothing, and no part twice.
fn seconds(text: &str) -> Option<u32> {
    let (mut total, mut rest) = (0_u32, text.trim());
    for (unit, worth) in [('h', 3600), ('m', 60), ('s', 1)] {
        if let Some((number, after)) = rest.split_once(unit) {
            total = total.checked_add(number.trim().parse::<u32>().ok()?.checked_mul(worth)?)?;
            rest = after.trim();
        }
    }
    (rest.is_empty() && total > 0).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Option<ChartSource> {
        Some(ChartSource::Url { url: "https://x/y.tgz".into() })
    }

    fn draft() -> Draft {
        Draft { key: "k".into(), ..Draft::new("team".into(), "web".into(), String::new()) }
    }

    #[test]
    fn an_untouched_form_asks_for_helms_defaults() {
        let request = draft().request(OperationKind::Install, chart(), String::new()).unwrap();
        assert_eq!(request.options, OperationOptions::default());
        assert_eq!(request.idempotency_key.as_deref(), Some("k"));
    }

    #[test]
    fn what_is_sent_again_has_the_same_key_and_what_was_changed_another() {
        let key = |values: &str| {
            let mut request = draft().request(OperationKind::Install, chart(), values.to_owned()).unwrap();
            tie_key(&mut request);
            request.idempotency_key.unwrap()
        };
        assert_eq!(key("a: 1"), key("a: 1"));
        assert_ne!(key("a: 1"), key("a: 2"));
        assert!(key("a: 1").starts_with("k-"), "{}", key("a: 1"));
    }

    #[test]
    fn what_was_sent_is_recalled_without_what_an_attempt_put_to_it() {
        let sent = OperationOptions {
            timeout: 90,
            history_max: 3,
            skip_hooks: true,
            take_over: true,
            expected_revision: Some(7),
            ..OperationOptions::default()
        };
        let mut form = draft();
        form.recall(Some("1.2.3".into()), &sent);
        let request = form.request(OperationKind::Install, chart(), String::new()).unwrap();
        let expected = OperationOptions { take_over: false, expected_revision: None, ..sent };
        assert_eq!((request.options, form.version.as_str()), (expected, "1.2.3"));
    }

    #[test]
    fn each_field_that_is_wrong_is_named() {
        let wrong = Draft {
            name: "W".into(),
            namespace: String::new(),
            timeout: "soon".into(),
            history_max: "-1".into(),
            ..draft()
        };
        let errors = wrong.request(OperationKind::Install, chart(), String::new()).unwrap_err();
        let fields: Vec<Field> = errors.into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, [Field::Name, Field::Namespace, Field::Timeout, Field::HistoryMax]);
    }

    #[test]
    fn a_time_is_read_as_people_write_it() {
        for (text, total) in [
            ("5m", Some(300)),
            ("90s", Some(90)),
            (" 2m 30s ", Some(150)),
            ("1h", Some(3600)),
            ("", None),
            ("5", None),
            ("0s", None),
            ("5m5m", None),
            ("4294967295h", None),
        ] {
            assert_eq!(seconds(text), total, "{text:?}");
        }
    }

    #[test]
    fn an_answers_error_finds_its_field() {
        assert_eq!(Field::of_error(&ApiError::invalid("options.timeout", "x")), Some(Field::Timeout));
        assert_eq!(Field::of_error(&ApiError::invalid("chart.version", "x")), Some(Field::Version));
        assert_eq!(Field::of_error(&ApiError::NotFound { what: "x".into() }), None);
    }
}
