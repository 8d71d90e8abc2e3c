//! What a run leaves behind, for the prover: nothing in here asks anybody.

use std::collections::BTreeMap;

use app::model::{Operation, OperationId};
use jiff::Timestamp;
use server::kube::records::RecordMeta;
use testbed::AuditEvent;

/// The namespace of Slipway's records and Leases; its audit events have their content.
pub const OPERATIONS: &str = "slipway";
/// Slipway's user, and its helm's.
pub const OPERATOR: &str = "operator";
/// The ServiceAccount of Slipway's runners in pods, and of their helms.
pub const RUNNER_ACCOUNT: &str = "slipway-runner";
/// What Slipway's records have for a type.
pub const OPERATION_TYPE: &str = "slipway.dev/operation.v1";
/// Who does by hand what is not for hands.
pub const VANDAL: &str = "vandal";
/// Whom a signed helm names as its operation and its process, in the audit log.
pub const SIGNED_OPERATION: &str = "operation";
/// See [`SIGNED_OPERATION`].
pub const SIGNED_PROCESS: &str = "process";
/// The API server's own word in the audit log for the pod whose token was shown.
pub const POD: &str = "authentication.kubernetes.io/pod-name";
/// How the pods of runners are called, before the operation.
const POD_PREFIX: &str = "slipway-run-";
/// How helm names itself.
const HELM: &str = "Helm/";

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// What clients were told was accepted.
    pub accepted: Vec<Accepted>,
    /// The operations as they are recorded at the end.
    pub operations: Vec<Operation>,
    /// When that was written.
    pub times: BTreeMap<OperationId, Times>,
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

/// When an operation was written, by the API server's clock: servers' clocks may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// First.
    pub created: Timestamp,
    /// Last: its outcome, if it has one.
    pub written: Timestamp,
}

/// Which helm wrote something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writer {
    /// For which operation it worked.
    pub operation: OperationId,
    /// Its process, by its signature; in a pod, by the API server's word, the pod, in which one helm at a time is.
    pub process: String,
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

/// Whether that was one of Slipway's own users.
pub fn is_ours(event: &AuditEvent) -> bool {
    event.user == OPERATOR || event.user == format!("system:serviceaccount:{OPERATIONS}:{RUNNER_ACCOUNT}")
}

/// Whether that was a helm, whosever.
pub fn is_helms(event: &AuditEvent) -> bool {
    event.user_agent.starts_with(HELM)
}

/// Which helm of Slipway's that was, if it was one.
pub fn writer(event: &AuditEvent) -> Option<Writer> {
    let said = |key: &str| event.extra.get(key)?.first().map(String::as_str);
    if let Some(operation) = said(SIGNED_OPERATION) {
        let (operation, process) =
            (operation.to_owned(), said(SIGNED_PROCESS).unwrap_or_default().to_owned());
        return Some(Writer { operation: OperationId(operation), process });
    }
    let pod = said(POD).filter(|_| is_ours(event) && is_helms(event))?;
    let (operation, _) = pod.strip_prefix(POD_PREFIX)?.rsplit_once('-')?;
    Some(Writer { operation: OperationId(operation.to_owned()), process: pod.to_owned() })
}

impl Evidence {
    /// Whether the audit log may lack something of that time.
    pub fn may_lack(&self, span: Span) -> bool {
        self.outages.iter().any(|outage| outage.meets(span))
    }
}
