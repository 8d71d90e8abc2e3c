//! A repository's index (`index.yaml`, helm's `pkg/repo/index.go`), reduced to what is shown.

#[doc(hidden)]
pub mod sample;
mod scan;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;

use app::model::{ChartVersion, Timestamp};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::loose::Loose;
use super::{about, constraint, links, order};

/// The longest description that is kept, in characters.
pub const DESCRIPTION_MAX: usize = 1_000;
/// The longest name, version or the like that is kept, in characters; Kubernetes' labels and DNS names are shorter.
pub const WORD_MAX: usize = 253;
/// The most keywords that are kept of a chart.
pub const KEYWORDS_MAX: usize = 50;

/// The charts of a repository, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    /// The charts.
    pub charts: BTreeMap<String, Chart>,
}

/// One chart of a repository. It has at least one version.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// All versions, the newest first.
    pub versions: Vec<Listed>,
    /// Which of them is shown unless one is named: the newest stable one, else the newest.
    pub latest: usize,
    /// That version's description.
    pub description: String,
    /// That version's icon, if a page may load it.
    pub icon: Option<String>,
    /// That version's key words.
    pub keywords: Vec<String>,
    /// What kind of software that version is, by its annotations.
    pub category: Option<String>,
}

/// One version of a chart, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// What is shown of it.
    pub version: ChartVersion,
    /// The archive's address, which may be relative to the index's.
    pub url: String,
    /// The archive's SHA-256, in hexadecimal.
    pub digest: Option<String>,
    /// Which Kubernetes it asks for.
    pub kubernetes: Option<String>,
}

impl Listed {
    /// What is shown of it where the cluster's version is `cluster`.
    pub fn shown(&self, cluster: Option<&str>) -> ChartVersion {
        let asked = self.kubernetes.as_deref().zip(cluster);
        let fits = asked.and_then(|(wanted, cluster)| constraint::fits(wanted, cluster));
        ChartVersion { incompatible: fits == Some(false), ..self.version.clone() }
    }
}

impl Chart {
    /// The version that is shown unless one is named.
    pub fn latest(&self) -> Option<&Listed> {
        self.versions.get(self.latest)
    }

    /// A version by its exact text.
    pub fn version(&self, version: &str) -> Option<&Listed> {
        self.versions.iter().find(|listed| listed.version.version == version)
    }

    fn read(entries: &Loose) -> Option<Self> {
        let Loose::List(entries) = entries else { return None };
        let read = entries.iter().enumerate().filter_map(|(at, entry)| Entry::read(at, entry));
        let nothing = || Loose::Map(Vec::new());
        let noted = |at: usize| Ok::<_, Infallible>(entries.get(at).cloned().unwrap_or_else(nothing));
        chart_of(read.collect(), noted).unwrap_or_else(|never| match never {})
    }
}

/// One version as it was read, and its place among those of its chart.
struct Entry {
    at: usize,
    listed: Listed,
}

impl Entry {
    fn read(at: usize, entry: &Loose) -> Option<Self> {
        Listed::read(entry).map(|listed| Self { at, listed })
    }
}

/// The chart that has these versions; none if there are none. `noted` gives what else is said of the one at a place, and is
/// asked for the one alone that is shown.
fn chart_of<E>(
    mut found: Vec<Entry>,
    noted: impl FnOnce(usize) -> Result<Loose, E>,
) -> Result<Option<Chart>, E> {
    found.sort_by_cached_key(|entry| order::place(&entry.listed.version.version));
    found.dedup_by(|b, a| a.listed.version.version == b.listed.version.version);
    let stable = found.iter().position(|entry| order::is_stable(&entry.listed.version.version));
    let latest = stable.unwrap_or(0);
    let Some(at) = found.get(latest).map(|entry| entry.at) else { return Ok(None) };
    let shown = noted(at)?;
    let keywords = shown.items("keywords").iter().filter_map(Loose::as_text).take(KEYWORDS_MAX);
    Ok(Some(Chart {
        latest,
        description: shown.text("description", DESCRIPTION_MAX).unwrap_or_default(),
        icon: shown.get("icon").and_then(Loose::as_text).and_then(links::icon),
        keywords: keywords.map(|word| word.chars().take(WORD_MAX).collect()).collect(),
        category: about::category(&shown),
        versions: found.into_iter().map(|entry| entry.listed).collect(),
    }))
}

impl Listed {
    fn read(entry: &Loose) -> Option<Self> {
        let created = entry.get("created").and_then(Loose::as_text);
        Some(Self {
            version: ChartVersion {
                version: entry.text("version", WORD_MAX)?,
                app_version: entry.text("appVersion", WORD_MAX),
                created: created
                    .and_then(|text| text.parse::<jiff::Timestamp>().ok())
                    .map(|at| Timestamp(at.as_millisecond())),
                deprecated: entry.is_true("deprecated"),
                incompatible: false,
            },
            kubernetes: entry.text("kubeVersion", WORD_MAX),
            url: entry.items("urls").first()?.as_text()?.to_owned(),
            digest: entry.text("digest", WORD_MAX),
        })
    }
}

/// Reads an index. An entry that makes no sense is left out.
///
/// # Errors
/// In words, when the text as a whole is no index.
pub fn parse(text: &str) -> Result<Index, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match scan::scan(text) {
        Ok(scanned) => {
            tracing::debug!(bytes = text.len(), spelled_out = scanned.spelled_out, "an index was scanned");
            Ok(scanned.index)
        }
        Err(scan::Unsure) => parse_any(text),
    }
}

