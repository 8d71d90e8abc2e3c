//! The clusters that there are to choose from.

use serde::{Deserialize, Serialize};

/// The clusters that this Slipway serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ClusterList {
    /// Their names, in order. What is below `/c/{name}` is about that cluster alone.
    pub clusters: Vec<String>,
    /// The one that addresses without a cluster are about.
    pub default: String,
}
