//! What the state of a runner's Job and its pods means, in plain words.

use std::time::Duration;

use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{ContainerState, Event, Pod};

use crate::operations::{Kept, Launch};

/// For how long what may pass by itself is waited for: a node that is added, a quota that is used up.
const MAY_PASS: Duration = Duration::from_secs(10 * 60);
/// For how long what seldom does is waited for: an image that is not there, a right that is missing.
const SELDOM_PASSES: Duration = Duration::from_secs(60);
/// The longest text of a container's own that is passed on, in characters: its last line is what counts.
const OWN_WORDS_MAX: usize = 500;

/// What is known of a Job.
pub(super) struct Account {
    ending: Option<Ending>,
    pods: Vec<SeenPod>,
    warning: Option<String>,
}

/// How a Job ended.
enum Ending {
    Done,
    Failed(String),
}

struct SeenPod {
    name: String,
    node: Option<String>,
    /// What keeps it from beginning.
    kept: Option<Kept>,
    /// How it ended.
    ended: Option<String>,
}

impl Account {
    pub(super) fn new(job: &Job, pods: Vec<Pod>, mut warnings: Vec<Event>) -> Self {
        warnings.sort_by_key(|event| event.last_timestamp.clone());
        Self {
            ending: Ending::of(job),
            pods: pods.into_iter().map(SeenPod::read).collect(),
            warning: warnings.pop().and_then(|event| event.message),
        }
    }

    /// What it means for an operation that the runner has not taken.
    pub(super) fn launch(&self) -> Launch {
        match &self.ending {
            Some(Ending::Done) => {
                Launch::Lost(format!("{} without having taken it.", self.words("It ended")))
            }
            Some(Ending::Failed(why)) => Launch::Lost(self.words(why)),
            None => {
                let of_pods = self.pods.iter().find_map(|pod| pod.kept.clone());
                let of_job = || self.warning.as_deref().map(forbidden);
                Launch::Awaited(of_pods.or_else(of_job))
            }
        }
    }

    /// How the runner ended, as a sentence.
    pub(super) fn last_words(&self) -> String {
        let why = match &self.ending {
            None => "The runner's Job has not ended",
            Some(Ending::Done) => "The runner's Job has ended",
            Some(Ending::Failed(why)) => why,
        };
        self.words(why)
    }

    /// What its pods say, or else `why`.
    fn words(&self, why: &str) -> String {
        let of_pods = self.pods.iter().rev().find_map(|pod| {
            let place = pod.node.as_ref().map(|node| format!(" on node {node}")).unwrap_or_default();
            Some(format!("Pod {}{place} {}", pod.name, pod.ended.as_ref()?))
        });
        match (of_pods, self.pods.is_empty()) {
            (Some(words), _) => words,
            (None, true) => format!("{why}; it has no pod (any more)."),
            (None, false) => format!("{why}."),
        }
    }
}

/// A right or a place that is missing, in the API server's words.
pub(super) fn forbidden(message: &str) -> Kept {
    let worth = if message.contains("exceeded quota") { MAY_PASS } else { SELDOM_PASSES };
    Kept { why: format!("it can have no pod: {message}"), worth }
}

impl Ending {
    fn of(job: &Job) -> Option<Self> {
        let conditions = job.status.as_ref()?.conditions.as_ref()?;
        let is_true = |kind: &str| {
            conditions.iter().find(|condition| condition.type_ == kind && condition.status == "True")
        };
        // `FailureTarget` comes first: its pods are being ended, and `Failed` follows when they are gone.
        if let Some(failed) = is_true("Failed").or_else(|| is_true("FailureTarget")) {
            let [reason, message] =
                [&failed.reason, &failed.message].map(|text| text.clone().unwrap_or_default());
            return Some(Self::Failed(format!("Its Job failed: {}", joined(&reason, &message))));
        }
        is_true("Complete").or_else(|| is_true("SuccessCriteriaMet")).map(|_| Self::Done)
    }
}

impl SeenPod {
    fn read(pod: Pod) -> Self {
        let name = pod.metadata.name.unwrap_or_default();
        let spec = pod.spec.unwrap_or_default();
        let status = pod.status.unwrap_or_default();
        let image = spec.containers.into_iter().next().and_then(|container| container.image);
        let of_pod = joined(&status.reason.unwrap_or_default(), &status.message.unwrap_or_default());
        let unscheduled = status
            .conditions
            .into_iter()
            .flatten()
            .find(|condition| condition.type_ == "PodScheduled" && condition.status == "False")
            .map(|condition| condition.message.or(condition.reason).unwrap_or_default());
        let state = status.container_statuses.into_iter().flatten().next().and_then(|status| status.state);
        let (waits, exited) = state.map(read_state).unwrap_or_default();
        let kept = match (unscheduled, waits) {
            (Some(why), _) => {
                Some(Kept { why: format!("pod {name} cannot be scheduled: {why}"), worth: MAY_PASS })
            }
            (None, Some((reason, message))) => {
                kept_waiting(&name, &image.unwrap_or_default(), &reason, &message)
            }
            (None, None) => None,
        };
        let of_pod = (!of_pod.is_empty()).then(|| format!("failed: {of_pod}"));
        Self { name, node: spec.node_name, kept, ended: of_pod.or(exited) }
    }
}

/// What a container that waits says, and how one that has ended did.
fn read_state(state: ContainerState) -> (Option<(String, String)>, Option<String>) {
    if let Some(exit) = state.terminated {
        let how = match (exit.reason.as_deref(), exit.exit_code) {
            (Some("OOMKilled"), _) => "ran out of memory (OOMKilled)".to_owned(),
            // Most runtimes tell a signal in the exit code alone, as a shell does.
            (_, code @ 129..=159) => format!("was ended by signal {}", code - 128),
            (_, code) => format!("exited with {code}"),
        };
        let said = exit.message.unwrap_or_default();
        let said: String = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().into();
        let said: String = said.chars().take(OWN_WORDS_MAX).collect();
        return (None, Some(joined(&how, &said)));
    }
    let waiting = state
        .waiting
        .map(|waiting| (waiting.reason.unwrap_or_default(), waiting.message.unwrap_or_default()));
    (waiting, None)
}

