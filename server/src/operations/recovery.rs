//! Looks after operations that nobody works on: at the server's start, and every [`EVERY`]. Several servers may look at
//! once: whoever takes the Lease decides.

use std::collections::HashMap;
use std::time::Duration;

use app::model::{Operation, OperationState, ReleaseKey, Timestamp};

use super::lease::{self, Taking};
use super::transition::{TransitionError, advance};
use super::{Hold, Operations, Stored, now, private, runner, settle};
use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;

/// How often to look.
const EVERY: Duration = Duration::from_secs(30);
/// After how long an operation whose runner never took it is given up, in milliseconds.
const GIVE_UP_QUEUED_AFTER_MS: u64 = 10 * 60 * 1000;
/// How many ended operations are kept for each release.
const KEPT: usize = 20;

impl Operations {
    /// Looks after operations that nobody works on; never ends.
    pub async fn recover(&self) {
        self.board.listed().await;
        let mut tick = tokio::time::interval(EVERY);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            self.look().await;
        }
    }

    /// Looks once.
    pub(super) async fn look(&self) {
        for operation in self.board.list(None, None) {
            if operation.state.is_terminal() {
                continue;
            }
            if let Err(error) = self.look_after(&operation).await {
                tracing::warn!(operation = %operation.id, %error, "an operation cannot be looked after now");
            }
        }
        self.prune().await;
    }

    async fn look_after(&self, operation: &Operation) -> Result<(), TransitionError> {
        let (id, release) = (&operation.id, &operation.release);
        let found = self.leases.get(release).await?;
        match &found {
            Some(hold) if hold.operation == *id && !lease::has_run_out(hold, now()) => return Ok(()),
            // Another operation has the release now, so ours lost it, and its helm was ended.
            Some(hold) if !lease::has_run_out(hold, now()) => {
                let stored = self.store.get(id).await?;
                let proof = format!("The Lease of {release} is held for the operation {}.", hold.operation);
                return self.close(stored, &proof).await;
            }
            _ => {}
        }
        let wanted = lease::new_hold(id, &self.by, None, now());
        let Taking::Taken(hold) = lease::take(&*self.leases, release, &wanted, |_| false).await? else {
            return Ok(());
        };
        // Read after the Lease was taken: what is written now was written before.
        let stored = match self.store.get(id).await {
            Ok(stored) => stored,
            Err(error) => {
                lease::give_back(&*self.leases, release, &hold).await;
                return match error {
                    ClusterError::NotFound(_) => {
                        self.board.deleted(id);
                        Ok(())
                    }
                    error => Err(error.into()),
                };
            }
        };
        let age = now().since(stored.operation.created);
        if stored.operation.state == OperationState::Queued && age < GIVE_UP_QUEUED_AFTER_MS {
            tracing::info!(operation = %id, "launching the runner of an operation that nobody has taken");
            return match self.launcher.launch(id) {
                // The Lease is the runner's now.
                Ok(()) => Ok(()),
                Err(error) => {
                    tracing::error!(operation = %id, %error, "the runner cannot be started; it is tried again");
                    lease::give_back(&*self.leases, release, &hold).await;
                    Ok(())
                }
            };
        }
        let closed = self.close(stored, &proof(release, found.as_ref())).await;
        lease::give_back(&*self.leases, release, &hold).await;
        closed
    }

    /// Writes the outcome of an operation whose runner is gone.
    async fn close(&self, stored: Stored, proof: &str) -> Result<(), TransitionError> {
        let operation = &stored.operation;
        if operation.state.is_terminal() {
            self.board.wrote(&stored);
            return Ok(());
        }
        let next = if operation.state == OperationState::Queued {
            let cause = "Its runner was never started.";
            settle::never_started(operation, cause, proof, now())
        } else {
            let records = self.records.revisions(&operation.release).await?;
            let told = self.description(operation, &records).await;
            settle::told_by_records(operation, &records, told.as_deref(), proof, now())
        };
        tracing::warn!(operation = %next.id, state = next.state.as_str(), "settled an operation without a runner");
        let written = advance(&*self.store, &stored, next).await?;
        self.board.wrote(&written);
        if let Err(error) = self.store.delete_input(&written.operation.id).await {
            tracing::warn!(%error, "the operation's input is left behind; it goes with its record");
        }
        Ok(())
    }

    /// What helm wrote about the operation's revision.
    async fn description(&self, operation: &Operation, records: &[RecordMeta]) -> Option<String> {
        let own = records.iter().find(|record| settle::is_own(operation, record))?;
        self.records.description(&operation.release, own.revision).await.ok().flatten()
    }

    /// Removes all but the newest ended operations of each release.
    async fn prune(&self) {
        let mut kept: HashMap<ReleaseKey, usize> = HashMap::new();
        for operation in self.board.list(None, None) {
            if !operation.state.is_terminal() {
                continue;
            }
            let count = kept.entry(operation.release.clone()).or_default();
            *count += 1;
            if *count <= KEPT {
                continue;
            }
            match self.store.delete(&operation.id).await {
                Ok(()) => {
                    self.board.deleted(&operation.id);
                    let _ = private::remove_dir(&runner::folder(&self.data_dir, &operation.id));
                }
                Err(error) => {
                    tracing::warn!(operation = %operation.id, %error, "an old operation cannot be removed");
                }
            }
        }
    }
}

/// Why it is known that nobody works on a release.
fn proof(release: &ReleaseKey, found: Option<&Hold>) -> String {
    match found {
        Some(hold) => {
            let until = Timestamp(hold.renewed.0.saturating_add(i64::from(hold.seconds) * 1000));
            format!(
                "The Lease of {release} was held by the {}, renewed for the last time at {} and good until {}; \
                 nobody renewed it since.",
                hold.by,
                clock(hold.renewed),
                clock(until),
            )
        }
        None => format!("Nobody held the Lease of {release} at {}.", clock(now())),
    }
}

fn clock(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .map_or_else(|_| "an unknown time".to_owned(), |at| format!("{at:.0}"))
}

#[cfg(test)]
mod tests;
