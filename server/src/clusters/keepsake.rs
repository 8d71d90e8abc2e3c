//! The folder of each cluster, and in it the mark that the cluster is open. A server that ends in the middle of something
//! leaves the mark, and the next one opens the cluster at once: what was under way there is to be looked after.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::operations::private;

/// The file with the name of the cluster that is open.
const MARK: &str = "open";
/// How much of a mark is read: a cluster's name is shorter.
const MARK_MAX: u64 = 1024;
/// How many folders are looked at.
const FOLDERS_MAX: usize = 1000;
/// How much of a name is in its folder's name, for people.
const READABLE: usize = 40;

/// The folder of the cluster `name`. Two names never have one folder, whatever the file system takes for the same.
pub fn folder(data: &Path, name: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' };
    let readable: String = name.chars().take(READABLE).map(plain).collect();
    let digest = Sha256::digest(name);
    let digest: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    folders(data).join(format!("{readable}-{digest}"))
}

fn folders(data: &Path) -> PathBuf {
    data.join("clusters")
}

/// Makes a cluster's folder, with the mark that it is open.
///
/// # Errors
/// When it cannot be written.
pub fn leave(data: &Path, name: &str) -> std::io::Result<()> {
    let folder = folder(data, name);
    private::create_dir(&folder)?;
    private::write(&folder.join(MARK), name.as_bytes())
}

/// Removes the mark.
pub fn take(data: &Path, name: &str) {
    match std::fs::remove_file(folder(data, name).join(MARK)) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            tracing::warn!(cluster = name, %error, "the mark of an open cluster is left behind; it is opened once more");
        }
        _ => {}
    }
}

/// The clusters that were open when a server ended.
pub fn left(data: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folders(data)) else { return Vec::new() };
    let marks = entries.filter_map(Result::ok).take(FOLDERS_MAX).map(|entry| entry.path().join(MARK));
    let read = |mark: PathBuf| {
        let mut name = String::new();
        File::open(mark).ok()?.take(MARK_MAX).read_to_string(&mut name).ok()?;
        Some(name)
    };
    let mut names: Vec<String> = marks.filter_map(read).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_until_it_is_taken() {
        let data = tempfile::tempdir().unwrap();
        assert!(left(data.path()).is_empty());
        for name in ["b/c:d", "a", "a"] {
            leave(data.path(), name).unwrap();
        }
        assert_eq!(left(data.path()), ["a", "b/c:d"]);
        take(data.path(), "a");
        take(data.path(), "a");
        assert_eq!(left(data.path()), ["b/c:d"]);
    }

    #[test]
    fn each_cluster_has_a_folder_of_its_own_below_that_of_all() {
        let data = Path::new("/data");
        let names = ["a", "A", "a/../b", "a-..-b", "/etc", "é", "è", &"x".repeat(300), &"x".repeat(301)];
        let folders: Vec<PathBuf> = names.iter().map(|name| folder(data, name)).collect();
        for (at, folder) in folders.iter().enumerate() {
            assert_eq!(folder.parent(), Some(Path::new("/data/clusters")));
            assert!(folder.file_name().unwrap().len() < 60, "{folder:?}");
            let same =
                |other: &&PathBuf| other.to_string_lossy().eq_ignore_ascii_case(&folder.to_string_lossy());
            assert_eq!(folders.iter().filter(same).count(), 1, "{}", names[at]);
        }
    }
}
