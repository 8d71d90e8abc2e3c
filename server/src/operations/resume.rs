//! Running interrupted installs and upgrades again without being asked, where the settings want that.

use std::sync::Arc;

use app::model::{FailureClass, Operation, OperationState};

use super::Operations;

/// How often in a row. What takes its runner down each time is not to do that for ever.
const TIMES: usize = 2;
/// What began longer ago is left to people, in milliseconds: they may count on things as they are by now. When a server that
/// was away itself finds it interrupted says nothing about that.
const YOUNG_MS: u64 = 3 * 60 * 60 * 1000;

impl Operations {
    /// Submits what was interrupted lately once more. An outcome `interrupted` is its own proof that nobody works on it.
    pub(super) async fn resume(&self) {
        if !self.limits.resumes {
            return;
        }
        for operation in
            self.board.all_latest(None).into_iter().filter(|operation| self.is_to_resume(operation))
        {
            // Twice is once: the key is made of the operation's id.
            match self.again(&operation.requested_by, &operation.id).await {
                Ok(accepted) => {
                    tracing::info!(operation = %operation.id, again = %accepted.id, "an interrupted operation is run again");
                }
                Err(error) => {
                    tracing::warn!(operation = %operation.id, %error, "an interrupted operation cannot be run again now");
                }
            }
        }
    }

    fn is_to_resume(&self, operation: &Arc<Operation>) -> bool {
        let is_young =
            operation.attempts.last().is_some_and(|last| self.clock.now().since(last.started) < YOUNG_MS);
        // A helm that failed for a reason of its own, and could not write that down, would only do it again.
        let is_interrupted =
            operation.failure().is_some_and(|failure| failure.class == FailureClass::Interrupted);
        operation.state == OperationState::Interrupted
            && is_interrupted
            && operation.kind.takes_chart()
            && operation.cancel.is_none()
            && is_young
            && self.can_launch(operation)
            && self.times_resumed(operation) < TIMES
    }

    /// How many operations before this one it goes on from. One that is not kept any more stands for many.
    fn times_resumed(&self, operation: &Operation) -> usize {
        let mut before = operation.again.clone();
        for times in 0..TIMES {
            let Some(id) = before else { return times };
            let Some(found) = self.board.get(&id) else { return TIMES };
            before = found.again.clone();
        }
        TIMES
    }
}

#[cfg(test)]
mod tests {
    use app::model::{ChartSource, Failure, OperationId, OperationKind, OperationOptions, RunnerKind};

    use super::*;
    use crate::operations::fakes::{FakeLauncher, Room, operation};
    use crate::operations::{Input, Limits, OperationStore as _, ResolvedChart, Stored};

    /// A room with the interrupted operations `a`, `b`, …, each of which does the one before again.
    async fn room(kind: OperationKind, chain: &[&str]) -> Room {
        let room = Room::limited(Limits { resumes: true, ..Limits::default() });
        for (index, id) in chain.iter().enumerate() {
            let url = "https://example.com/web.tgz".to_owned();
            let chart = Some(ChartSource::Url { url: url.clone() });
            let mut interrupted = Operation { kind, chart, ..operation(id, OperationState::Interrupted) };
            interrupted.again = index.checked_sub(1).map(|before| OperationId(chain[before].into()));
            if let Some(outcome) = &mut interrupted.outcome {
                interrupted.attempts[0].started = room.operations.clock.now();
                outcome.failure = Some(Failure::new(FailureClass::Interrupted, "its runner is gone", ""));
            }
            let stored = room.store.create(&interrupted, None).await.unwrap();
            let input = Input::new(Some(ResolvedChart::Url { url }.into()), "a: 1".into());
            room.store.put_input(&stored, &input).await.unwrap();
            room.operations.board.wrote(&stored);
        }
        room
    }

    fn queued(room: &Room) -> Vec<Operation> {
        let all = room.store.all().into_iter();
        all.filter(|operation| operation.state == OperationState::Queued).collect()
    }

    #[tokio::test]
    async fn an_interrupted_install_is_run_again_once_with_what_it_was_submitted_with() {
        let room = room(OperationKind::Install, &["a"]).await;
        room.operations.resume().await;
        room.operations.resume().await;
        let queued = queued(&room);
        assert_eq!(queued.len(), 1);
        assert_eq!(queued[0].again, Some(OperationId("a".into())));
        assert!(queued[0].options.take_over);
        assert_eq!(room.store.input(&queued[0].id).await.unwrap().values, "a: 1");
    }

    #[tokio::test]
    async fn what_failed_for_a_reason_of_its_own_is_not_run_again() {
        let room = room(OperationKind::Install, &["a"]).await;
        let stored = room.store.get(&OperationId("a".into())).await.unwrap();
        let mut failed = stored.operation.clone();
        failed.outcome.as_mut().unwrap().failure = Some(Failure::told_by_helm(
            "Error: INSTALLATION FAILED: cannot re-use a name that is still in use",
        ));
        room.operations.board.wrote(&Stored { operation: failed, resource_version: "99".into(), ..stored });
        room.operations.resume().await;
        assert!(queued(&room).is_empty());
    }

    #[tokio::test]
    async fn another_users_is_left_to_their_server_unless_a_job_has_rights_of_its_own() {
        for (runner, jobs, expected) in
            [(RunnerKind::Process, true, 0), (RunnerKind::Job, false, 0), (RunnerKind::Job, true, 1)]
        {
            let limits = Limits { resumes: true, ..Limits::default() };
            let room = Room::with(|operations| {
                let operations = operations.limited(limits);
                let launcher = Arc::new(FakeLauncher::default());
                if jobs { operations.with_jobs(launcher, RunnerKind::Process) } else { operations }
            });
            let url = "https://example.com/web.tgz".to_owned();
            let chart = Some(ChartSource::Url { url: url.clone() });
            let options = OperationOptions { runner: Some(runner), ..OperationOptions::default() };
            let before = operation("a", OperationState::Interrupted);
            let mut theirs = Operation { requested_by: "bob".into(), chart, options, ..before };
            theirs.attempts[0].started = room.operations.clock.now();
            let failure = Failure::new(FailureClass::Interrupted, "its runner is gone", "");
            theirs.outcome.as_mut().unwrap().failure = Some(failure);
            let stored = room.store.create(&theirs, None).await.unwrap();
            let input = Input::new(Some(ResolvedChart::Url { url }.into()), String::new());
            room.store.put_input(&stored, &input).await.unwrap();
            room.operations.board.wrote(&stored);
            room.operations.resume().await;
            assert_eq!(queued(&room).len(), expected, "{runner:?} {jobs}");
        }
    }

    #[tokio::test]
    async fn what_is_interrupted_each_time_is_left_to_people() {
        for (chain, expected) in [(&["a", "b"][..], 1), (&["a", "b", "c"][..], 0)] {
            let room = room(OperationKind::Install, chain).await;
            room.operations.resume().await;
            assert_eq!(queued(&room).len(), expected, "{chain:?}");
        }
    }

    #[tokio::test]
    async fn nothing_is_run_again_that_could_do_harm_or_where_the_settings_do_not_want_it() {
        let rolled_back = room(OperationKind::Rollback, &["a"]).await;
        rolled_back.operations.resume().await;
        assert!(queued(&rolled_back).is_empty());
        let unasked = Room::new();
        let stored = unasked.store.create(&operation("a", OperationState::Interrupted), None).await.unwrap();
        unasked.operations.board.wrote(&stored);
        unasked.operations.resume().await;
        assert!(queued(&unasked).is_empty());
    }
}
