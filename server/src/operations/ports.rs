//! What the room needs of the cluster and of helm. `kube` and `helm` have the real ones; the tests here have scripted
//! ones.

use std::path::Path;
use std::time::Duration;

use app::model::failure::CustomKind;
use app::model::{
    Evidence, Failure, Operation, OperationId, OperationKind, OperationOptions, Preview, ReleaseKey,
    Timestamp,
};
use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::Log;
use super::lease::Renewal;
use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;
use crate::kube::watch::Change;

/// A chart as helm is given it: a name in Slipway's settings has become an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ResolvedChart {
    /// A version of a chart in a repository.
    Repository {
        /// The repository's address.
        url: String,
        /// The chart's name.
        name: String,
        /// The exact version.
        version: String,
    },
    /// An archive by its address.
    Url {
        /// The address.
        url: String,
    },
}

/// What an operation was submitted with and its record does not hold: it may be secret, and is removed at the end.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The chart; none for an uninstall.
    pub chart: Option<ResolvedChart>,
    /// The user's values, as YAML.
    pub values: String,
}

/// What tells a submission that has an idempotency key from others, in digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// Of the key, and of who does what to which release: the same key of another user is another one.
    pub key: String,
    /// Of all that is asked for; empty where an older Slipway has not recorded it.
    pub content: String,
}

/// An operation's record as it was last read or written.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The operation.
    pub operation: Operation,
    /// The record's identity, for what belongs to it.
    pub uid: String,
    /// What it was submitted as, if it has an idempotency key.
    pub intent: Option<Intent>,
    /// Its version: a write names it, and fails if the record has another one by then.
    pub resource_version: String,
}

/// The records of operations, with what belongs to them.
#[async_trait]
pub trait OperationStore: Send + Sync {
    /// Makes sure that there is a place for records.
    async fn prepare(&self) -> Result<(), ClusterError>;
    /// Writes a new record, to be found again by the key of `intent`.
    async fn create(&self, operation: &Operation, intent: Option<&Intent>) -> Result<Stored, ClusterError>;
    /// Overwrites the record `of`, unless it changed meanwhile ([`ClusterError::Conflict`]). Only
    /// [`super::transition::advance`] calls this.
    async fn replace(&self, of: &Stored, next: &Operation) -> Result<Stored, ClusterError>;
    /// Reads one, as it is now.
    async fn get(&self, id: &OperationId) -> Result<Stored, ClusterError>;
    /// Reads those submitted with an idempotency key, as they are now.
    async fn with_key(&self, digest: &str) -> Result<Vec<Stored>, ClusterError>;
    /// Removes a record, and with it what belongs to it. One that is not there is no error.
    async fn delete(&self, id: &OperationId) -> Result<(), ClusterError>;
    /// Follows the records.
    fn watch(&self) -> BoxStream<'static, Change<Stored>>;
    /// Follows one record.
    fn watch_one(&self, id: &OperationId) -> BoxStream<'static, Change<Stored>>;
    /// Keeps `input` for the runner of `of`, unless there is one already.
    async fn put_input(&self, of: &Stored, input: &Input) -> Result<(), ClusterError>;
    /// The input of an operation.
    async fn input(&self, id: &OperationId) -> Result<Input, ClusterError>;
    /// Removes the input. One that is not there is no error.
    async fn delete_input(&self, id: &OperationId) -> Result<(), ClusterError>;
    /// Keeps the end of the log.
    async fn put_log(&self, of: &Stored, text: &str) -> Result<(), ClusterError>;
    /// The log as it was last kept; empty when there is none.
    async fn log(&self, id: &OperationId) -> Result<String, ClusterError>;
    /// Keeps what a dry run rendered.
    async fn put_preview(&self, of: &Stored, preview: &Preview) -> Result<(), ClusterError>;
    /// What a dry run rendered.
    async fn preview(&self, id: &OperationId) -> Result<Preview, ClusterError>;
}

/// Who works on a release, as its Lease says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// For which operation.
    pub operation: OperationId,
    /// Which process, in words: `runner on host, process 12`, `runner in pod x on node y, process 1`.
    pub by: String,
    /// The digest of the operation's idempotency key, if it has one.
    pub key_digest: Option<String>,
    /// When it was last renewed, by the holder's clock: for people; nothing is decided by it.
    pub renewed: Timestamp,
    /// For how long that is good, in seconds.
    pub seconds: u32,
    /// The Lease's version; empty before it is written.
    pub resource_version: String,
}

/// The Leases of releases.
#[async_trait]
pub trait Leases: Send + Sync {
    /// Creates the Lease of `release`; [`ClusterError::AlreadyExists`] when there is one.
    async fn create(&self, release: &ReleaseKey, hold: &Hold) -> Result<Hold, ClusterError>;
    /// Reads all that there are.
    async fn list(&self) -> Result<Vec<(ReleaseKey, Hold)>, ClusterError>;
    /// Reads it.
    async fn get(&self, release: &ReleaseKey) -> Result<Option<Hold>, ClusterError>;
    /// Overwrites it, unless it changed since `of` was read ([`ClusterError::Conflict`]).
    async fn replace(&self, release: &ReleaseKey, of: &Hold, next: &Hold) -> Result<Hold, ClusterError>;
    /// Deletes it, unless it changed since `of` was read ([`ClusterError::Conflict`]).
    async fn delete(&self, release: &ReleaseKey, of: &Hold) -> Result<(), ClusterError>;
}

