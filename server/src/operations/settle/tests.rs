use OperationState::{Failed, Interrupted, Running, Succeeded};
use app::model::{Attempt, OperationId};

use super::*;
use crate::operations::fakes::{operation, record};

const NOW: Timestamp = Timestamp(9_000);

fn running(kind: OperationKind, base: Option<u32>, error: Option<&str>) -> Operation {
    let attempt = Attempt {
        number: 1,
        started: Timestamp(1_000),
        ended: error.map(|_| Timestamp(2_000)),
        exit_code: None,
        failure: error.map(Failure::told_by_helm),
        revision: None,
        evidence: vec![],
    };
    Operation { kind, base_revision: base, attempts: vec![attempt], ..operation("a", Running) }
}

fn own(revision: u32, status: RecordStatus) -> RecordMeta {
    RecordMeta { operation: Some(OperationId("a".into())), ..record(revision, status) }
}

/// The state, whether there is a failure, and whether there is a remark.
fn short(operation: &Operation) -> (OperationState, bool, bool) {
    let outcome = operation.outcome.as_ref().unwrap();
    (operation.state, outcome.failure.is_some(), outcome.remark.is_some())
}

#[test]
fn what_the_runner_saw_is_the_outcome() {
    use OperationKind::{Install, Uninstall, Upgrade};
    use RecordStatus::{Deployed, Failed as FailedRecord, PendingInstall, Uninstalling};
    let refused = Some("Error: INSTALLATION FAILED: Service \"a\" is invalid: x");
    let gone = Some("Error: uninstall: Release not loaded: web: release: not found");
    for (kind, error, records, stopped, expected) in [
        (Install, None, Some(vec![own(1, Deployed)]), false, (Succeeded, false, false)),
        (Install, None, Some(vec![own(1, PendingInstall)]), false, (Succeeded, false, true)),
        (Install, None, None, false, (Succeeded, false, true)),
        // Somebody removed what helm wrote.
        (Install, None, Some(vec![]), false, (Failed, true, false)),
        (Upgrade, None, Some(vec![]), false, (Failed, true, false)),
        (Install, refused, Some(vec![own(1, FailedRecord)]), false, (Failed, true, false)),
        (Install, refused, Some(vec![]), false, (Failed, true, false)),
        (Install, Some(""), Some(vec![own(1, PendingInstall)]), false, (Interrupted, true, false)),
        (
            Install,
            Some("Error: context canceled"),
            Some(vec![own(1, FailedRecord)]),
            true,
            (Interrupted, true, false),
        ),
        (Upgrade, refused, Some(vec![own(1, FailedRecord)]), false, (Failed, true, false)),
        (Uninstall, None, Some(vec![]), false, (Succeeded, false, false)),
        // Its last write was lost, and helm does not mind.
        (Uninstall, None, Some(vec![record(1, Uninstalling)]), false, (Succeeded, false, true)),
        (Uninstall, gone, Some(vec![]), false, (Succeeded, false, true)),
        (Uninstall, refused, Some(vec![record(1, Uninstalling)]), false, (Failed, true, false)),
    ] {
        let operation = running(kind, None, error);
        let seen = seen(&operation, records.as_deref(), stopped, NOW);
        assert_eq!(short(&seen), expected, "{kind:?} {error:?} {records:?}");
    }
}

#[test]
fn when_the_runner_is_gone_helms_record_is_believed_and_nothing_else() {
    use OperationKind::{Install, Uninstall};
    use RecordStatus::{
        Deployed, Failed as FailedRecord, PendingInstall, Superseded, Uninstalled, Uninstalling,
    };
    for (kind, records, expected) in [
        (Install, vec![own(1, Deployed)], (Succeeded, false, true)),
        (Install, vec![record(2, Deployed), own(1, Superseded)], (Succeeded, false, true)),
        (Install, vec![own(1, FailedRecord)], (Failed, true, true)),
        (Install, vec![own(1, PendingInstall)], (Interrupted, true, false)),
        (Install, vec![], (Interrupted, true, false)),
        // Somebody else's record says nothing about ours.
        (Install, vec![record(1, Deployed)], (Interrupted, true, false)),
        (Uninstall, vec![], (Succeeded, false, true)),
        // The history may have been kept by an uninstall before this one.
        (Uninstall, vec![record(3, Uninstalled)], (Interrupted, true, false)),
        (Uninstall, vec![record(3, Uninstalling)], (Interrupted, true, false)),
        (Uninstall, vec![record(3, Deployed)], (Interrupted, true, false)),
    ] {
        let told = told_by_records(&running(kind, None, None), &records, None, "proof", NOW);
        assert_eq!(short(&told), expected, "{kind:?} {records:?}");
    }
}

