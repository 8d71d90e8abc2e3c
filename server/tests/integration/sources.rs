//! Charts from all the places that there are, installed by real helm: private repositories, registries, OpenShift's
//! repositories, uploads.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use testbed::{Clients, HelmVersion, SecureListener};

use crate::cluster::{chart, charts, cluster, with_both_helms};
use crate::slipway::{Slipway, unique};

pub const PASSWORD: &str = "hunter22-and-more";
pub const BASIC: &str = "Basic bWU6aHVudGVyMjItYW5kLW1vcmU=";
pub const BEARER: &str = "Bearer hunter22-and-more";
/// What whoever is let in need not send.
pub const NOTHING: &str = "";

/// A fake of a private server: a repository of the sample charts below `/charts`, and a registry that has one of them. It
/// lets in whoever sends the right header, and nobody else.
struct FakeServer {
    wants: &'static str,
    archive: Vec<u8>,
}

impl FakeServer {
    /// What it answers.
    async fn router(wants: &'static str) -> Router {
        let samples = charts().await.folder().to_owned();
        FOLDER.get_or_init(|| samples);
        let archive = std::fs::read(chart("web-1.0.0.tgz").await).unwrap();
        Router::new().fallback(answer).with_state(Arc::new(Self { wants, archive }))
    }

    fn digest(&self) -> String {
        format!("sha256:{:x}", Sha256::digest(&self.archive))
    }
}

async fn answer(State(server): State<Arc<FakeServer>>, request: Request) -> Response {
    let sent = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if sent.unwrap_or(NOTHING) != server.wants {
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Basic realm=\"charts\"")])
            .into_response();
    }
    let config = b"{}".to_vec();
    let digest = |content: &[u8]| format!("sha256:{:x}", Sha256::digest(content));
    let manifest = json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": { "mediaType": "application/vnd.cncf.helm.config.v1+json", "digest": digest(&config), "size": config.len() },
        "layers": [{
            "mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
            "digest": server.digest(), "size": server.archive.len(),
        }],
    })
    .to_string()
    .into_bytes();
    let path = request.uri().path();
    let typed = |kind: &'static str, content: Vec<u8>| {
        let digest = digest(&content);
        (
            [(header::CONTENT_TYPE, kind.to_owned()), ("docker-content-digest".parse().unwrap(), digest)],
            content,
        )
            .into_response()
    };
    match path.strip_prefix("/v2/") {
        Some("") => StatusCode::OK.into_response(),
        Some("charts/web/tags/list") => {
            json!({ "name": "charts/web", "tags": ["1.0.0", "v1.0.0_b.1", "latest"] })
                .to_string()
                .into_response()
        }
        Some(path) => match path.strip_prefix("charts/web/") {
            Some("manifests/1.0.0" | "manifests/v1.0.0_b.1") => {
                typed("application/vnd.oci.image.manifest.v1+json", manifest)
            }
            Some(path) if path == format!("manifests/{}", digest(&manifest)) => {
                typed("application/vnd.oci.image.manifest.v1+json", manifest)
            }
            Some(path) if path == format!("blobs/{}", server.digest()) => {
                typed("application/octet-stream", server.archive.clone())
            }
            Some(path) if path == format!("blobs/{}", digest(&config)) => {
                typed("application/octet-stream", config)
            }
            _ => StatusCode::NOT_FOUND.into_response(),
        },
        None => {
            let file =
                path.strip_prefix("/charts/").filter(|file| !file.contains('/') && !file.contains(".."));
            match file.and_then(|file| std::fs::read(crate::sources::folder().join(file)).ok()) {
                Some(content) => content.into_response(),
                None => StatusCode::NOT_FOUND.into_response(),
            }
        }
    }
}

static FOLDER: std::sync::OnceLock<std::path::PathBuf> = std::sync::OnceLock::new();

/// The folder of the sample charts, once a server has been started.
fn folder() -> &'static std::path::Path {
    FOLDER.get().expect("the sample charts")
}

