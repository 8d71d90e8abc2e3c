//! The objects of one release and what is known of each: a synchronous state machine, fed with the steps of the watches.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use app::model::{Health, ObjectRef, Resource, Timestamp};

use super::course::{Course, Coursed, Told};
use super::manifest::{HookState, ManifestObject};
use super::readiness::Verdict;
use crate::kube::ClusterError;
use crate::kube::watch::Change;

/// A kind, as manifests name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindName {
    /// `apps/v1`
    pub api_version: String,
    /// `Deployment`
    pub kind: String,
}

/// One live object, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// What it tells of its course.
    pub course: Course,
    /// When that was heard.
    pub heard: Timestamp,
    /// How it is doing.
    pub verdict: Verdict,
}

/// What is known of one object.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Unread,
    Unreadable(String),
    Absent,
    Live { verdict: Verdict, course: Course },
}

/// The objects of a release, in the manifest's order.
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    entries: Vec<ManifestObject>,
    states: HashMap<ObjectRef, State>,
    /// What the lists that are under way have told so far.
    lists: HashMap<(KindName, Option<String>), HashSet<String>>,
}

impl Inventory {
    /// An inventory of `objects`; those without a namespace are taken to be in `namespace` until their kind is known to
    /// have none. What `before` knew of the same objects is kept, until it is read anew.
    pub fn new(objects: Vec<ManifestObject>, namespace: &str, before: Option<&Inventory>) -> Self {
        let mut inventory = Self { entries: objects, ..Self::default() };
        for entry in &mut inventory.entries {
            entry.object.namespace.get_or_insert_with(|| namespace.to_owned());
        }
        for entry in &inventory.entries {
            let known = before.and_then(|before| {
                let cluster_scoped = || ObjectRef { namespace: None, ..entry.object.clone() };
                before.states.get(&entry.object).or_else(|| before.states.get(&cluster_scoped()))
            });
            inventory.states.insert(entry.object.clone(), known.cloned().unwrap_or(State::Unread));
        }
        inventory
    }

    /// The kinds that there are.
    pub fn kinds(&self) -> BTreeSet<KindName> {
        self.entries.iter().map(|entry| kind_of(&entry.object)).collect()
    }

    /// Settles that `kind` has no namespaces.
    pub fn set_cluster_scoped(&mut self, kind: &KindName) {
        for entry in self.entries.iter_mut().filter(|entry| kind_of(&entry.object) == *kind) {
            let state = self.states.remove(&entry.object);
            entry.object.namespace = None;
            self.states.entry(entry.object.clone()).or_insert(state.unwrap_or(State::Unread));
        }
    }

    /// The names of the objects of `kind`, by namespace: one watch each.
    pub fn places(&self, kind: &KindName) -> BTreeMap<Option<String>, BTreeSet<String>> {
        let mut places: BTreeMap<Option<String>, BTreeSet<String>> = BTreeMap::new();
        for entry in self.entries.iter().filter(|entry| kind_of(&entry.object) == *kind) {
            places.entry(entry.object.namespace.clone()).or_default().insert(entry.object.name.clone());
        }
        places
    }

    /// Settles that nothing of `kind` can be read now, and why. What was read before stays known.
    pub fn set_unreadable(&mut self, kind: &KindName, reason: &str) {
        for (namespace, _) in self.places(kind) {
            self.mark_unread(kind, namespace.as_deref(), reason);
        }
    }

    /// Takes one step of the watch of `kind` in `namespace`. Objects that the manifest does not name are passed over.
    pub fn apply(&mut self, kind: &KindName, namespace: Option<&str>, change: Change<Judged>) {
        let place = (kind.clone(), namespace.map(str::to_owned));
        match change {
            Change::Restarted => {
                self.lists.insert(place, HashSet::new());
            }
            Change::Listed(judged) => {
                if let Some(list) = self.lists.get_mut(&place) {
                    list.insert(judged.name.clone());
                }
                self.write(kind, namespace, judged, false);
            }
            Change::Complete => {
                let list = self.lists.remove(&place).unwrap_or_default();
                for (object, state) in &mut self.states {
                    if is_in(object, kind, namespace) && !list.contains(&object.name) {
                        *state = State::Absent;
                    }
                }
            }
            Change::Written(judged) => self.write(kind, namespace, judged, true),
            Change::Removed(judged) => self.set(object(kind, namespace, judged.name), State::Absent),
            Change::Failed(ClusterError::Forbidden(_)) => {
                let reason = match namespace {
                    Some(namespace) => {
                        format!("Slipway may not read {} objects in namespace {namespace}", kind.kind)
                    }
                    None => format!("Slipway may not read {} objects", kind.kind),
                };
                for (object, state) in &mut self.states {
                    if is_in(object, kind, namespace) {
                        *state = State::Unreadable(reason.clone());
                    }
                }
            }
            Change::Failed(_) => {
                self.mark_unread(kind, namespace, "The cluster does not answer for it at the moment")
            }
        }
    }

