//! What a release is inspected by: its live objects, pods and their logs, picture, timeline, tests, differences.

use std::time::Duration;

use app::model::{
    CommandLine, Comparison, Facet, LogPart, ObjectDetail, ObjectRef, OperationId, Picture, PodList,
    PodLogPiece, PodLogQuery, SubmitOperation, TestReport, Timeline, ValuesPolicy,
};
use app::port::{Caller, PodLog};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json, body::Body as Bytes};
use futures::{Stream, StreamExt, future::ready};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Answer, Key, Refused, key};
use crate::http::Site;
use crate::http::body::{Body, Path, Query};
use crate::http::cluster::Cluster;
use crate::http::problem::Problem;

/// How often a stream that has nothing to say says that it is still there: a client that is gone is then noticed.
const STILL_HERE: Duration = Duration::from_secs(15);

/// The routes of this part.
pub fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new()
        .routes(routes!(object))
        .routes(routes!(pods))
        .routes(routes!(pod_log))
        .routes(routes!(picture))
        .routes(routes!(timeline))
        .routes(routes!(tests))
        .routes(routes!(compare))
        .routes(routes!(compare_values))
        .routes(routes!(compare_preview))
        .routes(routes!(operation_log_part))
        .routes(routes!(command_of))
        .routes(routes!(command_for))
}

/// Which object.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct Which {
    /// `apps/v1`, `v1`, …
    api_version: String,
    /// `Deployment`, …
    kind: String,
    /// Its namespace; none for a cluster-scoped object.
    object_namespace: Option<String>,
    /// Its name.
    object_name: String,
}

/// Which log, and how much of it.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct WhichLog {
    /// The pod's namespace; else the release's.
    pod_namespace: Option<String>,
    /// The container; where there is but one, none will do.
    container: Option<String>,
    /// That of its run before.
    #[serde(default)]
    previous: bool,
    /// Go on while the container says something.
    #[serde(default)]
    follow: bool,
    /// Only this many lines of what is there; 10,000 at most, and if none is said.
    tail: Option<u32>,
    /// Only what was said in the last so many seconds.
    since_seconds: Option<u32>,
    /// Only what was said after this instant: the `id` of an event of the stream.
    after: Option<String>,
    /// Each line begins with its time.
    #[serde(default)]
    timestamps: bool,
}

/// What is compared.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhichRevisions {
    /// `values`, `computed`, `manifest` or `notes`; the manifest if none is said.
    #[serde(default)]
    facet: Facet,
    /// The revision on the left; else the one before the right one.
    from: Option<u32>,
    /// The revision on the right; else the newest.
    to: Option<u32>,
}

/// What is compared.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhichFacet {
    /// `manifest` or `notes`; the manifest if none is said.
    #[serde(default)]
    facet: Facet,
}

/// Values that are about to be submitted.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewValues {
    /// As YAML; empty for none.
    #[serde(default)]
    values: String,
    /// What of the values of the revision before stays.
    #[serde(default)]
    policy: ValuesPolicy,
}

/// From where on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct From {
    /// The `next` of the last answer: this one is then held until there is more, for 25 s at most.
    since: Option<String>,
}

/// A live object of a release, or of what such an object made: as YAML, with its events.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/object",
    params(("namespace" = String, Path), ("name" = String, Path), Which),
    responses((status = 200, body = ObjectDetail), Refused))]
pub async fn object(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
    Query(which): Query<Which>,
) -> Answer<ObjectDetail> {
    let object = ObjectRef {
        api_version: which.api_version,
        kind: which.kind,
        namespace: which.object_namespace,
        name: which.object_name,
    };
    Ok(Json(cluster.backend.object(&caller, &key(of), &object).await?))
}

/// The pods of a release with their containers.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/pods",
    params(("namespace" = String, Path), ("name" = String, Path)),
    responses((status = 200, body = PodList), Refused))]
pub async fn pods(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
) -> Answer<PodList> {
    Ok(Json(cluster.backend.pods(&caller, &key(of)).await?))
}

/// What a container of a release's pod says, as it says it. As plain text; or, to who accepts `text/event-stream`, as events:
/// each `message` is whole lines, with the time of the last one as its id, and the event `end` is the last one and says why.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/pods/{pod}/log",
    params(("namespace" = String, Path), ("name" = String, Path), ("pod" = String, Path), WhichLog),
    responses((status = 200, body = String, content_type = "text/plain"), Refused))]
pub async fn pod_log(
    State(site): State<Site>,
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path((namespace, name, pod)): Path<(String, String, String)>,
    Query(which): Query<WhichLog>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // A browser that lost the connection asks again for what comes after the last event that it has.
    let after = header("last-event-id").map(str::to_owned).or(which.after).filter(|id| !id.is_empty());
    let query = PodLogQuery {
        namespace: which.pod_namespace.unwrap_or_else(|| namespace.clone()),
        pod,
        container: which.container,
        previous: which.previous,
        follow: which.follow,
        tail: which.tail,
        since_seconds: which.since_seconds,
        after,
        timestamps: which.timestamps,
    };
    let log = cluster.backend.pod_log(&caller, &key((namespace, name)), query).await?;
    // Held streams would keep a server that is told to stop from it.
    let stopping = site.stopping.clone();
    let log = log.take_until(async move { stopping.cancelled().await }).boxed();
    let as_events = header("accept").is_some_and(|accept| accept.contains("text/event-stream"));
    Ok(if as_events { events(log).into_response() } else { plain(log) })
}

