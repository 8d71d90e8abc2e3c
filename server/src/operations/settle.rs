//! How an operation ended, told from what helm said and what its records say. Pure.

use app::model::{
    Failure, FailureClass, NextAction, Operation, OperationKind, OperationState, Outcome, RecordStatus,
    Timestamp,
};

use crate::kube::records::RecordMeta;

/// Whether `record` is the work of `operation`: it bears its label, and its revision is one that the attempts so far could
/// have written. The label alone proves nothing, as helm hands labels on to the revisions that others write later.
pub fn is_own(operation: &Operation, record: &RecordMeta) -> bool {
    is_own_by(operation, record, operation.attempts.len())
}

/// Whether `record` is the work of the first `made` attempts of `operation`.
pub fn is_own_by(operation: &Operation, record: &RecordMeta, made: usize) -> bool {
    let base = operation.base_revision.unwrap_or(0);
    let made = u32::try_from(made).unwrap_or(u32::MAX);
    // What is above the revision that an ended operation left came later.
    let left = operation.outcome.as_ref().and_then(|outcome| outcome.revision);
    // A rollback's record bears the label of the revision that it goes back to, but never the status of another verb.
    // So does that of the rollback with which helm undoes a failed upgrade.
    let is_anothers = matches!(record.status, RecordStatus::PendingInstall | RecordStatus::PendingUpgrade);
    let rolls_back = operation.kind == OperationKind::Rollback && !is_anothers
        || operation.kind == OperationKind::Upgrade
            && operation.options.rollback_on_failure
            && record.status == RecordStatus::PendingRollback;
    let is_labelled = rolls_back || record.operation.as_ref() == Some(&operation.id);
    // Where a failed upgrade is rolled back, helm writes two.
    let each = if operation.options.rollback_on_failure { 2 } else { 1 };
    // A dry run writes none.
    operation.is_for_real()
        && is_labelled
        && record.revision > base
        && record.revision - base <= made.saturating_mul(each)
        && left.is_none_or(|left| record.revision <= left)
}

/// `operation` with nothing of what is there as its work, if it is a rollback, and `told`, which helm wrote about the revision
/// that could be its own, does not say that it is: as no label of its own tells them apart, somebody else may have gone on
/// from the same revision.
pub fn overtaken(operation: &Operation, records: &[RecordMeta], told: Option<&str>) -> Option<Operation> {
    let latest = records.first()?;
    let is_in_doubt = operation.kind == OperationKind::Rollback
        && records.iter().any(|record| is_own(operation, record))
        && !told.is_some_and(|told| tells_of_rollback(operation, told));
    is_in_doubt.then(|| Operation { base_revision: Some(latest.revision), ..operation.clone() })
}

/// Whether helm writes this about the revision that a rollback makes (`pkg/action/rollback.go` of helm 3 and of helm 4).
fn tells_of_rollback(operation: &Operation, told: &str) -> bool {
    let Operation { options, release, .. } = operation;
    let names_its_target = options.revision.map_or_else(
        || told.starts_with("Rollback to "),
        |revision| told == format!("Rollback to {revision}"),
    );
    names_its_target
        || told.starts_with(&format!("Rollback \"{}\" failed: ", release.name))
        || !options.description.is_empty() && told == options.description
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
        None if stays_uninstalling(operation, known) => {
            (OperationState::Succeeded, None, Some(LAST_MARK_LOST))
        }
        None if has_lost_record(operation, records) => {
            let failure = Failure::new(FailureClass::Permanent, RECORD_REMOVED, "").advised(LEFT_BEHIND);
            (OperationState::Failed, Some(failure.offering(&[NextAction::TryAgain])), None)
        }
        None if records.is_none() => (OperationState::Succeeded, None, Some(RECORDS_UNREAD)),
        None if operation.cancel.is_some() => (OperationState::Succeeded, None, Some(TOO_LATE)),
        None => (OperationState::Succeeded, None, None),
        Some(failure) if is_gone_already(operation, &failure, records) => {
            (OperationState::Succeeded, None, Some(GONE_ALREADY))
        }
        Some(failure) if lacks_logs_alone(operation, &failure) => {
            (OperationState::Succeeded, None, Some(LOGS_UNREAD))
        }
        Some(failure) if is_half_way && operation.cancel.is_some() => {
            (OperationState::Interrupted, Some(failure), None)
        }
        Some(failure) if ended_by_cancel(operation, &failure) => {
            (OperationState::Cancelled, Some(cancelled(operation, failure, known)), None)
        }
        Some(failure) if stopped => {
            let cause = "Slipway was told to stop before helm had finished.".to_owned();
            let failure = Failure { class: FailureClass::Interrupted, cause, ..failure };
            (OperationState::Interrupted, Some(with_ways_out(operation, failure)), None)
        }
        // helm is dead and could not write how it ended: nobody works on the release, and helm refuses to upgrade it.
        Some(failure) if is_half_way => (OperationState::Interrupted, Some(failure), None),
        Some(failure) => (OperationState::Failed, Some(failure), undone(operation, records)),
    };
    ended(operation, state, known, failure, remark.map(str::to_owned), now)
}