/// A private server, and its host. It lives as long as the test.
pub async fn private(wants: &'static str) -> String {
    let router = FakeServer::router(wants).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, router).await });
    host
}

/// The same over TLS, and its port.
pub async fn secure(wants: &'static str, clients: Clients) -> u16 {
    let router = FakeServer::router(wants).await;
    let listener = SecureListener::bind(cluster().await, clients).await.unwrap();
    let port = listener.port().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    port
}

/// `METHOD /api/v1/PATH` with a body: status and answer. None of a server's answers may hold the password.
pub async fn send(slipway: &Slipway, method: Method, path: &str, body: &Value) -> (u16, Value) {
    let address = format!("{}/api/v1/{path}", slipway.address());
    let request = reqwest::Client::new().request(method, address).header("content-type", "application/json");
    let response = request.body(body.to_string()).send().await.unwrap();
    let (status, text) = (response.status().as_u16(), response.text().await.unwrap());
    assert!(!text.contains("hunter22"), "{path}: {text}");
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

pub fn install(namespace: &str, name: &str, chart: Value) -> Value {
    json!({ "kind": "install", "namespace": namespace, "name": name, "chart": chart, "options": { "wait": false } })
}

/// Installs it, and sees to it that nothing that was said of it holds the password.
pub async fn installs(slipway: &Slipway, body: &Value) {
    let id = slipway.submit(body).await;
    let operation = slipway.ended(&id).await;
    let log = slipway.get(&format!("operations/{id}/log")).await.text().to_owned();
    assert_eq!(operation["state"], "succeeded", "{operation}\n{log}");
    assert!(!log.contains("hunter22") && !operation.to_string().contains("hunter22"), "{log}");
}

async fn a_private_repository_is_added_used_changed_and_removed(helm: HelmVersion) {
    let (basic, bearer) = (private(BASIC).await, private(BEARER).await);
    let slipway = Slipway::start_with("admin", helm).await;
    let namespace = slipway.namespace().await;
    let user = json!({ "username": "me", "password": PASSWORD });
    for (name, host, credentials) in
        [("private", &basic, &user), ("tokens", &bearer, &json!({ "token": PASSWORD }))]
    {
        let spec = |credentials: Option<&Value>| {
            let url = format!("http://{host}/charts");
            json!({ "origin": "slipway", "name": name, "url": url, "credentials": credentials })
        };
        let (status, refusal) = send(&slipway, Method::POST, "repository-tests", &spec(None)).await;
        assert_eq!(status, 503, "{refusal}");
        assert!(refusal["detail"].as_str().unwrap().contains("access is refused (HTTP 401)"), "{refusal}");
        let (status, tested) =
            send(&slipway, Method::POST, "repository-tests", &spec(Some(credentials))).await;
        assert!(status == 200 && tested["charts"].as_u64() > Some(7), "{status} {tested}");
        assert_eq!(send(&slipway, Method::POST, "repositories", &spec(Some(credentials))).await.0, 201);
        assert_eq!(send(&slipway, Method::POST, "repositories", &spec(Some(credentials))).await.0, 409);
        let chart = json!({ "repository": name, "name": "web", "version": "1.0.0" });
        installs(&slipway, &install(&namespace, &unique("web"), chart)).await;
    }
    let list = slipway.get("repositories").await.json();
    assert_eq!(list["mayChange"], json!(["private", "tokens"]), "{list}");
    assert_eq!(list["repositories"][0]["secured"]["password"], true, "{list}");
    let charts = slipway.get("charts").await.json();
    let of = |entry: &Value| entry["repository"] == "private" && entry["name"] == "web";
    assert!(charts["entries"].as_array().unwrap().iter().any(of), "{charts}");
    // What is kept goes where it was meant for, and nowhere else.
    let moved = json!({ "origin": "slipway", "name": "private", "url": format!("http://{bearer}/charts") });
    let (status, refusal) = send(&slipway, Method::PUT, "repositories/private", &moved).await;
    assert_eq!((status, refusal["field"].as_str()), (422, Some("credentials")), "{refusal}");
    let url = format!("http://{basic}/charts");
    let disabled = json!({ "origin": "slipway", "name": "private", "url": url, "disabled": true });
    let (status, state) = send(&slipway, Method::PUT, "repositories/private", &disabled).await;
    assert_eq!(
        (status, &state["disabled"], &state["secured"]["password"]),
        (200, &json!(true), &json!(true))
    );
    let chart = json!({ "repository": "private", "name": "web", "version": "1.0.0" });
    assert_eq!(slipway.post("operations", &install(&namespace, "web", chart)).await.status, 422);
    assert_eq!(send(&slipway, Method::DELETE, "repositories/private", &Value::Null).await.0, 204);
    assert_eq!(slipway.get("charts/private/web").await.status, 404);
}

async fn a_chart_in_a_private_registry_is_shown_and_installed(helm: HelmVersion) {
    let host = private(BASIC).await;
    let slipway = Slipway::start_with("admin", helm).await;
    let namespace = slipway.namespace().await;
    let look = format!("chart?namespace={namespace}&url=oci://{host}/charts/web");
    let refused = slipway.get(&look).await;
    assert_eq!(refused.status, 503, "{}", refused.text());
    let spec = json!({
        "origin": "slipway", "name": "registry", "url": format!("oci://{host}/charts"),
        "credentials": { "username": "me", "password": PASSWORD },
    });
    assert_eq!(send(&slipway, Method::POST, "repository-tests", &spec).await.0, 200);
    assert_eq!(send(&slipway, Method::POST, "repositories", &spec).await.0, 201);
    let shown = slipway.get(&look).await.json();
    assert_eq!((&shown["name"], &shown["version"]), (&json!("web"), &json!("v1.0.0+b.1")), "{shown}");
    let versions = shown["versions"].as_array().unwrap().iter().map(|version| version["version"].clone());
    assert_eq!(versions.collect::<Vec<_>>(), ["v1.0.0+b.1", "1.0.0"]);
    let by_url = |version: &str| json!({ "url": format!("oci://{host}/charts/web"), "version": version });
    installs(&slipway, &install(&namespace, &unique("web"), by_url("1.0.0"))).await;
    installs(&slipway, &install(&namespace, &unique("web"), by_url("v1.0.0+b.1"))).await;
    let by_name = json!({ "repository": "registry", "name": "web", "version": "1.0.0" });
    installs(&slipway, &install(&namespace, &unique("web"), by_name)).await;
}

async fn an_upload_outlives_the_server_that_took_it(helm: HelmVersion) {
    let mut slipway = Slipway::start_with("admin", helm).await;
    let other = slipway.another().await;
    let namespace = slipway.namespace().await;
    let archive = std::fs::read(chart("web-1.0.0.tgz").await).unwrap();
    let address = format!("{}/api/v1/uploads?namespace={namespace}", slipway.address());
    let upload =
        reqwest::Client::new().post(address).header("content-type", "application/gzip").body(archive);
    let answer: Value = serde_json::from_str(&upload.send().await.unwrap().text().await.unwrap()).unwrap();
    assert_eq!(
        (&answer["chart"]["name"], &answer["chart"]["version"]),
        (&json!("web"), &json!("1.0.0")),
        "{answer}"
    );
    slipway.kill().await;
    let shown = other.get(&format!("uploads/{}", answer["upload"].as_str().unwrap())).await.json();
    assert_eq!(shown, answer);
    let source = json!({ "upload": answer["upload"], "name": "web", "version": "1.0.0" });
    installs(&other, &install(&namespace, &unique("web"), source)).await;
    let gone = json!({ "upload": "0198c0de-0000-7000-8000-000000000000", "name": "web", "version": "1.0.0" });
    assert_eq!(other.post("operations", &install(&namespace, "web", gone)).await.status, 404);
}

with_both_helms!(
    a_private_repository_is_added_used_changed_and_removed,
    a_chart_in_a_private_registry_is_shown_and_installed,
    an_upload_outlives_the_server_that_took_it,
);

#[tokio::test(flavor = "multi_thread")]
async fn openshifts_repositories_are_used_where_there_are_any_and_by_whom_they_are_for() {
    let cluster = cluster().await;
    cluster.install_openshift_repositories().await.unwrap();
    let host = private(BASIC).await;
    let slipway = Slipway::start().await;
    let namespace = slipway.namespace().await;
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "charts" },
        "stringData": { "username": "me", "password": PASSWORD },
    });
    let secrets = kube::Api::<k8s_openapi::api::core::v1::Secret>::namespaced(
        cluster.client("admin").await.unwrap(),
        &namespace,
    );
    secrets
        .create(&kube::api::PostParams::default(), &serde_json::from_value(secret).unwrap())
        .await
        .unwrap();
    let list = slipway.get(&format!("repositories?namespace={namespace}")).await.json();
    assert_eq!(list["mayAdd"], json!(["slipway", "cluster", "project"]), "{list}");
    let spec = |name: &str, reference: &str| {
        json!({
            "origin": "project", "namespace": namespace, "name": name, "displayName": "Team charts",
            "url": format!("http://{host}/charts"), "references": { "password": reference },
        })
    };
    let (status, refusal) = send(&slipway, Method::POST, "repository-tests", &spec("team", "missing")).await;
    assert_eq!((status, refusal["field"].as_str()), (422, Some("references")), "{refusal}");
    assert_eq!(send(&slipway, Method::POST, "repository-tests", &spec("team", "charts")).await.0, 200);
    assert_eq!(send(&slipway, Method::POST, "repositories", &spec("team", "charts")).await.0, 201);
    let name = format!("{namespace}:team");
    let state = slipway
        .until(&format!("charts?namespace={namespace}"), |charts| {
            let of = |entry: &Value| entry["repository"] == name.as_str() && entry["name"] == "web";
            charts["entries"].as_array().is_some_and(|entries| entries.iter().any(of))
        })
        .await;
    let ours = state["repositories"].as_array().unwrap().iter().find(|state| state["name"] == name.as_str());
    assert_eq!(ours.unwrap()["displayName"], "Team charts");
    let source = json!({ "repository": name, "name": "web", "version": "1.0.0" });
    installs(&slipway, &install(&namespace, &unique("web"), source.clone())).await;
    // With those of all namespaces it is there as well, in another one it is not; and by those without rights it is seen nowhere.
    for (page, is_there) in [("charts", true), ("repositories", true), ("charts?namespace=default", false)] {
        let all = slipway.get(page).await.json();
        assert_eq!(
            all["repositories"].to_string().contains(&format!("\"{name}\"")),
            is_there,
            "{page}: {all}"
        );
    }
    let (status, fetched) =
        send(&slipway, Method::POST, &format!("repositories/{name}/fetch"), &Value::Null).await;
    assert_eq!((status, &fetched["error"]), (200, &Value::Null), "{fetched}");
    let theirs = Slipway::start_as("editor").await;
    cluster.grant_edit("editor", &namespace).await.unwrap();
    let may_list = || async { theirs.get(&format!("releases?namespace={namespace}")).await.status == 200 };
    let in_effect = async {
        while !may_list().await {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(90), in_effect).await.expect("the right in effect");
    let list = theirs.get(&format!("repositories?namespace={namespace}")).await.json();
    assert!(!list.to_string().contains(&name), "{list}");
    let all = theirs.get("charts").await.json();
    assert!(!all.to_string().contains(&name), "{all}");
    let (status, refusal) = send(&theirs, Method::POST, "repositories", &spec("mine", "charts")).await;
    assert_eq!(status, 403, "{refusal}");
    assert!(refusal["detail"].as_str().unwrap().contains("create projecthelmchartrepositories"), "{refusal}");
    assert_eq!(theirs.post("operations", &install(&namespace, "web", source)).await.status, 422);
    assert_eq!(send(&slipway, Method::DELETE, &format!("repositories/{name}"), &Value::Null).await.0, 204);
}
