//! `slipway demo`: an embedded cluster and a repository of sample charts, and Slipway on them. All of it ends together.

use testbed::{ChartRepository, Cluster, HelmVersion, Options, helm};

use crate::serve::{Error, Server};
use crate::settings::{Demo, DemoHelm, Limits, RepositoryAddress, Runners, Serve, Workplace};

/// The namespaces to play in.
const NAMESPACES: [&str; 3] = ["demo", "team-a", "team-b"];

/// Starts everything, says where it is, and runs until Ctrl-C.
///
/// # Errors
/// For the person who started it.
pub async fn demo(settings: Demo) -> Result<(), Error> {
    let charts = ChartRepository::start().await?;
    let cluster = Cluster::start(Options::default()).await?;
    for namespace in NAMESPACES {
        cluster.create_namespace(Some(namespace)).await?;
    }
    let version = match settings.helm {
        DemoHelm::V3 => HelmVersion::V3,
        DemoHelm::V4 => HelmVersion::V4,
    };
    let program = helm(version)?;
    let kubeconfig = cluster.kubeconfig("admin");
    let server = Server::start(&Serve {
        listen: settings.listen,
        repositories: vec![RepositoryAddress { name: "samples".into(), url: charts.url().parse()? }],
        namespaces: Vec::new(),
        contexts: Vec::new(),
        all_contexts: false,
        cluster_name: "demo".into(),
        workplace: Workplace {
            kubeconfig: Some(kubeconfig.clone()),
            helm: program.clone(),
            operations_namespace: "slipway".into(),
            data_dir: cluster.data().join("slipway"),
        },
        runners: Runners::default(),
        limits: Limits::default(),
        logging: settings.logging,
    })
    .await?;
    println!("Slipway is at http://{}", server.address()?);
    println!("Kubeconfig: {}", kubeconfig.display());
    println!("Repository samples: {}", charts.url());
    println!("Helm: {}", program.display());
    println!("Ctrl-C ends all of it.");
    let result = server.run_with_its_operations().await;
    cluster.stop().await;
    result
}
