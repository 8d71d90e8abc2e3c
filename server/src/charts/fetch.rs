//! Getting files over HTTP, within bounds of size and time. What a repository answers is untrusted, and what its address
//! holds (a password, a token) is secret.

mod tls;

use std::io::ErrorKind;
use std::time::Duration;

use app::model::ApiError;
use reqwest::header::{
    AUTHORIZATION, ETAG, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Certificate, Client, ClientBuilder, Identity, StatusCode};
use thiserror::Error;
use url::{Origin, Url};

pub use self::tls::Trouble;
use crate::credentials::RepositoryCredentials;

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
    /// The credentials cannot be used.
    #[error("{0}")]
    Credentials(String),
    /// It is not what it should be.
    #[error("{0}")]
    Unusable(String),
    /// No answer in time.
    #[error("the server did not answer in time")]
    TimedOut,
    /// No connection that nobody else can listen to.
    #[error("{0}")]
    Insecure(Trouble),
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

/// An answer as it came, whatever its status.
#[derive(Clone, Debug)]
pub struct Raw {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its content.
    pub content: Vec<u8>,
}

/// Fetches files, with the credentials of one server, or of none.
#[derive(Clone)]
pub struct Fetcher {
    client: Client,
    /// What is said to the server of that origin, and to no other.
    authorization: Option<(Origin, HeaderValue)>,
    /// It shows a certificate to whoever asks for one.
    is_certified: bool,
}

impl Fetcher {
    /// A fetcher with the system's certificates and proxies.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new() -> Result<Self, ApiError> {
        // A process has one provider; whoever comes first installs it, and it is always this one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        builder()
            .build()
            .map(|client| Self { client, authorization: None, is_certified: false })
            .map_err(|error| ApiError::Unavailable { message: format!("HTTPS cannot be set up: {error}.") })
    }

    /// The same with the credentials of the repository at `url`.
    ///
    /// # Errors
    /// When they make no sense, or may not be sent there.
    pub fn opened_by(&self, credentials: &RepositoryCredentials, url: &Url) -> Result<Self, FetchError> {
        let words = |words: &str| FetchError::Credentials(words.to_owned());
        credentials.may_go_to(url).map_err(words)?;
        let authorization = match credentials.authorization() {
            Some(text) => {
                let value = HeaderValue::from_str(&text);
                let mut value =
                    value.map_err(|_| words("the credentials have characters that HTTP lacks"))?;
                value.set_sensitive(true);
                Some((url.origin(), value))
            }
            None => None,
        };
        let has_certificates = credentials.ca.is_some() || credentials.certificate.is_some();
        let client = if has_certificates { client_with(credentials)? } else { self.client.clone() };
        Ok(Self { client, authorization, is_certified: credentials.certificate.is_some() })
    }

    /// The same with `authorization` for the origin of `url`.
    pub fn authorized(&self, url: &Url, authorization: HeaderValue) -> Self {
        Self { authorization: Some((url.origin(), authorization)), ..self.clone() }
    }

    /// The same without credentials in its requests; a client certificate stays.
    pub fn anonymous(&self) -> Self {
        Self { authorization: None, ..self.clone() }
    }

    /// Fetches `url` (http or https), of at most `limit` bytes, unless it is as `known` says.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be had.
    pub async fn get(&self, url: &Url, limit: u64, known: &Validators) -> Result<Fetched, FetchError> {
        let raw = self.ask(url, conditions(known), limit).await?;
        match raw.status {
            StatusCode::NOT_MODIFIED => Ok(Fetched::Unchanged),
            status if status.is_success() => {
                let header = |name| raw.headers.get(name).cloned();
                let validators = Validators { etag: header(ETAG), last_modified: header(LAST_MODIFIED) };
                Ok(Fetched::Content(raw.content, validators))
            }
            status => Err(refusal(status)),
        }
    }

    /// Asks for `url`, and takes whatever the answer is. The content of a refusal is not read.
    ///
    /// # Errors
    /// When there is no answer, or one of more than `limit` bytes.
    pub async fn ask(&self, url: &Url, mut headers: HeaderMap, limit: u64) -> Result<Raw, FetchError> {
        if let Some((origin, value)) = &self.authorization
            && *origin == url.origin()
        {
            headers.insert(AUTHORIZATION, value.clone());
        }
        let failure = |error| failure(error, self.is_certified);
        let mut response = self.client.get(url.clone()).headers(headers).send().await.map_err(failure)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut content = Vec::new();
        if status.is_success() {
            let announced = response.content_length().unwrap_or_default();
            if announced > limit {
                return Err(FetchError::TooLarge(limit));
            }
            // What is announced need not come: memory is only taken as it is written to.
            content.reserve_exact(usize::try_from(announced).unwrap_or_default());
            while let Some(chunk) = response.chunk().await.map_err(failure)? {
                if (content.len() + chunk.len()) as u64 > limit {
                    return Err(FetchError::TooLarge(limit));
                }
                content.extend_from_slice(&chunk);
            }
        }
        Ok(Raw { status, headers, content })
    }
}

