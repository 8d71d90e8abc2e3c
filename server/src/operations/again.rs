//! Doing again what did not succeed, with what it was submitted with.

use app::model::{Accepted, ApiError, OperationId, OperationState, SubmitOperation};

use super::Operations;
use crate::kube::ClusterError;

impl Operations {
    /// Submits an ended operation anew for `caller`, over what it left behind.
    ///
    /// # Errors
    /// [`ApiError::Conflict`] when it succeeded, is not over, is not the last one on its release, or what it was submitted
    /// with is not kept any more; else as [`Operations::submit`] has it.
    pub async fn again(&self, caller: &str, id: &OperationId) -> Result<Accepted, ApiError> {
        let before = self.get(id).await?;
        let conflict =
            |message: &str| ApiError::Conflict { message: message.to_owned(), operation: Some(id.clone()) };
        if !before.state.is_terminal() || before.state == OperationState::Succeeded {
            return Err(conflict("Only an operation that has ended without success can be run again."));
        }
        if self.latest(&before.release).is_some_and(|latest| latest.id > *id) {
            return Err(conflict("Something else was done with the release since; look at it first."));
        }
        let input = self.store.input(id).await.map_err(|error| match error {
            ClusterError::NotFound(_) => {
                conflict("What it was submitted with is not kept any more; submit it anew.")
            }
            error => error.into(),
        })?;
        let mut options = before.options.clone();
        options.take_over = before.kind.takes_chart() && !options.dry_run;
        // What it left behind is above the revision that was looked at; whether anything else is, is seen to below.
        options.expected_revision = None;
        let sourced = input.sourced();
        let request = SubmitOperation {
            kind: before.kind,
            namespace: before.release.namespace.clone(),
            name: before.release.name.clone(),
            chart: before.chart.clone(),
            values: input.values,
            options,
            // Pressed twice, it is run once.
            idempotency_key: Some(format!("again-{id}")),
        };
        self.accept(caller, request, sourced, Some(id.clone())).await
    }
}
