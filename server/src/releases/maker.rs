//! Which operation made a revision. Pure.

use std::sync::Arc;

use app::model::{Operation, OperationId, OperationKind};

use crate::kube::records::RecordMeta;

/// How much earlier or later, by the cluster's clock and in its whole seconds, something may seem to have happened than it did.
const SLACK_MS: i64 = 2_000;

/// Who made a revision, as far as is known.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Maker {
    /// This operation of ours.
    Ours(Arc<Operation>),
    /// One of ours that is not kept any more, by the record's label.
    Forgotten(OperationId),
    /// None of ours.
    Others,
}

/// Who made `record`; `operations` are those on its release that are still known. helm hands labels on to the next revision,
/// and a rollback takes over those of the revision that it goes back to: the label alone would name the wrong one.
pub(super) fn of(record: &RecordMeta, operations: &[Arc<Operation>]) -> Maker {
    let is_labelled = |operation: &Operation| record.operation.as_ref() == Some(&operation.id);
    let made = |operation: &&Arc<Operation>| match operation.kind {
        OperationKind::Install | OperationKind::Upgrade => {
            is_labelled(operation) && is_within(operation, record.revision)
        }
        // helm gives a rollback no label of ours: it is known by the revision that it left.
        OperationKind::Rollback => {
            operation.is_for_real() && is_within(operation, record.revision) && is_during(operation, record)
        }
        OperationKind::Uninstall | OperationKind::Test | OperationKind::MarkFailed => false,
    };
    match (operations.iter().find(made), &record.operation) {
        (Some(operation), _) => Maker::Ours(operation.clone()),
        (None, Some(label)) if !operations.iter().any(|it| it.id == *label) => {
            Maker::Forgotten(label.clone())
        }
        (None, _) => Maker::Others,
    }
}

/// Whether a revision is among those that came into being while the operation was at work.
fn is_within(operation: &Operation, revision: u32) -> bool {
    let first = operation.base_revision.unwrap_or(0) + 1;
    let last = operation.outcome.as_ref().map_or(Some(u32::MAX), |outcome| outcome.revision);
    last.is_some_and(|last| (first..=last).contains(&revision))
}

/// Whether the record was created while the operation was at work: a release that was uninstalled and made anew has the same
/// numbers again. What is not dated is believed.
fn is_during(operation: &Operation, record: &RecordMeta) -> bool {
    let Some(created) = record.created else { return true };
    let has_begun = created.0.saturating_add(SLACK_MS) >= operation.created.0;
    has_begun && operation.ended().is_none_or(|ended| created.0 <= ended.0.saturating_add(SLACK_MS))
}

#[cfg(test)]
mod tests {
    use app::model::{OperationState, Outcome, RecordStatus, Timestamp};

    use super::*;
    use crate::operations::fakes::operation;

    fn made(id: &str, kind: OperationKind, base: u32, left: Option<u32>) -> Arc<Operation> {
        let state = if left.is_some() { OperationState::Succeeded } else { OperationState::Running };
        let outcome = left.map(|left| Outcome {
            ended: Timestamp(9),
            revision: Some(left),
            failure: None,
            remark: None,
        });
        Arc::new(Operation {
            kind,
            created: Timestamp(0),
            base_revision: Some(base),
            outcome,
            ..operation(id, state)
        })
    }

    #[test]
    fn a_revision_is_its_own_operations_and_not_that_of_the_label_it_took_over() {
        use OperationKind::{Install, Rollback, Test, Upgrade};
        let kept = [
            made("a", Install, 0, Some(1)),
            made("b", Upgrade, 1, Some(2)),
            made("c", Rollback, 2, Some(3)),
            made("t", Test, 3, Some(3)),
        ];
        let running = made("d", Rollback, 4, None);
        for (case, revision, label, operations, maker) in [
            ("an install", 1, Some("a"), &kept[..], Some("a")),
            ("an upgrade", 2, Some("b"), &kept[..], Some("b")),
            ("a rollback has the label of where it went back to", 3, Some("a"), &kept[..], Some("c")),
            ("a rollback to a revision of others has none", 3, None, &kept[..], Some("c")),
            ("a rollback under way", 5, Some("a"), std::slice::from_ref(&running), Some("d")),
            ("what helm did elsewhere after ours", 4, Some("b"), &kept[..], None),
            ("what was there before", 4, None, std::slice::from_ref(&running), None),
        ] {
            let found = of(&record(revision, label), operations);
            match (maker, &found) {
                (Some(id), Maker::Ours(operation)) => assert_eq!(operation.id.0, id, "{case}"),
                (None, Maker::Others) => {}
                _ => panic!("{case}: {found:?}"),
            }
        }
    }

    #[test]
    fn a_rollback_made_no_revision_of_a_later_release_of_that_name() {
        let rollback = made("c", OperationKind::Rollback, 2, Some(3));
        let anew = RecordMeta { created: Some(Timestamp(9 + SLACK_MS + 1)), ..record(3, None) };
        assert_eq!(of(&anew, std::slice::from_ref(&rollback)), Maker::Others);
        let its_own = RecordMeta { created: Some(Timestamp(9)), ..record(3, None) };
        assert_eq!(of(&its_own, std::slice::from_ref(&rollback)), Maker::Ours(rollback.clone()));
    }

    #[test]
    fn what_the_label_names_may_be_forgotten() {
        let forgotten = Maker::Forgotten(OperationId("old".into()));
        assert_eq!(of(&record(1, Some("old")), &[]), forgotten);
    }

    fn record(revision: u32, label: Option<&str>) -> RecordMeta {
        RecordMeta {
            key: operation("a", OperationState::Queued).release,
            revision,
            status: RecordStatus::Deployed,
            created: None,
            changed: None,
            operation: label.map(|id| OperationId(id.into())),
            uid: String::new(),
            resource_version: String::new(),
        }
    }
}
