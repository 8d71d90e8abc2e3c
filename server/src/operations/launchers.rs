//! Which launcher starts the runner of an operation.

use std::sync::Arc;

use app::model::{ApiError, OperationId, OperationOptions, RunnerKind};

use super::Launcher;
use crate::kube::ClusterError;

/// The launchers that this server has.
pub(super) struct Launchers {
    processes: Arc<dyn Launcher>,
    jobs: Option<Arc<dyn Launcher>>,
    /// What carries out an operation that does not say.
    chosen: RunnerKind,
}

impl Launchers {
    pub fn processes(processes: Arc<dyn Launcher>) -> Self {
        Self { processes, jobs: None, chosen: RunnerKind::Process }
    }

    pub fn with_jobs(self, jobs: Arc<dyn Launcher>, chosen: RunnerKind) -> Self {
        Self { jobs: Some(jobs), chosen, ..self }
    }

    /// What is to carry out an operation with `options`. It is recorded, for servers need not agree on what they choose.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] when this server cannot do what is asked for.
    pub fn choose(&self, options: &OperationOptions) -> Result<RunnerKind, ApiError> {
        match options.runner.unwrap_or(self.chosen) {
            RunnerKind::Job if self.jobs.is_none() => Err(ApiError::invalid(
                "options.runner",
                "This server launches no Jobs: it was started without the image that they need (--runner-image).",
            )),
            kind => Ok(kind),
        }
    }

    /// The launcher for an operation with `options`.
    ///
    /// # Errors
    /// In words, when this server has none.
    pub fn of(&self, options: &OperationOptions) -> Result<&dyn Launcher, String> {
        match (options.runner, &self.jobs) {
            (Some(RunnerKind::Job), Some(jobs)) => Ok(&**jobs),
            (Some(RunnerKind::Job), None) => {
                Err("it is to run as a Job, and this server launches none".into())
            }
            (Some(RunnerKind::Process) | None, _) => Ok(&*self.processes),
        }
    }

    /// What can be seen of the runner of the operation `id`, which no longer works.
    pub async fn last_words(&self, id: &OperationId, options: &OperationOptions) -> Option<String> {
        self.of(options).ok()?.last_words(id).await
    }

    /// The operations whose runner left a Job behind, or is still there.
    pub async fn known(&self) -> Result<Vec<OperationId>, ClusterError> {
        match &self.jobs {
            Some(jobs) => jobs.known().await,
            None => Ok(Vec::new()),
        }
    }

    /// Clears away the Job of the operation `id`, which is over.
    pub async fn clear(&self, id: &OperationId) -> Result<(), ClusterError> {
        match &self.jobs {
            Some(jobs) => jobs.clear(id).await,
            None => Ok(()),
        }
    }
}
