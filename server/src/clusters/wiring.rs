//! What one cluster is made of: the rooms wired to its settings. Nothing of it is shared with another cluster, neither a
//! client nor a clock, a cache, a watch, a queue or a folder.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::offer::Offer;
use super::{Opened, Opener, keepsake};
use crate::backend::{Feed, Streams, World};
use crate::charts::Charts;
use crate::clock::cluster::Clock;
use crate::helm::Helm;
use crate::http;
use crate::identity::Identity;
use crate::kube::access::Access;
use crate::kube::repositories::{RepositorySecrets, openshift::OpenShiftRepositories};
use crate::kube::uploads::UploadSecrets;
use crate::kube::version::ClusterVersion;
use crate::kube::{
    self, Client, Target, jobs::JobLauncher, leases::LeaseObjects, operations::HelmRecords,
    operations::OperationSecrets,
};
use crate::operations::{ChildLauncher, Operations, private};
use crate::releases::{Releases, Scope};
use crate::serve::Error;
use crate::settings::Serve;

/// How soon the cluster is asked again who we are.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(2);

/// Wires clusters.
pub struct Wiring {
    settings: Serve,
    targets: BTreeMap<String, Target>,
    data_dir: PathBuf,
    executable: PathBuf,
    /// Those of clusters that were opened here: they know the runners that they have launched.
    launchers: Mutex<BTreeMap<String, Arc<ChildLauncher>>>,
}

impl Wiring {
    /// For the clusters of `offer`, with their folders below `data_dir`.
    ///
    /// # Errors
    /// When this program does not know where it is itself.
    pub fn new(settings: &Serve, offer: &Offer, data_dir: PathBuf) -> std::io::Result<Self> {
        let executable = std::env::current_exe()?;
        let (settings, targets) = (settings.clone(), offer.targets.clone());
        Ok(Self { settings, targets, data_dir, executable, launchers: Mutex::default() })
    }

    /// Opens the default cluster, for the person who starts the server and can answer at the terminal.
    ///
    /// # Errors
    /// When there is no usable kubeconfig or no helm.
    pub async fn open_default(&self, name: &str) -> Result<Opened, Error> {
        let clock = Clock::default();
        let client = kube::connect(self.target(name)?, &clock).await?;
        self.start(name, client, clock).await
    }

    /// Ends the operations that were started here, in all clusters.
    pub async fn end_operations(&self, patience: Duration) {
        let launchers = self.launchers().values().cloned().collect::<Vec<_>>();
        join_all(launchers.iter().map(|launcher| launcher.end_all(patience))).await;
    }

