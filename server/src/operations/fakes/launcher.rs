//! A launcher that remembers what was launched.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use app::model::{Operation, OperationId};
use async_trait::async_trait;

use crate::kube::ClusterError;
use crate::operations::{Launch, Launcher};

/// Remembers what was launched.
#[derive(Default)]
pub(crate) struct FakeLauncher {
    /// The operations, in order.
    pub launched: Mutex<Vec<OperationId>>,
    /// No process can be made.
    pub is_broken: AtomicBool,
    /// What comes of launching a runner, other than its start.
    pub finds: Mutex<Option<Launch>>,
    /// What can be seen of a runner that is gone.
    pub last_words: Mutex<Option<String>>,
    /// Operations whose runner left something behind.
    pub left: Mutex<Vec<OperationId>>,
}

impl FakeLauncher {
    pub(crate) fn count(&self) -> usize {
        self.launched.lock().unwrap().len()
    }
}

#[async_trait]
impl Launcher for FakeLauncher {
    async fn launch(&self, operation: &Operation) -> Result<Launch, String> {
        if self.is_broken.load(Ordering::SeqCst) {
            return Err("scripted".into());
        }
        self.launched.lock().unwrap().push(operation.id.clone());
        Ok(self.finds.lock().unwrap().clone().unwrap_or(Launch::Started))
    }

    async fn last_words(&self, _: &OperationId) -> Option<String> {
        self.last_words.lock().unwrap().clone()
    }

    async fn known(&self) -> Result<Vec<OperationId>, ClusterError> {
        Ok(self.left.lock().unwrap().clone())
    }

    async fn clear(&self, id: &OperationId) -> Result<(), ClusterError> {
        self.left.lock().unwrap().retain(|left| left != id);
        Ok(())
    }
}
