//! What the rest of the tests rely on: that the cluster is one, keeps to itself, and leaves nothing behind.

#![allow(clippy::expect_used)]

#[path = "node/leftovers.rs"]
mod leftovers;

use std::time::{Duration, Instant};

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Node, Pod};
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::Api;
use kube::api::{ListParams, PostParams};
use kube::runtime::wait::await_condition;
use serde_json::json;
use testbed::{ChartRepository, Cluster, HelmVersion, Options, helm};
use tokio::sync::OnceCell;

use self::leftovers::{processes_of, start_in_another_process};

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

/// One cluster for this file. It is never dropped: it ends as a killed parent's would, with this process.
async fn cluster() -> &'static Cluster {
    static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
    CLUSTER.get_or_init(async || Cluster::start(Options::default()).await.expect("the cluster starts")).await
}

async fn within<T>(seconds: u64, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(seconds), future).await.expect("in time")
}

#[tokio::test]
async fn a_deployment_becomes_ready() -> Result {
    let cluster = cluster().await;
    let namespace = cluster.create_namespace(None).await?;
    cluster.grant_edit("editor", &namespace).await?;
    let deployments = Api::<Deployment>::namespaced(cluster.client("editor").await?, &namespace);
    let labels = json!({ "app": "web" });
    let web = serde_json::from_value(json!({
        "metadata": { "name": "web" },
        "spec": {
            "replicas": 2,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "web", "image": "web" }] },
            },
        },
    }))?;
    deployments.create(&PostParams::default(), &web).await?;
    let ready = |web: Option<&Deployment>| {
        web.and_then(|web| web.status.as_ref()).is_some_and(|status| status.ready_replicas == Some(2))
    };
    within(30, await_condition(deployments, "web", ready)).await?;
    cluster.check()?;
    Ok(())
}

#[tokio::test]
async fn nodes_keep_saying_that_they_live() -> Result {
    let client = cluster().await.client("admin").await?;
    for node in Api::<Node>::all(client.clone()).list(&ListParams::default()).await? {
        let name = node.metadata.name.ok_or("a node without a name")?;
        let leases = Api::<Lease>::namespaced(client.clone(), "kube-node-lease");
        let renewed = |lease: Option<&Lease>| lease.is_some_and(|lease| lease.spec.is_some());
        within(30, await_condition(leases, &name, renewed)).await?;
    }
    Ok(())
}

#[tokio::test]
async fn rights_end_where_they_were_granted() -> Result {
    let cluster = cluster().await;
    let (own, other) = (cluster.create_namespace(None).await?, cluster.create_namespace(None).await?);
    cluster.grant_edit("editor", &own).await?;
    for (user, namespace, allowed) in
        [("admin", &other, true), ("editor", &own, true), ("editor", &other, false), ("nobody", &own, false)]
    {
        let maps = Api::<ConfigMap>::namespaced(cluster.client(user).await?, namespace);
        match maps.list(&ListParams::default()).await {
            Ok(_) => assert!(allowed, "{user} was allowed in {namespace}"),
            Err(kube::Error::Api(status)) if status.code == 403 => assert!(!allowed, "{status:?}"),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[tokio::test]
async fn rights_are_in_effect_when_they_were_granted_and_gone_when_they_were_taken_away() -> Result {
    let cluster = cluster().await;
    let editor = cluster.client("editor").await?;
    let rule = PolicyRule {
        api_groups: Some(vec![String::new()]),
        resources: Some(vec!["configmaps".to_owned()]),
        verbs: vec!["list".to_owned()],
        ..PolicyRule::default()
    };
    // Often enough that the authoriser would be late.
    for _ in 0..10 {
        let (own, other) = (cluster.create_namespace(None).await?, cluster.create_namespace(None).await?);
        let maps = |namespace: &str| Api::<ConfigMap>::namespaced(editor.clone(), namespace);
        cluster.grant_rules("editor", std::slice::from_ref(&rule), &own).await?;
        maps(&own).list(&ListParams::default()).await?;
        cluster.grant("editor", "view", &other).await?;
        maps(&other).list(&ListParams::default()).await?;
        cluster.revoke("editor", "view", &other).await?;
        assert!(maps(&other).list(&ListParams::default()).await.is_err());
    }
    Ok(())
}

#[tokio::test]
async fn bare_pods_end_and_pods_fail_on_request() -> Result {
    let cluster = cluster().await;
    let namespace = cluster.create_namespace(None).await?;
    let client = cluster.client("admin").await?;
    let pods = Api::<Pod>::namespaced(client, &namespace);
    let phase_is = |phase: &'static str| {
        move |pod: Option<&Pod>| pod.and_then(|pod| pod.status.as_ref()?.phase.as_deref()) == Some(phase)
    };
    for (name, labels, phase) in
        [("ends", json!({}), "Succeeded"), ("fails", json!({ "slipway.dev/testbed-fail": "true" }), "Failed")]
    {
        let pod = serde_json::from_value(json!({
            "metadata": { "name": name, "labels": labels },
            "spec": { "restartPolicy": "Never", "containers": [{ "name": "main", "image": "main" }] },
        }))?;
        pods.create(&PostParams::default(), &pod).await?;
        within(30, await_condition(pods.clone(), name, phase_is(phase))).await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_failing_hook_fails_the_installation() -> Result {
    let cluster = cluster().await;
    let namespace = cluster.create_namespace(None).await?;
    let repository = ChartRepository::start().await?;
    for version in [HelmVersion::V3, HelmVersion::V4] {
        let release = format!("{version:?}").to_lowercase();
        let home = tempfile::tempdir()?;
        let output = tokio::process::Command::new(helm(version)?)
            .args(["install", &release, "hook-fails", "--wait", "--namespace", &namespace])
            .args(["--repo", repository.url(), "--kubeconfig"])
            .arg(cluster.kubeconfig("admin"))
            .env("HOME", home.path())
            .output()
            .await?;
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("failed pre-install"), "{said}");
        let job = format!("{release}-migrate");
        let jobs = Api::<Job>::namespaced(cluster.client("admin").await?, &namespace);
        let failed = jobs.get(&job).await?.status.and_then(|status| status.failed);
        assert_eq!(failed, Some(1));
    }
    assert!(repository.requests().iter().any(|file| file == "index.yaml"));
    Ok(())
}

#[tokio::test]
async fn a_second_cluster_stands_beside_the_first_and_ends_alone() -> Result {
    let first = cluster().await;
    let began = Instant::now();
    let second = Cluster::start(Options::default()).await?;
    assert!(began.elapsed() < Duration::from_secs(30), "it took {:?}", began.elapsed());
    assert_ne!(first.url(), second.url());
    let name = second.create_namespace(Some("only-here")).await?;
    let namespaces = Api::<Namespace>::all(first.client("admin").await?);
    assert!(namespaces.get_opt(&name).await?.is_none());

    let data = second.data().to_path_buf();
    second.stop().await;
    assert!(!data.exists(), "{} is still there", data.display());
    assert_eq!(processes_of(&data), Vec::<String>::new());
    first.check()?;
    Ok(())
}

#[test]
fn nothing_outlives_a_killed_parent() -> Result {
    let (mut parent, data) = start_in_another_process(false)?;
    assert!(!processes_of(&data).is_empty());
    // SIGKILL: nothing of the parent's own code runs any more.
    parent.kill()?;
    parent.wait()?;
    let began = Instant::now();
    while data.exists() || !processes_of(&data).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "still there: {:?}", processes_of(&data));
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