#[test]
fn a_failure_told_by_the_record_is_taken_apart_like_any_other() {
    let operation = running(OperationKind::Upgrade, Some(4), None);
    let records = [own(5, RecordStatus::Failed), record(4, RecordStatus::Deployed)];
    let told = told_by_records(
        &operation,
        &records,
        Some("Upgrade \"web\" failed: Service \"a\" is invalid"),
        "",
        NOW,
    );
    assert_eq!((told.state, told.failure().unwrap().class), (Failed, FailureClass::Unknown));
    assert_eq!(told.outcome.as_ref().unwrap().revision, Some(5));
    assert_eq!(told.attempts[0].revision, Some(5));
}

#[test]
fn a_helm_that_ended_because_its_runner_was_gone_was_interrupted_and_not_cancelled() {
    let operation = running(OperationKind::Upgrade, Some(4), None);
    let records = [own(5, RecordStatus::Failed), record(4, RecordStatus::Deployed)];
    let told = told_by_records(
        &operation,
        &records,
        Some("Upgrade \"web\" failed: context canceled"),
        "held by x until y",
        NOW,
    );
    let failure = told.failure().unwrap();
    assert_eq!((told.state, failure.class), (Interrupted, FailureClass::Interrupted));
    assert!(
        failure.text.starts_with("held by x until y") && failure.text.ends_with("context canceled"),
        "{failure:?}"
    );
}

#[test]
fn an_interruption_shows_its_proof() {
    let told = told_by_records(
        &running(OperationKind::Install, None, None),
        &[own(1, RecordStatus::PendingInstall)],
        None,
        "held by x until y",
        NOW,
    );
    let failure = told.failure().unwrap();
    assert_eq!(failure.text, "held by x until y");
    assert!(failure.cause.contains("pending-install"), "{}", failure.cause);
}

#[test]
fn a_label_that_others_inherited_is_no_proof_of_our_work() {
    let operation = running(OperationKind::Upgrade, Some(4), None);
    assert!(is_own(&operation, &own(5, RecordStatus::Deployed)));
    assert!(!is_own(&operation, &own(6, RecordStatus::Deployed)));
    assert!(!is_own(&operation, &own(4, RecordStatus::Deployed)));
    assert!(!is_own(&operation, &record(5, RecordStatus::Deployed)));
}

#[test]
fn what_helm_undid_is_told() {
    let refused = Some("Error: INSTALLATION FAILED: Service \"a\" is invalid: x");
    let rolled_back = [record(3, RecordStatus::Deployed), own(2, RecordStatus::Failed)];
    for (kind, undoes, records, words) in [
        (OperationKind::Install, true, &[][..], Some("its record with it")),
        (OperationKind::Install, false, &[][..], None),
        (OperationKind::Upgrade, true, &rolled_back[..], Some("as it was before")),
        (OperationKind::Upgrade, true, &[own(2, RecordStatus::Failed)][..], None),
    ] {
        let mut operation = running(kind, (kind == OperationKind::Upgrade).then_some(1), refused);
        operation.options.rollback_on_failure = undoes;
        let remark = seen(&operation, Some(records), false, NOW).outcome.unwrap().remark;
        match words {
            None => assert_eq!(remark, None, "{kind:?} {undoes}"),
            Some(words) => assert!(remark.unwrap().contains(words), "{kind:?}"),
        }
    }
}

