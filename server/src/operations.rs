//! Accepts operations and carries them out: [`submit`] records what is asked; [`scheduler`] launches a [`runner`] when it
//! is its turn in the [`queue`], a process of its own that outlives the server; [`recovery`] looks after what lost its
//! runner.
//!
//! The room knows the cluster and helm by the traits in [`ports`].

mod again;
mod board;
mod cancel;
mod expiry;
#[cfg(test)]
pub(crate) mod fakes;
mod launcher;
mod launchers;
mod lease;
mod log;
mod ports;
mod precheck;
pub(crate) mod private;
mod queue;
mod recovery;
mod resume;
mod retry;
pub mod runner;
mod scheduler;
mod settle;
mod submit;
mod transition;
mod validation;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use app::model::notice::Host;
use app::model::{ApiError, Operation, OperationId, OperationState, Preview, ReleaseKey, RunnerKind};
use futures::StreamExt;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

use board::Board;
pub use launcher::ChildLauncher;
use launchers::Launchers;
pub use lease::Renewal;
use lease::Sightings;
pub use log::{LOG_MAX, Log};
pub use ports::{
    Abilities, Ended, Helm, Hold, Input, Intent, Kept, Launch, Launcher, Leases, NotRun, OperationStore,
    Records, RenewalSignal, ResolvedChart, Sourced, Stop, StopSignal, Stored, Task, Testimony, Witness,
};
use recovery::Picture;
use scheduler::{Launches, Planned};
pub use validation::VALUES_MAX;

use crate::clock::cluster::Clock;
use crate::kube::ClusterError;

/// How much is done at once, how much is kept, and what is done without being asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many runners may be at work at once, over all servers that share their records.
    pub runners: usize,
    /// How many operations that are over are kept for each release.
    pub kept: usize,
    /// For how long they are kept.
    pub kept_for: Duration,
    /// Whether an interrupted install or upgrade is run again without being asked for.
    pub resumes: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { runners: 4, kept: 20, kept_for: Duration::from_secs(30 * 24 * 60 * 60), resumes: false }
    }
}

/// Accepts, follows and looks after the operations in one cluster.
pub struct Operations {
    store: Arc<dyn OperationStore>,
    leases: Arc<dyn Leases>,
    records: Arc<dyn Records>,
    launchers: Launchers,
    /// What the helm of runners on this machine can do.
    abilities: Abilities,
    board: Board,
    /// The cluster's.
    clock: Clock,
    /// Where runners on this machine keep their files.
    data_dir: PathBuf,
    /// Who we are, in Leases.
    by: String,
    /// The user whose rights runners on this machine have, once the cluster has said who that is.
    user: OnceLock<String>,
    limits: Limits,
    sightings: Mutex<Sightings<OperationId, Picture>>,
    launches: Mutex<Launches>,
    planned: Mutex<Planned>,
    /// Wakes the scheduler when an operation was accepted here.
    accepted: Notify,
}

impl Operations {
    /// Puts the room together, with `launcher` for runners that are processes; nothing happens before [`Operations::follow`], [`Operations::schedule`] and
    /// [`Operations::recover`] run.
    pub fn new(
        store: Arc<dyn OperationStore>,
        leases: Arc<dyn Leases>,
        records: Arc<dyn Records>,
        launcher: Arc<dyn Launcher>,
        data_dir: PathBuf,
    ) -> Self {
        Self {
            store,
            leases,
            records,
            launchers: Launchers::processes(launcher),
            abilities: Abilities::default(),
            board: Board::default(),
            clock: Clock::default(),
            data_dir,
            by: process_words("server"),
            user: OnceLock::new(),
            limits: Limits::default(),
            sightings: Mutex::default(),
            launches: Mutex::default(),
            planned: Mutex::default(),
            accepted: Notify::new(),
        }
    }

