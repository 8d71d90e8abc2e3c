//! What is seen of a release's hooks and pods while helm works: a synchronous state machine, fed with the steps of the
//! watches. It says which logs are to be read, and keeps what is gone.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::job::SeenJob;
use super::pod::{Owner, SeenContainer, SeenPod};
use crate::kube::ClusterError;
use crate::kube::watch::Change;

/// How many hooks' Jobs are kept. The largest charts known have a few dozen.
const JOBS_MAX: usize = 100;
/// How many pods are kept: those that are not well, of all that a namespace has.
const PODS_MAX: usize = 1_000;
/// How many events are kept, the newest.
const EVENTS_MAX: usize = 500;
/// How many logs are read for one attempt.
const LOGS_MAX: usize = 60;
/// How often the log of one container is read: each time that it has failed again.
const LOGS_OF_ONE: u32 = 5;

/// What belongs to the release, by kind and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// Its hooks.
    pub hooks: HashSet<(String, String)>,
    /// The objects of its manifest.
    pub objects: HashSet<(String, String)>,
}

/// What an event of the namespace says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenEvent {
    /// Its identity: an event that happens again is the same one.
    pub uid: String,
    /// The kind of object that it is about.
    pub kind: String,
    /// That object's name.
    pub name: String,
    /// `FailedCreate`, …
    pub reason: String,
    /// The sentence.
    pub message: String,
}

/// A log that is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Want {
    /// The pod's identity.
    pub uid: String,
    /// The pod.
    pub pod: String,
    /// The container.
    pub container: String,
    /// Of its run before the one that is going on.
    pub previous: bool,
}

/// A hook: a Job with its pods, or a bare pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook<'a> {
    /// The Job, unless it is a bare pod.
    pub job: Option<&'a SeenJob>,
    /// Its pods that are not well.
    pub pods: Vec<&'a SeenPod>,
}

/// The state machine.
#[derive(Default)]
pub struct Scene {
    jobs: BTreeMap<String, SeenJob>,
    pods: BTreeMap<String, SeenPod>,
    /// Hooks that were there before: they tell of earlier attempts.
    before: HashSet<String>,
    /// The oldest first.
    events: VecDeque<SeenEvent>,
    jobs_listed: bool,
    pods_listed: bool,
    members: Option<Members>,
    logs: HashMap<(String, String), Log>,
    asked: usize,
    /// Why what could not be watched.
    blind: BTreeMap<Watched, String>,
}

/// What is watched, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Watched {
    Jobs,
    Pods,
    Events,
}

#[derive(Default)]
struct Log {
    /// The restarts of the container when it was asked for last.
    restarts: u32,
    times: u32,
    is_pending: bool,
    told: Option<Result<String, String>>,
}

impl Scene {
    /// Takes one step of the watch of Jobs.
    pub fn apply_job(&mut self, change: Change<SeenJob>) {
        match change {
            Change::Listed(job) if !self.jobs_listed => {
                self.before.insert(job.uid);
            }
            Change::Listed(job) | Change::Written(job) => self.write_job(job),
            Change::Removed(job) => self.write_job(SeenJob { is_ending: true, ..job }),
            Change::Complete => self.jobs_listed = true,
            Change::Failed(error) => {
                self.jobs_listed |= self.cannot_see(Watched::Jobs, &error);
            }
            Change::Restarted => {}
        }
    }

    /// Takes one step of the watch of pods.
    pub fn apply_pod(&mut self, change: Change<SeenPod>) {
        match change {
            Change::Listed(pod) if !self.pods_listed && pod.is_hook => {
                self.before.insert(pod.uid);
            }
            Change::Listed(pod) | Change::Written(pod) => self.write_pod(pod),
            Change::Removed(pod) => self.write_pod(SeenPod { is_ending: true, ..pod }),
            Change::Complete => self.pods_listed = true,
            Change::Failed(error) => {
                self.pods_listed |= self.cannot_see(Watched::Pods, &error);
            }
            Change::Restarted => {}
        }
    }

    /// Takes one step of a watch of events. Those that were there before tell of earlier attempts, unless they happen
    /// again; no clock is asked, for the cluster's may be another.
    pub fn apply_event(&mut self, change: Change<SeenEvent>) {
        match change {
            Change::Written(event) => {
                self.events.retain(|known| known.uid != event.uid);
                self.events.push_back(event);
                let surplus = self.events.len().saturating_sub(EVENTS_MAX);
                self.events.drain(..surplus);
            }
            Change::Failed(error) => {
                self.cannot_see(Watched::Events, &error);
            }
            _ => {}
        }
    }

