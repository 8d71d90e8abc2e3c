//! Scripted stand-ins for the cluster, helm and processes.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::model::failure::CustomKind;
use app::model::{
    Attempt, Cancel, Evidence, Failure, Operation, OperationId, OperationKind, OperationOptions,
    OperationState, Outcome, Preview, RecordStatus, ReleaseKey, Timestamp,
};
use async_trait::async_trait;
use futures::stream::{BoxStream, StreamExt};
use tokio::sync::broadcast;

use super::{
    Ended, Helm, Hold, Input, Launch, Launcher, Leases, Log, NotRun, OperationStore, Records, RenewalSignal,
    Stop, StopSignal, Stored, Task, Testimony, Witness,
};
use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;
use crate::kube::watch::Change;

/// An attempt that has begun.
pub(crate) fn attempt(number: u32) -> Attempt {
    Attempt {
        number,
        started: Timestamp(1),
        ended: None,
        exit_code: None,
        failure: None,
        revision: None,
        evidence: vec![],
    }
}

/// An operation on the release `ns/web`, that has made an attempt unless it is queued, with an outcome if its state is terminal.
pub(crate) fn operation(id: &str, state: OperationState) -> Operation {
    let outcome = Outcome { ended: Timestamp(2), revision: None, failure: None, remark: None };
    Operation {
        id: OperationId(id.into()),
        kind: OperationKind::Install,
        release: ReleaseKey::new("ns", "web"),
        chart: None,
        options: OperationOptions::default(),
        requested_by: "ann".into(),
        idempotency_key: None,
        created: Timestamp(1),
        state,
        max_attempts: 1,
        next_attempt: None,
        attempts: if state == OperationState::Queued { vec![] } else { vec![attempt(1)] },
        base_revision: None,
        outcome: state.is_terminal().then_some(outcome),
        cancel: None,
        again: None,
    }
}

/// A hold on a release for the operation `id`.
pub(crate) fn hold(id: &str) -> Hold {
    super::lease::new_hold(
        &OperationId(id.into()),
        "runner on x, process 7",
        None,
        Timestamp(1_796_010_132_000),
    )
}

/// A record of the release `ns/web` that no operation of ours wrote.
pub(crate) fn record(revision: u32, status: RecordStatus) -> RecordMeta {
    RecordMeta {
        key: ReleaseKey::new("ns", "web"),
        revision,
        status,
        created: None,
        changed: None,
        operation: None,
        uid: "u".into(),
        resource_version: "1".into(),
    }
}

fn unreachable() -> ClusterError {
    ClusterError::Unreachable("scripted".into())
}

/// Operation records in memory.
pub(crate) struct FakeStore {
    records: Mutex<BTreeMap<OperationId, Stored>>,
    inputs: Mutex<BTreeMap<OperationId, Input>>,
    logs: Mutex<BTreeMap<OperationId, String>>,
    previews: Mutex<BTreeMap<OperationId, Preview>>,
    version: AtomicUsize,
    changes: broadcast::Sender<Stored>,
    /// Each write of an input fails.
    pub refuses_inputs: AtomicBool,
    /// How many seconds a write of an input takes.
    pub takes: AtomicUsize,
    /// How many replacements fail before one is let through.
    pub refuses_replacements: AtomicUsize,
    /// How many answers about records are refusals, as those of an API server that has just started.
    pub forbids: AtomicUsize,
    /// Just before this attempt begins, somebody wishes that it all end.
    pub wished_before: AtomicUsize,
}

impl Default for FakeStore {
    fn default() -> Self {
        Self {
            records: Mutex::default(),
            inputs: Mutex::default(),
            logs: Mutex::default(),
            previews: Mutex::default(),
            version: AtomicUsize::new(0),
            changes: broadcast::Sender::new(64),
            refuses_inputs: AtomicBool::default(),
            takes: AtomicUsize::default(),
            refuses_replacements: AtomicUsize::default(),
            forbids: AtomicUsize::default(),
            wished_before: AtomicUsize::default(),
        }
    }
}

impl FakeStore {
    /// How many records were written so far.
    pub(crate) fn writes(&self) -> usize {
        self.version.load(Ordering::SeqCst)
    }

