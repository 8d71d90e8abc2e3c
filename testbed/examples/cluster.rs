//! Starts a cluster, prints its admin kubeconfig, and keeps it until standard input ends or this process dies. With
//! `--troubled`, etcd was stopped and started by then, and the API server stands still; with `--openshift`, it has
//! OpenShift's kinds of chart repositories.
//! `SLIPWAY_REAL_NODE=1` asks for a real node.

use std::io::Read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Runtime::new()?;
    let cluster = runtime.block_on(testbed::Cluster::start(testbed::Options::default()))?;
    let is_asked = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    if is_asked("--openshift") {
        runtime.block_on(cluster.install_openshift_repositories())?;
    }
    if is_asked("--troubled") {
        runtime.block_on(async {
            cluster.stop_etcd().await?;
            cluster.start_etcd().await?;
            cluster.pause_api_server().await
        })?;
    }
    println!("{}", cluster.kubeconfig("admin").display());
    let _ = std::io::stdin().read(&mut [0; 1])?;
    Ok(())
}
