//! The page's files, as Trunk leaves them in `dist/`: in the program in release builds, from disk in debug builds.

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};

use super::headers::CONTENT_SECURITY_POLICY;
use super::prefix::Named;
use super::{Site, prefix, problem};

#[derive(RustEmbed)]
#[folder = "../dist/"]
#[allow_missing = true]
struct Dist;

const UNBUILT: &str = "The console's page is not built. Run `make web` in Slipway's folder, then reload. \
The API for programs works without it: /api/v1/openapi.json\n";

/// Where the mock-ups are (`style/mockups.mjs`).
const MOCKUPS: &str = "mockups/";
const FRAMED_BY_NOBODY: &str = "frame-ancestors 'none'";
const FRAMED_BY_US: &str = "frame-ancestors 'self'";

/// Whatever no route takes: a file of the page, or the page itself for an address that it routes by itself. An address
/// without a cluster leads to the same one of the default cluster: what is in the browser's bar can be kept and shared.
pub async fn serve(
    State(site): State<Site>,
    named: Option<Extension<Named>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return problem::no_such_method().await;
    }
    let path = uri.path().trim_start_matches('/');
    let is_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    match (Dist::get(path).filter(|_| !path.is_empty()), is_file) {
        (Some(file), _) if is_mockup(path) => html(path, &file, &headers, FRAMED_BY_US),
        (Some(file), _) if path != "index.html" => asset(path, &file, &headers),
        (None, false) if path == MOCKUPS || path == MOCKUPS.trim_end_matches('/') => mockups(path, &headers),
        // An answer in HTML to a missing script would only be a stranger error. A release's name may have dots, though.
        (None, true) if !path.starts_with("helm/") => {
            (StatusCode::NOT_FOUND, "No such file.\n").into_response()
        }
        _ if named.is_none() => {
            let there = prefix::put_on(&site.clusters.list().default, &uri);
            (
                StatusCode::TEMPORARY_REDIRECT,
                [(header::LOCATION, there), (header::CACHE_CONTROL, "no-store".into())],
            )
                .into_response()
        }
        _ => page(&headers),
    }
}

/// Whether it is a page of the mock-ups, which shows others of them in frames.
fn is_mockup(path: &str) -> bool {
    path.starts_with(MOCKUPS) && path.ends_with(".html")
}

/// The mock-ups' first page. Their addresses are relative, so it must be the folder's.
fn mockups(path: &str, headers: &HeaderMap) -> Response {
    if path != MOCKUPS {
        return Redirect::permanent(&["/", MOCKUPS].concat()).into_response();
    }
    let index = [MOCKUPS, "index.html"].concat();
    match Dist::get(&index) {
        Some(file) => html(&index, &file, headers, FRAMED_BY_US),
        None => (StatusCode::SERVICE_UNAVAILABLE, UNBUILT).into_response(),
    }
}

fn page(headers: &HeaderMap) -> Response {
    match Dist::get("index.html") {
        Some(file) => html("index.html", &file, headers, FRAMED_BY_NOBODY),
        None => (StatusCode::SERVICE_UNAVAILABLE, UNBUILT).into_response(),
    }
}

fn html(path: &str, file: &EmbeddedFile, headers: &HeaderMap, framed_by: &str) -> Response {
    let policy = policy(&String::from_utf8_lossy(&file.data)).replace(FRAMED_BY_NOBODY, framed_by);
    let mut response = asset(path, file, headers);
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

fn asset(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", hex(&file.metadata.sha256_hash()[..16]));
    let caching = if is_hashed(path) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let about =
        [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, caching), (header::VARY, "accept-encoding")];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    for (encoding, extension) in [("br", "br"), ("gzip", "gz")] {
        if !accepts(accepted, encoding) {
            continue;
        }
        if let Some(packed) = Dist::get(&format!("{path}.{extension}")) {
            let packing = [(header::CONTENT_TYPE, kind.as_ref()), (header::CONTENT_ENCODING, encoding)];
            return (about, packing, packed.data).into_response();
        }
    }
    (about, [(header::CONTENT_TYPE, kind.as_ref())], file.data.clone()).into_response()
}

/// Whether an `Accept-Encoding` names `encoding` and does not rule it out.
fn accepts(header: &str, encoding: &str) -> bool {
    header.split(',').any(|part| {
        let mut words = part.split(';').map(str::trim);
        words.next() == Some(encoding)
            && !words.any(|word| matches!(word, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// Whether a file's name changes with its content: Trunk puts 16 hexadecimal digits into it.
fn is_hashed(path: &str) -> bool {
    path.split(['-', '_', '.']).any(|part| part.len() == 16 && part.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The policy of a page whose inline scripts are known: each is named by its hash, and no other may run.
fn policy(page: &str) -> String {
    let mut hashes = String::new();
    let mut rest = page;
    while let Some(start) = rest.find("<script") {
        let tag = &rest[start..];
        let Some((attributes, after)) = tag.split_once('>') else { break };
        let Some((script, after)) = after.split_once("</script>") else { break };
        if !attributes.contains(" src=") {
            let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(script));
            hashes.push_str(&format!(" 'sha256-{hash}'"));
        }
        rest = after;
    }
    CONTENT_SECURITY_POLICY.replace("'wasm-unsafe-eval'", &format!("'wasm-unsafe-eval'{hashes}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inline_script_is_allowed_by_its_hash_and_a_file_is_not_hashed() {
        let policy = policy("<script type=\"module\">import 1</script><script src=\"/x.js\"></script>");
        assert_eq!(policy.matches("sha256-").count(), 1, "{policy}");
    }

    #[test]
    fn only_the_mock_ups_may_be_framed_and_by_us_alone() {
        assert!(CONTENT_SECURITY_POLICY.contains(FRAMED_BY_NOBODY));
        for (path, expected) in
            [("mockups/screen.html", true), ("index.html", false), ("mockups/player.js", false)]
        {
            assert_eq!(is_mockup(path), expected, "{path}");
        }
    }

    #[test]
    fn only_names_with_a_hash_are_kept_for_ever() {
        assert!(is_hashed("app-0123456789abcdef_bg.wasm"));
        assert!(!is_hashed("editor.js"));
    }

    #[test]
    fn an_encoding_that_is_ruled_out_is_not_used() {
        assert!(accepts("gzip, br;q=0.8", "br"));
        assert!(!accepts("gzip, br;q=0", "br"));
        assert!(!accepts("", "br"));
    }
}
