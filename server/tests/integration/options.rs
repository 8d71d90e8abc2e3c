//! That helm's options do what they say, as each helm knows them: seen in the cluster and in helm's records.

use std::path::Path;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::Namespace;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Client;
use kube::api::{Api, ListParams, Patch, PatchParams};
use serde_json::{Value, json};
use testbed::{ChartRepository, HelmVersion};

use crate::aftermath::shop;
use crate::cluster::{cluster, helm, text, with_both_helms};
use crate::slipway::{Slipway, unique};

with_both_helms![
    as_many_revisions_are_kept_as_are_asked_for,
    a_namespace_is_made_only_when_that_is_asked_for,
    an_upgrade_takes_the_values_that_it_is_told_to,
    without_waiting_an_install_is_over_before_its_pods_are_ready,
    each_revision_is_described_as_asked_for,
    hooks_that_are_skipped_do_not_run,
    definitions_that_are_skipped_are_not_made,
];

async fn admin() -> Client {
    cluster().await.client("admin").await.unwrap()
}

fn body(kind: &str, namespace: &str, values: &str, options: Value) -> Value {
    let chart = json!({"repository": "samples", "name": "web", "version": "1.0.0"});
    let chart = if ["install", "upgrade"].contains(&kind) { chart } else { Value::Null };
    json!({"kind": kind, "namespace": namespace, "name": "shop", "chart": chart, "values": values,
           "options": options})
}

/// The revisions of `shop`, the newest first, once `is` says so.
async fn history(slipway: &Slipway, namespace: &str, is: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let path = format!("{}/history", shop(namespace));
    let history = slipway.until(&path, |history| history.as_array().is_some_and(|history| is(history))).await;
    history.as_array().unwrap().clone()
}

async fn deployment(namespace: &str) -> Deployment {
    Api::namespaced(admin().await, namespace).get("shop").await.unwrap()
}

async fn replicas(namespace: &str) -> Option<i32> {
    deployment(namespace).await.spec.unwrap().replicas
}

async fn user_values(slipway: &Slipway, namespace: &str) -> String {
    let values = slipway.get(&format!("{}/values", shop(namespace))).await.json();
    values["user"].as_str().unwrap().trim().to_owned()
}

async fn as_many_revisions_are_kept_as_are_asked_for(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&body("install", &ns, "", json!({"wait": false}))).await;
    for replicas in 1..=3 {
        let options = json!({"wait": false, "historyMax": 2});
        slipway.succeeds(&body("upgrade", &ns, &format!("replicas: {replicas}\n"), options)).await;
    }
    let revisions = |history: &[Value]| -> Vec<u64> {
        history.iter().map(|entry| entry["record"]["revision"].as_u64().unwrap()).collect()
    };
    history(&slipway, &ns, |history| revisions(history) == [4, 3]).await;
}

async fn a_namespace_is_made_only_when_that_is_asked_for(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = unique("made");
    let id = slipway.submit(&body("install", &ns, "", json!({"wait": false}))).await;
    let failed = slipway.ended(&id).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    let words = failed["outcome"]["failure"]["text"].as_str().unwrap();
    assert!(words.contains(&format!("namespaces \"{ns}\" not found")), "{failed}");
    slipway.succeeds(&body("install", &ns, "", json!({"wait": false, "createNamespace": true}))).await;
    assert!(Api::<Namespace>::all(admin().await).get_opt(&ns).await.unwrap().is_some());
    assert_eq!(replicas(&ns).await, Some(2));
}

async fn an_upgrade_takes_the_values_that_it_is_told_to(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&body("install", &ns, "replicas: 1\npage: one\n", json!({"wait": false}))).await;
    for policy in ["reuse", "resetThenReuse"] {
        let options = json!({"wait": false, "values": policy});
        slipway.succeeds(&body("upgrade", &ns, &format!("page: {policy}\n"), options)).await;
        assert_eq!(user_values(&slipway, &ns).await, format!("page: {policy}\nreplicas: 1"));
        assert_eq!(replicas(&ns).await, Some(1));
    }
    // Unless it is told otherwise, what is given is the whole of it.
    slipway.succeeds(&body("upgrade", &ns, "page: reset\n", json!({"wait": false}))).await;
    assert_eq!(user_values(&slipway, &ns).await, "page: reset");
    assert_eq!(replicas(&ns).await, Some(2), "the chart's own");
}

async fn without_waiting_an_install_is_over_before_its_pods_are_ready(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    let values = "startup: {seconds: 3000}\n";
    slipway.succeeds(&body("install", &ns, values, json!({"wait": false}))).await;
    let ready = deployment(&ns).await.status.and_then(|status| status.ready_replicas);
    assert_eq!(ready.unwrap_or(0), 0);
    slipway.until(&shop(&ns), |view| view["phase"]["phase"] == "deployed").await;
}

