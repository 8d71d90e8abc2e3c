//! What a run leaves behind, for the prover: nothing in here asks anybody.

use app::model::{Operation, OperationId};
use jiff::Timestamp;
use server::kube::records::RecordMeta;
use testbed::AuditEvent;

/// The namespace of Slipway's records and Leases; its audit events have their content.
pub const OPERATIONS: &str = "slipway";
/// Slipway's user, and its helm's.
pub const OPERATOR: &str = "operator";
/// Who deletes by hand what is helm's.
pub const VANDAL: &str = "vandal";
/// Whom a signed helm names as its operation and its process, in the audit log.
pub const SIGNED_OPERATION: &str = "operation";
/// See [`SIGNED_OPERATION`].
pub const SIGNED_PROCESS: &str = "process";

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// What clients were told was accepted.
    pub accepted: Vec<Accepted>,
    /// The operations as they are recorded at the end.
    pub operations: Vec<Operation>,
    /// helm's records at the end.
    pub records: Vec<RecordMeta>,
    /// The API server's audit log.
    pub audit: Vec<AuditEvent>,
    /// When the API server or etcd were killed or stood still: what was written just then may not be in the log.
    pub outages: Vec<Span>,
    /// What is left over although all is over: processes, Leases, Jobs, files.
    pub left: Vec<String>,
    /// Where a server and the records do not agree.
    pub disagreements: Vec<String>,
}

/// A submission that was answered by 202.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The operation's id in the answer.
    pub id: OperationId,
    /// The client's key.
    pub key: String,
}

/// From one moment to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first moment.
    pub from: Timestamp,
    /// The last one.
    pub to: Timestamp,
}

impl Span {
    /// Whether there is a moment that is in both.
    pub fn meets(self, other: Self) -> bool {
        self.from <= other.to && other.from <= self.to
    }
}

/// When a write was under way.
pub fn span(event: &AuditEvent) -> Span {
    Span { from: event.received, to: event.answered }
}

/// Whether the API server did what was asked.
pub fn is_done(event: &AuditEvent) -> bool {
    (200..300).contains(&event.code)
}

impl Evidence {
    /// Whether the audit log may lack something of that time.
    pub fn may_lack(&self, span: Span) -> bool {
        self.outages.iter().any(|outage| outage.meets(span))
    }
}
