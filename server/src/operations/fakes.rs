//! Scripted stand-ins for the cluster, helm and processes: one file a port.

mod helm;
mod launcher;
mod leases;
mod records;
mod store;
mod witness;

use std::sync::Arc;

use app::model::{
    Attempt, Operation, OperationId, OperationKind, OperationOptions, OperationState, Outcome, RecordStatus,
    ReleaseKey, Timestamp,
};

pub(crate) use helm::{FakeHelm, Script};
pub(crate) use launcher::FakeLauncher;
pub(crate) use leases::FakeLeases;
pub(crate) use records::FakeRecords;
pub(crate) use store::FakeStore;
pub(crate) use witness::FakeWitness;

use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;
use crate::operations::Hold;

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

/// The room on scripted parts.
pub(crate) struct Room {
    pub store: Arc<FakeStore>,
    pub leases: Arc<FakeLeases>,
    pub records: Arc<FakeRecords>,
    pub launcher: Arc<FakeLauncher>,
    pub operations: Arc<super::Operations>,
}

impl Room {
    /// A room of the user `ann` whose watch is followed.
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
        operations.act_as("ann");
        let operations = Arc::new(set(operations));
        let follower = operations.clone();
        tokio::spawn(async move { follower.follow().await });
        Self { store, leases, records, launcher, operations }
    }
}
