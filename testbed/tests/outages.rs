//! The API server and its store go away and come back.

#![allow(clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::Api;
use kube::api::{DeleteParams, ListParams, PostParams};
use serde_json::json;
use testbed::{AuditEvent, Cluster, FaultProxy, Options};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

fn map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({ "metadata": { "name": name } })).expect("a config map")
}

/// Whether there is no answer for longer than a server that is well ever takes.
async fn hangs<T>(answer: impl Future<Output = T>) -> bool {
    tokio::time::timeout(Duration::from_secs(2), answer).await.is_err()
}

/// Whether something is not done, be it refused or not answered.
async fn fails<T, E>(answer: impl Future<Output = std::result::Result<T, E>>) -> bool {
    !matches!(tokio::time::timeout(Duration::from_secs(2), answer).await, Ok(Ok(_)))
}

#[tokio::test]
async fn what_was_written_is_there_after_the_api_server_and_etcd_were_away() -> Result {
    let cluster = Cluster::start(Options::default()).await?;
    let maps = Api::<ConfigMap>::namespaced(cluster.client("admin").await?, "default");
    let through =
        Api::<ConfigMap>::namespaced(FaultProxy::start(&cluster).await?.client("admin").await?, "default");
    let list = ListParams::default();
    maps.create(&PostParams::default(), &map("before")).await?;

    cluster.stop_api_server().await?;
    let refused = maps.get("before").await;
    assert!(format!("{refused:?}").contains("ConnectionRefused"), "{refused:?}");
    assert!(through.get("before").await.is_err());
    cluster.check()?;
    cluster.start_api_server().await?;
    maps.get("before").await?;

    cluster.pause_api_server().await?;
    assert!(hangs(maps.list(&list)).await);
    cluster.resume_api_server().await?;
    maps.list(&list).await?;

    cluster.stop_etcd().await?;
    assert!(fails(maps.create(&PostParams::default(), &map("lost"))).await);
    cluster.check()?;
    cluster.start_etcd().await?;
    maps.get("before").await?;
    maps.create(&PostParams::default(), &map("after")).await?;

    cluster.pause_etcd().await?;
    assert!(fails(maps.create(&PostParams::default(), &map("late"))).await);
    cluster.resume_etcd().await?;
    maps.get("after").await?;

    // Started or stopped twice is no more than once; and the rest of the cluster has lived through all of it.
    cluster.start_etcd().await?;
    cluster.start_api_server().await?;
    cluster.create_namespace(None).await?;
    cluster.check()?;
    let data = cluster.data().to_path_buf();
    cluster.stop().await;
    assert!(!data.exists());
    Ok(())
}

#[tokio::test]
async fn the_audit_log_tells_who_wrote_a_secret_and_goes_on_after_an_outage() -> Result {
    let cluster = Cluster::start(Options { audit: true, ..Options::default() }).await?;
    let namespace = cluster.create_namespace(None).await?;
    cluster.grant_edit("editor", &namespace).await?;
    let secrets = Api::<Secret>::namespaced(cluster.client("editor").await?, &namespace);
    let secret = serde_json::from_value(json!({
        "metadata": { "name": "kept" },
        "stringData": { "word": "not-for-the-log" },
    }))?;
    secrets.create(&PostParams::default(), &secret).await?;
    secrets.get("kept").await?;
    let refused = secrets.create(&PostParams::default(), &secret).await;
    assert!(refused.is_err());

    cluster.stop_api_server().await?;
    cluster.start_api_server().await?;
    secrets.delete("kept", &DeleteParams::default()).await?;

    let is_ours = |event: &AuditEvent| event.resource == "secrets" && event.namespace == namespace;
    let events = written(&cluster, 3, is_ours).await?;
    let told = events.iter().map(|event| (event.verb.as_str(), event.code)).collect::<Vec<_>>();
    assert_eq!(told, [("create", 201), ("create", 409), ("delete", 200)]);
    assert!(events.iter().all(|event| event.user == "editor" && event.received <= event.answered));
    assert_eq!(events[0].name, "kept");
    assert!(events.windows(2).all(|pair| pair[0].answered <= pair[1].received));
    assert!(!std::fs::read_to_string(cluster.data().join("audit.log"))?.contains("not-for-the-log"));
    let all = cluster.audit().await?;
    assert!(all.iter().all(|event| !["get", "list", "watch"].contains(&event.verb.as_str())));
    let hum =
        |event: &&AuditEvent| event.resource.ends_with("/status") || event.namespace == "kube-node-lease";
    assert_eq!(all.iter().find(hum), None);
    Ok(())
}

/// The first `count` events that match. An answer can be there before its line.
async fn written(
    cluster: &Cluster,
    count: usize,
    matches: impl Fn(&AuditEvent) -> bool,
) -> Result<Vec<AuditEvent>> {
    let began = Instant::now();
    loop {
        let events = cluster.audit().await?.into_iter().filter(&matches).collect::<Vec<_>>();
        if events.len() >= count || began.elapsed() > Duration::from_secs(5) {
            return Ok(events);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn nothing_outlives_a_killed_parent_whose_programs_were_paused_and_started_again() -> Result {
    let tests = std::env::current_exe()?;
    let example = tests.ancestors().nth(2).ok_or("no target folder")?.join("examples/cluster");
    let mut parent =
        Command::new(example).arg("--troubled").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let output = parent.stdout.take().ok_or("no output")?;
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line)?;
    let data: PathBuf = Path::new(line.trim()).parent().ok_or("no kubeconfig")?.to_path_buf();
    let running = processes_of(&data);
    assert!(["etcd", "kube-apiserver"].iter().all(|name| running.iter().any(|line| line.contains(name))));
    parent.kill()?;
    parent.wait()?;
    let began = Instant::now();
    while data.exists() || !processes_of(&data).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "still there: {:?}", processes_of(&data));
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// The command lines that name a folder, which those of a cluster's programs do.
fn processes_of(data: &Path) -> Vec<String> {
    let output = Command::new("ps").args(["-A", "-o", "args="]).output().expect("ps runs");
    let data = data.display().to_string();
    let lines = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect::<Vec<_>>();
    lines.into_iter().filter(|line| line.contains(&data)).collect()
}
