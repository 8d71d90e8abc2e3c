use std::path::PathBuf;
use std::time::Duration;

/// Why the testbed could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A program is not installed.
    #[error("{program} is not there (looked in {}); run `make setup`", display(.looked_in))]
    Missing {
        /// Its name.
        program: &'static str,
        /// Where it was looked for.
        looked_in: Vec<PathBuf>,
    },
    /// A program of the cluster ended although it should run.
    #[error("{program} ended early; the end of its log:\n{log}")]
    Ended {
        /// Its name.
        program: &'static str,
        /// The last lines that it wrote.
        log: String,
    },
    /// Something did not become ready in time.
    #[error("{what} was not ready after {} s; the end of its log:\n{log}", .after.as_secs())]
    NotReady {
        /// What was waited for.
        what: &'static str,
        /// How long.
        after: Duration,
        /// The last lines that it wrote.
        log: String,
    },
    /// The charts could not be packaged.
    #[error("the sample charts could not be packaged:\n{0}")]
    Charts(String),
    /// A helm in a terminal failed.
    #[error("helm {arguments}: {said}")]
    Helm {
        /// What it was given.
        arguments: String,
        /// What it said.
        said: String,
    },
    /// The real node could not do what was asked, or there is none.
    #[error("the real node: {0}")]
    RealNode(String),
    /// A user that the cluster was not started with.
    #[error("the cluster has no user {0:?}")]
    UnknownUser(String),
    /// A fault's rule that nothing could follow.
    #[error("this is no rule for a fault: {0}")]
    Rule(String),
    /// The API server refused or could not be reached.
    #[error(transparent)]
    Kube(#[from] kube::Error),
    /// A kubeconfig of the cluster's own could not be used.
    #[error(transparent)]
    Kubeconfig(#[from] kube::config::KubeconfigError),
    /// The file system or the network stack refused.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

fn display(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
