//! One row of the list, from what is known of a release.

use app::model::{
    ChartSource, Detail, Operation, OperationKind, Phase, RecordSummary, ReleaseKey, ReleaseRecord,
    ReleaseRow, Timestamp,
};

/// How long an operation that failed without leaving a record keeps its row, in milliseconds: until the user who
/// started it in the evening has seen it.
const REMEMBERED_MS: u64 = 24 * 60 * 60 * 1000;

/// The row of `key` at `now`; none if there is no such release to show. The list does not follow live resources, so an
/// operation's step is only as exact as the record tells.
pub fn row(
    key: &ReleaseKey,
    operation: Option<&Operation>,
    record: Option<&ReleaseRecord>,
    now: Timestamp,
) -> Option<ReleaseRow> {
    let phase = Phase::of(operation, record, None, now);
    if record.is_none() && !operation.is_some_and(|operation| is_remembered(operation, &phase, now)) {
        return None;
    }
    Some(ReleaseRow {
        key: key.clone(),
        phase,
        revision: record.map(|record| record.revision),
        status: record.map(|record| record.status),
        detail: record.map_or_else(|| asked_for(operation), |record| record.detail.clone()),
        updated: record.map_or_else(|| operation.map(operation_time), ReleaseRecord::updated),
    })
}

/// What an operation tells of a release that has no record: the chart that was asked for. Nothing more will come to be
/// known while there is none.
fn asked_for(operation: Option<&Operation>) -> Detail {
    let chart = operation.and_then(|operation| operation.chart.clone());
    Detail::Known(match chart {
        Some(ChartSource::Repository { name, version, .. } | ChartSource::Upload { name, version, .. }) => {
            RecordSummary { chart: Some(name), chart_version: Some(version), ..RecordSummary::default() }
        }
        Some(ChartSource::Oci { url, version }) => RecordSummary {
            chart: url.rsplit('/').next().map(str::to_owned),
            chart_version: Some(version),
            ..RecordSummary::default()
        },
        Some(ChartSource::Url { .. }) | None => RecordSummary::default(),
    })
}

/// Whether a release that has no record is still worth a row.
fn is_remembered(operation: &Operation, phase: &Phase, now: Timestamp) -> bool {
    let Some(outcome) = &operation.outcome else { return true };
    match phase {
        Phase::NotFound | Phase::Uninstalled => false,
        // Its last record is on its way to us.
        Phase::Working { .. } => true,
        // Had it left a record, somebody has removed that since.
        _ => {
            operation.kind != OperationKind::Uninstall
                && outcome.revision.is_none()
                && now.since(outcome.ended) < REMEMBERED_MS
        }
    }
}

fn operation_time(operation: &Operation) -> Timestamp {
    let attempt = operation.attempts.last().map(|attempt| attempt.ended.unwrap_or(attempt.started));
    operation.ended().or(attempt).unwrap_or(operation.created)
}

#[cfg(test)]
mod tests {
    use app::model::{OperationId, OperationOptions, OperationState, Outcome, RecordStatus};

    use super::*;

    const HOUR: i64 = 60 * 60 * 1000;

    #[test]
    fn a_row_without_a_record_names_the_chart_that_was_asked_for() {
        let mut failed = operation(OperationKind::Install, OperationState::Failed, None);
        failed.chart = Some(ChartSource::Repository {
            repository: "samples".into(),
            name: "web".into(),
            version: "9.9.9".into(),
        });
        let row = row(&failed.release, Some(&failed), None, Timestamp(1)).unwrap();
        let summary = row.detail.summary().unwrap();
        assert_eq!(
            (summary.chart.as_deref(), summary.chart_version.as_deref()),
            (Some("web"), Some("9.9.9"))
        );
    }

    fn operation(kind: OperationKind, state: OperationState, left: Option<u32>) -> Operation {
        Operation {
            id: OperationId("op".into()),
            kind,
            release: ReleaseKey::new("ns", "web"),
            chart: None,
            options: OperationOptions::default(),
            requested_by: "me".into(),
            idempotency_key: None,
            created: Timestamp(1),
            state,
            max_attempts: 1,
            next_attempt: None,
            attempts: vec![],
            base_revision: None,
            cancel: None,
            again: None,
            outcome: state.is_terminal().then_some(Outcome {
                ended: Timestamp(HOUR),
                revision: left,
                failure: None,
                remark: None,
            }),
        }
    }

    fn record() -> ReleaseRecord {
        ReleaseRecord {
            revision: 2,
            status: RecordStatus::Deployed,
            created: Some(Timestamp(5)),
            changed: None,
            operation: None,
            detail: Detail::Loading,
        }
    }

    #[test]
    fn a_release_without_a_record_has_a_row_while_that_is_news() {
        use OperationKind::{Install, Uninstall, Upgrade};
        use OperationState::{Cancelled, Failed, Queued, Running, Succeeded};
        let (soon, next_day) = (Timestamp(HOUR + 60_000), Timestamp(26 * HOUR));
        for (case, kind, state, left, now, shown) in [
            ("queued", Install, Queued, None, next_day, true),
            ("running", Install, Running, None, next_day, true),
            ("just failed", Install, Failed, None, soon, true),
            ("just cancelled", Install, Cancelled, None, soon, true),
            ("failed yesterday", Install, Failed, None, next_day, false),
            ("failed, and removed since", Install, Failed, Some(1), soon, false),
            ("installed, and removed since", Install, Succeeded, Some(1), soon, false),
            ("an upgrade of nothing", Upgrade, Failed, None, soon, true),
            ("uninstalled", Uninstall, Succeeded, None, soon, false),
            ("uninstalled by another", Uninstall, Failed, None, soon, false),
        ] {
            let operation = operation(kind, state, left);
            assert_eq!(row(&operation.release, Some(&operation), None, now).is_some(), shown, "{case}");
        }
    }

    #[test]
    fn neither_record_nor_operation_is_no_row() {
        assert_eq!(row(&ReleaseKey::new("ns", "web"), None, None, Timestamp(0)), None);
    }

    #[test]
    fn it_was_updated_when_helm_changed_it_whatever_was_done_with_it_since() {
        let key = ReleaseKey::new("ns", "web");
        let tested = operation(OperationKind::Test, OperationState::Succeeded, Some(2));
        let updated = |operation, record: Option<&ReleaseRecord>| {
            row(&key, operation, record, Timestamp(HOUR)).unwrap().updated
        };
        let mut record = record();
        assert_eq!(updated(Some(&tested), Some(&record)), Some(Timestamp(5)), "a payload not read yet");
        let last_deployed = Some(Timestamp(9));
        record.detail = Detail::Known(RecordSummary { last_deployed, ..RecordSummary::default() });
        for operation in [None, Some(&tested)] {
            assert_eq!(updated(operation, Some(&record)), last_deployed);
        }
        let deleted = Some(Timestamp(7 * HOUR));
        record.detail = Detail::Known(RecordSummary { last_deployed, deleted, ..RecordSummary::default() });
        assert_eq!(updated(Some(&tested), Some(&record)), deleted);
        let failed = operation(OperationKind::Install, OperationState::Failed, None);
        assert_eq!(
            updated(Some(&failed), None),
            Some(Timestamp(HOUR)),
            "without a record there is nothing else"
        );
    }
}
