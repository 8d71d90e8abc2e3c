//! Whether an object is what it is meant to be: the rules of kstatus (`sigs.k8s.io/cli-utils/pkg/kstatus/status`), which
//! helm 4 waits by. Where helm's wait is stricter (load balancers, Jobs), helm's rule is taken.

use app::model::Health;
use serde_json::Value;

/// How an object is doing, in a word and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The word.
    pub health: Health,
    /// The sentence.
    pub message: String,
}

impl Verdict {
    /// A verdict.
    pub fn new(health: Health, message: impl Into<String>) -> Self {
        Self { health, message: message.into() }
    }

    fn ready(message: impl Into<String>) -> Self {
        Self::new(Health::Ready, message)
    }

    fn progressing(message: impl Into<String>) -> Self {
        Self::new(Health::Progressing, message)
    }

    fn failed(message: impl Into<String>) -> Self {
        Self::new(Health::Failed, message)
    }
}

/// Judges a live object of `kind` in the API group `group` (empty for the core one). An object that was read without its
/// status, because its kind has none, is ready once it exists.
pub fn judge(group: &str, kind: &str, object: &Value) -> Verdict {
    if object.pointer("/metadata/deletionTimestamp").is_some_and(|time| !time.is_null()) {
        return Verdict::new(Health::Terminating, "Being deleted");
    }
    let object = Object(object);
    if let Some(verdict) = object.generic() {
        return verdict;
    }
    match (group, kind) {
        ("apps" | "extensions", "Deployment") => deployment(&object),
        ("apps" | "extensions", "ReplicaSet") => replica_set(&object),
        ("apps" | "extensions", "DaemonSet") => daemon_set(&object),
        ("apps", "StatefulSet") => stateful_set(&object),
        ("batch", "Job") => job(&object),
        ("", "Pod") => pod(&object),
        ("", "PersistentVolumeClaim") => volume_claim(&object),
        ("", "Service") => service(&object),
        ("policy", "PodDisruptionBudget") => disruption_budget(&object),
        ("apiextensions.k8s.io", "CustomResourceDefinition") => definition(&object),
        ("autoscaling", "HorizontalPodAutoscaler") => autoscaler(&object),
        _ => object.ready_condition(),
    }
}

/// An object's JSON, by the paths that the rules read.
struct Object<'a>(&'a Value);

/// One of an object's conditions.
struct Condition<'a> {
    status: &'a str,
    reason: &'a str,
    message: &'a str,
}

impl Condition<'_> {
    fn is(&self, status: &str) -> bool {
        self.status == status
    }

    /// `Reason: message`, as far as it has them.
    fn words(&self) -> String {
        let parts: Vec<&str> =
            [self.reason, self.message].into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(": ")
    }
}

impl<'a> Object<'a> {
    fn number(&self, path: &str) -> Option<i64> {
        self.0.pointer(path)?.as_i64()
    }

    fn count(&self, path: &str) -> i64 {
        self.number(path).unwrap_or(0)
    }

    fn text(&self, path: &str) -> &'a str {
        self.0.pointer(path).and_then(Value::as_str).unwrap_or_default()
    }

    fn list(&self, path: &str) -> &'a [Value] {
        self.0.pointer(path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    fn condition(&self, kind: &str) -> Option<Condition<'a>> {
        let found = self.list("/status/conditions").iter().find(|condition| condition["type"] == kind)?;
        let text = |key: &str| found[key].as_str().unwrap_or_default();
        Some(Condition { status: text("status"), reason: text("reason"), message: text("message") })
    }

    /// What holds for every kind: the controller has seen the newest specification and does not say otherwise.
    fn generic(&self) -> Option<Verdict> {
        let (wanted, seen) = (self.number("/metadata/generation"), self.number("/status/observedGeneration"));
        if let (Some(wanted), Some(seen)) = (wanted, seen)
            && wanted != seen
        {
            return Some(Verdict::progressing("Its latest change has not been taken up yet"));
        }
        if let Some(stalled) = self.condition("Stalled").filter(|condition| condition.is("True")) {
            return Some(Verdict::failed(stalled.words()));
        }
        let reconciling = self.condition("Reconciling").filter(|condition| condition.is("True"))?;
        Some(Verdict::progressing(reconciling.words()))
    }

    /// What a kind without rules of its own says in its `Ready` condition.
    fn ready_condition(&self) -> Verdict {
        match self.condition("Ready") {
            None => Verdict::ready("Exists"),
            Some(condition) if condition.is("True") => Verdict::ready("Ready"),
            Some(condition) => Verdict::progressing(condition.words()),
        }
    }
}

/// `2 of 3 replicas ready`
fn replicas(ready: i64, wanted: i64) -> String {
    if wanted == 1 {
        format!("{ready} of {wanted} replica ready")
    } else {
        format!("{ready} of {wanted} replicas ready")
    }
}

