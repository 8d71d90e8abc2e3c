//! How long a user waits for an answer: `POST operations` to Slipway, beside `helm install --wait` of the same chart on the
//! same cluster in the same run. Prints a table in Markdown; the goal is a 95th percentile under 50 ms.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use testbed::{ChartRepository, Cluster, HelmVersion, Options};

/// Enough for a 95th percentile that one slow answer does not decide.
const SMALL: usize = 30;
/// Each one is 250 resources, and takes helm several seconds.
const UMBRELLA: usize = 10;
/// This many submitted at once: each starts a helm of its own, and all of them share this machine's cores.
const AT_ONCE: usize = 10;
/// The pods of the umbrella chart come up over this many seconds, for both contenders.
const STARTUP: &str = "global:\n  startup:\n    seconds: 20\n";

type Error = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let cluster = Cluster::start(Options::default()).await?;
    let charts = ChartRepository::start().await?;
    let folder = tempfile::tempdir()?;
    let namespace = "bench";
    cluster.create_namespace(Some(namespace)).await?;
    let kubeconfig = cluster.kubeconfig("admin");
    let (mut server, address) = slipway(&kubeconfig, charts.url(), folder.path())?;
    let http = reqwest::Client::new();

    // First, and alone: the installs that are submitted below would slow it down.
    let helm = helm_install(&kubeconfig, charts.url(), namespace, folder.path())?;
    let small = Chart::of(&http, &address, "web", "").await?;
    let umbrella = Chart::of(&http, &address, "platform", STARTUP).await?;
    let mut small_times = Vec::new();
    for number in 0..SMALL {
        small_times.push(small.submit(namespace, number, true).await?);
    }
    let mut umbrella_times = Vec::new();
    for number in 0..UMBRELLA {
        umbrella_times.push(umbrella.submit(namespace, number, true).await?);
    }
    let busy = futures::future::join_all(
        (SMALL..SMALL + AT_ONCE).map(|number| small.submit(namespace, number, false)),
    );
    let busy_times = busy.await.into_iter().collect::<Result<Vec<_>, _>>()?;

    println!("| what the user waits for | runs | median | 95th percentile | worst |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    row("Slipway, `POST operations`, chart `web`, one after another", small_times);
    row("Slipway, `POST operations`, chart `platform`, one after another", umbrella_times);
    row("Slipway, `POST operations`, chart `web`, 10 at once", busy_times);
    row("`helm install --wait`, chart `platform`", vec![helm]);

    server.kill()?;
    server.wait()?;
    cluster.stop().await;
    Ok(())
}

/// Starts the server and reads its address from the line that it prints.
fn slipway(kubeconfig: &Path, repository: &str, folder: &Path) -> Result<(Child, String), Error> {
    let mut server = Command::new(env!("CARGO_BIN_EXE_slipway"))
        .args(["serve", "--listen", "127.0.0.1:0", "--kubeconfig"])
        .arg(kubeconfig)
        .arg("--data-dir")
        .arg(folder)
        .arg("--helm")
        .arg(testbed::helm(HelmVersion::V4)?)
        .args(["--repository", &format!("samples={repository}")])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let output = BufReader::new(server.stdout.take().ok_or("no output")?);
    for line in output.lines() {
        if let Some(address) = line?.strip_prefix("Slipway is at ") {
            return Ok((server, address.to_owned()));
        }
    }
    Err("the server ended before it was ready".into())
}

/// A chart to submit, and where.
struct Chart<'a> {
    http: &'a reqwest::Client,
    address: &'a str,
    name: &'a str,
    version: String,
    values: &'a str,
}

impl<'a> Chart<'a> {
    async fn of(
        http: &'a reqwest::Client,
        address: &'a str,
        name: &'a str,
        values: &'a str,
    ) -> Result<Self, Error> {
        let about = http.get(format!("{address}/api/v1/charts/samples/{name}")).send().await?.text().await?;
        let about: serde_json::Value = serde_json::from_str(&about)?;
        let version = about["version"].as_str().ok_or("the chart has no version")?.to_owned();
        Ok(Self { http, address, name, version, values })
    }

    /// Submits one install and measures the answer; then, if asked to, waits for the operation's end, unmeasured, so that
    /// the next one is not slowed down by this one's helm.
    async fn submit(&self, namespace: &str, number: usize, to_its_end: bool) -> Result<Duration, Error> {
        let body = json!({
            "kind": "install", "namespace": namespace, "name": format!("{}-{number}", self.name),
            "chart": {"repository": "samples", "name": self.name, "version": self.version},
            "values": self.values, "options": {"wait": false},
        });
        let started = Instant::now();
        let answer = self
            .http
            .post(format!("{}/api/v1/operations", self.address))
            .header("content-type", "application/json")
            .body(body.to_string())
            .send()
            .await?;
        let status = answer.status();
        let text = answer.text().await?;
        let time = started.elapsed();
        if status != 202 {
            return Err(format!("{status}: {text}").into());
        }
        let accepted: serde_json::Value = serde_json::from_str(&text)?;
        let id = accepted["id"].as_str().ok_or("no id")?;
        if to_its_end {
            self.ended(id).await?;
        }
        Ok(time)
    }

    async fn ended(&self, id: &str) -> Result<(), Error> {
        loop {
            let operation = self.http.get(format!("{}/api/v1/operations/{id}", self.address)).send().await?;
            let operation: serde_json::Value = serde_json::from_str(&operation.text().await?)?;
            match operation["state"].as_str() {
                Some("succeeded") => return Ok(()),
                Some("queued" | "running") => tokio::time::sleep(Duration::from_millis(100)).await,
                state => return Err(format!("the operation is {state:?}").into()),
            }
        }
    }
}

/// The same chart by helm itself, as a user waits for it in a terminal.
fn helm_install(
    kubeconfig: &Path,
    repository: &str,
    namespace: &str,
    folder: &Path,
) -> Result<Duration, Error> {
    let values = folder.join("values.yaml");
    std::fs::write(&values, STARTUP)?;
    let started = Instant::now();
    let status = Command::new(testbed::helm(HelmVersion::V4)?)
        .args(["install", "by-hand", "platform", "--wait", "--timeout", "15m", "--repo", repository])
        .args(["--namespace", namespace, "--kubeconfig"])
        .arg(kubeconfig)
        .arg("--values")
        .arg(&values)
        .env("HELM_CACHE_HOME", folder.join("cache"))
        .env("HELM_CONFIG_HOME", folder.join("config"))
        .env("HELM_DATA_HOME", folder.join("data"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if !status.success() {
        return Err("helm install failed".into());
    }
    Ok(started.elapsed())
}

fn row(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: f64| {
        let place = ((times.len() as f64) * part).ceil() as usize;
        times.get(place.saturating_sub(1)).copied().unwrap_or_default()
    };
    println!("| {what} | {} | {:.1?} | {:.1?} | {:.1?} |", times.len(), at(0.5), at(0.95), at(1.0));
}
