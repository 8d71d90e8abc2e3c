//! The cluster of this binary, and real helm in it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use k8s_openapi::api::core::v1::Secret;
use kube::api::Api;
use kube::runtime::wait::await_condition;
use testbed::{ChartRepository, Cluster, HelmVersion, Options};
use tokio::process::Command;
use tokio::sync::OnceCell;

/// How long helm may take to record what it is about on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The cluster that all tests share; each works in namespaces of its own. It ends with this process.
pub async fn cluster() -> &'static Cluster {
    static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
    CLUSTER
        .get_or_init(async || {
            Cluster::start(Options::default().real_node()).await.expect("the cluster starts")
        })
        .await
}

/// The repository of the sample charts. It is served by a thread of its own: a test's runtime ends with the test.
pub async fn charts() -> &'static ChartRepository {
    static CHARTS: OnceCell<ChartRepository> = OnceCell::const_new();
    let start = async || {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                sender.send(ChartRepository::start().await.expect("the charts are served")).ok();
                std::future::pending::<()>().await;
            });
        });
        receiver.await.unwrap()
    };
    CHARTS.get_or_init(start).await
}

/// The archive of a sample chart, by its file's name: `web-1.0.0.tgz`.
pub async fn chart(archive: &str) -> PathBuf {
    let archive = charts().await.folder().join(archive);
    assert!(archive.exists(), "{archive:?}");
    archive
}

/// A helm in a terminal: not ours, with the admin's rights.
pub async fn helm(version: HelmVersion, namespace: &str, arguments: &[&str]) {
    cluster().await.helm(version, "admin", namespace, arguments).await.unwrap();
}

/// Leaves a release pending, as a helm in a terminal does that is killed in the middle of an install.
pub async fn abandoned(version: HelmVersion, namespace: &str, name: &str) {
    let (home, chart) = (tempfile::tempdir().unwrap(), chart("web-1.0.0.tgz").await);
    let arguments = ["install", name, text(&chart), "--wait", "--set", "startup.seconds=600"];
    let mut helm = Command::new(testbed::helm(version).unwrap())
        .args(arguments)
        .args(["--namespace", namespace, "--kubeconfig"])
        .arg(cluster().await.kubeconfig("admin"))
        .env_clear()
        .env("HOME", home.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let secrets: Api<Secret> = Api::namespaced(cluster().await.client("admin").await.unwrap(), namespace);
    let record = format!("sh.helm.release.v1.{name}.v1");
    let begun = await_condition(secrets, &record, |it: Option<&Secret>| it.is_some());
    tokio::time::timeout(PATIENCE, begun).await.expect("a record in time").unwrap();
    helm.kill().await.unwrap();
}

/// Writes an executable script, and gives its path.
pub fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A test of each scenario, which is told a helm, with both helms at once: most of its time is waiting.
macro_rules! with_both_helms {
    ($($scenario:ident),* $(,)?) => {
        mod with_both_helms {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $scenario() {
                use futures::FutureExt as _;
                let run = |helm| std::panic::AssertUnwindSafe(super::$scenario(helm)).catch_unwind();
                let (three, four) = tokio::join!(run(testbed::HelmVersion::V3), run(testbed::HelmVersion::V4));
                assert!(three.is_ok(), "with helm 3");
                assert!(four.is_ok(), "with helm 4");
            })*
        }
    };
}
pub(crate) use with_both_helms;

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
