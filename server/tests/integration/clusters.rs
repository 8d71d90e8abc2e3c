//! Several clusters behind one Slipway: nothing of one is ever seen in another, and none suffers from another's troubles.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::Secret;
use kube::api::Api;
use kube::runtime::wait::await_condition;
use serde_json::{Value, json};
use server::clusters::keepsake::folder;
use testbed::{Cluster, HelmVersion, Options};
use tokio::sync::OnceCell;

use crate::cluster::cluster;
use crate::slipway::{Setup, Slipway, unique};

/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The other cluster. It ends with this process.
async fn other() -> &'static Cluster {
    static OTHER: OnceCell<Cluster> = OnceCell::const_new();
    OTHER.get_or_init(async || Cluster::start(Options::default()).await.expect("the cluster starts")).await
}

/// A Slipway with these contexts, the first of which is current: the shared cluster as `east`, the other one as
/// `west/api:6443`, one that is away as `gone`, and one whose credentials a program would have to give as `locked`.
struct Several {
    slipway: Slipway,
    folder: tempfile::TempDir,
}

const WEST: &str = "/c/west%2Fapi%3A6443";
const WEST_NAME: &str = "west/api:6443";

impl Several {
    async fn start(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup::new(cluster().await, HelmVersion::V4).await;
        // The same name in both: their records must not be taken for each other's.
        let namespace = setup.operations_namespace.clone();
        let _ = other().await.create_namespace(Some(&namespace)).await;
        let kubeconfig = contexts(folder.path()).await;
        let more = more.iter().map(|word| (*word).to_owned()).collect();
        let slipway = Slipway::start_as_set(Setup { kubeconfig, more, ..setup }).await;
        Self { slipway, folder }
    }

    /// What says that the program for the credentials of `locked` was run.
    fn was_asked(&self) -> bool {
        self.folder.path().join("asked").exists()
    }

    /// A namespace of this name in both.
    async fn namespace(&self) -> String {
        let name = unique("both");
        for cluster in [cluster().await, other().await] {
            cluster.create_namespace(Some(&name)).await.unwrap();
        }
        name
    }

