//! The watching task on scripted steps and a scripted cluster.

use std::collections::HashMap;

use app::model::ObjectRef;
use futures::channel::mpsc::{UnboundedSender, unbounded};

use super::*;
use crate::kube::evidence::pod::tests::{crashing, exited, job_pod, pod};
use crate::kube::evidence::scene::tests::job;
use crate::releases::manifest::HookState;

/// Has logs and manifests, and remembers what it was asked for.
#[derive(Default)]
struct FakeCluster {
    logs: Mutex<HashMap<String, Result<String, ClusterError>>>,
    asked: Mutex<Vec<Want>>,
    manifests: Mutex<Vec<u32>>,
}

#[async_trait]
impl Source for FakeCluster {
    async fn log(&self, want: &Want) -> Result<String, ClusterError> {
        self.asked.lock().unwrap().push(want.clone());
        let log = self.logs.lock().unwrap().get(&want.pod).cloned();
        log.unwrap_or_else(|| Err(ClusterError::NotFound(want.pod.clone())))
    }

    async fn objects(&self, revision: u32) -> Result<Vec<ManifestObject>, ClusterError> {
        self.manifests.lock().unwrap().push(revision);
        let object = |kind: &str, name: &str, hook| ManifestObject {
            object: ObjectRef {
                api_version: "v1".into(),
                kind: kind.into(),
                namespace: None,
                name: name.into(),
            },
            source: String::new(),
            hook,
        };
        let hook = HookState { events: vec!["pre-install".into()], ..HookState::default() };
        Ok(vec![object("Deployment", "web", None), object("Job", "migrate", Some(hook))])
    }
}

struct Stage {
    cluster: Arc<FakeCluster>,
    steps: UnboundedSender<Step>,
    observation: Observation,
}

fn stage(after: u32) -> Stage {
    let cluster = Arc::new(FakeCluster::default());
    let (steps, script) = unbounded();
    let observation = Observation::start(cluster.clone(), script.boxed(), after);
    Stage { cluster, steps, observation }
}

impl Stage {
    fn has_log(&self, pod: &str, log: Result<&str, ClusterError>) {
        self.cluster.logs.lock().unwrap().insert(pod.into(), log.map(str::to_owned));
    }

    fn happens(&self, steps: impl IntoIterator<Item = Step>) {
        steps.into_iter().for_each(|step| self.steps.unbounded_send(step).unwrap());
    }

    async fn is_seen(&self, what: impl Fn(&Seen) -> bool) {
        let seen = async {
            self.observation.until(Duration::from_secs(60), &what).await;
            what(&self.observation.shared.lock())
        };
        assert!(seen.await, "it is never seen");
    }

    async fn hooks(&self) -> Vec<Evidence> {
        self.observation.read_last(&[]).await;
        let failure = Failure::told_by_helm("Error: job failed: BackoffLimitExceeded");
        let seen = self.observation.shared.lock();
        Report { scene: &seen.scene, namespace: "shop" }.hooks(&failure)
    }
}

fn record(revision: u32) -> RecordMeta {
    crate::operations::fakes::record(revision, app::model::RecordStatus::PendingInstall)
}

fn a_hook_fails_and_is_removed() -> [Step; 6] {
    [
        Step::Job(Change::Complete),
        Step::Pod(Change::Complete),
        Step::Job(Change::Written(job("migrate", None))),
        Step::Pod(Change::Written(job_pod("migrate-x", &exited(3)))),
        Step::Job(Change::Removed(job("migrate", None))),
        Step::Pod(Change::Removed(job_pod("migrate-x", &exited(3)))),
    ]
}

