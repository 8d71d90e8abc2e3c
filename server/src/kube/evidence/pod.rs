//! What tells why a pod is not well: its object, read down to that, and said in plain words. Pure.

use app::model::{ContainerEvidence, PodEvidence};
use k8s_openapi::api::core::v1::{ContainerState, ContainerStateTerminated, ContainerStatus, Pod};
use kube::core::ObjectMeta;

use super::job::is_hook;

/// The object that made a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// `Deployment`, `Job`, …; a Deployment's replica sets are passed over.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The identity of the object that the pod names: the Job's, but a replica set's and not its Deployment's.
    pub uid: String,
}

/// One pod.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenPod {
    /// Its identity.
    pub uid: String,
    /// Its name.
    pub name: String,
    /// Who made it; none for a bare pod.
    pub owner: Option<Owner>,
    /// helm runs it as a hook.
    pub is_hook: bool,
    /// It is being deleted.
    pub is_ending: bool,
    /// Kubernetes' word.
    pub phase: String,
    /// Why the pod as a whole failed, e.g. `Evicted: …`; empty if it did not.
    pub failed: String,
    /// Why no node takes it, in the scheduler's words.
    pub unscheduled: Option<String>,
    /// It is ready.
    pub is_ready: bool,
    /// The volume claims that it waits for.
    pub claims: Vec<String>,
    /// Init containers first.
    pub containers: Vec<SeenContainer>,
}

/// One container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenContainer {
    /// Its name.
    pub name: String,
    /// It runs before the others.
    pub is_init: bool,
    /// Its image.
    pub image: String,
    /// Its readiness probe succeeds.
    pub is_ready: bool,
    /// How often it was started again.
    pub restarts: u32,
    /// What it does now.
    pub state: State,
    /// How it ended before that.
    pub last: Option<Exit>,
}

/// What a container does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Nothing is told of it.
    #[default]
    Unknown,
    /// It does not run yet, or not again.
    Waiting { reason: String, message: String },
    /// It runs.
    Running,
    /// It has ended.
    Exited(Exit),
}

/// How a container ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exit {
    /// Its exit code.
    pub code: i32,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Kubernetes' word: `Error`, `OOMKilled`, …
    pub reason: String,
    /// What it left in its termination message.
    pub message: String,
}

impl SeenPod {
    /// Reads a pod.
    pub fn read(pod: Pod) -> Self {
        let spec = pod.spec.unwrap_or_default();
        let status = pod.status.unwrap_or_default();
        let conditions = status.conditions.unwrap_or_default();
        let condition = |kind: &str| conditions.iter().find(|condition| condition.type_ == kind);
        let unscheduled =
            condition("PodScheduled").filter(|condition| condition.status == "False").map(|condition| {
                words(&[
                    condition.message.as_deref().unwrap_or_default(),
                    condition.reason.as_deref().unwrap_or_default(),
                ])
            });
        let claims = spec.volumes.iter().flatten();
        let of = |statuses: Option<Vec<ContainerStatus>>, is_init| {
            statuses.into_iter().flatten().map(move |status| SeenContainer::read(status, is_init))
        };
        Self {
            uid: pod.metadata.uid.clone().unwrap_or_default(),
            name: pod.metadata.name.clone().unwrap_or_default(),
            owner: owner(&pod.metadata),
            is_hook: is_hook(&pod.metadata),
            is_ending: pod.metadata.deletion_timestamp.is_some(),
            phase: status.phase.unwrap_or_default(),
            failed: joined(&status.reason.unwrap_or_default(), &status.message.unwrap_or_default()),
            unscheduled,
            is_ready: condition("Ready").is_some_and(|condition| condition.status == "True"),
            claims: claims
                .filter_map(|volume| Some(volume.persistent_volume_claim.as_ref()?.claim_name.clone()))
                .collect(),
            containers: of(status.init_container_statuses, true)
                .chain(of(status.container_statuses, false))
                .collect(),
        }
    }

    /// Whether there is nothing to explain: what is to end has ended well, and what is to stay is ready.
    pub fn is_well(&self) -> bool {
        self.phase == "Succeeded" || self.is_ready && !self.is_to_end()
    }

    /// Whether it is there to do something and end.
    fn is_to_end(&self) -> bool {
        self.is_hook || self.owner.as_ref().is_some_and(|owner| owner.kind == "Job")
    }

