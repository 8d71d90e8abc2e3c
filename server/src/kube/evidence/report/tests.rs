use serde_json::json;

use super::*;
use crate::kube::evidence::job::SeenJob;
use crate::kube::evidence::pod::tests::{crashing, exited, hook_pod, job_pod, pod, running, unscheduled};
use crate::kube::evidence::scene::tests::{job, scene};
use crate::kube::watch::Change;

fn failure(text: &str) -> Failure {
    Failure::told_by_helm(text)
}

fn hook_failed() -> Failure {
    failure("Error: INSTALLATION FAILED: failed pre-install: job failed: BackoffLimitExceeded")
}

fn timed_out() -> Failure {
    failure("Error: INSTALLATION FAILED: context deadline exceeded")
}

fn event(kind: &str, name: &str, reason: &str, message: &str) -> SeenEvent {
    let uid = format!("{kind}{name}{reason}{message}");
    SeenEvent { uid, kind: kind.into(), name: name.into(), reason: reason.into(), message: message.into() }
}

fn resource(kind: &str, name: &str, health: Health, message: &str) -> Resource {
    let object = ObjectRef {
        api_version: "apps/v1".into(),
        kind: kind.into(),
        namespace: Some("shop".into()),
        name: name.into(),
    };
    Resource { object, source: String::new(), hooks: vec![], health, message: message.into(), created: None }
}

fn report(scene: &Scene) -> Report<'_> {
    Report { scene, namespace: "shop" }
}

fn reasons(evidence: &[Evidence]) -> Vec<&str> {
    evidence.iter().map(|evidence| evidence.reason.as_str()).collect()
}

#[test]
fn a_failed_hook_is_told_with_how_its_container_ended() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_job(Change::Written(job("migrate", Some("BackoffLimitExceeded"))));
    scene.apply_job(Change::Written(SeenJob { is_done: true, ..job("prepare", None) }));
    scene.apply_pod(Change::Written(job_pod("migrate-x", &exited(3))));
    let told = report(&scene).hooks(&hook_failed());
    assert_eq!(reasons(&told), ["Job shop/migrate failed: container migrate exited with 3."]);
    assert_eq!(told[0].object.api_version, "batch/v1");
    assert_eq!(told[0].pods[0].containers[0].exit_code, Some(3));
    assert_eq!(report(&scene).pods_of_hooks(&hook_failed()), ["uid-migrate-x"]);
}

#[test]
fn a_hook_whose_pods_are_gone_is_told_in_the_jobs_words() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_job(Change::Written(job("migrate", Some("BackoffLimitExceeded"))));
    let told = report(&scene).hooks(&hook_failed());
    let words = "Job shop/migrate failed: BackoffLimitExceeded: Job has reached the specified backoff limit.";
    assert_eq!(reasons(&told), [words]);
}

#[test]
fn a_hook_that_ran_out_of_time_is_told_with_what_it_was_busy_with() {
    let mut scene = scene(vec![], vec![]);
    let failed =
        Some(("DeadlineExceeded".to_owned(), "Job was active longer than specified deadline".to_owned()));
    scene.apply_job(Change::Written(SeenJob { failed, ..job("migrate", None) }));
    scene.apply_pod(Change::Written(job_pod("migrate-x", &running())));
    let words = "Job shop/migrate failed: DeadlineExceeded: Job was active longer than specified deadline; container \
                 main has not finished.";
    assert_eq!(reasons(&report(&scene).hooks(&hook_failed())), [words]);
}

#[test]
fn a_hook_that_helm_waited_for_in_vain_is_to_blame_for_the_time_out() {
    let mut waiting = scene(vec![], vec![]);
    waiting.apply_job(Change::Written(job("migrate", None)));
    waiting.apply_pod(Change::Written(job_pod("migrate-x", &unscheduled("0/1 nodes are available"))));
    let words = "Job shop/migrate had not finished when helm gave up: pod migrate-x cannot be scheduled: 0/1 nodes are \
                 available.";
    assert_eq!(reasons(&report(&waiting).hooks(&timed_out())), [words]);
    assert_eq!(reasons(&report(&waiting).hooks(&failure("nobody knows this"))), [""; 0]);

    let mut done = scene(vec![], vec![]);
    done.apply_job(Change::Written(SeenJob { is_done: true, ..job("migrate", None) }));
    assert_eq!(report(&done).hooks(&timed_out()), []);
}

