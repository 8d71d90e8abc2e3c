//! How a chart's source is written: one object with the fields of both variants, for the reason that `wire` names.

use serde::{Deserialize, Serialize};

use super::ChartSource;

/// The object.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Flat {
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

impl From<ChartSource> for Flat {
    fn from(source: ChartSource) -> Self {
        match source {
            ChartSource::Repository { repository, name, version } => {
                Self { repository: Some(repository), name: Some(name), version: Some(version), url: None }
            }
            ChartSource::Url { url } => Self { repository: None, name: None, version: None, url: Some(url) },
        }
    }
}

impl TryFrom<Flat> for ChartSource {
    type Error = &'static str;

    fn try_from(flat: Flat) -> Result<Self, Self::Error> {
        match (flat.repository, flat.name, flat.version, flat.url) {
            (Some(repository), Some(name), Some(version), None) => {
                Ok(Self::Repository { repository, name, version })
            }
            (None, None, None, Some(url)) => Ok(Self::Url { url }),
            _ => Err("Give `repository`, `name` and `version`, or `url` alone"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_query() {
        for (url, expected) in [
            ("https://host/c.tgz?token=secret", "https://host/c.tgz"),
            ("https://host/c.tgz#?token=secret", "https://host/c.tgz"),
            ("https://host/c.tgz", "https://host/c.tgz"),
        ] {
            assert_eq!(ChartSource::Url { url: url.into() }.to_string(), expected);
        }
    }

    #[test]
    fn a_source_is_one_of_two_things_and_nothing_between() {
        let parse = |text: &str| serde_json::from_str::<ChartSource>(text);
        for text in [r#"{"repository":"r","name":"n","version":"1"}"#, r#"{"url":"https://host/c.tgz"}"#] {
            let source = parse(text).unwrap();
            assert_eq!(serde_json::to_string(&source).unwrap(), text);
        }
        for text in ["{}", r#"{"repository":"r"}"#, r#"{"url":"u","name":"n"}"#, r#"{"surprise":1}"#] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