    /// The events of this attempt, the newest first.
    pub fn events(&self) -> impl Iterator<Item = &SeenEvent> {
        self.events.iter().rev()
    }

    /// Whether it is known what was there before, or that it will not be.
    pub fn is_listed(&self) -> bool {
        self.jobs_listed && self.pods_listed
    }

    /// Settles what belongs to the release.
    pub fn set_members(&mut self, members: Members) {
        self.members = Some(members);
    }

    /// What could not be seen, and why, the most telling first.
    pub fn blind(&self) -> impl Iterator<Item = &str> {
        self.blind.values().map(String::as_str)
    }

    /// Whether pods can be seen, as far as is known.
    pub fn sees_pods(&self) -> bool {
        !self.blind.contains_key(&Watched::Pods)
    }

    /// The release's hooks of this attempt, by name.
    pub fn hooks(&self) -> Vec<Hook<'_>> {
        let is_member = |kind: &str, name: &str| {
            self.members.as_ref().is_none_or(|it| it.hooks.contains(&(kind.to_owned(), name.to_owned())))
        };
        let mut jobs: Vec<&SeenJob> = self.jobs.values().filter(|job| is_member("Job", &job.name)).collect();
        jobs.sort_by(|a, b| a.name.cmp(&b.name));
        let of = |job: &SeenJob| {
            let mut pods: Vec<&SeenPod> =
                self.pods.values().filter(|pod| owned_by(pod, &job.uid) && !pod.is_well()).collect();
            pods.sort_by_key(|pod| (pod.trouble().is_none(), &pod.name));
            pods
        };
        let bare = self.pods.values().filter(|pod| pod.is_hook && is_member("Pod", &pod.name));
        let bare = bare.map(|pod| Hook { job: None, pods: vec![pod] });
        jobs.into_iter().map(|job| Hook { job: Some(job), pods: of(job) }).chain(bare).collect()
    }

    /// The pods of an object of the manifest that are not well, the most telling first.
    pub fn pods_of(&self, kind: &str, name: &str) -> Vec<&SeenPod> {
        let mut pods: Vec<&SeenPod> = self
            .pods
            .values()
            .filter(|pod| !pod.is_hook && !pod.is_well() && made_by(pod) == (kind, name))
            .collect();
        // What is gone was replaced, unless nothing is left.
        pods.sort_by_key(|pod| (pod.is_ending, pod.trouble().is_none(), &pod.name));
        pods
    }

    /// The log of a container, as far as it was asked for and told.
    pub fn log(&self, pod: &SeenPod, container: &SeenContainer) -> Option<Result<String, String>> {
        self.logs.get(&(pod.uid.clone(), container.name.clone()))?.told.clone()
    }

    /// Keeps a log. One that can no longer be read does not replace one that was.
    pub fn read(&mut self, want: &Want, told: Result<String, String>) {
        let log = self.logs.entry((want.uid.clone(), want.container.clone())).or_default();
        log.is_pending = false;
        if told.is_ok() || !matches!(log.told, Some(Ok(_))) {
            log.told = Some(told);
        }
    }

    /// Whether a log is still being read.
    pub fn is_reading(&self) -> bool {
        self.logs.values().any(|log| log.is_pending)
    }

    /// The logs to be read now: of containers that have just failed, and of hooks that are about to be gone.
    pub fn wants(&mut self) -> Vec<Want> {
        let mut wanted = Vec::new();
        for pod in self.pods.values().filter(|pod| !pod.is_well()) {
            let job = self.job_of(pod);
            let is_hook = pod.is_hook || job.is_some();
            if !is_hook && !self.is_member(pod) {
                continue;
            }
            let is_over = is_hook && (pod.is_ending || job.is_some_and(|job| job.failed.is_some()));
            for container in &pod.containers {
                let is_first = !self.logs.contains_key(&(pod.uid.clone(), container.name.clone()));
                let failed = container.failure().is_some() && (is_hook || is_first);
                // It never ran, or ended well before the one that failed: nothing to read.
                let ran = pod.is_busy(container) && is_over && is_first;
                if failed || ran {
                    wanted.push((want(pod, container), container.restarts));
                }
            }
        }
        self.ask(wanted)
    }

    /// The logs to be read at the end: of the containers of `pods` that are not well, anew where they failed again.
    pub fn last_wants(&mut self, pods: &[String]) -> Vec<Want> {
        let pods = pods.iter().filter_map(|uid| self.pods.get(uid));
        let wanted = pods.filter(|pod| !pod.is_ending).flat_map(|pod| {
            let ran = pod.containers.iter().filter(|it| it.failure().is_some() || pod.is_busy(it));
            ran.map(move |container| (want(pod, container), container.restarts))
        });
        let wanted = wanted.collect();
        self.ask(wanted)
    }

    /// Of those, what has not been asked for in this state, within the bounds.
    fn ask(&mut self, wanted: Vec<(Want, u32)>) -> Vec<Want> {
        let mut asked = Vec::new();
        for (want, restarts) in wanted {
            let is_full = self.asked >= LOGS_MAX;
            let log = self.logs.entry((want.uid.clone(), want.container.clone())).or_default();
            let is_new = log.times == 0 || log.restarts != restarts && log.times < LOGS_OF_ONE;
            if log.is_pending || !is_new || is_full {
                continue;
            }
            *log = Log { restarts, times: log.times + 1, is_pending: true, told: log.told.take() };
            self.asked += 1;
            asked.push(want);
        }
        asked
    }

    fn write_job(&mut self, job: SeenJob) {
        if self.before.contains(&job.uid) {
            return;
        }
        let is_full = self.jobs.len() >= JOBS_MAX;
        match self.jobs.get_mut(&job.uid) {
            // How it went is not unsaid by its deletion.
            Some(known) if job.is_ending => {
                known.is_ending = true;
                known.is_done |= job.is_done;
                known.failed = known.failed.take().or(job.failed);
            }
            Some(known) => *known = job,
            None if !is_full => drop(self.jobs.insert(job.uid.clone(), job)),
            None => {}
        }
    }

    fn write_pod(&mut self, pod: SeenPod) {
        if self.before.contains(&pod.uid) {
            return;
        }
        let is_full = self.pods.len() >= PODS_MAX;
        match self.pods.get_mut(&pod.uid) {
            // What its deletion does to it says nothing about what was wrong before.
            Some(known) if pod.is_ending => {
                let containers = if known.trouble().is_none() && pod.phase == "Failed" && !known.is_ending {
                    pod.containers
                } else {
                    std::mem::take(&mut known.containers)
                };
                known.is_ending = true;
                known.containers = containers;
            }
            _ if pod.is_well() => drop(self.pods.remove(&pod.uid)),
            Some(known) => *known = pod,
            None if !is_full => drop(self.pods.insert(pod.uid.clone(), pod)),
            None => {}
        }
    }

    fn job_of(&self, pod: &SeenPod) -> Option<&SeenJob> {
        self.jobs.get(&pod.owner.as_ref()?.uid)
    }

    fn is_member(&self, pod: &SeenPod) -> bool {
        let (kind, name) = made_by(pod);
        let members = self.members.as_ref();
        members.is_some_and(|it| it.objects.contains(&(kind.to_owned(), name.to_owned())))
    }

    /// Remembers that `what` cannot be watched; whether that lasts.
    fn cannot_see(&mut self, what: Watched, error: &ClusterError) -> bool {
        let lasts = matches!(error, ClusterError::Forbidden(_));
        let name = match what {
            Watched::Jobs => "Jobs",
            Watched::Pods => "pods",
            Watched::Events => "events",
        };
        if lasts {
            self.blind.insert(what, format!("The namespace's {name} could not be seen: {error}"));
        }
        lasts
    }
}

fn want(pod: &SeenPod, container: &SeenContainer) -> Want {
    Want {
        uid: pod.uid.clone(),
        pod: pod.name.clone(),
        container: container.name.clone(),
        previous: container.failed_before(),
    }
}

fn owned_by(pod: &SeenPod, uid: &str) -> bool {
    pod.owner.as_ref().is_some_and(|owner| owner.uid == uid)
}

/// Kind and name of what the manifest has for this pod.
fn made_by(pod: &SeenPod) -> (&str, &str) {
    match &pod.owner {
        Some(Owner { kind, name, .. }) => (kind, name),
        None => ("Pod", &pod.name),
    }
}

#[cfg(test)]
pub(in crate::kube::evidence) mod tests;
