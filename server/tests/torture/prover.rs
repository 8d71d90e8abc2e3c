//! Proves from what a run left behind that Slipway kept its promise, or says where it did not.
//!
//! What is checked:
//! - Each accepted operation has exactly one outcome, and so has each that is recorded without its client having heard.
//! - No two writers worked on one release: each write of a helm, to whatever object, falls into the time for which the
//!   Lease of its release was held for its operation; those times do not overlap; no two helms of one operation
//!   overlap; and Slipway's own writes to helm's records fall into the time of some Lease.
//! - What the newest record of a release says agrees with the outcome of the last operation on it, and one that is pending
//!   is explained by that outcome.
//! - Nothing is left over.

mod outcomes;
mod records;
mod writers;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::evidence::Evidence;

/// What is not as promised, each with its evidence. All empty is what is to be proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Operations that were accepted and have no outcome.
    pub lost: Vec<String>,
    /// What was done twice, or by two at once.
    pub doubled: Vec<String>,
    /// What nobody can understand.
    pub unexplained: Vec<String>,
    /// What should be gone.
    pub left: Vec<String>,
    /// How much was looked at, for the report.
    pub counts: BTreeMap<&'static str, usize>,
}

impl Verdict {
    /// Whether all was as promised.
    pub fn is_good(&self) -> bool {
        [&self.lost, &self.doubled, &self.unexplained, &self.left].iter().all(|found| found.is_empty())
    }

    fn count(&mut self, what: &'static str, by: usize) {
        *self.counts.entry(what).or_default() += by;
    }
}

/// Looks at all of it.
pub fn prove(evidence: &Evidence) -> Verdict {
    let mut verdict = Verdict { left: evidence.left.clone(), ..Verdict::default() };
    verdict.unexplained.extend(evidence.disagreements.iter().cloned());
    outcomes::check(evidence, &mut verdict);
    writers::check(evidence, &mut verdict);
    records::check(evidence, &mut verdict);
    verdict
}
