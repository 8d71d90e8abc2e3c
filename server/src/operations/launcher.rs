//! Starts runners as processes of their own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use app::model::{Operation, OperationId};
use async_trait::async_trait;
use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Launch, Launcher, private, runner};

/// Starts `slipway run-operation ID`, once for each launch. The processes outlive this one; while it lives it knows them.
pub struct ChildLauncher {
    executable: PathBuf,
    settings: Vec<OsString>,
    data_dir: PathBuf,
    /// One task for each runner that was launched here and has not ended: the only one that may send it a signal, for once
    /// a process was waited for, its number can be another's.
    runners: TaskTracker,
    end: CancellationToken,
}

impl ChildLauncher {
    /// Launches `executable run-operation ID SETTINGS…`; what a runner has to say goes to a file below `data_dir`.
    pub fn new(executable: PathBuf, settings: Vec<OsString>, data_dir: PathBuf) -> Self {
        let (runners, end) = (TaskTracker::new(), CancellationToken::new());
        Self { executable, settings, data_dir, runners, end }
    }

    /// Tells the runners that were launched here to end, and waits for that, for `patience` at most. Those that a server
    /// before this one launched go on.
    pub async fn end_all(&self, patience: Duration) {
        self.end.cancel();
        self.runners.close();
        if tokio::time::timeout(patience, self.runners.wait()).await.is_err() {
            tracing::warn!("some runners have not ended in time, and go on");
        }
    }
}

#[async_trait]
impl Launcher for ChildLauncher {
    async fn launch(&self, operation: &Operation) -> Result<Launch, String> {
        self.start(&operation.id).map(|()| Launch::Started).map_err(|error| error.to_string())
    }
}

impl ChildLauncher {
    fn start(&self, id: &OperationId) -> std::io::Result<()> {
        let folder = runner::folder(&self.data_dir, id);
        let file = private::create_dir(&folder).and_then(|()| private::append_to(&folder.join("runner.log")));
        let file = file.and_then(|file| Ok((file.try_clone()?.into(), file.into())));
        // The runner puts into the record what keeps it from its work, a full disk for one; its log is not needed for that.
        let (output, errors) = file.unwrap_or_else(|error| {
            tracing::error!(operation = %id, %error, "the runner has no log");
            (Stdio::null(), Stdio::null())
        });
        let mut child = Command::new(&self.executable)
            .arg("run-operation")
            .arg(&id.0)
            .args(&self.settings)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()?;
        let (id, end) = (id.clone(), self.end.clone());
        self.runners.spawn(async move {
            // Waiting is what reaps it.
            let status = tokio::select! {
                status = child.wait() => status,
                () = end.cancelled() => {
                    terminate(&child);
                    child.wait().await
                }
            };
            match status {
                Ok(status) if status.success() => tracing::info!(operation = %id, "the runner has ended"),
                Ok(status) => {
                    tracing::warn!(operation = %id, %status, "the runner has ended without an outcome")
                }
                Err(error) => tracing::warn!(operation = %id, %error, "the runner cannot be waited for"),
            }
        });
        Ok(())
    }
}

fn terminate(child: &Child) {
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
    if let Some(Err(error)) = pid.map(|pid| kill_process(pid, Signal::TERM)) {
        tracing::warn!(%error, "a runner cannot be told to end");
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use app::model::OperationState;

    use super::*;
    use crate::operations::fakes::operation;

    /// A launcher of a program that does as `script` says, and ends well when it is told to.
    fn launcher(folder: &Path, script: &str) -> ChildLauncher {
        let program = folder.join("runner");
        let told = folder.join("told").display().to_string();
        let text = format!("#!/bin/sh\ntrap 'echo \"$2\" >>{told}; exit 0' TERM\n{script}\n");
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
        ChildLauncher::new(program, vec![], folder.to_owned())
    }

    /// Waits until so many runners have written that they are there.
    async fn until_there(folder: &Path, runners: usize) {
        let there = folder.join("there");
        let lines = || std::fs::read_to_string(&there).unwrap_or_default().lines().count();
        while lines() < runners {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    #[tokio::test]
    async fn each_runner_of_an_operation_is_told_to_end_although_another_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display();
        // The first one of an operation ends at once: it came too late, or was told to.
        let script = format!(
            "if mkdir {path}/first-$2 2>/dev/null; then echo >>{path}/there; exit 0; fi\n\
             echo >>{path}/there\nwhile :; do sleep 0.1; done"
        );
        let launcher = launcher(folder.path(), &script);
        let (a, b) = (operation("a", OperationState::Queued), operation("b", OperationState::Queued));
        for (launched, operation) in (1..).zip([&a, &b, &a, &a]) {
            launcher.launch(operation).await.unwrap();
            until_there(folder.path(), launched).await;
        }
        launcher.end_all(Duration::from_secs(60)).await;
        assert!(launcher.runners.is_empty(), "a runner goes on");
        assert_eq!(std::fs::read_to_string(folder.path().join("told")).unwrap(), "a\na\n");
    }
}
