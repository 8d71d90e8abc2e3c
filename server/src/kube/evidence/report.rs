//! From what was seen to what a person is told: which objects are to blame, and why. Pure.

use std::collections::BTreeSet;

use app::model::{Evidence, Failure, FailureClass, Health, ObjectRef, Resource};

use super::pod::{SeenPod, joined};
use super::scene::{Hook, Scene, SeenEvent};

/// How many pods of an object have their logs read: replicas say the same.
pub const PODS_WITH_LOGS: usize = 2;

/// Events that tell why something does not come about, the most telling first.
const TELLING: [&str; 9] = [
    "FailedCreate",
    "ProvisioningFailed",
    "FailedBinding",
    "FailedMount",
    "FailedAttachVolume",
    "FailedCreatePodSandBox",
    "Unhealthy",
    "FailedScheduling",
    "Failed",
];

/// What there is to look at for one failed attempt.
pub struct Report<'a> {
    /// What was seen meanwhile.
    pub scene: &'a Scene,
    /// The release's namespace.
    pub namespace: &'a str,
}

/// Whether a hook failed: by its own word, or, when it was removed too soon to say so, by that of its pods.
pub fn has_failed(hook: &Hook<'_>) -> bool {
    let failed = |pod: &&SeenPod| pod.phase == "Failed" || pod.trouble().is_some();
    match hook.job {
        Some(job) => job.failed.is_some() || !job.is_done && job.is_ending && hook.pods.iter().any(failed),
        None => hook.pods.iter().any(failed),
    }
}

/// Whether a hook is to be told of: it failed, or it is what helm waited for in vain.
fn is_blamed(hook: &Hook<'_>, failure: &Failure) -> bool {
    let is_done = hook.job.map_or(hook.pods.is_empty(), |job| job.is_done);
    has_failed(hook) || failure.class == FailureClass::TimedOut && !is_done
}

impl<'a> Report<'a> {
    /// The pods of hooks that are to blame whose logs are worth reading.
    pub fn pods_of_hooks(&self, failure: &Failure) -> Vec<String> {
        let blamed = self.scene.hooks().into_iter().filter(|hook| is_blamed(hook, failure));
        let pods = blamed.flat_map(|hook| hook.pods.into_iter().take(PODS_WITH_LOGS));
        pods.map(|pod| pod.uid.clone()).collect()
    }

    /// The pods of resources that are to blame whose logs are worth reading.
    pub fn pods_of_resources(&self, resources: &[Resource]) -> Vec<String> {
        let unready = resources.iter().filter(|resource| resource.health != Health::Ready);
        let pods =
            unready.flat_map(|resource| self.pods_of(&resource.object).into_iter().take(PODS_WITH_LOGS));
        pods.map(|pod| pod.uid.clone()).collect()
    }

    /// The hooks that are to blame, those that failed first.
    pub fn hooks(&self, failure: &Failure) -> Vec<Evidence> {
        let mut blamed: Vec<Hook<'_>> =
            self.scene.hooks().into_iter().filter(|hook| is_blamed(hook, failure)).collect();
        blamed.sort_by_key(|hook| !has_failed(hook));
        blamed.iter().filter_map(|hook| self.hook(hook)).collect()
    }

    fn hook(&self, hook: &Hook<'_>) -> Option<Evidence> {
        let (api_version, kind, name) = match (hook.job, hook.pods.first()) {
            (Some(job), _) => ("batch/v1", "Job", &job.name),
            (None, Some(pod)) => ("v1", "Pod", &pod.name),
            (None, None) => return None,
        };
        let object = ObjectRef {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            namespace: Some(self.namespace.to_owned()),
            name: name.clone(),
        };
        let trouble = self.trouble(&hook.pods);
        let busy = || hook.pods.first().map(|pod| self.business(pod));
        let of_job = hook.job.map(|job| job.words()).filter(|words| !words.is_empty());
        let ran_out =
            hook.job.and_then(|job| job.failed.as_ref()).is_some_and(|it| it.0 == "DeadlineExceeded");
        let detail = if ran_out {
            let more = trouble.or_else(busy).map(|more| format!("; {more}"));
            Some(of_job.unwrap_or_default() + &more.unwrap_or_default())
        } else {
            trouble.or(of_job).or_else(busy).or_else(|| self.telling(&object, &[]))
        };
        let verb =
            if has_failed(hook) { "{what} failed" } else { "{what} had not finished when helm gave up" };
        Some(self.evidence(object, verb, detail, &hook.pods))
    }

