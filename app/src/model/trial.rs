//! What a release's own tests (`helm test`) came to.

use serde::{Deserialize, Serialize};

use super::{Evidence, ObjectRef, OperationId, OperationState, Timestamp};

/// The tests of a release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TestReport {
    /// The revision whose tests they are.
    pub revision: Option<u32>,
    /// The newest operation that ran them, if one of ours did.
    pub operation: Option<OperationId>,
    /// Where that stands.
    pub state: Option<OperationState>,
    /// Each test, in helm's order.
    pub tests: Vec<ReleaseTest>,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReleaseTest {
    /// Its pod or Job.
    pub object: ObjectRef,
    /// The sub-chart that it comes from, as in [`super::Resource::source`].
    pub source: String,
    /// What came of it.
    pub result: TestResult,
    /// When it began.
    pub started: Option<Timestamp>,
    /// When it had ended.
    pub ended: Option<Timestamp>,
    /// What it said, where it is known: the end of it.
    pub log: Option<String>,
    /// What was seen of its failure.
    pub evidence: Option<Evidence>,
}

/// What came of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum TestResult {
    /// It has not run on this revision.
    NotRun,
    /// It runs.
    Running,
    /// It has passed.
    Passed,
    /// It has failed.
    Failed,
    /// It ran, and what came of it is not known.
    Unknown,
}
