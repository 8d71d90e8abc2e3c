//! Charts in registries: tags listed and charts pulled by the OCI distribution API. helm does the same by itself when it
//! installs one; this is what a page shows before.

mod auth;
mod reference;

use reqwest::StatusCode;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue, LINK, WWW_AUTHENTICATE};
use serde::Deserialize;
use url::Url;

use self::auth::Challenge;
pub use self::reference::{Reference, tag_of, version_of};
use super::archives::{ARCHIVE_MAX, is_digest_of};
use super::fetch::{FetchError, Fetcher, Raw, refusal};
use super::order;
use crate::credentials::{RepositoryCredentials, is_private};

/// The media types of a chart's layer: helm's, and the one that helm 3.6 and before wrote.
const CHART_LAYERS: [&str; 2] =
    ["application/vnd.cncf.helm.chart.content.v1.tar+gzip", "application/tar+gzip"];
/// What a chart's manifest is.
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// The largest manifest or page of tags that is read; registries take manifests of up to 4 MiB.
const ANSWER_MAX: u64 = 4 * 1024 * 1024;
/// The most pages of tags that are read, and how many tags are asked for at once.
const PAGES_MAX: usize = 50;
const PAGE: usize = 1_000;
/// The most versions that are kept.
const VERSIONS_MAX: usize = 5_000;

/// A registry as one look at it goes on: what it gave us a token for is not asked twice.
pub struct Registry<'a> {
    fetcher: Fetcher,
    reference: &'a Reference,
    credentials: &'a RepositoryCredentials,
    /// The fetcher with the registry's answer to who we are.
    admitted: Option<Fetcher>,
}

#[derive(Deserialize)]
struct Tags {
    #[serde(default)]
    tags: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    media_type: String,
    digest: String,
    #[serde(default)]
    size: u64,
}

impl<'a> Registry<'a> {
    /// The registry that has `reference`.
    ///
    /// # Errors
    /// When the credentials make no sense.
    pub fn new(
        fetcher: &Fetcher,
        reference: &'a Reference,
        credentials: &'a RepositoryCredentials,
    ) -> Result<Self, FetchError> {
        let fetcher = fetcher.opened_by(credentials, &reference.api("")?)?;
        // User and password are for whoever hands out tokens, unless the registry asks for them itself.
        let fetcher = if credentials.token.is_some() { fetcher } else { fetcher.anonymous() };
        Ok(Self { fetcher, reference, credentials, admitted: None })
    }

    /// Whether the registry lets us in.
    ///
    /// # Errors
    /// When it does not.
    pub async fn check(&mut self) -> Result<(), FetchError> {
        let url = self.reference.api("")?;
        let raw = self.ask(&url, HeaderMap::new(), ANSWER_MAX).await?;
        success(raw).map(drop)
    }

    /// The versions that there are, the newest first: the tags that are versions.
    ///
    /// # Errors
    /// When there is no such chart, or the registry does not say.
    pub async fn versions(&mut self) -> Result<Vec<String>, FetchError> {
        let mut url = self.reference.api(&format!("{}/tags/list?n={PAGE}", self.reference.path))?;
        let mut versions: Vec<String> = Vec::new();
        for _ in 0..PAGES_MAX {
            let raw = success(self.ask(&url, HeaderMap::new(), ANSWER_MAX).await?)?;
            let next = next_page(&url, &raw.headers);
            let page: Tags = serde_json::from_slice(&raw.content)
                .map_err(|_| FetchError::Unusable("its list of tags cannot be read".into()))?;
            let tags = page.tags.unwrap_or_default();
            versions.extend(tags.iter().map(|tag| version_of(tag)).filter(|it| order::parse(it).is_some()));
            match next {
                Some(next) if versions.len() < VERSIONS_MAX => url = next,
                _ => break,
            }
        }
        versions.sort_by_cached_key(|version| order::place(version));
        versions.dedup();
        versions.truncate(VERSIONS_MAX);
        Ok(versions)
    }

