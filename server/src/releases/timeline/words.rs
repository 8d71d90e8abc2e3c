//! What there is to be said first of a timeline, in a sentence: how it failed, or what took longest. Pure.

use app::model::time::duration_words;
use app::model::{Operation, OperationState, RowKind, RowState, TimelineRow, Timestamp};

/// What is shorter than this is not worth a word, in milliseconds.
const WORTH_MS: u64 = 1_000;

/// How the operation ended, if it did not succeed: whoever reads a timeline then looks for that.
pub(super) fn failure(operation: &Operation) -> Option<String> {
    let noun = operation.kind.noun().to_lowercase();
    let time = duration_words(operation.ended()?.since(operation.created));
    match operation.state {
        OperationState::Failed => Some(match operation.failure() {
            Some(failure) => format!("The {noun} failed after {time}: {}", failure.cause),
            None => format!("The {noun} failed after {time}."),
        }),
        OperationState::Cancelled => Some(format!("The {noun} was cancelled after {time}.")),
        OperationState::Interrupted => Some(format!("The {noun} was interrupted after {time}.")),
        _ => None,
    }
}

/// What took longest of all that has a beginning and an end, or goes on; none if nothing took a second. An attempt is all of
/// it, and explains nothing.
pub(super) fn longest(rows: &[TimelineRow], now: Timestamp) -> Option<String> {
    let lasted = |row: &TimelineRow| {
        let end = row.end.or((row.state == RowState::Running).then_some(now))?;
        Some(end.since(row.start?))
    };
    let parts = rows.iter().filter(|row| row.kind != RowKind::Attempt);
    let timed = parts.filter_map(|row| Some((lasted(row)?, row)));
    // The first of equals: what began first.
    let (millis, row) = timed.rev().max_by_key(|(millis, _)| *millis)?;
    (millis >= WORTH_MS).then(|| sentence(row, &duration_words(millis)))
}

fn sentence(row: &TimelineRow, time: &str) -> String {
    let label = &row.label;
    match (row.kind, row.state) {
        (RowKind::Queue, RowState::Running) => format!("It has waited for its turn for {time}."),
        (RowKind::Queue, _) => format!("The wait for its turn took longest: {time}."),
        (RowKind::Preparation, RowState::Running) => {
            format!("Helm has been fetching and rendering the chart for {time}.")
        }
        (RowKind::Preparation, _) => format!("Fetching and rendering the chart took longest: {time}."),
        (RowKind::Hook, RowState::Running) => format!("The hook {label} has been running for {time}."),
        (RowKind::Hook, RowState::Failed) => {
            format!("The hook {label} took longest until it failed: {time}.")
        }
        (RowKind::Hook, _) => format!("The hook {label} took longest: {time}."),
        (_, RowState::Running) => format!("{label} has been on its way for {time}."),
        (_, RowState::Failed) => format!("{label} took longest until it failed: {time}."),
        (_, _) => format!("{label} took longest to become ready: {time}."),
    }
}

#[cfg(test)]
mod tests {
    use app::model::{Failure, FailureClass, OperationKind, Outcome};

    use super::*;
    use crate::operations::fakes::operation;

    fn row(kind: RowKind, label: &str, start: i64, end: Option<i64>, state: RowState) -> TimelineRow {
        TimelineRow {
            kind,
            label: label.into(),
            object: None,
            source: String::new(),
            start: Some(Timestamp(start)),
            end: end.map(Timestamp),
            state,
            note: String::new(),
        }
    }

    #[test]
    fn an_operation_that_did_not_succeed_is_told_by_its_failure() {
        use OperationState::{Cancelled, Failed, Interrupted, Running, Succeeded};
        let quota = || Some(Failure::new(FailureClass::Permanent, "The quota does not allow it.", ""));
        for (state, failed, words) in [
            (Failed, quota(), Some("The install failed after 8s: The quota does not allow it.")),
            (Failed, None, Some("The install failed after 8s.")),
            (Cancelled, None, Some("The install was cancelled after 8s.")),
            (Interrupted, None, Some("The install was interrupted after 8s.")),
            (Succeeded, None, None),
            (Running, None, None),
        ] {
            let outcome = state.is_terminal().then_some(Outcome {
                ended: Timestamp(9_000),
                revision: Some(1),
                failure: failed,
                remark: None,
            });
            let operation = Operation {
                kind: OperationKind::Install,
                created: Timestamp(1_000),
                outcome,
                ..operation("a", state)
            };
            assert_eq!(failure(&operation).as_deref(), words, "{state:?}");
        }
    }

    #[test]
    fn what_took_longest_is_said_in_words() {
        use RowKind::{Attempt, Hook, Preparation, Queue, Resource};
        use RowState::{Done, Failed, Running};
        for (kind, end, state, words) in [
            (Queue, Some(9_000), Done, "The wait for its turn took longest: 9s."),
            (Queue, None, Running, "It has waited for its turn for 12s."),
            (Preparation, Some(9_000), Done, "Fetching and rendering the chart took longest: 9s."),
            (Preparation, None, Running, "Helm has been fetching and rendering the chart for 12s."),
            (Hook, Some(9_000), Done, "The hook Job a took longest: 9s."),
            (Hook, Some(9_000), Failed, "The hook Job a took longest until it failed: 9s."),
            (Hook, None, Running, "The hook Job a has been running for 12s."),
            (Resource, Some(9_000), Done, "Job a took longest to become ready: 9s."),
            (Resource, Some(9_000), Failed, "Job a took longest until it failed: 9s."),
            (Resource, None, Running, "Job a has been on its way for 12s."),
        ] {
            let rows = [
                row(Attempt, "Attempt 1", 0, Some(12_000), Done),
                row(Resource, "Deployment b", 0, Some(2_000), Done),
                row(kind, "Job a", 0, end, state),
            ];
            assert_eq!(longest(&rows, Timestamp(12_000)).as_deref(), Some(words));
        }
    }

    #[test]
    fn of_equals_the_first_is_told_and_what_has_no_times_is_not() {
        let mut unknown = row(RowKind::Resource, "c", 0, None, RowState::Done);
        let rows = |unknown: TimelineRow| {
            [
                row(RowKind::Resource, "a", 0, Some(5_000), RowState::Done),
                row(RowKind::Resource, "b", 1_000, Some(6_000), RowState::Done),
                unknown,
            ]
        };
        let words = longest(&rows(unknown.clone()), Timestamp(99_000)).unwrap();
        assert!(words.starts_with("a took"), "{words}");
        unknown.start = None;
        assert!(
            longest(&[unknown, row(RowKind::Hook, "h", 0, Some(999), RowState::Done)], Timestamp(9))
                .is_none()
        );
    }
}
