//! What can be done with a release as it is: what each would do, and why not, where it cannot be done. Pure.

use super::way::again_effect;
use super::{Operation, OperationState, Phase, RecordStatus, ReleaseRecord, Way, WayAction};

/// What the menu of a release offers, in its order.
pub fn actions(phase: &Phase, operation: Option<&Operation>, record: Option<&ReleaseRecord>) -> Vec<Way> {
    let running = operation.filter(|operation| !operation.state.is_terminal());
    let status = record.map(|record| record.status);
    let is_gone = matches!(phase, Phase::Uninstalled | Phase::NotFound);
    let gone = || {
        let why = "It is uninstalled; install it again from the catalog.";
        (is_gone || status == Some(RecordStatus::Uninstalled)).then_some(why)
    };
    let no_record = || record.is_none().then_some("Helm has no record of this release.");
    let pending = || {
        let is_pending = status.is_some_and(RecordStatus::is_pending);
        is_pending.then_some("Helm refuses while the record is pending. The details show the ways out.")
    };
    let unfinished = || {
        let why = "Its uninstall is not finished. Uninstall it again.";
        (status == Some(RecordStatus::Uninstalling)).then_some(why)
    };
    let first = || {
        let is_first = record.is_some_and(|record| record.revision <= 1);
        is_first.then_some("There is no earlier revision to go back to.")
    };
    let ready = || gone().or_else(no_record).or_else(pending).or_else(unfinished);
    let busy = busy(phase);
    let offer = |action, effect: &str, why_not: Option<&'static str>| Way {
        action,
        revision: None,
        effect: effect.to_owned(),
        why_not: busy.or(why_not).map(str::to_owned),
    };
    let uninstall = if status == Some(RecordStatus::Uninstalled) {
        "Helm removes the history that was kept. This cannot be undone."
    } else {
        "Helm deletes the resources of the release, and its history unless it is kept. This cannot be undone."
    };
    let nothing_left = || (is_gone && record.is_none()).then_some("It is uninstalled already.");
    let mut all = vec![
        offer(WayAction::Upgrade, "", ready()),
        offer(WayAction::Rollback, "", no_record().or_else(first)),
        offer(
            WayAction::Test,
            "Helm runs the tests that the chart has for this release, and waits for their end. What they say is in the \
             operation’s log.",
            ready(),
        ),
        offer(WayAction::Uninstall, uninstall, nothing_left().or_else(no_record)),
    ];
    let failed = operation.filter(|operation| {
        operation.state == OperationState::Failed && matches!(phase, Phase::Failed { .. } | Phase::Deployed)
    });
    all.extend(failed.map(|operation| offer(WayAction::Again, &again_effect(operation, status), None)));
    all.extend(running.map(|operation| Way {
        action: WayAction::Cancel,
        revision: None,
        effect: cancel_effect(operation).to_owned(),
        why_not: match &operation.cancel {
            Some(cancel) => Some(format!("{} has asked for it already.", cancel.by)),
            None => operation.why_not_cancel().map(str::to_owned),
        },
    }));
    all
}

/// Why nothing can be started while something is under way.
fn busy(phase: &Phase) -> Option<&'static str> {
    match phase {
        Phase::Pending { .. } => {
            Some("A Helm outside of Slipway may be at work on it. The details say more.")
        }
        phase if phase.is_active() => Some("An operation is under way. Wait for its end."),
        _ => None,
    }
}

fn cancel_effect(operation: &Operation) -> &'static str {
    match operation.state {
        OperationState::Queued => "It has not begun: nothing was changed, and nothing will be.",
        OperationState::Retrying => {
            "Nothing more is tried. What was created or changed so far stays as it is."
        }
        _ => {
            "Helm is told to stop. It has 30 seconds to end cleanly and to record that it failed; after that it is \
             killed. What was created or changed so far stays as it is."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::OperationKind;
    use crate::model::operation::Cancel;
    use crate::model::phase::tests::{operation, record};
    use crate::model::{Step, Timestamp};

    /// Which actions are on offer and possible.
    fn possible(
        phase: &Phase,
        operation: Option<&Operation>,
        record: Option<&ReleaseRecord>,
    ) -> Vec<WayAction> {
        let all = actions(phase, operation, record);
        all.into_iter().filter(|way| way.why_not.is_none()).map(|way| way.action).collect()
    }

    #[test]
    fn a_release_that_is_well_takes_everything() {
        use WayAction::{Rollback, Test, Uninstall, Upgrade};
        let deployed = |revision| record(revision, RecordStatus::Deployed);
        assert_eq!(possible(&Phase::Deployed, None, Some(&deployed(1))), [Upgrade, Test, Uninstall]);
        assert_eq!(
            possible(&Phase::Deployed, None, Some(&deployed(2))),
            [Upgrade, Rollback, Test, Uninstall]
        );
    }

    #[test]
    fn while_something_is_under_way_only_cancelling_is_possible() {
        let working = |kind| Phase::Working { kind, step: Step::Applying, attempt: 1, max_attempts: 1 };
        for (kind, expected) in [
            (OperationKind::Install, vec![WayAction::Cancel]),
            (OperationKind::Upgrade, vec![WayAction::Cancel]),
            (OperationKind::Rollback, vec![]),
            (OperationKind::Uninstall, vec![]),
        ] {
            let ours = operation(kind, OperationState::Running, Some(2), None);
            let deployed = record(2, RecordStatus::Deployed);
            assert_eq!(possible(&working(kind), Some(&ours), Some(&deployed)), expected, "{kind:?}");
        }
    }

    #[test]
    fn a_wish_to_cancel_is_made_once() {
        let kind = OperationKind::Install;
        let mut ours = operation(kind, OperationState::Running, None, None);
        ours.cancel = Some(Cancel { by: "ada".into(), at: Timestamp(0) });
        let working = Phase::Working { kind, step: Step::Applying, attempt: 1, max_attempts: 1 };
        let cancel = actions(&working, Some(&ours), None).pop().unwrap();
        assert_eq!(cancel.why_not.as_deref(), Some("ada has asked for it already."));
    }

    #[test]
    fn what_failed_can_be_run_again() {
        let kind = OperationKind::Install;
        let ours = operation(kind, OperationState::Failed, None, Some(1));
        let failed = record(1, RecordStatus::Failed);
        let all = actions(&Phase::Failed { kind: Some(kind) }, Some(&ours), Some(&failed));
        let again = all.iter().find(|way| way.action == WayAction::Again).unwrap();
        assert!(again.effect.contains("--replace"), "{}", again.effect);
    }

    #[test]
    fn a_kept_history_can_be_rolled_back_to_or_removed() {
        let kept = record(2, RecordStatus::Uninstalled);
        let expected = [WayAction::Rollback, WayAction::Uninstall];
        assert_eq!(possible(&Phase::Uninstalled, None, Some(&kept)), expected);
        assert_eq!(possible(&Phase::Uninstalled, None, None), []);
    }

    #[test]
    fn a_stuck_record_takes_no_upgrade_and_no_test() {
        let status = RecordStatus::PendingUpgrade;
        let expected = [WayAction::Rollback, WayAction::Uninstall];
        assert_eq!(possible(&Phase::Stuck { status }, None, Some(&record(2, status))), expected);
    }
}
