use OperationState::{Failed, Interrupted, Queued, Running, Succeeded};
use app::model::{OperationId, RecordStatus, RunnerKind};

use std::sync::Arc;

use super::*;
use crate::operations::fakes::{FakeLauncher, Room, hold, operation, record};
use crate::operations::{Leases as _, OperationStore as _};

fn release() -> ReleaseKey {
    ReleaseKey::new("ns", "web")
}

/// A room that knows the operation `a`, whose Lease its runner has, if there is one.
async fn room(state: OperationState, has_lease: bool, records: Vec<RecordMeta>) -> Room {
    let room = Room::new();
    let stored = room.store.create(&operation("a", state), None).await.unwrap();
    room.operations.board.wrote(&stored);
    room.records.are(records);
    if has_lease {
        room.leases.create(&release(), &hold("a")).await.unwrap();
    }
    room
}

/// The runner renews its Lease.
async fn renew(room: &Room) {
    let found = room.leases.get(&release()).await.unwrap().unwrap();
    // By a clock that stands still: it is the version that counts.
    room.leases.replace(&release(), &found, &found).await.unwrap();
}

fn own(revision: u32, status: RecordStatus) -> RecordMeta {
    RecordMeta { operation: Some(OperationId("a".into())), ..record(revision, status) }
}

fn state(room: &Room) -> OperationState {
    let id = OperationId("a".into());
    let (stored, seen) = (room.store.state(&id), room.operations.find(&id).unwrap().state);
    assert!(!stored.is_terminal() || stored == seen, "the outcome is not seen at once");
    stored
}

/// Looks, waits for as long as a Lease is good, and looks again.
async fn state_after_looking(room: &Room) -> OperationState {
    room.operations.look().await;
    tokio::time::advance(lease::GONE_AFTER).await;
    room.operations.look().await;
    state(room)
}

