//! That operations are carried out by Jobs as they are by processes, with the rights of `deploy/slipway.yaml`: on the real
//! node, where the machine allows one.

use std::path::Path;
use std::time::{Duration, Instant};

use app::model::{OperationId, OperationState};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DeleteParams, EvictParams, ListParams};
use kube::runtime::wait::await_condition;
use serde_json::{Value, json};
use server::kube::operations::OperationSecrets;
use server::operations::OperationStore;
use testbed::{Cluster, HelmVersion};
use tokio::sync::OnceCell;

use crate::cluster::{charts, cluster, with_both_helms};
use crate::manifests;
use crate::processes::kill_runner_and_helm;
use crate::slipway::Slipway;

with_both_helms![a_hook_that_fails_in_a_job_is_told_with_its_log, a_job_that_is_cancelled_ends_cleanly,];

const ON_THE_REAL_NODE: [&str; 2] =
    ["--runner-node-selector=slipway.dev/node=real", "--runner-toleration=slipway.dev/node"];

/// The image of runners with one of the helms.
async fn image(helm: HelmVersion) -> &'static str {
    static IMAGES: [OnceCell<String>; 2] = [OnceCell::const_new(), OnceCell::const_new()];
    let make = async || {
        let program = testbed::helm(helm).unwrap();
        cluster().await.import_runner(Path::new(env!("CARGO_BIN_EXE_slipway")), &program).await.unwrap()
    };
    IMAGES[usize::from(helm == HelmVersion::V4)].get_or_init(make).await
}

/// A server that launches Jobs on the real node, and may what `deploy/slipway.yaml` gives it; none where there is no such
/// node.
pub async fn server(helm: HelmVersion) -> Option<Slipway> {
    if !cluster().await.has_real_node() {
        println!("skipped: on a simulated node no runner runs");
        return None;
    }
    let image = format!("--runner-image={}", image(helm).await);
    Some(server_given(helm, &[&image]).await)
}

pub async fn server_given(helm: HelmVersion, more: &[&str]) -> Slipway {
    let namespace = manifests::apply().await;
    let charts = charts().await.url().replace("127.0.0.1", Cluster::LOOPBACK_FROM_PODS);
    let repository = format!("--repository=inside={charts}");
    let mut arguments = vec![repository.as_str(), "--runner=job"];
    arguments
        .extend(["--runner-node-selector=slipway.dev/node=real", "--runner-toleration=slipway.dev/node"]);
    arguments.extend(more);
    Slipway::start_in(namespace.clone(), &namespace, helm, &arguments).await
}

/// An operation on the release `shop`; what it installs is simulated, unless its values say otherwise.
pub fn body(kind: &str, namespace: &str, chart: Option<&str>, values: &str) -> Value {
    let chart = chart.map(|name| json!({"repository": "inside", "name": name, "version": "1.0.0"}));
    json!({"kind": kind, "namespace": namespace, "name": "shop", "chart": chart, "values": values,
           "options": {"timeout": 200}})
}

/// An install that takes as long as it is let.
fn slow(namespace: &str) -> Value {
    body("install", namespace, Some("web"), "startup: {seconds: 90}\n")
}

pub async fn objects<K>(slipway: &Slipway) -> Vec<K>
where
    K: kube::Resource<Scope = k8s_openapi::NamespaceResourceScope, DynamicType = ()>
        + Clone
        + std::fmt::Debug
        + serde::de::DeserializeOwned,
{
    let client = cluster().await.client("admin").await.unwrap();
    let api: Api<K> = Api::namespaced(client, slipway.operations_namespace());
    api.list(&ListParams::default()).await.unwrap().items
}

