//! How the time went in which an operation was done: a Gantt chart's rows.

use serde::{Deserialize, Serialize};

use super::{ObjectRef, OperationId, Timestamp};

/// The rows, on one axis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    /// The server's clock when it answered.
    pub now: Option<Timestamp>,
    /// The operation; none where it was not one of ours.
    pub operation: Option<OperationId>,
    /// The revision.
    pub revision: Option<u32>,
    /// Where the axis begins; none while nothing has a time.
    pub from: Option<Timestamp>,
    /// Where it ends: at the last thing that happened, or now.
    pub to: Option<Timestamp>,
    /// The rows, in the order in which things begin within each kind.
    pub rows: Vec<TimelineRow>,
    /// How many rows are left out, because there would be too many.
    pub left_out: u32,
    /// What there is to be said of it first, in a sentence: how it failed, or what took longest.
    pub headline: Option<String>,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TimelineRow {
    /// What kind of thing it is.
    pub kind: RowKind,
    /// What it is called: `Attempt 1`, `Deployment web`.
    pub label: String,
    /// The object, where it is one.
    pub object: Option<ObjectRef>,
    /// The sub-chart that it comes from, as in [`super::Resource::source`]; empty where it comes from none.
    pub source: String,
    /// When it began; none where that is not known.
    pub start: Option<Timestamp>,
    /// When it ended; none while it goes on, or where that is not known: `state` tells which.
    pub end: Option<Timestamp>,
    /// How it stands.
    pub state: RowState,
    /// A remark: why a time is not known, or what the times mean. Empty if there is nothing to say.
    pub note: String,
}

/// What a row is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum RowKind {
    /// The wait for its turn, and for a runner.
    Queue,
    /// One run of helm.
    Attempt,
    /// From helm's start to its first record: it fetches the chart, renders it and checks it.
    Preparation,
    /// A custom resource definition.
    Definition,
    /// A hook.
    Hook,
    /// A resource on its way to ready.
    Resource,
}

/// How the thing of a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum RowState {
    /// It goes on.
    Running,
    /// It has ended well.
    Done,
    /// It has failed.
    Failed,
    /// It has not begun.
    Waiting,
    /// It was there before and was not touched, or nothing is known.
    Unknown,
}
