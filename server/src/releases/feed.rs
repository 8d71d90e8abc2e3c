//! What the views need to know of our operations.

use std::sync::Arc;

use app::model::notice::Host;
use app::model::{Operation, OperationId, ReleaseKey};
use tokio::sync::watch;

/// What the views need to know of our operations.
pub trait OperationsFeed: Send + Sync + 'static {
    /// The newest operation on a release.
    fn latest(&self, key: &ReleaseKey) -> Option<Arc<Operation>>;
    /// The newest operation of each release, in a namespace or in all.
    fn all_latest(&self, namespace: Option<&str>) -> Vec<Arc<Operation>>;
    /// The place of an operation in the queue, 1 for the next one; none when it does not wait. It changes only when an
    /// operation does.
    fn place(&self, _id: &OperationId) -> Option<u32> {
        None
    }
    /// Whose server must start a queued operation, where that is another one than this.
    fn host(&self, _id: &OperationId) -> Option<Host> {
        None
    }
    /// A counter that changes whenever any operation does.
    fn changes(&self) -> watch::Receiver<u64>;
    /// The operation `id`, where it is still known; for the history, which names who asked for a revision. An
    /// implementation that keeps only the newest of each release knows no older one.
    fn find(&self, id: &OperationId) -> Option<Arc<Operation>> {
        self.all_latest(None).into_iter().find(|operation| operation.id == *id)
    }
}
