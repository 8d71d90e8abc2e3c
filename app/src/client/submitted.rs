//! The operations that this browser has submitted and whose end the user has not been told of: in whichever window, and
//! after a reload.

use std::cell::OnceCell;

use leptos::prelude::*;

use super::kept;
use crate::model::OperationId;

/// Where their ids are kept.
const KEY: &str = "slipway.awaited";
/// More than a person waits for at once; beyond it the oldest ones are no longer waited for.
const MOST: usize = 50;

thread_local! {
    static SUBMITTED: OnceCell<RwSignal<u32>> = const { OnceCell::new() };
}

/// Changes with each submission from this window.
pub fn follow() -> RwSignal<u32> {
    SUBMITTED.with(|submitted| *submitted.get_or_init(|| RwSignal::new(0)))
}

/// The ids, the newest first. Another window may have changed them: they are read each time.
pub fn awaited() -> Vec<String> {
    kept::read_here(KEY)
        .unwrap_or_default()
        .split(' ')
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
        .collect()
}

/// An operation was accepted.
pub(super) fn note(id: &OperationId) {
    let mut all = awaited();
    all.retain(|one| *one != id.0);
    all.insert(0, id.0.clone());
    all.truncate(MOST);
    kept::write_here(KEY, &all.join(" "));
    SUBMITTED.with(|submitted| {
        if let Some(signal) = submitted.get() {
            signal.update(|times| *times += 1);
        }
    });
}

/// The user knows of its end.
pub fn forget(id: &OperationId) {
    let mut all = awaited();
    all.retain(|one| *one != id.0);
    kept::write_here(KEY, &all.join(" "));
}
