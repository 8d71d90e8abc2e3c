//! The one room that names the Kubernetes client. Others know the cluster by the types of the domain.

pub mod access;
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
use ::kube::client::ClientBuilder;
use ::kube::config::{KubeConfigOptions, Kubeconfig};

pub use ::kube::Client;
pub use error::ClusterError;

/// Which cluster, as which identity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// A kubeconfig file; else the usual places, else the pod's own service account.
    pub kubeconfig: Option<PathBuf>,
    /// A context in it; else its current one.
    pub context: Option<String>,
}

/// Makes a client for `target`. No request is sent.
///
/// # Errors
/// [`ClusterError::Settings`] when there is no usable configuration.
pub async fn connect(target: &Target) -> Result<Client, ClusterError> {
    let options = KubeConfigOptions { context: target.context.clone(), ..KubeConfigOptions::default() };
    let settings = |error: &dyn std::fmt::Display| ClusterError::Settings(error.to_string());
    let mut config = match (&target.kubeconfig, &target.context) {
        (Some(path), _) => {
            let file = Kubeconfig::read_from(path).map_err(|error| settings(&error))?;
            Config::from_custom_kubeconfig(file, &options).await.map_err(|error| settings(&error))?
        }
        (None, Some(_)) => Config::from_kubeconfig(&options).await.map_err(|error| settings(&error))?,
        (None, None) => Config::infer().await.map_err(|error| settings(&error))?,
    };
    // The API server ends a watch after 5 minutes or so; a silent connection for longer than this is a dead one.
    config.read_timeout = Some(Duration::from_secs(330));
    let builder = ClientBuilder::try_from(config).map_err(|error| settings(&error))?;
    Ok(builder.with_layer(&date::ReadDates).build())
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
