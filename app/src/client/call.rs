//! How a server function is called. What its name, its arguments and its answer are is the function's own declaration in
//! `api`; only the way there is in here, once for all of them.

use js_sys::JSON;
use leptos::server_fn::ServerFn;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, RequestInit, RequestRedirect, Response, ResponseType};

use super::read::read;
use super::write::write;
use super::{Answer, recorded, session};
use crate::cluster;
use crate::model::ApiError;

/// Calls the server function that has these arguments. Dropped before its end, it is given up on the network, too.
pub fn call<F>(arguments: F) -> Answer<F::Output>
where
    F: ServerFn<Error = ApiError> + Serialize + 'static,
    F::Output: DeserializeOwned,
{
    let body = to_json(&arguments);
    Box::pin(
        async move { read(post(F::PATH, body.ok_or_else(unreadable)?).await?).map_err(|_| unreadable()) },
    )
}

/// The same, with the answer as JSON: for what is handed on to a script, and not read here.
pub fn call_unread<F>(arguments: F) -> Answer<String>
where
    F: ServerFn<Error = ApiError> + Serialize + 'static,
{
    let body = to_json(&arguments);
    Box::pin(async move {
        let answer = post(F::PATH, body.ok_or_else(unreadable)?).await?;
        JSON::stringify(&answer).map(String::from).map_err(|_| unreadable())
    })
}

/// A value as JSON.
pub fn to_json(value: &impl Serialize) -> Option<String> {
    write(value)
}

/// The value of a JSON text; none if it is not of that type.
pub fn from_json<T: DeserializeOwned>(text: &str) -> Option<T> {
    read(JSON::parse(text).ok()?).ok()
}

pub(super) fn unreadable() -> ApiError {
    let message = "Slipway’s answer cannot be read. It may be of another version: load the page again.";
    ApiError::Unreachable { message: message.into() }
}

pub(super) fn unreachable() -> ApiError {
    ApiError::Unreachable { message: "Slipway cannot be reached.".into() }
}

async fn post(path: &'static str, body: String) -> Result<JsValue, ApiError> {
    let unreachable = |_: JsValue| unreachable();
    let sent = Sent(AbortController::new().map_err(unreachable)?);
    let headers = Headers::new().map_err(unreachable)?;
    headers.set("content-type", "application/json").map_err(unreachable)?;
    headers.set("accept", "application/json").map_err(unreachable)?;
    let options = RequestInit::new();
    options.set_method("POST");
    options.set_headers(&headers);
    options.set_body(&body.as_str().into());
    // A proxy sends who is not signed in to its own page; none of our answers leads elsewhere.
    options.set_redirect(RequestRedirect::Manual);
    options.set_signal(Some(&sent.0.signal()));
    let address = cluster::address(path);
    let response = recorded::answer(&address, &body)
        .unwrap_or_else(|| leptos::prelude::window().fetch_with_str_and_init(&address, &options));
    let response: Response =
        JsFuture::from(response).await.map_err(unreachable)?.dyn_into().map_err(unreachable)?;
    if response.status() == 401 || response.type_() == ResponseType::Opaqueredirect {
        return Err(session::ended());
    }
    let value = JsFuture::from(response.json().map_err(unreachable)?).await.map_err(|_| unreadable())?;
    if response.ok() {
        session::note_answer();
        return Ok(value);
    }
    Err(read(value).unwrap_or_else(|_| unreadable()))
}

/// A request on its way.
struct Sent(AbortController);

impl Drop for Sent {
    fn drop(&mut self) {
        self.0.abort();
    }
}
