//! What helm's records say about a submission, before anything is done: helm would refuse some later, and less clearly.

use app::model::phase::STUCK_AFTER_MS;
use app::model::{ApiError, Operation, OperationKind, RecordStatus, ReleaseKey, Timestamp};

use super::settle::is_own;
use crate::kube::records::RecordMeta;

/// Checks that `kind` can be done to a release with these records, the newest first, and with `before` as our newest
/// operation on it. Gives the highest revision there is.
///
/// # Errors
/// [`ApiError::Conflict`] or [`ApiError::NotFound`], with what can be done instead.
pub fn check(
    kind: OperationKind,
    release: &ReleaseKey,
    records: &[RecordMeta],
    before: Option<&Operation>,
    now: Timestamp,
) -> Result<Option<u32>, ApiError> {
    let Some(latest) = records.first() else {
        return match kind {
            OperationKind::Install => Ok(None),
            OperationKind::Upgrade | OperationKind::Uninstall => {
                Err(ApiError::NotFound { what: format!("The release {release}") })
            }
        };
    };
    let conflict = |message: String| Err(ApiError::Conflict { message, operation: None });
    let name = &release.name;
    match (kind, latest.status) {
        (OperationKind::Install | OperationKind::Upgrade, status) if status.is_pending() => {
            conflict(format!(
                "The release {name} is {status}: another helm works on it, or died while it did. Wait for it; if it \
             stays so, uninstall the release or roll it back.",
                status = status.as_str()
            ))
        }
        (OperationKind::Install, RecordStatus::Failed) => conflict(format!(
            "A release {name} exists, and its last operation failed. Upgrade it, uninstall it first, or choose \
             another name."
        )),
        (OperationKind::Install, RecordStatus::Uninstalled) => conflict(format!(
            "A release {name} was uninstalled and its history kept. Uninstall it once more to remove the \
             history, or choose another name."
        )),
        (OperationKind::Install, _) => conflict(format!(
            "A release {name} exists in this namespace. Upgrade it, uninstall it first, or choose another name."
        )),
        (OperationKind::Upgrade, RecordStatus::Uninstalling) => {
            conflict(format!("The uninstall of {name} is not finished. Uninstall it again, then install it."))
        }
        (OperationKind::Upgrade, RecordStatus::Uninstalled) => conflict(format!(
            "The release {name} was uninstalled and its history kept: there is nothing to upgrade. Uninstall it \
             once more to remove the history, then install it."
        )),
        // Of one of ours it is known that nobody works on it: the Lease is the caller's now. Of another helm's it can
        // only be guessed, and uninstalling is the way out when it is dead.
        (OperationKind::Uninstall, status)
            if status.is_pending()
                && !is_old(latest, now)
                && !before.is_some_and(|ours| is_own(ours, latest)) =>
        {
            conflict(format!(
                "Another helm has been at work on {name} ({status}) for less than {minutes} minutes. Wait for it, \
                 or uninstall the release when it stays so.",
                status = status.as_str(),
                minutes = STUCK_AFTER_MS / 60_000
            ))
        }
        _ => Ok(Some(latest.revision)),
    }
}

fn is_old(record: &RecordMeta, now: Timestamp) -> bool {
    record.created.is_none_or(|created| now.since(created) > STUCK_AFTER_MS)
}

#[cfg(test)]
mod tests {
    use OperationKind::{Install, Uninstall, Upgrade};
    use app::model::{OperationId, OperationState};

    use super::*;
    use crate::operations::fakes::{operation, record};

    const NOW: Timestamp = Timestamp(100 * 60_000);

    fn verdict(kind: OperationKind, records: &[RecordMeta], before: Option<&Operation>) -> String {
        match check(kind, &ReleaseKey::new("ns", "web"), records, before, NOW) {
            Ok(Some(revision)) => format!("over {revision}"),
            Ok(None) => "new".into(),
            Err(error) => error.title().to_lowercase(),
        }
    }

    #[test]
    fn each_verb_is_checked_against_the_latest_record() {
        for (status, install, upgrade, uninstall) in [
            (RecordStatus::Deployed, "conflict", "over 3", "over 3"),
            (RecordStatus::Failed, "conflict", "over 3", "over 3"),
            (RecordStatus::Uninstalled, "conflict", "conflict", "over 3"),
            (RecordStatus::Uninstalling, "conflict", "conflict", "over 3"),
            (RecordStatus::PendingInstall, "conflict", "conflict", "conflict"),
            (RecordStatus::PendingUpgrade, "conflict", "conflict", "conflict"),
            (RecordStatus::PendingRollback, "conflict", "conflict", "conflict"),
            (RecordStatus::Superseded, "conflict", "over 3", "over 3"),
        ] {
            let fresh = RecordMeta { created: Some(NOW), ..record(3, status) };
            let records = [fresh, record(2, RecordStatus::Superseded)];
            let told = [Install, Upgrade, Uninstall].map(|kind| verdict(kind, &records, None));
            assert_eq!(told, [install, upgrade, uninstall], "{status:?}");
        }
        let told = [Install, Upgrade, Uninstall].map(|kind| verdict(kind, &[], None));
        assert_eq!(told, ["new", "not found", "not found"]);
    }

    #[test]
    fn a_release_that_a_dead_helm_left_pending_can_be_uninstalled() {
        let pending = record(1, RecordStatus::PendingInstall);
        let old = RecordMeta { created: Some(Timestamp(0)), ..pending.clone() };
        assert_eq!(verdict(Uninstall, &[old], None), "over 1");
        let ours = RecordMeta { created: Some(NOW), operation: Some(OperationId("a".into())), ..pending };
        let before = operation("a", OperationState::Interrupted);
        assert_eq!(verdict(Uninstall, std::slice::from_ref(&ours), Some(&before)), "over 1");
        // helm hands our label on to the revisions that others write after ours.
        let theirs = RecordMeta { revision: 2, ..ours };
        assert_eq!(verdict(Uninstall, &[theirs], Some(&before)), "conflict");
    }
}
