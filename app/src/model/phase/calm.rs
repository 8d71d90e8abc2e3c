//! That the page stays calm: whatever an operation's attempts do to helm's record, however it ends and whoever comes after
//! it, and in whatever order the two watches tell of the operation and of the record, nobody sees it flicker.

use proptest::prelude::*;

use super::tests::{LATER, operation, record};
use super::*;
use crate::model::OperationKind::{Install, Rollback, Uninstall, Upgrade};
use crate::model::{Attempt, OperationId};

/// What is done, and to what.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verb {
    Install,
    /// Over a history that was kept.
    Replace,
    Upgrade,
    Rollback,
    Uninstall {
        keep: bool,
    },
}

/// How an attempt ends that another one follows: before helm wrote a record, or recorded.
#[derive(Clone, Copy, Debug)]
enum End {
    Early,
    Recorded,
}

/// How it all ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Last {
    Done,
    /// helm ends well, and its last write is lost.
    LeftPending,
    Failed,
    FailedEarly,
    Cancelled,
    CancelledEarly,
    /// Its runner is gone, and left the record as it was then.
    Interrupted,
    InterruptedEarly,
    /// helm ended with its runner, and recorded that.
    InterruptedRecorded,
    /// Somebody else has begun while it waited for its next attempt: it is left to them.
    LeftToOthers,
    /// After an attempt that failed, while it waited for the next.
    CancelledBetween,
}

/// What another helm does after all that; whether its record bears the label that helm hands on.
#[derive(Clone, Copy, Debug)]
struct Foreign {
    deploys: bool,
    labelled: bool,
}

/// What each of the two watches will tell, in its own order. From the record `ours` on, others write.
#[derive(Debug, Default)]
struct Story {
    operations: Vec<Operation>,
    records: Vec<Option<ReleaseRecord>>,
    ours: usize,
}

impl Verb {
    fn kind(self) -> OperationKind {
        match self {
            Self::Install | Self::Replace => Install,
            Self::Upgrade => Upgrade,
            Self::Rollback => Rollback,
            Self::Uninstall { .. } => Uninstall,
        }
    }

    /// The record before.
    fn before(self) -> Option<ReleaseRecord> {
        match self {
            Self::Install => None,
            Self::Replace => Some(record(2, RecordStatus::Uninstalled)),
            _ => Some(record(2, RecordStatus::Deployed)),
        }
    }

    /// What helm writes at an attempt's beginning, over `top`.
    fn begun(self, top: u32) -> ReleaseRecord {
        let ours = |status| {
            let operation = Some(OperationId("ours".into()));
            ReleaseRecord { operation, ..record(top + 1, status) }
        };
        match self {
            Self::Install | Self::Replace => ours(RecordStatus::PendingInstall),
            Self::Upgrade => ours(RecordStatus::PendingUpgrade),
            // Its label is that of the revision that it goes back to.
            Self::Rollback => record(top + 1, RecordStatus::PendingRollback),
            Self::Uninstall { .. } => record(top, RecordStatus::Uninstalling),
        }
    }

    /// What helm makes of it at the attempt's end.
    fn over(self, begun: &ReleaseRecord, is_good: bool) -> Option<ReleaseRecord> {
        let status = match (self, is_good) {
            (Self::Uninstall { keep: false }, true) => return None,
            (Self::Uninstall { .. }, true) => RecordStatus::Uninstalled,
            (Self::Uninstall { .. }, false) => RecordStatus::Uninstalling,
            (_, true) => RecordStatus::Deployed,
            (_, false) => RecordStatus::Failed,
        };
        Some(ReleaseRecord { status, ..begun.clone() })
    }

    /// Whether it can end so, after these attempts and before this.
    fn ends(self, last: Last, early: &[End], foreign: Option<Foreign>) -> bool {
        match last {
            Last::Cancelled | Last::CancelledEarly => self.kind().ends_cleanly(),
            Last::CancelledBetween => !early.is_empty(),
            Last::LeftPending => self.kind() != Uninstall,
            // An uninstall is tried again whoever writes.
            Last::LeftToOthers => self.kind() != Uninstall && !early.is_empty() && foreign.is_some(),
            _ => true,
        }
    }
}

