//! The operation's record, as its runner writes it.

use std::sync::Arc;

use app::model::Operation;
use tokio::sync::watch;

use super::patience::insist;
use super::{RunnerError, may_go_on};
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
    pub async fn write(&mut self, next: Operation) -> Result<(), RunnerError> {
        self.write_unless(|_| false, next).await.map(drop)
    }

    /// Writes that the attempt begins with which `next` ends; tells whether it may. Once somebody wishes that it all end it
    /// may not, and nothing is left out of sight in between: a wish is written before this, and seen here, or after it.
    pub async fn begin(&mut self, next: Operation) -> Result<bool, RunnerError> {
        self.write_unless(|found| found.cancel.is_some(), next).await
    }

    /// Writes `next`, unless the record that it would follow on says that it `is_over`; tells whether it did.
    async fn write_unless(
        &mut self,
        is_over: impl Fn(&Operation) -> bool,
        mut next: Operation,
    ) -> Result<bool, RunnerError> {
        loop {
            if self.operation().state.is_terminal() {
                return Err(RunnerError::NotQueued(self.operation().state));
            }
            if is_over(self.operation()) {
                return Ok(false);
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
                    return Ok(true);
                }
                // Ours, with its answer lost; or a wish.
                Err(ClusterError::Conflict(_)) => self.read().await?,
                Err(error) => return Err(error.into()),
            }
        }
    }
}
