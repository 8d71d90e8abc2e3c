//! That operations wait for their turn, whoever accepted them, and go on whoever dies or stands still.

use std::time::{Duration, Instant};

use k8s_openapi::api::coordination::v1::Lease;
use kube::api::{Api, ListParams};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use server::kube::records::RecordMeta;
use testbed::HelmVersion;

use crate::cluster::{cluster, with_both_helms};
use crate::processes::is_gone;
use crate::slipway::Slipway;

with_both_helms![
    a_runner_that_is_killed_takes_its_helm_along_and_its_operation_is_settled_soon,
    a_runner_that_stands_still_past_its_lease_has_no_helm_and_writes_nothing_when_it_goes_on,
];

/// What looking after a dead runner's operation may take: the Lease, the time between two looks, a busy machine.
const SETTLED_WITHIN: Duration = Duration::from_secs(25 + 5 + 30);

/// What a dead runner's files may take to be removed: the time between two looks at them, on a busy machine.
const CLEARED_WITHIN: Duration = Duration::from_secs(120);

/// An install of a chart whose pods take `seconds` to start.
fn install(namespace: &str, name: &str, seconds: u32) -> Value {
    json!({
        "kind": "install", "namespace": namespace, "name": name,
        "chart": {"repository": "samples", "name": "web", "version": "1.0.0"},
        "values": format!("startup: {{seconds: {seconds}}}\n"),
    })
}

/// When an operation's first attempt began and its last one ended, by the one clock of this machine.
fn span(operation: &Value) -> (i64, i64) {
    assert_eq!(operation["state"], "succeeded", "{operation}");
    let began = operation["attempts"][0]["started"].as_i64().unwrap();
    (began, operation["attempts"][0]["ended"].as_i64().unwrap())
}

async fn leases(slipway: &Slipway) -> Vec<Lease> {
    let client = cluster().await.client("admin").await.unwrap();
    let api: Api<Lease> = Api::namespaced(client, slipway.operations_namespace());
    api.list(&ListParams::default()).await.unwrap().items
}

/// The process of the only runner, once helm is at work.
async fn runner(slipway: &Slipway, namespace: &str, name: &str) -> Pid {
    slipway
        .until(&format!("namespaces/{namespace}/releases/{name}"), |view| {
            view["record"]["status"] == "pending-install"
        })
        .await;
    let lease = leases(slipway).await.pop().unwrap();
    let by = lease.metadata.annotations.unwrap()["slipway.dev/by"].clone();
    assert!(by.starts_with("runner on "), "{by}");
    Pid::from_raw(by.rsplit(' ').next().unwrap().parse().unwrap()).unwrap()
}

async fn revisions(namespace: &str, name: &str) -> Vec<RecordMeta> {
    let target =
        server::kube::Target { kubeconfig: Some(cluster().await.kubeconfig("admin")), context: None };
    let client = server::kube::connect(&target, &server::clock::cluster::Clock::default()).await.unwrap();
    server::kube::records::revisions(&client, &app::model::ReleaseKey::new(namespace, name)).await.unwrap()
}

