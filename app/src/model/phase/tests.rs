//! The phase table. Each row: what it is, the operation, the record, the phase.

use proptest::prelude::*;

use super::*;
use crate::model::{
    Attempt, Detail, ObjectRef, OperationId, OperationOptions, Outcome, RecordStatus as Status, ReleaseKey,
};
use OperationKind::{Install, Uninstall, Upgrade};
use OperationState::{Cancelled, Failed, Interrupted, Queued, Retrying, Running, Succeeded};

/// When operations end, and records are written, unless a row says otherwise.
const ENDED: Timestamp = Timestamp(1_000_000_000);
/// Long after that, when every watch has told everything.
pub(in crate::model) const LATER: Timestamp = Timestamp(ENDED.0 + 60_000);

/// An operation on revision `base` that has made one attempt; an ended one left revision `left`.
pub(in crate::model) fn operation(
    kind: OperationKind,
    state: OperationState,
    base: Option<u32>,
    left: Option<u32>,
) -> Operation {
    Operation {
        id: OperationId("ours".into()),
        kind,
        release: ReleaseKey::new("ns", "web"),
        chart: None,
        options: OperationOptions::default(),
        requested_by: "me".into(),
        idempotency_key: None,
        created: Timestamp(0),
        state,
        max_attempts: 3,
        next_attempt: (state == Retrying).then_some(Timestamp(7)),
        attempts: (state != Queued)
            .then_some(Attempt {
                number: 1,
                started: Timestamp(1),
                ended: None,
                exit_code: None,
                failure: None,
                revision: left.filter(|left| *left > base.unwrap_or(0)),
                evidence: vec![],
            })
            .into_iter()
            .collect(),
        base_revision: base,
        cancel: None,
        again: None,
        outcome: state.is_terminal().then_some(Outcome {
            ended: ENDED,
            revision: left,
            failure: None,
            remark: None,
        }),
    }
}

/// The record of `revision`, without the label of an operation.
pub(in crate::model) fn record(revision: u32, status: Status) -> ReleaseRecord {
    let created = Some(ENDED);
    ReleaseRecord { revision, status, created, changed: None, operation: None, detail: Detail::Loading }
}

fn labelled(id: &str, record: ReleaseRecord) -> ReleaseRecord {
    ReleaseRecord { operation: Some(OperationId(id.into())), ..record }
}

fn resource(health: Health, hooks: &[&str]) -> Resource {
    Resource {
        object: ObjectRef { api_version: "v1".into(), kind: "Pod".into(), namespace: None, name: "x".into() },
        source: String::new(),
        hooks: hooks.iter().map(|&hook| hook.to_owned()).collect(),
        health,
        message: String::new(),
        created: None,
    }
}

fn working(kind: OperationKind, step: Step) -> Phase {
    Phase::Working { kind, step, attempt: 1, max_attempts: 3 }
}

