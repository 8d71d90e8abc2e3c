//! Stands between a runner and its helm, and ends helm when the runner does not.
//!
//! A runner that is killed cannot end its helm, and one that is stopped (SIGSTOP, a debugger, a frozen container) does
//! not know that it should; helm would go on after others may have taken the release. So helm's parent is a small process
//! of its own. The runner tells it after each renewal of the Lease until when helm may go on; the watchdog tells helm to
//! end at that time, or at once when the runner is gone, and kills it [`GRACE`] after that time: before anyone else can
//! take the Lease. Should the watchdog itself be killed, the kernel kills helm ([`super::guard`]).
//!
//! Its standard input is the pipe from the runner, its standard output is helm's output. Its standard error is the
//! *reading* end of that output, which helm gets as its input and never reads: when the runner dies, helm's last words
//! do not meet a broken pipe, which would kill it before it has recorded how it ended. A dry run records nothing: its two
//! outputs are kept apart instead ([`APART`]), and it has no input.

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};

use super::guard;
use crate::clock::since_boot;
use crate::operations::RenewalSignal;

/// Slipway's subcommand for this: `slipway watch-helm PROGRAM -- ARGUMENTS…`.
pub const SUBCOMMAND: &str = "watch-helm";

/// The flag for a helm whose standard output and standard error are two pipes.
pub const APART: &str = "--apart";

/// How long helm may take to end after its time is over: the Lease's own length less the time after which a runner gives
/// up (`operations::lease`).
pub(super) const GRACE: Duration = Duration::from_secs(5);
/// How often the clock is read at the least: timers stand still while the machine sleeps, and that clock does not.
const READ_CLOCK_EVERY: Duration = Duration::from_secs(1);
/// Exit codes above this stand for signals, as a shell has it: helm's own are smaller.
const SIGNALLED: i32 = 128;

/// Tells a watchdog, through `to`, until when helm may go on, as often as that changes.
pub(super) async fn tell(to: Sender, mut renewed: RenewalSignal) {
    let mut to = to;
    loop {
        let until = renewed.borrow_and_update().until;
        let milliseconds = u64::try_from(until.as_millis()).unwrap_or(u64::MAX);
        if to.write_all(&milliseconds.to_be_bytes()).await.is_err() || renewed.changed().await.is_err() {
            return;
        }
    }
}

/// The code and the signal that helm ended with, by how its watchdog ended.
pub(super) fn ending(status: ExitStatus) -> (Option<i32>, Option<i32>) {
    match status.code() {
        Some(code) if code > SIGNALLED => (None, Some(code - SIGNALLED)),
        code => (code, status.signal()),
    }
}

/// Runs `program` under watch and ends as it did; await this on the main thread ([`super::guard`]).
///
/// # Errors
/// When there is nobody to watch it for, or it cannot be started. helm's output says so as well.
pub async fn watch(program: &Path, arguments: &[OsString], apart: bool) -> std::io::Result<Infallible> {
    match run(program, arguments, apart).await {
        Ok(status) => {
            let signal = status.signal().map(|signal| SIGNALLED + signal);
            std::process::exit(status.code().or(signal).unwrap_or(1))
        }
        Err(error) => {
            // Where nobody could read it otherwise.
            if !apart {
                println!("Error: {error}");
            }
            Err(error)
        }
    }
}

async fn run(program: &Path, arguments: &[OsString], apart: bool) -> std::io::Result<ExitStatus> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut runner = Receiver::from_owned_fd(std::io::stdin().as_fd().try_clone_to_owned()?)?;
    let mut until = match next(&mut runner).await {
        Some(until) if until > since_boot() => until,
        _ => return Err(std::io::Error::other("the runner is gone, or lost the right to go on")),
    };
    let mut helm = start(program, arguments, apart)?;
    // Once it was told to end, no later word from the runner is a reprieve.
    let mut is_over = false;
    let mut told = false;
    loop {
        let now = since_boot();
        if (is_over || now >= until) && !told {
            (is_over, told) = (true, true);
            send(&helm, Signal::TERM);
        }
        if now >= until + GRACE {
            helm.start_kill()?;
        }
        let next_deadline = if told { until + GRACE } else { until };
        let pause = next_deadline.saturating_sub(now).clamp(Duration::from_millis(10), READ_CLOCK_EVERY);
        tokio::select! {
            status = helm.wait() => return status,
            word = next(&mut runner), if !is_over => match word {
                Some(later) => until = until.max(later),
                None => is_over = true,
            },
            Some(()) = terminate.recv() => send(&helm, Signal::TERM),
            () = tokio::time::sleep(pause) => {}
        }
    }
}

fn start(program: &Path, arguments: &[OsString], apart: bool) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args([guard::SUBCOMMAND, "--parent", &std::process::id().to_string()])
        .arg(program)
        .arg("--")
        .args(arguments);
    if apart {
        command.stdin(Stdio::null());
    } else {
        command
            .stdin(std::io::stderr().as_fd().try_clone_to_owned()?)
            .stderr(std::io::stdout().as_fd().try_clone_to_owned()?);
    }
    command.spawn()
}

/// Until when helm may go on, as the runner says next; none when it is gone.
async fn next(runner: &mut Receiver) -> Option<Duration> {
    let mut milliseconds = [0; 8];
    // A word is written as one and read as one: it is far below what a pipe takes at once.
    runner.read_exact(&mut milliseconds).await.ok()?;
    Some(Duration::from_millis(u64::from_be_bytes(milliseconds)))
}

fn send(helm: &Child, signal: Signal) {
    let pid = helm.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // It has ended by itself, which is what is wanted.
        let _ = kill_process(pid, signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_handed_on_as_a_shell_does() {
        for (status, expected) in [
            (ExitStatus::from_raw(0), (Some(0), None)),
            (ExitStatus::from_raw(1 << 8), (Some(1), None)),
            (ExitStatus::from_raw((128 + 15) << 8), (None, Some(15))),
            // The watchdog itself was killed, and helm with it.
            (ExitStatus::from_raw(9), (None, Some(9))),
        ] {
            assert_eq!(ending(status), expected, "{status:?}");
        }
    }

    #[tokio::test]
    async fn the_runners_words_arrive_and_its_end_is_seen() {
        let (reading, writing) = std::io::pipe().unwrap();
        let mut runner = Receiver::from_owned_fd(reading.into()).unwrap();
        let now = tokio::time::Instant::now();
        let first = crate::operations::Renewal::asked_at(now);
        let (renew, renewed) = tokio::sync::watch::channel(first);
        let telling = tokio::spawn(tell(Sender::from_owned_fd(writing.into()).unwrap(), renewed));
        let milliseconds = |until: Duration| until.as_millis();
        assert_eq!(next(&mut runner).await.map(milliseconds), Some(milliseconds(first.until)));
        let second = crate::operations::Renewal::asked_at(now);
        renew.send_replace(second);
        assert_eq!(next(&mut runner).await.map(milliseconds), Some(milliseconds(second.until)));
        drop(renew);
        telling.await.unwrap();
        assert_eq!(next(&mut runner).await, None);
    }
}
