use std::sync::atomic::Ordering;

use app::model::{ChartSource, OperationKind, OperationOptions, RecordStatus, RunnerKind};

use super::*;
use crate::clock::cluster::local as now;
use crate::operations::ResolvedChart;
use crate::operations::fakes::{FakeLauncher, Room, hold, operation, record};
use crate::operations::{Abilities, Leases as _, OperationStore as _};

fn install(key: Option<&str>) -> SubmitOperation {
    SubmitOperation {
        kind: OperationKind::Install,
        namespace: "ns".into(),
        name: "web".into(),
        chart: Some(ChartSource::Url { url: "https://example.com/web.tgz".into() }),
        values: "a: 1\n".into(),
        options: OperationOptions::default(),
        idempotency_key: key.map(str::to_owned),
    }
}

async fn submit(room: &Room, request: SubmitOperation) -> Result<Accepted, ApiError> {
    let chart = ResolvedChart::Url { url: "https://example.com/web.tgz".into() };
    let answer = room.operations.submit("ann", request, Some(chart.into())).await;
    room.operations.launch_due().await;
    answer
}

/// Takes the release's Lease away.
async fn remove_lease(room: &Room) {
    let hold = room.leases.get(&release()).await.unwrap().unwrap();
    room.leases.delete(&release(), &hold).await.unwrap();
}

/// The operation is over, as its runner wrote and no watch has told yet.
async fn end(room: &Room, id: &OperationId) {
    let stored = room.store.get(id).await.unwrap();
    room.store.replace(&stored, &operation(&id.0, OperationState::Failed)).await.unwrap();
}

fn release() -> ReleaseKey {
    ReleaseKey::new("ns", "web")
}

#[tokio::test]
async fn an_accepted_operation_is_recorded_launched_and_seen_at_once() {
    let room = Room::new();
    let accepted = submit(&room, install(None)).await.unwrap();
    assert_eq!(accepted.state, OperationState::Queued);
    let seen = room.operations.latest(&release()).unwrap();
    assert_eq!((&seen.id, seen.requested_by.as_str()), (&accepted.id, "ann"));
    assert_eq!(room.launcher.launched.lock().unwrap().as_slice(), std::slice::from_ref(&accepted.id));
    assert!(room.store.has_input(&accepted.id));
    let hold = room.leases.get(&release()).await.unwrap().unwrap();
    assert_eq!(hold.operation, accepted.id);
}

#[tokio::test]
async fn of_two_at_once_one_wins_and_the_other_learns_its_id() {
    let room = Room::new();
    let (a, b) = tokio::join!(submit(&room, install(None)), submit(&room, install(Some("other"))));
    let (winner, loser) = if a.is_ok() { (a, b) } else { (b, a) };
    let winner = winner.unwrap().id;
    assert!(
        matches!(&loser, Err(ApiError::Conflict { operation: Some(id), .. }) if *id == winner),
        "{loser:?}"
    );
    assert_eq!(room.store.all().len(), 1);
    assert_eq!(room.launcher.count(), 1);
}

#[tokio::test]
async fn the_same_key_is_the_same_operation_at_once_and_later() {
    let room = Room::new();
    let (a, b) = tokio::join!(submit(&room, install(Some("k"))), submit(&room, install(Some("k"))));
    let (a, b) = (a.unwrap().id, b.unwrap().id);
    assert_eq!(a, b);
    // Its Lease is given back when it ends; the key is remembered.
    end(&room, &a).await;
    remove_lease(&room).await;
    room.records.are(vec![record(1, RecordStatus::Deployed)]);
    assert_eq!(submit(&room, install(Some("k"))).await.unwrap().id, a);
    assert_eq!(room.launcher.count(), 1);
    assert_eq!(room.leases.get(&release()).await, Ok(None));
}

#[tokio::test]
async fn a_server_remembers_a_key_that_its_api_server_has_not_cached_yet() {
    let room = Room::new();
    room.store.is_behind.store(true, Ordering::SeqCst);
    let first = submit(&room, install(Some("k"))).await.unwrap().id;
    end(&room, &first).await;
    remove_lease(&room).await;
    assert_eq!(submit(&room, install(Some("k"))).await.unwrap().id, first);
    assert_eq!(room.store.all().len(), 1);
    assert_eq!(room.leases.get(&release()).await, Ok(None));
}

