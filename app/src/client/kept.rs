//! What the browser keeps of a user's habits, from one visit to the next. It is lost without harm.

use leptos::prelude::window;
use web_sys::Storage;

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Where a habit is kept: one name for each, in one place.
fn place(habit: &str) -> String {
    ["slipway.", habit].concat()
}

/// What was kept of a habit; empty if nothing was.
pub fn kept(habit: &str) -> String {
    storage().and_then(|it| it.get_item(&place(habit)).ok().flatten()).unwrap_or_default()
}

/// Keeps it. A browser that refuses forgets it.
pub fn keep(habit: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(&place(habit), value);
    }
}
