//! One chart repository: its index, kept fresh. A repository that fails keeps what it last answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use app::model::{CatalogueEntry, RepositoryState, Timestamp};
use url::Url;

use super::fetch::{FetchError, Fetched, Fetcher, Validators, shown};
use super::index::{self, Index};
use crate::clock::cluster::now;
use crate::settings::RepositoryAddress;

/// The largest index that is read; the largest public one is some 20 MB.
const INDEX_MAX: u64 = 64 * 1024 * 1024;
/// How old an index may be.
pub const FRESH_FOR: Duration = Duration::from_secs(300);
/// How soon a repository is asked again when somebody looks for what its index does not list, or after a failure.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// One repository.
pub struct Repository {
    address: RepositoryAddress,
    known: Mutex<Known>,
    /// Held while fetching: those who want the same wait for it instead of asking as well.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Known {
    index: Option<Arc<Index>>,
    validators: Validators,
    fetched: Option<Timestamp>,
    asked: Option<Instant>,
    error: Option<String>,
}

impl Repository {
    /// A repository that was not asked yet.
    pub fn new(address: RepositoryAddress) -> Self {
        Self { address, known: Mutex::default(), turn: tokio::sync::Mutex::default() }
    }

    /// Its name in Slipway.
    pub fn name(&self) -> &str {
        &self.address.name
    }

    /// Its address, with whatever credentials it holds.
    pub fn url(&self) -> &Url {
        &self.address.url
    }

    /// The index as last fetched.
    pub fn index(&self) -> Option<Arc<Index>> {
        self.lock().index.clone()
    }

    /// Why the last fetch failed, if it did.
    pub fn error(&self) -> Option<String> {
        self.lock().error.clone()
    }

    /// Whether it was never asked.
    pub fn is_new(&self) -> bool {
        self.lock().asked.is_none()
    }

    /// How it is doing.
    pub fn state(&self) -> RepositoryState {
        let known = self.lock();
        let charts = known.index.as_ref().map(|index| u32::try_from(index.charts.len()).unwrap_or(u32::MAX));
        RepositoryState {
            name: self.address.name.clone(),
            url: shown(&self.address.url),
            charts,
            fetched: known.fetched,
            error: known.error.clone(),
        }
    }

    /// A card for each of its charts.
    pub fn cards(&self) -> Vec<CatalogueEntry> {
        let index = self.index().unwrap_or_default();
        let cards = index.charts.iter().filter_map(|(name, chart)| {
            let latest = chart.latest()?.version.clone();
            Some(CatalogueEntry {
                repository: self.address.name.clone(),
                name: name.clone(),
                description: chart.description.clone(),
                icon: chart.icon.clone(),
                keywords: chart.keywords.clone(),
                deprecated: latest.deprecated,
                latest,
            })
        });
        cards.collect()
    }

    /// Fetches the index if it is older than `age`, or failed a while ago.
    pub async fn refresh(&self, fetcher: &Fetcher, age: Duration) {
        if !self.is_due(age) {
            return;
        }
        let _turn = self.turn.lock().await;
        if !self.is_due(age) {
            return;
        }
        let validators = self.lock().validators.clone();
        let answer = self.fetch(fetcher, &validators).await;
        let mut known = self.lock();
        known.asked = Some(Instant::now());
        known.error = answer.as_ref().err().map(|error| format!("{}: {error}", known.words()));
        if let Ok(news) = answer {
            known.fetched = Some(now());
            if let Some((index, validators)) = news {
                known.index = Some(Arc::new(index));
                known.validators = validators;
            }
        }
        if let Some(error) = &known.error {
            tracing::warn!(repository = self.address.name, error, "a repository's index cannot be fetched");
        }
    }

    /// Fetches the index because it does not list what somebody looks for, unless it was just fetched.
    pub async fn look_again(&self, fetcher: &Fetcher) {
        self.refresh(fetcher, ASK_AGAIN_AFTER).await;
    }

    fn is_due(&self, age: Duration) -> bool {
        let known = self.lock();
        let age = if known.error.is_some() { ASK_AGAIN_AFTER } else { age };
        known.asked.is_none_or(|asked| asked.elapsed() >= age)
    }

    async fn fetch(
        &self,
        fetcher: &Fetcher,
        known: &Validators,
    ) -> Result<Option<(Index, Validators)>, String> {
        let words = |error: FetchError| error.to_string();
        match fetcher.get(&index_url(&self.address.url), INDEX_MAX, known).await.map_err(words)? {
            Fetched::Unchanged => Ok(None),
            Fetched::Content(content, validators) => {
                let parsed = tokio::task::spawn_blocking(move || {
                    let text =
                        std::str::from_utf8(&content).map_err(|_| "it is not UTF-8 text".to_owned())?;
                    index::parse(text)
                });
                let index = parsed.await.map_err(|_| "reading it failed".to_owned())??;
                Ok(Some((index, validators)))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn words(&self) -> &'static str {
        match self.index {
            Some(_) => "The index could not be fetched again",
            None => "The index could not be fetched",
        }
    }
}

/// Where a repository's index is (helm's `pkg/repo/chartrepo.go`): below its address, whose query is kept.
pub fn index_url(repository: &Url) -> Url {
    let mut url = repository.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().push("index.yaml");
    }
    url
}

/// Where an archive is. A relative address is relative to the repository's, and it alone gets the repository's
/// credentials and query, as in helm; none if it is of a kind that cannot be fetched.
pub fn archive_url(repository: &Url, archive: &str) -> Option<Url> {
    let base = index_url(repository);
    let mut url = base.join(archive).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    if url.origin() == base.origin() {
        if url.username().is_empty() && url.password().is_none() {
            url.set_username(base.username()).ok()?;
            url.set_password(base.password()).ok()?;
        }
        if url.query().is_none() {
            url.set_query(base.query());
        }
    }
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_found_relative_to_its_index() {
        for (repository, archive, found) in [
            ("https://example.org/charts", "web-1.tgz", Some("https://example.org/charts/web-1.tgz")),
            ("https://example.org/charts/", "a/web-1.tgz", Some("https://example.org/charts/a/web-1.tgz")),
            ("https://example.org", "web-1.tgz", Some("https://example.org/web-1.tgz")),
            (
                "https://example.org/charts",
                "https://cdn.example.org/web-1.tgz",
                Some("https://cdn.example.org/web-1.tgz"),
            ),
            ("https://example.org/charts", "/root/web-1.tgz", Some("https://example.org/root/web-1.tgz")),
            ("https://example.org/charts?t=1", "web-1.tgz", Some("https://example.org/charts/web-1.tgz?t=1")),
            ("https://example.org/charts", "file:///etc/passwd", None),
            ("https://example.org/charts", "oci://example.org/web", None),
            ("https://example.org/charts", "http://[", None),
        ] {
            let url = archive_url(&Url::parse(repository).unwrap(), archive);
            assert_eq!(url.as_ref().map(Url::as_str), found, "{repository} {archive}");
        }
    }

    #[test]
    fn credentials_go_to_the_repositorys_own_server_alone() {
        let repository = Url::parse("https://me:secret@example.org/charts").unwrap();
        let own = archive_url(&repository, "web-1.tgz").unwrap();
        assert_eq!(own.as_str(), "https://me:secret@example.org/charts/web-1.tgz");
        for elsewhere in ["https://cdn.example.org/web-1.tgz", "http://example.org/web-1.tgz"] {
            assert_eq!(archive_url(&repository, elsewhere).unwrap().password(), None, "{elsewhere}");
        }
    }
}
