//! The real program, started for one test, and the JSON API as a program uses it.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use server::clusters::keepsake::folder;
use testbed::{Cluster, HelmVersion};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::cluster::{charts, cluster};

/// How long an operation of these tests may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A name that no other test uses.
pub fn unique(stem: &str) -> String {
    format!("{stem}-{}", &uuid::Uuid::now_v7().simple().to_string()[20..])
}

/// What a Slipway is started with. Two with the same are two servers on machines of their own.
#[derive(Clone)]
pub struct Setup {
    /// The cluster, looked at directly whatever lies between it and Slipway.
    pub cluster: &'static Cluster,
    pub kubeconfig: PathBuf,
    pub operations_namespace: String,
    /// The helm program.
    pub helm: PathBuf,
    /// More arguments.
    pub more: Vec<String>,
    /// What the environment has besides ours.
    pub environment: Vec<(String, String)>,
}

impl Setup {
    /// As the admin of `cluster`, with an operations namespace of its own.
    pub async fn new(cluster: &'static Cluster, helm: HelmVersion) -> Self {
        Self {
            cluster,
            kubeconfig: cluster.kubeconfig("admin"),
            operations_namespace: cluster.create_namespace(None).await.expect("a namespace"),
            helm: testbed::helm(helm).expect("helm"),
            more: Vec::new(),
            environment: Vec::new(),
        }
    }
}

/// A running `slipway serve` with a data folder of its own.
pub struct Slipway {
    setup: Setup,
    folder: tempfile::TempDir,
    process: Child,
    address: String,
    http: reqwest::Client,
}

/// An answer, read to its end.
pub struct Answer {
    pub status: u16,
    pub location: Option<String>,
    body: String,
}

