//! Charts that are in no repository's index: by an address, in a registry, or uploaded.

use std::sync::Arc;

use app::model::{ApiError, ChartDetail, ChartVersion, Uploaded};
use async_trait::async_trait;
use bytes::Bytes;
use url::Url;
use uuid::Uuid;

use super::archive::{self, ChartFiles};
use super::archives::{Key, fetched};
use super::fetch::FetchError;
use super::oci::{Reference, Registry};
use super::repository::Repository;
use super::{Charts, Reach, order};
use crate::credentials::RepositoryCredentials;
use crate::kube::ClusterError;
use crate::operations::{ResolvedChart, Sourced};

/// The largest archive that can be uploaded. It is kept in a Secret, which holds 1 MiB with all else; and helm could not
/// install a larger one: its own record of a release, in which the whole chart is, has to fit into a Secret as well.
pub const UPLOAD_MAX: usize = 1_000_000;

/// An archive that was uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// By whom, as the cluster names them.
    pub by: String,
    /// The archive.
    pub content: Bytes,
}

/// Where uploaded archives are until they are installed: they must outlive the server, and be there for the others that
/// share its records.
#[async_trait]
pub trait Uploads: Send + Sync {
    /// Keeps one for a day or so, under `id`.
    async fn put(&self, id: &str, upload: &Upload) -> Result<(), ClusterError>;
    /// The one of that name.
    async fn get(&self, id: &str) -> Result<Upload, ClusterError>;
}

/// Where a chart is looked for that is in no index.
enum Place {
    Archive(Url),
    Registry(Reference),
}

impl Place {
    fn parse(url: &str) -> Result<Self, ApiError> {
        let invalid = |words: &str| ApiError::invalid("url", words);
        if url.starts_with("oci:") {
            return Reference::parse(url).map(Self::Registry).map_err(invalid);
        }
        let parsed =
            Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let parsed = parsed.ok_or_else(|| invalid("An address starts with https://, http:// or oci://."))?;
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(invalid(
                "Leave user name and password out of the address; add a repository that has them instead.",
            ));
        }
        Ok(Self::Archive(parsed))
    }

    fn url(&self) -> Result<Url, ApiError> {
        match self {
            Self::Archive(url) => Ok(url.clone()),
            Self::Registry(reference) => Url::parse(&reference.address())
                .map_err(|_| ApiError::invalid("url", "The address cannot be read.")),
        }
    }
}

impl Charts {
    /// The chart at `url`, an archive's (http, https) or one in a registry (oci); there its newest stable version when none
    /// is named. Fetched with the credentials of the repository that the address is below, if there is one.
    ///
    /// # Errors
    /// When there is no such chart, or it cannot be had.
    pub async fn elsewhere(
        &self,
        reach: &Reach,
        url: &str,
        version: Option<&str>,
    ) -> Result<ChartDetail, ApiError> {
        let place = Place::parse(url)?;
        let owner = self.shelf.owner_of(reach, &place.url()?).await;
        match place {
            Place::Archive(url) => {
                let files = self.files_in_archive(owner.as_ref(), &url).await?;
                Ok(files.detail("", vec![named(&files.about.version)]))
            }
            Place::Registry(reference) => {
                let version = version.or(reference.version.as_deref());
                self.in_registry(owner.as_ref(), &reference, version, "").await
            }
        }
    }

    /// What is in the chart at an address.
    pub(super) async fn files_at(
        &self,
        reach: &Reach,
        url: &str,
        version: Option<&str>,
    ) -> Result<Arc<ChartFiles>, ApiError> {
        let place = Place::parse(url)?;
        let owner = self.shelf.owner_of(reach, &place.url()?).await;
        match (place, version) {
            (Place::Archive(url), None) => self.files_in_archive(owner.as_ref(), &url).await,
            (Place::Registry(reference), Some(version)) => {
                check_version(version)?;
                self.files_in_registry(owner.as_ref(), &reference, version).await
            }
            _ => Err(ApiError::invalid("chart", format!("{}.", app::model::chart::SOURCES))),
        }
    }

    /// What is in a version of a chart in a registry.
    pub(super) async fn files_in_registry(
        &self,
        owner: Option<&Arc<Repository>>,
        reference: &Reference,
        version: &str,
    ) -> Result<Arc<ChartFiles>, ApiError> {
        let credentials = credentials_of(owner).await.map_err(|words| unavailable(&words))?;
        let mut registry = Registry::new(self.shelf.fetcher(), reference, &credentials).map_err(away)?;
        self.pulled(owner, &mut registry, reference, version, None).await
    }

