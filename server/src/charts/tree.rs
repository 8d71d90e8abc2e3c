//! A chart and the charts in it, as far as its values are concerned.

use std::collections::BTreeMap;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType};

use super::index::WORD_MAX;
use super::loose::Loose;

/// How deep charts are looked for in charts.
const DEPTH_MAX: usize = 8;
/// The largest file that is read: helm's own limit.
const FILE_MAX: u64 = 5 * 1024 * 1024;
/// How much all that is kept of the charts in a chart may be.
const KEPT_MAX: usize = 16 * 1024 * 1024;
/// How much the archives in an archive may unpack to.
const UNPACKED_MAX: u64 = 100 * 1024 * 1024;
/// The most dependencies that are read of one chart.
const DEPENDENCIES_MAX: usize = 500;

/// One chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// `name` of Chart.yaml.
    pub name: String,
    /// `version` of Chart.yaml.
    pub version: String,
    /// values.yaml, as written; empty if there is none.
    pub values: String,
    /// values.schema.json, as written.
    pub schema: Option<String>,
    /// `dependencies` of Chart.yaml, or of requirements.yaml.
    pub dependencies: Vec<Dependency>,
    /// The charts in it.
    pub charts: Vec<Chart>,
}

/// What a chart says of a chart that it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependency {
    /// Its name.
    pub name: String,
    /// Which versions fit.
    pub version: String,
    /// What it is called here.
    pub alias: Option<String>,
    /// Paths of values, separated by commas; the first one that is true or false decides whether it is on.
    pub condition: String,
    /// Names under `tags` of the values that switch it on or off.
    pub tags: Vec<String>,
    /// What of its values becomes the chart's own: from where in its values, to where in the chart's.
    pub imports: Vec<(String, String)>,
}

impl Chart {
    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let own = self.values.len() + self.schema.as_ref().map_or(0, String::len);
        own + self.charts.iter().map(Self::size).sum::<usize>()
    }

    /// Takes up what Chart.yaml says.
    pub fn describe(&mut self, chart: &Loose) {
        self.name = chart.text("name", WORD_MAX).unwrap_or_default();
        self.version = chart.text("version", WORD_MAX).unwrap_or_default();
        self.depend(chart);
    }

    /// Takes up what Chart.yaml, or in old charts requirements.yaml, says of dependencies.
    pub fn depend(&mut self, file: &Loose) {
        let found = file.items("dependencies").iter().take(DEPENDENCIES_MAX).filter_map(dependency);
        self.dependencies.extend(found);
    }
}

fn dependency(from: &Loose) -> Option<Dependency> {
    let imports = from.items("import-values").iter().filter_map(|import| match import {
        Loose::Text(name) => Some((format!("exports.{name}"), ".".to_owned())),
        _ => Some((import.text("child", WORD_MAX)?, import.text("parent", WORD_MAX)?)),
    });
    Some(Dependency {
        name: from.text("name", WORD_MAX)?,
        version: from.text("version", WORD_MAX).unwrap_or_default(),
        alias: from.text("alias", WORD_MAX),
        condition: from.text("condition", WORD_MAX).unwrap_or_default(),
        tags: from.items("tags").iter().filter_map(Loose::as_text).map(str::to_owned).collect(),
        imports: imports.collect(),
    })
}

/// The charts in a chart, while its archive is read.
pub struct Collector {
    /// By their folders' names, from the outermost one.
    found: BTreeMap<Vec<String>, Chart>,
    kept: usize,
    unpacked: u64,
}

impl Default for Collector {
    fn default() -> Self {
        Self { found: BTreeMap::new(), kept: 0, unpacked: UNPACKED_MAX }
    }
}

impl Collector {
    /// Looks at a file of the archive that is not in the chart's own folder.
    ///
    /// # Errors
    /// When the archive ends early. What is wrong with a chart in it costs that chart alone.
    pub fn offer(&mut self, path: &[u8], content: &mut impl Read) -> io::Result<()> {
        let Ok(path) = std::str::from_utf8(path) else { return Ok(()) };
        let path = path.strip_prefix("./").unwrap_or(path);
        match path.split_once('/') {
            Some((_, inner)) => self.file(&mut Vec::new(), inner, content),
            None => Ok(()),
        }
    }

