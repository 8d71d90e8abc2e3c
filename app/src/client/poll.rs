//! The long poll: "what is the state, if newer than what I have?", again and again, in one place.
//!
//! The server holds a question for 25 s at most. A hidden page does not ask; it goes on at once when it is seen again. When
//! the server cannot be reached the page keeps what it has and asks again, from 1 s up to 30 s apart, with jitter, so that
//! a restarted server is not met by all browsers at once.

use futures::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use js_sys::Promise;
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::Answer;
use super::clock::Clock;
use super::fetch::Fetched;
use crate::model::{ApiError, ReleaseList, ReleaseView, Timestamp, Version};
use crate::signals::{effect, task};

/// The server answers after 25 s; one that has not after this long is gone, whatever its connection says.
const PATIENCE_MS: u32 = 40_000;
/// The pause after the first error.
const FIRST_PAUSE_MS: u32 = 1000;
/// The longest pause between two tries.
const LONGEST_PAUSE_MS: u32 = 30_000;

/// An answer that can be asked for again with "if newer than".
pub trait Versioned: Clone + Send + Sync + 'static {
    /// Which state it is.
    fn version(&self) -> &Version;
    /// The server's clock when it answered.
    fn now(&self) -> Timestamp;
}

impl Versioned for ReleaseList {
    fn version(&self) -> &Version {
        &self.version
    }
    fn now(&self) -> Timestamp {
        self.now
    }
}

impl Versioned for ReleaseView {
    fn version(&self) -> &Version {
        &self.version
    }
    fn now(&self) -> Timestamp {
        self.now
    }
}

/// Follows what `ask` answers for as long as the component that calls this lives.
pub fn poll<T: Versioned>(ask: impl Fn(Option<Version>) -> Answer<T> + Clone + 'static) -> Fetched<T> {
    let fetched = Fetched::new();
    let clock = Clock::get();
    effect(move || {
        fetched.track_retries();
        let ask = ask.clone();
        task(async move {
            let mut pause = FIRST_PAUSE_MS;
            loop {
                let since = fetched.data.with_untracked(|data| data.map(|data: &T| data.version().clone()));
                match in_time(ask(since.clone())).await {
                    Ok(data) => {
                        pause = FIRST_PAUSE_MS;
                        clock.learn(data.now());
                        fetched.as_of.set(Some(data.now()));
                        if fetched.error.with_untracked(Option::is_some) {
                            fetched.error.set(None);
                        }
                        if since.as_ref() != Some(data.version()) {
                            fetched.data.set(Some(data));
                        }
                    }
                    Err(error) => {
                        // A definite answer takes the place of what was there; an outage does not.
                        if !error.is_passing() {
                            fetched.data.set(None);
                            pause = LONGEST_PAUSE_MS;
                        }
                        fetched.fail(error);
                        TimeoutFuture::new(with_jitter(pause)).await;
                        pause = (pause * 2).min(LONGEST_PAUSE_MS);
                    }
                }
                until_visible().await;
            }
        });
    });
    fetched
}

/// Ends when the page can be seen: at once, if it can be now.
pub async fn until_visible() {
    while document().hidden() {
        let change = Promise::new(&mut |resolve, _| {
            let options = web_sys::AddEventListenerOptions::new();
            options.set_once(true);
            // Where the listener is refused the promise never settles, and nobody polls: as good as hidden.
            let _ = document().add_event_listener_with_callback_and_add_event_listener_options(
                "visibilitychange",
                &resolve,
                &options,
            );
        });
        let _ = JsFuture::from(change).await;
    }
}

/// The answer, or that there was none in the time in which the server always answers.
pub async fn in_time<T>(answer: Answer<T>) -> Result<T, ApiError> {
    match select(answer, TimeoutFuture::new(PATIENCE_MS)).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(ApiError::Unreachable { message: "Slipway does not answer.".into() }),
    }
}

/// Between the half and the whole of `millis`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a fraction of a number below 2^32, from 0 on"
)]
pub fn with_jitter(millis: u32) -> u32 {
    (f64::from(millis) * (0.5 + js_sys::Math::random() / 2.0)) as u32
}