    /// What is in an archive that `user` has uploaded.
    pub(super) async fn files_of_upload(&self, user: &str, id: &str) -> Result<Arc<ChartFiles>, ApiError> {
        read(self.upload_of(user, id).await?.content).await.map(Arc::new)
    }

    async fn files_in_archive(
        &self,
        owner: Option<&Arc<Repository>>,
        url: &Url,
    ) -> Result<Arc<ChartFiles>, ApiError> {
        let fetcher = match owner {
            Some(owner) => {
                owner.fetcher(self.shelf.fetcher(), url).await.map_err(|words| unavailable(&words))?
            }
            None => self.shelf.fetcher().clone(),
        };
        let key = Key { repository: owned_by(owner), url: url.clone() };
        self.archives.get(&key, None, fetched(&fetcher, url)).await
    }

    /// A chart in a registry, as a page is told of one in `repository`.
    pub(super) async fn in_registry(
        &self,
        owner: Option<&Arc<Repository>>,
        reference: &Reference,
        version: Option<&str>,
        repository: &str,
    ) -> Result<ChartDetail, ApiError> {
        let credentials = credentials_of(owner).await.map_err(|words| unavailable(&words))?;
        let mut registry = Registry::new(self.shelf.fetcher(), reference, &credentials).map_err(away)?;
        let versions = registry.versions().await.map_err(|error| match error {
            FetchError::NotFound(_) => {
                ApiError::NotFound { what: format!("The chart {}", reference.address()) }
            }
            error => away(error),
        })?;
        let newest = || versions.iter().find(|version| order::is_stable(version)).or(versions.first());
        let version = version.map(str::to_owned).or_else(|| newest().cloned()).ok_or_else(|| {
            ApiError::NotFound { what: format!("A version of the chart {}", reference.address()) }
        })?;
        let files = self.pulled(owner, &mut registry, reference, &version, None).await?;
        let versions = versions.iter().map(|version| named(version)).collect();
        // What it is called there is what it is pulled by, whatever is in it.
        Ok(ChartDetail { version, ..files.detail(repository, versions) })
    }

    pub(super) async fn pulled(
        &self,
        owner: Option<&Arc<Repository>>,
        registry: &mut Registry<'_>,
        reference: &Reference,
        version: &str,
        digest: Option<&str>,
    ) -> Result<Arc<ChartFiles>, ApiError> {
        let url = Url::parse(&format!("{}:{}", reference.address(), super::oci::tag_of(version)));
        let url = url.map_err(|_| ApiError::invalid("version", "This version cannot be read."))?;
        let key = Key { repository: owned_by(owner), url };
        self.archives.get(&key, digest, registry.archive(version)).await
    }