/// Attempts that fail one after the other, and a last one that ends as it does.
fn story(verb: Verb, early: &[End], last: Last, foreign: Option<Foreign>) -> Story {
    let before = verb.before();
    let base = before.as_ref().map(|record| record.revision);
    let mut top = base.unwrap_or(0);
    let mut now = operation(verb.kind(), OperationState::Queued, base, None);
    now.max_attempts = 6;
    let mut told = Story { operations: vec![now.clone()], records: vec![before], ours: 0 };
    let mut attempt = |told: &mut Story, now: &mut Operation, recorded: bool, ends: Option<bool>| {
        let attempts = operation(verb.kind(), OperationState::Running, base, None).attempts;
        let number = made(now) + 1;
        now.attempts.extend(attempts.into_iter().map(|attempt| Attempt { number, ..attempt }));
        now.state = OperationState::Running;
        told.operations.push(now.clone());
        if recorded {
            let begun = verb.begun(top);
            top = begun.revision;
            told.records.push(Some(begun.clone()));
            told.records.extend(ends.map(|is_good| verb.over(&begun, is_good)));
        }
    };
    for end in early {
        attempt(&mut told, &mut now, matches!(end, End::Recorded), Some(false));
        now.state = OperationState::Retrying;
        told.operations.push(now.clone());
    }
    match last {
        Last::Done => attempt(&mut told, &mut now, true, Some(true)),
        Last::Failed | Last::Cancelled | Last::InterruptedRecorded => {
            attempt(&mut told, &mut now, true, Some(false))
        }
        Last::LeftPending | Last::Interrupted => attempt(&mut told, &mut now, true, None),
        Last::FailedEarly | Last::CancelledEarly | Last::InterruptedEarly => {
            attempt(&mut told, &mut now, false, None);
        }
        Last::CancelledBetween | Last::LeftToOthers => {}
    }
    let state = match last {
        Last::Done | Last::LeftPending => OperationState::Succeeded,
        Last::Failed | Last::FailedEarly | Last::LeftToOthers => OperationState::Failed,
        Last::Cancelled | Last::CancelledEarly | Last::CancelledBetween => OperationState::Cancelled,
        Last::Interrupted | Last::InterruptedEarly | Last::InterruptedRecorded => OperationState::Interrupted,
    };
    let left = told.records.last().cloned().flatten();
    told.ours = told.records.len();
    let theirs = foreign.map(|foreign| theirs(foreign, left.as_ref()).map(Some));
    if let Some(attempt) = now.attempts.last_mut() {
        let wrote = |left: &&ReleaseRecord| match verb {
            Verb::Uninstall { .. } => left.status == RecordStatus::Uninstalling,
            _ => Some(left.revision) > base,
        };
        attempt.revision = left.as_ref().filter(wrote).map(|left| left.revision);
    }
    let found = match (last, &theirs) {
        (Last::LeftToOthers, Some([begun, _])) => begun.clone(),
        _ => left,
    };
    let mut over = operation(verb.kind(), state, base, found.map(|found| found.revision));
    if let Some(outcome) = &mut over.outcome {
        outcome.remark = (last == Last::LeftPending).then(|| "its last write was lost".to_owned());
    }
    told.operations.push(Operation { state, outcome: over.outcome, next_attempt: None, ..now });
    told.records.extend(theirs.into_iter().flatten());
    told
}

/// What another helm writes over what is `left`, or anew.
fn theirs(foreign: Foreign, left: Option<&ReleaseRecord>) -> [ReleaseRecord; 2] {
    let pending = left.map_or(RecordStatus::PendingInstall, |_| RecordStatus::PendingUpgrade);
    let label = left.and_then(|left| left.operation.clone()).filter(|_| foreign.labelled);
    let over = if foreign.deploys { RecordStatus::Deployed } else { RecordStatus::Failed };
    [pending, over].map(|status| ReleaseRecord {
        created: Some(Timestamp(LATER.0 - 58_000)),
        operation: label.clone(),
        ..record(left.map_or(1, |left| left.revision + 1), status)
    })
}

/// One look at both.
#[derive(Debug)]
struct Sight {
    state: OperationState,
    phase: Phase,
    /// What the record alone would tell, once others have written it.
    theirs: Option<Phase>,
}

