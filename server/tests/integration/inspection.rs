//! That a release can be looked into: its live objects, pods and their logs, its picture, its timeline, what differs, and
//! what helm says while it says it.

use std::time::Duration;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::api::{Api, ListParams, PostParams};
use serde_json::{Value, json};
use testbed::HelmVersion;

use crate::cluster::{chart, cluster, helm, text};
use crate::slipway::{Answer, Slipway};

/// How long a thing may take to be seen on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn body(kind: &str, namespace: &str, chart: &str, version: &str, values: &str, options: Value) -> Value {
    let mut body = json!({
        "kind": kind, "namespace": namespace, "name": "shop", "values": values, "options": options,
    });
    if !chart.is_empty() {
        body["chart"] = json!({"repository": "samples", "name": chart, "version": version});
    }
    body
}

fn install(namespace: &str, values: &str) -> Value {
    body("install", namespace, "web", "1.0.0", values, json!({}))
}

/// `namespaces/NS/releases/shop/PATH`
fn of(namespace: &str, path: &str) -> String {
    format!("namespaces/{namespace}/releases/shop/{path}")
}

fn object(namespace: &str, api_version: &str, kind: &str, name: &str) -> String {
    let query = format!("apiVersion={api_version}&kind={kind}&objectNamespace={namespace}&objectName={name}");
    of(namespace, &format!("object?{query}"))
}

