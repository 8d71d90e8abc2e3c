//! Listens for the wish that the operation be cancelled, which somebody writes into its record.

use std::sync::Arc;

use app::model::OperationId;
use futures::StreamExt;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

use super::raise;
use crate::kube::watch::Change;
use crate::operations::{OperationStore, Stop};

/// Listens as long as it lives.
pub(super) struct Listener {
    wished: watch::Receiver<bool>,
    _task: AbortOnDropHandle<()>,
}

impl Listener {
    /// Listens for `id`; where helm `ends_cleanly`, the wish is handed on to it.
    pub fn start(
        store: Arc<dyn OperationStore>,
        id: OperationId,
        ends_cleanly: bool,
        stop: Arc<watch::Sender<Stop>>,
    ) -> Self {
        let (wish, wished) = watch::channel(false);
        let task = tokio::spawn(async move {
            let mut changes = store.watch_one(&id);
            while let Some(change) = changes.next().await {
                let (Change::Listed(stored) | Change::Written(stored)) = change else { continue };
                if stored.operation.cancel.is_some() {
                    wish.send_replace(true);
                    if ends_cleanly {
                        raise(&stop, Stop::Asked);
                    }
                    return;
                }
            }
        });
        Self { wished, _task: AbortOnDropHandle::new(task) }
    }

    /// Whether somebody wishes it.
    pub fn is_wished(&self) -> bool {
        *self.wished.borrow()
    }

    /// Returns when somebody wishes it.
    pub async fn wished(&self) {
        if self.wished.clone().wait_for(|wished| *wished).await.is_err() {
            std::future::pending().await
        }
    }
}