    /// Whether `container`, one of its own, runs although it should have ended, or be ready.
    pub fn is_busy(&self, container: &SeenContainer) -> bool {
        container.state == State::Running && (!container.is_ready || container.is_init || self.is_to_end())
    }

    /// What is wrong with it, as what follows a colon; none if nothing is known to be.
    pub fn trouble(&self) -> Option<String> {
        if self.is_well() {
            return None;
        }
        let of_container = self.containers.iter().find_map(SeenContainer::trouble);
        let of_pod = || match &self.unscheduled {
            Some(why) => Some(format!("pod {} cannot be scheduled: {why}", self.name)),
            None if !self.failed.is_empty() => Some(format!("pod {} failed: {}", self.name, self.failed)),
            None => None,
        };
        of_container.or_else(of_pod)
    }

    /// What it is still busy with, where nothing is wrong with it yet.
    pub fn business(&self) -> String {
        // Init containers come first, and the others wait for them.
        match self.containers.iter().find(|container| self.is_busy(container)) {
            Some(init) if init.is_init => format!("init container {} has not finished", init.name),
            Some(container) if self.is_to_end() => format!("container {} has not finished", container.name),
            Some(container) => format!("container {} runs and is not ready", container.name),
            None => format!("pod {} is still being started", self.name),
        }
    }

    /// It for the record, with the logs that `log` has.
    pub fn evidence(&self, log: impl Fn(&SeenContainer) -> Option<Result<String, String>>) -> PodEvidence {
        let containers = self.containers.iter().map(|container| container.evidence(log(container))).collect();
        PodEvidence { name: self.name.clone(), phase: self.phase.clone(), containers }
    }
}

impl SeenContainer {
    fn read(status: ContainerStatus, is_init: bool) -> Self {
        let last = status.last_state.and_then(|state| state.terminated).map(Exit::read);
        Self {
            name: status.name,
            is_init,
            image: status.image,
            is_ready: status.ready,
            restarts: u32::try_from(status.restart_count).unwrap_or_default(),
            state: status.state.map(State::read).unwrap_or_default(),
            last,
        }
    }

    /// How it failed: now, or before it was started again.
    pub fn failure(&self) -> Option<&Exit> {
        let now = match &self.state {
            State::Exited(exit) => Some(exit),
            _ => None,
        };
        let before = self.last.as_ref().filter(|exit| exit.is_failure() || self.is_looping());
        now.filter(|exit| exit.is_failure()).or(before)
    }

    /// Whether kubelet takes it for crashing again and again: also if it ends well, where it should not end.
    fn is_looping(&self) -> bool {
        matches!(&self.state, State::Waiting { reason, .. } if reason == "CrashLoopBackOff")
    }

    /// Whether the log of its failure is that of its run before.
    pub fn failed_before(&self) -> bool {
        !matches!(self.state, State::Exited(_)) && self.failure().is_some()
    }

    fn trouble(&self) -> Option<String> {
        let name = &self.name;
        let subject =
            if self.is_init { format!("init container {name}") } else { format!("container {name}") };
        match &self.state {
            State::Waiting { reason, message } => match reason.as_str() {
                "ErrImagePull"
                | "ImagePullBackOff"
                | "ErrImageNeverPull"
                | "InvalidImageName"
                | "ImageInspectError"
                | "RegistryUnavailable" => {
                    let why = words(&[message, reason]);
                    Some(format!("{subject} cannot get its image {}: {why}", self.image))
                }
                "CreateContainerConfigError"
                | "CreateContainerError"
                | "RunContainerError"
                | "PreCreateHookError"
                | "PostStartHookError" => {
                    Some(format!("{subject} cannot be started: {}", words(&[message, reason])))
                }
                "CrashLoopBackOff" => Some(format!("{subject} {}", self.crashes())),
                _ => None,
            },
            State::Exited(exit) if exit.is_failure() => Some(format!("{subject} {}", self.crashes())),
            State::Running if !self.is_ready && self.failure().is_some() => {
                Some(format!("{subject} {}", self.crashes()))
            }
            _ => None,
        }
    }

    /// How it failed, and whether that goes on: what it does at this moment, in a loop, is chance.
    fn crashes(&self) -> String {
        let how = self.failure().map_or_else(|| "ended".to_owned(), Exit::words);
        let restarts = if self.restarts == 1 { "1 restart" } else { &format!("{} restarts", self.restarts) };
        match self.restarts {
            0 if !self.is_looping() => how,
            1 if !self.is_looping() => format!("{how} ({restarts})"),
            _ => format!("crashes again and again; it {how} ({restarts})"),
        }
    }

