//! That a caller gets what their own rights allow, whatever the server itself may read.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use app::model::{
    Accepted, ApiError, ChartSource, Operation, OperationId, OperationKind, OperationOptions, OperationState,
    ReleaseKey, SubmitOperation,
};
use app::port::{Backend, Caller};
use k8s_openapi::api::rbac::v1::PolicyRule;
use server::backend::{Feed, Streams, World};
use server::charts::Charts;
use server::clock::cluster::Clock;
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

/// A server that reads as the admin and is asked by the editor, who may edit in `own`, list secrets in `seen`, and do nothing
/// in `other`.
struct Scenario {
    world: World,
    editor: Caller,
    own: String,
    seen: String,
    other: String,
    /// The operation in `seen`.
    readable: OperationId,
    /// The one in `other`.
    hidden: OperationId,
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
    /// The admin has submitted an install in each of the three namespaces.
    async fn new() -> Self {
        let cluster = cluster().await;
        let mut namespaces = Vec::new();
        for _ in 0..4 {
            namespaces.push(cluster.create_namespace(None).await.unwrap());
        }
        let [own, seen, other, records] = <[String; 4]>::try_from(namespaces).unwrap();
        cluster.grant_edit("editor", &own).await.unwrap();
        let reading = PolicyRule {
            api_groups: Some(vec![String::new()]),
            resources: Some(vec!["secrets".into()]),
            verbs: ["get", "list", "watch"].map(str::to_owned).into(),
            ..PolicyRule::default()
        };
        cluster.grant_rules("editor", &[reading], &seen).await.unwrap();
        let client = |user: &str| {
            let kubeconfig = Some(cluster.kubeconfig(user));
            async move { connect(&Target { kubeconfig, context: None }, &Clock::default()).await.unwrap() }
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
        let Accepted { id: readable, .. } =
            operations.submit("admin", install(&seen), Some(chart().into())).await.unwrap();
        let Accepted { id: hidden, .. } =
            operations.submit("admin", install(&other), Some(chart().into())).await.unwrap();
        let world = World {
            access: Arc::new(Access::new(editor)),
            client: admin.clone(),
            limited_to: Vec::new(),
            cluster_version: ClusterVersion::new(admin.clone()),
            operations_namespace: records.clone(),
            context: None,
            releases: Releases::start(
                admin,
                Clock::default(),
                Scope::Cluster,
                Arc::new(Feed(operations.clone())),
            ),
            operations,
            charts: Charts::start(&[]).unwrap(),
            generation: Generation::Four,
            streams: Streams::default(),
            clock: Clock::default(),
        };
        let editor = Caller { user: "editor".into() };
        let (_follower, _data) = (follower, data);
        let scenario = Self { world, editor, own, seen, other, readable, hidden, _follower, _data };
        scenario.all_is_known().await;
        scenario
    }

    /// Returns when the server itself knows of all releases.
    async fn all_is_known(&self) {
        let mut changes = self.world.operations.changes();
        let known = async {
            while self.world.operations.list(None, None).len() < 3 || !self.world.releases.ready() {
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

/// An operation that may not be seen is told of as one that there is not.
fn is_not_found<T: std::fmt::Debug>(answer: Result<T, ApiError>, id: &OperationId) {
    match answer {
        Err(ApiError::NotFound { what }) => assert_eq!(what, format!("The operation {id}")),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_lists_have_only_what_the_caller_may_see() {
    let Scenario { world, editor, own, seen, other, .. } = &Scenario::new().await;
    let visible = BTreeSet::from([own, seen]);
    let rows = world.releases(editor, None, None).await.unwrap().releases;
    // The editor has rights in other tests' namespaces too.
    let ours = |namespace: &&String| [own, seen, other].contains(namespace);
    assert_eq!(rows.iter().map(|row| &row.key.namespace).filter(ours).collect::<BTreeSet<_>>(), visible);
    let operations = world.operations(editor, None, None).await.unwrap();
    assert_eq!(operations.iter().map(|it| &it.release.namespace).collect::<BTreeSet<_>>(), visible);
    let namespaces = world.namespaces(editor).await.unwrap();
    assert!(namespaces.contains(own) && !namespaces.contains(other), "{namespaces:?}");
}

#[tokio::test]
async fn who_may_not_list_namespaces_is_offered_their_projects_and_within_limits_only_what_they_may_read() {
    let Scenario { mut world, editor, own, seen, other, _follower, _data, .. } = Scenario::new().await;
    let project = format!("{own}-project");
    cluster().await.create_project(&project).await.unwrap();
    let namespaces = world.namespaces(&editor).await.unwrap();
    assert!([&own, &seen, &project].iter().all(|name| namespaces.contains(name)), "{namespaces:?}");
    assert!(!namespaces.contains(&other), "{namespaces:?}");
    world.limited_to = vec![own.clone(), other.clone()];
    assert_eq!(world.namespaces(&editor).await.unwrap(), [own]);
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
    let Scenario { world, editor, hidden, .. } = &Scenario::new().await;
    for id in [hidden.clone(), OperationId("01939d5e-0000-7000-8000-000000000001".into())] {
        is_not_found(world.operation(editor, &id).await, &id);
        is_not_found(world.operation_log(editor, &id).await, &id);
        is_not_found(world.preview(editor, &id).await, &id);
        is_not_found(world.submitted_values(editor, &id).await, &id);
        is_not_found(world.cancel(editor, &id).await, &id);
        is_not_found(world.again(editor, &id).await, &id);
    }
    let untouched = world.operations.find(hidden).unwrap();
    assert_eq!((untouched.state, &untouched.cancel), (OperationState::Queued, &None));
}

#[tokio::test]
async fn who_may_list_and_not_create_sees_an_operation_and_changes_nothing() {
    let Scenario { world, editor, seen, readable, .. } = &Scenario::new().await;
    assert_eq!(world.operation(editor, readable).await.unwrap().id, *readable);
    assert_eq!(world.operation_log(editor, readable).await.unwrap(), "");
    assert!(world.release(editor, &ReleaseKey::new(seen, "shop"), None).await.is_ok());
    // It may be seen: there is none, for this was no dry run.
    match world.preview(editor, readable).await {
        Err(ApiError::NotFound { what }) => assert!(what.starts_with("A preview"), "{what}"),
        other => panic!("{other:?}"),
    }
    let right = format!("create secrets in namespace {seen}");
    is_forbidden(world.cancel(editor, readable).await, &right);
    is_forbidden(world.again(editor, readable).await, &right);
    is_forbidden(world.submitted_values(editor, readable).await, &right);
    is_forbidden(world.submit(editor, install(seen)).await, &right);
    let untouched = world.operations.find(readable).unwrap();
    assert_eq!((untouched.state, &untouched.cancel), (OperationState::Queued, &None));
}