fn events(log: PodLog) -> impl IntoResponse {
    let event = |piece| {
        Ok::<_, std::convert::Infallible>(match piece {
            // The stream's own form ends a line; a carriage return would end one too.
            PodLogPiece::Lines { text, upto } => {
                let text = text.replace("\r\n", "\n").replace('\r', "\n");
                Event::default().data(text.strip_suffix('\n').unwrap_or(&text)).id(upto)
            }
            PodLogPiece::End(why) => Event::default().event("end").data(why),
        })
    };
    Sse::new(log.map(event)).keep_alive(KeepAlive::new().interval(STILL_HERE))
}

fn plain(log: PodLog) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        // A compressed stream is held back until there is enough of it.
        (header::CONTENT_ENCODING, "identity"),
    ];
    (headers, Bytes::from_stream(texts(log))).into_response()
}

fn texts(log: PodLog) -> impl Stream<Item = Result<String, std::convert::Infallible>> {
    log.filter_map(|piece| {
        ready(match piece {
            PodLogPiece::Lines { text, .. } => Some(Ok(text)),
            PodLogPiece::End(_) => None,
        })
    })
}

/// A release as a picture: its objects with their places, and what they have to do with each other.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/picture",
    params(("namespace" = String, Path), ("name" = String, Path)),
    responses((status = 200, body = Picture), Refused))]
pub async fn picture(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
) -> Answer<Picture> {
    Ok(Json(cluster.backend.picture(&caller, &key(of)).await?))
}

/// How the time went in which the newest revision was made.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/timeline",
    params(("namespace" = String, Path), ("name" = String, Path)),
    responses((status = 200, body = Timeline), Refused))]
pub async fn timeline(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
) -> Answer<Timeline> {
    Ok(Json(cluster.backend.timeline(&caller, &key(of)).await?))
}

/// The release's own tests, and what they came to.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/tests",
    params(("namespace" = String, Path), ("name" = String, Path)),
    responses((status = 200, body = TestReport), Refused))]
pub async fn tests(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
) -> Answer<TestReport> {
    Ok(Json(cluster.backend.tests(&caller, &key(of)).await?))
}

/// What differs between two revisions.
#[utoipa::path(get, path = "/namespaces/{namespace}/releases/{name}/comparison",
    params(("namespace" = String, Path), ("name" = String, Path), WhichRevisions),
    responses((status = 200, body = Comparison), Refused))]
pub async fn compare(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
    Query(which): Query<WhichRevisions>,
) -> Answer<Comparison> {
    let WhichRevisions { facet, from, to } = which;
    Ok(Json(cluster.backend.compare(&caller, &key(of), facet, from, to).await?))
}

/// What values would change that are about to be submitted.
#[utoipa::path(post, path = "/namespaces/{namespace}/releases/{name}/comparison",
    params(("namespace" = String, Path), ("name" = String, Path)),
    request_body = NewValues,
    responses((status = 200, body = Comparison), Refused))]
pub async fn compare_values(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<Key>,
    Body(NewValues { values, policy }): Body<NewValues>,
) -> Answer<Comparison> {
    Ok(Json(cluster.backend.compare_values(&caller, &key(of), values, policy).await?))
}

/// What a dry run would change of what is deployed.
#[utoipa::path(get, path = "/operations/{id}/preview/comparison", params(("id" = String, Path), WhichFacet),
    responses((status = 200, body = Comparison), Refused))]
pub async fn compare_preview(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<OperationId>,
    Query(WhichFacet { facet }): Query<WhichFacet>,
) -> Answer<Comparison> {
    Ok(Json(cluster.backend.compare_preview(&caller, &id, facet).await?))
}

/// What helm said in an operation since an earlier part of it.
#[utoipa::path(get, path = "/operations/{id}/log/part", params(("id" = String, Path), From),
    responses((status = 200, body = LogPart), Refused))]
pub async fn operation_log_part(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<OperationId>,
    Query(From { since }): Query<From>,
) -> Answer<LogPart> {
    Ok(Json(cluster.backend.operation_log_part(&caller, &id, since.as_deref()).await?))
}

/// The same in a terminal: the command line that does what an operation does.
#[utoipa::path(get, path = "/operations/{id}/command", params(("id" = String, Path)),
    responses((status = 200, body = CommandLine), Refused))]
pub async fn command_of(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<OperationId>,
) -> Answer<CommandLine> {
    Ok(Json(cluster.backend.command_of(&caller, &id).await?))
}

/// The same in a terminal, for what is about to be submitted. Nothing is.
#[utoipa::path(post, path = "/command", request_body = SubmitOperation,
    responses((status = 200, body = CommandLine), Refused))]
pub async fn command_for(
    Extension(cluster): Extension<Cluster>,
    Extension(caller): Extension<Caller>,
    Body(request): Body<SubmitOperation>,
) -> Answer<CommandLine> {
    Ok(Json(cluster.backend.command_for(&caller, request).await?))
}
