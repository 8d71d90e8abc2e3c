//! What this browser keeps from one visit to the next, for all its windows. A browser that keeps nothing loses no more than
//! that.

use leptos::prelude::window;
use web_sys::Storage;

use crate::cluster;

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// What is kept under a name.
pub fn read(name: &str) -> Option<String> {
    storage()?.get_item(name).ok()?
}

/// Keeps a text under a name; an empty one is forgotten.
pub fn write(name: &str, text: &str) {
    if let Some(storage) = storage() {
        let _ = if text.is_empty() { storage.remove_item(name) } else { storage.set_item(name, text) };
    }
}

/// What is kept under a name about this cluster.
pub fn read_here(name: &str) -> Option<String> {
    read(&cluster::key(name))
}

/// Keeps a text under a name about this cluster; an empty one is forgotten.
pub fn write_here(name: &str, text: &str) {
    write(&cluster::key(name), text);
}