/// What a status that is no success means.
pub fn refusal(status: StatusCode) -> FetchError {
    match status.as_u16() {
        code @ (404 | 410) => FetchError::NotFound(code),
        code @ (401 | 403) => FetchError::Refused(code),
        code => FetchError::Status(code),
    }
}

fn builder() -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("slipway/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_WITHIN)
        .timeout(ANSWER_WITHIN)
        .referer(false)
        .redirect(Policy::custom(redirect))
}

/// A client that trusts the repository's own authorities as well, and shows its certificate.
fn client_with(credentials: &RepositoryCredentials) -> Result<Client, FetchError> {
    let words = |words: &str| FetchError::Credentials(words.to_owned());
    let mut builder = builder();
    if let Some(ca) = &credentials.ca {
        let authorities = Certificate::from_pem_bundle(ca.as_bytes());
        let authorities =
            authorities.map_err(|_| words("the certificates of its authorities cannot be read"))?;
        builder = builder.tls_certs_merge(authorities);
    }
    if let (Some(certificate), Some(key)) = (&credentials.certificate, &credentials.key) {
        let identity = Identity::from_pem(format!("{key}\n{certificate}").as_bytes());
        let identity = identity.map_err(|_| words("the client’s certificate or its key cannot be read"))?;
        builder = builder.identity(identity);
    }
    builder.build().map_err(|_| words("the certificates cannot be used"))
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

fn failure(error: reqwest::Error, is_certified: bool) -> FetchError {
    if error.is_timeout() {
        return FetchError::TimedOut;
    }
    let host = error.url().and_then(Url::host_str).unwrap_or_default();
    if let Some(trouble) = Trouble::of(&error, host, is_certified) {
        return FetchError::Insecure(trouble);
    }
    // The outermost text alone says nothing, and the address may hold a credential.
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    FetchError::Unreachable(match cause.downcast_ref::<std::io::Error>().and_then(io_words) {
        Some(words) => words.to_owned(),
        None => cause.to_string(),
    })
}

/// The usual reasons in words of ours: the system's own end with a number that tells people nothing.
fn io_words(error: &std::io::Error) -> Option<&'static str> {
    match error.kind() {
        ErrorKind::ConnectionRefused => Some("it refuses the connection"),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            Some("it broke the connection off")
        }
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            Some("there is no way to it in the network")
        }
        ErrorKind::TimedOut => Some("it did not answer in time"),
        ErrorKind::UnexpectedEof => Some("it ended the connection in the middle of its answer"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::*;

    #[test]
    fn why_a_server_cannot_be_reached_is_said_without_the_systems_numbers() {
        for (kind, words) in [
            (ErrorKind::ConnectionRefused, Some("it refuses the connection")),
            (ErrorKind::NetworkUnreachable, Some("there is no way to it in the network")),
            (ErrorKind::Other, None),
        ] {
            assert_eq!(io_words(&Error::from(kind)), words);
        }
    }

    #[tokio::test]
    async fn a_port_that_nobody_listens_at_refuses_the_connection() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let url = Url::parse(&format!("http://{address}/index.yaml")).unwrap();
        let error = Fetcher::new().unwrap().get(&url, 1, &Validators::default()).await.unwrap_err();
        assert_eq!(error, FetchError::Unreachable("it refuses the connection".to_owned()));
    }
}
