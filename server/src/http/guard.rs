//! Who may ask at all: requests that a foreign web page makes a browser send are refused before anything reads them.

use app::model::ApiError;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::BODY_MAX;
use super::problem::{Problem, with_status};

/// The layer.
pub async fn check(request: Request, next: Next) -> Response {
    if let Err(refusal) = admit(request.method(), request.headers()) {
        return refusal.into_response();
    }
    next.run(request).await
}

/// The refusal of a body over [`BODY_MAX`].
pub fn too_large() -> ApiError {
    ApiError::TooLarge { message: format!("A request has at most {} KiB.", BODY_MAX / 1024) }
}

/// Why a request is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// The name in `Host` is not this machine's: DNS rebinding.
    Host,
    /// Somebody else's page sent it.
    CrossSite,
    /// Neither JSON nor an archive: a form of a foreign page could send that without asking first.
    ContentType,
    /// An attempt to be somebody else.
    Impersonation,
    /// The body is announced to be too large.
    TooLarge,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let forbidden =
            |message: &str| Problem(ApiError::Forbidden { message: message.into() }).into_response();
        match self {
            Self::Host => forbidden("Slipway answers to localhost, 127.0.0.1 and [::1] alone."),
            Self::CrossSite => forbidden("The request comes from another site."),
            Self::Impersonation => forbidden("Impersonation headers are not taken from outside."),
            Self::TooLarge => Problem(too_large()).into_response(),
            Self::ContentType => with_status(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                ApiError::Invalid {
                    field: None,
                    line: None,
                    message: "The body must be JSON, sent with `Content-Type: application/json`; or, for an upload, an archive \
                              sent with `Content-Type: application/gzip`."
                        .into(),
                },
            ),
        }
    }
}

fn admit(method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if headers.keys().any(|name| name.as_str().starts_with("impersonate-")) {
        return Err(Refusal::Impersonation);
    }
    let host = text("host").unwrap_or_default();
    if !is_loopback(host) {
        return Err(Refusal::Host);
    }
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    // A browser says at least one of the two, and each that is said must be right; a program says neither.
    let same_site = text("sec-fetch-site").is_none_or(|site| site == "same-origin");
    let same_origin = text("origin").is_none_or(|origin| {
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
    });
    if !same_site || !same_origin {
        return Err(Refusal::CrossSite);
    }
    let media_type = text(header::CONTENT_TYPE.as_str()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    // Nothing is taken from a request without a body; a browser asks before it sends one of these anywhere else.
    let has_no_body = *method == Method::DELETE && media_type.is_empty();
    if !has_no_body
        && !["application/json", "application/gzip"].iter().any(|it| essence.eq_ignore_ascii_case(it))
    {
        return Err(Refusal::ContentType);
    }
    let announced = text("content-length").and_then(|length| length.parse::<usize>().ok());
    if announced.is_some_and(|length| length > BODY_MAX) {
        return Err(Refusal::TooLarge);
    }
    Ok(())
}

/// Whether a `Host` names this machine by a loopback name.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(method: Method, headers: &[(&'static str, &'static str)]) -> Result<(), Refusal> {
        let mut map = HeaderMap::new();
        map.insert("host", "127.0.0.1:8080".parse().unwrap());
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        admit(&method, &map)
    }

    #[test]
    fn a_program_and_our_own_page_are_admitted() {
        let json = ("content-type", "application/json");
        for headers in [
            &[json][..],
            &[("content-type", "Application/JSON; charset=utf-8")],
            &[json, ("sec-fetch-site", "same-origin"), ("origin", "http://127.0.0.1:8080")],
            &[json, ("origin", "http://127.0.0.1:8080")],
        ] {
            assert_eq!(admitted(Method::POST, headers), Ok(()), "{headers:?}");
        }
    }

    #[test]
    fn what_a_foreign_page_can_send_is_refused() {
        let json = ("content-type", "application/json");
        for (headers, refusal) in [
            (&[json, ("sec-fetch-site", "cross-site")][..], Refusal::CrossSite),
            (&[json, ("sec-fetch-site", "same-site")], Refusal::CrossSite),
            (&[json, ("origin", "https://evil.example")], Refusal::CrossSite),
            (&[json, ("origin", "null")], Refusal::CrossSite),
            (&[json, ("origin", "http-evil://127.0.0.1:8080")], Refusal::CrossSite),
            (&[json, ("origin", "http://127.0.0.1:8080.evil.example")], Refusal::CrossSite),
            (
                &[json, ("sec-fetch-site", "same-origin"), ("origin", "http://evil.example")],
                Refusal::CrossSite,
            ),
            (&[json, ("sec-fetch-site", "none")], Refusal::CrossSite),
            (&[json, ("origin", "http://127.0.0.1:9999")], Refusal::CrossSite),
            (&[("content-type", "text/plain")], Refusal::ContentType),
            (&[], Refusal::ContentType),
            (&[json, ("host", "evil.example:8080")], Refusal::Host),
            (&[json, ("host", "127.0.0.1.evil.example")], Refusal::Host),
            (&[json, ("impersonate-user", "admin")], Refusal::Impersonation),
            (&[json, ("content-length", "99999999")], Refusal::TooLarge),
        ] {
            assert_eq!(admitted(Method::POST, headers), Err(refusal), "{headers:?}");
        }
    }

    #[test]
    fn reading_needs_no_content_type_but_a_host_that_is_ours() {
        assert_eq!(admitted(Method::GET, &[]), Ok(()));
        assert_eq!(admitted(Method::GET, &[("host", "rebound.example")]), Err(Refusal::Host));
    }

    #[test]
    fn loopback_is_told_from_its_look_alikes() {
        for host in ["localhost", "localhost:8080", "127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:8080"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["", "localhost.evil.example", "10.0.0.1:80", "[::2]:80", "127.0.0.1@evil"] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
