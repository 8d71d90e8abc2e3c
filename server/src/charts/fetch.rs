//! Getting files over HTTP, within bounds of size and time. What a repository answers is untrusted, and what its address
//! holds (a password, a token) is secret.

use std::time::Duration;

use app::model::ApiError;
use reqwest::header::{ETAG, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, StatusCode};
use thiserror::Error;
use url::Url;

/// How long connecting may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// How long a whole answer may take; a page's own request ends a little later.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// How many redirections are followed; mirrors use one or two.
const REDIRECTIONS_MAX: usize = 5;

/// Why a file could not be fetched, in words that hold neither an address nor a credential.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FetchError {
    /// 404 or 410.
    #[error("it is not there (HTTP {0})")]
    NotFound(u16),
    /// 401 or 403.
    #[error("access is refused (HTTP {0})")]
    Refused(u16),
    /// Any other status that is no success.
    #[error("the server answered HTTP {0}")]
    Status(u16),
    /// More than the limit.
    #[error("it is larger than {} MiB", .0 / 1024 / 1024)]
    TooLarge(u64),
    /// No answer in time.
    #[error("the server did not answer in time")]
    TimedOut,
    /// No connection, or one that broke.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
}

/// What tells a server which state of a file we have (RFC 9110, section 13).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    etag: Option<HeaderValue>,
    last_modified: Option<HeaderValue>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// It is as it was.
    Unchanged,
    /// Its content.
    Content(Vec<u8>, Validators),
}

/// Fetches files.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: Client,
}

impl Fetcher {
    /// A fetcher with the system's certificates and proxies.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new() -> Result<Self, ApiError> {
        // A process has one provider; whoever comes first installs it, and it is always this one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Client::builder()
            .user_agent(concat!("slipway/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_WITHIN)
            .timeout(ANSWER_WITHIN)
            .referer(false)
            .redirect(Policy::custom(redirect))
            .build()
            .map(|client| Self { client })
            .map_err(|error| ApiError::Unavailable { message: format!("HTTPS cannot be set up: {error}.") })
    }

    /// Fetches `url` (http or https), of at most `limit` bytes, unless it is as `known` says.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be had.
    pub async fn get(&self, url: &Url, limit: u64, known: &Validators) -> Result<Fetched, FetchError> {
        let mut response =
            self.client.get(url.clone()).headers(conditions(known)).send().await.map_err(failure)?;
        match response.status() {
            StatusCode::NOT_MODIFIED => return Ok(Fetched::Unchanged),
            status if status.is_success() => {}
            status => {
                return Err(match status.as_u16() {
                    code @ (404 | 410) => FetchError::NotFound(code),
                    code @ (401 | 403) => FetchError::Refused(code),
                    code => FetchError::Status(code),
                });
            }
        }
        if response.content_length().is_some_and(|length| length > limit) {
            return Err(FetchError::TooLarge(limit));
        }
        let header = |name| response.headers().get(name).cloned();
        let validators = Validators { etag: header(ETAG), last_modified: header(LAST_MODIFIED) };
        let mut content = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failure)? {
            if (content.len() + chunk.len()) as u64 > limit {
                return Err(FetchError::TooLarge(limit));
            }
            content.extend_from_slice(&chunk);
        }
        Ok(Fetched::Content(content, validators))
    }
}

/// An address as it may be shown and logged: without credentials and without a query, which may hold a token.
pub fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // These fail for addresses without a host, which have no credentials either.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

fn conditions(known: &Validators) -> HeaderMap {
    let pairs = [(IF_NONE_MATCH, &known.etag), (IF_MODIFIED_SINCE, &known.last_modified)];
    pairs.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect()
}

/// Never from https to http: what was asked for in private is not answered in public.
fn redirect(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let was_private = attempt.previous().last().is_some_and(|url| url.scheme() == "https");
    match attempt.url().scheme() {
        _ if attempt.previous().len() > REDIRECTIONS_MAX => attempt.error("too many redirections"),
        "https" => attempt.follow(),
        "http" if !was_private => attempt.follow(),
        _ => attempt.error("a redirection to an address that is not safe"),
    }
}

fn failure(error: reqwest::Error) -> FetchError {
    if error.is_timeout() {
        return FetchError::TimedOut;
    }
    // The outermost text alone says nothing, and the address may hold a credential.
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    FetchError::Unreachable(cause.to_string())
}
