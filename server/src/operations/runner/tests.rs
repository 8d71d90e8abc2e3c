use std::sync::atomic::Ordering;
use std::time::Duration;

use OperationState::{Cancelled, Failed, Interrupted, Queued, Retrying, Running, Succeeded};
use app::model::{
    Cancel, FailureClass, Operation, OperationKind, OperationOptions, RecordStatus, ReleaseKey, Timestamp,
};

use super::*;
use crate::clock::cluster::local as now;
use crate::kube::records::RecordMeta;
use crate::operations::Input;
use crate::operations::fakes::{
    FakeHelm, FakeLeases, FakeRecords, FakeStore, FakeWitness, Script, operation, record,
};
use crate::operations::transition::advance;

struct Scene {
    store: Arc<FakeStore>,
    leases: Arc<FakeLeases>,
    records: Arc<FakeRecords>,
    helm: Arc<FakeHelm>,
    witness: Arc<FakeWitness>,
    runner: Runner,
    stop: Arc<watch::Sender<Stop>>,
    data: tempfile::TempDir,
    id: OperationId,
}

/// A queued install with three attempts at most, its Lease held by the server, and a helm that follows `scripts`.
async fn scene(scripts: impl IntoIterator<Item = Script>) -> Scene {
    scene_of(operation("a", Queued), scripts).await
}

async fn scene_of(queued: Operation, scripts: impl IntoIterator<Item = Script>) -> Scene {
    let store = Arc::new(FakeStore::default());
    let leases = Arc::new(FakeLeases::default());
    let helm = Arc::new(FakeHelm::with(scripts));
    let witness = Arc::new(FakeWitness::default());
    let records = helm.records.clone();
    let data = tempfile::tempdir().unwrap();
    let queued = Operation { max_attempts: 3, ..queued };
    let stored = store.create(&queued, None).await.unwrap();
    store.put_input(&stored, &Input { values: "secret: 1".into(), ..Input::default() }).await.unwrap();
    let hold = lease::new_hold(&queued.id, "server", None, now());
    lease::take(&*leases, &queued.release, &hold, |_| false).await.unwrap();
    let runner = Runner {
        user: None,
        store: store.clone(),
        leases: leases.clone(),
        records: records.clone(),
        helm: helm.clone(),
        witness: witness.clone(),
        data_dir: data.path().to_owned(),
        by: "runner".into(),
        clock: Clock::default(),
        renewed: watch::Sender::new(Renewal::asked_at(Instant::now())),
    };
    let stop = Arc::new(watch::Sender::new(Stop::No));
    Scene { store, leases, records, helm, witness, runner, stop, data, id: queued.id }
}

impl Scene {
    async fn run(&self) -> Result<OperationState, RunnerError> {
        self.runner.carry_out(&self.id, self.stop.clone()).await
    }

    fn operation(&self) -> Operation {
        self.store.all().remove(0)
    }

    /// Somebody wishes that it end.
    async fn wish(&self) {
        let stored = self.store.get(&self.id).await.unwrap();
        let cancel = Some(Cancel { by: "bob".into(), at: now() });
        advance(&*self.store, &stored, Operation { cancel, ..stored.operation.clone() }).await.unwrap();
    }

    async fn reaches(&self, state: OperationState) {
        let mut changes = self.store.watch_one(&self.id);
        while self.store.state(&self.id) != state {
            futures::StreamExt::next(&mut changes).await.unwrap();
        }
    }

    async fn hold(&self) -> Option<crate::operations::Hold> {
        self.leases.get(&ReleaseKey::new("ns", "web")).await.unwrap()
    }
}

fn ends(code: i32, error: &str) -> Script {
    Script::Ends(ends_with(code, error))
}

fn ends_with(code: i32, error: &str) -> Ended {
    Ended { code: Some(code), error: error.into(), ..Ended::default() }
}

const PASSING: &str = "Error: etcdserver: leader changed";

