//! What lies between helm and the API server, and what Slipway makes of it: with helm 3 and with helm 4.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testbed::{Answer, Effect, FaultProxy, HelmVersion, Matcher, Times};

use crate::aftermath::{classes, ends_for_good, install, phases_until_the_end, shop, upgrade};
use crate::cluster::{cluster, with_both_helms};
use crate::slipway::{Setup, Slipway};

with_both_helms![
    a_conflict_on_a_quota_is_tried_again_and_never_shown_as_a_failure,
    a_conflict_that_stays_ends_as_a_failure_after_three_attempts,
    a_server_that_asks_to_wait_is_waited_for,
    an_internal_error_of_the_server_is_tried_again,
    a_server_that_is_unavailable_for_a_moment_is_tried_again,
    when_not_even_the_failure_could_be_recorded_it_is_tried_again,
    a_connection_that_is_reset_in_an_answer_is_made_anew,
    a_handshake_that_hangs_is_given_up_and_tried_again,
    writes_that_come_late_come_in_the_end,
    a_write_whose_answer_is_lost_is_done_once,
    an_upgrade_is_tried_again_over_its_failed_revision,
    a_webhook_that_is_not_up_yet_is_waited_for,
    a_success_that_helm_could_not_record_is_told_as_what_it_is_with_a_way_out,
];

/// A Slipway that, with its helm, reaches the cluster through a proxy.
async fn behind_a_proxy(helm: HelmVersion) -> (FaultProxy, Slipway) {
    let proxy = FaultProxy::start(cluster().await).await.unwrap();
    let setup =
        Setup { kubeconfig: proxy.kubeconfig("admin").unwrap(), ..Setup::new(cluster().await, helm).await };
    let slipway = Slipway::start_as_set(setup).await;
    (proxy, slipway)
}

fn helms_writes(part: &str) -> Matcher {
    Matcher::writes().agent("Helm/").path(part)
}

/// Whether no more was seen than an operation at work.
fn assert_calm(phases: &std::collections::BTreeSet<String>) {
    let calm = ["queued", "working", "retrying"];
    assert!(phases.iter().all(|phase| calm.contains(&phase.as_str())), "{phases:?}");
}

/// Installs `shop`, and gives how that ended; whoever watched saw an operation at work until then, and nothing else.
async fn installs_calmly(slipway: &Slipway) -> Value {
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 1)).await;
    assert_calm(&phases_until_the_end(slipway, &namespace, &id).await);
    let ended = ends_for_good(slipway, &id).await;
    if ended["state"] == "succeeded" {
        slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "deployed").await;
    }
    ended
}

async fn a_conflict_on_a_quota_is_tried_again_and_never_shown_as_a_failure(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    let namespace = slipway.namespace().await;
    // helm itself tries five times within some milliseconds.
    let conflict = Effect::Answer(Answer::quota_conflict("compute"));
    proxy.add(helms_writes("/services"), Times::First(5), conflict);
    let id = slipway.submit(&install(&namespace, 1)).await;
    let waiting =
        slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "retrying").await["phase"].clone();
    assert_eq!((&waiting["attempt"], &waiting["maxAttempts"]), (&json!(2), &json!(3)), "{waiting}");
    assert_calm(&phases_until_the_end(&slipway, &namespace, &id).await);
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
    let text = ended["attempts"][0]["failure"]["text"].as_str().unwrap();
    assert!(text.contains("Operation cannot be fulfilled on resourcequotas \"compute\""), "{text}");
    slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "deployed").await;
}

async fn a_conflict_that_stays_ends_as_a_failure_after_three_attempts(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    proxy.add(helms_writes("/services"), Times::Always, Effect::Answer(Answer::quota_conflict("compute")));
    let ended = installs_calmly(&slipway).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("failed"), vec!["transient"; 3]), "{ended}");
}

async fn a_server_that_asks_to_wait_is_waited_for(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    let busy = Effect::Answer(Answer::too_many_requests(1));
    let rule = proxy.add(Matcher::writes().agent("Helm/"), Times::First(3), busy);
    let ended = installs_calmly(&slipway).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec![""]), "{ended}");
    assert_eq!(proxy.hits(&rule), 3);
}

async fn an_internal_error_of_the_server_is_tried_again(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    let error = Effect::Answer(Answer::internal_error("etcdserver: request timed out"));
    proxy.add(helms_writes("/deployments"), Times::First(1), error);
    let ended = installs_calmly(&slipway).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
}

async fn a_server_that_is_unavailable_for_a_moment_is_tried_again(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    let away = Effect::Answer(Answer::unavailable());
    proxy.add(helms_writes("/deployments"), Times::First(1), away);
    let ended = installs_calmly(&slipway).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
}

async fn when_not_even_the_failure_could_be_recorded_it_is_tried_again(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    // Everything but the creation of the record.
    let matcher = Matcher::writes().agent("Helm/").path_like("/(deployments|secrets/sh.helm)").unwrap();
    let rule = proxy.add(matcher, Times::Always, Effect::Answer(Answer::unavailable()));
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 1)).await;
    let view = slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "retrying").await;
    assert_eq!(view["record"]["status"], "pending-install", "{view}");
    proxy.remove(&rule);
    assert_calm(&phases_until_the_end(&slipway, &namespace, &id).await);
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
}

