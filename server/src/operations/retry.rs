//! Whether a failed attempt is followed by another.

use std::time::Duration;

use app::model::{FailureClass, Operation};

/// How many attempts an operation may take.
pub const MAX_ATTEMPTS: u32 = 1;
/// How long to wait after the first, second, … failed attempt; the last one counts for all that follow.
const PAUSES: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(5), Duration::from_secs(12)];

/// How long to wait before the next attempt; none when there is to be none. Only what passes by itself is tried again.
pub fn pause_before_next(operation: &Operation) -> Option<Duration> {
    let made = operation.attempts.len();
    let last = operation.attempts.last()?.failure.as_ref()?;
    let may_pass = last.class == FailureClass::Transient;
    let is_left = u32::try_from(made).is_ok_and(|made| made < operation.max_attempts);
    let pause = PAUSES.get(made.saturating_sub(1)).or(PAUSES.last())?;
    (may_pass && is_left).then_some(*pause)
}

#[cfg(test)]
mod tests {
    use app::model::{Attempt, Failure, OperationState, Timestamp};

    use super::*;
    use crate::operations::fakes::operation;

    fn after(text: &str, attempts: u32, max_attempts: u32) -> Option<u64> {
        let attempt = |number| Attempt {
            number,
            started: Timestamp(0),
            ended: Some(Timestamp(1)),
            exit_code: Some(1),
            failure: Some(Failure::told_by_helm(text)),
            revision: None,
            evidence: vec![],
        };
        let operation = Operation {
            attempts: (1..=attempts).map(attempt).collect(),
            max_attempts,
            ..operation("a", OperationState::Running)
        };
        pause_before_next(&operation).map(|pause| pause.as_secs())
    }

    #[test]
    fn only_what_passes_is_tried_again_and_only_while_attempts_are_left() {
        let passing = "Error: etcdserver: leader changed";
        assert_eq!(
            (1..=5).map(|made| after(passing, made, 5)).collect::<Vec<_>>(),
            [Some(2), Some(5), Some(12), Some(12), None]
        );
        assert_eq!(after(passing, 1, 1), None);
        assert_eq!(after("Error: context deadline exceeded", 1, 3), None);
        assert_eq!(after("Error: nobody knows this", 1, 3), None);
    }
}