    /// Whether each object has been read, or is known not to be readable.
    pub fn is_settled(&self) -> bool {
        !self.states.values().any(|state| *state == State::Unread)
    }

    /// Every object with its state.
    pub fn resources(&self) -> Vec<Resource> {
        let resource = |entry: &ManifestObject| {
            let state = self.states.get(&entry.object).unwrap_or(&State::Unread);
            let (verdict, created) = told(state, entry.hook.as_ref());
            Resource {
                object: entry.object.clone(),
                source: entry.source.clone(),
                hooks: entry.hook.as_ref().map(|hook| hook.events.clone()).unwrap_or_default(),
                health: verdict.health,
                message: verdict.message,
                created,
            }
        };
        self.entries.iter().map(resource).collect()
    }

    /// Every object with its course.
    pub fn courses(&self) -> Vec<Coursed> {
        let coursed = |entry: &ManifestObject| {
            let state = self.states.get(&entry.object).unwrap_or(&State::Unread);
            let (verdict, _) = told(state, entry.hook.as_ref());
            let course = if let State::Live { course, .. } = state { *course } else { Course::default() };
            Coursed {
                object: entry.object.clone(),
                source: entry.source.clone(),
                hook: entry.hook.clone(),
                health: verdict.health,
                message: verdict.message,
                course,
            }
        };
        self.entries.iter().map(coursed).collect()
    }

    fn write(&mut self, kind: &KindName, namespace: Option<&str>, judged: Judged, is_news: bool) {
        let Judged { name, course, heard, verdict } = judged;
        let object = object(kind, namespace, name);
        let before = match self.states.get(&object) {
            Some(State::Live { verdict, course }) => Some((*course, verdict.health)),
            Some(State::Absent) => Some((Course::default(), Health::Missing)),
            _ => None,
        };
        let course = Course::after(before, Told { course, heard, is_news }, verdict.health);
        self.set(object, State::Live { verdict, course });
    }

    fn set(&mut self, object: ObjectRef, state: State) {
        if let Some(known) = self.states.get_mut(&object) {
            *known = state;
        }
    }

    fn mark_unread(&mut self, kind: &KindName, namespace: Option<&str>, reason: &str) {
        for (object, state) in &mut self.states {
            if is_in(object, kind, namespace) && matches!(state, State::Unread | State::Unreadable(_)) {
                *state = State::Unreadable(reason.to_owned());
            }
        }
    }
}

fn object(kind: &KindName, namespace: Option<&str>, name: String) -> ObjectRef {
    ObjectRef {
        api_version: kind.api_version.clone(),
        kind: kind.kind.clone(),
        namespace: namespace.map(str::to_owned),
        name,
    }
}

fn kind_of(object: &ObjectRef) -> KindName {
    KindName { api_version: object.api_version.clone(), kind: object.kind.clone() }
}

fn is_in(object: &ObjectRef, kind: &KindName, namespace: Option<&str>) -> bool {
    object.api_version == kind.api_version
        && object.kind == kind.kind
        && object.namespace.as_deref() == namespace
}

/// What to say of an object. A hook that is gone is judged by how its last run went: most delete themselves.
fn told(state: &State, hook: Option<&HookState>) -> (Verdict, Option<Timestamp>) {
    let say = Verdict::new;
    match (state, hook.map(|hook| hook.phase.as_str())) {
        (State::Live { verdict, course }, _) => (verdict.clone(), course.created),
        (State::Absent, None) => (say(Health::Missing, "Not in the cluster"), None),
        (State::Absent, Some("Succeeded")) => (say(Health::Ready, "Ran successfully"), None),
        (State::Absent, Some("Failed")) => (say(Health::Failed, "Failed when it ran last"), None),
        (State::Absent, Some("Running")) => (say(Health::Progressing, "About to run"), None),
        (State::Absent, Some(_)) => (say(Health::NotYet, not_run(hook)), None),
        (State::Unread, _) => (say(Health::Unknown, "Not read yet"), None),
        (State::Unreadable(reason), _) => (say(Health::Unknown, reason), None),
    }
}

/// Of a hook that has not run: one of the tests' waits for somebody to run them.
fn not_run(hook: Option<&HookState>) -> &'static str {
    let is_test = hook.is_some_and(|hook| hook.events.iter().all(|event| event.starts_with("test")));
    if is_test { "Runs with the release’s tests" } else { "Has not run" }
}

#[cfg(test)]
mod tests;
