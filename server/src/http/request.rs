//! What happens to every request: an id, a span, a deadline, and an answer even when the code behind it panics.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use app::model::ApiError;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use tracing::Instrument;

use super::Site;
use super::prefix::Named;
use super::problem::Problem;

/// The longest that any request may take: a long poll of 25 s, and time to answer it.
const DEADLINE: Duration = Duration::from_secs(35);
/// How long a request may still take when the server stops: a submission takes about 50 ms, and a long poll would take 25 s.
const GRACE: Duration = Duration::from_millis(500);
/// Where an answer tells its request's id, which the log has too.
const ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The outermost layer. Logs method, path, status and time; never a query or a body.
pub async fn follow(State(site): State<Site>, request: Request, next: Next) -> Response {
    let id = uuid::Uuid::now_v7().to_string();
    let (method, path) = (request.method(), request.uri().path());
    let span = tracing::info_span!("request", %id, %method, path, cluster = tracing::field::Empty);
    if let Some(named) = request.extensions().get::<Named>() {
        span.record("cluster", &named.cluster);
    }
    async {
        let started = Instant::now();
        let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
        let mut response = tokio::select! {
            answer = tokio::time::timeout(DEADLINE, answer) => match answer {
                Ok(Ok(response)) => response,
                // The panic itself is in the log already, within this span.
                Ok(Err(_)) => Problem(ApiError::Internal { request: id.clone() }).into_response(),
                Err(_) => unavailable("The answer took too long."),
            },
            () = stopped(&site) => unavailable("Slipway is stopping."),
        };
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(ID_HEADER, value);
        }
        let (status, ms) = (response.status().as_u16(), started.elapsed().as_millis());
        if response.status().is_server_error() {
            tracing::warn!(status, ms, "answered");
        } else {
            tracing::debug!(status, ms, "answered");
        }
        response
    }
    .instrument(span)
    .await
}

/// Returns when the server stops and what is no long poll has had its time to end.
async fn stopped(site: &Site) {
    site.stopping.cancelled().await;
    tokio::time::sleep(GRACE).await;
}

fn unavailable(message: &str) -> Response {
    Problem(ApiError::Unavailable { message: message.into() }).into_response()
}