#[tokio::test(start_paused = true)]
async fn an_operation_whose_runner_lives_is_left_alone() {
    let room = room(Running, true, vec![own(1, RecordStatus::Deployed)]).await;
    for _ in 0..10 {
        room.operations.look().await;
        assert_eq!(state(&room), Running);
        tokio::time::advance(lease::GONE_AFTER.mul_f32(0.9)).await;
        renew(&room).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_just_started_takes_nothing_however_old_a_lease_says_it_is() {
    for has_lease in [true, false] {
        let room = room(Running, has_lease, vec![own(1, RecordStatus::PendingInstall)]).await;
        room.operations.look().await;
        tokio::time::advance(lease::GONE_AFTER - Duration::from_millis(1)).await;
        room.operations.look().await;
        assert_eq!(state(&room), Running);
        tokio::time::advance(Duration::from_millis(1)).await;
        room.operations.look().await;
        assert_eq!(state(&room), Interrupted);
    }
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_has_just_claimed_its_operation_has_time_to_take_the_lease() {
    let room = room(Queued, true, vec![]).await;
    assert_eq!(state_after_looking(&room).await, Queued, "it waits in the queue for as long as it takes");
    let stored = room.store.get(&OperationId("a".into())).await.unwrap();
    let claimed = room.store.replace(&stored, &operation("a", Running)).await.unwrap();
    room.operations.board.wrote(&claimed);
    room.operations.look().await;
    assert_eq!(state(&room), Running);
    assert_eq!(state_after_looking(&room).await, Interrupted);
}

#[tokio::test(start_paused = true)]
async fn a_dead_runners_operation_is_settled_half_a_minute_after_its_death() {
    let room = room(Running, true, vec![own(1, RecordStatus::Failed)]).await;
    let operations = room.operations.clone();
    let recovery = tokio::spawn(async move { operations.recover().await });
    let mut changes = room.operations.changes();
    for _ in 0..7 {
        tokio::time::sleep(lease::RENEW_EVERY).await;
        renew(&room).await;
    }
    let died = Instant::now();
    while state(&room) == Running {
        changes.changed().await.unwrap();
    }
    assert!(died.elapsed() <= Duration::from_secs(31), "{:?}", died.elapsed());
    assert!(died.elapsed() >= lease::GONE_AFTER, "{:?}", died.elapsed());
    recovery.abort();
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_nobody_needs_is_removed_once_that_is_sure() {
    let room = Room::new();
    room.store.create(&operation("over", Failed), None).await.unwrap();
    room.store.create(&operation("needed", Running), None).await.unwrap();
    let key = |name: &str| ReleaseKey::new("ns", name);
    for id in ["over", "never-recorded", "needed"] {
        room.leases.create(&key(id), &hold(id)).await.unwrap();
    }
    room.operations.look().await;
    assert_eq!(room.leases.list().await.unwrap().len(), 3);
    tokio::time::advance(lease::GONE_AFTER).await;
    room.operations.look().await;
    let left = room.leases.list().await.unwrap();
    assert_eq!(left.iter().map(|(release, _)| release.name.as_str()).collect::<Vec<_>>(), ["needed"]);
}

#[tokio::test(start_paused = true)]
async fn a_running_one_without_a_runner_is_settled_by_helms_record() {
    for (record, expected) in [
        (own(1, RecordStatus::Deployed), Succeeded),
        (own(1, RecordStatus::Failed), Failed),
        (own(1, RecordStatus::PendingInstall), Interrupted),
    ] {
        let room = room(Running, true, vec![record]).await;
        assert_eq!(state_after_looking(&room).await, expected);
        assert_eq!(room.leases.get(&release()).await, Ok(None), "the Lease is not given back");
    }
}

#[tokio::test(start_paused = true)]
async fn an_interruption_says_who_held_the_lease_and_what_was_seen_of_it() {
    let room = room(Running, true, vec![own(1, RecordStatus::PendingInstall)]).await;
    state_after_looking(&room).await;
    let operation = room.operations.latest(&release()).unwrap();
    let proof = &operation.failure().unwrap().text;
    assert!(
        proof.contains("held by the runner on x, process 7. Its last renewal, at 2026-11-30T")
            && proof.contains("in the 25 s since then the server on ")
            && proof.contains("has seen no other, and a Lease is good for 20 s."),
        "{proof}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_told_in_the_words_that_helm_recorded() {
    let room = room(Running, true, vec![own(1, RecordStatus::Failed)]).await;
    state_after_looking(&room).await;
    let operation = room.operations.latest(&release()).unwrap();
    assert_eq!(operation.failure().unwrap().text, "Release \"web\" failed: Service \"a\" is invalid");
}

#[tokio::test(start_paused = true)]
async fn a_release_that_another_operation_works_on_is_not_taken_from_it() {
    let room = room(Running, false, vec![own(1, RecordStatus::PendingInstall)]).await;
    room.store.create(&operation("b", Running), None).await.unwrap();
    room.leases.create(&release(), &hold("b")).await.unwrap();
    room.operations.look().await;
    tokio::time::advance(lease::GONE_AFTER).await;
    renew(&room).await;
    room.operations.look().await;
    assert_eq!(state(&room), Interrupted);
    assert_eq!(room.leases.get(&release()).await.unwrap().unwrap().operation.0, "b");
}

#[tokio::test(start_paused = true)]
async fn of_two_servers_that_look_at_once_one_acts() {
    let room = room(Running, true, vec![own(1, RecordStatus::Failed)]).await;
    room.operations.look().await;
    tokio::time::advance(lease::GONE_AFTER).await;
    let writes = room.store.writes();
    tokio::join!(room.operations.look(), room.operations.look());
    assert_eq!((state(&room), room.store.writes()), (Failed, writes + 1));
}

#[tokio::test(start_paused = true)]
async fn what_is_left_of_the_runners_of_operations_that_are_over_is_removed() {
    let (room, jobs) = (Room::new(), Arc::new(FakeLauncher::default()));
    let (store, launcher) = (room.store.clone(), room.launcher.clone());
    let operations =
        Operations::new(store, room.leases.clone(), room.records.clone(), launcher, "data".into())
            .with_jobs(jobs.clone(), RunnerKind::Job);
    for (id, state, is_known) in
        [("a", Running, true), ("b", Failed, true), ("c", Queued, false), ("d", Succeeded, false)]
    {
        let stored = room.store.create(&operation(id, state), None).await.unwrap();
        if is_known {
            operations.board.wrote(&stored);
        }
    }
    *jobs.left.lock().unwrap() =
        ["a", "b", "c", "d", "never recorded"].map(|id| OperationId(id.into())).into();
    operations.look().await;
    let left: Vec<_> = jobs.left.lock().unwrap().iter().map(|id| id.0.clone()).collect();
    assert_eq!(left, ["a", "c"]);
}

#[tokio::test(start_paused = true)]
async fn what_can_be_seen_of_a_runner_that_is_gone_is_part_of_the_proof() {
    let room = room(Running, true, vec![own(1, RecordStatus::PendingInstall)]).await;
    *room.launcher.last_words.lock().unwrap() = Some("Pod x on node y ran out of memory (OOMKilled)".into());
    assert_eq!(state_after_looking(&room).await, Interrupted);
    let ended = room.operations.find(&OperationId("a".into())).unwrap();
    let proof = &ended.failure().unwrap().text;
    assert!(proof.starts_with("The Lease of ") && proof.ends_with("(OOMKilled)"), "{proof}");
}

#[tokio::test(start_paused = true)]
async fn what_somebody_did_after_a_rollbacks_runner_died_is_not_taken_for_the_rollback() {
    for (told, expected) in [("Upgrade complete", Interrupted), ("Rollback to 1", Succeeded)] {
        let before = vec![record(2, RecordStatus::Superseded), record(1, RecordStatus::Superseded)];
        let room = room(Running, true, [vec![record(3, RecordStatus::Deployed)], before].concat()).await;
        room.records.tell(told);
        let stored = room.store.get(&OperationId("a".into())).await.unwrap();
        let mut rollback = Operation { base_revision: Some(2), ..stored.operation.clone() };
        rollback.kind = app::model::OperationKind::Rollback;
        rollback.options.revision = Some(1);
        room.operations.board.wrote(&room.store.replace(&stored, &rollback).await.unwrap());
        assert_eq!(state_after_looking(&room).await, expected, "{told}");
    }
}
