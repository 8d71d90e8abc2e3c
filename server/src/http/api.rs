//! The JSON API, `/api/v1`: the same calls as the page's, for programs.

pub mod inspection;
pub mod repositories;

use app::model::{
    Accepted, ApiError, Catalogue, ChartDetail, CheckValues, ClusterList, Form, FormOf, HistoryEntry,
    Operation, OperationId, Phase, Preview, ReleaseHook, ReleaseKey, ReleaseList, ReleaseValues, ReleaseView,
    Resource, SubmitOperation, ValuesCheck, Version,
};
use app::port::Caller;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::{IntoParams, IntoResponses};

use super::Site;
use super::body::{Body, Path, Query};
use super::cluster::{Below, Cluster};
use super::problem::{Problem, ProblemDetails};

/// Which releases or operations.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Only those of this namespace.
    namespace: Option<String>,
    /// Only those of the release of this name.
    name: Option<String>,
}

/// Which releases, and whether to wait.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Releases {
    /// Only those of this namespace.
    namespace: Option<String>,
    /// The `version` of the last answer: this one is then held until something changed, for 25 s at most.
    since: Option<Version>,
}

/// Whether to wait.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Since {
    /// The `version` of the last answer: this one is then held until something changed, for 25 s at most.
    since: Option<Version>,
}

/// Which revision.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Revision {
    /// The revision; else the newest one.
    revision: Option<u32>,
}

/// Which version of a chart.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhichVersion {
    /// The version; else the newest stable one.
    version: Option<String>,
}

/// How each call can be refused, as RFC 9457 problem details.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "the document is made of it; the answers themselves are made by Problem")]
pub enum Refused {
    /// A right is missing.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(ProblemDetails),
    /// There is no such thing, or the caller may not know of it.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(ProblemDetails),
    /// The request is not well formed.
    #[response(status = 422, content_type = "application/problem+json")]
    Invalid(ProblemDetails),
    /// The cluster, or a repository, cannot be reached at the moment.
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemDetails),
}

type Answer<T> = Result<Json<T>, Problem>;
type Key = (String, String);

fn key((namespace, name): Key) -> ReleaseKey {
    ReleaseKey { namespace, name }
}

/// For a page a release that is not there is a state to show; for a program it is a 404.
fn there(view: ReleaseView) -> Result<ReleaseView, ApiError> {
    match view.phase {
        Phase::NotFound => Err(ApiError::NotFound { what: format!("Release {}", view.key) }),
        _ => Ok(view),
    }
}

/// The clusters. What is below `/c/{cluster}` is about one of them; without that, about the default one.
#[utoipa::path(get, path = "/clusters", responses((status = 200, body = ClusterList)))]
pub async fn clusters(State(site): State<Site>) -> Json<ClusterList> {
    Json(site.clusters.list())
}

/// Accept an operation: it is checked and recorded when this answers, and carried out afterwards.
#[utoipa::path(post, path = "/operations", request_body = SubmitOperation, responses(
    (status = 202, description = "Accepted and recorded", body = Accepted, headers(("Location" = String))),
    (status = 409, description = "Another operation, or a release, is in the way", body = ProblemDetails, content_type = "application/problem+json"),
    Refused,
))]
pub async fn submit(
    Extension(cluster): Extension<Cluster>,
    Extension(below): Extension<Below>,
    Extension(caller): Extension<Caller>,
    Body(request): Body<SubmitOperation>,
) -> Result<impl IntoResponse, Problem> {
    Ok(accepted(&below, cluster.backend.submit(&caller, request).await?))
}

/// The operations, the newest first; without the evidence of failures, which each operation has by itself.
#[utoipa::path(get, path = "/operations", params(Which), responses((status = 200, body = Vec<Operation>), Refused))]
pub async fn operations(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Query(which): Query<Which>,
) -> Answer<Vec<Operation>> {
    let (namespace, name) = (which.namespace.as_deref(), which.name.as_deref());
    Ok(Json(cluster.backend.operations(&caller, namespace, name).await?))
}

