//! What a program sees through the JSON API of the real `slipway`, with real helm on a real API server.

use std::time::Duration;

use serde_json::{Value, json};
use testbed::HelmVersion;

use crate::cluster::with_both_helms;
use crate::slipway::{Slipway, unique};

with_both_helms![
    an_install_is_accepted_and_carried_to_its_end,
    an_upgrade_makes_the_next_revision_and_an_uninstall_removes_them_all,
    a_chart_that_does_not_exist_ends_as_a_failure_that_says_so,
    what_helm_may_not_do_in_mid_install_is_told_as_the_missing_right,
    a_server_killed_in_mid_install_loses_nothing,
];

fn install(namespace: &str, name: &str, chart: Value) -> Value {
    json!({"kind": "install", "namespace": namespace, "name": name, "chart": chart})
}

fn sample(name: &str, version: &str) -> Value {
    json!({"repository": "samples", "name": name, "version": version})
}

fn web() -> Value {
    sample("web", "1.0.0")
}

async fn an_install_is_accepted_and_carried_to_its_end(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let id = slipway.submit(&install(&ns, "shop", web())).await;
    let operation = slipway.ended(&id).await;
    assert_eq!(operation["state"], "succeeded", "{operation}");
    assert_eq!(operation["attempts"].as_array().map(Vec::len), Some(1));
    let release = slipway.get(&format!("namespaces/{ns}/releases/shop")).await.json();
    assert_eq!(release["phase"]["phase"], "deployed", "{release}");
    assert_eq!(release["record"]["operation"], json!(id));
    for part in ["history", "resources", "values", "manifest", "notes"] {
        let answer = slipway.get(&format!("namespaces/{ns}/releases/shop/{part}")).await;
        assert_eq!(answer.status, 200, "{part}: {}", answer.text());
    }
    let log = slipway.get(&format!("operations/{id}/log")).await;
    assert!(log.text().contains("STATUS: deployed"), "{}", log.text());
}

async fn an_upgrade_makes_the_next_revision_and_an_uninstall_removes_them_all(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&install(&ns, "shop", web())).await;
    slipway
        .succeeds(
            &json!({"kind": "upgrade", "namespace": ns, "name": "shop", "chart": sample("web", "1.1.0"),
                          "values": "replicas: 1\n"}),
        )
        .await;
    let history = slipway.get(&format!("namespaces/{ns}/releases/shop/history")).await.json();
    let told: Vec<_> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (&e["record"]["revision"], &e["record"]["status"]))
        .collect();
    assert_eq!(told, [(&json!(2), &json!("deployed")), (&json!(1), &json!("superseded"))]);
    slipway.succeeds(&json!({"kind": "uninstall", "namespace": ns, "name": "shop"})).await;
    let list = slipway.get(&format!("releases?namespace={ns}")).await.json();
    assert_eq!(list["releases"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_in_use_is_refused_before_anything_is_recorded() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&install(&ns, "shop", web())).await;
    let refusal = slipway.post("operations", &install(&ns, "shop", web())).await;
    assert_eq!(refusal.status, 409);
    let problem = refusal.json();
    assert!(problem["detail"].as_str().unwrap().contains("shop"), "{problem}");
    let operations = slipway.get(&format!("operations?namespace={ns}")).await.json();
    assert_eq!(operations.as_array().map(Vec::len), Some(1));
}

