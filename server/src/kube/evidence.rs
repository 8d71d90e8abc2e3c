//! Sees what happens to a release's hooks and pods while helm works, so that a failure can be told with its cause. A
//! hook's delete policy removes its Job and pods the moment that it has failed: logs are read at the first sign of an end.
//!
//! [`pod`] and [`job`] read objects down to what tells, [`scene`] keeps what is seen, [`report`] puts it into words: all of
//! that is pure. The rest feeds them.

mod job;
pub(super) mod pod;
mod report;
mod scene;

use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use app::model::{Evidence, Failure, FailureClass, Operation, OperationKind, ReleaseKey, Resource, evidence};
use async_trait::async_trait;
use futures::future::join_all;
use futures::io::AsyncReadExt;
use futures::stream::{BoxStream, StreamExt, select_all};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{Event, Pod, Secret};
use kube::api::{Api, LogParams, PartialObjectMeta};
use kube::runtime::watcher;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::records::{self, RECORD_TYPE, RecordMeta};
use super::resources::Discovery;
use super::watch::{Change, follow};
use super::{Client, ClusterError};
use crate::clock::cluster::Clock;
use crate::operations::{Testimony, Witness};
use crate::releases::decode;
use crate::releases::live::Live;
use crate::releases::manifest::{self, ManifestObject};
use job::SeenJob;
use pod::SeenPod;
use report::Report;
use scene::{Members, Scene, SeenEvent, Want};

/// How long helm waits for the first lists: what is in them is from before.
const LISTED_WITHIN: Duration = Duration::from_secs(3);
/// How long to wait at the end for the watches to tell of the hook that helm says has failed.
const TOLD_WITHIN: Duration = Duration::from_secs(2);
/// How long to wait at the end for logs.
const READ_WITHIN: Duration = Duration::from_secs(5);
/// How long to wait at the end for the state of the release's objects.
const JUDGED_WITHIN: Duration = Duration::from_secs(8);
/// How many logs are read at once.
const AT_ONCE: usize = 4;
/// How many lines of a log are asked for: their end is kept. The API server counts a bound in bytes from the first of
/// these lines on, so that it alone would lose the end.
const LOG_LINES: i64 = 60;
/// The most of a log that is fetched, in bytes.
const LOG_FETCH_MAX: u64 = 256 * 1024;

/// Sees with the rights of `client`.
pub struct ClusterWitness {
    client: Client,
}

impl ClusterWitness {
    /// Sees with `client`.
    pub fn new(client: Client) -> Self {
        Self { client }
    }
}

#[async_trait]
impl Witness for ClusterWitness {
    async fn attend(&self, operation: &Operation) -> Box<dyn Testimony> {
        let release = &operation.release;
        let client = self.client.clone();
        let source = Arc::new(Cluster { client, release: release.clone(), turns: Semaphore::new(AT_ONCE) });
        let after = match operation.kind {
            OperationKind::Install | OperationKind::Upgrade | OperationKind::Rollback => {
                operation.base_revision.unwrap_or(0)
            }
            // These write no record of their own: the one that is there has their hooks.
            OperationKind::Uninstall | OperationKind::Test | OperationKind::MarkFailed => 0,
        };
        let observation = Observation::start(source, steps(&self.client, release), after);
        observation.until(LISTED_WITHIN, |seen| seen.scene.is_listed()).await;
        let undone = operation.options.rollback_on_failure;
        Box::new(Account { client: self.client.clone(), release: release.clone(), undone, observation })
    }
}

/// One step of what is watched.
enum Step {
    Job(Change<SeenJob>),
    Pod(Change<SeenPod>),
    Event(Change<SeenEvent>),
    Record(Change<RecordMeta>),
}

/// Follows what can tell of `release`.
fn steps(client: &Client, release: &ReleaseKey) -> BoxStream<'static, Step> {
    let namespace = release.namespace.as_str();
    let all = watcher::Config::default;
    let jobs = follow(Api::<Job>::namespaced(client.clone(), namespace), all())
        .filter_map(|change| ready(change.filter_map(SeenJob::read).map(Step::Job)));
    let pods = follow(Api::<Pod>::namespaced(client.clone(), namespace), all())
        .filter_map(|change| ready(change.filter_map(|pod| Some(SeenPod::read(pod))).map(Step::Pod)));
    // Why a claim is not bound is no warning to Kubernetes.
    let events = ["type=Warning", "reason=FailedBinding"].map(|which| {
        follow(Api::<Event>::namespaced(client.clone(), namespace), all().fields(which))
            .filter_map(|change| ready(change.filter_map(|event| Some(seen(event))).map(Step::Event)))
            .boxed()
    });
    let own =
        all().labels(&format!("owner=helm,name={}", release.name)).fields(&format!("type={RECORD_TYPE}"));
    let release = release.clone();
    let records = follow(Api::<PartialObjectMeta<Secret>>::namespaced(client.clone(), namespace), own)
        .filter_map(move |change| {
            let read = |secret: PartialObjectMeta<Secret>| {
                RecordMeta::read(&secret.metadata).filter(|record| record.key == release)
            };
            ready(change.filter_map(read).map(Step::Record))
        });
    select_all([jobs.boxed(), pods.boxed(), records.boxed()].into_iter().chain(events)).boxed()
}

