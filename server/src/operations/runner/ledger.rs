//! The operation's record, as its runner writes it.

use std::sync::Arc;

use app::model::Operation;
use tokio::sync::watch;

use super::{RunnerError, insist, may_go_on};
use crate::kube::ClusterError;
use crate::operations::lease::Renewal;
use crate::operations::transition::{TransitionError, advance};
use crate::operations::{OperationStore, Stop, Stored};

/// The record of an operation that is ours: whoever else writes to it says only that it is to be cancelled.
pub(super) struct Ledger {
    store: Arc<dyn OperationStore>,
    stored: Stored,
    stop: Arc<watch::Sender<Stop>>,
    renewed: watch::Sender<Renewal>,
}

impl Ledger {
    /// Begins with the record as it was claimed.
    pub fn new(
        store: Arc<dyn OperationStore>,
        stored: Stored,
        stop: Arc<watch::Sender<Stop>>,
        renewed: watch::Sender<Renewal>,
    ) -> Self {
        Self { store, stored, stop, renewed }
    }

    /// The record as it was last read or written.
    pub fn stored(&self) -> &Stored {
        &self.stored
    }

    /// The operation as it was last read or written.
    pub fn operation(&self) -> &Operation {
        &self.stored.operation
    }

    /// Reads it again, for a wish that came meanwhile.
    pub async fn read(&mut self) -> Result<(), RunnerError> {
        let id = self.stored.operation.id.clone();
        self.stored = insist(&self.stop, || self.store.get(&id)).await?;
        Ok(())
    }

    /// Writes `next`, with whatever wish was added meanwhile, while the Lease is ours. An operation that somebody else has
    /// ended stays as it is.
    pub async fn write(&mut self, mut next: Operation) -> Result<(), RunnerError> {
        loop {
            if self.operation().state.is_terminal() {
                return Err(RunnerError::NotQueued(self.operation().state));
            }
            next.cancel = self.stored.operation.cancel.clone();
            let written = insist(&self.stop, || async {
                if !may_go_on(&self.stop, &self.renewed) {
                    return Ok(Err(RunnerError::LeaseLost));
                }
                match advance(&*self.store, &self.stored, next.clone()).await {
                    // It may have been written, and its answer lost; so may the answer that says so.
                    Err(TransitionError::Cluster(error @ ClusterError::Unreachable(_))) => {
                        match self.store.get(&next.id).await {
                            Ok(found) if found.operation == next => Ok(Ok(found)),
                            _ => Err(error),
                        }
                    }
                    Err(TransitionError::Cluster(error)) => Err(error),
                    other => Ok(other.map_err(RunnerError::from)),
                }
            })
            .await;
            match written {
                Ok(done) => {
                    self.stored = done?;
                    return Ok(());
                }
                // Ours, with its answer lost; or a wish.
                Err(ClusterError::Conflict(_)) => self.read().await?,
                Err(error) => return Err(error.into()),
            }
        }
    }
}