/// Whether an uninstall that kept the history left the release in between: that it is over helm writes last, and does not mind
/// when it cannot.
fn stays_uninstalling(operation: &Operation, records: &[RecordMeta]) -> bool {
    let latest = records.first().map(|latest| latest.status);
    operation.kind == OperationKind::Uninstall && latest == Some(RecordStatus::Uninstalling)
}

/// What helm made of a failure that it was to undo: an install's record goes with what it had created
/// (`--rollback-on-failure`), so that nothing in the cluster tells of it any more.
fn undone(operation: &Operation, records: Option<&[RecordMeta]>) -> Option<&'static str> {
    let records = records.filter(|_| operation.options.rollback_on_failure)?;
    let latest = records.first();
    match operation.kind {
        OperationKind::Install if latest.is_none() => Some(ERASED),
        OperationKind::Upgrade if latest.is_some_and(|latest| latest.status == RecordStatus::Deployed) => {
            Some(ROLLED_BACK)
        }
        _ => None,
    }
}

/// The revision that a helm left pending when it was killed because it did not end in time after a wish to cancel.
pub fn killed_half_way(operation: &Operation, records: Option<&[RecordMeta]>) -> Option<u32> {
    let was_killed = operation.cancel.is_some()
        && operation.kind.ends_cleanly()
        && operation
            .attempts
            .last()
            .is_some_and(|attempt| attempt.failure.is_some() && attempt.exit_code.is_none());
    let left = records?.iter().find(|record| is_own(operation, record) && record.status.is_pending())?;
    was_killed.then_some(left.revision)
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
    let overtaken = overtaken(operation, records, told);
    let operation = overtaken.as_ref().unwrap_or(operation);
    let status = match operation.kind {
        // An uninstall writes no record of its own.
        OperationKind::Uninstall => records.first().map_or(Some(Uninstalled), |latest| Some(latest.status)),
        // What became of them no record tells.
        OperationKind::Test | OperationKind::MarkFailed => None,
        _ => records.iter().find(|record| is_own(operation, record)).map(|record| record.status),
    };
    let is_uninstall = operation.kind == OperationKind::Uninstall;
    match status {
        // A history that was kept before says nothing of this one.
        Some(Uninstalled) if is_uninstall && (records.is_empty() || operation.options.keep_history) => {
            ended(operation, OperationState::Succeeded, records, None, Some(UNSEEN.into()), now)
        }
        Some(Deployed | Superseded) if !is_uninstall => {
            ended(operation, OperationState::Succeeded, records, None, Some(UNSEEN.into()), now)
        }
        Some(Failed) if !is_uninstall => {
            let failure = Failure::told_by_helm(told.unwrap_or_default());
            if failure.class == FailureClass::Cancelled && operation.cancel.is_none() {
                let cause = "The process that carried it out is gone; helm ended with it, and recorded the release as failed.";
                let failure =
                    Failure::new(FailureClass::Interrupted, cause, format!("{proof}\n{}", failure.text));
                let failure = with_ways_out(operation, failure);
                return ended(operation, OperationState::Interrupted, records, Some(failure), None, now);
            }
            ended(operation, OperationState::Failed, records, Some(failure), Some(UNSEEN.into()), now)
        }
        status => {
            let left = match status {
                Some(status) => format!("the release was left {}", status.as_str()),
                None if !operation.is_for_real() => "a dry run changes nothing".to_owned(),
                None if overtaken.is_some() => "the newest revision is not known to be its work".to_owned(),
                None => "helm had recorded nothing yet".to_owned(),
            };
            let cause = format!("The process that carried it out is gone; {left}.");
            let failure = with_ways_out(operation, Failure::new(FailureClass::Interrupted, cause, proof));
            ended(operation, OperationState::Interrupted, records, Some(failure), None, now)
        }
    }
}

