use super::*;
use crate::kube::evidence::pod::tests::{crashing, exited, hook_pod, job_pod, pod, running, unscheduled};

pub(in crate::kube::evidence) fn job(name: &str, failed: Option<&str>) -> SeenJob {
    let failed =
        failed.map(|reason| (reason.to_owned(), "Job has reached the specified backoff limit".to_owned()));
    SeenJob { uid: format!("uid-{name}"), name: name.into(), failed, ..SeenJob::default() }
}

/// A scene whose first lists had `jobs` and `pods`.
pub(in crate::kube::evidence) fn scene(jobs: Vec<SeenJob>, pods: Vec<SeenPod>) -> Scene {
    let mut scene = Scene::default();
    scene.apply_job(Change::Restarted);
    jobs.into_iter().for_each(|job| scene.apply_job(Change::Listed(job)));
    scene.apply_job(Change::Complete);
    pods.into_iter().for_each(|pod| scene.apply_pod(Change::Listed(pod)));
    scene.apply_pod(Change::Complete);
    scene
}

pub(in crate::kube::evidence) fn members(hooks: &[(&str, &str)], objects: &[(&str, &str)]) -> Members {
    let owned =
        |all: &[(&str, &str)]| all.iter().map(|(kind, name)| ((*kind).into(), (*name).into())).collect();
    Members { hooks: owned(hooks), objects: owned(objects) }
}

fn wanted(scene: &mut Scene) -> Vec<(String, bool)> {
    scene.wants().into_iter().map(|want| (want.pod, want.previous)).collect()
}

#[test]
fn the_log_of_a_hook_is_wanted_once_at_the_first_sign_of_its_failure() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_job(Change::Written(job("migrate", None)));
    scene.apply_pod(Change::Written(job_pod("migrate-x", &running())));
    assert_eq!(wanted(&mut scene), []);
    scene.apply_pod(Change::Written(job_pod("migrate-x", &exited(3))));
    assert_eq!(wanted(&mut scene), [("migrate-x".to_owned(), false)]);
    assert!(scene.is_reading());
    scene.apply_job(Change::Written(job("migrate", Some("BackoffLimitExceeded"))));
    assert_eq!(wanted(&mut scene), []);
}

#[test]
fn a_pod_that_is_told_of_before_its_job_is_not_missed() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_pod(Change::Written(job_pod("migrate-x", &exited(3))));
    assert_eq!(wanted(&mut scene), [], "it may be anybody's");
    scene.apply_job(Change::Written(job("migrate", None)));
    assert_eq!(wanted(&mut scene).len(), 1);
}

#[test]
fn the_log_of_a_hook_that_is_ended_while_it_runs_is_wanted() {
    let mut over_time = scene(vec![], vec![]);
    over_time.apply_job(Change::Written(job("migrate", None)));
    over_time.apply_pod(Change::Written(job_pod("migrate-x", &running())));
    over_time.apply_job(Change::Written(job("migrate", Some("DeadlineExceeded"))));
    assert_eq!(wanted(&mut over_time).len(), 1);

    let mut removed = scene(vec![], vec![]);
    removed.apply_pod(Change::Written(hook_pod("check", &running())));
    assert_eq!(wanted(&mut removed), []);
    removed.apply_pod(Change::Written(SeenPod { is_ending: true, ..hook_pod("check", &running()) }));
    assert_eq!(wanted(&mut removed).len(), 1);
}

#[test]
fn what_is_removed_is_kept_as_it_was_last_seen() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_job(Change::Written(job("migrate", Some("BackoffLimitExceeded"))));
    scene.apply_pod(Change::Written(job_pod("migrate-x", &exited(3))));
    let want = scene.wants().remove(0);
    scene.read(&want, Ok("no such table".into()));
    scene.apply_job(Change::Removed(job("migrate", None)));
    scene.apply_pod(Change::Removed(job_pod("migrate-x", &exited(137))));
    // The log is asked for once more and gone; the one that was read stays.
    scene.read(&want, Err("not found".into()));
    let hooks = scene.hooks();
    assert_eq!((hooks.len(), hooks[0].pods.len()), (1, 1));
    assert!(hooks[0].job.is_some_and(|job| job.failed.is_some() && job.is_ending));
    let pod = hooks[0].pods[0];
    assert_eq!(pod.trouble().as_deref(), Some("container migrate exited with 3"));
    assert_eq!(scene.log(pod, &pod.containers[0]), Some(Ok("no such table".into())));
}