fn kept_waiting(pod: &str, image: &str, reason: &str, message: &str) -> Option<Kept> {
    let why = joined(reason, message);
    let why = match reason {
        "ErrImagePull"
        | "ImagePullBackOff"
        | "ErrImageNeverPull"
        | "InvalidImageName"
        | "ImageInspectError"
        | "RegistryUnavailable" => {
            format!("pod {pod} cannot get its image {image}: {why}")
        }
        "CreateContainerConfigError" | "CreateContainerError" | "RunContainerError" => {
            format!("pod {pod} cannot be started: {why}")
        }
        _ => return None,
    };
    Some(Kept { why, worth: SELDOM_PASSES })
}

/// `reason: message`, as far as there is either.
fn joined(reason: &str, message: &str) -> String {
    let parts: Vec<&str> = [reason, message].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(": ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn account(job: Value, pods: Vec<Value>, warnings: &[&str]) -> Account {
        let pods = pods.into_iter().map(|pod| serde_json::from_value(pod).unwrap()).collect();
        let warnings = warnings.iter().map(|message| {
            let event = json!({"metadata": {}, "involvedObject": {}, "message": message, "type": "Warning"});
            serde_json::from_value(event).unwrap()
        });
        Account::new(&serde_json::from_value(job).unwrap(), pods, warnings.collect())
    }

    fn job(condition: &str) -> Value {
        let message = "Job has reached the specified backoff limit";
        let reason = "BackoffLimitExceeded";
        json!({"status": {"conditions": [
            {"type": condition, "status": "True", "reason": reason, "message": message},
        ]}})
    }

    fn pod(status: Value) -> Value {
        let spec = json!({"nodeName": "n1", "containers": [{"name": "runner", "image": "slipway:2"}]});
        json!({"metadata": {"name": "run-x"}, "spec": spec, "status": status})
    }

    fn container(state: Value) -> Value {
        pod(json!({"containerStatuses": [
            {"name": "runner", "image": "", "imageID": "", "ready": false, "restartCount": 0, "state": state},
        ]}))
    }

    #[test]
    fn what_keeps_a_runner_from_beginning_is_told_with_for_how_long_it_is_worth_waiting() {
        let waiting =
            |reason: &str| container(json!({"waiting": {"reason": reason, "message": "not found"}}));
        let unscheduled = json!({"conditions": [
            {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes"},
        ]});
        for (pods, warnings, why, worth) in [
            (
                vec![waiting("ImagePullBackOff")],
                vec![],
                "pod run-x cannot get its image slipway:2: ImagePullBackOff: not found",
                SELDOM_PASSES,
            ),
            (
                vec![waiting("CreateContainerConfigError")],
                vec![],
                "pod run-x cannot be started",
                SELDOM_PASSES,
            ),
            (vec![pod(unscheduled)], vec![], "pod run-x cannot be scheduled: 0/3 nodes", MAY_PASS),
            (
                vec![],
                vec!["error looking up service account x/y"],
                "can have no pod: error looking",
                SELDOM_PASSES,
            ),
            (vec![], vec!["forbidden: exceeded quota: tight"], "exceeded quota", MAY_PASS),
        ] {
            let Launch::Awaited(Some(kept)) = account(json!({}), pods, &warnings).launch() else {
                panic!("{why}: nothing keeps it")
            };
            assert!(kept.why.contains(why), "{kept:?}");
            assert_eq!(kept.worth, worth, "{kept:?}");
        }
    }

    #[test]
    fn one_that_is_being_started_or_runs_is_awaited() {
        let creating = container(json!({"waiting": {"reason": "ContainerCreating"}}));
        let running = container(json!({"running": {"startedAt": "2026-11-30T10:00:00Z"}}));
        for pods in [vec![], vec![creating], vec![running], vec![pod(json!({}))]] {
            assert_eq!(account(json!({}), pods, &[]).launch(), Launch::Awaited(None));
        }
    }

    #[test]
    fn one_that_has_ended_is_lost_with_its_last_words() {
        let exited = |code: i32, reason: &str, message: &str| {
            container(json!({"terminated": {"exitCode": code, "reason": reason, "message": message}}))
        };
        let evicted = pod(json!({"reason": "Evicted", "message": "low on memory"}));
        for (condition, pods, expected) in [
            (
                "Failed",
                vec![exited(1, "Error", "INFO x\nslipway: no right\n")],
                "Pod run-x on node n1 exited with 1: slipway: no right",
            ),
            ("Failed", vec![exited(137, "Error", "")], "Pod run-x on node n1 was ended by signal 9"),
            (
                "FailureTarget",
                vec![exited(137, "OOMKilled", "")],
                "Pod run-x on node n1 ran out of memory (OOMKilled)",
            ),
            ("Failed", vec![evicted], "Pod run-x on node n1 failed: Evicted: low on memory"),
            (
                "Failed",
                vec![],
                "Its Job failed: BackoffLimitExceeded: Job has reached the specified backoff limit; it has no pod (any more).",
            ),
            (
                "Complete",
                vec![exited(0, "Completed", "")],
                "Pod run-x on node n1 exited with 0 without having taken it.",
            ),
        ] {
            let account = account(job(condition), pods, &[]);
            assert_eq!(account.launch(), Launch::Lost(expected.to_owned()));
        }
    }
}
