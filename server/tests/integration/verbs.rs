//! Every verb with its options, as a program sees it through the JSON API: with helm 3 and with helm 4.

use serde_json::{Value, json};
use testbed::HelmVersion;

use crate::cluster::with_both_helms;
use crate::processes::kill_runner_and_helm;
use crate::slipway::Slipway;

with_both_helms![
    a_rollback_makes_a_new_revision_of_an_old_one,
    a_rollback_to_nowhere_is_refused,
    an_uninstall_can_keep_the_history_and_an_install_can_take_its_place,
    a_test_runs_and_changes_nothing_else,
    a_dry_run_renders_and_stores_nothing,
    a_dry_run_that_fails_says_why,
    a_cancelled_install_ends_cleanly_and_can_be_run_again,
    an_upgrade_over_what_was_marked_as_failed_succeeds,
    options_reach_helm,
    a_failed_install_that_helm_undoes_is_told_as_that,
    a_failed_upgrade_that_helm_undoes_leaves_the_release_deployed,
];

fn body(kind: &str, namespace: &str, chart: Option<(&str, &str)>, values: &str, options: Value) -> Value {
    let mut body = json!({
        "kind": kind, "namespace": namespace, "name": "shop", "values": values, "options": options,
    });
    if let Some((name, version)) = chart {
        body["chart"] = json!({"repository": "samples", "name": name, "version": version});
    }
    body
}

const WEB: Option<(&str, &str)> = Some(("web", "1.0.0"));

async fn release(slipway: &Slipway, namespace: &str) -> Value {
    slipway.get(&format!("namespaces/{namespace}/releases/shop")).await.json()
}

async fn statuses(slipway: &Slipway, namespace: &str) -> Vec<(u64, String)> {
    let history = slipway.get(&format!("namespaces/{namespace}/releases/shop/history")).await;
    let history = if history.status == 404 { json!([]) } else { history.json() };
    let record = |entry: &Value| {
        let record = &entry["record"];
        (record["revision"].as_u64().unwrap(), record["status"].as_str().unwrap().to_owned())
    };
    history.as_array().unwrap().iter().map(record).collect()
}

fn told(statuses: &[(u64, &str)]) -> Vec<(u64, String)> {
    statuses.iter().map(|(revision, status)| (*revision, (*status).to_owned())).collect()
}

async fn a_rollback_makes_a_new_revision_of_an_old_one(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&body("install", &ns, WEB, "replicas: 1\n", json!({}))).await;
    slipway.succeeds(&body("upgrade", &ns, WEB, "replicas: 2\n", json!({}))).await;
    slipway.succeeds(&body("upgrade", &ns, WEB, "replicas: 3\n", json!({}))).await;
    slipway.succeeds(&body("rollback", &ns, None, "", json!({"revision": 1}))).await;
    assert_eq!(
        statuses(&slipway, &ns).await,
        told(&[(4, "deployed"), (3, "superseded"), (2, "superseded"), (1, "superseded")])
    );
    let values = slipway.get(&format!("namespaces/{ns}/releases/shop/values")).await.json();
    assert_eq!(values["user"].as_str().unwrap().trim(), "replicas: 1");
    assert_eq!(release(&slipway, &ns).await["phase"]["phase"], "deployed");
    // Without a revision it is the one before.
    let id = slipway.submit(&body("rollback", &ns, None, "", json!({}))).await;
    let operation = slipway.ended(&id).await;
    assert_eq!((&operation["state"], &operation["options"]["revision"]), (&json!("succeeded"), &json!(3)));
    assert_eq!(operation["attempts"][0]["revision"], 5, "{operation}");
}

async fn a_rollback_to_nowhere_is_refused(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let refused = slipway.post("operations", &body("rollback", &ns, None, "", json!({}))).await;
    assert_eq!(refused.status, 404);
    slipway.succeeds(&body("install", &ns, WEB, "", json!({}))).await;
    for revision in [1, 7] {
        let options = json!({"revision": revision});
        let refused = slipway.post("operations", &body("rollback", &ns, None, "", options)).await;
        assert_eq!((refused.status, refused.json()["field"].as_str()), (422, Some("options.revision")));
    }
}

async fn an_uninstall_can_keep_the_history_and_an_install_can_take_its_place(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&body("install", &ns, WEB, "", json!({}))).await;
    slipway
        .succeeds(&body("uninstall", &ns, None, "", json!({"keepHistory": true, "description": "enough"})))
        .await;
    let kept = release(&slipway, &ns).await;
    assert_eq!(
        (&kept["phase"]["phase"], &kept["record"]["status"]),
        (&json!("uninstalled"), &json!("uninstalled"))
    );
    assert_eq!(slipway.post("operations", &body("install", &ns, WEB, "", json!({}))).await.status, 409);
    slipway.succeeds(&body("install", &ns, WEB, "", json!({"takeOver": true}))).await;
    assert_eq!(release(&slipway, &ns).await["record"]["revision"], 2);
}

