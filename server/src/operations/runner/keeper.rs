//! Keeps the Lease while helm works, and ends helm when it is lost.

use std::sync::Arc;

use app::model::ReleaseKey;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::raise;
use crate::operations::{Hold, Leases, Stop, lease, now};

/// Renews a hold until it is told to stop.
pub(super) struct Keeper {
    task: JoinHandle<Option<Hold>>,
    enough: CancellationToken,
}

impl Keeper {
    /// Starts to renew `hold`; raises `stop` to the utmost when it is lost or cannot be renewed in time.
    pub fn start(
        leases: Arc<dyn Leases>,
        release: ReleaseKey,
        hold: Hold,
        stop: Arc<watch::Sender<Stop>>,
    ) -> Self {
        let enough = CancellationToken::new();
        let task = tokio::spawn(keep(leases, release, hold, stop, enough.clone()));
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
    enough: CancellationToken,
) -> Option<Hold> {
    let mut renewed = Instant::now();
    loop {
        tokio::select! {
            () = enough.cancelled() => return Some(hold),
            () = tokio::time::sleep(lease::RENEW_EVERY) => {}
        }
        let at = Instant::now();
        match timeout(lease::RENEW_EVERY, lease::renew(&*leases, &release, &hold, now())).await {
            Ok(Ok(Some(next))) => {
                hold = next;
                renewed = at;
            }
            Ok(Ok(None)) => {
                tracing::error!(%release, "the Lease was taken over; helm is ended");
                raise(&stop, Stop::AtOnce);
                return None;
            }
            Ok(Err(error)) => tracing::warn!(%release, %error, "the Lease could not be renewed"),
            Err(_) => tracing::warn!(%release, "the Lease could not be renewed in time"),
        }
        if renewed.elapsed() >= lease::GIVE_UP_AFTER {
            tracing::error!(%release, "the Lease could not be renewed for too long; helm is ended");
            raise(&stop, Stop::AtOnce);
            return None;
        }
    }
}
