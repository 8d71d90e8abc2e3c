//! helm's records in memory.

use std::sync::Mutex;

use app::model::failure::CustomKind;
use app::model::{RecordStatus, ReleaseKey, Timestamp};
use async_trait::async_trait;

use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;
use crate::operations::Records;

/// helm's records in memory.
#[derive(Default)]
pub(crate) struct FakeRecords {
    records: Mutex<Vec<RecordMeta>>,
    told: Mutex<Option<String>>,
}

impl FakeRecords {
    /// From now on these are the release's, the newest first.
    pub(crate) fn are(&self, records: Vec<RecordMeta>) {
        *self.records.lock().unwrap() = records;
    }

    /// From now on helm has written this about each.
    pub(crate) fn tell(&self, text: &str) {
        *self.told.lock().unwrap() = Some(text.to_owned());
    }
}

#[async_trait]
impl Records for FakeRecords {
    async fn revisions(&self, _: &ReleaseKey) -> Result<Vec<RecordMeta>, ClusterError> {
        Ok(self.records.lock().unwrap().clone())
    }

    async fn description(&self, _: &ReleaseKey, _: u32) -> Result<Option<String>, ClusterError> {
        let told = self.told.lock().unwrap().clone();
        Ok(told.or(Some("Release \"web\" failed: Service \"a\" is invalid".into())))
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
