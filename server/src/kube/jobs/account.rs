//! What the state of a runner's Job and its pods means, in plain words.

use std::time::Duration;

use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{Event, Pod};

use crate::kube::evidence::pod::{SeenPod, State, joined};
use crate::operations::{Kept, Launch};

/// For how long what may pass by itself is waited for: a node that is added, a quota that is used up.
const MAY_PASS: Duration = Duration::from_secs(10 * 60);
/// For how long what seldom does is waited for: an image that is not there, a right that is missing.
const SELDOM_PASSES: Duration = Duration::from_secs(60);
/// The longest text of a runner's own that is passed on, in characters.
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
            Some(Ending::Done) => Launch::Lost("its Job ended without having taken it.".to_owned()),
            Some(Ending::Failed(why)) => Launch::Lost(self.words(why)),
            None => {
                let of_pods = self.pods.iter().find_map(kept);
                let of_job = || self.warning.as_deref().map(forbidden);
                Launch::Awaited(of_pods.or_else(of_job))
            }
        }
    }

    /// How the runner ended, as a sentence.
    pub(super) fn last_words(&self) -> String {
        let words = match &self.ending {
            None => self.words("its Job has not ended"),
            Some(Ending::Done) => self.words("its Job has ended"),
            Some(Ending::Failed(why)) => self.words(why),
        };
        format!("Of the runner Kubernetes says: {words}")
    }

    /// What its pods say, or else `why`.
    fn words(&self, why: &str) -> String {
        let ends: Vec<String> = self.pods.iter().filter_map(end).collect();
        match (ends.is_empty(), self.pods.is_empty()) {
            (false, _) => ends.join("; "),
            (true, true) => format!("{why}; there is no pod of it."),
            (true, false) => format!("{why}."),
        }
    }
}

/// A right or a place that is missing, in the API server's words.
pub(super) fn forbidden(message: &str) -> Kept {
    let worth = if message.contains("exceeded quota") { MAY_PASS } else { SELDOM_PASSES };
    Kept { why: format!("it can have no pod: {message}"), worth }
}

/// What keeps a pod from beginning.
fn kept(pod: &SeenPod) -> Option<Kept> {
    let worth = if pod.unscheduled.is_some() { MAY_PASS } else { SELDOM_PASSES };
    Some(Kept { why: pod.trouble()?, worth })
}

/// How a pod ended badly, with the last line that it wrote.
fn end(pod: &SeenPod) -> Option<String> {
    let said = pod.containers.iter().find_map(|container| match &container.state {
        State::Exited(exit) => exit.message.lines().rev().find(|line| !line.trim().is_empty()),
        _ => None,
    });
    let said: String = said.unwrap_or_default().chars().take(OWN_WORDS_MAX).collect();
    let trouble = if pod.failed.is_empty() { pod.trouble()? } else { pod.failed.clone() };
    Some(joined(&format!("pod {}: {trouble}", pod.name), &said))
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
                [&failed.reason, &failed.message].map(|text| text.as_deref().unwrap_or_default());
            return Some(Self::Failed(format!("its Job failed: {}", joined(reason, message))));
        }
        is_true("Complete").or_else(|| is_true("SuccessCriteriaMet")).map(|_| Self::Done)
    }
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
        json!({"metadata": {"name": "run-x"}, "status": status})
    }

    fn container(state: Value) -> Value {
        pod(json!({"containerStatuses": [
            {"name": "runner", "image": "slipway:2", "imageID": "", "ready": false, "restartCount": 0, "state": state},
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
                "container runner cannot get its image slipway:2: not found",
                SELDOM_PASSES,
            ),
            (
                vec![waiting("CreateContainerConfigError")],
                vec![],
                "container runner cannot be started: not found",
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
                "pod run-x: container runner exited with 1: slipway: no right",
            ),
            (
                "Failed",
                vec![exited(137, "Error", "")],
                "pod run-x: container runner exited with 137 (signal 9)",
            ),
            (
                "FailureTarget",
                vec![exited(137, "OOMKilled", "")],
                "pod run-x: container runner ran out of memory (OOMKilled)",
            ),
            ("Failed", vec![evicted], "pod run-x: Evicted: low on memory"),
            (
                "Failed",
                vec![],
                "its Job failed: BackoffLimitExceeded: Job has reached the specified backoff limit; there is no pod of it.",
            ),
            ("Complete", vec![exited(0, "Completed", "")], "its Job ended without having taken it."),
        ] {
            let account = account(job(condition), pods, &[]);
            assert_eq!(account.launch(), Launch::Lost(expected.to_owned()));
        }
    }
}