fn leaves(records: Vec<RecordMeta>, code: i32, error: &str) -> Script {
    Script::Leaves(records, Ended { code: Some(code), error: error.into(), ..Ended::default() })
}

fn own(revision: u32, status: RecordStatus) -> RecordMeta {
    RecordMeta { operation: Some(OperationId("a".into())), ..record(revision, status) }
}

#[tokio::test(start_paused = true)]
async fn an_install_that_goes_well_is_recorded_and_leaves_nothing_secret_behind() {
    let scene = scene([ends(0, "")]).await;
    scene.records.are(vec![own(1, RecordStatus::Deployed)]);
    assert_eq!(scene.run().await.unwrap(), Succeeded);
    let operation = scene.operation();
    assert_eq!(operation.outcome.unwrap().revision, Some(1));
    let attempt = &operation.attempts[0];
    assert_eq!((attempt.number, attempt.exit_code, attempt.revision), (1, Some(0), Some(1)));
    assert_eq!(*scene.helm.runs.lock().unwrap(), ["secret: 1"]);
    assert!(!scene.store.has_input(&scene.id));
    assert_eq!(scene.hold().await, None);
    assert!(!folder(scene.data.path(), &scene.id).join("work").exists());
    assert_eq!(scene.store.log(&scene.id).await.unwrap(), "helm speaks\n");
    let file = std::fs::read_to_string(log_path(scene.data.path(), &scene.id)).unwrap();
    assert_eq!(file, "helm speaks\n");
}

