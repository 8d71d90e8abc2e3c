//! Cancelling: a wish in the operation's record, which its runner listens for. An operation that no runner has taken ends at
//! once.

use std::sync::Arc;

use app::model::{
    ApiError, Cancel, Failure, FailureClass, Operation, OperationId, OperationState, Outcome, Timestamp,
};

use super::Operations;
use super::transition::{TransitionError, advance};
use crate::kube::ClusterError;

/// How often a record that changes at the same moment is read again.
const TIMES: usize = 10;

impl Operations {
    /// Writes down that `caller` wishes the operation to end early; gives it as it is then.
    ///
    /// # Errors
    /// [`ApiError::Conflict`] when it cannot be cancelled as it stands, with the reason; or when the cluster does not answer.
    pub async fn cancel(&self, caller: &str, id: &OperationId) -> Result<Arc<Operation>, ApiError> {
        for _ in 0..TIMES {
            let stored = self.store.get(id).await.map_err(|error| match error {
                ClusterError::NotFound(_) => ApiError::NotFound { what: format!("The operation {id}") },
                error => error.into(),
            })?;
            // What we wrote, with its answer lost: the second try finds it over, by this very wish.
            if stored.operation.state == OperationState::Cancelled && is_wished_by(&stored.operation, caller)
            {
                self.board.wrote(&stored);
                self.let_go(&stored.operation).await;
                return Ok(Arc::new(stored.operation));
            }
            if let Some(why) = stored.operation.why_not_cancel() {
                return Err(ApiError::Conflict { message: why.to_owned(), operation: Some(id.clone()) });
            }
            if stored.operation.cancel.is_some() {
                return Ok(Arc::new(stored.operation));
            }
            let next = wished(&stored.operation, caller, self.clock.now());
            match advance(&*self.store, &stored, next).await {
                Ok(written) => {
                    self.board.wrote(&written);
                    if written.operation.state.is_terminal() {
                        self.let_go(&written.operation).await;
                    }
                    return Ok(Arc::new(written.operation));
                }
                Err(TransitionError::Cluster(ClusterError::Conflict(_))) => {}
                Err(TransitionError::Cluster(error)) => return Err(error.into()),
                Err(error @ TransitionError::NotAllowed { .. }) => {
                    return Err(ApiError::Conflict {
                        message: error.to_string(),
                        operation: Some(id.clone()),
                    });
                }
            }
        }
        Err(ApiError::Unavailable { message: "The operation changes all the time; try again.".into() })
    }

    /// Gives the Lease of an operation that nobody will work on back. Its input stays, for it may be run again.
    async fn let_go(&self, operation: &Operation) {
        match self.leases.get(&operation.release).await {
            Ok(Some(hold)) if hold.operation == operation.id => {
                super::lease::give_back(&*self.leases, &operation.release, &hold).await;
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "the Lease could not be given back; it will run out"),
        }
        // A dry run is not done again.
        if !operation.is_for_real()
            && let Err(error) = self.store.delete_input(&operation.id).await
        {
            tracing::warn!(%error, "the operation's input is left behind; it goes with its record");
        }
    }
}

fn is_wished_by(operation: &Operation, caller: &str) -> bool {
    operation.cancel.as_ref().is_some_and(|cancel| cancel.by == caller)
}

/// `operation` with the wish of `caller`; ended by it if no runner has it yet.
fn wished(operation: &Operation, caller: &str, now: Timestamp) -> Operation {
    let cancel = Cancel { by: caller.to_owned(), at: now };
    let mut operation = Operation { cancel: Some(cancel), ..operation.clone() };
    if operation.state == OperationState::Queued {
        let cause = format!("Cancelled by {caller} before it began.");
        let failure = Failure::new(FailureClass::Cancelled, cause, String::new());
        operation.state = OperationState::Cancelled;
        operation.outcome = Some(Outcome {
            ended: now,
            revision: operation.base_revision,
            failure: Some(failure),
            remark: None,
        });
    }
    operation
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use OperationState::{Cancelled, Queued, Retrying, Running, Succeeded};
    use app::model::OperationKind;

    use super::*;
    use crate::operations::fakes::{Room, hold, operation};
    use crate::operations::{Leases as _, OperationStore as _};

    async fn cancel(kind: OperationKind, state: OperationState) -> (Room, Result<Arc<Operation>, ApiError>) {
        let room = Room::new();
        let stored = Operation { kind, ..operation("a", state) };
        room.store.create(&stored, None).await.unwrap();
        let result = room.operations.cancel("ann", &OperationId("a".into())).await;
        (room, result)
    }

    #[tokio::test]
    async fn a_queued_operation_ends_at_once() {
        let (room, cancelled) = cancel(OperationKind::Uninstall, Queued).await;
        let cancelled = cancelled.unwrap();
        assert_eq!(cancelled.state, Cancelled);
        assert!(cancelled.failure().unwrap().cause.contains("ann"), "{cancelled:?}");
        assert_eq!(room.store.state(&cancelled.id), Cancelled);
    }

    #[tokio::test]
    async fn a_running_one_is_told_once_and_goes_on_until_its_runner_ends_it() {
        let (room, first) = cancel(OperationKind::Install, Running).await;
        assert_eq!(first.unwrap().state, Running);
        let writes = room.store.writes();
        let again = room.operations.cancel("bob", &OperationId("a".into())).await.unwrap();
        assert_eq!(again.cancel.as_ref().unwrap().by, "ann");
        assert_eq!(room.store.writes(), writes);
    }

    #[tokio::test]
    async fn what_helm_cannot_stop_cleanly_is_refused_with_the_reason_except_between_attempts() {
        for kind in [OperationKind::Rollback, OperationKind::Uninstall, OperationKind::MarkFailed] {
            let (_, refused) = cancel(kind, Running).await;
            assert!(
                matches!(&refused, Err(ApiError::Conflict { message, .. }) if message.contains("half way")),
                "{kind:?}"
            );
            assert!(cancel(kind, Retrying).await.1.is_ok(), "{kind:?}");
        }
        assert!(matches!(cancel(OperationKind::Install, Succeeded).await.1, Err(ApiError::Conflict { .. })));
    }

    #[tokio::test]
    async fn one_whose_answer_was_lost_is_told_as_done_to_who_wished_it_and_lets_the_release_go() {
        let (room, stored) = (Room::new(), operation("a", Queued));
        room.store.create(&stored, None).await.unwrap();
        room.leases.create(&stored.release, &hold("a")).await.unwrap();
        room.store.loses_answers.store(1, Ordering::SeqCst);
        let cancelled = room.operations.cancel("ann", &stored.id).await.unwrap();
        assert_eq!((cancelled.state, room.store.writes()), (Cancelled, 2));
        assert_eq!(room.leases.get(&stored.release).await, Ok(None));
        assert_eq!(room.operations.find(&stored.id).unwrap().state, Cancelled);
        let refused = room.operations.cancel("bob", &stored.id).await;
        assert!(matches!(refused, Err(ApiError::Conflict { .. })), "{refused:?}");
    }

    #[tokio::test]
    async fn an_operation_that_is_not_there_is_not_found() {
        let refused = Room::new().operations.cancel("ann", &OperationId("b".into())).await;
        assert!(matches!(refused, Err(ApiError::NotFound { .. })));
    }
}