    /// All records.
    pub(crate) fn all(&self) -> Vec<Operation> {
        self.records.lock().unwrap().values().map(|stored| stored.operation.clone()).collect()
    }

    /// One record's state.
    pub(crate) fn state(&self, id: &OperationId) -> OperationState {
        self.records.lock().unwrap()[id].operation.state
    }

    /// Whether an operation's input is kept.
    pub(crate) fn has_input(&self, id: &OperationId) -> bool {
        self.inputs.lock().unwrap().contains_key(id)
    }

    /// Refuses, as often as it is to.
    fn answer(&self) -> Result<(), ClusterError> {
        let left = self.forbids.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        left.map_or(Ok(()), |_| Err(ClusterError::Forbidden("RBAC: clusterrole \"x\" not found".into())))
    }

    fn write(&self, operation: &Operation, key_digest: Option<String>) -> Stored {
        let version = self.version.fetch_add(1, Ordering::SeqCst) + 1;
        let stored = Stored {
            operation: operation.clone(),
            key_digest,
            uid: format!("uid-{}", operation.id),
            resource_version: version.to_string(),
        };
        let _ = self.changes.send(stored.clone());
        stored
    }
}

#[async_trait]
impl OperationStore for FakeStore {
    async fn prepare(&self) -> Result<(), ClusterError> {
        Ok(())
    }

    async fn create(&self, operation: &Operation, key_digest: Option<&str>) -> Result<Stored, ClusterError> {
        tokio::task::yield_now().await;
        let stored = self.write(operation, key_digest.map(str::to_owned));
        self.records.lock().unwrap().insert(operation.id.clone(), stored.clone());
        Ok(stored)
    }

    async fn replace(&self, of: &Stored, next: &Operation) -> Result<Stored, ClusterError> {
        tokio::task::yield_now().await;
        let left = self.refuses_replacements.load(Ordering::SeqCst);
        if left > 0 {
            self.refuses_replacements.store(left - 1, Ordering::SeqCst);
            return Err(unreachable());
        }
        self.answer()?;
        let mut records = self.records.lock().unwrap();
        let found = records.get_mut(&next.id).ok_or(ClusterError::NotFound(next.id.to_string()))?;
        let begins = next.attempts.len();
        if next.state == OperationState::Running && begins == self.wished_before.load(Ordering::SeqCst) {
            self.wished_before.store(0, Ordering::SeqCst);
            let cancel = Some(Cancel { by: "bob".into(), at: Timestamp(1) });
            *found = self.write(&Operation { cancel, ..found.operation.clone() }, of.key_digest.clone());
        }
        if found.resource_version != of.resource_version {
            return Err(ClusterError::Conflict("scripted".into()));
        }
        *found = self.write(next, of.key_digest.clone());
        Ok(found.clone())
    }

    async fn get(&self, id: &OperationId) -> Result<Stored, ClusterError> {
        self.answer()?;
        let found = self.records.lock().unwrap().get(id).cloned();
        found.ok_or(ClusterError::NotFound(id.to_string()))
    }

    async fn with_key(&self, digest: &str) -> Result<Vec<Stored>, ClusterError> {
        tokio::task::yield_now().await;
        let records = self.records.lock().unwrap();
        Ok(records.values().filter(|stored| stored.key_digest.as_deref() == Some(digest)).cloned().collect())
    }

    async fn delete(&self, id: &OperationId) -> Result<(), ClusterError> {
        self.records.lock().unwrap().remove(id);
        self.inputs.lock().unwrap().remove(id);
        Ok(())
    }

