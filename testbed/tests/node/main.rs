//! What tests rely on where code must really run: that pods of the real node do, can be seen to, and leave nothing behind.
//! Where there can be no such node, a line on standard error says why, and these tests have nothing to say; where there can be one,
//! `presence` fails.

#![allow(clippy::expect_used)]

mod leftovers;
mod presence;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{ContainerStatus, Pod};
use kube::Api;
use kube::api::{ListParams, LogParams, PostParams};
use kube::runtime::wait::await_condition;
use serde_json::{Value, json};
use testbed::{ChartRepository, Cluster, HelmVersion, Options, helm};
use tokio::sync::OnceCell;

use self::leftovers::{processes_of, start_in_another_process};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// One cluster for this file, unless it can have no real node. It ends with this process.
async fn cluster() -> Option<&'static Cluster> {
    static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
    let start = async || Cluster::start(Options::default().real_node()).await.expect("the cluster starts");
    Some(CLUSTER.get_or_init(start).await).filter(|cluster| cluster.has_real_node())
}

async fn within<T>(seconds: u64, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(seconds), future).await.expect("in time")
}

/// A pod for the real node that runs a shell script.
fn pod(name: &str, script: &str) -> Value {
    json!({
        "metadata": { "name": name, "labels": { "app": name } },
        "spec": {
            "nodeSelector": { "slipway.dev/node": "real" },
            "tolerations": [{ "key": "slipway.dev/node", "operator": "Exists" }],
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 1,
            "containers": [{ "name": "main", "image": "busybox:1.37", "command": ["sh", "-c", script] }],
        },
    })
}

fn phase_is(phase: &str) -> impl Fn(Option<&Pod>) -> bool {
    move |pod| pod.and_then(|pod| pod.status.as_ref()?.phase.as_deref()) == Some(phase)
}

fn container(pod: &Pod) -> Option<&ContainerStatus> {
    pod.status.as_ref()?.container_statuses.as_ref()?.first()
}

/// A new namespace, and its pods.
async fn room(cluster: &Cluster) -> Result<(String, Api<Pod>)> {
    let namespace = cluster.create_namespace(None).await?;
    let pods = Api::namespaced(cluster.client("admin").await?, &namespace);
    Ok((namespace, pods))
}

/// Runs a pod to its end, and returns its log.
async fn run(pods: &Api<Pod>, pod: Value, phase: &'static str) -> Result<String> {
    let pod: Pod = serde_json::from_value(pod)?;
    let name = pod.metadata.name.clone().ok_or("no name")?;
    pods.create(&PostParams::default(), &pod).await?;
    within(60, await_condition(pods.clone(), &name, phase_is(phase))).await?;
    Ok(pods.logs(&name, &LogParams::default()).await?)
}

#[tokio::test]
async fn a_pod_that_asks_for_the_real_node_runs_and_its_log_can_be_read() -> Result {
    let Some(cluster) = cluster().await else { return Ok(()) };
    let (_, pods) = room(cluster).await?;
    assert_eq!(run(&pods, pod("adds", "echo $((6 * 7))"), "Succeeded").await?, "42\n");
    Ok(())
}

#[tokio::test]
async fn a_pod_that_does_not_ask_is_simulated() -> Result {
    let Some(cluster) = cluster().await else { return Ok(()) };
    let (_, pods) = room(cluster).await?;
    let plain = json!({
        "metadata": { "name": "plain" },
        "spec": { "restartPolicy": "Never", "containers": [{ "name": "main", "image": "not-there:1" }] },
    });
    pods.create(&PostParams::default(), &serde_json::from_value(plain)?).await?;
    within(30, await_condition(pods.clone(), "plain", phase_is("Succeeded"))).await?;
    let node = pods.get("plain").await?.spec.and_then(|spec| spec.node_name);
    assert_eq!(node.as_deref(), Some("fake-node"));
    Ok(())
}

