//! That a Job does what a process does: every verb, tests, dry runs, further attempts, and failures with their evidence.

use serde_json::json;
use testbed::HelmVersion;

use crate::aftermath::classes;
use crate::cluster::{cluster, with_both_helms};
use crate::jobs::{body, is, nothing_is_left, server};

with_both_helms![
    every_verb_is_carried_out_in_a_job,
    a_dry_run_in_a_job_renders_and_stores_nothing,
    what_passes_by_itself_is_tried_again_in_the_same_job,
    a_time_out_in_a_job_is_told_in_the_schedulers_words,
];

async fn every_verb_is_carried_out_in_a_job(helm: HelmVersion) {
    let Some(slipway) = server(helm).await else { return };
    let ns = slipway.namespace().await;
    let id = slipway.submit(&body("install", &ns, Some("web"), "startup: {seconds: 1}\n")).await;
    let installed = slipway.ended(&id).await;
    assert_eq!(installed["state"], "succeeded", "{installed}");
    assert_eq!(installed["options"]["runner"], "job");
    let log = slipway.get(&format!("operations/{id}/log")).await;
    assert!(
        log.text().contains("$ helm install") && log.text().contains("STATUS: deployed"),
        "{}",
        log.text()
    );
    slipway.succeeds(&body("upgrade", &ns, Some("web"), "startup: {seconds: 1}\nreplicas: 1\n")).await;
    let test = slipway.submit(&body("test", &ns, None, "")).await;
    let tested = slipway.ended(&test).await;
    assert_eq!(tested["state"], "succeeded", "{tested}");
    let tested = slipway.get(&format!("operations/{test}/log")).await;
    assert!(tested.text().contains("TEST SUITE:"), "{}", tested.text());
    slipway.succeeds(&body("rollback", &ns, None, "")).await;
    is(&slipway, &ns, "deployed").await;
    slipway.succeeds(&body("uninstall", &ns, None, "")).await;
    nothing_is_left(&slipway).await;
    let kept = slipway.get(&format!("operations/{id}/log")).await;
    assert_eq!(kept.text(), log.text(), "the log is kept when the Job is gone");
}

async fn a_dry_run_in_a_job_renders_and_stores_nothing(helm: HelmVersion) {
    let Some(slipway) = server(helm).await else { return };
    let ns = slipway.namespace().await;
    let mut request = body("install", &ns, Some("web"), "page: <h1>secret page</h1>\n");
    request["options"]["dryRun"] = json!(true);
    let id = slipway.submit(&request).await;
    let ended = slipway.ended(&id).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    let preview = slipway.get(&format!("operations/{id}/preview")).await.json();
    assert!(preview["manifest"].as_str().unwrap().contains("secret page"), "{preview}");
    assert_eq!(slipway.get(&format!("namespaces/{ns}/releases/shop")).await.status, 404);
    nothing_is_left(&slipway).await;
    let log = slipway.get(&format!("operations/{id}/log")).await;
    assert!(log.text().contains("--dry-run=server") && !log.text().contains("secret page"), "{}", log.text());
}

async fn what_passes_by_itself_is_tried_again_in_the_same_job(helm: HelmVersion) {
    let Some(slipway) = server(helm).await else { return };
    let ns = slipway.namespace().await;
    let mut webhook = testbed::Webhook::closed(cluster().await, &ns).await.unwrap();
    let id = slipway.submit(&body("install", &ns, Some("web"), "startup: {seconds: 1}\n")).await;
    slipway.until(&format!("operations/{id}"), |operation| operation["state"] == "retrying").await;
    webhook.open().unwrap();
    let ended = slipway.ended(&id).await;
    webhook.remove().await.unwrap();
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
    nothing_is_left(&slipway).await;
    let log = slipway.get(&format!("operations/{id}/log")).await;
    assert!(log.text().contains("Attempt 2 of 3"), "{}", log.text());
}

async fn a_time_out_in_a_job_is_told_in_the_schedulers_words(helm: HelmVersion) {
    let Some(slipway) = server(helm).await else { return };
    let ns = slipway.namespace().await;
    let mut request = body("install", &ns, Some("web"), "nodeSelector: {nobody: has-this}\n");
    request["options"]["timeout"] = json!(10);
    let failed = slipway.ended(&slipway.submit(&request).await).await;
    assert_eq!((&failed["state"], classes(&failed)), (&json!("failed"), vec!["timedOut"]), "{failed}");
    let evidence = &failed["attempts"][0]["evidence"][0];
    assert_eq!(evidence["object"]["kind"], "Deployment", "{failed:#}");
    let reason = evidence["reason"].as_str().unwrap();
    assert!(
        reason.contains("cannot be scheduled") && reason.contains("node affinity/selector"),
        "{failed:#}"
    );
    nothing_is_left(&slipway).await;
}
