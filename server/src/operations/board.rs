//! All operations, in memory: fed by the watch on their records, and by our own writes before the watch tells of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use app::model::{Operation, OperationId, ReleaseKey};
use tokio::sync::watch;

use super::Stored;
use crate::kube::watch::Change;

/// For how long an own write that a list does not have yet is believed.
const OWN_WRITE_BELIEVED: Duration = Duration::from_secs(15);

/// What is known of all operations.
pub struct Board {
    entries: Mutex<Entries>,
    version: watch::Sender<u64>,
    listed: watch::Sender<bool>,
}

#[derive(Default)]
struct Entries {
    operations: HashMap<OperationId, Entry>,
    /// Ids sort by time: the last one is the newest.
    by_release: HashMap<ReleaseKey, BTreeSet<OperationId>>,
    /// The list that is under way.
    listing: Vec<Stored>,
}

struct Entry {
    operation: Arc<Operation>,
    /// The digest of its idempotency key.
    key: Option<String>,
    resource_version: String,
    /// When we wrote it ourselves; none once the watch has told of it.
    own_write: Option<Instant>,
}

impl Default for Board {
    fn default() -> Self {
        Self { entries: Mutex::default(), version: watch::Sender::new(0), listed: watch::Sender::new(false) }
    }
}

impl Board {
    /// Takes in what the watch tells.
    pub fn apply(&self, change: Change<Stored>) {
        let mut entries = self.lock();
        let changed = match change {
            Change::Restarted => {
                entries.listing.clear();
                false
            }
            Change::Listed(stored) => {
                entries.listing.push(stored);
                false
            }
            Change::Complete => {
                let all = std::mem::take(&mut entries.listing);
                self.listed.send_replace(true);
                entries.replace_all(&all)
            }
            Change::Written(stored) => entries.put(&stored, None),
            Change::Removed(stored) => entries.remove(&stored.operation.id),
            Change::Failed(error) => {
                tracing::warn!(%error, "the watch on operations is interrupted");
                false
            }
        };
        drop(entries);
        self.tell(changed);
    }

    /// Whether the watch has told of all that there is.
    pub fn is_listed(&self) -> bool {
        *self.listed.borrow()
    }

    /// Waits until the watch has told of all that there is.
    pub async fn listed(&self) {
        // Fails only when the board is gone, and with it whoever asks.
        let _ = self.listed.subscribe().wait_for(|listed| *listed).await;
    }

    /// Takes in a record that we wrote, so that a page that is opened right after sees it.
    pub fn wrote(&self, stored: &Stored) {
        let changed = self.lock().put(stored, Some(Instant::now()));
        self.tell(changed);
    }

    /// Takes in that we deleted a record.
    pub fn deleted(&self, id: &OperationId) {
        let changed = self.lock().remove(id);
        self.tell(changed);
    }

    /// One operation.
    pub fn get(&self, id: &OperationId) -> Option<Arc<Operation>> {
        self.lock().operations.get(id).map(|entry| entry.operation.clone())
    }

    /// The newest operation on a release; dry runs do not count.
    pub fn latest(&self, release: &ReleaseKey) -> Option<Arc<Operation>> {
        let entries = self.lock();
        entries.newest(entries.by_release.get(release)?)
    }

    /// The newest operation of each release, dry runs aside; of one namespace, where named.
    pub fn all_latest(&self, namespace: Option<&str>) -> Vec<Arc<Operation>> {
        let entries = self.lock();
        let of = |release: &ReleaseKey| namespace.is_none_or(|namespace| release.namespace == namespace);
        let newest = entries.by_release.iter().filter(|(release, _)| of(release));
        newest.filter_map(|(_, ids)| entries.newest(ids)).collect()
    }

