//! What the views of releases need to know of operations.

use std::sync::Arc;

use app::model::notice::Host;
use app::model::{Operation, OperationId, ReleaseKey};

use crate::operations::Operations;
use crate::releases::OperationsFeed;

/// The operations, as the views need them.
pub struct Feed(pub Arc<Operations>);

impl OperationsFeed for Feed {
    fn latest(&self, key: &ReleaseKey) -> Option<Arc<Operation>> {
        self.0.latest(key)
    }

    fn all_latest(&self, namespace: Option<&str>) -> Vec<Arc<Operation>> {
        self.0.all_latest(namespace)
    }

    fn place(&self, id: &OperationId) -> Option<u32> {
        self.0.place(id)
    }

    fn host(&self, id: &OperationId) -> Option<Host> {
        self.0.host(id)
    }

    fn changes(&self) -> tokio::sync::watch::Receiver<u64> {
        self.0.changes()
    }

    fn find(&self, id: &OperationId) -> Option<Arc<Operation>> {
        self.0.find(id)
    }
}