    /// The charts right in the chart, with those in them.
    pub fn finish(self) -> Vec<Chart> {
        let mut waiting: BTreeMap<Vec<String>, Vec<Chart>> = BTreeMap::new();
        // A chart comes after the one that it is in.
        for (mut path, mut chart) in self.found.into_iter().rev() {
            chart.charts = waiting.remove(&path).unwrap_or_default();
            path.pop();
            // A folder without a Chart.yaml is none.
            if !chart.name.is_empty() {
                waiting.entry(path).or_default().insert(0, chart);
            }
        }
        waiting.remove(&Vec::new()).unwrap_or_default()
    }

    fn file(&mut self, at: &mut Vec<String>, path: &str, content: &mut impl Read) -> io::Result<()> {
        let mut rest = path;
        while let Some((folder, inner)) = rest.strip_prefix("charts/").and_then(|inner| inner.split_once('/'))
        {
            at.push(folder.to_owned());
            rest = inner;
        }
        // Helm leaves out what begins so.
        let is_left_out = |name: &str| name.starts_with(['_', '.']);
        if at.len() > DEPTH_MAX || at.iter().any(|folder| is_left_out(folder)) {
            return Ok(());
        }
        if let Some(name) = rest.strip_prefix("charts/") {
            let is_archive = name.strip_suffix(".tgz").is_some() && !is_left_out(name);
            if is_archive && at.len() < DEPTH_MAX {
                at.push(name.to_owned());
                return self.archive(at, content);
            }
            return Ok(());
        }
        if !at.is_empty()
            && ["Chart.yaml", "requirements.yaml", "values.yaml", "values.schema.json"].contains(&rest)
        {
            let text = self.text(content, rest.starts_with("values."))?;
            self.keep(at, rest, text);
        }
        Ok(())
    }

    fn keep(&mut self, at: &[String], name: &str, text: String) {
        let chart = self.found.entry(at.to_vec()).or_default();
        let parsed = || serde_saphyr::from_str::<Loose>(&text).unwrap_or(Loose::Nothing);
        match name {
            "Chart.yaml" => chart.describe(&parsed()),
            "requirements.yaml" => chart.depend(&parsed()),
            "values.yaml" => chart.values = text,
            _ => chart.schema = Some(text),
        }
    }

    /// A chart that lies in the chart as an archive of its own.
    fn archive(&mut self, at: &[String], content: &mut impl Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        io::copy(&mut content.take(FILE_MAX), &mut bytes)?;
        let mut unpacked = MultiGzDecoder::new(bytes.as_slice()).take(self.unpacked);
        let mut archive = Archive::new(&mut unpacked);
        if let Ok(entries) = archive.entries() {
            for mut entry in entries.map_while(Result::ok) {
                let path = entry.path_bytes().into_owned();
                let Ok(path) = std::str::from_utf8(&path) else { continue };
                let path = path.strip_prefix("./").unwrap_or(path);
                let Some((_, inner)) = path.split_once('/') else { continue };
                let is_file = entry.header().entry_type() == EntryType::Regular;
                if is_file && self.file(&mut at.to_vec(), inner, &mut entry).is_err() {
                    break;
                }
            }
        }
        self.unpacked = unpacked.limit();
        Ok(())
    }

