//! Why an operation failed: helm's text, taken apart.

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
    /// helm's own text, unabridged up to [`TEXT_MAX`].
    pub text: String,
}

/// How much of helm's text a failure keeps, in bytes; the log has the rest.
pub const TEXT_MAX: usize = 16 * 1024;
