//! Asking once, and again when what is asked for changes.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use super::Answer;
use super::poll::until_visible;
use super::recorded;
use super::session;
use crate::model::{ApiError, Timestamp};
use crate::signals::{Slot, effect, task};

/// How often a log is asked for again while its operation runs, in milliseconds.
const FOLLOW_EVERY_MS: u32 = 2000;

/// What is known of something that was asked for. Old data stay when asking again fails.
pub struct Fetched<T: 'static> {
    /// The last good answer.
    pub data: Slot<T>,
    /// Why the last try failed; none if it did not.
    pub error: RwSignal<Option<ApiError>>,
    /// The server's time at the last good answer, where answers tell it.
    pub as_of: RwSignal<Option<Timestamp>>,
    again: RwSignal<u32>,
}

impl<T> Clone for Fetched<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Fetched<T> {}

impl<T: Send + Sync + 'static> Fetched<T> {
    pub(super) fn new() -> Self {
        Self {
            data: Slot::new(),
            error: RwSignal::new(None),
            as_of: RwSignal::new(None),
            again: RwSignal::new(0),
        }
    }

    /// Asks again, as after a press of "Try again".
    pub fn retry(self) {
        self.again.update(|times| *times += 1);
    }

    /// Whether nothing has been answered yet.
    pub fn is_loading(self) -> bool {
        !self.data.is_some() && self.error.with(Option::is_none)
    }

    fn take(self, answer: Result<T, ApiError>) {
        match answer {
            Ok(data) => {
                self.data.set(Some(data));
                self.error.set(None);
            }
            Err(error) => self.fail(error),
        }
    }

    /// Notes why it was not answered. What ended with the session is asked again when there is another one.
    pub(super) fn fail(self, error: ApiError) {
        if matches!(error, ApiError::SignedOut { .. }) {
            let again = self.again;
            session::when_back(Box::new(move || {
                again.try_update(|times| *times += 1);
            }));
        }
        self.error.set(Some(error));
    }

    /// Notes each call of [`Fetched::retry`] as a reason to ask again.
    pub(super) fn track_retries(self) {
        self.again.track();
        recorded::track_jumps();
    }
}

/// Asks, and asks again whenever a signal that `ask` reads has changed. The answer to an outdated question is dropped.
pub fn fetch<T: Send + Sync + 'static>(ask: impl Fn() -> Answer<T> + 'static) -> Fetched<T> {
    let fetched = Fetched::new();
    effect(move || {
        fetched.track_retries();
        let answer = ask();
        task(async move { fetched.take(answer.await) });
    });
    fetched
}

/// Like [`fetch`], and again every two seconds while `active`, and once more when that has ended.
pub fn follow<T: Send + Sync + 'static>(
    active: Signal<bool>,
    ask: impl Fn() -> Answer<T> + 'static,
) -> Fetched<T> {
    refresh(Signal::derive(move || active.get().then_some(FOLLOW_EVERY_MS)), ask)
}

/// Like [`fetch`], and again so many milliseconds after each answer while there is a pace and the page can be seen; at
/// once when the pace changes.
pub fn refresh<T: Send + Sync + 'static>(
    pace: Signal<Option<u32>>,
    ask: impl Fn() -> Answer<T> + 'static,
) -> Fetched<T> {
    let fetched = Fetched::new();
    let step = move || -> Step {
        let answer = ask();
        Box::pin(async move { fetched.take(answer.await) })
    };
    again_and_again(fetched.again, pace, Rc::new(step));
    fetched
}

type Step = Pin<Box<dyn Future<Output = ()>>>;

/// [`refresh`], for all types: one compiled copy.
fn again_and_again(again: RwSignal<u32>, pace: Signal<Option<u32>>, step: Rc<dyn Fn() -> Step>) {
    effect(move || {
        again.track();
        recorded::track_jumps();
        let (step, first, pace) = (Rc::clone(&step), step(), pace.get());
        task(async move {
            first.await;
            // Ends with the effect's scope, which is left when the pace changes.
            while let Some(pace) = pace {
                TimeoutFuture::new(pace).await;
                until_visible().await;
                step().await;
            }
        });
    });
}
