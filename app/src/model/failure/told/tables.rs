//! The known texts of helm 3, helm 4 and Kubernetes: what kind of failure each is, what to tell a person, and what to
//! offer.
//!
//! The first rule that fits wins, and the order of the tables matters: a chart's or a policy's own words can contain any
//! other text, so those rules come first; texts of webhooks and quotas contain words of the later tables.

mod depends;
mod lasting;
mod others;
mod passing;

use super::retry::Again;
use crate::model::{FailureClass, NextAction};

/// One known text.
pub(super) struct Rule {
    /// All of these are in it, in lower case; with a `^` before it, at its beginning…
    pub all: &'static [&'static str],
    /// …and one of these, unless there are none.
    pub any: &'static [&'static str],
    /// What kind of failure it is.
    pub class: FailureClass,
    /// Whether trying again can help.
    pub again: Again,
    /// The cause; `words::fill_in` knows its places.
    pub cause: &'static str,
    /// What to do.
    pub advice: &'static str,
    /// What to offer, the likeliest first.
    pub next: &'static [NextAction],
}

/// The tables in their order, each with what its texts have in common.
pub(super) static TABLES: [(&str, &[Rule]); 4] = [
    ("What a chart or a policy says in its own words", others::RULES),
    ("What passes", passing::RULES),
    ("What lasts", lasting::RULES),
    ("What depends on the circumstances", depends::RULES),
];

/// The rule that fits `text`, if there is one.
pub(super) fn find(text: &str) -> Option<&'static Rule> {
    let text = text.to_ascii_lowercase();
    TABLES.iter().flat_map(|(_, rules)| rules.iter()).find(|rule| rule.fits(&text))
}

/// Whether `text`, possibly over many lines, is one error whatever it looks like: a chart or a policy speaks in it.
pub(super) fn speaks_for_all(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    others::RULES.iter().any(|rule| rule.fits(&text))
}

impl Rule {
    fn fits(&self, text: &str) -> bool {
        let has = |words: &&str| match words.strip_prefix('^') {
            Some(words) => text.starts_with(words),
            None => text.contains(words),
        };
        self.all.iter().all(has) && (self.any.is_empty() || self.any.iter().any(has))
    }

    const fn again(self, again: Again) -> Self {
        Self { again, ..self }
    }
}

const fn rule(
    class: FailureClass,
    all: &'static [&'static str],
    any: &'static [&'static str],
    cause: &'static str,
    advice: &'static str,
    next: &'static [NextAction],
) -> Rule {
    let again = if matches!(class, FailureClass::Transient) { Again::Bounded } else { Again::No };
    Rule { all, any, class, again, cause, advice, next }
}

const FIX_VALUES: &str = "Correct the values and submit again.";
const FIX_VALUES_OF: &str = "Correct the value that it comes from and submit again.";
const ASK_AUTHOR: &str = "This is a defect of the chart: try another version, or tell its authors.";
const TRY_LATER: &str = "Try again; if it keeps happening, look at the cluster's control plane.";
const CHECK_SOURCE: &str = "Check the chart's name and version, and the repository's address.";
const TRY_SOURCE_LATER: &str = "Try again; if it keeps happening, look at the repository.";
