//! Keeps the Lease while helm works, and ends helm when it is lost.

use std::sync::Arc;

use app::model::ReleaseKey;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::raise;
use crate::clock::cluster::Clock;
use crate::operations::lease::{self, Renewal};
use crate::operations::{Hold, Leases, Stop};

/// Renews a hold until it is told to stop.
pub(super) struct Keeper {
    task: JoinHandle<Option<Hold>>,
    enough: CancellationToken,
}

impl Keeper {
    /// Starts to renew `hold`, and tells `renewed` when it did; raises `stop` to the utmost when it is lost or cannot be
    /// renewed in time.
    pub fn start(
        leases: Arc<dyn Leases>,
        release: ReleaseKey,
        hold: Hold,
        stop: Arc<watch::Sender<Stop>>,
        (renewed, clock): (watch::Sender<Renewal>, Clock),
    ) -> Self {
        let enough = CancellationToken::new();
        let task = tokio::spawn(keep(leases, release, hold, stop, (renewed, clock), enough.clone()));
        Self { task, enough }
    }

    /// Stops, and gives the hold as it is; none when it was lost.
    pub async fn stop(self) -> Option<Hold> {
        self.enough.cancel();
        self.task.await.ok().flatten()
    }
}

async fn keep(
    leases: Arc<dyn Leases>,
    release: ReleaseKey,
    mut hold: Hold,
    stop: Arc<watch::Sender<Stop>>,
    (renewed, clock): (watch::Sender<Renewal>, Clock),
    enough: CancellationToken,
) -> Option<Hold> {
    loop {
        let ends = renewed.borrow().ends();
        tokio::select! {
            () = enough.cancelled() => return Some(hold),
            () = tokio::time::sleep_until(ends.min(Instant::now() + lease::RENEW_EVERY)) => {}
        }
        let (at, ends, told) = (Instant::now(), renewed.borrow().ends(), clock.now());
        // Before a renewal is tried: a process that stood still for too long may find its Lease untouched, but its helm
        // was told to end meanwhile.
        if at >= ends {
            tracing::error!(%release, "the Lease could not be renewed for too long; helm is ended");
            raise(&stop, Stop::AtOnce);
            return None;
        }
        let renewal = lease::renew(&*leases, &release, &hold, told);
        match timeout_at(ends.min(at + lease::RENEW_EVERY), renewal).await {
            Ok(Ok(Some(next))) => {
                // One whose answer was lost was written earlier than now.
                if next.renewed == told {
                    renewed.send_replace(Renewal::asked_at(at));
                }
                hold = next;
            }
            Ok(Ok(None)) => {
                tracing::error!(%release, "the Lease was taken over; helm is ended");
                raise(&stop, Stop::AtOnce);
                return None;
            }
            Ok(Err(error)) => tracing::warn!(%release, %error, "the Lease could not be renewed"),
            Err(_) => tracing::warn!(%release, "the Lease could not be renewed in time"),
        }
    }
}
