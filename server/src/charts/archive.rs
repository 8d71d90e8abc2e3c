//! A chart's archive: what the form needs of it.

use std::io::Read;

use flate2::read::GzDecoder;
use serde::Deserialize;

/// The largest archive that is fetched; helm's own limit on a chart's files is lower than what it may unpack to.
pub const ARCHIVE_MAX: usize = 20 * 1024 * 1024;
/// How much is unpacked at most.
const UNPACKED_MAX: u64 = 100 * 1024 * 1024;
/// The largest single file that is kept.
const FILE_MAX: u64 = 4 * 1024 * 1024;

/// What is kept of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archive {
    /// `Chart.yaml`, as far as it is shown.
    pub about: About,
    /// `values.yaml` as written; empty if there is none.
    pub values: String,
    /// `values.schema.json` as written.
    pub schema: Option<String>,
    /// `README.md` as written.
    pub readme: Option<String>,
}

/// `Chart.yaml`, as far as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct About {
    /// The version of the application.
    pub app_version: Option<String>,
    /// One line.
    pub description: Option<String>,
    /// Unchecked.
    pub home: Option<String>,
    /// Unchecked.
    pub icon: Option<String>,
    /// Who looks after it.
    pub maintainers: Option<Vec<Maintainer>>,
}

/// Somebody who looks after a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Maintainer {
    /// Their name.
    pub name: Option<String>,
    /// Their address.
    pub email: Option<String>,
}

/// Unpacks the chart's own files, none of its sub-charts'.
///
/// # Errors
/// In words, when it is not a chart's archive or unpacks to too much.
pub fn unpack(archive: &[u8]) -> Result<Archive, String> {
    let mut found = Archive::default();
    let mut has_chart = false;
    let unpacked = GzDecoder::new(archive).take(UNPACKED_MAX);
    let mut files = tar::Archive::new(unpacked);
    for file in files.entries().map_err(broken)? {
        let mut file = file.map_err(broken)?;
        // The folder has the chart's name; what is deeper belongs to templates and sub-charts.
        let path = file.path().map_err(broken)?.to_string_lossy().into_owned();
        let Some(name) = path.trim_start_matches("./").split_once('/').map(|(_, name)| name.to_owned())
        else {
            continue;
        };
        match name.as_str() {
            "Chart.yaml" => {
                found.about = serde_saphyr::from_str(&text(&mut file)?)
                    .map_err(|_| "the archive's Chart.yaml cannot be read".to_owned())?;
                has_chart = true;
            }
            "values.yaml" => found.values = text(&mut file)?,
            "values.schema.json" => found.schema = Some(text(&mut file)?),
            "README.md" | "readme.md" | "Readme.md" => found.readme = Some(text(&mut file)?),
            _ => {}
        }
    }
    if has_chart { Ok(found) } else { Err("the archive has no Chart.yaml: it is not a chart".into()) }
}

fn text(file: &mut impl Read) -> Result<String, String> {
    let mut text = String::new();
    let read = file.take(FILE_MAX + 1).read_to_string(&mut text).map_err(broken)?;
    if read as u64 > FILE_MAX {
        return Err(format!("a file in the archive is larger than {} MiB", FILE_MAX / 1024 / 1024));
    }
    Ok(text)
}

fn broken(error: std::io::Error) -> String {
    format!("the archive cannot be unpacked ({error})")
}

#[cfg(test)]
pub mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// An archive of `files`.
    pub fn pack(files: &[(&str, &str)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, path, content.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn the_charts_own_files_are_taken_and_none_of_its_sub_charts() {
        let archive = unpack(&pack(&[
            ("web/Chart.yaml", "name: web\nappVersion: 1.27\n"),
            ("web/values.yaml", "# mine\na: 1\n"),
            ("web/charts/db/values.yaml", "b: 2\n"),
            ("web/README.md", "# Web\n"),
        ]))
        .unwrap();
        assert_eq!(archive.values, "# mine\na: 1\n");
        assert_eq!(archive.readme.as_deref(), Some("# Web\n"));
        assert_eq!(archive.about.app_version.as_deref(), Some("1.27"));
    }

    #[test]
    fn what_is_not_a_chart_is_refused_in_words() {
        assert!(unpack(b"not gzip").unwrap_err().contains("cannot be unpacked"));
        assert!(unpack(&pack(&[("x/other.txt", "x")])).unwrap_err().contains("no Chart.yaml"));
    }

    #[test]
    fn an_archive_that_unpacks_to_too_much_is_refused() {
        let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
        let mut header = tar::Header::new_gnu();
        header.set_path("x/values.yaml").unwrap();
        header.set_size(UNPACKED_MAX * 2);
        header.set_cksum();
        bomb.write_all(header.as_bytes()).unwrap();
        for _ in 0..UNPACKED_MAX / (1024 * 1024) {
            bomb.write_all(&[b'a'; 1024 * 1024]).unwrap();
        }
        assert!(unpack(&bomb.finish().unwrap()).unwrap_err().contains("larger than"));
    }
}
