//! Which releases have a newer version of their chart, as the list of releases is told.

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::Method;
use serde_json::{Value, json};

use crate::slipway::Slipway;
use crate::sources::{install, installs, send};

/// An archive of a chart that makes nothing but a ConfigMap.
fn packed(name: &str, version: &str) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let about = format!("apiVersion: v2\nname: {name}\nversion: {version}\n");
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n";
    for (path, content) in [("Chart.yaml", about.as_str()), ("templates/object.yaml", object)] {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, format!("{name}/{path}"), content.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

/// A repository that lists these versions of the chart `name`; its address. It lives as long as the test.
async fn repository(name: &'static str, versions: &'static [&'static str]) -> String {
    let mut index = format!("apiVersion: v1\nentries:\n  {name}:\n");
    for version in versions {
        let one = format!("  - name: {name}\n    version: {version}\n    urls: [{name}-{version}.tgz]\n");
        index.push_str(&one);
    }
    let file = async move |Path(file): Path<String>| {
        if file == "index.yaml" {
            return Ok(index.into_bytes());
        }
        let version = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".tgz"));
        version.map(|version| packed(name, version)).ok_or(StatusCode::NOT_FOUND)
    };
    let router = Router::new().route("/{file}", get(file));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_version_is_offered_where_a_repository_has_a_stable_one() {
    let slipway = Slipway::start().await;
    let namespace = slipway.namespace().await;
    for (name, chart, versions) in [
        ("ours", "quiet", ["1.0.0", "1.9.0", "1.10.0"].as_slice()),
        ("edge", "restless", ["1.0.0", "1.1.0-rc.1"].as_slice()),
    ] {
        let url = repository(chart, versions).await;
        let spec = json!({ "origin": "slipway", "name": name, "url": url });
        assert_eq!(send(&slipway, Method::POST, "repositories", &spec).await.0, 201);
    }
    for (name, repository, chart, version) in [
        ("old", "ours", "quiet", "1.0.0"),
        ("newer", "ours", "quiet", "1.9.0"),
        ("newest", "ours", "quiet", "1.10.0"),
        ("stable", "edge", "restless", "1.0.0"),
    ] {
        let source = json!({ "repository": repository, "name": chart, "version": version });
        installs(&slipway, &install(&namespace, name, source)).await;
    }
    // Nobody lists what was uploaded.
    let address = format!("{}/api/v1/uploads?namespace={namespace}", slipway.address());
    let request = reqwest::Client::new().post(address).header("content-type", "application/gzip");
    let answer = request.body(packed("lonely", "0.1.0")).send().await.unwrap().text().await.unwrap();
    let upload = serde_json::from_str::<Value>(&answer).unwrap()["upload"].clone();
    let source = json!({ "upload": upload, "name": "lonely", "version": "0.1.0" });
    installs(&slipway, &install(&namespace, "lonely", source)).await;

    let newer = |name: &str| json!({ "namespace": namespace, "name": name, "version": "1.10.0", "repository": "ours" });
    let sorted = |updates: &Value| {
        let mut all = updates.as_array().unwrap().clone();
        all.sort_by_key(|one| one["name"].as_str().map(str::to_owned));
        all
    };
    let path = format!("updates?namespace={namespace}");
    slipway.until(&path, |updates| sorted(updates) == [newer("newer"), newer("old")]).await;
    // All namespaces have those of this one, too.
    let all = slipway.get("updates").await.json();
    assert!(all.as_array().unwrap().contains(&newer("old")), "{all}");

    // Without the repository nothing is known, and nothing is said.
    assert_eq!(send(&slipway, Method::DELETE, "repositories/ours", &Value::Null).await.0, 204);
    assert_eq!(slipway.get(&path).await.json(), json!([]));
    // Whoever may not see the releases is told of no updates either.
    let theirs = Slipway::start_as("editor").await;
    assert_eq!(theirs.get(&path).await.status, 403);
}