async fn a_chart_that_does_not_exist_ends_as_a_failure_that_says_so(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let id = slipway.submit(&install(&ns, "shop", sample("no-such-chart", "1.0.0"))).await;
    let operation = slipway.ended(&id).await;
    assert_eq!(operation["state"], "failed");
    let failure = &operation["outcome"]["failure"];
    assert_eq!(failure["class"], "permanent", "{failure}");
    assert!(failure["text"].as_str().unwrap().contains("no-such-chart"), "{failure}");
    let release = slipway.get(&format!("namespaces/{ns}/releases/shop")).await.json();
    assert_eq!(release["phase"]["phase"], "failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_are_not_yaml_are_refused_with_field_and_line() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let mut body = install(&ns, "shop", web());
    body["values"] = json!("replicas: 1\nbroken: [\n");
    let refusal = slipway.post("operations", &body).await;
    assert_eq!(refusal.status, 422);
    let problem = refusal.json();
    assert_eq!(problem["field"], "values");
    assert!(problem["line"].as_u64().is_some_and(|line| line >= 2), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_the_charts_schema_refuses_end_as_a_failure_that_says_so() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let mut body = install(&ns, "shop", sample("schema", "1.0.0"));
    body["values"] = json!("service:\n  port: not-a-number\n");
    let operation = slipway.ended(&slipway.submit(&body).await).await;
    assert_eq!(operation["state"], "failed");
    assert_eq!(operation["outcome"]["failure"]["class"], "permanent", "{operation}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_refused_what_their_own_rights_do_not_allow() {
    let slipway = Slipway::start_as("editor").await;
    let (own, other) = (slipway.operations_namespace(), slipway.namespace().await);
    let refusal = slipway.post("operations", &install(&other, "shop", web())).await;
    assert_eq!(refusal.status, 403);
    let problem = refusal.json();
    assert!(
        problem["detail"].as_str().unwrap().contains(&format!("create secrets in namespace {other}")),
        "{problem}"
    );
    assert_eq!(slipway.get(&format!("namespaces/{other}/releases/shop")).await.status, 403);
    slipway.succeeds(&install(own, &unique("shop"), web())).await;
}

async fn what_helm_may_not_do_in_mid_install_is_told_as_the_missing_right(helm: HelmVersion) {
    let slipway = Slipway::start_with("editor", helm).await;
    let own = slipway.operations_namespace();
    let body = install(own, &unique("shop"), sample("platform", "2026.1.0"));
    let operation = slipway.ended(&slipway.submit(&body).await).await;
    assert_eq!(operation["state"], "failed");
    let failure = &operation["outcome"]["failure"];
    assert_eq!(failure["class"], "permanent", "{failure}");
    assert!(failure["text"].as_str().unwrap().contains("forbidden"), "{failure}");
}

async fn a_server_killed_in_mid_install_loses_nothing(helm: HelmVersion) {
    let mut slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let mut body = install(&ns, "shop", web());
    body["values"] = json!("startup:\n  seconds: 8\n");
    let id = slipway.submit(&body).await;
    slipway
        .until(&format!("namespaces/{ns}/releases/shop"), |view| {
            view["record"]["status"] == "pending-install"
        })
        .await;
    slipway.kill().await;
    slipway.restart().await;
    let shown = slipway.get(&format!("namespaces/{ns}/releases/shop")).await.json();
    assert_eq!(shown["phase"]["phase"], "working", "the new server shows it: {shown}");
    let operation = slipway.ended(&id).await;
    assert_eq!(operation["state"], "succeeded", "{operation}");
    assert_eq!(operation["attempts"].as_array().map(Vec::len), Some(1), "helm went on; it was not run again");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_submits_ten_milliseconds_apart_one_wins_and_the_other_learns_its_id() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let body = install(&ns, "shop", web());
    let second = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        slipway.post("operations", &body).await
    };
    let (first, second) = tokio::join!(slipway.post("operations", &body), second);
    let mut answers = [(first.status, first.json()), (second.status, second.json())];
    answers.sort_by_key(|(status, _)| *status);
    assert_eq!([answers[0].0, answers[1].0], [202, 409], "{answers:?}");
    assert_eq!(answers[0].1["id"], answers[1].1["operation"]);
    slipway.ended(answers[0].1["id"].as_str().unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_idempotency_key_twice_is_one_operation() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let mut body = install(&ns, "shop", web());
    body["idempotencyKey"] = json!(unique("key"));
    let (first, second) = tokio::join!(slipway.submit(&body), slipway.submit(&body));
    assert_eq!(first, second);
    slipway.ended(&first).await;
    assert_eq!(slipway.submit(&body).await, first, "and so it is after its end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_poll_is_answered_when_something_changed() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&install(&ns, "shop", web())).await;
    let path = format!("namespaces/{ns}/releases/shop");
    let before = slipway.get(&path).await.json();
    let since = before["version"].as_str().unwrap().to_owned();
    let held = format!("{path}?since={since}");
    let uninstall = json!({"kind": "uninstall", "namespace": ns, "name": "shop"});
    let (after, id) = tokio::join!(slipway.get(&held), slipway.submit(&uninstall));
    assert_ne!(after.json()["version"], json!(since));
    slipway.ended(&id).await;
}
