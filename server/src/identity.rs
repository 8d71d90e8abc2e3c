//! Whose rights a request has. So far there is one way: everybody who reaches the loopback port is the kubeconfig's user.

use std::sync::Arc;
use std::time::Duration;

use app::model::ApiError;
use app::port::Caller;
use tokio::sync::OnceCell;

use crate::kube::ClusterError;
use crate::kube::access::Access;

/// How long the cluster may take to say who we are. A page that is told so soon shows it, and asks again.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// Who asks.
pub struct Identity {
    access: Arc<Access>,
    known: OnceCell<Caller>,
}

impl Identity {
    /// The identity of the client that `access` asks with.
    pub fn local(access: Arc<Access>) -> Self {
        Self { access, known: OnceCell::new() }
    }

    /// A caller that is known from the start.
    #[cfg(test)]
    pub fn known(caller: Caller, access: Arc<Access>) -> Self {
        Self { access, known: OnceCell::new_with(Some(caller)) }
    }

    /// Who asks. The cluster is asked once.
    ///
    /// # Errors
    /// While the cluster does not answer.
    pub async fn caller(&self) -> Result<Caller, ApiError> {
        let ask = || async {
            let answer = tokio::time::timeout(ANSWER_WITHIN, self.access.whoami()).await;
            let away = || ClusterError::Unreachable("no answer in time".into());
            Ok(Caller { user: answer.map_err(|_| away())?? })
        };
        self.known.get_or_try_init(ask).await.cloned()
    }

    /// Whether the cluster has said who we are.
    pub fn is_known(&self) -> bool {
        self.known.initialized()
    }
}
