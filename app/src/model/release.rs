//! A Helm release as its record tells it.

use serde::{Deserialize, Serialize};

use super::ObjectRef;
use super::time::Timestamp;

/// Where a release lives: the namespace of its record (not the record's own `namespace` field, which may differ) and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ReleaseKey {
    /// The namespace that holds the release's records.
    pub namespace: String,
    /// The release's name.
    pub name: String,
}

impl ReleaseKey {
    /// A key from its two parts.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }
}

impl std::fmt::Display for ReleaseKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// The status in a release record: helm's words (`pkg/release`), in the `status` label and the payload alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RecordStatus {
    /// The active revision.
    Deployed,
    /// Uninstalled, with its history kept.
    Uninstalled,
    /// A newer revision took its place.
    Superseded,
    /// The operation that wrote this revision failed.
    Failed,
    /// An uninstall is under way, or stopped half way.
    Uninstalling,
    /// An install is under way, or its helm is dead.
    PendingInstall,
    /// An upgrade is under way, or its helm is dead.
    PendingUpgrade,
    /// A rollback is under way, or its helm is dead.
    PendingRollback,
    /// helm's own `unknown`, and any word that helm does not have.
    #[serde(other)]
    Unknown,
}

impl RecordStatus {
    /// Every status, in the order in which filters offer them.
    pub const ALL: [RecordStatus; 9] = [
        Self::Deployed,
        Self::Failed,
        Self::PendingInstall,
        Self::PendingUpgrade,
        Self::PendingRollback,
        Self::Uninstalling,
        Self::Uninstalled,
        Self::Superseded,
        Self::Unknown,
    ];

    /// helm's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Deployed => "deployed",
            Self::Uninstalled => "uninstalled",
            Self::Superseded => "superseded",
            Self::Failed => "failed",
            Self::Uninstalling => "uninstalling",
            Self::PendingInstall => "pending-install",
            Self::PendingUpgrade => "pending-upgrade",
            Self::PendingRollback => "pending-rollback",
        }
    }

    /// The status with helm's word `word`; `Unknown` for any other.
    pub fn parse(word: &str) -> Self {
        Self::ALL.into_iter().find(|status| status.as_str() == word).unwrap_or(Self::Unknown)
    }

    /// Whether helm holds its lock: an operation is under way, or died.
    pub fn is_pending(self) -> bool {
        matches!(self, Self::PendingInstall | Self::PendingUpgrade | Self::PendingRollback)
    }
}

/// What the list and the header show of a record's payload. Every field can be absent from a real record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecordSummary {
    /// The chart's name.
    pub chart: Option<String>,
    /// The chart's version.
    pub chart_version: Option<String>,
    /// The version of the application in the chart.
    pub app_version: Option<String>,
    /// The address of the chart's icon, as the chart gives it: untrusted.
    pub icon: Option<String>,
    /// helm's one-line description of the revision, where a failure's text is kept.
    pub description: Option<String>,
    /// When revision 1 was deployed.
    pub first_deployed: Option<Timestamp>,
    /// When this revision was deployed.
    pub last_deployed: Option<Timestamp>,
    /// When the release was uninstalled.
    pub deleted: Option<Timestamp>,
    /// The namespace in the payload, where it differs from the record's.
    pub target_namespace: Option<String>,
}

/// How much is known of a record's payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(tag = "state", rename_all = "camelCase", try_from = "super::wire::FlatDetail")]
pub enum Detail {
    /// Not decoded yet; it will be.
    Loading,
    /// Decoded.
    Known(RecordSummary),
    /// It cannot be decoded or read, and why.
    Unreadable {
        /// Why, in words for the user.
        reason: String,
    },
}

impl Detail {
    /// The summary, where it is known.
    pub fn summary(&self) -> Option<&RecordSummary> {
        match self {
            Self::Known(summary) => Some(summary),
            _ => None,
        }
    }
}

