use OperationState::{Failed, Interrupted, Queued, Running, Succeeded};
use app::model::{OperationId, RecordStatus};

use super::*;
use crate::operations::fakes::{Room, operation, record};
use crate::operations::{Leases as _, OperationStore as _};

fn release() -> ReleaseKey {
    ReleaseKey::new("ns", "web")
}

/// A room that knows the operation `a`, whose Lease was renewed `age` seconds ago, if there is one.
async fn room(state: OperationState, age: Option<i64>, records: Vec<RecordMeta>) -> Room {
    let room = Room::new();
    let created = now();
    let stored = room.store.create(&Operation { created, ..operation("a", state) }, None).await.unwrap();
    room.operations.board.wrote(&stored);
    room.records.are(records);
    if let Some(age) = age {
        let renewed = Timestamp(now().0 - age * 1000);
        let hold = lease::new_hold(&stored.operation.id, "runner on x, process 7", None, renewed);
        room.leases.create(&release(), &hold).await.unwrap();
    }
    room
}

fn own(revision: u32, status: RecordStatus) -> RecordMeta {
    RecordMeta { operation: Some(OperationId("a".into())), ..record(revision, status) }
}

async fn state_after_looking(room: &Room) -> OperationState {
    room.operations.look().await;
    let id = OperationId("a".into());
    let (stored, seen) = (room.store.state(&id), room.operations.find(&id).unwrap().state);
    assert!(!stored.is_terminal() || stored == seen, "the outcome is not seen at once");
    stored
}

#[tokio::test]
async fn an_operation_whose_runner_lives_is_left_alone() {
    for state in [Queued, Running] {
        let room = room(state, Some(3), vec![own(1, RecordStatus::Deployed)]).await;
        assert_eq!(state_after_looking(&room).await, state);
        assert_eq!(room.launcher.count(), 0);
    }
}

#[tokio::test]
async fn a_queued_one_that_nobody_took_is_launched_once() {
    let room = room(Queued, Some(60), vec![]).await;
    assert_eq!(state_after_looking(&room).await, Queued);
    room.operations.look().await;
    assert_eq!(room.launcher.count(), 1);
}

#[tokio::test]
async fn a_queued_one_that_no_runner_ever_took_is_given_up() {
    let room = Room::new();
    let stored = room.store.create(&operation("a", Queued), None).await.unwrap();
    room.operations.board.wrote(&stored);
    assert_eq!(state_after_looking(&room).await, Interrupted);
    assert_eq!(room.launcher.count(), 0);
}

#[tokio::test]
async fn a_running_one_without_a_runner_is_settled_by_helms_record() {
    for (record, expected) in [
        (own(1, RecordStatus::Deployed), Succeeded),
        (own(1, RecordStatus::Failed), Failed),
        (own(1, RecordStatus::PendingInstall), Interrupted),
    ] {
        let room = room(Running, Some(60), vec![record]).await;
        assert_eq!(state_after_looking(&room).await, expected);
        assert_eq!(room.leases.get(&release()).await, Ok(None), "the Lease is not given back");
    }
}

#[tokio::test]
async fn an_interruption_says_who_held_the_lease_and_until_when() {
    let room = room(Running, Some(60), vec![own(1, RecordStatus::PendingInstall)]).await;
    state_after_looking(&room).await;
    let operation = room.operations.latest(&release()).unwrap();
    let proof = &operation.failure().unwrap().text;
    assert!(
        proof.contains("held by the runner on x, process 7") && proof.contains("good until 20"),
        "{proof}"
    );
}

#[tokio::test]
async fn a_failure_is_told_in_the_words_that_helm_recorded() {
    let room = room(Running, Some(60), vec![own(1, RecordStatus::Failed)]).await;
    state_after_looking(&room).await;
    let operation = room.operations.latest(&release()).unwrap();
    assert_eq!(operation.failure().unwrap().text, "Release \"web\" failed: context canceled");
}

#[tokio::test]
async fn a_release_that_another_operation_works_on_is_not_taken_from_it() {
    let room = room(Running, None, vec![own(1, RecordStatus::PendingInstall)]).await;
    let other = lease::new_hold(&OperationId("b".into()), "runner", None, now());
    room.leases.create(&release(), &other).await.unwrap();
    assert_eq!(state_after_looking(&room).await, Interrupted);
    assert_eq!(room.leases.get(&release()).await.unwrap().unwrap().operation.0, "b");
}

#[tokio::test]
async fn of_two_servers_that_look_at_once_one_acts() {
    let room = room(Queued, Some(60), vec![]).await;
    tokio::join!(room.operations.look(), room.operations.look());
    assert_eq!(room.launcher.count(), 1);
}

#[tokio::test]
async fn of_the_ended_ones_the_newest_are_kept() {
    let room = Room::new();
    for number in 0..KEPT + 3 {
        let stored = room.store.create(&operation(&format!("a{number:02}"), Failed), None).await.unwrap();
        room.operations.board.wrote(&stored);
    }
    room.operations.look().await;
    let left: Vec<String> = room.store.all().iter().map(|operation| operation.id.0.clone()).collect();
    assert_eq!((left.len(), left.first().map(String::as_str)), (KEPT, Some("a03")));
    assert_eq!(room.operations.list(None, None).len(), KEPT);
}
