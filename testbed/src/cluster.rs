//! A running cluster and what a test does with it.

mod audit;
mod identity;
mod node;
mod openshift;
mod outage;
mod rights;
mod start;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::{Namespace, ServiceAccount};
use kube::api::{Api, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::runtime::wait::await_condition;
use kube::{Client, Config};
use serde_json::json;
use tempfile::TempDir;

pub use self::audit::AuditEvent;
use self::identity::Identities;
pub use self::identity::User;
pub(crate) use self::identity::private;
use self::start::Start;
use crate::program::Program;
use crate::{Error, HelmVersion};

/// How long a part may take to come up; it takes a few seconds, but a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(90);

/// What a cluster is started with. The default has the users `editor` and `nobody` besides `admin`.
#[derive(Debug, Clone)]
pub struct Options {
    /// Users with a token each. None has any right until it is granted; `admin` (in `system:masters`) is always there.
    pub users: Vec<User>,
    /// Where to keep data. By default a temporary folder, removed at the end.
    pub data: Option<PathBuf>,
    /// Whether there shall be a real node besides the simulated one, if this machine allows it: real containers, logs
    /// and exit codes, for pods that ask for it (see [`Cluster::has_real_node`]). By default only when the environment
    /// has `SLIPWAY_REAL_NODE=1`, for it takes some seconds more.
    pub real_node: bool,
    /// Whether the API server keeps a log of who wrote what, for [`Cluster::audit`].
    pub audit: bool,
    /// The namespaces of which that log keeps the content too, of what is asked and answered.
    pub audit_content: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        let real_node = std::env::var_os("SLIPWAY_REAL_NODE").is_some_and(|value| value == "1");
        let users = vec![User::new("editor"), User::new("nobody")];
        Self { users, data: None, real_node, audit: false, audit_content: Vec::new() }
    }
}

impl Options {
    /// Adds a user.
    #[must_use]
    pub fn user(mut self, user: User) -> Self {
        self.users.push(user);
        self
    }

    /// Asks for a real node.
    #[must_use]
    pub fn real_node(mut self) -> Self {
        self.real_node = true;
        self
    }
}

/// A running cluster. Dropping it ends its programs and removes its data, unless a folder was given for that.
pub struct Cluster {
    // In the order of their ends: clients first, then what they talk to, then the folder.
    programs: Arc<Mutex<Vec<Program>>>,
    _temporary: Option<TempDir>,
    data: PathBuf,
    url: String,
    identities: Identities,
    namespaces: AtomicUsize,
    has_real_node: bool,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cluster").field("url", &self.url).field("data", &self.data).finish_non_exhaustive()
    }
}

impl Cluster {
    /// Starts a cluster, and returns when a pod can be scheduled in it.
    pub async fn start(options: Options) -> Result<Self, Error> {
        // A free port that we found may be taken before its program listens on it; the next try finds others.
        for _ in 0..2 {
            match Self::attempt(&options).await {
                Err(Error::Ended { log, .. }) if log.contains("address already in use") => continue,
                result => return result,
            }
        }
        Self::attempt(&options).await
    }

    async fn attempt(options: &Options) -> Result<Self, Error> {
        let began = Instant::now();
        let temporary = match options.data {
            Some(_) => None,
            None => Some(tempfile::Builder::new().prefix("slipway-cluster-").tempdir()?),
        };
        let folder = options.data.as_deref().or(temporary.as_ref().map(TempDir::path));
        let data = folder.map_or_else(|| Ok(std::env::temp_dir()), prepare)?;
        let parts = if options.real_node { node::parts(&data) } else { None };
        let has_real_node = parts.is_some();
        let mut users = options.users.clone();
        users.extend(has_real_node.then(node::user));
        let identities = Identities::new(&users)?;
        let mut start = Start::new(data.clone(), parts, options.audit.then(|| options.audit_content.clone()));
        if temporary.is_some() {
            start.janitor()?;
        }
        let url = start.all(&identities).await?;
        tracing::info!(%url, seconds = began.elapsed().as_secs_f32(), "the cluster is up");
        Ok(Self {
            programs: Arc::new(Mutex::new(start.into_programs())),
            _temporary: temporary,
            data,
            url,
            identities,
            namespaces: AtomicUsize::new(0),
            has_real_node,
        })
    }

    /// The API server's address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The folder with the kubeconfigs and a log of each program.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The certificate of its API server and that of the authority that has signed it, as PEM, and the key. It is one for
    /// 127.0.0.1.
    pub fn certificate(&self) -> Result<(String, String), Error> {
        let read = |name| std::fs::read_to_string(self.data.join(name));
        Ok((read("apiserver.crt")?, read("apiserver.key")?))
    }

    /// The kubeconfig of a user, readable by nobody else. One that the cluster does not know gives a path without a file.
    pub fn kubeconfig(&self, user: &str) -> PathBuf {
        self.data.join(format!("{user}.kubeconfig"))
    }

    /// A user's bearer token.
    pub fn token(&self, user: &str) -> Result<&str, Error> {
        self.identities.token(user)
    }

