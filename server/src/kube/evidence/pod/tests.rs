use serde_json::{Value, json};

use super::*;

/// A pod of the Deployment `web` with this status.
pub(in crate::kube::evidence) fn pod(name: &str, status: &Value) -> SeenPod {
    read(&json!({
        "metadata": {
            "name": name, "namespace": "shop", "uid": format!("uid-{name}"),
            "labels": {"app": "web", "pod-template-hash": "5d78c9869d"},
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-5d78c9869d",
                                 "uid": "uid-rs", "controller": true, "blockOwnerDeletion": true}],
        },
        "spec": {"containers": [{"name": "main"}],
                 "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]},
        "status": status,
    }))
}

/// A pod of the Job `migrate`, whose identity is `uid-migrate`.
pub(in crate::kube::evidence) fn job_pod(name: &str, status: &Value) -> SeenPod {
    read(&json!({
        "metadata": {
            "name": name, "namespace": "shop", "uid": format!("uid-{name}"),
            "labels": {"batch.kubernetes.io/job-name": "migrate", "job-name": "migrate"},
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "migrate", "uid": "uid-migrate",
                                 "controller": true, "blockOwnerDeletion": true}],
        },
        "spec": {"containers": [{"name": "migrate"}]},
        "status": status,
    }))
}

/// A bare pod that helm runs as a hook.
pub(in crate::kube::evidence) fn hook_pod(name: &str, status: &Value) -> SeenPod {
    read(&json!({
        "metadata": {"name": name, "uid": format!("uid-{name}"), "annotations": {"helm.sh/hook": "test"}},
        "spec": {"containers": [{"name": "check"}]},
        "status": status,
    }))
}

fn read(pod: &Value) -> SeenPod {
    SeenPod::read(serde_json::from_value(pod.clone()).unwrap())
}

pub(in crate::kube::evidence) fn running() -> Value {
    json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}],
           "containerStatuses": [container(json!({"ready": true}), json!({"running": {}}))]})
}

pub(in crate::kube::evidence) fn exited(code: i32) -> Value {
    json!({"phase": if code == 0 { "Succeeded" } else { "Failed" },
           "containerStatuses": [container(json!({"name": "migrate"}), json!({"terminated":
               {"exitCode": code, "reason": if code == 0 { "Completed" } else { "Error" }}}))]})
}

/// As kubelet writes them between two runs.
pub(in crate::kube::evidence) fn crashing(restarts: u32) -> Value {
    let message = "back-off 10s restarting failed container=main pod=web-5d78c9869d-x_shop(6d7c)";
    json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "False", "reason": "ContainersNotReady"}],
           "containerStatuses": [container(
               json!({"restartCount": restarts, "lastState": {"terminated":
                   {"exitCode": 1, "reason": "Error", "message": "cannot read config\n"}}}),
               json!({"waiting": {"reason": "CrashLoopBackOff", "message": message}}))]})
}

/// As the scheduler writes them.
pub(in crate::kube::evidence) fn unscheduled(message: &str) -> Value {
    json!({"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
                                               "message": message}]})
}

fn container(with: Value, state: Value) -> Value {
    let mut status =
        json!({"name": "main", "image": "web:1", "imageID": "", "ready": false, "restartCount": 0});
    status.as_object_mut().unwrap().extend(with.as_object().unwrap().clone());
    status["state"] = state;
    status
}

fn waiting(reason: &str, message: &str) -> Value {
    json!({"phase": "Pending", "containerStatuses": [
        container(json!({}), json!({"waiting": {"reason": reason, "message": message}}))]})
}

