//! How a chart's source is written: one object with the fields of both variants, for the reason that `wire` names.

use serde::{Deserialize, Serialize};

use super::ChartSource;

/// The object.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Flat {
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upload: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

impl From<ChartSource> for Flat {
    fn from(source: ChartSource) -> Self {
        match source {
            ChartSource::Repository { repository, name, version } => Self {
                repository: Some(repository),
                name: Some(name),
                version: Some(version),
                ..Self::default()
            },
            ChartSource::Url { url } => Self { url: Some(url), ..Self::default() },
            ChartSource::Oci { url, version } => {
                Self { url: Some(url), version: Some(version), ..Self::default() }
            }
            ChartSource::Upload { upload, name, version } => {
                Self { upload: Some(upload), name: Some(name), version: Some(version), ..Self::default() }
            }
        }
    }
}

impl TryFrom<Flat> for ChartSource {
    type Error = &'static str;

    fn try_from(flat: Flat) -> Result<Self, Self::Error> {
        match (flat.repository, flat.upload, flat.name, flat.url, flat.version) {
            (Some(repository), None, Some(name), None, Some(version)) => {
                Ok(Self::Repository { repository, name, version })
            }
            (None, Some(upload), Some(name), None, Some(version)) => {
                Ok(Self::Upload { upload, name, version })
            }
            (None, None, None, Some(url), None) => Ok(Self::Url { url }),
            (None, None, None, Some(url), Some(version)) => Ok(Self::Oci { url, version }),
            _ => Err(super::SOURCES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_one_of_four_things_and_nothing_between() {
        let parse = |text: &str| serde_json::from_str::<ChartSource>(text);
        for text in [
            r#"{"repository":"r","name":"n","version":"1"}"#,
            r#"{"url":"https://host/c.tgz"}"#,
            r#"{"url":"oci://host/c","version":"1"}"#,
            r#"{"upload":"u","name":"n","version":"1"}"#,
        ] {
            let source = parse(text).unwrap();
            assert_eq!(serde_json::to_string(&source).unwrap(), text);
        }
        for text in [
            "{}",
            r#"{"repository":"r"}"#,
            r#"{"url":"u","name":"n"}"#,
            r#"{"upload":"u"}"#,
            r#"{"upload":"u","url":"x","name":"n","version":"1"}"#,
            r#"{"surprise":1}"#,
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
