//! The one place where an operation's record changes.

use app::model::{Operation, OperationState};

use super::{OperationStore, Stored};
use crate::kube::ClusterError;

/// Why a record was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransitionError {
    /// The states do not follow on each other.
    #[error("an operation that is {} cannot become {}", .from.as_str(), .to.as_str())]
    NotAllowed {
        /// What it is.
        from: OperationState,
        /// What it was to become.
        to: OperationState,
    },
    /// Somebody else changed it first, or the cluster did not do it.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
}

/// Whether `to` can follow on `from`: queued → running ⇄ retrying → a terminal one, which nothing follows.
pub fn may_follow(from: OperationState, to: OperationState) -> bool {
    use OperationState::{Cancelled, Failed, Interrupted, Queued, Retrying, Running, Succeeded};
    match from {
        Queued => matches!(to, Running | Failed | Cancelled | Interrupted),
        Running => !matches!(to, Queued),
        Retrying => !matches!(to, Queued | Succeeded),
        Succeeded | Failed | Cancelled | Interrupted => false,
    }
}

/// Writes `next` over the record `of`. The record is only written if it is still as `of` has it, so the state that is
/// checked here is the one that is left.
///
/// # Errors
/// When the states do not follow on each other, the record changed meanwhile, or the cluster does not answer.
pub async fn advance(
    store: &dyn OperationStore,
    of: &Stored,
    next: Operation,
) -> Result<Stored, TransitionError> {
    let (from, to) = (of.operation.state, next.state);
    if !may_follow(from, to) || next.outcome.is_some() != to.is_terminal() {
        return Err(TransitionError::NotAllowed { from, to });
    }
    Ok(store.replace(of, &next).await?)
}

#[cfg(test)]
mod tests {
    use OperationState::*;

    use super::*;
    use crate::operations::fakes::{FakeStore, operation};

    const ALL: [OperationState; 7] = [Queued, Running, Retrying, Succeeded, Failed, Cancelled, Interrupted];

    #[test]
    fn states_follow_on_each_other_as_the_table_says() {
        let allowed: Vec<String> = ALL
            .iter()
            .map(|from| {
                let next: Vec<_> =
                    ALL.iter().filter(|to| may_follow(*from, **to)).map(|to| to.as_str()).collect();
                format!("{}: {}", from.as_str(), next.join(" "))
            })
            .collect();
        assert_eq!(
            allowed,
            [
                "queued: running failed cancelled interrupted",
                "running: running retrying succeeded failed cancelled interrupted",
                "retrying: running retrying failed cancelled interrupted",
                "succeeded: ",
                "failed: ",
                "cancelled: ",
                "interrupted: ",
            ]
        );
    }

    #[tokio::test]
    async fn a_terminal_record_is_never_written_again() {
        for state in ALL.into_iter().filter(|state| state.is_terminal()) {
            let store = FakeStore::default();
            let stored = store.create(&operation("a", state), None).await.unwrap();
            for to in ALL {
                let result = advance(&store, &stored, operation("a", to)).await;
                assert_eq!(result, Err(TransitionError::NotAllowed { from: state, to }));
            }
            assert_eq!(store.writes(), 1);
        }
    }

    #[tokio::test]
    async fn a_record_that_changed_meanwhile_is_not_overwritten() {
        let store = FakeStore::default();
        let stored = store.create(&operation("a", Queued), None).await.unwrap();
        advance(&store, &stored, operation("a", Running)).await.unwrap();
        let second = advance(&store, &stored, operation("a", Running)).await;
        assert!(matches!(second, Err(TransitionError::Cluster(ClusterError::Conflict(_)))), "{second:?}");
    }
}
