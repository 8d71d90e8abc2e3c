use OperationState::{Failed, Queued, Retrying, Running};
use app::model::{Attempt, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::operations::fakes::operation;

/// An operation on a release in `namespace`; one that is not queued was started at second `started`.
fn in_namespace(namespace: &str, id: &str, state: OperationState, started: i64) -> Arc<Operation> {
    let mut operation = operation(id, state);
    operation.release.namespace = namespace.into();
    operation.release.name = id.into();
    if state != Queued {
        operation.attempts.clear();
        operation.attempts.push(Attempt {
            number: 1,
            started: Timestamp(started * 1000),
            ended: None,
            exit_code: None,
            failure: None,
            revision: None,
            evidence: vec![],
        });
    }
    Arc::new(operation)
}

/// `a1` is queued in namespace `a`, `a2+5` was started there at second 5 and runs, `a3~5` has been tried and is retried,
/// `a4-5` is over.
fn parse(words: &str) -> Vec<Arc<Operation>> {
    let of = |word: &str| {
        let (name, state, started) = match word.find(['+', '-', '~']) {
            None => (word, Queued, "0"),
            Some(at) => {
                let state = match &word[at..=at] {
                    "+" => Running,
                    "~" => Retrying,
                    _ => Failed,
                };
                (&word[..at], state, &word[at + 1..])
            }
        };
        in_namespace(&name[..1], &name[1..], state, started.parse().unwrap())
    };
    words.split_whitespace().map(of).collect()
}

/// The ids that may start, a bar, and those that wait.
fn shown(operations: &[Arc<Operation>], launched: &[&str], most: usize) -> String {
    let launched = launched.iter().map(|id| OperationId((*id).into())).collect();
    let plan = plan(operations, &launched, most);
    let ids = |ids: &[OperationId]| ids.iter().map(|id| id.0.clone()).collect::<Vec<_>>().join(" ");
    format!("{} | {}", ids(&plan.start), ids(&plan.waiting))
}

#[test]
fn the_queue_as_a_table() {
    for (operations, most, expected) in [
        ("", 2, " | "),
        // First come first served.
        ("a1 a2 a3", 1, "1 | 2 3"),
        ("a3 a1 a2", 2, "1 2 | 3"),
        ("a1 b2 c3", 9, "1 2 3 | "),
        // What is at work, or is to be tried again, has its place.
        ("a1+5 a2 a3", 1, " | 2 3"),
        ("a1~5 a2 a3", 2, "2 | 3"),
        ("a1-5 a2 a3", 1, "2 | 3"),
        // More than allowed, after the setting was lowered.
        ("a1+1 a2+1 a3+1 a4", 2, " | 4"),
        // The namespaces have their turns, however many one of them has queued.
        ("a1 a2 a3 a4 b5 b6", 1, "1 | 5 2 6 3 4"),
        ("a1 a2 a3 a4 b5 c6", 3, "1 5 6 | 2 3 4"),
        // The one with the fewest at work goes first.
        ("a1+1 a2+1 b3+1 a4 b5", 4, "5 | 4"),
        ("a1+1 a2 b3", 2, "3 | 2"),
        // Among equals, the one whose last turn is longest ago.
        ("a1-5 b2-9 a3 b4", 1, "3 | 4"),
        ("a1-9 b2-5 a3 b4", 1, "4 | 3"),
        ("a1-9 a2 b3", 1, "3 | 2"),
    ] {
        assert_eq!(shown(&parse(operations), &[], most), expected, "{operations} with {most}");
    }
}

#[test]
fn one_whose_runner_is_on_its_way_counts_as_at_work_and_waits_no_more() {
    let operations = parse("a1 a2 b3");
    assert_eq!(shown(&operations, &["1"], 1), " | 3 2");
    assert_eq!(shown(&operations, &["1"], 2), "3 | 2");
    let plan = plan(&operations, &HashSet::from([OperationId("1".into())]), 1);
    let place = |id: &str| plan.place(&OperationId(id.into()));
    assert_eq!((place("1"), place("3"), place("2"), place("9")), (None, Some(1), Some(2), None));
}

fn any_operations() -> impl Strategy<Value = Vec<Arc<Operation>>> {
    let one = (0..5_usize, 0..4_usize, 0..50_i64);
    proptest::collection::vec(one, 0..40).prop_map(|all| {
        let of = |(at, (namespace, state, started)): (usize, (usize, usize, i64))| {
            let namespace = ["a", "b", "c", "d", "e"][namespace];
            in_namespace(namespace, &format!("{at:02}"), [Queued, Queued, Running, Failed][state], started)
        };
        all.into_iter().enumerate().map(of).collect()
    })
}

fn count(operations: &[Arc<Operation>], is: impl Fn(&Operation) -> bool) -> usize {
    operations.iter().filter(|operation| is(operation)).count()
}

proptest! {
    #[test]
    fn each_queued_one_is_planned_once_and_no_slot_is_left_or_doubled(
        operations in any_operations(), most in 1..8_usize,
    ) {
        let plan = plan(&operations, &HashSet::new(), most);
        let at_work = count(&operations, |operation| operation.state == Running);
        prop_assert!(plan.start.len() <= most.saturating_sub(at_work));
        prop_assert!(plan.waiting.is_empty() || plan.start.len() + at_work >= most);
        let mut planned: Vec<_> = plan.start.iter().chain(&plan.waiting).cloned().collect();
        planned.sort();
        let queued: Vec<_> = operations.iter().filter(|it| it.state == Queued).map(|it| it.id.clone()).collect();
        prop_assert_eq!(planned, queued);
    }

    #[test]
    fn within_a_namespace_the_first_to_come_is_the_first_to_go(operations in any_operations(), most in 1..8_usize) {
        let plan = plan(&operations, &HashSet::new(), most);
        let order: Vec<_> = plan.start.iter().chain(&plan.waiting).collect();
        for namespace in ["a", "b", "c", "d", "e"] {
            let is_there = |id: &OperationId| {
                operations.iter().any(|it| it.id == *id && it.release.namespace == namespace)
            };
            let ids: Vec<_> = order.iter().filter(|id| is_there(id)).collect();
            prop_assert!(ids.is_sorted(), "{ids:?}");
        }
    }

    #[test]
    fn servers_that_know_the_same_in_another_order_plan_the_same(
        operations in any_operations().prop_shuffle(), most in 1..8_usize,
    ) {
        let mut sorted = operations.clone();
        sorted.sort_by(|a, b| a.id.cmp(&b.id));
        prop_assert_eq!(plan(&operations, &HashSet::new(), most), plan(&sorted, &HashSet::new(), most));
    }

    /// Carries everything out one by one: while a namespace waits, no other has two turns.
    #[test]
    fn no_namespace_starves_another(operations in any_operations()) {
        let mut operations: Vec<_> = operations.into_iter().filter(|it| it.state == Queued).collect();
        let mut turns: Vec<String> = Vec::new();
        for second in 1.. {
            let plan = plan(&operations, &HashSet::new(), 1);
            let Some(next) = plan.start.first() else { break };
            let at = operations.iter().position(|it| it.id == *next).unwrap();
            let namespace = operations[at].release.namespace.clone();
            operations[at] = in_namespace(&namespace, &next.0, Failed, second);
            turns.push(namespace);
            for waiting in ["a", "b", "c", "d", "e"] {
                let waits = operations.iter().any(|it| it.state == Queued && it.release.namespace == waiting);
                let since = turns.iter().rposition(|turn| turn == waiting).map_or(0, |at| at + 1);
                let mut others = turns[since..].to_vec();
                let all = others.len();
                others.sort();
                others.dedup();
                prop_assert!(!waits || others.len() == all, "{waiting} waits while {turns:?}");
            }
        }
    }
}
