//! What is known of every release's records: a synchronous state machine, fed with the steps of the watches and with
//! decoded summaries.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;

use app::model::{Detail, RecordStatus, ReleaseKey, ReleaseRecord};

use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;
use crate::kube::watch::Change;

/// What one watch covers: a namespace, or all of them.
pub type Source = Option<String>;

/// The records of every release, by revision.
#[derive(Debug, Default)]
pub struct Index {
    releases: BTreeMap<ReleaseKey, Release>,
    /// What the lists that are under way have told so far.
    lists: HashMap<Source, HashSet<(ReleaseKey, u32)>>,
}

#[derive(Debug, Default)]
struct Release {
    revisions: BTreeMap<u32, RecordMeta>,
    read: Option<Read>,
}

/// A record that was read, decoded or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The Secret's identity.
    pub uid: String,
    /// The Secret's version.
    pub resource_version: String,
    /// What came of it.
    pub detail: Detail,
}

impl Index {
    /// Takes one step of the watch `source`; tells the releases that it touched.
    pub fn apply(&mut self, source: &Source, change: Change<RecordMeta>) -> BTreeSet<ReleaseKey> {
        match change {
            Change::Restarted => {
                self.lists.insert(source.clone(), HashSet::new());
                BTreeSet::new()
            }
            Change::Listed(record) => {
                if let Some(list) = self.lists.get_mut(source) {
                    list.insert((record.key.clone(), record.revision));
                }
                self.write(record)
            }
            Change::Complete => {
                let list = self.lists.remove(source).unwrap_or_default();
                self.retain(source, |record| list.contains(&(record.key.clone(), record.revision)))
            }
            Change::Written(record) => self.write(record),
            Change::Removed(record) => self.remove(&record),
            // A right that was taken away takes what it showed along. Any other failure leaves what is known.
            Change::Failed(ClusterError::Forbidden(_)) => self.forget(source),
            Change::Failed(_) => BTreeSet::new(),
        }
    }

    /// Forgets all that the watch `source` covers.
    pub fn forget(&mut self, source: &Source) -> BTreeSet<ReleaseKey> {
        self.lists.remove(source);
        self.retain(source, |_| false)
    }

    /// The record with the highest revision; that alone says what the release is.
    pub fn latest(&self, key: &ReleaseKey) -> Option<&RecordMeta> {
        self.releases.get(key)?.revisions.last_key_value().map(|(_, record)| record)
    }

    /// The highest revision below the latest one that helm calls deployed.
    pub fn deployed_before(&self, key: &ReleaseKey) -> Option<u32> {
        let mut older = self.releases.get(key)?.revisions.values().rev().skip(1);
        older.find(|record| record.status == RecordStatus::Deployed).map(|record| record.revision)
    }

    /// The latest record as the views show it. While a newer writing of the same record is being read, the older one's
    /// summary stays: the chart is the same, and a row that blinks helps nobody.
    pub fn record(&self, key: &ReleaseKey) -> Option<ReleaseRecord> {
        let meta = self.latest(key)?;
        let read = self.releases.get(key)?.read.as_ref().filter(|read| read.uid == meta.uid);
        Some(ReleaseRecord {
            revision: meta.revision,
            status: meta.status,
            created: meta.created,
            changed: meta.changed,
            operation: meta.operation.clone(),
            detail: read.map_or(Detail::Loading, |read| read.detail.clone()),
        })
    }

    /// The latest record, if this writing of it has not been read yet.
    pub fn unread(&self, key: &ReleaseKey) -> Option<&RecordMeta> {
        let meta = self.latest(key)?;
        let read = self.releases.get(key)?.read.as_ref();
        let known = read.is_some_and(|it| it.uid == meta.uid && it.resource_version == meta.resource_version);
        (!known).then_some(meta)
    }

    /// Remembers what was read of `key`'s latest record; nothing if another record has taken its place meanwhile.
    pub fn learn(&mut self, key: &ReleaseKey, read: Read) {
        if self.latest(key).is_some_and(|meta| meta.uid == read.uid)
            && let Some(release) = self.releases.get_mut(key)
        {
            release.read = Some(read);
        }
    }

    /// Every release of `namespace`, or of all.
    pub fn keys(&self, namespace: Option<&str>) -> impl Iterator<Item = &ReleaseKey> {
        within(&self.releases, namespace).map(|(key, _)| key)
    }

    fn write(&mut self, record: RecordMeta) -> BTreeSet<ReleaseKey> {
        let key = record.key.clone();
        self.releases.entry(key.clone()).or_default().revisions.insert(record.revision, record);
        BTreeSet::from([key])
    }

    /// Removes a record, but not one that was made anew under the same name.
    fn remove(&mut self, gone: &RecordMeta) -> BTreeSet<ReleaseKey> {
        let Some(release) = self.releases.get_mut(&gone.key) else { return BTreeSet::new() };
        if release.revisions.get(&gone.revision).is_some_and(|known| known.uid == gone.uid) {
            release.revisions.remove(&gone.revision);
        }
        if release.revisions.is_empty() {
            self.releases.remove(&gone.key);
        }
        BTreeSet::from([gone.key.clone()])
    }

    /// Keeps of what `source` covers only what `keep` says.
    fn retain(&mut self, source: &Source, keep: impl Fn(&RecordMeta) -> bool) -> BTreeSet<ReleaseKey> {
        let gone: Vec<RecordMeta> = within(&self.releases, source.as_deref())
            .flat_map(|(_, release)| release.revisions.values())
            .filter(|record| !keep(record))
            .cloned()
            .collect();
        gone.iter().flat_map(|record| self.remove(record)).collect()
    }
}

/// The entries of `namespace`, or all. A map by release keeps each namespace together.
pub fn within<'a, T>(
    map: &'a BTreeMap<ReleaseKey, T>,
    namespace: Option<&str>,
) -> impl Iterator<Item = (&'a ReleaseKey, &'a T)> + use<'a, T> {
    let start = match namespace {
        Some(namespace) => Bound::Included(ReleaseKey::new(namespace, "")),
        None => Bound::Unbounded,
    };
    let namespace = namespace.map(str::to_owned);
    map.range((start, Bound::Unbounded))
        .take_while(move |(key, _)| namespace.as_ref().is_none_or(|namespace| key.namespace == *namespace))
}

#[cfg(test)]
mod tests;
