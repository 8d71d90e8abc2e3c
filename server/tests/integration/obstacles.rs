//! What stands in an operation's way in the cluster, and how the operation ends.

use std::time::Duration;

use k8s_openapi::ByteString;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
use kube::Client;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use testbed::HelmVersion;

use crate::aftermath::{classes, ends_for_good, install, is_at_work, shop, upgrade};
use crate::cluster::{cluster, helm, with_both_helms};
use crate::slipway::Slipway;

with_both_helms![
    a_namespace_that_is_being_deleted_is_waited_for_and_can_be_made_anew,
    a_namespace_that_is_deleted_in_mid_operation_takes_it_along,
    rights_that_are_taken_away_in_mid_operation_end_it_with_a_word_why,
    a_record_that_is_deleted_by_hand_in_mid_operation_is_missed,
    a_release_that_is_uninstalled_by_hand_in_mid_operation_is_missed,
];

const PATIENCE: Duration = Duration::from_secs(180);

async fn admin() -> Client {
    cluster().await.client("admin").await.unwrap()
}

fn object<T: DeserializeOwned>(object: Value) -> T {
    serde_json::from_value(object).unwrap()
}

/// Deletes a namespace, and waits until it is gone.
async fn delete_namespace(name: &str) {
    let namespaces: Api<Namespace> = Api::all(admin().await);
    let _ = namespaces.delete(name, &DeleteParams::default()).await;
    let gone = async {
        while namespaces.get_opt(name).await.unwrap().is_some() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("the namespace goes");
}

async fn a_namespace_that_is_being_deleted_is_waited_for_and_can_be_made_anew(version: HelmVersion) {
    let slipway = Slipway::start_with("admin", version).await;
    let namespace = slipway.namespace().await;
    let maps: Api<ConfigMap> = Api::namespaced(admin().await, &namespace);
    let held = object(json!({"metadata": {"name": "held", "finalizers": ["slipway.test/held"]}}));
    maps.create(&PostParams::default(), &held).await.unwrap();
    Api::<Namespace>::all(admin().await).delete(&namespace, &DeleteParams::default()).await.unwrap();

    let mut request = install(&namespace, 1);
    // The more attempts are left, the sooner is the next.
    request["options"] = json!({"attempts": 4});
    let id = slipway.submit(&request).await;
    slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "retrying").await;
    let released = Patch::Merge(json!({"metadata": {"finalizers": null}}));
    maps.patch("held", &PatchParams::default(), &released).await.unwrap();
    delete_namespace(&namespace).await;
    cluster().await.create_namespace(Some(&namespace)).await.unwrap();

    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
    let text = ended["attempts"][0]["failure"]["text"].as_str().unwrap();
    assert!(text.contains("because it is being terminated"), "{text}");
}

async fn a_namespace_that_is_deleted_in_mid_operation_takes_it_along(version: HelmVersion) {
    let slipway = Slipway::start_with("admin", version).await;
    let namespace = slipway.namespace().await;
    let mut request = install(&namespace, 60);
    request["options"] = json!({"timeout": 15});
    let id = slipway.submit(&request).await;
    is_at_work(&slipway, &namespace).await;
    delete_namespace(&namespace).await;
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], &ended["outcome"]["revision"]), (&json!("failed"), &Value::Null), "{ended}");
}

async fn rights_that_are_taken_away_in_mid_operation_end_it_with_a_word_why(version: HelmVersion) {
    let slipway = Slipway::start_with("editor", version).await;
    let namespace = slipway.namespace().await;
    cluster().await.grant_edit("editor", &namespace).await.unwrap();
    let mut request = install(&namespace, 8);
    request["options"] = json!({"timeout": 15});
    let id = slipway.submit(&request).await;
    is_at_work(&slipway, &namespace).await;
    cluster().await.revoke("editor", "edit", &namespace).await.unwrap();
    // Without the right to see the release its operation is not shown either; the record tells.
    let records: Api<Secret> = Api::namespaced(admin().await, slipway.operations_namespace());
    let stored = async {
        loop {
            let secret = records.get(&format!("slipway.op.v1.{id}")).await.unwrap();
            let operation: Value = serde_json::from_slice(&secret.data.unwrap()["operation"].0).unwrap();
            if !operation["outcome"].is_null() {
                return operation;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let stored = tokio::time::timeout(PATIENCE, stored).await.expect("an outcome in time");
    assert_eq!(stored["state"], "failed", "{stored}");
    let text = stored["outcome"]["failure"]["text"].as_str().unwrap();
    assert!(!text.is_empty(), "{stored}");

    cluster().await.grant_edit("editor", &namespace).await.unwrap();
    slipway.until(&format!("operations/{id}"), |operation| operation["id"] == id.as_str()).await;
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!(ended, stored);
    // helm could not write its last record either. Which is explained, once it may be read again.
    slipway
        .until(&shop(&namespace), |view| {
            view["record"]["status"] == "pending-install" && view["phase"]["phase"] == "failed"
        })
        .await;
    slipway.succeeds(&json!({"kind": "uninstall", "namespace": namespace, "name": "shop"})).await;
}

async fn a_record_that_is_deleted_by_hand_in_mid_operation_is_missed(version: HelmVersion) {
    let slipway = Slipway::start_with("admin", version).await;
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 4)).await;
    is_at_work(&slipway, &namespace).await;
    let secrets: Api<Secret> = Api::namespaced(admin().await, &namespace);
    secrets.delete("sh.helm.release.v1.shop.v1", &DeleteParams::default()).await.unwrap();
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!(ended["state"], "failed", "{ended}");
    let cause = ended["outcome"]["failure"]["cause"].as_str().unwrap();
    assert!(cause.contains("somebody removed its record"), "{ended}");
    slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "failed").await;
    // What helm had created is taken over: it is still marked as this release's.
    slipway.succeeds(&install(&namespace, 1)).await;
}

