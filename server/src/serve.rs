//! `slipway serve` and `slipway run-operation`: the port, the clusters behind it, and their end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::clusters::offer::Offer;
use crate::clusters::wiring::Wiring;
use crate::clusters::{Clusters, keepsake};
use crate::http::{Site, router};
use crate::operations::{private, runner};
use crate::settings::{RunOperation, Serve};

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
    clusters: Arc<Clusters>,
    wiring: Arc<Wiring>,
    _tasks: Vec<AbortOnDropHandle<()>>,
}

impl Server {
    /// Takes the port and starts to follow the default cluster, and those that were open when a server before this one ended.
    /// A cluster that is away is waited for behind the port.
    ///
    /// # Errors
    /// When there is no usable kubeconfig, or the port is taken.
    pub async fn start(settings: &Serve) -> Result<Self, Error> {
        let data_dir = std::path::absolute(&settings.workplace.data_dir)?;
        let offer = Offer::of(settings)?;
        private::create_dir(&data_dir)
            .map_err(|error| format!("the data folder {} cannot be made: {error}", data_dir.display()))?;
        let wiring = Arc::new(Wiring::new(settings, &offer, data_dir.clone())?);
        let default = wiring.open_default(&offer.default).await?;
        let listener = TcpListener::bind(settings.listen)
            .await
            .map_err(|error| format!("cannot listen on {}: {error}", settings.listen))?;
        let clusters = Arc::new(Clusters::new(wiring.clone(), offer.list(), default));
        let closes = clusters.clone();
        let mut tasks = vec![AbortOnDropHandle::new(tokio::spawn(async move { closes.close_idle().await }))];
        for name in keepsake::left(&data_dir).into_iter().filter(|name| *name != offer.default) {
            if !offer.targets.contains_key(&name) {
                let cluster = name;
                tracing::warn!(
                    cluster,
                    "operations may be under way in this cluster, which is not offered now"
                );
                continue;
            }
            let opens = clusters.clone();
            tasks.push(AbortOnDropHandle::new(tokio::spawn(async move { opens.reopen(&name).await })));
        }
        let site = Site { clusters: clusters.clone(), stopping: CancellationToken::new() };
        Ok(Self { listener, site, clusters, wiring, _tasks: tasks })
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
        let served = tokio::select! {
            served = axum::serve(self.listener, router(self.site)).with_graceful_shutdown(until) => Ok(served?),
            () = overdue => Ok(()),
        };
        self.clusters.end();
        served
    }

    /// Like [`Server::run`], and ends the operations that were started here.
    ///
    /// # Errors
    /// As there.
    pub async fn run_with_its_operations(self) -> Result<(), Error> {
        let wiring = self.wiring.clone();
        let result = self.run().await;
        wiring.end_operations(RUNNERS_PATIENCE).await;
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
    let target = settings.target();
    let workplace = settings.workplace;
    let state = runner::run(runner::Settings {
        id: settings.id,
        target,
        operations_namespace: workplace.operations_namespace,
        helm: workplace.helm,
        data_dir: workplace.data_dir,
        executable: std::env::current_exe()?,
    })
    .await?;
    tracing::info!(state = state.as_str(), "the operation has ended");
    Ok(())
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
