//! The steps of an operation's work, each with what it needs of the cluster.

use std::path::Path;

use app::model::{Operation, OperationId, OperationKind, OperationState, ReleaseKey, Timestamp};
use tokio::sync::watch;

use super::patience::{insist, insist_on_theirs};
use super::{Ledger, Runner, RunnerError};
use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;
use crate::operations::{Ended, Input, Log, NotRun, Stop, Task, private, retry, settle};

/// What is said of an operation whose submission was cut short.
pub(super) const INPUT_LOST: &str = "what the operation was submitted with was not recorded completely";

impl Runner {
    /// What the operation was submitted with; none if it is not there.
    pub(super) async fn input(
        &self,
        id: &OperationId,
        stop: &watch::Sender<Stop>,
    ) -> Result<Option<Input>, RunnerError> {
        match insist(stop, || self.store.input(id)).await {
            Ok(input) => Ok(Some(input)),
            Err(ClusterError::NotFound(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn attempt(
        &self,
        operation: &Operation,
        input: &Input,
        work: &Path,
        log: &Log,
        stop: &watch::Sender<Stop>,
    ) -> Result<Ended, NotRun> {
        let in_words = |error: ClusterError| NotRun::Here(format!("helm's records cannot be had: {error}"));
        let folder = work.join("work");
        private::create_dir(&folder).map_err(|error| NotRun::Here(error.to_string()))?;
        let attempt = operation.attempts.len();
        if attempt > 1 {
            log.append(format!("\nAttempt {attempt} of {}\n", operation.max_attempts).as_bytes());
        }
        let release = &operation.release;
        let approach = if attempt > 1 || operation.options.take_over {
            let records =
                insist_on_theirs(stop, || self.records.revisions(release)).await.map_err(in_words)?;
            retry::approach(operation, &records)
        } else {
            retry::Approach::default()
        };
        let abandoned = match operation.kind {
            OperationKind::MarkFailed => operation.base_revision,
            _ => approach.mark_failed,
        };
        if let Some(revision) = abandoned {
            let description = if attempt > 1 && !operation.options.take_over {
                format!("Attempt {} ended before it could say so here", attempt - 1)
            } else {
                format!("Marked as failed by {}: nobody works on it", operation.requested_by)
            };
            self.mark_failed(release, revision, &description, stop).await.map_err(in_words)?;
            log.append(format!("Slipway marked revision {revision} as failed\n").as_bytes());
        }
        if operation.kind == OperationKind::MarkFailed {
            return Ok(Ended { code: Some(0), ..Ended::default() });
        }
        let task = Task {
            id: operation.id.clone(),
            kind: operation.kind,
            release: release.clone(),
            chart: input.chart.clone(),
            credentials: input.credentials.clone(),
            options: operation.options.clone(),
            values: input.values.clone(),
            replace: approach.replace,
        };
        self.helm.run(&task, &folder, log, stop.subscribe(), self.renewed.subscribe()).await
    }

    /// Since when the cluster has had the kinds that helm did not find.
    pub(super) async fn defined_since(&self, operation: &Operation) -> Option<Timestamp> {
        let kinds = retry::kinds_in_doubt(operation);
        if kinds.is_empty() {
            return None;
        }
        let since = self.records.defined_since(&kinds).await;
        since.map_err(|error| tracing::warn!(%error, "custom kinds cannot be looked for")).ok().flatten()
    }

    /// helm's records as they are now; none if they cannot be read.
    pub(super) async fn records(
        &self,
        operation: &Operation,
        stop: &watch::Sender<Stop>,
    ) -> Option<Vec<RecordMeta>> {
        let records = insist_on_theirs(stop, || self.records.revisions(&operation.release)).await;
        records.map_err(|error| tracing::warn!(%error, "helm's records cannot be read")).ok()
    }

    /// The rollback whose last attempt failed, if what is there now is somebody else's work ([`settle::overtaken`]): another
    /// attempt would undo it.
    pub(super) async fn overtaken(
        &self,
        operation: &Operation,
        records: Option<&[RecordMeta]>,
        stop: &watch::Sender<Stop>,
    ) -> Option<Operation> {
        let has_failed = operation.attempts.last().is_some_and(|attempt| attempt.failure.is_some());
        let records = records.filter(|_| has_failed && operation.kind == OperationKind::Rollback)?;
        let own = records.iter().find(|record| settle::is_own(operation, record))?;
        let describe = || self.records.description(&operation.release, own.revision);
        let told = insist_on_theirs(stop, describe).await.ok().flatten();
        settle::overtaken(operation, records, told.as_deref())
    }

    /// Marks a pending revision as failed, if the Lease is ours.
    pub(super) async fn mark_failed(
        &self,
        release: &ReleaseKey,
        revision: u32,
        description: &str,
        stop: &watch::Sender<Stop>,
    ) -> Result<(), ClusterError> {
        let mark = || async {
            if !self.may_go_on(stop) {
                return Err(ClusterError::Conflict("the release's Lease was lost".into()));
            }
            self.records.mark_failed(release, revision, description).await
        };
        insist_on_theirs(stop, mark).await
    }

    /// Writes how it ended.
    pub(super) async fn settle(
        &self,
        mut ledger: Ledger,
        mut operation: Operation,
        mut records: Option<Vec<RecordMeta>>,
        stop: &watch::Sender<Stop>,
    ) -> Result<OperationState, RunnerError> {
        // A wish may be newer than what we have read.
        ledger.read().await?;
        operation.cancel = ledger.operation().cancel.clone();
        if let Some(abandoned) = settle::killed_half_way(&operation, records.as_deref()) {
            // helm is dead, and the Lease is ours: nobody else can be at work on it.
            let description = "Cancelled; helm did not end in time and was killed";
            match self.mark_failed(&operation.release, abandoned, description, stop).await {
                Ok(()) => records = self.records(&operation, stop).await,
                Err(error) => tracing::warn!(%error, "the record of a killed helm cannot be mended"),
            }
        }
        let stopped = *stop.borrow() != Stop::No;
        let settled = settle::seen(&operation, records.as_deref(), stopped, self.clock.now());
        let (id, state) = (settled.id.clone(), settled.state);
        // What did not succeed may be done again with the same input.
        if state == OperationState::Succeeded || !settled.is_for_real() {
            self.forget_input(&id).await;
        }
        match ledger.write(settled).await {
            Err(RunnerError::NotQueued(state)) => Ok(state),
            other => other.map(|()| state),
        }
    }

    pub(super) async fn forget_input(&self, id: &OperationId) {
        if let Err(error) = self.store.delete_input(id).await {
            tracing::warn!(%error, "the operation's input is left behind; it goes with its record");
        }
    }
}
