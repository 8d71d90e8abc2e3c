//! A chart's archive (`.tgz`): what the form needs of it, read within bounds.

use std::io::{self, Read};

use app::model::{ChartDetail, ChartVersion, KubernetesConstraint};
use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType};
use thiserror::Error;

use super::about::About;
use super::loose::Loose;
use super::readme;

/// The most that an archive may unpack to: helm 4's own limit (`pkg/chart/loader/archive`).
const UNPACKED_MAX: u64 = 100 * 1024 * 1024;
/// The largest single file that is read: helm 4's own limit, likewise.
const FILE_MAX: u64 = 5 * 1024 * 1024;
/// The most entries; the largest public charts have some hundreds.
const ENTRIES_MAX: usize = 20_000;

/// Why an archive cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArchiveError {
    /// It is no gzipped tar, or ends early.
    #[error("The chart's archive is damaged.")]
    Damaged,
    /// It unpacks to too much.
    #[error("The chart's archive unpacks to more than {} MiB.", UNPACKED_MAX / 1024 / 1024)]
    TooLarge,
    /// It has too many files.
    #[error("The chart's archive has more than {ENTRIES_MAX} entries.")]
    TooMany,
    /// A file that is needed is too large.
    #[error("{name} in the chart's archive is larger than {} MiB.", FILE_MAX / 1024 / 1024)]
    FileTooLarge {
        /// Which.
        name: String,
    },
    /// It has no Chart.yaml at its root, or one that is none.
    #[error("The archive is not a chart: it has no readable Chart.yaml.")]
    NoChart,
}

/// What a page needs of a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartFiles {
    /// What is in Chart.yaml.
    pub about: About,
    /// values.yaml, as written; empty if there is none.
    pub values: String,
    /// values.schema.json, as written.
    pub schema: Option<String>,
    /// README.md, as sanitised HTML.
    pub readme: Option<String>,
}

impl ChartFiles {
    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let texts = [&self.schema, &self.readme, &self.about.icon];
        self.values.len() + texts.iter().filter_map(|text| text.as_ref()).map(String::len).sum::<usize>()
    }

    /// As a page is told, of a chart in `repository` (empty for one from elsewhere).
    pub fn detail(&self, repository: &str, versions: Vec<ChartVersion>) -> ChartDetail {
        let about = self.about.clone();
        ChartDetail {
            repository: repository.to_owned(),
            name: about.name,
            version: about.version,
            app_version: about.app_version,
            description: about.description,
            icon: about.icon,
            home: about.home,
            maintainers: about.maintainers,
            values: self.values.clone(),
            readme: self.readme.clone(),
            schema: self.schema.clone(),
            versions,
            sources: about.sources,
            keywords: about.keywords,
            dependencies: about.dependencies,
            deprecated: about.deprecated,
            library: about.library,
            kubernetes: about
                .kubernetes
                .map(|wanted| KubernetesConstraint { wanted, ..KubernetesConstraint::default() }),
            provider: about.provider,
            category: about.category,
        }
    }
}

/// Reads an archive. Only files at the chart's own root count, not those of its sub-charts. Takes processor time.
///
/// # Errors
/// When it is no chart, or larger than a chart may be.
pub fn read(archive: &[u8]) -> Result<ChartFiles, ArchiveError> {
    let mut unpacked = MultiGzDecoder::new(archive).take(UNPACKED_MAX);
    let result = read_entries(&mut unpacked);
    if unpacked.limit() == 0 {
        return Err(ArchiveError::TooLarge);
    }
    result
}

fn read_entries(unpacked: &mut impl Read) -> Result<ChartFiles, ArchiveError> {
    let damaged = |_: io::Error| ArchiveError::Damaged;
    let mut files = ChartFiles::default();
    let mut is_chart = false;
    let mut archive = Archive::new(unpacked);
    for (number, entry) in archive.entries().map_err(damaged)?.enumerate() {
        if number >= ENTRIES_MAX {
            return Err(ArchiveError::TooMany);
        }
        let mut entry = entry.map_err(damaged)?;
        let name = match (entry.header().entry_type(), root_file(&entry.path_bytes())) {
            (EntryType::Regular, Some(name)) => name,
            _ => continue,
        };
        match name.to_ascii_lowercase().as_str() {
            "chart.yaml" => {
                let chart =
                    serde_saphyr::from_str(&text(&mut entry, &name)?).map_err(|_| ArchiveError::NoChart)?;
                files.about = About::read(&chart);
                is_chart = matches!(chart, Loose::Map(_));
            }
            "values.yaml" => files.values = text(&mut entry, &name)?,
            "values.schema.json" => files.schema = Some(text(&mut entry, &name)?),
            "readme.md" => files.readme = Some(readme::render(&text(&mut entry, &name)?)),
            _ => {}
        }
    }
    if is_chart { Ok(files) } else { Err(ArchiveError::NoChart) }
}

