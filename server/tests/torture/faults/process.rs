//! What befalls Slipway's own processes, and its pods.

use std::time::Duration;

use app::model::ReleaseKey;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DeleteParams, EvictParams, ListParams};
use rustix::process::{Pid, Signal, kill_process};

use super::{Faults, choice};
use crate::evidence::OPERATIONS;
use crate::plan::{Blow, Process};
use crate::world::{command_line, release_of};

/// How soon to look again for somebody to strike.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(50);
/// The same where the cluster is asked.
const ASK_AGAIN_AFTER: Duration = Duration::from_millis(500);

impl Faults {
    pub(super) async fn strike(&self, process: Process, blow: Blow, which: u64, lasts: Duration) -> bool {
        let role = match process {
            Process::Runner => "run-operation",
            Process::Watchdog => "watch-helm",
            Process::Helm => "helm",
        };
        let Some(number) = self.pick(role, which).await else { return false };
        let Some(pid) = Pid::from_raw(number) else { return false };
        let line = command_line(number);
        match blow {
            Blow::Kill => kill_process(pid, Signal::KILL).is_ok(),
            Blow::Stop => {
                let is_struck = kill_process(pid, Signal::STOP).is_ok();
                self.wait(lasts).await;
                // Nobody else has its number: it cannot end while it stands still, but for a kill.
                if command_line(number) == line {
                    let _ = kill_process(pid, Signal::CONT);
                }
                is_struck
            }
        }
    }

    /// A process of that role; waited for, if there is none yet.
    async fn pick(&self, role: &str, which: u64) -> Option<i32> {
        let looking = async {
            loop {
                let all = self.world.processes().into_iter();
                let numbers: Vec<i32> = all.filter(|(_, is)| is == role).map(|(number, _)| number).collect();
                match numbers.get(choice(which, numbers.len())) {
                    Some(number) => return *number,
                    None => tokio::time::sleep(LOOK_AGAIN_AFTER).await,
                }
            }
        };
        tokio::select! {
            number = looking => Some(number),
            () = self.calm.cancelled() => None,
        }
    }

    /// A release that a helm is at work on; waited for, if there is none yet.
    pub(super) async fn at_work(&self, which: u64) -> Option<ReleaseKey> {
        loop {
            let number = self.pick("helm", which).await?;
            match command_line(number).as_deref().and_then(release_of) {
                Some(release) => return Some(release),
                None => tokio::time::sleep(LOOK_AGAIN_AFTER).await,
            }
        }
    }

    /// Deletes a runner's pod by force, as when its node is given up, or has it evicted, as when that is drained.
    pub(super) async fn delete_pod(&self, which: u64) -> bool {
        if !self.world.has_jobs() {
            return false;
        }
        let pods = Api::<Pod>::namespaced(self.world.admin.clone(), OPERATIONS);
        let running = ListParams::default().fields("status.phase=Running");
        let looking = async {
            loop {
                // While the cluster is away there is nobody to delete anything.
                let all = pods.list_metadata(&running).await.map(|pods| pods.items).unwrap_or_default();
                match all.get(choice(which, all.len())).and_then(|pod| pod.metadata.name.clone()) {
                    Some(name) => return name,
                    None => tokio::time::sleep(ASK_AGAIN_AFTER).await,
                }
            }
        };
        let name = tokio::select! {
            name = looking => name,
            () = self.calm.cancelled() => return false,
        };
        if which.is_multiple_of(3) {
            pods.evict(&name, &EvictParams::default()).await.is_ok()
        } else {
            let by_force = DeleteParams { grace_period_seconds: Some(0), ..DeleteParams::default() };
            pods.delete(&name, &by_force).await.is_ok()
        }
    }
}
