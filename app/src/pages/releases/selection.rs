//! The releases that are chosen for something to be done with all of them.

use std::sync::Arc;

use super::filter::row_of;
use super::order::unique;
use crate::model::{ReleaseKey, ReleaseRow};
use crate::signals::Slot;

/// The chosen releases, in the order of their keys. They stay chosen whatever the list shows of them, for as long as they are
/// there.
#[derive(Clone, Copy)]
pub struct Selection(Slot<Chosen>);

#[derive(Clone, Default)]
struct Chosen {
    keys: Arc<Vec<ReleaseKey>>,
    /// Where a range begins that is chosen with the Shift key.
    anchor: Option<ReleaseKey>,
}

impl Selection {
    /// None.
    pub fn new() -> Self {
        Self(Slot::new())
    }

    /// The chosen ones; they are followed.
    pub fn keys(self) -> Arc<Vec<ReleaseKey>> {
        self.0.with(|chosen| chosen.map(|it| Arc::clone(&it.keys))).unwrap_or_default()
    }

    /// Whether a release is chosen; it is followed.
    pub fn has(self, key: &ReleaseKey) -> bool {
        self.keys().binary_search(key).is_ok()
    }

    fn now(self) -> Chosen {
        self.0.get_untracked().unwrap_or_default()
    }

    /// Chooses releases, or leaves them.
    pub fn set(self, those: &[ReleaseKey], on: bool) {
        let chosen = self.now();
        let mut keys: Vec<ReleaseKey> = chosen.keys.to_vec();
        if on {
            keys.extend_from_slice(those);
            keys = unique(keys);
        } else {
            let those = unique(those.to_vec());
            keys.retain(|key| those.binary_search(key).is_err());
        }
        self.0.set(Some(Chosen { keys: Arc::new(keys), ..chosen }));
    }

    /// Chooses one in the list, or leaves it; with it all from the last one that was, if they are `ranged`.
    pub fn choose(self, key: &ReleaseKey, on: bool, ranged: bool, listed: &[ReleaseKey]) {
        let place = |key: &ReleaseKey| listed.iter().position(|one| one == key);
        let anchor = self.now().anchor.filter(|_| ranged);
        let range = anchor.and_then(|anchor| {
            let (from, to) = (place(&anchor)?, place(key)?);
            listed.get(from.min(to)..=from.max(to))
        });
        self.set(range.unwrap_or(std::slice::from_ref(key)), on);
        self.0.set(Some(Chosen { anchor: Some(key.clone()), ..self.now() }));
    }

    /// Leaves all of them.
    pub fn clear(self) {
        self.0.set(None);
    }

    /// Leaves those that are not there any more.
    pub fn keep(self, there: &[ReleaseRow]) {
        let is_gone = |key: &&ReleaseKey| row_of(there, key).is_none();
        let gone: Vec<ReleaseKey> = self.now().keys.iter().filter(is_gone).cloned().collect();
        if !gone.is_empty() {
            self.set(&gone, false);
        }
    }
}
