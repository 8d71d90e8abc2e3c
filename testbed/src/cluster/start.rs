//! Which programs a cluster consists of, with which flags, in which order.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::{Node, ServiceAccount};
use kube::api::{Api, PostParams};
use kube::runtime::wait::{Condition, await_condition};
use kube::{Client, Config};
use serde_json::json;

use super::identity::{Identities, private, service_account_key};
use super::node::{LOOPBACK_FROM_PODS, Parts};
use super::{PATIENCE, audit, client, from};
use crate::Error;
use crate::program::Program;
use crate::tools::{API_SERVER, CONTROLLER_MANAGER, ETCD, KWOK, SCHEDULER, Tool};

const NODE: &str = "fake-node";
const SERVICE_ACCOUNT_KEY: &str = "service-account.key";

/// Pods of Jobs and bare pods end; pods fail and crash when they are told to.
const OWN_STAGES: &str = include_str!("../../kwok/stages.yaml");

/// A cluster that is coming up, with a folder for its data.
pub(super) struct Start {
    pub(super) programs: Vec<Program>,
    pub(super) data: PathBuf,
    node: Option<Parts>,
    /// Whether there is an audit log: the namespaces whose content it keeps.
    audit: Option<Vec<String>>,
}

impl Drop for Start {
    fn drop(&mut self) {
        // Clients end before what they talk to.
        while self.programs.pop().is_some() {}
    }
}

impl Start {
    pub(super) fn new(data: PathBuf, node: Option<Parts>, audit: Option<Vec<String>>) -> Self {
        Self { programs: Vec::new(), data, node, audit }
    }

    pub(super) fn janitor(&mut self) -> Result<(), Error> {
        self.programs.push(Program::janitor(&self.data)?);
        Ok(())
    }

    /// The programs, those first that shall end first.
    pub(super) fn into_programs(mut self) -> Vec<Program> {
        let mut programs = std::mem::take(&mut self.programs);
        programs.reverse();
        programs
    }

    /// Starts everything and returns the API server's address once a pod can be scheduled.
    pub(super) async fn all(&mut self, identities: &Identities) -> Result<String, Error> {
        let [etcd, peer, api, controllers, scheduler, kwok] = free_ports()?;
        let url = format!("https://127.0.0.1:{api}");

        self.etcd(etcd, peer)?;
        self.listening_on(&[etcd, peer]);
        self.until("etcd", async || TcpStream::connect((Ipv4Addr::LOCALHOST, etcd)).is_ok()).await?;

        self.api_server(api, etcd, identities)?;
        self.listening_on(&[api]);
        let certificate = self.data.join("apiserver.crt");
        self.until("kube-apiserver", async || certificate.metadata().is_ok_and(|file| file.len() > 0))
            .await?;
        identities.write_kubeconfigs(&self.data, &url, &fs::read(&certificate)?)?;
        let admin = client(&self.data, "admin").await?;
        self.until("kube-apiserver", async || is_ok(&admin, "/readyz").await).await?;

        self.controller_manager(controllers)?;
        self.scheduler(scheduler)?;
        self.kwok(kwok)?;
        create_node(&admin).await?;
        for (program, scheme, port) in [
            ("kube-controller-manager", "https", controllers),
            ("kube-scheduler", "https", scheduler),
            ("kwok", "http", kwok),
        ] {
            let client = health_client(scheme, port)?;
            self.until(program, async || is_ok(&client, "/healthz").await).await?;
        }
        self.watch("kwok", Api::<Node>::all(admin.clone()), NODE, node_is_usable).await?;
        let accounts = Api::<ServiceAccount>::namespaced(admin.clone(), "default");
        let exists = |account: Option<&ServiceAccount>| account.is_some();
        self.watch("kube-controller-manager", accounts, "default", exists).await?;
        if let Some(parts) = self.node.take() {
            self.real_node(&parts, admin).await?;
        }
        Ok(url)
    }

    fn etcd(&mut self, port: u16, peer: u16) -> Result<(), Error> {
        let client = format!("http://127.0.0.1:{port}");
        let peer = format!("http://127.0.0.1:{peer}");
        self.start(
            ETCD,
            &[
                ("name", "testbed".into()),
                ("data-dir", self.path("etcd")),
                ("listen-client-urls", client.clone()),
                ("advertise-client-urls", client),
                ("listen-peer-urls", peer.clone()),
                ("initial-advertise-peer-urls", peer.clone()),
                ("initial-cluster", format!("testbed={peer}")),
                // Nobody mourns this data, and fsync is most of what a write costs.
                ("unsafe-no-fsync", "true".into()),
                ("quota-backend-bytes", "8589934592".into()),
                ("log-level", "warn".into()),
            ],
        )
    }

