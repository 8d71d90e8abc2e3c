//! Starts runners as processes of their own.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use app::model::{Operation, OperationId};
use async_trait::async_trait;
use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Command;
use tokio::sync::watch;

use super::{Launch, Launcher, private, runner};

/// Starts `slipway run-operation ID` for each operation. The processes outlive this one; while it lives it knows them.
pub struct ChildLauncher {
    executable: PathBuf,
    settings: Vec<OsString>,
    data_dir: PathBuf,
    running: Arc<Running>,
}

struct Running {
    pids: Mutex<HashMap<OperationId, Pid>>,
    count: watch::Sender<usize>,
}

impl ChildLauncher {
    /// Launches `executable run-operation ID SETTINGS…`; what a runner has to say goes to a file below `data_dir`.
    pub fn new(executable: PathBuf, settings: Vec<OsString>, data_dir: PathBuf) -> Self {
        let running = Running { pids: Mutex::default(), count: watch::Sender::new(0) };
        Self { executable, settings, data_dir, running: Arc::new(running) }
    }

    /// Tells the runners that were launched here to end, and waits for that, for `patience` at most. Those that a server
    /// before this one launched go on.
    pub async fn end_all(&self, patience: Duration) {
        for pid in self.running.lock().values() {
            if let Err(error) = kill_process(*pid, Signal::TERM) {
                tracing::warn!(%error, "a runner cannot be told to end");
            }
        }
        let mut count = self.running.count.subscribe();
        if tokio::time::timeout(patience, count.wait_for(|count| *count == 0)).await.is_err() {
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
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
        if let Some(pid) = pid {
            self.running.add(id, pid);
        }
        // Waiting is what reaps it.
        let (running, id) = (self.running.clone(), id.clone());
        tokio::spawn(async move {
            match child.wait().await {
                Ok(status) if status.success() => tracing::info!(operation = %id, "the runner has ended"),
                Ok(status) => {
                    tracing::warn!(operation = %id, %status, "the runner has ended without an outcome")
                }
                Err(error) => tracing::warn!(operation = %id, %error, "the runner cannot be waited for"),
            }
            running.remove(&id);
        });
        Ok(())
    }
}

impl Running {
    fn add(&self, id: &OperationId, pid: Pid) {
        let mut pids = self.lock();
        pids.insert(id.clone(), pid);
        self.count.send_replace(pids.len());
    }

    fn remove(&self, id: &OperationId) {
        let mut pids = self.lock();
        pids.remove(id);
        self.count.send_replace(pids.len());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<OperationId, Pid>> {
        self.pids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