impl Answer {
    pub fn text(&self) -> &str {
        &self.body
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Slipway {
    /// Starts it as the cluster's admin, with helm 4.
    pub async fn start() -> Self {
        Self::start_with("admin", HelmVersion::V4).await
    }

    /// Starts it as a user who may edit in its operations namespace and nowhere else.
    pub async fn start_as(user: &str) -> Self {
        Self::start_with(user, HelmVersion::V4).await
    }

    /// Starts it as the cluster's admin with more arguments.
    pub async fn start_given(more: &[&str]) -> Self {
        let setup = Setup::new(cluster().await, HelmVersion::V4).await;
        Self::start_as_set(Setup { more: more.iter().map(|word| (*word).to_owned()).collect(), ..setup })
            .await
    }

    /// Starts another one that shares this one's operations and its settings, on a machine of its own.
    pub async fn another(&self) -> Self {
        Self::start_as_set(self.setup.clone()).await
    }

    /// Starts it as `user` with one of the helms.
    pub async fn start_with(user: &str, helm: HelmVersion) -> Self {
        let cluster = cluster().await;
        let setup = Setup { kubeconfig: cluster.kubeconfig(user), ..Setup::new(cluster, helm).await };
        if user != "admin" {
            cluster.grant_edit(user, &setup.operations_namespace).await.expect("the right to edit");
        }
        Self::start_as_set(setup).await
    }

    /// Starts it as `user`, with its records in a namespace and more arguments.
    pub async fn start_in(
        operations_namespace: String,
        user: &str,
        helm: HelmVersion,
        more: &[&str],
    ) -> Self {
        let cluster = cluster().await;
        let setup = Setup {
            kubeconfig: cluster.kubeconfig(user),
            operations_namespace,
            more: more.iter().map(|word| (*word).to_owned()).collect(),
            ..Setup::new(cluster, helm).await
        };
        Self::start_as_set(setup).await
    }

    /// Starts it with everything chosen.
    pub async fn start_as_set(setup: Setup) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (process, address) = listening(&mut command(&setup, folder.path()).await).await;
        let slipway = Self { setup, folder, process, address, http: reqwest::Client::new() };
        slipway.ready().await;
        slipway
    }

    /// Waits until it says that it is ready.
    async fn ready(&self) {
        tokio::time::timeout(PATIENCE, async {
            while self.http.get(format!("{}/readyz", self.address)).send().await.expect("an answer").status()
                != 200
            {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await
        .expect("ready in time");
    }

    /// Ends it by SIGKILL, as a crash would.
    pub async fn kill(&mut self) {
        self.process.kill().await.expect("killed");
    }

    /// Ends it by SIGKILL in the middle of what it does.
    pub fn kill_now(&self) {
        kill_process(self.pid(), Signal::KILL).expect("killed");
    }

    fn pid(&self) -> Pid {
        let id = self.process.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        id.expect("it runs")
    }

    /// Asks it to end by SIGTERM, and tells how it did.
    pub async fn terminate(&mut self) -> std::process::ExitStatus {
        kill_process(self.pid(), Signal::TERM).expect("it is told");
        tokio::time::timeout(PATIENCE, self.process.wait()).await.expect("its end in time").expect("its end")
    }

    /// Where it is: `http://127.0.0.1:PORT`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Starts it anew, with the same data folder and operations namespace.
    pub async fn restart(&mut self) {
        (self.process, self.address) = listening(&mut command(&self.setup, self.folder.path()).await).await;
        self.ready().await;
    }

    /// What it was started with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The folder of its operations' files, in its default cluster, which the testbed's kubeconfigs name.
    pub fn operations_folder(&self) -> PathBuf {
        folder(self.folder(), "testbed").join("operations")
    }

    /// Its data folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The namespace of its operation records.
    pub fn operations_namespace(&self) -> &str {
        &self.setup.operations_namespace
    }

    /// A new namespace for releases.
    pub async fn namespace(&self) -> String {
        self.setup.cluster.create_namespace(None).await.expect("a namespace")
    }

    /// `GET /api/v1/PATH`
    pub async fn get(&self, path: &str) -> Answer {
        let request = self.http.get(format!("{}/api/v1/{path}", self.address));
        read(request.send().await.expect("an answer")).await
    }

    /// `POST /api/v1/PATH`
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_to_its_death(path, body).await.expect("an answer")
    }

    /// The same to a server that may be killed meanwhile: then there is no answer.
    pub async fn post_to_its_death(&self, path: &str, body: &Value) -> Option<Answer> {
        let request = self
            .http
            .post(format!("{}/api/v1/{path}", self.address))
            .header("content-type", "application/json")
            .body(body.to_string());
        Some(read(request.send().await.ok()?).await)
    }

    /// Submits an operation that is to be accepted, and answers with its id.
    pub async fn submit(&self, body: &Value) -> String {
        let answer = self.post("operations", body).await;
        let (status, location) = (answer.status, answer.location.clone());
        let accepted = answer.json();
        assert_eq!(status, 202, "{accepted}");
        let id = accepted["id"].as_str().expect("an id").to_owned();
        assert_eq!(location.as_deref(), Some(format!("/api/v1/operations/{id}").as_str()));
        id
    }

    /// Polls `path` until `is_it`, and answers with what it was then.
    pub async fn until(&self, path: &str, mut is_it: impl FnMut(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        let found = tokio::time::timeout(PATIENCE, async {
            loop {
                last = self.get(path).await.json();
                if is_it(&last) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        assert!(found.await.is_ok(), "{path} stayed {last}");
        last
    }

    /// Follows an operation to its end.
    pub async fn ended(&self, id: &str) -> Value {
        let over = ["succeeded", "failed", "cancelled", "interrupted"];
        self.until(&format!("operations/{id}"), |operation| {
            operation["state"].as_str().is_some_and(|state| over.contains(&state))
        })
        .await
    }

    /// Wishes that an operation ends early, which is to be taken down.
    pub async fn cancel(&self, id: &str) -> Value {
        let wish = self.post(&format!("operations/{id}/cancel"), &Value::Null).await;
        assert_eq!(wish.status, 202, "{}", wish.text());
        wish.json()
    }

    /// Does again what did not succeed, which is to be accepted, and answers with the new operation's id.
    pub async fn again(&self, id: &str) -> String {
        let again = self.post(&format!("operations/{id}/again"), &Value::Null).await;
        assert_eq!(again.status, 202, "{}", again.text());
        again.json()["id"].as_str().expect("an id").to_owned()
    }

    /// Submits an operation and follows it to its good end.
    pub async fn succeeds(&self, body: &Value) {
        let operation = self.ended(&self.submit(body).await).await;
        assert_eq!(operation["state"], "succeeded", "{operation}");
    }
}

/// `slipway serve` with these settings.
async fn command(setup: &Setup, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slipway"));
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--operations-namespace", &setup.operations_namespace])
        .arg("--kubeconfig")
        .arg(&setup.kubeconfig)
        .arg("--data-dir")
        .arg(folder)
        .arg("--helm")
        .arg(&setup.helm)
        .args(["--repository", &format!("samples={}", charts().await.url())])
        .args(&setup.more)
        .envs(setup.environment.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    command
}

/// Starts the program and reads its address from the line that it prints.
async fn listening(command: &mut Command) -> (Child, String) {
    let mut process = command.spawn().expect("slipway starts");
    let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
    while let Some(line) = lines.next_line().await.expect("its output") {
        if let Some(address) = line.strip_prefix("Slipway is at ") {
            let address = address.to_owned();
            return (process, address);
        }
    }
    panic!("slipway ended before it was ready");
}

async fn read(response: reqwest::Response) -> Answer {
    let status = response.status().as_u16();
    let location =
        response.headers().get("location").and_then(|location| location.to_str().ok()).map(str::to_owned);
    Answer { status, location, body: response.text().await.expect("a body") }
}
