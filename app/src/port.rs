//! What the server functions and the JSON API need of the world, in the domain's words.

mod inspection;

use async_trait::async_trait;

pub use inspection::{Inspection, PodLog};

use crate::model::{
    Accepted, Activity, ApiError, Catalogue, ChartDetail, CheckValues, Form, FormOf, HistoryEntry, Operation,
    OperationId, Preview, ReleaseKey, ReleaseList, ReleaseManifest, ReleaseUpdate, ReleaseValues,
    ReleaseView, RepositoryList, RepositorySpec, RepositoryState, RepositoryTest, SubmitOperation, Uploaded,
    ValuesCheck, Version,
};

/// Who asks. Made by the server for each request; never by a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Caller {
    /// The user as the cluster names them.
    pub user: String,
}

/// The world behind the pages. Each call checks the caller's own rights; an answer holds only what they may see.
#[async_trait]
pub trait Backend: Inspection {
    /// Who the caller is, to the cluster.
    async fn whoami(&self, caller: &Caller) -> Result<String, ApiError>;
    /// The namespaces that the caller may see, by name.
    async fn namespaces(&self, caller: &Caller) -> Result<Vec<String>, ApiError>;
    /// The releases of one namespace, or of all; held until newer than `since`, for 25 s at most, then answered as it is.
    async fn releases(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
        since: Option<&Version>,
    ) -> Result<ReleaseList, ApiError>;
    /// One release; held like [`Backend::releases`]. A release that is not there is a view with the phase `NotFound`.
    async fn release(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        since: Option<&Version>,
    ) -> Result<ReleaseView, ApiError>;
    /// Every revision, the newest first.
    async fn history(&self, caller: &Caller, key: &ReleaseKey) -> Result<Vec<HistoryEntry>, ApiError>;
    /// A revision's values; the newest revision's when none is named.
    async fn values(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        revision: Option<u32>,
    ) -> Result<ReleaseValues, ApiError>;
    /// A revision's manifest and hooks.
    async fn manifest(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        revision: Option<u32>,
    ) -> Result<ReleaseManifest, ApiError>;
    /// A revision's notes; empty if the chart has none.
    async fn notes(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        revision: Option<u32>,
    ) -> Result<String, ApiError>;
    /// Accepts an operation: checked and recorded when this returns, carried out afterwards.
    async fn submit(&self, caller: &Caller, request: SubmitOperation) -> Result<Accepted, ApiError>;
    /// The operations, the newest first; of one namespace, or of one release, where named.
    async fn operations(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
        name: Option<&str>,
    ) -> Result<Vec<Operation>, ApiError>;
    /// What is going on and what was lately, in all namespaces whose operations the caller may see; without its operations,
    /// when they are those of `since`. Answered at once.
    async fn activity(&self, caller: &Caller, since: Option<&Version>) -> Result<Activity, ApiError>;
    /// One operation.
    async fn operation(&self, caller: &Caller, id: &OperationId) -> Result<Operation, ApiError>;
    /// What helm said so far: its output, attempt by attempt.
    async fn operation_log(&self, caller: &Caller, id: &OperationId) -> Result<String, ApiError>;
    /// Notes the wish that an operation end early; answers with it as it is then.
    async fn cancel(&self, caller: &Caller, id: &OperationId) -> Result<Operation, ApiError>;
    /// Accepts what does an operation that did not succeed once more, with what it was submitted with.
    async fn again(&self, caller: &Caller, id: &OperationId) -> Result<Accepted, ApiError>;
    /// The values that an operation was submitted with, for whoever may run it again with them.
    async fn submitted_values(&self, caller: &Caller, id: &OperationId) -> Result<String, ApiError>;
    /// What a dry run rendered.
    async fn preview(&self, caller: &Caller, id: &OperationId) -> Result<Preview, ApiError>;
    /// The charts of all repositories that the caller may see, with those of a namespace where one is named.
    async fn catalogue(&self, caller: &Caller, namespace: Option<&str>) -> Result<Catalogue, ApiError>;
    /// One chart; its newest stable version when none is named.
    async fn chart(
        &self,
        caller: &Caller,
        repository: &str,
        name: &str,
        version: Option<&str>,
    ) -> Result<ChartDetail, ApiError>;
    /// The form of a chart's values.
    async fn chart_form(&self, caller: &Caller, request: &FormOf) -> Result<Form, ApiError>;
    /// What is wrong with values, as the chart's schema has it. Nothing is kept of them.
    async fn check_values(&self, caller: &Caller, request: CheckValues) -> Result<ValuesCheck, ApiError>;
    /// The chart at an address: an archive's (http, https), or one in a registry (oci), there its newest stable version
    /// when none is named. For whoever may install in `namespace`.
    async fn chart_elsewhere(
        &self,
        caller: &Caller,
        namespace: &str,
        url: &str,
        version: Option<&str>,
    ) -> Result<ChartDetail, ApiError>;
    /// Takes a chart's archive, to be installed within a day. For whoever may install in `namespace`.
    async fn upload(&self, caller: &Caller, namespace: &str, archive: Vec<u8>) -> Result<Uploaded, ApiError>;
    /// A chart that the caller has uploaded.
    async fn uploaded(&self, caller: &Caller, upload: &str) -> Result<Uploaded, ApiError>;
    /// The repositories that the caller may see, with those of a namespace where one is named.
    async fn repositories(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
    ) -> Result<RepositoryList, ApiError>;
    /// Fetches a repository's index with the given settings and stores nothing. For a change of the repository `of`,
    /// credentials that are left out are those that it has.
    async fn test_repository(
        &self,
        caller: &Caller,
        spec: RepositorySpec,
        of: Option<&str>,
    ) -> Result<RepositoryTest, ApiError>;
    /// Fetches a repository's index now, and says how the repository is then.
    async fn look_again(&self, caller: &Caller, repository: &str) -> Result<RepositoryState, ApiError>;
    /// Adds a repository.
    async fn add_repository(
        &self,
        caller: &Caller,
        spec: RepositorySpec,
    ) -> Result<RepositoryState, ApiError>;
    /// Changes a repository to be as `spec` says.
    async fn change_repository(
        &self,
        caller: &Caller,
        name: &str,
        spec: RepositorySpec,
    ) -> Result<RepositoryState, ApiError>;
    /// Removes a repository.
    async fn remove_repository(&self, caller: &Caller, name: &str) -> Result<(), ApiError>;
    /// The releases whose chart has a newer version, as far as is known; of one namespace or of all.
    async fn updates(&self, caller: &Caller, namespace: Option<&str>)
    -> Result<Vec<ReleaseUpdate>, ApiError>;
}