    /// The archive of a version, of which it is sure that it is the one that the registry names.
    ///
    /// # Errors
    /// When there is no such version, or it is no chart.
    pub async fn archive(&mut self, version: &str) -> Result<Vec<u8>, FetchError> {
        let path = &self.reference.path;
        let url = self.reference.api(&format!("{path}/manifests/{}", tag_of(version)))?;
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(MANIFEST))]);
        let raw = success(self.ask(&url, headers, ANSWER_MAX).await?)?;
        let manifest: Manifest = serde_json::from_slice(&raw.content)
            .map_err(|_| FetchError::Unusable("its manifest cannot be read".into()))?;
        let layer = manifest.layers.iter().find(|layer| CHART_LAYERS.contains(&layer.media_type.as_str()));
        let Some(layer) = layer else {
            return Err(FetchError::Unusable("what is there is no chart, but something else".into()));
        };
        if !reference::is_digest(&layer.digest) {
            return Err(FetchError::Unusable("its manifest names a digest that is none of SHA-256".into()));
        }
        if layer.size > ARCHIVE_MAX {
            return Err(FetchError::TooLarge(ARCHIVE_MAX));
        }
        let url = self.reference.api(&format!("{path}/blobs/{}", layer.digest))?;
        let content = success(self.ask(&url, HeaderMap::new(), ARCHIVE_MAX).await?)?.content;
        if !is_digest_of(&layer.digest, &content) {
            return Err(FetchError::Unusable("the chart is not the one that its manifest names".into()));
        }
        Ok(content)
    }

    /// Asks the registry, which may want to know first who we are.
    async fn ask(&mut self, url: &Url, headers: HeaderMap, limit: u64) -> Result<Raw, FetchError> {
        let fetcher = self.admitted.as_ref().unwrap_or(&self.fetcher);
        let raw = fetcher.ask(url, headers.clone(), limit).await?;
        if raw.status != StatusCode::UNAUTHORIZED {
            return Ok(raw);
        }
        let Some(admitted) = self.admit(url, &raw).await? else { return Ok(raw) };
        let raw = admitted.ask(url, headers, limit).await;
        self.admitted = Some(admitted);
        raw
    }

    /// Answers the registry's challenge; none if there is nothing to answer it with.
    async fn admit(&self, url: &Url, refused: &Raw) -> Result<Option<Fetcher>, FetchError> {
        if self.credentials.token.is_some() {
            return Ok(None);
        }
        let challenges = refused.headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|it| it.to_str().ok());
        let challenges: Vec<Challenge> = challenges.flat_map(auth::challenges).collect();
        let basic = self.credentials.basic().and_then(|basic| sensitive(&format!("Basic {basic}")));
        for challenge in challenges {
            match challenge {
                Challenge::Basic => {
                    let Some(basic) = &basic else { continue };
                    return Ok(Some(self.fetcher.authorized(url, basic.clone())));
                }
                Challenge::Bearer { realm, service, scope } => {
                    let token_url = auth::token_url(&realm, service.as_deref(), scope.as_deref())
                        .filter(is_private)
                        .ok_or_else(|| {
                            FetchError::Unusable("it wants a token from a place that is not safe".into())
                        })?;
                    let asks = match &basic {
                        Some(basic) => self.fetcher.authorized(&token_url, basic.clone()),
                        None => self.fetcher.anonymous(),
                    };
                    let raw = success(asks.ask(&token_url, HeaderMap::new(), ANSWER_MAX).await?)?;
                    let token = auth::token(&raw.content)
                        .and_then(|token| sensitive(&format!("Bearer {token}")))
                        .ok_or_else(|| FetchError::Unusable("its token cannot be read".into()))?;
                    return Ok(Some(self.fetcher.authorized(url, token)));
                }
            }
        }
        Ok(None)
    }
}

fn success(raw: Raw) -> Result<Raw, FetchError> {
    if raw.status.is_success() { Ok(raw) } else { Err(refusal(raw.status)) }
}

fn sensitive(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// The next page, as the `Link` header names it (RFC 8288); on the same server alone.
fn next_page(url: &Url, headers: &HeaderMap) -> Option<Url> {
    let links = headers.get_all(LINK).iter().filter_map(|link| link.to_str().ok());
    let link = links.flat_map(|links| links.split(',')).find(|link| link.contains("rel=\"next\""))?;
    let target = link.split_once('<')?.1.split_once('>')?.0;
    url.join(target).ok().filter(|next| next.origin() == url.origin())
}

#[cfg(test)]
mod tests;
