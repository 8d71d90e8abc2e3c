//! The API server's own word on who wrote what: evidence that no client can colour.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Cluster;
use crate::Error;

const POLICY: &str = "audit-policy.json";
const LOG: &str = "audit.log";

/// A write that the API server has answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// The request's own id.
    pub id: String,
    /// When the request came, by the API server's clock.
    pub received: Timestamp,
    /// When it had been answered.
    pub answered: Timestamp,
    /// Who asked, as RBAC sees them.
    pub user: String,
    /// The client's name for itself, such as `Helm/4.3.1`.
    pub user_agent: String,
    /// `create`, `update`, `patch`, `delete`, `deletecollection`.
    pub verb: String,
    /// The kind of object in the plural, such as `secrets`; with its subresource, if one was written: `pods/eviction`.
    pub resource: String,
    /// The object's namespace; empty without one.
    pub namespace: String,
    /// The object's name; empty where the server was asked to make one.
    pub name: String,
    /// The HTTP status of the answer.
    pub code: u16,
    /// What is known besides of who asked, such as the pod whose token it was, and what the client says besides of whom it
    /// acts for (`Impersonate-Extra-…`).
    pub extra: BTreeMap<String, Vec<String>>,
    /// What was asked, in the namespaces of [`Options::audit_content`](crate::Options::audit_content).
    pub request: Option<Value>,
    /// What was answered, in the same ones.
    pub response: Option<Value>,
}

/// An event as `audit.k8s.io/v1` has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(rename = "auditID")]
    id: String,
    stage: String,
    verb: String,
    user: UserInfo,
    impersonated_user: Option<UserInfo>,
    request_object: Option<Value>,
    response_object: Option<Value>,
    #[serde(default)]
    user_agent: String,
    object_ref: Option<ObjectReference>,
    response_status: Option<ResponseStatus>,
    request_received_timestamp: MicroTime,
    stage_timestamp: MicroTime,
}

#[derive(Deserialize)]
struct UserInfo {
    #[serde(default)]
    username: String,
    #[serde(default)]
    extra: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ObjectReference {
    resource: String,
    namespace: String,
    name: String,
    subresource: String,
}

#[derive(Deserialize)]
struct ResponseStatus {
    code: u16,
}

impl From<Entry> for AuditEvent {
    fn from(entry: Entry) -> Self {
        let object = entry.object_ref.unwrap_or_default();
        let resource = match object.subresource.as_str() {
            "" => object.resource,
            subresource => format!("{}/{subresource}", object.resource),
        };
        let acting = entry.impersonated_user.map(|user| user.extra).unwrap_or_default();
        Self {
            id: entry.id,
            received: entry.request_received_timestamp.0,
            answered: entry.stage_timestamp.0,
            user: entry.user.username,
            user_agent: entry.user_agent,
            verb: entry.verb,
            resource,
            namespace: object.namespace,
            name: object.name,
            code: entry.response_status.map_or(0, |status| status.code),
            extra: entry.user.extra.into_iter().chain(acting).collect(),
            request: entry.request_object,
            response: entry.response_object,
        }
    }
}

impl Cluster {
    /// The writes that the API server has answered so far, in the order of its answers; empty without
    /// [`Options::audit`](crate::Options::audit). An answer reaches its client a moment before it is in the log.
    pub async fn audit(&self) -> Result<Vec<AuditEvent>, Error> {
        match tokio::fs::read_to_string(self.data.join(LOG)).await {
            Ok(log) => parse(&log),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }
}

fn parse(log: &str) -> Result<Vec<AuditEvent>, Error> {
    // The last line may still be written.
    let whole = log.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let entries = whole.map(|line| {
        serde_json::from_str::<Entry>(line).map_err(|error| Error::Kube(kube::Error::SerdeError(error)))
    });
    let answered =
        entries.filter(|entry| entry.as_ref().map_or(true, |entry| entry.stage == "ResponseComplete"));
    answered.map(|entry| entry.map(AuditEvent::from)).collect()
}

/// Writes the policy, and says which flags make the API server follow it.
pub(super) fn flags(data: &Path, content: &[String]) -> Result<Vec<(&'static str, String)>, Error> {
    let policy = data.join(POLICY);
    std::fs::write(&policy, format!("{:#}\n", policy_text(content)))?;
    Ok(vec![
        ("audit-policy-file", policy.display().to_string()),
        ("audit-log-path", data.join(LOG).display().to_string()),
        // In megabytes: one file, for a reader of one file.
        ("audit-log-maxsize", "10240".into()),
    ])
}

/// Writes alone, without their content but in the namespaces of `content`, and without the cluster's hum: what the controllers, the scheduler and the nodes
/// report by the second is nobody's operation.
fn policy_text(content: &[String]) -> Value {
    let none = |rule: Value| {
        let mut rule = rule;
        rule["level"] = json!("None");
        rule
    };
    let level = |level: &str, namespaces: &[String]| json!({ "level": level, "namespaces": namespaces });
    // Without namespaces it would be a rule for all.
    let content = (!content.is_empty()).then(|| level("RequestResponse", content));
    let mut policy = json!({
        "apiVersion": "audit.k8s.io/v1",
        "kind": "Policy",
        "omitStages": ["RequestReceived", "ResponseStarted"],
        "rules": [
            none(json!({ "verbs": ["get", "list", "watch"] })),
            none(json!({ "nonResourceURLs": ["*"] })),
            none(json!({ "users": ["system:apiserver"] })),
            none(json!({ "userGroups": ["system:nodes"] })),
            none(json!({ "namespaces": ["kube-node-lease"] })),
            none(json!({ "resources": [
                { "group": "", "resources": ["events", "endpoints", "bindings", "pods/binding", "*/status"] },
                { "group": "apps", "resources": ["*/status"] },
                { "group": "batch", "resources": ["*/status"] },
                { "group": "policy", "resources": ["*/status"] },
                { "group": "autoscaling", "resources": ["*/status"] },
                { "group": "networking.k8s.io", "resources": ["*/status"] },
                { "group": "storage.k8s.io", "resources": ["*/status"] },
                { "group": "apiextensions.k8s.io", "resources": ["*/status"] },
                { "group": "flowcontrol.apiserver.k8s.io", "resources": ["*/status"] },
                { "group": "events.k8s.io" },
                { "group": "discovery.k8s.io" },
                { "group": "authorization.k8s.io" },
                { "group": "authentication.k8s.io" },
            ]})),
        ],
    });
    if let Some(rules) = policy["rules"].as_array_mut() {
        rules.extend(content);
        rules.push(level("Metadata", &[]));
    }
    policy
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"7d0c","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/demo/secrets?fieldManager=helm","verb":"create","user":{"username":"editor","groups":["system:authenticated"]},"sourceIPs":["127.0.0.1"],"userAgent":"Helm/4.3.1","objectRef":{"resource":"secrets","namespace":"demo","name":"sh.helm.release.v1.web.v1","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":201},"requestReceivedTimestamp":"2026-11-30T09:48:06.000001Z","stageTimestamp":"2026-11-30T09:48:06.010000Z"}"#;

