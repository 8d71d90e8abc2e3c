//! What befalls servers and their machines.

use std::time::Duration;

use super::Faults;
use crate::world::Ailment;

/// For how long a helm that is to talk is waited for, if there is none before.
const LISTEN: Duration = Duration::from_secs(20);
/// How often to look whether it has.
const LISTEN_AGAIN_AFTER: Duration = Duration::from_millis(100);

impl Faults {
    pub(super) async fn kill_servers(&self, which: &[usize], lasts: Duration) -> bool {
        let servers = || which.iter().filter_map(|number| self.world.servers.get(*number));
        for server in servers() {
            server.kill().await;
        }
        self.wait(lasts).await;
        for server in servers() {
            server.start().await;
        }
        true
    }

    pub(super) async fn put_clock_ahead(&self, number: usize, lasts: Duration) -> bool {
        let Some(_turn) = self.turn(&self.machines[number]).await else { return false };
        let server = &self.world.servers[number];
        server.change(|ways| ways.is_ahead = true).await;
        self.wait(lasts).await;
        server.change(|ways| ways.is_ahead = false).await;
        true
    }

    pub(super) async fn fill_disk(&self, number: usize, lasts: Duration) -> bool {
        let Some(_turn) = self.turn(&self.machines[number]).await else { return false };
        let disk = &self.world.servers[number].disk;
        disk.fill().expect("a full disk");
        self.wait(lasts).await;
        disk.empty().expect("room on the disk");
        true
    }

    pub(super) async fn spoil_helm(&self, ailment: Ailment, number: usize, lasts: Duration) -> bool {
        let Some(_turn) = self.turn(&self.machines[number]).await else { return false };
        let helm = &self.world.servers[number].helm;
        helm.ail(ailment).expect("a helm that ails");
        self.wait(lasts).await;
        let is_heard = async {
            while ailment == Ailment::Talkative && !helm.has_talked() {
                tokio::time::sleep(LISTEN_AGAIN_AFTER).await;
            }
        };
        tokio::select! {
            _ = tokio::time::timeout(LISTEN, is_heard) => {}
            () = self.calm.cancelled() => {}
        }
        helm.cure().expect("a helm that is well");
        ailment != Ailment::Talkative || helm.has_talked()
    }
}
