//! What is going on and what was lately: operations, as short as a list over every page needs them.

use serde::{Deserialize, Serialize};

use super::{OperationId, OperationKind, OperationState, ReleaseKey, Timestamp, Version};

/// The operations that are under way, and those that ended last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// Which state this is.
    pub version: Version,
    /// The server's clock when it answered.
    pub now: Timestamp,
    /// Those under way, the newest first, and after them those that ended, the last one first. None when they are those of
    /// the version that was asked with.
    pub doings: Option<Vec<Doing>>,
    /// How many more are under way than are told.
    pub more: u32,
}

/// One operation in a list of what is going on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Doing {
    /// Its id.
    pub id: OperationId,
    /// The verb.
    pub kind: OperationKind,
    /// The release.
    pub release: ReleaseKey,
    /// Where it stands.
    pub state: OperationState,
    /// Who asked for it, as the cluster names them.
    pub requested_by: String,
    /// When it was accepted.
    pub created: Timestamp,
    /// When it ended, if it has.
    pub ended: Option<Timestamp>,
    /// Which attempt it is at, from 1; 0 before the first.
    pub attempt: u32,
    /// How many it may take.
    pub max_attempts: u32,
    /// What it is doing, or why it did not succeed; empty where there is nothing to say.
    pub line: String,
    /// Whether it can be cancelled as it stands.
    pub can_cancel: bool,
}