    /// A client with a user's rights.
    pub async fn client(&self, user: &str) -> Result<Client, Error> {
        self.identities.token(user)?;
        client(&self.data, user).await
    }

    /// Creates a namespace and waits for its default service account. Without a name it gets one of its own.
    pub async fn create_namespace(&self, name: Option<&str>) -> Result<String, Error> {
        let generated = || format!("test-{}", self.namespaces.fetch_add(1, Ordering::Relaxed) + 1);
        let name = name.map_or_else(generated, str::to_owned);
        let client = self.client("admin").await?;
        let namespace: Namespace = from(json!({ "metadata": { "name": name } }))?;
        Api::<Namespace>::all(client.clone()).create(&PostParams::default(), &namespace).await?;
        let accounts = Api::<ServiceAccount>::namespaced(client, &name);
        let exists = |account: Option<&ServiceAccount>| account.is_some();
        let waited = tokio::time::timeout(PATIENCE, await_condition(accounts, "default", exists)).await;
        match waited {
            Ok(Ok(_)) => Ok(name),
            _ => Err(Error::NotReady {
                what: "the default service account",
                after: PATIENCE,
                log: String::new(),
            }),
        }
    }

    /// Runs a helm in a terminal, as it were: nobody's operation, with a user's rights and no settings.
    pub async fn helm(
        &self,
        version: HelmVersion,
        user: &str,
        namespace: &str,
        arguments: &[&str],
    ) -> Result<(), Error> {
        self.identities.token(user)?;
        let home = TempDir::new()?;
        let output = tokio::process::Command::new(crate::helm(version)?)
            .args(arguments)
            .args(["--namespace", namespace, "--kubeconfig"])
            .arg(self.kubeconfig(user))
            .env_clear()
            .env("HOME", home.path())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output()
            .await?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(Error::Helm { arguments: arguments.join(" "), said })
    }

    /// Whether pods can run for real here. Without an asked-for real node a line on standard error has said why.
    ///
    /// Pods go to the simulated node, real ones only when they ask for it:
    ///
    /// ```yaml
    /// nodeSelector: { slipway.dev/node: real }
    /// tolerations: [{ key: slipway.dev/node, operator: Exists }]
    /// ```
    ///
    /// The image `busybox:1.37` is there; others are brought by [`Cluster::import_image`], or pulled where there is an
    /// internet. What listens on this machine's loopback interface is at [`Cluster::LOOPBACK_FROM_PODS`] for such pods.
    pub fn has_real_node(&self) -> bool {
        self.has_real_node
    }

    /// This machine's loopback interface, as pods of the real node see it.
    pub const LOOPBACK_FROM_PODS: &str = node::LOOPBACK_FROM_PODS;

    /// Loads the images of an archive, such as `deploy/image.sh` makes, into the real node.
    pub async fn import_image(&self, archive: &Path) -> Result<(), Error> {
        self.needs_real_node()?;
        node::import(&self.data, archive).await
    }

    /// Makes the image of Slipway's runner from a `slipway` and a `helm`, loads it into the real node, and returns its name.
    pub async fn import_runner(&self, slipway: &Path, helm: &Path) -> Result<String, Error> {
        self.needs_real_node()?;
        node::import_runner(&self.data, slipway, helm).await
    }

    /// Whether a process of this machine is in a pod of the real node.
    pub fn has_in_a_pod(&self, process: i32) -> bool {
        self.has_real_node && node::has_in_a_pod(&self.data, process)
    }

    fn needs_real_node(&self) -> Result<(), Error> {
        if self.has_real_node { Ok(()) } else { Err(Error::RealNode("there is none".into())) }
    }

    /// An error that names the program, with the end of its log, if one of them no longer runs.
    pub fn check(&self) -> Result<(), Error> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        programs.iter_mut().try_for_each(Program::check)
    }

    /// Ends the cluster. Dropping it does the same, but blocks the thread while the programs end.
    pub async fn stop(self) {
        // It can only fail if the runtime is going down, and then the cluster was dropped all the same.
        let _ = tokio::task::spawn_blocking(move || drop(self)).await;
    }
}

fn prepare(folder: &Path) -> std::io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    fs::canonicalize(folder)
}

/// A client with the rights of anybody at all, whether they have a token or not.
async fn client_as(data: &Path, user: &str) -> Result<Client, Error> {
    let mut file = Kubeconfig::read_from(data.join("admin.kubeconfig"))?;
    for admin in file.auth_infos.iter_mut().filter_map(|named| named.auth_info.as_mut()) {
        admin.impersonate = Some(user.to_owned());
    }
    connected(file).await
}

async fn client(data: &Path, user: &str) -> Result<Client, Error> {
    connected(Kubeconfig::read_from(data.join(format!("{user}.kubeconfig")))?).await
}

async fn connected(file: Kubeconfig) -> Result<Client, Error> {
    let config = Config::from_custom_kubeconfig(file, &KubeConfigOptions::default()).await?;
    Ok(Client::try_from(config)?)
}

fn from<T: serde::de::DeserializeOwned>(value: serde_json::Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|error| Error::Kube(kube::Error::SerdeError(error)))
}
