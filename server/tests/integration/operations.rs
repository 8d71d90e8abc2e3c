//! That operations are carried out: by real runners with real helm, whoever dies meanwhile.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use app::model::{
    Accepted, ApiError, ChartSource, FailureClass, Operation, OperationId, OperationKind, OperationOptions,
    OperationState, ReleaseKey, SubmitOperation,
};
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, ListParams};
use rustix::process::{Pid, Signal, getsid, kill_process};
use server::clock::cluster::Clock;
use server::kube::leases::LeaseObjects;
use server::kube::operations::{HelmRecords, OperationSecrets};
use server::kube::records::{RecordMeta, revisions};
use server::kube::{Client, ClusterError, Target, connect};
use server::operations::{ChildLauncher, Hold, Launcher, Leases, OperationStore, Operations, ResolvedChart};
use tempfile::TempDir;
use testbed::{ChartRepository, HelmVersion};

use crate::cluster::{cluster, with_both_helms};

with_both_helms![a_release_is_installed_upgraded_and_uninstalled, a_failure_is_recorded_with_its_cause];

/// How long anything may take here, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server's operations room with real parts, a namespace for its records and one for releases.
struct Room {
    client: Client,
    charts: ChartRepository,
    data: TempDir,
    records: String,
    namespace: String,
    helm: PathBuf,
    user: &'static str,
}

/// What a server has of the room; dropped, the server is dead.
struct Server {
    operations: Arc<Operations>,
    launcher: Arc<ChildLauncher>,
    _tasks: Vec<tokio_util::task::AbortOnDropHandle<()>>,
}

impl Room {
    async fn new(version: HelmVersion, user: &'static str) -> Self {
        let cluster = cluster().await;
        let kubeconfig = Some(cluster.kubeconfig(user));
        Self {
            client: connect(&Target { kubeconfig, context: None }, &Clock::default()).await.unwrap(),
            charts: ChartRepository::start().await.unwrap(),
            data: tempfile::tempdir().unwrap(),
            records: cluster.create_namespace(None).await.unwrap(),
            namespace: cluster.create_namespace(None).await.unwrap(),
            helm: testbed::helm(version).unwrap(),
            user,
        }
    }

    async fn server(&self) -> Server {
        let settings: Vec<OsString> = [
            ("--kubeconfig", cluster().await.kubeconfig(self.user).into_os_string()),
            ("--operations-namespace", self.records.clone().into()),
            ("--helm", self.helm.clone().into_os_string()),
            ("--data-dir", self.data.path().into()),
        ]
        .into_iter()
        .flat_map(|(flag, value)| [flag.into(), value])
        .collect();
        let program = env!("CARGO_BIN_EXE_slipway").into();
        let launcher = Arc::new(ChildLauncher::new(program, settings, self.data.path().to_owned()));
        let operations = Arc::new(Operations::new(
            Arc::new(self.store()),
            Arc::new(LeaseObjects::new(self.client.clone(), &self.records)),
            Arc::new(HelmRecords(self.client.clone())),
            launcher.clone(),
            self.data.path().to_owned(),
        ));
        operations.act_as(self.user);
        let (follows, schedules, recovers) = (operations.clone(), operations.clone(), operations.clone());
        let tasks = vec![
            tokio_util::task::AbortOnDropHandle::new(tokio::spawn(async move { follows.follow().await })),
            tokio_util::task::AbortOnDropHandle::new(tokio::spawn(async move { schedules.schedule().await })),
            tokio_util::task::AbortOnDropHandle::new(tokio::spawn(async move { recovers.recover().await })),
        ];
        Server { operations, launcher, _tasks: tasks }
    }

    fn store(&self) -> OperationSecrets {
        OperationSecrets::new(self.client.clone(), &self.records)
    }

    fn request(&self, kind: OperationKind, name: &str, chart: &str, values: &str) -> SubmitOperation {
        let (repository, version) = ("samples".to_owned(), "1.0.0".to_owned());
        let chart = ChartSource::Repository { repository, name: chart.to_owned(), version };
        SubmitOperation {
            kind,
            namespace: self.namespace.clone(),
            name: name.to_owned(),
            chart: kind.takes_chart().then_some(chart),
            values: values.to_owned(),
            options: OperationOptions { timeout: 200, ..OperationOptions::default() },
            idempotency_key: None,
        }
    }

