//! Objects that are read once, for whoever looks closely at one: itself, who made it, what the cluster tells of it.

use app::model::object::{CONDITIONS_MAX, EVENTS_MAX};
use app::model::{ObjectCondition, ObjectEvent, ObjectRef, Timestamp};
use k8s_openapi::api::core::v1::{Event, Pod};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, Time};
use kube::api::{Api, DynamicObject, ListParams, PartialObjectMeta};
use kube::core::ObjectMeta;
use serde_json::{Value, json};

use super::resources::{Kind, api};
use super::{Client, ClusterError, within_deadline};

/// How many objects are read with one request.
const PAGE: u32 = 500;
/// How many objects of one kind are read in one namespace.
const OBJECTS_MAX: usize = 10_000;
/// How many events of an object are looked at to find the newest: kubelet and controllers write a few dozen at most.
const EVENTS_READ_MAX: u32 = 500;
/// How long the sentence of an event or a condition may be, in characters: of an event Kubernetes' own limit is 1024.
const MESSAGE_MAX: usize = 1_024;
/// How long a word of those may be: Kubernetes' own limit for a condition's type is 316.
const WORD_MAX: usize = 316;

/// What an object says of itself and of those that made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kin {
    /// Its name.
    pub name: String,
    /// Its namespace, if it is in one.
    pub namespace: Option<String>,
    /// Its identity.
    pub uid: String,
    /// When it was made.
    pub created: Option<Timestamp>,
    /// Those that made it, the one that looks after it first.
    pub owners: Vec<Owner>,
}

/// One that made an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// It. A cluster-scoped one is named with the namespace of the object all the same.
    pub object: ObjectRef,
    /// Its identity.
    pub uid: String,
}

impl Kin {
    fn read(meta: &ObjectMeta) -> Self {
        let mut owners: Vec<_> = meta.owner_references.iter().flatten().collect();
        owners.sort_by_key(|owner| owner.controller != Some(true));
        let owner = |owner: &k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference| Owner {
            object: ObjectRef {
                api_version: owner.api_version.clone(),
                kind: owner.kind.clone(),
                namespace: meta.namespace.clone(),
                name: owner.name.clone(),
            },
            uid: owner.uid.clone(),
        };
        Self {
            name: meta.name.clone().unwrap_or_default(),
            namespace: meta.namespace.clone(),
            uid: meta.uid.clone().unwrap_or_default(),
            created: meta.creation_timestamp.as_ref().map(|created| time(&created.0)),
            owners: owners.into_iter().map(owner).collect(),
        }
    }
}

/// An object as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    /// Who it is.
    pub kin: Kin,
    /// All of it but its managed fields.
    pub json: Value,
}

/// One object.
///
/// # Errors
/// When the cluster refuses or does not answer; [`ClusterError::NotFound`] when there is no such object.
pub async fn whole(client: &Client, kind: &Kind, object: &ObjectRef) -> Result<Whole, ClusterError> {
    check(object)?;
    let api: Api<DynamicObject> = api(client, kind, object.namespace.as_deref());
    let mut found = within_deadline(api.get(&object.name)).await?;
    found.metadata.managed_fields = None;
    let kin = Kin::read(&found.metadata);
    let mut json = json!(found);
    // A single object can be told without its type.
    json["apiVersion"] = json!(object.api_version);
    json["kind"] = json!(object.kind);
    Ok(Whole { kin, json })
}

/// Who made one object: its metadata alone.
///
/// # Errors
/// Like [`whole`].
pub async fn kin(client: &Client, kind: &Kind, object: &ObjectRef) -> Result<Kin, ClusterError> {
    check(object)?;
    let namespace = object.namespace.as_deref().filter(|_| kind.namespaced);
    let api: Api<PartialObjectMeta<DynamicObject>> = api(client, kind, namespace);
    let found = within_deadline(api.get_metadata(&object.name)).await?;
    Ok(Kin::read(&found.metadata))
}

/// Names come from outside, and owners' names are not checked by the API server.
fn check(object: &ObjectRef) -> Result<(), ClusterError> {
    if is_path_segment(&object.name) && object.namespace.as_deref().is_none_or(is_path_segment) {
        return Ok(());
    }
    Err(ClusterError::NotFound(format!("{} of that name", object.kind)))
}

/// Whether `name` can stand for one object in an address of the API: no other request can be made of it.
fn is_path_segment(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && name.len() <= 253 && !name.contains(['/', '%', '?', '#'])
}

