//! Makes what goes wrong, and sets it right again.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, DeleteParams, ListParams, PostParams};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use testbed::{Answer, Effect, Matcher, Rule, Times, WatchFault};
use tokio_util::sync::CancellationToken;

use crate::evidence::{OPERATIONS, Span};
use crate::journal::Journal;
use crate::plan::{Blow, Fault, Line, Process};
use crate::world::{PATIENCE, World, command_line, give_rights, namespace, processes, release, take_rights};

/// How long to wait before something that must be done is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(500);

/// How soon to look again for a process to strike.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(20);

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
    journal: Arc<Journal>,
}

impl Faults {
    /// None yet.
    pub fn new(world: Arc<World>, calm: CancellationToken, journal: Arc<Journal>) -> Self {
        let (outages, outage, done) = (Mutex::default(), tokio::sync::Mutex::default(), Mutex::default());
        Self { world, calm, outages, outage, done, journal }
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
    pub fn end(&self) {
        self.world.proxies.iter().for_each(testbed::FaultProxy::clear);
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
        self.journal.note(format_args!("begins: {fault:?} for {lasts:?}"));
        let what = match fault {
            Fault::Helm(line) => self.on_the_line(line, requests(line).agent("Helm/"), lasts, seed).await,
            Fault::Slipway(line) => {
                let requests = requests(line);
                // A server watches more than its own records.
                let records = if line.is_of_watches() { requests } else { requests.path(own_records()) };
                self.on_the_line(line, records, lasts, seed).await
            }
            Fault::Process(process, blow, which) => self.strike(process, blow, which, lasts).await,
            Fault::Server(which) => {
                let servers = self.world.servers.iter().enumerate();
                let servers: Vec<_> =
                    servers.filter(|(at, _)| which.is_none_or(|which| which == *at)).collect();
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
                "rights taken".into()
            }
            Fault::ForeignRecord(number) => self.foreign_record(number).await,
        };
        self.journal.note(format_args!("over: {fault:?}: {what}"));
        self.done.lock().expect("no panic").push(what);
    }

    async fn wait(&self, lasts: Duration) {
        let _ = tokio::time::timeout(lasts, self.calm.cancelled()).await;
    }

    async fn on_the_line(&self, line: Line, on: Matcher, lasts: Duration, seed: u64) -> String {
        let (times, effect) = effect(line, seed);
        let proxies = self.world.proxies.iter();
        let rules: Vec<Rule> = proxies.map(|proxy| proxy.add(on.clone(), times, effect.clone())).collect();
        self.wait(lasts).await;
        let mut hits = 0;
        for (proxy, rule) in self.world.proxies.iter().zip(&rules) {
            proxy.remove(rule);
            hits += proxy.hits(rule);
        }
        format!("{line:?}{}", if hits == 0 { " of nothing" } else { "" })
    }

    async fn strike(&self, process: Process, blow: Blow, which: u64, lasts: Duration) -> String {
        let role = match process {
            Process::Runner => "run-operation",
            Process::Watchdog => "watch-helm",
            Process::Helm => "helm",
        };
        let Some(number) = self.pick(role, which).await else { return format!("no {role} to strike") };
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

    /// A process of that role; waited for, if there is none yet.
    async fn pick(&self, role: &str, which: u64) -> Option<i32> {
        let looking = async {
            loop {
                let all = processes(self.world.folder.path()).into_iter();
                let numbers: Vec<i32> = all.filter(|(_, is)| is == role).map(|(number, _)| number).collect();
                let index =
                    which.checked_rem(numbers.len() as u64).and_then(|index| usize::try_from(index).ok());
                match index.and_then(|index| numbers.get(index)) {
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
        format!("{fault:?}")
    }

    async fn delete_records(&self, number: usize) -> String {
        let release = release(number);
        let secrets = Api::<Secret>::namespaced(self.world.vandal.clone(), &release.namespace);
        let which = ListParams::default().labels(&format!("owner=helm,name={}", release.name));
        // One by one: the audit log has no name for a collection.
        let delete = || async {
            for secret in secrets.list_metadata(&which).await? {
                let name = secret.metadata.name.unwrap_or_default();
                match secrets.delete(&name, &DeleteParams::default()).await {
                    // helm was first.
                    Err(kube::Error::Api(status)) if status.code == 404 => {}
                    done => drop(done?),
                }
            }
            Ok(())
        };
        insist(delete).await;
        "records deleted by hand".into()
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
        let params = PostParams::default();
        insist(|| async {
            match secrets.create(&params, &secret).await {
                // Done before, and not answered.
                Err(kube::Error::Api(status)) if status.code == 409 => Ok(()),
                done => done.map(drop),
            }
        })
        .await;
        "a foreign record written".into()
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

/// What is in the address of each request about Slipway's own records and Leases.
fn own_records() -> String {
    format!("/namespaces/{OPERATIONS}/")
}

/// Which requests it befalls.
fn requests(line: Line) -> Matcher {
    match line {
        _ if line.is_of_watches() => Matcher::watches(),
        Line::QuotaConflict | Line::AnswerLost | Line::Late => Matcher::writes(),
        _ => Matcher::any(),
    }
}

fn effect(line: Line, seed: u64) -> (Times, Effect) {
    let watch = |fault| (Times::Always, Effect::Watch(fault));
    let some = Times::OneIn(4, seed);
    match line {
        Line::QuotaConflict => (Times::First(3), Effect::Answer(Answer::quota_conflict("compute"))),
        Line::TooMany => (some, Effect::Answer(Answer::too_many_requests(1))),
        Line::InternalError => {
            (some, Effect::Answer(Answer::internal_error("etcdserver: request timed out")))
        }
        Line::Unavailable => (some, Effect::Answer(Answer::unavailable())),
        Line::Reset => (some, Effect::Reset { after: 40 }),
        Line::AnswerLost => (some, Effect::LoseAnswer),
        Line::Late => (Times::Always, Effect::Delay(Duration::from_secs(2))),
        Line::Hang => (some, Effect::Hang),
        Line::HandshakeHangs => (some, Effect::HangHandshake),
        Line::WatchGone => watch(WatchFault::GoneAfter(2)),
        Line::WatchClosed => watch(WatchFault::CloseAfter(3)),
        Line::WatchDouble => watch(WatchFault::Double),
        Line::WatchSwap => watch(WatchFault::Swap),
        Line::NoBookmarks => watch(WatchFault::DropBookmarks),
    }
}
