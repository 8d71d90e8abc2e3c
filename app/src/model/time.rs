//! Instants on the wire.

use serde::{Deserialize, Serialize};

/// An instant, in milliseconds since the Unix epoch. The wire's only form of time: the browser formats it in the user's
/// own locale and zone, and no date library is shipped to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Milliseconds from `earlier` to `self`; zero when `earlier` is the later one, as clocks of two machines may have it.
    pub fn since(self, earlier: Timestamp) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

/// A duration as people write it: `45s`, `3m 20s`, `2h 5m`, `4d 3h`.
pub fn duration_words(millis: u64) -> String {
    let seconds = millis / 1000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, _) => format!("{minutes}m {}s", seconds % 60),
        (0, _, _) => format!("{hours}h {}m", minutes % 60),
        _ => format!("{days}d {}h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_told_in_its_two_largest_units() {
        for (millis, words) in [
            (0, "0s"),
            (999, "0s"),
            (45_000, "45s"),
            (200_000, "3m 20s"),
            (7_500_000, "2h 5m"),
            (356_400_000, "4d 3h"),
        ] {
            assert_eq!(duration_words(millis), words);
        }
    }

    #[test]
    fn an_instant_before_its_origin_counts_as_no_time_at_all() {
        assert_eq!(Timestamp(5).since(Timestamp(9)), 0);
    }
}
