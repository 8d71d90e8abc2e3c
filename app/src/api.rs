//! The table of server functions: what the pages ask of the server. Each only hands on to the port.
//!
//! Prefix and endpoint are explicit: the default ones hash the folder that the program was built in.

#![allow(
    missing_docs,
    reason = "the macro makes a struct of each function's arguments; the function has the docs"
)]

mod inspection;

use leptos::prelude::*;
use leptos::server_fn::{
    codec::Json,
    error::{FromServerFnError, ServerFnErrorErr},
};

pub use inspection::*;

use crate::model::{
    Accepted, Activity, ApiError, Catalogue, ChartDetail, CheckValues, ClusterList, Form, FormOf,
    HistoryEntry, Operation, OperationId, Preview, ReleaseKey, ReleaseList, ReleaseManifest, ReleaseUpdate,
    ReleaseValues, ReleaseView, RepositoryList, RepositorySpec, RepositoryState, RepositoryTest,
    SubmitOperation, Uploaded, ValuesCheck, Version,
};

impl FromServerFnError for ApiError {
    type Encoder = leptos::server_fn::codec::JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        // In the browser each of them is about the way to the server and back.
        if cfg!(all(feature = "csr", not(feature = "ssr"))) {
            let message = match error {
                ServerFnErrorErr::Request(_) => "Slipway cannot be reached.",
                _ => "Slipway’s answer cannot be read. It may be of another version: load the page again.",
            };
            return Self::Unreachable { message: message.into() };
        }
        match error {
            ServerFnErrorErr::Args(message)
            | ServerFnErrorErr::MissingArg(message)
            | ServerFnErrorErr::Deserialization(message) => {
                Self::Invalid { field: None, line: None, message }
            }
            other => Self::Unreachable { message: other.to_string() },
        }
    }
}

#[cfg(feature = "ssr")]
mod context {
    use std::sync::Arc;

    use leptos::prelude::use_context;

    use crate::model::ApiError;
    use crate::port::{Backend, Caller};

    /// What the server puts into each request's context.
    pub fn world() -> Result<(Arc<dyn Backend>, Caller), ApiError> {
        use_context::<Arc<dyn Backend>>()
            .zip(use_context::<Caller>())
            .ok_or_else(|| ApiError::Internal { request: "without context".into() })
    }
}
#[cfg(feature = "ssr")]
use context::world;

/// The clusters; which of them the page is about is in its address.
#[server(name = ClustersCall, prefix = "/api/ui", endpoint = "clusters", input = Json, output = Json)]
pub async fn clusters() -> Result<ClusterList, ApiError> {
    use_context::<ClusterList>().ok_or_else(|| ApiError::Internal { request: "without context".into() })
}

/// Who the user is, to the cluster.
#[server(name = WhoamiCall, prefix = "/api/ui", endpoint = "whoami", input = Json, output = Json)]
pub async fn whoami() -> Result<String, ApiError> {
    let (world, caller) = world()?;
    world.whoami(&caller).await
}

/// The namespaces that the user may see.
#[server(name = NamespacesCall, prefix = "/api/ui", endpoint = "namespaces", input = Json, output = Json)]
pub async fn namespaces() -> Result<Vec<String>, ApiError> {
    let (world, caller) = world()?;
    world.namespaces(&caller).await
}

/// The releases of one namespace or of all, held until newer than `since`.
#[server(name = ReleasesCall, prefix = "/api/ui", endpoint = "releases", input = Json, output = Json)]
pub async fn releases(namespace: Option<String>, since: Option<Version>) -> Result<ReleaseList, ApiError> {
    let (world, caller) = world()?;
    world.releases(&caller, namespace.as_deref(), since.as_ref()).await
}

/// One release, held until newer than `since`.
#[server(name = ReleaseCall, prefix = "/api/ui", endpoint = "release", input = Json, output = Json)]
pub async fn release(key: ReleaseKey, since: Option<Version>) -> Result<ReleaseView, ApiError> {
    let (world, caller) = world()?;
    world.release(&caller, &key, since.as_ref()).await
}

/// Every revision of a release.
#[server(name = HistoryCall, prefix = "/api/ui", endpoint = "history", input = Json, output = Json)]
pub async fn history(key: ReleaseKey) -> Result<Vec<HistoryEntry>, ApiError> {
    let (world, caller) = world()?;
    world.history(&caller, &key).await
}