/// `failure` with what can be done now that nobody works on the release any more. Of a dry run nothing is left to get out of.
fn with_ways_out(operation: &Operation, failure: Failure) -> Failure {
    if operation.is_for_real() {
        failure.advised(LOOK).offering(&WAYS_OUT)
    } else {
        failure.advised(PREVIEW_AGAIN).offering(&[])
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

/// `operation`, whose runner cannot begin, for a reason that waiting does not help against.
pub fn no_runner(operation: &Operation, why: &str, now: Timestamp) -> Operation {
    let cause = format!("Its runner could not begin: {why}");
    let failure = Failure::new(FailureClass::Permanent, cause, "")
        .advised("Nothing was changed. Whoever operates Slipway can mend it; then try again.")
        .offering(&[NextAction::TryAgain]);
    let operation = Operation { state: OperationState::Failed, next_attempt: None, ..operation.clone() };
    let outcome =
        Outcome { ended: now, revision: operation.base_revision, failure: Some(failure), remark: None };
    Operation { outcome: Some(outcome), ..operation }
}

/// What is said of a helm that was told to end, did not, and was killed.
pub const KILLED: &str = "helm did not end when it was told to, and was killed.";
const LAST_WRITE_LOST: &str = "helm finished, but could not write its last record: the release stays pending, and helm \
    refuses to upgrade it until it is rolled back or uninstalled.";
const LAST_MARK_LOST: &str = "helm removed what the release had, but could not write its last record: the release stays \
    uninstalling until it is uninstalled once more.";
const RECORD_REMOVED: &str = "helm finished, but somebody removed its record of the release meanwhile.";
const LEFT_BEHIND: &str = "What helm had created may still be there, and belongs to no release now.";
const RECORDS_UNREAD: &str = "helm finished; its records could not be read afterwards.";
const GONE_ALREADY: &str = "There was no such release any more.";
const ERASED: &str =
    "helm removed what it had created, and its record with it, as rollback on failure asks for.";
const ROLLED_BACK: &str = "The release is as it was before, as rollback on failure asks for.";
const TOO_LATE: &str = "It was done before it could be cancelled.";
const LOGS_UNREAD: &str = "The tests passed; their logs could not be read.";
const UNSEEN: &str =
    "The process that carried it out was gone before the end; helm's record tells how it ended.";
/// Out of a release that was left half way.
const WAYS_OUT: [NextAction; 4] =
    [NextAction::TryAgain, NextAction::Rollback, NextAction::MarkFailed, NextAction::Uninstall];
const PREVIEW_AGAIN: &str = "Nothing was changed; ask for the preview again.";
const LOOK: &str = "Look at the release before you go on; nobody works on it now.";

/// Whether helm must have written a record that is not there any more. helm itself takes no notice (it only logs that its
/// last write failed, `pkg/action/install.go`).
fn has_lost_record(operation: &Operation, records: Option<&[RecordMeta]>) -> bool {
    let writes_one = operation.is_for_real()
        && (operation.kind.takes_chart() || operation.kind == OperationKind::Rollback);
    let base = operation.base_revision.unwrap_or(0);
    writes_one && records.is_some_and(|records| records.iter().all(|record| record.revision <= base))
}

fn is_gone_already(operation: &Operation, failure: &Failure, records: Option<&[RecordMeta]>) -> bool {
    operation.kind == OperationKind::Uninstall
        && records.is_some_and(<[RecordMeta]>::is_empty)
        && failure.text.contains("release: not found")
}

/// Whether helm's tests passed, and only the logs that it was asked for could not be had (`pkg/action/release_testing.go`
/// of helm 3 and of helm 4).
pub fn lacks_logs_alone(operation: &Operation, failure: &Failure) -> bool {
    let is_about_logs = |line: &str| {
        let line = line.trim_start_matches("Error: ");
        line.starts_with("unable to get pod logs for ") || line.starts_with("unable to get logs for pod ")
    };
    let mut lines = failure.text.lines().filter(|line| !line.trim().is_empty()).peekable();
    operation.kind == OperationKind::Test && lines.peek().is_some() && lines.all(is_about_logs)
}

/// Whether it was the wish to cancel that ended it: between two attempts, or helm says so, or a signal ended helm. An
/// attempt that failed by itself just then is a failure.
fn ended_by_cancel(operation: &Operation, failure: &Failure) -> bool {
    let by_signal = operation.attempts.last().is_some_and(|attempt| attempt.exit_code.is_none());
    operation.cancel.is_some()
        && (operation.state == OperationState::Retrying
            || failure.class == FailureClass::Cancelled
            || by_signal)
}

fn cancelled(operation: &Operation, failure: Failure, records: &[RecordMeta]) -> Failure {
    let by = operation.cancel.as_ref().map_or("somebody", |cancel| cancel.by.as_str());
    let cause = if failure.cause == KILLED {
        format!("Cancelled by {by}; helm did not end in time and was killed.")
    } else {
        format!("Cancelled by {by}.")
    };
    let is_left = records.iter().any(|record| is_own(operation, record));
    let advice = match operation.kind {
        OperationKind::Install if is_left => Some(
            "What it had created until then is still there: upgrade the release to go on, or uninstall it.",
        ),
        OperationKind::Upgrade if is_left => {
            Some("What it had changed until then is still so: upgrade again to go on, or roll back.")
        }
        _ => None,
    };
    Failure { class: FailureClass::Cancelled, cause, advice: advice.map(str::to_owned), ..failure }
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
    let own = match operation.kind {
        // It writes no revision of its own, but says in the latest one that it has begun.
        OperationKind::Uninstall => {
            records.first().filter(|latest| latest.status == RecordStatus::Uninstalling).map(|it| it.revision)
        }
        _ => records.iter().filter(|record| is_own(&operation, record)).map(|record| record.revision).max(),
    };
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
