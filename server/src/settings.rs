//! The command line and the environment.

mod runners;
mod texts;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use app::model::OperationId;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::kube::Target;
use crate::operations;

pub use runners::{Runner, Runners};
pub use texts::RepositoryAddress;
use texts::{cluster_name, count, duration, filter, loopback, namespace, operation_id, repository};

/// Follows Helm releases and carries out operations on them in the background.
#[derive(Debug, Parser)]
#[command(name = "slipway", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// Reads a command line, and checks what concerns several options.
    ///
    /// # Errors
    /// With what is wrong and what would be right. `--help` and `--version` are errors too, which print to standard output.
    pub fn read(
        arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let read = Self::try_parse_from(arguments)?;
        let Command::Serve(serve) = &read.command else { return Ok(read) };
        let mut names = BTreeSet::new();
        match serve.repositories.iter().find(|repository| !names.insert(&repository.name)) {
            None => Ok(read),
            Some(repository) => Err(Self::command().error(
                ErrorKind::ArgumentConflict,
                format!("two repositories are called {}; each needs a name of its own", repository.name),
            )),
        }
    }
}

const EXAMPLES: &str = "Examples:
  slipway serve --context kind-kind --repository bitnami=https://charts.example.org/stable
  slipway demo --listen 127.0.0.1:8081

Every option of `serve` can be given by an environment variable too; `slipway serve --help` names them.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the console for the clusters of a kubeconfig
    Serve(Box<Serve>),
    /// Try Slipway out: start a throw-away cluster with sample charts, and serve the console for it
    #[cfg(feature = "demo")]
    Demo(Demo),
    /// Carry out one recorded operation (`serve` starts this by itself)
    RunOperation(RunOperation),
    /// Run helm, and end it when the runner does not (`run-operation` starts this by itself)
    #[command(hide = true)]
    WatchHelm(WatchHelm),
    /// Become helm, and end with the watchdog that asked for it (`watch-helm` starts this by itself)
    #[command(hide = true)]
    ExecHelm(ExecHelm),
}

/// What logs look like, and how much is logged.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Logging")]
pub struct Logging {
    /// What to log: a level, or levels by module (`info,server::http=debug`)
    #[arg(
        long,
        env = "SLIPWAY_LOG",
        value_name = "FILTER",
        default_value = "info,kube_runtime=error,kube_client=off",
        value_parser = filter
    )]
    pub log: String,
    /// How log lines look
    #[arg(long, env = "SLIPWAY_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// For programs, one object a line
    Json,
}

/// What the options about these are listed under.
const CLUSTER: &str = "Cluster and helm";

/// What server and runner must agree on: the way to clusters, helm, and where things are kept.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = CLUSTER)]
pub struct Workplace {
    /// The kubeconfig file; else $KUBECONFIG, ~/.kube/config, or the pod's own service account
    #[arg(long, env = "SLIPWAY_KUBECONFIG", value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// The helm program, version 3 or 4; else the one on PATH
    #[arg(long, env = "SLIPWAY_HELM", value_name = "FILE", default_value = "helm")]
    pub helm: PathBuf,
    /// The namespace of Slipway's own records
    #[arg(long, env = "SLIPWAY_OPERATIONS_NAMESPACE", value_name = "NAMESPACE", default_value = "slipway", value_parser = namespace)]
    pub operations_namespace: String,
    /// The folder for the logs of running operations and for helm's caches; else $XDG_STATE_HOME/slipway
    #[arg(long, env = "SLIPWAY_DATA_DIR", value_name = "FOLDER", default_value_os_t = data_folder())]
    pub data_dir: PathBuf,
}

/// `slipway serve`
#[derive(Clone, Debug, Args)]
pub struct Serve {
    /// The address and port to listen on; port 0 takes a free one
    #[arg(long, env = "SLIPWAY_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = loopback)]
    pub listen: SocketAddr,
    /// A chart repository; can be given several times (in the environment: separated by commas)
    #[arg(long = "repository", env = "SLIPWAY_REPOSITORIES", value_name = "NAME=URL", value_delimiter = ',', value_parser = repository)]
    pub repositories: Vec<RepositoryAddress>,
    /// Follow releases in this namespace alone; can be given several times; else in all that can be read
    #[arg(long = "namespace", env = "SLIPWAY_NAMESPACES", value_name = "NAMESPACE", value_delimiter = ',', value_parser = namespace)]
    pub namespaces: Vec<String>,
    /// A context of the kubeconfig to serve, the first as the default; can be given several times (in the environment:
    /// separated by commas). Without it all of them can be chosen, and the current one is the default; each is used only
    /// once somebody chooses it
    #[arg(long = "context", env = "SLIPWAY_CONTEXT", value_name = "NAME", value_delimiter = ',', help_heading = CLUSTER)]
    pub contexts: Vec<String>,
    /// Serve all contexts of the kubeconfig, beside those that are named
    #[arg(long, env = "SLIPWAY_ALL_CONTEXTS", help_heading = CLUSTER)]
    pub all_contexts: bool,
    /// What the cluster is called where there is no context to name it, as in a pod
    #[arg(long, env = "SLIPWAY_CLUSTER_NAME", value_name = "NAME", default_value = "local-cluster", value_parser = cluster_name, help_heading = CLUSTER)]
    pub cluster_name: String,
    /// Cluster, helm, folders.
    #[command(flatten)]
    pub workplace: Workplace,
    /// What carries operations out.
    #[command(flatten)]
    pub runners: Runners,
    /// How much at once, and how much is kept.
    #[command(flatten)]
    pub limits: Limits,
    /// Logs.
    #[command(flatten)]
    pub logging: Logging,
}

