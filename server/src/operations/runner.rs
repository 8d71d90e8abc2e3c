//! Carries out one operation, in a process of its own that outlives the server: claims it, keeps its Lease, runs helm,
//! and writes down how it ended.

mod attempt;
mod claim;
mod keeper;
mod ledger;
mod listener;
mod patience;
mod scribe;
mod steps;
mod witness;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use app::model::{Failure, FailureClass, NextAction, OperationId, OperationState, Timestamp};
use async_trait::async_trait;
use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::Instant;

use super::lease::{self, Renewal};
use super::transition::TransitionError;
use super::{
    Ended, Helm, Leases, Log, NotRun, OperationStore, Records, RenewalSignal, Stop, StopSignal, Stored, Task,
    Witness, private, process_words, retry,
};
use crate::clock::cluster::Clock;
use crate::kube::{self, ClusterError, Target};
use keeper::Keeper;
use ledger::Ledger;
use listener::Listener;
use patience::insist;
use scribe::Scribe;

/// What `slipway run-operation` is given.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The operation.
    pub id: OperationId,
    /// The cluster.
    pub target: Target,
    /// The namespace of Slipway's records.
    pub operations_namespace: String,
    /// The helm program.
    pub helm: PathBuf,
    /// Where files are kept.
    pub data_dir: PathBuf,
    /// Slipway's own program, which has the subcommand of [`crate::helm::guard`].
    pub executable: PathBuf,
}

