//! What helm says, as it says it: a file of the runner's, and its end in memory for the record.

mod parts;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::private;

/// How much of the log is kept and shown, in bytes: its end.
pub const LOG_MAX: usize = 256 * 1024;
/// How large the file may grow, in bytes; what comes after is only in memory.
const FILE_MAX: u64 = 8 * 1024 * 1024;

/// The log of one operation. Its clones are the same log.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Inner>>);

struct Inner {
    file: Option<File>,
    written: u64,
    end: VecDeque<u8>,
}

impl Log {
    /// A log that is also written to the file at `path`.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn to_file(path: &Path) -> std::io::Result<Self> {
        Ok(Self::new(Some(private::append_to(path)?)))
    }

    /// A log in memory alone.
    pub fn in_memory() -> Self {
        Self::new(None)
    }

    fn new(file: Option<File>) -> Self {
        Self(Arc::new(Mutex::new(Inner { file, written: 0, end: VecDeque::new() })))
    }

    /// Adds to its end. A file that cannot be written, on a full disk for one, does not keep helm from its work.
    pub fn append(&self, text: &[u8]) {
        let mut inner = self.lock();
        inner.written += text.len() as u64;
        inner.end.extend(text);
        let surplus = inner.end.len().saturating_sub(LOG_MAX);
        inner.end.drain(..surplus);
        let is_full = inner.written > FILE_MAX;
        let failed = inner.file.as_mut().is_some_and(|file| is_full || file.write_all(text).is_err());
        if failed {
            inner.file = None;
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
}