async fn a_release_that_is_uninstalled_by_hand_in_mid_operation_is_missed(version: HelmVersion) {
    let slipway = Slipway::start_with("admin", version).await;
    let namespace = slipway.namespace().await;
    let mut request = install(&namespace, 60);
    request["options"] = json!({"timeout": 15});
    let id = slipway.submit(&request).await;
    is_at_work(&slipway, &namespace).await;
    helm(version, &namespace, &["uninstall", "shop"]).await;
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], &ended["outcome"]["revision"]), (&json!("failed"), &Value::Null), "{ended}");
    slipway.succeeds(&install(&namespace, 1)).await;
}

fn record(name: &str, labelled: bool, content: &[u8]) -> Secret {
    let mut secret: Secret = object(json!({"metadata": {"name": name}, "type": "slipway.dev/operation.v1"}));
    if labelled {
        secret.metadata.labels = Some([("owner".to_owned(), "slipway".to_owned())].into());
    }
    secret.data = Some([("operation".to_owned(), ByteString(content.to_vec()))].into());
    secret
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_and_unreadable_records_are_passed_over() {
    let mut slipway = Slipway::start().await;
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 1)).await;
    ends_for_good(&slipway, &id).await;
    let secrets: Api<Secret> = Api::namespaced(admin().await, slipway.operations_namespace());
    let ours =
        secrets.get(&format!("slipway.op.v1.{id}")).await.unwrap().data.unwrap()["operation"].0.clone();
    let other = |number| format!("slipway.op.v1.01999999-0000-7000-8000-00000000000{number}");
    for secret in [
        record(&other(1), true, b"not JSON"),
        record(&other(2), true, &ours),
        record(&other(3), true, &vec![b'['; 500_000]),
        record(&other(4), false, &ours),
        record("something-else", true, b""),
        object(
            json!({"metadata": {"name": other(5), "labels": {"owner": "slipway"}}, "type": "slipway.dev/operation.v1"}),
        ),
    ] {
        secrets.create(&PostParams::default(), &secret).await.unwrap();
    }
    // Now, and for a server that begins with them.
    for _ in 0..2 {
        let all = slipway.get(&format!("operations?namespace={namespace}")).await.json();
        assert_eq!(all.as_array().map(Vec::len), Some(1), "{all}");
        let elsewhere = slipway.namespace().await;
        slipway.succeeds(&install(&elsewhere, 1)).await;
        slipway.kill().await;
        slipway.restart().await;
    }
    let unreadable = slipway.get("operations/01999999-0000-7000-8000-000000000001").await;
    assert!([404, 503].contains(&unreadable.status), "{}", unreadable.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_whose_record_is_overwritten_bars_its_release_no_longer_than_a_lease() {
    let mut slipway = Slipway::start().await;
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 3)).await;
    is_at_work(&slipway, &namespace).await;
    let secrets: Api<Secret> = Api::namespaced(admin().await, slipway.operations_namespace());
    let garbage = record(&format!("slipway.op.v1.{id}"), true, b"garbage");
    secrets.replace(&format!("slipway.op.v1.{id}"), &PostParams::default(), &garbage).await.unwrap();
    // As a server that never knew the operation.
    slipway.kill().await;
    slipway.restart().await;
    slipway.until(&shop(&namespace), |view| view["record"]["status"] == "deployed").await;
    let upgraded = async {
        loop {
            let answer = slipway.post("operations", &upgrade(&namespace, 1)).await;
            if answer.status == 202 {
                return answer.json()["id"].as_str().unwrap().to_owned();
            }
            assert_eq!(answer.status, 409, "{}", answer.text());
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    let next = tokio::time::timeout(PATIENCE, upgraded).await.expect("the release is free again");
    assert_eq!(ends_for_good(&slipway, &next).await["state"], "succeeded");
    let leases: Api<Lease> = Api::namespaced(admin().await, slipway.operations_namespace());
    assert_eq!(leases.list(&Default::default()).await.unwrap().items.len(), 0);
}
