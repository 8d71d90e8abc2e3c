//! The charts that can be installed: repositories, their indexes, and what is in a chart.
//!
//! Everything that comes from a repository is untrusted: bounded in size and time, and checked before a page shows it.

mod archive;
mod archives;
mod fetch;
mod index;
mod links;
mod loose;
mod order;
mod readme;
mod repository;
mod schema;
mod tree;

use std::sync::Arc;
use std::time::Duration;

use app::model::{ApiError, Catalogue, ChartDetail, ChartSource, CheckValues, Form, ValuesCheck};
use futures::future::join_all;
use tokio_util::task::AbortOnDropHandle;
use url::Url;

use self::archive::ChartFiles;
use self::archives::Archives;
use self::fetch::Fetcher;
use self::index::{Chart, Listed};
use self::repository::{FRESH_FOR, Repository, archive_url};
use self::schema::Schemas;
use crate::operations::ResolvedChart;
use crate::settings::RepositoryAddress;

/// For how long the first look at the catalogue waits for repositories that have not answered yet.
const FIRST_ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// All repositories.
pub struct Charts {
    fetcher: Fetcher,
    repositories: Vec<Arc<Repository>>,
    archives: Archives,
    schemas: Schemas,
    _refresher: AbortOnDropHandle<()>,
}

impl Charts {
    /// Starts to fetch the indexes of these repositories, and keeps them fresh.
    ///
    /// # Errors
    /// When HTTPS cannot be set up.
    pub fn start(repositories: &[RepositoryAddress]) -> Result<Self, ApiError> {
        let fetcher = Fetcher::new()?;
        let repositories: Vec<_> =
            repositories.iter().map(|address| Arc::new(Repository::new(address.clone()))).collect();
        let (followed, follows) = (repositories.clone(), fetcher.clone());
        let refresher = tokio::spawn(async move {
            loop {
                refresh(&followed, &follows, FRESH_FOR / 2).await;
                tokio::time::sleep(FRESH_FOR).await;
            }
        });
        let refresher = AbortOnDropHandle::new(refresher);
        let (archives, schemas) = (Archives::default(), Schemas::default());
        Ok(Self { fetcher, repositories, archives, schemas, _refresher: refresher })
    }

    /// The charts of all repositories, as last fetched. Waits only for repositories that were never asked.
    pub async fn catalogue(&self) -> Catalogue {
        let new = self.repositories.iter().filter(|repository| repository.is_new());
        let first = join_all(new.map(|repository| repository.refresh(&self.fetcher, FRESH_FOR)));
        // One that does not answer in time is listed without charts, and will answer behind.
        let _ = tokio::time::timeout(FIRST_ANSWER_WITHIN, first).await;
        self.refresh_behind();
        let mut entries: Vec<_> =
            self.repositories.iter().flat_map(|repository| repository.cards()).collect();
        entries.sort_by(|a, b| (&a.name, &a.repository).cmp(&(&b.name, &b.repository)));
        Catalogue {
            entries,
            repositories: self.repositories.iter().map(|repository| repository.state()).collect(),
        }
    }

    /// One chart, fetched if need be; its newest stable version when none is named.
    ///
    /// # Errors
    /// When there is no such chart, or its archive cannot be had.
    pub async fn chart(
        &self,
        repository: &str,
        name: &str,
        version: Option<&str>,
    ) -> Result<ChartDetail, ApiError> {
        let (chart, listed, files) = self.released(repository, name, version).await?;
        Ok(ChartDetail {
            repository: repository.to_owned(),
            name: name.to_owned(),
            version: listed.version.version,
            app_version: files.app_version.clone(),
            description: files.description.clone(),
            icon: files.icon.clone(),
            home: files.home.clone(),
            maintainers: files.maintainers.clone(),
            values: files.chart.values.clone(),
            readme: files.readme.clone(),
            schema: files.chart.schema.clone(),
            versions: chart.versions.into_iter().map(|listed| listed.version).collect(),
        })
    }

    /// The form of a chart's values.
    ///
    /// # Errors
    /// When its archive cannot be had.
    pub async fn form(&self, source: &ChartSource) -> Result<Form, ApiError> {
        self.schemas.form(self.files(source).await?).await
    }

