//! The cluster in an address: whatever is below `/c/{cluster}` is the same as below `/`, about that cluster.

use axum::extract::Request;
use axum::http::Uri;
use axum::http::uri::PathAndQuery;

/// What an address of a named cluster begins with.
const PREFIX: &str = "/c/";

/// The cluster that a request names, and how its address began: `/c/{cluster}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The cluster.
    pub cluster: String,
    /// What was taken off.
    pub prefix: String,
}

/// Takes the cluster out of a request's address before a route is looked for, and keeps it with the request. So each route
/// is there once, and what it reads from its path is the same for all clusters.
pub fn take_off(mut request: Request) -> Request {
    if let Some((named, rest)) = split(request.uri()) {
        *request.uri_mut() = rest;
        request.extensions_mut().insert(named);
    }
    request
}

/// The address of the same for `cluster`.
pub fn put_on(cluster: &str, uri: &Uri) -> String {
    let path = uri.path_and_query().map_or("/", PathAndQuery::as_str);
    format!("{PREFIX}{}{path}", encode(cluster))
}

fn split(uri: &Uri) -> Option<(Named, Uri)> {
    let whole = uri.path_and_query()?.as_str();
    let rest = whole.strip_prefix(PREFIX)?;
    let name = &rest[..rest.find(['/', '?']).unwrap_or(rest.len())];
    let after = &rest[name.len()..];
    let path = if after.starts_with('/') { after.to_owned() } else { format!("/{after}") };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(path.parse().ok()?);
    let named = Named { cluster: decode(name), prefix: format!("{PREFIX}{name}") };
    Some((named, Uri::from_parts(parts).ok()?))
}

/// A name as one segment of a path.
fn encode(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// The name in a segment. What is no escape stays, and is the name of nothing.
fn decode(segment: &str) -> String {
    let mut bytes = segment.bytes();
    let mut name = Vec::with_capacity(segment.len());
    while let Some(byte) = bytes.next() {
        let escaped = (byte == b'%').then(|| segment.get(segment.len() - bytes.len()..)?.get(..2)).flatten();
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(escaped) => {
                name.push(escaped);
                bytes.nth(1);
            }
            None => name.push(byte),
        }
    }
    String::from_utf8_lossy(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_is_taken_out_of_an_address_and_nothing_else_changes() {
        for (address, expected) in [
            ("/c/kind-a/api/v1/releases?since=x%2Fy", Some(("kind-a", "/api/v1/releases?since=x%2Fy"))),
            ("/c/kind-a/helm/ns/a%2Fb/releases", Some(("kind-a", "/helm/ns/a%2Fb/releases"))),
            ("/c/kind-a", Some(("kind-a", "/"))),
            ("/c/kind-a/", Some(("kind-a", "/"))),
            ("/c/kind-a?x=1", Some(("kind-a", "/?x=1"))),
            ("/c/", Some(("", "/"))),
            ("/c//api", Some(("", "/api"))),
            ("/c/a/c/b/api", Some(("a", "/c/b/api"))),
            ("/c", None),
            ("/charts/c/x", None),
            ("/api/v1/releases", None),
        ] {
            let split = split(&address.parse().unwrap());
            let split = split.map(|(named, rest)| (named.cluster, rest.to_string()));
            let expected = expected.map(|(name, rest)| (name.to_owned(), rest.to_owned()));
            assert_eq!(split, expected, "{address}");
        }
    }

    #[test]
    fn any_name_comes_back_from_its_address() {
        for name in
            ["kind-a", "default/api-x:6443/kube:admin", "arn:aws:eks:eu:1:cluster/é", "a b%2F", "%", "100%x"]
        {
            let address = put_on(name, &"/helm?x=1".parse().unwrap());
            let (named, rest) = split(&address.parse().unwrap()).unwrap();
            assert_eq!((named.cluster.as_str(), rest.to_string()), (name, "/helm?x=1".to_owned()));
            assert_eq!(format!("{}{rest}", named.prefix), address);
        }
    }
}
