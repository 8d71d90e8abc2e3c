//! The rows of a timeline, from what is known of an operation, a record and live objects. Pure.

use app::model::{
    Health, Operation, OperationKind, OperationState, RecordStatus, ReleaseRecord, RowKind, RowState,
    Timeline, TimelineRow, Timestamp,
};

use super::words::{failure, longest};
use crate::releases::course::Coursed;
use crate::releases::manifest::HookState;

/// How many rows are told.
const ROWS_MAX: usize = 1_000;
/// How much earlier, by the cluster's clock and in its whole seconds, something may seem to have happened than it did.
const SLACK_MS: i64 = 2_000;

/// What a timeline is made of.
pub(super) struct Seen<'a> {
    /// The operation, where it was one of ours.
    pub operation: Option<&'a Operation>,
    /// The newest record; none before helm has written one.
    pub record: Option<&'a ReleaseRecord>,
    /// The objects of that record's manifest.
    pub objects: &'a [Coursed],
    /// The custom resource definitions that the chart brings.
    pub definitions: &'a [Definition],
    pub now: Timestamp,
}

/// A custom resource definition.
pub(super) struct Definition {
    pub name: String,
    /// When it was made; none where that cannot be seen.
    pub created: Option<Timestamp>,
}

/// The timeline.
pub(super) fn of(seen: &Seen<'_>) -> Timeline {
    let begin = seen.begin();
    let mut rows = Vec::new();
    rows.extend(seen.operation.and_then(queue));
    rows.extend(seen.operation.into_iter().flat_map(attempts));
    rows.extend(seen.preparation());
    rows.extend(seen.definitions.iter().map(|definition| seen.definition(definition, begin)));
    let (hooks, objects): (Vec<_>, Vec<_>) = seen.objects.iter().partition(|object| object.hook.is_some());
    rows.extend(hooks.into_iter().filter_map(|object| seen.hook(object, begin)));
    rows.extend(objects.into_iter().map(|object| seen.resource(object, begin)));
    // What has no time comes last; a sort that keeps the manifest's order among equals.
    rows.sort_by_key(|row| (row.kind, row.start.is_none(), row.start));
    let left_out = u32::try_from(rows.len().saturating_sub(ROWS_MAX)).unwrap_or(u32::MAX);
    rows.truncate(ROWS_MAX);
    let times = || rows.iter().flat_map(|row| [row.start, row.end]).flatten();
    let is_running = rows.iter().any(|row| row.state == RowState::Running);
    let last = if is_running { Some(seen.now) } else { times().max() };
    Timeline {
        now: Some(seen.now),
        operation: seen.operation.map(|operation| operation.id.clone()),
        revision: seen.record.map(|record| record.revision),
        from: times().min(),
        to: last.max(times().max()),
        headline: seen.operation.and_then(failure).or_else(|| longest(&rows, seen.now)),
        rows,
        left_out,
    }
}

