//! helm's text, taken apart: `parts` peels its wrappers off and splits what it joined, `tables` knows the texts,
//! `objects`, `refused` and `words` find in a text what it speaks of, `steps` what can be done, and [`Failure::told_by_helm`] puts
//! them together. The server alone does this: the browser does not load these tables.

mod document;
mod objects;
mod parts;
mod refused;
mod retry;
mod steps;
mod tables;
mod trial;
mod words;

pub use document::document;
pub use retry::{CRD_RETRIES, CRD_YOUNG_SECONDS, CustomKind, Retry, TERMINATING_SECONDS};

use crate::model::{Failure, FailureClass, NextAction};
use parts::Part;

/// How much of helm's text a failure keeps, in bytes; the log has the rest.
pub const TEXT_MAX: usize = 16 * 1024;

impl Failure {
    /// Takes helm's error text apart: the last `Error:` block of its output, or a record's description.
    ///
    /// A text can tell of several errors at once; the gravest of them speaks for the whole ([`gravity`]), the first one
    /// among equals, and a text that no table knows is [`FailureClass::Unknown`], never guessed.
    pub fn told_by_helm(text: &str) -> Self {
        let told = parts::of(text).iter().rev().map(explained).max_by_key(|failure| gravity(failure.class));
        let told = told.unwrap_or_else(|| {
            let cause = "helm failed without saying why.";
            Self::new(FailureClass::Unknown, cause, "")
                .offering(&[NextAction::EditValues, NextAction::TryAgain])
        });
        Self { text: bounded(text.trim()).to_owned(), ..told }
    }
}

/// What is made of one part of helm's text.
fn explained(part: &Part<'_>) -> Failure {
    let failure = match tables::find(part.text) {
        Some(rule) => {
            let in_hook = part.in_hook && rule.class == FailureClass::TimedOut;
            let cause = words::fill_in(rule.cause, part.text);
            let mut next = steps::of(rule.next, part.text);
            if in_hook {
                next.insert(0, NextAction::SeeHookLog.into());
            }
            let cause = if in_hook { format!("In a hook: {cause}") } else { cause };
            Failure { next, ..Failure::new(rule.class, cause, "") }.advised(rule.advice)
        }
        None => {
            Failure::new(FailureClass::Unknown, format!("helm says: {}", words::first_line(part.text)), "")
                .advised("The log has helm's whole output.")
                .offering(&[NextAction::EditValues, NextAction::TryAgain])
        }
    };
    Failure { object: objects::named_in(part.text), ..failure }
}

/// Which of several errors speaks for all: one that lasts makes the whole last, and one that is not known keeps the
/// whole from being tried again.
fn gravity(class: FailureClass) -> u8 {
    match class {
        FailureClass::Transient => 0,
        FailureClass::Unknown => 1,
        FailureClass::TimedOut => 2,
        FailureClass::Locked => 3,
        FailureClass::Hook | FailureClass::Test => 4,
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
