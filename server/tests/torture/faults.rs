//! Makes what goes wrong, and sets it right again.

mod line;
mod machine;
mod outage;
mod people;
mod process;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use testbed::{Effect, FaultProxy, Matcher, Times, WatchFault};
use tokio::sync::MutexGuard;
use tokio_util::sync::CancellationToken;

use crate::evidence::Span;
use crate::journal::Journal;
use crate::plan::{Fault, NAMESPACES, SERVERS};
use crate::world::{Ailment, PATIENCE, World};

/// How long to wait before something that must be done is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(500);

/// All that goes wrong in a run.
pub struct Faults {
    world: Arc<World>,
    /// Ends all of it early.
    calm: CancellationToken,
    outages: Mutex<Vec<Span>>,
    /// One outage at a time: the API server cannot be started without etcd.
    outage: tokio::sync::Mutex<()>,
    /// One fault at a time of those that befall a server's machine.
    machines: [tokio::sync::Mutex<()>; SERVERS],
    /// One at a time of those that befall a namespace.
    namespaces: [tokio::sync::Mutex<()>; NAMESPACES],
    done: Mutex<Vec<Suffered>>,
    journal: Arc<Journal>,
}

/// A fault that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suffered {
    /// Which.
    pub fault: Fault,
    /// Whether there was anything that it befell.
    pub befell: bool,
}

impl Faults {
    /// None yet.
    pub fn new(world: Arc<World>, calm: CancellationToken, journal: Arc<Journal>) -> Self {
        Self {
            world,
            calm,
            outages: Mutex::default(),
            outage: Default::default(),
            machines: Default::default(),
            namespaces: Default::default(),
            done: Mutex::default(),
            journal,
        }
    }

    /// Ends every other watch after a few events, so that there are new ones for others faults to befall. For all of the
    /// run: of the faults that match a request, the first is followed.
    pub fn keep_watches_short(&self, seed: u64) {
        for proxy in &self.world.proxies {
            let short = Effect::Watch(WatchFault::CloseAfter(15));
            proxy.add(Matcher::watches().path("/secrets"), Times::OneIn(2, seed), short);
        }
    }

    /// Ends all that is left of them.
    pub async fn end(&self) {
        self.world.proxies.iter().for_each(FaultProxy::clear);
        for server in &self.world.servers {
            // Else what is over might be begun again.
            server.change(|ways| ways.resumes = false).await;
        }
    }

    /// When the API server or its store were away.
    pub fn outages(&self) -> Vec<Span> {
        self.outages.lock().expect("no panic").clone()
    }

    /// What was suffered.
    pub fn done(&self) -> Vec<Suffered> {
        self.done.lock().expect("no panic").clone()
    }

    /// Makes a fault that lasts for a while, and returns when it has been set right. `which` decides about chances.
    pub async fn suffer(&self, fault: Fault, lasts: Duration, which: u64) {
        self.journal.note(format_args!("begins: {fault:?} for {lasts:?}"));
        let befell = match fault {
            Fault::Helm(line) => self.on_helms_line(line, lasts, which).await,
            Fault::Slipway(line) => self.on_slipways_line(line, lasts, which).await,
            Fault::Process(process, blow) => self.strike(process, blow, which, lasts).await,
            Fault::PodDeleted => self.delete_pod(which).await,
            Fault::Server => self.kill_servers(&[choice(which, SERVERS)], lasts).await,
            Fault::Servers => self.kill_servers(&[0, 1], lasts).await,
            Fault::ClockAhead => self.put_clock_ahead(choice(which, SERVERS), lasts).await,
            Fault::DiskFull => self.fill_disk(choice(which, SERVERS), lasts).await,
            Fault::HelmMissing => self.spoil_helm(Ailment::Missing, choice(which, SERVERS), lasts).await,
            Fault::HelmNotExecutable => {
                self.spoil_helm(Ailment::NotExecutable, choice(which, SERVERS), lasts).await
            }
            Fault::HelmTalks => self.spoil_helm(Ailment::Talkative, choice(which, SERVERS), lasts).await,
            Fault::ApiServerDead | Fault::ApiServerStill | Fault::EtcdDead | Fault::EtcdStill => {
                self.make_outage(fault, lasts).await
            }
            Fault::NamespaceDeleted => self.delete_namespace(choice(which, NAMESPACES), lasts).await,
            Fault::WebhookDown => self.put_webhook_down(choice(which, NAMESPACES), lasts).await,
            Fault::RecordsDeleted => self.delete_any_records(which).await,
            Fault::RecordsDeletedAtWork => self.delete_records_at_work(which).await,
            Fault::UninstalledAtWork => self.uninstall_at_work(which).await,
            Fault::RightsTakenAtWork => self.take_rights_at_work(which, lasts).await,
            Fault::ForeignRecord => self.write_foreign_record(which).await,
        };
        self.journal.note(format_args!("over: {fault:?}{}", if befell { "" } else { ", of nothing" }));
        self.done.lock().expect("no panic").push(Suffered { fault, befell });
    }

    async fn wait(&self, lasts: Duration) {
        let _ = tokio::time::timeout(lasts, self.calm.cancelled()).await;
    }

    /// Waits for one's turn; none when all of it is to end.
    async fn turn<'a>(&self, of: &'a tokio::sync::Mutex<()>) -> Option<MutexGuard<'a, ()>> {
        let turn = of.lock().await;
        (!self.calm.is_cancelled()).then_some(turn)
    }
}

/// A number below `of`.
fn choice(which: u64, of: usize) -> usize {
    which.checked_rem(of as u64).and_then(|index| usize::try_from(index).ok()).unwrap_or_default()
}

/// Does what must be done, however long the cluster is away.
async fn insist<T, E, F: Future<Output = Result<T, E>>>(act: impl Fn() -> F) -> T {
    let insisting = async {
        loop {
            match act().await {
                Ok(done) => return done,
                Err(_) => tokio::time::sleep(TRY_AGAIN_AFTER).await,
            }
        }
    };
    tokio::time::timeout(PATIENCE, insisting).await.expect("done in time")
}