/// The name of a file right in the chart's folder, which is the path's first part.
fn root_file(path: &[u8]) -> Option<String> {
    let path = std::str::from_utf8(path).ok()?;
    let mut parts = path.strip_prefix("./").unwrap_or(path).split('/');
    let (_, name) = (parts.next()?, parts.next()?);
    parts.next().is_none().then(|| name.to_owned())
}

fn text(entry: &mut impl Read, name: &str) -> Result<String, ArchiveError> {
    let mut bytes = Vec::new();
    io::copy(&mut entry.take(FILE_MAX + 1), &mut bytes).map_err(|_| ArchiveError::Damaged)?;
    if bytes.len() as u64 > FILE_MAX {
        return Err(ArchiveError::FileTooLarge { name: name.to_owned() });
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// An archive with these files.
    pub fn pack(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            builder.append_data(&mut header, path, *content).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    const CHART: &[u8] = b"name: web\nversion: 1.0.0\nappVersion: 2.5\ndescription: A web server\nhome: https://example.org\nicon: http://insecure/icon.png\nmaintainers:\n- {name: Ada, email: ada@example.org}\n- {name: Ben}\n- nobody\n";

    #[test]
    fn the_charts_own_files_are_read_and_those_of_its_sub_charts_are_not() {
        let files = read(&pack(&[
            ("web/charts/db/Chart.yaml", b"description: wrong"),
            ("web/charts/db/values.yaml", b"wrong: true"),
            ("web/Chart.yaml", CHART),
            ("web/values.yaml", b"a: 1 # kept\n"),
            ("web/values.schema.json", b"{}"),
            ("web/README.md", b"# Hello"),
            ("web/templates/README.md", b"# wrong"),
        ]))
        .unwrap();
        assert_eq!((files.values.as_str(), files.schema.as_deref()), ("a: 1 # kept\n", Some("{}")));
        assert_eq!(files.readme.as_deref().map(str::trim), Some("<h1>Hello</h1>"));
        let about = files.about;
        assert_eq!((about.name.as_str(), about.version.as_str()), ("web", "1.0.0"));
        assert_eq!((about.description.as_str(), about.app_version.as_deref()), ("A web server", Some("2.5")));
    }

    #[test]
    fn what_is_no_chart_is_refused() {
        let whole = pack(&[("web/Chart.yaml", CHART), ("web/values.yaml", &[b'x'; 100_000])]);
        for (archive, error) in [
            (b"not gzip".to_vec(), ArchiveError::Damaged),
            (whole[..whole.len() / 2].to_vec(), ArchiveError::Damaged),
            (pack(&[("web/values.yaml", b"a: 1")]), ArchiveError::NoChart),
            (pack(&[("web/Chart.yaml", b"{")]), ArchiveError::NoChart),
            (pack(&[("web/Chart.yaml", b"just text")]), ArchiveError::NoChart),
        ] {
            assert_eq!(read(&archive), Err(error));
        }
    }

    #[test]
    fn an_archive_that_unpacks_to_too_much_is_refused() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let mut header = tar::Header::new_gnu();
        header.set_path("web/templates/bomb").unwrap();
        header.set_size(UNPACKED_MAX * 2);
        header.set_cksum();
        encoder.write_all(header.as_bytes()).unwrap();
        let zeros = vec![0; 1024 * 1024];
        for _ in 0..=UNPACKED_MAX / 1024 / 1024 {
            encoder.write_all(&zeros).unwrap();
        }
        assert_eq!(read(&encoder.finish().unwrap()), Err(ArchiveError::TooLarge));
    }

    #[test]
    fn a_file_that_is_too_large_is_refused_by_name() {
        let large = vec![b'#'; FILE_MAX as usize + 1];
        let archive = pack(&[("web/Chart.yaml", CHART), ("web/values.yaml", &large)]);
        assert_eq!(read(&archive), Err(ArchiveError::FileTooLarge { name: "values.yaml".into() }));
    }

    #[test]
    fn a_text_that_is_not_utf_8_is_shown_as_far_as_it_can_be() {
        let files = read(&pack(&[("web/Chart.yaml", CHART), ("web/values.yaml", b"a: \xff")])).unwrap();
        assert_eq!(files.values, "a: \u{fffd}");
    }
}
