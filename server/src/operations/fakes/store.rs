//! Operation records in memory.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use app::model::{Cancel, Operation, OperationId, OperationState, Preview, Timestamp};
use async_trait::async_trait;
use futures::stream::{BoxStream, StreamExt};
use tokio::sync::broadcast;

use super::unreachable;
use crate::kube::ClusterError;
use crate::kube::watch::Change;
use crate::operations::{Input, Intent, OperationStore, Stored};

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
    /// The API server that is asked by a key has cached nothing yet.
    pub is_behind: AtomicBool,
    /// How many replacements are written although their answer says that somebody was first, as it does when one that got no
    /// answer is sent again.
    pub loses_answers: AtomicUsize,
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
            is_behind: AtomicBool::default(),
            loses_answers: AtomicUsize::default(),
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
        match take_one(&self.forbids) {
            true => Err(ClusterError::Forbidden("RBAC: clusterrole \"x\" not found".into())),
            false => Ok(()),
        }
    }

    fn write(&self, operation: &Operation, intent: Option<Intent>) -> Stored {
        let version = self.version.fetch_add(1, Ordering::SeqCst) + 1;
        let stored = Stored {
            operation: operation.clone(),
            intent,
            uid: format!("uid-{}", operation.id),
            resource_version: version.to_string(),
        };
        let _ = self.changes.send(stored.clone());
        stored
    }
}

/// Whether there is one left, which there is no more then.
fn take_one(left: &AtomicUsize) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}

#[async_trait]
impl OperationStore for FakeStore {
    async fn prepare(&self) -> Result<(), ClusterError> {
        Ok(())
    }

    async fn create(&self, operation: &Operation, intent: Option<&Intent>) -> Result<Stored, ClusterError> {
        tokio::task::yield_now().await;
        let stored = self.write(operation, intent.cloned());
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
            *found = self.write(&Operation { cancel, ..found.operation.clone() }, of.intent.clone());
        }
        if found.resource_version != of.resource_version {
            return Err(ClusterError::Conflict("scripted".into()));
        }
        *found = self.write(next, of.intent.clone());
        if take_one(&self.loses_answers) {
            return Err(ClusterError::Conflict("scripted".into()));
        }
        Ok(found.clone())
    }

    async fn get(&self, id: &OperationId) -> Result<Stored, ClusterError> {
        self.answer()?;
        let found = self.records.lock().unwrap().get(id).cloned();
        found.ok_or(ClusterError::NotFound(id.to_string()))
    }

    async fn with_key(&self, digest: &str) -> Result<Vec<Stored>, ClusterError> {
        tokio::task::yield_now().await;
        if self.is_behind.load(Ordering::SeqCst) {
            return Ok(Vec::new());
        }
        let records = self.records.lock().unwrap();
        let is_it = |stored: &&Stored| stored.intent.as_ref().is_some_and(|intent| intent.key == digest);
        Ok(records.values().filter(is_it).cloned().collect())
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