/// A revision's values.
#[server(name = ValuesCall, prefix = "/api/ui", endpoint = "values", input = Json, output = Json)]
pub async fn values(key: ReleaseKey, revision: Option<u32>) -> Result<ReleaseValues, ApiError> {
    let (world, caller) = world()?;
    world.values(&caller, &key, revision).await
}

/// A revision's manifest and hooks.
#[server(name = ManifestCall, prefix = "/api/ui", endpoint = "manifest", input = Json, output = Json)]
pub async fn manifest(key: ReleaseKey, revision: Option<u32>) -> Result<ReleaseManifest, ApiError> {
    let (world, caller) = world()?;
    world.manifest(&caller, &key, revision).await
}

/// A revision's notes.
#[server(name = NotesCall, prefix = "/api/ui", endpoint = "notes", input = Json, output = Json)]
pub async fn notes(key: ReleaseKey, revision: Option<u32>) -> Result<String, ApiError> {
    let (world, caller) = world()?;
    world.notes(&caller, &key, revision).await
}

/// Submits an operation.
#[server(name = SubmitCall, prefix = "/api/ui", endpoint = "submit", input = Json, output = Json)]
pub async fn submit(request: SubmitOperation) -> Result<Accepted, ApiError> {
    let (world, caller) = world()?;
    world.submit(&caller, request).await
}

/// The operations, the newest first; of one namespace, or of one release, where named.
#[server(name = OperationsCall, prefix = "/api/ui", endpoint = "operations", input = Json, output = Json)]
pub async fn operations(namespace: Option<String>, name: Option<String>) -> Result<Vec<Operation>, ApiError> {
    let (world, caller) = world()?;
    world.operations(&caller, namespace.as_deref(), name.as_deref()).await
}

/// What is going on and what was lately; without its operations, when they are those of `since`.
#[server(name = ActivityCall, prefix = "/api/ui", endpoint = "activity", input = Json, output = Json)]
pub async fn activity(since: Option<Version>) -> Result<Activity, ApiError> {
    let (world, caller) = world()?;
    world.activity(&caller, since.as_ref()).await
}

/// One operation.
#[server(name = OperationCall, prefix = "/api/ui", endpoint = "operation", input = Json, output = Json)]
pub async fn operation(id: OperationId) -> Result<Operation, ApiError> {
    let (world, caller) = world()?;
    world.operation(&caller, &id).await
}

/// What a dry run rendered.
#[server(name = PreviewCall, prefix = "/api/ui", endpoint = "preview", input = Json, output = Json)]
pub async fn preview(id: OperationId) -> Result<Preview, ApiError> {
    let (world, caller) = world()?;
    world.preview(&caller, &id).await
}

/// Notes the wish that an operation end early.
#[server(name = CancelCall, prefix = "/api/ui", endpoint = "cancel", input = Json, output = Json)]
pub async fn cancel(id: OperationId) -> Result<Operation, ApiError> {
    let (world, caller) = world()?;
    world.cancel(&caller, &id).await
}

/// Submits an operation that did not succeed once more.
#[server(name = AgainCall, prefix = "/api/ui", endpoint = "again", input = Json, output = Json)]
pub async fn again(id: OperationId) -> Result<Accepted, ApiError> {
    let (world, caller) = world()?;
    world.again(&caller, &id).await
}

/// The values that an operation was submitted with.
#[server(name = SubmittedValuesCall, prefix = "/api/ui", endpoint = "submitted_values", input = Json, output = Json)]
pub async fn submitted_values(id: OperationId) -> Result<String, ApiError> {
    let (world, caller) = world()?;
    world.submitted_values(&caller, &id).await
}

/// The charts of all repositories that the user may see, with those of a namespace where one is named.
#[server(name = CatalogueCall, prefix = "/api/ui", endpoint = "catalogue", input = Json, output = Json)]
pub async fn catalogue(namespace: Option<String>) -> Result<Catalogue, ApiError> {
    let (world, caller) = world()?;
    world.catalogue(&caller, namespace.as_deref()).await
}

