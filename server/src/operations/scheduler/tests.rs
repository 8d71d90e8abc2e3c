use std::sync::atomic::Ordering;

use app::model::notice::Host;
use app::model::{Operation, OperationOptions, OperationState, ReleaseKey, RunnerKind};

use super::*;
use crate::operations::fakes::{Room, hold, operation};
use crate::operations::{Leases as _, Limits, OperationStore as _, Operations};

fn id(id: &str) -> OperationId {
    OperationId(id.into())
}

/// A room with queued operations, each on a release of its name, that this server accepted or another did.
async fn room(runners: usize, ids: &[&str], are_ours: bool) -> Room {
    let room = Room::limited(Limits { runners, ..Limits::default() });
    for id in ids {
        let queued =
            Operation { release: ReleaseKey::new("ns", *id), ..operation(id, OperationState::Queued) };
        let stored = room.store.create(&queued, None).await.unwrap();
        room.operations.board.wrote(&stored);
        if are_ours {
            room.operations.is_ours(&stored.operation.id);
        }
    }
    room
}

/// A runner writes a state.
async fn becomes(room: &Room, of: &str, state: OperationState) {
    let stored = room.store.get(&id(of)).await.unwrap();
    let release = stored.operation.release.clone();
    let next = Operation { release, ..operation(of, state) };
    room.operations.board.wrote(&room.store.replace(&stored, &next).await.unwrap());
}

fn launched(room: &Room) -> String {
    let launched = room.launcher.launched.lock().unwrap();
    launched.iter().map(|id| id.0.clone()).collect::<Vec<_>>().join(" ")
}

#[tokio::test(start_paused = true)]
async fn as_many_are_launched_as_may_be_and_the_next_when_one_is_over() {
    let room = room(2, &["a", "b", "c", "d"], true).await;
    room.operations.launch_due().await;
    assert_eq!(launched(&room), "a b");
    let places = || ["a", "b", "c", "d"].map(|it| room.operations.place(&id(it)));
    assert_eq!(places(), [None, None, Some(1), Some(2)]);
    becomes(&room, "a", OperationState::Running).await;
    becomes(&room, "b", OperationState::Running).await;
    room.operations.launch_due().await;
    assert_eq!(launched(&room), "a b");
    becomes(&room, "a", OperationState::Failed).await;
    room.operations.launch_due().await;
    assert_eq!(launched(&room), "a b c");
    assert_eq!(places(), [None, None, None, Some(1)]);
}

