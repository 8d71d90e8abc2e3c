//! What the pages call. In the product it is the server functions; a recording can take its place.

pub mod call;
pub mod clock;
pub mod fetch;
pub mod kept;
pub mod pod_log;
pub mod poll;
mod read;
pub mod session;
pub mod submitted;
pub mod upload;
mod write;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude::{provide_context, use_context};
use wasm_bindgen::JsCast;

use crate::api;
use crate::model::{
    Accepted, Activity, ApiError, Catalogue, ChartDetail, CheckValues, ClusterList, CommandLine, Comparison,
    Facet, FormOf, HistoryEntry, LogPart, ObjectDetail, ObjectRef, Operation, OperationId, Picture, PodList,
    Preview, ReleaseKey, ReleaseList, ReleaseUpdate, ReleaseValues, ReleaseView, RepositoryList,
    RepositorySpec, RepositoryState, RepositoryTest, SubmitOperation, TestReport, Timeline, Uploaded,
    ValuesCheck, ValuesPolicy, Version,
};
use call::{call, call_unread};

/// What a call will say.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// The calls that pages make. Each is described at the server function of its name in `api`.
pub trait Client: Send + Sync {
    /// The clusters that there are.
    fn clusters(&self) -> Answer<ClusterList>;
    /// Who the user is, to the cluster.
    fn whoami(&self) -> Answer<String>;
    /// The namespaces that the user may see.
    fn namespaces(&self) -> Answer<Vec<String>>;
    /// The releases of one namespace or of all, held until newer than `since`.
    fn releases(&self, namespace: Option<String>, since: Option<Version>) -> Answer<ReleaseList>;
    /// One release, held until newer than `since`.
    fn release(&self, key: ReleaseKey, since: Option<Version>) -> Answer<ReleaseView>;
    /// Every revision of a release.
    fn history(&self, key: ReleaseKey) -> Answer<Vec<HistoryEntry>>;
    /// A revision's values; the newest one's when none is named.
    fn values(&self, key: ReleaseKey, revision: Option<u32>) -> Answer<ReleaseValues>;
    /// A revision's manifest.
    fn manifest(&self, key: ReleaseKey, revision: Option<u32>) -> Answer<String>;
    /// A revision's notes.
    fn notes(&self, key: ReleaseKey, revision: Option<u32>) -> Answer<String>;
    /// Submits an operation.
    fn submit(&self, request: SubmitOperation) -> Answer<Accepted>;
    /// One operation.
    fn operation(&self, id: OperationId) -> Answer<Operation>;
    /// What a dry run rendered.
    fn preview(&self, id: OperationId) -> Answer<Preview>;
    /// Notes the wish that an operation end early.
    fn cancel(&self, id: OperationId) -> Answer<Operation>;
    /// Submits an operation that did not succeed once more.
    fn again(&self, id: OperationId) -> Answer<Accepted>;
    /// What helm said after `since`, held until there is more.
    fn operation_log_part(&self, id: OperationId, since: Option<String>) -> Answer<LogPart>;
    /// The command line that does what an operation does.
    fn command_of(&self, id: OperationId) -> Answer<CommandLine>;
    /// The command line that would do what is about to be submitted.
    fn command_for(&self, request: SubmitOperation) -> Answer<CommandLine>;
    /// The operations, the newest first; of one namespace, or of one release, where named.
    fn operations(&self, namespace: Option<String>, name: Option<String>) -> Answer<Vec<Operation>>;
    /// What is going on and what was lately; without its operations, when they are those of `since`.
    fn activity(&self, since: Option<Version>) -> Answer<Activity>;
    /// A live object of a release.
    fn object(&self, key: ReleaseKey, object: ObjectRef) -> Answer<ObjectDetail>;
    /// The pods of a release.
    fn pods(&self, key: ReleaseKey) -> Answer<PodList>;
    /// A release as a picture.
    fn picture(&self, key: ReleaseKey) -> Answer<Picture>;
    /// How the time went.
    fn timeline(&self, key: ReleaseKey) -> Answer<Timeline>;
    /// The release's own tests.
    fn tests(&self, key: ReleaseKey) -> Answer<TestReport>;
    /// What differs between two revisions.
    fn compare(
        &self,
        key: ReleaseKey,
        facet: Facet,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Answer<Comparison>;
    /// What a dry run would change.
    fn compare_preview(&self, id: OperationId, facet: Facet) -> Answer<Comparison>;
    /// What values that are about to be submitted would change.
    fn compare_values(&self, key: ReleaseKey, values: String, policy: ValuesPolicy) -> Answer<Comparison>;
    /// The charts of all repositories, with those of a namespace where one is named.
    fn catalogue(&self, namespace: Option<String>) -> Answer<Catalogue>;
    /// One chart; its newest stable version when none is named.
    fn chart(&self, repository: String, name: String, version: Option<String>) -> Answer<ChartDetail>;
    /// The chart at an address, for a namespace that it may be installed in.
    fn chart_elsewhere(&self, namespace: String, url: String, version: Option<String>)
    -> Answer<ChartDetail>;
    /// A chart that the user has uploaded.
    fn uploaded(&self, upload: String) -> Answer<Uploaded>;
    /// The form of a chart's values, as JSON: the script that draws it reads it.
    fn chart_form(&self, request: FormOf) -> Answer<String>;
    /// What is wrong with values, as the chart's schema has it.
    fn check_values(&self, request: CheckValues) -> Answer<ValuesCheck>;
    /// The repositories that the user may see.
    fn repositories(&self, namespace: Option<String>) -> Answer<RepositoryList>;
    /// Whether a repository can be used with the given settings.
    fn test_repository(&self, spec: RepositorySpec, of: Option<String>) -> Answer<RepositoryTest>;
    /// Fetches a repository's index now.
    fn look_again(&self, repository: String) -> Answer<RepositoryState>;
    /// Adds a repository.
    fn add_repository(&self, spec: RepositorySpec) -> Answer<RepositoryState>;
    /// Changes a repository.
    fn change_repository(&self, name: String, spec: RepositorySpec) -> Answer<RepositoryState>;
    /// Removes a repository, and answers with its name.
    fn remove_repository(&self, name: String) -> Answer<String>;
    /// The releases whose chart has a newer version.
    fn updates(&self, namespace: Option<String>) -> Answer<Vec<ReleaseUpdate>>;
}

/// The product's client: the server functions.
struct Server;

impl Client for Server {
    fn clusters(&self) -> Answer<ClusterList> {
        call(api::ClustersCall {})
    }
    fn whoami(&self) -> Answer<String> {
        call(api::WhoamiCall {})
    }
    fn namespaces(&self) -> Answer<Vec<String>> {
        call(api::NamespacesCall {})
    }
    fn releases(&self, namespace: Option<String>, since: Option<Version>) -> Answer<ReleaseList> {
        call(api::ReleasesCall { namespace, since })
    }
    fn release(&self, key: ReleaseKey, since: Option<Version>) -> Answer<ReleaseView> {
        call(api::ReleaseCall { key, since })
    }
    fn history(&self, key: ReleaseKey) -> Answer<Vec<HistoryEntry>> {
        call(api::HistoryCall { key })
    }
    fn values(&self, key: ReleaseKey, revision: Option<u32>) -> Answer<ReleaseValues> {
        call(api::ValuesCall { key, revision })
    }
    fn manifest(&self, key: ReleaseKey, revision: Option<u32>) -> Answer<String> {
        call(api::ManifestCall { key, revision })
    }
    fn notes(&self, key: ReleaseKey, revision: Option<u32>) -> Answer<String> {
        call(api::NotesCall { key, revision })
    }
    fn submit(&self, request: SubmitOperation) -> Answer<Accepted> {
        let is_for_real = !request.options.dry_run;
        let answer = call(api::SubmitCall { request });
        if is_for_real { noted(answer) } else { answer }
    }
    fn operation(&self, id: OperationId) -> Answer<Operation> {
        call(api::OperationCall { id })
    }
    fn preview(&self, id: OperationId) -> Answer<Preview> {
        call(api::PreviewCall { id })
    }
    fn cancel(&self, id: OperationId) -> Answer<Operation> {
        call(api::CancelCall { id })
    }
    fn again(&self, id: OperationId) -> Answer<Accepted> {
        noted(call(api::AgainCall { id }))
    }
    fn operation_log_part(&self, id: OperationId, since: Option<String>) -> Answer<LogPart> {
        call(api::OperationLogPartCall { id, since })
    }
    fn command_of(&self, id: OperationId) -> Answer<CommandLine> {
        call(api::CommandOfCall { id })
    }
    fn command_for(&self, request: SubmitOperation) -> Answer<CommandLine> {
        call(api::CommandForCall { request })
    }
    fn operations(&self, namespace: Option<String>, name: Option<String>) -> Answer<Vec<Operation>> {
        call(api::OperationsCall { namespace, name })
    }
    fn activity(&self, since: Option<Version>) -> Answer<Activity> {
        call(api::ActivityCall { since })
    }
    fn object(&self, key: ReleaseKey, object: ObjectRef) -> Answer<ObjectDetail> {
        call(api::ObjectCall { key, object })
    }
    fn pods(&self, key: ReleaseKey) -> Answer<PodList> {
        call(api::PodsCall { key })
    }
    fn picture(&self, key: ReleaseKey) -> Answer<Picture> {
        call(api::PictureCall { key })
    }
    fn timeline(&self, key: ReleaseKey) -> Answer<Timeline> {
        call(api::TimelineCall { key })
    }
    fn tests(&self, key: ReleaseKey) -> Answer<TestReport> {
        call(api::TestsCall { key })
    }
    fn compare(
        &self,
        key: ReleaseKey,
        facet: Facet,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Answer<Comparison> {
        call(api::CompareCall { key, facet, from, to })
    }
    fn compare_preview(&self, id: OperationId, facet: Facet) -> Answer<Comparison> {
        call(api::ComparePreviewCall { id, facet })
    }
    fn compare_values(&self, key: ReleaseKey, values: String, policy: ValuesPolicy) -> Answer<Comparison> {
        call(api::CompareValuesCall { key, values, policy })
    }
    fn catalogue(&self, namespace: Option<String>) -> Answer<Catalogue> {
        call(api::CatalogueCall { namespace })
    }
    fn chart(&self, repository: String, name: String, version: Option<String>) -> Answer<ChartDetail> {
        call(api::ChartCall { repository, name, version })
    }
    fn chart_elsewhere(
        &self,
        namespace: String,
        url: String,
        version: Option<String>,
    ) -> Answer<ChartDetail> {
        call(api::ChartElsewhereCall { namespace, url, version })
    }
    fn uploaded(&self, upload: String) -> Answer<Uploaded> {
        call(api::UploadedCall { upload })
    }
    fn chart_form(&self, request: FormOf) -> Answer<String> {
        call_unread(api::ChartFormCall { request })
    }
    fn check_values(&self, request: CheckValues) -> Answer<ValuesCheck> {
        call(api::CheckValuesCall { request })
    }
    fn repositories(&self, namespace: Option<String>) -> Answer<RepositoryList> {
        call(api::RepositoriesCall { namespace })
    }
    fn test_repository(&self, spec: RepositorySpec, of: Option<String>) -> Answer<RepositoryTest> {
        call(api::TestRepositoryCall { spec, of })
    }
    fn look_again(&self, repository: String) -> Answer<RepositoryState> {
        call(api::LookAgainCall { repository })
    }
    fn add_repository(&self, spec: RepositorySpec) -> Answer<RepositoryState> {
        call(api::AddRepositoryCall { spec })
    }
    fn change_repository(&self, name: String, spec: RepositorySpec) -> Answer<RepositoryState> {
        call(api::ChangeRepositoryCall { name, spec })
    }
    fn remove_repository(&self, name: String) -> Answer<String> {
        call(api::RemoveRepositoryCall { name })
    }
    fn updates(&self, namespace: Option<String>) -> Answer<Vec<ReleaseUpdate>> {
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

/// Gives the pages below a client: `None` is the product's.
pub fn provide_client(client: Option<Arc<dyn Client>>) {
    provide_context(client.unwrap_or_else(|| Arc::new(Server)));
}

/// The client of the page that is being drawn.
pub fn client() -> Arc<dyn Client> {
    use_context().unwrap_or_else(|| Arc::new(Server))
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
