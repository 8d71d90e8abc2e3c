//! Whether the server lives, and whether it can answer yet.

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;

use super::Site;
use super::prefix::Named;

/// It lives.
pub async fn live() -> &'static str {
    "ok\n"
}

/// It has what it needs to answer, or says what is missing, a line each: for the default cluster, or for the one that is
/// named. The server itself waits for the default one alone: another may be away for good.
pub async fn ready(State(site): State<Site>, named: Option<Extension<Named>>) -> (StatusCode, String) {
    let cluster = site.clusters.open(named.as_ref().map(|named| named.cluster.as_str())).await;
    let missing = match cluster {
        Ok(cluster) => (cluster.readiness)(),
        Err(error) => vec![error.to_string()],
    };
    if missing.is_empty() {
        return (StatusCode::OK, "ok\n".into());
    }
    (StatusCode::SERVICE_UNAVAILABLE, missing.iter().map(|what| format!("{what}\n")).collect())
}
