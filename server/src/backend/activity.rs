//! What is going on and what was lately, as every page can show it. It is asked for every few seconds by each open page, so
//! it is short, bounded, and nothing when it has not changed. It is not held until there is news: a browser has six
//! connections to a server without HTTP/2, and the pages' own long polls need them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use app::model::notice::{Host, step};
use app::model::{Activity, ApiError, Doing, Operation, Phase, Step, Timestamp, Version};
use app::port::Caller;

use super::World;

/// The most that are told of those under way; who has more of them looks at the list of releases.
const RUNNING_MAX: usize = 100;
/// The most that are told of those that have ended.
const ENDED_MAX: usize = 50;

impl World {
    /// The operations that the caller may know of, as far as they are news after `since`.
    pub(super) async fn lately(
        &self,
        caller: &Caller,
        since: Option<&Version>,
    ) -> Result<Activity, ApiError> {
        let (told, more) = picked(self.visible_operations(caller, None, None).await?);
        let now = self.clock.now();
        let doings: Vec<Doing> = told
            .iter()
            .map(|operation| {
                let phase = self.releases.phase(&operation.release).filter(Phase::is_active);
                let phase = phase.unwrap_or_else(|| Phase::of(Some(operation), None, None, now));
                let (place, host) =
                    (self.operations.place(&operation.id), self.operations.host(&operation.id));
                doing(operation, &phase, place, host.as_ref())
            })
            .collect();
        let version = version(&doings, more);
        let doings = (since != Some(&version)).then_some(doings);
        Ok(Activity { version, now, doings, more })
    }
}

/// Those that are told, and how many more are under way. Dry runs change nothing, and whoever wants one waits for it.
fn picked(all: Vec<Arc<Operation>>) -> (Vec<Arc<Operation>>, u32) {
    let (mut running, mut ended): (Vec<_>, Vec<_>) = all
        .into_iter()
        .filter(|operation| operation.is_for_real())
        .partition(|operation| !operation.state.is_terminal());
    let more = running.len().saturating_sub(RUNNING_MAX);
    running.truncate(RUNNING_MAX);
    ended.sort_by_key(|operation| std::cmp::Reverse(end(operation)));
    ended.truncate(ENDED_MAX);
    running.extend(ended);
    (running, u32::try_from(more).unwrap_or(u32::MAX))
}

fn end(operation: &Operation) -> Timestamp {
    operation.ended().unwrap_or(operation.created)
}

fn doing(operation: &Operation, phase: &Phase, place: Option<u32>, host: Option<&Host>) -> Doing {
    Doing {
        id: operation.id.clone(),
        kind: operation.kind,
        release: operation.release.clone(),
        state: operation.state,
        requested_by: operation.requested_by.clone(),
        created: operation.created,
        ended: operation.ended(),
        attempt: u32::try_from(operation.attempts.len()).unwrap_or(u32::MAX),
        max_attempts: operation.max_attempts,
        line: line(operation, phase, place, host),
        can_cancel: operation.cancel.is_none() && operation.why_not_cancel().is_none(),
    }
}

fn line(operation: &Operation, phase: &Phase, place: Option<u32>, host: Option<&Host>) -> String {
    if let Some(outcome) = &operation.outcome {
        let cause = outcome.failure.as_ref().map(|failure| failure.cause.clone());
        return cause.or_else(|| outcome.remark.clone()).unwrap_or_default();
    }
    // Whether they are there already only those know who follow the release's resources, and here nobody does.
    let is_between = matches!(phase, Phase::Working { step: Step::Applying, .. });
    if is_between && operation.cancel.is_none() {
        return "Creating resources and waiting for them".to_owned();
    }
    step(phase, Some(operation), place, host).unwrap_or_default()
}

/// A name for just these operations as they stand; the same on every server.
fn version(doings: &[Doing], more: u32) -> Version {
    let mut hasher = DefaultHasher::new();
    more.hash(&mut hasher);
    for doing in doings {
        (&doing.id, doing.state, doing.ended, doing.attempt, &doing.line, doing.can_cancel).hash(&mut hasher);
    }
    Version(format!("{:x}", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use app::model::OperationKind;
    use app::model::OperationState::{Failed, Queued, Running, Succeeded};
    use app::model::failure::{Failure, FailureClass};
    use app::model::operation::Outcome;

    use super::*;
    use crate::operations::fakes::operation;

    fn ended(id: &str, at: i64) -> Arc<Operation> {
        let outcome = Outcome { ended: Timestamp(at), revision: None, failure: None, remark: None };
        Arc::new(Operation { outcome: Some(outcome), ..operation(id, Succeeded) })
    }

    fn ids(told: &[Arc<Operation>]) -> Vec<&str> {
        told.iter().map(|operation| operation.id.0.as_str()).collect()
    }

    #[test]
    fn what_is_under_way_comes_first_and_then_what_ended_last() {
        let mut dry = operation("dry", Running);
        dry.options.dry_run = true;
        let all = vec![Arc::new(dry), ended("a", 5), ended("b", 9), Arc::new(operation("c", Queued))];
        let (told, more) = picked(all);
        assert_eq!((ids(&told), more), (vec!["c", "b", "a"], 0));
    }

    #[test]
    fn however_many_there_are_a_bounded_number_is_told() {
        let running = (0..RUNNING_MAX + 7).map(|at| Arc::new(operation(&format!("r{at:04}"), Running)));
        let over = (0..ENDED_MAX + 9).map(|at| ended(&format!("e{at:04}"), i64::try_from(at).unwrap()));
        let (told, more) = picked(running.chain(over).collect());
        assert_eq!((told.len(), more), (RUNNING_MAX + ENDED_MAX, 7));
        assert_eq!(told.last().unwrap().ended(), Some(Timestamp(9)), "the oldest make room");
    }

    #[test]
    fn one_line_says_what_goes_on_or_what_went_wrong() {
        let working =
            |step| Phase::Working { kind: OperationKind::Install, step, attempt: 1, max_attempts: 3 };
        let running = operation("a", Running);
        let said = |phase: &Phase, place| line(&running, phase, place, None);
        assert_eq!(said(&working(Step::Preparing), None), "Fetching and rendering the chart");
        assert_eq!(said(&working(Step::Applying), None), "Creating resources and waiting for them");
        assert_eq!(said(&Phase::Queued { kind: OperationKind::Install }, Some(3)), "3rd in line");
        let failure = Failure::new(FailureClass::Permanent, "The chart is not there.", "");
        let outcome = Outcome { ended: Timestamp(1), revision: None, failure: Some(failure), remark: None };
        let failed = Operation { outcome: Some(outcome), ..operation("a", Failed) };
        let phase = Phase::Failed { kind: Some(OperationKind::Install) };
        assert_eq!(line(&failed, &phase, None, None), "The chart is not there.");
    }

    #[test]
    fn each_change_that_is_shown_is_another_version() {
        let phase = Phase::Queued { kind: OperationKind::Install };
        let told = |state| version(&[doing(&operation("a", state), &phase, None, None)], 0);
        assert_eq!(told(Queued), told(Queued));
        assert_ne!(told(Queued), told(Running));
        assert_ne!(version(&[], 0), version(&[], 1));
    }
}
