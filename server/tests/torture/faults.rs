//! Makes what goes wrong, and sets it right again.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, ListParams, PostParams};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use testbed::{Answer, Effect, Matcher, Rule, Times, WatchFault};
use tokio_util::sync::CancellationToken;

use crate::evidence::{OPERATIONS, Span};
use crate::plan::{Blow, Fault, Line, Process};
use crate::world::{PATIENCE, World, command_line, give_rights, namespace, processes, release, take_rights};

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
    /// What was done, in words.
    done: Mutex<Vec<String>>,
}

impl Faults {
    /// None yet.
    pub fn new(world: Arc<World>, calm: CancellationToken) -> Self {
        let (outages, outage, done) = (Mutex::default(), tokio::sync::Mutex::default(), Mutex::default());
        Self { world, calm, outages, outage, done }
    }

    /// When the API server or its store were away.
    pub fn outages(&self) -> Vec<Span> {
        self.outages.lock().expect("no panic").clone()
    }

    /// What was done, in words.
    pub fn done(&self) -> Vec<String> {
        self.done.lock().expect("no panic").clone()
    }

    /// Makes a fault that lasts for a while, and returns when it has been set right. `seed` decides about chances.
    pub async fn suffer(&self, fault: Fault, lasts: Duration, seed: u64) {
        let what = match fault {
            Fault::Helm(line) => self.on_the_line(line, Matcher::any().agent("Helm/"), lasts, seed).await,
            Fault::Slipway(line) => {
                let records = Matcher::any().path(format!("/namespaces/{OPERATIONS}/"));
                self.on_the_line(line, records, lasts, seed).await
            }
            Fault::Process(process, blow, which) => self.strike(process, blow, which, lasts).await,
            Fault::Server(which) => {
                let servers = self.world.servers.iter().enumerate();
                let servers: Vec<_> = servers.filter(|(at, _)| which.is_none_or(|which| which == *at)).collect();
                for (_, server) in &servers {
                    server.kill().await;
                }
                self.wait(lasts).await;
                for (_, server) in &servers {
                    server.start().await;
                }
                format!("{} servers killed", servers.len())
            }
            Fault::ApiServerDead | Fault::ApiServerStill | Fault::EtcdDead | Fault::EtcdStill => {
                self.outage(fault, lasts).await
            }
            Fault::RecordsDeleted(number) => self.delete_records(number).await,
            Fault::RightsTaken(number) => {
                let (admin, namespace) = (&self.world.admin, namespace(number));
                insist(|| take_rights(admin, &namespace)).await;
                self.wait(lasts).await;
                insist(|| give_rights(admin, &namespace)).await;
                format!("rights taken in {namespace}")
            }
            Fault::ForeignRecord(number) => self.foreign_record(number).await,
        };
        tracing::info!(fault = what, "over");
        self.done.lock().expect("no panic").push(what);
    }

    async fn wait(&self, lasts: Duration) {
        let _ = tokio::time::timeout(lasts, self.calm.cancelled()).await;
    }

    async fn on_the_line(&self, line: Line, on: Matcher, lasts: Duration, seed: u64) -> String {
        let add = |matcher: &Matcher| -> Vec<Rule> {
            let (times, effect) = effect(line, seed);
            let proxies = self.world.proxies.iter();
            proxies.map(|proxy| proxy.add(matcher.clone(), times, effect.clone())).collect()
        };
        let rules = add(&on.clone());
        self.wait(lasts).await;
        let mut hits = 0;
        for (proxy, rule) in self.world.proxies.iter().zip(&rules) {
            proxy.remove(rule);
            hits += proxy.hits(rule);
        }
        format!("{line:?} {hits} times")
    }

    async fn strike(&self, process: Process, blow: Blow, which: u64, lasts: Duration) -> String {
        let role = match process {
            Process::Runner => "run-operation",
            Process::Watchdog => "watch-helm",
            Process::Helm => "helm",
        };
        let folder = self.world.folder.path();
        let numbers = processes(folder).into_iter().filter(|(_, is)| is == role);
        let numbers: Vec<i32> = numbers.map(|(number, _)| number).collect();
        let Some(index) = u64::try_from(numbers.len()).ok().and_then(|count| which.checked_rem(count)) else {
            return format!("no {role} to strike");
        };
        let number = numbers[usize::try_from(index).unwrap_or_default()];
        let Some(pid) = Pid::from_raw(number) else { return "no such process".into() };
        let line = command_line(number);
        match blow {
            Blow::Kill => {
                let _ = kill_process(pid, Signal::KILL);
                format!("{role} killed")
            }
            Blow::Stop => {
                let _ = kill_process(pid, Signal::STOP);
                self.wait(lasts).await;
                // Nobody else has its number: it cannot end while it stands still, but for a kill.
                if command_line(number) == line {
                    let _ = kill_process(pid, Signal::CONT);
                }
                format!("{role} stopped")
            }
        }
    }

