//! The record's JSON, as helm 3 and 4 write it: every part can be null or absent, and an absent time is `""` (3),
//! year 1 (early 3), null, or left out (4).

use app::model::{RecordSummary, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::FullRecord;

/// The light part. What it does not name is passed over unbuilt.
#[derive(Default, Deserialize)]
pub struct Summary {
    namespace: Option<String>,
    info: Option<Info>,
    chart: Option<Chart>,
}

#[derive(Default, Deserialize)]
struct Info {
    #[serde(default, deserialize_with = "time")]
    first_deployed: Option<Timestamp>,
    #[serde(default, deserialize_with = "time")]
    last_deployed: Option<Timestamp>,
    #[serde(default, deserialize_with = "time")]
    deleted: Option<Timestamp>,
    description: Option<String>,
}

#[derive(Default, Deserialize)]
struct Chart {
    metadata: Option<ChartMetadata>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChartMetadata {
    name: Option<String>,
    version: Option<String>,
    app_version: Option<String>,
    icon: Option<String>,
}

impl Summary {
    pub fn into_summary(self, namespace: &str) -> RecordSummary {
        summarise(
            self.namespace,
            self.info.unwrap_or_default(),
            self.chart.unwrap_or_default().metadata,
            namespace,
        )
    }
}

fn summarise(
    target: Option<String>,
    info: Info,
    chart: Option<ChartMetadata>,
    namespace: &str,
) -> RecordSummary {
    let chart = chart.unwrap_or_default();
    let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
    RecordSummary {
        chart: filled(chart.name),
        chart_version: filled(chart.version),
        app_version: filled(chart.app_version),
        icon: filled(chart.icon),
        description: filled(info.description),
        first_deployed: info.first_deployed,
        last_deployed: info.last_deployed,
        deleted: info.deleted,
        target_namespace: filled(target).filter(|target| target != namespace),
    }
}

/// All that is shown of a record.
#[derive(Deserialize)]
pub struct Full {
    namespace: Option<String>,
    info: Option<FullInfo>,
    chart: Option<FullChart>,
    #[serde(default)]
    config: Value,
    manifest: Option<String>,
    hooks: Option<Vec<Option<Hook>>>,
}

#[derive(Default, Deserialize)]
struct FullInfo {
    #[serde(flatten)]
    info: Info,
    notes: Option<String>,
}

#[derive(Default, Deserialize)]
struct FullChart {
    metadata: Option<ChartMetadata>,
    #[serde(default)]
    values: Value,
    #[serde(default)]
    files: Definitions,
}

/// Of a chart's files those that define custom resources, decoded. The others are passed over one by one.
#[derive(Default)]
struct Definitions(Vec<String>);

/// A file of a chart, as helm writes it: base64. Whatever else is found in its place is passed over.
#[derive(Deserialize)]
#[serde(untagged)]
enum File {
    Known { name: String, data: String },
    Other(IgnoredAny),
}

impl File {
    fn definitions(self) -> Option<String> {
        let Self::Known { name, data } = self else { return None };
        let is_yaml = [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending));
        let bytes = STANDARD.decode(Some(data).filter(|_| is_yaml && name.starts_with("crds/"))?).ok()?;
        String::from_utf8(bytes).ok()
    }
}

impl<'de> Deserialize<'de> for Definitions {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Files;
        impl<'de> Visitor<'de> for Files {
            type Value = Definitions;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of files")
            }

            fn visit_unit<E>(self) -> Result<Definitions, E> {
                Ok(Definitions::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Definitions, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Definitions::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut files: A) -> Result<Definitions, A::Error> {
                let mut found = Vec::new();
                while let Some(file) = files.next_element::<File>()? {
                    found.extend(file.definitions());
                }
                Ok(Definitions(found))
            }
        }
        from.deserialize_any(Files)
    }
}

/// A hook, and how its last run went.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Hook {
    /// The template that it comes from: `platform/charts/auth/templates/migrate.yaml`.
    #[serde(deserialize_with = "or_default")]
    pub path: String,
    /// Its rendered document.
    #[serde(deserialize_with = "or_default")]
    pub manifest: String,
    /// When it runs: `pre-install`, `test`, …
    #[serde(deserialize_with = "or_default")]
    pub events: Vec<String>,
    /// Its last run.
    #[serde(deserialize_with = "or_default")]
    pub last_run: HookRun,
}

/// The last run of a hook; all of it is absent before the first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct HookRun {
    /// When it began.
    #[serde(deserialize_with = "time")]
    pub started_at: Option<Timestamp>,
    /// When it had ended.
    #[serde(deserialize_with = "time")]
    pub completed_at: Option<Timestamp>,
    /// helm's word: `Running`, `Succeeded`, `Failed`, `Unknown`; empty before the first run.
    #[serde(deserialize_with = "or_default")]
    pub phase: String,
}

impl Full {
    pub fn into_record(self, namespace: &str) -> FullRecord {
        let FullInfo { info, notes } = self.info.unwrap_or_default();
        let chart = self.chart.unwrap_or_default();
        FullRecord {
            summary: summarise(self.namespace, info, chart.metadata, namespace),
            notes: notes.unwrap_or_default(),
            config: self.config,
            chart_values: chart.values,
            manifest: self.manifest.unwrap_or_default(),
            hooks: self.hooks.unwrap_or_default().into_iter().flatten().collect(),
            definitions: chart.files.0,
        }
    }
}

/// A null where a value is expected is its default: Go writes nil slices and maps as null.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// Any of the zero times, and a time that cannot be read, is none: a record is not unreadable for that.
fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
    let text: Option<String> = Option::deserialize(from)?;
    let instant = text.and_then(|text| text.parse::<jiff::Timestamp>().ok());
    Ok(instant.map(jiff::Timestamp::as_millisecond).filter(|&millis| millis > YEAR_ONE_END).map(Timestamp))
}

/// The end of the day on which Go's zero time lies, 0001-01-01T00:00:00Z, in milliseconds since the epoch.
const YEAR_ONE_END: i64 = -62_135_510_400_000;