    async fn submit(&self, server: &Server, request: SubmitOperation) -> Result<Accepted, ApiError> {
        let chart = match &request.chart {
            Some(ChartSource::Repository { name, version, .. }) => Some(ResolvedChart::Repository {
                url: self.charts.url().to_owned(),
                name: name.clone(),
                version: version.clone(),
            }),
            _ => None,
        };
        server.operations.submit(self.user, request, chart.map(Into::into)).await
    }

    async fn carry_out(&self, server: &Server, request: SubmitOperation) -> Arc<Operation> {
        let accepted = self.submit(server, request).await.unwrap();
        server.ended(&accepted.id).await
    }

    async fn revisions(&self, name: &str) -> Vec<RecordMeta> {
        revisions(&self.client, &ReleaseKey::new(&self.namespace, name)).await.unwrap()
    }

    async fn names_of_secrets(&self) -> Vec<String> {
        let api: Api<Secret> = Api::namespaced(self.client.clone(), &self.records);
        let list = api.list_metadata(&ListParams::default()).await.unwrap();
        list.items.into_iter().filter_map(|secret| secret.metadata.name).collect()
    }

    /// The only Lease, which is that of the operation `id`.
    async fn lease(&self, id: &OperationId) -> Lease {
        let api: Api<Lease> = Api::namespaced(self.client.clone(), &self.records);
        let lease = api.list(&ListParams::default()).await.unwrap().items.pop().unwrap();
        assert_eq!(lease.spec.as_ref().unwrap().holder_identity.as_ref(), Some(&id.0));
        lease
    }

    /// The process of the runner that holds the Lease.
    async fn runner(&self, id: &OperationId) -> Pid {
        let lease = self.lease(id).await;
        let by = lease.metadata.annotations.unwrap()["slipway.dev/by"].clone();
        assert!(by.starts_with("runner on "), "{by}");
        Pid::from_raw(by.rsplit(' ').next().unwrap().parse().unwrap()).unwrap()
    }

