//! Launches the runners of queued operations, as many at once as the settings allow.
//!
//! Nothing is written to launch: the runner's claim decides which of several runners carries an operation out. A server
//! launches what it accepted itself as soon as it may start, and what another accepted when that other has not done so
//! for a while: it may be dead. What a runner of this server's could not carry out, it leaves to that other, however long
//! that is away, and lets the next one start in its stead. Two servers can for a moment have one runner more at work than allowed, when each starts
//! one that the other has not heard of yet.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use app::model::{Operation, OperationId, OperationState};
use tokio::time::{Instant, sleep_until};

use super::queue::{self, Plan};
use super::transition::TransitionError;
use super::{Kept, Launch, Operations, lease, settle};
use crate::kube::ClusterError;

/// After how long another server's operation that may start is launched here.
const TAKE_OVER_AFTER: Duration = Duration::from_secs(15);
/// After how long a runner that has not claimed its operation is launched again.
const LAUNCH_AGAIN_AFTER: Duration = Duration::from_secs(30);
/// How often to look at a runner that can be seen from afar.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(10);
/// After how long it is tried again when no process could be made.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(5);
/// After how long an operation whose runner never claimed it is given up.
const GIVE_UP_AFTER: Duration = Duration::from_secs(10 * 60);

/// What this server has done for queued operations.
#[derive(Default)]
pub(super) struct Launches {
    /// Those that it accepted.
    own: HashSet<OperationId>,
    /// Since when another server could have launched its own.
    due: HashMap<OperationId, Instant>,
    /// Those that only another server can launch, which has not done so when it could: they wait for it, and nobody for them.
    passed_over: HashSet<OperationId>,
    launched: HashMap<OperationId, Launched>,
}

struct Launched {
    first: Instant,
    /// When to launch it again, or look at it, should it still be queued.
    again: Instant,
    /// What keeps it from beginning, and since when.
    kept: Option<(Kept, Instant)>,
}

/// What is to be done now.
#[derive(Debug, Default, PartialEq, Eq)]
struct Due {
    launch: Vec<OperationId>,
    give_up: Vec<OperationId>,
    /// When there may be more to do, if nothing changes before.
    next: Option<Instant>,
}

impl Launches {
    /// What is to be done at `now`, if the queue is as `plan` has it, those in `queued` are all that are queued, and of these
    /// those in `foreign` are nothing that a runner of this server's could carry out.
    fn due(
        &mut self,
        plan: &Plan,
        queued: &HashSet<OperationId>,
        foreign: &HashSet<OperationId>,
        now: Instant,
    ) -> Due {
        self.own.retain(|id| queued.contains(id));
        self.launched.retain(|id, _| queued.contains(id));
        self.due.retain(|id, _| plan.start.contains(id));
        let mut due = Due::default();
        let before = self.passed_over.len();
        self.passed_over.retain(|id| foreign.contains(id));
        if self.passed_over.len() < before {
            // The plan is without them.
            due.next = Some(now);
        }
        let later =
            |at: Instant, next: &mut Option<Instant>| *next = Some(next.map_or(at, |known| known.min(at)));
        for (id, launched) in &self.launched {
            if now < launched.again {
                later(launched.again, &mut due.next);
            } else if now >= launched.first + GIVE_UP_AFTER {
                due.give_up.push(id.clone());
            } else {
                due.launch.push(id.clone());
            }
        }
        for id in &plan.start {
            let since = *self.due.entry(id.clone()).or_insert(now);
            if self.own.contains(id) {
                due.launch.push(id.clone());
            } else if now < since + TAKE_OVER_AFTER {
                later(since + TAKE_OVER_AFTER, &mut due.next);
            } else if foreign.contains(id) {
                tracing::info!(operation = %id, "a queued operation is left to the server that can launch it");
                self.passed_over.insert(id.clone());
                // There is a place for another one.
                due.next = Some(now);
            } else {
                due.launch.push(id.clone());
            }
        }
        due
    }

    fn tried(&mut self, id: &OperationId, pause: Duration, now: Instant) {
        let launched =
            self.launched.entry(id.clone()).or_insert(Launched { first: now, again: now, kept: None });
        launched.again = now + pause;
    }

    /// When to look at one of those again at the latest.
    fn next(&self) -> Option<Instant> {
        self.launched.values().map(|launched| launched.again).min()
    }

    /// Takes in what came of launching a runner; gives why it will never come, if that is so.
    fn heard(&mut self, id: &OperationId, launch: Launch, now: Instant) -> Option<String> {
        let pause = if launch == Launch::Started { LAUNCH_AGAIN_AFTER } else { LOOK_AGAIN_AFTER };
        self.tried(id, pause, now);
        let launched = self.launched.get_mut(id)?;
        let kept = match launch {
            Launch::Started | Launch::Awaited(None) => None,
            Launch::Awaited(Some(kept)) => Some(kept),
            Launch::Lost(why) => return Some(why),
        };
        // The words may change from time to time; that it is kept does not.
        let since = launched
            .kept
            .take()
            .filter(|(before, _)| Some(before.worth) == kept.as_ref().map(|kept| kept.worth));
        launched.kept = kept.map(|kept| (kept, since.map_or(now, |(_, since)| since)));
        let (kept, since) = launched.kept.as_ref()?;
        (now >= *since + kept.worth).then(|| kept.why.clone())
    }
}

