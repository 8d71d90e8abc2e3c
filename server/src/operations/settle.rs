//! How an operation ended, told from what helm said and what its records say. Pure.

use app::model::{
    Failure, FailureClass, NextAction, Operation, OperationKind, OperationState, Outcome, RecordStatus,
    Timestamp,
};

use crate::kube::records::RecordMeta;

/// Whether `record` is the work of `operation`: it bears its label, and its revision is one that the operation could
/// have written. The label alone proves nothing, as helm hands labels on to the revisions that others write later.
pub fn is_own(operation: &Operation, record: &RecordMeta) -> bool {
    let base = operation.base_revision.unwrap_or(0);
    record.operation.as_ref() == Some(&operation.id)
        && record.revision > base
        && record.revision - base <= operation.max_attempts
}

/// `operation` with the outcome that its runner saw: its last attempt has ended. `records` are the release's, the newest
/// first; none if they could not be read. `stopped` says that the runner was told to stop before helm had ended.
pub fn seen(
    operation: &Operation,
    records: Option<&[RecordMeta]>,
    stopped: bool,
    now: Timestamp,
) -> Operation {
    let known = records.unwrap_or_default();
    let failure = operation.attempts.last().and_then(|attempt| attempt.failure.clone());
    let is_half_way = known.iter().any(|record| is_own(operation, record) && record.status.is_pending());
    let (state, failure, remark) = match failure {
        None if is_half_way => (OperationState::Succeeded, None, Some(LAST_WRITE_LOST)),
        None if records.is_none() => (OperationState::Succeeded, None, Some(RECORDS_UNREAD)),
        None => (OperationState::Succeeded, None, None),
        Some(failure) if is_gone_already(operation, &failure, records) => {
            (OperationState::Succeeded, None, Some(GONE_ALREADY))
        }
        Some(failure) if stopped => {
            let cause = "Slipway was told to stop before helm had finished.".to_owned();
            let failure = Failure { class: FailureClass::Interrupted, cause, ..failure }
                .advised(LOOK)
                .offering(&WAYS_OUT);
            (OperationState::Interrupted, Some(failure), None)
        }
        // helm is dead and could not write how it ended: nobody works on the release, and helm refuses to upgrade it.
        Some(failure) if is_half_way => (OperationState::Interrupted, Some(failure), None),
        Some(failure) => (OperationState::Failed, Some(failure), None),
    };
    ended(operation, state, known, failure, remark.map(str::to_owned), now)
}

/// `operation` with the outcome that helm's records tell, now that its runner is gone, as `proof` says. `told` is what
/// helm wrote about a failure, where that is known.
pub fn told_by_records(
    operation: &Operation,
    records: &[RecordMeta],
    told: Option<&str>,
    proof: &str,
    now: Timestamp,
) -> Operation {
    use RecordStatus::{Deployed, Failed, Superseded, Uninstalled};
    let status = if operation.kind == OperationKind::Uninstall {
        // An uninstall writes no record of its own.
        records.first().map_or(Some(Uninstalled), |latest| Some(latest.status))
    } else {
        records.iter().find(|record| is_own(operation, record)).map(|record| record.status)
    };
    let is_uninstall = operation.kind == OperationKind::Uninstall;
    match status {
        Some(Uninstalled) if is_uninstall => {
            ended(operation, OperationState::Succeeded, records, None, Some(UNSEEN.into()), now)
        }
        Some(Deployed | Superseded) if !is_uninstall => {
            ended(operation, OperationState::Succeeded, records, None, Some(UNSEEN.into()), now)
        }
        Some(Failed) if !is_uninstall => {
            let failure = Failure::told_by_helm(told.unwrap_or_default());
            ended(operation, OperationState::Failed, records, Some(failure), Some(UNSEEN.into()), now)
        }
        status => {
            let left = match status {
                Some(status) => format!("the release was left {}", status.as_str()),
                None => "helm had recorded nothing yet".to_owned(),
            };
            let cause = format!("The process that carried it out is gone; {left}.");
            let failure = Failure::new(FailureClass::Interrupted, cause, proof).advised(LOOK);
            let failure = failure.offering(&WAYS_OUT);
            ended(operation, OperationState::Interrupted, records, Some(failure), None, now)
        }
    }
}

/// `operation`, given up before helm was ever started.
pub fn never_started(operation: &Operation, cause: &str, proof: &str, now: Timestamp) -> Operation {
    let failure = Failure::new(FailureClass::Interrupted, cause, proof)
        .advised("Nothing was changed; submit it again.")
        .offering(&[NextAction::TryAgain]);
    let outcome =
        Outcome { ended: now, revision: operation.base_revision, failure: Some(failure), remark: None };
    Operation {
        state: OperationState::Interrupted,
        next_attempt: None,
        outcome: Some(outcome),
        ..operation.clone()
    }
}

const LAST_WRITE_LOST: &str = "helm finished, but could not write its last record: the release stays pending, and helm \
    refuses to upgrade it until it is rolled back or uninstalled.";
const RECORDS_UNREAD: &str = "helm finished; its records could not be read afterwards.";
const GONE_ALREADY: &str = "There was no such release any more.";
const UNSEEN: &str =
    "The process that carried it out was gone before the end; helm's record tells how it ended.";
/// Out of a release that was left half way.
const WAYS_OUT: [NextAction; 4] =
    [NextAction::TryAgain, NextAction::Rollback, NextAction::MarkFailed, NextAction::Uninstall];
const LOOK: &str = "Look at the release before you go on; nobody works on it now.";

fn is_gone_already(operation: &Operation, failure: &Failure, records: Option<&[RecordMeta]>) -> bool {
    operation.kind == OperationKind::Uninstall
        && records.is_some_and(<[RecordMeta]>::is_empty)
        && failure.text.contains("release: not found")
}

fn ended(
    operation: &Operation,
    state: OperationState,
    records: &[RecordMeta],
    failure: Option<Failure>,
    remark: Option<String>,
    now: Timestamp,
) -> Operation {
    let mut operation = operation.clone();
    let own = records.iter().filter(|record| is_own(&operation, record)).map(|record| record.revision).max();
    if let Some(attempt) = operation.attempts.last_mut() {
        attempt.ended = attempt.ended.or(Some(now));
        attempt.revision = attempt.revision.or(own);
        attempt.failure = attempt.failure.take().or_else(|| failure.clone());
    }
    operation.state = state;
    operation.next_attempt = None;
    let revision = records.first().map(|latest| latest.revision);
    operation.outcome = Some(Outcome { ended: now, revision, failure, remark });
    operation
}

#[cfg(test)]
mod tests;