#[tokio::test]
async fn a_job_that_exits_3_fails_and_keeps_its_log() -> Result {
    let Some(cluster) = cluster().await else { return Ok(()) };
    let (namespace, pods) = room(cluster).await?;
    let jobs = Api::<Job>::namespaced(cluster.client("admin").await?, &namespace);
    let mut template = pod("migrate", "echo migrating; echo 'no such table' >&2; exit 3");
    template["metadata"]["name"].take();
    let job = json!({
        "metadata": { "name": "migrate" }, "spec": { "backoffLimit": 0, "template": template },
    });
    jobs.create(&PostParams::default(), &serde_json::from_value(job)?).await?;
    let failed = |job: Option<&Job>| {
        let conditions = job.and_then(|job| job.status.as_ref()?.conditions.as_ref());
        conditions.is_some_and(|all| all.iter().any(|one| one.type_ == "Failed" && one.status == "True"))
    };
    within(60, await_condition(jobs, "migrate", failed)).await?;
    let [pod] = &pods.list(&ListParams::default()).await?.items[..] else { return Err("not one pod".into()) };
    let terminated = container(pod).and_then(|status| status.state.as_ref()?.terminated.as_ref());
    assert_eq!(terminated.map(|terminated| terminated.exit_code), Some(3));
    let name = pod.metadata.name.as_deref().unwrap_or_default();
    let log = pods.logs(name, &LogParams::default()).await?;
    // Two streams, in either order.
    assert!(log.contains("migrating\n") && log.contains("no such table\n"), "{log}");
    Ok(())
}

#[tokio::test]
async fn a_container_that_crashes_is_backed_off_with_its_exit_code_and_last_words() -> Result {
    let Some(cluster) = cluster().await else { return Ok(()) };
    let (_, pods) = room(cluster).await?;
    let mut crashing = pod("crashes", "echo 'cannot read its configuration'; exit 4");
    crashing["spec"]["restartPolicy"] = json!("Always");
    pods.create(&PostParams::default(), &serde_json::from_value(crashing)?).await?;
    let backed_off = |pod: Option<&Pod>| {
        let waiting = pod.and_then(container).and_then(|status| status.state.as_ref()?.waiting.as_ref());
        waiting.is_some_and(|waiting| waiting.reason.as_deref() == Some("CrashLoopBackOff"))
    };
    within(60, await_condition(pods.clone(), "crashes", backed_off)).await?;
    let pod = pods.get("crashes").await?;
    let last = container(&pod).and_then(|status| status.last_state.as_ref()?.terminated.as_ref());
    assert_eq!(last.map(|last| last.exit_code), Some(4));
    let before = LogParams { previous: true, ..LogParams::default() };
    assert_eq!(pods.logs("crashes", &before).await?, "cannot read its configuration\n");
    Ok(())
}

#[tokio::test]
async fn pods_reach_the_api_server_and_the_loopback_of_this_machine() -> Result {
    let Some(cluster) = cluster().await else { return Ok(()) };
    let (_, pods) = room(cluster).await?;
    let charts = ChartRepository::start().await?;
    let url = charts.url().replace("127.0.0.1", Cluster::LOOPBACK_FROM_PODS);
    // Busybox cannot do the server's TLS: that something accepts at the Service's address is all it can tell.
    let script = format!(
        "wget -qO- {url}/index.yaml | head -n 1
         nc -w 10 $KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT </dev/null && echo reached"
    );
    assert_eq!(run(&pods, pod("calls", &script), "Succeeded").await?, "apiVersion: v1\nreached\n");
    Ok(())
}