fn deployment(object: &Object<'_>) -> Verdict {
    let wanted = object.number("/spec/replicas").unwrap_or(1);
    let [made, updated, ready, available] =
        ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas"]
            .map(|field| object.count(&format!("/status/{field}")));
    let progress = object.condition("Progressing");
    if let Some(condition) = progress.as_ref().filter(|c| c.reason == "ProgressDeadlineExceeded") {
        return Verdict::failed(format!("{}; {}", replicas(ready.min(wanted), wanted), condition.words()));
    }
    if let Some(failure) = object.condition("ReplicaFailure").filter(|condition| condition.is("True")) {
        return Verdict::progressing(failure.words());
    }
    if made < wanted || updated < wanted {
        return Verdict::progressing(format!("{updated} of {wanted} replicas updated"));
    }
    if made > wanted {
        return Verdict::progressing(format!("{} of its former replicas still to end", made - wanted));
    }
    if available < updated || ready < wanted {
        return Verdict::progressing(replicas(ready.min(available), wanted));
    }
    // Without a deadline the controller does not report that a rollout is complete.
    let deadline = object.number("/spec/progressDeadlineSeconds").is_some_and(|it| it != i64::from(i32::MAX));
    if deadline && !progress.is_some_and(|c| c.is("True") && c.reason == "NewReplicaSetAvailable") {
        return Verdict::progressing("Its new replica set is not complete yet");
    }
    if !object.condition("Available").is_some_and(|condition| condition.is("True")) {
        return Verdict::progressing("Not available yet");
    }
    Verdict::ready(replicas(ready, wanted))
}

fn replica_set(object: &Object<'_>) -> Verdict {
    let wanted = object.number("/spec/replicas").unwrap_or(1);
    let [made, labelled, ready, available] =
        ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"]
            .map(|field| object.count(&format!("/status/{field}")));
    if let Some(failure) = object.condition("ReplicaFailure").filter(|condition| condition.is("True")) {
        return Verdict::progressing(failure.words());
    }
    if labelled < wanted || available < wanted || ready < wanted {
        return Verdict::progressing(replicas(ready.min(available), wanted));
    }
    if made > wanted {
        return Verdict::progressing(format!("{} of its former replicas still to end", made - wanted));
    }
    Verdict::ready(replicas(ready, wanted))
}

fn stateful_set(object: &Object<'_>) -> Verdict {
    let wanted = object.number("/spec/replicas").unwrap_or(1);
    let [made, updated, ready, current] = ["replicas", "updatedReplicas", "readyReplicas", "currentReplicas"]
        .map(|field| object.count(&format!("/status/{field}")));
    if object.text("/spec/updateStrategy/type") == "OnDelete" {
        return Verdict::ready(format!("{}; updated on deletion", replicas(ready, wanted)));
    }
    if made < wanted || ready < wanted {
        return Verdict::progressing(replicas(ready, wanted));
    }
    if made > wanted {
        return Verdict::progressing(format!("{} of its former replicas still to end", made - wanted));
    }
    if let Some(partition) =
        object.number("/spec/updateStrategy/rollingUpdate/partition").filter(|&it| it > 0)
    {
        let to_update = (wanted - partition).max(0);
        return if updated < to_update {
            Verdict::progressing(format!("{updated} of {to_update} replicas in the partition updated"))
        } else {
            Verdict::ready(replicas(ready, wanted))
        };
    }
    let revision = |which: &str| object.text(&format!("/status/{which}Revision"));
    if current < wanted || revision("current") != revision("update") {
        return Verdict::progressing(format!("{updated} of {wanted} replicas updated"));
    }
    Verdict::ready(replicas(ready, wanted))
}

fn daemon_set(object: &Object<'_>) -> Verdict {
    let Some(wanted) = object.number("/status/desiredNumberScheduled") else {
        return Verdict::progressing("Not taken up by its controller yet");
    };
    if object.number("/status/observedGeneration").is_none() {
        return Verdict::progressing("Not taken up by its controller yet");
    }
    let [current, updated, available, ready] =
        ["currentNumberScheduled", "updatedNumberScheduled", "numberAvailable", "numberReady"]
            .map(|field| object.count(&format!("/status/{field}")));
    if [current, updated, available, ready].into_iter().any(|count| count < wanted) {
        let least = current.min(updated).min(available).min(ready);
        return Verdict::progressing(format!("On {least} of {wanted} nodes ready"));
    }
    Verdict::ready(format!("On {ready} of {wanted} nodes ready"))
}

