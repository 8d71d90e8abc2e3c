//! Headers that tell a browser what this site never does.

use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// What a page of ours may load. Scripts beyond our files are named by their hash, see `assets`. `wasm-unsafe-eval` lets
/// WebAssembly run and nothing else; styles may be inline because the editor makes its own at run time.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' \
    'unsafe-inline'; img-src 'self' data: https:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/// The layer. What an answer says of itself stays.
pub async fn add(request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut say = |name, value| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    say(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    say(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    say(header::REFERRER_POLICY, "no-referrer");
    if api {
        say(header::CACHE_CONTROL, "no-store");
    }
    response
}
