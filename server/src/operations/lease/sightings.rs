//! What a server has seen of something that others change, by its own clock alone.
//!
//! No machine's clock is compared with another's: "renewed at 12:00:05" says nothing to whom the clock is ten minutes
//! ahead. What is seen twice as the very same was not changed in between, and that time is measured here. So whatever is
//! seen for the first time has just changed, whatever it says of itself.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::time::Duration;

use app::model::Timestamp;
use tokio::time::Instant;

/// When something was looked at: the answer tells how it was at some moment between the two.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Before the question.
    pub asked: Instant,
    /// After the answer.
    pub answered: Instant,
    /// The same in words for people, by this machine's clock; nothing is decided by it.
    pub at: Timestamp,
}

/// Remembers how things are, and since when.
pub struct Sightings<K, T> {
    seen: HashMap<K, (T, Since)>,
}

/// Since when something is known to be as it is: when it was first seen so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    seen: Instant,
    /// The same in words for people, by this machine's clock.
    pub at: Timestamp,
}

impl Look {
    /// A look that was begun at `asked` and has just been answered, at `at` by the cluster's clock.
    pub fn since(asked: Instant, at: Timestamp) -> Self {
        Self { asked, answered: Instant::now(), at }
    }
}

impl Since {
    /// For how long it had been so, at the least, when it was looked at.
    pub fn age(self, look: Look) -> Duration {
        look.asked.saturating_duration_since(self.seen)
    }

    /// When it will have been so for `age`.
    pub fn reaches(self, age: Duration) -> Instant {
        self.seen + age
    }
}

impl<K, T> Default for Sightings<K, T> {
    fn default() -> Self {
        Self { seen: HashMap::new() }
    }
}

impl<K: Eq + Hash + Clone, T: PartialEq> Sightings<K, T> {
    /// Takes in that a `look` at `key` showed `what`, and tells since when it is so.
    pub fn saw(&mut self, key: &K, what: T, look: Look) -> Since {
        match self.seen.get(key) {
            Some((known, since)) if *known == what => *since,
            _ => {
                let since = Since { seen: look.answered, at: look.at };
                self.seen.insert(key.clone(), (what, since));
                since
            }
        }
    }

    /// Forgets all but these.
    pub fn keep(&mut self, keys: &HashSet<K>) {
        self.seen.retain(|key, _| keys.contains(key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ages in seconds, for looks that were asked and answered at the seconds given and showed a version.
    fn ages(looks: &[(u64, u64, &'static str)]) -> Vec<u64> {
        let start = Instant::now();
        let second = |seconds| start + Duration::from_secs(seconds);
        let mut sightings = Sightings::default();
        looks
            .iter()
            .map(|(asked, answered, version)| {
                let look = Look { asked: second(*asked), answered: second(*answered), at: Timestamp(0) };
                sightings.saw(&"web", *version, look).age(look).as_secs()
            })
            .collect()
    }

    #[test]
    fn the_age_is_the_time_for_which_it_is_sure_that_nothing_changed() {
        for (looks, expected) in [
            // What is seen first is new, whatever it says of itself.
            (vec![(100, 100, "1")], vec![0]),
            (vec![(0, 0, "1"), (10, 10, "1"), (26, 26, "1")], vec![0, 10, 26]),
            // Each change begins anew.
            (vec![(0, 0, "1"), (24, 24, "2"), (48, 48, "3"), (50, 50, "3")], vec![0, 0, 0, 2]),
            // A change to what it was before is one too, if it was seen.
            (vec![(0, 0, "1"), (5, 5, "2"), (30, 30, "1")], vec![0, 0, 0]),
            // Slow answers: it may have changed until the first answer, and after the second question.
            (vec![(0, 9, "1"), (26, 35, "1")], vec![0, 17]),
            (vec![(0, 9, "1"), (5, 6, "1")], vec![0, 0]),
        ] {
            assert_eq!(ages(&looks), expected, "{looks:?}");
        }
    }

    #[test]
    fn what_is_forgotten_is_new_again() {
        let mut sightings = Sightings::default();
        let start = Instant::now();
        let look = |seconds| {
            let at = start + Duration::from_secs(seconds);
            Look { asked: at, answered: at, at: Timestamp(0) }
        };
        sightings.saw(&"a", 1, look(0));
        sightings.saw(&"b", 1, look(0));
        sightings.keep(&HashSet::from(["b"]));
        assert_eq!(sightings.saw(&"a", 1, look(30)).age(look(30)).as_secs(), 0);
        assert_eq!(sightings.saw(&"b", 1, look(30)).age(look(30)).as_secs(), 30);
    }
}
