//! The pure domain: no I/O, and no clock: whoever knows the time passes it in.

#[cfg(feature = "ssr")]
pub mod action;
pub mod activity;
pub mod chart;
pub mod cluster;
pub mod comparison;
pub mod error;
pub mod evidence;
pub mod failure;
pub mod form;
pub mod log;
pub mod name;
pub mod notice;
pub mod object;
pub mod operation;
pub mod phase;
pub mod picture;
pub mod pod;
pub mod release;
pub mod repository;
pub mod resource;
pub mod terminal;
pub mod time;
pub mod timeline;
pub mod trial;
pub mod version;
pub mod view;
pub mod way;
mod wire;

pub use activity::{Activity, Doing};
pub use chart::{
    Catalogue, CatalogueEntry, ChartDependency, ChartDetail, ChartSource, ChartVersion, KubernetesConstraint,
    Maintainer,
};
pub use cluster::ClusterList;
pub use comparison::{ComparedPart, Comparison, Facet, PartChange};
pub use error::ApiError;
pub use evidence::{ContainerEvidence, Evidence, PodEvidence};
pub use failure::{Failure, FailureClass, NextAction, NextStep};
pub use form::{
    CheckValues, FieldKind, Form, FormChoice, FormField, FormLimits, FormOf, ValuesCheck, ValuesProblem,
};
pub use log::LogPart;
pub use notice::Notice;
pub use object::{ObjectCondition, ObjectDetail, ObjectEvent};
pub use operation::{
    Accepted, Attempt, Cancel, Operation, OperationId, OperationKind, OperationOptions, OperationState,
    Outcome, RunnerKind, SubmitOperation, ValuesPolicy,
};
pub use phase::{Phase, Step, Tone};
pub use picture::{Picture, PictureEdge, PictureGroup, PictureNode, PodCounts, Relation};
pub use pod::{ContainerRole, PodContainer, PodList, ReleasePod};
#[cfg(feature = "ssr")]
pub use pod::{PodLogPiece, PodLogQuery};
pub use release::{
    Detail, RecordStatus, RecordSummary, ReleaseHook, ReleaseKey, ReleaseManifest, ReleaseRecord,
};
pub use repository::{
    Credentials, References, ReleaseUpdate, RepositoryList, RepositoryOrigin, RepositorySpec,
    RepositoryState, RepositoryTest, Secured, Uploaded,
};
pub use resource::{Health, ObjectRef, Progress, ProgressGroup, Resource};
pub use terminal::CommandLine;
pub use time::Timestamp;
pub use timeline::{RowKind, RowState, Timeline, TimelineRow};
pub use trial::{ReleaseTest, TestReport, TestResult};
pub use view::{HistoryEntry, Preview, ReleaseList, ReleaseRow, ReleaseValues, ReleaseView, Version};
pub use way::{Way, WayAction};