/// Why a runner ended without an outcome. The operation is then as it was, and recovery looks after it.
#[derive(Debug, Error)]
pub enum RunnerError {
    /// The operation is not queued: another runner has it, or it is over.
    #[error("the operation is {} already", .0.as_str())]
    NotQueued(OperationState),
    /// Its user is not the one whose rights this runner has.
    #[error("the operation is one of {0}'s, and this runner would carry it out with the rights of {1}")]
    NotOurs(String, String),
    /// It was told to end before it had taken the operation, which another one can do.
    #[error("told to end before it began")]
    ToldToEnd,
    /// The Lease was lost, or could not be renewed in time.
    #[error("the release's Lease was lost; helm was ended")]
    LeaseLost,
    /// The cluster refuses or does not answer.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The record cannot be changed.
    #[error(transparent)]
    Transition(#[from] TransitionError),
    /// The machine does not let us work.
    #[error(transparent)]
    Machine(#[from] std::io::Error),
}

/// Where the log of the operation `id` is, on the machine that its runner works on.
pub(super) fn log_path(data_dir: &Path, id: &OperationId) -> PathBuf {
    folder(data_dir, id).join("helm.log")
}

/// The folder for the files of the operation `id`.
pub(super) fn folder(data_dir: &Path, id: &OperationId) -> PathBuf {
    folders(data_dir).join(&id.0)
}

/// Where the folders of all operations are.
pub(super) fn folders(data_dir: &Path) -> PathBuf {
    data_dir.join("operations")
}

/// Carries out the operation that `settings` name, on the real cluster with the real helm. Begins a session of its own,
/// so that neither the server's end nor its terminal's concerns it. A SIGTERM ends helm, and the outcome is written.
///
/// # Errors
/// When it ends without an outcome.
pub async fn run(settings: Settings) -> Result<OperationState, RunnerError> {
    // Fails only for the leader of a process group, which has what it needs.
    let _ = rustix::process::setsid();
    // Before all else: the first process of a container has no other answer to a signal than its own.
    let mut terminate = signal(SignalKind::terminate())?;
    let clock = Clock::default();
    let client = kube::connect(&settings.target, &clock).await?;
    let data_dir = std::path::absolute(&settings.data_dir)?;
    let work = folder(&data_dir, &settings.id);
    let helm: Arc<dyn Helm> = match crate::helm::Helm::find(&settings.helm, settings.target, &work).await {
        Ok(helm) => Arc::new(helm.guarded_by(settings.executable)),
        // Said in the operation's record: nobody reads what a runner writes.
        Err(error) => Arc::new(NoHelm(error.to_string())),
    };
    let namespace = &settings.operations_namespace;
    let user = kube::access::Access::new(client.clone()).whoami().await?;
    let runner = Runner {
        user: Some(user),
        store: Arc::new(kube::operations::OperationSecrets::new(client.clone(), namespace)),
        leases: Arc::new(kube::leases::LeaseObjects::new(client.clone(), namespace)),
        records: Arc::new(kube::operations::HelmRecords(client.clone())),
        witness: Arc::new(kube::evidence::ClusterWitness::new(client)),
        helm,
        data_dir,
        by: process_words("runner"),
        clock,
        renewed: watch::Sender::new(Renewal::asked_at(Instant::now())),
    };
    let stop = Arc::new(watch::Sender::new(Stop::No));
    let asked = stop.clone();
    tokio::spawn(async move {
        while terminate.recv().await.is_some() {
            raise(&asked, Stop::Asked);
        }
    });
    runner.carry_out(&settings.id, stop).await
}

/// Tells helm to stop, or to stop sooner; never takes it back.
fn raise(stop: &watch::Sender<Stop>, to: Stop) {
    stop.send_if_modified(|now| {
        let is_more = to > *now;
        *now = to.max(*now);
        is_more
    });
}

/// Carries out operations one by one.
pub(super) struct Runner {
    /// Whose rights we have, as the cluster names them; none if that does not matter.
    pub user: Option<String>,
    pub store: Arc<dyn OperationStore>,
    pub leases: Arc<dyn Leases>,
    pub records: Arc<dyn Records>,
    pub helm: Arc<dyn Helm>,
    pub witness: Arc<dyn Witness>,
    pub data_dir: PathBuf,
    /// Who we are, in the Lease.
    pub by: String,
    /// The cluster's.
    pub clock: Clock,
    /// When the Lease was last renewed.
    pub renewed: watch::Sender<Renewal>,
}

impl Runner {
    /// Carries out the operation `id`, to a terminal state.
    pub async fn carry_out(
        &self,
        id: &OperationId,
        stop: Arc<watch::Sender<Stop>>,
    ) -> Result<OperationState, RunnerError> {
        let (claimed, before) = self.claim(id, &stop).await?;
        let (stored, hold) = self.take_lease(&claimed.operation, before.as_ref(), &stop).await?;
        let release = stored.operation.release.clone();
        let (leases, renewed) = (self.leases.clone(), self.renewed.clone());
        let keeper =
            Keeper::start(leases, release.clone(), hold, stop.clone(), (renewed, self.clock.clone()));
        let work = folder(&self.data_dir, id);
        let result = self.work(stored, &work, &stop).await;
        clear(&work);
        if let Some(hold) = keeper.stop().await {
            // Without an outcome the Lease runs out, which is when recovery looks.
            if result.is_ok() {
                lease::give_back(&*self.leases, &release, &hold).await;
            }
        }
        result
    }

    /// Whether the Lease is surely ours at this moment.
    fn may_go_on(&self, stop: &watch::Sender<Stop>) -> bool {
        may_go_on(stop, &self.renewed)
    }

    async fn work(
        &self,
        stored: Stored,
        work: &Path,
        stop: &Arc<watch::Sender<Stop>>,
    ) -> Result<OperationState, RunnerError> {
        // Without a folder helm cannot be run, which the attempt tells.
        let file = private::create_dir(work).and_then(|()| Log::to_file(&work.join("helm.log")));
        let log = file.unwrap_or_else(|error| {
            tracing::error!(%error, "the log has no file");
            Log::in_memory()
        });
        let scribe = Scribe::start(self.store.clone(), stored.clone(), log.clone());
        let (id, kind) = (stored.operation.id.clone(), stored.operation.kind);
        let listener = Listener::start(self.store.clone(), id.clone(), kind.ends_cleanly(), stop.clone());
        let input = self.input(&id, stop).await?;
        let mut ledger = Ledger::new(self.store.clone(), stored, stop.clone(), self.renewed.clone());
        if let Some(why) = self.changed_meanwhile(&mut ledger, stop).await? {
            clear(work);
            scribe.stop().await;
            let failure = Failure::new(FailureClass::Locked, why, "").offering(&[NextAction::OpenRelease]);
            let operation = attempt::over(ledger.operation(), Ok(Ended::default()), self.clock.now());
            let mut operation = attempt::failed(operation, failure);
            let records = self.records(&operation, stop).await;
            // None of what is there is its work.
            let latest = records.as_ref().and_then(|records| records.first());
            operation.base_revision = latest.map(|latest| latest.revision).or(operation.base_revision);
            return self.settle(ledger, operation, records, stop).await;
        }
        loop {
            let testimony = witness::attend(&*self.witness, ledger.operation()).await;
            let mut ended = match &input {
                Some(input) => self.attempt(ledger.operation(), input, work, &log, stop).await,
                None => Err(NotRun::Here(steps::INPUT_LOST.to_owned())),
            };
            if let Err(NotRun::Here(words) | NotRun::Asked(words)) = &ended {
                log.append(format!("Slipway could not run helm: {words}\n").as_bytes());
            }
            let preview = ended.as_mut().ok().and_then(|ended| ended.preview.take());
            let mut operation = attempt::over(ledger.operation(), ended, self.clock.now());
            witness::explain(&mut operation, testimony, stop).await;
            if !self.may_go_on(stop) {
                scribe.stop().await;
                return Err(RunnerError::LeaseLost);
            }
            let records = self.records(&operation, stop).await;
            let overtaken = self.overtaken(&operation, records.as_deref(), stop).await;
            let goes_on = *stop.borrow() == Stop::No && !listener.is_wished() && overtaken.is_none();
            let pause = match records.as_deref().filter(|_| goes_on) {
                Some(records) => {
                    let since = self.defined_since(&operation).await;
                    retry::pause_before_next(&operation, records, since, self.clock.now())
                }
                None => None,
            };
            let Some(pause) = pause else {
                if let Some(preview) = preview {
                    insist(stop, || self.store.put_preview(ledger.stored(), &preview)).await?;
                }
                // In this order, so that whoever sees the outcome finds the whole log and nothing secret.
                clear(work);
                scribe.stop().await;
                return self.settle(ledger, overtaken.unwrap_or(operation), records, stop).await;
            };
            operation.state = OperationState::Retrying;
            let pause_ms = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX);
            operation.next_attempt = Some(Timestamp(self.clock.now().0.saturating_add(pause_ms)));
            ledger.write(operation).await?;
            let mut told = stop.subscribe();
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = listener.wished() => {}
                _ = told.wait_for(|told| *told != Stop::No) => {}
            }
            if !self.may_go_on(stop) {
                scribe.stop().await;
                return Err(RunnerError::LeaseLost);
            }
            let records = self.records(ledger.operation(), stop).await;
            let overtaken = self.overtaken(ledger.operation(), records.as_deref(), stop).await;
            let is_changed = overtaken.is_some()
                || records.as_deref().is_some_and(|records| !retry::can_go_on(ledger.operation(), records));
            if *stop.borrow() != Stop::No || listener.is_wished() || is_changed {
                clear(work);
                scribe.stop().await;
                let operation = overtaken.unwrap_or_else(|| ledger.operation().clone());
                return self.settle(ledger, operation, records, stop).await;
            }
            let operation = ledger.operation().clone();
            if !ledger.begin(attempt::begun(&operation, self.clock.now())).await? {
                clear(work);
                scribe.stop().await;
                return self.settle(ledger, operation, records, stop).await;
            }
        }
    }
}

/// Whether the Lease is surely ours at this moment. The keeper says when it is not, but a process that was stopped may get
/// here before its keeper gets to look.
fn may_go_on(stop: &watch::Sender<Stop>, renewed: &watch::Sender<Renewal>) -> bool {
    *stop.borrow() != Stop::AtOnce && Instant::now() < renewed.borrow().ends()
}

/// In the place of a helm that cannot be used.
struct NoHelm(String);

#[async_trait]
impl Helm for NoHelm {
    async fn run(
        &self,
        _: &Task,
        _: &Path,
        _: &Log,
        _: StopSignal,
        _: RenewalSignal,
    ) -> Result<Ended, NotRun> {
        Err(NotRun::Here(self.0.clone()))
    }
}

/// Removes what only a running helm needs: the user's values are in it.
fn clear(work: &Path) {
    if let Err(error) = private::remove_dir(&work.join("work")) {
        tracing::warn!(%error, "working files are left behind");
    }
}

#[cfg(test)]
mod tests;
