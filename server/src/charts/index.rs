//! A repository's `index.yaml`, brought down to what is shown (helm's `pkg/repo/index.go` has the whole of it).

use std::collections::BTreeMap;

use app::model::{ChartVersion, Timestamp};
use serde::Deserialize;

use super::version::{is_stable, newest_first};

/// The largest index that is read. The largest public ones have about 60 MiB.
pub const INDEX_MAX: usize = 128 * 1024 * 1024;
/// How much of a description is kept, in characters.
const DESCRIPTION_MAX: usize = 500;
/// How many key words of a chart are kept.
const KEYWORDS_MAX: usize = 20;
/// The largest icon that is kept as a `data:` address, in bytes: a catalogue has hundreds.
const INLINE_ICON_MAX: usize = 32 * 1024;

/// The charts of a repository by name; each has at least one version, the newest first.
pub type Index = BTreeMap<String, Vec<Entry>>;

/// One version of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What is shown of the version.
    pub version: ChartVersion,
    /// Cut to a readable length.
    pub description: String,
    /// Checked.
    pub icon: Option<String>,
    /// Cut to a readable number.
    pub keywords: Vec<String>,
    /// Where the archive is, perhaps relative to the index.
    pub url: Option<String>,
    /// The archive's SHA-256 in hexadecimal.
    pub digest: Option<String>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    entries: BTreeMap<String, Option<Vec<Raw>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    version: Option<String>,
    app_version: Option<String>,
    created: Option<String>,
    description: Option<String>,
    icon: Option<String>,
    keywords: Option<Vec<String>>,
    urls: Option<Vec<String>>,
    digest: Option<String>,
    deprecated: Option<bool>,
}

/// Reads an index.
///
/// # Errors
/// In words, with the line, when it is not one.
pub fn parse(text: &[u8]) -> Result<Index, String> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: INDEX_MAX,
            max_nodes: INDEX_MAX,
            max_total_scalar_bytes: INDEX_MAX,
        },
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
    };
    let file: File = serde_saphyr::from_slice_with_options(text, options).map_err(|error| {
        let words = error.without_snippet().to_string();
        format!("its index is not valid: {}", words.lines().next().unwrap_or_default())
    })?;
    let mut index = Index::new();
    for (name, versions) in file.entries {
        let mut versions: Vec<Entry> = versions.unwrap_or_default().into_iter().filter_map(entry).collect();
        versions.sort_by(|a, b| newest_first(&a.version.version, &b.version.version));
        if !versions.is_empty() {
            index.insert(name, versions);
        }
    }
    Ok(index)
}

/// The version that a newcomer is shown: the newest stable one, else the newest.
pub fn preferred(versions: &[Entry]) -> Option<&Entry> {
    versions.iter().find(|entry| is_stable(&entry.version.version)).or_else(|| versions.first())
}

/// An icon's address, if a browser may load it: over TLS, or an image in the address itself.
pub fn checked_icon(icon: &str) -> Option<String> {
    let secure = icon.starts_with("https://") && icon.len() <= 2048;
    let inline = icon.starts_with("data:image/") && icon.len() <= INLINE_ICON_MAX;
    (secure || inline).then(|| icon.to_owned())
}

fn entry(raw: Raw) -> Option<Entry> {
    let created = raw.created.and_then(|created| created.parse::<jiff::Timestamp>().ok());
    Some(Entry {
        version: ChartVersion {
            version: raw.version.filter(|version| !version.is_empty())?,
            app_version: raw.app_version,
            created: created.map(|created| Timestamp(created.as_millisecond())),
            deprecated: raw.deprecated.unwrap_or_default(),
        },
        description: raw.description.unwrap_or_default().chars().take(DESCRIPTION_MAX).collect(),
        icon: raw.icon.as_deref().and_then(checked_icon),
        keywords: raw.keywords.unwrap_or_default().into_iter().take(KEYWORDS_MAX).collect(),
        url: raw.urls.and_then(|urls| urls.into_iter().next()),
        digest: raw.digest.map(|digest| digest.trim_start_matches("sha256:").to_ascii_lowercase()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_come_newest_first_and_a_stable_one_is_preferred() {
        let index = parse(b"entries:\n  web:\n  - {version: 1.9.0}\n  - {version: 2.0.0-rc.1}\n  - {version: 1.10.0, appVersion: 1.27}\n")
            .unwrap();
        let versions: Vec<_> = index["web"].iter().map(|entry| entry.version.version.as_str()).collect();
        assert_eq!(versions, ["2.0.0-rc.1", "1.10.0", "1.9.0"]);
        let preferred = preferred(&index["web"]).unwrap();
        assert_eq!(preferred.version.version, "1.10.0");
        assert_eq!(
            preferred.version.app_version.as_deref(),
            Some("1.27"),
            "a number is taken as it is written"
        );
    }

    #[test]
    fn a_chart_without_versions_is_left_out() {
        let index =
            parse(b"entries:\n  empty: []\n  none:\n  odd:\n  - {description: no version}\n").unwrap();
        assert!(index.is_empty());
    }

    #[test]
    fn what_is_not_an_index_is_refused_in_words() {
        for text in ["<html>", "entries: 3", "entries:\n  web: {"] {
            assert!(parse(text.as_bytes()).unwrap_err().contains("index is not valid"), "{text}");
        }
    }

    #[test]
    fn an_icon_that_could_do_harm_is_dropped() {
        for icon in ["http://host/x.png", "javascript:alert(1)", "data:text/html,x", "//host/x.png"] {
            assert_eq!(checked_icon(icon), None, "{icon}");
        }
        assert!(checked_icon("https://host/x.png").is_some());
        assert!(checked_icon("data:image/svg+xml;base64,AAAA").is_some());
    }
}
