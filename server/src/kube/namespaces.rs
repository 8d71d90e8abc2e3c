//! The namespaces of the cluster.

use k8s_openapi::api::core::v1::Namespace;
use kube::api::{Api, ApiResource, DynamicObject, ListParams};
use kube::core::GroupVersionKind;
use serde::de::DeserializeOwned;

use super::{Client, ClusterError, within_deadline};

/// How many are read with one request.
const PAGE: u32 = 500;
/// The most that are read: Kubernetes supports 10,000.
const PAGES_MAX: usize = 20;

/// The names of all namespaces, in order.
///
/// # Errors
/// [`ClusterError::Forbidden`] when the client's identity may not list them, which many may not.
pub async fn names(client: &Client) -> Result<Vec<String>, ClusterError> {
    listed(Api::<Namespace>::all(client.clone())).await
}

/// The names of the projects that the client's identity may see, in order. OpenShift shows each user their own; a cluster
/// that is none has no projects.
///
/// # Errors
/// When the cluster does not answer.
pub async fn projects(client: &Client) -> Result<Vec<String>, ClusterError> {
    let kind = GroupVersionKind::gvk("project.openshift.io", "v1", "Project");
    let kind = ApiResource::from_gvk_with_plural(&kind, "projects");
    match listed(Api::<DynamicObject>::all_with(client.clone(), &kind)).await {
        Err(ClusterError::NotFound(_) | ClusterError::Forbidden(_)) => Ok(Vec::new()),
        answer => answer,
    }
}

async fn listed<K>(api: Api<K>) -> Result<Vec<String>, ClusterError>
where
    K: Clone + DeserializeOwned + std::fmt::Debug,
{
    let mut params = ListParams::default().limit(PAGE);
    let mut names = Vec::new();
    for _ in 0..PAGES_MAX {
        let page = within_deadline(api.list_metadata(&params)).await?;
        names.extend(page.items.into_iter().filter_map(|object| object.metadata.name));
        params.continue_token = page.metadata.continue_.filter(|token| !token.is_empty());
        if params.continue_token.is_none() {
            break;
        }
    }
    names.sort_unstable();
    Ok(names)
}