/// One operation.
#[utoipa::path(get, path = "/operations/{id}", params(("id" = String, Path)), responses(
    (status = 200, body = Operation),
    Refused,
))]
pub async fn operation(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<OperationId>,
) -> Answer<Operation> {
    Ok(Json(cluster.backend.operation(&caller, &id).await?))
}

/// What helm said in an operation.
#[utoipa::path(get, path = "/operations/{id}/log", params(("id" = String, Path)), responses(
    (status = 200, body = String, content_type = "text/plain"),
    Refused,
))]
pub async fn operation_log(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<OperationId>,
) -> Result<String, Problem> {
    Ok(cluster.backend.operation_log(&caller, &id).await?)
}

/// Ask an operation to end early: a queued one ends at once, a running helm is told to stop and has 30 s for it.
#[utoipa::path(post, path = "/operations/{id}/cancel", params(("id" = String, Path)), responses(
    (status = 202, description = "The wish is recorded", body = Operation),
    (status = 409, description = "It cannot be cancelled as it stands", body = ProblemDetails, content_type = "application/problem+json"),
    Refused,
))]
pub async fn cancel(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<OperationId>,
) -> Result<impl IntoResponse, Problem> {
    Ok((StatusCode::ACCEPTED, Json(cluster.backend.cancel(&caller, &id).await?)))
}

/// Submit an operation that did not succeed once more, with what it was submitted with.
#[utoipa::path(post, path = "/operations/{id}/again", params(("id" = String, Path)), responses(
    (status = 202, description = "Accepted and recorded", body = Accepted, headers(("Location" = String))),
    (status = 409, description = "It cannot be run again", body = ProblemDetails, content_type = "application/problem+json"),
    Refused,
))]
pub async fn again(
    Extension(cluster): Extension<Cluster>,
    Extension(below): Extension<Below>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<OperationId>,
) -> Result<impl IntoResponse, Problem> {
    Ok(accepted(&below, cluster.backend.again(&caller, &id).await?))
}

/// What a dry run rendered.
#[utoipa::path(get, path = "/operations/{id}/preview", params(("id" = String, Path)), responses(
    (status = 200, body = Preview),
    Refused,
))]
pub async fn preview(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<OperationId>,
) -> Answer<Preview> {
    Ok(Json(cluster.backend.preview(&caller, &id).await?))
}

fn accepted(Below(below): &Below, accepted: Accepted) -> impl IntoResponse + use<> {
    let location = format!("{below}/api/v1/operations/{}", accepted.id);
    (StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(accepted))
}

/// The releases of one namespace, or of all that the caller may see.
#[utoipa::path(get, path = "/releases", params(Releases), responses((status = 200, body = ReleaseList), Refused))]
pub async fn releases(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Query(which): Query<Releases>,
) -> Answer<ReleaseList> {
    let (namespace, since) = (which.namespace.as_deref(), which.since.as_ref());
    Ok(Json(cluster.backend.releases(&caller, namespace, since).await?))
}

/// One release.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}",
    params(("namespace" = String, Path), ("name" = String, Path), Since), responses(
    (status = 200, body = ReleaseView),
    Refused,
))]
pub async fn release(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
    Query(Since { since }): Query<Since>,
) -> Answer<ReleaseView> {
    Ok(Json(there(cluster.backend.release(&caller, &key(of), since.as_ref()).await?)?))
}

/// Every revision, the newest first.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/history",
    params(("namespace" = String, Path), ("name" = String, Path)),
    responses((status = 200, body = Vec<HistoryEntry>), Refused))]
pub async fn history(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
) -> Answer<Vec<HistoryEntry>> {
    Ok(Json(cluster.backend.history(&caller, &key(of)).await?))
}

/// The resources of the newest revision's manifest, with their live state.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/resources",
    params(("namespace" = String, Path), ("name" = String, Path)),
    responses((status = 200, body = Vec<Resource>), Refused))]
