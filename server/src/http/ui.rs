//! The page's own calls: Leptos server functions.

use app::model::ApiError;
use app::port::Caller;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::{Extension, body};
use leptos::context::provide_context;

use super::Site;
use super::cluster::Cluster;
use super::problem::no_such_route;

/// An error's text is short; what is longer is not one of ours.
const ERROR_MAX: usize = 64 * 1024;

/// Calls the server function that the path names, about the cluster that is asked.
pub async fn call(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    let context = move || {
        provide_context(cluster.backend.clone());
        provide_context(caller.clone());
    };
    answer(context, request).await
}

/// Calls the server function that tells the clusters.
pub async fn clusters(State(site): State<Site>, request: Request) -> Response {
    let list = site.clusters.list();
    answer(move || provide_context(list.clone()), request).await
}

async fn answer(context: impl Fn() + Clone + Send + 'static, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if !leptos::server_fn::axum::server_fn_paths().any(|(known, _)| known == path) {
        return axum::response::IntoResponse::into_response(no_such_route().await);
    }
    let response = axum::response::IntoResponse::into_response(
        leptos_axum::handle_server_fns_with_context(context, request).await,
    );
    with_its_status(response).await
}

/// A server function's error always comes as a 500; this gives it the status that its kind has.
async fn with_its_status(response: Response) -> Response {
    if response.status() != StatusCode::INTERNAL_SERVER_ERROR {
        return response;
    }
    let (mut parts, content) = response.into_parts();
    let content = body::to_bytes(content, ERROR_MAX).await.unwrap_or_default();
    if let Ok(error) = serde_json::from_slice::<ApiError>(&content) {
        parts.status = StatusCode::from_u16(error.status()).unwrap_or(parts.status);
    }
    Response::from_parts(parts, Body::from(content))
}