#[tokio::test]
async fn the_sample_charts_run_for_real_on_request() -> Result {
    let Some(cluster) = cluster().await else { return Ok(()) };
    let (namespace, pods) = room(cluster).await?;
    let charts = ChartRepository::start().await?;
    let home = tempfile::tempdir()?;
    let helm = async |arguments: &[&str]| {
        let mut command = tokio::process::Command::new(helm(HelmVersion::V4)?);
        command.args(arguments).args(["--namespace", &namespace, "--kubeconfig"]);
        command.arg(cluster.kubeconfig("admin")).env("HOME", home.path());
        let output = within(120, command.output()).await?;
        Result::Ok((output.status.success(), String::from_utf8(output.stderr)?))
    };
    let install = |name, chart, more| ["install", name, chart, "--repo", charts.url(), "--set", more];
    let log = async |name: &str| pods.logs(name, &LogParams::default()).await;

    let mut web = install("web", "web", "node=real,replicas=1").to_vec();
    web.push("--wait");
    let (installed, said) = helm(&web).await?;
    assert!(installed, "{said}");
    let (passed, said) = helm(&["test", "web"]).await?;
    assert!(passed && log("web-answers").await?.contains("<h1>It works</h1>"), "{said}");

    let (installed, said) =
        helm(&["upgrade", "web", "web", "--repo", charts.url(), "--reuse-values", "--set", "expect=Welcome"])
            .await?;
    assert!(installed, "{said}");
    let (passed, _) = helm(&["test", "web"]).await?;
    let said = log("web-answers").await?;
    assert!(!passed && said.contains("asking http") && said.contains("does not say Welcome"), "{said}");

    let (installed, said) = helm(&install("shop", "hook-fails", "node=real")).await?;
    assert!(!installed && said.contains("failed pre-install"), "{said}");
    let hook = ListParams::default().labels("job-name=shop-migrate");
    let [pod] = &pods.list(&hook).await?.items[..] else { return Err("not one pod".into()) };
    let said = log(pod.metadata.name.as_deref().unwrap_or_default()).await?;
    assert!(said.contains("connecting") && said.contains("relation \"orders\" does not exist"), "{said}");

    let (installed, said) = helm(&install("loop", "crash-loop", "node=real,replicas=1")).await?;
    assert!(installed, "{said}");
    let crashed = |pod: &Pod| container(pod).is_some_and(|status| status.restart_count > 0);
    let crashes = ListParams::default().labels("app.kubernetes.io/instance=loop");
    let began = Instant::now();
    let pod = loop {
        if let Some(pod) = pods.list(&crashes).await?.into_iter().find(crashed) {
            break pod;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "it does not crash");
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    let said = log(pod.metadata.name.as_deref().unwrap_or_default()).await?;
    assert!(said.contains("cannot read /etc/app/config.yaml"), "{said}");
    Ok(())
}

#[tokio::test]
async fn the_runners_image_holds_both_programs_and_runs_without_rights() -> Result {
    let Some(cluster) = cluster().await else { return Ok(()) };
    // This very program stands in for Slipway's: it needs its libraries as that one does.
    let image = cluster.import_runner(&std::env::current_exe()?, &helm(HelmVersion::V4)?).await?;
    let (_, pods) = room(cluster).await?;
    let container = |name: &str, container: Value| {
        let mut pod = pod(name, "");
        pod["spec"]["securityContext"] = json!({ "runAsNonRoot": true });
        pod["spec"]["containers"] = json!([container]);
        pod["spec"]["containers"][0]["name"] = json!("main");
        pod["spec"]["containers"][0]["image"] = json!(image);
        pod["spec"]["containers"][0]["securityContext"] =
            json!({ "readOnlyRootFilesystem": true, "allowPrivilegeEscalation": false });
        pod
    };
    let lists = container("lists", json!({ "args": ["--list"] }));
    assert!(run(&pods, lists, "Succeeded").await?.contains("the_runners_image"));
    // With nobody's rights: that it is told so shows that the API server is who the pod's certificates say.
    let asks = container("asks", json!({ "command": ["helm", "list"] }));
    assert!(run(&pods, asks, "Failed").await?.contains("cannot list resource \"secrets\""));
    Ok(())
}

#[test]
fn the_same_files_make_the_same_image() -> Result {
    // What makes images is made for Linux.
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let make = |name: &str| -> Result<Vec<u8>> {
        let archive = folder.path().join(name);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/image.sh");
        let mut command = Command::new(script);
        command.arg("runner").args([&archive, Path::new("/bin/sh"), Path::new("/bin/ls")]);
        assert!(command.arg("docker.io/library/runner:1").status()?.success());
        Ok(std::fs::read(archive)?)
    };
    assert!(make("one.tar")? == make("two.tar")?);
    Ok(())
}

#[tokio::test]
async fn a_cluster_that_kept_its_data_gets_a_real_node_later_and_again() -> Result {
    if cluster().await.is_none() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    for (name, real_node) in [("never", false), ("first", true), ("second", true)] {
        let options = Options { data: Some(folder.path().into()), real_node, ..Options::default() };
        let cluster = Cluster::start(options).await?;
        if real_node {
            let pods = Api::namespaced(cluster.client("admin").await?, "default");
            assert_eq!(run(&pods, pod(name, "echo again"), "Succeeded").await?, "again\n");
        }
        cluster.stop().await;
    }
    Ok(())
}

/// What the machine has of network interfaces, packet filter rules, mounts of clusters and cgroups of nodes.
fn machine() -> String {
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let rules = said("iptables-save", &[]);
    let rules = rules.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").expect("mounts");
    let mounts = mounts.lines().filter(|line| line.contains("slipway-cluster-") || line.contains("cni"));
    let mounts = mounts.collect::<Vec<_>>().join("\n");
    [said("ip", &["-brief", "link"]), rules, mounts].join("\n")
}

/// The cgroups of a process's nodes, in whichever hierarchies this machine has.
fn cgroups(process: u32) -> Vec<PathBuf> {
    let prefix = format!("slipway-node-{process}-");
    let inside = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let hierarchies = inside(Path::new("/sys/fs/cgroup"));
    let mut found = hierarchies.iter().flat_map(|hierarchy| inside(hierarchy)).collect::<Vec<_>>();
    found.extend(hierarchies);
    found.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)));
    found.sort();
    found
}