    async fn outage(&self, fault: Fault, lasts: Duration) -> String {
        let _one = self.outage.lock().await;
        let cluster = &self.world.cluster;
        let from = Timestamp::now();
        let begun = match fault {
            Fault::ApiServerDead => cluster.stop_api_server().await,
            Fault::ApiServerStill => cluster.pause_api_server().await,
            Fault::EtcdDead => cluster.stop_etcd().await,
            _ => cluster.pause_etcd().await,
        };
        begun.expect("an outage");
        self.wait(lasts).await;
        let ended = match fault {
            Fault::ApiServerDead => cluster.start_api_server().await,
            Fault::ApiServerStill => cluster.resume_api_server().await,
            Fault::EtcdDead => cluster.start_etcd().await,
            _ => cluster.resume_etcd().await,
        };
        ended.expect("its end");
        // Requests that it held up may be answered a little later.
        self.outages.lock().expect("no panic").push(Span { from, to: Timestamp::now() });
        format!("{fault:?} for {} s", lasts.as_secs())
    }

    async fn delete_records(&self, number: usize) -> String {
        let release = release(number);
        let secrets = Api::<Secret>::namespaced(self.world.vandal.clone(), &release.namespace);
        let which = ListParams::default().labels(&format!("owner=helm,name={}", release.name));
        match secrets.delete_collection(&kube::api::DeleteParams::default(), &which).await {
            Ok(_) => format!("records of {release} deleted"),
            Err(_) => "records could not be deleted".into(),
        }
    }

    async fn foreign_record(&self, number: u64) -> String {
        let name = format!("slipway.op.v1.foreign-{number:x}");
        let secret = json!({
            "metadata": { "name": name, "labels": { "owner": "slipway" } },
            "type": "slipway.dev/operation.v1",
            "stringData": { "operation": "{\"id\": 7" },
        });
        let secret: Secret = serde_json::from_value(secret).expect("a Secret");
        let secrets = Api::<Secret>::namespaced(self.world.vandal.clone(), OPERATIONS);
        match secrets.create(&PostParams::default(), &secret).await {
            Ok(_) => "a foreign record written".into(),
            Err(_) => "a foreign record could not be written".into(),
        }
    }
}

/// Does what must be done, however long the cluster is away.
async fn insist<F: Future<Output = kube::Result<()>>>(act: impl Fn() -> F) {
    let insisting = async {
        while act().await.is_err() {
            tokio::time::sleep(TRY_AGAIN_AFTER).await;
        }
    };
    tokio::time::timeout(PATIENCE, insisting).await.expect("done in time");
}

fn effect(line: Line, seed: u64) -> (Times, Effect) {
    let watch = |fault| (Times::Always, Effect::Watch(fault));
    let some = Times::OneIn(4, seed);
    match line {
        Line::QuotaConflict => (Times::First(3), Effect::Answer(Answer::quota_conflict("compute"))),
        Line::TooMany => (some, Effect::Answer(Answer::too_many_requests(1))),
        Line::InternalError => (some, Effect::Answer(Answer::internal_error("etcdserver: request timed out"))),
        Line::Unavailable => (some, Effect::Answer(Answer::unavailable())),
        Line::Reset => (some, Effect::Reset { after: 40 }),
        Line::AnswerLost => (some, Effect::LoseAnswer),
        Line::Late => (some, Effect::Delay(Duration::from_secs(2))),
        Line::Hang => (some, Effect::Hang),
        Line::HandshakeHangs => (some, Effect::HangHandshake),
        Line::WatchGone => watch(WatchFault::GoneAfter(2)),
        Line::WatchClosed => watch(WatchFault::CloseAfter(3)),
        Line::WatchDouble => watch(WatchFault::Double),
        Line::WatchSwap => watch(WatchFault::Swap),
        Line::NoBookmarks => watch(WatchFault::DropBookmarks),
    }
}
