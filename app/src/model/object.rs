//! One live object of a release, looked at closely.

use serde::{Deserialize, Serialize};

use super::{Health, ObjectRef, Timestamp};

/// One live object, with what the cluster says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ObjectDetail {
    /// The server's clock when it answered.
    pub now: Timestamp,
    /// The object.
    pub object: ObjectRef,
    /// The object of the manifest that it is, or that it belongs to: the Deployment of a pod.
    pub root: ObjectRef,
    /// The sub-chart that the root comes from, as in [`super::Resource::source`].
    pub source: String,
    /// All of it as YAML, without its managed fields.
    pub yaml: String,
    /// It holds secrets in clear: to be shown when asked for.
    pub is_sensitive: bool,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// How it is doing.
    pub health: Health,
    /// That in one short sentence.
    pub message: String,
    /// What it says of its own state, in its order; at most [`CONDITIONS_MAX`].
    #[serde(default)]
    pub conditions: Vec<ObjectCondition>,
    /// What the cluster tells of it, the newest first; at most [`EVENTS_MAX`].
    pub events: Vec<ObjectEvent>,
    /// Why there are no events, where they cannot be read.
    pub events_error: Option<String>,
}

/// The most conditions of an object that are told: most kinds have fewer than ten.
pub const CONDITIONS_MAX: usize = 50;

/// One thing that an object says of its own state: `Available` is `True`, `MinimumReplicasAvailable`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ObjectCondition {
    /// `Available`, `Ready`, …
    pub kind: String,
    /// `True`, `False` or `Unknown`, as the object has it.
    pub status: String,
    /// Why, in one word; empty where it does not tell.
    pub reason: String,
    /// The sentence.
    pub message: String,
    /// Since when.
    pub changed: Option<Timestamp>,
}

/// The most events of an object that are told.
pub const EVENTS_MAX: usize = 50;

/// One event of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ObjectEvent {
    /// When it happened last.
    pub last: Option<Timestamp>,
    /// When it happened first.
    pub first: Option<Timestamp>,
    /// How often.
    pub count: u32,
    /// Kubernetes takes it for a warning.
    pub is_warning: bool,
    /// `FailedScheduling`, …
    pub reason: String,
    /// The sentence.
    pub message: String,
    /// Who says so: `kubelet`, …; empty if it does not tell.
    pub by: String,
}
