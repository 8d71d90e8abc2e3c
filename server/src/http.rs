//! What Slipway says over HTTP: the routes, and the layers that every request passes.

pub mod api;
mod assets;
mod body;
mod cluster;
mod guard;
mod headers;
mod health;
mod prefix;
pub mod problem;
mod request;
mod ui;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get, post};
use tokio_util::sync::CancellationToken;
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use utoipa::openapi::{InfoBuilder, OpenApi, OpenApiBuilder, Server, ServerBuilder, ServerVariableBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use cluster::{Cluster, Clusters, Readiness};

/// The largest body: values of half a MiB, in which JSON may escape every other character.
pub const BODY_MAX: usize = 2 * 1024 * 1024;

/// What the routes need.
#[derive(Clone)]
pub struct Site {
    /// What it is about.
    pub clusters: Arc<dyn Clusters>,
    /// Ends held requests when the server stops.
    pub stopping: CancellationToken,
}

/// Everything that Slipway answers.
pub fn router(site: Site) -> Router {
    let (api, document) = programs(&site);
    let document = Arc::new(document);
    let pages = Router::new()
        .route("/api/ui/{function}", post(ui::call))
        .route_layer(axum::middleware::from_fn_with_state(site.clone(), cluster::identify))
        // Whoever cannot reach this cluster wants to know of the others all the more.
        .route("/api/ui/clusters", post(ui::clusters));
    let routes = Router::new()
        .merge(api)
        .merge(pages)
        .route("/api/v1/openapi.json", get(move || std::future::ready(axum::Json(document.as_ref().clone()))))
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
        .with_state(site);
    Router::new().fallback_service(ServiceBuilder::new().map_request(prefix::take_off).service(routes))
}

/// The API for programs, and the document that describes it: both made of the same table, so neither can lack a route.
fn programs(site: &Site) -> (Router<Site>, OpenApi) {
    let info = InfoBuilder::new()
        .title("Slipway")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Follows Helm releases and carries out operations on them in the background."))
        .build();
    OpenApiRouter::with_openapi(OpenApiBuilder::new().info(info).servers(Some(addresses(site))).build())
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
                .routes(routes!(api::hooks))
                .routes(routes!(api::notes))
                .routes(routes!(api::namespaces))
                .routes(routes!(api::charts))
                .routes(routes!(api::chart))
                .routes(routes!(api::chart_form))
                .routes(routes!(api::check_values))
                .routes(routes!(api::repositories::list, api::repositories::add))
                .routes(routes!(api::repositories::change, api::repositories::remove))
                .routes(routes!(api::repositories::test))
                .routes(routes!(api::repositories::look_again))
                .routes(routes!(api::repositories::elsewhere))
                .routes(routes!(api::repositories::upload))
                .routes(routes!(api::repositories::uploaded))
                .routes(routes!(api::repositories::updates))
                .merge(api::inspection::routes())
                .route_layer(axum::middleware::from_fn_with_state(site.clone(), cluster::identify))
                .routes(routes!(api::clusters)),
        )
        .split_for_parts()
}

/// Where all of it is: for the default cluster, and for each.
fn addresses(site: &Site) -> [Server; 2] {
    let names = site.clusters.list();
    let cluster = ServerVariableBuilder::new().default_value(names.default).enum_values(Some(names.clusters));
    [
        ServerBuilder::new().url("/").description(Some("The default cluster")).build(),
        ServerBuilder::new()
            .url("/c/{cluster}")
            .description(Some("A cluster by its name"))
            .parameter("cluster", cluster)
            .build(),
    ]
}

#[cfg(test)]
pub(crate) mod tests;