#[test]
fn a_pod_that_is_a_hook_is_told_as_itself() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_pod(Change::Written(hook_pod("check", &exited(2))));
    let told = report(&scene).hooks(&failure("Error: pod check failed"));
    assert_eq!(reasons(&told), ["Pod shop/check failed: container migrate exited with 2."]);
}

#[test]
fn a_hook_that_is_gone_before_its_job_said_so_is_told_by_its_pods() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_job(Change::Written(job("migrate", None)));
    scene.apply_pod(Change::Written(job_pod("migrate-x", &exited(1))));
    assert_eq!(report(&scene).hooks(&hook_failed()), [], "it may be tried again");
    scene.apply_job(Change::Removed(job("migrate", None)));
    assert_eq!(report(&scene).hooks(&hook_failed()).len(), 1);
}

#[test]
fn what_is_not_ready_is_told_with_what_is_wrong_with_its_pods() {
    let quota = "Error creating: pods \"web-5d78c9869d-\" is forbidden: exceeded quota: small, requested: pods=1, used: \
                 pods=0, limited: pods=0";
    let unbound = "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.";
    let no_class = "no persistent volumes available for this claim and no storage class is set";
    let probe = "Readiness probe failed: HTTP probe failed with statuscode: 503";
    let unmounted = "MountVolume.SetUp failed for volume \"config\" : configmap \"web\" not found";
    let probed = json!({"phase": "Running", "containerStatuses": [{"name": "main", "image": "web:1", "imageID": "",
        "ready": false, "restartCount": 0, "state": {"running": {}}}]});
    let table = [
        (
            Some(crashing(4)),
            None,
            "container main crashes again and again; it exited with 1 (4 restarts)".to_owned(),
        ),
        (
            Some(unscheduled(unbound)),
            Some(event("PersistentVolumeClaim", "data", "FailedBinding", no_class)),
            format!("pod web-x cannot be scheduled: {unbound}; claim data: {no_class}"),
        ),
        (
            None,
            Some(event("ReplicaSet", "web-5d78c9869d", "FailedCreate", quota)),
            format!("FailedCreate: {quota}"),
        ),
        (
            Some(probed),
            Some(event("Pod", "web-x", "Unhealthy", probe)),
            format!("container main runs and is not ready; Unhealthy: {probe}"),
        ),
        (
            Some(json!({"phase": "Pending"})),
            Some(event("Pod", "web-x", "FailedMount", unmounted)),
            format!("pod web-x is still being started; FailedMount: {unmounted}"),
        ),
        (
            None,
            Some(event("ReplicaSet", "webshop-5d78c9869d", "FailedCreate", quota)),
            "0 of 1 replicas ready".into(),
        ),
        (None, None, "0 of 1 replicas ready".to_owned()),
    ];
    for (status, event, detail) in table {
        let mut scene = scene(vec![], vec![]);
        status.into_iter().for_each(|status| scene.apply_pod(Change::Written(pod("web-x", &status))));
        event.into_iter().for_each(|event| scene.apply_event(Change::Written(event)));
        let web = resource("Deployment", "web", Health::Progressing, "0 of 1 replicas ready");
        let told = report(&scene).resources(&[web], false);
        let expected = format!("Deployment shop/web is not ready: {}.", detail.trim_end_matches('.'));
        assert_eq!(reasons(&told), [expected.as_str()]);
    }
}

#[test]
fn an_unbound_claim_is_told_in_the_words_of_its_events() {
    let mut scene = scene(vec![], vec![]);
    let message = "no persistent volumes available for this claim and no storage class is set";
    scene.apply_event(Change::Written(event("PersistentVolumeClaim", "data", "FailedBinding", message)));
    let claim =
        resource("PersistentVolumeClaim", "data", Health::Progressing, "Pending: not bound to a volume yet");
    let told = report(&scene).resources(&[claim], false);
    assert_eq!(
        reasons(&told),
        [format!("PersistentVolumeClaim shop/data is not ready: FailedBinding: {message}.")]
    );
    assert_eq!(told[0].events, [format!("FailedBinding: {message}")]);
}