    fn watch(&self) -> BoxStream<'static, Change<Stored>> {
        let mut start = vec![Change::Restarted];
        start.extend(self.records.lock().unwrap().values().cloned().map(Change::Listed));
        start.push(Change::Complete);
        let changes = futures::stream::unfold(self.changes.subscribe(), |mut changes| async move {
            let stored = changes.recv().await.ok()?;
            Some((Change::Written(stored), changes))
        });
        futures::stream::iter(start).chain(changes).boxed()
    }

    fn watch_one(&self, id: &OperationId) -> BoxStream<'static, Change<Stored>> {
        let id = id.clone();
        let is_it = move |change: &Change<Stored>| match change {
            Change::Listed(stored) | Change::Written(stored) => stored.operation.id == id,
            _ => true,
        };
        self.watch().filter(move |change| std::future::ready(is_it(change))).boxed()
    }

    async fn put_input(&self, of: &Stored, input: &Input) -> Result<(), ClusterError> {
        tokio::task::yield_now().await;
        let takes = self.takes.load(Ordering::SeqCst);
        if takes > 0 {
            tokio::time::sleep(Duration::from_secs(takes as u64)).await;
        }
        if self.refuses_inputs.load(Ordering::SeqCst) {
            return Err(unreachable());
        }
        self.inputs.lock().unwrap().entry(of.operation.id.clone()).or_insert(input.clone());
        Ok(())
    }

    async fn input(&self, id: &OperationId) -> Result<Input, ClusterError> {
        let found = self.inputs.lock().unwrap().get(id).cloned();
        found.ok_or(ClusterError::NotFound(id.to_string()))
    }

    async fn delete_input(&self, id: &OperationId) -> Result<(), ClusterError> {
        self.inputs.lock().unwrap().remove(id);
        Ok(())
    }

    async fn put_log(&self, of: &Stored, text: &str) -> Result<(), ClusterError> {
        self.logs.lock().unwrap().insert(of.operation.id.clone(), text.to_owned());
        Ok(())
    }

    async fn log(&self, id: &OperationId) -> Result<String, ClusterError> {
        Ok(self.logs.lock().unwrap().get(id).cloned().unwrap_or_default())
    }

    async fn put_preview(&self, of: &Stored, preview: &Preview) -> Result<(), ClusterError> {
        self.previews.lock().unwrap().insert(of.operation.id.clone(), preview.clone());
        Ok(())
    }

    async fn preview(&self, id: &OperationId) -> Result<Preview, ClusterError> {
        let found = self.previews.lock().unwrap().get(id).cloned();
        found.ok_or(ClusterError::NotFound(id.to_string()))
    }
}

/// Leases in memory.
#[derive(Default)]
pub(crate) struct FakeLeases {
    holds: Mutex<BTreeMap<ReleaseKey, Hold>>,
    version: AtomicUsize,
    /// The cluster does not answer.
    pub is_down: AtomicBool,
}

impl FakeLeases {
    fn next(&self, hold: &Hold) -> Hold {
        let version = self.version.fetch_add(1, Ordering::SeqCst) + 1;
        Hold { resource_version: version.to_string(), ..hold.clone() }
    }

    async fn answer(&self) -> Result<(), ClusterError> {
        tokio::task::yield_now().await;
        if self.is_down.load(Ordering::SeqCst) { Err(unreachable()) } else { Ok(()) }
    }
}

#[async_trait]
impl Leases for FakeLeases {
    async fn create(&self, release: &ReleaseKey, hold: &Hold) -> Result<Hold, ClusterError> {
        self.answer().await?;
        let mut holds = self.holds.lock().unwrap();
        if holds.contains_key(release) {
            return Err(ClusterError::AlreadyExists(release.to_string()));
        }
        let created = self.next(hold);
        holds.insert(release.clone(), created.clone());
        Ok(created)
    }

    async fn list(&self) -> Result<Vec<(ReleaseKey, Hold)>, ClusterError> {
        self.answer().await?;
        let holds = self.holds.lock().unwrap();
        Ok(holds.iter().map(|(release, hold)| (release.clone(), hold.clone())).collect())
    }

    async fn get(&self, release: &ReleaseKey) -> Result<Option<Hold>, ClusterError> {
        self.answer().await?;
        Ok(self.holds.lock().unwrap().get(release).cloned())
    }

    async fn replace(&self, release: &ReleaseKey, of: &Hold, next: &Hold) -> Result<Hold, ClusterError> {
        self.answer().await?;
        let mut holds = self.holds.lock().unwrap();
        let found = holds.get_mut(release).ok_or(ClusterError::NotFound(release.to_string()))?;
        if found.resource_version != of.resource_version {
            return Err(ClusterError::Conflict("scripted".into()));
        }
        *found = self.next(next);
        Ok(found.clone())
    }

