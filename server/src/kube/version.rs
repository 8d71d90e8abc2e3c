//! Which version of Kubernetes the cluster has.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::{Client, ClusterError, within_deadline};

/// How long an answer is believed: a control plane is not upgraded every day.
const BELIEVED_FOR: Duration = Duration::from_secs(600);

/// Asks for the version, and remembers it for a while.
pub struct ClusterVersion {
    client: Client,
    known: Mutex<Option<(Instant, String)>>,
}

impl ClusterVersion {
    /// Asks with `client`.
    pub fn new(client: Client) -> Self {
        Self { client, known: Mutex::default() }
    }

    /// The version, such as `v1.37.2`.
    ///
    /// # Errors
    /// When the cluster does not answer.
    pub async fn get(&self) -> Result<String, ClusterError> {
        let known = self.lock().clone();
        if let Some((_, version)) = known.filter(|(at, _)| at.elapsed() < BELIEVED_FOR) {
            return Ok(version);
        }
        let version = within_deadline(self.client.apiserver_version()).await?.git_version;
        *self.lock() = Some((Instant::now(), version.clone()));
        Ok(version)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<(Instant, String)>> {
        self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