#[tokio::test(start_paused = true)]
async fn of_two_runners_one_takes_the_operation() {
    let scene = scene([leaves(vec![own(1, RecordStatus::Deployed)], 0, "")]).await;
    let (a, b) = tokio::join!(scene.run(), scene.run());
    let (won, lost) = if a.is_ok() { (a, b) } else { (b, a) };
    assert_eq!(won.unwrap(), Succeeded);
    assert!(
        matches!(
            lost,
            Err(RunnerError::NotQueued(_)
                | RunnerError::Transition(TransitionError::Cluster(ClusterError::Conflict(_))))
        ),
        "{lost:?}"
    );
    assert_eq!(scene.helm.runs.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_passes_is_tried_again_and_each_attempt_is_kept() {
    let scene = scene([
        leaves(vec![own(1, RecordStatus::Failed)], 1, PASSING),
        leaves(vec![own(2, RecordStatus::Deployed), own(1, RecordStatus::Failed)], 0, ""),
    ])
    .await;
    assert_eq!(scene.run().await.unwrap(), Succeeded);
    assert_eq!(*scene.helm.replaced.lock().unwrap(), [false, true]);
    let operation = scene.operation();
    let classes: Vec<_> = operation
        .attempts
        .iter()
        .map(|attempt| attempt.failure.as_ref().map(|failure| failure.class))
        .collect();
    assert_eq!(classes, [Some(FailureClass::Transient), None]);
    assert!(scene.store.log(&scene.id).await.unwrap().contains("Attempt 2 of 3"));
}

#[tokio::test(start_paused = true)]
async fn what_lasts_is_not_tried_again() {
    let scene =
        scene([ends(1, "Error: INSTALLATION FAILED: cannot re-use a name that is still in use")]).await;
    assert_eq!(scene.run().await.unwrap(), Failed);
    let operation = scene.operation();
    assert_eq!(operation.attempts.len(), 1);
    assert_eq!(operation.failure().unwrap().class, FailureClass::Permanent);
}

#[tokio::test(start_paused = true)]
async fn what_was_seen_of_a_failed_hook_is_kept_with_the_attempt_and_told_with_its_cause() {
    let scene =
        scene([ends(1, "Error: INSTALLATION FAILED: failed pre-install: job failed: BackoffLimitExceeded")])
            .await;
    let job = witness::tests::evidence(
        "Job",
        "migrate",
        "Job shop/migrate failed: container migrate exited with 3.",
    );
    scene.witness.tells(vec![job.clone()]);
    assert_eq!(scene.run().await.unwrap(), Failed);
    let operation = scene.operation();
    assert_eq!(operation.attempts[0].evidence, std::slice::from_ref(&job));
    let failure = operation.failure().unwrap();
    assert_eq!(failure.object, Some(job.object));
    assert_eq!(failure.cause, "Job shop/migrate failed: container migrate exited with 3.");
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_about_what_went_well() {
    let scene = scene([leaves(vec![own(1, RecordStatus::Deployed)], 0, "")]).await;
    scene.witness.tells(vec![witness::tests::evidence("Job", "migrate", "It failed once.")]);
    assert_eq!(scene.run().await.unwrap(), Succeeded);
    assert_eq!(scene.operation().attempts[0].evidence, []);
}

#[tokio::test(start_paused = true)]
async fn a_helm_that_was_killed_half_way_interrupts_the_operation() {
    let killed = Ended { signal: Some(9), ..Ended::default() };
    let scene = scene([Script::Ends(killed)]).await;
    scene.records.are(vec![own(1, RecordStatus::PendingInstall)]);
    assert_eq!(scene.run().await.unwrap(), Interrupted);
    assert_eq!(scene.operation().failure().unwrap().cause, "helm was ended by signal 9.");
}

#[tokio::test(start_paused = true)]
async fn a_failure_after_the_last_attempt_is_the_outcome() {
    let failing = || leaves(vec![], 1, PASSING);
    let scene = scene([failing(), failing(), failing()]).await;
    assert_eq!(scene.run().await.unwrap(), Failed);
    assert_eq!(scene.operation().attempts.len(), 3);
    assert!(scene.store.has_input(&scene.id), "what it needs to be run again is gone");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_tried_again_over_what_another_helm_left_pending() {
    let scene = scene([leaves(vec![record(1, RecordStatus::PendingInstall)], 1, PASSING)]).await;
    assert_eq!(scene.run().await.unwrap(), Failed);
}

#[tokio::test(start_paused = true)]
async fn a_record_that_our_helm_could_not_finish_is_marked_as_failed_and_replaced() {
    let scene =
        scene([leaves(vec![own(1, RecordStatus::PendingInstall)], 1, PASSING), ends(1, "Error: no")]).await;
    assert_eq!(scene.run().await.unwrap(), Failed);
    assert_eq!(*scene.helm.replaced.lock().unwrap(), [false, true]);
    let left = scene.records.revisions(&ReleaseKey::new("ns", "web")).await.unwrap();
    assert_eq!(left[0].status, RecordStatus::Failed);
}

#[tokio::test(start_paused = true)]
async fn a_wish_to_cancel_ends_helm_and_says_whose_it_was() {
    let scene = scene([Script::WorksUntilStopped]).await;
    scene.records.are(vec![own(1, RecordStatus::Failed)]);
    let (state, ()) = tokio::join!(scene.run(), async {
        scene.helm.has_started().await;
        scene.wish().await;
    });
    assert_eq!(state.unwrap(), Cancelled);
    let operation = scene.operation();
    let failure = operation.failure().unwrap();
    assert_eq!((failure.class, failure.cause.as_str()), (FailureClass::Cancelled, "Cancelled by bob."));
    assert!(failure.text.contains("context canceled"), "{failure:?}");
    assert!(failure.advice.as_ref().unwrap().contains("uninstall it"), "{failure:?}");
}

#[tokio::test(start_paused = true)]
async fn a_wish_to_cancel_between_two_attempts_ends_it_at_once() {
    let uninstall = Operation { kind: OperationKind::Uninstall, ..operation("a", Queued) };
    let scene = scene_of(uninstall, [leaves(vec![record(1, RecordStatus::Uninstalling)], 1, PASSING)]).await;
    let start = tokio::time::Instant::now();
    let (state, ()) = tokio::join!(scene.run(), async {
        scene.reaches(Retrying).await;
        scene.wish().await;
    });
    assert_eq!(state.unwrap(), Cancelled);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_wish_to_cancel_just_before_the_next_attempt_lets_no_helm_run_any_more() {
    use OperationKind::{Install, Rollback, Test, Uninstall, Upgrade};
    for kind in [Install, Upgrade, Rollback, Uninstall, Test] {
        let base_revision = (kind != Install).then_some(2);
        let queued = Operation { kind, base_revision, ..operation("a", Queued) };
        let scene = scene_of(queued, [ends(1, PASSING)]).await;
        let before = [record(2, RecordStatus::Deployed), record(1, RecordStatus::Superseded)];
        scene.records.are(base_revision.map_or(vec![], |_| before.to_vec()));
        scene.store.wished_before.store(2, Ordering::SeqCst);
        assert_eq!(scene.run().await.unwrap(), Cancelled, "{kind:?}");
        let operation = scene.operation();
        assert_eq!((operation.attempts.len(), scene.helm.runs.lock().unwrap().len()), (1, 1), "{kind:?}");
        assert!(operation.failure().unwrap().cause.contains("bob"), "{operation:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_was_done_before_the_wish_has_succeeded_and_says_so() {
    let scene = scene([Script::Works(Duration::from_secs(1), 0)]).await;
    scene.records.are(vec![own(1, RecordStatus::Deployed)]);
    let (state, ()) = tokio::join!(scene.run(), async {
        scene.helm.has_started().await;
        scene.wish().await;
    });
    assert_eq!(state.unwrap(), Succeeded);
    assert!(scene.operation().outcome.unwrap().remark.unwrap().contains("before it could be cancelled"));
}

#[tokio::test(start_paused = true)]
async fn the_record_of_a_helm_that_had_to_be_killed_is_mended_under_the_lease() {
    let killed = Ended { signal: Some(9), killed: true, ..Ended::default() };
    let cancel = Some(Cancel { by: "bob".into(), at: now() });
    let wished = Operation { cancel, ..operation("a", Queued) };
    let scene = scene_of(wished, [Script::Leaves(vec![own(1, RecordStatus::PendingInstall)], killed)]).await;
    assert_eq!(scene.run().await.unwrap(), Cancelled);
    let left = scene.records.revisions(&ReleaseKey::new("ns", "web")).await.unwrap();
    assert_eq!(left[0].status, RecordStatus::Failed);
}

#[tokio::test(start_paused = true)]
async fn taking_over_marks_what_is_pending_as_failed_and_replaces_it() {
    let options = OperationOptions { take_over: true, ..OperationOptions::default() };
    let taking_over = Operation { options, base_revision: Some(1), ..operation("a", Queued) };
    let scene = scene_of(taking_over, [ends(1, "Error: no")]).await;
    scene.records.are(vec![record(1, RecordStatus::PendingInstall)]);
    assert_eq!(scene.run().await.unwrap(), Failed);
    assert_eq!(*scene.helm.replaced.lock().unwrap(), [true]);
    let left = scene.records.revisions(&ReleaseKey::new("ns", "web")).await.unwrap();
    assert_eq!(left[0].status, RecordStatus::Failed);
}

#[tokio::test(start_paused = true)]
async fn marking_as_failed_needs_no_helm() {
    let marking =
        Operation { kind: OperationKind::MarkFailed, base_revision: Some(2), ..operation("a", Queued) };
    let scene = scene_of(marking, []).await;
    scene.records.are(vec![record(2, RecordStatus::PendingUpgrade), record(1, RecordStatus::Deployed)]);
    assert_eq!(scene.run().await.unwrap(), Succeeded);
    let left = scene.records.revisions(&ReleaseKey::new("ns", "web")).await.unwrap();
    assert_eq!(left[0].status, RecordStatus::Failed);
}

#[tokio::test(start_paused = true)]
async fn a_helm_that_cannot_be_started_is_a_failure() {
    let scene = scene([Script::CannotStart]).await;
    assert_eq!(scene.run().await.unwrap(), Failed);
    assert_eq!(scene.operation().failure().unwrap().text, "no such file");
}

#[tokio::test(start_paused = true)]
async fn what_this_helm_cannot_do_is_no_fault_of_the_installation() {
    let scene = scene([Script::Lacks]).await;
    assert_eq!(scene.run().await.unwrap(), Failed);
    let failure = scene.operation().failure().unwrap().clone();
    assert_eq!((failure.class, failure.cause.as_str()), (FailureClass::Permanent, "This helm has no --x."));
    assert!(failure.advice.unwrap().contains("Leave that option out"));
}

#[tokio::test(start_paused = true)]
async fn an_operation_whose_input_was_lost_fails_without_helm() {
    let scene = scene([]).await;
    scene.store.delete_input(&scene.id).await.unwrap();
    assert_eq!(scene.run().await.unwrap(), Failed);
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_is_told_to_stop_ends_helm_and_writes_the_outcome() {
    let scene = scene([Script::WorksUntilStopped]).await;
    scene.records.are(vec![own(1, RecordStatus::Failed)]);
    let (state, ()) = tokio::join!(scene.run(), async {
        scene.helm.has_started().await;
        raise(&scene.stop, Stop::Asked);
    });
    assert_eq!(state.unwrap(), Interrupted);
    assert_eq!(scene.operation().failure().unwrap().class, FailureClass::Interrupted);
    assert_eq!(scene.hold().await, None);
}

#[tokio::test(start_paused = true)]
async fn a_runner_whose_lease_was_taken_over_ends_helm_and_writes_nothing() {
    let scene = scene([Script::WorksUntilStopped]).await;
    let release = ReleaseKey::new("ns", "web");
    let (result, ()) = tokio::join!(scene.run(), async {
        scene.helm.has_started().await;
        let found = scene.hold().await.unwrap();
        let other = lease::new_hold(&OperationId("b".into()), "other", None, now());
        scene.leases.replace(&release, &found, &other).await.unwrap();
    });
    assert!(matches!(result, Err(RunnerError::LeaseLost)), "{result:?}");
    assert_eq!(scene.store.state(&scene.id), Running);
    assert_eq!(scene.hold().await.unwrap().operation.0, "b");
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_cannot_renew_its_lease_for_too_long_ends_helm() {
    let scene = scene([Script::WorksUntilStopped]).await;
    let (result, took) = tokio::join!(scene.run(), async {
        scene.helm.has_started().await;
        scene.leases.is_down.store(true, Ordering::SeqCst);
        let start = tokio::time::Instant::now();
        scene.stop.subscribe().wait_for(|stop| *stop == Stop::AtOnce).await.unwrap();
        start.elapsed()
    });
    assert!(matches!(result, Err(RunnerError::LeaseLost)), "{result:?}");
    assert!(
        took >= lease::GIVE_UP_AFTER && took < Duration::from_secs(u64::from(lease::SECONDS)),
        "{took:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_was_stopped_past_its_lease_writes_nothing_when_it_goes_on() {
    // helm was ended by its watchdog; one outcome would be final, the other would be tried again. The keeper has not
    // looked yet, or looks first.
    for error in ["Error: context canceled", "Error: etcdserver: leader changed"] {
        for pause in [Duration::from_secs(1), Duration::from_secs(12)] {
            let scene = scene([Script::EndsAfter(pause, ends_with(1, error))]).await;
            let (result, before) = tokio::join!(scene.run(), async {
                scene.helm.has_started().await;
                // As if nothing of this process had run meanwhile.
                scene.runner.renewed.send_modify(|renewal| *renewal = renewal.earlier(lease::GONE_AFTER));
                (scene.store.writes(), scene.hold().await)
            });
            assert!(matches!(result, Err(RunnerError::LeaseLost)), "{result:?}");
            assert_eq!((scene.store.writes(), scene.hold().await), before);
            assert_eq!(scene.store.state(&scene.id), Running);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_was_stopped_between_claim_and_lease_starts_no_helm() {
    let scene = scene([]).await;
    // Whoever looks after such operations has settled it, and given the Lease back.
    let (claimed, before) = scene.runner.claim(&scene.id, &watch::Sender::new(Stop::No)).await.unwrap();
    let settled = operation("a", Interrupted);
    scene.store.replace(&claimed, &settled).await.unwrap();
    let release = ReleaseKey::new("ns", "web");
    scene.leases.delete(&release, before.as_ref().unwrap()).await.unwrap();
    let taken = scene.runner.take_lease(&claimed.operation, before.as_ref(), &scene.stop).await;
    assert!(matches!(taken, Err(RunnerError::LeaseLost)), "{taken:?}");
    assert_eq!(scene.hold().await, None);
    // Or it is at it, and has the Lease.
    let settler = lease::new_hold(&scene.id, "server", None, now());
    scene.leases.create(&release, &settler).await.unwrap();
    let taken = scene.runner.take_lease(&claimed.operation, before.as_ref(), &scene.stop).await;
    assert!(matches!(taken, Err(RunnerError::LeaseLost)), "{taken:?}");
}

#[tokio::test(start_paused = true)]
async fn a_long_helm_keeps_its_lease() {
    let scene = scene([Script::WorksUntilStopped]).await;
    let before = scene.hold().await.unwrap();
    tokio::join!(
        async {
            scene.run().await.unwrap();
        },
        async {
            scene.helm.has_started().await;
            tokio::time::sleep(lease::RENEW_EVERY * 4).await;
            let hold = scene.hold().await.unwrap();
            assert_eq!((hold.by.as_str(), &hold.operation), ("runner", &before.operation));
            let renewals: u32 = hold.resource_version.parse().unwrap();
            assert!(renewals >= 5, "{renewals}");
            raise(&scene.stop, Stop::Asked);
        }
    );
}

#[tokio::test(start_paused = true)]
async fn an_outcome_that_cannot_be_written_at_first_is_written_later() {
    let scene = scene([Script::WorksUntilStopped]).await;
    tokio::join!(
        async {
            scene.run().await.unwrap();
        },
        async {
            scene.helm.has_started().await;
            scene.store.refuses_replacements.store(3, Ordering::SeqCst);
            raise(&scene.stop, Stop::Asked);
        }
    );
    assert!(scene.store.state(&scene.id).is_terminal());
}

#[tokio::test(start_paused = true)]
async fn an_api_server_that_does_not_know_all_roles_yet_is_asked_again() {
    let scene = scene([Script::EndsAfter(Duration::from_secs(10), ends_with(0, ""))]).await;
    scene.records.are(vec![own(1, RecordStatus::Deployed)]);
    let refuses = async {
        scene.helm.has_started().await;
        scene.store.forbids.store(7, Ordering::SeqCst);
    };
    let (state, ()) = tokio::join!(scene.run(), refuses);
    assert_eq!(state.unwrap(), Succeeded);
    assert_eq!(scene.operation().state, Succeeded);
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_comes_too_late_leaves_the_release_to_whoever_has_it() {
    let scene = scene([]).await;
    let release = ReleaseKey::new("ns", "web");
    let found = scene.hold().await.unwrap();
    let other = lease::new_hold(&OperationId("b".into()), "other", None, now());
    scene.leases.replace(&release, &found, &other).await.unwrap();
    assert!(matches!(scene.run().await, Err(RunnerError::LeaseLost)));
}

#[test]
fn an_uninstall_has_no_attempt_before_its_first() {
    let first =
        attempt::begun(&Operation { kind: OperationKind::Uninstall, ..operation("a", Queued) }, now());
    assert_eq!((first.state, first.attempts[0].number), (Running, 1));
    assert!(first.attempts[0].started > Timestamp(0));
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_is_told_to_end_before_it_began_leaves_the_operation_to_another() {
    let scene = scene([]).await;
    scene.stop.send_replace(Stop::Asked);
    let before = (scene.store.writes(), scene.hold().await);
    let result = scene.run().await;
    assert!(matches!(result, Err(RunnerError::ToldToEnd)), "{result:?}");
    assert_eq!((scene.store.writes(), scene.hold().await), before);
}

#[tokio::test(start_paused = true)]
async fn what_somebody_has_begun_while_it_waited_for_its_turn_is_left_to_them() {
    for kind in [OperationKind::Rollback, OperationKind::Uninstall, OperationKind::Upgrade] {
        let queued = Operation { kind, base_revision: Some(2), ..operation("a", Queued) };
        let scene = scene_of(queued, []).await;
        let begun = RecordMeta { created: Some(now()), ..record(3, RecordStatus::PendingUpgrade) };
        scene.records.are(vec![
            begun,
            record(2, RecordStatus::Deployed),
            record(1, RecordStatus::Superseded),
        ]);
        assert_eq!(scene.run().await.unwrap(), Failed, "{kind:?}");
        assert_eq!(scene.operation().failure().unwrap().class, FailureClass::Locked, "{kind:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_somebody_has_done_while_it_waited_is_what_it_builds_upon() {
    let queued = Operation { kind: OperationKind::Upgrade, base_revision: Some(2), ..operation("a", Queued) };
    let scene = scene_of(queued, [leaves(vec![own(4, RecordStatus::Deployed)], 0, "")]).await;
    scene.records.are(vec![record(3, RecordStatus::Deployed), record(2, RecordStatus::Superseded)]);
    assert_eq!(scene.run().await.unwrap(), Succeeded);
    let operation = scene.operation();
    assert_eq!((operation.base_revision, operation.attempts[0].revision), (Some(3), Some(4)));
}

#[tokio::test(start_paused = true)]
async fn a_rollback_is_not_tried_again_over_what_somebody_else_has_done_meanwhile() {
    let options = OperationOptions { revision: Some(1), ..OperationOptions::default() };
    let queued = Operation {
        kind: OperationKind::Rollback,
        base_revision: Some(2),
        options,
        ..operation("a", Queued)
    };
    let before = [record(2, RecordStatus::Deployed), record(1, RecordStatus::Superseded)];
    let after = |status| [&[record(3, status)][..], &before].concat();
    for (told, status, state, attempts) in [
        ("Upgrade complete", RecordStatus::Deployed, Failed, 1),
        ("Rollback to 1", RecordStatus::Failed, Succeeded, 2),
    ] {
        let rest = leaves(vec![record(4, RecordStatus::Deployed)], 0, "");
        let scene = scene_of(queued.clone(), [leaves(after(status), 1, PASSING), rest]).await;
        scene.records.are(before.to_vec());
        scene.records.tell(told);
        assert_eq!(scene.run().await.unwrap(), state, "{told}");
        let operation = scene.operation();
        assert_eq!(operation.attempts.len(), attempts, "{told}");
        assert_eq!(operation.attempts[0].revision, None, "{told}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_rollback_is_not_tried_again_over_what_somebody_else_has_done_in_the_pause() {
    let queued =
        Operation { kind: OperationKind::Rollback, base_revision: Some(2), ..operation("a", Queued) };
    let before = vec![record(2, RecordStatus::Deployed), record(1, RecordStatus::Superseded)];
    let scene = scene_of(queued, [ends(1, PASSING)]).await;
    scene.records.are(before.clone());
    scene.records.tell("Upgrade complete");
    let (state, ()) = tokio::join!(scene.run(), async {
        scene.reaches(Retrying).await;
        scene.records.are([vec![record(3, RecordStatus::Deployed)], before].concat());
    });
    assert_eq!(state.unwrap(), Failed);
    assert_eq!(scene.operation().attempts.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn nobody_gets_the_rights_of_whoever_serves() {
    let mut scene = scene([]).await;
    scene.runner.user = Some("admin".into());
    assert!(matches!(scene.run().await, Err(RunnerError::NotOurs(..))));
    assert_eq!(scene.store.state(&scene.id), Queued);
}
