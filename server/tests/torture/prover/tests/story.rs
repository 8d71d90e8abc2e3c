//! What happened, second by second, told by hand.

use app::model::{
    Failure, FailureClass, Operation, OperationId, OperationKind, OperationOptions, OperationState, Outcome,
    RecordStatus, ReleaseKey, Timestamp,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use server::kube::records::RecordMeta;
use testbed::AuditEvent;

use crate::evidence::{
    Accepted, Evidence, OPERATIONS, OPERATOR, SIGNED_OPERATION, SIGNED_PROCESS, Span, Times,
};
use crate::prover::{Verdict, prove};

/// What happened, second by second, to one release, `team/shop`.
#[derive(Default)]
pub struct Story {
    pub evidence: Evidence,
    pub version: u64,
    /// The version of the Lease, if there is one.
    pub lease: Option<u64>,
}

pub fn second(second: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(1_800_000_000 + second).unwrap()
}

pub fn event(at: i64, user: &str, verb: &str, resource: &str, namespace: &str, name: &str) -> AuditEvent {
    AuditEvent {
        id: String::new(),
        received: second(at),
        answered: second(at),
        user: user.into(),
        user_agent: String::new(),
        verb: verb.into(),
        resource: resource.into(),
        namespace: namespace.into(),
        name: name.into(),
        code: 200,
        extra: [].into(),
        request: None,
        response: None,
    }
}

pub fn operation(id: &str, kind: OperationKind, state: OperationState) -> Operation {
    let failure = (state != OperationState::Succeeded)
        .then(|| Failure::new(FailureClass::Interrupted, "Its runner is gone.", ""));
    let outcome = Outcome { ended: Timestamp(0), revision: None, failure, remark: None };
    let attempt =
        json!([{ "number": 1, "started": 0, "ended": 0, "exitCode": 0, "failure": null, "revision": 1 }]);
    Operation {
        id: OperationId(id.into()),
        kind,
        release: ReleaseKey::new("team", "shop"),
        chart: None,
        options: OperationOptions::default(),
        requested_by: OPERATOR.into(),
        idempotency_key: Some(format!("key-{id}")),
        created: Timestamp(second(0).as_millisecond()),
        state,
        max_attempts: 1,
        next_attempt: None,
        attempts: serde_json::from_value(attempt).unwrap(),
        base_revision: None,
        outcome: state.is_terminal().then_some(outcome),
        cancel: None,
        again: None,
    }
}

impl Story {
    pub fn accepted(mut self, id: &str) -> Self {
        self.evidence.accepted.push(Accepted { id: OperationId(id.into()), key: format!("key-{id}") });
        self
    }

    /// The Lease is taken or renewed for an operation.
    pub fn held(mut self, at: i64, id: &str) -> Self {
        self.version += 1;
        let verb = if self.lease.is_some() { "update" } else { "create" };
        let mut write = event(at, OPERATOR, verb, "leases", OPERATIONS, "slipway-1");
        write.request = Some(json!({
            "metadata": {
                "annotations": { "slipway.dev/release": "team/shop" },
                "resourceVersion": self.lease.map(|version| version.to_string()),
            },
            "spec": { "holderIdentity": id },
        }));
        write.response = Some(json!({ "metadata": { "resourceVersion": self.version.to_string() } }));
        self.lease = Some(self.version);
        self.evidence.audit.push(write);
        self
    }

    /// The Lease is given back.
    pub fn free(mut self, at: i64) -> Self {
        let mut write = event(at, OPERATOR, "delete", "leases", OPERATIONS, "slipway-1");
        let version = self.lease.take().map(|version| version.to_string());
        write.request = Some(json!({ "preconditions": { "resourceVersion": version } }));
        self.evidence.audit.push(write);
        self
    }

    /// A helm writes for an operation.
    pub fn helm(mut self, at: i64, id: &str, process: &str) -> Self {
        let mut write = event(at, OPERATOR, "update", "secrets", "team", "sh.helm.release.v1.shop.v1");
        write.user_agent = "Helm/4".into();
        write.extra.insert(SIGNED_OPERATION.into(), vec![id.into()]);
        write.extra.insert(SIGNED_PROCESS.into(), vec![process.into()]);
        self.evidence.audit.push(write);
        self
    }

    /// An outcome is written.
    pub fn written(mut self, at: i64, id: &str, state: OperationState) -> Self {
        self.version += 1;
        let record = operation(id, OperationKind::Install, state);
        let name = format!("slipway.op.v1.{id}");
        let mut write = event(at, OPERATOR, "update", "secrets", OPERATIONS, &name);
        let data = STANDARD.encode(serde_json::to_vec(&record).unwrap());
        write.request = Some(json!({ "data": { "operation": data } }));
        write.response = Some(json!({ "metadata": { "resourceVersion": self.version.to_string() } }));
        self.evidence.audit.push(write);
        self
    }

    /// It is recorded so at the end.
    pub fn recorded(mut self, id: &str, kind: OperationKind, state: OperationState) -> Self {
        self.evidence.operations.push(operation(id, kind, state));
        self.evidence.times.insert(OperationId(id.into()), Times { created: second(0), written: second(9) });
        self
    }

    /// helm's newest record at the end.
    pub fn record(mut self, status: RecordStatus) -> Self {
        self.evidence.records.push(RecordMeta {
            key: ReleaseKey::new("team", "shop"),
            revision: 1,
            status,
            created: None,
            changed: None,
            operation: None,
            uid: String::new(),
            resource_version: String::new(),
        });
        self
    }

    pub fn other(mut self, event: AuditEvent) -> Self {
        self.evidence.audit.push(event);
        self
    }

    pub fn outage(mut self, from: i64, to: i64) -> Self {
        self.evidence.outages.push(Span { from: second(from), to: second(to) });
        self
    }

    pub fn verdict(&self) -> Verdict {
        prove(&self.evidence)
    }
}
