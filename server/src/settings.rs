//! The command line and the environment.

mod runners;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use app::model::OperationId;
use app::model::name::check_namespace;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use jiff::{Span, SpanRelativeTo};
use url::Url;

use crate::clusters::offer::is_addressable;
use crate::kube::Target;
use crate::operations;

pub use runners::{Runner, Runners};

/// The most that the limits can be set to.
const COUNT_MAX: usize = 10_000;

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

/// A chart repository as the command line names it. Its address may hold a password: never print it whole.
#[derive(Clone, PartialEq, Eq)]
pub struct RepositoryAddress {
    /// Its name in Slipway.
    pub name: String,
    /// Where its `index.yaml` is, without that last part.
    pub url: Url,
}

impl std::fmt::Debug for RepositoryAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.name, self.url.host_str().unwrap_or("?"))
    }
}

/// Until users sign in one by one, whoever reaches the port acts with the kubeconfig's rights.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text
        .parse()
        .map_err(|_| "not an IP address with a port, such as 127.0.0.1:8080 or [::1]:8080".to_owned())?;
    if address.ip().is_loopback() {
        return Ok(address);
    }
    Err(format!(
        "{} can be reached from other machines, and everybody who reaches it would act with the rights of your \
         kubeconfig. Listen on 127.0.0.1 or [::1]; from elsewhere, come through a tunnel such as \
         `ssh -L 8080:127.0.0.1:8080`.",
        address.ip()
    ))
}

fn repository(text: &str) -> Result<RepositoryAddress, String> {
    let (name, url) = text.split_once('=').ok_or("not of the form NAME=URL")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.';
    if name.is_empty() || !name.chars().all(plain) {
        return Err("the NAME in NAME=URL has letters, digits, '-', '_' and '.'".into());
    }
    let url = Url::parse(url).map_err(|error| format!("the URL of {name} cannot be read: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(format!("the URL of {name} must start with https:// or http://"));
    }
    Ok(RepositoryAddress { name: name.to_owned(), url })
}

fn filter(text: &str) -> Result<String, String> {
    tracing_subscriber::EnvFilter::try_new(text)
        .map(|_| text.to_owned())
        .map_err(|error| format!("{error}; give a level, or levels by module: `info,server::http=debug`"))
}

fn namespace(text: &str) -> Result<String, String> {
    check_namespace(text).map(|()| text.to_owned())
}

fn cluster_name(text: &str) -> Result<String, String> {
    match is_addressable(text) {
        true => Ok(text.to_owned()),
        false => Err("not a name that can be part of an address".into()),
    }
}

fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=COUNT_MAX) => Ok(count),
        _ => Err(format!("not a number from 1 to {COUNT_MAX}")),
    }
}

/// A day has 24 hours here.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "not a length of time, such as 12h, 30d or 2w".to_owned();
    let span: Span = text.parse().map_err(|_| wrong())?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    match Duration::try_from(duration) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(wrong()),
    }
}

fn operation_id(text: &str) -> Result<OperationId, String> {
    uuid::Uuid::parse_str(text)
        .map(|id| OperationId(id.to_string()))
        .map_err(|_| "not an operation's id (a UUID)".into())
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
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Arguments, String> {
        let arguments = std::iter::once("slipway").chain(arguments.iter().copied());
        Arguments::read(arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn it_refuses_to_listen_where_others_can_reach_it_and_says_what_to_do() {
        for address in ["0.0.0.0:8080", "[::]:80", "192.168.1.5:8080"] {
            let error = parse(&["serve", "--listen", address]).unwrap_err();
            assert!(error.contains("ssh -L"), "{address}: {error}");
        }
        assert!(parse(&["serve", "--listen", "[::1]:0"]).is_ok());
    }

    #[test]
    fn a_bad_repository_is_refused_with_the_reason() {
        for (text, reason) in [
            ("https://charts.example.org", "NAME=URL"),
            ("a b=https://x", "the NAME"),
            ("x=ftp://host", "must start with"),
            ("x=file:///etc", "must start with"),
            ("x=not a url", "cannot be read"),
        ] {
            let error = parse(&["serve", "--repository", text]).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn a_password_in_a_repositorys_address_is_not_printed() {
        let address = repository("x=https://me:secret@host/charts").unwrap();
        assert!(!format!("{address:?}").contains("secret"));
    }

    #[test]
    fn two_repositories_of_one_name_are_refused() {
        let error =
            parse(&["serve", "--repository", "x=https://a", "--repository", "x=https://b"]).unwrap_err();
        assert!(error.contains("two repositories are called x"), "{error}");
    }

    #[test]
    fn a_log_filter_that_makes_no_sense_is_refused_with_one_that_does() {
        let error = parse(&["serve", "--log", "server=loud"]).unwrap_err();
        assert!(error.contains("server::http=debug"), "{error}");
    }

    #[test]
    fn the_limits_have_defaults_and_are_checked() {
        let limits = |more: &[&str]| match parse(&[&["serve"], more].concat())?.command {
            Command::Serve(serve) => Ok::<_, String>(operations::Limits::from(&serve.limits)),
            _ => unreachable!(),
        };
        assert_eq!(limits(&[]).unwrap(), operations::Limits::default());
        let set = ["--max-runners=1", "--keep-operations=3", "--keep-operations-for=1w 12h"];
        let set = limits(&set).unwrap();
        assert_eq!((set.runners, set.kept, set.kept_for.as_secs()), (1, 3, (7 * 24 + 12) * 3600));
        for (wrong, reason) in [
            ("--max-runners=0", "from 1 to"),
            ("--keep-operations=many", "from 1 to"),
            ("--keep-operations-for=-1d", "not a length of time"),
            ("--keep-operations-for=1 month", "not a length of time"),
            ("--keep-operations-for=0s", "not a length of time"),
        ] {
            let error = limits(&[wrong]).unwrap_err();
            assert!(error.contains(reason), "{wrong}: {error}");
        }
    }

    #[test]
    fn an_id_that_is_not_one_is_refused() {
        assert!(parse(&["run-operation", "../../etc"]).is_err());
    }
}
