//! Live objects of any kind, and which kinds there are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use app::model::Timestamp;
use futures::StreamExt;
use futures::future::ready;
use futures::stream::BoxStream;
use kube::api::{Api, ApiResource, DynamicObject, PartialObjectMeta};
use kube::core::{GroupVersion, ObjectMeta};
use kube::discovery::{Scope, pinned_group, verbs};
use kube::runtime::watcher;
use serde_json::{Value, json};

use super::watch::{Change, follow};
use super::{Client, ClusterError, within_deadline};

/// How long a group's kinds are believed. A kind that is missing from them is looked up again after [`LOOK_AGAIN`].
const BELIEVED_FOR: Duration = Duration::from_secs(600);
/// How soon a group is asked again for a kind that it did not have: an install may just be adding it.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// How many API groups are remembered. Their names come from manifests.
const GROUPS_MAX: usize = 500;

/// A kind that the cluster serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    resource: ApiResource,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    has_status: bool,
    can_be_watched: bool,
}

impl Kind {
    /// The API group; empty for the core one.
    pub fn group(&self) -> &str {
        &self.resource.group
    }

    /// Its plural: `deployments`.
    pub fn plural(&self) -> &str {
        &self.resource.plural
    }

    /// Whether the cluster offers to list and watch it; reviews, for example, can only be created.
    pub fn can_be_watched(&self) -> bool {
        self.can_be_watched
    }
}

/// One live object, with what tells its readiness.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveObject {
    /// None for a cluster-scoped object.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created: Option<Timestamp>,
    /// When helm wrote it last, as far as its managed fields tell.
    pub applied: Option<Timestamp>,
    /// Its JSON; of the metadata only `generation` and `deletionTimestamp`, and nothing else where its kind has no status.
    pub json: Value,
}

type Kinds = Arc<HashMap<String, Kind>>;

/// Knows which kinds there are. Asks for one API group at a time, so that one that is out of order costs only its own kinds.
pub struct Discovery {
    client: Client,
    groups: Mutex<HashMap<String, (Instant, Kinds)>>,
}

impl Discovery {
    /// Asks with `client`.
    pub fn new(client: Client) -> Self {
        Self { client, groups: Mutex::default() }
    }

    /// The kind `kind` of `api_version` (`apps/v1`, `v1`); none if the cluster does not have it.
    ///
    /// # Errors
    /// When the cluster does not answer for that group.
    pub async fn kind(&self, api_version: &str, kind: &str) -> Result<Option<Kind>, ClusterError> {
        if let Some((asked, kinds)) = self.lock().get(api_version).cloned() {
            let believed = if kinds.contains_key(kind) { BELIEVED_FOR } else { LOOK_AGAIN };
            if asked.elapsed() < believed {
                return Ok(kinds.get(kind).cloned());
            }
        }
        let kinds = Arc::new(self.ask(api_version).await?);
        let found = kinds.get(kind).cloned();
        let mut groups = self.lock();
        if groups.len() >= GROUPS_MAX {
            groups.clear();
        }
        groups.insert(api_version.to_owned(), (Instant::now(), kinds));
        Ok(found)
    }

    async fn ask(&self, api_version: &str) -> Result<HashMap<String, Kind>, ClusterError> {
        let Ok(version) = api_version.parse::<GroupVersion>() else { return Ok(HashMap::new()) };
        let group = match within_deadline(pinned_group(&self.client, &version)).await {
            Ok(group) => group,
            Err(ClusterError::NotFound(_)) => return Ok(HashMap::new()),
            Err(error) => return Err(error),
        };
        let kinds =
            group.versioned_resources(&version.version).into_iter().map(|(resource, capabilities)| {
                let status = capabilities.subresources.iter().any(|(sub, _)| sub.plural == "status");
                let supports = |verb| capabilities.supports_operation(verb);
                let kind = Kind {
                    namespaced: capabilities.scope == Scope::Namespaced,
                    // A custom kind can keep a status without offering the subresource; Kubernetes' own kinds do not.
                    has_status: status || !is_built_in(&resource.group),
                    can_be_watched: supports(verbs::LIST) && supports(verbs::WATCH),
                    resource,
                };
                (kind.resource.kind.clone(), kind)
            });
        Ok(kinds.collect())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, (Instant, Kinds)>> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_built_in(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io")
}

/// Follows the objects of `kind` in `namespace` (none for a cluster-scoped kind), or the one named `only` there. Kinds
/// without a status are read by their metadata alone, so that no Secret's data is fetched.
pub fn objects(
    client: &Client,
    kind: &Kind,
    namespace: Option<&str>,
    only: Option<&str>,
) -> BoxStream<'static, Change<LiveObject>> {
    let mut which = watcher::Config::default();
    if let Some(name) = only {
        which = which.fields(&format!("metadata.name={name}"));
    }
    if kind.has_status {
        let api: Api<DynamicObject> = api(client, kind, namespace);
        follow(api, which)
            .filter_map(|change| ready(change.filter_map(|object| live(object.metadata, object.data))))
            .boxed()
    } else {
        let api: Api<PartialObjectMeta<DynamicObject>> = api(client, kind, namespace);
        follow(api, which)
            .filter_map(|change| ready(change.filter_map(|object| live(object.metadata, Value::Null))))
            .boxed()
    }
}

/// The objects of `kind` in `namespace`, or those of a cluster-scoped kind.
pub(super) fn api<K>(client: &Client, kind: &Kind, namespace: Option<&str>) -> Api<K>
where
    K: kube::Resource<DynamicType = ApiResource, Scope = kube::core::DynamicResourceScope>,
{
    match namespace {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, &kind.resource),
        None => Api::all_with(client.clone(), &kind.resource),
    }
}

fn live(meta: ObjectMeta, mut json: Value) -> Option<LiveObject> {
    if !json.is_object() {
        json = json!({});
    }
    let applied = applied(&meta);
    json["metadata"] = json!({
        "generation": meta.generation,
        "deletionTimestamp": meta.deletion_timestamp.map(|time| time.0.as_millisecond()),
    });
    Some(LiveObject {
        namespace: meta.namespace,
        name: meta.name?,
        created: meta.creation_timestamp.map(|created| Timestamp(created.0.as_millisecond())),
        applied,
        json,
    })
}

/// helm goes by the name of its program (`pkg/kube/client.go`). What only repeats what is there is no writing.
fn applied(meta: &ObjectMeta) -> Option<Timestamp> {
    let all = meta.managed_fields.iter().flatten();
    let by_helm = all.filter(|it| {
        it.subresource.is_none() && it.manager.as_deref().is_some_and(|name| name.starts_with("helm"))
    });
    by_helm.filter_map(|it| Some(Timestamp(it.time.as_ref()?.0.as_millisecond()))).max()
}