fn seen(event: Event) -> SeenEvent {
    SeenEvent {
        uid: event.metadata.uid.unwrap_or_default(),
        kind: event.involved_object.kind.unwrap_or_default(),
        name: event.involved_object.name.unwrap_or_default(),
        reason: event.reason.unwrap_or_default(),
        message: event.message.unwrap_or_default(),
    }
}

/// What has to be asked for when the watches tell of it.
#[async_trait]
trait Source: Send + Sync + 'static {
    /// The end of a container's log.
    async fn log(&self, want: &Want) -> Result<String, ClusterError>;
    /// The objects of a revision.
    async fn objects(&self, revision: u32) -> Result<Vec<ManifestObject>, ClusterError>;
}

/// The cluster, for one release.
struct Cluster {
    client: Client,
    release: ReleaseKey,
    turns: Semaphore,
}

#[async_trait]
impl Source for Cluster {
    async fn log(&self, want: &Want) -> Result<String, ClusterError> {
        // The semaphore is never closed; if it were, one turn too many would be no harm.
        let _turn = self.turns.acquire().await.ok();
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), &self.release.namespace);
        let which = LogParams {
            container: Some(want.container.clone()),
            previous: want.previous,
            tail_lines: Some(LOG_LINES),
            limit_bytes: i64::try_from(LOG_FETCH_MAX).ok(),
            ..LogParams::default()
        };
        let log = timeout(READ_WITHIN, async {
            let mut log = Vec::new();
            let stream = pods.log_stream(&want.pod, &which).await?;
            let read = Box::pin(stream).take(LOG_FETCH_MAX).read_to_end(&mut log).await;
            // What was read before it broke off is worth having.
            match read {
                Err(error) if log.is_empty() => Err(ClusterError::Unreachable(error.to_string())),
                _ => Ok(log),
            }
        });
        let log = log.await.map_err(|_| ClusterError::Unreachable("no answer in time".to_owned()))??;
        Ok(evidence::end(&String::from_utf8_lossy(&log), evidence::CONTAINER_LOG_MAX).to_owned())
    }

    async fn objects(&self, revision: u32) -> Result<Vec<ManifestObject>, ClusterError> {
        let payload = records::payload(&self.client, &self.release, revision).await?;
        let namespace = self.release.namespace.clone();
        let read =
            move || decode::full(&payload.bytes, &namespace).map(|record| manifest::objects(&record).objects);
        let read = tokio::task::spawn_blocking(read).await;
        let read = read.map_err(|error| ClusterError::Unreadable(error.to_string()))?;
        read.map_err(|error| ClusterError::Unreadable(error.to_string()))
    }
}

/// What was seen so far.
#[derive(Default)]
struct Seen {
    scene: Scene,
    /// The objects of the release; empty until its record is there.
    objects: Vec<ManifestObject>,
}

/// What the watching task and whoever asks it share.
struct Shared {
    seen: Mutex<Seen>,
    changed: watch::Sender<()>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update<T>(&self, with: impl FnOnce(&mut Seen) -> T) -> T {
        let result = with(&mut self.lock());
        self.changed.send_replace(());
        result
    }

    async fn read_log(&self, source: &dyn Source, want: Want) {
        let told = source.log(&want).await.map_err(|error| words(&error));
        self.update(|seen| seen.scene.read(&want, told));
    }

    async fn read_objects(&self, source: &dyn Source, revision: u32) -> bool {
        let objects = match source.objects(revision).await {
            Ok(objects) => objects,
            Err(error) => {
                tracing::warn!(revision, %error, "which objects the release has cannot be read");
                return false;
            }
        };
        let named = |object: &ManifestObject| (object.object.kind.clone(), object.object.name.clone());
        let of = |hooks: bool| objects.iter().filter(|it| it.hook.is_some() == hooks).map(named).collect();
        let members = Members { hooks: of(true), objects: of(false) };
        self.update(|seen| {
            seen.scene.set_members(members);
            seen.objects = objects;
        });
        true
    }
}

/// Watches from [`Observation::start`] until it is dropped.
struct Observation {
    shared: Arc<Shared>,
    source: Arc<dyn Source>,
    _task: AbortOnDropHandle<()>,
}

impl Observation {
    /// Takes `steps`, and asks `source` for what they call for. The release's record is the first above `after`.
    fn start(source: Arc<dyn Source>, steps: BoxStream<'static, Step>, after: u32) -> Self {
        let shared = Arc::new(Shared { seen: Mutex::default(), changed: watch::Sender::new(()) });
        let task = tokio::spawn(observe(shared.clone(), source.clone(), steps, after));
        Self { shared, source, _task: AbortOnDropHandle::new(task) }
    }

    /// Waits until `is_there`, and no longer than `within`.
    async fn until(&self, within: Duration, is_there: impl Fn(&Seen) -> bool) {
        let mut changes = self.shared.changed.subscribe();
        let _ = timeout(within, changes.wait_for(|()| is_there(&self.shared.lock()))).await;
    }

