//! The pods of a release, and what they say.

use serde::{Deserialize, Serialize};

use super::{Health, ObjectRef, Timestamp};

/// The pods of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PodList {
    /// The server's clock when it answered.
    pub now: Timestamp,
    /// By their roots in the manifest's order, then by name.
    pub pods: Vec<ReleasePod>,
    /// Why the list is not complete, if it is not: one sentence each.
    pub warnings: Vec<String>,
}

/// One pod of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReleasePod {
    /// The pod.
    pub object: ObjectRef,
    /// The object of the manifest that it is, or that it belongs to.
    pub root: ObjectRef,
    /// The sub-chart that the root comes from, as in [`super::Resource::source`].
    pub source: String,
    /// How it is doing.
    pub health: Health,
    /// That in one short sentence.
    pub message: String,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// The node that runs it.
    pub node: Option<String>,
    /// Its containers in the order in which they start.
    pub containers: Vec<PodContainer>,
}

/// One container of a pod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PodContainer {
    /// Its name.
    pub name: String,
    /// What it is there for.
    pub role: ContainerRole,
    /// Its state in words: `running`, `waiting: CrashLoopBackOff`, `exited with 1`.
    pub state: String,
    /// It is running and its probes are content.
    pub is_ready: bool,
    /// It has begun, so that there may be a log.
    pub has_log: bool,
    /// It ran before, so that there may be a log of that.
    pub has_previous: bool,
    /// How often it was started again.
    pub restarts: u32,
}

/// What a container is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ContainerRole {
    /// It runs to its end before the others start.
    Init,
    /// It starts before the others and runs beside them.
    Sidecar,
    /// The work itself.
    Main,
    /// It was put in by hand, to look around.
    Debug,
}

/// Which log of a pod is wanted, and how much of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg(feature = "ssr")]
pub struct PodLogQuery {
    /// The pod's namespace.
    pub namespace: String,
    /// The pod.
    pub pod: String,
    /// The container; where there is but one, none will do.
    pub container: Option<String>,
    /// That of its run before.
    pub previous: bool,
    /// Goes on while the container says something.
    pub follow: bool,
    /// Only this many lines of what is there; [`LOG_LINES_MAX`] at most, and if none is said.
    pub tail: Option<u32>,
    /// Only what was said in the last so many seconds.
    pub since_seconds: Option<u32>,
    /// Only what was said after this instant, as an earlier [`PodLogPiece`] gave it.
    pub after: Option<String>,
    /// Each line begins with its time.
    pub timestamps: bool,
}

/// The most lines of what a container has said that are told.
pub const LOG_LINES_MAX: u32 = 10_000;

/// A piece of a container's log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg(feature = "ssr")]
pub enum PodLogPiece {
    /// Whole lines, and up to which instant they reach.
    Lines {
        /// The lines, each with its end.
        text: String,
        /// The last one's time in RFC 3339, to go on from ([`PodLogQuery::after`]); empty if it is not known.
        upto: String,
    },
    /// There is no more, and why, in a sentence.
    End(String),
}
