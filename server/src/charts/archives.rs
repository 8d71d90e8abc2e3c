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
pub const ARCHIVE_MAX: u64 = 20 * 1024 * 1024;
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

/// Which archive, and by whose credentials: what one repository let us have is not for those who see another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The repository's name in Slipway; empty for none.
    pub repository: String,
    /// The archive's address.
    pub url: Url,
}

struct Remembered {
    key: Key,
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
    /// What is in the archive `key`, which `fetch` brings, and whose SHA-256 must be `digest`, where one is known.
    ///
    /// # Errors
    /// When it cannot be fetched, or is not what it should be.
    pub async fn get(
        &self,
        key: &Key,
        digest: Option<&str>,
        fetch: impl Future<Output = Result<Vec<u8>, FetchError>>,
    ) -> Result<Arc<ChartFiles>, ApiError> {
        if let Some(files) = self.recall(key, digest) {
            return Ok(files);
        }
        let away = || unavailable("Slipway is shutting down.");
        let _turn = self.turns.acquire().await.map_err(|_| away())?;
        if let Some(files) = self.recall(key, digest) {
            return Ok(files);
        }
        let content = match fetch.await {
            Ok(content) => content,
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
        self.remember(key, digest, &files);
        Ok(files)
    }

    fn recall(&self, key: &Key, digest: Option<&str>) -> Option<Arc<ChartFiles>> {
        let mut remembered = self.lock();
        let place = remembered.iter().position(|known| {
            known.key == *key
                && known.digest.as_deref() == digest
                && (digest.is_some() || known.at.elapsed() < BELIEVED_FOR)
        })?;
        let known = remembered.remove(place)?;
        let files = known.files.clone();
        remembered.push_front(known);
        Some(files)
    }

    fn remember(&self, key: &Key, digest: Option<&str>, files: &Arc<ChartFiles>) {
        let mut remembered = self.lock();
        remembered.retain(|known| known.key != *key);
        remembered.push_front(Remembered {
            key: key.clone(),
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

/// The content of an archive at an address, fetched by `fetcher`.
///
/// # Errors
/// When there is none, or it is too large.
pub async fn fetched(fetcher: &Fetcher, url: &Url) -> Result<Vec<u8>, FetchError> {
    match fetcher.get(url, ARCHIVE_MAX, &Validators::default()).await? {
        Fetched::Content(content, _) => Ok(content),
        // What was not asked for is no answer.
        Fetched::Unchanged => Err(FetchError::Status(304)),
    }
}

/// Indexes give the digest in hexadecimal, some with the algorithm before it.
pub fn is_digest_of(expected: &str, content: &[u8]) -> bool {
    let expected = expected.strip_prefix("sha256:").unwrap_or(expected);
    let actual: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    expected.eq_ignore_ascii_case(&actual)
}