    /// The operations, the newest first; of one namespace, or of the releases of one name, where named.
    pub fn list(&self, namespace: Option<&str>, name: Option<&str>) -> Vec<Arc<Operation>> {
        let entries = self.lock();
        let mut found: Vec<_> = entries
            .operations
            .values()
            .map(|entry| &entry.operation)
            .filter(|operation| namespace.is_none_or(|namespace| operation.release.namespace == namespace))
            .filter(|operation| name.is_none_or(|name| operation.release.name == name))
            .cloned()
            .collect();
        found.sort_by(|a, b| b.id.cmp(&a.id));
        found
    }

    /// The operation on a release that was submitted with the key of this digest.
    pub fn with_key(&self, release: &ReleaseKey, digest: &str) -> Option<Arc<Operation>> {
        let entries = self.lock();
        let mut on_release =
            entries.by_release.get(release)?.iter().filter_map(|id| entries.operations.get(id));
        let found = on_release.find(|entry| entry.key.as_deref() == Some(digest))?;
        Some(found.operation.clone())
    }

    /// The highest id on a release.
    pub fn last_id(&self, release: &ReleaseKey) -> Option<OperationId> {
        self.lock().by_release.get(release)?.last().cloned()
    }

    /// The operations that are not over, the oldest first.
    pub fn active(&self) -> Vec<Arc<Operation>> {
        let entries = self.lock();
        let all = entries.operations.values().map(|entry| &entry.operation);
        let mut found: Vec<_> = all.filter(|operation| !operation.state.is_terminal()).cloned().collect();
        found.sort_by(|a, b| a.id.cmp(&b.id));
        found
    }

    /// The operation on a release that is not over, if there is one.
    pub fn active_on(&self, release: &ReleaseKey) -> Option<Arc<Operation>> {
        let entries = self.lock();
        let ids = entries.by_release.get(release)?;
        let all = ids.iter().rev().filter_map(|id| entries.operations.get(id));
        all.map(|entry| &entry.operation).find(|operation| !operation.state.is_terminal()).cloned()
    }

    /// Counts changes: whoever waits for one is woken.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Waits until an operation is known, for `patience` at most.
    pub async fn wait_for(&self, id: &OperationId, patience: Duration) -> Option<Arc<Operation>> {
        let mut changes = self.changes();
        let known = async {
            loop {
                if let Some(operation) = self.get(id) {
                    return Some(operation);
                }
                changes.changed().await.ok()?;
            }
        };
        tokio::time::timeout(patience, known).await.ok().flatten()
    }

    fn tell(&self, changed: bool) {
        self.version.send_if_modified(|version| {
            *version += u64::from(changed);
            changed
        });
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn newest(&self, ids: &BTreeSet<OperationId>) -> Option<Arc<Operation>> {
        let mut operations = ids.iter().rev().filter_map(|id| self.operations.get(id));
        operations.find(|entry| entry.operation.is_for_real()).map(|entry| entry.operation.clone())
    }

    fn put(&mut self, stored: &Stored, own_write: Option<Instant>) -> bool {
        let id = &stored.operation.id;
        if let Some(known) = self.operations.get_mut(id) {
            if known.resource_version == stored.resource_version {
                known.own_write = known.own_write.and(own_write);
                return false;
            }
            if is_older(&stored.resource_version, &known.resource_version) {
                return false;
            }
        }
        let entry = Entry {
            operation: Arc::new(stored.operation.clone()),
            key: stored.intent.as_ref().map(|intent| intent.key.clone()),
            resource_version: stored.resource_version.clone(),
            own_write,
        };
        self.operations.insert(id.clone(), entry);
        self.by_release.entry(stored.operation.release.clone()).or_default().insert(id.clone());
        true
    }

    fn remove(&mut self, id: &OperationId) -> bool {
        let Some(entry) = self.operations.remove(id) else { return false };
        if let Some(ids) = self.by_release.get_mut(&entry.operation.release) {
            ids.remove(id);
            if ids.is_empty() {
                self.by_release.remove(&entry.operation.release);
            }
        }
        true
    }

    fn replace_all(&mut self, all: &[Stored]) -> bool {
        let listed: BTreeSet<&OperationId> = all.iter().map(|stored| &stored.operation.id).collect();
        let gone: Vec<OperationId> = self
            .operations
            .iter()
            .filter(|(id, entry)| {
                // A list can be a moment older than what we wrote.
                let is_new = entry.own_write.is_some_and(|at| at.elapsed() < OWN_WRITE_BELIEVED);
                !listed.contains(id) && !is_new
            })
            .map(|(id, _)| id.clone())
            .collect();
        let mut changed = false;
        for id in &gone {
            changed |= self.remove(id);
        }
        for stored in all {
            changed |= self.put(stored, None);
        }
        changed
    }
}

/// Whether version `a` is before version `b`. Versions of one resource are numbers that grow (Kubernetes 1.35's API
/// conventions); any that is not is taken for news.
fn is_older(a: &str, b: &str) -> bool {
    matches!((a.parse::<u128>(), b.parse::<u128>()), (Ok(a), Ok(b)) if a < b)
}

#[cfg(test)]
mod tests {
    use app::model::OperationState::{self, Queued, Running, Succeeded};