async fn each_revision_is_described_as_asked_for(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    // A rollback of helm 3 takes no description.
    let back = match helm {
        HelmVersion::V3 => json!({"wait": false, "revision": 1}),
        HelmVersion::V4 => json!({"wait": false, "description": "no sale", "revision": 1}),
    };
    for (kind, options) in [
        ("install", json!({"wait": false, "description": "first light"})),
        ("upgrade", json!({"wait": false, "description": "for the --sale"})),
        ("rollback", back),
        ("uninstall", json!({"keepHistory": true, "description": "closed; $(for good)"})),
    ] {
        slipway.succeeds(&body(kind, &ns, "", options)).await;
    }
    let words = |entry: &Value| entry["record"]["detail"]["description"].as_str().map(str::to_owned);
    let history = history(&slipway, &ns, |history| history.iter().all(|entry| words(entry).is_some())).await;
    let told: Vec<String> = history.iter().filter_map(words).collect();
    // An uninstall writes no revision of its own: it describes the last one anew.
    assert_eq!(told, ["closed; $(for good)", "for the --sale", "first light"]);
    for entry in &history {
        assert_eq!(entry["requestedBy"], "admin", "each is ours, also the rollback: {entry}");
    }
}

async fn hooks_that_are_skipped_do_not_run(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let ns = slipway.namespace().await;
    for kind in ["install", "upgrade"] {
        let mut request = body(kind, &ns, "", json!({"wait": false, "skipHooks": true}));
        // It fails each time that it runs.
        request["chart"]["name"] = json!("hook-fails");
        slipway.succeeds(&request).await;
    }
    let jobs = Api::<Job>::namespaced(admin().await, &ns).list(&ListParams::default()).await.unwrap().items;
    assert!(jobs.is_empty(), "{jobs:?}");
}

/// Packages a chart that has a definition of a kind in an API group, and nothing else, into `folder`.
async fn package_with_definition(version: HelmVersion, folder: &Path, group: &str) {
    let chart = folder.join("defines");
    std::fs::create_dir_all(chart.join("crds")).unwrap();
    std::fs::write(chart.join("Chart.yaml"), "apiVersion: v2\nname: defines\nversion: 1.0.0\n").unwrap();
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("widgets.{group}")},
        "spec": {
            "group": group, "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": true, "storage": true,
                          "schema": {"openAPIV3Schema": {"type": "object"}}}],
        },
    });
    std::fs::write(chart.join("crds/widget.yaml"), definition.to_string()).unwrap();
    helm(version, "default", &["package", text(&chart), "--destination", text(folder)]).await;
}

async fn definitions_that_are_skipped_are_not_made(version: HelmVersion) {
    let (folder, group) = (tempfile::tempdir().unwrap(), format!("{}.example.org", unique("g")));
    package_with_definition(version, folder.path(), &group).await;
    let charts = ChartRepository::serve(folder.path()).await.unwrap();
    let slipway = Slipway::start_with("admin", version).await;
    let ns = slipway.namespace().await;
    let definitions: Api<CustomResourceDefinition> = Api::all(admin().await);
    for (name, skipped) in [("without", true), ("with", false)] {
        let mut request = body("install", &ns, "", json!({"skipCrds": skipped}));
        request["name"] = json!(name);
        request["chart"] = json!({"url": format!("{}/defines-1.0.0.tgz", charts.url())});
        slipway.succeeds(&request).await;
        let made = definitions.get_opt(&format!("widgets.{group}")).await.unwrap();
        assert_eq!(made.is_none(), skipped, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn helm_4_takes_a_field_over_from_somebody_else_only_when_it_is_told_to() {
    let slipway = Slipway::start_with("admin", HelmVersion::V4).await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&body("install", &ns, "replicas: 1\n", json!({"wait": false}))).await;
    let deployments: Api<Deployment> = Api::namespaced(admin().await, &ns);
    let scaled = json!({"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": 2}});
    let autoscaler = PatchParams::apply("autoscaler").force();
    deployments.patch("shop", &autoscaler, &Patch::Apply(&scaled)).await.unwrap();

    let upgrade = |options: Value| body("upgrade", &ns, "replicas: 3\n", options);
    let id = slipway.submit(&upgrade(json!({"wait": false}))).await;
    let failed = slipway.ended(&id).await;
    let failure = &failed["outcome"]["failure"];
    assert_eq!((&failed["state"], &failure["class"]), (&json!("failed"), &json!("permanent")), "{failed}");
    assert!(failure["cause"].as_str().unwrap().contains("autoscaler"), "{failed}");
    assert_eq!(failure["next"][0]["action"], "forceConflicts", "{failed}");
    assert_eq!(replicas(&ns).await, Some(2));

    slipway.succeeds(&upgrade(json!({"wait": false, "forceConflicts": true}))).await;
    assert_eq!(replicas(&ns).await, Some(3));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_helm_3_does_not_know_is_refused_with_its_field() {
    let slipway = Slipway::start_with("admin", HelmVersion::V3).await;
    let ns = slipway.namespace().await;
    for (kind, options, field) in [
        ("install", json!({"forceConflicts": true}), "options.forceConflicts"),
        ("rollback", json!({"description": "back"}), "options.description"),
    ] {
        let refused = slipway.post("operations", &body(kind, &ns, "", options)).await;
        assert_eq!((refused.status, &refused.json()["field"]), (422, &json!(field)), "{}", refused.text());
        assert!(refused.text().contains("helm 3"), "{}", refused.text());
    }
    assert_eq!(slipway.get(&format!("operations?namespace={ns}")).await.json(), json!([]));
}
