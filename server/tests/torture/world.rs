//! The cluster of a run, its users and releases, and two servers on it, each behind a proxy of its own.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use app::model::ReleaseKey;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, RoleBinding};
use kube::api::{Api, DeleteParams, PostParams};
use kube::{Client, Resource};
use serde_json::{Value, json};
use testbed::{ChartRepository, Cluster, FaultProxy, HelmVersion, Options, User};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::Mutex;

use crate::evidence::{OPERATIONS, OPERATOR, SIGNED_OPERATION, SIGNED_PROCESS, VANDAL};
use crate::plan::{NAMESPACES, SERVERS};

/// How long anything may take that must come about.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// How many runners may be at work at once.
const RUNNERS: &str = "6";
/// More than a run makes of them on one release.
const KEPT: &str = "10000";

/// Signs what helm asks of the API server with the operation that it works for and with its process, so that the audit
/// log tells one helm from another: Slipway's kubeconfig is replaced by one that says so (`Impersonate-Extra-…`). An
/// operation's helm starts in `operations/ID/work/current` of the data folder.
const SIGNING: &str = r##"#!/bin/sh
case "$1" in version) exec @HELM@ "$@" ;; esac
umask 077
operation=${PWD%/*/*}
signed=${PWD%/*}/signed
left=$#
while [ "$left" -gt 0 ]; do
  argument=$1 left=$((left - 1))
  shift
  case "$argument" in
    --kubeconfig=*)
      sed -e "s/@OPERATION@/${operation##*/}/" -e "s/@PROCESS@/$$/" "${argument#--kubeconfig=}.signed" >"$signed"
      argument=--kubeconfig=$signed
      ;;
  esac
  set -- "$@" "$argument"
done
exec @HELM@ "$@"
"##;

/// All that a run is about.
pub struct World {
    /// The cluster.
    pub cluster: Cluster,
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

/// One `slipway serve`.
pub struct Server {
    kubeconfig: PathBuf,
    data: PathBuf,
    helm: PathBuf,
    charts: String,
    process: Mutex<Option<Child>>,
    address: std::sync::Mutex<Option<String>>,
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
            // Simulated pods fail fast enough.
            real_node: false,
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
        cluster.grant_edit(OPERATOR, OPERATIONS).await.expect("a right");
        grant_reading_and_signing(&admin).await;
        for number in 0..NAMESPACES {
            cluster.create_namespace(Some(&namespace(number))).await.expect("a namespace");
            give_rights(&admin, &namespace(number)).await.expect("a right");
        }
        let folder = tempfile::Builder::new().prefix("slipway-torture-").tempdir().expect("a folder");
        let signing = folder.path().join("helm");
        let real = testbed::helm(helm).expect("helm");
        let script = SIGNING.replace("@HELM@", real.to_str().expect("a path"));
        std::fs::write(&signing, script).expect("a script");
        std::fs::set_permissions(&signing, PermissionsExt::from_mode(0o755)).expect("a script");
        let (mut proxies, mut servers) = (Vec::new(), Vec::new());
        for number in 0..SERVERS {
            let proxy = FaultProxy::start(&cluster).await.expect("a proxy");
            let kubeconfig = folder.path().join(format!("kubeconfig-{number}"));
            std::fs::copy(proxy.kubeconfig(OPERATOR).expect("a kubeconfig"), &kubeconfig).expect("a copy");
            sign(&kubeconfig);
            let data = folder.path().join(format!("data-{number}"));
            servers.push(Server {
                kubeconfig,
                data,
                helm: signing.clone(),
                charts: charts.url().into(),
                process: Mutex::default(),
                address: std::sync::Mutex::default(),
            });
            proxies.push(proxy);
        }
        for server in &servers {
            server.start().await;
            server.ready().await;
        }
        Self { cluster, proxies, servers, admin, vandal, folder, _charts: charts }
    }
}

/// Writes what the script makes a signed kubeconfig of.
fn sign(kubeconfig: &Path) {
    let text = std::fs::read(kubeconfig).expect("a kubeconfig");
    let mut file: Value = serde_json::from_slice(&text).expect("JSON");
    let user = &mut file["users"][0]["user"];
    user["as"] = OPERATOR.into();
    user["as-user-extra"] = json!({ SIGNED_OPERATION: ["@OPERATION@"], SIGNED_PROCESS: ["@PROCESS@"] });
    let mut name = kubeconfig.as_os_str().to_owned();
    name.push(".signed");
    std::fs::write(name, file.to_string()).expect("a kubeconfig");
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
        "subjects": [{ "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": OPERATOR }],
    });
    create(&Api::<ClusterRole>::all(admin.clone()), role).await.expect("a role");
    create(&Api::<ClusterRoleBinding>::all(admin.clone()), binding).await.expect("a binding");
}

