//! What the tabs of a release's page ask. Streams of pods' logs are no server functions: see `/api/v1`.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;

#[cfg(feature = "ssr")]
use super::context::world;
use crate::model::{
    ApiError, CommandLine, Comparison, Facet, LogPart, ObjectDetail, ObjectRef, OperationId, Picture,
    PodList, ReleaseKey, SubmitOperation, TestReport, Timeline, ValuesPolicy,
};

/// A live object of a release.
#[server(name = ObjectCall, prefix = "/api/ui", endpoint = "object", input = Json, output = Json)]
pub async fn object(key: ReleaseKey, object: ObjectRef) -> Result<ObjectDetail, ApiError> {
    let (world, caller) = world()?;
    world.object(&caller, &key, &object).await
}

/// The pods of a release.
#[server(name = PodsCall, prefix = "/api/ui", endpoint = "pods", input = Json, output = Json)]
pub async fn pods(key: ReleaseKey) -> Result<PodList, ApiError> {
    let (world, caller) = world()?;
    world.pods(&caller, &key).await
}

/// A release as a picture.
#[server(name = PictureCall, prefix = "/api/ui", endpoint = "picture", input = Json, output = Json)]
pub async fn picture(key: ReleaseKey) -> Result<Picture, ApiError> {
    let (world, caller) = world()?;
    world.picture(&caller, &key).await
}

/// How the time went.
#[server(name = TimelineCall, prefix = "/api/ui", endpoint = "timeline", input = Json, output = Json)]
pub async fn timeline(key: ReleaseKey) -> Result<Timeline, ApiError> {
    let (world, caller) = world()?;
    world.timeline(&caller, &key).await
}

/// The release's own tests.
#[server(name = TestsCall, prefix = "/api/ui", endpoint = "tests", input = Json, output = Json)]
pub async fn tests(key: ReleaseKey) -> Result<TestReport, ApiError> {
    let (world, caller) = world()?;
    world.tests(&caller, &key).await
}

/// What differs between two revisions.
#[server(name = CompareCall, prefix = "/api/ui", endpoint = "compare", input = Json, output = Json)]
pub async fn compare(
    key: ReleaseKey,
    facet: Facet,
    from: Option<u32>,
    to: Option<u32>,
) -> Result<Comparison, ApiError> {
    let (world, caller) = world()?;
    world.compare(&caller, &key, facet, from, to).await
}

/// What a dry run would change.
#[server(name = ComparePreviewCall, prefix = "/api/ui", endpoint = "compare_preview", input = Json, output = Json)]
pub async fn compare_preview(id: OperationId, facet: Facet) -> Result<Comparison, ApiError> {
    let (world, caller) = world()?;
    world.compare_preview(&caller, &id, facet).await
}

/// What values that are about to be submitted would change.
#[server(name = CompareValuesCall, prefix = "/api/ui", endpoint = "compare_values", input = Json, output = Json)]
pub async fn compare_values(
    key: ReleaseKey,
    values: String,
    policy: ValuesPolicy,
) -> Result<Comparison, ApiError> {
    let (world, caller) = world()?;
    world.compare_values(&caller, &key, values, policy).await
}

/// What helm said since an earlier part, held until there is more.
#[server(name = OperationLogPartCall, prefix = "/api/ui", endpoint = "operation_log_part", input = Json, output = Json)]
pub async fn operation_log_part(id: OperationId, since: Option<String>) -> Result<LogPart, ApiError> {
    let (world, caller) = world()?;
    world.operation_log_part(&caller, &id, since.as_deref()).await
}

/// The command line that does what an operation does.
#[server(name = CommandOfCall, prefix = "/api/ui", endpoint = "command_of", input = Json, output = Json)]
pub async fn command_of(id: OperationId) -> Result<CommandLine, ApiError> {
    let (world, caller) = world()?;
    world.command_of(&caller, &id).await
}

/// The command line that would do what is about to be submitted.
#[server(name = CommandForCall, prefix = "/api/ui", endpoint = "command_for", input = Json, output = Json)]
pub async fn command_for(request: SubmitOperation) -> Result<CommandLine, ApiError> {
    let (world, caller) = world()?;
    world.command_for(&caller, request).await
}