/// Who made each object of `kind` in `namespace`, and whether those are all: beyond a bound no more are read.
///
/// # Errors
/// When the cluster refuses or does not answer.
pub async fn all_kin(
    client: &Client,
    kind: &Kind,
    namespace: &str,
) -> Result<(Vec<Kin>, bool), ClusterError> {
    let api: Api<PartialObjectMeta<DynamicObject>> = api(client, kind, Some(namespace));
    let mut params = ListParams::default().limit(PAGE);
    let mut found = Vec::new();
    loop {
        let page = within_deadline(api.list_metadata(&params)).await?;
        found.extend(page.items.iter().map(|item| Kin::read(&item.metadata)));
        params.continue_token = page.metadata.continue_.filter(|token| !token.is_empty());
        if params.continue_token.is_none() || found.len() >= OBJECTS_MAX {
            return Ok((found, params.continue_token.is_none()));
        }
    }
}

/// The pods of `namespace` that `read` makes something of, and whether those are all: beyond a bound no more are read.
///
/// # Errors
/// When the cluster refuses or does not answer.
pub async fn pods<T>(
    client: &Client,
    namespace: &str,
    read: impl Fn(Kin, Value) -> Option<T>,
) -> Result<(Vec<T>, bool), ClusterError> {
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let mut params = ListParams::default().limit(PAGE);
    let (mut found, mut seen) = (Vec::new(), 0);
    loop {
        let page = within_deadline(api.list(&params)).await?;
        seen += page.items.len();
        found.extend(page.items.into_iter().filter_map(|mut pod| {
            pod.metadata.managed_fields = None;
            read(Kin::read(&pod.metadata), json!(pod))
        }));
        params.continue_token = page.metadata.continue_.filter(|token| !token.is_empty());
        if params.continue_token.is_none() || seen >= OBJECTS_MAX {
            return Ok((found, params.continue_token.is_none()));
        }
    }
}

/// What the cluster tells of the object with the identity `uid`, the newest first. That of a cluster-scoped one is kept in
/// the namespace `default`.
///
/// # Errors
/// When the cluster refuses or does not answer.
pub async fn events(
    client: &Client,
    namespace: Option<&str>,
    uid: &str,
) -> Result<Vec<ObjectEvent>, ClusterError> {
    let api: Api<Event> = Api::namespaced(client.clone(), namespace.unwrap_or(EVENTS_OF_THE_CLUSTER));
    let params = ListParams::default().fields(&format!("involvedObject.uid={uid}")).limit(EVENTS_READ_MAX);
    let list = within_deadline(api.list(&params)).await?;
    let mut events: Vec<ObjectEvent> = list.items.into_iter().map(event).collect();
    events.sort_by_key(|event| std::cmp::Reverse(event.last));
    events.truncate(EVENTS_MAX);
    Ok(events)
}

/// Where events of objects without a namespace are.
pub const EVENTS_OF_THE_CLUSTER: &str = "default";

/// An event, of the old form or of the new one: the new one has a series instead of a count.
fn event(event: Event) -> ObjectEvent {
    let micro = |at: &MicroTime| time(&at.0);
    let plain = |at: &Time| time(&at.0);
    let began = event.event_time.as_ref().map(micro);
    let series = event.series.as_ref();
    let repeated = series.and_then(|series| series.last_observed_time.as_ref()).map(micro);
    let first = event.first_timestamp.as_ref().map(plain).or(began);
    let count = event.count.or(series.and_then(|series| series.count)).unwrap_or(1);
    let source = event.source.and_then(|source| source.component).filter(|name| !name.is_empty());
    ObjectEvent {
        last: event.last_timestamp.as_ref().map(plain).max(repeated).or(first),
        first,
        count: u32::try_from(count).unwrap_or(1).max(1),
        is_warning: event.type_.as_deref() == Some("Warning"),
        reason: bounded(&event.reason.unwrap_or_default(), WORD_MAX),
        message: bounded(&event.message.unwrap_or_default(), MESSAGE_MAX),
        by: source.or(event.reporting_component).unwrap_or_default(),
    }
}

/// What an object says of its own state. Any kind may have whatever it likes there: what is no condition is passed over.
pub fn conditions(object: &Value) -> Vec<ObjectCondition> {
    let all = object["status"]["conditions"].as_array().map_or(&[][..], Vec::as_slice);
    let read = |condition: &Value| {
        let text = |field: &str, max| bounded(condition[field].as_str().unwrap_or_default(), max);
        let kind = text("type", WORD_MAX);
        let changed = condition["lastTransitionTime"].as_str().and_then(|at| at.parse().ok());
        (!kind.is_empty()).then(|| ObjectCondition {
            kind,
            status: text("status", WORD_MAX),
            reason: text("reason", WORD_MAX),
            message: text("message", MESSAGE_MAX),
            changed: changed.as_ref().map(time),
        })
    };
    all.iter().filter_map(read).take(CONDITIONS_MAX).collect()
}

