//! Chart archives, fetched when somebody looks at a chart and remembered for a while.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use app::model::ApiError;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use url::Url;

use super::archive::{self, ChartFiles};
use super::fetch::{FetchError, Fetched, Fetcher, Validators};

/// The largest archive that is fetched. helm stores a chart in its record, which must fit into 1 MiB, so real ones are
/// far smaller.
const ARCHIVE_MAX: u64 = 20 * 1024 * 1024;
/// How many archives are fetched and unpacked at a time, which bounds the memory for it.
const AT_A_TIME: usize = 4;
/// How many bytes of what was read of archives are remembered.
const REMEMBERED_MAX: usize = 32 * 1024 * 1024;
/// How long an archive without a digest is believed to be the same.
const BELIEVED_FOR: Duration = Duration::from_secs(300);

/// Fetches archives and remembers what was in them.
pub struct Archives {
    turns: Semaphore,
    /// The one that was asked for last comes first.
    remembered: Mutex<VecDeque<Remembered>>,
}

struct Remembered {
    url: Url,
    digest: Option<String>,
    at: Instant,
    files: Arc<ChartFiles>,
}

impl Default for Archives {
    fn default() -> Self {
        Self { turns: Semaphore::new(AT_A_TIME), remembered: Mutex::default() }
    }
}

impl Archives {
    /// What is in the archive at `url`, whose SHA-256 must be `digest`, where one is known.
    ///
    /// # Errors
    /// When it cannot be fetched, or is not what it should be.
    pub async fn get(
        &self,
        fetcher: &Fetcher,
        url: &Url,
        digest: Option<&str>,
    ) -> Result<Arc<ChartFiles>, ApiError> {
        if let Some(files) = self.recall(url, digest) {
            return Ok(files);
        }
        let away = || unavailable("Slipway is shutting down.");
        let _turn = self.turns.acquire().await.map_err(|_| away())?;
        if let Some(files) = self.recall(url, digest) {
            return Ok(files);
        }
        let content = match fetcher.get(url, ARCHIVE_MAX, &Validators::default()).await {
            Ok(Fetched::Content(content, _)) => content,
            Ok(Fetched::Unchanged) => return Err(unavailable("The chart's archive could not be fetched.")),
            Err(FetchError::NotFound(_)) => {
                return Err(ApiError::NotFound { what: "The archive of this version of the chart".into() });
            }
            Err(error) => {
                return Err(unavailable(format!("The chart's archive could not be fetched: {error}.")));
            }
        };
        let expected = digest.map(str::to_owned);
        let read = tokio::task::spawn_blocking(move || {
            if expected.is_some_and(|expected| !is_digest_of(&expected, &content)) {
                return Err("The chart's archive is not the one that the repository's index lists: its digest differs.".to_owned());
            }
            archive::read(&content).map_err(|error| error.to_string())
        });
        let files = read.await.map_err(|_| away())?.map(Arc::new).map_err(unavailable)?;
        self.remember(url, digest, &files);
        Ok(files)
    }

    fn recall(&self, url: &Url, digest: Option<&str>) -> Option<Arc<ChartFiles>> {
        let mut remembered = self.lock();
        let place = remembered.iter().position(|known| {
            known.url == *url
                && known.digest.as_deref() == digest
                && (digest.is_some() || known.at.elapsed() < BELIEVED_FOR)
        })?;
        let known = remembered.remove(place)?;
        let files = known.files.clone();
        remembered.push_front(known);
        Some(files)
    }

    fn remember(&self, url: &Url, digest: Option<&str>, files: &Arc<ChartFiles>) {
        let mut remembered = self.lock();
        remembered.retain(|known| known.url != *url);
        remembered.push_front(Remembered {
            url: url.clone(),
            digest: digest.map(str::to_owned),
            at: Instant::now(),
            files: files.clone(),
        });
        let mut size = 0;
        let kept = remembered.iter().take_while(|known| {
            size += known.files.size();
            size <= REMEMBERED_MAX
        });
        let kept = kept.count();
        remembered.truncate(kept);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Remembered>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unavailable(message: impl Into<String>) -> ApiError {
    ApiError::Unavailable { message: message.into() }
}

/// Indexes give the digest in hexadecimal, some with the algorithm before it.
fn is_digest_of(expected: &str, content: &[u8]) -> bool {
    let expected = expected.strip_prefix("sha256:").unwrap_or(expected);
    let actual: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    expected.eq_ignore_ascii_case(&actual)
}