    async fn delete(&self, release: &ReleaseKey, of: &Hold) -> Result<(), ClusterError> {
        self.answer().await?;
        let mut holds = self.holds.lock().unwrap();
        match holds.get(release) {
            None => Err(ClusterError::NotFound(release.to_string())),
            Some(found) if found.resource_version != of.resource_version => {
                Err(ClusterError::Conflict("scripted".into()))
            }
            Some(_) => {
                holds.remove(release);
                Ok(())
            }
        }
    }
}

/// helm's records in memory.
#[derive(Default)]
pub(crate) struct FakeRecords {
    records: Mutex<Vec<RecordMeta>>,
}

impl FakeRecords {
    /// From now on these are the release's, the newest first.
    pub(crate) fn are(&self, records: Vec<RecordMeta>) {
        *self.records.lock().unwrap() = records;
    }
}

#[async_trait]
impl Records for FakeRecords {
    async fn revisions(&self, _: &ReleaseKey) -> Result<Vec<RecordMeta>, ClusterError> {
        Ok(self.records.lock().unwrap().clone())
    }

    async fn description(&self, _: &ReleaseKey, _: u32) -> Result<Option<String>, ClusterError> {
        Ok(Some("Release \"web\" failed: Service \"a\" is invalid".into()))
    }

    async fn defined_since(&self, _: &[CustomKind]) -> Result<Option<Timestamp>, ClusterError> {
        Ok(None)
    }

    async fn mark_failed(&self, _: &ReleaseKey, revision: u32, _: &str) -> Result<(), ClusterError> {
        let mut records = self.records.lock().unwrap();
        let found =
            records.iter_mut().find(|record| record.revision == revision && record.status.is_pending());
        found.ok_or(ClusterError::Conflict("scripted".into()))?.status = RecordStatus::Failed;
        Ok(())
    }
}

/// What a scripted helm does.
pub(crate) enum Script {
    /// It ends at once.
    Ends(Ended),
    /// It ends after a while.
    EndsAfter(Duration, Ended),
    /// It leaves these records, the newest first, and ends.
    Leaves(Vec<RecordMeta>, Ended),
    /// It works for this long, whatever it is told, and ends with this code.
    Works(Duration, i32),
    /// It works until it is told to stop, and then ends like helm does.
    WorksUntilStopped,
    /// It cannot be started.
    CannotStart,
    /// It cannot do what is asked of it.
    Lacks,
}

/// A helm that follows a script, a line for each run.
#[derive(Default)]
pub(crate) struct FakeHelm {
    scripts: Mutex<VecDeque<Script>>,
    /// The values that each run was given.
    pub runs: Mutex<Vec<String>>,
    /// Whether each run was to replace what is there.
    pub replaced: Mutex<Vec<bool>>,
    /// The records that it leaves.
    pub records: Arc<FakeRecords>,
    started: tokio::sync::Notify,
}

impl FakeHelm {
    pub(crate) fn with(scripts: impl IntoIterator<Item = Script>) -> Self {
        Self { scripts: Mutex::new(scripts.into_iter().collect()), ..Self::default() }
    }

    /// Waits until a helm has been started.
    pub(crate) async fn has_started(&self) {
        self.started.notified().await;
    }
}

#[async_trait]
impl Helm for FakeHelm {
    async fn run(
        &self,
        task: &Task,
        _: &Path,
        log: &Log,
        mut stop: StopSignal,
        _: RenewalSignal,
    ) -> Result<Ended, NotRun> {
        self.runs.lock().unwrap().push(task.values.clone());
        self.replaced.lock().unwrap().push(task.replace);
        self.started.notify_one();
        log.append(b"helm speaks\n");
        let script = self.scripts.lock().unwrap().pop_front();
        match script.expect("helm was started more often than the script has it") {
            Script::Ends(ended) => Ok(ended),
            Script::EndsAfter(pause, ended) => {
                tokio::time::sleep(pause).await;
                Ok(ended)
            }
            Script::Leaves(records, ended) => {
                self.records.are(records);
                Ok(ended)
            }
            Script::Works(time, code) => {
                tokio::time::sleep(time).await;
                Ok(Ended { code: Some(code), ..Ended::default() })
            }
            Script::CannotStart => Err(NotRun::Here("no such file".into())),
            Script::Lacks => Err(NotRun::Asked("This helm has no --x.".into())),
            Script::WorksUntilStopped => {
                stop.wait_for(|stop| *stop != Stop::No).await.expect("the runner is gone");
                let error = "Error: INSTALLATION FAILED: context canceled".to_owned();
                Ok(Ended { code: Some(1), error, ..Ended::default() })
            }
        }
    }
}

