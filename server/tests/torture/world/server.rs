//! One `slipway serve`.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use testbed::Disk;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::Mutex;

use super::PATIENCE;
use super::signing::SigningHelm;
use crate::evidence::OPERATIONS;

/// How many runners may be at work at once.
const RUNNERS: &str = "6";
/// More than a run makes of them on one release.
const KEPT: &str = "10000";

/// How soon one that did not begin is started again.
const START_AGAIN_AFTER: Duration = Duration::from_millis(500);

/// One server.
pub struct Server {
    pub(super) kubeconfig: PathBuf,
    /// Where it keeps its files.
    pub data: PathBuf,
    /// What that is on.
    pub disk: Disk,
    /// Its helm, and its runners'.
    pub helm: SigningHelm,
    /// More arguments, the same for all.
    pub(super) arguments: Vec<String>,
    pub(super) ways: std::sync::Mutex<Ways>,
    /// Makes a clock go ahead.
    pub(super) clock: PathBuf,
    pub(super) process: Mutex<Option<Child>>,
    pub(super) address: std::sync::Mutex<Option<String>>,
}

/// In what a server differs from others when it is started the next time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// Its clock is ahead.
    pub is_ahead: bool,
    /// It runs again what was interrupted.
    pub resumes: bool,
}

impl Server {
    /// Starts it, unless it runs.
    pub async fn start(&self) {
        let mut process = self.process.lock().await;
        if process.is_some() {
            return;
        }
        // As whatever runs it would: it refuses to begin as long as its helm is not there.
        let starting = async {
            loop {
                match self.begin().await {
                    Some(begun) => break begun,
                    None => tokio::time::sleep(START_AGAIN_AFTER).await,
                }
            }
        };
        let (child, address) = tokio::time::timeout(PATIENCE, starting).await.expect("it starts in time");
        *process = Some(child);
        *self.address.lock().expect("no panic") = Some(address);
    }

    /// A new process and its address, unless it ends before it has one.
    async fn begin(&self) -> Option<(Child, String)> {
        let Ways { is_ahead, resumes } = self.ways(|ways| *ways);
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.log());
        let mut child = Command::new(env!("CARGO_BIN_EXE_slipway"))
            .args(["serve", "--listen", "127.0.0.1:0", "--operations-namespace", OPERATIONS])
            .args(["--max-runners", RUNNERS, "--keep-operations", KEPT])
            .arg("--kubeconfig")
            .arg(&self.kubeconfig)
            .arg("--data-dir")
            .arg(&self.data)
            .arg("--helm")
            .arg(self.helm.path())
            .args(&self.arguments)
            .args(resumes.then_some("--resume-interrupted"))
            .envs(is_ahead.then_some(("LD_PRELOAD", &self.clock)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.expect("a log"))
            .kill_on_drop(true)
            .spawn()
            .expect("slipway starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        while let Some(line) = lines.next_line().await.expect("its output") {
            if let Some(address) = line.strip_prefix("Slipway is at ") {
                return Some((child, address.to_owned()));
            }
        }
        None
    }

    /// Kills it.
    pub async fn kill(&self) {
        let mut process = self.process.lock().await;
        *self.address.lock().expect("no panic") = None;
        if let Some(mut child) = process.take() {
            child.kill().await.expect("killed");
        }
    }

    /// Kills it and starts it anew in other ways, if they are others.
    pub async fn change(&self, to: impl FnOnce(&mut Ways)) {
        let is_changed = self.ways(|ways| {
            let before = *ways;
            to(ways);
            before != *ways
        });
        if is_changed {
            self.kill().await;
            self.start().await;
        }
    }

    fn ways<T>(&self, with: impl FnOnce(&mut Ways) -> T) -> T {
        with(&mut self.ways.lock().expect("no panic"))
    }

    /// Where it is, while it runs.
    pub fn address(&self) -> Option<String> {
        self.address.lock().expect("no panic").clone()
    }

    /// The process, while it runs.
    pub async fn pid(&self) -> Option<u32> {
        self.process.lock().await.as_ref().and_then(Child::id)
    }

    /// What it says; not on the disk that may be full.
    pub fn log(&self) -> PathBuf {
        self.data.with_extension("log")
    }

    /// The folder of an operation that a process of this server's carried out.
    pub fn operation(&self, id: &str) -> PathBuf {
        self.operations().join(id)
    }

    /// The folders of all of them.
    pub fn operations(&self) -> PathBuf {
        server::clusters::keepsake::folder(&self.data, "testbed").join("operations")
    }

    /// Waits until it says that it is ready.
    pub async fn ready(&self) {
        let address = self.address().expect("it runs");
        let asked = async {
            while !reqwest::get(format!("{address}/readyz")).await.is_ok_and(|answer| answer.status() == 200)
            {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, asked).await.expect("ready in time");
    }
}
