//! Drafts, kept in the browser's session for each cluster: a reload brings back what was typed; closing the window ends it.

use leptos::prelude::window;
use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::Storage;

use crate::client::call::{from_json, to_json};
use crate::cluster;
use crate::model::ReleaseKey;

fn storage() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

fn name(form: &str) -> String {
    cluster::key(&format!("slipway.draft.{form}"))
}

/// The draft of the form of that name, if there is one that this version can read.
pub fn load<T: DeserializeOwned>(form: &str) -> Option<T> {
    from_json(&storage()?.get_item(&name(form)).ok()??)
}

/// Keeps a draft. A browser that refuses, or has no more room, loses it only on a reload.
pub fn save<T: Serialize>(form: &str, draft: &T) {
    if let (Some(storage), Some(text)) = (storage(), to_json(draft)) {
        let _ = storage.set_item(&name(form), &text);
    }
}

/// Forgets a draft: it was sent, or given up.
pub fn forget(form: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(&name(form));
    }
}

/// Where the draft of what was last sent for a release is kept: if it comes to nothing, the form begins with it again.
pub fn sent_name(verb: &str, release: &ReleaseKey) -> String {
    format!("sent/{verb}/{release}")
}
