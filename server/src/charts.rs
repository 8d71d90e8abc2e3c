//! The charts that can be installed: repositories, their indexes, and what is in a chart.
//!
//! Everything that comes from a repository is untrusted: bounded in size and time, and checked before a page shows it.

mod about;
mod archive;
mod archives;
pub mod constraint;
pub mod elsewhere;
mod fetch;
pub mod index;
mod links;
mod loose;
mod oci;
mod order;
mod published;
mod pull;
mod readme;
mod repositories;
mod repository;
mod schema;
mod shelf;
pub mod source;
mod tree;
pub mod updates;

use std::sync::Arc;
use std::time::Duration;

use app::model::{ApiError, Catalogue, ChartDetail, ChartSource, CheckValues, Form, ValuesCheck};
use tokio_util::task::AbortOnDropHandle;

use self::archive::ChartFiles;
use self::archives::{Archives, Key, fetched};
use self::elsewhere::Uploads;
use self::fetch::Fetcher;
use self::index::{Chart, Listed};
use self::oci::{Reference, Registry};
use self::published::Published;
pub use self::pull::{Pulled, pull};
use self::repository::{FRESH_FOR, Repository, archive_url};
use self::schema::Schemas;
pub use self::shelf::Reach;
use self::shelf::Shelf;
use self::source::{RepositorySource, Settings};
use self::updates::Installed;
use crate::clock::cluster::Clock;
use crate::operations::{ResolvedChart, Sourced};
use crate::settings::RepositoryAddress;

/// For how long the first look at the catalogue waits for repositories that have not answered yet.
const FIRST_ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// All repositories, and what is in their charts.
pub struct Charts {
    shelf: Arc<Shelf>,
    archives: Archives,
    schemas: Schemas,
    published: Arc<Published>,
    uploads: Option<Arc<dyn Uploads>>,
    _refresher: AbortOnDropHandle<()>,
}

impl Charts {
    /// Starts to fetch the indexes of these repositories, and keeps them fresh.
    ///
    /// # Errors
    /// When HTTPS cannot be set up.
    pub fn start(repositories: &[RepositoryAddress]) -> Result<Self, ApiError> {
        Self::start_with(repositories, Vec::new(), None, Clock::default())
    }

    /// The same with repositories that are set up elsewhere, too, and with a place for uploaded charts.
    ///
    /// # Errors
    /// When HTTPS cannot be set up.
    pub fn start_with(
        repositories: &[RepositoryAddress],
        others: Vec<Arc<dyn RepositorySource>>,
        uploads: Option<Arc<dyn Uploads>>,
        clock: Clock,
    ) -> Result<Self, ApiError> {
        let settings: Arc<dyn RepositorySource> = Settings::new(repositories);
        let sources = std::iter::once(settings).chain(others).collect();
        let shelf = Arc::new(Shelf::new(Fetcher::new()?, clock, sources));
        let kept_fresh = shelf.clone();
        let refresher = AbortOnDropHandle::new(tokio::spawn(async move { kept_fresh.keep_fresh().await }));
        let (archives, schemas) = (Archives::default(), Schemas::default());
        let published = Arc::default();
        Ok(Self { shelf, archives, schemas, published, uploads, _refresher: refresher })
    }

    /// The charts of all repositories within `reach`, as last fetched. Waits only for repositories that were never asked.
    pub async fn catalogue(&self, reach: &Reach) -> Catalogue {
        let found = self.shelf.find(reach).await.repositories.into_iter();
        let repositories: Vec<_> = found.filter(|repository| !repository.definition().disabled).collect();
        let new: Vec<_> = repositories.iter().filter(|repository| repository.is_new()).cloned().collect();
        // One that does not answer in time is listed without charts, and will answer behind.
        let first = self.shelf.refresh(&new, FRESH_FOR);
        let _ = tokio::time::timeout(FIRST_ANSWER_WITHIN, first).await;
        let (shelf, behind) = (self.shelf.clone(), repositories.clone());
        tokio::spawn(async move { shelf.refresh(&behind, FRESH_FOR).await });
        let mut entries: Vec<_> = repositories.iter().flat_map(|repository| repository.cards()).collect();
        entries.sort_by(|a, b| (&a.name, &a.repository).cmp(&(&b.name, &b.repository)));
        Catalogue {
            entries,
            repositories: repositories.iter().map(|repository| repository.state()).collect(),
        }
    }

    /// One chart, fetched if need be; its newest stable version when none is named. Which versions are for this cluster is
    /// told by its version, `cluster`.
    ///
    /// # Errors
    /// When there is no such chart, or its archive cannot be had.
    pub async fn chart(
        &self,
        reach: &Reach,
        (repository, name): (&str, &str),
        version: Option<&str>,
        cluster: Option<&str>,
    ) -> Result<ChartDetail, ApiError> {
        let repository = self.enabled(reach, repository).await?;
        if repository.definition().is_registry() {
            let reference = place_in(&repository, name)?;
            return self.in_registry(Some(&repository), &reference, version, &repository.id()).await;
        }
        let (chart, listed) = self.listed(&repository, name, version).await?;
        let files = self.released(reach, &repository, &listed).await?;
        let versions = chart.versions.iter().map(|listed| listed.shown(cluster)).collect();
        let detail = files.detail(&repository.id(), versions);
        Ok(ChartDetail { name: name.to_owned(), version: listed.version.version, ..detail })
    }

