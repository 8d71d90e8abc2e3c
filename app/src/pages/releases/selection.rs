//! The releases that are chosen for something to be done with all of them.

use leptos::prelude::*;

use super::filter::row_of;
use crate::model::{ReleaseKey, ReleaseRow};

/// The chosen releases. They stay chosen whatever the list shows of them, for as long as they are there.
#[derive(Clone, Copy)]
pub struct Selection {
    keys: RwSignal<Vec<ReleaseKey>>,
    /// Where a range begins that is chosen with the Shift key.
    anchor: StoredValue<Option<ReleaseKey>>,
}

impl Selection {
    /// None.
    pub fn new() -> Self {
        Self { keys: RwSignal::new(Vec::new()), anchor: StoredValue::new(None) }
    }

    /// Whether a release is chosen; it is followed.
    pub fn has(self, key: &ReleaseKey) -> bool {
        self.keys.with(|keys| keys.binary_search(key).is_ok())
    }

    /// How many are chosen; it is followed.
    pub fn count(self) -> usize {
        self.keys.with(Vec::len)
    }

    /// The chosen ones; they are followed.
    pub fn keys(self) -> Vec<ReleaseKey> {
        self.keys.get()
    }

    /// Chooses releases, or leaves them.
    pub fn set(self, those: &[ReleaseKey], on: bool) {
        let Some(mut all) = self.keys.try_get_untracked() else { return };
        if on {
            all.extend_from_slice(those);
            all.sort_unstable();
            all.dedup();
        } else {
            let mut those = those.to_vec();
            those.sort_unstable();
            all.retain(|key| those.binary_search(key).is_err());
        }
        self.keys.try_set(all);
    }

    /// Chooses one in the list, or leaves it; with it all from the last one that was, if they are `ranged`.
    pub fn choose(self, key: &ReleaseKey, on: bool, ranged: bool, listed: &[ReleaseKey]) {
        let place = |key: &ReleaseKey| listed.iter().position(|one| one == key);
        let range = self.anchor.with_value(|anchor| {
            let (from, to) = (place(anchor.as_ref()?)?, place(key)?);
            listed.get(from.min(to)..=from.max(to)).filter(|_| ranged)
        });
        self.set(range.unwrap_or(std::slice::from_ref(key)), on);
        self.anchor.set_value(Some(key.clone()));
    }

    /// Leaves all of them.
    pub fn clear(self) {
        self.keys.set(Vec::new());
    }

    /// Leaves those that are not there any more.
    pub fn keep(self, there: &[ReleaseRow]) {
        let is_gone = |key: &ReleaseKey| row_of(there, key).is_none();
        if self.keys.with_untracked(|keys| keys.iter().any(is_gone)) {
            self.keys.update(|keys| keys.retain(|key| !is_gone(key)));
        }
    }
}
