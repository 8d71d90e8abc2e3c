//! Starts a cluster, the sample charts' repository and a fault proxy before the API server, prints where they are, and makes
//! the weather that standard input asks for, a line each: `quota` lets every Service that is created through it meet the race
//! on a quota, `clear` ends that. With `--openshift`, the cluster knows the kinds of OpenShift's repositories. Ends when its
//! input does.

use std::io::BufRead;

use testbed::{Answer, ChartRepository, Cluster, Effect, FaultProxy, HelmVersion, Matcher, Options, Times};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let runtime = tokio::runtime::Runtime::new()?;
    let (cluster, charts, proxy) = runtime.block_on(async {
        let cluster = Cluster::start(Options::default()).await?;
        cluster.create_namespace(Some("storm")).await?;
        if std::env::args().any(|argument| argument == "--openshift") {
            cluster.install_openshift_repositories().await?;
        }
        let proxy = FaultProxy::start(&cluster).await?;
        Ok::<_, Error>((cluster, ChartRepository::start().await?, proxy))
    })?;
    println!("Kubeconfig: {}", proxy.kubeconfig("admin")?.display());
    println!("Repository samples: {}", charts.url());
    println!("Helm: {}", testbed::helm(HelmVersion::V4)?.display());
    for line in std::io::stdin().lock().lines() {
        match line?.as_str() {
            "quota" => {
                let services = Matcher::writes().path("/services");
                proxy.add(services, Times::Always, Effect::Answer(Answer::quota_conflict("team")));
            }
            "clear" => proxy.clear(),
            other => return Err(format!("no such weather: {other}").into()),
        }
    }
    drop(cluster);
    Ok(())
}