impl Seen<'_> {
    /// When it began; what is of before has nothing to do with it.
    fn begin(&self) -> Timestamp {
        let record = || self.record.and_then(|record| record.created);
        let deployed = || self.record?.detail.summary()?.last_deployed;
        let begin = self.operation.map(|operation| operation.created).or_else(record).or_else(deployed);
        Timestamp(begin.map_or(i64::MAX, |begin| begin.0.saturating_sub(SLACK_MS)))
    }

    fn is_active(&self) -> bool {
        match self.operation {
            Some(operation) => !operation.state.is_terminal(),
            None => self.record.is_some_and(|record| record.status.is_pending()),
        }
    }

    /// Whether it ended before all was done.
    fn has_failed(&self) -> bool {
        match self.operation {
            Some(operation) => operation.state.is_terminal() && operation.state != OperationState::Succeeded,
            None => self.record.is_some_and(|record| record.status == RecordStatus::Failed),
        }
    }

    fn skips_hooks(&self) -> bool {
        self.operation.is_some_and(|operation| operation.options.skip_hooks)
    }

    /// When the operation was over, if it is.
    fn ended(&self) -> Option<Timestamp> {
        self.operation.and_then(Operation::ended)
    }

    /// From the start of the helm that wrote the record to the record.
    fn preparation(&self) -> Option<TimelineRow> {
        let operation = self.operation.filter(|operation| operation.kind.takes_chart())?;
        let record = self.record.filter(|record| operation.base_revision.unwrap_or(0) < record.revision);
        let wrote = record.and_then(|record| record.created);
        let attempt = operation
            .attempts
            .iter()
            .rfind(|attempt| wrote.is_none_or(|wrote| attempt.started.0 <= wrote.0.saturating_add(1_000)))?;
        let (end, state) = match (wrote, attempt.ended) {
            (Some(wrote), _) => (Some(wrote.max(attempt.started)), RowState::Done),
            (None, None) => (None, RowState::Running),
            (None, Some(ended)) => (Some(ended), RowState::Failed),
        };
        let note = if state == RowState::Failed { "Helm wrote no record." } else { "" };
        let row =
            plain(RowKind::Preparation, "Fetch and render the chart", Some(attempt.started), end, state);
        Some(TimelineRow { note: note.to_owned(), ..row })
    }

    fn definition(&self, definition: &Definition, begin: Timestamp) -> TimelineRow {
        let label = format!("CustomResourceDefinition {}", definition.name);
        let (start, state, note) = match definition.created {
            Some(created) if created >= begin => {
                (Some(created), RowState::Done, "When it was established is not kept.")
            }
            Some(_) => (None, RowState::Unknown, "It was there before, and helm leaves those as they are."),
            None if self.is_active() => (None, RowState::Waiting, ""),
            None => (None, RowState::Unknown, "It cannot be seen."),
        };
        TimelineRow { note: note.to_owned(), ..plain(RowKind::Definition, &label, start, None, state) }
    }

    /// A hook, if it ran in this operation or is to run.
    fn hook(&self, object: &Coursed, begin: Timestamp) -> Option<TimelineRow> {
        let HookState { events, phase, started, ended } = object.hook.as_ref()?;
        let ran = started.filter(|started| *started >= begin);
        let is_due = events.iter().any(|event| self.is_due(event));
        let (state, note) = match (phase.as_str(), ran) {
            (_, None) if is_due && self.is_active() => (RowState::Waiting, ""),
            (_, None) if is_due && self.skips_hooks() => (RowState::Waiting, "The hooks were skipped."),
            (_, None) if is_due && self.has_failed() => {
                (RowState::Waiting, "Not reached: the operation ended before it.")
            }
            (_, None) if is_due => (RowState::Unknown, "When it ran is not kept."),
            (_, None) => return None,
            ("Succeeded", _) => (RowState::Done, ""),
            ("Failed", _) => (RowState::Failed, ""),
            (_, _) if ended.is_some() => (RowState::Unknown, "What came of it is not kept."),
            (_, _) if self.is_active() => (RowState::Running, ""),
            (_, _) => (RowState::Unknown, "Helm ended before it did."),
        };
        let row = plain(RowKind::Hook, &label(object), ran, ended.filter(|_| ran.is_some()), state);
        let why = [events.join(", ").as_str(), note].join(": ");
        Some(TimelineRow {
            object: Some(object.object.clone()),
            source: object.source.clone(),
            note: why.trim_end_matches(": ").to_owned(),
            ..row
        })
    }

    /// Whether hooks with this event are run by the operation.
    fn is_due(&self, event: &str) -> bool {
        let kind = self.operation.map(|operation| operation.kind);
        let kind = kind.unwrap_or(match self.record.map(|record| record.revision) {
            Some(1) => OperationKind::Install,
            _ => OperationKind::Upgrade,
        });
        match kind {
            OperationKind::Install => matches!(event, "pre-install" | "post-install"),
            OperationKind::Upgrade => matches!(event, "pre-upgrade" | "post-upgrade"),
            OperationKind::Rollback => matches!(event, "pre-rollback" | "post-rollback"),
            OperationKind::Uninstall => matches!(event, "pre-delete" | "post-delete"),
            OperationKind::Test => matches!(event, "test" | "test-success"),
            OperationKind::MarkFailed => false,
        }
    }

    fn resource(&self, object: &Coursed, begin: Timestamp) -> TimelineRow {
        let course = object.course;
        let start = [course.applied, course.created].into_iter().flatten().filter(|at| *at >= begin).min();
        let settled = course.settled.filter(|settled| start.is_some_and(|start| *settled >= start));
        // What was ready when it ended and became so again later did not take that long.
        let waited =
            self.operation.is_some_and(|it| it.options.wait && it.state == OperationState::Succeeded);
        let is_again = |settled: Timestamp| {
            waited && self.ended().is_some_and(|ended| settled.0 > ended.0.saturating_add(SLACK_MS))
        };
        let (end, state, note) = match (object.health, start) {
            (Health::Ready, None) if course.created.is_some() => {
                (None, RowState::Unknown, "It was there before and was not changed.")
            }
            (Health::Ready, None) => (None, RowState::Unknown, "Its times are not known."),
            (Health::Ready, Some(_)) => match settled {
                Some(settled) if is_again(settled) => (
                    None,
                    RowState::Done,
                    "It became ready again later; when it was first ready is not known.",
                ),
                Some(settled) => (Some(settled), RowState::Done, ""),
                None => (None, RowState::Done, "When it became ready is not known."),
            },
            (Health::Failed, _) => (settled, RowState::Failed, object.message.as_str()),
            (Health::Progressing | Health::Terminating, _) => {
                (None, RowState::Running, object.message.as_str())
            }
            (Health::Missing | Health::NotYet, _) if self.is_active() => (None, RowState::Waiting, ""),
            (Health::Missing | Health::NotYet | Health::Unknown, _) => {
                (None, RowState::Unknown, object.message.as_str())
            }
        };
        TimelineRow {
            object: Some(object.object.clone()),
            source: object.source.clone(),
            note: note.to_owned(),
            ..plain(RowKind::Resource, &label(object), start, end, state)
        }
    }
}

