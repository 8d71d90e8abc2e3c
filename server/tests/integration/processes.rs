//! The processes of this machine that carry operations out: a runner, its watchdog, and under that helm.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// How long a process may take to be gone on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(120);

pub fn processes() -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter_map(Pid::from_raw)
}

/// What the kernel tells of a process; nothing when it is gone.
fn told(process: Pid, what: &str) -> String {
    let read = std::fs::read(format!("/proc/{}/{what}", process.as_raw_nonzero())).unwrap_or_default();
    String::from_utf8_lossy(&read).into_owned()
}

/// The most that a process ever had in memory, in KiB; none when it is gone.
pub fn peak_memory(process: Pid) -> Option<u64> {
    let status = told(process, "status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Whether a process has ended and its parent has yet to bury it, or it is gone.
fn is_dead(process: Pid) -> bool {
    let stat = told(process, "stat");
    stat.is_empty() || stat.contains(") Z ")
}

/// The process `slipway run-operation OPERATION …`.
pub fn runner_of(operation: &str) -> Option<Pid> {
    processes().find(|pid| {
        let line = told(*pid, "cmdline");
        let mut words = line.split('\0').skip(1);
        words.next() == Some("run-operation") && words.next() == Some(operation)
    })
}

/// The watchdog of the helm that carries an operation out.
pub fn watchdog_of(operation: &str) -> Option<Pid> {
    children_of(runner_of(operation)?).pop()
}

/// The helm that carries an operation out.
pub fn helm_of(operation: &str) -> Option<Pid> {
    children_of(watchdog_of(operation)?).pop()
}

/// The processes whose parent is `pid`.
fn children_of(pid: Pid) -> Vec<Pid> {
    let parent = format!("PPid:\t{}", pid.as_raw_nonzero());
    processes().filter(|child| told(*child, "status").lines().any(|line| line == parent)).collect()
}

/// The processes that have to do with an operation: its id is in their arguments, or their folder's name.
pub fn of_operation(id: &str) -> Vec<Pid> {
    let mentions = |pid: &Pid| ["cmdline", "environ"].iter().any(|what| told(*pid, what).contains(id));
    processes().filter(|pid| !is_dead(*pid) && mentions(pid)).collect()
}

/// Kills the runner of an operation, and its helm with it, as a machine that goes away would: neither says a word.
pub fn kill_runner_and_helm(operation: &str) {
    let (runner, watchdog) = (runner_of(operation).expect("a runner"), watchdog_of(operation));
    // It stands still, so that it cannot tell how its helm ended; that dies with its watchdog.
    for (process, signal) in
        [(Some(runner), Signal::STOP), (watchdog, Signal::KILL), (Some(runner), Signal::KILL)]
    {
        kill_process(process.expect("helm at work"), signal).expect("signalled");
    }
}

/// Waits until a process is gone, or a corpse that its parent has yet to bury.
pub async fn is_gone(process: Pid) {
    let gone = async {
        while !is_dead(process) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("the process ends");
}