/// Starts a pod that would run for a day, under a name that shows in the list of processes.
async fn run_for_a_day(client: kube::Client, name: &str) -> Result {
    let pods = Api::<Pod>::namespaced(client, "default");
    let script = format!(": {name}; sleep 86400 & wait");
    pods.create(&PostParams::default(), &serde_json::from_value(pod("long", &script))?).await?;
    within(60, await_condition(pods, "long", phase_is("Running"))).await?;
    // It is running when it has been told to; its command takes the place of the runtime's a moment later.
    let began = Instant::now();
    while processes_of(Path::new(name)).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "no process of {name}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

#[tokio::test]
async fn a_second_real_node_stands_beside_the_first_and_leaves_nothing_behind() -> Result {
    let Some(first) = cluster().await else { return Ok(()) };
    let before = (machine(), cgroups(std::process::id()));
    let second = Cluster::start(Options::default().real_node()).await?;
    assert!(second.has_real_node());
    run_for_a_day(second.client("admin").await?, "of-the-second-cluster").await?;
    assert_ne!(cgroups(std::process::id()), before.1);

    let data = second.data().to_path_buf();
    second.stop().await;
    assert!(!data.exists(), "{} is still there", data.display());
    assert_eq!(processes_of(&data), Vec::<String>::new());
    assert_eq!(processes_of(Path::new("of-the-second-cluster")), Vec::<String>::new());
    assert_eq!(cgroups(std::process::id()), before.1);
    assert_eq!(machine(), before.0);
    first.check()?;
    Ok(())
}

#[tokio::test]
async fn nothing_of_a_real_node_outlives_a_killed_parent() -> Result {
    if cluster().await.is_none() {
        return Ok(());
    }
    let before = machine();
    let (mut parent, data) = start_in_another_process(true)?;
    let kubeconfig = kube::config::Kubeconfig::read_from(data.join("admin.kubeconfig"))?;
    let config = kube::Config::from_custom_kubeconfig(kubeconfig, &Default::default()).await?;
    run_for_a_day(config.try_into()?, "of-the-killed-parent").await?;
    assert!(!cgroups(parent.id()).is_empty());
    parent.kill()?;
    parent.wait()?;
    let left = || {
        let programs = [processes_of(&data), processes_of(Path::new("of-the-killed-parent"))].concat();
        (programs, cgroups(parent.id()))
    };
    let began = Instant::now();
    while data.exists() || left() != Default::default() {
        assert!(began.elapsed() < Duration::from_secs(60), "still there: {:?}", left());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(machine(), before);
    Ok(())
}
