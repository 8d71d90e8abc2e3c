//! Running interrupted installs and upgrades again without being asked, where the settings want that.

use std::sync::Arc;

use app::model::{Operation, OperationState};

use super::{Operations, now};

/// How often in a row. What takes its runner down each time is not to do that for ever.
const TIMES: usize = 2;
/// What was interrupted longer ago is left to people, in milliseconds: they may count on things as they are by now.
const YOUNG_MS: u64 = 60 * 60 * 1000;

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
        let is_young = operation.ended().is_some_and(|ended| now().since(ended) < YOUNG_MS);
        operation.state == OperationState::Interrupted
            && operation.kind.takes_chart()
            && operation.cancel.is_none()
            && is_young
            && self.launchers.of(&operation.options).is_ok()
            && self.times_resumed(operation) < TIMES
    }

    /// How many operations before this one it goes on from.
    fn times_resumed(&self, operation: &Operation) -> usize {
        let before = |of: &Operation| of.again.as_ref().and_then(|id| self.board.get(id));
        let mut chain = std::iter::successors(before(operation), |of| before(of));
        chain.by_ref().take(TIMES).count()
    }
}

#[cfg(test)]
mod tests {
    use app::model::{ChartSource, OperationId, OperationKind};

    use super::*;
    use crate::operations::fakes::{Room, operation};
    use crate::operations::{Input, Limits, OperationStore as _, ResolvedChart};

    /// A room with the interrupted operations `a`, `b`, …, each of which does the one before again.
    async fn room(kind: OperationKind, chain: &[&str]) -> Room {
        let room = Room::limited(Limits { resumes: true, ..Limits::default() });
        for (index, id) in chain.iter().enumerate() {
            let url = "https://example.com/web.tgz".to_owned();
            let chart = Some(ChartSource::Url { url: url.clone() });
            let mut interrupted = Operation { kind, chart, ..operation(id, OperationState::Interrupted) };
            interrupted.again = index.checked_sub(1).map(|before| OperationId(chain[before].into()));
            if let Some(outcome) = &mut interrupted.outcome {
                outcome.ended = now();
            }
            let stored = room.store.create(&interrupted, None).await.unwrap();
            let input = Input { chart: Some(ResolvedChart::Url { url }), values: "a: 1".into() };
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