fn job(object: &Object<'_>) -> Verdict {
    if let Some(failed) = object.condition("Failed").filter(|condition| condition.is("True")) {
        return Verdict::failed(failed.words());
    }
    let (done, wanted) = (object.count("/status/succeeded"), object.number("/spec/completions").unwrap_or(1));
    if object.condition("Complete").is_some_and(|condition| condition.is("True")) {
        return Verdict::ready("Completed");
    }
    if object.condition("Suspended").is_some_and(|condition| condition.is("True")) {
        return Verdict::ready("Suspended");
    }
    if object.text("/status/startTime").is_empty() {
        return Verdict::progressing("Not started yet");
    }
    Verdict::progressing(match object.count("/status/failed") {
        0 => format!("{done} of {wanted} completed"),
        failed => format!("{done} of {wanted} completed, {failed} failed"),
    })
}

/// Why a container waits that will not get there by itself (kubelet's words).
const HOPELESS: [&str; 6] = [
    "CrashLoopBackOff",
    "ImagePullBackOff",
    "ErrImagePull",
    "InvalidImageName",
    "CreateContainerConfigError",
    "CreateContainerError",
];

fn pod(object: &Object<'_>) -> Verdict {
    let containers = || {
        let of = |which: &str| object.list(&format!("/status/{which}"));
        of("initContainerStatuses").iter().chain(of("containerStatuses"))
    };
    let waiting = containers().find_map(|container| {
        let reason = container.pointer("/state/waiting/reason")?.as_str()?;
        HOPELESS.contains(&reason).then(|| (container["name"].as_str().unwrap_or_default(), reason))
    });
    let phase = object.text("/status/phase");
    match (phase, waiting) {
        ("Succeeded", _) => Verdict::ready("Completed"),
        ("Failed", _) => {
            let why = [object.text("/status/reason"), object.text("/status/message")];
            let why: Vec<&str> = why.into_iter().filter(|part| !part.is_empty()).collect();
            Verdict::failed(if why.is_empty() { "The pod failed".into() } else { why.join(": ") })
        }
        (_, Some((container, reason))) => Verdict::failed(format!("Container {container}: {reason}")),
        ("Running", None) if object.condition("Ready").is_some_and(|it| it.is("True")) => {
            Verdict::ready("Running")
        }
        ("Running", None) => {
            let all = object.list("/status/containerStatuses");
            let ready = all.iter().filter(|container| container["ready"] == true).count();
            Verdict::progressing(format!("{ready} of {} containers ready", all.len()))
        }
        _ => match object.condition("PodScheduled").filter(|condition| condition.is("False")) {
            Some(condition) => Verdict::progressing(condition.words()),
            None => Verdict::progressing("Starting"),
        },
    }
}

fn volume_claim(object: &Object<'_>) -> Verdict {
    match object.text("/status/phase") {
        "Bound" => Verdict::ready("Bound"),
        "Lost" => Verdict::failed("Its volume is lost"),
        "" => Verdict::progressing("Not bound to a volume yet"),
        phase => Verdict::progressing(format!("{phase}: not bound to a volume yet")),
    }
}

/// helm waits for a load balancer's address (`pkg/kube/ready.go`); kstatus does not.
fn service(object: &Object<'_>) -> Verdict {
    let waits = object.text("/spec/type") == "LoadBalancer"
        && object.list("/spec/externalIPs").is_empty()
        && object.list("/status/loadBalancer/ingress").is_empty();
    if waits { Verdict::progressing("No load balancer address yet") } else { Verdict::ready("Exists") }
}

fn disruption_budget(object: &Object<'_>) -> Verdict {
    if object.number("/status/observedGeneration").is_none() {
        return Verdict::progressing("Not taken up by its controller yet");
    }
    Verdict::ready(match object.count("/status/disruptionsAllowed") {
        1 => "1 disruption allowed".to_owned(),
        allowed => format!("{allowed} disruptions allowed"),
    })
}

fn definition(object: &Object<'_>) -> Verdict {
    if let Some(refused) = object.condition("NamesAccepted").filter(|condition| condition.is("False")) {
        return Verdict::failed(refused.words());
    }
    match object.condition("Established") {
        Some(condition) if condition.is("True") => Verdict::ready("Established"),
        Some(condition) if condition.is("False") && condition.reason != "Installing" => {
            Verdict::failed(condition.words())
        }
        _ => Verdict::progressing("Not established yet"),
    }
}

/// Nothing waits for an autoscaler; where it cannot scale, that is worth a word.
fn autoscaler(object: &Object<'_>) -> Verdict {
    let hindered = ["AbleToScale", "ScalingActive"]
        .into_iter()
        .filter_map(|kind| object.condition(kind))
        .find(|condition| condition.is("False"));
    Verdict::ready(match hindered {
        Some(condition) => format!("Does not scale: {}", condition.reason),
        None => "Exists".to_owned(),
    })
}

#[cfg(test)]
mod tests;
