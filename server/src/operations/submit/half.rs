//! What was recorded in part, or seems so: its server died, or an answer was lost.

use app::model::{Accepted, ApiError, Operation, OperationId, OperationState};

use super::{accepted, again_if_unanswered, own_room};
use crate::kube::ClusterError;
use crate::operations::transition::TransitionError;
use crate::operations::{Input, Intent, Operations, Stored};

impl Operations {
    /// Takes back an operation that was not recorded completely; gives it if it was after all, and stays. With a key it is not
    /// removed: whoever submitted the same at the same time, to this or another server, may have been told that it is
    /// accepted.
    pub(super) async fn take_back(&self, id: &OperationId, has_key: bool) -> Option<Stored> {
        let taken_back = if has_key { self.end_half_written(id).await } else { self.remove(id).await };
        taken_back.unwrap_or_else(|error| {
            tracing::warn!(operation = %id, %error, "a half-written operation is left to its runner");
            None
        })
    }

    /// Removes an operation that nobody was told of.
    async fn remove(&self, id: &OperationId) -> Result<Option<Stored>, TransitionError> {
        self.store.delete(id).await?;
        self.board.deleted(id);
        Ok(None)
    }

    /// Ends an operation that lacks its input. What was recorded after all is carried out, as a twin may have been told.
    async fn end_half_written(&self, id: &OperationId) -> Result<Option<Stored>, TransitionError> {
        let stored = match again_if_unanswered(|| self.store.get(id)).await {
            Err(ClusterError::NotFound(_)) => return Ok(None),
            stored => stored?,
        };
        if stored.operation.state != OperationState::Queued {
            return Ok(Some(stored).filter(|stored| !stored.operation.state.is_terminal()));
        }
        match again_if_unanswered(|| self.store.input(id)).await {
            Ok(_) => Ok(Some(stored)),
            Err(ClusterError::NotFound(_)) => {
                let proof = format!("The {} could not record all that it was submitted with.", self.by);
                self.close(stored, &proof).await?;
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Accepts what was accepted before as the same intent, if it is. Its server may have died between record and input.
    pub(super) async fn complete(
        &self,
        twin: &Operation,
        intent: Option<&Intent>,
        input: &Input,
    ) -> Result<Accepted, ApiError> {
        let stored = match self.store.get(&twin.id).await {
            // It is over, and not kept any more.
            Err(ClusterError::NotFound(_)) if twin.state.is_terminal() => return Ok(accepted(twin)),
            stored => stored.map_err(own_room)?,
        };
        let theirs = stored.intent.as_ref();
        if theirs.zip(intent).is_some_and(|(theirs, ours)| !theirs.asks_for_the_same_as(ours)) {
            let message =
                "This key was used before, for something else: what is not the same needs a key of its own.";
            return Err(ApiError::invalid("idempotencyKey", message));
        }
        if stored.operation.state == OperationState::Queued {
            again_if_unanswered(|| self.put_input(&stored, input)).await.map_err(own_room)?;
        }
        Ok(accepted(&stored.operation))
    }
}