#[tokio::test]
async fn a_key_is_remembered_while_another_operation_has_the_release() {
    let room = Room::new();
    let first = submit(&room, install(Some("k"))).await.unwrap().id;
    end(&room, &first).await;
    remove_lease(&room).await;
    let second = submit(&room, install(Some("other"))).await.unwrap().id;
    assert_ne!(first, second);
    assert_eq!(submit(&room, install(Some("k"))).await.unwrap().id, first);
}

#[tokio::test]
async fn the_same_key_of_another_user_is_another_intent() {
    let key = |caller| Intent::of(&install(Some("k")), caller).unwrap().key;
    assert_ne!(key("ann"), key("bob"));
    assert_eq!(key("ann"), key("ann"));
    assert!(key("ann").len() <= 63);
    assert_eq!(Intent::of(&install(None), "ann"), None);
}

#[tokio::test]
async fn the_same_key_for_something_else_is_refused_while_the_first_is_under_way_and_after_its_end() {
    let chart = Some(ChartSource::Url { url: "https://example.com/other.tgz".into() });
    let options = OperationOptions { wait: !OperationOptions::default().wait, ..OperationOptions::default() };
    let others = [
        SubmitOperation { values: "a: 2\n".into(), ..install(Some("k")) },
        SubmitOperation { chart, ..install(Some("k")) },
        SubmitOperation { options, ..install(Some("k")) },
    ];
    let room = Room::new();
    let first = submit(&room, install(Some("k"))).await.unwrap().id;
    for is_over in [false, true] {
        if is_over {
            end(&room, &first).await;
            remove_lease(&room).await;
        }
        for other in &others {
            let refused = submit(&room, other.clone()).await;
            let is_of_the_key = |field: &str| field == "idempotencyKey";
            assert!(
                matches!(&refused, Err(ApiError::Invalid { field: Some(field), .. }) if is_of_the_key(field)),
                "{refused:?}"
            );
        }
        assert_eq!(submit(&room, install(Some("k"))).await.unwrap().id, first);
    }
    assert_eq!(room.store.input(&first).await.unwrap().values, "a: 1\n");
    assert_eq!(room.leases.get(&release()).await, Ok(None));
    assert_eq!(room.store.all().len(), 1);
}

#[tokio::test]
async fn what_is_refused_leaves_nothing_behind() {
    let room = Room::new();
    room.records.are(vec![record(1, RecordStatus::Deployed)]);
    let refused = submit(&room, install(Some("k"))).await;
    assert!(matches!(refused, Err(ApiError::Conflict { operation: None, .. })), "{refused:?}");
    assert!(room.store.all().is_empty());
    assert_eq!(room.leases.get(&release()).await, Ok(None));
    assert_eq!(room.launcher.count(), 0);
}

#[tokio::test]
async fn an_operation_that_cannot_be_recorded_completely_is_taken_back() {
    let room = Room::new();
    room.store.refuses_inputs.store(true, Ordering::SeqCst);
    let refused = submit(&room, install(None)).await;
    assert!(matches!(refused, Err(ApiError::Unavailable { .. })), "{refused:?}");
    assert!(room.store.all().is_empty());
    assert_eq!(room.leases.get(&release()).await, Ok(None));
}

#[tokio::test]
async fn one_with_a_key_is_ended_and_not_removed_for_its_twin_may_have_seen_it() {
    let room = Room::new();
    room.store.refuses_inputs.store(true, Ordering::SeqCst);
    let (a, b) = tokio::join!(submit(&room, install(Some("k"))), submit(&room, install(Some("k"))));
    assert!(a.is_err() && b.is_err(), "{a:?} {b:?}");
    let recorded = room.store.all();
    assert_eq!(recorded.len(), 1);
    let recorded = &recorded[0];
    assert_eq!(recorded.state, OperationState::Interrupted);
    assert!(recorded.failure().unwrap().text.contains("could not record all"), "{recorded:?}");
    assert_eq!(room.leases.get(&release()).await, Ok(None));
    assert_eq!(room.launcher.count(), 0);
}