    #[test]
    fn an_event_says_who_wrote_what() {
        let events = parse(&format!("{LINE}\n")).expect("an event");
        let event = &events[0];
        assert_eq!(
            (event.user.as_str(), event.user_agent.as_str(), event.verb.as_str(), event.resource.as_str()),
            ("editor", "Helm/4.3.1", "create", "secrets")
        );
        assert_eq!((event.namespace.as_str(), event.code), ("demo", 201));
        assert!(event.received < event.answered);
    }

    #[test]
    fn only_whole_lines_of_answered_requests_count() {
        let panicked = LINE.replace("ResponseComplete", "Panic");
        let log = format!("{LINE}\n{panicked}\n{LINE}\n{}", &LINE[..40]);
        assert_eq!(parse(&log).expect("events").len(), 2);
    }

    #[test]
    fn whom_a_client_acts_for_and_what_was_asked_are_told_where_they_are_logged() {
        let acting = LINE.replace(
            r#""sourceIPs""#,
            r#""impersonatedUser":{"username":"ann","extra":{"process":["7"]}},"requestObject":{"a":1},"sourceIPs""#,
        );
        let events = parse(&format!("{LINE}\n{acting}\n")).expect("events");
        assert!(events[0].extra.is_empty() && events[0].request.is_none());
        assert_eq!((events[1].user.as_str(), events[1].extra["process"][0].as_str()), ("editor", "7"));
        assert_eq!(events[1].request, Some(json!({ "a": 1 })));
    }

    #[test]
    fn content_is_logged_where_that_is_asked_for_and_nowhere_else() {
        let levels = |content: &[String]| {
            let policy = policy_text(content);
            let rules = policy["rules"].as_array().cloned().unwrap_or_default();
            rules.iter().filter(|rule| rule["level"] != "None").cloned().collect::<Vec<_>>()
        };
        assert_eq!(levels(&[]), [json!({ "level": "Metadata", "namespaces": [] })]);
        assert_eq!(levels(&["own".into()])[0], json!({ "level": "RequestResponse", "namespaces": ["own"] }));
    }

    #[test]
    fn a_subresource_is_part_of_what_was_written() {
        let line = LINE.replace(r#""apiVersion":"v1"}"#, r#""apiVersion":"v1","subresource":"scale"}"#);
        assert_eq!(parse(&format!("{line}\n")).expect("an event")[0].resource, "secrets/scale");
    }
}
