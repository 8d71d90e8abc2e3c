//! What a person sees of a release: a pure function of our operation, helm's record and the live resources.
//!
//! While an operation is active its word wins over the record's, so that a record which says `failed` between two
//! attempts does not flicker into view. With no operation, or a record newer than the operation's outcome, the record
//! speaks. With neither, there is no such release. The health of live resources is shown beside the phase, never mixed
//! into it.

mod settled;

use serde::{Deserialize, Serialize};

use super::{
    Health, Operation, OperationKind, OperationState, RecordStatus, ReleaseRecord, Resource, time::Timestamp,
};
use settled::{settled, told_by, without_record};

/// After how long a pending record that is not ours is called stuck, in milliseconds. helm's default time-out is 5
/// minutes for each of its waits; an operation with hooks has two or three of them.
pub const STUCK_AFTER_MS: u64 = 15 * 60 * 1000;
/// For how long after an operation's end the record may still be an older one, in milliseconds: the two reach us by
/// different watches.
pub const SETTLING_MS: u64 = 10 * 1000;

/// What a person sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(
    tag = "phase",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    try_from = "super::wire::FlatPhase"
)]
pub enum Phase {
    /// Neither a record nor an operation.
    NotFound,
    /// Our operation is accepted and waits for its runner.
    Queued {
        /// The verb.
        kind: OperationKind,
    },
    /// Our operation is at work.
    Working {
        /// The verb.
        kind: OperationKind,
        /// What it is doing.
        step: Step,
        /// Which attempt, from 1.
        attempt: u32,
        /// How many it may take.
        max_attempts: u32,
    },
    /// Our operation waits before its next attempt.
    Retrying {
        /// The verb.
        kind: OperationKind,
        /// The attempt that comes next.
        attempt: u32,
        /// How many it may take.
        max_attempts: u32,
        /// When it is due.
        next: Option<Timestamp>,
    },
    /// Deployed.
    Deployed,
    /// The last thing done with it failed.
    Failed {
        /// The verb, where it was ours.
        kind: Option<OperationKind>,
    },
    /// Our operation was cancelled.
    Cancelled {
        /// The verb.
        kind: OperationKind,
    },
    /// Our operation's runner is provably gone, and left the release half way.
    Interrupted {
        /// The verb.
        kind: OperationKind,
    },
    /// A helm elsewhere is at work, or was lately.
    Pending {
        /// What it does.
        status: RecordStatus,
    },
    /// The record has been pending for longer than a helm takes, and nobody can know whether one still runs.
    Stuck {
        /// What it was doing.
        status: RecordStatus,
    },
    /// Gone, by our operation or with its history kept.
    Uninstalled,
    /// A revision that has no successor, as a broken clean-up leaves it.
    Superseded,
    /// helm itself says so, or uses a word that it does not have.
    Unknown,
}

/// What an operation is doing, as far as the record and the live resources tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// helm fetches and renders the chart: there is no record yet.
    Preparing,
    /// The record is there and nothing of the manifest exists yet, because hooks run first.
    RunningHooks,
    /// Some of the manifest exists.
    Applying,
    /// All of it exists, and not all is ready.
    Waiting,
    /// All of it is ready: hooks that come after, and the last write of the record.
    Finishing,
    /// Things are being deleted.
    Removing,
    /// The release's tests run.
    Testing,
    /// The record is changed, and nothing else.
    Recording,
}

/// How a phase is coloured and which icon goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Tone {
    /// Done, and well.
    Success,
    /// Under way.
    Progress,
    /// It needs a person.
    Warning,
    /// It failed.
    Danger,
    /// Over, or not known.
    Neutral,
}

impl Phase {
    /// The phase of a release, at `now`.
    ///
    /// `operation` is the newest one of ours, `record` the one with the highest revision, `live` the resources of its
    /// manifest where they are known.
    pub fn of(
        operation: Option<&Operation>,
        record: Option<&ReleaseRecord>,
        live: Option<&[Resource]>,
        now: Timestamp,
    ) -> Self {
        match (operation, record) {
            (Some(operation), _) if !operation.state.is_terminal() => active(operation, record, live),
            (Some(operation), None) => without_record(operation, now),
            (Some(operation), Some(record)) => settled(operation, record, now),
            (None, Some(record)) => told_by(record, now),
            (None, None) => Self::NotFound,
        }
    }

    /// Whether something is under way, so that the page counts the time and offers nothing that would collide.
    pub fn is_active(&self) -> bool {
        matches!(
            self,
            Self::Queued { .. } | Self::Working { .. } | Self::Retrying { .. } | Self::Pending { .. }
        )
    }

