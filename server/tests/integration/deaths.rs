//! That whatever moment a server or a runner dies in, an operation is carried out once.

use std::time::Duration;

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use testbed::{Answer, Effect, FaultProxy, HelmVersion, Matcher, Times};

use crate::aftermath::{classes, ends_for_good, install, is_at_work, shop};
use crate::cluster::{cluster, with_both_helms};
use crate::processes::runner_of;
use crate::slipway::{Setup, Slipway};

with_both_helms![
    when_all_servers_are_killed_a_new_one_carries_on_what_runs_and_what_waits,
    when_a_runner_is_killed_while_it_settles_helms_record_tells_how_it_ended,
];

/// How long a submission that died may keep others of the same intent waiting: its Lease has to run out.
const LEASE_RUN_OUT: Duration = Duration::from_secs(120);

async fn behind_a_proxy(helm: HelmVersion) -> (FaultProxy, Slipway) {
    let proxy = FaultProxy::start(cluster().await).await.unwrap();
    let setup = Setup::new(cluster().await, helm).await;
    let setup = Setup { kubeconfig: proxy.kubeconfig("admin").unwrap(), ..setup };
    let slipway = Slipway::start_as_set(setup).await;
    (proxy, slipway)
}

/// Slipway's own writes to what the path names.
fn own_writes(slipway: &Slipway, method: &str, what: &str) -> Matcher {
    let path = format!("/namespaces/{}/{what}", slipway.operations_namespace());
    Matcher::writes().method(method.parse().unwrap()).path(path)
}

/// Kills the server while the write number `number` of those that `matcher` matches is under way, and its client waits for
/// an answer; then submits the same intent to a new one, until that accepts it.
async fn submitted_to_a_server_that_dies(
    proxy: &FaultProxy,
    slipway: &mut Slipway,
    request: &Value,
    matcher: Matcher,
    number: u64,
) -> String {
    proxy.add(matcher.clone(), Times::First(number - 1), Effect::Delay(Duration::ZERO));
    let rule = proxy.add(matcher, Times::Always, Effect::Hang);
    let death = async {
        proxy.until_hit(&rule, 1).await;
        slipway.kill_now();
    };
    let (answer, ()) = tokio::join!(slipway.post_to_its_death("operations", request), death);
    assert!(answer.is_none(), "the client has an answer of a dead server");
    slipway.restart().await;
    proxy.clear();
    let accepted = async {
        loop {
            let answer = slipway.post("operations", request).await;
            if answer.status == 202 {
                return answer.json()["id"].as_str().unwrap().to_owned();
            }
            assert_eq!(answer.status, 503, "{}", answer.text());
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    tokio::time::timeout(LEASE_RUN_OUT, accepted).await.expect("accepted in time")
}

async fn a_server_dies_before_its_answer(method: &str, what: &str, number: u64) {
    let (proxy, mut slipway) = behind_a_proxy(HelmVersion::V4).await;
    let namespace = slipway.namespace().await;
    let mut request = install(&namespace, 1);
    request["idempotencyKey"] = json!("intent");
    let matcher = own_writes(&slipway, method, what);
    let id = submitted_to_a_server_that_dies(&proxy, &mut slipway, &request, matcher, number).await;
    let again = slipway.post("operations", &request).await;
    assert_eq!((again.status, again.json()["id"].as_str()), (202, Some(id.as_str())), "{}", again.text());
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec![""]), "{ended}");
    let all = slipway.get(&format!("operations?namespace={namespace}")).await.json();
    assert_eq!(all.as_array().map(Vec::len), Some(1), "{all}");
    let history = slipway.get(&format!("{}/history", shop(&namespace))).await.json();
    assert_eq!(history.as_array().map(Vec::len), Some(1), "{history}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_before_it_has_the_lease_has_done_nothing() {
    a_server_dies_before_its_answer("POST", "leases", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_before_it_has_recorded_anything_bars_the_release_for_a_while() {
    a_server_dies_before_its_answer("POST", "secrets", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_killed_between_record_and_input_began_is_completed_by_the_same_submission() {
    a_server_dies_before_its_answer("POST", "secrets", 2).await;
}

async fn when_all_servers_are_killed_a_new_one_carries_on_what_runs_and_what_waits(helm: HelmVersion) {
    let more = ["--max-runners".to_owned(), "1".to_owned()].to_vec();
    let setup = Setup { more, ..Setup::new(cluster().await, helm).await };
    let mut one = Slipway::start_as_set(setup).await;
    let other = one.another().await;
    let (a, b) = (one.namespace().await, one.namespace().await);
    let first = one.submit(&install(&a, 5)).await;
    is_at_work(&one, &a).await;
    // Answered, and not launched.
    let second = other.submit(&install(&b, 1)).await;
    one.kill_now();
    other.kill_now();
    one.restart().await;
    let shown = one.get(&shop(&a)).await.json();
    assert_eq!(shown["operation"]["id"], first.as_str(), "{shown}");
    for id in [&first, &second] {
        let ended = ends_for_good(&one, id).await;
        assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec![""]), "{ended}");
    }
}

/// An install whose runner is about to write its outcome, and cannot yet.
async fn settling(proxy: &FaultProxy, slipway: &Slipway) -> (String, String) {
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 3)).await;
    is_at_work(slipway, &namespace).await;
    let record = own_writes(slipway, "PUT", &format!("secrets/slipway.op.v1.{id}?"));
    // Refused, not held up: what is under way when its sender dies may still be done.
    let rule = proxy.add(record, Times::Always, Effect::Answer(Answer::unavailable()));
    proxy.until_hit(&rule, 1).await;
    (namespace, id)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_while_an_operation_settles_finds_it_settled() {
    let (proxy, mut slipway) = behind_a_proxy(HelmVersion::V4).await;
    let (namespace, id) = settling(&proxy, &slipway).await;
    slipway.kill_now();
    slipway.restart().await;
    let shown = slipway.until(&shop(&namespace), |view| view["record"]["status"] == "deployed").await;
    assert_eq!(shown["phase"]["phase"], "working", "its word is not given yet: {shown}");
    proxy.clear();
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!(
        (&ended["state"], &ended["outcome"]["remark"]),
        (&json!("succeeded"), &Value::Null),
        "{ended}"
    );
}

async fn when_a_runner_is_killed_while_it_settles_helms_record_tells_how_it_ended(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    let (_, id) = settling(&proxy, &slipway).await;
    kill_process(runner_of(&id).unwrap(), Signal::KILL).unwrap();
    proxy.clear();
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    assert!(ended["outcome"]["remark"].as_str().unwrap().contains("helm's record tells"), "{ended}");
}

#[tokio::test(flavor = "multi_thread")]
async fn although_no_write_of_its_record_is_ever_answered_an_operation_is_carried_out_once() {
    let (proxy, slipway) = behind_a_proxy(HelmVersion::V4).await;
    let record = own_writes(&slipway, "PUT", "secrets/slipway.op.v1.");
    let records = proxy.add(record, Times::Always, Effect::LoseAnswer);
    let leases = proxy.add(own_writes(&slipway, "PUT", "leases/"), Times::First(2), Effect::LoseAnswer);
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 12)).await;
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec![""]), "{ended}");
    assert!(proxy.hits(&records) >= 2 && proxy.hits(&leases) == 2);
}
