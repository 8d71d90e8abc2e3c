//! What the pages call. In the product the server answers; a recording can take its place (`recorded`).

pub mod call;
pub mod clock;
pub mod fetch;
pub mod kept;
pub mod pod_log;
pub mod poll;
mod read;
pub mod recorded;
pub mod session;
pub mod submitted;
pub mod upload;
mod write;

use std::future::Future;
use std::pin::Pin;

use wasm_bindgen::JsCast;

use crate::api;
use crate::model::{
    Accepted, Activity, ApiError, Catalogue, ChartDetail, CheckValues, ClusterList, CommandLine, Comparison,
    Facet, FormOf, HistoryEntry, LogPart, ObjectDetail, ObjectRef, Operation, OperationId, Picture, PodList,
    Preview, ReleaseKey, ReleaseList, ReleaseManifest, ReleaseUpdate, ReleaseValues, ReleaseView,
    RepositoryList, RepositorySpec, RepositoryState, RepositoryTest, SubmitOperation, TestReport, Timeline,
    Uploaded, ValuesCheck, ValuesPolicy, Version,
};
use call::{call, call_unread};

/// What a call will say.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// The calls that pages make: the server functions, each described in `api`. What answers them is the server, or a recording
/// that takes its place (`recorded`).
#[derive(Clone, Copy)]
pub struct Client;