    fn launchers(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<ChildLauncher>>> {
        self.launchers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn target(&self, name: &str) -> Result<&Target, Error> {
        self.targets.get(name).ok_or_else(|| format!("there is no cluster {name}").into())
    }

    /// Begins to follow a cluster.
    async fn start(&self, name: &str, client: Client, clock: Clock) -> Result<Opened, Error> {
        let (settings, target) = (&self.settings, self.target(name)?);
        let workplace = &settings.workplace;
        let folder = keepsake::folder(&self.data_dir, name);
        private::create_dir(&folder)
            .map_err(|error| format!("the data folder {} cannot be made: {error}", folder.display()))?;
        // The runner finds out again; but whoever opens a cluster wants to know now.
        let helm = Helm::find(&workplace.helm, target.clone(), &folder)
            .await
            .map_err(|error| format!("{error}; install helm 3 or 4, or give its path by --helm"))?;
        let namespace = &workplace.operations_namespace;
        let operations = Arc::new(self.operations(name, &folder, &client, &clock, &helm)?);
        let scope = match settings.namespaces.as_slice() {
            [] => Scope::Cluster,
            namespaces => Scope::Namespaces(namespaces.to_vec()),
        };
        let access = Arc::new(Access::new(client.clone()));
        let identity = Arc::new(Identity::local(access.clone()));
        let feed = Arc::new(Feed(operations.clone()));
        let world = Arc::new(World {
            access,
            client: client.clone(),
            limited_to: settings.namespaces.clone(),
            releases: Releases::start(client.clone(), clock.clone(), scope, feed),
            operations: operations.clone(),
            charts: Charts::start_with(
                &settings.repositories,
                vec![
                    Arc::new(RepositorySecrets::new(client.clone(), namespace)),
                    Arc::new(OpenShiftRepositories::of_the_cluster(client.clone())),
                    Arc::new(OpenShiftRepositories::of_namespaces(client.clone())),
                ],
                Some(Arc::new(UploadSecrets::new(client.clone(), namespace))),
                clock.clone(),
            )?,
            operations_namespace: namespace.clone(),
            context: target.context.clone().filter(|_| self.targets.len() > 1),
            cluster_version: ClusterVersion::new(client),
            clock,
            generation: helm.generation(),
            streams: Streams::default(),
        });
        let life = followed(&operations, &identity);
        let is_busy = Box::new(move || {
            let under_way = |of: &Operations| of.list(None, None).iter().any(|it| !it.state.is_terminal());
            !operations.ready() || under_way(&operations)
        });
        let readiness = readiness(world.clone(), identity.clone());
        Ok(Opened {
            cluster: http::Cluster { backend: world, identity, readiness },
            is_busy,
            life: Box::new(life),
        })
    }

    fn operations(
        &self,
        name: &str,
        folder: &Path,
        client: &Client,
        clock: &Clock,
        helm: &Helm,
    ) -> Result<Operations, Error> {
        let (settings, namespace) = (&self.settings, &self.settings.workplace.operations_namespace);
        let known = self.launchers().get(name).cloned();
        let launcher = match known {
            Some(launcher) => launcher,
            None => {
                let arguments = runner_arguments(settings, self.target(name)?, folder)?;
                Arc::new(ChildLauncher::new(self.executable.clone(), arguments, folder.to_owned()))
            }
        };
        self.launchers().insert(name.to_owned(), launcher.clone());
        let operations = Operations::new(
            Arc::new(OperationSecrets::new(client.clone(), namespace)),
            Arc::new(LeaseObjects::new(client.clone(), namespace)),
            Arc::new(HelmRecords(client.clone())),
            launcher,
            folder.to_owned(),
        );
        let operations = operations.limited((&settings.limits).into()).with_abilities(helm.abilities());
        let operations = operations.by_clock(clock.clone());
        let in_pods = vec!["--log".into(), settings.logging.log.clone()];
        Ok(match settings.runners.pod(in_pods) {
            Some(pod) => {
                let jobs = JobLauncher::new(client.clone(), namespace, pod);
                operations.with_jobs(Arc::new(jobs), settings.runners.chosen())
            }
            None => operations,
        })
    }
}

#[async_trait]
impl Opener for Wiring {
    async fn open(&self, name: &str) -> Result<Opened, String> {
        let open = async {
            let clock = Clock::default();
            let client = kube::connect_unattended(self.target(name)?, &clock).await?;
            // Before anything can be submitted to it.
            keepsake::leave(&self.data_dir, name)
                .map_err(|error| format!("its folder cannot be written: {error}"))?;
            self.start(name, client, clock).await
        };
        open.await.map_err(|error: Error| error.to_string())
    }

    fn closed(&self, name: &str) {
        keepsake::take(&self.data_dir, name);
    }
}

/// What goes on in a cluster that is open.
fn followed(operations: &Arc<Operations>, identity: &Arc<Identity>) -> Vec<AbortOnDropHandle<()>> {
    let (follows, schedules, recovers) = (operations.clone(), operations.clone(), operations.clone());
    let (asks, told) = (identity.clone(), operations.clone());
    vec![
        task(async move { follows.follow().await }),
        task(async move { schedules.schedule().await }),
        task(async move { recovers.recover().await }),
        // Ask who we are before the first request has to.
        task(async move {
            loop {
                match asks.caller().await {
                    Ok(caller) => break told.act_as(&caller.user),
                    Err(_) => tokio::time::sleep(ASK_AGAIN_AFTER).await,
                }
            }
        }),
    ]
}

fn task(work: impl Future<Output = ()> + Send + 'static) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(work.in_current_span()))
}

fn readiness(world: Arc<World>, identity: Arc<Identity>) -> http::Readiness {
    Arc::new(move || {
        let mut missing = Vec::new();
        let mut need = |there: bool, what: &str| {
            if !there {
                missing.push(what.to_owned());
            }
        };
        need(identity.is_known(), "the cluster has not answered yet");
        need(world.releases.ready(), "the releases have not been listed yet");
        need(world.operations.ready(), "the operations have not been listed yet");
        missing
    })
}

/// The settings of a runner that works where this server does, on the cluster of `target`. The context is named even if it
/// is the current one: by the time the runner reads the kubeconfig another one may be.
fn runner_arguments(settings: &Serve, target: &Target, folder: &Path) -> Result<Vec<OsString>, Error> {
    let workplace = &settings.workplace;
    let mut arguments: Vec<OsString> =
        vec!["--operations-namespace".into(), (&workplace.operations_namespace).into()];
    arguments.extend(["--data-dir".into(), folder.into(), "--log".into(), (&settings.logging.log).into()]);
    // A program that is named by a path must be found from any folder; a bare name is looked up on PATH.
    let helm = match workplace.helm.components().count() {
        1 => workplace.helm.clone(),
        _ => std::path::absolute(&workplace.helm)?,
    };
    arguments.extend(["--helm".into(), helm.into()]);
    if let Some(kubeconfig) = &target.kubeconfig {
        arguments.extend(["--kubeconfig".into(), std::path::absolute(kubeconfig)?.into()]);
    }
    if let Some(context) = &target.context {
        // As one word: a context's name may begin with a dash.
        arguments.push(format!("--context={context}").into());
    }
    Ok(arguments)
}
