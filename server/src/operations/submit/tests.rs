use std::sync::atomic::Ordering;

use app::model::{ChartSource, OperationKind, OperationOptions, RecordStatus};

use super::*;
use crate::operations::Leases as _;
use crate::operations::fakes::{Room, record};

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
    room.operations.submit("ann", request, Some(chart)).await
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
    let hold = room.leases.get(&release()).await.unwrap().unwrap();
    room.leases.delete(&release(), &hold).await.unwrap();
    room.records.are(vec![record(1, RecordStatus::Deployed)]);
    assert_eq!(submit(&room, install(Some("k"))).await.unwrap().id, a);
    assert_eq!(room.launcher.count(), 1);
    assert_eq!(room.leases.get(&release()).await, Ok(None));
}

#[tokio::test]
async fn a_key_is_remembered_while_another_operation_has_the_release() {
    let room = Room::new();
    let first = submit(&room, install(Some("k"))).await.unwrap().id;
    let hold = room.leases.get(&release()).await.unwrap().unwrap();
    room.leases.delete(&release(), &hold).await.unwrap();
    let second = submit(&room, install(Some("other"))).await.unwrap().id;
    assert_ne!(first, second);
    assert_eq!(submit(&room, install(Some("k"))).await.unwrap().id, first);
}

#[tokio::test]
async fn the_same_key_of_another_user_is_another_intent() {
    let (a, b) = (install(Some("k")), install(Some("k")));
    assert_ne!(key_digest("k", "ann", &a), key_digest("k", "bob", &b));
    assert_eq!(key_digest("k", "ann", &a), key_digest("k", "ann", &b));
    assert!(key_digest("k", "ann", &a).len() <= 63);
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
async fn when_no_runner_can_be_started_the_operation_waits_for_whoever_looks_after_it() {
    let room = Room::new();
    room.launcher.is_broken.store(true, Ordering::SeqCst);
    let accepted = submit(&room, install(None)).await.unwrap();
    assert_eq!(room.leases.get(&release()).await, Ok(None));
    room.launcher.is_broken.store(false, Ordering::SeqCst);
    room.operations.look().await;
    assert_eq!(*room.launcher.launched.lock().unwrap(), [accepted.id]);
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
