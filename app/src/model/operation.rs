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
    /// `helm rollback`
    Rollback,
    /// `helm uninstall`
    Uninstall,
    /// `helm test`
    Test,
    /// Not one of helm's: a record that a dead helm left pending becomes `failed`, so that helm takes the release again.
    MarkFailed,
}

impl OperationKind {
    /// The verb in lower case, as labels and the API have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Upgrade => "upgrade",
            Self::Rollback => "rollback",
            Self::Uninstall => "uninstall",
            Self::Test => "test",
            Self::MarkFailed => "markFailed",
        }
    }

    /// What is going on while it runs: `Installing`.
    pub fn progressive(self) -> &'static str {
        match self {
            Self::Install => "Installing",
            Self::Upgrade => "Upgrading",
            Self::Rollback => "Rolling back",
            Self::Uninstall => "Uninstalling",
            Self::Test => "Testing",
            Self::MarkFailed => "Marking as failed",
        }
    }

    /// The noun: `Install`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Install => "Install",
            Self::Upgrade => "Upgrade",
            Self::Rollback => "Rollback",
            Self::Uninstall => "Uninstall",
            Self::Test => "Test",
            Self::MarkFailed => "Mark as failed",
        }
    }

    /// Whether helm takes a chart for it.
    pub fn takes_chart(self) -> bool {
        matches!(self, Self::Install | Self::Upgrade)
    }

    /// Whether helm, told to end in the middle of it, ends cleanly: an install and an upgrade record the release as
    /// failed, a test writes nothing that matters. A rollback and an uninstall would leave the release half way (helm's
    /// `pkg/cmd/install.go` and `upgrade.go` listen to signals, `rollback.go` and `uninstall.go` do not).
    pub fn ends_cleanly(self) -> bool {
        matches!(self, Self::Install | Self::Upgrade | Self::Test)
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
    /// What an upgrade takes besides the values that it is given.
    pub values: ValuesPolicy,
    /// What the revision is described as (`--description`); empty for helm's own words. At most [`DESCRIPTION_MAX`]
    /// characters.
    pub description: String,
    /// Run no hooks (`--no-hooks`).
    pub skip_hooks: bool,
    /// Install no custom resource definitions (`--skip-crds`).
    pub skip_crds: bool,
    /// Take over fields that somebody else manages (`--force-conflicts`, helm 4 alone).
    pub force_conflicts: bool,
    /// Keep the history of an uninstalled release (`--keep-history`).
    pub keep_history: bool,
    /// Which revision to roll back to; none for the one before the latest.
    pub revision: Option<u32>,
    /// Render and check only, and store nothing (`--dry-run=server`). What was rendered is the operation's preview.
    pub dry_run: bool,
    /// Go on where a helm that is no more left off: over a failed or uninstalled release an install replaces it
    /// (`--replace`), and a pending one is marked as failed first.
    pub take_over: bool,
    /// How many attempts it may take when what fails may pass by itself, 1 to [`ATTEMPTS_MAX`].
    pub attempts: u32,
    /// What carries it out; none for the server's own choice.
    pub runner: Option<RunnerKind>,
    /// Refused, where the release's latest revision is another one: somebody has changed it since it was looked at.
    pub expected_revision: Option<u32>,
}

/// What an upgrade takes besides the values that it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ValuesPolicy {
    /// Nothing: the values given are the whole of them (`--reset-values`).
    #[default]
    Reset,
    /// The values of the revision before, and that revision's defaults of the chart (`--reuse-values`).
    Reuse,
    /// The values of the revision before, over the new chart's defaults (`--reset-then-reuse-values`).
    ResetThenReuse,
}

/// What carries an operation out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum RunnerKind {
    /// A process on the server's machine, which outlives the server.
    Process,
    /// A Kubernetes Job, which outlives the server's pod.
    Job,
}

/// How many attempts an operation may take unless it says otherwise.
pub const DEFAULT_ATTEMPTS: u32 = 3;
/// The most attempts that an operation can ask for.
pub const ATTEMPTS_MAX: u32 = 5;
/// The longest description, in characters: helm 4's own limit for a rollback.
pub const DESCRIPTION_MAX: usize = 256;

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
            values: ValuesPolicy::Reset,
            description: String::new(),
            skip_hooks: false,
            skip_crds: false,
            force_conflicts: false,
            keep_history: false,
            revision: None,
            dry_run: false,
            take_over: false,
            attempts: DEFAULT_ATTEMPTS,
            runner: None,
            expected_revision: None,
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
    /// What to install; required for an install and an upgrade, not allowed for the other verbs.
    #[serde(default)]
    pub chart: Option<ChartSource>,
    /// The values as YAML text; empty for the chart's own.
    #[serde(default)]
    pub values: String,
    /// How.
    #[serde(default)]
    pub options: OperationOptions,
    /// Made by the client once for each intent: the same key twice is the same operation, and is refused for
    /// anything else. At most 128 characters.
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
    /// The revision that helm wrote, where it wrote one; of an uninstall the one that says that it has begun.
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

/// An operation, as recorded. The values it was submitted with are kept apart, and removed when it succeeded or when
/// something newer is submitted for the release.
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
    /// That somebody wants it to end early.
    #[serde(default)]
    pub cancel: Option<Cancel>,
    /// The interrupted operation that this one does again.
    #[serde(default)]
    pub again: Option<OperationId>,
}

/// A wish that an operation end early.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Cancel {
    /// Who wants it, as the cluster names them.
    pub by: String,
    /// Since when.
    pub at: Timestamp,
}

impl Operation {
    /// The failure to show: the outcome's.
    pub fn failure(&self) -> Option<&Failure> {
        self.outcome.as_ref()?.failure.as_ref()
    }

    /// Whether it changes a release; a dry run does not.
    pub fn is_for_real(&self) -> bool {
        !self.options.dry_run
    }

    /// Why it cannot be cancelled as it stands, in words for a person; none if it can.
    pub fn why_not_cancel(&self) -> Option<&'static str> {
        match self.state {
            OperationState::Queued | OperationState::Retrying => None,
            OperationState::Running if self.kind.ends_cleanly() || !self.is_for_real() => None,
            OperationState::Running => Some(
                "Helm cannot be stopped cleanly in the middle of this: the release would be left half way. Wait for its end.",
            ),
            _ => Some("It is over already."),
        }
    }

    /// When it ended, if it has.
    pub fn ended(&self) -> Option<Timestamp> {
        self.outcome.as_ref().map(|outcome| outcome.ended)
    }
}
