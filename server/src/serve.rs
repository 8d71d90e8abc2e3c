//! `slipway serve` and `slipway run-operation`: the rooms wired to their settings.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::backend::{Feed, Streams, World};
use crate::charts::Charts;
use crate::helm::Helm;
use crate::http::{Site, router};
use crate::identity::Identity;
use crate::kube::access::Access;
use crate::kube::{
    self, jobs::JobLauncher, leases::LeaseObjects, operations::HelmRecords, operations::OperationSecrets,
};
use crate::operations::{ChildLauncher, Operations, runner};
use crate::releases::{Releases, Scope};
use crate::settings::{RunOperation, Serve, Workplace};

/// Why a command ended badly: for the person who started it.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// How long a runner may take to end its helm when the demo ends.
const RUNNERS_PATIENCE: Duration = Duration::from_secs(10);

/// How long the server may take to stop once it was told to.
const STOP_WITHIN: Duration = Duration::from_secs(3);

/// A server that listens and is yet to be run.
pub struct Server {
    listener: TcpListener,
    site: Site,
    launcher: Arc<ChildLauncher>,
    _tasks: Vec<AbortOnDropHandle<()>>,
}

impl Server {
    /// Takes the port and starts to follow the cluster. A cluster that is away is waited for behind the port.
    ///
    /// # Errors
    /// When there is no usable kubeconfig, or the port is taken.
    pub async fn start(settings: &Serve) -> Result<Self, Error> {
        let workplace = &settings.workplace;
        let data_dir = std::path::absolute(&workplace.data_dir)?;
        let client = kube::connect(&workplace.target()).await?;
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&data_dir)
            .map_err(|error| format!("the data folder {} cannot be made: {error}", data_dir.display()))?;
        // The runner finds out again; but whoever starts a server wants to know now.
        let helm = Helm::find(&workplace.helm, workplace.target(), &data_dir)
            .await
            .map_err(|error| format!("{error}; install helm 3 or 4, or give its path by --helm"))?;
        let listener = TcpListener::bind(settings.listen)
            .await
            .map_err(|error| format!("cannot listen on {}: {error}", settings.listen))?;

        let namespace = &workplace.operations_namespace;
        let launcher = Arc::new(ChildLauncher::new(
            std::env::current_exe()?,
            runner_arguments(workplace, &data_dir, &settings.logging.log)?,
            data_dir.clone(),
        ));
        let operations = Operations::new(
            Arc::new(OperationSecrets::new(client.clone(), namespace)),
            Arc::new(LeaseObjects::new(client.clone(), namespace)),
            Arc::new(HelmRecords(client.clone())),
            launcher.clone(),
            data_dir,
        );
        let operations = operations.limited((&settings.limits).into()).with_abilities(helm.abilities());
        let in_pods = vec!["--log".into(), settings.logging.log.clone()];
        let operations = Arc::new(match settings.runners.pod(in_pods) {
            Some(pod) => {
                let jobs = JobLauncher::new(client.clone(), namespace, pod);
                operations.with_jobs(Arc::new(jobs), settings.runners.chosen())
            }
            None => operations,
        });
        let (follows, schedules, recovers) = (operations.clone(), operations.clone(), operations.clone());
        let tasks = vec![
            AbortOnDropHandle::new(tokio::spawn(async move { follows.follow().await })),
            AbortOnDropHandle::new(tokio::spawn(async move { schedules.schedule().await })),
            AbortOnDropHandle::new(tokio::spawn(async move { recovers.recover().await })),
        ];