    /// The same with other limits.
    #[must_use]
    pub fn limited(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same by the clock of the cluster.
    #[must_use]
    pub fn by_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The same for a helm that can do this.
    #[must_use]
    pub fn with_abilities(self, abilities: Abilities) -> Self {
        Self { abilities, ..self }
    }

    /// The same with `jobs` to launch runners as Jobs; `chosen` is what carries out an operation that does not say.
    #[must_use]
    pub fn with_jobs(self, jobs: Arc<dyn Launcher>, chosen: RunnerKind) -> Self {
        Self { launchers: self.launchers.with_jobs(jobs, chosen), ..self }
    }

    /// Takes in that runners on this machine have the rights of `user`. Until then nothing is launched here that another
    /// server accepted.
    pub fn act_as(&self, user: &str) {
        let user = self.user.get_or_init(|| user.to_owned());
        tracing::debug!(user, "runners on this machine act as this user");
        self.accepted.notify_one();
    }

    /// Whether a runner that is launched here would carry `operation` out: a process has the rights of this server's user, a
    /// Job has its own.
    fn can_launch(&self, operation: &Operation) -> bool {
        let has_own_rights = operation.options.runner == Some(RunnerKind::Job);
        let is_ours = || self.user.get().is_some_and(|user| *user == operation.requested_by);
        self.launchers.of(&operation.options).is_ok() && (has_own_rights || is_ours())
    }

    /// Whose server must start `id`, which is queued, where that is not this one.
    pub fn host(&self, id: &OperationId) -> Option<Host> {
        let operation = self.board.get(id)?;
        if operation.state != OperationState::Queued || self.can_launch(&operation) {
            return None;
        }
        if operation.options.runner == Some(RunnerKind::Job) {
            return Some(Host::WithJobs);
        }
        // Before the cluster has told who this server is, nobody knows.
        self.user.get().map(|_| Host::Of(operation.requested_by.clone()))
    }

    /// Follows the records of operations; never ends.
    pub async fn follow(&self) {
        if let Err(error) = self.store.prepare().await {
            tracing::warn!(%error, "the namespace for operations cannot be made sure of");
        }
        let mut changes = self.store.watch();
        while let Some(change) = changes.next().await {
            self.board.apply(change);
        }
    }

    /// Whether all operations are known: the watch has told of them once.
    pub fn ready(&self) -> bool {
        self.board.is_listed()
    }

    /// The newest operation that changes a release.
    pub fn latest(&self, release: &ReleaseKey) -> Option<Arc<Operation>> {
        self.board.latest(release)
    }

    /// The newest operation that changes each release, in a namespace or in all.
    pub fn all_latest(&self, namespace: Option<&str>) -> Vec<Arc<Operation>> {
        self.board.all_latest(namespace)
    }

    /// The operations, the newest first; of one namespace, or of the releases of one name, where named.
    pub fn list(&self, namespace: Option<&str>, name: Option<&str>) -> Vec<Arc<Operation>> {
        self.board.list(namespace, name)
    }

    /// A counter that changes whenever any operation does.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.board.changes()
    }

    /// The operation `id` as far as it is known here, without asking the cluster.
    pub fn find(&self, id: &OperationId) -> Option<Arc<Operation>> {
        self.board.get(id)
    }

    /// The operation `id`.
    ///
    /// # Errors
    /// [`ApiError::NotFound`], or when the cluster does not answer.
    pub async fn get(&self, id: &OperationId) -> Result<Arc<Operation>, ApiError> {
        if let Some(known) = self.board.get(id) {
            return Ok(known);
        }
        let not_found = || ApiError::NotFound { what: format!("The operation {id}") };
        if Uuid::parse_str(&id.0).is_err() {
            return Err(not_found());
        }
        match self.store.get(id).await {
            Ok(stored) => Ok(Arc::new(stored.operation)),
            Err(ClusterError::NotFound(_)) => Err(not_found()),
            Err(error) => Err(error.into()),
        }
    }

    /// The values that `id` was submitted with, as long as they are kept: it has not succeeded, and nothing newer is submitted.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] when they are not kept any more; or when the cluster does not answer.
    pub async fn submitted_values(&self, id: &OperationId) -> Result<String, ApiError> {
        let input = self.store.input(id).await.map_err(|error| match error {
            ClusterError::NotFound(_) => {
                ApiError::NotFound { what: format!("The values of the operation {id}") }
            }
            error => error.into(),
        })?;
        Ok(input.values)
    }

    /// What the dry run `id` rendered.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] when there is nothing, which is so until it has succeeded; or when the cluster does not answer.
    pub async fn preview(&self, id: &OperationId) -> Result<Preview, ApiError> {
        self.store.preview(id).await.map_err(|error| match error {
            ClusterError::NotFound(_) => {
                ApiError::NotFound { what: format!("A preview of the operation {id}") }
            }
            error => error.into(),
        })
    }

    /// What helm said in the operation `id`, its end: from this machine if it ran here, else as it was last kept. A file is there
    /// only as long as it ends as the log does; of a runner that was killed it has more than what was kept.
    ///
    /// # Errors
    /// When there is no such operation, or the cluster does not answer.
    pub async fn log(&self, id: &OperationId) -> Result<String, ApiError> {
        let id = &self.get(id).await?.id;
        match log::read_end(&runner::log_path(&self.data_dir, id)) {
            Ok(text) => Ok(text),
            Err(_) => Ok(self.store.log(id).await?),
        }
    }

    /// What was seen so far; never held across an await.
    fn sightings(&self) -> MutexGuard<'_, Sightings<OperationId, Picture>> {
        self.sightings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The environment variable that tells a pod its own name.
pub const POD_NAME: &str = "POD_NAME";
/// The environment variable that tells a pod its node's name.
pub const NODE_NAME: &str = "NODE_NAME";

/// This process in words: `runner on host, process 12`, or `runner in pod x on node y, process 1`.
fn process_words(role: &str) -> String {
    let process = std::process::id();
    match (std::env::var(POD_NAME), std::env::var(NODE_NAME)) {
        (Ok(pod), Ok(node)) => format!("{role} in pod {pod} on node {node}, process {process}"),
        _ => {
            let host = rustix::system::uname();
            format!("{role} on {}, process {process}", host.nodename().to_string_lossy())
        }
    }
}