/// Tells what it was told to.
#[derive(Default)]
pub(crate) struct FakeWitness {
    evidence: Mutex<Vec<Evidence>>,
}

impl FakeWitness {
    /// From now on this is what it has seen.
    pub(crate) fn tells(&self, evidence: Vec<Evidence>) {
        *self.evidence.lock().unwrap() = evidence;
    }
}

#[async_trait]
impl Witness for FakeWitness {
    async fn attend(&self, _: &Operation) -> Box<dyn Testimony> {
        Box::new(FakeTestimony(self.evidence.lock().unwrap().clone()))
    }
}

struct FakeTestimony(Vec<Evidence>);

#[async_trait]
impl Testimony for FakeTestimony {
    async fn explain(self: Box<Self>, _: &Failure) -> Vec<Evidence> {
        self.0
    }
}

/// Remembers what was launched.
#[derive(Default)]
pub(crate) struct FakeLauncher {
    /// The operations, in order.
    pub launched: Mutex<Vec<OperationId>>,
    /// No process can be made.
    pub is_broken: AtomicBool,
    /// What comes of launching a runner, other than its start.
    pub finds: Mutex<Option<Launch>>,
    /// What can be seen of a runner that is gone.
    pub last_words: Mutex<Option<String>>,
    /// Operations whose runner left something behind.
    pub left: Mutex<Vec<OperationId>>,
}

impl FakeLauncher {
    pub(crate) fn count(&self) -> usize {
        self.launched.lock().unwrap().len()
    }
}

#[async_trait]
impl Launcher for FakeLauncher {
    async fn launch(&self, operation: &Operation) -> Result<Launch, String> {
        if self.is_broken.load(Ordering::SeqCst) {
            return Err("scripted".into());
        }
        self.launched.lock().unwrap().push(operation.id.clone());
        Ok(self.finds.lock().unwrap().clone().unwrap_or(Launch::Started))
    }

    async fn last_words(&self, _: &OperationId) -> Option<String> {
        self.last_words.lock().unwrap().clone()
    }

    async fn known(&self) -> Result<Vec<OperationId>, ClusterError> {
        Ok(self.left.lock().unwrap().clone())
    }

    async fn clear(&self, id: &OperationId) -> Result<(), ClusterError> {
        self.left.lock().unwrap().retain(|left| left != id);
        Ok(())
    }
}

/// The room on scripted parts.
pub(crate) struct Room {
    pub store: Arc<FakeStore>,
    pub leases: Arc<FakeLeases>,
    pub records: Arc<FakeRecords>,
    pub launcher: Arc<FakeLauncher>,
    pub operations: Arc<super::Operations>,
}

impl Room {
    /// A room whose watch is followed.
    pub(crate) fn new() -> Self {
        Self::limited(super::Limits::default())
    }

    /// The same with other limits.
    pub(crate) fn limited(limits: super::Limits) -> Self {
        Self::with(|operations| operations.limited(limits))
    }

    /// The same with other settings.
    pub(crate) fn with(set: impl FnOnce(super::Operations) -> super::Operations) -> Self {
        let (store, leases) = (Arc::new(FakeStore::default()), Arc::new(FakeLeases::default()));
        let (records, launcher) = (Arc::new(FakeRecords::default()), Arc::new(FakeLauncher::default()));
        let data_dir = "/nowhere".into();
        let operations = super::Operations::new(
            store.clone(),
            leases.clone(),
            records.clone(),
            launcher.clone(),
            data_dir,
        );
        let operations = Arc::new(set(operations));
        let follower = operations.clone();
        tokio::spawn(async move { follower.follow().await });
        Self { store, leases, records, launcher, operations }
    }
}