async fn a_connection_that_is_reset_in_an_answer_is_made_anew(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    let rule = proxy.add(helms_writes("/services"), Times::First(1), Effect::Reset { after: 100 });
    let ended = installs_calmly(&slipway).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
    assert_eq!(proxy.hits(&rule), 1);
}

async fn a_handshake_that_hangs_is_given_up_and_tried_again(helm: HelmVersion) {
    // helm alone goes through this proxy: a handshake does not say whose it is.
    let proxy = FaultProxy::start(cluster().await).await.unwrap();
    let setup = Setup::new(cluster().await, helm).await;
    let folder = tempfile::tempdir().unwrap();
    let script =
        format!("#!/bin/sh\nexec {} --kube-apiserver={} \"$@\"\n", setup.helm.display(), proxy.url());
    let through_the_proxy = crate::cluster::script(folder.path(), "helm-through-the-proxy", &script);
    let slipway = Slipway::start_as_set(Setup { helm: through_the_proxy, ..setup }).await;
    let hanging = proxy.add(Matcher::any(), Times::Always, Effect::HangHandshake);
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 1)).await;
    slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "retrying").await;
    proxy.remove(&hanging);
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
    let text = ended["attempts"][0]["failure"]["text"].as_str().unwrap();
    assert!(text.contains("TLS handshake timeout"), "{text}");
}

async fn writes_that_come_late_come_in_the_end(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    let rule = proxy.add(Matcher::writes(), Times::Always, Effect::Delay(Duration::from_secs(2)));
    let began = Instant::now();
    let ended = installs_calmly(&slipway).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec![""]), "{ended}");
    assert!(proxy.hits(&rule) >= 8 && began.elapsed() > Duration::from_secs(12), "{:?}", began.elapsed());
}

async fn a_write_whose_answer_is_lost_is_done_once(helm: HelmVersion) {
    for path in ["/secrets", "/services"] {
        let (proxy, slipway) = behind_a_proxy(helm).await;
        let rule = proxy.add(helms_writes(path), Times::First(1), Effect::LoseAnswer);
        let ended = installs_calmly(&slipway).await;
        assert_eq!(
            (&ended["state"], classes(&ended)),
            (&json!("succeeded"), vec!["transient", ""]),
            "{path} {ended}"
        );
        assert_eq!(proxy.hits(&rule), 1);
    }
}

async fn an_upgrade_is_tried_again_over_its_failed_revision(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    let namespace = slipway.namespace().await;
    slipway.succeeds(&install(&namespace, 1)).await;
    let conflict = Effect::Answer(Answer::quota_conflict("compute"));
    // helm does not try a change again as it does a creation.
    proxy.add(helms_writes("/deployments"), Times::First(1), conflict);
    let mut request = upgrade(&namespace, 1);
    request["values"] = json!("startup: {seconds: 1}\nreplicas: 3\n");
    let id = slipway.submit(&request).await;
    assert_calm(&phases_until_the_end(&slipway, &namespace, &id).await);
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
    assert_eq!(ended["outcome"]["revision"], 3, "{ended}");
    let values = slipway.get(&format!("{}/values", shop(&namespace))).await.json();
    assert!(values["user"].as_str().unwrap().contains("replicas: 3"), "{values}");
}

async fn a_webhook_that_is_not_up_yet_is_waited_for(helm: HelmVersion) {
    let cluster = cluster().await;
    let slipway = Slipway::start_with("admin", helm).await;
    let namespace = slipway.namespace().await;
    let mut webhook = testbed::Webhook::closed(cluster, &namespace).await.unwrap();
    let id = slipway.submit(&install(&namespace, 1)).await;
    slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "retrying").await;
    webhook.open().unwrap();
    assert_calm(&phases_until_the_end(&slipway, &namespace, &id).await);
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec!["transient", ""]), "{ended}");
    let text = ended["attempts"][0]["failure"]["text"].as_str().unwrap();
    assert!(text.contains("failed calling webhook") && text.contains("connection refused"), "{text}");
    assert!(webhook.asked() > 0);
    webhook.remove().await.unwrap();
}

async fn a_success_that_helm_could_not_record_is_told_as_what_it_is_with_a_way_out(helm: HelmVersion) {
    let (proxy, slipway) = behind_a_proxy(helm).await;
    let namespace = slipway.namespace().await;
    // A chart without hooks: helm changes its record once, when all is done. That this fails it only logs.
    let last = helms_writes("/secrets/sh.helm.release.v1.shop.v1").method("PUT".parse().unwrap());
    let error = Effect::Answer(Answer::internal_error("etcdserver: request timed out"));
    let rule = proxy.add(last, Times::Always, error);
    let id = slipway.submit(&install(&namespace, 1)).await;
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("succeeded"), vec![""]), "{ended}");
    assert_eq!((&ended["attempts"][0]["exitCode"], proxy.hits(&rule) > 0), (&json!(0), true), "{ended}");
    let remark = ended["outcome"]["remark"].as_str().unwrap();
    assert!(remark.contains("could not write its last record"), "{ended}");
    proxy.clear();

    let view = slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "stuck").await;
    assert_eq!(view["record"]["status"], "pending-install", "{view}");
    // As the remark says, helm refuses it as it is.
    let refused = slipway.post("operations", &upgrade(&namespace, 1)).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    slipway.succeeds(&json!({"kind": "markFailed", "namespace": namespace, "name": "shop"})).await;
    slipway.succeeds(&upgrade(&namespace, 1)).await;
    slipway.until(&shop(&namespace), |view| view["phase"]["phase"] == "deployed").await;
}
