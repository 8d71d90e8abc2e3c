//! The attempts in an operation's record.

use app::model::{
    Attempt, Failure, FailureClass, NextAction, Operation, OperationKind, OperationState, Timestamp,
};

use crate::operations::{Ended, NotRun, settle};

/// `operation` with a new attempt, which begins now.
pub(super) fn begun(operation: &Operation, now: Timestamp) -> Operation {
    let mut operation = operation.clone();
    let number = u32::try_from(operation.attempts.len()).unwrap_or(u32::MAX).saturating_add(1);
    operation.attempts.push(Attempt {
        number,
        started: now,
        ended: None,
        exit_code: None,
        failure: None,
        revision: None,
        evidence: vec![],
    });
    operation.state = OperationState::Running;
    operation.next_attempt = None;
    operation
}

/// `operation` with its last attempt over, as `ended` says.
pub(super) fn over(operation: &Operation, ended: Result<Ended, NotRun>, now: Timestamp) -> Operation {
    let mut operation = operation.clone();
    if let Some(attempt) = operation.attempts.last_mut() {
        attempt.ended = Some(now);
        attempt.exit_code = ended.as_ref().ok().and_then(|ended| ended.code);
        attempt.failure = failure(operation.kind, ended);
    }
    operation
}

/// `operation` with another reason why its last attempt failed.
pub(super) fn failed(mut operation: Operation, failure: Failure) -> Operation {
    if let Some(attempt) = operation.attempts.last_mut() {
        attempt.failure = Some(failure);
    }
    operation
}

fn failure(kind: OperationKind, ended: Result<Ended, NotRun>) -> Option<Failure> {
    let of_ours = |cause: String, advice: &str, text: String| {
        Failure::new(FailureClass::Unknown, cause, text).advised(advice).offering(&[NextAction::TryAgain])
    };
    match ended {
        Ok(Ended { code: Some(0), .. }) => None,
        Ok(Ended { code: Some(_), error, .. }) if kind == OperationKind::Test => {
            Some(Failure::told_by_test(&error))
        }
        Ok(Ended { code: Some(_), error, .. }) => Some(Failure::told_by_helm(&error)),
        Ok(Ended { killed: true, error, .. }) => {
            Some(Failure::new(FailureClass::Unknown, settle::KILLED, error).offering(&[NextAction::TryAgain]))
        }
        Ok(Ended { signal, error, .. }) => {
            let signal = signal.map_or_else(|| "a signal".to_owned(), |signal| format!("signal {signal}"));
            let advice = "If nobody did that, the machine may be short of memory.";
            Some(of_ours(format!("helm was ended by {signal}."), advice, error))
        }
        Err(NotRun::Asked(cause)) => Some(
            Failure::new(FailureClass::Permanent, cause, "")
                .advised("Leave that option out, or have whoever operates Slipway give it another helm.")
                .offering(&[NextAction::TryAgain]),
        ),
        Err(NotRun::Here(words)) => {
            let advice = "This is a fault of Slipway's installation; its log has more.";
            Some(of_ours("helm could not be run.".into(), advice, words))
        }
    }
}
