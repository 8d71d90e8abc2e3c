//! The log of an operation piece by piece, for those who follow it: whoever has its beginning is not told it again.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use app::model::{ApiError, LogPart, OperationId};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::LOG_MAX;
use crate::operations::{Operations, runner};

/// How long a request for more is held: below the 30 s after which proxies give up.
const HOLD: Duration = Duration::from_secs(25);
/// How often the file of a runner on this machine is looked at: nobody tells when it grows.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How often the log of a runner elsewhere is read: it is kept every 3 s.
const ASK_EVERY: Duration = Duration::from_secs(2);
/// How much of what lies before a place tells that it is the same log still, in bytes.
const MARKED: usize = 64;

/// A place in a log, as clients give it back.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// How many bytes lie before it.
    offset: u64,
    /// The digest of the last few of them.
    mark: String,
}

impl Place {
    fn parse(text: &str) -> Option<Self> {
        let (offset, mark) = text.split_once('.')?;
        Some(Self { offset: offset.parse().ok()?, mark: mark.to_owned() })
    }

    fn words(&self) -> String {
        format!("{}.{}", self.offset, self.mark)
    }
}

/// The digest of the end of `bytes`.
fn mark(bytes: &[u8]) -> String {
    let digest = Sha256::digest(&bytes[bytes.len().saturating_sub(MARKED)..]);
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The end of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Window {
    /// How many bytes lie before it; none where that is not known.
    start: Option<u64>,
    bytes: Vec<u8>,
}

impl Window {
    /// The end of the file at `path`.
    fn of_file(path: &Path) -> std::io::Result<Self> {
        let mut file = File::open(path)?;
        let start = file.metadata()?.len().saturating_sub(LOG_MAX as u64);
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        std::io::copy(&mut file.take(LOG_MAX as u64), &mut bytes)?;
        Ok(Self { start: Some(start), bytes })
    }

    /// A log as it was kept: its end, if it is a long one.
    fn of_kept(text: String) -> Self {
        Self { start: (text.len() < LOG_MAX).then_some(0), bytes: text.into_bytes() }
    }

    /// What comes after `since`; all of it if that is not known to be a place in it. What ends within a character waits for
    /// the rest of it, unless there will be none.
    fn part(&self, since: Option<&Place>, is_over: bool) -> LogPart {
        let end = match std::str::from_utf8(&self.bytes) {
            Err(error) if error.error_len().is_none() && !is_over => error.valid_up_to(),
            _ => self.bytes.len(),
        };
        let known = since.and_then(|since| self.find(since)).filter(|at| *at <= end);
        let told = &self.bytes[known.unwrap_or(0)..end];
        let next = Place { offset: self.start.unwrap_or(0) + end as u64, mark: mark(&self.bytes[..end]) };
        LogPart {
            text: String::from_utf8_lossy(told).into_owned(),
            continues: known.is_some(),
            is_cut: known.is_none() && self.start != Some(0),
            next: next.words(),
            is_over,
        }
    }

    fn find(&self, place: &Place) -> Option<usize> {
        let at = match self.start {
            Some(start) => usize::try_from(place.offset.checked_sub(start)?).ok()?,
            // Nobody knows how far it has moved on: it is the same place only at its end.
            None => self.bytes.len(),
        };
        (mark(self.bytes.get(..at)?) == place.mark).then_some(at)
    }
}

impl Operations {
    /// What helm said in the operation `id` after `since`, which an earlier part gave. With `since` it is held until there is
    /// more, at most 25 s.
    ///
    /// # Errors
    /// When there is no such operation, or the cluster does not answer.
    pub async fn log_part(&self, id: &OperationId, since: Option<&str>) -> Result<LogPart, ApiError> {
        let deadline = Instant::now() + HOLD;
        let since = since.and_then(Place::parse);
        let mut changes = self.changes();
        loop {
            changes.borrow_and_update();
            // In this order: a log is whole when its operation is over.
            let operation = self.get(id).await?;
            let is_over = operation.state.is_terminal();
            let (window, pause) = self.window(&operation.id).await?;
            let part = window.part(since.as_ref(), is_over);
            let is_news = since.is_none() || !part.continues || !part.text.is_empty() || is_over;
            if is_news || Instant::now() >= deadline {
                return Ok(part);
            }
            tokio::select! {
                Ok(()) = changes.changed() => {}
                () = tokio::time::sleep(pause) => {}
                () = tokio::time::sleep_until(deadline) => {}
            }
        }
    }

    /// The end of the log, and when to look again.
    async fn window(&self, id: &OperationId) -> Result<(Window, Duration), ApiError> {
        let path = runner::log_path(&self.data_dir, id);
        let file = tokio::task::spawn_blocking(move || Window::of_file(&path)).await;
        if let Ok(Ok(window)) = file {
            return Ok((window, LOOK_EVERY));
        }
        match self.log(id).await {
            Ok(text) => Ok((Window::of_kept(text), ASK_EVERY)),
            // helm has not said anything yet.
            Err(ApiError::NotFound { .. }) => Ok((Window::of_kept(String::new()), ASK_EVERY)),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &[u8]) -> Window {
        Window { start: Some(0), bytes: text.to_vec() }
    }

    #[test]
    fn each_part_goes_on_where_the_one_before_ended() {
        let said = "one\n\u{1b}[31mtwo\u{1b}[0m é €\nthree\n";
        let (mut told, mut since) = (String::new(), None);
        for end in 0..=said.len() {
            let part = whole(&said.as_bytes()[..end]).part(since.as_ref(), end == said.len());
            assert!(part.continues == (end > 0) && !part.is_cut, "{end}: {part:?}");
            told += &part.text;
            since = Place::parse(&part.next);
        }
        assert_eq!(told, said);
    }

    #[test]
    fn another_log_or_a_place_that_it_has_not_takes_the_place_of_what_was_told() {
        let place = Place::parse(&whole(b"one\ntwo\n").part(None, false).next);
        for (window, text) in [
            (whole(b"ONE\nTWO\nmore\n"), "ONE\nTWO\nmore\n"),
            (whole(b"one\n"), "one\n"),
            (Window { start: Some(1_000), bytes: b"far on\n".to_vec() }, "far on\n"),
        ] {
            let part = window.part(place.as_ref(), false);
            assert!(!part.continues && part.text == text, "{part:?}");
            assert_eq!(part.is_cut, window.start != Some(0));
        }
        assert_eq!(Place::parse("nonsense"), None);
        assert_eq!(Place::parse("x.y"), None);
    }

    #[test]
    fn of_a_long_log_the_end_is_told_and_then_what_comes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, "x".repeat(LOG_MAX) + "end\n").unwrap();
        let first = Window::of_file(&path).unwrap().part(None, false);
        assert!(first.is_cut && first.text.len() == LOG_MAX && first.text.ends_with("xend\n"));
        std::fs::write(&path, "x".repeat(LOG_MAX) + "end\nmore\n").unwrap();
        let next = Window::of_file(&path).unwrap().part(Place::parse(&first.next).as_ref(), true);
        assert_eq!(
            (next.text.as_str(), next.continues, next.is_cut, next.is_over),
            ("more\n", true, false, true)
        );
    }

    #[test]
    fn what_was_kept_elsewhere_goes_on_from_a_file_and_does_not_repeat_itself() {
        let place = Place::parse(&whole(b"one\n").part(None, false).next);
        let kept = Window::of_kept("one\ntwo\n".into());
        assert_eq!(kept.part(place.as_ref(), true).text, "two\n");
        let long = Window::of_kept("x".repeat(LOG_MAX) + "\nend\n");
        let first = long.part(None, false);
        assert!(first.is_cut && long.start.is_none());
        let again = long.part(Place::parse(&first.next).as_ref(), false);
        assert!(again.continues && again.text.is_empty(), "{again:?}");
    }
}