        let scope = match settings.namespaces.as_slice() {
            [] => Scope::Cluster,
            namespaces => Scope::Namespaces(namespaces.to_vec()),
        };
        let access = Arc::new(Access::new(client.clone()));
        let identity = Arc::new(Identity::local(access.clone()));
        let world = Arc::new(World {
            access,
            client: client.clone(),
            limited_to: settings.namespaces.clone(),
            releases: Releases::start(client, scope, Arc::new(Feed(operations.clone()))),
            operations: operations.clone(),
            charts: Charts::start(&settings.repositories)?,
            generation: helm.generation(),
            streams: Streams::default(),
        });
        let (who, releases) = (identity.clone(), world.clone());
        let readiness = Arc::new(move || {
            let mut missing = Vec::new();
            let mut need = |there: bool, what: &str| {
                if !there {
                    missing.push(what.to_owned());
                }
            };
            need(who.is_known(), "the cluster has not answered yet");
            need(releases.releases.ready(), "the releases have not been listed yet");
            need(operations.ready(), "the operations have not been listed yet");
            missing
        });
        // Ask who we are before the first request has to.
        let (asks, told) = (identity.clone(), world.operations.clone());
        let tasks = tasks.into_iter().chain([AbortOnDropHandle::new(tokio::spawn(async move {
            loop {
                match asks.caller().await {
                    Ok(caller) => break told.act_as(&caller.user),
                    Err(_) => tokio::time::sleep(Duration::from_secs(2)).await,
                }
            }
        }))]);
        let site = Site { backend: world, identity, readiness, stopping: CancellationToken::new() };
        Ok(Self { listener, site, launcher, _tasks: tasks.collect() })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until a SIGINT or SIGTERM. Operations under way go on.
    ///
    /// # Errors
    /// When the system takes the port away.
    pub async fn run(self) -> Result<(), Error> {
        let stopping = self.site.stopping.clone();
        let stopped = stopping.clone();
        let until = async move {
            stop_signal().await;
            stopping.cancel();
        };
        // A client that never ends its request, or never reads its answer, holds nobody up.
        let overdue = async move {
            stopped.cancelled().await;
            tokio::time::sleep(STOP_WITHIN).await;
        };
        tokio::select! {
            served = axum::serve(self.listener, router(self.site)).with_graceful_shutdown(until) => Ok(served?),
            () = overdue => Ok(()),
        }
    }

    /// Like [`Server::run`], and ends the operations that were started here.
    ///
    /// # Errors
    /// As there.
    pub async fn run_with_its_operations(self) -> Result<(), Error> {
        let launcher = self.launcher.clone();
        let result = self.run().await;
        launcher.end_all(RUNNERS_PATIENCE).await;
        result
    }
}

/// `slipway serve`
///
/// # Errors
/// For the person who started it.
pub async fn serve(settings: Serve) -> Result<(), Error> {
    let server = Server::start(&settings).await?;
    println!("Slipway is at http://{}", server.address()?);
    server.run().await
}

/// `slipway run-operation`
///
/// # Errors
/// When the operation was left without an outcome.
pub async fn run_operation(settings: RunOperation) -> Result<(), Error> {
    let workplace = settings.workplace;
    let state = runner::run(runner::Settings {
        id: settings.id,
        target: workplace.target(),
        operations_namespace: workplace.operations_namespace,
        helm: workplace.helm,
        data_dir: workplace.data_dir,
        executable: std::env::current_exe()?,
    })
    .await?;
    tracing::info!(state = state.as_str(), "the operation has ended");
    Ok(())
}

/// The settings of a runner that works where this server does.
fn runner_arguments(workplace: &Workplace, data_dir: &PathBuf, log: &str) -> Result<Vec<OsString>, Error> {
    let mut arguments: Vec<OsString> =
        vec!["--operations-namespace".into(), (&workplace.operations_namespace).into()];
    arguments.extend(["--data-dir".into(), data_dir.into(), "--log".into(), log.into()]);
    // A program that is named by a path must be found from any folder; a bare name is looked up on PATH.
    let helm = match workplace.helm.components().count() {
        1 => workplace.helm.clone(),
        _ => std::path::absolute(&workplace.helm)?,
    };
    arguments.extend(["--helm".into(), helm.into()]);
    if let Some(kubeconfig) = &workplace.kubeconfig {
        arguments.extend(["--kubeconfig".into(), std::path::absolute(kubeconfig)?.into()]);
    }
    if let Some(context) = &workplace.context {
        arguments.extend(["--context".into(), context.into()]);
    }
    Ok(arguments)
}

/// Returns at the first SIGINT or SIGTERM.
pub async fn stop_signal() {
    let terminate = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signals) => signals.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = terminate => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