fn told(answer: &Answer) -> String {
    format!("{}: {}", answer.status, answer.text())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_object_is_shown_with_its_events_and_so_is_what_it_made() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&install(&ns, "replicas: 2\n")).await;

    let deployment = slipway.get(&object(&ns, "apps/v1", "Deployment", "shop")).await.json();
    let yaml = deployment["yaml"].as_str().unwrap_or_else(|| panic!("{deployment}"));
    assert!(
        yaml.starts_with("apiVersion: apps/v1\nkind: Deployment\n") && yaml.contains("replicas: 2"),
        "{yaml}"
    );
    assert!(!yaml.contains("managedFields"), "{yaml}");
    assert_eq!((&deployment["health"], &deployment["source"]), (&json!("ready"), &json!("web")));
    let events = deployment["events"].as_array().unwrap();
    assert!(events.iter().any(|event| event["reason"] == "ScalingReplicaSet"), "{deployment}");
    assert_eq!(deployment["eventsError"], Value::Null);
    let conditions = deployment["conditions"].as_array().unwrap_or_else(|| panic!("{deployment}"));
    let available = conditions.iter().find(|one| one["kind"] == "Available");
    let available = available.unwrap_or_else(|| panic!("{deployment}"));
    assert!(available["status"] == "True" && available["changed"].is_i64(), "{available}");

    let pods = slipway.get(&of(&ns, "pods")).await.json();
    assert_eq!((pods["pods"].as_array().map(Vec::len), &pods["warnings"]), (Some(2), &json!([])), "{pods}");
    let pod = &pods["pods"][0];
    assert_eq!((&pod["root"]["kind"], &pod["health"]), (&json!("Deployment"), &json!("ready")), "{pod}");
    assert_eq!(
        (&pod["containers"][0]["name"], &pod["containers"][0]["role"]),
        (&json!("main"), &json!("main"))
    );
    let name = pod["object"]["name"].as_str().unwrap();
    let detail = slipway.get(&object(&ns, "v1", "Pod", name)).await.json();
    assert_eq!((&detail["root"], &detail["object"]["name"]), (&pod["root"], &json!(name)), "{detail}");

    // What has nothing to do with the release is not shown, and neither is what is not there.
    let maps: Api<ConfigMap> = Api::namespaced(cluster().await.client("admin").await.unwrap(), &ns);
    let stranger = serde_json::from_value(json!({"metadata": {"name": "stranger"}})).unwrap();
    maps.create(&PostParams::default(), &stranger).await.unwrap();
    for (api_version, kind, name) in [
        ("v1", "ConfigMap", "stranger"),
        ("v1", "ConfigMap", "nothing"),
        ("v1", "ConfigMap", "..%2F..%2Fsecrets"),
        ("example.org/v1", "Gadget", "x"),
    ] {
        let answer = slipway.get(&object(&ns, api_version, kind, name)).await;
        assert_eq!(answer.status, 404, "{name}: {}", told(&answer));
    }
    let log = slipway.get(&of(&ns, "pods/stranger/log")).await;
    assert_eq!(log.status, 404, "{}", told(&log));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_is_drawn_with_its_pods_counted() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&install(&ns, "replicas: 3\n")).await;
    let picture = slipway.get(&of(&ns, "picture")).await.json();
    let nodes = picture["nodes"].as_array().unwrap_or_else(|| panic!("{picture}"));
    let name = |at: &Value| {
        let node = &nodes[usize::try_from(at.as_u64().unwrap()).unwrap()];
        node["object"]["kind"].as_str().unwrap()
    };
    let edges: Vec<_> = picture["edges"].as_array().unwrap().iter().collect();
    let has = |from: &str, relation: &str, to: &str| {
        edges.iter().any(|edge| {
            name(&edge["from"]) == from && edge["relation"] == relation && name(&edge["to"]) == to
        })
    };
    assert!(has("Service", "selects", "Deployment") && has("Deployment", "mounts", "ConfigMap"), "{picture}");
    let deployment = nodes.iter().find(|node| node["object"]["kind"] == "Deployment").unwrap();
    assert_eq!(deployment["pods"], json!({"ready": 3, "progressing": 0, "failed": 0, "total": 3}));
    assert_eq!(
        (&picture["warnings"], &picture["groups"][0]["source"]),
        (&json!([]), &json!("web")),
        "{picture}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_an_install_is_told_and_again_by_a_server_that_did_not_see_it() {
    let mut slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let values = "fail: false\n";
    slipway.succeeds(&body("install", &ns, "hook-fails", "1.0.0", values, json!({}))).await;
    for server in ["that saw it", "started anew"] {
        let timeline = slipway
            .until(&of(&ns, "timeline"), |timeline| {
                let rows = timeline["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
                rows.len() > 4 && rows.iter().all(|row| row["state"] != "running")
            })
            .await;
        let rows = timeline["rows"].as_array().unwrap();
        for kind in ["queue", "attempt", "preparation", "hook", "resource"] {
            let of_kind: Vec<_> = rows.iter().filter(|row| row["kind"] == kind).collect();
            assert!(!of_kind.is_empty(), "{kind} {server}: {timeline}");
            for row in of_kind {
                let is_timed = row["start"].is_i64() && row["end"].as_i64() >= row["start"].as_i64();
                assert!(row["state"] == "done" && is_timed, "{server}: {row}");
            }
        }
        let words = timeline["headline"].as_str().unwrap_or_else(|| panic!("{timeline}"));
        assert!(words.contains(" took longest"), "{words}");
        assert!(
            timeline["from"].as_i64() < timeline["to"].as_i64() && timeline["revision"] == 1,
            "{timeline}"
        );
        slipway.restart().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn revisions_and_a_dry_run_are_compared() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&install(&ns, "replicas: 1\n")).await;
    slipway.succeeds(&body("upgrade", &ns, "web", "1.1.0", "replicas: 2\n", json!({}))).await;

    let values = slipway.get(&of(&ns, "comparison?facet=values")).await.json();
    assert_eq!((&values["from"], &values["to"]), (&json!(1), &json!(2)), "{values}");
    assert_eq!(values["parts"][0]["unified"], "@@ -1 +1 @@\n-replicas: 1\n+replicas: 2\n", "{values}");
    let manifest = slipway.get(&of(&ns, "comparison?facet=manifest&from=2&to=1")).await.json();
    let deployment =
        manifest["parts"].as_array().unwrap().iter().find(|part| part["title"] == "Deployment shop");
    let unified = deployment.unwrap_or_else(|| panic!("{manifest}"))["unified"].as_str().unwrap();
    assert!(unified.contains("-  replicas: 2\n+  replicas: 1\n"), "{unified}");
    let same = slipway.get(&of(&ns, "comparison?facet=manifest&from=2&to=2")).await.json();
    assert!(same["parts"] == json!([]) && same["unchanged"].as_u64() > Some(2), "{same}");
    assert_eq!(slipway.get(&of(&ns, "comparison?from=9")).await.status, 404);

    let planned = body("upgrade", &ns, "web", "2.0.0", "replicas: 2\n", json!({"dryRun": true}));
    let id = slipway.submit(&planned).await;
    slipway.ended(&id).await;
    let preview = slipway.get(&format!("operations/{id}/preview/comparison?facet=manifest")).await.json();
    let added = preview["parts"].as_array().unwrap().iter().find(|part| part["change"] == "added");
    assert_eq!(added.unwrap_or_else(|| panic!("{preview}"))["title"], "PodDisruptionBudget shop");
    assert_eq!((&preview["from"], &preview["to"]), (&json!(2), &Value::Null));
    let refused = slipway.get(&format!("operations/{id}/preview/comparison?facet=values")).await;
    assert_eq!(refused.status, 422, "{}", told(&refused));

    let typed = json!({"values": "# as it is\nreplicas:   2\n"});
    let nothing = slipway.post(&of(&ns, "comparison"), &typed).await.json();
    assert_eq!(nothing["parts"], json!([]), "{nothing}");
    let typed = json!({"values": "replicas: 5\n"});
    let changed = slipway.post(&of(&ns, "comparison"), &typed).await.json();
    assert_eq!(changed["parts"][0]["unified"], "@@ -1 +1 @@\n-replicas: 2\n+replicas: 5\n", "{changed}");
    let typed = json!({"values": "more: 1\n", "policy": "reuse"});
    let reused = slipway.post(&of(&ns, "comparison"), &typed).await.json();
    assert_eq!(reused["parts"][0]["removed"], 0, "{reused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_helm_says_is_told_piece_by_piece_and_nothing_twice() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let id = slipway.submit(&install(&ns, "startup: {seconds: 4}\n")).await;
    let (mut whole, mut since, mut parts) = (String::new(), String::new(), 0);
    let followed = async {
        loop {
            let part = slipway.get(&format!("operations/{id}/log/part{since}")).await.json();
            assert_eq!(part["continues"], json!(parts > 0), "{part}");
            whole += part["text"].as_str().unwrap();
            parts += 1;
            if part["isOver"] == true {
                return;
            }
            since = format!("?since={}", part["next"].as_str().unwrap());
        }
    };
    tokio::time::timeout(PATIENCE * 2, followed).await.expect("an end");
    assert!(parts > 1 && whole.contains("NAME: shop"), "{parts}: {whole}");
    assert_eq!(whole, slipway.get(&format!("operations/{id}/log")).await.text());
    let command = slipway.get(&format!("operations/{id}/command")).await.json();
    let line = command["text"].as_str().unwrap();
    assert!(
        line.starts_with(&format!("helm install --namespace={ns} ")) && line.ends_with(" -- shop web"),
        "{line}"
    );
    let planned = body("rollback", &ns, "", "", "", json!({"revision": 3}));
    let command = slipway.post("command", &planned).await.json();
    assert!(command["text"].as_str().unwrap().ends_with(" -- shop 3"), "{command}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_releases_tests_are_told_with_what_came_of_them() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    slipway.succeeds(&install(&ns, "")).await;
    let before = slipway.get(&of(&ns, "tests")).await.json();
    assert_eq!(
        (&before["tests"][0]["result"], &before["operation"]),
        (&json!("notRun"), &Value::Null),
        "{before}"
    );
    slipway.succeeds(&body("test", &ns, "", "", "", json!({}))).await;
    let after = slipway.get(&of(&ns, "tests")).await.json();
    let test = &after["tests"][0];
    assert_eq!(
        (&test["object"]["name"], &test["result"]),
        (&json!("shop-answers"), &json!("passed")),
        "{after}"
    );
    assert!(test["started"].is_i64() && test["ended"].is_i64() && after["state"] == "succeeded", "{after}");
}

/// Packages a chart whose one template is `template`, in `folder`.
fn chart_of(folder: &std::path::Path, template: &str) -> std::path::PathBuf {
    let chart = folder.join("listed");
    std::fs::create_dir_all(chart.join("templates")).unwrap();
    let about = "apiVersion: v2\nname: listed\nversion: 1.0.0\n";
    std::fs::write(chart.join("Chart.yaml"), about).unwrap();
    std::fs::write(chart.join("templates/all.yaml"), template).unwrap();
    chart
}

#[tokio::test(flavor = "multi_thread")]
async fn the_items_of_a_list_are_resources_of_the_release_and_a_hook_is_told_with_its_text() {
    let template = "apiVersion: v1\nkind: List\nitems:\n\
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: listed-one}, data: {a: b}}\n\
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: listed-two}}\n---\n\
        # why\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hooked\n  annotations:\n    \
        helm.sh/hook: post-install,post-upgrade\n";
    let folder = tempfile::tempdir().unwrap();
    let chart = chart_of(folder.path(), template);
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    helm(HelmVersion::V4, &ns, &["install", "shop", text(&chart), "--wait"]).await;
    let is_there = |resources: &Value| {
        let ready = resources.as_array().map(Vec::as_slice).unwrap_or_default().iter();
        let ready = ready.filter(|one| one["health"] == "ready").map(|one| one["object"]["name"].clone());
        ready.collect::<Vec<_>>() == ["listed-one", "listed-two", "hooked"]
    };
    slipway.until(&of(&ns, "resources"), is_there).await;
    let one = slipway.get(&object(&ns, "v1", "ConfigMap", "listed-one")).await.json();
    assert!(one["source"] == "listed" && one["yaml"].as_str().unwrap().contains("a: b"), "{one}");
    let picture = slipway.get(&of(&ns, "picture")).await.json();
    assert_eq!(picture["nodes"].as_array().map(Vec::len), Some(3), "{picture}");
    let hooks = slipway.get(&of(&ns, "hooks?revision=1")).await.json();
    assert_eq!(hooks.as_array().map(Vec::len), Some(1), "{hooks}");
    let hook = &hooks[0];
    assert_eq!(hook["events"], json!(["post-install", "post-upgrade"]), "{hook}");
    assert!(hook["text"].as_str().unwrap().starts_with("apiVersion: v1\nkind: ConfigMap\n"), "{hook}");
    let manifest = slipway.get(&of(&ns, "manifest")).await;
    assert!(!manifest.text().contains("hooked"), "{}", told(&manifest));
    assert_eq!(slipway.get(&of(&ns, "hooks?revision=9")).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_takes_the_callers_own_right_to_what_is_looked_at() {
    let ns = cluster().await.create_namespace(None).await.unwrap();
    let web = chart("web-1.0.0.tgz").await;
    helm(HelmVersion::V4, &ns, &["install", "shop", text(&web), "--wait"]).await;
    let admin = cluster().await.client("admin").await.unwrap();
    let role = json!({"metadata": {"name": "releases"},
        "rules": [{"apiGroups": [""], "resources": ["secrets", "configmaps"], "verbs": ["get", "list", "watch"]}]});
    let binding = json!({"metadata": {"name": "releases"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "releases"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "editor"}]});
    let roles: Api<Role> = Api::namespaced(admin.clone(), &ns);
    roles.create(&PostParams::default(), &serde_json::from_value(role).unwrap()).await.unwrap();
    let bindings: Api<RoleBinding> = Api::namespaced(admin, &ns);
    bindings.create(&PostParams::default(), &serde_json::from_value(binding).unwrap()).await.unwrap();
    let secrets: Api<Secret> = Api::namespaced(cluster().await.client("editor").await.unwrap(), &ns);
    let in_effect = async {
        while secrets.list_metadata(&ListParams::default()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, in_effect).await.expect("the role is in effect");

    let slipway = Slipway::start_as("editor").await;
    slipway.until(&of(&ns, "resources"), |resources| resources.is_array()).await;
    let refused = slipway.get(&object(&ns, "apps/v1", "Deployment", "shop")).await;
    assert!(
        refused.status == 403 && refused.text().contains("may not get deployments"),
        "{}",
        told(&refused)
    );
    let map = slipway.get(&object(&ns, "v1", "ConfigMap", "shop")).await.json();
    assert!(map["yaml"].as_str().unwrap().contains("It works"), "{map}");
    assert!(map["eventsError"].as_str().unwrap().contains("may not list events"), "{map}");
    let pods = slipway.get(&of(&ns, "pods")).await.json();
    assert!(
        pods["pods"] == json!([]) && pods["warnings"][0].as_str().unwrap().contains("may not list pods"),
        "{pods}"
    );
    let log = slipway.get(&of(&ns, "pods/shop-1/log")).await;
    assert!(log.status == 403 && log.text().contains("pods/log"), "{}", told(&log));
    let picture = slipway.get(&of(&ns, "picture")).await.json();
    assert!(
        picture["warnings"][0].is_string() && picture["nodes"].as_array().unwrap().len() > 2,
        "{picture}"
    );
    let mut nodes = picture["nodes"].as_array().unwrap().iter();
    let deployment = nodes.find(|node| node["object"]["kind"] == "Deployment").unwrap();
    assert_eq!(deployment["pods"], Value::Null, "how many there are is not known: {deployment}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_containers_log_is_read_of_its_run_before_too_and_followed_while_it_speaks() {
    if !cluster().await.has_real_node() {
        println!("skipped: the pods of a simulated node have no logs");
        return;
    }
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let options = json!({"wait": false});
    slipway
        .succeeds(&body("install", &ns, "crash-loop", "1.0.0", "node: real\nreplicas: 1\n", options))
        .await;
    let pods =
        slipway.until(&of(&ns, "pods"), |pods| pods["pods"][0]["containers"][0]["hasPrevious"] == true).await;
    let pod = pods["pods"][0]["object"]["name"].as_str().unwrap();
    let log = slipway.get(&of(&ns, &format!("pods/{pod}/log?container=main&previous=true"))).await;
    assert_eq!(log.status, 200, "{}", told(&log));
    assert!(log.text().contains("cannot read /etc/app/config.yaml\n"), "{}", log.text());
    let one = slipway.get(&of(&ns, &format!("pods/{pod}/log?previous=true&tail=1&timestamps=true"))).await;
    let (time, _) = one.text().trim_end().split_once(' ').unwrap_or_else(|| panic!("{}", told(&one)));
    assert!(
        one.text().lines().count() == 1 && time.parse::<k8s_openapi::jiff::Timestamp>().is_ok(),
        "{}",
        told(&one)
    );
    // It is followed to its end: the container does not live long.
    let path = of(&ns, &format!("pods/{pod}/log?follow=true"));
    let followed = tokio::time::timeout(PATIENCE, slipway.get(&path)).await.expect("an end");
    assert!(followed.text().contains("reading its configuration"), "{}", told(&followed));
    let missing = slipway.get(&of(&ns, &format!("pods/{pod}/log?container=nobody"))).await;
    assert_eq!(missing.status, 422, "{}", told(&missing));
}
