//! What becomes of operations whose runner is dead: another server settles them, and where the settings want that they are
//! run again by themselves.

use serde_json::{Value, json};
use testbed::HelmVersion;

use crate::aftermath::{classes, ends_for_good, install, is_at_work, shop, upgrade};
use crate::cluster::{abandoned, cluster, with_both_helms};
use crate::processes::kill_runner_and_helm;
use crate::slipway::{Setup, Slipway};

with_both_helms![
    what_a_machine_that_went_away_left_behind_is_settled_by_another,
    what_was_interrupted_is_run_again_by_itself_and_what_is_anothers_never_is,
];

async fn what_a_machine_that_went_away_left_behind_is_settled_by_another(helm: HelmVersion) {
    let mut one = Slipway::start_with("admin", helm).await;
    let other = one.another().await;
    let namespace = one.namespace().await;
    let id = one.submit(&install(&namespace, 240)).await;
    is_at_work(&other, &namespace).await;
    kill_runner_and_helm(&id);
    one.kill().await;
    let ended = ends_for_good(&other, &id).await;
    let failure = &ended["outcome"]["failure"];
    assert_eq!(
        (&ended["state"], &failure["class"]),
        (&json!("interrupted"), &json!("interrupted")),
        "{ended}"
    );
    let proof = failure["text"].as_str().unwrap();
    assert!(
        proof.contains("held by the runner on ") && proof.contains("a Lease is good for 20 s"),
        "{proof}"
    );
    let view = other.until(&shop(&namespace), |view| view["phase"]["phase"] == "interrupted").await;
    let ways: Vec<&Value> = view["ways"].as_array().unwrap().iter().map(|way| &way["action"]).collect();
    assert!(ways.contains(&&json!("again")) && ways.contains(&&json!("markFailed")), "{view}");
    // A server that knows nothing but what it finds says the same.
    one.restart().await;
    assert_eq!(one.get(&format!("operations/{id}")).await.json(), ended);
    other.succeeds(&json!({"kind": "uninstall", "namespace": namespace, "name": "shop"})).await;
}

/// A request with values of its own.
fn with_values(mut request: Value) -> Value {
    request["values"] = json!("startup: {seconds: 15}\nreplicas: 1\n");
    request
}

/// Submits it, has its runner and helm killed, and sees that it is done again, with the same values.
async fn is_resumed(slipway: &Slipway, request: &Value) {
    let namespace = request["namespace"].as_str().unwrap();
    let id = slipway.submit(request).await;
    is_at_work(slipway, namespace).await;
    kill_runner_and_helm(&id);
    assert_eq!(slipway.ended(&id).await["state"], "interrupted");
    let view = slipway.until(&shop(namespace), |view| view["operation"]["again"] == id.as_str()).await;
    let again = view["operation"]["id"].as_str().unwrap().to_owned();
    let ended = ends_for_good(slipway, &again).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec![""]), "{ended}");
    let values = slipway.get(&format!("{}/values", shop(namespace))).await.json();
    let values = values["user"].as_str().unwrap();
    assert!(values.contains("replicas: 1") && values.contains("seconds: 15"), "{values}");
}

async fn what_was_interrupted_is_run_again_by_itself_and_what_is_anothers_never_is(helm: HelmVersion) {
    let setup = Setup::new(cluster().await, helm).await;
    let more = vec!["--resume-interrupted".to_owned()];
    let slipway = Slipway::start_as_set(Setup { more, ..setup }).await;
    let (installed, upgraded) = (slipway.namespace().await, slipway.namespace().await);
    abandoned(helm, &installed, "foreign").await;
    slipway.succeeds(&install(&upgraded, 1)).await;
    let (first, second) = (with_values(install(&installed, 1)), with_values(upgrade(&upgraded, 1)));
    tokio::join!(is_resumed(&slipway, &first), is_resumed(&slipway, &second));
    // Each was run again once.
    for (namespace, count) in [(&installed, 2), (&upgraded, 3)] {
        let all = slipway.get(&format!("operations?namespace={namespace}")).await.json();
        assert_eq!(all.as_array().map(Vec::len), Some(count), "{all}");
    }
    // All that while the other helm's record lay there, of which nobody knows whether one works on it.
    let foreign = slipway.get(&format!("namespaces/{installed}/releases/foreign")).await.json();
    assert_eq!(
        (&foreign["record"]["status"], &foreign["record"]["revision"], &foreign["operation"]),
        (&json!("pending-install"), &json!(1), &Value::Null),
        "{foreign}"
    );
    let refused = slipway.post("operations", &with_name(install(&installed, 1), "foreign")).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
}

fn with_name(mut request: Value, name: &str) -> Value {
    request["name"] = json!(name);
    request["options"] = json!({"takeOver": true});
    request
}
