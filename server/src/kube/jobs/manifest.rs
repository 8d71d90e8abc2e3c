//! What a runner's Job is.

use std::collections::BTreeMap;

use app::model::{Operation, OperationId};
use k8s_openapi::api::batch::v1::{
    Job, JobSpec, PodFailurePolicy, PodFailurePolicyOnPodConditionsPattern, PodFailurePolicyRule,
};
use k8s_openapi::api::core::v1::{
    Capabilities, Container, EmptyDirVolumeSource, EnvVar, EnvVarSource, ObjectFieldSelector,
    PodSecurityContext, PodSpec, PodTemplateSpec, ResourceRequirements, SeccompProfile, SecurityContext,
    Toleration, Volume, VolumeMount,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use kube::core::ObjectMeta;

use super::RunnerPod;
use crate::kube::operations::owned_by;
use crate::operations::{NODE_NAME, POD_NAME};

/// The label that tells of which operation a Job or a pod is the runner.
pub(super) const OPERATION: &str = "slipway.dev/operation";
/// The only container.
pub(super) const CONTAINER: &str = "runner";

/// The one folder that can be written to.
const WORK: &str = "/tmp";
/// A chart archive, what helm caches of a repository's index, and what a runner writes.
const WORK_SIZE: &str = "1Gi";
/// What a helm at rest needs: pods are placed by it.
const REQUESTS: [(&str, &str); 2] = [("cpu", "50m"), ("memory", "128Mi")];
/// helm gets 30 s to end once it was told to; then its outcome is to be written.
const GRACE_SECONDS: i64 = 60;
/// How many waits of helm's an attempt is thought to have at the most: each hook is one, and so are the resources.
const WAITS: i64 = 10;
/// For what is no wait of helm's: a node that is started for the pod, its image, charts from afar, pauses before the next
/// attempt.
const MARGIN_SECONDS: i64 = 30 * 60;
/// A server removes a Job when its operation is over. This is for when there is none any more.
const KEPT_SECONDS: i32 = 60 * 60;

/// What the Job of an operation's runner is called.
pub(super) fn name(id: &OperationId) -> String {
    format!("slipway-run-{id}")
}

/// The Job of the runner of `operation`, whose record has the identity `uid` and is in `namespace`; it goes with that.
pub(super) fn job(operation: &Operation, uid: &str, namespace: &str, pod: &RunnerPod) -> Job {
    let labels = strings([
        ("owner", "slipway"),
        (OPERATION, &operation.id.0),
        ("slipway.dev/release", &operation.release.name),
        ("slipway.dev/namespace", &operation.release.namespace),
        ("slipway.dev/kind", operation.kind.as_str()),
    ]);
    let metadata = ObjectMeta { labels: Some(labels), ..ObjectMeta::default() };
    Job {
        metadata: ObjectMeta {
            name: Some(name(&operation.id)),
            owner_references: Some(vec![owned_by(&operation.id, uid)]),
            ..metadata.clone()
        },
        spec: Some(JobSpec {
            // Slipway itself tries again, and knows when that makes sense.
            backoff_limit: Some(0),
            // A pod that was moved elsewhere before it took the operation may come again. One that took it and comes again
            // finds that somebody did, and ends.
            pod_failure_policy: Some(PodFailurePolicy {
                rules: vec![PodFailurePolicyRule {
                    action: "Ignore".into(),
                    on_pod_conditions: Some(vec![PodFailurePolicyOnPodConditionsPattern {
                        type_: "DisruptionTarget".into(),
                        status: "True".into(),
                    }]),
                    ..PodFailurePolicyRule::default()
                }],
            }),
            active_deadline_seconds: Some(deadline(operation)),
            ttl_seconds_after_finished: Some(KEPT_SECONDS),
            template: PodTemplateSpec {
                metadata: Some(metadata),
                spec: Some(spec(operation, namespace, pod)),
            },
            ..JobSpec::default()
        }),
        status: None,
    }
}

/// After how many seconds a runner is surely stuck: helm's own time-out is for each of its waits.
fn deadline(operation: &Operation) -> i64 {
    let timeout = i64::from(operation.options.timeout);
    timeout * WAITS * i64::from(operation.max_attempts) + MARGIN_SECONDS
}

fn spec(operation: &Operation, namespace: &str, pod: &RunnerPod) -> PodSpec {
    PodSpec {
        restart_policy: Some("Never".into()),
        termination_grace_period_seconds: Some(GRACE_SECONDS),
        service_account_name: Some(pod.service_account.clone()),
        automount_service_account_token: Some(true),
        enable_service_links: Some(false),
        node_selector: (!pod.nodes.is_empty()).then(|| pod.nodes.clone()),
        tolerations: (!pod.tolerations.is_empty()).then(|| pod.tolerations.iter().map(toleration).collect()),
        security_context: Some(PodSecurityContext {
            run_as_non_root: Some(true),
            seccomp_profile: Some(SeccompProfile {
                type_: "RuntimeDefault".into(),
                ..SeccompProfile::default()
            }),
            ..PodSecurityContext::default()
        }),
        containers: vec![container(operation, namespace, pod)],
        volumes: Some(vec![Volume {
            name: "work".into(),
            empty_dir: Some(EmptyDirVolumeSource {
                size_limit: Some(Quantity(WORK_SIZE.into())),
                ..EmptyDirVolumeSource::default()
            }),
            ..Volume::default()
        }]),
        ..PodSpec::default()
    }
}

fn container(operation: &Operation, namespace: &str, pod: &RunnerPod) -> Container {
    let mut arguments = vec!["run-operation".to_owned(), operation.id.0.clone()];
    arguments.extend(["--operations-namespace", namespace, "--data-dir", WORK_DATA].map(str::to_owned));
    arguments.extend(pod.arguments.iter().cloned());
    Container {
        name: CONTAINER.into(),
        image: Some(pod.image.clone()),
        image_pull_policy: Some("IfNotPresent".into()),
        // Whatever the image starts by itself.
        command: Some(vec!["slipway".into()]),
        args: Some(arguments),
        env: Some(vec![
            plain("HOME", WORK),
            plain("TMPDIR", WORK),
            told(POD_NAME, "metadata.name"),
            told(NODE_NAME, "spec.nodeName"),
        ]),
        resources: Some(ResourceRequirements {
            requests: Some(quantities(REQUESTS)),
            limits: Some(quantities([("cpu", &pod.cpu), ("memory", &pod.memory)])),
            ..ResourceRequirements::default()
        }),
        security_context: Some(SecurityContext {
            allow_privilege_escalation: Some(false),
            read_only_root_filesystem: Some(true),
            capabilities: Some(Capabilities { drop: Some(vec!["ALL".into()]), ..Capabilities::default() }),
            ..SecurityContext::default()
        }),
        // Why it ended is then in the pod's own state.
        termination_message_policy: Some("FallbackToLogsOnError".into()),
        volume_mounts: Some(vec![VolumeMount {
            name: "work".into(),
            mount_path: WORK.into(),
            ..VolumeMount::default()
        }]),
        ..Container::default()
    }
}

/// Not [`WORK`] itself, for the folder of the data is made private.
const WORK_DATA: &str = "/tmp/slipway";

fn toleration(of: &super::Toleration) -> Toleration {
    Toleration {
        key: Some(of.key.clone()),
        operator: Some(if of.value.is_some() { "Equal" } else { "Exists" }.into()),
        value: of.value.clone(),
        effect: of.effect.clone(),
        ..Toleration::default()
    }
}

fn plain(name: &str, value: &str) -> EnvVar {
    EnvVar { name: name.into(), value: Some(value.into()), value_from: None }
}

/// What Kubernetes tells a pod of itself.
fn told(name: &str, path: &str) -> EnvVar {
    let field = ObjectFieldSelector { field_path: path.into(), api_version: None };
    let source = EnvVarSource { field_ref: Some(field), ..EnvVarSource::default() };
    EnvVar { name: name.into(), value: None, value_from: Some(source) }
}

fn strings<const N: usize>(of: [(&str, &str); N]) -> BTreeMap<String, String> {
    of.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn quantities<const N: usize>(of: [(&str, &str); N]) -> BTreeMap<String, Quantity> {
    of.into_iter().map(|(key, value)| (key.to_owned(), Quantity(value.to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use app::model::{OperationOptions, OperationState};
    use serde_json::{Value, json};

    use super::*;
    use crate::operations::fakes::operation;

    fn pod() -> RunnerPod {
        RunnerPod {
            image: "registry.example.org/slipway:1".into(),
            service_account: "slipway-runner".into(),
            cpu: "1".into(),
            memory: "1Gi".into(),
            nodes: BTreeMap::new(),
            tolerations: Vec::new(),
            arguments: vec!["--log".into(), "info".into()],
        }
    }

    fn made(pod: &RunnerPod) -> Value {
        serde_json::to_value(job(&operation("0193", OperationState::Queued), "a-uid", "records", pod))
            .unwrap()
    }

    #[test]
    fn the_job_is_the_operations_and_is_tried_once() {
        let job = made(&pod());
        assert_eq!(job["metadata"]["name"], "slipway-run-0193");
        let owner =
            json!([{"apiVersion": "v1", "kind": "Secret", "name": "slipway.op.v1.0193", "uid": "a-uid"}]);
        assert_eq!(job["metadata"]["ownerReferences"], owner);
        let labels = json!({
            "owner": "slipway", "slipway.dev/operation": "0193", "slipway.dev/kind": "install",
            "slipway.dev/namespace": "ns", "slipway.dev/release": "web",
        });
        assert_eq!(job["metadata"]["labels"], labels);
        assert_eq!(job["spec"]["template"]["metadata"]["labels"], labels);
        assert_eq!(job["spec"]["backoffLimit"], 0);
        assert_eq!(job["spec"]["ttlSecondsAfterFinished"], 3600);
        let rule = &job["spec"]["podFailurePolicy"]["rules"][0];
        assert_eq!(
            (&rule["action"], &rule["onPodConditions"][0]["type"]),
            (&json!("Ignore"), &json!("DisruptionTarget"))
        );
    }

    #[test]
    fn the_pod_runs_the_operation_without_rights_on_its_node() {
        let spec = &made(&pod())["spec"]["template"]["spec"];
        let expected = json!({
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 60,
            "serviceAccountName": "slipway-runner",
            "automountServiceAccountToken": true,
            "enableServiceLinks": false,
            "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
            "volumes": [{"name": "work", "emptyDir": {"sizeLimit": "1Gi"}}],
            "containers": [{
                "name": "runner",
                "image": "registry.example.org/slipway:1",
                "imagePullPolicy": "IfNotPresent",
                "command": ["slipway"],
                "args": ["run-operation", "0193", "--operations-namespace", "records",
                         "--data-dir", "/tmp/slipway", "--log", "info"],
                "env": [
                    {"name": "HOME", "value": "/tmp"},
                    {"name": "TMPDIR", "value": "/tmp"},
                    {"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
                    {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
                ],
                "resources": {
                    "requests": {"cpu": "50m", "memory": "128Mi"}, "limits": {"cpu": "1", "memory": "1Gi"},
                },
                "securityContext": {
                    "allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true,
                    "capabilities": {"drop": ["ALL"]},
                },
                "terminationMessagePolicy": "FallbackToLogsOnError",
                "volumeMounts": [{"name": "work", "mountPath": "/tmp"}],
            }],
        });
        assert_eq!(*spec, expected);
    }

    #[test]
    fn it_goes_where_it_is_told_to() {
        let tolerates = |value: Option<&str>, effect: Option<&str>| super::super::Toleration {
            key: "for".into(),
            value: value.map(str::to_owned),
            effect: effect.map(str::to_owned),
        };
        let nodes = strings([("pool", "operations")]);
        let tolerations = vec![tolerates(None, None), tolerates(Some("slipway"), Some("NoSchedule"))];
        let spec = &made(&RunnerPod { nodes, tolerations, ..pod() })["spec"]["template"]["spec"];
        assert_eq!(spec["nodeSelector"], json!({"pool": "operations"}));
        let expected = json!([
            {"key": "for", "operator": "Exists"},
            {"key": "for", "operator": "Equal", "value": "slipway", "effect": "NoSchedule"},
        ]);
        assert_eq!(spec["tolerations"], expected);
    }

    #[test]
    fn it_has_time_for_all_that_helm_may_wait_for() {
        for (timeout, attempts, expected) in [(300, 1, 4_800), (300, 3, 10_800), (86_400, 5, 4_321_800)] {
            let options = OperationOptions { timeout, ..OperationOptions::default() };
            let operation =
                Operation { options, max_attempts: attempts, ..operation("a", OperationState::Queued) };
            assert_eq!(deadline(&operation), expected);
        }
    }
}
