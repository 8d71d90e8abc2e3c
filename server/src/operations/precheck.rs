//! What helm's records say about a submission, before anything is done: helm would refuse some later, and less clearly.

use app::model::phase::STUCK_AFTER_MS;
use app::model::{ApiError, Operation, OperationKind, OperationOptions, RecordStatus, ReleaseKey, Timestamp};

use super::settle::is_own;
use crate::kube::records::RecordMeta;

/// What a submission is up against.
pub struct Scene<'a> {
    /// helm's records of the release, the newest first.
    pub records: &'a [RecordMeta],
    /// Our newest operation on it.
    pub before: Option<&'a Operation>,
    /// The time.
    pub now: Timestamp,
}

impl Scene<'_> {
    /// Whether a pending record may be taken for a dead helm's. Of one of ours it is known that nobody works on it: the Lease
    /// is the caller's now. Of another helm's it can only be guessed, by its age.
    fn is_abandoned(&self, record: &RecordMeta) -> bool {
        is_old(record, self.now) || self.before.is_some_and(|ours| is_own(ours, record))
    }
}

/// Checks that `kind`, with `options`, can be done to a release in this state. Gives the highest revision there is.
///
/// # Errors
/// [`ApiError::Conflict`], [`ApiError::NotFound`] or [`ApiError::Invalid`], with what can be done instead.
pub fn check(
    kind: OperationKind,
    options: &OperationOptions,
    release: &ReleaseKey,
    scene: &Scene<'_>,
) -> Result<Option<u32>, ApiError> {
    use OperationKind::{Install, MarkFailed, Rollback, Test, Uninstall, Upgrade};
    let Some(latest) = scene.records.first() else {
        return match kind {
            Install => Ok(None),
            _ => Err(ApiError::NotFound { what: format!("The release {release}") }),
        };
    };
    let conflict = |message: String| Err(ApiError::Conflict { message, operation: None });
    let fine = Ok(Some(latest.revision));
    let (name, status) = (&release.name, latest.status);
    let is_abandoned = status.is_pending() && scene.is_abandoned(latest);
    match kind {
        MarkFailed if !status.is_pending() => conflict(format!(
            "The release {name} is {status}: there is nothing to mark as failed.",
            status = status.as_str()
        )),
        Install | Upgrade if status.is_pending() && !(options.take_over && is_abandoned) => {
            conflict(format!(
                "The release {name} is {status}: another helm works on it, or died while it did. Wait for it; if it stays so, \
             take it over, uninstall the release or roll it back.",
                status = status.as_str()
            ))
        }
        _ if status.is_pending() && !is_abandoned => conflict(format!(
            "The release {name} has been {status} for less than {minutes} minutes: another helm may be at work on it. Wait \
             for it, or come back when it stays so.",
            status = status.as_str(),
            minutes = STUCK_AFTER_MS / 60_000
        )),
        Install if options.take_over && (is_abandoned || is_replaceable(status)) => fine,
        Install => conflict(match status {
            RecordStatus::Failed => format!(
                "A release {name} exists, and its last operation failed. Upgrade it, uninstall it first, or choose another \
                 name."
            ),
            RecordStatus::Uninstalled => format!(
                "A release {name} was uninstalled and its history kept. Uninstall it once more to remove the history, or \
                 choose another name."
            ),
            _ => format!(
                "A release {name} exists in this namespace. Upgrade it, uninstall it first, or choose another name."
            ),
        }),
        Upgrade | Test if status == RecordStatus::Uninstalling => {
            conflict(format!("The uninstall of {name} is not finished. Uninstall it again, then install it."))
        }
        Upgrade | Test if status == RecordStatus::Uninstalled => conflict(format!(
            "The release {name} was uninstalled and its history kept: there is nothing to {verb}. Uninstall it once more to \
             remove the history, then install it.",
            verb = kind.as_str()
        )),
        // helm says no more than that it "is already deleted".
        Uninstall if status == RecordStatus::Uninstalled && options.keep_history => conflict(format!(
            "The release {name} is uninstalled already, and its history kept. Uninstall it without keeping the history to \
             remove that."
        )),
        Rollback => {
            let to = rollback_target(options, latest.revision);
            match scene.records.iter().find(|record| record.revision == to) {
                Some(_) if to < latest.revision => fine,
                _ => Err(ApiError::invalid(
                    "options.revision",
                    format!(
                        "There is no revision {to} of {name} to roll back to; the latest one is {}.",
                        latest.revision
                    ),
                )),
            }
        }
        Upgrade | Test | Uninstall | MarkFailed => fine,
    }
}