    /// Keeps an archive that `user` has uploaded, until it is installed or a day has passed.
    ///
    /// # Errors
    /// When it is no chart or too large, or the cluster does not answer.
    pub async fn upload(&self, user: &str, content: Bytes) -> Result<Uploaded, ApiError> {
        let uploads = self.uploads()?;
        if content.len() > UPLOAD_MAX {
            let message = format!(
                "An uploaded chart has at most {} KB: Slipway keeps it in a Secret, and helm could not record a larger \
                 one either. Put it into a repository or a registry to see whether helm takes it.",
                UPLOAD_MAX / 1000
            );
            return Err(ApiError::TooLarge { message });
        }
        let files = read(content.clone()).await?;
        check_identity(&files)?;
        let seconds = u64::try_from(self.shelf.clock().now().0 / 1000).unwrap_or_default();
        let upload = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, 0)).to_string();
        uploads.put(&upload, &Upload { by: user.to_owned(), content }).await?;
        Ok(Uploaded { upload, chart: files.detail("", vec![named(&files.about.version)]) })
    }

    /// What is in an archive that `user` has uploaded.
    ///
    /// # Errors
    /// When there is none of that name, or it is another user's.
    pub async fn uploaded(&self, user: &str, id: &str) -> Result<Uploaded, ApiError> {
        let found = self.upload_of(user, id).await?;
        let files = read(found.content).await?;
        Ok(Uploaded { upload: id.to_owned(), chart: files.detail("", vec![named(&files.about.version)]) })
    }

    /// What helm is given of a chart at an address.
    pub(super) async fn sourced_elsewhere(
        &self,
        reach: &Reach,
        url: &str,
        version: Option<&str>,
    ) -> Result<Sourced, ApiError> {
        let place = Place::parse(url).map_err(|error| match error {
            ApiError::Invalid { message, .. } => ApiError::invalid("chart.url", message),
            other => other,
        })?;
        let owner = self.shelf.owner_of(reach, &place.url()?).await;
        let credentials = credentials_of(owner.as_ref()).await.map_err(|words| unavailable(&words))?;
        let chart = match (place, version) {
            (Place::Archive(url), None) => ResolvedChart::Url { url: url.to_string() },
            (Place::Registry(reference), Some(version)) => {
                check_version(version)?;
                if reference.version.as_deref().is_some_and(|named| named != version) {
                    let words = "The version behind the ':' is another one than `version`; leave it out.";
                    return Err(ApiError::invalid("chart.url", words));
                }
                ResolvedChart::Oci { url: reference.address(), version: version.to_owned() }
            }
            _ => return Err(ApiError::invalid("chart", format!("{}.", app::model::chart::SOURCES))),
        };
        Ok(Sourced { chart, credentials })
    }

    /// What helm is given of an archive that `user` has uploaded.
    pub(super) async fn sourced_upload(
        &self,
        user: &str,
        id: &str,
        name: &str,
        version: &str,
    ) -> Result<Sourced, ApiError> {
        let found = self.upload_of(user, id).await?;
        let files = read(found.content.clone()).await?;
        if (files.about.name.as_str(), files.about.version.as_str()) != (name, version) {
            let words = format!("What was uploaded is {} {}.", files.about.name, files.about.version);
            return Err(ApiError::invalid("chart.upload", words));
        }
        Ok(ResolvedChart::Archive { name: format!("{name}-{version}.tgz"), content: found.content }.into())
    }

    async fn upload_of(&self, user: &str, id: &str) -> Result<Upload, ApiError> {
        let not_found = || ApiError::NotFound {
            what: "The uploaded chart (uploads are kept for a day; upload it again)".into(),
        };
        if Uuid::parse_str(id).is_err() {
            return Err(not_found());
        }
        match self.uploads()?.get(id).await {
            Ok(upload) if upload.by == user => Ok(upload),
            Ok(_) | Err(ClusterError::NotFound(_)) => Err(not_found()),
            Err(error) => Err(error.into()),
        }
    }

    fn uploads(&self) -> Result<&Arc<dyn Uploads>, ApiError> {
        self.uploads
            .as_ref()
            .ok_or_else(|| ApiError::Unavailable { message: "This Slipway takes no uploads.".into() })
    }
}

/// The credentials of a repository; none for none.
pub(super) async fn credentials_of(owner: Option<&Arc<Repository>>) -> Result<RepositoryCredentials, String> {
    match owner {
        Some(owner) => owner.credentials().await,
        None => Ok(RepositoryCredentials::default()),
    }
}

fn owned_by(owner: Option<&Arc<Repository>>) -> String {
    owner.map(|owner| owner.id()).unwrap_or_default()
}

/// Unpacks an archive, which takes processor time.
async fn read(content: Bytes) -> Result<ChartFiles, ApiError> {
    let read = tokio::task::spawn_blocking(move || archive::read(&content)).await;
    let read = read.map_err(|_| unavailable("Slipway is shutting down"))?;
    read.map_err(|error| ApiError::Invalid { field: None, line: None, message: error.to_string() })
}

/// Its name and version become those of a file.
fn check_identity(files: &ChartFiles) -> Result<(), ApiError> {
    for (word, what) in [(&files.about.name, "name"), (&files.about.version, "version")] {
        if super::check_word("chart", word).is_err() {
            let message =
                format!("The {what} in the chart's Chart.yaml is missing, or not one that helm takes.");
            return Err(ApiError::Invalid { field: None, line: None, message });
        }
    }
    Ok(())
}

/// A version in a registry becomes a tag.
fn check_version(version: &str) -> Result<(), ApiError> {
    super::check_word("chart.version", version)?;
    if order::parse(version).is_none() {
        return Err(ApiError::invalid("chart.version", "An exact version is required, such as 1.2.3."));
    }
    Ok(())
}

fn named(version: &str) -> ChartVersion {
    ChartVersion { version: version.to_owned(), ..ChartVersion::default() }
}

fn away(error: FetchError) -> ApiError {
    unavailable(&format!("The registry does not give the chart: {error}"))
}

fn unavailable(words: &str) -> ApiError {
    let mut message = words.to_owned();
    if !message.ends_with('.') {
        message.push('.');
    }
    ApiError::Unavailable { message }
}
