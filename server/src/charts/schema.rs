//! What a chart's schema and its `values.yaml` say of its values: the form, and what is wrong with what a user gives. All
//! of it is pure; it takes processor time, and a stack of its own, for charts are untrusted.

mod check;
mod document;
mod effort;
mod facts;
mod form;
mod json;
mod layers;
mod scalar;
mod words;
mod yaml;

use std::sync::Arc;
use std::time::Duration;

use app::model::{ApiError, Form, ValuesCheck};
use tokio::sync::{Semaphore, oneshot};

use super::archive::ChartFiles;
use crate::operations::VALUES_MAX;

/// How many forms are made and values checked at a time; who asks while so many are is served in turn.
const AT_A_TIME: usize = 2;
/// How long one may take.
const WITHIN: Duration = Duration::from_secs(10);
/// Deep schemas go deep into the stack.
const STACK: usize = 64 * 1024 * 1024;

/// Makes forms and checks values, off the threads that answer.
pub struct Schemas {
    turns: Arc<Semaphore>,
}

impl Default for Schemas {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_A_TIME)) }
    }
}

impl Schemas {
    /// The form of a chart's values.
    ///
    /// # Errors
    /// When it takes too long.
    pub async fn form(&self, files: Arc<ChartFiles>) -> Result<Form, ApiError> {
        self.work(move || form::of(&files.chart)).await
    }

    /// What is wrong with `values` over `base` over the chart's own.
    ///
    /// # Errors
    /// When they are too large, or it takes too long.
    pub async fn check(
        &self,
        files: Arc<ChartFiles>,
        values: String,
        base: String,
    ) -> Result<ValuesCheck, ApiError> {
        if values.len() > VALUES_MAX || base.len() > VALUES_MAX {
            let message = format!("The values have at most {} KiB.", VALUES_MAX / 1024);
            return Err(ApiError::TooLarge { message });
        }
        self.work(move || check::check(&files.chart, &values, &base)).await
    }

    async fn work<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let unavailable = |message: &str| ApiError::Unavailable { message: message.into() };
        let late = || unavailable("The chart’s schema takes too long to read.");
        let turn = tokio::time::timeout(WITHIN, self.turns.clone().acquire_owned());
        let turn = turn.await.map_err(|_| late())?.map_err(|_| late())?;
        let (done, result) = oneshot::channel();
        let thread = std::thread::Builder::new().name("schema".into()).stack_size(STACK);
        let started = thread.spawn(move || {
            // Nobody may wait for it any more.
            let _ = done.send(job());
            // One that takes too long keeps its turn until it ends.
            drop(turn);
        });
        started.map_err(|_| unavailable("Slipway has no thread left to read the chart’s schema."))?;
        match tokio::time::timeout(WITHIN, result).await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(_)) => Err(unavailable("The chart’s schema cannot be read.")),
            Err(_) => Err(late()),
        }
    }
}