#[test]
fn hooks_that_were_there_before_tell_nothing_of_this_attempt() {
    let old = job("migrate", Some("BackoffLimitExceeded"));
    let mut scene =
        scene(vec![old.clone()], vec![job_pod("migrate-old", &exited(1)), hook_pod("check", &exited(1))]);
    scene.apply_job(Change::Written(old));
    assert_eq!(wanted(&mut scene), []);
    assert_eq!(scene.hooks(), []);
    // The watch begins anew: what is new in its list is of this attempt.
    scene.apply_job(Change::Restarted);
    scene.apply_job(Change::Listed(SeenJob { uid: "new".into(), ..job("migrate", None) }));
    scene.apply_job(Change::Complete);
    assert_eq!(scene.hooks().len(), 1);
}

#[test]
fn the_hooks_of_other_releases_are_passed_over_once_the_record_is_there() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_job(Change::Written(job("migrate", None)));
    scene.apply_job(Change::Written(job("of-another", None)));
    assert_eq!(scene.hooks().len(), 2);
    scene.set_members(members(&[("Job", "migrate")], &[]));
    let names: Vec<&str> = scene.hooks().iter().map(|hook| hook.job.unwrap().name.as_str()).collect();
    assert_eq!(names, ["migrate"]);
}

#[test]
fn of_a_crash_loop_the_log_of_the_run_before_is_wanted_and_at_the_end_the_last_one() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_pod(Change::Written(pod("web-x", &crashing(1))));
    assert_eq!(wanted(&mut scene), [], "it is not known whose it is");
    scene.set_members(members(&[], &[("Deployment", "web")]));
    let first = scene.wants();
    assert_eq!(first.iter().map(|want| want.previous).collect::<Vec<_>>(), [true]);
    scene.read(&first[0], Ok("one".into()));
    scene.apply_pod(Change::Written(pod("web-x", &crashing(2))));
    assert_eq!(wanted(&mut scene), [], "one is enough for now");
    let uids = ["uid-web-x".to_owned()];
    assert_eq!(scene.last_wants(&uids).len(), 1);
    assert_eq!(scene.last_wants(&uids).len(), 0);
}

#[test]
fn pods_that_are_well_are_forgotten_and_the_most_telling_comes_first() {
    let mut scene = scene(vec![], vec![pod("web-a", &unscheduled("0/1 nodes"))]);
    for (name, status) in
        [("web-b", running()), ("web-c", crashing(1)), ("web-d", serde_json::json!({"phase": "Pending"}))]
    {
        scene.apply_pod(Change::Written(pod(name, &status)));
    }
    let names = |scene: &Scene| -> Vec<String> {
        scene.pods_of("Deployment", "web").iter().map(|pod| pod.name.clone()).collect()
    };
    assert_eq!(names(&scene), ["web-a", "web-c", "web-d"]);
    scene.apply_pod(Change::Written(pod("web-a", &running())));
    assert_eq!(names(&scene), ["web-c", "web-d"]);
    scene.apply_pod(Change::Removed(pod("web-c", &crashing(1))));
    assert_eq!(names(&scene), ["web-d", "web-c"], "what is gone comes last");
}

#[test]
fn events_from_before_are_passed_over_and_one_that_happens_again_is_one() {
    let event = |uid: &str, message: &str| SeenEvent {
        uid: uid.into(),
        message: message.into(),
        ..SeenEvent::default()
    };
    let mut scene = Scene::default();
    scene.apply_event(Change::Listed(event("old", "old")));
    for (uid, message) in [("a", "a"), ("b", "b"), ("a", "a again")] {
        scene.apply_event(Change::Written(event(uid, message)));
    }
    let told: Vec<&str> = scene.events().map(|event| event.message.as_str()).collect();
    assert_eq!(told, ["a again", "b"]);
}

#[test]
fn whoever_may_not_see_says_so_and_keeps_nobody_waiting() {
    let mut scene = Scene::default();
    scene.apply_job(Change::Complete);
    scene.apply_pod(Change::Failed(ClusterError::Unreachable("for a moment".into())));
    assert!(!scene.is_listed() && scene.blind().next().is_none());
    // In whatever order the answers come.
    scene.apply_event(Change::Failed(ClusterError::Forbidden("events is forbidden".into())));
    assert!(!scene.is_listed() && scene.sees_pods());
    scene.apply_pod(Change::Failed(ClusterError::Forbidden(
        "pods is forbidden: User \"ann\" cannot list".into(),
    )));
    assert!(scene.is_listed() && !scene.sees_pods());
    let told = [
        "The namespace's pods could not be seen: pods is forbidden: User \"ann\" cannot list",
        "The namespace's events could not be seen: events is forbidden",
    ];
    assert_eq!(scene.blind().collect::<Vec<_>>(), told);
}

#[test]
fn however_much_fails_the_logs_that_are_read_are_bounded() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_job(Change::Written(job("migrate", None)));
    for number in 0..PODS_MAX + 10 {
        scene.apply_pod(Change::Written(job_pod(&format!("migrate-{number}"), &exited(1))));
    }
    assert_eq!(scene.wants().len(), LOGS_MAX);
    assert_eq!(scene.pods.len(), PODS_MAX);
}
