//! What belongs to a release: the objects of its manifest, and what was made by them.

use std::collections::HashMap;

use app::model::{ObjectRef, Resource};

use super::following::Shared;
use crate::kube::ClusterError;
use crate::kube::objects::{self, Kin, Owner};

/// How far up the owners of an object are followed: a pod, its Job, its CronJob, a custom resource, and two more.
const GENERATIONS_MAX: usize = 6;
/// How many owners are asked for one by one for one answer; those that are many are listed.
const ASKED_MAX: usize = 60;

/// The objects of a release, and whom they made.
pub struct Family {
    /// The resources of the release's view.
    pub resources: Vec<Resource>,
    places: HashMap<Identity, usize>,
    /// What is known of owners, by their identities.
    known: HashMap<String, Option<Kin>>,
    asked: usize,
}

/// What tells an object from others. Its version does not: the same object is served in several.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Identity {
    group: String,
    kind: String,
    namespace: Option<String>,
    name: String,
}

impl Identity {
    fn of(object: &ObjectRef) -> Self {
        Self {
            group: group(&object.api_version).to_owned(),
            kind: object.kind.clone(),
            namespace: object.namespace.clone(),
            name: object.name.clone(),
        }
    }
}

/// The API group of `apps/v1` or `v1`; empty for the core one.
pub fn group(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

impl Family {
    /// The family of `resources`.
    pub fn new(resources: Vec<Resource>) -> Self {
        let identity = |(place, it): (usize, &Resource)| (Identity::of(&it.object), place);
        // Of two of the same name the first one is meant.
        let places = resources.iter().enumerate().rev().map(identity).collect();
        Self { resources, places, known: HashMap::new(), asked: 0 }
    }

    /// The place of `object` in the manifest, if it is there. One without a namespace is also found by the namespace of what
    /// it made.
    pub fn place(&self, object: &ObjectRef) -> Option<usize> {
        let mut identity = Identity::of(object);
        self.places.get(&identity).copied().or_else(|| {
            identity.namespace = None;
            self.places.get(&identity).copied()
        })
    }

    /// Takes in what was listed.
    pub fn learn(&mut self, listed: impl IntoIterator<Item = Kin>) {
        self.known.extend(listed.into_iter().map(|kin| (kin.uid.clone(), Some(kin))));
    }

    /// The place in the manifest of what `object` is or was made by; none if it has nothing to do with the release.
    ///
    /// # Errors
    /// When the cluster does not answer.
    pub async fn root(
        &mut self,
        shared: &Shared,
        object: &ObjectRef,
        kin: &Kin,
    ) -> Result<Option<usize>, ClusterError> {
        Ok(self.line(shared, object, kin).await?.root)
    }

    /// The ancestors of `object` up to one in the manifest.
    ///
    /// # Errors
    /// When the cluster does not answer.
    pub async fn line(
        &mut self,
        shared: &Shared,
        object: &ObjectRef,
        kin: &Kin,
    ) -> Result<Line, ClusterError> {
        let mut line = Line { root: self.place(object), between: Vec::new() };
        let mut owners = kin.owners.clone();
        while line.root.is_none() && line.between.len() < GENERATIONS_MAX {
            // One of several makers is enough; the one that looks after it comes first.
            line.root = owners.iter().find_map(|owner| self.place(&owner.object));
            if line.root.is_some() {
                break;
            }
            let Some(next) = owners.into_iter().next() else { return Ok(line) };
            let Some(kin) = self.look(shared, &next).await? else { return Ok(line) };
            owners = kin.owners;
            line.between.push(next);
        }
        Ok(line)
    }

    /// What an owner says of itself; none if it is gone, may not be read, or is one too many.
    async fn look(&mut self, shared: &Shared, owner: &Owner) -> Result<Option<Kin>, ClusterError> {
        if let Some(known) = self.known.get(&owner.uid) {
            return Ok(known.clone());
        }
        if self.asked >= ASKED_MAX {
            return Ok(None);
        }
        self.asked += 1;
        let object = &owner.object;
        let found = match shared.discovery.kind(&object.api_version, &object.kind).await? {
            Some(kind) => match objects::kin(&shared.client, &kind, object).await {
                Ok(kin) => Some(kin).filter(|kin| kin.uid == owner.uid),
                Err(ClusterError::NotFound(_) | ClusterError::Forbidden(_)) => None,
                Err(error) => return Err(error),
            },
            None => None,
        };
        self.known.insert(owner.uid.clone(), found.clone());
        Ok(found)
    }
}

/// From an object up to the manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The place in the manifest where it ends; none if it does not end there.
    pub root: Option<usize>,
    /// Those between the object and that one, from below.
    pub between: Vec<Owner>,
}