/// Lets Slipway's user do everything in a namespace.
pub async fn give_rights(admin: &Client, namespace: &str) -> kube::Result<()> {
    let binding = json!({
        "metadata": { "name": OPERATOR },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin" },
        "subjects": [{ "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": OPERATOR }],
    });
    match create(&Api::<RoleBinding>::namespaced(admin.clone(), namespace), binding).await {
        Err(kube::Error::Api(status)) if status.code == 409 => Ok(()),
        done => done,
    }
}

/// Takes that away.
pub async fn take_rights(admin: &Client, namespace: &str) -> kube::Result<()> {
    let bindings = Api::<RoleBinding>::namespaced(admin.clone(), namespace);
    match bindings.delete(OPERATOR, &DeleteParams::default()).await {
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
        done => done.map(drop),
    }
}

async fn create<K>(api: &Api<K>, object: Value) -> kube::Result<()>
where
    K: Resource + Clone + std::fmt::Debug + serde::Serialize + serde::de::DeserializeOwned,
{
    let object: K = serde_json::from_value(object).map_err(kube::Error::SerdeError)?;
    api.create(&PostParams::default(), &object).await.map(drop)
}

impl Server {
    /// Starts it, unless it runs.
    pub async fn start(&self) {
        let mut process = self.process.lock().await;
        if process.is_some() {
            return;
        }
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.data.with_extension("log"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_slipway"))
            .args(["serve", "--listen", "127.0.0.1:0", "--operations-namespace", OPERATIONS])
            .args(["--max-runners", RUNNERS, "--keep-operations", KEPT])
            .arg("--kubeconfig")
            .arg(&self.kubeconfig)
            .arg("--data-dir")
            .arg(&self.data)
            .arg("--helm")
            .arg(&self.helm)
            .args(["--repository", &format!("samples={}", self.charts)])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.expect("a log"))
            .kill_on_drop(true)
            .spawn()
            .expect("slipway starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let address = loop {
            let line = lines.next_line().await.expect("its output").expect("its address");
            if let Some(address) = line.strip_prefix("Slipway is at ") {
                break address.to_owned();
            }
        };
        *process = Some(child);
        *self.address.lock().expect("no panic") = Some(address);
    }

    /// Kills it.
    pub async fn kill(&self) {
        let mut process = self.process.lock().await;
        *self.address.lock().expect("no panic") = None;
        if let Some(mut child) = process.take() {
            child.kill().await.expect("killed");
        }
    }

    /// Where it is, while it runs.
    pub fn address(&self) -> Option<String> {
        self.address.lock().expect("no panic").clone()
    }

    /// The process, while it runs.
    pub async fn pid(&self) -> Option<u32> {
        self.process.lock().await.as_ref().and_then(Child::id)
    }

    /// Where it keeps its files.
    pub fn data(&self) -> &Path {
        &self.data
    }

    async fn ready(&self) {
        let address = self.address().expect("it runs");
        let asked = async {
            while !reqwest::get(format!("{address}/readyz")).await.is_ok_and(|answer| answer.status() == 200)
            {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, asked).await.expect("ready in time");
    }
}

/// Slipway's processes in this world, by their numbers, with what they are: `serve`, `run-operation`, `watch-helm`,
/// `exec-helm` or `helm`.
pub fn processes(folder: &Path) -> BTreeMap<i32, String> {
    let folder = folder.to_str().expect("a path");
    let entries = std::fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers.filter_map(|number| Some((number, role(&command_line(number)?, folder)?))).collect()
}

/// The command line of a process.
pub fn command_line(number: i32) -> Option<String> {
    let line = std::fs::read(format!("/proc/{number}/cmdline")).ok()?;
    Some(String::from_utf8_lossy(&line).replace('\0', " "))
}

fn role(line: &str, folder: &str) -> Option<String> {
    // A helm that is asked for its version only works for nobody.
    if !line.contains(folder) || line.contains("helm version ") {
        return None;
    }
    let role = ["serve", "run-operation", "watch-helm", "exec-helm"].into_iter();
    let role = role.into_iter().find(|role| line.split(' ').nth(1) == Some(role));
    Some(role.unwrap_or("helm").to_owned())
}