/// What is seen, step by step, when the watches take turns as `turns` has it.
fn seen(story: &Story, turns: &[bool]) -> Vec<Sight> {
    // Within the time that the watches may lag behind each other.
    let now = Timestamp(LATER.0 - 55_000);
    let (mut operations, mut records) = (story.operations.iter(), story.records.iter().enumerate());
    let (mut ours, mut last) = (operations.next(), records.next());
    let mut shown = Vec::new();
    let mut turns = turns.iter().copied().chain(std::iter::repeat([true, false]).flatten());
    while operations.len() + records.len() > 0 {
        if turns.next().unwrap_or(true) {
            ours = operations.next().or(ours);
        } else {
            last = records.next().or(last);
        }
        let is_theirs = last.is_some_and(|(at, _)| at >= story.ours);
        let record = last.and_then(|(_, record)| record.as_ref());
        shown.extend(ours.map(|operation| Sight {
            state: operation.state,
            phase: Phase::of(Some(operation), record, None, now),
            theirs: is_theirs.then(|| Phase::of(None, record, None, now)),
        }));
    }
    shown
}

fn attempt(phase: &Phase) -> u32 {
    match phase {
        Phase::Working { attempt, .. } | Phase::Retrying { attempt, .. } => *attempt,
        _ => 0,
    }
}

fn verbs() -> impl Strategy<Value = Verb> {
    prop_oneof![
        Just(Verb::Install),
        Just(Verb::Replace),
        Just(Verb::Upgrade),
        Just(Verb::Rollback),
        any::<bool>().prop_map(|keep| Verb::Uninstall { keep }),
    ]
}

fn lasts() -> impl Strategy<Value = Last> {
    prop_oneof![
        Just(Last::Done),
        Just(Last::LeftPending),
        Just(Last::Failed),
        Just(Last::FailedEarly),
        Just(Last::Cancelled),
        Just(Last::CancelledEarly),
        Just(Last::Interrupted),
        Just(Last::InterruptedEarly),
        Just(Last::InterruptedRecorded),
        Just(Last::LeftToOthers),
        Just(Last::CancelledBetween),
    ]
}

fn foreigners() -> impl Strategy<Value = Option<Foreign>> {
    let one = any::<(bool, bool)>().prop_map(|(deploys, labelled)| Foreign { deploys, labelled });
    prop::option::of(one)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, max_global_rejects: 20_000, ..ProptestConfig::default() })]
    #[test]
    fn nothing_flickers_however_the_watches_take_turns(
        verb in verbs(),
        early in prop::collection::vec(prop_oneof![Just(End::Early), Just(End::Recorded)], 0..4),
        last in lasts(),
        foreign in foreigners(),
        turns in prop::collection::vec(any::<bool>(), 0..30),
    ) {
        prop_assume!(verb.ends(last, &early, foreign));
        let shown = seen(&story(verb, &early, last, foreign), &turns);
        let mut highest = 0;
        let mut settled: Option<&Phase> = None;
        for Sight { state, phase, theirs } in &shown {
            if !state.is_terminal() {
                prop_assert!(phase.is_active(), "{phase:?} while it is {state:?}");
                prop_assert!(!matches!(phase, Phase::Pending { .. }), "{phase:?}");
                prop_assert!(attempt(phase) >= highest, "attempt {} after {highest}", attempt(phase));
                highest = attempt(phase);
                continue;
            }
            if let Some(theirs) = theirs {
                prop_assert_eq!(phase, theirs, "somebody else's work is told as ours");
                continue;
            }
            // Over: at most the record is awaited, and what is said then is never taken back.
            match settled {
                Some(before) => prop_assert_eq!(before, phase),
                None if matches!(phase, Phase::Working { step: Step::Finishing, .. }) => {}
                None => settled = Some(phase),
            }
        }
        let Sight { phase: end, theirs, .. } = shown.last().unwrap();
        let good = if verb.kind() == Uninstall { Phase::Uninstalled } else { Phase::Deployed };
        let is_good = theirs.is_some() || *end == good;
        prop_assert!(if last == Last::Done { is_good } else { !end.is_active() }, "{end:?}");
    }
}
