//! What must be true of an operation that is over, whatever happened meanwhile.

use std::collections::BTreeSet;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, ListParams};
use serde_json::{Value, json};

use crate::processes::of_operation;
use crate::slipway::Slipway;

/// How long what an operation leaves behind may take to be cleared away: a Lease to run out, and the time between two looks.
const CLEARED_WITHIN: Duration = Duration::from_secs(180);

/// An install of the sample chart `web` as the release `shop`; its pods take `seconds` to start.
pub fn install(namespace: &str, seconds: u32) -> Value {
    json!({
        "kind": "install", "namespace": namespace, "name": "shop",
        "chart": {"repository": "samples", "name": "web", "version": "1.0.0"},
        "values": format!("startup: {{seconds: {seconds}}}\n"),
    })
}

/// An upgrade of what [`install`] installs.
pub fn upgrade(namespace: &str, seconds: u32) -> Value {
    Value::Object(
        install(namespace, seconds)
            .as_object()
            .unwrap()
            .clone()
            .into_iter()
            .chain([("kind".to_owned(), json!("upgrade"))])
            .collect(),
    )
}

/// The release `shop` as a page sees it.
pub fn shop(namespace: &str) -> String {
    format!("namespaces/{namespace}/releases/shop")
}

/// Waits until helm has recorded that it is at work on the release `shop`.
pub async fn is_at_work(slipway: &Slipway, namespace: &str) {
    slipway
        .until(&shop(namespace), |view| {
            view["record"]["status"].as_str().is_some_and(|status| status.starts_with("pending-"))
        })
        .await;
}

/// How the attempts of an operation failed: a class, or nothing for one that did not.
pub fn classes(operation: &Value) -> Vec<&str> {
    let attempts = operation["attempts"].as_array().unwrap();
    attempts.iter().map(|attempt| attempt["failure"]["class"].as_str().unwrap_or("")).collect()
}

/// Follows an operation to its end, and proves that it is one: it has one outcome, which stays; no Lease, no runner and no
/// helm of it is left; and no record is pending without a word why.
pub async fn ends_for_good(slipway: &Slipway, id: &str) -> Value {
    let ended = slipway.ended(id).await;
    assert!(ended["outcome"]["ended"].is_i64() && ended["nextAttempt"].is_null(), "{ended}");
    let is_success = ended["state"] == "succeeded";
    assert_eq!(is_success, ended["outcome"]["failure"].is_null(), "{ended}");
    assert!(is_success || !ended["outcome"]["failure"]["cause"].as_str().unwrap().is_empty(), "{ended}");
    nothing_is_left(slipway, id).await;

    let release = &ended["release"];
    let (namespace, name) = (release["namespace"].as_str().unwrap(), release["name"].as_str().unwrap());
    let is_half_way = |view: &Value| {
        let is_pending =
            view["record"]["status"].as_str().is_some_and(|status| status.starts_with("pending-"));
        // Unless another operation has the release since.
        is_pending && view["operation"]["id"] == id
    };
    let is_explained = |view: &Value| {
        let phase = view["phase"]["phase"].as_str().unwrap_or_default();
        ["interrupted", "failed", "cancelled", "stuck"].contains(&phase)
    };
    // The record's last writing may still be on its way to the server.
    let path = format!("namespaces/{namespace}/releases/{name}");
    let view = slipway.until(&path, |view| !is_half_way(view) || is_explained(view)).await;
    if is_half_way(&view) {
        assert!(!is_success || ended["outcome"]["remark"].is_string(), "{ended}");
        assert!(!view["ways"].as_array().unwrap().is_empty(), "no way out of {view}");
    }
    assert_eq!(slipway.get(&format!("operations/{id}")).await.json(), ended, "what is over was changed");
    ended
}

/// Waits until no Lease, no process and no secret of an operation is left.
async fn nothing_is_left(slipway: &Slipway, id: &str) {
    let mut left = (Vec::new(), Vec::new(), Vec::new());
    let cleared = async {
        loop {
            left = (of_operation(id), leases(slipway, id).await, inputs(slipway, id).await);
            if left.0.is_empty() && left.1.is_empty() && left.2.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let cleared = tokio::time::timeout(CLEARED_WITHIN, cleared).await;
    assert!(cleared.is_ok(), "processes, Leases, inputs: {left:?}");
}

/// The releases whose Lease an operation holds.
async fn leases(slipway: &Slipway, id: &str) -> Vec<String> {
    let client = slipway.setup().cluster.client("admin").await.unwrap();
    let api: Api<Lease> = Api::namespaced(client, slipway.operations_namespace());
    let all = api.list(&ListParams::default()).await.unwrap().items;
    let held = all
        .into_iter()
        .filter(|lease| lease.spec.as_ref().is_some_and(|spec| spec.holder_identity.as_deref() == Some(id)));
    held.filter_map(|lease| lease.metadata.name).collect()
}

/// What an operation that succeeded was submitted with; the others may be done again with theirs.
async fn inputs(slipway: &Slipway, id: &str) -> Vec<String> {
    let operation = slipway.get(&format!("operations/{id}")).await.json();
    if operation["state"] != "succeeded" {
        return Vec::new();
    }
    let client = slipway.setup().cluster.client("admin").await.unwrap();
    let api: Api<Secret> = Api::namespaced(client, slipway.operations_namespace());
    let input = api.get_metadata_opt(&format!("slipway.op.v1.{id}.input")).await.unwrap();
    input.into_iter().filter_map(|input| input.metadata.name).collect()
}

/// The phases that whoever watches the release `shop` sees until the operation is over, each once.
pub async fn phases_until_the_end(slipway: &Slipway, namespace: &str, id: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    slipway
        .until(&shop(namespace), |view| {
            let is_over = view["operation"]["id"] != id || !view["operation"]["outcome"].is_null();
            // The phase and the operation are of one moment.
            if !is_over {
                seen.insert(view["phase"]["phase"].as_str().unwrap_or("no phase").to_owned());
            }
            is_over
        })
        .await;
    seen
}