async fn a_test_runs_and_changes_nothing_else(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&body("install", &ns, WEB, "", json!({}))).await;
    let id = slipway.submit(&body("test", &ns, None, "", json!({"timeout": 200}))).await;
    let operation = slipway.ended(&id).await;
    assert_eq!(operation["state"], "succeeded", "{operation}");
    assert_eq!(statuses(&slipway, &ns).await, told(&[(1, "deployed")]));
    assert_eq!(release(&slipway, &ns).await["phase"]["phase"], "deployed");
    let log = slipway.get(&format!("operations/{id}/log")).await;
    assert!(log.text().contains("TEST SUITE:"), "{}", log.text());
}

async fn a_dry_run_renders_and_stores_nothing(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let id = slipway
        .submit(&body("install", &ns, WEB, "page: <h1>secret page</h1>\n", json!({"dryRun": true})))
        .await;
    let operation = slipway.ended(&id).await;
    assert_eq!(operation["state"], "succeeded", "{operation}");
    let preview = slipway.get(&format!("operations/{id}/preview")).await.json();
    assert!(preview["manifest"].as_str().unwrap().contains("kind: Deployment"), "{preview}");
    assert!(preview["manifest"].as_str().unwrap().contains("secret page"), "{preview}");
    assert!(preview["hooks"].as_str().unwrap().contains("helm.sh/hook"), "{preview}");
    assert!(!preview["notes"].as_str().unwrap().is_empty());
    assert_eq!(slipway.get(&format!("namespaces/{ns}/releases/shop")).await.status, 404);
    let list = slipway.get(&format!("releases?namespace={ns}")).await.json();
    assert_eq!(list["releases"], json!([]));
    let log = slipway.get(&format!("operations/{id}/log")).await;
    assert!(!log.text().contains("secret page"), "{}", log.text());

    slipway.succeeds(&body("install", &ns, WEB, "", json!({"wait": false}))).await;
    let id = slipway.submit(&body("upgrade", &ns, WEB, "page: next\n", json!({"dryRun": true}))).await;
    assert_eq!(slipway.ended(&id).await["state"], "succeeded");
    let preview = slipway.get(&format!("operations/{id}/preview")).await.json();
    assert!(preview["manifest"].as_str().unwrap().contains("next"), "{preview}");
    assert_eq!(statuses(&slipway, &ns).await, told(&[(1, "deployed")]));
}

async fn a_dry_run_that_fails_says_why(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let chart = Some(("refused", "1.0.0"));
    let id =
        slipway.submit(&body("install", &ns, chart, "missingCrd: true\n", json!({"dryRun": true}))).await;
    let operation = slipway.ended(&id).await;
    assert_eq!(operation["state"], "failed", "{operation}");
    assert_eq!(operation["outcome"]["failure"]["class"], "permanent", "{operation}");
    assert_eq!(slipway.get(&format!("operations/{id}/preview")).await.status, 404);
    assert_eq!(slipway.get(&format!("namespaces/{ns}/releases/shop")).await.status, 404);
}

async fn a_cancelled_install_ends_cleanly_and_can_be_run_again(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let id = slipway.submit(&body("install", &ns, WEB, "startup: {seconds: 20}\n", json!({}))).await;
    slipway
        .until(&format!("namespaces/{ns}/releases/shop"), |view| {
            view["record"]["status"] == "pending-install"
        })
        .await;
    let wish = slipway.post(&format!("operations/{id}/cancel"), &json!({})).await;
    assert_eq!(wish.status, 202, "{}", wish.text());
    assert_eq!(wish.json()["cancel"]["by"], "admin");
    let operation = slipway.ended(&id).await;
    assert_eq!(operation["state"], "cancelled", "{operation}");
    let failure = &operation["outcome"]["failure"];
    assert_eq!((&failure["class"], &failure["cause"]), (&json!("cancelled"), &json!("Cancelled by admin.")));
    assert_eq!(statuses(&slipway, &ns).await, told(&[(1, "failed")]));
    let view = slipway
        .until(&format!("namespaces/{ns}/releases/shop"), |view| view["phase"]["phase"] == "cancelled")
        .await;
    assert_eq!(view["ways"][0]["action"], "again", "{view}");
    // Who asks once more is told that it was done: an answer may be lost on its way.
    let wish = slipway.post(&format!("operations/{id}/cancel"), &json!({})).await;
    assert_eq!((wish.status, &wish.json()["state"]), (202, &json!("cancelled")), "{}", wish.text());

    let again = slipway.post(&format!("operations/{id}/again"), &json!({})).await;
    assert_eq!(again.status, 202, "{}", again.text());
    let twice = slipway.post(&format!("operations/{id}/again"), &json!({})).await;
    let again = again.json()["id"].as_str().unwrap().to_owned();
    assert!(twice.status == 409 || twice.json()["id"] == json!(again), "{}", twice.text());
    let operation = slipway.ended(&again).await;
    assert_eq!((&operation["state"], &operation["again"]), (&json!("succeeded"), &json!(id)), "{operation}");
    assert_eq!(statuses(&slipway, &ns).await, told(&[(2, "deployed"), (1, "failed")]));
}