#[tokio::test]
async fn an_accepted_operation_bars_its_release_until_it_is_over_whatever_its_lease_says() {
    let room = Room::new();
    let first = submit(&room, install(None)).await.unwrap().id;
    let is_refused = async || {
        let refused = submit(&room, install(None)).await;
        assert!(
            matches!(&refused, Err(ApiError::Conflict { operation: Some(id), .. }) if *id == first),
            "{refused:?}"
        );
    };
    // Nobody renews it while the operation is in the queue.
    let found = room.leases.get(&release()).await.unwrap().unwrap();
    let old = Hold { renewed: app::model::Timestamp(0), ..found.clone() };
    room.leases.replace(&release(), &found, &old).await.unwrap();
    is_refused().await;
    remove_lease(&room).await;
    is_refused().await;
    assert_eq!(room.leases.get(&release()).await, Ok(None), "the refused one left its Lease behind");
    end(&room, &first).await;
    assert_ne!(submit(&room, install(None)).await.unwrap().id, first);
}

#[tokio::test]
async fn a_preview_in_the_way_is_told_to_be_one() {
    let room = Room::new();
    let mut preview = install(None);
    preview.options.dry_run = true;
    submit(&room, preview).await.unwrap();
    let Err(ApiError::Conflict { message, .. }) = submit(&room, install(None)).await else {
        panic!("both were accepted");
    };
    assert_eq!(
        message,
        "A preview of the install of web is being rendered, for ann. It changes nothing and is over in a moment: try again then."
    );
}

