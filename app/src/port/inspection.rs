//! What the tabs of a release's page look into.

use async_trait::async_trait;
use futures::stream::BoxStream;

use super::Caller;
use crate::model::{
    ApiError, CommandLine, Comparison, Facet, LogPart, ObjectDetail, ObjectRef, OperationId, Picture,
    PodList, PodLogPiece, PodLogQuery, ReleaseKey, SubmitOperation, TestReport, Timeline, ValuesPolicy,
};

/// A container's log as it is said. Dropped, nothing more is read.
pub type PodLog = BoxStream<'static, PodLogPiece>;

/// The part of the world that a release is inspected by. Each call checks the caller's own rights.
#[async_trait]
pub trait Inspection: Send + Sync + 'static {
    /// A live object of a release: one of its manifest, or one that belongs to such.
    async fn object(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        object: &ObjectRef,
    ) -> Result<ObjectDetail, ApiError>;
    /// The pods of a release with their containers.
    async fn pods(&self, caller: &Caller, key: &ReleaseKey) -> Result<PodList, ApiError>;
    /// The log of a container of a release's pod.
    async fn pod_log(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        which: PodLogQuery,
    ) -> Result<PodLog, ApiError>;
    /// A release as a picture.
    async fn picture(&self, caller: &Caller, key: &ReleaseKey) -> Result<Picture, ApiError>;
    /// How the time went in which the newest revision was made.
    async fn timeline(&self, caller: &Caller, key: &ReleaseKey) -> Result<Timeline, ApiError>;
    /// The release's own tests.
    async fn tests(&self, caller: &Caller, key: &ReleaseKey) -> Result<TestReport, ApiError>;
    /// What differs between two revisions; the newest one is on the right, and the one before it on the left, where none
    /// is named.
    async fn compare(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        facet: Facet,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Result<Comparison, ApiError>;
    /// What differs between what is deployed and what a dry run rendered. A dry run has no values to compare.
    async fn compare_preview(
        &self,
        caller: &Caller,
        id: &OperationId,
        facet: Facet,
    ) -> Result<Comparison, ApiError>;
    /// What differs between the values of what is deployed and those that it would have by `values`, YAML that is about to be
    /// submitted.
    async fn compare_values(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        values: String,
        policy: ValuesPolicy,
    ) -> Result<Comparison, ApiError>;
    /// What helm said after `since`, as an earlier part gave it; then held until there is more, for 25 s at most.
    async fn operation_log_part(
        &self,
        caller: &Caller,
        id: &OperationId,
        since: Option<&str>,
    ) -> Result<LogPart, ApiError>;
    /// The command line that does what an operation does.
    async fn command_of(&self, caller: &Caller, id: &OperationId) -> Result<CommandLine, ApiError>;
    /// The command line that would do what is about to be submitted. Nothing is.
    async fn command_for(&self, caller: &Caller, request: SubmitOperation) -> Result<CommandLine, ApiError>;
}
