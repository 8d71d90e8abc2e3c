//! The form of a chart's values and their check, beside what real helm says of the same values.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use testbed::{ChartRepository, HelmVersion, helm};
use tokio::process::Command;

use crate::cluster::{chart, charts};
use crate::slipway::Slipway;

/// Runs helm without a cluster; its output, or what it refuses with.
async fn run(version: HelmVersion, arguments: &[&str], home: &Path) -> Result<String, String> {
    let output = Command::new(helm(version).unwrap())
        .args(arguments)
        .env_clear()
        .env("HOME", home)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// What is wrong with values of a version of the sample chart `schema`.
async fn problems(slipway: &Slipway, version: &str, values: &str) -> Vec<Value> {
    let chart = json!({"repository": "samples", "name": "schema", "version": version});
    let answer = slipway
        .post("values/check", &json!({"namespace": "default", "chart": chart, "values": values}))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["notes"], json!([]));
    answer.json()["problems"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_charts_values_have_a_form() {
    let slipway = Slipway::start().await;
    let version = slipway.get("charts/samples/schema").await.json()["version"].clone();
    let chart = json!({"repository": "samples", "name": "schema", "version": version});
    let form = slipway.post("values/form", &json!({"namespace": "default", "chart": chart})).await.json();
    let replicas = &form["root"]["fields"][0];
    assert_eq!(
        (&replicas["key"], &replicas["kind"], &replicas["default"]),
        (&json!("replicas"), &json!("integer"), &json!("1"))
    );
    let elsewhere = json!({"repository": "samples", "name": "nothing", "version": "1.0.0"});
    assert_eq!(
        slipway.post("values/form", &json!({"namespace": "default", "chart": elsewhere})).await.status,
        404
    );
    // A chart with many charts in it, and no schema.
    let version = slipway.get("charts/samples/platform").await.json()["version"].clone();
    let platform = json!({"repository": "samples", "name": "platform", "version": version});
    let form = slipway.post("values/form", &json!({"namespace": "default", "chart": platform})).await.json();
    assert_eq!(form["hasSchema"], json!(false));
    assert!(form["root"]["fields"].as_array().unwrap().len() > 40, "{form}");
}

#[tokio::test(flavor = "multi_thread")]
async fn helm_takes_the_values_in_which_nothing_is_found_and_no_others() {
    let slipway = Slipway::start().await;
    let version = slipway.get("charts/samples/schema").await.json()["version"].as_str().unwrap().to_owned();
    let archive = chart(&format!("schema-{version}.tgz")).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values.yaml");
    let arguments = ["template", "x", archive.to_str().unwrap(), "--values", file.to_str().unwrap()];
    for values in [
        "",
        "replicas: 3\n",
        "replicas: 0011\n",
        "replicas: 1e0\n",
        "replicas: 012\n",
        "replicas: \"3\"\n",
        "replicas: null\n",
        "owner: null\n",
        "owner: {team: a}\n",
        "owner: {onCall: null}\n",
        "owner: {email: nobody}\n",
        "environment: yes\n",
        "storage: {kind: disk}\n",
        "storage: {kind: disk, class: fast}\n",
        "queues: []\n",
        "queues: [{name: a, durable: on}]\n",
        "labels: {a: 1}\n",
        "labels: {a: 2026-11-30}\n",
        "network: {allowedCidrs: [10.0.0.0/8, 10.0.0.0/8]}\n",
        "tls: &on {enabled: true}\nstartup: {<<: *on, seconds: .5}\n",
        "unknown: 1\n",
        "global: {anything: 1}\n",
        "a: b: c\n",
        "- a\n",
    ] {
        std::fs::write(&file, values).unwrap();
        let (found, three, four) = tokio::join!(
            problems(&slipway, &version, values),
            run(HelmVersion::V3, &arguments, folder.path()),
            run(HelmVersion::V4, &arguments, folder.path()),
        );
        for said in [three, four] {
            assert_eq!(said.is_ok(), found.is_empty(), "{values:?}: {said:?}, {found:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_merged_as_helm_merges_them_over_charts_in_charts() {
    // The schema asks for exactly what helm makes of the values, so that a check that makes something else of them says so.
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let dependencies = "dependencies:\n- {name: db, version: 1.x.x, alias: first, condition: first.on}\n- {name: db, version: 1.x.x, alias: second, condition: second.on}\n- {name: cache, version: ^1.0.0, tags: [fast], import-values: [data, {child: port, parent: ports.cache}]}\n";
    write("web/Chart.yaml", &format!("apiVersion: v2\nname: web\nversion: 1.0.0\n{dependencies}"));
    write(
        "web/values.yaml",
        "own: 1\nfirst: {size: 5}\nsecond: {on: false}\nglobal: {zone: a, deep: {x: 1}}\n",
    );
    write("web/templates/all.yaml", "kind: All\nvalues: {{ toJson .Values }}\n");
    write("web/charts/db/Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.2.0\n");
    write("web/charts/db/values.yaml", "size: 1\nkind: ssd\nmore: {a: 1, b: [1]}\nglobal: {deep: {y: 2}}\n");
    write("web/charts/cache/Chart.yaml", "apiVersion: v2\nname: cache\nversion: 1.0.0\n");
    write("web/charts/cache/values.yaml", "exports: {data: {imported: 1, own: 2}}\nport: {number: 7}\n");
    let served = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let helm = async |arguments: &[&str]| run(HelmVersion::V4, arguments, folder.path()).await.unwrap();
    let cases = [
        "",
        "first: {size: null, more: {a: null, c: 1}}\n",
        "second: {on: true}\nfirst: {on: false}\n",
        "tags: {fast: false}\nown: null\n",
        "global: {zone: b, deep: {y: 3}}\nfirst: {global: {zone: c}}\n",
        "first: {more: {b: [2, 0123, yes]}}\nnil: null\n",
    ];
    for (number, values) in cases.iter().enumerate() {
        let _ = std::fs::remove_file(path("web/values.schema.json"));
        write("values.yaml", values);
        let rendered = helm(&["template", "x", &path("web"), "--values", &path("values.yaml")]).await;
        let merged = rendered.lines().find_map(|line| line.strip_prefix("values: ")).unwrap();
        let merged: Value = serde_json::from_str(merged).unwrap();
        write("web/values.schema.json", &json!({ "const": merged }).to_string());
        let (to, version) = (served.path().to_str().unwrap(), format!("1.0.{number}"));
        helm(&["package", &path("web"), "--destination", to, "--version", &version]).await;
    }
    helm(&["repo", "index", served.path().to_str().unwrap()]).await;
    let repository = ChartRepository::serve(served.path()).await.unwrap();
    let slipway = Slipway::start_given(&["--repository", &format!("own={}", repository.url())]).await;
    for (number, values) in cases.iter().enumerate() {
        let chart = json!({"repository": "own", "name": "web", "version": format!("1.0.{number}")});
        let found = slipway
            .post("values/check", &json!({"namespace": "default", "chart": chart, "values": values}))
            .await
            .json();
        assert_eq!(found, json!({"problems": [], "notes": []}), "{values:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_fetched_from_elsewhere_for_those_who_may_not_install_it() {
    let slipway = Slipway::start_as("editor").await;
    let chart = json!({"url": format!("{}/only-asked-for-here.tgz", charts().await.url())});
    let form = slipway.post("values/form", &json!({"namespace": "default", "chart": chart})).await;
    let check = json!({"namespace": "default", "chart": chart, "values": ""});
    let check = slipway.post("values/check", &check).await;
    assert_eq!((form.status, check.status), (403, 403), "{} {}", form.text(), check.text());
    assert!(!charts().await.requests().iter().any(|file| file == "only-asked-for-here.tgz"));
}
