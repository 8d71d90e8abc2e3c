//! What the filter by status offers: what is shown of a release, and what Helm’s record says where that is more exact.

use crate::model::{Phase, RecordStatus, ReleaseRow};
use crate::words::t;

/// One box of the filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Deployed.
    Deployed,
    /// Failed, by whatever operation.
    Failed,
    /// Something is at work on it.
    InProgress,
    /// What was at work on it is gone, and left it half way.
    Interrupted,
    /// Nobody can know whether something is still at work on it.
    Stuck,
    /// Somebody has cancelled what was at work on it.
    Cancelled,
    /// Uninstalled, with its history kept.
    Uninstalled,
    /// A revision without a successor.
    Superseded,
    /// Helm says so, or uses a word that it does not have.
    Unknown,
    /// The record says `pending-install`.
    PendingInstall,
    /// The record says `pending-upgrade`.
    PendingUpgrade,
    /// The record says `pending-rollback`.
    PendingRollback,
    /// The record says `uninstalling`.
    Uninstalling,
}

impl Status {
    /// What is shown of a release: each one is in just one of these. They are in the order in which the list sorts them.
    pub const SHOWN: [Self; 9] = [
        Self::Deployed,
        Self::Failed,
        Self::InProgress,
        Self::Interrupted,
        Self::Stuck,
        Self::Cancelled,
        Self::Uninstalled,
        Self::Superseded,
        Self::Unknown,
    ];

    /// What the record can say beside that.
    pub const RECORDED: [Self; 4] =
        [Self::PendingInstall, Self::PendingUpgrade, Self::PendingRollback, Self::Uninstalling];

    /// All boxes.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::SHOWN.into_iter().chain(Self::RECORDED)
    }

    /// What is shown of a phase.
    pub fn of(phase: &Phase) -> Self {
        match phase {
            Phase::Deployed => Self::Deployed,
            Phase::Failed { .. } => Self::Failed,
            Phase::Interrupted { .. } => Self::Interrupted,
            Phase::Stuck { .. } => Self::Stuck,
            Phase::Cancelled { .. } => Self::Cancelled,
            Phase::Uninstalled => Self::Uninstalled,
            Phase::Superseded => Self::Superseded,
            phase if phase.is_active() => Self::InProgress,
            _ => Self::Unknown,
        }
    }

    fn record(self) -> Option<RecordStatus> {
        match self {
            Self::PendingInstall => Some(RecordStatus::PendingInstall),
            Self::PendingUpgrade => Some(RecordStatus::PendingUpgrade),
            Self::PendingRollback => Some(RecordStatus::PendingRollback),
            Self::Uninstalling => Some(RecordStatus::Uninstalling),
            _ => None,
        }
    }

    /// Whether a release is one of these.
    pub fn is_of(self, row: &ReleaseRow) -> bool {
        match self.record() {
            Some(record) => row.status == Some(record),
            None => Self::of(&row.phase) == self,
        }
    }

    /// Its word in the address.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deployed => "deployed",
            Self::Failed => "failed",
            Self::InProgress => "in-progress",
            Self::Interrupted => "interrupted",
            Self::Stuck => "stuck",
            Self::Cancelled => "cancelled",
            Self::Uninstalled => "uninstalled",
            Self::Superseded => "superseded",
            Self::Unknown => "unknown",
            Self::PendingInstall => "pending-install",
            Self::PendingUpgrade => "pending-upgrade",
            Self::PendingRollback => "pending-rollback",
            Self::Uninstalling => "uninstalling",
        }
    }

    /// Its words in the filter.
    pub fn title(self) -> &'static str {
        match self {
            Self::Deployed => t("Deployed"),
            Self::Failed => t("Failed"),
            Self::InProgress => t("In progress"),
            Self::Interrupted => t("Interrupted"),
            Self::Stuck => t("Stuck"),
            Self::Cancelled => t("Cancelled"),
            Self::Uninstalled => t("Uninstalled"),
            Self::Superseded => t("Superseded"),
            Self::Unknown => t("Unknown"),
            Self::PendingInstall => t("Pending install"),
            Self::PendingUpgrade => t("Pending upgrade"),
            Self::PendingRollback => t("Pending rollback"),
            Self::Uninstalling => t("Uninstalling"),
        }
    }
}
