//! How the texts of arguments are read, and what is told of those that make no sense.

use std::net::SocketAddr;
use std::time::Duration;

use app::model::OperationId;
use app::model::name::check_namespace;
use jiff::{Span, SpanRelativeTo};
use url::Url;

use crate::clusters::offer::is_addressable;

/// The most that the limits can be set to.
const COUNT_MAX: usize = 10_000;

/// A chart repository as the command line names it. Its address may hold a password: never print it whole.
#[derive(Clone, PartialEq, Eq)]
pub struct RepositoryAddress {
    /// Its name in Slipway.
    pub name: String,
    /// Where its `index.yaml` is, without that last part.
    pub url: Url,
}

impl std::fmt::Debug for RepositoryAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.name, self.url.host_str().unwrap_or("?"))
    }
}

/// Until users sign in one by one, whoever reaches the port acts with the kubeconfig's rights.
pub(super) fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text
        .parse()
        .map_err(|_| "not an IP address with a port, such as 127.0.0.1:8080 or [::1]:8080".to_owned())?;
    if address.ip().is_loopback() {
        return Ok(address);
    }
    Err(format!(
        "{} can be reached from other machines, and everybody who reaches it would act with the rights of your \
         kubeconfig. Listen on 127.0.0.1 or [::1]; from elsewhere, come through a tunnel such as \
         `ssh -L 8080:127.0.0.1:8080`.",
        address.ip()
    ))
}

pub(super) fn repository(text: &str) -> Result<RepositoryAddress, String> {
    let (name, url) = text.split_once('=').ok_or("not of the form NAME=URL")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.';
    if name.is_empty() || !name.chars().all(plain) {
        return Err("the NAME in NAME=URL has letters, digits, '-', '_' and '.'".into());
    }
    let url = Url::parse(url).map_err(|error| format!("the URL of {name} cannot be read: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(format!("the URL of {name} must start with https:// or http://"));
    }
    Ok(RepositoryAddress { name: name.to_owned(), url })
}

pub(super) fn filter(text: &str) -> Result<String, String> {
    tracing_subscriber::EnvFilter::try_new(text)
        .map(|_| text.to_owned())
        .map_err(|error| format!("{error}; give a level, or levels by module: `info,server::http=debug`"))
}

pub(super) fn namespace(text: &str) -> Result<String, String> {
    check_namespace(text).map(|()| text.to_owned())
}

pub(super) fn cluster_name(text: &str) -> Result<String, String> {
    match is_addressable(text) {
        true => Ok(text.to_owned()),
        false => Err("not a name that can be part of an address".into()),
    }
}

pub(super) fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=COUNT_MAX) => Ok(count),
        _ => Err(format!("not a number from 1 to {COUNT_MAX}")),
    }
}

/// A day has 24 hours here.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "not a length of time, such as 12h, 30d or 2w".to_owned();
    let span: Span = text.parse().map_err(|_| wrong())?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    match Duration::try_from(duration) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(wrong()),
    }
}

pub(super) fn operation_id(text: &str) -> Result<OperationId, String> {
    uuid::Uuid::parse_str(text)
        .map(|id| OperationId(id.to_string()))
        .map_err(|_| "not an operation's id (a UUID)".into())
}