/// Waits until no Lease is left.
async fn no_lease_is_left(slipway: &Slipway) {
    let gone = async {
        while !leases(slipway).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), gone).await.expect("the Leases are given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_at_once_waits_for_its_turn_and_says_its_place() {
    let slipway = Slipway::start_given(&["--max-runners", "1"]).await;
    let (a, b) = (slipway.namespace().await, slipway.namespace().await);
    let first = slipway.submit(&install(&a, "one", 6)).await;
    slipway.until(&format!("operations/{first}"), |operation| operation["state"] == "running").await;
    let second = slipway.submit(&install(&a, "two", 1)).await;
    let third = slipway.submit(&install(&b, "three", 3)).await;
    let place = |namespace: &str, name: &str, place: Value| {
        let path = format!("namespaces/{namespace}/releases/{name}");
        let slipway = &slipway;
        async move { slipway.until(&path, |view| view["queuePlace"] == place).await }
    };
    let waiting = place(&a, "two", json!(2)).await;
    assert_eq!(waiting["operation"]["state"], "queued");
    place(&b, "three", json!(1)).await;
    // Barred, however long it waits.
    let refused = slipway.post("operations", &install(&a, "two", 1)).await;
    assert_eq!((refused.status, refused.json()["operation"].as_str()), (409, Some(second.as_str())));

    let first = span(&slipway.ended(&first).await);
    place(&a, "two", json!(1)).await;
    place(&b, "three", Value::Null).await;
    let third = span(&slipway.ended(&third).await);
    let second = span(&slipway.ended(&second).await);
    assert!(first.1 <= third.0 && third.1 <= second.0, "{first:?} {third:?} {second:?}");
    no_lease_is_left(&slipway).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_are_one_to_whoever_uses_them() {
    let one = Slipway::start_given(&["--max-runners", "1"]).await;
    let other = one.another().await;
    let namespace = one.namespace().await;
    let (request, again) = (install(&namespace, "web", 3), install(&namespace, "web", 4));
    let (a, b) = tokio::join!(one.post("operations", &request), other.post("operations", &again));
    let (won, lost) = if a.status == 202 { (a, b) } else { (b, a) };
    assert_eq!((won.status, lost.status), (202, 409), "{} {}", won.text(), lost.text());
    let id = won.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(lost.json()["operation"], id.as_str(), "{}", lost.text());

    // What one accepted waits behind what the other carries out.
    one.until(&format!("operations/{id}"), |operation| operation["state"] == "running").await;
    let mine = one.submit(&install(&namespace, "shop", 1)).await;
    let yours = other.submit(&install(&namespace, "blog", 1)).await;
    let path = format!("namespaces/{namespace}/releases/blog");
    for server in [&one, &other] {
        server.until(&path, |view| view["queuePlace"] == 2).await;
    }
    let mut spans = Vec::new();
    for (server, id) in [(&other, &id), (&other, &mine), (&one, &yours)] {
        spans.push(span(&server.ended(id).await));
    }
    assert!(spans.is_sorted_by(|a, b| a.1 <= b.0), "two at once: {spans:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn when_a_server_is_killed_another_carries_on_what_it_had_accepted() {
    let mut one = Slipway::start_given(&["--max-runners", "1"]).await;
    let other = one.another().await;
    let namespace = one.namespace().await;
    let first = one.submit(&install(&namespace, "web", 3)).await;
    let second = one.submit(&install(&namespace, "shop", 1)).await;
    one.kill().await;
    assert_eq!(other.ended(&first).await["state"], "succeeded");
    let ended = other.ended(&second).await;
    assert_eq!((&ended["state"], ended["attempts"].as_array().unwrap().len()), (&json!("succeeded"), 1));
    no_lease_is_left(&other).await;
}

async fn a_runner_that_is_killed_takes_its_helm_along_and_its_operation_is_settled_soon(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, "web", 60)).await;
    let runner = runner(&slipway, &namespace, "web").await;
    let values = slipway.operations_folder().join(&id).join("work");
    assert!(values.exists(), "{}", values.display());
    kill_process(runner, Signal::KILL).unwrap();
    let died = Instant::now();
    let release = format!("namespaces/{namespace}/releases/web");
    slipway.until(&release, |view| view["record"]["status"] == "failed").await;
    let told = died.elapsed();
    let ended = slipway.ended(&id).await;
    println!(
        "measured: a process killed: helm had ended after {told:.1?}, settled after {:.1?}",
        died.elapsed()
    );
    assert!(
        told < Duration::from_secs(15) && died.elapsed() < SETTLED_WITHIN,
        "{told:?} {:?}",
        died.elapsed()
    );
    assert_eq!(ended["state"], "interrupted", "{ended}");
    no_lease_is_left(&slipway).await;
    // The runner would have removed them; now the server does.
    let removed = async {
        while values.exists() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    assert!(tokio::time::timeout(CLEARED_WITHIN, removed).await.is_ok(), "{} is left", values.display());
}

async fn a_runner_that_stands_still_past_its_lease_has_no_helm_and_writes_nothing_when_it_goes_on(
    helm: HelmVersion,
) {
    let slipway = Slipway::start_with("admin", helm).await;
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, "web", 90)).await;
    let runner = runner(&slipway, &namespace, "web").await;
    kill_process(runner, Signal::STOP).unwrap();
    let stopped = Instant::now();
    let release = format!("namespaces/{namespace}/releases/web");
    // The watchdog has told helm to end before anyone else may take the Lease.
    slipway.until(&release, |view| view["record"]["status"] == "failed").await;
    let told = stopped.elapsed();
    assert!(told < Duration::from_secs(25), "{told:?}");
    let ended = slipway.ended(&id).await;
    println!(
        "measured: a process stopped: helm had ended after {told:.1?}, settled after {:.1?}",
        stopped.elapsed()
    );
    assert!(stopped.elapsed() < SETTLED_WITHIN, "{:?}", stopped.elapsed());
    no_lease_is_left(&slipway).await;

    // Another operation has the release when the runner goes on.
    let upgrade = json!({
        "kind": "upgrade", "namespace": namespace, "name": "web",
        "chart": {"repository": "samples", "name": "web", "version": "1.0.0"},
        "values": "startup: {seconds: 8}\n",
    });
    let next = slipway.submit(&upgrade).await;
    slipway.until(&release, |view| view["record"]["status"] == "pending-upgrade").await;
    kill_process(runner, Signal::CONT).unwrap();
    is_gone(runner).await;
    assert_eq!(slipway.ended(&next).await["state"], "succeeded");
    assert_eq!(slipway.get(&format!("operations/{id}")).await.json(), ended, "what was settled was changed");
    let records = revisions(&namespace, "web").await;
    let records: Vec<_> = records.iter().map(|record| (record.revision, record.status.as_str())).collect();
    // helm 4 calls the failed one superseded once the next is deployed.
    assert_eq!(records, [(2, "deployed"), (1, "superseded")]);
}
