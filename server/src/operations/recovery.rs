//! Looks after operations whose runner is gone, and after Leases that nobody needs.
//!
//! That a runner is gone is a matter of observation ([`lease::Sightings`]): for the length of a Lease neither the Lease nor
//! the record changed under this server's eyes. So a server that was just started, or whose clock is wrong, takes nothing
//! from anybody that lives. Several servers may look at once: whoever takes the Lease decides.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use app::model::{Operation, OperationId, OperationState, ReleaseKey, Timestamp};
use tokio::time::Instant;

use super::lease::{self, Look, Since, Taking};
use super::transition::{TransitionError, advance};
use super::{Hold, Operations, Stored, settle};
use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;

/// How often to look while there are operations that are not over: a runner that died just after it renewed its Lease is
/// missed this much later than the Lease runs out.
const WATCH_EVERY: Duration = Duration::from_secs(5);
/// How often to look when there are none.
const REST_FOR: Duration = Duration::from_secs(30);

/// What a look shows of an operation: as long as it is the same, nobody has done anything.
#[derive(Clone, PartialEq)]
pub(super) struct Picture {
    standing: Standing,
    /// Where its record stands: its state and how many attempts were made; none when it is not on the board.
    record: Option<(OperationState, usize)>,
}

/// Whose the release is.
#[derive(Clone, Debug, PartialEq)]
enum Standing {
    /// Nobody has the Lease.
    Free,
    /// The operation has it.
    Own(Hold),
    /// Another operation has it.
    Other(OperationId),
}