/// From its submission to its first attempt.
fn queue(operation: &Operation) -> Option<TimelineRow> {
    let first = operation.attempts.first().map(|attempt| attempt.started);
    let (end, state) = match (first, operation.ended()) {
        (Some(first), _) => (Some(first.max(operation.created)), RowState::Done),
        (None, Some(ended)) => (Some(ended), RowState::Done),
        (None, None) => (None, RowState::Running),
    };
    Some(plain(RowKind::Queue, "Wait for its turn", Some(operation.created), end, state))
}

fn attempts(operation: &Operation) -> Vec<TimelineRow> {
    let row = |attempt: &app::model::Attempt| {
        let is_last = attempt.number as usize == operation.attempts.len();
        let state = match (attempt.ended, &attempt.failure) {
            (None, _) if operation.state.is_terminal() => RowState::Unknown,
            (None, _) => RowState::Running,
            (Some(_), Some(_)) => RowState::Failed,
            (Some(_), None) if is_last && operation.state == OperationState::Failed => RowState::Failed,
            (Some(_), None) => RowState::Done,
        };
        let label = format!("Attempt {}", attempt.number);
        let end = attempt.ended.or(operation.ended());
        let note = attempt.failure.as_ref().map(|failure| failure.cause.clone()).unwrap_or_default();
        TimelineRow { note, ..plain(RowKind::Attempt, &label, Some(attempt.started), end, state) }
    };
    operation.attempts.iter().map(row).collect()
}

fn plain(
    kind: RowKind,
    label: &str,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    state: RowState,
) -> TimelineRow {
    TimelineRow {
        kind,
        label: label.to_owned(),
        object: None,
        source: String::new(),
        start,
        end,
        state,
        note: String::new(),
    }
}

fn label(object: &Coursed) -> String {
    format!("{} {}", object.object.kind, object.object.name)
}

#[cfg(test)]
mod tests;
