use app::model::{
    OperationId, OperationKind, OperationOptions, OperationState, Phase, RecordStatus, RecordSummary,
};

use super::*;

const NOW: Timestamp = Timestamp(1_000_000_000);

fn record(namespace: &str, name: &str) -> RecordMeta {
    RecordMeta {
        key: ReleaseKey::new(namespace, name),
        revision: 1,
        status: RecordStatus::Deployed,
        created: Some(Timestamp(5)),
        changed: None,
        operation: None,
        uid: format!("{namespace}/{name}"),
        resource_version: "1".into(),
    }
}

fn pending(created: Timestamp) -> RecordMeta {
    RecordMeta { status: RecordStatus::PendingInstall, created: Some(created), ..record("a", "web") }
}

fn queued(namespace: &str, name: &str) -> Arc<Operation> {
    Arc::new(Operation {
        id: OperationId(name.into()),
        kind: OperationKind::Install,
        release: ReleaseKey::new(namespace, name),
        chart: None,
        options: OperationOptions::default(),
        requested_by: "me".into(),
        idempotency_key: None,
        created: NOW,
        state: OperationState::Queued,
        max_attempts: 1,
        next_attempt: None,
        attempts: vec![],
        base_revision: None,
        cancel: None,
        again: None,
        outcome: None,
    })
}

fn board(records: &[RecordMeta]) -> Board {
    let mut board = Board::new(Scope::Cluster);
    board.apply(&None, Change::Restarted, NOW);
    for record in records {
        board.apply(&None, Change::Listed(record.clone()), NOW);
    }
    board.apply(&None, Change::Complete, NOW);
    board
}

fn read(record: &RecordMeta) -> Read {
    let detail = Detail::Known(RecordSummary { chart: Some("web".into()), ..RecordSummary::default() });
    Read { uid: record.uid.clone(), resource_version: record.resource_version.clone(), detail }
}

fn names(board: &Board, namespace: Option<&str>, allowed: Option<&BTreeSet<String>>) -> Vec<String> {
    board.rows(namespace, allowed).iter().map(|row| row.key.to_string()).collect()
}

#[test]
fn rows_are_sorted_and_limited_to_the_namespace_and_to_what_is_allowed() {
    let board = board(&[record("b", "x"), record("a", "y"), record("a", "x"), record("ab", "z")]);
    assert_eq!(names(&board, None, None), ["a/x", "a/y", "ab/z", "b/x"]);
    assert_eq!(names(&board, Some("a"), None), ["a/x", "a/y"]);
    let allowed = BTreeSet::from(["b".to_owned(), "ab".to_owned()]);
    assert_eq!(names(&board, None, Some(&allowed)), ["ab/z", "b/x"]);
    assert_eq!(names(&board, Some("a"), Some(&allowed)), [] as [&str; 0]);
}

#[test]
fn an_operation_without_a_record_is_a_row_and_leaves_with_it() {
    let mut board = board(&[]);
    assert!(board.set_operations(vec![queued("a", "new")], NOW));
    assert_eq!(board.rows(None, None)[0].phase, Phase::Queued { kind: OperationKind::Install });
    assert!(!board.set_operations(vec![queued("a", "new")], NOW), "the same again is no news");
    assert!(board.set_operations(vec![], NOW));
    assert_eq!(names(&board, None, None), [] as [&str; 0]);
}

#[test]
fn a_pending_record_becomes_stuck_by_time_alone() {
    let mut board = board(&[pending(NOW)]);
    assert!(!board.tick(Timestamp(NOW.0 + 1_000)));
    assert_eq!(board.rows(None, None)[0].phase, Phase::Pending { status: RecordStatus::PendingInstall });
    assert!(board.tick(Timestamp(NOW.0 + 60 * 60 * 1000)));
    assert_eq!(board.rows(None, None)[0].phase, Phase::Stuck { status: RecordStatus::PendingInstall });
}

#[test]
fn the_fingerprint_changes_just_when_what_is_shown_does() {
    let mut board = board(&[record("a", "x"), record("b", "y")]);
    let prints =
        |board: &Board| [None, Some("a"), Some("b")].map(|namespace| board.fingerprint(namespace, None));
    let before = prints(&board);
    board.tick(Timestamp(NOW.0 + 5_000));
    board.apply(&None, Change::Written(record("a", "x")), NOW);
    assert_eq!(prints(&board), before, "nothing that is shown has changed");

    board.learn(&record("a", "x").key, read(&record("a", "x")), NOW);
    let after = prints(&board);
    assert_eq!((after[0] != before[0], after[1] != before[1], after[2] == before[2]), (true, true, true));

    let allowed = BTreeSet::from(["b".to_owned()]);
    assert_ne!(board.fingerprint(None, Some(&allowed)), after[0], "another set of rows");

    board.apply(&None, Change::Failed(crate::kube::ClusterError::Unreachable("reset".into())), NOW);
    assert_ne!(board.fingerprint(None, None), after[0], "a warning came");
}

#[test]
fn what_somebody_looks_at_is_read_first_and_each_record_once() {
    let all = ["1", "2", "3"].map(|name| record("a", name));
    let mut board = board(&all);
    board.ask([&all[2].key]);
    let mut order = Vec::new();
    while let Some(next) = board.next_unread() {
        board.learn(&next.key, read(&next), NOW);
        order.push(next.key.name);
    }
    assert_eq!(order, ["3", "1", "2"]);
    board.ask(all.iter().map(|record| &record.key));
    assert_eq!(board.next_unread(), None);
}

#[test]
fn a_record_that_could_not_be_fetched_comes_again_and_one_that_is_gone_does_not() {
    let mut board = board(&[record("a", "x")]);
    let key = record("a", "x").key;
    assert!(board.next_unread().is_some());
    assert_eq!(board.next_unread(), None, "somebody is at it");
    board.put_back(&key);
    assert!(board.next_unread().is_some());
    board.apply(&None, Change::Removed(record("a", "x")), NOW);
    board.put_back(&key);
    assert_eq!(board.next_unread(), None);
}

#[test]
fn a_list_that_comes_in_is_told_when_it_is_complete() {
    let mut board = Board::new(Scope::Cluster);
    assert!(!board.apply(&None, Change::Restarted, NOW));
    assert!(!board.apply(&None, Change::Listed(record("a", "x")), NOW));
    assert!(board.apply(&None, Change::Complete, NOW));
    assert!(board.apply(&None, Change::Written(record("a", "y")), NOW));
}

#[test]
fn the_last_word_of_a_watch_that_is_no_longer_needed_changes_nothing() {
    let forbidden = || Change::Failed(crate::kube::ClusterError::Forbidden("no".into()));
    let mut board = Board::new(Scope::Cluster);
    board.apply(&None, forbidden(), NOW);
    board.sources.found(vec!["a".into()]);
    let source = Some("a".to_owned());
    for change in [Change::Restarted, Change::Listed(record("a", "x")), Change::Complete] {
        board.apply(&source, change, NOW);
    }
    assert_eq!(names(&board, None, None), ["a/x"]);
    for change in [Change::Restarted, Change::Listed(record("a", "x")), Change::Complete] {
        board.apply(&None, change, NOW);
    }
    assert!(!board.apply(&source, forbidden(), NOW));
    assert_eq!(names(&board, None, None), ["a/x"]);
}