impl Operations {
    /// Launches what may start whenever that changes; never ends.
    pub async fn schedule(&self) {
        self.board.listed().await;
        let mut changes = self.board.changes();
        loop {
            changes.borrow_and_update();
            let next = self.launch_due().await;
            tokio::select! {
                _ = changes.changed() => {}
                () = self.accepted.notified() => {}
                () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {}
            }
        }
    }

    /// The place of an operation in the queue: 1 for the next one to start; none when it does not wait.
    pub fn place(&self, id: &OperationId) -> Option<u32> {
        self.plan().place(id)
    }

    /// Takes in that this server has accepted an operation, and recorded all of it.
    pub(super) fn is_ours(&self, id: &OperationId) {
        self.launches().own.insert(id.clone());
        self.accepted.notify_one();
    }

    /// Launches what may start now, and says when there may be more to do.
    pub(super) async fn launch_due(&self) -> Option<Instant> {
        let active = self.board.active();
        let ids = |which: &dyn Fn(&Operation) -> bool| {
            let queued = active.iter().filter(|operation| operation.state == OperationState::Queued);
            queued.filter(|operation| which(operation)).map(|operation| operation.id.clone()).collect()
        };
        let (queued, foreign) = (ids(&|_| true), ids(&|operation| !self.can_launch(operation)));
        let plan = self.plan();
        let now = Instant::now();
        let due = self.launches().due(&plan, &queued, &foreign, now);
        let next = due.next;
        let mut give_up: Vec<(OperationId, Option<String>)> =
            due.give_up.into_iter().map(|id| (id, None)).collect();
        for id in due.launch {
            let Some(operation) = active.iter().find(|operation| operation.id == id) else { continue };
            let launched = match self.launchers.of(&operation.options) {
                Ok(launcher) => launcher.launch(operation).await,
                Err(error) => Err(error),
            };
            match launched {
                Ok(launch) => {
                    let lost = self.launches().heard(&id, launch, now);
                    give_up.extend(lost.map(|why| (id.clone(), Some(why))));
                }
                Err(error) => {
                    tracing::error!(operation = %id, %error, "the runner cannot be started; it is tried again");
                    self.launches().tried(&id, TRY_AGAIN_AFTER, now);
                }
            }
        }
        for (id, why) in give_up {
            if let Err(error) = self.give_up(&id, why).await {
                tracing::warn!(operation = %id, %error, "an operation cannot be given up now");
                self.launches().tried(&id, TRY_AGAIN_AFTER, now);
            }
        }
        next.into_iter().chain(self.launches().next()).min()
    }

    /// Ends an operation that no runner has ever claimed: `why` is known, or it is just taking too long. A runner that comes
    /// now finds it ended.
    async fn give_up(&self, id: &OperationId, why: Option<String>) -> Result<(), TransitionError> {
        let stored = match self.store.get(id).await {
            // Somebody removed it, or wrote over it.
            Err(ClusterError::NotFound(_) | ClusterError::Unreadable(_)) => {
                self.board.deleted(id);
                return Ok(());
            }
            stored => stored?,
        };
        if stored.operation.state != OperationState::Queued {
            self.board.wrote(&stored);
            return Ok(());
        }
        let release = stored.operation.release.clone();
        match why {
            Some(why) => {
                self.write_end(&stored, settle::no_runner(&stored.operation, &why, self.clock.now())).await?
            }
            None => {
                let minutes = GIVE_UP_AFTER.as_secs() / 60;
                let proof = format!(
                    "The {} has tried to start a runner for {minutes} minutes, and none took it; the server's log says why.",
                    self.by
                );
                self.close(stored, &proof).await?;
            }
        }
        if let Some(hold) = self.leases.get(&release).await?.filter(|hold| hold.operation == *id) {
            lease::give_back(&*self.leases, &release, &hold).await;
        }
        Ok(())
    }

    /// The queue as it is now.
    fn plan(&self) -> Arc<Plan> {
        let version = *self.board.changes().borrow();
        let (launched, passed_over) = {
            let launches = self.launches();
            (launches.launched.keys().cloned().collect(), launches.passed_over.clone())
        };
        let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        if planned.version != version || planned.launched != launched || planned.passed_over != passed_over {
            let mut operations = self.board.list(None, None);
            operations.retain(|operation| {
                operation.state != OperationState::Queued || !passed_over.contains(&operation.id)
            });
            let plan = queue::plan(&operations, &launched, self.limits.runners);
            *planned = Planned { version, launched, passed_over, plan: Arc::new(plan) };
        }
        planned.plan.clone()
    }

    fn launches(&self) -> MutexGuard<'_, Launches> {
        self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A plan, and what it was made of: it is asked for more often than that changes.
#[derive(Default)]
pub(super) struct Planned {
    version: u64,
    launched: HashSet<OperationId>,
    passed_over: HashSet<OperationId>,
    plan: Arc<Plan>,
}

#[cfg(test)]
mod tests;
