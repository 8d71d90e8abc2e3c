//! What can be done with a release, and the ways out of one that was left half way: what each would do is said before it is
//! done. Pure.

use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
pub use out::{again_effect, ways_out};

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum WayAction {
    /// The same operation once more, with what it was submitted with.
    Again,
    /// Back to an earlier revision.
    Rollback,
    /// The record becomes `failed`.
    MarkFailed,
    /// The release goes.
    Uninstall,
    /// Another version, or other values.
    Upgrade,
    /// The release's tests run.
    Test,
    /// What is under way ends early.
    Cancel,
}

/// One thing that can be done with a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Way {
    /// What can be done.
    pub action: WayAction,
    /// The revision to go back to, for a rollback.
    pub revision: Option<u32>,
    /// What it will do, in sentences for a person.
    pub effect: String,
    /// Why it cannot be done now; none if it can.
    pub why_not: Option<String>,
}

#[cfg(feature = "ssr")]
mod out {
    use super::{Way, WayAction};
    use crate::model::{Operation, OperationKind, OperationState, Phase, RecordStatus, ReleaseRecord};

    /// The ways out of `phase`, the one that is most likely wanted first. `deployed` is the highest revision below the record's
    /// that helm calls deployed.
    pub fn ways_out(
        phase: &Phase,
        operation: Option<&Operation>,
        record: Option<&ReleaseRecord>,
        deployed: Option<u32>,
    ) -> Vec<Way> {
        let status = record.map(|record| record.status);
        let is_pending = status.is_some_and(RecordStatus::is_pending);
        let (again, is_proven) = match phase {
            // Its helm could not say in the record that it failed, and is no more.
            Phase::Failed { kind: Some(_) } if is_pending => (operation, true),
            Phase::Interrupted { .. } => (operation, true),
            Phase::Cancelled { kind: OperationKind::Install | OperationKind::Upgrade } => (operation, true),
            Phase::Stuck { .. } => (None, false),
            _ => return vec![],
        };
        let again = again.filter(|operation| {
            operation.state.is_terminal() && operation.state != OperationState::Succeeded
        });
        let ways = [
            again.map(|operation| way(WayAction::Again, again_effect(operation, status))),
            record.zip(deployed).filter(|(record, to)| *to < record.revision).map(|(record, to)| {
                let (latest, next) = (record.revision, record.revision + 1);
                let mut effect = format!(
                    "Helm makes the cluster what revision {to} says, and records that as revision {next}."
                );
                if is_pending {
                    let status = record.status.as_str();
                    effect += &format!(" Revision {latest} stays {status} in the history.");
                }
                Way { revision: Some(to), ..way(WayAction::Rollback, effect) }
            }),
            record.filter(|_| is_pending).map(|record| way(
                WayAction::MarkFailed,
                format!(
                    "Slipway changes the status in Helm’s record of revision {} from {} to failed, and nothing else. No resource \
                     is touched; Helm takes upgrades of the release again.",
                    record.revision,
                    record.status.as_str()
                ),
            )),
            record.map(|_| way(
                WayAction::Uninstall,
                "Helm deletes the resources of the release, and its history.".to_owned(),
            )),
        ];
        let warning = " Nobody can know whether a Helm elsewhere is still at work on it: if one is, the two will spoil each \
                       other’s work.";
        let ways = ways.into_iter().flatten();
        ways.map(|way| if is_proven { way } else { Way { effect: way.effect + warning, ..way } }).collect()
    }

    fn way(action: WayAction, effect: String) -> Way {
        Way { action, revision: None, effect, why_not: None }
    }

    /// What running `operation` again does to a release whose record has this status.
    pub fn again_effect(operation: &Operation, status: Option<RecordStatus>) -> String {
        let asked = match operation.kind {
            OperationKind::Install | OperationKind::Upgrade => format!(
                "Helm runs the {} again, with the same chart, values and options.",
                operation.kind.noun().to_lowercase()
            ),
            kind => format!("Helm runs the {} again.", kind.noun().to_lowercase()),
        };
        match (operation.kind, status) {
            (kind, Some(status)) if kind.takes_chart() && status.is_pending() => {
                let first = format!(
                    "Slipway marks the {} record as failed first, as Helm would refuse it else.",
                    status.as_str()
                );
                [first, asked].join(" ")
            }
            (OperationKind::Install, Some(RecordStatus::Failed)) => {
                asked + " The new revision replaces the failed one (--replace); pre-install hooks run again."
            }
            _ => asked,
        }
    }

    #[cfg(test)]
    mod tests {
        use WayAction::{Again, MarkFailed, Rollback, Uninstall};

        use super::*;
        use crate::model::phase::tests::{operation, record};

        fn actions(ways: &[Way]) -> Vec<WayAction> {
            ways.iter().map(|way| way.action).collect()
        }

        #[test]
        fn an_interrupted_upgrade_has_every_way_out_and_says_what_each_does() {
            let ours = operation(OperationKind::Upgrade, OperationState::Interrupted, Some(1), Some(2));
            let phase = Phase::Interrupted { kind: OperationKind::Upgrade };
            let ways = ways_out(&phase, Some(&ours), Some(&record(2, RecordStatus::PendingUpgrade)), Some(1));
            assert_eq!(actions(&ways), [Again, Rollback, MarkFailed, Uninstall]);
            assert!(ways[0].effect.contains("as failed first"), "{}", ways[0].effect);
            assert!(ways[1].effect.contains("revision 1") && ways[1].effect.contains("as revision 3"));
            assert!(ways.iter().all(|way| !way.effect.contains("Nobody can know")));
        }

        #[test]
        fn a_foreign_stuck_release_has_ways_out_without_a_claim_of_proof() {
            let status = RecordStatus::PendingInstall;
            let ways = ways_out(&Phase::Stuck { status }, None, Some(&record(1, status)), None);
            assert_eq!(actions(&ways), [MarkFailed, Uninstall]);
            assert!(ways.iter().all(|way| way.effect.contains("Nobody can know")));
        }

        #[test]
        fn an_operation_that_failed_and_left_its_record_pending_has_ways_out() {
            let ours = operation(OperationKind::Install, OperationState::Failed, None, None);
            let phase = Phase::Failed { kind: Some(OperationKind::Install) };
            let ways = ways_out(&phase, Some(&ours), Some(&record(1, RecordStatus::PendingInstall)), None);
            assert_eq!(actions(&ways), [Again, MarkFailed, Uninstall]);
            assert_eq!(ways_out(&phase, Some(&ours), Some(&record(1, RecordStatus::Failed)), None), []);
        }

        #[test]
        fn an_install_that_was_interrupted_before_it_began_can_only_be_run_again() {
            let ours = operation(OperationKind::Install, OperationState::Interrupted, None, None);
            let ways =
                ways_out(&Phase::Interrupted { kind: OperationKind::Install }, Some(&ours), None, None);
            assert_eq!(actions(&ways), [Again]);
        }

        #[test]
        fn a_release_that_is_well_or_at_work_needs_no_way_out() {
            let deployed = record(1, RecordStatus::Deployed);
            for phase in [
                Phase::Deployed,
                Phase::Failed { kind: None },
                Phase::Queued { kind: OperationKind::Install },
            ] {
                assert_eq!(ways_out(&phase, None, Some(&deployed), None), []);
            }
        }
    }
}
