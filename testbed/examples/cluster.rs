//! Starts a cluster, prints its admin kubeconfig, and keeps it until standard input ends or this process dies. With
//! `--troubled`, etcd was stopped and started by then, and the API server stands still.
//! `SLIPWAY_REAL_NODE=1` asks for a real node.

use std::io::Read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Runtime::new()?;
    let cluster = runtime.block_on(testbed::Cluster::start(testbed::Options::default()))?;
    if std::env::args().any(|argument| argument == "--troubled") {
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
