//! The cluster of a run, its users and releases, and two servers on it, each behind a proxy of its own.

mod processes;
mod server;
mod signing;

use std::path::Path;
use std::time::Duration;

use app::model::ReleaseKey;
use k8s_openapi::api::core::v1::ServiceAccount;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, RoleBinding};
use kube::api::{Api, DeleteParams, PostParams};
use kube::{Client, Resource};
use serde_json::{Value, json};
use testbed::{ChartRepository, Cluster, Disk, FaultProxy, HelmVersion, Options, User};

use crate::evidence::{OPERATIONS, OPERATOR, RUNNER_ACCOUNT, SIGNED_OPERATION, SIGNED_PROCESS, VANDAL};
use crate::plan::{NAMESPACES, SERVERS};

pub use processes::{command_line, release_of};
pub use server::{Server, Ways};
pub use signing::Ailment;
use signing::{SigningHelm, sign};

/// How long anything may take that must come about.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// By how much a clock is wrong.
const AHEAD: Duration = Duration::from_secs(10 * 60);
/// The repository of the sample charts, by the address that this machine has for it.
pub const CHARTS: &str = "samples";
/// The same, by the address that pods have for it.
pub const CHARTS_FOR_PODS: &str = "samples-for-pods";

/// All that a run is about.
pub struct World {
    /// The cluster.
    pub cluster: Cluster,
    /// The helm of this run.
    pub helm: HelmVersion,
    /// A proxy before it for each server, its runners and their helms.
    pub proxies: Vec<FaultProxy>,
    /// The servers.
    pub servers: Vec<Server>,
    /// A client that goes through no proxy, for what is neither Slipway nor helm.
    pub admin: Client,
    /// Who deletes by hand.
    pub vandal: Client,
    /// Holds all of Slipway's files: whatever has its path in its command line is one of our processes.
    pub folder: tempfile::TempDir,
    _charts: ChartRepository,
}

/// The namespace of a release is one of these.
pub fn namespace(number: usize) -> String {
    format!("team-{number}")
}

/// The release of a number.
pub fn release(number: usize) -> ReleaseKey {
    ReleaseKey::new(namespace(number % NAMESPACES), format!("app-{number}"))
}

impl World {
    /// Starts all of it.
    pub async fn start(helm: HelmVersion) -> Self {
        let options = Options {
            // What a release has is simulated; runners may be Jobs.
            real_node: true,
            audit: true,
            audit_content: vec![OPERATIONS.into()],
            ..Options::default()
        };
        let options = options.user(User::new(OPERATOR)).user(User::new(VANDAL).group("system:masters"));
        let cluster = Cluster::start(options).await.expect("the cluster");
        let charts = ChartRepository::start().await.expect("the charts");
        let admin = cluster.client("admin").await.expect("a client");
        let vandal = cluster.client(VANDAL).await.expect("a client");
        cluster.create_namespace(Some(OPERATIONS)).await.expect("a namespace");
        create(&Api::namespaced(admin.clone(), OPERATIONS), account()).await.expect("an account");
        bind(&admin, OPERATIONS, "edit").await.expect("a right");
        grant_reading_and_signing(&admin).await;
        for number in 0..NAMESPACES {
            cluster.create_namespace(Some(&namespace(number))).await.expect("a namespace");
            give_rights(&admin, &namespace(number)).await.expect("a right");
        }
        let real = testbed::helm(helm).expect("helm");
        let arguments = arguments(&cluster, &charts, &real).await;
        let folder = tempfile::Builder::new().prefix("slipway-torture-").tempdir().expect("a folder");
        let clock = testbed::clock_ahead(folder.path(), AHEAD).expect("a clock");
        let (mut proxies, mut servers) = (Vec::new(), Vec::new());
        for number in 0..SERVERS {
            let proxy = FaultProxy::start(&cluster).await.expect("a proxy");
            let kubeconfig = folder.path().join(format!("kubeconfig-{number}"));
            std::fs::copy(proxy.kubeconfig(OPERATOR).expect("a kubeconfig"), &kubeconfig).expect("a copy");
            sign(&kubeconfig).expect("a signed kubeconfig");
            let data = folder.path().join(format!("data-{number}"));
            servers.push(Server {
                kubeconfig,
                disk: Disk::over(&data).expect("a disk"),
                data,
                helm: SigningHelm::new(folder.path().join(format!("helm-{number}")), &real).expect("a helm"),
                arguments: arguments.clone(),
                ways: Ways { resumes: number == 0, ..Ways::default() }.into(),
                clock: clock.clone(),
                process: Default::default(),
                address: Default::default(),
            });
            proxies.push(proxy);
        }
        for server in &servers {
            server.start().await;
            server.ready().await;
        }
        Self { cluster, helm, proxies, servers, admin, vandal, folder, _charts: charts }
    }