    use super::*;
    use crate::operations::fakes::operation;

    fn stored(id: &str, state: OperationState, version: u32) -> Stored {
        Stored {
            operation: operation(id, state),
            intent: None,
            uid: format!("uid-{id}"),
            resource_version: version.to_string(),
        }
    }

    fn list(board: &Board, all: Vec<Stored>) {
        board.apply(Change::Restarted);
        all.into_iter().for_each(|stored| board.apply(Change::Listed(stored)));
        board.apply(Change::Complete);
    }

    fn state(board: &Board, id: &str) -> Option<OperationState> {
        board.get(&OperationId(id.into())).map(|operation| operation.state)
    }

    #[test]
    fn an_own_write_is_seen_at_once_and_survives_an_older_list_and_an_older_event() {
        let board = Board::default();
        board.wrote(&stored("a", Running, 7));
        list(&board, vec![]);
        board.apply(Change::Written(stored("a", Queued, 6)));
        assert_eq!(state(&board, "a"), Some(Running));
    }

    #[test]
    fn what_the_watch_has_told_of_goes_with_the_list() {
        let board = Board::default();
        board.wrote(&stored("a", Running, 7));
        board.apply(Change::Written(stored("a", Running, 7)));
        list(&board, vec![stored("b", Queued, 8)]);
        assert_eq!((state(&board, "a"), state(&board, "b")), (None, Some(Queued)));
    }

    #[test]
    fn the_newest_operation_of_each_release_is_told() {
        let board = Board::default();
        list(&board, vec![stored("b", Queued, 2), stored("a", Succeeded, 1)]);
        let release = operation("a", Queued).release;
        assert_eq!(board.latest(&release).unwrap().id.0, "b");
        assert_eq!(board.all_latest(None).len(), 1);
        assert_eq!(board.all_latest(Some("elsewhere")).len(), 0);
        let ids: Vec<_> = board.list(None, None).iter().map(|operation| operation.id.0.clone()).collect();
        assert_eq!(ids, ["b", "a"]);
        board.apply(Change::Removed(stored("b", Queued, 2)));
        assert_eq!(board.latest(&release).unwrap().id.0, "a");
    }

    #[tokio::test]
    async fn a_change_wakes_whoever_waits_and_a_repetition_does_not() {
        let board = Board::default();
        let mut changes = board.changes();
        board.apply(Change::Written(stored("a", Queued, 1)));
        changes.changed().await.unwrap();
        board.apply(Change::Written(stored("a", Queued, 1)));
        assert!(!changes.has_changed().unwrap());
        let waited = board.wait_for(&OperationId("a".into()), Duration::from_secs(1)).await;
        assert!(waited.is_some());
    }
}