/// Reads an index of any form.
fn parse_any(text: &str) -> Result<Index, String> {
    let unreadable = |error: &str| format!("The index cannot be read: {}", first_line(error));
    // JSON, which helm takes as well, is read at a tenth of the cost.
    let document: Document = if text.trim_start().starts_with('{')
        && serde_json::from_str::<IgnoredAny>(text).is_ok()
    {
        serde_json::from_str(text).map_err(|error| unreadable(&error.to_string()))?
    } else {
        let options = serde_saphyr::options! {
            // The text's own size is bounded by the fetch; these follow from the largest one.
            budget: serde_saphyr::budget! {
                max_events: 20_000_000,
                max_nodes: 10_000_000,
                max_total_scalar_bytes: 128 * 1024 * 1024,
            },
            // helm writes none; a mirror's tool may share a list of maintainers or key words.
            alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 100_000 },
            duplicate_keys: serde_saphyr::DuplicateKeyPolicy::FirstWins,
        };
        serde_saphyr::from_str_with_options(text, options).map_err(|error| unreadable(&error.to_string()))?
    };
    Ok(Index { charts: document.entries.ok_or("The index has no entries.")?.0 })
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[derive(Deserialize)]
struct Document {
    entries: Option<Entries>,
}

/// Read chart by chart, so that what is not kept is never held all at once.
struct Entries(BTreeMap<String, Chart>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EachChart)
    }
}

struct EachChart;

impl<'de> Visitor<'de> for EachChart {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("charts by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut charts: A) -> Result<Entries, A::Error> {
        let mut kept = BTreeMap::new();
        while let Some(name) = charts.next_key::<Loose>()? {
            match name.as_text() {
                Some(name) if name.chars().count() <= WORD_MAX => {
                    if let Some(chart) = Chart::read(&charts.next_value()?) {
                        kept.insert(name.to_owned(), chart);
                    }
                }
                _ => drop(charts.next_value::<IgnoredAny>()?),
            }
        }
        Ok(Entries(kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = r#"
apiVersion: v1
generated: "2026-01-01T00:00:00Z"
entries:
  web:
    - version: 1.2.0
      appVersion: 7
      created: "2026-01-02T03:04:05.678901234-06:00"
      description: A web server
      digest: abc
      icon: https://example.org/web.svg
      keywords: [http, 3, [nested]]
      urls: [web-1.2.0.tgz, mirror/web-1.2.0.tgz]
    - {version: 2.0.0-rc.1, urls: [web-2.0.0-rc.1.tgz], description: Not yet}
    - {version: 1.10.0, deprecated: true, urls: [web-1.10.0.tgz], description: The newest stable one}
  broken:
    - a string
    - {urls: [no-version.tgz]}
    - {version: 1.0.0}
    - {version: 1.0.0, urls: not a list}
    - {version: [1], urls: [x.tgz]}
  half:
    - 17
    - {version: 0.1.0, appVersion: {a: b}, created: yesterday, icon: "javascript:alert(1)", urls: [half-0.1.0.tgz]}
  odd: no list at all
  [1, 2]: []
"#;

    #[test]
    fn versions_come_newest_first_and_the_newest_stable_one_is_shown() {
        let index = parse(INDEX).unwrap();
        let web = &index.charts["web"];
        let versions: Vec<_> = web.versions.iter().map(|listed| listed.version.version.as_str()).collect();
        assert_eq!(versions, ["2.0.0-rc.1", "1.10.0", "1.2.0"]);
        assert_eq!(web.latest().unwrap().version.version, "1.10.0");
        assert_eq!(web.description, "The newest stable one");
        assert!(web.latest().unwrap().version.deprecated);
    }

    #[test]
    fn an_entry_is_read_with_its_first_address_and_its_time() {
        let index = parse(INDEX).unwrap();
        let listed = index.charts["web"].version("1.2.0").unwrap();
        assert_eq!((listed.url.as_str(), listed.digest.as_deref()), ("web-1.2.0.tgz", Some("abc")));
        assert_eq!(listed.version.app_version.as_deref(), Some("7"));
        assert_eq!(listed.version.created, Some(Timestamp(1_767_344_645_678)));
    }

    #[test]
    fn a_malformed_entry_costs_itself_alone() {
        let index = parse(INDEX).unwrap();
        assert_eq!(index.charts.keys().collect::<Vec<_>>(), ["half", "web"]);
        let half = &index.charts["half"];
        assert_eq!((half.versions.len(), half.icon.as_deref()), (1, None));
        assert_eq!(half.versions[0].version.created, None);
    }

    #[test]
    fn what_is_no_index_is_refused_in_words() {
        for (text, words) in [
            ("", "no entries"),
            ("<html><body>Sign in</body></html>", "cannot be read"),
            ("entries: 3", "cannot be read"),
            ("apiVersion: v1", "no entries"),
            ("entries: {web: [", "cannot be read"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(words), "{text:?}: {error}");
        }
    }

    #[test]
    fn an_index_without_charts_is_an_index() {
        assert_eq!(parse("entries: {}").unwrap(), Index::default());
    }

    #[test]
    fn an_index_that_grows_by_its_aliases_is_refused() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let items = vec![format!("*a{}", level - 1); 10].join(", ");
            text.push_str(&format!("a{level}: &a{level} [{items}]\n"));
        }
        text.push_str("entries: {web: [{version: 1.0.0, urls: [x.tgz], keywords: *a11}]}\n");
        assert!(parse(&text).is_err());
    }
}
