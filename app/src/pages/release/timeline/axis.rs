//! The axis that all rows share, and where things are on it. Pure.

use crate::model::{RowState, Timeline, TimelineRow, Timestamp};

/// How far apart the marks of an axis may be, in seconds.
const STEPS: [u64; 19] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 259_200,
    604_800,
];
/// How many marks an axis has at most.
const MARKS_MAX: u64 = 6;
/// What goes on long after everything else has ended would leave no room for it: beyond so many times of what the rest
/// took, the axis ends earlier.
const LATE: i64 = 3;
/// The shortest axis, in milliseconds.
const SHORTEST_MS: i64 = 1_000;

/// The axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Where it begins.
    pub from: Timestamp,
    /// Where it ends.
    pub to: Timestamp,
}

/// A bar on the axis, in thousandths of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Where it begins.
    pub left: u64,
    /// How long it is.
    pub width: u64,
    /// It goes on beyond the axis.
    pub goes_on: bool,
}

impl Axis {
    /// The axis of a timeline at `now`; none while nothing has a time. `is_active` says that the operation goes on.
    pub fn of(timeline: &Timeline, now: Timestamp, is_active: bool) -> Option<Self> {
        let from = timeline.from?;
        let is_running = timeline.rows.iter().any(|row| row.state == RowState::Running);
        let last = timeline.rows.iter().flat_map(|row| [row.start, row.end]).flatten().max().unwrap_or(from);
        let took = last.0.saturating_sub(from.0).max(SHORTEST_MS);
        let lasts = now.0.saturating_sub(from.0);
        let to = if !is_running {
            timeline.to.unwrap_or(last)
        } else if is_active || lasts <= took.saturating_mul(LATE) {
            now
        } else {
            Timestamp(from.0.saturating_add(took.saturating_mul(LATE) / 2))
        };
        Some(Self { from, to: to.max(last).max(Timestamp(from.0.saturating_add(SHORTEST_MS))) })
    }

    /// The bar of a row; none if it has not begun, or when is not known.
    pub fn bar(self, row: &TimelineRow, now: Timestamp) -> Option<Bar> {
        let start = row.start?;
        let end = match (row.end, row.state) {
            (Some(end), _) => end,
            (None, RowState::Running) => now,
            (None, _) => start,
        };
        let left = self.place(start);
        Some(Bar { left, width: self.place(end).saturating_sub(left), goes_on: end > self.to })
    }

    /// The marks: where each is, and how long after the beginning in milliseconds. At the very end there is no room for one.
    pub fn marks(self) -> Vec<(u64, u64)> {
        let seconds = self.to.since(self.from) / 1000;
        let step = STEPS.into_iter().find(|step| seconds / step < MARKS_MAX);
        // Weeks and weeks: as many as there is room for.
        let step = step.unwrap_or(seconds / MARKS_MAX + 1);
        (0..=seconds / step)
            .map(|mark| mark * step * 1000)
            .map(|at| (self.share(at), at))
            .filter(|(place, _)| *place <= 960)
            .collect()
    }

    fn place(self, at: Timestamp) -> u64 {
        self.share(at.since(self.from)).min(1000)
    }

    fn share(self, millis: u64) -> u64 {
        (millis.saturating_mul(1000)).checked_div(self.to.since(self.from)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RowKind;

    fn row(start: Option<i64>, end: Option<i64>, state: RowState) -> TimelineRow {
        TimelineRow {
            kind: RowKind::Resource,
            label: String::new(),
            object: None,
            source: String::new(),
            start: start.map(Timestamp),
            end: end.map(Timestamp),
            state,
            note: String::new(),
        }
    }

    fn timeline(rows: Vec<TimelineRow>) -> Timeline {
        let from = rows.iter().filter_map(|row| row.start).min();
        let to = rows.iter().flat_map(|row| [row.start, row.end]).flatten().max();
        Timeline { from, to, rows, ..Timeline::default() }
    }

    #[test]
    fn the_axis_reaches_from_the_first_to_the_last_and_moves_while_something_goes_on() {
        use RowState::{Done, Running};
        let over = timeline(vec![row(Some(1_000), Some(5_000), Done), row(Some(2_000), Some(9_000), Done)]);
        let going = timeline(vec![row(Some(1_000), Some(5_000), Done), row(Some(2_000), None, Running)]);
        for (what, now, is_active, to) in [
            (&over, 60_000, false, 9_000),
            (&going, 12_000, true, 12_000),
            (&going, 600_000, true, 600_000),
            (&going, 12_000, false, 12_000),
            // What is not ready long after the end takes no room from what was.
            (&going, 600_000, false, 7_000),
        ] {
            let axis = Axis::of(what, Timestamp(now), is_active).unwrap();
            assert_eq!((axis.from.0, axis.to.0), (1_000, to), "{now}");
        }
        assert_eq!(Axis::of(&timeline(vec![]), Timestamp(1), true), None);
        let short = Axis::of(&timeline(vec![row(Some(5), Some(5), Done)]), Timestamp(9), false).unwrap();
        assert_eq!(short.to.0 - short.from.0, SHORTEST_MS);
    }

    #[test]
    fn each_bar_is_where_its_times_are() {
        use RowState::{Done, Failed, Running, Unknown, Waiting};
        let axis = Axis { from: Timestamp(0), to: Timestamp(10_000) };
        let now = Timestamp(20_000);
        let bar = |left, width, goes_on| Some(Bar { left, width, goes_on });
        for (row, expected) in [
            (row(Some(1_000), Some(6_000), Done), bar(100, 500, false)),
            (row(Some(1_000), None, Done), bar(100, 0, false)),
            (row(Some(4_000), None, Running), bar(400, 600, true)),
            (row(Some(4_000), Some(10_000), Failed), bar(400, 600, false)),
            (row(Some(-5), Some(1_000), Done), bar(0, 100, false)),
            (row(None, None, Waiting), None),
            (row(None, Some(4), Unknown), None),
        ] {
            assert_eq!(axis.bar(&row, now), expected);
        }
    }

    #[test]
    fn marks_are_whole_and_few() {
        for (seconds, step) in [(4, 1), (5, 1), (9, 2), (59, 10), (75, 15), (3_000, 600), (90_000, 28_800)] {
            let axis = Axis { from: Timestamp(7), to: Timestamp(7 + seconds * 1000) };
            let marks = axis.marks();
            assert!(marks.len() <= 6 && marks[0] == (0, 0), "{marks:?}");
            assert_eq!(marks[1].1, step * 1000, "{seconds}");
            assert!(marks.iter().all(|(place, _)| *place <= 960));
        }
        let long = Axis { from: Timestamp(0), to: Timestamp(86_400_000 * 3_000) };
        assert!(long.marks().len() <= 7);
    }
}
