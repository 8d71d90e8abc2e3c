//! The chart repositories: what they offer, and what is in a chart. Nothing that comes from one is trusted.

mod archive;
mod fetch;
mod index;
mod readme;
mod repository;
mod version;

use std::sync::Arc;
use std::time::Duration;

use app::model::{ApiError, Catalogue, ChartDetail, ChartSource};
use futures::future::join_all;
use tokio::task::JoinHandle;
use tokio_util::task::AbortOnDropHandle;
use url::Url;

use self::fetch::Fetcher;
use self::repository::Repository;
use crate::operations::ResolvedChart;
use crate::settings::RepositoryAddress;

/// How often an index is fetched anew behind the requests.
const REFRESH: Duration = Duration::from_secs(300);

/// All configured repositories.
pub struct Charts {
    repositories: Vec<Arc<Repository>>,
    _refresher: AbortOnDropHandle<()>,
}

impl Charts {
    /// Starts to fetch the indexes of `repositories` and keeps them fresh.
    ///
    /// # Errors
    /// When the system's certificates or its TLS library cannot be used.
    pub fn start(repositories: &[RepositoryAddress]) -> Result<Self, ApiError> {
        let fetcher = Fetcher::new()?;
        let repositories: Vec<_> = repositories
            .iter()
            .map(|address| Arc::new(Repository::new(address.clone(), fetcher.clone())))
            .collect();
        let refresher = AbortOnDropHandle::new(refresh(repositories.clone()));
        Ok(Self { repositories, _refresher: refresher })
    }

    /// All charts of all repositories; one that cannot be read is in its state, and the others list.
    pub async fn catalogue(&self) -> Catalogue {
        // The first answer waits for the first fetch; later ones take what there is.
        join_all(self.repositories.iter().map(|repository| repository.first_fetch())).await;
        let mut catalogue = Catalogue::default();
        for repository in &self.repositories {
            catalogue.repositories.push(repository.state());
            catalogue.entries.extend(repository.entries());
        }
        catalogue.entries.sort_by(|a, b| (&a.name, &a.repository).cmp(&(&b.name, &b.repository)));
        catalogue
    }

    /// One chart; its newest stable version when none is named.
    ///
    /// # Errors
    /// When there is no such repository, chart or version, or the archive cannot be fetched or read.
    pub async fn chart(
        &self,
        repository: &str,
        name: &str,
        version: Option<&str>,
    ) -> Result<ChartDetail, ApiError> {
        let found = self
            .repository(repository)
            .ok_or_else(|| ApiError::NotFound { what: format!("The repository {repository}") })?;
        found.first_fetch().await;
        found.chart(name, version).await
    }

    /// A source as helm takes it: the repository's name becomes its address. Nothing is fetched.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] for a repository that is not configured, or an address that helm must not be given.
    pub fn resolve(&self, source: &ChartSource) -> Result<ResolvedChart, ApiError> {
        match source {
            ChartSource::Repository { repository, name, version } => {
                let found = self.repository(repository).ok_or_else(|| {
                    let names: Vec<&str> = self.repositories.iter().map(|r| r.name()).collect();
                    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                    ApiError::invalid(
                        "chart.repository",
                        format!("There is no repository {repository:?}. Configured: {known}."),
                    )
                })?;
                Ok(ResolvedChart::Repository {
                    url: found.address().to_string(),
                    name: name.clone(),
                    version: version.clone(),
                })
            }
            ChartSource::Url { url } => {
                let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
                match parsed.filter(|url| url.host_str().is_some()) {
                    Some(parsed) => Ok(ResolvedChart::Url { url: parsed.to_string() }),
                    None => Err(ApiError::invalid(
                        "chart.url",
                        "A chart's address starts with https:// or http://.",
                    )),
                }
            }
        }
    }

    fn repository(&self, name: &str) -> Option<&Arc<Repository>> {
        self.repositories.iter().find(|repository| repository.name() == name)
    }
}

fn refresh(repositories: Vec<Arc<Repository>>) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(REFRESH);
        loop {
            ticks.tick().await;
            join_all(repositories.iter().map(|repository| repository.refresh())).await;
        }
    })
}

#[cfg(test)]
mod tests;