/// helm's records.
#[async_trait]
pub trait Records: Send + Sync {
    /// Those of one release, the newest revision first.
    async fn revisions(&self, release: &ReleaseKey) -> Result<Vec<RecordMeta>, ClusterError>;
    /// What helm wrote about a revision, where a failure's text is; none if the record cannot be read.
    async fn description(&self, release: &ReleaseKey, revision: u32) -> Result<Option<String>, ClusterError>;
    /// Since when the cluster has had definitions of all these custom kinds; none while it lacks one of them.
    async fn defined_since(&self, kinds: &[CustomKind]) -> Result<Option<Timestamp>, ClusterError>;
    /// Makes a pending record `failed`, described by `description`, and changes nothing else in it. Only for whoever holds
    /// the release's Lease. [`ClusterError::Conflict`] when the record is not pending, or changes meanwhile.
    async fn mark_failed(
        &self,
        release: &ReleaseKey,
        revision: u32,
        description: &str,
    ) -> Result<(), ClusterError>;
}

/// What a helm can do that not every helm can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Take over fields that somebody else manages.
    pub forces_conflicts: bool,
    /// Describe the revision that a rollback makes.
    pub describes_rollbacks: bool,
}

impl Default for Abilities {
    /// All of it, where nothing is known: helm will tell.
    fn default() -> Self {
        Self { forces_conflicts: true, describes_rollbacks: true }
    }
}

/// Why helm was not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// Something is wrong here: in words.
    Here(String),
    /// This helm cannot do what is asked of it: a sentence.
    Asked(String),
}

impl From<String> for NotRun {
    fn from(words: String) -> Self {
        Self::Here(words)
    }
}

/// What helm is to do.
#[derive(Clone)]
pub struct Task {
    /// The operation, as a label on the records that helm writes.
    pub id: OperationId,
    /// The verb.
    pub kind: OperationKind,
    /// The release.
    pub release: ReleaseKey,
    /// The chart; none for an uninstall.
    pub chart: Option<ResolvedChart>,
    /// How.
    pub options: OperationOptions,
    /// The user's values, as YAML; may be secret.
    pub values: String,
    /// Install over a failed or uninstalled release of the same name.
    pub replace: bool,
}

/// How a helm ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// It did not end when told to, and was killed.
    pub killed: bool,
    /// Its error text; empty when it printed none.
    pub error: String,
    /// What a dry run rendered.
    pub preview: Option<Preview>,
}

/// Whether a helm is to go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// It is.
    #[default]
    No,
    /// It is to end in its own time: helm records the release as failed.
    Asked,
    /// It has lost the right to go on, and is killed if it does not end in time.
    AtOnce,
}

/// Tells a running helm whether to go on.
pub type StopSignal = watch::Receiver<Stop>;

/// Tells a running helm until when its runner may let it go on.
pub type RenewalSignal = watch::Receiver<Renewal>;

/// Runs helm.
#[async_trait]
pub trait Helm: Send + Sync {
    /// Runs helm for `task` to its end. What it writes goes to `folder`, which is the task's alone; what it says to
    /// `log`. Should `renewed` not be heard of in time, helm is ended, even if this process stands still.
    ///
    /// # Errors
    /// When it could not be started.
    async fn run(
        &self,
        task: &Task,
        folder: &Path,
        log: &Log,
        stop: StopSignal,
        renewed: RenewalSignal,
    ) -> Result<Ended, NotRun>;
}

/// Sees what happens in the cluster while helm works.
#[async_trait]
pub trait Witness: Send + Sync {
    /// Begins to watch, before helm is started: what is there by then is from before. Never fails: a witness that may not
    /// see says so in its testimony.
    async fn attend(&self, operation: &Operation) -> Box<dyn Testimony>;
}

/// What was seen during one attempt. Dropped, nothing more is watched.
#[async_trait]
pub trait Testimony: Send {
    /// Which objects `failure` is about and why, those to blame first; empty if nothing was seen that explains it. Takes
    /// some seconds at most.
    async fn explain(self: Box<Self>, failure: &Failure) -> Vec<Evidence>;
}

/// What came of launching a runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launch {
    /// One was started. Should it not take its operation in a while, another one is to be.
    Started,
    /// There is one, now or before, of which it can be seen what becomes of it, and what keeps it from beginning.
    Awaited(Option<Kept>),
    /// There was one, and it will never take the operation: why, in words.
    Lost(String),
}

/// What keeps a runner from beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// In words, as they follow a colon.
    pub why: String,
    /// For how long it makes sense to wait for it to pass.
    pub worth: Duration,
}

/// Starts runners that outlive the server.
#[async_trait]
pub trait Launcher: Send + Sync {
    /// Starts a runner for an operation; returns when it was started, not when it is done. Where a runner can be seen from
    /// afar there is one for each operation, and this tells how it stands.
    ///
    /// # Errors
    /// In words, when it cannot be done now.
    async fn launch(&self, operation: &Operation) -> Result<Launch, String>;

    /// What can be seen of a runner that no longer works, as a sentence.
    async fn last_words(&self, _: &OperationId) -> Option<String> {
        None
    }

    /// The operations whose runner left something behind, or is still there.
    async fn known(&self) -> Result<Vec<OperationId>, ClusterError> {
        Ok(Vec::new())
    }

    /// Clears away what there is of the runner of an operation that is over.
    async fn clear(&self, _: &OperationId) -> Result<(), ClusterError> {
        Ok(())
    }
}
