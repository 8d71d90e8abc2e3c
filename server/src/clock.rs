//! Two clocks: one that all processes of this machine share, and that goes on while they are stopped or the machine
//! sleeps, and the API server's ([`cluster`]).

pub mod cluster;

use std::time::Duration;

use rustix::time::{ClockId, Timespec, clock_gettime};

#[cfg(any(target_os = "linux", target_os = "android"))]
const CLOCK: ClockId = ClockId::Boottime;
// Elsewhere the monotonic clock is the one that counts a machine's sleep.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const CLOCK: ClockId = ClockId::Monotonic;

/// The time since the machine was started.
pub fn since_boot() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(CLOCK);
    let nanoseconds = u32::try_from(tv_nsec).unwrap_or(0);
    Duration::new(u64::try_from(tv_sec).unwrap_or(0), nanoseconds)
}
