//! Why an operation failed, what that means, and what a person can do next.
//!
//! Only the server takes helm's text apart (`told`); the browser reads what came of it.

mod next;
#[cfg(feature = "ssr")]
mod told;

pub use next::{NextAction, NextStep};
#[cfg(feature = "ssr")]
pub use told::{CRD_RETRIES, CRD_YOUNG_SECONDS, CustomKind, Retry, TERMINATING_SECONDS, TEXT_MAX, document};

use serde::{Deserialize, Serialize};

use super::ObjectRef;

/// What kind of failure it is, which decides whether trying again can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum FailureClass {
    /// A race or an outage that passes: the same again may succeed.
    Transient,
    /// The same again fails the same way.
    Permanent,
    /// Another operation holds helm's lock on the release.
    Locked,
    /// A wait ran out; what was created stays and may yet become ready.
    TimedOut,
    /// A hook's own code failed.
    Hook,
    /// One of the release's own tests failed.
    Test,
    /// Somebody cancelled it.
    Cancelled,
    /// Its runner is gone.
    Interrupted,
    /// None of the known texts. Never retried by itself.
    Unknown,
}

/// A failure, for the API and the page alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The class.
    pub class: FailureClass,
    /// The cause in one plain sentence.
    pub cause: String,
    /// What to do about it, in one plain sentence, where there is something.
    pub advice: Option<String>,
    /// The object concerned, where the text names one.
    pub object: Option<ObjectRef>,
    /// helm's own text, unabridged up to 16 KiB.
    pub text: String,
    /// What a person can do next, the likeliest first. A page leaves out what does not fit the release as it is now.
    #[serde(default)]
    pub next: Vec<NextStep>,
}

impl Failure {
    /// A failure in Slipway's own words; `text` is what is known besides.
    pub fn new(class: FailureClass, cause: impl Into<String>, text: impl Into<String>) -> Self {
        let (cause, text) = (cause.into(), text.into());
        Self { class, cause, advice: None, object: None, text, next: Vec::new() }
    }

    /// The same, with what to do about it.
    #[must_use]
    pub fn advised(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    /// The same, offering `actions` and nothing else.
    #[must_use]
    pub fn offering(self, actions: &[NextAction]) -> Self {
        Self { next: actions.iter().copied().map(NextStep::from).collect(), ..self }
    }
}
