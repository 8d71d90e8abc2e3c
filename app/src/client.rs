//! What the pages call. In the product it is the server functions; a recording can take its place.

pub mod call;
pub mod clock;
pub mod fetch;
pub mod poll;
mod read;
mod write;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude::{provide_context, use_context};
use wasm_bindgen::JsCast;

use crate::api;
use crate::model::{
    Accepted, ApiError, Catalogue, ChartDetail, HistoryEntry, Operation, OperationId, Preview, ReleaseKey,
    ReleaseList, ReleaseValues, ReleaseView, SubmitOperation, Version,
};
use call::call;

/// What a call will say.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// The calls that pages make. Each is described at the server function of its name in `api`.
pub trait Client: Send + Sync {
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
    /// What helm said in an operation.
    fn operation_log(&self, id: OperationId) -> Answer<String>;
    /// The charts of all repositories.
    fn catalogue(&self) -> Answer<Catalogue>;
    /// One chart; its newest stable version when none is named.
    fn chart(&self, repository: String, name: String, version: Option<String>) -> Answer<ChartDetail>;
}

/// The product's client: the server functions.
struct Server;

impl Client for Server {
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
        call(api::SubmitCall { request })
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
        call(api::AgainCall { id })
    }
    fn operation_log(&self, id: OperationId) -> Answer<String> {
        call(api::OperationLogCall { id })
    }
    fn catalogue(&self) -> Answer<Catalogue> {
        call(api::CatalogueCall { namespace: None })
    }
    fn chart(&self, repository: String, name: String, version: Option<String>) -> Answer<ChartDetail> {
        call(api::ChartCall { repository, name, version })
    }
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
