//! The time by the API server's clock, which all that Slipway records and compares goes by.
//!
//! What others made is dated by the API server: records, definitions, Leases. A machine whose own clock is ten minutes
//! ahead would take each of them for ten minutes older than it is. So each process reckons by how much the two clocks
//! differ, from the `Date` of the answers that it gets anyway (`crate::kube`). Each cluster has a [`Clock`] of its own.
//!
//! One wrong date must not change what is known. And what cannot be undone goes by [`Clock::earliest`], whatever is known.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::model::Timestamp;

/// How much a `Date` may leave out, in milliseconds: it tells whole seconds.
const LEFT_OUT_MS: i64 = 999;

/// How many answers in a row must contradict what is known, and agree with each other, to be believed.
const AGREEING: u32 = 3;

/// The clock of one cluster's API server. Its clones are the same clock.
#[derive(Clone, Debug, Default)]
pub struct Clock(Arc<Mutex<Reckoning>>);

impl Clock {
    /// The time by the API server's clock, as far as it is known; by this machine's before the first answer.
    pub fn now(&self) -> Timestamp {
        let ahead = self.reckoned().ahead();
        Timestamp(local().0.saturating_add(ahead))
    }

    /// The time by whichever of the two clocks is behind: nothing is older than this tells because one of them is wrong.
    pub fn earliest(&self) -> Timestamp {
        self.now().min(local())
    }

    /// Takes in that a question, asked at `asked` by this machine's clock, has just been answered at `date` by the API
    /// server's.
    pub fn heard(&self, asked: Timestamp, date: Timestamp) {
        let told = Offset::told(asked, local(), date);
        let mut reckoned = self.reckoned();
        *reckoned = reckoned.with(told);
    }

    fn reckoned(&self) -> MutexGuard<'_, Reckoning> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time by this machine's clock.
pub fn local() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_millisecond())
}

/// What the answers so far tell.
#[derive(Clone, Copy, Debug, Default)]
struct Reckoning {
    known: Option<Offset>,
    /// What the newest answers tell that contradict it, and how many they are.
    doubt: Option<(Offset, u32)>,
}

impl Reckoning {
    /// With what one more answer tells.
    fn with(self, told: Offset) -> Self {
        let Some(known) = self.known else { return Self { known: Some(told), doubt: None } };
        if let Some(both) = known.and(told) {
            return Self { known: Some(both), doubt: None };
        }
        let agreed = self.doubt.and_then(|(doubt, answers)| Some((doubt.and(told)?, answers + 1)));
        let (doubt, answers) = agreed.unwrap_or((told, 1));
        if answers < AGREEING {
            return Self { known: self.known, doubt: Some((doubt, answers)) };
        }
        // A clock was set.
        Self { known: Some(doubt), doubt: None }
    }

    /// By how many milliseconds the API server's clock is taken to be ahead of ours.
    fn ahead(self) -> i64 {
        self.known.map_or(0, Offset::smallest)
    }
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

    /// What both tell; none if they contradict each other.
    fn and(self, other: Self) -> Option<Self> {
        let both = Self { least: self.least.max(other.least), most: self.most.min(other.most) };
        (both.least <= both.most).then_some(both)
    }

    /// The smallest that it can be: clocks that agree are left as they are.
    fn smallest(self) -> i64 {
        if self.least > 0 { self.least } else { self.most.min(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN_MINUTES: i64 = 600_000;

    /// The offset after answers, each asked and answered by our clock and dated by theirs.
    fn after(answers: &[(i64, i64, i64)]) -> i64 {
        let told = answers.iter().map(|(asked, answered, date)| {
            Offset::told(Timestamp(*asked), Timestamp(*answered), Timestamp(*date))
        });
        told.fold(Reckoning::default(), Reckoning::with).ahead()
    }

    #[test]
    fn the_difference_is_the_smallest_that_all_answers_allow() {
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
        ] {
            assert_eq!(after(&answers), expected, "{answers:?}");
        }
    }

    #[test]
    fn what_one_cluster_tells_of_the_time_is_nothing_to_another() {
        let (one, other) = (Clock::default(), Clock::default());
        let asked = local();
        one.clone().heard(asked, Timestamp(asked.0 + TEN_MINUTES));
        assert!(one.now().0 > local().0 + TEN_MINUTES / 2);
        assert!(other.now().0 < local().0 + TEN_MINUTES / 2);
    }

    #[test]
    fn what_is_known_gives_way_only_to_answers_that_agree() {
        let right = (5_100, 5_200, 5_000);
        let ahead = |second: i64, by: i64| (second * 1_000, second * 1_000, second * 1_000 + by);
        for (answers, expected) in [
            // One wrong date, or two, that nothing bears out.
            (vec![right, ahead(6, TEN_MINUTES)], 0),
            (vec![right, ahead(6, TEN_MINUTES), ahead(7, TEN_MINUTES), ahead(8, 0)], 0),
            (
                vec![right, ahead(6, TEN_MINUTES), ahead(7, 0), ahead(8, TEN_MINUTES), ahead(9, TEN_MINUTES)],
                0,
            ),
            // Three that do not agree with each other either.
            (vec![right, ahead(6, TEN_MINUTES), ahead(7, 2 * TEN_MINUTES), ahead(8, 3 * TEN_MINUTES)], 0),
            // A clock was set.
            (vec![right, ahead(6, TEN_MINUTES), ahead(7, TEN_MINUTES), ahead(8, TEN_MINUTES)], TEN_MINUTES),
        ] {
            assert_eq!(after(&answers), expected, "{answers:?}");
        }
    }
}
