//! Whether the server lives, and whether it can answer yet.

use axum::extract::State;
use axum::http::StatusCode;

use super::Site;

/// It lives.
pub async fn live() -> &'static str {
    "ok\n"
}

/// It has what it needs to answer, or says what is missing, a line each.
pub async fn ready(State(site): State<Site>) -> (StatusCode, String) {
    let missing = (site.readiness)();
    if missing.is_empty() {
        return (StatusCode::OK, "ok\n".into());
    }
    (StatusCode::SERVICE_UNAVAILABLE, missing.iter().map(|what| format!("{what}\n")).collect())
}
