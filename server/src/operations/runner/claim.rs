//! How a runner comes by its operation: the claim, the Lease, and a look at what has become of the release meanwhile.

use app::model::{ApiError, Operation, OperationId, OperationKind, OperationState, RunnerKind};
use tokio::sync::watch;
use tokio::time::Instant;

use super::patience::{ASK_AGAIN_AFTER, insist};
use super::{Ledger, Runner, RunnerError, attempt};
use crate::kube::ClusterError;
use crate::operations::lease::{self, Renewal, Taking};
use crate::operations::precheck::{self, Scene};
use crate::operations::transition::{TransitionError, advance};
use crate::operations::{Hold, Stop, Stored};

impl Runner {
    /// Makes the operation ours: of all runners that try, the cluster lets one write. Gives its Lease as it was before.
    pub(super) async fn claim(
        &self,
        id: &OperationId,
        stop: &watch::Sender<Stop>,
    ) -> Result<(Stored, Option<Hold>), RunnerError> {
        loop {
            let stored = self.store.get(id).await?;
            if stored.operation.state != OperationState::Queued {
                return Err(RunnerError::NotQueued(stored.operation.state));
            }
            // A Job has rights of its own, which whoever set Slipway up has chosen.
            let has_own_rights = stored.operation.options.runner == Some(RunnerKind::Job);
            if let Some(user) = self.user.as_ref().filter(|_| !has_own_rights)
                && *user != stored.operation.requested_by
            {
                return Err(RunnerError::NotOurs(stored.operation.requested_by, user.clone()));
            }
            let before = self.leases.get(&stored.operation.release).await?;
            if before.as_ref().is_some_and(|found| found.operation != *id) {
                return Err(RunnerError::LeaseLost);
            }
            if *stop.borrow() != Stop::No {
                return Err(RunnerError::ToldToEnd);
            }
            let begun = attempt::begun(&stored.operation, self.clock.now());
            match advance(&*self.store, &stored, begun.clone()).await {
                // Somebody was first, which the next look tells.
                Err(TransitionError::Cluster(ClusterError::Conflict(_))) => {}
                // It may have been written, and its answer lost. Should another runner have written the very same, the
                // Lease tells us apart.
                Err(TransitionError::Cluster(ClusterError::Unreachable(error))) => {
                    tracing::warn!(%error, "the claim is looked for");
                    tokio::time::sleep(ASK_AGAIN_AFTER).await;
                    let found = self.store.get(id).await?;
                    if found.operation == begun {
                        return Ok((found, before));
                    }
                }
                claimed => return Ok((claimed?, before)),
            }
        }
    }

    /// Takes the Lease of the operation that we have claimed from the server that submitted it, and gives the record as it
    /// is then. A Lease that changed since the claim is not taken, and neither is that of an operation that is over: if we
    /// were stopped in between, whoever looks after such operations has taken us for dead.
    pub(super) async fn take_lease(
        &self,
        claimed: &Operation,
        before: Option<&Hold>,
        stop: &watch::Sender<Stop>,
    ) -> Result<(Stored, Hold), RunnerError> {
        let Operation { id, release, .. } = claimed;
        let wanted = lease::new_hold(id, &self.by, None, self.clock.now());
        // Ours too, with its answer lost.
        let is_ours = |found: &Hold| Some(found) == before || (found.operation == *id && found.by == self.by);
        let taking = insist(stop, || async {
            self.renewed.send_replace(Renewal::asked_at(Instant::now()));
            lease::take(&*self.leases, release, &wanted, is_ours).await
        });
        let Taking::Taken(hold) = taking.await? else { return Err(RunnerError::LeaseLost) };
        let stored = insist(stop, || self.store.get(id)).await?;
        if stored.operation.state.is_terminal() {
            lease::give_back(&*self.leases, release, &hold).await;
            return Err(RunnerError::LeaseLost);
        }
        Ok((stored, hold))
    }

    /// Why the operation cannot be carried out any more, if somebody has done something to the release while it waited for its
    /// turn. What is above the revision that is found now will be its own work.
    pub(super) async fn changed_meanwhile(
        &self,
        ledger: &mut Ledger,
        stop: &watch::Sender<Stop>,
    ) -> Result<Option<String>, RunnerError> {
        let operation = ledger.operation().clone();
        let Some(records) = self.records(&operation, stop).await else { return Ok(None) };
        let latest = records.first();
        let is_as_checked = latest.map(|latest| latest.revision) == operation.base_revision
            && latest.is_none_or(|latest| latest.status.is_pending());
        // Nobody but our own helm can have begun to use our label.
        let is_ours = latest.is_some_and(|latest| latest.operation.as_ref() == Some(&operation.id));
        if is_as_checked || is_ours {
            return Ok(None);
        }
        let scene = Scene { records: &records, before: None, now: self.clock.now() };
        match precheck::check(operation.kind, &operation.options, &operation.release, &scene) {
            Ok(base_revision) if base_revision == operation.base_revision => Ok(None),
            Ok(base_revision) => {
                ledger.write(Operation { base_revision, ..operation }).await?;
                Ok(None)
            }
            // The release is gone, which is what an uninstall is for.
            Err(ApiError::NotFound { .. }) if operation.kind == OperationKind::Uninstall => Ok(None),
            Err(why) => Ok(Some(why.to_string())),
        }
    }
}