#[tokio::test(start_paused = true)]
async fn the_log_of_a_hook_that_is_removed_at_once_is_kept() {
    let stage = stage(0);
    stage.has_log("migrate-x", Ok("relation \"orders\" does not exist"));
    stage.happens(a_hook_fails_and_is_removed());
    stage.is_seen(|seen| seen.scene.hooks().iter().any(report::has_failed)).await;
    let told = stage.hooks().await;
    assert_eq!(told[0].reason, "Job shop/migrate failed: container migrate exited with 3.");
    let container = &told[0].pods[0].containers[0];
    assert_eq!(container.log, "relation \"orders\" does not exist");
    assert_eq!(stage.cluster.asked.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_log_that_may_not_be_read_is_told_of_and_keeps_nothing_else_back() {
    let stage = stage(0);
    stage.has_log("migrate-x", Err(ClusterError::Forbidden("pods \"migrate-x\" is forbidden: no".into())));
    stage.happens(a_hook_fails_and_is_removed());
    stage.is_seen(|seen| seen.scene.hooks().iter().any(report::has_failed)).await;
    let told = stage.hooks().await;
    let container = &told[0].pods[0].containers[0];
    let words = "The log could not be read: pods \"migrate-x\" is forbidden: no";
    assert_eq!((container.exit_code, container.log_missing.as_deref()), (Some(3), Some(words)));
}

#[tokio::test(start_paused = true)]
async fn whoever_may_not_see_pods_still_waits_for_the_job_to_be_told_of() {
    let stage = stage(0);
    let forbidden = || ClusterError::Forbidden("no".into());
    stage.happens([Step::Job(Change::Complete), Step::Pod(Change::Failed(forbidden()))]);
    stage.is_seen(|seen| seen.scene.is_listed()).await;
    assert!(!has_failed_hook(&stage.observation.shared.lock()));
    stage.happens([Step::Job(Change::Written(job("migrate", Some("BackoffLimitExceeded"))))]);
    stage.is_seen(has_failed_hook).await;
    assert!(stage.hooks().await[0].reason.starts_with("Job shop/migrate failed: BackoffLimitExceeded"));
}

#[tokio::test(start_paused = true)]
async fn the_manifest_is_read_once_from_the_revision_that_the_attempt_writes() {
    let stage = stage(1);
    stage.happens([
        Step::Record(Change::Listed(record(1))),
        Step::Record(Change::Complete),
        Step::Record(Change::Written(record(1))),
        Step::Record(Change::Written(record(2))),
        Step::Record(Change::Written(record(3))),
        Step::Pod(Change::Written(pod("web-x", &crashing(1)))),
    ]);
    stage.is_seen(|seen| seen.objects.len() == 2).await;
    stage.is_seen(|seen| !seen.scene.pods_of("Deployment", "web").is_empty()).await;
    stage.observation.read_last(&[]).await;
    assert_eq!(*stage.cluster.manifests.lock().unwrap(), [2]);
    assert!(stage.cluster.asked.lock().unwrap()[0].previous);
}

#[tokio::test(start_paused = true)]
async fn without_a_record_of_its_own_the_newest_one_counts() {
    let stage = stage(0);
    // As the API server lists them: v1, v10, v9.
    stage.happens([1, 10, 9].map(|revision| Step::Record(Change::Listed(record(revision)))));
    stage.happens([Step::Record(Change::Complete)]);
    stage.is_seen(|seen| !seen.objects.is_empty()).await;
    assert_eq!(*stage.cluster.manifests.lock().unwrap(), [10]);
}

#[tokio::test]
async fn of_a_log_the_last_lines_are_asked_for_and_read_within_a_bound() {
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let uris = asked.clone();
    let service = tower::service_fn(move |request: axum::http::Request<kube::client::Body>| {
        uris.lock().unwrap().push(request.uri().to_string());
        let mut log = b"a line\n".repeat(100_000);
        log.extend_from_slice(b"no letter: \xff\nthe end");
        log.drain(..log.len() - 200_000);
        async { Ok::<_, std::convert::Infallible>(axum::http::Response::new(kube::client::Body::from(log))) }
    });
    let client = Client::new(service, "default");
    let release = ReleaseKey::new("shop", "web");
    let cluster = Cluster { client, release, turns: Semaphore::new(1) };
    let want = Want { uid: "u".into(), pod: "migrate-x".into(), container: "migrate".into(), previous: true };
    let log = cluster.log(&want).await.unwrap();
    assert!(log.starts_with("a line\n") && log.ends_with("no letter: \u{fffd}\nthe end"), "{log}");
    assert!(log.len() <= evidence::CONTAINER_LOG_MAX);
    let asked = asked.lock().unwrap().remove(0);
    assert!(asked.starts_with("/api/v1/namespaces/shop/pods/migrate-x/log?"), "{asked}");
    for part in ["container=migrate", "previous=true", "tailLines=60", "limitBytes=262144"] {
        assert!(asked.contains(part), "{asked}");
    }
}

#[test]
fn a_job_is_read_as_far_as_it_tells() {
    let read = |annotations: serde_json::Value, conditions: serde_json::Value| {
        let job = serde_json::json!({"metadata": {"name": "migrate", "uid": "u", "annotations": annotations},
                                     "status": {"conditions": conditions}});
        SeenJob::read(serde_json::from_value(job).unwrap())
    };
    let hook = serde_json::json!({"helm.sh/hook": "pre-install"});
    assert_eq!(read(serde_json::json!({}), serde_json::json!([])), None, "no hook");
    let done = read(hook.clone(), serde_json::json!([{"type": "Complete", "status": "True"}])).unwrap();
    assert!(done.is_done && done.failed.is_none());
    let failed = serde_json::json!([{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded",
                                     "message": "Job has reached the specified backoff limit"}]);
    let failed = read(hook, failed).unwrap();
    assert_eq!(failed.words(), "BackoffLimitExceeded: Job has reached the specified backoff limit");
}
