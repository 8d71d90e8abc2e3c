//! Ties a helm to the life of its watchdog.
//!
//! A helm that outlived whoever watches it would work on a release that nobody holds, and "nobody works on it" would not
//! be a proof. So the watchdog starts Slipway itself, which asks the kernel for SIGKILL when its parent dies, and then
//! becomes helm: the request survives `exec`. Only a watchdog that was killed leaves it to the kernel; else it ends helm
//! itself, in good time and by SIGTERM, so that helm records the release as failed ([`super::watchdog`]).
//!
//! The kernel sends the signal when the *thread* that started the process ends; the watchdog therefore starts helm from
//! the thread that its runtime lives on.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Slipway's subcommand for this: `slipway exec-helm --parent PID PROGRAM -- ARGUMENTS…`.
pub const SUBCOMMAND: &str = "exec-helm";

/// Becomes `program`, which gets SIGKILL when the process `parent` dies. Returns only when that cannot be done.
pub fn become_helm(parent: u32, program: &Path, arguments: &[OsString]) -> std::io::Error {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
    {
        return error.into();
    }
    // The parent may have died before the request was made.
    let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
    if now != Some(parent) {
        return std::io::Error::other("the watchdog is gone");
    }
    Command::new(program).args(arguments).exec()
}