/// Checks that the release is as whoever submits has seen it. Only then: what comes above it later may be the operation's own.
///
/// # Errors
/// [`ApiError::Conflict`].
pub fn expected(
    options: &OperationOptions,
    release: &ReleaseKey,
    latest: Option<u32>,
) -> Result<(), ApiError> {
    let Some(expected) = options.expected_revision.filter(|expected| Some(*expected) != latest) else {
        return Ok(());
    };
    let name = &release.name;
    let message = match latest {
        Some(latest) => format!(
            "The release {name} has been changed since: it is at revision {latest}, and not at {expected} any more. Look at it \
             again first."
        ),
        None => format!("The release {name} has no revision {expected} any more: it was removed."),
    };
    Err(ApiError::Conflict { message, operation: None })
}

/// Which revision a rollback goes back to: the one that is named, or else the one before the latest, as helm has it.
pub fn rollback_target(options: &OperationOptions, latest: u32) -> u32 {
    options.revision.unwrap_or_else(|| latest.saturating_sub(1))
}

/// Whether helm installs over it with `--replace` (`availableName` in helm's `pkg/action/install.go`).
fn is_replaceable(status: RecordStatus) -> bool {
    matches!(status, RecordStatus::Failed | RecordStatus::Uninstalled)
}

fn is_old(record: &RecordMeta, now: Timestamp) -> bool {
    record.created.is_none_or(|created| now.since(created) > STUCK_AFTER_MS)
}

#[cfg(test)]
mod tests {
    use OperationKind::{Install, MarkFailed, Rollback, Test, Uninstall, Upgrade};
    use app::model::{OperationId, OperationState};

    use super::*;
    use crate::operations::fakes::{operation, record};

    #[test]
    fn a_release_that_somebody_has_changed_is_not_overwritten_unseen() {
        let release = ReleaseKey::new("ns", "web");
        let options =
            |expected_revision| OperationOptions { expected_revision, ..OperationOptions::default() };
        for (wanted, latest, is_fine) in [
            (None, Some(3), true),
            (None, None, true),
            (Some(3), Some(3), true),
            (Some(2), Some(3), false),
            (Some(3), None, false),
        ] {
            let verdict = expected(&options(wanted), &release, latest);
            assert_eq!(verdict.is_ok(), is_fine, "{wanted:?} {latest:?}");
        }
    }

    const NOW: Timestamp = Timestamp(100 * 60_000);
    const ALL: [OperationKind; 6] = [Install, Upgrade, Rollback, Uninstall, Test, MarkFailed];

