//! Whether the user is still signed in, as the answers tell. A session that has ended takes nothing away: what is shown
//! stays, what was typed stays, and what could not be asked is asked again when there is a session.

use std::cell::{OnceCell, RefCell};

use leptos::prelude::*;

use crate::model::ApiError;
use crate::words::t;

/// What is done when there is a session again.
type Return = Box<dyn FnOnce()>;

/// More than a page asks at once; one that is over it waits for its own next try.
const RETURNS_MAX: usize = 64;

thread_local! {
    static ENDED: OnceCell<RwSignal<bool>> = const { OnceCell::new() };
    static RETURNS: RefCell<Vec<Return>> = const { RefCell::new(Vec::new()) };
}

/// Whether the session has ended; once, where all pages begin.
pub fn follow() -> RwSignal<bool> {
    ENDED.with(|ended| *ended.get_or_init(|| RwSignal::new(false)))
}

/// An answer said that nobody is signed in.
pub(super) fn note_end() {
    set(true);
}

/// The same, with what is said in its place.
pub(super) fn ended() -> ApiError {
    note_end();
    ApiError::SignedOut { message: t("Sign in again to go on.").to_owned() }
}

/// An answer was one for a user.
pub(super) fn note_answer() {
    if set(false) {
        let returns = RETURNS.with(RefCell::take);
        returns.into_iter().for_each(|act| act());
    }
}

/// Does something when there is a session again.
pub fn when_back(act: Return) {
    RETURNS.with_borrow_mut(|returns| {
        if returns.len() < RETURNS_MAX {
            returns.push(act);
        }
    });
}

/// Tells whether that is news.
fn set(has_ended: bool) -> bool {
    ENDED.with(|ended| {
        let Some(signal) = ended.get() else { return false };
        let is_news = signal.get_untracked() != has_ended;
        if is_news {
            signal.set(has_ended);
        }
        is_news
    })
}