#[tokio::test(start_paused = true)]
async fn what_another_server_accepted_is_launched_when_that_one_does_not() {
    let room = room(1, &["a", "b"], false).await;
    let next = room.operations.launch_due().await.unwrap();
    assert_eq!((launched(&room).as_str(), next - Instant::now()), ("", TAKE_OVER_AFTER));
    tokio::time::advance(TAKE_OVER_AFTER).await;
    room.operations.launch_due().await;
    assert_eq!(launched(&room), "a");
    // The time that the other has for the next one begins when its turn comes.
    becomes(&room, "a", OperationState::Failed).await;
    room.operations.launch_due().await;
    assert_eq!(launched(&room), "a");
    tokio::time::advance(TAKE_OVER_AFTER).await;
    room.operations.launch_due().await;
    assert_eq!(launched(&room), "a b");
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_does_not_come_is_launched_again_and_given_up_in_the_end() {
    let room = room(1, &["a"], true).await;
    room.leases.create(&ReleaseKey::new("ns", "a"), &hold("a")).await.unwrap();
    let began = Instant::now();
    while room.store.state(&id("a")) == OperationState::Queued {
        let next = room.operations.launch_due().await;
        if let Some(next) = next {
            tokio::time::sleep_until(next).await;
        }
    }
    assert_eq!(room.store.state(&id("a")), OperationState::Interrupted);
    assert_eq!(began.elapsed(), GIVE_UP_AFTER);
    assert_eq!(room.launcher.count(), 20);
    let proof = room.operations.find(&id("a")).unwrap().failure().unwrap().text.clone();
    assert!(proof.contains("has tried to start a runner for 10 minutes, and none took it"), "{proof}");
    assert!(room.leases.list().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn when_no_process_can_be_made_it_is_tried_again() {
    let room = room(1, &["a"], true).await;
    room.launcher.is_broken.store(true, Ordering::SeqCst);
    let next = room.operations.launch_due().await.unwrap();
    assert_eq!(next - Instant::now(), TRY_AGAIN_AFTER);
    room.launcher.is_broken.store(false, Ordering::SeqCst);
    tokio::time::sleep_until(next).await;
    room.operations.launch_due().await;
    assert_eq!(launched(&room), "a");
}

#[tokio::test(start_paused = true)]
async fn the_scheduler_is_woken_by_what_happens_and_by_nothing_else() {
    let room = room(1, &[], true).await;
    let operations = room.operations.clone();
    let scheduler = tokio::spawn(async move { operations.schedule().await });
    let queued = operation("a", OperationState::Queued);
    // The watch tells of it before its submission is complete.
    let stored = room.store.create(&queued, None).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(launched(&room), "");
    room.operations.board.wrote(&stored);
    room.operations.is_ours(&stored.operation.id);
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(launched(&room), "a");
    scheduler.abort();
}

/// Launches until the operation `a` is over, and tells how long that took.
async fn given_up(room: &Room) -> Duration {
    let began = Instant::now();
    loop {
        let next = room.operations.launch_due().await;
        if room.store.state(&id("a")) != OperationState::Queued {
            return began.elapsed();
        }
        tokio::time::sleep_until(next.unwrap_or_else(Instant::now)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_is_seen_to_have_ended_is_not_waited_for() {
    let room = room(1, &["a"], true).await;
    room.leases.create(&ReleaseKey::new("ns", "a"), &hold("a")).await.unwrap();
    *room.launcher.finds.lock().unwrap() = Some(Launch::Lost("Pod x exited with 1: no right".into()));
    room.operations.launch_due().await;
    let ended = room.operations.find(&id("a")).unwrap();
    assert_eq!(ended.state, OperationState::Failed);
    assert_eq!(ended.failure().unwrap().cause, "Its runner could not begin: Pod x exited with 1: no right");
    assert!(room.leases.list().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn one_that_cannot_begin_is_given_up_when_it_was_kept_for_as_long_as_it_is_worth() {
    let kept = |why: &str, seconds| {
        Some(Launch::Awaited(Some(Kept { why: why.into(), worth: Duration::from_secs(seconds) })))
    };
    let room = room(1, &["a"], true).await;
    *room.launcher.finds.lock().unwrap() = kept("no node has room", 600);
    let mut next = room.operations.launch_due().await.unwrap();
    for _ in 0..12 {
        tokio::time::sleep_until(next).await;
        next = room.operations.launch_due().await.unwrap();
    }
    // A new trouble has its own time, and another one in between begins it anew.
    *room.launcher.finds.lock().unwrap() = kept("no such image", 60);
    tokio::time::sleep_until(next).await;
    let next = room.operations.launch_due().await.unwrap();
    assert_eq!(room.store.state(&id("a")), OperationState::Queued);
    *room.launcher.finds.lock().unwrap() = Some(Launch::Awaited(None));
    tokio::time::sleep_until(next).await;
    let next = room.operations.launch_due().await.unwrap();
    *room.launcher.finds.lock().unwrap() = kept("no such image", 60);
    tokio::time::sleep_until(next).await;
    assert_eq!(given_up(&room).await, Duration::from_secs(60));
    let ended = room.operations.find(&id("a")).unwrap();
    assert_eq!(ended.state, OperationState::Failed);
    assert!(ended.failure().unwrap().cause.ends_with(": no such image"), "{ended:?}");
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_is_seen_to_be_on_its_way_is_looked_at_and_given_up_in_the_end() {
    let room = room(1, &["a"], true).await;
    *room.launcher.finds.lock().unwrap() = Some(Launch::Awaited(None));
    let next = room.operations.launch_due().await.unwrap();
    assert_eq!(next - Instant::now(), LOOK_AGAIN_AFTER);
    assert_eq!(given_up(&room).await, GIVE_UP_AFTER);
    assert_eq!(room.store.state(&id("a")), OperationState::Interrupted);
}

#[tokio::test(start_paused = true)]
async fn one_that_took_its_operation_meanwhile_is_left_alone() {
    let room = room(1, &["a"], true).await;
    // The watch has not told of it yet.
    let stored = room.store.get(&id("a")).await.unwrap();
    let running =
        Operation { release: stored.operation.release.clone(), ..operation("a", OperationState::Running) };
    room.store.replace(&stored, &running).await.unwrap();
    *room.launcher.finds.lock().unwrap() = Some(Launch::Lost("It ended".into()));
    room.operations.launch_due().await;
    assert_eq!(room.store.state(&id("a")), OperationState::Running);
}

#[tokio::test(start_paused = true)]
async fn what_is_to_run_as_a_job_is_not_started_as_a_process() {
    let room = room(1, &[], true).await;
    let options = OperationOptions { runner: Some(RunnerKind::Job), ..OperationOptions::default() };
    let queued = Operation { options, ..operation("a", OperationState::Queued) };
    room.operations.board.wrote(&room.store.create(&queued, None).await.unwrap());
    room.operations.is_ours(&queued.id);
    let next = room.operations.launch_due().await.unwrap();
    assert_eq!((launched(&room).as_str(), next - Instant::now()), ("", TRY_AGAIN_AFTER));
}

/// The operation `id` of another user, on a release of its name.
fn of_bob(id: &str, runner: RunnerKind) -> Operation {
    let options = OperationOptions { runner: Some(runner), ..OperationOptions::default() };
    let release = ReleaseKey::new("ns", id);
    let requested_by = "bob".into();
    Operation { requested_by, options, release, ..operation(id, OperationState::Queued) }
}

/// A room with one place, where another user's operation has its turn and one of ours comes next.
async fn room_behind(theirs: &Operation) -> Room {
    let room = room(1, &["b"], true).await;
    room.operations.board.wrote(&room.store.create(theirs, None).await.unwrap());
    room
}

#[tokio::test(start_paused = true)]
async fn what_no_runner_of_ours_could_carry_out_is_left_to_the_other_server_and_keeps_nobody_waiting() {
    for runner in [RunnerKind::Process, RunnerKind::Job] {
        let room = room_behind(&of_bob("a", runner)).await;
        let next = room.operations.launch_due().await.unwrap();
        assert_eq!((launched(&room).as_str(), next - Instant::now()), ("", TAKE_OVER_AFTER));
        let began = Instant::now();
        while began.elapsed() < 2 * GIVE_UP_AFTER {
            let next = room.operations.launch_due().await;
            let soon = Instant::now() + Duration::from_secs(1);
            tokio::time::sleep_until(next.map_or(soon, |next| next.max(soon))).await;
            if launched(&room) == "b" {
                becomes(&room, "b", OperationState::Failed).await;
            }
        }
        assert_eq!(launched(&room), "b", "{runner:?}");
        assert_eq!(room.store.state(&id("a")), OperationState::Queued, "{runner:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn whose_server_an_operation_waits_for_is_told() {
    let room = room_behind(&of_bob("a", RunnerKind::Process)).await;
    assert_eq!(room.operations.host(&id("a")), Some(Host::Of("bob".into())));
    assert_eq!(room.operations.host(&id("b")), None, "ours");
    becomes(&room, "a", OperationState::Running).await;
    assert_eq!(room.operations.host(&id("a")), None, "it waits no more");
    let room = room_behind(&of_bob("a", RunnerKind::Job)).await;
    assert_eq!(room.operations.host(&id("a")), Some(Host::WithJobs), "whoever launches Jobs may start one");
}

#[tokio::test(start_paused = true)]
async fn one_that_was_passed_over_is_at_work_once_its_own_server_has_launched_it() {
    let room = room_behind(&of_bob("a", RunnerKind::Process)).await;
    tokio::time::sleep_until(room.operations.launch_due().await.unwrap()).await;
    assert_eq!(room.operations.launch_due().await, Some(Instant::now()));
    assert_eq!((room.operations.place(&id("a")), room.operations.place(&id("b"))), (None, None));
    becomes(&room, "a", OperationState::Running).await;
    room.operations.launch_due().await;
    assert_eq!((launched(&room).as_str(), room.operations.place(&id("b"))), ("", Some(1)));
}

#[tokio::test(start_paused = true)]
async fn until_the_cluster_has_said_who_we_are_only_what_was_accepted_here_is_launched() {
    let room = Room::new();
    let (store, launcher) = (room.store.clone(), room.launcher.clone());
    let operations =
        Operations::new(store, room.leases.clone(), room.records.clone(), launcher, "data".into());
    for name in ["a", "b"] {
        let queued =
            Operation { release: ReleaseKey::new("ns", name), ..operation(name, OperationState::Queued) };
        operations.board.wrote(&room.store.create(&queued, None).await.unwrap());
    }
    operations.is_ours(&id("b"));
    operations.launch_due().await;
    tokio::time::advance(TAKE_OVER_AFTER).await;
    operations.launch_due().await;
    assert_eq!(launched(&room), "b");
    let stored = room.store.get(&id("b")).await.unwrap();
    let ended = operation("b", OperationState::Failed);
    operations.board.wrote(&room.store.replace(&stored, &ended).await.unwrap());
    operations.act_as("ann");
    assert_eq!(operations.launch_due().await, Some(Instant::now()));
    operations.launch_due().await;
    tokio::time::advance(TAKE_OVER_AFTER).await;
    operations.launch_due().await;
    assert_eq!(launched(&room), "b a");
}
