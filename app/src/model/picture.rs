//! A release as a picture: its objects, and what they have to do with each other, each with its place.

use serde::{Deserialize, Serialize};

use super::{Health, ObjectRef};

/// The picture. Lengths are in its own unit: a node is [`NODE_WIDTH`] wide and [`NODE_HEIGHT`] high.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// How wide it is.
    pub width: u32,
    /// How high it is.
    pub height: u32,
    /// The objects, those of one sub-chart together.
    pub nodes: Vec<PictureNode>,
    /// What they have to do with each other.
    pub edges: Vec<PictureEdge>,
    /// The sub-charts.
    pub groups: Vec<PictureGroup>,
    /// How many objects are left out, because there would be too many.
    pub left_out: u32,
    /// Why something in it is not known, if so: one sentence each.
    pub warnings: Vec<String>,
}

/// How wide a node is.
pub const NODE_WIDTH: u32 = 160;
/// How high a node is.
pub const NODE_HEIGHT: u32 = 48;

/// An object in the picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PictureNode {
    /// The object.
    pub object: ObjectRef,
    /// Which of [`Picture::groups`] it is in.
    pub group: u32,
    /// It is in the manifest; else something made it that is.
    pub is_in_manifest: bool,
    /// It is a hook.
    pub is_hook: bool,
    /// How it is doing.
    pub health: Health,
    /// That in one short sentence.
    pub message: String,
    /// How many pods it has; none where it has none to have.
    pub pods: Option<PodCounts>,
    /// Its left edge.
    pub x: u32,
    /// Its upper edge.
    pub y: u32,
}

/// How the pods of a workload are doing: the parts of its ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct PodCounts {
    /// Ready.
    pub ready: u32,
    /// On their way.
    pub progressing: u32,
    /// Failed.
    pub failed: u32,
    /// All.
    pub total: u32,
}

/// What one object has to do with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct PictureEdge {
    /// Which of [`Picture::nodes`] it starts from.
    pub from: u32,
    /// Which of them it leads to.
    pub to: u32,
    /// What it means.
    pub relation: Relation,
}

/// What an edge means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Relation {
    /// It leads requests to a service: an Ingress, a Route.
    Routes,
    /// It selects the pods of a workload: a Service, a disruption budget, a network policy.
    Selects,
    /// It sets how many pods a workload has: an autoscaler.
    Scales,
    /// It made it.
    Owns,
    /// It has it as a volume.
    Mounts,
    /// It reads settings from it, or acts as it: an environment, a ServiceAccount, an image's pull secret.
    Uses,
}

/// A sub-chart in the picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct PictureGroup {
    /// The sub-chart, as in [`super::Resource::source`].
    pub source: String,
    /// Its left edge.
    pub x: u32,
    /// Its upper edge.
    pub y: u32,
    /// How wide it is.
    pub width: u32,
    /// How high it is.
    pub height: u32,
}