#[test]
fn the_most_telling_comes_first_and_what_is_ready_not_at_all() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_pod(Change::Written(pod("web-x", &unscheduled("0/1 nodes"))));
    let all = [
        resource("Service", "web", Health::Progressing, "No load balancer address yet"),
        resource("ConfigMap", "web", Health::Ready, "Exists"),
        resource("Secret", "web", Health::Missing, "Not in the cluster"),
        resource("Role", "web", Health::Unknown, "Not read yet"),
        resource("Deployment", "web", Health::Progressing, "0 of 1 replicas ready"),
        resource("Job", "load", Health::Failed, "BackoffLimitExceeded"),
    ];
    let told = report(&scene).resources(&all, false);
    let kinds: Vec<&str> = told.iter().map(|evidence| evidence.object.kind.as_str()).collect();
    assert_eq!(kinds, ["Job", "Deployment", "Service", "Secret"]);
    assert_eq!(report(&scene).pods_of_resources(&all), ["uid-web-x"]);
}

#[test]
fn what_helm_has_undone_is_told_by_the_pods_that_were_not_well() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_pod(Change::Written(pod("web-x", &unscheduled("0/1 nodes"))));
    scene.apply_pod(Change::Removed(pod("web-x", &unscheduled("0/1 nodes"))));
    let gone = [
        resource("Deployment", "web", Health::Missing, "Not in the cluster"),
        resource("Service", "web", Health::Missing, "Not in the cluster"),
    ];
    let told = report(&scene).resources(&gone, true);
    assert_eq!(reasons(&told), ["Deployment shop/web is missing: pod web-x cannot be scheduled: 0/1 nodes."]);
    let back = [resource("Deployment", "web", Health::Ready, "1 of 1 replica ready")];
    let told = report(&scene).resources(&back, true);
    assert_eq!(
        reasons(&told),
        ["Deployment shop/web was not ready: pod web-x cannot be scheduled: 0/1 nodes."]
    );
    assert_eq!(report(&scene).resources(&back, false), []);
}

#[test]
fn pods_of_the_same_name_in_another_namespace_are_not_mixed_in() {
    let mut scene = scene(vec![], vec![]);
    scene.apply_pod(Change::Written(pod("web-x", &crashing(1))));
    let mut elsewhere = resource("Deployment", "web", Health::Progressing, "0 of 1 replicas ready");
    elsewhere.object.namespace = Some("other".into());
    let told = report(&scene).resources(&[elsewhere], false);
    assert_eq!(reasons(&told), ["Deployment other/web is not ready: 0 of 1 replicas ready."]);
}

#[test]
fn what_a_quota_refuses_is_told_with_its_numbers() {
    let text = "Error: INSTALLATION FAILED: server-side apply failed for object shop/report-0 batch/v1, Kind=CronJob: \
                cronjobs.batch \"report-0\" is forbidden: exceeded quota: small, requested: count/cronjobs.batch=1, used: \
                count/cronjobs.batch=2, limited: count/cronjobs.batch=2";
    let scene = scene(vec![], vec![]);
    let told = report(&scene).refused(&failure(text)).unwrap();
    let words = "CronJob shop/report-0 was refused: exceeded quota: small, requested: count/cronjobs.batch=1, used: \
                 count/cronjobs.batch=2, limited: count/cronjobs.batch=2.";
    assert_eq!(told.reason, words);
    assert_eq!(report(&scene).refused(&failure("Error: cannot re-use a name that is still in use")), None);
}

#[test]
fn that_nothing_could_be_seen_is_said() {
    let mut scene = Scene::default();
    let forbidden = crate::kube::ClusterError::Forbidden("pods is forbidden".into());
    scene.apply_pod(Change::Failed(forbidden));
    let told = report(&scene).blind().unwrap();
    assert_eq!(told.reason, "The namespace's pods could not be seen: pods is forbidden.");
    assert_eq!((told.object.kind.as_str(), told.object.name.as_str()), ("Namespace", "shop"));
}
