//! Following the live objects of one release.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use app::model::Resource;
use futures::StreamExt;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::course::{Course, Coursed, settled};
use super::inventory::{Inventory, Judged, KindName};
use super::manifest::ManifestObject;
use super::readiness::judge;
use crate::clock::cluster::Clock;
use crate::kube::Client;
use crate::kube::resources::{Discovery, Kind, LiveObject, objects};

/// How soon a kind that the cluster does not know, or a group that does not answer, is asked for again.
const LOOK_AGAIN: Duration = Duration::from_secs(10);
/// The most watches for one release: one for each kind and namespace. The largest charts known have some 30 kinds.
const WATCHES_MAX: usize = 200;
/// The most API groups for one release, in all their versions; each is asked for its kinds.
const GROUPS_MAX: usize = 50;

/// The live objects of one release's manifest. Following ends when it is dropped.
pub struct Live {
    objects: Vec<ManifestObject>,
    namespace: String,
    inventory: Arc<Mutex<Inventory>>,
    changes: watch::Receiver<()>,
    _watches: JoinSet<()>,
}

impl Live {
    /// Begins to follow `objects` of a release in `namespace`; `before` is what was followed until now.
    pub fn follow(
        (client, clock): (&Client, &Clock),
        discovery: &Arc<Discovery>,
        objects: Vec<ManifestObject>,
        namespace: &str,
        before: Option<&Live>,
    ) -> Self {
        let known = before.map(|before| lock(&before.inventory));
        let inventory = Inventory::new(objects.clone(), namespace, known.as_deref());
        drop(known);
        let (changed, changes) = watch::channel(());
        let kinds = inventory.kinds();
        let inventory = Arc::new(Mutex::new(inventory));
        let groups: BTreeSet<&str> = kinds.iter().map(|kind| kind.api_version.as_str()).collect();
        let follower = Follower {
            client: client.clone(),
            clock: clock.clone(),
            discovery: Arc::clone(discovery),
            inventory: Arc::clone(&inventory),
            changed,
            watches: Arc::default(),
        };
        let mut watches = JoinSet::new();
        for (at, group) in groups.into_iter().enumerate() {
            let kinds = kinds.iter().filter(|kind| kind.api_version == group).cloned();
            if at < GROUPS_MAX {
                watches.spawn(follower.clone().group(kinds.collect()));
            } else {
                kinds.for_each(|kind| follower.too_many(&kind));
            }
        }
        Self { objects, namespace: namespace.to_owned(), inventory, changes, _watches: watches }
    }

    /// Whether this follows just these objects.
    pub fn is_of(&self, objects: &[ManifestObject], namespace: &str) -> bool {
        self.objects == objects && self.namespace == namespace
    }

    /// Every object with its state.
    pub fn resources(&self) -> Vec<Resource> {
        lock(&self.inventory).resources()
    }

    /// Every object with its course.
    pub fn courses(&self) -> Vec<Coursed> {
        lock(&self.inventory).courses()
    }

    /// Whether each object has been read, or is known not to be readable.
    pub fn is_settled(&self) -> bool {
        lock(&self.inventory).is_settled()
    }

    /// Returns when anything has changed since this was last awaited.
    pub async fn changed(&mut self) {
        if self.changes.changed().await.is_err() {
            // Nothing is left to follow, for example because there are no objects.
            std::future::pending::<()>().await;
        }
    }
}

fn lock(inventory: &Mutex<Inventory>) -> MutexGuard<'_, Inventory> {
    inventory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Follows the kinds of one API group.
#[derive(Clone)]
struct Follower {
    client: Client,
    clock: Clock,
    discovery: Arc<Discovery>,
    inventory: Arc<Mutex<Inventory>>,
    changed: watch::Sender<()>,
    /// How many watches the release has.
    watches: Arc<AtomicUsize>,
}

impl Follower {
    /// Starts a watch for each of `kinds`, as soon as the cluster knows it.
    async fn group(self, mut kinds: Vec<KindName>) {
        let mut watches = JoinSet::new();
        while !kinds.is_empty() {
            let mut missing = Vec::new();
            for kind in kinds {
                match self.discovery.kind(&kind.api_version, &kind.kind).await {
                    Ok(Some(found)) => self.start(&mut watches, kind, found),
                    Ok(None) => {
                        let reason = format!(
                            "The cluster does not know the kind {} of {}",
                            kind.kind, kind.api_version
                        );
                        self.update(|inventory| inventory.set_unreadable(&kind, &reason));
                        missing.push(kind);
                    }
                    Err(error) => {
                        tracing::debug!(api_version = kind.api_version, %error, "An API group does not answer");
                        let reason =
                            format!("The cluster does not answer for {} at the moment", kind.api_version);
                        self.update(|inventory| inventory.set_unreadable(&kind, &reason));
                        missing.push(kind);
                    }
                }
            }
            kinds = missing;
            if !kinds.is_empty() {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
        watches.join_all().await;
    }

    fn start(&self, watches: &mut JoinSet<()>, name: KindName, kind: Kind) {
        if !kind.namespaced {
            self.update(|inventory| inventory.set_cluster_scoped(&name));
        }
        if !kind.can_be_watched() {
            self.update(|inventory| inventory.set_unreadable(&name, "Objects of this kind cannot be read"));
            return;
        }
        let places = lock(&self.inventory).places(&name);
        for (namespace, names) in places {
            if self.watches.fetch_add(1, Ordering::Relaxed) >= WATCHES_MAX {
                return self.too_many(&name);
            }
            watches.spawn(self.clone().place(name.clone(), kind.clone(), namespace, names));
        }
    }

    /// Follows the objects `names` of one kind in one namespace.
    async fn place(self, name: KindName, kind: Kind, namespace: Option<String>, names: BTreeSet<String>) {
        // One object alone is watched by its name, so that its neighbours cost nothing.
        let only = names.first().filter(|_| names.len() == 1);
        let mut changes = objects(&self.client, &kind, namespace.as_deref(), only.map(String::as_str));
        while let Some(change) = changes.next().await {
            let judged = |object: LiveObject| {
                names.contains(&object.name).then(|| {
                    let LiveObject { name: object_name, created, applied, json, .. } = object;
                    let verdict = judge(kind.group(), &name.kind, &json);
                    let written = created.max(applied);
                    let settled = settled(kind.group(), &name.kind, &json, verdict.health, written);
                    let course = Course { created, applied, settled };
                    Judged { name: object_name, course, heard: self.clock.now(), verdict }
                })
            };
            if let Some(change) = change.filter_map(judged) {
                self.update(|inventory| inventory.apply(&name, namespace.as_deref(), change));
            }
        }
    }

    fn too_many(&self, kind: &KindName) {
        self.update(|inventory| {
            inventory.set_unreadable(kind, "The release has too many kinds to follow them all")
        });
    }

    fn update(&self, with: impl FnOnce(&mut Inventory)) {
        with(&mut lock(&self.inventory));
        self.changed.send_replace(());
    }
}