    /// The repository of this name, unless nobody is to use it.
    async fn enabled(&self, reach: &Reach, name: &str) -> Result<Arc<Repository>, ApiError> {
        let found = self.shelf.named(reach, name).await;
        found
            .filter(|repository| !repository.definition().disabled)
            .ok_or_else(|| ApiError::NotFound { what: format!("The repository {name}") })
    }

    /// What is in the archive of a version that a repository lists.
    async fn released(
        &self,
        reach: &Reach,
        repository: &Repository,
        listed: &Listed,
    ) -> Result<Arc<ChartFiles>, ApiError> {
        let kept_elsewhere = || ApiError::Unavailable {
            message: "This version is kept where Slipway cannot read it (neither http, https nor oci)."
                .into(),
        };
        let url = archive_url(repository.url()?, &listed.url).ok_or_else(kept_elsewhere)?;
        let digest = listed.digest.as_deref();
        if url.scheme() == "oci" {
            // helm opens a registry by what it knows of the registry, never by what it knows of the index.
            let owner = self.shelf.owner_of(reach, &url).await;
            let reference = Reference::parse(url.as_str()).map_err(|_| kept_elsewhere())?;
            let credentials = match &owner {
                Some(owner) => owner.credentials().await,
                None => Ok(crate::credentials::RepositoryCredentials::default()),
            };
            let credentials = credentials.map_err(|message| ApiError::Unavailable { message })?;
            let mut registry = Registry::new(self.shelf.fetcher(), &reference, &credentials)
                .map_err(|error| ApiError::Unavailable { message: format!("{error}.") })?;
            let version = reference.version.clone().unwrap_or_else(|| listed.version.version.clone());
            self.pulled(owner.as_ref(), &mut registry, &reference, &version, digest).await
        } else {
            let opened = repository.fetcher(self.shelf.fetcher(), repository.url()?).await;
            let fetcher = opened.map_err(|words| ApiError::Unavailable { message: format!("{words}.") })?;
            let key = Key { repository: repository.id(), url: url.clone() };
            self.archives.get(&key, digest, fetched(&fetcher, &url)).await
        }
    }

    /// The form of a chart's values, of one that `user` asks for.
    ///
    /// # Errors
    /// When its archive cannot be had.
    pub async fn form(&self, reach: &Reach, user: &str, source: &ChartSource) -> Result<Form, ApiError> {
        self.schemas.form(self.files(reach, user, source).await?).await
    }

    /// What is wrong with values, as the schema of the chart has it that `user` asks for.
    ///
    /// # Errors
    /// When the chart's archive cannot be had, or the values are too large.
    pub async fn check_values(
        &self,
        reach: &Reach,
        user: &str,
        request: CheckValues,
    ) -> Result<ValuesCheck, ApiError> {
        let CheckValues { chart, values, base, .. } = request;
        self.schemas.check(self.files(reach, user, &chart).await?, values, base).await
    }

    /// What is in a chart's archive.
    async fn files(
        &self,
        reach: &Reach,
        user: &str,
        source: &ChartSource,
    ) -> Result<Arc<ChartFiles>, ApiError> {
        match source {
            ChartSource::Repository { repository, name, version } => {
                let repository = self.enabled(reach, repository).await?;
                if repository.definition().is_registry() {
                    let reference = place_in(&repository, name)?;
                    return self.files_in_registry(Some(&repository), &reference, version).await;
                }
                let (_, listed) = self.listed(&repository, name, Some(version)).await?;
                self.released(reach, &repository, &listed).await
            }
            ChartSource::Url { url } => self.files_at(reach, url, None).await,
            ChartSource::Oci { url, version } => self.files_at(reach, url, Some(version)).await,
            ChartSource::Upload { upload, .. } => self.files_of_upload(user, upload).await,
        }
    }

