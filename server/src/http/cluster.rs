//! What the routes need of the clusters, and which of them a request is about.

use std::sync::Arc;

use app::model::{ApiError, ClusterList};
use app::port::Backend;
use async_trait::async_trait;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Site;
use super::prefix::Named;
use super::problem::Problem;
use crate::identity::Identity;

/// What is not ready yet, in words; empty when all of it is.
pub type Readiness = Arc<dyn Fn() -> Vec<String> + Send + Sync>;

/// One cluster. Nothing in it is another one's.
#[derive(Clone)]
pub struct Cluster {
    /// The world.
    pub backend: Arc<dyn Backend>,
    /// Who a request comes from.
    pub identity: Arc<Identity>,
    /// What `/readyz` says.
    pub readiness: Readiness,
}

/// All clusters.
#[async_trait]
pub trait Clusters: Send + Sync {
    /// Their names.
    fn list(&self) -> ClusterList;
    /// The cluster of this name; the default one when none is named.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] when there is none of this name; [`ApiError::Unavailable`] when it cannot be used now.
    async fn open(&self, name: Option<&str>) -> Result<Cluster, ApiError>;
}

/// Where a request was sent, for answers that name an address: `/c/{cluster}`, or nothing.
#[derive(Clone)]
pub struct Below(pub String);

/// Finds the cluster that is asked, and out who asks it, for the routes that need to know.
pub async fn identify(State(site): State<Site>, mut request: Request, next: Next) -> Response {
    let named = request.extensions().get::<Named>().cloned();
    let known = async {
        let cluster = site.clusters.open(named.as_ref().map(|named| named.cluster.as_str())).await?;
        let caller = cluster.identity.caller().await?;
        Ok((cluster, caller))
    };
    match known.await {
        Ok((cluster, caller)) => {
            let extensions = request.extensions_mut();
            extensions.insert(cluster);
            extensions.insert(caller);
            extensions.insert(Below(named.map(|named| named.prefix).unwrap_or_default()));
            next.run(request).await
        }
        Err(error) => Problem(error).into_response(),
    }
}
