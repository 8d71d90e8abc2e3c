//! An operation: what a user asked to be done with a release, and how it went.

use serde::{Deserialize, Serialize};

use super::{Evidence, Failure, ReleaseKey, chart::ChartSource, time::Timestamp};

/// An operation's name: a UUIDv7, so that ids sort by the time of their submission.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct OperationId(pub String);

impl std::fmt::Display for OperationId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum OperationKind {
    /// `helm install`
    Install,
    /// `helm upgrade`
    Upgrade,
    /// `helm uninstall`
    Uninstall,
}

impl OperationKind {
    /// The verb in lower case, as labels and the API have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Upgrade => "upgrade",
            Self::Uninstall => "uninstall",
        }
    }

    /// What is going on while it runs: `Installing`.
    pub fn progressive(self) -> &'static str {
        match self {
            Self::Install => "Installing",
            Self::Upgrade => "Upgrading",
            Self::Uninstall => "Uninstalling",
        }
    }

    /// The noun: `Install`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Install => "Install",
            Self::Upgrade => "Upgrade",
            Self::Uninstall => "Uninstall",
        }
    }
}

/// Where an operation stands: queued → running ⇄ retrying → one of the terminal four, which never change again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum OperationState {
    /// Accepted and recorded; no runner has taken it yet.
    Queued,
    /// An attempt is running.
    Running,
    /// An attempt failed and the next one is due.
    Retrying,
    /// Done.
    Succeeded,
    /// It failed, and nothing more will be tried.
    Failed,
    /// Somebody cancelled it.
    Cancelled,
    /// Its runner is provably gone and the release was left half way.
    Interrupted,
}

impl OperationState {
    /// The word in labels and in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Retrying => "retrying",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether it is over for good.
    pub fn is_terminal(self) -> bool {
        !matches!(self, Self::Queued | Self::Running | Self::Retrying)
    }
}

/// How helm is to do it. Absent means helm's own default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct OperationOptions {
    /// Wait until all resources are ready (`--wait`). On unless it is switched off: in the background it costs nobody anything.
    pub wait: bool,
    /// Seconds that each of helm's waits may take (`--timeout`).
    pub timeout: u32,
    /// Undo what a failed install or upgrade did (`--atomic`, helm 4 `--rollback-on-failure`).
    pub rollback_on_failure: bool,
    /// Create the namespace if there is none (`--create-namespace`).
    pub create_namespace: bool,
    /// How many revisions helm keeps (`--history-max`); 0 keeps all.
    pub history_max: u32,
}

/// helm's default for `--timeout`, in seconds (`pkg/cmd/install.go`).
pub const DEFAULT_TIMEOUT_SECONDS: u32 = 300;
/// helm's default for `--history-max` (`pkg/cli/environment.go`).
pub const DEFAULT_HISTORY_MAX: u32 = 10;

impl Default for OperationOptions {
    fn default() -> Self {
        Self {
            wait: true,
            timeout: DEFAULT_TIMEOUT_SECONDS,
            rollback_on_failure: false,
            create_namespace: false,
            history_max: DEFAULT_HISTORY_MAX,
        }
    }
}

/// The body of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubmitOperation {
    /// The verb.
    pub kind: OperationKind,
    /// The namespace of the release.
    pub namespace: String,
    /// The name of the release.
    pub name: String,
    /// What to install; required for an install and an upgrade, not allowed for an uninstall.
    #[serde(default)]
    pub chart: Option<ChartSource>,
    /// The values as YAML text; empty for the chart's own.
    #[serde(default)]
    pub values: String,
    /// How.
    #[serde(default)]
    pub options: OperationOptions,
    /// Made by the client once for each intent: the same key twice is the same operation. At most 128 characters.
    #[serde(default)]
    pub idempotency_key: Option<String>,
}

/// The answer to a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// The operation's id.
    pub id: OperationId,
    /// Its release.
    pub release: ReleaseKey,
    /// Its state at the answer.
    pub state: OperationState,
}

/// One run of helm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// From 1.
    pub number: u32,
    /// When helm was started.
    pub started: Timestamp,
    /// When helm had ended.
    pub ended: Option<Timestamp>,
    /// helm's exit code; none when a signal ended it, or it could not be started.
    pub exit_code: Option<i32>,
    /// What went wrong, if anything did.
    pub failure: Option<Failure>,
    /// The revision that helm wrote, where it wrote one.
    pub revision: Option<u32>,
    /// What was seen in the cluster of what went wrong ([`super::evidence::bounded`]).
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

/// How an operation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// When.
    pub ended: Timestamp,
    /// The highest revision of the release when it ended; none when there was no record.
    pub revision: Option<u32>,
    /// Why it did not succeed.
    pub failure: Option<Failure>,
    /// A sentence worth knowing although it succeeded, e.g. that helm could not write its last record.
    pub remark: Option<String>,
}

/// An operation, as recorded. The values it was submitted with are kept apart and removed when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// Its id.
    pub id: OperationId,
    /// The verb.
    pub kind: OperationKind,
    /// The release.
    pub release: ReleaseKey,
    /// What is installed.
    pub chart: Option<ChartSource>,
    /// How.
    pub options: OperationOptions,
    /// Who asked for it, as the cluster names them.
    pub requested_by: String,
    /// The client's key, if it gave one.
    pub idempotency_key: Option<String>,
    /// When it was accepted.
    pub created: Timestamp,
    /// Where it stands.
    pub state: OperationState,
    /// How many attempts it may take.
    pub max_attempts: u32,
    /// When the next attempt is due, while retrying.
    pub next_attempt: Option<Timestamp>,
    /// Each attempt so far, the first one first.
    pub attempts: Vec<Attempt>,
    /// The release's highest revision when the operation was accepted; what is above it is the operation's own work.
    pub base_revision: Option<u32>,
    /// How it ended; present just when the state is terminal.
    pub outcome: Option<Outcome>,
}

impl Operation {
    /// The failure to show: the outcome's.
    pub fn failure(&self) -> Option<&Failure> {
        self.outcome.as_ref()?.failure.as_ref()
    }

    /// When it ended, if it has.
    pub fn ended(&self) -> Option<Timestamp> {
        self.outcome.as_ref().map(|outcome| outcome.ended)
    }
}