/// What helm rendered for a revision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ReleaseManifest {
    /// The manifest, which has no hooks.
    pub manifest: String,
    /// The hooks, in helm's order.
    pub hooks: Vec<ReleaseHook>,
}

/// A hook of a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ReleaseHook {
    /// The object. Its namespace is the hook's own word: none can still mean the release's.
    pub object: ObjectRef,
    /// The sub-chart that it comes from, as in [`super::Resource::source`].
    pub source: String,
    /// When it runs: `pre-install`, `test`, …
    pub events: Vec<String>,
    /// It, as YAML.
    pub text: String,
}

/// One revision of a release: its record's metadata, and what is known of its payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ReleaseRecord {
    /// The revision, from the `version` label.
    pub revision: u32,
    /// The status, from the `status` label.
    pub status: RecordStatus,
    /// When the record's Secret was created, by the API server's clock.
    pub created: Option<Timestamp>,
    /// When the Secret was last written, by the same clock; for the server alone.
    #[serde(skip)]
    pub changed: Option<Timestamp>,
    /// The operation of ours that wrote this record, from the label `slipway.dev/operation`.
    pub operation: Option<super::OperationId>,
    /// What is known of the payload.
    pub detail: Detail,
}

impl ReleaseRecord {
    /// When the release was changed last, as the list, the details and the history tell it: when helm deployed or removed it.
    /// A test run changes nothing.
    pub fn updated(&self) -> Option<Timestamp> {
        let told = self.detail.summary().and_then(|summary| summary.deleted.max(summary.last_deployed));
        told.or(self.created)
    }

    /// Whether it is known that what made this revision failed: helm calls it superseded once another one took its place, and
    /// keeps the failure in the description alone.
    pub fn had_failed(&self) -> bool {
        let description = self.detail.summary().and_then(|it| it.description.as_deref()).unwrap_or_default();
        let mut verbs = ["Release", "Upgrade", "Rollback"].into_iter();
        let rest = verbs.find_map(|verb| description.strip_prefix(verb)?.strip_prefix(" \""));
        let is_told =
            rest.and_then(|rest| rest.split_once('"')).is_some_and(|(_, rest)| rest.starts_with(" failed: "));
        self.status == RecordStatus::Superseded && is_told
    }

    /// Since when it has said that something is under way, if it says so.
    pub fn pending_since(&self) -> Option<Timestamp> {
        match self.status {
            // An uninstall has no record of its own: it began when the record was written last. What helm notes in it is by
            // the clock of the machine that it runs on.
            RecordStatus::Uninstalling => self.changed,
            _ => self.created,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_reads_back_from_its_own_word() {
        for status in RecordStatus::ALL {
            assert_eq!(RecordStatus::parse(status.as_str()), status);
        }
    }

    #[test]
    fn a_word_that_helm_does_not_have_is_unknown() {
        assert_eq!(RecordStatus::parse("exploded"), RecordStatus::Unknown);
    }

    #[test]
    fn a_superseded_revision_that_failed_is_known_by_its_description() {
        let with = |status, description: &str| ReleaseRecord {
            revision: 1,
            status,
            created: None,
            changed: None,
            operation: None,
            detail: Detail::Known(RecordSummary {
                description: Some(description.to_owned()),
                ..RecordSummary::default()
            }),
        };
        for (description, expected) in [
            ("Release \"shopfront\" failed: server-side apply failed for object team-a/shopfront", true),
            ("Upgrade \"shopfront\" failed: context deadline exceeded", true),
            ("Rollback \"shopfront\" failed: no", true),
            ("Install complete", false),
            ("Upgrade complete", false),
            ("Rollback to 1", false),
            ("Release \"x\" was fine; nothing failed: really", false),
            ("", false),
        ] {
            assert_eq!(with(RecordStatus::Superseded, description).had_failed(), expected, "{description}");
            // Of the others the status says it.
            assert!(!with(RecordStatus::Failed, description).had_failed());
        }
    }
}
