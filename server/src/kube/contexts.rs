//! The contexts of a kubeconfig. Only names are read here: nothing is asked of any cluster.

use std::path::Path;

use ::kube::config::Kubeconfig;

use super::ClusterError;

/// The names in a kubeconfig.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contexts {
    /// All contexts.
    pub names: Vec<String>,
    /// The one that is meant where none is named.
    pub current: Option<String>,
}

/// The contexts in `kubeconfig`; else in the usual places, where there may be none.
///
/// # Errors
/// [`ClusterError::Settings`] when the file that is named cannot be read.
pub fn read(kubeconfig: Option<&Path>) -> Result<Contexts, ClusterError> {
    let file = match kubeconfig {
        Some(path) => {
            Kubeconfig::read_from(path).map_err(|error| ClusterError::Settings(error.to_string()))?
        }
        // Without any there may still be the pod's own service account.
        None => Kubeconfig::read().unwrap_or_default(),
    };
    Ok(Contexts {
        names: file.contexts.into_iter().map(|context| context.name).collect(),
        current: file.current_context.filter(|name| !name.is_empty()),
    })
}