type Row = (&'static str, Option<Operation>, Option<ReleaseRecord>, Phase);

fn check(now: Timestamp, rows: Vec<Row>) {
    for (case, operation, record, phase) in rows {
        assert_eq!(Phase::of(operation.as_ref(), record.as_ref(), None, now), phase, "{case}");
    }
}

fn failed(kind: OperationKind) -> Phase {
    Phase::Failed { kind: Some(kind) }
}

#[test]
fn without_an_operation_the_record_speaks() {
    let pending = |status| Phase::Pending { status };
    check(
        LATER,
        vec![
            ("nothing at all", None, None, Phase::NotFound),
            ("deployed", None, Some(record(1, Status::Deployed)), Phase::Deployed),
            ("failed", None, Some(record(1, Status::Failed)), Phase::Failed { kind: None }),
            ("uninstalled", None, Some(record(1, Status::Uninstalled)), Phase::Uninstalled),
            ("superseded", None, Some(record(1, Status::Superseded)), Phase::Superseded),
            ("unknown", None, Some(record(1, Status::Unknown)), Phase::Unknown),
            ("installing", None, Some(record(1, Status::PendingInstall)), pending(Status::PendingInstall)),
            ("upgrading", None, Some(record(2, Status::PendingUpgrade)), pending(Status::PendingUpgrade)),
            (
                "rolling back",
                None,
                Some(record(2, Status::PendingRollback)),
                pending(Status::PendingRollback),
            ),
            ("uninstalling", None, Some(record(1, Status::Uninstalling)), pending(Status::Uninstalling)),
        ],
    );
}

#[test]
fn a_foreign_pending_record_is_stuck_once_no_helm_takes_that_long() {
    let at = |age: u64| Timestamp(ENDED.0 + i64::try_from(age).unwrap());
    for status in [Status::PendingInstall, Status::PendingUpgrade, Status::PendingRollback] {
        let (record, ageless) = (record(1, status), ReleaseRecord { created: None, ..record(1, status) });
        let phase = |record, now| Phase::of(None, Some(record), None, now);
        assert_eq!(phase(&record, at(STUCK_AFTER_MS)), Phase::Pending { status });
        assert_eq!(phase(&record, at(STUCK_AFTER_MS + 1)), Phase::Stuck { status });
        assert_eq!(phase(&ageless, at(STUCK_AFTER_MS + 1)), Phase::Pending { status }, "no age, no verdict");
    }
    // Its Secret is as old as the revision: that says nothing of when the uninstall began.
    let uninstalling = record(1, Status::Uninstalling);
    let phase = Phase::of(None, Some(&uninstalling), None, at(10 * STUCK_AFTER_MS));
    assert_eq!(phase, Phase::Pending { status: Status::Uninstalling });
    let began = ReleaseRecord { changed: Some(at(STUCK_AFTER_MS)), ..uninstalling };
    for (age, is_stuck) in [(2 * STUCK_AFTER_MS, false), (2 * STUCK_AFTER_MS + 1, true)] {
        let phase = Phase::of(None, Some(&began), None, at(age));
        assert_eq!(matches!(phase, Phase::Stuck { .. }), is_stuck, "{phase:?}");
    }
}

#[test]
fn an_active_operation_speaks_before_the_record() {
    let retrying = Phase::Retrying { kind: Install, attempt: 2, max_attempts: 3, next: Some(Timestamp(7)) };
    let active = |kind, state, base| Some(operation(kind, state, base, None));
    check(
        LATER,
        vec![
            ("queued", active(Install, Queued, None), None, Phase::Queued { kind: Install }),
            (
                "queued over a failure",
                active(Upgrade, Queued, Some(1)),
                Some(record(1, Status::Failed)),
                Phase::Queued { kind: Upgrade },
            ),
            ("no record yet", active(Install, Running, None), None, working(Install, Step::Preparing)),
            (
                "its record",
                active(Install, Running, None),
                Some(record(1, Status::PendingInstall)),
                working(Install, Step::Applying),
            ),
            (
                "the record before",
                active(Upgrade, Running, Some(1)),
                Some(record(1, Status::Deployed)),
                working(Upgrade, Step::Preparing),
            ),
            (
                "a stuck record before",
                active(Upgrade, Running, Some(2)),
                Some(record(2, Status::PendingUpgrade)),
                working(Upgrade, Step::Preparing),
            ),
            (
                "a failure between attempts",
                active(Install, Retrying, None),
                Some(record(1, Status::Failed)),
                retrying.clone(),
            ),
            (
                "a failure as the next begins",
                active(Install, Running, None),
                Some(record(1, Status::Failed)),
                working(Install, Step::Preparing),
            ),
            ("retrying without a record", active(Install, Retrying, None), None, retrying),
            (
                "the last write, before the end",
                active(Install, Running, None),
                Some(record(1, Status::Deployed)),
                working(Install, Step::Finishing),
            ),
            (
                "uninstall, not begun",
                active(Uninstall, Running, Some(1)),
                Some(record(1, Status::Deployed)),
                working(Uninstall, Step::Preparing),
            ),
            (
                "uninstall",
                active(Uninstall, Running, Some(1)),
                Some(record(1, Status::Uninstalling)),
                working(Uninstall, Step::Removing),
            ),
            (
                "uninstall, all gone",
                active(Uninstall, Running, Some(1)),
                None,
                working(Uninstall, Step::Removing),
            ),
        ],
    );
}

#[test]
fn the_attempt_that_runs_is_counted_and_there_is_always_a_first_one() {
    let mut running = operation(Install, Running, None, None);
    running.attempts.push(running.attempts[0].clone());
    let attempt = |operation: &Operation| match Phase::of(Some(operation), None, None, LATER) {
        Phase::Working { attempt, .. } | Phase::Retrying { attempt, .. } => attempt,
        other => panic!("{other:?}"),
    };
    assert_eq!(attempt(&running), 2);
    running.state = Retrying;
    assert_eq!(attempt(&running), 3);
    (running.state, running.attempts) = (Running, vec![]);
    assert_eq!(attempt(&running), 1);
}

#[test]
fn the_live_resources_tell_what_an_operation_is_doing() {
    use Health::{Missing, Progressing, Ready, Terminating};
    let (job, test) = (|health, on: &'static str| resource(health, &[on]), resource(Missing, &["test"]));
    let object = |health| resource(health, &[]);
    for (case, kind, live, step) in [
        ("not known", Install, vec![], Step::Applying),
        ("hooks first", Install, vec![object(Missing), job(Progressing, "pre-install")], Step::RunningHooks),
        (
            "a hook of another verb",
            Upgrade,
            vec![object(Missing), job(Missing, "pre-install")],
            Step::Applying,
        ),
        (
            "hooks of an upgrade",
            Upgrade,
            vec![object(Missing), job(Missing, "pre-upgrade")],
            Step::RunningHooks,
        ),
        ("a test is no hook to wait for", Install, vec![object(Missing), test], Step::Applying),
        ("nothing yet", Install, vec![object(Missing), object(Missing)], Step::Applying),
        (
            "some of it",
            Install,
            vec![object(Ready), object(Missing), job(Ready, "pre-install")],
            Step::Applying,
        ),
        ("all of it", Install, vec![object(Ready), object(Progressing)], Step::Waiting),
        ("replaced", Upgrade, vec![object(Ready), object(Terminating)], Step::Waiting),
        (
            "all ready",
            Install,
            vec![object(Ready), object(Ready), job(Missing, "post-install")],
            Step::Finishing,
        ),
    ] {
        let (operation, status) = match kind {
            Install => (operation(kind, Running, None, None), Status::PendingInstall),
            _ => (operation(kind, Running, Some(1), None), Status::PendingUpgrade),
        };
        let phase = Phase::of(Some(&operation), Some(&record(2, status)), Some(&live), LATER);
        assert_eq!(phase, working(kind, step), "{case}");
    }
}

#[test]
fn an_ended_operation_without_a_record_tells_how_it_ended() {
    let ended = |kind, state| Some(operation(kind, state, None, None));
    check(
        LATER,
        vec![
            ("failed", ended(Install, Failed), None, failed(Install)),
            ("cancelled", ended(Install, Cancelled), None, Phase::Cancelled { kind: Install }),
            ("interrupted", ended(Upgrade, Interrupted), None, Phase::Interrupted { kind: Upgrade }),
            ("uninstalled", ended(Uninstall, Succeeded), None, Phase::Uninstalled),
            ("removed since by another", ended(Install, Succeeded), None, Phase::NotFound),
        ],
    );
}

#[test]
fn what_an_ended_operation_left_tells_how_it_ended() {
    let upgrade = |state| Some(operation(Upgrade, state, Some(1), Some(2)));
    let (pending, status) = (record(2, Status::PendingUpgrade), Status::PendingUpgrade);
    check(
        LATER,
        vec![
            ("well", upgrade(Succeeded), Some(record(2, Status::Deployed)), Phase::Deployed),
            ("failed", upgrade(Failed), Some(record(2, Status::Failed)), failed(Upgrade)),
            (
                "cancelled, as helm records it",
                upgrade(Cancelled),
                Some(record(2, Status::Failed)),
                Phase::Cancelled { kind: Upgrade },
            ),
            (
                "cancelled by force",
                upgrade(Cancelled),
                Some(pending.clone()),
                Phase::Cancelled { kind: Upgrade },
            ),
            (
                "interrupted",
                upgrade(Interrupted),
                Some(pending.clone()),
                Phase::Interrupted { kind: Upgrade },
            ),
            (
                "interrupted, and helm could still record its end",
                upgrade(Interrupted),
                Some(record(2, Status::Failed)),
                Phase::Interrupted { kind: Upgrade },
            ),
            (
                "its runner died when helm was done",
                upgrade(Interrupted),
                Some(record(2, Status::Deployed)),
                Phase::Deployed,
            ),
            ("failed, helm was killed", upgrade(Failed), Some(pending.clone()), failed(Upgrade)),
            (
                "well, and its last write never came",
                upgrade(Succeeded),
                Some(pending),
                Phase::Stuck { status },
            ),
        ],
    );
}

#[test]
fn a_record_that_is_not_the_operations_work_speaks_for_itself() {
    let upgrade = |state, left| Some(operation(Upgrade, state, Some(1), left));
    check(
        LATER,
        vec![
            (
                "failed before its first record",
                upgrade(Failed, Some(1)),
                Some(record(1, Status::Deployed)),
                Phase::Deployed,
            ),
            (
                "failed over a failure",
                upgrade(Failed, Some(1)),
                Some(record(1, Status::Failed)),
                Phase::Failed { kind: None },
            ),
            (
                "another helm came after",
                upgrade(Failed, Some(2)),
                Some(record(3, Status::Deployed)),
                Phase::Deployed,
            ),
            (
                "another helm is at work",
                upgrade(Succeeded, Some(2)),
                Some(record(3, Status::PendingRollback)),
                Phase::Pending { status: Status::PendingRollback },
            ),
            (
                "another helm inherited the label",
                upgrade(Failed, Some(2)),
                Some(labelled("ours", record(3, Status::Failed))),
                Phase::Failed { kind: None },
            ),
            (
                "another's label",
                upgrade(Cancelled, Some(2)),
                Some(labelled("theirs", record(2, Status::Failed))),
                Phase::Failed { kind: None },
            ),
            (
                "our label",
                upgrade(Cancelled, Some(2)),
                Some(labelled("ours", record(2, Status::Failed))),
                Phase::Cancelled { kind: Upgrade },
            ),
            (
                "installed anew at revision 1",
                Some(operation(Install, Failed, None, Some(4))),
                Some(record(1, Status::Deployed)),
                Phase::Deployed,
            ),
        ],
    );
}

#[test]
fn an_ended_uninstall() {
    let uninstall = |state| Some(operation(Uninstall, state, Some(1), Some(1)));
    let uninstalling = || Some(record(1, Status::Uninstalling));
    check(
        LATER,
        vec![
            ("its last deletion is on its way", uninstall(Succeeded), uninstalling(), Phase::Uninstalled),
            (
                "kept its history",
                uninstall(Succeeded),
                Some(record(1, Status::Uninstalled)),
                Phase::Uninstalled,
            ),
            ("failed half way", uninstall(Failed), uninstalling(), failed(Uninstall)),
            (
                "cancelled half way",
                uninstall(Cancelled),
                uninstalling(),
                Phase::Cancelled { kind: Uninstall },
            ),
            (
                "interrupted half way",
                uninstall(Interrupted),
                uninstalling(),
                Phase::Interrupted { kind: Uninstall },
            ),
            ("failed before it began", uninstall(Failed), Some(record(1, Status::Deployed)), Phase::Deployed),
            (
                "installed anew since",
                uninstall(Succeeded),
                Some(record(1, Status::Deployed)),
                Phase::Deployed,
            ),
        ],
    );
}

#[test]
fn just_after_its_end_a_record_may_lag_behind_its_operation() {
    let soon = Timestamp(ENDED.0 + 500);
    let (install, uninstall) = (
        || Some(operation(Install, Succeeded, None, Some(1))),
        || Some(operation(Uninstall, Succeeded, Some(1), None)),
    );
    let mut remarked = operation(Install, Succeeded, None, Some(1));
    remarked.outcome.as_mut().unwrap().remark = Some("helm could not write its last record".into());
    let pending = || Some(record(1, Status::PendingInstall));
    let anew = ReleaseRecord { created: Some(soon), ..record(1, Status::Deployed) };
    check(
        soon,
        vec![
            ("no record yet", install(), None, working(Install, Step::Finishing)),
            ("its last write is on its way", install(), pending(), working(Install, Step::Finishing)),
            (
                "its last write is known not to come",
                Some(remarked),
                pending(),
                Phase::Stuck { status: Status::PendingInstall },
            ),
            (
                "its deletions are on their way",
                uninstall(),
                Some(record(1, Status::Deployed)),
                Phase::Uninstalled,
            ),
            ("installed anew already", uninstall(), Some(anew), Phase::Deployed),
        ],
    );
}

#[test]
fn each_phase_has_words_a_tone_and_says_whether_it_is_active() {
    let (kind, status) = (Upgrade, Status::PendingInstall);
    let second = Phase::Working { kind, step: Step::Waiting, attempt: 2, max_attempts: 3 };
    for (phase, words, tone, active) in [
        (Phase::NotFound, "Not found", Tone::Neutral, false),
        (Phase::Queued { kind }, "Queued", Tone::Progress, true),
        (working(kind, Step::Waiting), "Upgrading", Tone::Progress, true),
        (second, "Upgrading, attempt 2 of 3", Tone::Progress, true),
        (
            Phase::Retrying { kind, attempt: 2, max_attempts: 3, next: None },
            "Upgrading, attempt 2 of 3",
            Tone::Progress,
            true,
        ),
        (Phase::Deployed, "Deployed", Tone::Success, false),
        (failed(kind), "Failed", Tone::Danger, false),
        (Phase::Cancelled { kind }, "Cancelled", Tone::Neutral, false),
        (Phase::Interrupted { kind }, "Interrupted", Tone::Warning, false),
        (Phase::Pending { status }, "Pending install", Tone::Progress, true),
        (Phase::Pending { status: Status::Uninstalling }, "Uninstalling", Tone::Progress, true),
        (Phase::Stuck { status }, "Stuck", Tone::Warning, false),
        (Phase::Uninstalled, "Uninstalled", Tone::Neutral, false),
        (Phase::Superseded, "Superseded", Tone::Neutral, false),
        (Phase::Unknown, "Unknown", Tone::Neutral, false),
    ] {
        assert_eq!(
            (phase.words().as_str(), phase.tone(), phase.is_active()),
            (words, tone, active),
            "{phase:?}"
        );
    }
}

fn any_record() -> impl Strategy<Value = Option<ReleaseRecord>> {
    let status = proptest::sample::select(Status::ALL.to_vec());
    let label = proptest::option::of(prop_oneof![Just("ours"), Just("theirs")]);
    let record = (status, 0..5_u32, label).prop_map(|(status, revision, label)| match label {
        Some(id) => labelled(id, record(revision, status)),
        None => record(revision, status),
    });
    proptest::option::of(record)
}

fn any_live() -> impl Strategy<Value = Option<Vec<Resource>>> {
    use Health::{Missing, Progressing, Ready, Terminating, Unknown};
    let health =
        proptest::sample::select(vec![Ready, Progressing, Health::Failed, Missing, Terminating, Unknown]);
    let hooks = proptest::sample::select(vec![vec![], vec!["pre-install"], vec!["test"]]);
    let resource = (health, hooks).prop_map(|(health, hooks)| resource(health, &hooks));
    proptest::option::of(proptest::collection::vec(resource, 0..4))
}

proptest! {
    #[test]
    fn while_an_operation_is_active_nothing_else_decides_the_phase(
        kind in proptest::sample::select(vec![Install, Upgrade, Uninstall]),
        state in proptest::sample::select(vec![Queued, Running, Retrying]),
        base in proptest::option::of(0..5_u32),
        record in any_record(),
        live in any_live(),
        now in 0..2_000_000_000_i64,
    ) {
        let operation = operation(kind, state, base, None);
        let phase = Phase::of(Some(&operation), record.as_ref(), live.as_deref(), Timestamp(now));
        let of_operation = match (state, &phase) {
            (Queued, Phase::Queued { kind: of })
            | (Running, Phase::Working { kind: of, .. })
            | (Retrying, Phase::Retrying { kind: of, .. }) => *of == kind,
            _ => false,
        };
        prop_assert!(of_operation && phase.is_active(), "{phase:?}");
    }
}

#[test]
fn a_record_that_could_not_be_read_at_the_end_is_still_the_operations_own_if_it_bears_its_label() {
    let ours = |revision, label: Option<&str>| ReleaseRecord {
        operation: label.map(|label| OperationId(label.into())),
        ..record(revision, Status::PendingUpgrade)
    };
    let theirs = Phase::Stuck { status: Status::PendingUpgrade };
    for (state, record, expected) in [
        (Failed, ours(2, Some("ours")), Phase::Failed { kind: Some(Upgrade) }),
        (Interrupted, ours(2, Some("ours")), Phase::Interrupted { kind: Upgrade }),
        // The label is handed on to what others write later.
        (Failed, ours(3, Some("ours")), theirs.clone()),
        (Failed, ours(2, Some("another")), theirs.clone()),
        (Failed, ours(2, None), theirs),
    ] {
        let operation = operation(Upgrade, state, Some(1), None);
        let now = Timestamp(ENDED.0 + 2 * 60 * 60_000);
        assert_eq!(Phase::of(Some(&operation), Some(&record), None, now), expected, "{record:?}");
    }
}
