//! Which operations that are over are still kept: the newest of each release, for a while.

use std::collections::HashMap;
use std::sync::Arc;

use app::model::{Operation, OperationId, ReleaseKey, Timestamp};

use super::{Limits, Operations, private, runner};
use crate::clock::cluster;

impl Operations {
    /// Removes the operations that are kept no longer, with all that belongs to them.
    pub(super) async fn prune(&self) {
        for id in expired(&self.board.list(None, None), &self.limits, cluster::earliest()) {
            match self.store.delete(&id).await {
                Ok(()) => {
                    self.board.deleted(&id);
                    let _ = private::remove_dir(&runner::folder(&self.data_dir, &id));
                }
                Err(error) => tracing::warn!(operation = %id, %error, "an old operation cannot be removed"),
            }
        }
        self.sweep();
    }

    /// Removes what a runner that was killed left of the values, and in time the files of operations that are not known: another
    /// server may have removed the record. Or they are those of another cluster, whose server shares the folder.
    fn sweep(&self) {
        let Ok(entries) = std::fs::read_dir(runner::folders(&self.data_dir)) else { return };
        for entry in entries.filter_map(Result::ok) {
            let Some(id) = entry.file_name().to_str().map(|name| OperationId(name.to_owned())) else {
                continue;
            };
            let is_old = || {
                let changed = entry.metadata().and_then(|metadata| metadata.modified());
                changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|age| age > self.limits.kept_for))
            };
            let removed = match self.board.get(&id) {
                None if is_old() => private::remove_dir(&entry.path()),
                Some(operation) if operation.state.is_terminal() => {
                    private::remove_dir(&entry.path().join("work"))
                }
                _ => Ok(()),
            };
            if let Err(error) = removed {
                tracing::warn!(operation = %id, %error, "an operation's files are left behind");
            }
        }
    }
}

/// Those of `operations`, the newest first, that are kept no longer. An age in days need not care by how much clocks
/// differ.
fn expired(operations: &[Arc<Operation>], limits: &Limits, now: Timestamp) -> Vec<OperationId> {
    // Dry runs are counted apart, so that they push nothing out that changed the release.
    let mut newer: HashMap<(&ReleaseKey, bool), usize> = HashMap::new();
    let mut expired = Vec::new();
    for operation in operations {
        let Some(ended) = operation.ended() else { continue };
        let newer = newer.entry((&operation.release, operation.is_for_real())).or_default();
        *newer += 1;
        if *newer > limits.kept || u128::from(now.since(ended)) > limits.kept_for.as_millis() {
            expired.push(operation.id.clone());
        }
    }
    expired
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use OperationState::{Failed, Running, Succeeded};
    use app::model::{OperationState, Outcome};

    use super::*;
    use crate::operations::fakes::operation;

    /// An operation on a release that ended at a second, if it did.
    fn ended(id: &str, release: &str, state: OperationState, second: i64) -> Arc<Operation> {
        let mut operation = operation(id, state);
        operation.release.name = release.into();
        let at = Timestamp(second * 1000);
        operation.outcome = operation.outcome.map(|outcome| Outcome { ended: at, ..outcome });
        Arc::new(operation)
    }

    #[test]
    fn the_newest_of_each_release_are_kept_for_a_while() {
        let operations = [
            ended("g", "web", Running, 0),
            ended("f", "web", Failed, 90),
            ended("e", "shop", Succeeded, 40),
            ended("d", "web", Succeeded, 80),
            ended("c", "shop", Failed, 30),
            ended("b", "web", Failed, 70),
            ended("a", "shop", Running, 0),
        ];
        for (kept, seconds, expected) in [
            (9, 1_000, vec![]),
            (2, 1_000, vec!["b"]),
            (1, 1_000, vec!["d", "c", "b"]),
            (9, 65, vec!["c"]),
            (9, 0, vec!["f", "e", "d", "c", "b"]),
            (1, 65, vec!["d", "c", "b"]),
        ] {
            let limits = Limits { kept, kept_for: Duration::from_secs(seconds), ..Limits::default() };
            let ids: Vec<String> =
                expired(&operations, &limits, Timestamp(100_000)).into_iter().map(|id| id.0).collect();
            assert_eq!(ids, expected, "{kept} for {seconds} s");
        }
    }
}
