//! The time by the API server's clock, which all that Slipway records and compares goes by.
//!
//! What others made is dated by the API server: records, definitions, Leases. A machine whose own clock is ten minutes
//! ahead would take each of them for ten minutes older than it is. So each process reckons by how much the two clocks
//! differ, from the `Date` of the answers that it gets anyway (`crate::kube`). One process works with one cluster.

use std::sync::{Mutex, PoisonError};

use app::model::Timestamp;

/// How much a `Date` may leave out, in milliseconds: it tells whole seconds.
const LEFT_OUT_MS: i64 = 999;

static KNOWN: Mutex<Option<Offset>> = Mutex::new(None);

/// The time by the API server's clock, as far as it is known; by this machine's before the first answer.
pub fn now() -> Timestamp {
    let known = *KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    Timestamp(local().0.saturating_add(known.map_or(0, Offset::smallest)))
}

/// The time by this machine's clock.
pub fn local() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_millisecond())
}

/// Takes in that a question, asked at `asked` by this machine's clock, has just been answered at `date` by the API
/// server's.
pub fn heard(asked: Timestamp, date: Timestamp) {
    let told = Offset::told(asked, local(), date);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known = Some(known.map_or(told, |known| known.and(told)));
}

/// By how many milliseconds the API server's clock is ahead of ours: at least, and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offset {
    least: i64,
    most: i64,
}

impl Offset {
    /// What one answer tells: it was dated at some moment between the question and the answer.
    fn told(asked: Timestamp, answered: Timestamp, date: Timestamp) -> Self {
        Self { least: date.0 - answered.0, most: date.0 + LEFT_OUT_MS - asked.0 }
    }

    /// What both tell; the newer one alone if they contradict each other, for then a clock was set.
    fn and(self, newer: Self) -> Self {
        let both = Self { least: self.least.max(newer.least), most: self.most.min(newer.most) };
        if both.least <= both.most { both } else { newer }
    }

    /// The smallest that it can be: clocks that agree are left as they are.
    fn smallest(self) -> i64 {
        if self.least > 0 { self.least } else { self.most.min(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offset after answers, each asked and answered by our clock and dated by theirs.
    fn after(answers: &[(i64, i64, i64)]) -> i64 {
        let told = answers.iter().map(|(asked, answered, date)| {
            Offset::told(Timestamp(*asked), Timestamp(*answered), Timestamp(*date))
        });
        told.reduce(Offset::and).map_or(0, Offset::smallest)
    }

    #[test]
    fn the_difference_is_the_smallest_that_all_answers_allow() {
        const TEN_MINUTES: i64 = 600_000;
        for (answers, expected) in [
            (vec![], 0),
            // The same clock: what a date leaves out, and how long an answer took, are no difference.
            (vec![(5_100, 5_200, 5_000)], 0),
            (vec![(5_900, 6_100, 5_000), (6_900, 7_300, 7_000)], 0),
            // We are behind, or ahead.
            (vec![(5_100, 5_100, 5_000 + TEN_MINUTES)], TEN_MINUTES - 100),
            (vec![(5_000 + TEN_MINUTES, 5_000 + TEN_MINUTES, 5_000)], 999 - TEN_MINUTES),
            // Each answer narrows it down; a slow one tells little.
            (vec![(5_900, 5_900, 5_000 + TEN_MINUTES), (7_000, 7_000, 7_000 + TEN_MINUTES)], TEN_MINUTES),
            (vec![(5_000, 5_000, 5_000 + TEN_MINUTES), (6_000, 16_000, 9_000 + TEN_MINUTES)], TEN_MINUTES),
            // A clock was set.
            (vec![(5_100, 5_100, 5_000 + TEN_MINUTES), (9_100, 9_200, 9_000)], 0),
        ] {
            assert_eq!(after(&answers), expected, "{answers:?}");
        }
    }
}