pub async fn resources(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
) -> Answer<Vec<Resource>> {
    let view = there(cluster.backend.release(&caller, &key(of), None).await?)?;
    match view.resources_error {
        Some(message) if view.resources.is_empty() => Err(ApiError::Unavailable { message }.into()),
        _ => Ok(Json(view.resources)),
    }
}

/// A revision's values.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/values",
    params(("namespace" = String, Path), ("name" = String, Path), Revision),
    responses((status = 200, body = ReleaseValues), Refused))]
pub async fn values(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
    Query(Revision { revision }): Query<Revision>,
) -> Answer<ReleaseValues> {
    Ok(Json(cluster.backend.values(&caller, &key(of), revision).await?))
}

/// A revision's manifest.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/manifest",
    params(("namespace" = String, Path), ("name" = String, Path), Revision),
    responses((status = 200, body = String, content_type = "application/yaml"), Refused))]
pub async fn manifest(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
    Query(Revision { revision }): Query<Revision>,
) -> Result<impl IntoResponse, Problem> {
    let found = cluster.backend.manifest(&caller, &key(of), revision).await?;
    Ok(([(header::CONTENT_TYPE, "application/yaml; charset=utf-8")], found.manifest))
}

/// A revision's hooks, which are not part of its manifest.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/hooks",
    params(("namespace" = String, Path), ("name" = String, Path), Revision),
    responses((status = 200, body = Vec<ReleaseHook>), Refused))]
pub async fn hooks(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
    Query(Revision { revision }): Query<Revision>,
) -> Answer<Vec<ReleaseHook>> {
    Ok(Json(cluster.backend.manifest(&caller, &key(of), revision).await?.hooks))
}

/// A revision's notes.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/notes",
    params(("namespace" = String, Path), ("name" = String, Path), Revision),
    responses((status = 200, body = String, content_type = "text/plain"), Refused))]
pub async fn notes(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
    Query(Revision { revision }): Query<Revision>,
) -> Result<String, Problem> {
    Ok(cluster.backend.notes(&caller, &key(of), revision).await?)
}

/// The namespaces that the caller may see.
#[utoipa::path(get, path = "/namespaces", responses((status = 200, body = Vec<String>), Refused))]
pub async fn namespaces(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
) -> Answer<Vec<String>> {
    Ok(Json(cluster.backend.namespaces(&caller).await?))
}

/// The charts of all repositories that the caller may see.
#[utoipa::path(get, path = "/charts", params(repositories::Namespace), responses((status = 200, body = Catalogue), Refused))]
pub async fn charts(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Query(repositories::Namespace { namespace }): Query<repositories::Namespace>,
) -> Answer<Catalogue> {
    Ok(Json(cluster.backend.catalogue(&caller, namespace.as_deref()).await?))
}

/// One chart.
#[utoipa::path(get, path = "/charts/{repository}/{name}",
    params(("repository" = String, Path), ("name" = String, Path), WhichVersion),
    responses((status = 200, body = ChartDetail), Refused))]
pub async fn chart(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path((repository, name)): Path<(String, String)>,
    Query(WhichVersion { version }): Query<WhichVersion>,
) -> Answer<ChartDetail> {
    Ok(Json(cluster.backend.chart(&caller, &repository, &name, version.as_deref()).await?))
}

/// The form of a chart's values: what its schema and its values.yaml say of each of them.
#[utoipa::path(post, path = "/values/form", request_body = FormOf, responses((status = 200, body = Form), Refused))]
pub async fn chart_form(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Body(request): Body<FormOf>,
) -> Answer<Form> {
    Ok(Json(cluster.backend.chart_form(&caller, &request).await?))
}

/// Check values against a chart's schema, as helm would before it renders the chart. Nothing is kept of them.
#[utoipa::path(post, path = "/values/check", request_body = CheckValues, responses(
    (status = 200, body = ValuesCheck),
    Refused,
))]
pub async fn check_values(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Body(request): Body<CheckValues>,
) -> Answer<ValuesCheck> {
    Ok(Json(cluster.backend.check_values(&caller, request).await?))
}
