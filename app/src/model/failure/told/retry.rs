//! What the text of a failure says about trying again.

use super::{TEXT_MAX, parts, tables, words};
use crate::model::{Failure, FailureClass};

/// How long a namespace may go on being deleted before trying again is given up, in seconds.
pub const TERMINATING_SECONDS: u32 = 120;
/// How old a custom resource definition may be for the API server not to serve it yet, in seconds.
pub const CRD_YOUNG_SECONDS: u32 = 60;
/// How often it is tried again because of a young custom resource definition.
pub const CRD_RETRIES: u32 = 2;

/// Whether trying again can help, and within which bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retry {
    /// It passes by itself: try again, as often as the operation allows.
    Bounded,
    /// A namespace is being deleted: try again, for [`TERMINATING_SECONDS`] at most.
    WhileTerminating,
    /// The cluster does not know these kinds yet: try again, [`CRD_RETRIES`] times at most, if for each of them there is
    /// a custom resource definition younger than [`CRD_YOUNG_SECONDS`].
    IfCrdIsYoung {
        /// Each kind once, in the text's order; never empty.
        kinds: Vec<CustomKind>,
    },
    /// It does not help, or nobody knows.
    No,
}

/// A kind that a custom resource definition would make known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomKind {
    /// `example.com/v1`
    pub api_version: String,
    /// `Widget`
    pub kind: String,
}

/// What a rule says about trying again, before the text is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Again {
    Bounded,
    WhileTerminating,
    IfCrdIsYoung,
    No,
}

impl Failure {
    /// Whether trying again can help; of several errors at once, the strictest one decides.
    pub fn retry(&self) -> Retry {
        // Another class was given by somebody who knew more than the text. Of a text that was cut, nobody knows the rest.
        let is_told_by_text = matches!(self.class, FailureClass::Transient | FailureClass::Permanent);
        let is_whole = self.text.len() + char::MAX.len_utf8() <= TEXT_MAX;
        if !is_told_by_text || !is_whole {
            return if self.class == FailureClass::Transient { Retry::Bounded } else { Retry::No };
        }
        let (mut terminating, mut kinds) = (false, Vec::new());
        for part in parts::of(&self.text) {
            match tables::find(part.text).map_or(Again::No, |rule| rule.again) {
                Again::Bounded => {}
                Again::WhileTerminating => terminating = true,
                Again::IfCrdIsYoung => match custom_kind(part.text) {
                    Some(kind) if kinds.contains(&kind) => {}
                    Some(kind) => kinds.push(kind),
                    None => return Retry::No,
                },
                Again::No => return Retry::No,
            }
        }
        match (kinds.is_empty(), terminating) {
            (false, _) => Retry::IfCrdIsYoung { kinds },
            (true, true) => Retry::WhileTerminating,
            (true, false) if self.class == FailureClass::Transient => Retry::Bounded,
            (true, false) => Retry::No,
        }
    }
}

/// None for a kind of Kubernetes' own groups, which have no dot: no definition will bring a removed version back.
fn custom_kind(text: &str) -> Option<CustomKind> {
    let (kind, version) = words::unknown_kind(text)?;
    let is_custom = version.split_once('/')?.0.contains('.');
    is_custom.then(|| CustomKind { api_version: version.to_owned(), kind: kind.to_owned() })
}