    /// Waits until the latest record of a release has this status.
    async fn record_is(&self, name: &str, status: &str) {
        let reached = async {
            loop {
                let latest = self.revisions(name).await.into_iter().next();
                if latest.is_some_and(|latest| latest.status.as_str() == status) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(PATIENCE, reached).await.unwrap_or_else(|_| panic!("{name} never was {status}"));
    }
}

impl Server {
    /// Waits until an operation `is` so.
    async fn until(&self, id: &OperationId, is: impl Fn(&Operation) -> bool) -> Arc<Operation> {
        let mut changes = self.operations.changes();
        let reached = async {
            loop {
                if let Some(operation) = self.operations.find(id).filter(|operation| is(operation)) {
                    return operation;
                }
                changes.changed().await.unwrap();
            }
        };
        tokio::time::timeout(PATIENCE, reached)
            .await
            .unwrap_or_else(|_| panic!("{:?}", self.operations.find(id)))
    }

    async fn ended(&self, id: &OperationId) -> Arc<Operation> {
        self.until(id, |operation| operation.state.is_terminal()).await
    }
}

async fn a_release_is_installed_upgraded_and_uninstalled(version: HelmVersion) {
    use OperationKind::{Install, Uninstall, Upgrade};
    let room = Room::new(version, "admin").await;
    let server = room.server().await;

    let installed = room.carry_out(&server, room.request(Install, "web", "web", "replicas: 1\n")).await;
    assert_eq!(installed.state, OperationState::Succeeded, "{installed:?}");
    assert_eq!(installed.outcome.as_ref().unwrap().revision, Some(1));
    let record = room.revisions("web").await.remove(0);
    assert_eq!(record.operation.as_ref(), Some(&installed.id));
    let log = server.operations.log(&installed.id).await.unwrap();
    assert!(log.starts_with("$ helm install ") && log.contains("STATUS: deployed"), "{log}");

    let upgraded = room.carry_out(&server, room.request(Upgrade, "web", "web", "replicas: 2\n")).await;
    assert_eq!(upgraded.state, OperationState::Succeeded, "{upgraded:?}");
    assert_eq!((upgraded.base_revision, upgraded.attempts[0].revision), (Some(1), Some(2)));

    let removed = room.carry_out(&server, room.request(Uninstall, "web", "web", "")).await;
    assert_eq!(removed.state, OperationState::Succeeded, "{removed:?}");
    assert!(room.revisions("web").await.is_empty());

    // Nothing secret stays: not in the cluster, not on the disk.
    let left = room.names_of_secrets().await;
    assert!(!left.iter().any(|name| name.ends_with(".input")), "{left:?}");
    assert!(left.contains(&format!("slipway.op.v1.{}.log", installed.id)), "{left:?}");
    let folder = room.data.path().join("operations").join(&installed.id.0);
    assert!(!folder.join("work").exists() && folder.join("helm.log").exists());
}

async fn a_failure_is_recorded_with_its_cause(version: HelmVersion) {
    let room = Room::new(version, "admin").await;
    let server = room.server().await;
    for (name, chart, values, class, words) in [
        ("hook", "hook-fails", "", FailureClass::Hook, "ob"),
        ("nothing", "no-such-chart", "", FailureClass::Permanent, "does not have the chart"),
        ("crd", "refused", "missingCrd: true\n", FailureClass::Permanent, "does not know a kind"),
        ("values", "schema", "replicas: many\n", FailureClass::Permanent, "schema"),
    ] {
        let failed = room.carry_out(&server, room.request(OperationKind::Install, name, chart, values)).await;
        assert_eq!(failed.state, OperationState::Failed, "{failed:?}");
        let failure = failed.failure().unwrap();
        assert_eq!(failure.class, class, "{failure:?}");
        assert!(failure.cause.contains(words), "{failure:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_submissions_10_ms_apart_one_wins_and_the_other_learns_its_id() {
    let room = Room::new(HelmVersion::V4, "admin").await;
    let server = room.server().await;
    let request = room.request(OperationKind::Install, "web", "web", "");
    let (first, second) = tokio::join!(room.submit(&server, request.clone()), async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        room.submit(&server, request.clone()).await
    });
    let winner = first.unwrap().id;
    assert!(
        matches!(&second, Err(ApiError::Conflict { operation: Some(id), .. }) if *id == winner),
        "{second:?}"
    );
    assert_eq!(server.ended(&winner).await.state, OperationState::Succeeded);
    assert_eq!(room.revisions("web").await.len(), 1);
    let third = room.submit(&server, request).await;
    assert!(matches!(&third, Err(ApiError::Conflict { operation: None, .. })), "{third:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_twice_is_one_operation_on_two_servers_too() {
    let room = Room::new(HelmVersion::V4, "admin").await;
    let (one, other) = (room.server().await, room.server().await);
    let mut request = room.request(OperationKind::Install, "web", "web", "");
    request.idempotency_key = Some("intent".into());
    let (a, b, c) = tokio::join!(
        room.submit(&one, request.clone()),
        room.submit(&other, request.clone()),
        room.submit(&one, request.clone())
    );
    let id = a.unwrap().id;
    assert_eq!((b.unwrap().id, c.unwrap().id), (id.clone(), id.clone()));
    other.ended(&id).await;
    let later = room.submit(&other, request).await.unwrap();
    assert_eq!((later.id, later.state), (id, OperationState::Succeeded));
    assert_eq!(one.operations.list(None, None).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_runners_for_an_operation_one_carries_it_out() {
    let room = Room::new(HelmVersion::V4, "admin").await;
    let server = room.server().await;
    let accepted =
        room.submit(&server, room.request(OperationKind::Install, "web", "web", "")).await.unwrap();
    server.launcher.launch(&server.operations.get(&accepted.id).await.unwrap()).await.unwrap();
    let ended = server.ended(&accepted.id).await;
    assert_eq!((ended.state, ended.attempts.len()), (OperationState::Succeeded, 1), "{ended:?}");
    assert_eq!(room.revisions("web").await.len(), 1);
}

const SLOW: &str = "startup: {seconds: 25}\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_outlives_its_server_and_a_new_server_shows_and_follows_it() {
    let room = Room::new(HelmVersion::V4, "admin").await;
    let first = room.server().await;
    let accepted = room
        .submit(&first, room.request(OperationKind::Install, "web", "web", "startup: {seconds: 5}\n"))
        .await
        .unwrap();
    first.until(&accepted.id, |operation| operation.state == OperationState::Running).await;
    drop(first);
    let second = room.server().await;
    let ended = second.ended(&accepted.id).await;
    assert_eq!(ended.state, OperationState::Succeeded, "{ended:?}");
    assert_eq!(ended.attempts[0].exit_code, Some(0), "its own runner wrote the outcome");
}

#[tokio::test(flavor = "multi_thread")]
async fn when_a_runner_is_killed_its_helm_ends_and_a_server_settles_the_operation() {
    let room = Room::new(HelmVersion::V4, "admin").await;
    let first = room.server().await;
    let accepted =
        room.submit(&first, room.request(OperationKind::Install, "web", "web", SLOW)).await.unwrap();
    room.record_is("web", "pending-install").await;
    let runner = room.runner(&accepted.id).await;
    assert_eq!(getsid(Some(runner)).unwrap(), runner, "a session of its own");
    let values = room.data.path().join("operations").join(&accepted.id.0).join("work/values.yaml");
    assert_eq!(values.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    kill_process(runner, Signal::KILL).unwrap();
    // helm is told by its watchdog, and says so in its own record.
    room.record_is("web", "failed").await;
    assert_eq!(room.store().get(&accepted.id).await.unwrap().operation.state, OperationState::Running);
    drop(first);

    let second = room.server().await;
    second.until(&accepted.id, |operation| operation.state == OperationState::Running).await;
    let ended = second.ended(&accepted.id).await;
    assert_eq!(ended.state, OperationState::Interrupted, "{ended:?}");
    assert_eq!(ended.failure().unwrap().class, FailureClass::Interrupted, "{ended:?}");

    let removed = room.carry_out(&second, room.request(OperationKind::Uninstall, "web", "web", "")).await;
    assert_eq!(removed.state, OperationState::Succeeded, "{removed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn runners_that_are_told_to_end_write_their_outcome() {
    let room = Room::new(HelmVersion::V3, "admin").await;
    let server = room.server().await;
    let accepted =
        room.submit(&server, room.request(OperationKind::Install, "web", "web", SLOW)).await.unwrap();
    room.record_is("web", "pending-install").await;
    server.launcher.end_all(PATIENCE).await;
    let ended = server.ended(&accepted.id).await;
    assert_eq!(ended.state, OperationState::Interrupted, "{ended:?}");
    room.record_is("web", "failed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_helm_may_not_do_is_said() {
    let room = Room::new(HelmVersion::V4, "editor").await;
    cluster().await.grant("editor", "admin", &room.records).await.unwrap();
    let server = room.server().await;
    let refused = room.submit(&server, room.request(OperationKind::Install, "web", "web", "")).await;
    assert!(
        matches!(&refused, Err(ApiError::Forbidden { message }) if message.contains("secrets")),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_right_to_slipways_own_namespace_the_error_says_which() {
    let room = Room::new(HelmVersion::V4, "nobody").await;
    let server = room.server().await;
    let refused = room.submit(&server, room.request(OperationKind::Install, "web", "web", "")).await;
    assert!(
        matches!(&refused, Err(ApiError::Forbidden { message }) if message.contains("its own records")),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_namespace_for_records_is_made_when_it_is_missing() {
    let mut room = Room::new(HelmVersion::V4, "admin").await;
    room.records = format!("{}-made", room.records);
    let server = room.server().await;
    let accepted =
        room.submit(&server, room.request(OperationKind::Install, "web", "web", "")).await.unwrap();
    assert_eq!(server.ended(&accepted.id).await.state, OperationState::Succeeded);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cluster_refuses_whoever_decided_on_an_old_lease_or_record() {
    let room = Room::new(HelmVersion::V4, "admin").await;
    let leases = LeaseObjects::new(room.client.clone(), &room.records);
    let release = ReleaseKey::new(&room.namespace, "web");
    let hold = Hold {
        operation: OperationId("a".into()),
        by: "a test".into(),
        key_digest: None,
        renewed: app::model::Timestamp(1_796_010_132_000),
        seconds: 20,
        resource_version: String::new(),
    };
    let old = leases.create(&release, &hold).await.unwrap();
    assert!(matches!(leases.create(&release, &hold).await, Err(ClusterError::AlreadyExists(_))));
    // The API server does not count a write that changes nothing.
    let next = Hold { by: "another test".into(), ..hold };
    let new = leases.replace(&release, &old, &next).await.unwrap();
    assert!(matches!(leases.replace(&release, &old, &next).await, Err(ClusterError::Conflict(_))));
    assert!(matches!(leases.delete(&release, &old).await, Err(ClusterError::Conflict(_))));
    assert_eq!(leases.get(&release).await.unwrap(), Some(new.clone()));
    leases.delete(&release, &new).await.unwrap();
    assert_eq!(leases.get(&release).await.unwrap(), None);

    let server = room.server().await;
    let done = room.carry_out(&server, room.request(OperationKind::Install, "web", "web", "")).await;
    let store = room.store();
    let mut stored = store.get(&done.id).await.unwrap();
    stored.resource_version = "1".into();
    assert!(matches!(store.replace(&stored, &done).await, Err(ClusterError::Conflict(_))));
    // What belongs to a record goes with it.
    store.delete(&done.id).await.unwrap();
    let gone = async {
        while !room.names_of_secrets().await.is_empty() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("the log outlives its operation");
}
