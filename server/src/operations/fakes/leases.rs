//! Leases in memory.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use app::model::ReleaseKey;
use async_trait::async_trait;

use super::unreachable;
use crate::kube::ClusterError;
use crate::operations::{Hold, Leases};

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
