//! That a failure is explained by what was seen in the cluster, with real helm. The pods are simulated, and have states,
//! events and termination messages, but no logs.

use std::time::Duration;

use k8s_openapi::api::core::v1::ResourceQuota;
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::api::{Api, PostParams};
use serde_json::{Value, json};
use server::clock::cluster::Clock;
use server::kube::{Client, Target, connect};
use testbed::{Effect, FaultProxy, HelmVersion, Matcher, Times};

use crate::cluster::{cluster, with_both_helms};
use crate::slipway::{Setup, Slipway};

with_both_helms![
    a_hook_that_helm_removes_at_once_is_explained,
    a_time_out_is_told_in_the_schedulers_words,
    what_timed_out_is_told_even_when_helm_has_removed_it_all,
    the_end_of_a_log_is_told_although_helm_has_removed_the_pod,
];

/// How long helm waits for what ends much earlier, unless controllers are late on a busy machine. What is meant to time out
/// has less.
const HOOK_ENDS: u32 = 200;

fn sample(chart: &str, namespace: &str, values: &str, options: Value) -> Value {
    let chart = json!({"repository": "samples", "name": chart, "version": "1.0.0"});
    json!({"kind": "install", "namespace": namespace, "name": "shop", "chart": chart, "values": values,
           "options": options})
}

