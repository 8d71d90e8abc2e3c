//! The namespaces of the cluster.

use k8s_openapi::api::core::v1::Namespace;
use kube::api::{Api, ListParams};

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
    let api: Api<Namespace> = Api::all(client.clone());
    let mut params = ListParams::default().limit(PAGE);
    let mut names = Vec::new();
    for _ in 0..PAGES_MAX {
        let page = within_deadline(api.list_metadata(&params)).await?;
        names.extend(page.items.into_iter().filter_map(|namespace| namespace.metadata.name));
        params.continue_token = page.metadata.continue_.filter(|token| !token.is_empty());
        if params.continue_token.is_none() {
            break;
        }
    }
    names.sort_unstable();
    Ok(names)
}