    fn api_server(&mut self, port: u16, etcd: u16, identities: &Identities) -> Result<(), Error> {
        let key = self.data.join(SERVICE_ACCOUNT_KEY);
        if !key.exists() {
            private(&key, service_account_key()?.as_bytes())?;
        }
        private(&self.data.join("tokens.csv"), identities.token_file().as_bytes())?;
        let audit = match &self.audit {
            Some(content) => audit::flags(&self.data, content)?,
            None => Vec::new(),
        };
        let node = match &self.node {
            Some(parts) => parts.api_server_flags(&self.data)?,
            // Nobody looks for it at a Service's endpoints.
            None => vec![("endpoint-reconciler-type", "none".into())],
        };
        let flags = [
            ("etcd-servers", format!("http://127.0.0.1:{etcd}")),
            ("bind-address", "127.0.0.1".into()),
            // Always the same, for its certificate is made once and has to fit a real node that comes later, too.
            ("advertise-address", LOOPBACK_FROM_PODS.into()),
            ("secure-port", port.to_string()),
            ("cert-dir", self.path("")),
            ("service-account-key-file", self.path(SERVICE_ACCOUNT_KEY)),
            ("service-account-signing-key-file", self.path(SERVICE_ACCOUNT_KEY)),
            ("service-account-issuer", "https://kubernetes.default.svc.cluster.local".into()),
            ("service-cluster-ip-range", "10.96.0.0/16".into()),
            ("token-auth-file", self.path("tokens.csv")),
            ("authorization-mode", "RBAC".into()),
        ];
        self.start(API_SERVER, &[&flags[..], &node, &audit].concat())
    }

    fn controller_manager(&mut self, port: u16) -> Result<(), Error> {
        self.start(
            CONTROLLER_MANAGER,
            &[
                ("kubeconfig", self.path("admin.kubeconfig")),
                ("bind-address", "127.0.0.1".into()),
                ("secure-port", port.to_string()),
                ("leader-elect", "false".into()),
                ("use-service-account-credentials", "false".into()),
                ("service-account-private-key-file", self.path(SERVICE_ACCOUNT_KEY)),
                ("root-ca-file", self.path("apiserver.crt")),
                // Of a node that is taken for dead the pods are made unready, which a kubelet takes back and kwok does not: it
                // outlives an outage of the API server, and the word of it that got lost.
                ("node-monitor-grace-period", "10m0s".into()),
                // An umbrella chart makes hundreds of objects at once; the defaults are for clusters that share a server.
                ("kube-api-qps", "200".into()),
                ("kube-api-burst", "400".into()),
            ],
        )
    }

    fn scheduler(&mut self, port: u16) -> Result<(), Error> {
        self.start(
            SCHEDULER,
            &[
                ("kubeconfig", self.path("admin.kubeconfig")),
                ("bind-address", "127.0.0.1".into()),
                ("secure-port", port.to_string()),
                ("leader-elect", "false".into()),
                ("kube-api-qps", "200".into()),
                ("kube-api-burst", "400".into()),
            ],
        )
    }

    fn kwok(&mut self, port: u16) -> Result<(), Error> {
        let folder = KWOK.home().join("stages");
        let missing = |_| Error::Missing { program: "kwok's stages", looked_in: vec![folder.clone()] };
        let mut stages = OWN_STAGES.to_owned();
        for entry in fs::read_dir(&folder).map_err(missing)? {
            stages.push_str("\n---\n");
            stages.push_str(&fs::read_to_string(entry?.path())?);
        }
        fs::write(self.data.join("stages.yaml"), stages)?;
        self.start(
            KWOK,
            &[
                ("kubeconfig", self.path("admin.kubeconfig")),
                ("manage-all-nodes", "false".into()),
                ("manage-nodes-with-annotation-selector", "kwok.x-k8s.io/node=fake".into()),
                ("config", self.path("stages.yaml")),
                // Without a lease the controllers take the node for dead after a minute, and its pods for unready.
                ("node-lease-duration-seconds", "40".into()),
                ("server-address", format!("127.0.0.1:{port}")),
            ],
        )
    }

