//! The real program, seen from outside: what it says at its start and its end, and what it knows of real repositories.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testbed::HelmVersion;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use crate::slipway::Slipway;

/// How long the program may take to say something on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program with these arguments, away from every setting of the user's.
fn slipway(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slipway"));
    command
        .args(arguments)
        .env_clear()
        .env("PATH", "")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// What it prints and how it ends, when it is to end by itself.
async fn ended(arguments: &[&str]) -> (i32, String, String) {
    let output = tokio::time::timeout(PATIENCE, slipway(arguments).output()).await.expect("its end").unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

/// A server for a cluster that is away, and its address.
async fn without_cluster(folder: &std::path::Path) -> (Child, String) {
    let kubeconfig = folder.join("kubeconfig");
    let config = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "away",
        "clusters": [{"name": "away", "cluster": {"server": "https://127.0.0.1:1"}}],
        "users": [{"name": "away", "user": {"token": "t"}}],
        "contexts": [{"name": "away", "context": {"cluster": "away", "user": "away"}}],
    });
    std::fs::write(&kubeconfig, config.to_string()).unwrap();
    let helm = testbed::helm(HelmVersion::V4).unwrap();
    let mut command = slipway(&["serve", "--listen", "127.0.0.1:0", "--kubeconfig"]);
    command.arg(kubeconfig).arg("--helm").arg(helm).arg("--data-dir").arg(folder.join("data"));
    let mut process = command.spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let line = tokio::time::timeout(PATIENCE, lines.next_line()).await.expect("a line").unwrap().unwrap();
    let address = line.strip_prefix("Slipway is at ").expect("its address").to_owned();
    (process, address)
}

fn names(charts: &Value) -> Vec<&str> {
    charts["entries"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_charts_are_listed_and_shown() {
    let slipway = Slipway::start().await;
    let charts = slipway.get("charts").await.json();
    assert_eq!(charts["repositories"][0]["error"], Value::Null, "{charts}");
    for name in ["web", "schema", "platform", "hook-fails", "crash-loop", "refused", "over-quota", "hostile"]
    {
        assert!(names(&charts).contains(&name), "{name} in {:?}", names(&charts));
    }
    let schema = slipway.get("charts/samples/schema").await.json();
    let properties: Value = serde_json::from_str(schema["schema"].as_str().unwrap()).unwrap();
    assert!(properties["properties"].is_object() && !schema["values"].as_str().unwrap().is_empty());
    let versions = schema["versions"].as_array().unwrap();
    assert!(versions.len() > 1, "{versions:?}");
    let oldest = versions.last().unwrap()["version"].as_str().unwrap();
    let older = slipway.get(&format!("charts/samples/schema?version={oldest}")).await.json();
    assert_eq!(older["version"], json!(oldest));
    assert_eq!(slipway.get("charts/samples/nothing").await.status, 404);
    assert_eq!(slipway.get("charts/elsewhere/web").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_charts_readme_has_nothing_that_runs() {
    let slipway = Slipway::start().await;
    let chart = slipway.get("charts/samples/hostile").await.json();
    let readme = chart["readme"].as_str().unwrap();
    assert!(readme.contains("Größe") && readme.contains("🧨"), "{readme}");
    for bad in
        ["<script", "onerror", "onclick", "javascript:", "<iframe", "<style", "<form", "<input", "data:text"]
    {
        assert!(!readme.contains(bad), "{bad} in {readme}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_starts_without_its_cluster_and_says_what_it_waits_for() {
    let folder = tempfile::tempdir().unwrap();
    let (_process, address) = without_cluster(folder.path()).await;
    // Where no other test has, when it runs alone.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::new();
    assert_eq!(http.get(format!("{address}/livez")).send().await.unwrap().status(), 200);
    let ready = http.get(format!("{address}/readyz")).send().await.unwrap();
    assert_eq!(ready.status(), 503);
    assert!(ready.text().await.unwrap().contains("the cluster has not answered yet"));
    let releases = http.get(format!("{address}/api/v1/releases")).send().await.unwrap();
    assert_eq!(releases.status(), 503);
    let problem: Value = serde_json::from_str(&releases.text().await.unwrap()).unwrap();
    assert_eq!(problem["code"], "unavailable", "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_stops_at_once_when_told_to_and_ends_the_polls_that_it_holds() {
    let mut slipway = Slipway::start().await;
    let list = slipway.get("releases?namespace=default").await.json();
    let host = slipway.address().trim_start_matches("http://").to_owned();
    let mut poll = TcpStream::connect(&host).await.unwrap();
    let path = format!("/api/v1/releases?namespace=default&since={}", list["version"].as_str().unwrap());
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    poll.write_all(request.as_bytes()).await.unwrap();
    // Connections are taken in their order: when this one is answered, the poll is there too.
    slipway.get("namespaces").await;

    let asked = Instant::now();
    let status = slipway.terminate().await;
    assert_eq!(status.code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
    let mut answer = String::new();
    poll.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_cannot_be_used_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    for (arguments, code, words) in [
        (&["serve", "--listen", "0.0.0.0:8080"][..], 2, "127.0.0.1"),
        (&["serve", "--repository", "nonsense"], 2, "NAME=URL"),
        (&["serve", "--operations-namespace", "Not A Name"], 2, "operations-namespace"),
        (&["serve", "--kubeconfig", "/nowhere", "--data-dir", data], 1, "/nowhere"),
        (&["run-operation", "../../etc"], 2, "not an operation's id"),
        (&["launch"], 2, "unrecognized subcommand"),
    ] {
        let (ended_with, out, error) = ended(arguments).await;
        assert_eq!((ended_with, out.as_str()), (code, ""), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_helm_that_is_not_there_is_told_at_the_start() {
    let kubeconfig = crate::cluster::cluster().await.kubeconfig("admin");
    let folder = tempfile::tempdir().unwrap();
    let (kubeconfig, data) = (kubeconfig.to_str().unwrap(), folder.path().to_str().unwrap());
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig, "--data-dir", data];
    let (code, out, error) = ended(&arguments).await;
    assert_eq!((code, out.as_str()), (1, ""), "{error}");
    assert!(error.contains("--helm"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn help_and_version_are_where_people_look_for_them() {
    for (arguments, words) in [
        (&["--version"][..], "slipway 0."),
        (&["--help"], "Examples:"),
        (&["serve", "--help"], "SLIPWAY_REPOSITORIES"),
    ] {
        let (code, out, _) = ended(arguments).await;
        assert!(code == 0 && out.contains(words), "{arguments:?}: {out}");
    }
}
