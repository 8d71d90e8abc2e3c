//! One repository: its index, kept fresh behind the requests, and the archives that were looked at.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::model::{ApiError, CatalogueEntry, ChartDetail, RepositoryState, Timestamp};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use url::Url;

use super::archive::{ARCHIVE_MAX, Archive, unpack};
use super::fetch::{Fetched, Fetcher};
use super::index::{Entry, INDEX_MAX, Index, checked_icon, parse, preferred};
use super::readme;
use crate::settings::RepositoryAddress;

/// How many unpacked archives a repository remembers: what a user clicks through in one sitting.
const ARCHIVES_KEPT: usize = 32;

/// One repository.
pub struct Repository {
    address: RepositoryAddress,
    fetcher: Fetcher,
    first: OnceCell<()>,
    refreshing: tokio::sync::Mutex<()>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    index: Arc<Index>,
    tag: Option<String>,
    fetched: Option<Timestamp>,
    error: Option<String>,
    archives: Vec<(Url, Arc<Archive>)>,
}

impl Repository {
    /// A repository of which nothing is known yet.
    pub fn new(address: RepositoryAddress, fetcher: Fetcher) -> Self {
        Self {
            address,
            fetcher,
            first: OnceCell::new(),
            refreshing: tokio::sync::Mutex::default(),
            known: Mutex::default(),
        }
    }

    /// Its name in Slipway.
    pub fn name(&self) -> &str {
        &self.address.name
    }

    /// Its address, perhaps with a password: for helm, not for people.
    pub fn address(&self) -> &Url {
        &self.address.url
    }

    /// Returns when the index was fetched, or could not be, for the first time.
    pub async fn first_fetch(&self) {
        self.first.get_or_init(|| self.refresh()).await;
    }

    /// Fetches the index anew, if it changed. What is known stays when that fails.
    pub async fn refresh(&self) {
        let _one_at_a_time = self.refreshing.lock().await;
        let tag = self.known().tag.clone();
        let result = match self.fetcher.fetch(&self.file("index.yaml"), tag.as_deref(), INDEX_MAX).await {
            Ok(Fetched::Unchanged) => Ok(None),
            Ok(Fetched::New(content, tag)) => tokio::task::spawn_blocking(move || parse(&content))
                .await
                .unwrap_or_else(|_| Err("its index cannot be read".into()))
                .map(|index| Some((index, tag))),
            Err(reason) => Err(reason),
        };
        let mut known = self.known();
        match result {
            Ok(changed) => {
                if let Some((index, tag)) = changed {
                    (known.index, known.tag) = (Arc::new(index), tag);
                }
                known.fetched = Some(Timestamp(jiff::Timestamp::now().as_millisecond()));
                known.error = None;
            }
            Err(reason) => {
                tracing::warn!(repository = self.address.name, reason, "the index cannot be fetched");
                known.error = Some(format!("The repository {} cannot be read: {reason}.", self.address.name));
            }
        }
    }

    /// How it is doing.
    pub fn state(&self) -> RepositoryState {
        let known = self.known();
        let mut url = self.address.url.clone();
        // Neither can fail: the address has a host.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        RepositoryState {
            name: self.address.name.clone(),
            url: url.to_string(),
            charts: known.fetched.map(|_| u32::try_from(known.index.len()).unwrap_or(u32::MAX)),
            fetched: known.fetched,
            error: known.error.clone(),
        }
    }

    /// A card for each chart.
    pub fn entries(&self) -> Vec<CatalogueEntry> {
        let index = self.known().index.clone();
        let card = |(name, versions): (&String, &Vec<Entry>)| {
            let latest = preferred(versions)?;
            Some(CatalogueEntry {
                repository: self.address.name.clone(),
                name: name.clone(),
                description: latest.description.clone(),
                icon: latest.icon.clone(),
                keywords: latest.keywords.clone(),
                latest: latest.version.clone(),
                deprecated: latest.version.deprecated,
            })
        };
        index.iter().filter_map(card).collect()
    }

    /// One version of a chart in full; the preferred one when none is named.
    pub async fn chart(&self, name: &str, version: Option<&str>) -> Result<ChartDetail, ApiError> {
        let index = self.known().index.clone();
        let not_found = |what: String| ApiError::NotFound { what };
        let versions = index
            .get(name)
            .ok_or_else(|| not_found(format!("The chart {name} in the repository {}", self.address.name)))?;
        let entry = match version {
            Some(version) => versions.iter().find(|entry| entry.version.version == version),
            None => preferred(versions),
        }
        .ok_or_else(|| not_found(format!("Version {} of the chart {name}", version.unwrap_or("?"))))?;
        let archive = self.archive(entry).await.map_err(|reason| ApiError::Unavailable {
            message: format!("The chart {name} {} cannot be fetched: {reason}.", entry.version.version),
        })?;
        let about = &archive.about;
        let web = |url: &&String| url.starts_with("https://") || url.starts_with("http://");
        Ok(ChartDetail {
            repository: self.address.name.clone(),
            name: name.to_owned(),
            version: entry.version.version.clone(),
            app_version: about.app_version.clone().or_else(|| entry.version.app_version.clone()),
            description: about.description.clone().unwrap_or_else(|| entry.description.clone()),
            icon: about.icon.as_deref().and_then(checked_icon).or_else(|| entry.icon.clone()),
            home: about.home.as_ref().filter(web).cloned(),
            maintainers: maintainers(&archive),
            values: archive.values.clone(),
            readme: archive.readme.as_deref().map(readme::render),
            schema: archive.schema.clone(),
            versions: versions.iter().map(|entry| entry.version.clone()).collect(),
        })
    }

    async fn archive(&self, entry: &Entry) -> Result<Arc<Archive>, String> {
        let url = entry.url.as_deref().ok_or("the index names no archive")?;
        let url = self.base().join(url).map_err(|_| "the index names an address that cannot be read")?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("its address is of the kind {}:, not https:", url.scheme()));
        }
        let kept =
            self.known().archives.iter().find(|(of, _)| *of == url).map(|(_, archive)| archive.clone());
        if let Some(archive) = kept {
            return Ok(archive);
        }
        let Fetched::New(content, _) = self.fetcher.fetch(&url, None, ARCHIVE_MAX).await? else {
            return Err("the repository's answer makes no sense".into());
        };
        let digest = entry.digest.clone();
        let unpacking = tokio::task::spawn_blocking(move || {
            if digest.is_some_and(|digest| digest != hex(&Sha256::digest(&content))) {
                return Err("it is not the archive that the index describes (its digest differs)".to_owned());
            }
            unpack(&content)
        });
        let archive = Arc::new(unpacking.await.map_err(|_| "the archive cannot be unpacked".to_owned())??);
        let archives = &mut self.known().archives;
        if archives.len() >= ARCHIVES_KEPT {
            archives.remove(0);
        }
        archives.push((url, archive.clone()));
        Ok(archive)
    }

    /// The address that relative ones are relative to: a folder, even when it was written without its last slash.
    fn base(&self) -> Url {
        let mut base = self.address.url.clone();
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        base
    }

    fn file(&self, name: &str) -> Url {
        let mut base = self.base();
        base.set_path(&format!("{}{name}", base.path()));
        base
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn maintainers(archive: &Archive) -> Vec<String> {
    let people = archive.about.maintainers.iter().flatten();
    let told = people.filter_map(|person| match (&person.name, &person.email) {
        (Some(name), Some(email)) => Some(format!("{name} <{email}>")),
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (None, None) => None,
    });
    told.collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