/// One chart.
#[server(name = ChartCall, prefix = "/api/ui", endpoint = "chart", input = Json, output = Json)]
pub async fn chart(
    repository: String,
    name: String,
    version: Option<String>,
) -> Result<ChartDetail, ApiError> {
    let (world, caller) = world()?;
    world.chart(&caller, &repository, &name, version.as_deref()).await
}

/// The form of a chart's values.
#[server(name = ChartFormCall, prefix = "/api/ui", endpoint = "chart_form", input = Json, output = Json)]
pub async fn chart_form(request: FormOf) -> Result<Form, ApiError> {
    let (world, caller) = world()?;
    world.chart_form(&caller, &request).await
}

/// What is wrong with values, as the chart's schema has it.
#[server(name = CheckValuesCall, prefix = "/api/ui", endpoint = "check_values", input = Json, output = Json)]
pub async fn check_values(request: CheckValues) -> Result<ValuesCheck, ApiError> {
    let (world, caller) = world()?;
    world.check_values(&caller, request).await
}

/// The chart at an address, for a namespace that it may be installed in.
#[server(name = ChartElsewhereCall, prefix = "/api/ui", endpoint = "chart_elsewhere", input = Json, output = Json)]
pub async fn chart_elsewhere(
    namespace: String,
    url: String,
    version: Option<String>,
) -> Result<ChartDetail, ApiError> {
    let (world, caller) = world()?;
    world.chart_elsewhere(&caller, &namespace, &url, version.as_deref()).await
}

/// A chart that the user has uploaded. The archive itself goes to `/api/v1/uploads`.
#[server(name = UploadedCall, prefix = "/api/ui", endpoint = "uploaded", input = Json, output = Json)]
pub async fn uploaded(upload: String) -> Result<Uploaded, ApiError> {
    let (world, caller) = world()?;
    world.uploaded(&caller, &upload).await
}

/// The repositories that the user may see.
#[server(name = RepositoriesCall, prefix = "/api/ui", endpoint = "repositories", input = Json, output = Json)]
pub async fn repositories(namespace: Option<String>) -> Result<RepositoryList, ApiError> {
    let (world, caller) = world()?;
    world.repositories(&caller, namespace.as_deref()).await
}

/// Whether a repository can be used with the given settings.
#[server(name = TestRepositoryCall, prefix = "/api/ui", endpoint = "test_repository", input = Json, output = Json)]
pub async fn test_repository(spec: RepositorySpec, of: Option<String>) -> Result<RepositoryTest, ApiError> {
    let (world, caller) = world()?;
    world.test_repository(&caller, spec, of.as_deref()).await
}

/// Fetches a repository's index now, and says how the repository is then.
#[server(name = LookAgainCall, prefix = "/api/ui", endpoint = "look_again", input = Json, output = Json)]
pub async fn look_again(repository: String) -> Result<RepositoryState, ApiError> {
    let (world, caller) = world()?;
    world.look_again(&caller, &repository).await
}

/// Adds a repository.
#[server(name = AddRepositoryCall, prefix = "/api/ui", endpoint = "add_repository", input = Json, output = Json)]
pub async fn add_repository(spec: RepositorySpec) -> Result<RepositoryState, ApiError> {
    let (world, caller) = world()?;
    world.add_repository(&caller, spec).await
}

/// Changes a repository.
#[server(name = ChangeRepositoryCall, prefix = "/api/ui", endpoint = "change_repository", input = Json, output = Json)]
pub async fn change_repository(name: String, spec: RepositorySpec) -> Result<RepositoryState, ApiError> {
    let (world, caller) = world()?;
    world.change_repository(&caller, &name, spec).await
}

/// Removes a repository, and answers with its name.
#[server(name = RemoveRepositoryCall, prefix = "/api/ui", endpoint = "remove_repository", input = Json, output = Json)]
pub async fn remove_repository(name: String) -> Result<String, ApiError> {
    let (world, caller) = world()?;
    world.remove_repository(&caller, &name).await.map(|()| name)
}

/// The releases whose chart has a newer version.
#[server(name = UpdatesCall, prefix = "/api/ui", endpoint = "updates", input = Json, output = Json)]
pub async fn updates(namespace: Option<String>) -> Result<Vec<ReleaseUpdate>, ApiError> {
    let (world, caller) = world()?;
    world.updates(&caller, namespace.as_deref()).await
}