    fn evidence(&self, log: Option<Result<String, String>>) -> ContainerEvidence {
        let exit = match &self.state {
            State::Exited(exit) => Some(exit),
            _ => self.last.as_ref(),
        };
        let (state, reason, message) = match &self.state {
            State::Unknown => ("not started".to_owned(), "", ""),
            State::Waiting { reason, message } => (
                format!("waiting: {}", words(&[reason, "no reason given"])),
                reason.as_str(),
                message.as_str(),
            ),
            State::Running if self.is_ready => ("running".to_owned(), "", ""),
            State::Running if self.is_init => ("running".to_owned(), "", ""),
            State::Running => ("running, not ready".to_owned(), "", ""),
            State::Exited(exit) => (exit.words(), exit.reason.as_str(), exit.message.as_str()),
        };
        let (log, log_missing) = match log {
            Some(Ok(log)) => (log, None),
            Some(Err(why)) => (String::new(), Some(format!("The log could not be read: {why}"))),
            None => (String::new(), None),
        };
        // Of a crash loop the container's own last words say more than kubelet's about the pause.
        let said = exit.map(|exit| exit.message.as_str()).unwrap_or_default();
        ContainerEvidence {
            name: self.name.clone(),
            is_init: self.is_init,
            state,
            exit_code: exit.map(|exit| exit.code),
            signal: exit.and_then(|exit| exit.signal),
            reason: reason.to_owned(),
            message: words(&[said, message]).to_owned(),
            restarts: self.restarts,
            log,
            log_missing,
        }
    }
}

impl State {
    fn read(state: ContainerState) -> Self {
        match (state.waiting, state.running, state.terminated) {
            (_, _, Some(exit)) => Self::Exited(Exit::read(exit)),
            (_, Some(_), None) => Self::Running,
            (Some(waiting), None, None) => Self::Waiting {
                reason: waiting.reason.unwrap_or_default(),
                message: waiting.message.unwrap_or_default(),
            },
            (None, None, None) => Self::Unknown,
        }
    }
}

impl Exit {
    fn read(exit: ContainerStateTerminated) -> Self {
        Self {
            code: exit.exit_code,
            signal: exit.signal.filter(|signal| *signal != 0),
            reason: exit.reason.unwrap_or_default(),
            message: exit.message.unwrap_or_default(),
        }
    }

    fn is_failure(&self) -> bool {
        self.code != 0 || self.signal.is_some()
    }

    fn words(&self) -> String {
        match (self.reason.as_str(), self.signal) {
            ("OOMKilled", _) => "ran out of memory (OOMKilled)".to_owned(),
            (_, Some(signal)) => format!("was ended by signal {signal}"),
            // Most runtimes tell a signal in the exit code alone, as a shell does.
            (_, None) if (129..=159).contains(&self.code) => {
                format!("exited with {} (signal {})", self.code, self.code - 128)
            }
            ("" | "Error" | "Completed", None) => format!("exited with {}", self.code),
            (reason, None) => format!("exited with {} ({reason})", self.code),
        }
    }
}

/// The first that says something.
fn words(texts: &[&str]) -> String {
    texts.iter().map(|text| text.trim()).find(|text| !text.is_empty()).unwrap_or_default().to_owned()
}

/// `reason: message`, as far as there is either.
pub(in crate::kube) fn joined(reason: &str, message: &str) -> String {
    let parts: Vec<&str> = [reason, message].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(": ")
}

fn owner(metadata: &ObjectMeta) -> Option<Owner> {
    let reference =
        metadata.owner_references.as_ref()?.iter().find(|owner| owner.controller == Some(true))?;
    let hash = metadata.labels.as_ref().and_then(|labels| labels.get("pod-template-hash"));
    // A Deployment names its replica sets by the hash that their pods bear.
    let deployment = hash
        .filter(|_| reference.kind == "ReplicaSet")
        .and_then(|hash| reference.name.strip_suffix(hash.as_str())?.strip_suffix('-'));
    let (kind, name) = match deployment {
        Some(name) => ("Deployment", name),
        None => (reference.kind.as_str(), reference.name.as_str()),
    };
    Some(Owner { kind: kind.to_owned(), name: name.to_owned(), uid: reference.uid.clone() })
}

#[cfg(test)]
pub(in crate::kube::evidence) mod tests;