/// How much is done at once, and how much is kept.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// How many operations are carried out at once in each cluster, over all servers that share the operations namespace (give them the
    /// same number); the others wait in the queue
    #[arg(long, env = "SLIPWAY_MAX_RUNNERS", value_name = "COUNT", default_value = "4", value_parser = count)]
    pub max_runners: usize,
    /// How many operations that are over are kept for each release, with their logs
    #[arg(long, env = "SLIPWAY_KEEP_OPERATIONS", value_name = "COUNT", default_value = "20", value_parser = count)]
    pub keep_operations: usize,
    /// For how long they are kept, such as 12h, 30d or 2w
    #[arg(long, env = "SLIPWAY_KEEP_OPERATIONS_FOR", value_name = "DURATION", default_value = "30d", value_parser = duration)]
    pub keep_operations_for: Duration,
    /// Run interrupted installs and upgrades again without being asked, with what they were submitted with, once it is
    /// proven that nobody works on them any more; twice at most
    #[arg(long, env = "SLIPWAY_RESUME_INTERRUPTED")]
    pub resume_interrupted: bool,
}

#[cfg(feature = "demo")]
impl Default for Limits {
    fn default() -> Self {
        let operations::Limits { runners, kept, kept_for, resumes } = operations::Limits::default();
        Self {
            max_runners: runners,
            keep_operations: kept,
            keep_operations_for: kept_for,
            resume_interrupted: resumes,
        }
    }
}

impl From<&Limits> for operations::Limits {
    fn from(limits: &Limits) -> Self {
        Self {
            runners: limits.max_runners,
            kept: limits.keep_operations,
            kept_for: limits.keep_operations_for,
            resumes: limits.resume_interrupted,
        }
    }
}

/// `slipway demo`
#[cfg(feature = "demo")]
#[derive(Clone, Debug, Args)]
pub struct Demo {
    /// The address and port to listen on; port 0 takes a free one
    #[arg(long, env = "SLIPWAY_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = loopback)]
    pub listen: SocketAddr,
    /// Which helm carries the operations out
    #[arg(long, value_enum, default_value_t = DemoHelm::V4)]
    pub helm: DemoHelm,
    /// Logs.
    #[command(flatten)]
    pub logging: Logging,
}

/// The helms that the demo has.
#[cfg(feature = "demo")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DemoHelm {
    /// helm 3
    #[value(name = "3")]
    V3,
    /// helm 4
    #[value(name = "4")]
    V4,
}

/// `slipway run-operation`
#[derive(Clone, Debug, Args)]
pub struct RunOperation {
    /// The operation's id
    #[arg(value_parser = operation_id)]
    pub id: OperationId,
    /// The context in the kubeconfig; else its current one
    #[arg(long, env = "SLIPWAY_CONTEXT", value_name = "NAME", help_heading = CLUSTER)]
    pub context: Option<String>,
    /// Cluster, helm, folders.
    #[command(flatten)]
    pub workplace: Workplace,
    /// Logs.
    #[command(flatten)]
    pub logging: Logging,
}

impl RunOperation {
    /// Which cluster, as whom.
    pub fn target(&self) -> Target {
        Target { kubeconfig: self.workplace.kubeconfig.clone(), context: self.context.clone() }
    }
}

/// `slipway watch-helm`
#[derive(Clone, Debug, Args)]
pub struct WatchHelm {
    /// helm's standard output and standard error are two pipes.
    #[arg(long)]
    pub apart: bool,
    /// helm.
    pub program: PathBuf,
    /// What helm is given.
    #[arg(last = true)]
    pub arguments: Vec<OsString>,
}

/// `slipway exec-helm`
#[derive(Clone, Debug, Args)]
pub struct ExecHelm {
    /// The process that must be the parent.
    #[arg(long)]
    pub parent: u32,
    /// helm.
    pub program: PathBuf,
    /// What helm is given.
    #[arg(last = true)]
    pub arguments: Vec<OsString>,
}

/// Where the state of programs is kept by the XDG base directory specification.
fn data_folder() -> PathBuf {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
        .unwrap_or_else(std::env::temp_dir)
        .join("slipway")
}

#[cfg(test)]
mod tests;
