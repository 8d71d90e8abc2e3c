//! What Slipway says over HTTP: the routes, and the layers that every request passes.

pub mod api;
mod assets;
mod body;
mod guard;
mod headers;
mod health;
pub mod problem;
mod request;
mod ui;

use std::sync::Arc;

use app::port::Backend;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get, post};
use tokio_util::sync::CancellationToken;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use utoipa::openapi::{InfoBuilder, OpenApi, OpenApiBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::identity::Identity;

/// The largest body: values of half a MiB, in which JSON may escape every other character.
pub const BODY_MAX: usize = 2 * 1024 * 1024;

/// What is not ready yet, in words; empty when all of it is.
pub type Readiness = Arc<dyn Fn() -> Vec<String> + Send + Sync>;

/// What the routes need.
#[derive(Clone)]
pub struct Site {
    /// The world.
    pub backend: Arc<dyn Backend>,
    /// Who a request comes from.
    pub identity: Arc<Identity>,
    /// What `/readyz` says.
    pub readiness: Readiness,
    /// Ends held requests when the server stops.
    pub stopping: CancellationToken,
}

/// Everything that Slipway answers.
pub fn router(site: Site) -> Router {
    let (api, document) = programs();
    let document = Arc::new(document);
    let api = api
        .route("/api/v1/openapi.json", get(move || std::future::ready(axum::Json(document.as_ref().clone()))))
        .route("/api/ui/{function}", post(ui::call))
        .route_layer(axum::middleware::from_fn_with_state(site.clone(), request::identify));
    Router::new()
        .merge(api)
        .route("/api", any(problem::no_such_route))
        .route("/api/", any(problem::no_such_route))
        .route("/api/{*path}", any(problem::no_such_route))
        .route("/livez", get(health::live))
        .route("/readyz", get(health::ready))
        .fallback(assets::serve)
        .method_not_allowed_fallback(problem::no_such_method)
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(BODY_MAX))
        .layer(axum::middleware::from_fn(guard::check))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(axum::middleware::from_fn(headers::add))
        .layer(axum::middleware::from_fn_with_state(site.clone(), request::follow))
        .with_state(site)
}

/// The API for programs, and the document that describes it: both made of the same table, so neither can lack a route.
fn programs() -> (Router<Site>, OpenApi) {
    let info = InfoBuilder::new()
        .title("Slipway")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Follows Helm releases and carries out operations on them in the background."))
        .build();
    OpenApiRouter::with_openapi(OpenApiBuilder::new().info(info).build())
        .nest(
            "/api/v1",
            OpenApiRouter::new()
                .routes(routes!(api::operations, api::submit))
                .routes(routes!(api::operation))
                .routes(routes!(api::operation_log))
                .routes(routes!(api::cancel))
                .routes(routes!(api::again))
                .routes(routes!(api::preview))
                .routes(routes!(api::releases))
                .routes(routes!(api::release))
                .routes(routes!(api::history))
                .routes(routes!(api::resources))
                .routes(routes!(api::values))
                .routes(routes!(api::manifest))
                .routes(routes!(api::notes))
                .routes(routes!(api::namespaces))
                .routes(routes!(api::charts))
                .routes(routes!(api::chart))
                .routes(routes!(api::chart_form))
                .routes(routes!(api::check_values))
                .routes(routes!(api::repositories::list, api::repositories::add))
                .routes(routes!(api::repositories::change, api::repositories::remove))
                .routes(routes!(api::repositories::test))
                .routes(routes!(api::repositories::elsewhere))
                .routes(routes!(api::repositories::upload))
                .routes(routes!(api::repositories::uploaded))
                .routes(routes!(api::repositories::updates))
                .merge(api::inspection::routes()),
        )
        .split_for_parts()
}

#[cfg(test)]
mod tests;
