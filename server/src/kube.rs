//! The one room that names the Kubernetes client. Others know the cluster by the types of the domain.

pub mod access;
pub mod contexts;
mod date;
pub mod error;
pub mod evidence;
pub mod jobs;
pub mod leases;
pub mod logs;
pub mod namespaces;
pub mod objects;
pub mod operations;
pub mod records;
pub mod repositories;
pub mod resources;
pub mod uploads;
pub mod version;
pub mod watch;

use std::path::PathBuf;
use std::time::Duration;

use ::kube::Config;
use ::kube::client::{AuthError, ClientBuilder};
use ::kube::config::{ExecInteractiveMode, KubeConfigOptions, Kubeconfig};

pub use ::kube::Client;
pub use error::ClusterError;

use crate::clock::cluster::Clock;

/// Which cluster, as which identity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// A kubeconfig file; else the usual places, else the pod's own service account.
    pub kubeconfig: Option<PathBuf>,
    /// A context in it; else its current one.
    pub context: Option<String>,
}

/// How much of what a program for credentials says is told.
const WORDS_MAX: usize = 300;

/// Makes a client for `target`, which sets `clock` by the answers that it gets. No request is sent; a program that the
/// kubeconfig names for the credentials is run.
///
/// # Errors
/// [`ClusterError::Settings`] when there is no usable configuration.
pub async fn connect(target: &Target, clock: &Clock) -> Result<Client, ClusterError> {
    client(configuration(target).await?, clock).await
}

/// The same while nobody sits at the terminal: a program for the credentials cannot ask for anything.
///
/// # Errors
/// As there.
pub async fn connect_unattended(target: &Target, clock: &Clock) -> Result<Client, ClusterError> {
    let mut config = configuration(target).await?;
    if let Some(exec) = &mut config.auth_info.exec {
        exec.interactive_mode = Some(ExecInteractiveMode::Never);
    }
    client(config, clock).await
}

async fn configuration(target: &Target) -> Result<Config, ClusterError> {
    let options = KubeConfigOptions { context: target.context.clone(), ..KubeConfigOptions::default() };
    let settings = |error: &dyn std::fmt::Display| ClusterError::Settings(error.to_string());
    let config = match (&target.kubeconfig, &target.context) {
        (Some(path), _) => {
            let file = Kubeconfig::read_from(path).map_err(|error| settings(&error))?;
            Config::from_custom_kubeconfig(file, &options).await.map_err(|error| settings(&error))?
        }
        (None, Some(_)) => Config::from_kubeconfig(&options).await.map_err(|error| settings(&error))?,
        (None, None) => Config::infer().await.map_err(|error| settings(&error))?,
    };
    Ok(config)
}

async fn client(mut config: Config, clock: &Clock) -> Result<Client, ClusterError> {
    // The API server ends a watch after 5 minutes or so; a silent connection for longer than this is a dead one.
    config.read_timeout = Some(Duration::from_secs(330));
    let dates = date::ReadDates(clock.clone());
    // A program for the credentials is waited for in here, which may take long.
    let built = tokio::task::spawn_blocking(move || {
        ClientBuilder::try_from(config).map(|builder| builder.with_layer(&dates).build())
    });
    let built = built.await.map_err(|error| ClusterError::Settings(error.to_string()))?;
    built.map_err(|error| ClusterError::Settings(words(&error)))
}

/// Why there is no client. What a program for credentials was given, and what it has to give, is told to nobody.
fn words(error: &::kube::Error) -> String {
    let ::kube::Error::Auth(AuthError::AuthExecRun { out, .. }) = error else { return error.to_string() };
    let said = String::from_utf8_lossy(&out.stderr);
    let said: String = said.trim().chars().take(WORDS_MAX).collect();
    format!("the program for its credentials has failed ({}): {said}", out.status)
}

/// How long the cluster may take to answer a single request. The client's own retries would go on for minutes.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// The answer to `request`, if it comes in time.
async fn within_deadline<T>(
    request: impl Future<Output = Result<T, ::kube::Error>>,
) -> Result<T, ClusterError> {
    match tokio::time::timeout(ANSWER_WITHIN, request).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(ClusterError::Unreachable(format!("no answer within {} s", ANSWER_WITHIN.as_secs()))),
    }
}