    /// Reads the last logs of `pods`, and waits for those that are being read.
    async fn read_last(&self, pods: &[String]) {
        let wants = self.shared.lock().scene.last_wants(pods);
        let reads = wants.into_iter().map(|want| self.shared.read_log(&*self.source, want));
        let _ = timeout(READ_WITHIN, join_all(reads)).await;
        self.until(READ_WITHIN, |seen| !seen.scene.is_reading()).await;
    }
}

async fn observe(
    shared: Arc<Shared>,
    source: Arc<dyn Source>,
    mut steps: BoxStream<'static, Step>,
    after: u32,
) {
    let mut reads = JoinSet::new();
    let mut newest = after;
    let mut is_known = false;
    loop {
        let step = tokio::select! {
            step = steps.next() => match step {
                Some(step) => step,
                None => break,
            },
            Some(_) = reads.join_next() => continue,
        };
        let mut record = None;
        let wants = shared.update(|seen| {
            match step {
                Step::Job(change) => seen.scene.apply_job(change),
                Step::Pod(change) => seen.scene.apply_pod(change),
                Step::Event(change) => seen.scene.apply_event(change),
                // Of a list, which comes in the order of names, the newest.
                Step::Record(Change::Listed(it)) => newest = newest.max(it.revision),
                Step::Record(Change::Written(it)) if it.revision > after => record = Some(it.revision),
                Step::Record(Change::Complete) if newest > after => record = Some(newest),
                Step::Record(_) => {}
            }
            seen.scene.wants()
        });
        for want in wants {
            let (shared, source) = (shared.clone(), source.clone());
            reads.spawn(async move { shared.read_log(&*source, want).await });
        }
        // A later revision is of a rollback, or of another attempt with the same objects.
        if let Some(revision) = record.filter(|_| !is_known) {
            is_known = shared.read_objects(&*source, revision).await;
        }
    }
    while reads.join_next().await.is_some() {}
}

/// What was seen during one attempt, and the means to look closer at its end.
struct Account {
    client: Client,
    release: ReleaseKey,
    undone: bool,
    observation: Observation,
}

#[async_trait]
impl Testimony for Account {
    async fn explain(self: Box<Self>, failure: &Failure) -> Vec<Evidence> {
        use FailureClass::{Hook, Permanent, Test, TimedOut, Unknown};
        let found = match failure.class {
            Hook | Test | TimedOut | Unknown => self.hooks(failure).await,
            Permanent => self.report(|report| report.refused(failure)).into_iter().collect(),
            _ => return Vec::new(),
        };
        let found = match failure.class {
            Hook | TimedOut if found.is_empty() => self.resources().await,
            _ => found,
        };
        let found = match failure.class {
            Hook | Test | TimedOut if found.is_empty() => {
                self.report(|report| report.blind()).into_iter().collect()
            }
            _ => found,
        };
        evidence::bounded(found)
    }
}

impl Account {
    fn report<T>(&self, told: impl FnOnce(&Report<'_>) -> T) -> T {
        let seen = self.observation.shared.lock();
        told(&Report { scene: &seen.scene, namespace: &self.release.namespace })
    }

    async fn hooks(&self, failure: &Failure) -> Vec<Evidence> {
        if matches!(failure.class, FailureClass::Hook | FailureClass::Test) {
            self.observation.until(TOLD_WITHIN, has_failed_hook).await;
        }
        let pods = self.report(|report| report.pods_of_hooks(failure));
        self.observation.read_last(&pods).await;
        self.report(|report| report.hooks(failure))
    }

    async fn resources(&self) -> Vec<Evidence> {
        let resources = self.live().await;
        let pods = self.report(|report| report.pods_of_resources(&resources));
        self.observation.read_last(&pods).await;
        self.report(|report| report.resources(&resources, self.undone))
    }

    /// The release's objects as they are now.
    async fn live(&self) -> Vec<Resource> {
        let objects = self.observation.shared.lock().objects.clone();
        let objects = objects.into_iter().filter(|object| object.hook.is_none()).collect();
        let discovery = Arc::new(Discovery::new(self.client.clone()));
        // Nothing is asked of it that has a time.
        let clock = Clock::default();
        let mut live =
            Live::follow((&self.client, &clock), &discovery, objects, &self.release.namespace, None);
        let settled = async {
            while !live.is_settled() {
                live.changed().await;
            }
        };
        let _ = timeout(JUDGED_WITHIN, settled).await;
        live.resources()
    }
}

/// Whether the hook that failed is seen, with its pods where these can be seen.
fn has_failed_hook(seen: &Seen) -> bool {
    let mut failed = seen.scene.hooks().into_iter().filter(report::has_failed);
    failed.any(|hook| !hook.pods.is_empty() || !seen.scene.sees_pods())
}

/// What the cluster said, without our own words about it.
fn words(error: &ClusterError) -> String {
    match error {
        ClusterError::Unreachable(message) | ClusterError::Invalid(message) => message.clone(),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