    fn verdict(
        kind: OperationKind,
        take_over: bool,
        records: &[RecordMeta],
        before: Option<&Operation>,
    ) -> &'static str {
        let scene = Scene { records, before, now: NOW };
        let options = OperationOptions { take_over, ..OperationOptions::default() };
        match check(kind, &options, &ReleaseKey::new("ns", "web"), &scene) {
            Ok(Some(_)) => "fine",
            Ok(None) => "new",
            Err(ApiError::Conflict { .. }) => "conflict",
            Err(ApiError::NotFound { .. }) => "not found",
            Err(_) => "invalid",
        }
    }

    #[test]
    fn each_verb_is_checked_against_the_latest_record() {
        let no = "conflict";
        for (status, expected, taking_over) in [
            (RecordStatus::Deployed, [no, "fine", "fine", "fine", "fine", no], [no, "fine"]),
            (RecordStatus::Failed, [no, "fine", "fine", "fine", "fine", no], ["fine", "fine"]),
            (RecordStatus::Uninstalled, [no, no, "fine", "fine", no, no], ["fine", no]),
            (RecordStatus::Uninstalling, [no, no, "fine", "fine", no, no], [no, no]),
            (RecordStatus::PendingInstall, [no; 6], [no, no]),
            (RecordStatus::PendingUpgrade, [no; 6], [no, no]),
            (RecordStatus::PendingRollback, [no; 6], [no, no]),
            (RecordStatus::Superseded, [no, "fine", "fine", "fine", "fine", no], [no, "fine"]),
        ] {
            let fresh = RecordMeta { created: Some(NOW), ..record(3, status) };
            let records = [fresh, record(2, RecordStatus::Superseded)];
            assert_eq!(ALL.map(|kind| verdict(kind, false, &records, None)), expected, "{status:?}");
            let over = [Install, Upgrade].map(|kind| verdict(kind, true, &records, None));
            assert_eq!(over, taking_over, "{status:?}, taking over");
        }
        let told = ALL.map(|kind| verdict(kind, false, &[], None));
        assert_eq!(told, ["new", "not found", "not found", "not found", "not found", "not found"]);
    }

    #[test]
    fn what_a_dead_helm_left_pending_has_its_ways_out() {
        let pending = record(2, RecordStatus::PendingUpgrade);
        let good = record(1, RecordStatus::Deployed);
        let out = |latest: &RecordMeta, before: Option<&Operation>| {
            let records = [latest.clone(), good.clone()];
            let ways = [Rollback, Uninstall, MarkFailed].map(|kind| verdict(kind, false, &records, before));
            assert_eq!(ways[0], ways[1]);
            assert_eq!(ways[1], ways[2]);
            assert_eq!(verdict(Upgrade, true, &records, before), ways[0]);
            assert_eq!(verdict(Upgrade, false, &records, before), "conflict");
            ways[0]
        };
        let old = RecordMeta { created: Some(Timestamp(0)), ..pending.clone() };
        assert_eq!(out(&old, None), "fine");
        let ours = RecordMeta { created: Some(NOW), operation: Some(OperationId("a".into())), ..pending };
        let before = Operation { base_revision: Some(1), ..operation("a", OperationState::Interrupted) };
        assert_eq!(out(&ours, Some(&before)), "fine");
        // helm hands our label on to the revisions that others write after ours.
        let theirs = RecordMeta { revision: 3, ..ours };
        assert_eq!(out(&theirs, Some(&before)), "conflict");
    }

    #[test]
    fn a_history_that_is_kept_already_is_not_kept_once_more() {
        let records = [record(1, RecordStatus::Uninstalled)];
        for (keep_history, expected) in [(true, false), (false, true)] {
            let options = OperationOptions { keep_history, ..OperationOptions::default() };
            let scene = Scene { records: &records, before: None, now: NOW };
            let checked = check(Uninstall, &options, &ReleaseKey::new("ns", "web"), &scene);
            assert_eq!(checked.is_ok(), expected, "{keep_history}");
        }
    }

    #[test]
    fn a_rollback_needs_a_revision_to_go_back_to() {
        let alone = [record(1, RecordStatus::Failed)];
        assert_eq!(verdict(Rollback, false, &alone, None), "invalid");
        let records = [record(5, RecordStatus::Deployed), record(4, RecordStatus::Superseded)];
        for (revision, expected) in [(None, true), (Some(4), true), (Some(3), false), (Some(5), false)] {
            let options = OperationOptions { revision, ..OperationOptions::default() };
            let scene = Scene { records: &records, before: None, now: NOW };
            let checked = check(Rollback, &options, &ReleaseKey::new("ns", "web"), &scene);
            assert_eq!(checked.is_ok(), expected, "{revision:?}");
        }
    }
}