#[test]
fn what_is_wrong_with_a_pod_is_said_in_plain_words() {
    let terminated = |exit: Value| json!({"phase": "Failed", "containerStatuses": [container(json!({}), json!({"terminated": exit}))]});
    let back_off = "Back-off pulling image \"web:1\": ErrImagePull: not found";
    let init = json!({"phase": "Pending", "initContainerStatuses": [container(
        json!({"name": "wait"}), json!({"terminated": {"exitCode": 2, "reason": "Error"}}))],
        "containerStatuses": [container(json!({}), json!({"waiting": {"reason": "PodInitializing"}}))]});
    let again = json!({"phase": "Running", "containerStatuses": [container(
        json!({"restartCount": 1, "lastState": {"terminated": {"exitCode": 139}}}), json!({"running": {}}))]});
    let mut ends_well = crashing(3);
    ends_well["containerStatuses"][0]["lastState"]["terminated"] =
        json!({"exitCode": 0, "reason": "Completed"});
    let between = json!({"phase": "Running", "containerStatuses": [container(
        json!({"restartCount": 5}), json!({"terminated": {"exitCode": 2, "reason": "Error"}}))]});
    let evicted =
        json!({"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory."});
    for (status, expected) in [
        (terminated(json!({"exitCode": 3, "reason": "Error"})), "container main exited with 3"),
        (
            terminated(json!({"exitCode": 137, "reason": "Error"})),
            "container main exited with 137 (signal 9)",
        ),
        (terminated(json!({"exitCode": 0, "signal": 15})), "container main was ended by signal 15"),
        (
            terminated(json!({"exitCode": 137, "reason": "OOMKilled"})),
            "container main ran out of memory (OOMKilled)",
        ),
        (
            terminated(json!({"exitCode": 128, "reason": "StartError"})),
            "container main exited with 128 (StartError)",
        ),
        (crashing(1), "container main crashes again and again; it exited with 1 (1 restart)"),
        (ends_well, "container main crashes again and again; it exited with 0 (3 restarts)"),
        (between, "container main crashes again and again; it exited with 2 (5 restarts)"),
        (crashing(4), "container main crashes again and again; it exited with 1 (4 restarts)"),
        (again, "container main exited with 139 (signal 11) (1 restart)"),
        (
            waiting("ImagePullBackOff", back_off),
            "container main cannot get its image web:1: Back-off pulling image \"web:1\": ErrImagePull: not found",
        ),
        (waiting("ErrImagePull", ""), "container main cannot get its image web:1: ErrImagePull"),
        (
            waiting("CreateContainerConfigError", "secret \"database\" not found"),
            "container main cannot be started: secret \"database\" not found",
        ),
        (
            waiting("CreateContainerConfigError", "couldn't find key url in ConfigMap shop/web"),
            "container main cannot be started: couldn't find key url in ConfigMap shop/web",
        ),
        (init, "init container wait exited with 2"),
        (
            unscheduled("0/3 nodes are available: 3 Insufficient memory."),
            "pod web-x cannot be scheduled: 0/3 nodes are available: 3 Insufficient memory.",
        ),
        (evicted, "pod web-x failed: Evicted: The node was low on resource: memory."),
    ] {
        assert_eq!(pod("web-x", &status).trouble().as_deref(), Some(expected), "{status}");
    }
}

#[test]
fn a_pod_that_is_on_its_way_is_in_no_trouble() {
    let probed =
        json!({"phase": "Running", "containerStatuses": [container(json!({}), json!({"running": {}}))]});
    let init = json!({"phase": "Pending",
        "initContainerStatuses": [container(json!({"name": "wait", "ready": false}), json!({"running": {}}))],
        "containerStatuses": [container(json!({}), json!({"waiting": {"reason": "PodInitializing"}}))]});
    for (status, business) in [
        (probed, "container main runs and is not ready"),
        (init, "init container wait has not finished"),
        (waiting("ContainerCreating", ""), "pod web-x is still being started"),
        (json!({"phase": "Pending"}), "pod web-x is still being started"),
    ] {
        let pod = pod("web-x", &status);
        assert_eq!((pod.is_well(), pod.trouble()), (false, None), "{status}");
        assert_eq!(pod.business(), business, "{status}");
    }
    assert_eq!(job_pod("migrate-x", &running()).business(), "container main has not finished");
}

#[test]
fn a_pod_that_is_to_end_is_well_when_it_has_ended_well() {
    assert!(pod("web-x", &running()).is_well());
    assert!(!job_pod("migrate-x", &running()).is_well(), "ready, and not done");
    assert!(!hook_pod("check", &running()).is_well());
    assert!(job_pod("migrate-x", &exited(0)).is_well());
}

#[test]
fn a_pod_belongs_to_what_the_manifest_has() {
    let of = |pod: &SeenPod| pod.owner.as_ref().map(|owner| format!("{} {}", owner.kind, owner.name));
    assert_eq!(of(&pod("web-x", &running())).as_deref(), Some("Deployment web"));
    assert_eq!(of(&job_pod("migrate-x", &running())).as_deref(), Some("Job migrate"));
    assert_eq!(of(&hook_pod("check", &running())), None);
}

#[test]
fn a_container_of_a_crash_loop_is_kept_with_its_last_words() {
    let seen = pod("web-x", &crashing(4));
    assert!(seen.containers[0].failed_before());
    let kept = seen.evidence(|_| Some(Ok("cannot read config".into())));
    let container = &kept.containers[0];
    assert_eq!(container.state, "waiting: CrashLoopBackOff");
    assert_eq!(
        (container.exit_code, container.restarts, container.message.as_str()),
        (Some(1), 4, "cannot read config")
    );
    assert_eq!((container.log.as_str(), &container.log_missing), ("cannot read config", &None));
}

#[test]
fn a_log_that_may_not_be_read_says_so() {
    let kept = pod("web-x", &crashing(1)).evidence(|_| Some(Err("pods \"web-x\" is forbidden".into())));
    let missing = kept.containers[0].log_missing.as_deref();
    assert_eq!(missing, Some("The log could not be read: pods \"web-x\" is forbidden"));
}