/// Waits until neither a Job nor a pod nor a Lease is left.
pub async fn nothing_is_left(slipway: &Slipway) {
    let gone = async {
        while !objects::<Job>(slipway).await.is_empty()
            || !objects::<Pod>(slipway).await.is_empty()
            || !objects::<Lease>(slipway).await.is_empty()
        {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(180), gone).await.expect("nothing is left of the runner");
}

/// Waits until helm's record says so.
pub async fn is(slipway: &Slipway, namespace: &str, status: &str) {
    let path = format!("namespaces/{namespace}/releases/shop");
    slipway.until(&path, |view| view["record"]["status"] == status).await;
}

/// The name of the only runner's pod, as its Lease has it.
async fn pod(slipway: &Slipway) -> String {
    let lease = objects::<Lease>(slipway).await.pop().unwrap();
    let by = lease.metadata.annotations.unwrap()["slipway.dev/by"].clone();
    let words: Vec<&str> = by.split(' ').collect();
    let ["runner", "in", "pod", pod, "on", "node", "localhost,", "process", "1"] = words[..] else {
        panic!("{by}")
    };
    pod.to_owned()
}

async fn pods(slipway: &Slipway) -> Api<Pod> {
    Api::namespaced(cluster().await.client("admin").await.unwrap(), slipway.operations_namespace())
}

async fn a_hook_that_fails_in_a_job_is_told_with_its_log(helm: HelmVersion) {
    let Some(slipway) = server(helm).await else { return };
    let ns = slipway.namespace().await;
    let id = slipway.submit(&body("install", &ns, Some("hook-fails"), "node: real\n")).await;
    let failed = slipway.ended(&id).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    let container = &failed["attempts"][0]["evidence"][0]["pods"][0]["containers"][0];
    assert!(container["log"].as_str().unwrap().contains("migration 42 failed"), "{failed:#}");
    nothing_is_left(&slipway).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_narrow_rights_a_job_works_where_it_may_and_says_where_it_may_not() {
    let Some(slipway) = server(HelmVersion::V4).await else { return };
    let (own, other) = (slipway.namespace().await, slipway.namespace().await);
    manifests::narrow(slipway.operations_namespace(), &own).await;
    slipway.succeeds(&body("install", &own, Some("web"), "startup: {seconds: 1}\n")).await;
    let failed = slipway.ended(&slipway.submit(&body("install", &other, Some("web"), "")).await).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    let text = failed["outcome"]["failure"]["text"].as_str().unwrap();
    assert!(text.contains("slipway-runner") && text.contains("cannot"), "{text}");
}

async fn a_job_that_is_cancelled_ends_cleanly(helm: HelmVersion) {
    let Some(slipway) = server(helm).await else { return };
    let ns = slipway.namespace().await;
    let id = slipway.submit(&slow(&ns)).await;
    is(&slipway, &ns, "pending-install").await;
    slipway.cancel(&id).await;
    let ended = slipway.ended(&id).await;
    assert_eq!(ended["state"], "cancelled", "{ended}");
    is(&slipway, &ns, "failed").await;
    nothing_is_left(&slipway).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pod_that_is_told_to_end_lets_helm_record_the_release_as_failed() {
    let Some(slipway) = server(HelmVersion::V4).await else { return };
    let ns = slipway.namespace().await;
    let id = slipway.submit(&slow(&ns)).await;
    is(&slipway, &ns, "pending-install").await;
    // As `kubectl drain` does.
    let pod = pod(&slipway).await;
    let evicted = Instant::now();
    pods(&slipway).await.evict(&pod, &EvictParams::default()).await.unwrap();
    let ended = slipway.ended(&id).await;
    println!("measured: a pod evicted: settled after {:.1?}", evicted.elapsed());
    assert_eq!(ended["state"], "interrupted", "{ended}");
    assert!(ended["outcome"]["failure"]["cause"].as_str().unwrap().contains("told to stop"), "{ended}");
    is(&slipway, &ns, "failed").await;
    nothing_is_left(&slipway).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pod_that_is_deleted_by_force_does_not_leave_its_operation_hanging() {
    let Some(slipway) = server(HelmVersion::V4).await else { return };
    let ns = slipway.namespace().await;
    let id = slipway.submit(&slow(&ns)).await;
    is(&slipway, &ns, "pending-install").await;
    let pod = pod(&slipway).await;
    let by_force = DeleteParams { grace_period_seconds: Some(0), ..DeleteParams::default() };
    pods(&slipway).await.delete(&pod, &by_force).await.unwrap();
    let ended = slipway.ended(&id).await;
    // It was told to end and had time to write so, or it had not and its Lease ran out.
    let failure = &ended["outcome"]["failure"];
    assert_eq!(
        (&ended["state"], &failure["class"]),
        (&json!("interrupted"), &json!("interrupted")),
        "{ended}"
    );
    nothing_is_left(&slipway).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_that_is_killed_in_its_pod_leaves_a_proof_that_names_it() {
    let Some(slipway) = server(HelmVersion::V4).await else { return };
    let ns = slipway.namespace().await;
    let id = slipway.submit(&slow(&ns)).await;
    is(&slipway, &ns, "pending-install").await;
    let pod = pod(&slipway).await;
    kill_runner_and_helm(&id);
    let killed = Instant::now();
    let ended = slipway.ended(&id).await;
    println!("measured: a Job's runner and helm killed: settled after {:.1?}", killed.elapsed());
    assert_eq!(ended["state"], "interrupted", "{ended}");
    let proof = ended["outcome"]["failure"]["text"].as_str().unwrap();
    assert!(proof.contains(&format!("held by the runner in pod {pod} on node localhost")), "{proof}");
    assert!(proof.contains(&format!("pod {pod}: container runner exited with 137 (signal 9)")), "{proof}");
    is(&slipway, &ns, "pending-install").await;
    nothing_is_left(&slipway).await;

    // It can be done again, over what it left.
    let again = slipway.again(&id).await;
    let taken_over = slipway.until(&format!("operations/{again}"), |it| it["state"] == "running").await;
    assert_eq!(taken_over["options"]["runner"], "job");
    slipway.cancel(&again).await;
    assert_eq!(slipway.ended(&again).await["state"], "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_goes_on_without_the_server_that_launched_it_and_another_clears_it_away() {
    let Some(mut one) = server(HelmVersion::V4).await else { return };
    let other = one.another().await;
    let ns = one.namespace().await;
    let id = one.submit(&body("install", &ns, Some("web"), "startup: {seconds: 8}\n")).await;
    is(&one, &ns, "pending-install").await;
    one.kill().await;
    let ended = other.ended(&id).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    assert_eq!(ended["attempts"][0]["exitCode"], 0, "its own runner wrote the outcome");
    nothing_is_left(&other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_accepted_by_a_server_that_died_is_carried_out_by_the_one_that_is_deployed() {
    let Some(mut one) = server(HelmVersion::V4).await else { return };
    let (ns, records) = (one.namespace().await, one.operations_namespace().to_owned());
    manifests::deploy(&records, image(HelmVersion::V4).await, &ON_THE_REAL_NODE).await;
    let client = cluster().await.client("admin").await.unwrap();
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), &records);
    let is_there = |it: Option<&Deployment>| {
        it.is_some_and(|it| it.status.as_ref().is_some_and(|it| it.ready_replicas == Some(1)))
    };
    let running = await_condition(deployments.clone(), "slipway", is_there);
    tokio::time::timeout(Duration::from_secs(180), running).await.expect("in time").unwrap();

    let id = OperationId(one.submit(&body("install", &ns, Some("web"), "startup: {seconds: 1}\n")).await);
    one.kill().await;
    let store = OperationSecrets::new(client, &records);
    let ended = async {
        loop {
            let operation = store.get(&id).await.unwrap().operation;
            if operation.state.is_terminal() && objects::<Job>(&one).await.is_empty() {
                return operation;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let ended = tokio::time::timeout(Duration::from_secs(180), ended).await.expect("its end");
    assert_eq!((ended.state, ended.attempts.len()), (OperationState::Succeeded, 1), "{ended:?}");
    deployments.delete("slipway", &DeleteParams::default()).await.unwrap();
    nothing_is_left(&one).await;
}
