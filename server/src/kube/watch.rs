//! Following objects: a list, then a watch, begun anew after each failure.

use std::collections::HashSet;
use std::fmt::Debug;
use std::time::Duration;

use futures::Stream;
use futures::future::ready;
use futures::stream::{BoxStream, StreamExt, unfold};
use k8s_openapi::api::core::v1::Secret;
use kube::Resource;
use kube::api::{Api, PartialObjectMeta};
use kube::runtime::watcher::{self, DefaultBackoff, Event, watcher};
use serde::de::DeserializeOwned;

use super::records::{RECORD_TYPE, RecordMeta};
use super::{Client, ClusterError};

/// How long to wait before a refused list is tried again: a right that is granted shows within this time.
const FORBIDDEN_PAUSE: Duration = Duration::from_secs(30);
/// How many foreign Secrets are remembered as already reported.
const REPORTED_MAX: usize = 1_000;

/// One step of following a set of objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<T> {
    /// A list begins: what is not in it, when it is complete, is gone.
    Restarted,
    /// One object of the list.
    Listed(T),
    /// The list is complete.
    Complete,
    /// An object was made or changed.
    Written(T),
    /// An object is gone, or is no longer one of those that are followed.
    Removed(T),
    /// The list or the watch failed. It is tried again by itself, from the list on.
    Failed(ClusterError),
}

impl<T> Change<T> {
    /// The same step with `read` of its object; none if `read` gives none.
    pub fn filter_map<U>(self, read: impl FnOnce(T) -> Option<U>) -> Option<Change<U>> {
        Some(match self {
            Self::Restarted => Change::Restarted,
            Self::Listed(object) => Change::Listed(read(object)?),
            Self::Complete => Change::Complete,
            Self::Written(object) => Change::Written(read(object)?),
            Self::Removed(object) => Change::Removed(read(object)?),
            Self::Failed(error) => Change::Failed(error),
        })
    }
}

/// Follows helm's records in `namespace`, or in all, by metadata alone. Superseded ones are left out: a release keeps up
/// to ten of them, and none says what it is now.
pub fn records(client: &Client, namespace: Option<&str>) -> BoxStream<'static, Change<RecordMeta>> {
    let api: Api<PartialObjectMeta<Secret>> = match namespace {
        Some(namespace) => Api::namespaced(client.clone(), namespace),
        None => Api::all(client.clone()),
    };
    let which = watcher::Config::default()
        .labels("owner=helm,status!=superseded")
        .fields(&format!("type={RECORD_TYPE}"));
    let mut reported = HashSet::new();
    follow(api, which)
        .filter_map(move |change| {
            ready(change.filter_map(|secret| {
                let record = RecordMeta::read(&secret.metadata);
                if record.is_none()
                    && reported.len() < REPORTED_MAX
                    && reported.insert(secret.metadata.name.clone())
                {
                    let (namespace, name) = (&secret.metadata.namespace, &secret.metadata.name);
                    tracing::warn!(?namespace, ?name, "A Secret of helm's type is not named like a record");
                }
                record
            }))
        })
        .boxed()
}

/// Follows the objects of `api` that `which` selects. Never ends. An expired watch (410) lists anew without a word; any
/// other failure is told once for each try, with growing pauses between the tries.
///
/// After a failure it starts from a list and not from where it was: a resumed watch says nothing until something changes,
/// so that nobody could tell that all is well again.
pub(super) fn follow<K>(api: Api<K>, which: watcher::Config) -> impl Stream<Item = Change<K>> + Send
where
    K: Resource + Clone + Debug + DeserializeOwned + Send + 'static,
    K::DynamicType: Send + Sync,
{
    let start =
        Follower { api, which, tries: DefaultBackoff::default(), stream: None, pause: None, newest: 0 };
    unfold(start, |mut follower| async move { Some((follower.next().await, follower)) })
}

struct Follower<K: 'static> {
    api: Api<K>,
    which: watcher::Config,
    tries: DefaultBackoff,
    stream: Option<BoxStream<'static, watcher::Result<Event<K>>>>,
    pause: Option<Duration>,
    /// The highest version that was told of since the list.
    newest: u128,
}

impl<K> Follower<K>
where
    K: Resource + Clone + Debug + DeserializeOwned + Send + 'static,
{
    async fn next(&mut self) -> Change<K> {
        if let Some(pause) = self.pause.take() {
            tokio::time::sleep(pause).await;
        }
        loop {
            let stream =
                self.stream.get_or_insert_with(|| watcher(self.api.clone(), self.which.clone()).boxed());
            match stream.next().await {
                Some(Ok(Event::Init)) => {
                    self.newest = 0;
                    return Change::Restarted;
                }
                Some(Ok(Event::InitApply(object))) => {
                    self.is_in_order(&object);
                    return Change::Listed(object);
                }
                Some(Ok(Event::InitDone)) => return Change::Complete,
                Some(Ok(Event::Apply(object))) if self.is_in_order(&object) => {
                    return Change::Written(object);
                }
                Some(Ok(Event::Delete(object))) if self.is_in_order(&object) => {
                    return Change::Removed(object);
                }
                Some(Ok(Event::Apply(_) | Event::Delete(_))) => {
                    tracing::warn!("a watch told of changes out of their order; it is begun anew");
                    self.stream = None;
                    tokio::time::sleep(self.tries.next().unwrap_or(FORBIDDEN_PAUSE)).await;
                }
                Some(Err(error)) => match ClusterError::from(error) {
                    ClusterError::Expired(_) => {
                        self.stream = None;
                        tokio::time::sleep(self.tries.next().unwrap_or(FORBIDDEN_PAUSE)).await;
                    }
                    error => {
                        self.stream = None;
                        self.pause = match &error {
                            ClusterError::Forbidden(_) => Some(FORBIDDEN_PAUSE),
                            _ => self.tries.next(),
                        };
                        return Change::Failed(error);
                    }
                },
                None => self.stream = None,
            }
        }
    }

    /// Takes in an object's version, and tells whether none after it was told of before. Those of one kind are numbers that
    /// grow (Kubernetes 1.35's API conventions), and a watch tells of changes in their order: what comes late is what was
    /// and not what is.
    fn is_in_order(&mut self, object: &K) -> bool {
        let version = object.meta().resource_version.as_ref().and_then(|version| version.parse().ok());
        let Some(version) = version else { return true };
        let in_order = version >= self.newest;
        self.newest = self.newest.max(version);
        in_order
    }
}

impl From<watcher::Error> for ClusterError {
    fn from(error: watcher::Error) -> Self {
        match error {
            watcher::Error::InitialListFailed(error)
            | watcher::Error::WatchStartFailed(error)
            | watcher::Error::WatchFailed(error) => error.into(),
            watcher::Error::WatchError(status) => kube::Error::Api(status).into(),
            error @ watcher::Error::NoResourceVersion => Self::Unreadable(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests;