#[test]
fn what_came_after_an_operation_is_not_its_work_although_it_bears_its_label() {
    let records = [own(1, RecordStatus::Deployed)];
    let done = seen(&running(OperationKind::Install, None, None), Some(&records), false, NOW);
    assert!(is_own(&done, &records[0]));
    assert!(!is_own(&done, &own(2, RecordStatus::PendingUpgrade)));
}

#[test]
fn a_helm_that_had_to_be_killed_is_told_of() {
    let mut operation = running(OperationKind::Install, None, Some("x"));
    operation.cancel = Some(app::model::Cancel { by: "bob".into(), at: NOW });
    let attempt = operation.attempts.last_mut().unwrap();
    attempt.failure = Some(Failure::new(FailureClass::Unknown, KILLED, ""));
    let told = seen(&operation, Some(&[own(1, RecordStatus::Failed)]), true, NOW);
    assert_eq!(told.failure().unwrap().cause, "Cancelled by bob; helm did not end in time and was killed.");
}

#[test]
fn an_uninstall_that_has_begun_names_the_revision_that_says_so() {
    use RecordStatus::{Deployed, Uninstalling};
    for (status, expected) in [(Uninstalling, Some(3)), (Deployed, None)] {
        let operation = running(OperationKind::Uninstall, Some(3), Some("Error: etcdserver: leader changed"));
        let seen = seen(&operation, Some(&[record(3, status)]), false, NOW);
        assert_eq!((seen.state, seen.attempts[0].revision), (Failed, expected), "{status:?}");
    }
}

#[test]
fn what_others_have_made_of_a_rollbacks_release_is_not_its_work() {
    use RecordStatus::{Deployed, Failed as FailedRecord, PendingRollback, PendingUpgrade, Superseded};
    let mut operation = running(OperationKind::Rollback, Some(4), None);
    operation.options.revision = Some(2);
    operation.options.description = "back to what worked".into();
    for (status, told, expected, own) in [
        (Deployed, Some("Rollback to 2"), Succeeded, Some(5)),
        (Superseded, Some("back to what worked"), Succeeded, Some(5)),
        (FailedRecord, Some("Rollback \"web\" failed: timed out"), Failed, Some(5)),
        (PendingRollback, Some("Rollback to 2"), Interrupted, Some(5)),
        (PendingRollback, Some("Rollback to 1"), Interrupted, None),
        (PendingUpgrade, Some("Preparing upgrade"), Interrupted, None),
        (Deployed, Some("Upgrade complete"), Interrupted, None),
        (Deployed, Some("Rollback to 22"), Interrupted, None),
        (FailedRecord, Some("Upgrade \"web\" failed: timed out"), Interrupted, None),
        // Nobody could read it.
        (Deployed, None, Interrupted, None),
    ] {
        let records = [record(5, status), record(4, Superseded), record(2, Superseded)];
        let ended = told_by_records(&operation, &records, told, "proof", NOW);
        let found = (ended.state, ended.attempts[0].revision);
        assert_eq!(found, (expected, own), "{status:?} {told:?}");
        assert_eq!(ended.outcome.unwrap().revision, Some(5));
    }
}

#[test]
fn of_a_dry_run_that_was_interrupted_nothing_is_left_to_get_out_of() {
    let mut operation = running(OperationKind::Upgrade, Some(1), Some(""));
    operation.options.dry_run = true;
    // For real, the next revision would be its own.
    operation.options.rollback_on_failure = true;
    let records = [record(2, RecordStatus::PendingRollback), record(1, RecordStatus::Deployed)];
    let gone = told_by_records(&operation, &records, None, "proof", NOW);
    let told_to_stop = seen(&operation, Some(&records[1..]), true, NOW);
    for ended in [gone, told_to_stop] {
        let failure = ended.failure().unwrap();
        assert_eq!((ended.state, failure.class), (Interrupted, FailureClass::Interrupted));
        assert_eq!(failure.advice.as_deref(), Some(PREVIEW_AGAIN));
        assert!(failure.next.is_empty());
        assert_eq!(ended.attempts[0].revision, None);
    }
}
