//! The operations that this browser has submitted and whose end the user does not know of: in whichever window, and after a
//! reload. Until its end one is awaited; from then on, what tells of it is unread, until the user has read it.

use std::cell::OnceCell;

use leptos::prelude::*;

use super::kept;
use crate::model::OperationId;

/// Where the ids of those are kept that go on.
const AWAITED: &str = "slipway.awaited";
/// Where the ids of those are kept that are over.
const UNREAD: &str = "slipway.unread";
/// More than a person waits for at once; beyond it the oldest ones are given up.
const MOST: usize = 50;

thread_local! {
    static SUBMITTED: OnceCell<RwSignal<u32>> = const { OnceCell::new() };
}

/// Changes with each submission from this window.
pub fn follow() -> RwSignal<u32> {
    SUBMITTED.with(|submitted| *submitted.get_or_init(|| RwSignal::new(0)))
}

/// Those that are not known to be over, the newest first. Another window may have changed them: they are read each time.
pub fn awaited() -> Vec<String> {
    read(AWAITED)
}

/// Those whose end the user has not read of, the last one first.
pub fn unread() -> Vec<String> {
    read(UNREAD)
}

/// An operation was accepted.
pub(super) fn note(id: &OperationId) {
    put(AWAITED, &id.0);
    SUBMITTED.with(|submitted| {
        if let Some(signal) = submitted.get() {
            signal.update(|times| *times += 1);
        }
    });
}

/// It is over, and the user is to read of that.
pub fn tell(id: &OperationId) {
    put(UNREAD, &id.0);
    take(AWAITED, &id.0);
}

/// The user knows of its end.
pub fn forget(id: &str) {
    take(AWAITED, id);
    take(UNREAD, id);
}

fn read(key: &str) -> Vec<String> {
    let kept = kept::read_here(key).unwrap_or_default();
    kept.split(' ').filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

fn put(key: &str, id: &str) {
    let mut all = read(key);
    all.retain(|one| one != id);
    all.insert(0, id.to_owned());
    all.truncate(MOST);
    kept::write_here(key, &all.join(" "));
}

fn take(key: &str, id: &str) {
    let mut all = read(key);
    let before = all.len();
    all.retain(|one| one != id);
    if all.len() < before {
        kept::write_here(key, &all.join(" "));
    }
}
