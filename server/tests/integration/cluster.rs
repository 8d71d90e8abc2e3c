//! The cluster of this binary, and real helm in it.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use testbed::{ChartRepository, Cluster, HelmVersion, Options};
use tokio::process::Command;
use tokio::sync::OnceCell;

/// The cluster that all tests share; each works in namespaces of its own. It ends with this process.
pub async fn cluster() -> &'static Cluster {
    static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
    CLUSTER.get_or_init(async || Cluster::start(Options::default()).await.expect("the cluster starts")).await
}

/// The archive of a sample chart, by its file's name: `web-1.0.0.tgz`.
pub async fn chart(archive: &str) -> PathBuf {
    static FOLDER: OnceCell<PathBuf> = OnceCell::const_new();
    let folder = FOLDER.get_or_init(async || {
        ChartRepository::start().await.expect("the charts are packaged").folder().to_path_buf()
    });
    let archive = folder.await.join(archive);
    assert!(archive.exists(), "{archive:?}");
    archive
}

/// A helm in a terminal: not ours, with the admin's rights.
pub async fn helm(version: HelmVersion, namespace: &str, arguments: &[&str]) {
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(testbed::helm(version).unwrap())
        .args(arguments)
        .args(["--namespace", namespace, "--kubeconfig"])
        .arg(cluster().await.kubeconfig("admin"))
        .env_clear()
        .env("HOME", home.path())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "helm {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
