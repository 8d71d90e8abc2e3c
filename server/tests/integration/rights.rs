//! That a caller gets what their own rights allow, whatever the server itself may read.

use std::sync::Arc;
use std::time::Duration;

use app::model::{
    Accepted, ApiError, ChartSource, Operation, OperationId, OperationKind, OperationOptions, ReleaseKey,
    SubmitOperation,
};
use app::port::{Backend, Caller};
use server::backend::{Feed, Streams, World};
use server::charts::Charts;
use server::helm::Generation;
use server::kube::access::Access;
use server::kube::leases::LeaseObjects;
use server::kube::operations::{HelmRecords, OperationSecrets};
use server::kube::version::ClusterVersion;
use server::kube::{Target, connect};
use server::operations::{Launch, Launcher, Operations, ResolvedChart};
use server::releases::{Releases, Scope};
use tokio_util::task::AbortOnDropHandle;

use crate::cluster::cluster;

/// Nobody carries the operations of these tests out: they stay queued.
struct FakeLauncher;

#[async_trait::async_trait]
impl Launcher for FakeLauncher {
    async fn launch(&self, _: &Operation) -> Result<Launch, String> {
        Ok(Launch::Started)
    }
}

/// A server that reads as the admin and is asked by the editor, who may edit in `own` and nothing in `other`.
struct Scenario {
    world: World,
    editor: Caller,
    own: String,
    other: String,
    operation: OperationId,
    _follower: AbortOnDropHandle<()>,
    _data: tempfile::TempDir,
}

fn chart() -> ResolvedChart {
    ResolvedChart::Url { url: "https://charts.example.org/web-1.0.0.tgz".into() }
}

fn install(namespace: &str) -> SubmitOperation {
    SubmitOperation {
        kind: OperationKind::Install,
        namespace: namespace.into(),
        name: "shop".into(),
        chart: Some(ChartSource::Url { url: "https://charts.example.org/web-1.0.0.tgz".into() }),
        values: String::new(),
        options: OperationOptions::default(),
        idempotency_key: None,
    }
}

impl Scenario {
    /// The admin has submitted an install in each of the two namespaces.
    async fn new() -> Self {
        let cluster = cluster().await;
        let mut namespaces = Vec::new();
        for _ in 0..3 {
            namespaces.push(cluster.create_namespace(None).await.unwrap());
        }
        let [own, other, records] = <[String; 3]>::try_from(namespaces).unwrap();
        cluster.grant_edit("editor", &own).await.unwrap();
        let client = |user: &str| {
            let kubeconfig = Some(cluster.kubeconfig(user));
            async move { connect(&Target { kubeconfig, context: None }).await.unwrap() }
        };
        let (admin, editor) = (client("admin").await, client("editor").await);
        let data = tempfile::tempdir().unwrap();
        let operations = Arc::new(Operations::new(
            Arc::new(OperationSecrets::new(admin.clone(), &records)),
            Arc::new(LeaseObjects::new(admin.clone(), &records)),
            Arc::new(HelmRecords(admin.clone())),
            Arc::new(FakeLauncher),
            data.path().into(),
        ));
        let follows = operations.clone();
        let follower = AbortOnDropHandle::new(tokio::spawn(async move { follows.follow().await }));
        operations.submit("admin", install(&own), Some(chart().into())).await.unwrap();
        let Accepted { id, .. } =
            operations.submit("admin", install(&other), Some(chart().into())).await.unwrap();
        let world = World {
            access: Arc::new(Access::new(editor)),
            client: admin.clone(),
            limited_to: Vec::new(),
            cluster_version: ClusterVersion::new(admin.clone()),
            operations_namespace: records.clone(),
            releases: Releases::start(admin, Scope::Cluster, Arc::new(Feed(operations.clone()))),
            operations,
            charts: Charts::start(&[]).unwrap(),
            generation: Generation::Four,
            streams: Streams::default(),
        };
        let editor = Caller { user: "editor".into() };
        let scenario = Self { world, editor, own, other, operation: id, _follower: follower, _data: data };
        scenario.all_is_known().await;
        scenario
    }

    /// Returns when the server itself knows of both releases.
    async fn all_is_known(&self) {
        let mut changes = self.world.operations.changes();
        let known = async {
            while self.world.operations.list(None, None).len() < 2 || !self.world.releases.ready() {
                tokio::select! {
                    changed = changes.changed() => changed.unwrap(),
                    () = tokio::time::sleep(Duration::from_millis(20)) => {}
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(180), known).await.expect("known in time");
    }
}

fn is_forbidden<T: std::fmt::Debug>(answer: Result<T, ApiError>, right: &str) {
    match answer {
        Err(ApiError::Forbidden { message }) => assert!(message.contains(right), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_lists_have_only_what_the_caller_may_see() {
    let Scenario { world, editor, own, other, .. } = &Scenario::new().await;
    let rows = world.releases(editor, None, None).await.unwrap().releases;
    // The editor has rights in other tests' namespaces too.
    let ours = |namespace: &&String| [own, other].contains(namespace);
    assert_eq!(rows.iter().map(|row| &row.key.namespace).filter(ours).collect::<Vec<_>>(), [own]);
    let operations = world.operations(editor, None, None).await.unwrap();
    assert_eq!(operations.iter().map(|it| &it.release.namespace).collect::<Vec<_>>(), [own]);
    let namespaces = world.namespaces(editor).await.unwrap();
    assert!(namespaces.contains(own) && !namespaces.contains(other), "{namespaces:?}");
}

#[tokio::test]
async fn each_call_about_a_release_names_the_right_that_is_missing() {
    let Scenario { world, editor, own, other, .. } = &Scenario::new().await;
    let right = format!("list secrets in namespace {other}");
    let key = ReleaseKey::new(other, "shop");
    is_forbidden(world.releases(editor, Some(other), None).await, &right);
    is_forbidden(world.operations(editor, Some(other), None).await, &right);
    is_forbidden(world.release(editor, &key, None).await, &right);
    is_forbidden(world.history(editor, &key).await, &right);
    is_forbidden(world.values(editor, &key, None).await, &right);
    is_forbidden(world.manifest(editor, &key, None).await, &right);
    is_forbidden(world.notes(editor, &key, None).await, &right);
    let right = format!("create secrets in namespace {other}");
    is_forbidden(world.submit(editor, install(other)).await, &right);
    assert!(world.release(editor, &ReleaseKey::new(own, "shop"), None).await.is_ok());
}

#[tokio::test]
async fn an_operation_that_the_caller_may_not_see_is_not_found() {
    let Scenario { world, editor, operation, .. } = &Scenario::new().await;
    for id in [operation.clone(), OperationId("01939d5e-0000-7000-8000-000000000001".into())] {
        let (one, log) = (world.operation(editor, &id).await, world.operation_log(editor, &id).await);
        assert!(matches!(one, Err(ApiError::NotFound { .. })), "{one:?}");
        assert!(matches!(log, Err(ApiError::NotFound { .. })), "{log:?}");
    }
}