    /// Where helm finds a chart that `user` asks for, and what opens the way to it. Nothing is fetched: whether there is
    /// such a version, helm will tell.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] with the field concerned; or when the cluster does not say how the repository is set up.
    pub async fn resolve(
        &self,
        reach: &Reach,
        user: &str,
        source: &ChartSource,
    ) -> Result<Sourced, ApiError> {
        match source {
            ChartSource::Repository { repository, name, version } => {
                let Some(found) = self.shelf.named(reach, repository).await else {
                    return Err(self.unknown(reach, repository).await);
                };
                if found.definition().disabled {
                    let words = format!("The repository {repository} is disabled.");
                    return Err(ApiError::invalid("chart.repository", words));
                }
                check_word("chart.name", name)?;
                check_word("chart.version", version)?;
                let credentials = found.credentials().await.map_err(|words| ApiError::Unavailable {
                    message: format!("The repository {repository} cannot be used: {words}."),
                })?;
                let (name, version) = (name.clone(), version.clone());
                let chart = if found.definition().is_registry() {
                    ResolvedChart::Oci { url: place_in(&found, &name)?.address(), version }
                } else {
                    ResolvedChart::Repository { url: found.url()?.to_string(), name, version }
                };
                Ok(Sourced { chart, credentials })
            }
            ChartSource::Url { url } => self.sourced_elsewhere(reach, url, None).await,
            ChartSource::Oci { url, version } => self.sourced_elsewhere(reach, url, Some(version)).await,
            ChartSource::Upload { upload, name, version } => {
                self.sourced_upload(user, upload, name, version).await
            }
        }
    }

    /// The refusal of a repository that is not there, with those that are.
    async fn unknown(&self, reach: &Reach, repository: &str) -> ApiError {
        let found = self.shelf.find(reach).await.repositories;
        let names: Vec<String> = found.iter().map(|known| known.id()).collect();
        let known = if names.is_empty() { "none".into() } else { names.join(", ") };
        let words = format!("There is no repository {repository:?}; there is {known}.");
        ApiError::invalid("chart.repository", words)
    }

    /// The newest stable version after the one that is installed, and the repository that has it; none if there is
    /// none for a cluster of version `cluster`, as far as the indexes are known. A namespace's own repository counts there alone.
    pub async fn updates<'a>(
        &self,
        reach: &Reach,
        installed: impl IntoIterator<Item = Installed<'a>>,
        cluster: Option<&str>,
    ) -> Vec<Option<(String, String)>> {
        let found = self.shelf.find(reach).await.repositories.into_iter();
        let indexes: Vec<_> = found
            .filter(|repository| !repository.definition().disabled)
            .filter_map(|repository| {
                Some((repository.id(), repository.definition().namespace.clone(), repository.index()?))
            })
            .collect();
        let newer = |Installed { namespace, chart, version }: Installed<'a>| {
            let offers: Vec<_> = indexes
                .iter()
                .filter(|(_, of, _)| of.as_deref().is_none_or(|of| of == namespace))
                .filter_map(|(repository, _, index)| {
                    Some(updates::Offer { repository, chart: index.charts.get(chart)? })
                })
                .collect();
            updates::newest(version, &offers, cluster)
                .map(|(version, from)| (version.to_owned(), from.to_owned()))
        };
        installed.into_iter().map(newer).collect()
    }

    async fn listed(
        &self,
        repository: &Repository,
        name: &str,
        version: Option<&str>,
    ) -> Result<(Chart, Listed), ApiError> {
        let find = || {
            let index = repository.index()?;
            let chart = index.charts.get(name)?;
            let listed = version.map_or_else(|| chart.latest(), |version| chart.version(version))?;
            Some((chart.clone(), listed.clone()))
        };
        if let Some(found) = find() {
            return Ok(found);
        }
        // It may have been published a moment ago.
        repository.look_again(self.shelf.fetcher()).await;
        match (find(), repository.index(), repository.error()) {
            (Some(found), ..) => Ok(found),
            (None, None, error) => Err(ApiError::Unavailable {
                message: error.unwrap_or_else(|| "The repository's index is not known yet.".into()),
            }),
            (None, Some(_), _) => {
                let repository = repository.id();
                Err(ApiError::NotFound {
                    what: match version {
                        Some(version) => format!("The chart {name} {version} in {repository}"),
                        None => format!("The chart {name} in {repository}"),
                    },
                })
            }
        }
    }
}

/// Whether a chart's address is in a registry on this machine, which is spoken to in plain HTTP.
pub fn is_local_registry(url: &str) -> bool {
    Reference::parse(url).is_ok_and(|reference| reference.is_local())
}

/// The chart `name` in a registry.
fn place_in(registry: &Repository, name: &str) -> Result<Reference, ApiError> {
    check_word("chart.name", name)?;
    let place = Reference::parse(registry.url()?.as_str())
        .map_err(|words| ApiError::Unavailable { message: words.to_owned() })?;
    let address = place.child(name).address();
    Reference::parse(&address).map_err(|words| ApiError::invalid("chart.name", words))
}

/// A chart's name or version becomes an argument of helm's.
fn check_word(field: &str, word: &str) -> Result<(), ApiError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if word.is_empty() {
        return Err(ApiError::invalid(field, "This is required."));
    }
    if word.len() > index::WORD_MAX || word.starts_with('-') || !word.chars().all(plain) {
        return Err(ApiError::invalid(
            field,
            "This has letters, digits, '.', '_', '+' and '-', and starts with no '-'.",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
