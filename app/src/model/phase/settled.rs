//! The phase of a release that nothing of ours is at work on: told by the outcome of our last operation as long as the
//! record is its work, and by the record else.

use super::{Phase, SETTLING_MS, STUCK_AFTER_MS, Step, is_own, made};
use crate::model::{Operation, OperationKind, OperationState, RecordStatus, ReleaseRecord, Timestamp};

/// Whether `record` was written by an `operation` that is over, as its runner noted: what was there at the end may be
/// somebody else's. Where helm undoes a failed upgrade it writes one more, which bears no label of ours.
fn wrote(operation: &Operation, record: &ReleaseRecord) -> bool {
    let is_noted = operation.attempts.iter().any(|attempt| attempt.revision == Some(record.revision));
    is_own(operation, record) && (is_noted || operation.options.rollback_on_failure)
}

/// Whether `record` was written by an `operation` that could not read it at its end. A release that somebody made anew
/// since does not bear its label.
fn is_unread_outcome(operation: &Operation, record: &ReleaseRecord) -> bool {
    let base = operation.base_revision.unwrap_or(0);
    let is_within_reach =
        record.revision.checked_sub(base).is_some_and(|above| (1..=made(operation)).contains(&above));
    is_within_reach && record.operation.as_ref() == Some(&operation.id)
}

pub(super) fn without_record(operation: &Operation, now: Timestamp) -> Phase {
    let kind = operation.kind;
    match operation.state {
        // The record is on its way to our watch.
        OperationState::Succeeded if kind != OperationKind::Uninstall && is_settling(operation, now) => {
            finishing(operation)
        }
        _ if leaves_a_record(operation) && is_settling(operation, now) => finishing(operation),
        // What was done to a release that is gone since says nothing any more.
        _ if matches!(kind, OperationKind::Test | OperationKind::MarkFailed) => Phase::NotFound,
        OperationState::Cancelled => Phase::Cancelled { kind },
        OperationState::Interrupted => Phase::Interrupted { kind },
        OperationState::Failed => Phase::Failed { kind: Some(kind) },
        // What an install or an upgrade left was removed since, by somebody else.
        _ if kind == OperationKind::Uninstall => Phase::Uninstalled,
        _ => Phase::NotFound,
    }
}

pub(super) fn settled(operation: &Operation, record: &ReleaseRecord, now: Timestamp) -> Phase {
    let kind = operation.kind;
    let outcome_revision = operation.outcome.as_ref().and_then(|outcome| outcome.revision);
    match kind {
        // A test changes nothing that the record tells of the release.
        OperationKind::Test => return told_by(record, now),
        // The record's last write is on its way to our watch.
        OperationKind::MarkFailed
            if operation.state == OperationState::Succeeded
                && outcome_revision == Some(record.revision)
                && record.status.is_pending()
                && is_settling(operation, now) =>
        {
            return Phase::Failed { kind: None };
        }
        OperationKind::MarkFailed => return told_by(record, now),
        _ => {}
    }
    if kind == OperationKind::Uninstall {
        let status =
            if has_begun(operation, record, now) { RecordStatus::Uninstalling } else { record.status };
        return match (operation.state, status) {
            // The last deletion is on its way to our watch.
            (OperationState::Succeeded, RecordStatus::Uninstalling) => Phase::Uninstalled,
            // So is all of it, unless the record is of a release that was made anew since.
            (OperationState::Succeeded, _)
                if is_settling(operation, now) && record.created <= operation.ended() =>
            {
                Phase::Uninstalled
            }
            (OperationState::Failed, RecordStatus::Uninstalling) => Phase::Failed { kind: Some(kind) },
            (OperationState::Cancelled, RecordStatus::Uninstalling) => Phase::Cancelled { kind },
            (OperationState::Interrupted, RecordStatus::Uninstalling) => Phase::Interrupted { kind },
            _ => told_by(record, now),
        };
    }
    // What we see is older than what the operation left: that is on its way to our watch.
    if outcome_revision.is_some_and(|left| record.revision < left) && is_settling(operation, now) {
        return finishing(operation);
    }
    let is_outcome = match outcome_revision {
        Some(revision) => revision == record.revision && wrote(operation, record),
        None => is_unread_outcome(operation, record),
    };
    if !is_outcome {
        return told_by(record, now);
    }
    match (record.status, operation.state) {
        (RecordStatus::Failed, OperationState::Cancelled) => Phase::Cancelled { kind },
        (RecordStatus::Failed, OperationState::Interrupted) => Phase::Interrupted { kind },
        (RecordStatus::Failed, _) => Phase::Failed { kind: Some(kind) },
        (status, state) if status.is_pending() => match state {
            OperationState::Interrupted => Phase::Interrupted { kind },
            OperationState::Cancelled => Phase::Cancelled { kind },
            // helm exited well and its last write did not: the remark says so, and helm will refuse to upgrade.
            OperationState::Succeeded if has_remark(operation) || !is_settling(operation, now) => {
                Phase::Stuck { status }
            }
            // The last write is on its way to our watch.
            OperationState::Succeeded => finishing(operation),
            _ => Phase::Failed { kind: Some(kind) },
        },
        _ => told_by(record, now),
    }
}

/// Whether an uninstall is known to have begun, which the record is yet to say: that is on its way to our watch.
fn has_begun(operation: &Operation, record: &ReleaseRecord, now: Timestamp) -> bool {
    let noted = operation.attempts.last().and_then(|attempt| attempt.revision);
    is_settling(operation, now) && noted == Some(record.revision)
}

/// Whether it ended with a record of the release in the cluster, which a watch will tell of.
fn leaves_a_record(operation: &Operation) -> bool {
    operation.kind.takes_chart()
        && operation.outcome.as_ref().is_some_and(|outcome| outcome.revision.is_some())
}

/// Our operation is over and the record does not say so yet.
fn finishing(operation: &Operation) -> Phase {
    Phase::Working {
        kind: operation.kind,
        step: Step::Finishing,
        attempt: made(operation).max(1),
        max_attempts: operation.max_attempts,
    }
}

fn is_settling(operation: &Operation, now: Timestamp) -> bool {
    operation.ended().is_some_and(|ended| now.since(ended) < SETTLING_MS)
}

fn has_remark(operation: &Operation) -> bool {
    operation.outcome.as_ref().is_some_and(|outcome| outcome.remark.is_some())
}

pub(super) fn told_by(record: &ReleaseRecord, now: Timestamp) -> Phase {
    match record.status {
        RecordStatus::Deployed => Phase::Deployed,
        RecordStatus::Failed => Phase::Failed { kind: None },
        RecordStatus::Uninstalled => Phase::Uninstalled,
        RecordStatus::Superseded => Phase::Superseded,
        RecordStatus::Unknown => Phase::Unknown,
        status if record.pending_since().is_some_and(|began| now.since(began) > STUCK_AFTER_MS) => {
            Phase::Stuck { status }
        }
        status => Phase::Pending { status },
    }
}
