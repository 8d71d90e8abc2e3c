//! Why an object of a release failed or is not ready, as it was seen in the cluster while helm worked: the record is the
//! only place that still has it when a hook's delete policy has removed the pods.

#[cfg(feature = "ssr")]
mod bounds;
#[cfg(feature = "ssr")]
mod said;

#[cfg(feature = "ssr")]
pub use bounds::{CONTAINER_LOG_MAX, EVIDENCE_MAX, bounded, end};

use serde::{Deserialize, Serialize};

use super::ObjectRef;

/// What was seen of one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The object.
    pub object: ObjectRef,
    /// What is wrong with it, in one plain sentence: `Job shop/migrate failed: container migrate exited with 3.`
    pub reason: String,
    /// Its pods that are not well, the most telling first.
    pub pods: Vec<PodEvidence>,
    /// What the cluster's events say of it and of its pods: `FailedCreate: …`
    pub events: Vec<String>,
}

/// What was seen of one pod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PodEvidence {
    /// Its name.
    pub name: String,
    /// Kubernetes' word: `Pending`, `Running`, `Failed`, …
    pub phase: String,
    /// Its containers, init containers first.
    pub containers: Vec<ContainerEvidence>,
}

/// What was seen of one container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContainerEvidence {
    /// Its name.
    pub name: String,
    /// It runs before the others.
    pub is_init: bool,
    /// Its state in words: `exited with 3`, `waiting: CrashLoopBackOff`, `running, not ready`.
    pub state: String,
    /// How it ended last, if it did.
    pub exit_code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Kubernetes' word for how it ended or why it waits: `Error`, `OOMKilled`, `ImagePullBackOff`; empty if it gave none.
    pub reason: String,
    /// What Kubernetes or the container itself says about it; empty if nothing.
    pub message: String,
    /// How often it was started again.
    pub restarts: u32,
    /// The end of its log; empty if it said nothing, or was not asked.
    pub log: String,
    /// Why there is no log: `The log could not be read: …`
    pub log_missing: Option<String>,
}
