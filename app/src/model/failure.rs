//! Why an operation failed: helm's text, taken apart.
//!
//! `parts` peels helm's wrappers off and splits what it joined, `tables` knows the texts, `objects` finds the object
//! that a text speaks of, and [`Failure::told_by_helm`] puts the three together.

mod objects;
mod parts;
mod tables;

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

impl Failure {
    /// Takes helm's error text apart: the last `Error:` block of its output, or a record's description.
    ///
    /// A text can tell of several errors at once; the gravest of them speaks for the whole ([`gravity`]), and a text that
    /// no table knows is [`FailureClass::Unknown`], never guessed.
    pub fn told_by_helm(text: &str) -> Self {
        let gravest = parts::of(text).iter().map(explained).max_by_key(|explained| gravity(explained.class));
        let told = gravest.unwrap_or_else(|| explained(&parts::Part { text: "", in_hook: false }));
        Self {
            class: told.class,
            cause: told.cause,
            advice: told.advice.map(str::to_owned),
            object: told.object,
            text: bounded(text.trim()).to_owned(),
        }
    }
}

/// What is made of one part of helm's text.
struct Explained {
    class: FailureClass,
    cause: String,
    advice: Option<&'static str>,
    object: Option<ObjectRef>,
}

fn explained(part: &parts::Part<'_>) -> Explained {
    let object = objects::named_in(part.text);
    let Some(rule) = tables::find(part.text) else {
        let (cause, advice) = match objects::first_line(part.text) {
            "" => ("helm failed without saying why.".to_owned(), None),
            line => (format!("helm says: {line}"), Some("The log has helm's whole output.")),
        };
        return Explained { class: FailureClass::Unknown, cause, advice, object };
    };
    let hook = if part.in_hook && rule.class == FailureClass::TimedOut { "In a hook: " } else { "" };
    let cause = format!("{hook}{}", objects::fill_in(rule.cause, part.text));
    Explained { class: rule.class, cause, advice: Some(rule.advice), object }
}

/// Which of several errors speaks for all: one that lasts makes the whole last, and one that is not known keeps the
/// whole from being tried again.
fn gravity(class: FailureClass) -> u8 {
    match class {
        FailureClass::Transient => 0,
        FailureClass::Unknown => 1,
        FailureClass::TimedOut => 2,
        FailureClass::Locked => 3,
        FailureClass::Hook => 4,
        FailureClass::Interrupted | FailureClass::Cancelled => 5,
        FailureClass::Permanent => 6,
    }
}

fn bounded(text: &str) -> &str {
    let end = (0..=TEXT_MAX.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