    async fn ask(&self, address: &str, body: Option<&Value>) -> (u16, String) {
        let address = format!("{}{address}", self.slipway.address());
        let http = reqwest::Client::new();
        let request = match body {
            Some(body) => {
                http.post(address).header("content-type", "application/json").body(body.to_string())
            }
            None => http.get(address),
        };
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    async fn get(&self, cluster: &str, path: &str) -> Value {
        let (status, body) = self.ask(&format!("{cluster}/api/v1/{path}"), None).await;
        assert_eq!(status, 200, "{cluster} {path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    async fn submit(&self, cluster: &str, body: &Value) -> String {
        let (status, answer) = self.ask(&format!("{cluster}/api/v1/operations"), Some(body)).await;
        assert_eq!(status, 202, "{cluster}: {answer}");
        serde_json::from_str::<Value>(&answer).unwrap()["id"].as_str().unwrap().to_owned()
    }

    /// Submits to a cluster, and follows it to its good end.
    async fn succeeds(&self, cluster: &str, body: &Value) -> String {
        let id = self.submit(cluster, body).await;
        let ended = tokio::time::timeout(PATIENCE, async {
            loop {
                let operation = self.get(cluster, &format!("operations/{id}")).await;
                if !operation["outcome"].is_null() {
                    return operation;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        let operation = ended.await.expect("its end in time");
        assert_eq!(operation["state"], "succeeded", "{operation}");
        id
    }

    /// The releases of a namespace in a cluster, once it has as many.
    async fn releases(&self, cluster: &str, namespace: &str, count: usize) -> Value {
        let listed = tokio::time::timeout(PATIENCE, async {
            loop {
                let list = self.get(cluster, &format!("releases?namespace={namespace}")).await;
                if list["releases"].as_array().unwrap().len() == count {
                    return list;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        listed.await.expect("the releases in time")
    }
}

/// Writes the kubeconfig.
async fn contexts(place: &Path) -> PathBuf {
    let read = |cluster: &Cluster| -> Value {
        serde_json::from_slice(&std::fs::read(cluster.kubeconfig("admin")).unwrap()).unwrap()
    };
    let (east, west) = (read(cluster().await), read(other().await));
    let cluster = |name: &str, of: &Value| json!({"name": name, "cluster": of["clusters"][0]["cluster"]});
    let user = |name: &str, of: &Value| json!({"name": name, "user": of["users"][0]["user"]});
    let context =
        |name: &str, of: &str, user: &str| json!({"name": name, "context": {"cluster": of, "user": user}});
    let asked = place.join("asked");
    let refuses = format!("touch {}; echo Please log in. >&2; echo s3cret; exit 7", asked.display());
    let exec = json!({
        "apiVersion": "client.authentication.k8s.io/v1", "command": "sh", "args": ["-c", refuses],
        "env": [{"name": "TOKEN", "value": "s3cret"}], "interactiveMode": "IfAvailable",
    });
    let file = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "east",
        "clusters": [
            cluster("east", &east), cluster("west", &west),
            {"name": "gone", "cluster": {"server": "https://127.0.0.1:1"}},
        ],
        "users": [user("east", &east), user("west", &west), {"name": "locked", "user": {"exec": exec}}],
        "contexts": [
            context("east", "east", "east"), context(WEST_NAME, "west", "west"),
            context("gone", "gone", "east"), context("locked", "east", "locked"),
        ],
    });
    let path = place.join("kubeconfig");
    std::fs::write(&path, file.to_string()).unwrap();
    path
}

/// An install of a release that says where it is.
fn install(namespace: &str, name: &str, of: &str, seconds: u32) -> Value {
    json!({
        "kind": "install", "namespace": namespace, "name": name,
        "chart": {"repository": "samples", "name": "web", "version": "1.0.0"},
        "values": format!("place: {of}\nstartup: {{seconds: {seconds}}}\n"),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn two_clusters_with_a_release_of_the_same_name_are_never_mixed_up() {
    let several = Several::start(&[]).await;
    let namespace = several.namespace().await;
    let places = [("", "the-east"), (WEST, "the-west")];
    let [east, west] = [
        several.succeeds("", &install(&namespace, "shop", "the-east", 0)).await,
        several.succeeds(WEST, &install(&namespace, "shop", "the-west", 0)).await,
    ];
    // Each has its own release, its own operation and its own log, with its own folder for it.
    for ((below, place), (own, others)) in places.into_iter().zip([(&east, &west), (&west, &east)]) {
        several.releases(below, &namespace, 1).await;
        let values = several.get(below, &format!("namespaces/{namespace}/releases/shop/values")).await;
        assert!(values.to_string().contains(place), "{below}: {values}");
        let operations = several.get(below, &format!("operations?namespace={namespace}")).await;
        let ids: Vec<_> =
            operations.as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert_eq!(ids, [own.as_str()], "{below}");
        let log = |id: &str| format!("{below}/api/v1/operations/{id}/log");
        assert_eq!(several.ask(&log(own), None).await.0, 200);
        assert_eq!(several.ask(&log(others), None).await.0, 404, "{below}");
        let name = if below.is_empty() { "east" } else { WEST_NAME };
        let operations = folder(several.slipway.folder(), name).join("operations");
        let there: Vec<_> =
            std::fs::read_dir(operations).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(there, [own.as_str()], "{below}");
    }
    // What is named is the same as what is the default.
    let named = several.get("/c/east", &format!("operations?namespace={namespace}")).await;
    assert_eq!(named[0]["id"], east.as_str());

    // What happens in one is no news in the other.
    let version = several.releases("", &namespace, 1).await["version"].as_str().unwrap().to_owned();
    let address =
        format!("{}/api/v1/releases?namespace={namespace}&since={version}", several.slipway.address());
    let held = tokio::spawn(async move {
        let asked = Instant::now();
        let list: Value =
            serde_json::from_str(&reqwest::get(address).await.unwrap().text().await.unwrap()).unwrap();
        (asked.elapsed(), list)
    });
    let begun = Instant::now();
    several.succeeds(WEST, &install(&namespace, "second", "the-west", 0)).await;
    several.releases(WEST, &namespace, 2).await;
    let taken = begun.elapsed();
    let (elapsed, list) = tokio::time::timeout(PATIENCE, held).await.unwrap().unwrap();
    assert!(elapsed > taken.min(Duration::from_secs(20)), "{elapsed:?} {taken:?}: {list}");
    assert_eq!(
        (&list["version"], list["releases"].as_array().unwrap().len()),
        (&json!(version), 1),
        "{list}"
    );

    // To end one of them does not end the other.
    let uninstall = json!({"kind": "uninstall", "namespace": namespace, "name": "shop"});
    several.succeeds(WEST, &uninstall).await;
    several.releases(WEST, &namespace, 1).await;
    assert_eq!(several.releases("", &namespace, 1).await["releases"][0]["key"]["name"], "shop");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_cannot_be_reached_or_opened_says_so_and_the_others_do_not_suffer() {
    let several = Several::start(&[]).await;
    let list = several.get("", "clusters").await;
    let expected = json!({"clusters": ["east", "gone", "locked", WEST_NAME], "default": "east"});
    assert_eq!(list, expected);
    // Nothing is asked of a cluster that nobody looks at.
    assert!(!several.was_asked());
    for (cluster, words) in [("gone", "reached"), ("locked", "Please log in.")] {
        let (status, body) = several.ask(&format!("/c/{cluster}/api/v1/releases"), None).await;
        assert!(
            status == 503 && body.contains(words) && !body.contains("s3cret"),
            "{cluster}: {status} {body}"
        );
        let (status, others) = several.ask(&format!("/c/{cluster}/api/v1/clusters"), None).await;
        assert_eq!((status, serde_json::from_str::<Value>(&others).unwrap()), (200, expected.clone()));
        assert_eq!(several.ask(&format!("/c/{cluster}/readyz"), None).await.0, 503);
        assert_eq!(several.ask("/readyz", None).await.0, 200);
        several.get("", "releases").await;
    }
    assert!(several.was_asked());
    assert_eq!(several.ask("/c/nowhere/api/v1/releases", None).await.0, 404);
    // Only what is named, where something is.
    let only = Several::start(&["--context", WEST_NAME, "--context", "gone"]).await;
    let list = only.get("", "clusters").await;
    assert_eq!(list, json!({"clusters": ["gone", WEST_NAME], "default": WEST_NAME}));
    assert_eq!(only.ask("/c/east/api/v1/releases", None).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_under_way_in_a_cluster_goes_on_after_a_restart_although_nobody_asks_for_it() {
    let mut several = Several::start(&["--max-runners", "1"]).await;
    let namespace = several.namespace().await;
    several.submit(WEST, &install(&namespace, "first", "the-west", 15)).await;
    let second = several.submit(WEST, &install(&namespace, "second", "the-west", 0)).await;
    several.slipway.kill().await;
    several.slipway.restart().await;
    let secrets: Api<Secret> = Api::namespaced(other().await.client("admin").await.unwrap(), &namespace);
    let begun = await_condition(secrets, "sh.helm.release.v1.second.v1", |it: Option<&Secret>| it.is_some());
    tokio::time::timeout(PATIENCE, begun).await.expect("its turn in time").unwrap();
    assert!(!several.was_asked());
    let found = several.get(WEST, &format!("operations/{second}")).await;
    assert_eq!(found["attempts"].as_array().map(Vec::len), Some(1), "{found}");
}
