//! One chart repository: its index, kept fresh. A repository that fails keeps what it last answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use app::model::{ApiError, CatalogueEntry, RepositoryState, Timestamp};
use url::Url;

use super::fetch::{FetchError, Fetched, Fetcher, Validators, shown};
use super::index::{self, Index};
use super::oci::{Reference, Registry};
use super::source::{Definition, RepositorySource};
use crate::clock::cluster::Clock;
use crate::credentials::RepositoryCredentials;
use crate::kube::ClusterError;

/// The largest index that is read; the largest public one is some 20 MB.
const INDEX_MAX: u64 = 64 * 1024 * 1024;
/// How old an index may be.
pub const FRESH_FOR: Duration = Duration::from_secs(300);
/// How soon a repository is asked again when somebody looks for what its index does not list, or after a failure.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// One repository.
pub struct Repository {
    definition: Definition,
    source: Arc<dyn RepositorySource>,
    clock: Clock,
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
    pub fn new(definition: Definition, source: Arc<dyn RepositorySource>, clock: Clock) -> Self {
        Self { definition, source, clock, known: Mutex::default(), turn: tokio::sync::Mutex::default() }
    }

    /// The same, set up otherwise; what is known of its index stays where it is still that index.
    pub fn changed(&self, definition: Definition) -> Self {
        let is_same = definition.address == self.definition.address;
        let known = self.lock();
        let kept = Known {
            index: known.index.clone(),
            validators: known.validators.clone(),
            fetched: known.fetched,
            ..Known::default()
        };
        Self {
            known: Mutex::new(if is_same { kept } else { Known::default() }),
            ..Self::new(definition, self.source.clone(), self.clock.clone())
        }
    }

    /// How it is set up.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Its name in Slipway.
    pub fn id(&self) -> String {
        self.definition.id()
    }

    /// Its address.
    ///
    /// # Errors
    /// In words, when it has none that can be used.
    pub fn url(&self) -> Result<&Url, ApiError> {
        self.definition.address.as_ref().map_err(|words| ApiError::Unavailable { message: words.clone() })
    }

    /// Its credentials, as they are now.
    ///
    /// # Errors
    /// In words, when they cannot be had.
    pub async fn credentials(&self) -> Result<RepositoryCredentials, String> {
        let found = self.source.credentials(&self.definition).await.map_err(|error| match error {
            ClusterError::NotFound(what) => format!("its credentials are not there: {what}"),
            ClusterError::Forbidden(why) => format!("its credentials cannot be read: {why}"),
            ClusterError::Unreadable(why) => format!("its credentials cannot be used: {why}"),
            _ => "its credentials cannot be had from the cluster at the moment".to_owned(),
        })?;
        found
            .check()
            .map_err(|(field, words)| format!("its credentials cannot be used ({field}): {words}"))?;
        Ok(found)
    }

    /// A fetcher with its credentials.
    ///
    /// # Errors
    /// In words.
    pub async fn fetcher(&self, fetcher: &Fetcher, url: &Url) -> Result<Fetcher, String> {
        let credentials = self.credentials().await?;
        fetcher.opened_by(&credentials, url).map_err(|error| error.to_string())
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
        let definition = &self.definition;
        RepositoryState {
            name: definition.id(),
            url: definition.address.as_ref().map(shown).unwrap_or_default(),
            charts,
            fetched: known.fetched,
            error: definition.address.as_ref().err().cloned().or_else(|| known.error.clone()),
            origin: definition.origin,
            namespace: definition.namespace.clone(),
            display_name: definition.display_name.clone(),
            description: definition.description.clone(),
            disabled: definition.disabled,
            secured: definition.secured.clone(),
        }
    }

    /// A card for each of its charts.
    pub fn cards(&self) -> Vec<CatalogueEntry> {
        let index = self.index().unwrap_or_default();
        let cards = index.charts.iter().filter_map(|(name, chart)| {
            let latest = chart.latest()?.version.clone();
            Some(CatalogueEntry {
                repository: self.id(),
                name: name.clone(),
                description: chart.description.clone(),
                icon: chart.icon.clone(),
                keywords: chart.keywords.clone(),
                category: chart.category.clone(),
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
            known.fetched = Some(self.clock.now());
            if let Some((index, validators)) = news {
                known.index = Some(Arc::new(index));
                known.validators = validators;
            }
        }
        if let Some(error) = &known.error {
            tracing::warn!(repository = self.id(), error, "a repository's index cannot be fetched");
        }
    }

    /// Fetches the index because it does not list what somebody looks for, unless it was just fetched.
    pub async fn look_again(&self, fetcher: &Fetcher) {
        self.refresh(fetcher, ASK_AGAIN_AFTER).await;
    }

    fn is_due(&self, age: Duration) -> bool {
        if self.definition.disabled || self.definition.address.is_err() {
            return false;
        }
        let known = self.lock();
        let age = if known.error.is_some() { ASK_AGAIN_AFTER.min(age) } else { age };
        known.asked.is_none_or(|asked| asked.elapsed() >= age)
    }

    async fn fetch(
        &self,
        fetcher: &Fetcher,
        known: &Validators,
    ) -> Result<Option<(Index, Validators)>, String> {
        let url = self.definition.address.as_ref().map_err(Clone::clone)?;
        let credentials = self.credentials().await?;
        fetch_index(fetcher, url, &credentials, known).await.map_err(|error| error.to_string())
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The index of the repository at `url`, unless it is as `known` says. A registry has none, and is asked whether it lets us
/// in.
///
/// # Errors
/// In words that hold no credentials.
pub async fn fetch_index(
    fetcher: &Fetcher,
    url: &Url,
    credentials: &RepositoryCredentials,
    known: &Validators,
) -> Result<Option<(Index, Validators)>, FetchError> {
    if url.scheme() == "oci" {
        let reference = Reference::parse(url.as_str()).map_err(|words| FetchError::Unusable(words.into()))?;
        Registry::new(fetcher, &reference, credentials)?.check().await?;
        return Ok(None);
    }
    let fetcher = fetcher.opened_by(credentials, url)?;
    match fetcher.get(&index_url(url), INDEX_MAX, known).await? {
        Fetched::Unchanged => Ok(None),
        Fetched::Content(content, validators) => {
            let parsed = tokio::task::spawn_blocking(move || {
                let text = std::str::from_utf8(&content).map_err(|_| "it is not UTF-8 text".to_owned())?;
                index::parse(text)
            });
            let index = parsed.await.unwrap_or_else(|_| Err("reading it failed".into()));
            Ok(Some((index.map_err(FetchError::Unusable)?, validators)))
        }
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

/// Where an archive is. A relative address is relative to the repository's, and one on the same server gets the
/// repository's query, as in helm; none if it is of a kind that cannot be fetched.
pub fn archive_url(repository: &Url, archive: &str) -> Option<Url> {
    let base = index_url(repository);
    let mut url = base.join(archive).ok()?;
    if !matches!(url.scheme(), "http" | "https" | "oci") {
        return None;
    }
    if url.origin() == base.origin() && url.query().is_none() {
        url.set_query(base.query());
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
            ("https://example.org/charts", "oci://example.org/web:1", Some("oci://example.org/web:1")),
            ("https://example.org/charts", "http://[", None),
        ] {
            let url = archive_url(&Url::parse(repository).unwrap(), archive);
            assert_eq!(url.as_ref().map(Url::as_str), found, "{repository} {archive}");
        }
    }
}