    /// The resources that are to blame. When what helm did was undone, what is left of the pods that were not well tells.
    pub fn resources(&self, resources: &[Resource], undone: bool) -> Vec<Evidence> {
        let mut found: Vec<(u8, Evidence)> = Vec::new();
        for resource in resources.iter().filter(|resource| resource.hooks.is_empty()) {
            let pods = self.pods_of(&resource.object);
            let has_evidence = !pods.is_empty() || self.telling(&resource.object, &pods).is_some();
            let is_told = match resource.health {
                Health::Failed | Health::Progressing => true,
                Health::Missing | Health::NotYet | Health::Terminating => has_evidence || !undone,
                Health::Unknown => has_evidence,
                Health::Ready => has_evidence && undone,
            };
            if !is_told {
                continue;
            }
            found.push(self.resource(resource, &pods));
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, evidence)| evidence).collect()
    }

    /// One resource, and how little it tells.
    fn resource(&self, resource: &Resource, pods: &[&SeenPod]) -> (u8, Evidence) {
        let object = resource.object.clone();
        let (rank, detail) = match (self.trouble(pods), self.telling(&object, pods)) {
            (Some(trouble), _) => (1, Some(trouble)),
            (None, Some(event)) => match pods.first() {
                Some(pod) if !event.starts_with("FailedCreate") => {
                    (1, Some(format!("{}; {event}", pod.business())))
                }
                _ => (1, Some(event)),
            },
            (None, None) => match pods.first() {
                Some(pod) => (2, Some(pod.business())),
                None => (2, Some(resource.message.clone())),
            },
        };
        let (rank, verb) = match resource.health {
            Health::Failed => (0, "{what} is not ready"),
            Health::Missing | Health::NotYet => (rank + 3, "{what} is missing"),
            Health::Unknown => (rank + 4, "{what} may not be ready"),
            Health::Ready => (rank, "{what} was not ready"),
            Health::Terminating | Health::Progressing => (rank, "{what} is not ready"),
        };
        (rank, self.evidence(object, verb, detail, pods))
    }

    /// What was refused for a quota, as helm's text tells.
    pub fn refused(&self, failure: &Failure) -> Option<Evidence> {
        let mut object = failure.object.clone()?;
        object.namespace.get_or_insert_with(|| self.namespace.to_owned());
        let words = failure.text.lines().filter(|line| line.contains(&format!("\"{}\"", object.name)));
        let words = words.filter_map(|line| line.get(line.find("exceeded quota: ")?..)).next()?.to_owned();
        Some(self.evidence(object, "{what} was refused", Some(words), &[]))
    }

    /// That nothing could be seen, and why.
    pub fn blind(&self) -> Option<Evidence> {
        let mut why = self.scene.blind();
        let first = why.next()?;
        let object = ObjectRef {
            api_version: "v1".into(),
            kind: "Namespace".into(),
            namespace: None,
            name: self.namespace.to_owned(),
        };
        Some(Evidence {
            object,
            reason: sentence(first),
            pods: vec![],
            events: why.map(str::to_owned).collect(),
        })
    }

    fn evidence(&self, object: ObjectRef, verb: &str, detail: Option<String>, pods: &[&SeenPod]) -> Evidence {
        let place = object.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
        let subject = verb.replace("{what}", &format!("{} {place}{}", object.kind, object.name));
        let detail = detail.filter(|detail| !detail.is_empty());
        let reason = detail.map_or_else(|| subject.clone(), |detail| format!("{subject}: {detail}"));
        let events = self.events_of(&object, pods).into_iter().map(|event| {
            let words = joined(&event.reason, &event.message);
            let is_its_own = (&event.kind, &event.name) == (&object.kind, &object.name);
            if is_its_own { words } else { format!("{} {}: {words}", event.kind, event.name) }
        });
        // Once each, although replicas say the same.
        let mut seen = BTreeSet::new();
        let mut events: Vec<String> = events.filter(|words| seen.insert(words.clone())).collect();
        events.extend(self.scene.blind().map(str::to_owned));
        let pods = pods.iter().map(|pod| pod.evidence(|container| self.scene.log(pod, container))).collect();
        Evidence { object, reason: sentence(&reason), pods, events }
    }

    /// The pods of an object; those of other namespaces are not seen.
    fn pods_of(&self, object: &ObjectRef) -> Vec<&'a SeenPod> {
        let is_here = object.namespace.as_deref() == Some(self.namespace);
        if is_here { self.scene.pods_of(&object.kind, &object.name) } else { Vec::new() }
    }

    /// What is wrong with the first of the pods with which something is. The scheduler does not say why a claim is not
    /// bound; the claim's events do.
    fn trouble(&self, pods: &[&SeenPod]) -> Option<String> {
        let (pod, trouble) = pods.iter().find_map(|pod| Some((pod, pod.trouble()?)))?;
        let claim = pod.claims.iter().find_map(|claim| {
            let event =
                self.telling_of(|event| event.kind == "PersistentVolumeClaim" && event.name == *claim)?;
            Some(format!("claim {claim}: {}", event.message))
        });
        Some([Some(trouble), claim].into_iter().flatten().collect::<Vec<_>>().join("; "))
    }

    fn business(&self, pod: &SeenPod) -> String {
        let event = self.telling_of(|event| event.kind == "Pod" && event.name == pod.name);
        let event = event.map(|event| format!("; {}", joined(&event.reason, &event.message)));
        pod.business() + &event.unwrap_or_default()
    }

    fn telling(&self, object: &ObjectRef, pods: &[&SeenPod]) -> Option<String> {
        let event = self.telling_of(|event| concerns(event, object, pods))?;
        Some(joined(&event.reason, &event.message))
    }

    /// The most telling of the events that are `about` something, the newest if there are several.
    fn telling_of(&self, about: impl Fn(&SeenEvent) -> bool) -> Option<&'a SeenEvent> {
        let rank = |event: &SeenEvent| TELLING.iter().position(|reason| *reason == event.reason);
        let ranked = self.scene.events().filter(|event| about(event));
        ranked.filter_map(|event| Some((rank(event)?, event))).min_by_key(|(rank, _)| *rank).map(|it| it.1)
    }

    fn events_of(&self, object: &ObjectRef, pods: &[&SeenPod]) -> Vec<&'a SeenEvent> {
        self.scene.events().filter(|event| concerns(event, object, pods)).collect()
    }
}

/// Whether `event` is about `object`, one of its pods or their claims, or, for a Deployment, one of its replica sets.
fn concerns(event: &SeenEvent, object: &ObjectRef, pods: &[&SeenPod]) -> bool {
    match event.kind.as_str() {
        "Pod" if pods.iter().any(|pod| pod.name == event.name) => true,
        "PersistentVolumeClaim" if pods.iter().any(|pod| pod.claims.contains(&event.name)) => true,
        "ReplicaSet" if object.kind == "Deployment" => {
            let made_by = event.name.rsplit_once('-').map(|(name, _)| name);
            made_by == Some(object.name.as_str())
        }
        kind => kind == object.kind && event.name == object.name,
    }
}

/// `words` on one line, with one full stop.
fn sentence(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}.", line.trim_end_matches(['.', ':', ' ']))
}

#[cfg(test)]
mod tests;