/// The first `max` characters of `text`, with a sign that there were more.
fn bounded(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "…"].concat(),
        None => text.to_owned(),
    }
}

fn time(at: &k8s_openapi::jiff::Timestamp) -> Timestamp {
    Timestamp(at.as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(event: Value) -> ObjectEvent {
        super::event(serde_json::from_value(event).unwrap())
    }

    #[test]
    fn an_event_is_told_alike_in_its_old_and_its_new_form() {
        let meta = json!({"name": "e"});
        let old = told(json!({
            "metadata": meta, "involvedObject": {}, "type": "Warning", "reason": "BackOff", "message": "m",
            "count": 4, "firstTimestamp": "1970-01-01T00:00:01Z", "lastTimestamp": "1970-01-01T00:00:09Z",
            "source": {"component": "kubelet"},
        }));
        let new = told(json!({
            "metadata": meta, "involvedObject": {}, "type": "Warning", "reason": "BackOff", "message": "m",
            "eventTime": "1970-01-01T00:00:01.000000Z", "reportingComponent": "kubelet",
            "series": {"count": 4, "lastObservedTime": "1970-01-01T00:00:09.000000Z"},
        }));
        assert_eq!(old, new);
        assert_eq!((old.first, old.last, old.count), (Some(Timestamp(1_000)), Some(Timestamp(9_000)), 4));
        assert!(old.is_warning && old.by == "kubelet");
    }

    #[test]
    fn an_event_that_happened_once_happened_first_and_last() {
        let once = told(json!({
            "metadata": {"name": "e"}, "involvedObject": {}, "message": "x".repeat(2_000),
            "eventTime": "1970-01-01T00:00:01.000000Z",
        }));
        assert_eq!((once.first, once.last, once.count), (Some(Timestamp(1_000)), Some(Timestamp(1_000)), 1));
        assert_eq!(once.message.chars().count(), MESSAGE_MAX + 1);
    }

    #[test]
    fn conditions_are_told_in_their_order_and_what_is_none_is_passed_over() {
        let at = "1970-01-01T00:00:09Z";
        let object = json!({"status": {"conditions": [
            {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable", "message": "m", "lastTransitionTime": at},
            "no condition", {"status": "True"}, {"type": 3}, null,
            {"type": "Available", "status": "False", "message": "x".repeat(2_000), "lastTransitionTime": "yesterday"},
        ]}});
        let told = conditions(&object);
        let words: Vec<_> = told.iter().map(|it| (&*it.kind, &*it.status, &*it.reason, it.changed)).collect();
        assert_eq!(
            words,
            [
                ("Progressing", "True", "NewReplicaSetAvailable", Some(Timestamp(9_000))),
                ("Available", "False", "", None)
            ]
        );
        assert_eq!(told[1].message.chars().count(), MESSAGE_MAX + 1);
        let many = json!({"status": {"conditions": vec![json!({"type": "T"}); 2 * CONDITIONS_MAX]}});
        assert_eq!(conditions(&many).len(), CONDITIONS_MAX);
        for odd in [json!({}), json!({"status": null}), json!({"status": {"conditions": "many"}})] {
            assert_eq!(conditions(&odd), []);
        }
    }

    #[test]
    fn only_what_can_be_a_name_goes_into_an_address() {
        for (name, is_one) in [
            ("web", true),
            ("system:node", true),
            ("a.b-c", true),
            ("", false),
            ("..", false),
            ("a/b", false),
            ("a?b", false),
            ("a%2fb", false),
            (&"x".repeat(254), false),
        ] {
            assert_eq!(is_path_segment(name), is_one, "{name}");
        }
    }

    #[test]
    fn the_owner_that_looks_after_an_object_comes_first() {
        let meta = json!({
            "name": "p", "namespace": "ns", "uid": "u", "ownerReferences": [
                {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "1"},
                {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "r", "uid": "2", "controller": true},
            ],
        });
        let kin = Kin::read(&serde_json::from_value(meta).unwrap());
        let owners: Vec<_> = kin.owners.iter().map(|it| (it.object.kind.as_str(), it.uid.as_str())).collect();
        assert_eq!(owners, [("ReplicaSet", "2"), ("Node", "1")]);
        assert_eq!(kin.owners[0].object.namespace.as_deref(), Some("ns"));
    }
}
