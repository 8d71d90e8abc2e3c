//! What helm says, as it says it: a file of the runner's, and its end in memory for the record.

mod parts;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::private;

/// How much of the log is kept and shown, in bytes: its end.
pub const LOG_MAX: usize = 256 * 1024;
/// How large the file may grow, in bytes, before it begins anew with its end.
const FILE_MAX: u64 = 8 * 1024 * 1024;

/// The log of one operation. Its clones are the same log.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Inner>>);

struct Inner {
    file: Option<OnDisk>,
    written: u64,
    end: VecDeque<u8>,
}

impl Log {
    /// A log that is also written to the file at `path`.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn to_file(path: &Path) -> std::io::Result<Self> {
        Ok(Self::new(Some(OnDisk { file: private::append_to(path)?, path: path.to_owned(), length: 0 })))
    }

    /// A log in memory alone.
    pub fn in_memory() -> Self {
        Self::new(None)
    }

    fn new(file: Option<OnDisk>) -> Self {
        Self(Arc::new(Mutex::new(Inner { file, written: 0, end: VecDeque::new() })))
    }

    /// Adds to its end. A file that cannot be written, on a full disk for one, does not keep helm from its work; it is removed,
    /// as whoever finds it takes its end for the log's.
    pub fn append(&self, text: &[u8]) {
        let mut inner = self.lock();
        inner.written += text.len() as u64;
        inner.end.extend(text);
        let surplus = inner.end.len().saturating_sub(LOG_MAX);
        inner.end.drain(..surplus);
        let Inner { file, end, .. } = &mut *inner;
        let Some(on_disk) = file.as_mut() else { return };
        if let Err(error) = on_disk.append(text, end.make_contiguous()) {
            tracing::warn!(%error, "the log's file cannot be written, and is removed");
            on_disk.remove();
            *file = None;
        }
    }

    /// How much was ever written, in bytes: it has changed when this has.
    pub fn written(&self) -> u64 {
        self.lock().written
    }

    /// Its end, [`LOG_MAX`] bytes at most.
    pub fn end(&self) -> String {
        let mut inner = self.lock();
        String::from_utf8_lossy(inner.end.make_contiguous()).into_owned()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file that a log is written to.
struct OnDisk {
    file: File,
    path: PathBuf,
    length: u64,
}

impl OnDisk {
    /// Writes `text` at its end; `end` is the log's with it.
    fn append(&mut self, text: &[u8], end: &[u8]) -> std::io::Result<()> {
        if self.length + text.len() as u64 <= FILE_MAX {
            self.length += text.len() as u64;
            return self.file.write_all(text);
        }
        // In one step, so that whoever reads it meanwhile finds one or the other.
        self.file = private::append_to(&self.anew())?;
        self.file.write_all(end)?;
        self.length = end.len() as u64;
        std::fs::rename(self.anew(), &self.path)
    }

    fn remove(&self) {
        for path in [&self.path, &self.anew()] {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    tracing::warn!(%error, "the log's file is left behind, cut short");
                }
                _ => {}
            }
        }
    }

    /// Where it begins anew.
    fn anew(&self) -> PathBuf {
        self.path.with_extension("anew")
    }
}

/// The end of the log file at `path`, [`LOG_MAX`] bytes at most.
///
/// # Errors
/// When there is none, or it cannot be read.
pub(super) fn read_end(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let start = file.metadata()?.len().saturating_sub(LOG_MAX as u64);
    file.seek(SeekFrom::Start(start))?;
    let mut end = Vec::new();
    std::io::copy(&mut file.take(LOG_MAX as u64), &mut end)?;
    Ok(String::from_utf8_lossy(&end).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_and_the_memory_tell_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = Log::to_file(&path).unwrap();
        log.append(b"one\n");
        log.clone().append(b"two\n");
        assert_eq!(log.end(), "one\ntwo\n");
        assert_eq!(read_end(&path).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn of_a_long_log_the_end_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = Log::to_file(&path).unwrap();
        log.append(&vec![b'a'; LOG_MAX]);
        log.append(b"end");
        assert!(log.end().len() == LOG_MAX && log.end().ends_with("aend"));
        assert_eq!(read_end(&path).unwrap(), log.end());
        assert_eq!(log.written(), LOG_MAX as u64 + 3);
    }

    #[test]
    fn a_file_that_grows_too_large_begins_anew_with_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("helm.log");
        let log = Log::to_file(&path).unwrap();
        let line = [b'a'; 64 * 1024];
        for _ in 0..=FILE_MAX / line.len() as u64 {
            log.append(&line);
            let length = path.metadata().unwrap().len();
            assert!(length <= FILE_MAX, "{length}");
        }
        log.append(b"end");
        assert_eq!(path.metadata().unwrap().len(), LOG_MAX as u64 + 3);
        assert_eq!(read_end(&path).unwrap(), log.end());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_on_a_full_disk_is_removed_and_the_end_is_still_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("helm.log");
        // Each write to it fails for want of room; the link is what is removed.
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let log = Log::to_file(&path).unwrap();
        log.append(b"one\n");
        log.append(b"two\n");
        assert!(read_end(&path).is_err(), "an empty file would be taken for the log");
        assert_eq!(log.end(), "one\ntwo\n");
    }
}
