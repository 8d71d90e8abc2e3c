//! Fetching from repositories, bounded in size and time.

use std::time::Duration;

use app::model::ApiError;
use reqwest::header::{ETAG, IF_NONE_MATCH};
use reqwest::{Client, StatusCode};
use url::Url;

/// From the first byte sent to the last one received.
const DEADLINE: Duration = Duration::from_secs(30);
/// A host that does not answer by then is away.
const CONNECT_DEADLINE: Duration = Duration::from_secs(5);

/// What came.
pub enum Fetched {
    /// The content, and its tag for the next time.
    New(Vec<u8>, Option<String>),
    /// It is as it was.
    Unchanged,
}

/// An HTTP client for repositories.
#[derive(Clone)]
pub struct Fetcher(Client);

impl Fetcher {
    /// A fetcher.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new() -> Result<Self, ApiError> {
        let client = Client::builder()
            .timeout(DEADLINE)
            .connect_timeout(CONNECT_DEADLINE)
            .user_agent(concat!("slipway/", env!("CARGO_PKG_VERSION")))
            .build();
        client.map(Self).map_err(|error| ApiError::Unavailable { message: format!("No TLS: {error}.") })
    }

    /// Fetches `url`, at most `limit` bytes of it.
    ///
    /// # Errors
    /// In words for the user, without the address: it may hold a password.
    pub async fn fetch(&self, url: &Url, tag: Option<&str>, limit: usize) -> Result<Fetched, String> {
        let mut request = self.0.get(url.clone());
        if let Some(tag) = tag {
            request = request.header(IF_NONE_MATCH, tag);
        }
        let mut response = request.send().await.map_err(words)?;
        match response.status() {
            StatusCode::NOT_MODIFIED => return Ok(Fetched::Unchanged),
            status if status.is_success() => {}
            status => return Err(format!("the repository answered {status}")),
        }
        let tag = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        let mut content = Vec::new();
        while let Some(part) = response.chunk().await.map_err(words)? {
            if content.len() + part.len() > limit {
                return Err(format!("it is larger than {} MiB", limit / 1024 / 1024));
            }
            content.extend_from_slice(&part);
        }
        Ok(Fetched::New(content, tag))
    }
}

fn words(error: reqwest::Error) -> String {
    let error = error.without_url();
    if error.is_timeout() {
        "it did not answer in time".into()
    } else if error.is_connect() {
        "no connection can be made to it".into()
    } else {
        format!("the answer broke off ({error})")
    }
}
