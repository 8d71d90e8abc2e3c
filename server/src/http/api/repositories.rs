//! Repositories, and charts from elsewhere.

use app::model::{
    ChartDetail, ReleaseUpdate, RepositoryList, RepositorySpec, RepositoryState, RepositoryTest, Uploaded,
};
use app::port::Caller;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Answer, Refused};
use crate::http::body::{Archive, Body, Path, Query};
use crate::http::cluster::Cluster;
use crate::http::problem::{Problem, ProblemDetails};

/// Whose.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Namespace {
    /// With those of this namespace.
    pub(super) namespace: Option<String>,
}

/// Where a chart is, and what for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Elsewhere {
    /// The namespace that it is to be installed in.
    namespace: String,
    /// `https://…`, `http://…`, or `oci://registry/path/chart`.
    url: String,
    /// The version in a registry; else the newest stable one.
    version: Option<String>,
}

/// What a chart is uploaded for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct For {
    /// The namespace that it is to be installed in.
    namespace: String,
}

/// What is tested.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Of {
    /// The repository that is to be changed: credentials that are left out are those that it has.
    of: Option<String>,
}

/// The repositories that the caller may see.
#[utoipa::path(get, path = "/repositories", params(Namespace), responses((status = 200, body = RepositoryList), Refused))]
pub async fn list(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Query(Namespace { namespace }): Query<Namespace>,
) -> Answer<RepositoryList> {
    Ok(Json(cluster.backend.repositories(&caller, namespace.as_deref()).await?))
}

/// Add a repository.
#[utoipa::path(post, path = "/repositories", request_body = RepositorySpec, responses(
    (status = 201, body = RepositoryState),
    (status = 409, description = "There is one of that name", body = ProblemDetails, content_type = "application/problem+json"),
    Refused,
))]
pub async fn add(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Body(spec): Body<RepositorySpec>,
) -> Result<(StatusCode, Json<RepositoryState>), Problem> {
    Ok((StatusCode::CREATED, Json(cluster.backend.add_repository(&caller, spec).await?)))
}

/// Fetch a repository's index with the given settings, and store nothing.
#[utoipa::path(post, path = "/repository-tests", params(Of), request_body = RepositorySpec,
    responses((status = 200, body = RepositoryTest), Refused))]
pub async fn test(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Query(Of { of }): Query<Of>,
    Body(spec): Body<RepositorySpec>,
) -> Answer<RepositoryTest> {
    Ok(Json(cluster.backend.test_repository(&caller, spec, of.as_deref()).await?))
}

/// Fetch a repository's index now, and say how the repository is then.
#[utoipa::path(post, path = "/repositories/{name}/fetch", params(("name" = String, Path)),
    responses((status = 200, body = RepositoryState), Refused))]
pub async fn look_again(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Answer<RepositoryState> {
    Ok(Json(cluster.backend.look_again(&caller, &name).await?))
}

/// Change a repository to be as the body says. Its name and its place stay.
#[utoipa::path(put, path = "/repositories/{name}", params(("name" = String, Path)), request_body = RepositorySpec,
    responses((status = 200, body = RepositoryState), Refused))]
pub async fn change(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    Body(spec): Body<RepositorySpec>,
) -> Answer<RepositoryState> {
    Ok(Json(cluster.backend.change_repository(&caller, &name, spec).await?))
}

/// Remove a repository.
#[utoipa::path(delete, path = "/repositories/{name}", params(("name" = String, Path)),
    responses((status = 204, description = "Removed"), Refused))]
pub async fn remove(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    cluster.backend.remove_repository(&caller, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A chart by its address.
#[utoipa::path(get, path = "/chart", params(Elsewhere), responses((status = 200, body = ChartDetail), Refused))]
pub async fn elsewhere(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Query(Elsewhere { namespace, url, version }): Query<Elsewhere>,
) -> Answer<ChartDetail> {
    Ok(Json(cluster.backend.chart_elsewhere(&caller, &namespace, &url, version.as_deref()).await?))
}

/// Upload a chart's archive, to be installed within a day.
#[utoipa::path(post, path = "/uploads", params(For),
    request_body(content = Vec<u8>, content_type = "application/gzip"), responses(
    (status = 201, body = Uploaded),
    (status = 413, description = "The archive is too large", body = ProblemDetails, content_type = "application/problem+json"),
    Refused,
))]
pub async fn upload(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Query(For { namespace }): Query<For>,
    Archive(archive): Archive,
) -> Result<(StatusCode, Json<Uploaded>), Problem> {
    Ok((StatusCode::CREATED, Json(cluster.backend.upload(&caller, &namespace, archive.into()).await?)))
}

/// A chart that the caller has uploaded.
#[utoipa::path(get, path = "/uploads/{upload}", params(("upload" = String, Path)),
    responses((status = 200, body = Uploaded), Refused))]
pub async fn uploaded(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(upload): Path<String>,
) -> Answer<Uploaded> {
    Ok(Json(cluster.backend.uploaded(&caller, &upload).await?))
}

/// The releases whose chart has a newer version, as far as is known.
#[utoipa::path(get, path = "/updates", params(Namespace), responses((status = 200, body = Vec<ReleaseUpdate>), Refused))]
pub async fn updates(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Query(Namespace { namespace }): Query<Namespace>,
) -> Answer<Vec<ReleaseUpdate>> {
    Ok(Json(cluster.backend.updates(&caller, namespace.as_deref()).await?))
}
