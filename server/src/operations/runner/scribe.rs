//! Keeps the end of the log in the cluster while helm speaks, for servers on other machines and for later.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::operations::{Log, OperationStore, Stored};

/// How often a log that has grown is written.
const EVERY: Duration = Duration::from_secs(3);

/// Writes a log to the cluster until it is told to stop.
pub(super) struct Scribe {
    task: JoinHandle<()>,
    enough: CancellationToken,
}

impl Scribe {
    /// Starts to keep `log` for the operation `of`.
    pub fn start(store: Arc<dyn OperationStore>, of: Stored, log: Log) -> Self {
        let enough = CancellationToken::new();
        let task = tokio::spawn(keep(store, of, log, enough.clone()));
        Self { task, enough }
    }

    /// Writes what is not written yet, and stops.
    pub async fn stop(self) {
        self.enough.cancel();
        let _ = self.task.await;
    }
}

async fn keep(store: Arc<dyn OperationStore>, of: Stored, log: Log, enough: CancellationToken) {
    let mut kept = 0;
    loop {
        let is_last = enough.is_cancelled();
        let written = log.written();
        if written != kept {
            match store.put_log(&of, &log.end()).await {
                Ok(()) => kept = written,
                Err(error) => tracing::warn!(%error, "the log could not be kept"),
            }
        }
        if is_last {
            return;
        }
        tokio::select! {
            () = enough.cancelled() => {}
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}
