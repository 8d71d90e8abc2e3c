//! What the pages draw: answers that can be asked for again with "if newer than what I have".

use serde::{Deserialize, Serialize};

use super::{
    Detail, Notice, Operation, Phase, Progress, RecordStatus, ReleaseKey, ReleaseRecord, Resource, Timestamp,
    Way,
};

/// Which state an answer shows: opaque to clients, who give it back as `since`. A server that was started anew has other
/// versions, so an old one is answered at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Version(pub String);

/// One release, as its page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReleaseView {
    /// Which state this is.
    pub version: Version,
    /// The server's clock when it answered: elapsed times are measured against it, not against the browser's.
    pub now: Timestamp,
    /// The release.
    pub key: ReleaseKey,
    /// What a person sees.
    pub phase: Phase,
    /// What is going on, in a few words; none while nothing is.
    pub step: Option<String>,
    /// What there is to know, where the release is not simply well.
    pub notice: Option<Notice>,
    /// The newest operation of ours on this release.
    pub operation: Option<Operation>,
    /// How many turns it takes until that operation may start: 1 for the next one; none when it does not wait for others.
    #[serde(default)]
    pub queue_place: Option<u32>,
    /// The record with the highest revision.
    pub record: Option<ReleaseRecord>,
    /// How many resources are ready; none while there is no manifest.
    pub progress: Option<Progress>,
    /// The resources of the latest record's manifest, in its order.
    pub resources: Vec<Resource>,
    /// Why the resources are not, or not all, known.
    pub resources_error: Option<String>,
    /// The ways out, where the release was left half way.
    pub ways: Vec<Way>,
    /// What can be done with the release as it is, and why not, where it cannot.
    pub actions: Vec<Way>,
}

/// One row of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReleaseRow {
    /// The release.
    pub key: ReleaseKey,
    /// What a person sees.
    pub phase: Phase,
    /// The highest revision; none while an install has not written its first record.
    pub revision: Option<u32>,
    /// That record's status.
    pub status: Option<RecordStatus>,
    /// What is known of that record's payload.
    pub detail: Detail,
    /// When it last changed ([`super::ReleaseRecord::updated`]); of one without a record, when the operation did.
    pub updated: Option<Timestamp>,
}

/// The releases of a namespace, or of all that the user may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReleaseList {
    /// Which state this is.
    pub version: Version,
    /// The server's clock when it answered.
    pub now: Timestamp,
    /// The rows, by namespace and name.
    pub releases: Vec<ReleaseRow>,
    /// Why the list is not complete, if it is not: one sentence each.
    pub warnings: Vec<String>,
}

/// One revision in the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// The record.
    pub record: ReleaseRecord,
    /// Who asked for it, where it was an operation of ours.
    pub requested_by: Option<String>,
}

/// A revision's values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReleaseValues {
    /// The revision.
    pub revision: u32,
    /// What the user gave, as YAML; empty if nothing.
    pub user: String,
    /// The chart's values overlaid with the user's, as YAML.
    pub computed: String,
}

/// What a dry run rendered: nothing of it is in the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// The manifest, as YAML.
    pub manifest: String,
    /// The hooks, as YAML.
    pub hooks: String,
    /// The notes.
    pub notes: String,
}