/// Installs it, which is to fail, and gives the last attempt.
async fn failed(slipway: &Slipway, body: &Value) -> Value {
    let operation = slipway.ended(&slipway.submit(body).await).await;
    assert_eq!(operation["state"], "failed", "{operation}");
    let attempt = operation["attempts"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(attempt["failure"], operation["outcome"]["failure"]);
    attempt
}

fn reason(attempt: &Value) -> &str {
    attempt["evidence"][0]["reason"].as_str().unwrap_or_else(|| panic!("no evidence: {attempt:#}"))
}

async fn admin() -> Client {
    let target = Target { kubeconfig: Some(cluster().await.kubeconfig("admin")), context: None };
    connect(&target, &Clock::default()).await.unwrap()
}

async fn a_hook_that_helm_removes_at_once_is_explained(version: HelmVersion) {
    let slipway = Slipway::start_with("admin", version).await;
    let ns = slipway.namespace().await;
    // helm removes the Job, and with it its pod, the moment that it has failed.
    let values = "deletePolicy: before-hook-creation,hook-failed\n";
    let attempt = failed(&slipway, &sample("hook-fails", &ns, values, json!({"timeout": HOOK_ENDS}))).await;
    let evidence = &attempt["evidence"][0];
    let told = format!("Job {ns}/shop-migrate failed: container migrate exited with 1.");
    assert_eq!(reason(&attempt), told, "{attempt:#}");
    assert_eq!(evidence["object"]["name"], "shop-migrate");
    let container = &evidence["pods"][0]["containers"][0];
    assert_eq!((&container["name"], &container["exitCode"]), (&json!("migrate"), &json!(1)), "{attempt:#}");
    assert!(container["message"].as_str().unwrap().contains("migration 42 failed"), "{attempt:#}");
    assert!(container["logMissing"].is_string() || container["log"] != "", "{attempt:#}");
    let failure = &attempt["failure"];
    assert_eq!(failure["class"], "hook");
    assert_eq!(failure["object"], evidence["object"]);
    let cause = failure["cause"].as_str().unwrap();
    assert!(cause.starts_with("Job shop-migrate failed and said: migration 42 failed"), "{failure}");
    let list = slipway.get(&format!("operations?namespace={ns}")).await.json();
    assert_eq!(list[0]["attempts"][0]["evidence"], json!([]), "lists stay small");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_failed_in_an_earlier_operation_is_not_told_of_again() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    failed(&slipway, &sample("hook-fails", &ns, "", json!({"timeout": HOOK_ENDS}))).await;
    slipway.succeeds(&json!({"kind": "uninstall", "namespace": ns, "name": "shop"})).await;
    let values = "nodeSelector: {nobody: has-this}\n";
    let attempt = failed(&slipway, &sample("web", &ns, values, json!({"timeout": 8}))).await;
    assert!(reason(&attempt).starts_with("Deployment"), "{attempt:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_loop_is_told_with_how_its_container_ends() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let attempt = failed(&slipway, &sample("crash-loop", &ns, "", json!({"timeout": 20}))).await;
    assert_eq!(attempt["failure"]["class"], "timedOut", "{attempt:#}");
    let told = format!(
        "Deployment {ns}/shop is not ready: container main crashes again and again; it exited with 1"
    );
    assert!(reason(&attempt).starts_with(&told), "{attempt:#}");
    assert_eq!(attempt["evidence"][0]["pods"].as_array().map(Vec::len), Some(2), "{attempt:#}");
}

async fn no_node_takes_the_pods(version: HelmVersion, options: Value) {
    let slipway = Slipway::start_with("admin", version).await;
    let ns = slipway.namespace().await;
    let body = sample("web", &ns, "nodeSelector: {nobody: has-this}\n", options);
    let attempt = failed(&slipway, &body).await;
    let told = reason(&attempt);
    assert!(
        told.contains("cannot be scheduled: 0/") && told.contains("node affinity/selector"),
        "{attempt:#}"
    );
    assert_eq!(attempt["failure"]["object"]["kind"], "Deployment", "{attempt:#}");
    assert!(attempt["failure"]["cause"].as_str().unwrap().ends_with(told), "{attempt:#}");
}

async fn a_time_out_is_told_in_the_schedulers_words(version: HelmVersion) {
    no_node_takes_the_pods(version, json!({"timeout": 8})).await;
}

async fn what_timed_out_is_told_even_when_helm_has_removed_it_all(version: HelmVersion) {
    no_node_takes_the_pods(version, json!({"timeout": 8, "rollbackOnFailure": true})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_a_quota_refuses_is_named() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let attempt = failed(&slipway, &sample("over-quota", &ns, "", json!({"timeout": HOOK_ENDS}))).await;
    let told = reason(&attempt);
    assert!(told.starts_with(&format!("CronJob {ns}/shop-report-")), "{attempt:#}");
    assert!(told.contains("was refused: exceeded quota: shop, requested:"), "{attempt:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pods_that_a_quota_refuses_are_told_of() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let quotas: Api<ResourceQuota> = Api::namespaced(admin().await, &ns);
    let quota =
        serde_json::from_value(json!({"metadata": {"name": "small"}, "spec": {"hard": {"pods": "0"}}}));
    quotas.create(&PostParams::default(), &quota.unwrap()).await.unwrap();
    // A quota holds only once it has been counted.
    let counted = async {
        while quotas.get("small").await.unwrap().status.and_then(|status| status.used).is_none() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), counted).await.expect("the quota is counted");
    let attempt = failed(&slipway, &sample("web", &ns, "", json!({"timeout": 10}))).await;
    let told = reason(&attempt);
    assert!(told.starts_with(&format!("Deployment {ns}/shop is not ready:")), "{attempt:#}");
    assert!(told.contains("exceeded quota: small"), "{attempt:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_not_see_pods_is_told_so_and_the_operation_ends_as_it_should() {
    // The refusals do not come in the order of what they tell: that of pods comes last.
    let proxy = FaultProxy::start(cluster().await).await.unwrap();
    proxy.add(Matcher::reads().path("/pods"), Times::Always, Effect::Delay(Duration::from_secs(1)));
    let setup = Setup::new(cluster().await, HelmVersion::V4).await;
    cluster().await.grant_edit("editor", &setup.operations_namespace).await.unwrap();
    let setup = Setup { kubeconfig: proxy.kubeconfig("editor").unwrap(), ..setup };
    let slipway = Slipway::start_as_set(setup).await;
    let ns = slipway.namespace().await;
    let all = |group: &str, resources: &[&str]| PolicyRule {
        api_groups: Some(vec![group.to_owned()]),
        resources: Some(resources.iter().map(|resource| (*resource).to_owned()).collect()),
        verbs: vec!["*".to_owned()],
        ..PolicyRule::default()
    };
    let rules = [
        all("", &["secrets", "configmaps", "services"]),
        all("apps", &["deployments", "replicasets"]),
        all("batch", &["jobs"]),
    ];
    cluster().await.grant_rules("editor", &rules, &ns).await.unwrap();
    let attempt = failed(&slipway, &sample("hook-fails", &ns, "", json!({"timeout": HOOK_ENDS}))).await;
    assert!(
        reason(&attempt).starts_with(&format!("Job {ns}/shop-migrate failed: BackoffLimitExceeded")),
        "{attempt:#}"
    );
    let events = attempt["evidence"][0]["events"].to_string();
    assert!(events.contains("pods could not be seen"), "{attempt:#}");
}

/// The charts' value `node: real` puts their pods on a node that runs code, and `expect` is what the page of `web` is to
/// say in `helm test`.
async fn the_end_of_a_log_is_told_although_helm_has_removed_the_pod(version: HelmVersion) {
    if !cluster().await.has_real_node() {
        println!("skipped: the pods of a simulated node have no logs");
        return;
    }
    let slipway = Slipway::start_with("admin", version).await;
    let ns = slipway.namespace().await;
    let values = "node: real\ndeletePolicy: before-hook-creation,hook-failed\n";
    let attempt = failed(&slipway, &sample("hook-fails", &ns, values, json!({"timeout": HOOK_ENDS}))).await;
    assert_eq!(reason(&attempt), format!("Job {ns}/shop-migrate failed: container migrate exited with 1."));
    has_logged(&attempt, &["connecting to the database", "migration 42 failed: relation"]);

    let ns = slipway.namespace().await;
    let attempt = failed(&slipway, &sample("crash-loop", &ns, "node: real\n", json!({"timeout": 20}))).await;
    assert!(
        reason(&attempt).contains("container main crashes again and again; it exited with 1"),
        "{attempt:#}"
    );
    has_logged(&attempt, &["cannot read /etc/app/config.yaml"]);

    let ns = slipway.namespace().await;
    let values = "node: real\nexpect: something else\n";
    slipway.succeeds(&sample("web", &ns, values, json!({"timeout": HOOK_ENDS}))).await;
    let test = json!({"kind": "test", "namespace": ns, "name": "shop", "options": {"timeout": HOOK_ENDS}});
    let attempt = failed(&slipway, &test).await;
    assert_eq!(reason(&attempt), format!("Pod {ns}/shop-answers failed: container wget exited with 1."));
    has_logged(&attempt, &["the page does not say something else"]);
    let failure = &attempt["failure"];
    let cause = format!("A test failed. {}", reason(&attempt));
    assert_eq!((&failure["class"], &failure["cause"]), (&json!("test"), &json!(cause)), "{failure:#}");
    assert_eq!(failure["object"]["name"], "shop-answers", "{failure:#}");
}

/// What goes to the two outputs of a program is not in its log in a sure order.
fn has_logged(attempt: &Value, lines: &[&str]) {
    let container = &attempt["evidence"][0]["pods"][0]["containers"][0];
    let log = container["log"].as_str().unwrap();
    assert!(lines.iter().all(|line| log.contains(line)), "{attempt:#}");
}
