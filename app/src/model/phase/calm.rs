//! That the page stays calm: whatever an operation's attempts do to helm's record, and in whatever order the two watches
//! tell of the operation and of the record, nobody sees it flicker between failed and pending.

use proptest::prelude::*;

use super::tests::{LATER, operation, record};
use super::*;
use crate::model::OperationId;
use crate::model::phase::OperationKind::{Install, Upgrade};

/// How an attempt ends, and whether helm wrote a record before.
#[derive(Clone, Copy, Debug)]
enum End {
    FailedEarly,
    FailedRecorded,
    Deployed,
}

/// What each of the two watches will tell, in its own order.
#[derive(Debug, Default)]
struct Story {
    operations: Vec<Operation>,
    records: Vec<Option<ReleaseRecord>>,
}

fn own(revision: u32, status: RecordStatus) -> Option<ReleaseRecord> {
    Some(ReleaseRecord { operation: Some(OperationId("ours".into())), ..record(revision, status) })
}

/// Attempts that fail one after the other, and a last one that ends as it does.
fn story(kind: OperationKind, ends: &[End]) -> Story {
    let base = (kind == Upgrade).then_some(1);
    let (mut told, mut top) = (Story::default(), base.unwrap_or(0));
    let mut now = operation(kind, OperationState::Queued, base, None);
    now.max_attempts = 5;
    told.operations.push(now.clone());
    told.records.push(base.map(|revision| record(revision, RecordStatus::Deployed)));
    let pending = if kind == Install { RecordStatus::PendingInstall } else { RecordStatus::PendingUpgrade };
    for (made, end) in (1..).zip(ends) {
        let attempts = operation(kind, OperationState::Running, base, None).attempts;
        now.attempts
            .extend(attempts.into_iter().map(|attempt| super::super::Attempt { number: made, ..attempt }));
        now.state = OperationState::Running;
        told.operations.push(now.clone());
        if !matches!(end, End::FailedEarly) {
            top += 1;
            told.records.push(own(top, pending));
            let status =
                if matches!(end, End::Deployed) { RecordStatus::Deployed } else { RecordStatus::Failed };
            told.records.push(own(top, status));
        }
        let is_last = made as usize == ends.len();
        now.state = match (is_last, end) {
            (false, _) => OperationState::Retrying,
            (true, End::Deployed) => OperationState::Succeeded,
            (true, _) => OperationState::Failed,
        };
        if is_last {
            now.outcome = operation(kind, now.state, base, (top > 0).then_some(top)).outcome;
        }
        told.operations.push(now.clone());
    }
    told
}

/// What is seen, step by step, when the watches take turns as `turns` has it.
fn seen(story: &Story, turns: &[bool]) -> Vec<(OperationState, Phase)> {
    // Within the time that the watches may lag behind each other.
    let now = Timestamp(LATER.0 - 55_000);
    let (mut operations, mut records) = (story.operations.iter(), story.records.iter());
    let (mut ours, mut theirs) = (operations.next(), records.next());
    let mut shown = Vec::new();
    let mut turns = turns.iter().copied().chain(std::iter::repeat([true, false]).flatten());
    while operations.len() + records.len() > 0 {
        if turns.next().unwrap_or(true) {
            ours = operations.next().or(ours);
        } else {
            theirs = records.next().or(theirs);
        }
        let record = theirs.and_then(Option::as_ref);
        if let Some(operation) = ours {
            shown.push((operation.state, Phase::of(Some(operation), record, None, now)));
        }
    }
    shown
}

fn attempt(phase: &Phase) -> u32 {
    match phase {
        Phase::Working { attempt, .. } | Phase::Retrying { attempt, .. } => *attempt,
        _ => 0,
    }
}

proptest! {
    #[test]
    fn nothing_flickers_however_the_watches_take_turns(
        kind in prop_oneof![Just(Install), Just(Upgrade)],
        early in prop::collection::vec(prop_oneof![Just(End::FailedEarly), Just(End::FailedRecorded)], 0..4),
        last in prop_oneof![Just(End::FailedEarly), Just(End::FailedRecorded), Just(End::Deployed)],
        turns in prop::collection::vec(any::<bool>(), 0..30),
    ) {
        let ends: Vec<End> = early.into_iter().chain([last]).collect();
        let shown = seen(&story(kind, &ends), &turns);
        let mut highest = 0;
        let mut settled: Option<&Phase> = None;
        for (state, phase) in &shown {
            if !state.is_terminal() {
                prop_assert!(phase.is_active(), "{phase:?} while it is {state:?}");
                prop_assert!(!matches!(phase, Phase::Pending { .. }), "{phase:?}");
                prop_assert!(attempt(phase) >= highest, "attempt {} after {highest}", attempt(phase));
                highest = attempt(phase);
                continue;
            }
            // Over: at most the record is awaited, and what is said then is never taken back.
            match settled {
                Some(before) => prop_assert_eq!(before, phase),
                None if matches!(phase, Phase::Working { step: Step::Finishing, .. }) => {}
                None => settled = Some(phase),
            }
        }
        let is_good = matches!(last, End::Deployed);
        let (_, end) = shown.last().unwrap();
        prop_assert!(if is_good { *end == Phase::Deployed } else { !end.is_active() }, "{end:?}");
    }
}