impl Operations {
    /// Looks after operations whose runner is gone; never ends.
    pub async fn recover(&self) {
        self.board.listed().await;
        let mut changes = self.board.changes();
        let mut prune_at = Instant::now();
        loop {
            changes.borrow_and_update();
            let looked = Instant::now();
            let next = self.look().await;
            self.resume().await;
            if looked >= prune_at {
                self.prune().await;
                prune_at = looked + REST_FOR;
            }
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                // A new operation is to be seen soon: until it is, there is nothing to compare with.
                _ = changes.changed() => {
                    tokio::time::sleep_until(next.min(looked + WATCH_EVERY)).await;
                }
            }
        }
    }

    /// Looks once, and says when to look again.
    pub(super) async fn look(&self) -> Instant {
        let asked = Instant::now();
        let leases: HashMap<ReleaseKey, Hold> = match self.leases.list().await {
            Ok(leases) => leases.into_iter().collect(),
            Err(error) => {
                tracing::warn!(%error, "the Leases cannot be read now");
                return asked + WATCH_EVERY;
            }
        };
        let look = Look::since(asked, self.clock.now());
        let active = self.board.active();
        let mut seen = HashSet::new();
        let mut next = asked + if active.is_empty() { REST_FOR } else { WATCH_EVERY };
        for operation in &active {
            let standing = Standing::of(operation, leases.get(&operation.release));
            let picture = Picture {
                standing: standing.clone(),
                record: Some((operation.state, operation.attempts.len())),
            };
            seen.insert(operation.id.clone());
            let since = self.saw(&operation.id, picture, look);
            // One that waits in the queue has no runner yet: there is nothing to miss.
            if operation.state == OperationState::Queued && !matches!(standing, Standing::Other(_)) {
                continue;
            }
            if since.age(look) < lease::GONE_AFTER {
                next = next.min(since.reaches(lease::GONE_AFTER));
                continue;
            }
            if let Err(error) = self.look_after(operation, &standing, since, look).await {
                tracing::warn!(operation = %operation.id, %error, "an operation cannot be looked after now");
            }
        }
        for (release, hold) in leases {
            if !seen.insert(hold.operation.clone()) {
                continue;
            }
            let picture = Picture { standing: Standing::Own(hold.clone()), record: None };
            let since = self.saw(&hold.operation, picture, look);
            if since.age(look) < lease::GONE_AFTER {
                next = next.min(since.reaches(lease::GONE_AFTER));
            } else if let Err(error) = self.clear_away(&release, &hold).await {
                tracing::warn!(%release, %error, "a Lease that nobody needs cannot be removed now");
            }
        }
        self.sightings().keep(&seen);
        if let Err(error) = self.clear_runners_away().await {
            tracing::warn!(%error, "what is left of runners cannot be removed now");
        }
        next
    }

    fn saw(&self, id: &OperationId, picture: Picture, look: Look) -> Since {
        self.sightings().saw(id, picture, look)
    }

    async fn look_after(
        &self,
        operation: &Operation,
        standing: &Standing,
        since: Since,
        look: Look,
    ) -> Result<(), TransitionError> {
        let (id, release) = (&operation.id, &operation.release);
        let mut proof = self.proof(release, standing, since, look);
        if let Some(words) = self.launchers.last_words(id, &operation.options).await {
            proof = format!("{proof} {words}");
        }
        let expected = match standing {
            // It lost the release, and its helm was ended. The Lease is not ours to take.
            Standing::Other(_) => return self.close(self.store.get(id).await?, &proof).await,
            Standing::Own(hold) => Some(hold),
            Standing::Free => None,
        };
        let wanted = lease::new_hold(id, &self.by, None, self.clock.now());
        let taking = lease::take(&*self.leases, release, &wanted, |found| Some(found) == expected);
        let Taking::Taken(hold) = taking.await? else { return Ok(()) };
        // Read after the Lease was taken: what is written now was written before.
        let closed = match self.store.get(id).await {
            Ok(stored) => self.close(stored, &proof).await,
            // Whoever removed or overwrote it has taken it from us: there is nothing left to say the outcome in.
            Err(ClusterError::NotFound(_) | ClusterError::Unreadable(_)) => {
                tracing::error!(operation = %id, "the record of an operation under way is gone, or cannot be read");
                self.board.deleted(id);
                Ok(())
            }
            Err(error) => Err(error.into()),
        };
        lease::give_back(&*self.leases, release, &hold).await;
        closed
    }

    /// Removes a Lease whose operation is over, or was never recorded: whoever was to give it back died before. One whose
    /// record cannot be read is nobody's either, as nobody renews it.
    async fn clear_away(&self, release: &ReleaseKey, hold: &Hold) -> Result<(), ClusterError> {
        let is_needed = match self.store.get(&hold.operation).await {
            Ok(stored) => !stored.operation.state.is_terminal(),
            Err(ClusterError::NotFound(_) | ClusterError::Unreadable(_)) => false,
            Err(error) => return Err(error),
        };
        if !is_needed {
            lease::give_back(&*self.leases, release, hold).await;
        }
        Ok(())
    }

    /// Removes what is left of the runners of operations that are over. Their logs were kept before their outcomes were.
    async fn clear_runners_away(&self) -> Result<(), ClusterError> {
        for id in self.launchers.known().await? {
            let is_over = match self.board.get(&id) {
                Some(known) => known.state.is_terminal(),
                // It may be too new to be known here.
                None => match self.store.get(&id).await {
                    Ok(stored) => stored.operation.state.is_terminal(),
                    Err(ClusterError::NotFound(_) | ClusterError::Unreadable(_)) => true,
                    Err(error) => return Err(error),
                },
            };
            if is_over {
                self.launchers.clear(&id).await?;
            }
        }
        Ok(())
    }

    /// Why it is known that nobody works on a release.
    fn proof(&self, release: &ReleaseKey, standing: &Standing, since: Since, look: Look) -> String {
        let (by, at, seconds) = (&self.by, clock(since.at), since.age(look).as_secs());
        match standing {
            Standing::Own(hold) => format!(
                "The Lease of {release} is held by the {}. Its last renewal, at {} by its own clock, was seen at {at}; in \
                 the {seconds} s since then the {by} has seen no other, and a Lease is good for {} s.",
                hold.by,
                clock(hold.renewed),
                hold.seconds,
            ),
            Standing::Free => {
                format!("For {seconds} s, since {at}, the {by} has seen nobody hold the Lease of {release}.")
            }
            Standing::Other(other) => format!(
                "For {seconds} s, since {at}, the {by} has seen the Lease of {release} held for the operation {other}."
            ),
        }
    }

    /// Writes the outcome of an operation whose runner is gone.
    pub(super) async fn close(&self, stored: Stored, proof: &str) -> Result<(), TransitionError> {
        let operation = &stored.operation;
        if operation.state.is_terminal() {
            self.board.wrote(&stored);
            return Ok(());
        }
        let next = if operation.state == OperationState::Queued {
            let cause = "Its runner was never started.";
            settle::never_started(operation, cause, proof, self.clock.now())
        } else {
            let records = self.records.revisions(&operation.release).await?;
            let told = match self.description(operation, &records).await {
                // It may say whose work that is: look again later.
                Err(error @ ClusterError::Unreachable(_)) => return Err(error.into()),
                told => told.ok().flatten(),
            };
            settle::told_by_records(operation, &records, told.as_deref(), proof, self.clock.now())
        };
        tracing::warn!(operation = %next.id, state = next.state.as_str(), "settled an operation without a runner");
        self.write_end(&stored, next).await
    }

    /// Writes how the operation `of` ended.
    pub(super) async fn write_end(&self, of: &Stored, next: Operation) -> Result<(), TransitionError> {
        let written = advance(&*self.store, of, next).await?;
        self.board.wrote(&written);
        // What did not succeed may be done again with the same input.
        if (written.operation.state == OperationState::Succeeded || !written.operation.is_for_real())
            && let Err(error) = self.store.delete_input(&written.operation.id).await
        {
            tracing::warn!(%error, "the operation's input is left behind; it goes with its record");
        }
        Ok(())
    }

    /// What helm wrote about the operation's revision.
    async fn description(
        &self,
        operation: &Operation,
        records: &[RecordMeta],
    ) -> Result<Option<String>, ClusterError> {
        match records.iter().find(|record| settle::is_own(operation, record)) {
            Some(own) => self.records.description(&operation.release, own.revision).await,
            None => Ok(None),
        }
    }
}

impl Standing {
    fn of(operation: &Operation, found: Option<&Hold>) -> Self {
        match found {
            None => Self::Free,
            Some(hold) if hold.operation == operation.id => Self::Own(hold.clone()),
            Some(hold) => Self::Other(hold.operation.clone()),
        }
    }
}

fn clock(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .map_or_else(|_| "an unknown time".to_owned(), |at| format!("{at:.0}"))
}

#[cfg(test)]
mod tests;
