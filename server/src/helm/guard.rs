//! Ties a helm to the life of its runner.
//!
//! A helm that outlived its runner would work on a release that nobody holds, and "nobody works on it" would not be a
//! proof. So the runner starts Slipway itself, which asks the kernel for SIGTERM when its parent dies, and then becomes
//! helm: the request survives `exec`. helm takes SIGTERM well: it records the release as failed.
//!
//! The kernel sends the signal when the *thread* that started the process ends; the runner therefore starts helm from
//! the thread that its runtime lives on.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Slipway's subcommand for this: `slipway exec-helm --parent PID PROGRAM -- ARGUMENTS…`.
pub const SUBCOMMAND: &str = "exec-helm";

/// Becomes `program`, which gets SIGTERM when the process `parent` dies. Returns only when that cannot be done.
pub fn become_helm(parent: u32, program: &Path, arguments: &[OsString]) -> std::io::Error {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))
    {
        return error.into();
    }
    // The parent may have died before the request was made.
    let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
    if now != Some(parent) {
        return std::io::Error::other("the runner is gone");
    }
    Command::new(program).args(arguments).exec()
}