async fn an_upgrade_over_what_was_marked_as_failed_succeeds(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&body("install", &ns, WEB, "", json!({}))).await;
    let refused = slipway.post("operations", &body("markFailed", &ns, None, "", json!({}))).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    let id =
        slipway.submit(&body("upgrade", &ns, WEB, "replicas: 1\nstartup: {seconds: 60}\n", json!({}))).await;
    slipway
        .until(&format!("namespaces/{ns}/releases/shop"), |view| {
            view["record"]["status"] == "pending-upgrade"
        })
        .await;
    kill_runner_and_helm(&id);
    let operation = slipway.ended(&id).await;
    assert_eq!(operation["state"], "interrupted", "{operation}");
    let proof = operation["outcome"]["failure"]["text"].as_str().unwrap();
    assert!(proof.contains("runner on ") && proof.contains("Lease"), "{proof}");
    let view = slipway
        .until(&format!("namespaces/{ns}/releases/shop"), |view| view["phase"]["phase"] == "interrupted")
        .await;
    let ways: Vec<_> = view["ways"].as_array().unwrap().iter().map(|way| way["action"].clone()).collect();
    assert_eq!(ways, ["again", "rollback", "markFailed", "uninstall"]);
    let before = slipway.get(&format!("namespaces/{ns}/releases/shop/values")).await.json();

    slipway.succeeds(&body("markFailed", &ns, None, "", json!({}))).await;
    assert_eq!(statuses(&slipway, &ns).await, told(&[(2, "failed"), (1, "deployed")]));
    assert_eq!(slipway.get(&format!("namespaces/{ns}/releases/shop/values")).await.json(), before);
    slipway.succeeds(&body("upgrade", &ns, WEB, "replicas: 1\n", json!({}))).await;
    // The page follows the record a moment later.
    slipway
        .until(&format!("namespaces/{ns}/releases/shop"), |view| view["phase"]["phase"] == "deployed")
        .await;
}

async fn options_reach_helm(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let options = json!({"description": "first light", "skipCrds": true, "skipHooks": true});
    slipway.succeeds(&body("install", &ns, WEB, "replicas: 1\n", options)).await;
    let path = format!("namespaces/{ns}/releases/shop");
    let view = slipway.until(&path, |view| view["record"]["detail"]["state"] == "known").await;
    assert_eq!(view["record"]["detail"]["description"], "first light", "{view}");
    let options = json!({"values": "resetThenReuse"});
    slipway.succeeds(&body("upgrade", &ns, WEB, "page: hello\n", options)).await;
    let values = slipway.get(&format!("{path}/values")).await.json();
    assert_eq!(values["user"].as_str().unwrap().trim(), "page: hello\nreplicas: 1", "{values}");
}

async fn a_failed_install_that_helm_undoes_is_told_as_that(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let options = json!({"rollbackOnFailure": true, "timeout": 200});
    let id = slipway.submit(&body("install", &ns, Some(("hook-fails", "1.0.0")), "", options)).await;
    let operation = slipway.ended(&id).await;
    assert_eq!(operation["state"], "failed", "{operation}");
    let outcome = &operation["outcome"];
    assert!(outcome["remark"].as_str().unwrap().contains("its record with it"), "{outcome}");
    assert_eq!(outcome["failure"]["class"], "hook", "{outcome}");
    assert_eq!(statuses(&slipway, &ns).await, []);
    // It is still told by the page of a release that has no record.
    assert_eq!(release(&slipway, &ns).await["phase"]["phase"], "failed");
}

async fn a_failed_upgrade_that_helm_undoes_leaves_the_release_deployed(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let chart = Some(("hook-fails", "1.0.0"));
    slipway.succeeds(&body("install", &ns, chart, "fail: false\n", json!({}))).await;
    let options = json!({"rollbackOnFailure": true, "timeout": 200});
    let operation =
        slipway.ended(&slipway.submit(&body("upgrade", &ns, chart, "fail: true\n", options)).await).await;
    assert_eq!(operation["state"], "failed", "{operation}");
    assert!(operation["outcome"]["remark"].as_str().unwrap().contains("as it was before"), "{operation}");
    let statuses = statuses(&slipway, &ns).await;
    assert_eq!(
        statuses.first().map(|(revision, status)| (*revision, status.as_str())),
        Some((3, "deployed"))
    );
    let path = format!("namespaces/{ns}/releases/shop");
    slipway.until(&path, |view| view["phase"]["phase"] == "deployed").await;
}