    /// What is wrong with values, as the chart's schema has it.
    ///
    /// # Errors
    /// When the chart's archive cannot be had, or the values are too large.
    pub async fn check_values(&self, request: CheckValues) -> Result<ValuesCheck, ApiError> {
        let CheckValues { chart, values, base, .. } = request;
        self.schemas.check(self.files(&chart).await?, values, base).await
    }

    /// What is in a chart's archive.
    async fn files(&self, source: &ChartSource) -> Result<Arc<ChartFiles>, ApiError> {
        match source {
            ChartSource::Repository { repository, name, version } => {
                self.released(repository, name, Some(version)).await.map(|(_, _, files)| files)
            }
            ChartSource::Url { url } => {
                self.resolve(source)?;
                let url =
                    Url::parse(url).map_err(|_| ApiError::invalid("chart.url", "This is no address."))?;
                self.archives.get(&self.fetcher, &url, None).await
            }
        }
    }

    async fn released(
        &self,
        repository: &str,
        name: &str,
        version: Option<&str>,
    ) -> Result<(Chart, Listed, Arc<ChartFiles>), ApiError> {
        let not_found = |what: String| ApiError::NotFound { what };
        let repository =
            self.repository(repository).ok_or_else(|| not_found(format!("The repository {repository}")))?;
        let (chart, listed) = self.listed(repository, name, version).await?;
        let url = archive_url(repository.url(), &listed.url).ok_or_else(|| ApiError::Unavailable {
            message: "This version is kept where Slipway cannot read it (neither http nor https).".into(),
        })?;
        let files = self.archives.get(&self.fetcher, &url, listed.digest.as_deref()).await?;
        Ok((chart, listed, files))
    }

    /// Where helm finds a chart. Nothing is fetched: whether there is such a version, helm will tell.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] with the field concerned.
    pub fn resolve(&self, source: &ChartSource) -> Result<ResolvedChart, ApiError> {
        match source {
            ChartSource::Repository { repository, name, version } => {
                let found = self.repository(repository).ok_or_else(|| {
                    let names: Vec<&str> = self.repositories.iter().map(|known| known.name()).collect();
                    let known = if names.is_empty() { "none".into() } else { names.join(", ") };
                    let words = format!(
                        "There is no repository {repository:?} in Slipway's settings, which have {known}."
                    );
                    ApiError::invalid("chart.repository", words)
                })?;
                check_word("chart.name", name)?;
                check_word("chart.version", version)?;
                let (name, version) = (name.clone(), version.clone());
                Ok(ResolvedChart::Repository { url: found.url().to_string(), name, version })
            }
            ChartSource::Url { url } => Url::parse(url)
                .ok()
                .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
                .map(|url| ResolvedChart::Url { url: url.to_string() })
                .ok_or_else(|| ApiError::invalid("chart.url", "An address starts with https:// or http://.")),
        }
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
        repository.look_again(&self.fetcher).await;
        match (find(), repository.index(), repository.error()) {
            (Some(found), ..) => Ok(found),
            (None, None, error) => Err(ApiError::Unavailable {
                message: error.unwrap_or_else(|| "The repository's index is not known yet.".into()),
            }),
            (None, Some(_), _) => {
                let version = version.map(|version| format!(" {version}")).unwrap_or_default();
                Err(ApiError::NotFound {
                    what: format!("The chart {name}{version} in {}", repository.name()),
                })
            }
        }
    }

    fn repository(&self, name: &str) -> Option<&Arc<Repository>> {
        self.repositories.iter().find(|repository| repository.name() == name)
    }

    fn refresh_behind(&self) {
        for repository in &self.repositories {
            let (repository, fetcher) = (repository.clone(), self.fetcher.clone());
            tokio::spawn(async move { repository.refresh(&fetcher, FRESH_FOR).await });
        }
    }
}

async fn refresh(repositories: &[Arc<Repository>], fetcher: &Fetcher, age: Duration) {
    join_all(repositories.iter().map(|repository| repository.refresh(fetcher, age))).await;
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