    /// A file, or nothing where it, or all that are kept, are too large.
    fn text(&mut self, content: &mut impl Read, is_kept: bool) -> io::Result<String> {
        let mut bytes = Vec::new();
        io::copy(&mut content.take(FILE_MAX + 1), &mut bytes)?;
        if bytes.len() as u64 > FILE_MAX || is_kept && self.kept + bytes.len() > KEPT_MAX {
            return Ok(String::new());
        }
        if is_kept {
            self.kept += bytes.len();
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::archive::{self, tests::pack};
    use super::*;

    const DB: &str = "name: db\nversion: 1.2.3\n";

    fn names(charts: &[Chart]) -> Vec<&str> {
        charts.iter().map(|chart| chart.name.as_str()).collect()
    }

    #[test]
    fn charts_are_found_in_folders_and_in_archives_however_deep() {
        let disk = pack(&[("disk/Chart.yaml", b"name: disk"), ("disk/values.yaml", b"gib: 1")]);
        let db = pack(&[
            ("db/Chart.yaml", DB.as_bytes()),
            ("db/values.schema.json", b"{}"),
            ("db/charts/disk-1.tgz", &disk),
            ("db/templates/values.yaml", b"wrong: 1"),
        ]);
        let web = pack(&[
            ("web/charts/cache/charts/lru/values.yaml", b"size: 1"),
            ("web/charts/cache/charts/lru/Chart.yaml", b"name: lru"),
            ("web/charts/db-1.tgz", &db),
            ("web/charts/cache/Chart.yaml", b"name: cache"),
            ("web/charts/cache/values.yaml", b"a: 1"),
            ("web/charts/no-chart/values.yaml", b"a: 1"),
            ("web/charts/_hidden/Chart.yaml", b"name: hidden"),
            ("web/charts/broken.tgz", b"not an archive"),
            ("web/charts/README.md", b"text"),
            ("web/Chart.yaml", b"name: web\nversion: 2.0.0\ndependencies:\n- {name: db, version: 1.x, alias: store, condition: store.on, tags: [data], import-values: [x, {child: a.b, parent: c}]}\n- nonsense\n"),
            ("web/values.yaml", b"own: 1"),
        ]);
        let chart = archive::read(&web).unwrap().chart;
        assert_eq!(
            (chart.name.as_str(), chart.version.as_str(), chart.values.as_str()),
            ("web", "2.0.0", "own: 1")
        );
        assert_eq!(names(&chart.charts), ["cache", "db"]);
        assert_eq!(
            (names(&chart.charts[0].charts), names(&chart.charts[1].charts)),
            (vec!["lru"], vec!["disk"])
        );
        assert_eq!(chart.charts[0].charts[0].values, "size: 1");
        assert_eq!((chart.charts[1].schema.as_deref(), chart.charts[1].values.as_str()), (Some("{}"), ""));
        assert_eq!(chart.charts[1].charts[0].values, "gib: 1");
        let [says] = chart.dependencies.as_slice() else { panic!("{:?}", chart.dependencies) };
        assert_eq!((says.alias.as_deref(), says.condition.as_str()), (Some("store"), "store.on"));
        assert_eq!(says.imports, [("exports.x".into(), ".".into()), ("a.b".into(), "c".into())]);
    }

    #[test]
    fn what_old_charts_say_in_another_file_counts() {
        let web = pack(&[
            ("web/Chart.yaml", b"name: web"),
            ("web/requirements.yaml", b"dependencies: [{name: db, version: 1.0.0}]"),
        ]);
        assert_eq!(archive::read(&web).unwrap().chart.dependencies[0].name, "db");
    }

    #[test]
    fn charts_in_charts_without_end_are_not_followed() {
        let mut inner = pack(&[("x/Chart.yaml", b"name: x")]);
        for _ in 0..20 {
            inner = pack(&[("x/Chart.yaml", b"name: x"), ("x/charts/x.tgz", &inner)]);
        }
        let mut at = &archive::read(&inner).unwrap().chart;
        let mut depth = 0;
        while let Some(next) = at.charts.first() {
            (at, depth) = (next, depth + 1);
        }
        assert_eq!(depth, DEPTH_MAX);
        let folders = format!("x/{}Chart.yaml", "charts/x/".repeat(DEPTH_MAX + 5));
        let deep = pack(&[("x/Chart.yaml", b"name: x"), (&folders, b"name: x")]);
        assert_eq!(archive::read(&deep).unwrap().chart.charts, []);
    }

    #[test]
    fn values_that_are_too_large_are_left_out() {
        let large = vec![b'#'; 4 * 1024 * 1024];
        let paths: Vec<(String, String)> = (0..6)
            .map(|n| (format!("web/charts/c{n}/Chart.yaml"), format!("web/charts/c{n}/values.yaml")))
            .collect();
        let mut files: Vec<(&str, &[u8])> = vec![("web/Chart.yaml", b"name: web")];
        for (chart, values) in &paths {
            files.push((chart, b"name: c"));
            files.push((values, &large));
        }
        let chart = archive::read(&pack(&files)).unwrap().chart;
        assert_eq!(chart.charts.len(), 6);
        assert!(chart.size() <= KEPT_MAX, "{}", chart.size());
    }
}
