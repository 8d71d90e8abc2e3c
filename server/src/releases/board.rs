//! The list as it stands: every release's row, kept up to date by what touches it. Synchronous; fed by [`super::following`].

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use app::model::{Detail, Operation, Phase, ReleaseKey, ReleaseRow, Timestamp};

use super::index::{Index, Read, Source, within};
use super::rows::row;
use super::sources::{Scope, Sources};
use crate::kube::records::RecordMeta;
use crate::kube::watch::Change;

/// Everything that the list shows.
pub struct Board {
    /// What the records tell.
    pub index: Index,
    /// How the watches are doing.
    pub sources: Sources,
    operations: HashMap<ReleaseKey, Arc<Operation>>,
    rows: BTreeMap<ReleaseKey, Stamped>,
    last_stamp: u64,
    unread: Unread,
}

/// A row, and when it last changed, counted in changes of rows.
struct Stamped {
    row: ReleaseRow,
    stamp: u64,
}

/// The releases whose latest record is to be read.
#[derive(Default)]
struct Unread {
    /// Somebody is looking at these.
    asked: BTreeSet<ReleaseKey>,
    rest: BTreeSet<ReleaseKey>,
}

impl Board {
    /// An empty board.
    pub fn new(scope: Scope) -> Self {
        Self {
            index: Index::default(),
            sources: Sources::new(scope),
            operations: HashMap::new(),
            rows: BTreeMap::new(),
            last_stamp: 0,
            unread: Unread::default(),
        }
    }

    /// Takes a step of the watch `source`; tells whether anything that is shown may have changed.
    pub fn apply(&mut self, source: &Source, change: Change<RecordMeta>, now: Timestamp) -> bool {
        // A watch of one namespace may say its last word when all at once are followed again.
        if !self.sources.is_known(source) {
            return false;
        }
        // While a list comes in, its rows are not worth a word each.
        let silent = matches!(change, Change::Restarted | Change::Listed(_));
        let news = self.sources.apply(source, &change);
        let touched = self.index.apply(source, change);
        for key in &touched {
            if self.index.unread(key).is_some() {
                self.unread.rest.insert(key.clone());
            }
            self.refresh(key, now);
        }
        !silent && (news || !touched.is_empty())
    }

    /// Takes what was read of a record.
    pub fn learn(&mut self, key: &ReleaseKey, read: Read, now: Timestamp) {
        self.index.learn(key, read);
        if self.index.unread(key).is_some() {
            self.unread.rest.insert(key.clone());
        }
        self.refresh(key, now);
    }

    /// Takes the newest operation of every release; tells whether any row changed.
    pub fn set_operations(&mut self, operations: Vec<Arc<Operation>>, now: Timestamp) -> bool {
        let operations =
            operations.into_iter().map(|operation| (operation.release.clone(), operation)).collect();
        let before = std::mem::replace(&mut self.operations, operations);
        let is_known = |key: &ReleaseKey| match (before.get(key), self.operations.get(key)) {
            (Some(before), Some(now)) => Arc::ptr_eq(before, now) || before == now,
            (before, now) => before.is_none() && now.is_none(),
        };
        let touched: BTreeSet<ReleaseKey> =
            before.keys().chain(self.operations.keys()).filter(|key| !is_known(key)).cloned().collect();
        self.refresh_all(touched, now)
    }

    /// Lets time pass: some phases depend on it. Tells whether any row changed.
    pub fn tick(&mut self, now: Timestamp) -> bool {
        let pending =
            self.rows.iter().filter(|(_, it)| it.row.status.is_some_and(|status| status.is_pending()));
        let touched: BTreeSet<ReleaseKey> =
            pending.map(|(key, _)| key).chain(self.operations.keys()).cloned().collect();
        self.refresh_all(touched, now)
    }

    /// The next record to read: first one that somebody is looking at.
    pub fn next_unread(&mut self) -> Option<RecordMeta> {
        loop {
            let key = self.unread.asked.pop_first().or_else(|| self.unread.rest.pop_first())?;
            if let Some(record) = self.index.unread(&key) {
                return Some(record.clone());
            }
        }
    }

    /// Puts a record back that could not be read just now.
    pub fn put_back(&mut self, key: &ReleaseKey) {
        if self.index.unread(key).is_some() {
            self.unread.rest.insert(key.clone());
        }
    }

    /// Has the records of what somebody looks at read first: a release, or the rows of a list.
    pub fn ask<'a>(&mut self, keys: impl IntoIterator<Item = &'a ReleaseKey>) {
        for key in keys {
            if self.index.unread(key).is_some() {
                self.unread.asked.insert(key.clone());
            }
        }
    }

    /// Which releases of `namespace` (or of all) that lie in the `allowed` namespaces (or in any) are not read yet.
    pub fn loading(&self, namespace: Option<&str>, allowed: Option<&BTreeSet<String>>) -> Vec<ReleaseKey> {
        self.visible(namespace, allowed)
            .filter(|(_, it)| it.row.revision.is_some() && it.row.detail == Detail::Loading)
            .map(|(key, _)| key.clone())
            .collect()
    }

    /// The rows of `namespace` (or of all) that lie in the `allowed` namespaces (or in any), by namespace and name.
    pub fn rows(&self, namespace: Option<&str>, allowed: Option<&BTreeSet<String>>) -> Vec<ReleaseRow> {
        self.visible(namespace, allowed).map(|(_, it)| it.row.clone()).collect()
    }

    /// The phase that the row of `key` shows.
    pub fn phase(&self, key: &ReleaseKey) -> Option<Phase> {
        self.rows.get(key).map(|it| it.row.phase.clone())
    }

    /// A number that is another one whenever [`Board::rows`] or the warnings are.
    pub fn fingerprint(&self, namespace: Option<&str>, allowed: Option<&BTreeSet<String>>) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (key, it) in self.visible(namespace, allowed) {
            (key, it.stamp).hash(&mut hasher);
        }
        self.sources.warnings(namespace).hash(&mut hasher);
        hasher.finish()
    }

    /// The namespaces that have a row.
    pub fn namespaces(&self) -> BTreeSet<String> {
        self.rows.keys().map(|key| key.namespace.clone()).collect()
    }

    fn visible<'a>(
        &'a self,
        namespace: Option<&'a str>,
        allowed: Option<&'a BTreeSet<String>>,
    ) -> impl Iterator<Item = (&'a ReleaseKey, &'a Stamped)> {
        within(&self.rows, namespace)
            .filter(move |(key, _)| allowed.is_none_or(|allowed| allowed.contains(&key.namespace)))
    }

    fn refresh_all(&mut self, keys: BTreeSet<ReleaseKey>, now: Timestamp) -> bool {
        let changed = keys.iter().filter(|key| self.refresh(key, now)).count();
        changed > 0
    }

    /// Makes the row of `key` anew; tells whether it is another one.
    fn refresh(&mut self, key: &ReleaseKey, now: Timestamp) -> bool {
        let operation = self.operations.get(key).map(Arc::as_ref);
        let row = row(key, operation, self.index.record(key).as_ref(), now);
        if row.as_ref() == self.rows.get(key).map(|it| &it.row) {
            return false;
        }
        self.last_stamp += 1;
        match row {
            Some(row) => self.rows.insert(key.clone(), Stamped { row, stamp: self.last_stamp }),
            None => self.rows.remove(key),
        };
        true
    }
}

#[cfg(test)]
mod tests;