#[tokio::test]
async fn what_was_submitted_to_another_server_bars_the_release_before_the_watch_tells_of_it() {
    let (room, created) = (Room::new(), operation("other", OperationState::Queued));
    room.leases.create(&release(), &hold("other")).await.unwrap();
    room.store.create(&created, None).await.unwrap();
    let refused = submit(&room, install(None)).await;
    assert!(matches!(&refused, Err(ApiError::Conflict { operation: Some(id), .. }) if *id == created.id));
    // It is over, and its runner has not given the Lease back yet.
    end(&room, &created.id).await;
    submit(&room, install(None)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_submission_that_stood_still_for_too_long_is_taken_back() {
    let room = Room::new();
    room.store.takes.store(20, Ordering::SeqCst);
    let refused = submit(&room, install(None)).await;
    assert!(matches!(refused, Err(ApiError::Unavailable { .. })), "{refused:?}");
    assert!(room.store.all().is_empty());
    assert_eq!(room.launcher.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn one_with_a_key_that_stood_still_but_was_recorded_completely_is_accepted_and_keeps_its_release() {
    let room = Room::new();
    room.store.takes.store(20, Ordering::SeqCst);
    let accepted = submit(&room, install(Some("k"))).await.unwrap();
    assert_eq!((accepted.state, room.store.state(&accepted.id)), (OperationState::Queued, accepted.state));
    assert!(room.store.has_input(&accepted.id));
    let hold = room.leases.get(&release()).await.unwrap().unwrap();
    assert_eq!(hold.operation, accepted.id);
    assert_eq!(room.launcher.count(), 1);
    assert_eq!(submit(&room, install(Some("k"))).await.unwrap().id, accepted.id);
}

#[test]
fn a_newer_operation_has_a_higher_id_even_if_anothers_clock_is_ahead() {
    let in_ten_minutes = now().0.unsigned_abs() / 1000 + 600;
    let ahead = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, in_ten_minutes, 0));
    let mut last = OperationId(ahead.to_string());
    for _ in 0..100 {
        let next = new_id(Some(&last), now());
        assert!(next > last, "{next} after {last}");
        last = next;
    }
    assert!(new_id(None, now()) < last);
    assert!(new_id(Some(&OperationId("not one of ours".into())), now()) < last);
}

#[tokio::test]
async fn an_uninstall_of_nothing_is_not_found() {
    let room = Room::new();
    let uninstall = SubmitOperation {
        kind: OperationKind::Uninstall,
        chart: None,
        values: String::new(),
        ..install(None)
    };
    let refused = room.operations.submit("ann", uninstall, None).await;
    assert!(matches!(refused, Err(ApiError::NotFound { .. })), "{refused:?}");
    assert_eq!(room.leases.get(&release()).await, Ok(None));
}

#[tokio::test]
async fn a_malformed_submission_never_reaches_the_cluster() {
    let room = Room::new();
    room.leases.is_down.store(true, Ordering::SeqCst);
    let refused = submit(&room, SubmitOperation { values: "a: [".into(), ..install(None) }).await;
    assert!(matches!(refused, Err(ApiError::Invalid { .. })), "{refused:?}");
}

#[tokio::test]
async fn without_the_cluster_the_answer_is_that_it_is_not_available() {
    let room = Room::new();
    room.leases.is_down.store(true, Ordering::SeqCst);
    let refused = submit(&room, install(None)).await;
    assert!(matches!(refused, Err(ApiError::Unavailable { .. })), "{refused:?}");
}

#[tokio::test]
async fn what_the_helm_that_is_there_cannot_do_is_refused_before_anything_is_recorded() {
    let room = Room::with(|operations| {
        operations.with_abilities(Abilities { forces_conflicts: false, ..Abilities::default() })
    });
    let mut request = install(None);
    request.options.force_conflicts = true;
    let refused = submit(&room, request).await;
    assert!(
        matches!(&refused, Err(ApiError::Invalid { field: Some(field), message, .. })
            if field == "options.forceConflicts" && message.contains("leave it out")),
        "{refused:?}"
    );
    assert_eq!((room.store.writes(), room.leases.get(&release()).await), (0, Ok(None)));
}

#[tokio::test]
async fn a_job_is_refused_where_none_can_be_launched_before_anything_is_recorded() {
    let room = Room::new();
    let mut request = install(None);
    request.options.runner = Some(RunnerKind::Job);
    let refused = submit(&room, request).await;
    assert!(
        matches!(&refused, Err(ApiError::Invalid { field: Some(field), message, .. })
            if field == "options.runner" && message.contains("--runner-image")),
        "{refused:?}"
    );
    assert_eq!(room.store.writes(), 0);
    assert_eq!(room.leases.get(&release()).await, Ok(None));
}

#[tokio::test]
async fn what_carries_it_out_is_chosen_and_recorded_at_its_submission() {
    for (asked, chosen, expected) in [
        (None, RunnerKind::Process, RunnerKind::Process),
        (None, RunnerKind::Job, RunnerKind::Job),
        (Some(RunnerKind::Process), RunnerKind::Job, RunnerKind::Process),
        (Some(RunnerKind::Job), RunnerKind::Process, RunnerKind::Job),
    ] {
        let (room, jobs) = (Room::new(), Arc::new(FakeLauncher::default()));
        let (store, processes) = (room.store.clone(), room.launcher.clone());
        let operations = Operations::new(
            store.clone(),
            room.leases.clone(),
            room.records.clone(),
            processes.clone(),
            "data".into(),
        )
        .with_jobs(jobs.clone(), chosen);
        let mut request = install(None);
        request.options.runner = asked;
        let accepted = operations.submit("ann", request, None).await.unwrap();
        operations.launch_due().await;
        let stored = store.get(&accepted.id).await.unwrap();
        assert_eq!(stored.operation.options.runner, Some(expected));
        let counts = (processes.count(), jobs.count());
        assert_eq!(counts, if expected == RunnerKind::Job { (0, 1) } else { (1, 0) }, "{asked:?} {chosen:?}");
    }
}

#[tokio::test]
async fn the_same_submission_completes_what_a_dead_server_recorded_without_its_input() {
    let room = Room::new();
    let first = room.operations.submit("ann", install(Some("k")), None).await.unwrap();
    room.store.delete_input(&first.id).await.unwrap();
    let again = submit(&room, install(Some("k"))).await.unwrap();
    assert_eq!(again.id, first.id);
    assert_eq!(room.store.input(&first.id).await.unwrap().values, "a: 1\n");
}
