//! What differs between two revisions, or between what is deployed and what a dry run rendered.

use serde::{Deserialize, Serialize};

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Facet {
    /// The values that the user gave.
    Values,
    /// The chart's values overlaid with the user's.
    Computed,
    /// The manifest with its hooks, object by object.
    #[default]
    Manifest,
    /// The notes.
    Notes,
}

/// What differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The revision on the left; none where nothing is deployed.
    pub from: Option<u32>,
    /// The revision on the left failed, so that not all of it need be in the cluster.
    #[serde(default)]
    pub from_failed: bool,
    /// The revision on the right; none for what a dry run rendered.
    pub to: Option<u32>,
    /// What differs: a text as a whole, or one part for each object that is added, removed or changed.
    pub parts: Vec<ComparedPart>,
    /// How many objects are the same in both.
    pub unchanged: u32,
    /// How many parts differ and are left out, because there would be too much.
    pub left_out: u32,
}

/// A text, or an object, that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ComparedPart {
    /// `Deployment shop/web`; empty for a text as a whole.
    pub title: String,
    /// The sub-chart that it comes from, as in [`super::Resource::source`].
    pub source: String,
    /// It is a hook.
    pub is_hook: bool,
    /// It holds secrets in clear: to be shown when asked for.
    pub is_sensitive: bool,
    /// What became of it.
    pub change: PartChange,
    /// How many lines are new.
    pub added: u32,
    /// How many lines are gone.
    pub removed: u32,
    /// The difference as a unified diff: `@@ -1,3 +1,4 @@`, and lines that begin with a space, `+` or `-`.
    pub unified: String,
    /// The difference is longer than what is told of it.
    pub is_cut: bool,
}

/// What became of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum PartChange {
    /// It is only on the right.
    Added,
    /// It is only on the left.
    Removed,
    /// It is another one.
    Changed,
}