    /// Whether operations can be carried out by Jobs.
    pub fn has_jobs(&self) -> bool {
        self.cluster.has_real_node()
    }
}

/// What all servers are given: where charts are, and what Jobs are made of where there can be any.
async fn arguments(cluster: &Cluster, charts: &ChartRepository, helm: &Path) -> Vec<String> {
    let mut arguments = vec![format!("--repository={CHARTS}={}", charts.url())];
    if cluster.has_real_node() {
        let slipway = Path::new(env!("CARGO_BIN_EXE_slipway"));
        let image = cluster.import_runner(slipway, helm).await.expect("an image");
        let from_pods = charts.url().replace("127.0.0.1", Cluster::LOOPBACK_FROM_PODS);
        arguments.extend([
            format!("--repository={CHARTS_FOR_PODS}={from_pods}"),
            format!("--runner-image={image}"),
            format!("--runner-service-account={RUNNER_ACCOUNT}"),
            "--runner-node-selector=slipway.dev/node=real".into(),
            "--runner-toleration=slipway.dev/node".into(),
        ]);
    } else {
        println!("No operation is carried out by a Job: on a simulated node no runner runs.");
    }
    arguments
}

fn account() -> ServiceAccount {
    ServiceAccount {
        metadata: kube::core::ObjectMeta { name: Some(RUNNER_ACCOUNT.into()), ..Default::default() },
        ..ServiceAccount::default()
    }
}

/// Slipway's user may read everything, and sign: what it may write is given by namespace.
async fn grant_reading_and_signing(admin: &Client) {
    let extra = [SIGNED_OPERATION, SIGNED_PROCESS].map(|key| format!("userextras/{key}"));
    let role = json!({
        "metadata": { "name": "torture" },
        "rules": [
            { "apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list", "watch"] },
            { "apiGroups": [""], "resources": ["users"], "resourceNames": [OPERATOR], "verbs": ["impersonate"] },
            { "apiGroups": ["authentication.k8s.io"], "resources": extra, "verbs": ["impersonate"] },
        ],
    });
    let binding = json!({
        "metadata": { "name": "torture" },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "torture" },
        "subjects": subjects(),
    });
    create(&Api::<ClusterRole>::all(admin.clone()), from(role)).await.expect("a role");
    create(&Api::<ClusterRoleBinding>::all(admin.clone()), from(binding)).await.expect("a binding");
}

/// Slipway's user, and its runners' in pods.
fn subjects() -> Value {
    json!([
        { "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": OPERATOR },
        { "kind": "ServiceAccount", "name": RUNNER_ACCOUNT, "namespace": OPERATIONS },
    ])
}

/// Lets Slipway do everything in a namespace.
pub async fn give_rights(admin: &Client, namespace: &str) -> kube::Result<()> {
    bind(admin, namespace, "cluster-admin").await
}

async fn bind(admin: &Client, namespace: &str, role: &str) -> kube::Result<()> {
    let binding = json!({
        "metadata": { "name": OPERATOR },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role },
        "subjects": subjects(),
    });
    create(&Api::<RoleBinding>::namespaced(admin.clone(), namespace), from(binding)).await
}

/// Takes that away.
pub async fn take_rights(admin: &Client, namespace: &str) -> kube::Result<()> {
    let bindings = Api::<RoleBinding>::namespaced(admin.clone(), namespace);
    gone(bindings.delete(OPERATOR, &DeleteParams::default()).await)
}

/// Creates an object, unless it is there.
pub async fn create<K>(api: &Api<K>, object: K) -> kube::Result<()>
where
    K: Resource + Clone + std::fmt::Debug + serde::Serialize + serde::de::DeserializeOwned,
{
    match api.create(&PostParams::default(), &object).await {
        Err(kube::Error::Api(status)) if status.code == 409 => Ok(()),
        created => created.map(drop),
    }
}

/// What came of a deletion, or of another change to what may be gone already.
pub fn gone<T>(done: kube::Result<T>) -> kube::Result<()> {
    match done {
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
        done => done.map(drop),
    }
}

/// An object as JSON has it.
pub fn from<T: serde::de::DeserializeOwned>(object: Value) -> T {
    serde_json::from_value(object).expect("an object")
}
