//! A helm that follows a script.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;

use super::FakeRecords;
use crate::kube::records::RecordMeta;
use crate::operations::{Ended, Helm, Log, NotRun, RenewalSignal, Stop, StopSignal, Task};

/// What a scripted helm does.
pub(crate) enum Script {
    /// It ends at once.
    Ends(Ended),
    /// It ends after a while.
    EndsAfter(Duration, Ended),
    /// It leaves these records, the newest first, and ends.
    Leaves(Vec<RecordMeta>, Ended),
    /// It works for this long, whatever it is told, and ends with this code.
    Works(Duration, i32),
    /// It works until it is told to stop, and then ends like helm does.
    WorksUntilStopped,
    /// It cannot be started.
    CannotStart,
    /// It cannot do what is asked of it.
    Lacks,
}

/// A helm that follows a script, a line for each run.
#[derive(Default)]
pub(crate) struct FakeHelm {
    scripts: Mutex<VecDeque<Script>>,
    /// The values that each run was given.
    pub runs: Mutex<Vec<String>>,
    /// Whether each run was to replace what is there.
    pub replaced: Mutex<Vec<bool>>,
    /// The records that it leaves.
    pub records: Arc<FakeRecords>,
    started: tokio::sync::Notify,
}

impl FakeHelm {
    pub(crate) fn with(scripts: impl IntoIterator<Item = Script>) -> Self {
        Self { scripts: Mutex::new(scripts.into_iter().collect()), ..Self::default() }
    }

    /// Waits until a helm has been started.
    pub(crate) async fn has_started(&self) {
        self.started.notified().await;
    }
}

#[async_trait]
impl Helm for FakeHelm {
    async fn run(
        &self,
        task: &Task,
        _: &Path,
        log: &Log,
        mut stop: StopSignal,
        _: RenewalSignal,
    ) -> Result<Ended, NotRun> {
        self.runs.lock().unwrap().push(task.values.clone());
        self.replaced.lock().unwrap().push(task.replace);
        self.started.notify_one();
        log.append(b"helm speaks\n");
        let script = self.scripts.lock().unwrap().pop_front();
        match script.expect("helm was started more often than the script has it") {
            Script::Ends(ended) => Ok(ended),
            Script::EndsAfter(pause, ended) => {
                tokio::time::sleep(pause).await;
                Ok(ended)
            }
            Script::Leaves(records, ended) => {
                self.records.are(records);
                Ok(ended)
            }
            Script::Works(time, code) => {
                tokio::time::sleep(time).await;
                Ok(Ended { code: Some(code), ..Ended::default() })
            }
            Script::CannotStart => Err(NotRun::Here("no such file".into())),
            Script::Lacks => Err(NotRun::Asked("This helm has no --x.".into())),
            Script::WorksUntilStopped => {
                stop.wait_for(|stop| *stop != Stop::No).await.expect("the runner is gone");
                let error = "Error: INSTALLATION FAILED: context canceled".to_owned();
                Ok(Ended { code: Some(1), error, ..Ended::default() })
            }
        }
    }
}