    /// The phase in words, as the status label has it.
    pub fn words(&self) -> String {
        match self {
            Self::NotFound => "Not found".into(),
            Self::Queued { .. } => "Queued".into(),
            Self::Working { kind, attempt, max_attempts, .. } if *attempt > 1 => {
                format!("{}, attempt {attempt} of {max_attempts}", kind.progressive())
            }
            Self::Working { kind, .. } => kind.progressive().into(),
            Self::Retrying { kind, attempt, max_attempts, .. } => {
                format!("{}, attempt {attempt} of {max_attempts}", kind.progressive())
            }
            Self::Deployed => "Deployed".into(),
            Self::Failed { .. } => "Failed".into(),
            Self::Cancelled { .. } => "Cancelled".into(),
            Self::Interrupted { .. } => "Interrupted".into(),
            Self::Pending { status } => match status {
                RecordStatus::PendingInstall => "Pending install".into(),
                RecordStatus::PendingUpgrade => "Pending upgrade".into(),
                RecordStatus::PendingRollback => "Pending rollback".into(),
                _ => "Uninstalling".into(),
            },
            Self::Stuck { .. } => "Stuck".into(),
            Self::Uninstalled => "Uninstalled".into(),
            Self::Superseded => "Superseded".into(),
            Self::Unknown => "Unknown".into(),
        }
    }

    /// Its tone.
    pub fn tone(&self) -> Tone {
        match self {
            Self::Deployed => Tone::Success,
            Self::Queued { .. } | Self::Working { .. } | Self::Retrying { .. } | Self::Pending { .. } => {
                Tone::Progress
            }
            Self::Failed { .. } => Tone::Danger,
            Self::Interrupted { .. } | Self::Stuck { .. } => Tone::Warning,
            Self::Cancelled { .. }
            | Self::NotFound
            | Self::Uninstalled
            | Self::Superseded
            | Self::Unknown => Tone::Neutral,
        }
    }
}

impl Step {
    /// What is going on, as a sentence without its full stop.
    pub fn words(self) -> &'static str {
        match self {
            Self::Preparing => "Fetching and rendering the chart",
            Self::RunningHooks => "Running hooks",
            Self::Applying => "Creating resources",
            Self::Waiting => "Waiting for resources to become ready",
            Self::Finishing => "Finishing",
            Self::Removing => "Removing resources",
            Self::Testing => "Running the release’s tests",
            Self::Recording => "Changing Helm’s record",
        }
    }
}

fn active(operation: &Operation, record: Option<&ReleaseRecord>, live: Option<&[Resource]>) -> Phase {
    let (kind, max_attempts) = (operation.kind, operation.max_attempts);
    let made = made(operation);
    match operation.state {
        OperationState::Queued => Phase::Queued { kind },
        OperationState::Retrying => {
            Phase::Retrying { kind, attempt: made + 1, max_attempts, next: operation.next_attempt }
        }
        _ => Phase::Working { kind, step: step(operation, record, live), attempt: made.max(1), max_attempts },
    }
}

fn step(operation: &Operation, record: Option<&ReleaseRecord>, live: Option<&[Resource]>) -> Step {
    match operation.kind {
        OperationKind::Test => return Step::Testing,
        OperationKind::MarkFailed => return Step::Recording,
        _ => {}
    }
    let Some(record) = record else {
        return if operation.kind == OperationKind::Uninstall { Step::Removing } else { Step::Preparing };
    };
    if operation.kind == OperationKind::Uninstall {
        return if record.status == RecordStatus::Uninstalling { Step::Removing } else { Step::Preparing };
    }
    if !is_own(operation, record) || !record.status.is_pending() {
        // Between helm's last write and its end, the record already tells the outcome.
        return if is_own(operation, record) && record.status == RecordStatus::Deployed {
            Step::Finishing
        } else {
            Step::Preparing
        };
    }
    let mut manifest =
        live.unwrap_or_default().iter().filter(|resource| resource.hooks.is_empty()).peekable();
    if manifest.peek().is_none() {
        return Step::Applying;
    }
    let (mut all, mut missing, mut ready) = (0, 0, 0);
    for resource in manifest {
        all += 1;
        missing += u32::from(matches!(resource.health, Health::Missing | Health::NotYet));
        ready += u32::from(resource.health == Health::Ready);
    }
    let before = match operation.kind {
        OperationKind::Install => "pre-install",
        OperationKind::Rollback => "pre-rollback",
        _ => "pre-upgrade",
    };
    let has_hooks =
        live.unwrap_or_default().iter().any(|resource| resource.hooks.iter().any(|on| on == before));
    match (missing, ready) {
        (missing, _) if missing == all && has_hooks => Step::RunningHooks,
        (1.., _) => Step::Applying,
        (0, ready) if ready == all => Step::Finishing,
        _ => Step::Waiting,
    }
}

/// Whether `record` was written by `operation`: above what there was before, and by nobody else's label. The label alone
/// proves nothing, for helm hands labels on to the revisions that others write later; and a rollback's record bears the
/// label of the revision that it goes back to.
fn is_own(operation: &Operation, record: &ReleaseRecord) -> bool {
    record.revision > operation.base_revision.unwrap_or(0)
        && (operation.kind == OperationKind::Rollback
            || record.operation.as_ref().is_none_or(|id| *id == operation.id))
}

/// How many attempts there were.
fn made(operation: &Operation) -> u32 {
    u32::try_from(operation.attempts.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod calm;
#[cfg(test)]
pub(super) mod tests;
