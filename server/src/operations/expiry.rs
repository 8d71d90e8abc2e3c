//! Which operations that are over are still kept: the newest of each release, for a while.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use app::model::{Operation, OperationId, ReleaseKey, Timestamp};

use super::validation::TIMEOUT_MAX;
use super::{Limits, Operations, private, runner};

/// For how long nothing changes in the files of an operation that is not known before its working files are nobody's: a helm
/// may be silent for as long as the longest of its waits.
const WORK_KEPT_FOR: Duration = Duration::from_secs(TIMEOUT_MAX as u64);

impl Operations {
    /// Removes the operations that are kept no longer, with all that belongs to them.
    pub(super) async fn prune(&self) {
        for id in expired(&self.board.list(None, None), &self.limits, self.clock.earliest()) {
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

    /// Removes what a runner that was killed left of the values, and in time the files of operations that are not known, the
    /// values long before the log: another server may have removed the record. Or they are those of another cluster,
    /// whose server shares the folder.
    fn sweep(&self) {
        let Ok(entries) = std::fs::read_dir(runner::folders(&self.data_dir)) else { return };
        for entry in entries.filter_map(Result::ok) {
            let Some(id) = entry.file_name().to_str().map(|name| OperationId(name.to_owned())) else {
                continue;
            };
            let (folder, work) = (entry.path(), entry.path().join("work"));
            let removed = match self.board.get(&id) {
                Some(operation) if operation.state.is_terminal() => private::remove_dir(&work),
                Some(_) => Ok(()),
                None => match unchanged_for(&folder) {
                    Some(age) if age > self.limits.kept_for => private::remove_dir(&folder),
                    Some(age) if age > WORK_KEPT_FOR => private::remove_dir(&work),
                    _ => Ok(()),
                },
            };
            if let Err(error) = removed {
                tracing::warn!(operation = %id, %error, "an operation's files are left behind");
            }
        }
    }
}

/// Since when nothing was written to a folder's own files, by this machine's clock, which wrote them.
fn unchanged_for(folder: &Path) -> Option<Duration> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let last = files.filter_map(|file| changed(&file)).max().or_else(|| changed(folder));
    last?.elapsed().ok()
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
    use crate::operations::fakes::{Room, operation};
    use crate::operations::ports::OperationStore;

    /// An operation on a release that ended at a second, if it did.
    fn ended(id: &str, release: &str, state: OperationState, second: i64) -> Arc<Operation> {
        let mut operation = operation(id, state);
        operation.release.name = release.into();
        let at = Timestamp(second * 1000);
        operation.outcome = operation.outcome.map(|outcome| Outcome { ended: at, ..outcome });
        Arc::new(operation)
    }

    /// The files of an operation, last written so long ago: its log, and what helm had to have.
    fn files(data: &Path, id: &str, age: Duration) {
        let work = runner::folder(data, &OperationId(id.into())).join("work");
        private::create_dir(&work).unwrap();
        private::write(&work.join("values.yaml"), b"password: x").unwrap();
        let log = work.with_file_name("helm.log");
        private::write(&log, b"helm speaks").unwrap();
        for path in [&log, &work] {
            let file = std::fs::File::open(path).unwrap();
            file.set_modified(file.metadata().unwrap().modified().unwrap() - age).unwrap();
        }
    }

    #[tokio::test]
    async fn what_a_runner_that_was_killed_left_of_the_values_is_removed_once_nobody_can_need_it() {
        let data = tempfile::tempdir().unwrap();
        let room = Room::with(|operations| Operations { data_dir: data.path().into(), ..operations });
        let outcome =
            Outcome { ended: room.operations.clock.now(), revision: None, failure: None, remark: None };
        let over = Operation { outcome: Some(outcome), ..operation("over", OperationState::Interrupted) };
        for operation in [over, operation("at-work", Running)] {
            room.store.create(&operation, None).await.unwrap();
        }
        while room.operations.list(None, None).len() < 2 {
            tokio::task::yield_now().await;
        }
        let (hour, kept_for) = (Duration::from_secs(60 * 60), Limits::default().kept_for);
        for (id, age) in [
            ("over", Duration::ZERO),
            ("at-work", 2 * kept_for),
            ("unknown", WORK_KEPT_FOR - hour),
            ("unknown-for-a-day", WORK_KEPT_FOR + hour),
            ("unknown-for-a-month", kept_for + hour),
        ] {
            files(data.path(), id, age);
        }
        room.operations.prune().await;
        for (id, has_log, has_work) in [
            ("over", true, false),
            ("at-work", true, true),
            ("unknown", true, true),
            ("unknown-for-a-day", true, false),
            ("unknown-for-a-month", false, false),
        ] {
            let folder = runner::folder(data.path(), &OperationId(id.into()));
            let found = (folder.join("helm.log").exists(), folder.join("work").exists());
            assert_eq!(found, (has_log, has_work), "{id}");
        }
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