impl Client {
    /// The clusters that there are.
    pub fn clusters(self) -> Answer<ClusterList> {
        call(api::ClustersCall {})
    }
    /// Who the user is, to the cluster.
    pub fn whoami(self) -> Answer<String> {
        call(api::WhoamiCall {})
    }
    /// The namespaces that the user may see.
    pub fn namespaces(self) -> Answer<Vec<String>> {
        call(api::NamespacesCall {})
    }
    /// The releases of one namespace or of all, held until newer than `since`.
    pub fn releases(self, namespace: Option<String>, since: Option<Version>) -> Answer<ReleaseList> {
        call(api::ReleasesCall { namespace, since })
    }
    /// One release, held until newer than `since`.
    pub fn release(self, key: ReleaseKey, since: Option<Version>) -> Answer<ReleaseView> {
        call(api::ReleaseCall { key, since })
    }
    /// Every revision of a release.
    pub fn history(self, key: ReleaseKey) -> Answer<Vec<HistoryEntry>> {
        call(api::HistoryCall { key })
    }
    /// A revision's values; the newest one's when none is named.
    pub fn values(self, key: ReleaseKey, revision: Option<u32>) -> Answer<ReleaseValues> {
        call(api::ValuesCall { key, revision })
    }
    /// A revision's manifest and hooks.
    pub fn manifest(self, key: ReleaseKey, revision: Option<u32>) -> Answer<ReleaseManifest> {
        call(api::ManifestCall { key, revision })
    }
    /// A revision's notes.
    pub fn notes(self, key: ReleaseKey, revision: Option<u32>) -> Answer<String> {
        call(api::NotesCall { key, revision })
    }
    /// Submits an operation.
    pub fn submit(self, request: SubmitOperation) -> Answer<Accepted> {
        let is_for_real = !request.options.dry_run;
        let answer = call(api::SubmitCall { request });
        if is_for_real { noted(answer) } else { answer }
    }
    /// One operation.
    pub fn operation(self, id: OperationId) -> Answer<Operation> {
        call(api::OperationCall { id })
    }
    /// What a dry run rendered.
    pub fn preview(self, id: OperationId) -> Answer<Preview> {
        call(api::PreviewCall { id })
    }
    /// Notes the wish that an operation end early.
    pub fn cancel(self, id: OperationId) -> Answer<Operation> {
        call(api::CancelCall { id })
    }
    /// Submits an operation that did not succeed once more.
    pub fn again(self, id: OperationId) -> Answer<Accepted> {
        noted(call(api::AgainCall { id }))
    }
    /// The values that an operation was submitted with.
    pub fn submitted_values(self, id: OperationId) -> Answer<String> {
        call(api::SubmittedValuesCall { id })
    }
    /// What helm said after `since`, held until there is more.
    pub fn operation_log_part(self, id: OperationId, since: Option<String>) -> Answer<LogPart> {
        call(api::OperationLogPartCall { id, since })
    }
    /// The command line that does what an operation does.
    pub fn command_of(self, id: OperationId) -> Answer<CommandLine> {
        call(api::CommandOfCall { id })
    }
    /// The command line that would do what is about to be submitted.
    pub fn command_for(self, request: SubmitOperation) -> Answer<CommandLine> {
        call(api::CommandForCall { request })
    }
    /// The operations, the newest first; of one namespace, or of one release, where named.
    pub fn operations(self, namespace: Option<String>, name: Option<String>) -> Answer<Vec<Operation>> {
        call(api::OperationsCall { namespace, name })
    }
    /// What is going on and what was lately; without its operations, when they are those of `since`.
    pub fn activity(self, since: Option<Version>) -> Answer<Activity> {
        call(api::ActivityCall { since })
    }
    /// A live object of a release.
    pub fn object(self, key: ReleaseKey, object: ObjectRef) -> Answer<ObjectDetail> {
        call(api::ObjectCall { key, object })
    }
    /// The pods of a release.
    pub fn pods(self, key: ReleaseKey) -> Answer<PodList> {
        call(api::PodsCall { key })
    }
    /// A release as a picture.
    pub fn picture(self, key: ReleaseKey) -> Answer<Picture> {
        call(api::PictureCall { key })
    }
    /// How the time went.
    pub fn timeline(self, key: ReleaseKey) -> Answer<Timeline> {
        call(api::TimelineCall { key })
    }
    /// The release's own tests.
    pub fn tests(self, key: ReleaseKey) -> Answer<TestReport> {
        call(api::TestsCall { key })
    }
    /// What differs between two revisions.
    pub fn compare(
        self,
        key: ReleaseKey,
        facet: Facet,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Answer<Comparison> {
        call(api::CompareCall { key, facet, from, to })
    }
    /// What a dry run would change.
    pub fn compare_preview(self, id: OperationId, facet: Facet) -> Answer<Comparison> {
        call(api::ComparePreviewCall { id, facet })
    }
    /// What values that are about to be submitted would change.
    pub fn compare_values(self, key: ReleaseKey, values: String, policy: ValuesPolicy) -> Answer<Comparison> {
        call(api::CompareValuesCall { key, values, policy })
    }
    /// The charts of all repositories, with those of a namespace where one is named.
    pub fn catalogue(self, namespace: Option<String>) -> Answer<Catalogue> {
        call(api::CatalogueCall { namespace })
    }
    /// One chart; its newest stable version when none is named.
    pub fn chart(self, repository: String, name: String, version: Option<String>) -> Answer<ChartDetail> {
        call(api::ChartCall { repository, name, version })
    }
    /// The chart at an address, for a namespace that it may be installed in.
    pub fn chart_elsewhere(
        self,
        namespace: String,
        url: String,
        version: Option<String>,
    ) -> Answer<ChartDetail> {
        call(api::ChartElsewhereCall { namespace, url, version })
    }
    /// A chart that the user has uploaded.
    pub fn uploaded(self, upload: String) -> Answer<Uploaded> {
        call(api::UploadedCall { upload })
    }
    /// The form of a chart's values, as JSON: the script that draws it reads it.
    pub fn chart_form(self, request: FormOf) -> Answer<String> {
        call_unread(api::ChartFormCall { request })
    }
    /// What is wrong with values, as the chart's schema has it.
    pub fn check_values(self, request: CheckValues) -> Answer<ValuesCheck> {
        call(api::CheckValuesCall { request })
    }
    /// The repositories that the user may see.
    pub fn repositories(self, namespace: Option<String>) -> Answer<RepositoryList> {
        call(api::RepositoriesCall { namespace })
    }
    /// Whether a repository can be used with the given settings.
    pub fn test_repository(self, spec: RepositorySpec, of: Option<String>) -> Answer<RepositoryTest> {
        call(api::TestRepositoryCall { spec, of })
    }
    /// Fetches a repository's index now.
    pub fn look_again(self, repository: String) -> Answer<RepositoryState> {
        call(api::LookAgainCall { repository })
    }
    /// Adds a repository.
    pub fn add_repository(self, spec: RepositorySpec) -> Answer<RepositoryState> {
        call(api::AddRepositoryCall { spec })
    }
    /// Changes a repository.
    pub fn change_repository(self, name: String, spec: RepositorySpec) -> Answer<RepositoryState> {
        call(api::ChangeRepositoryCall { name, spec })
    }
    /// Removes a repository, and answers with its name.
    pub fn remove_repository(self, name: String) -> Answer<String> {
        call(api::RemoveRepositoryCall { name })
    }
    /// The releases whose chart has a newer version.
    pub fn updates(self, namespace: Option<String>) -> Answer<Vec<ReleaseUpdate>> {
        call(api::UpdatesCall { namespace })
    }
}

/// Remembers what was accepted, so that its end can be told on whichever page the user is then.
fn noted(answer: Answer<Accepted>) -> Answer<Accepted> {
    Box::pin(async move {
        let accepted = answer.await?;
        submitted::note(&accepted.id);
        Ok(accepted)
    })
}

/// What answers the calls of this page.
pub fn client() -> Client {
    Client
}

/// A key for one intent of the user's: submitted twice with the same key, it is still one operation.
pub fn new_key() -> String {
    // Without a secure context (plain http, not loopback) the browser has no randomUUID; calling it throws then.
    let crypto = js_sys::Reflect::get(&js_sys::global(), &"crypto".into()).ok();
    let maker = crypto.as_ref().and_then(|crypto| js_sys::Reflect::get(crypto, &"randomUUID".into()).ok());
    let maker = maker.and_then(|maker| maker.dyn_into::<js_sys::Function>().ok());
    let made = crypto.zip(maker).and_then(|(crypto, maker)| maker.call0(&crypto).ok()?.as_string());
    made.unwrap_or_else(|| [js_sys::Date::now(), js_sys::Math::random()].map(random_words).concat())
}

fn random_words(number: f64) -> String {
    js_sys::Number::from(number).to_string_with_radix(36).map(String::from).unwrap_or_default()
}