    fn start(&mut self, tool: Tool, flags: &[(&str, String)]) -> Result<(), Error> {
        let arguments = flags.iter().map(|(name, value)| format!("--{name}={value}")).collect::<Vec<_>>();
        self.programs.push(Program::start(tool, &arguments, &self.data)?);
        Ok(())
    }

    /// The ports of the program that was started last.
    fn listening_on(&mut self, ports: &[u16]) {
        if let Some(program) = self.programs.last_mut() {
            program.listening_on(ports);
        }
    }

    pub(super) fn path(&self, name: &str) -> String {
        self.data.join(name).display().to_string()
    }

    /// Asks again and again until it holds, as long as every program runs.
    pub(super) async fn until(
        &mut self,
        what: &'static str,
        holds: impl AsyncFn() -> bool,
    ) -> Result<(), Error> {
        let began = Instant::now();
        while !holds().await {
            self.programs.iter_mut().try_for_each(Program::check)?;
            if began.elapsed() > PATIENCE {
                return Err(self.not_ready(what));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Follows an object until it is as `condition` wants it.
    async fn watch<K>(
        &mut self,
        what: &'static str,
        api: Api<K>,
        name: &str,
        condition: impl Condition<K>,
    ) -> Result<(), Error>
    where
        K: kube::Resource + Clone + std::fmt::Debug + serde::de::DeserializeOwned + Send + 'static,
    {
        match tokio::time::timeout(PATIENCE, await_condition(api, name, condition)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => {
                self.programs.iter_mut().try_for_each(Program::check)?;
                Err(self.not_ready(what))
            }
        }
    }

    fn not_ready(&self, what: &'static str) -> Error {
        let program = self.programs.iter().find(|program| program.name == what);
        Error::NotReady { what, after: PATIENCE, log: program.map(Program::log_tail).unwrap_or_default() }
    }
}

/// Ports that nobody listens on, all different.
pub(super) fn free_ports<const N: usize>() -> Result<[u16; N], Error> {
    let mut listeners = Vec::with_capacity(N);
    let mut ports = [0; N];
    for port in &mut ports {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        *port = listener.local_addr()?.port();
        // Held until all are found.
        listeners.push(listener);
    }
    Ok(ports)
}

/// A client for a program's health page, whose certificate nobody has signed.
fn health_client(scheme: &str, port: u16) -> Result<Client, Error> {
    let url = format!("{scheme}://127.0.0.1:{port}").parse::<http::Uri>();
    let mut config = Config::new(url.map_err(|error| Error::Kube(kube::Error::HttpError(error.into())))?);
    config.accept_invalid_certs = true;
    Ok(Client::try_from(config)?)
}

pub(super) async fn is_ok(client: &Client, path: &str) -> bool {
    let Ok(request) = http::Request::get(path).body(Vec::new()) else { return false };
    // A server that accepts and does not answer is not ready either.
    let answer = tokio::time::timeout(Duration::from_secs(2), client.request_text(request)).await;
    matches!(answer, Ok(Ok(text)) if text.trim() == "ok")
}

async fn create_node(client: &Client) -> Result<(), Error> {
    let room = json!({ "cpu": "10000", "memory": "10Ti", "pods": "100000", "ephemeral-storage": "10Ti" });
    let node: Node = from(json!({
        "metadata": {
            "name": NODE,
            "annotations": { "kwok.x-k8s.io/node": "fake" },
            "labels": { "kubernetes.io/hostname": NODE, "kubernetes.io/os": "linux", "type": "kwok" },
        },
        "status": { "allocatable": room, "capacity": room },
    }))?;
    match Api::<Node>::all(client.clone()).create(&PostParams::default(), &node).await {
        // A cluster that kept its data has its node already.
        Err(kube::Error::Api(status)) if status.code == 409 => Ok(()),
        result => result.map(drop).map_err(Error::from),
    }
}

/// Ready, and without the taint that a new node carries until the controllers have seen it so.
fn node_is_usable(node: Option<&Node>) -> bool {
    let tainted = |node: &Node| {
        let taints = node.spec.as_ref().and_then(|spec| spec.taints.as_ref());
        taints.is_some_and(|all| !all.is_empty())
    };
    node.is_some_and(|node| is_ready(node) && !tainted(node))
}

pub(super) fn is_ready(node: &Node) -> bool {
    let conditions = node.status.as_ref().and_then(|status| status.conditions.as_ref());
    conditions.is_some_and(|all| all.iter().any(|one| one.type_ == "Ready" && one.status == "True"))
}
