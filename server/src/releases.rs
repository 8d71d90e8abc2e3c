//! Follows the releases and shows them.
//!
//! The pure part: [`decode`] reads a record, [`manifest`] takes it apart, [`readiness`] judges an object, [`index`],
//! [`inventory`], [`sources`] and [`board`] are state machines that the watches feed. The rest moves data between them and
//! the cluster. Whoever calls has checked the user's rights.

pub mod board;
pub mod comparison;
pub mod course;
pub mod decode;
pub mod family;
pub mod feed;
pub mod following;
pub mod index;
pub mod inventory;
pub mod live;
mod maker;
pub mod manifest;
mod object;
mod picture;
mod pods;
pub mod reader;
pub mod readiness;
mod revisions;
pub mod rows;
pub mod sources;
mod timeline;
mod trials;
pub mod values;
mod viewer;

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use app::model::{
    ApiError, Detail, HistoryEntry, Operation, Phase, ReleaseKey, ReleaseList, ReleaseManifest,
    ReleaseRecord, ReleaseValues, ReleaseView, Resource, Version,
};
use futures::StreamExt;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};
use tokio_util::sync::DropGuard;

use crate::clock::cluster::Clock;
use crate::kube::records::{RecordMeta, revisions};
use crate::kube::{Client, ClusterError};

use decode::FullRecord;
pub use feed::OperationsFeed;
use following::{Shared, TICK};
use maker::Maker;
use reader::{AT_ONCE, reason, undecodable};
pub use sources::Scope;
use sources::Standing;
use viewer::{Shown, Viewers};

/// How long a request for something newer is held: below the 30 s after which proxies give up.
pub const HOLD: Duration = Duration::from_secs(25);
/// How long a first request waits for what has not been read at all.
const FIRST_LIST: Duration = Duration::from_secs(10);
/// How long a first request for a release waits for all of its resources.
const FIRST_VIEW: Duration = Duration::from_secs(2);
/// How long a list waits for the records in it that are being read. Meanwhile it would be another list with each of them.
const FILL: Duration = Duration::from_millis(500);
/// How long a list that has changed is held back, so that changes that come together are one answer.
const GATHER: Duration = Duration::from_millis(100);
/// How many revisions of a release are read for its history.
const HISTORY_MAX: usize = 200;

/// The releases of a cluster, followed from [`Releases::start`] until this is dropped.
pub struct Releases {
    shared: Arc<Shared>,
    viewers: Arc<Viewers>,
    _end: DropGuard,
}

impl Releases {
    /// Begins to follow the cluster of `client`, by its `clock`. Returns at once.
    pub fn start(client: Client, clock: Clock, scope: Scope, operations: Arc<dyn OperationsFeed>) -> Self {
        let epoch = RandomState::new().hash_one("epoch");
        let shared = Shared::start(client, clock, scope, operations, epoch);
        let viewers: Arc<Viewers> = Arc::default();
        let swept = Arc::clone(&viewers);
        shared.spawn(&shared.end, async move {
            loop {
                sleep(TICK).await;
                swept.sweep();
            }
        });
        let end = shared.end.clone().drop_guard();
        Self { shared, viewers, _end: end }
    }

    /// Whether the first list has arrived, or it is known that it never will (403).
    pub fn ready(&self) -> bool {
        self.shared.board().sources.is_settled(None)
    }

    /// Why the list is not complete or not up to date, if it is not: one sentence each.
    pub fn warnings(&self, namespace: Option<&str>) -> Vec<String> {
        self.shared.board().sources.warnings(namespace)
    }

    /// The namespaces that have releases: those whose rights are worth asking for.
    pub fn namespaces(&self) -> BTreeSet<String> {
        self.shared.board().namespaces()
    }

    /// The releases of `namespace` (or of all) in the namespaces `allowed` (or in any). With `since` it is held until the
    /// list is another one, at most [`HOLD`], then answered as it is.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] when nothing could be read yet.
    pub async fn list(
        &self,
        namespace: Option<&str>,
        allowed: Option<&BTreeSet<String>>,
        since: Option<&Version>,
    ) -> Result<ReleaseList, ApiError> {
        let deadline = Instant::now() + HOLD;
        self.first_list(namespace).await?;
        let filled = Instant::now() + FILL;
        let mut changes = self.shared.changes();
        loop {
            changes.borrow_and_update();
            let (version, is_loading) = self.look(namespace, allowed);
            let is_newer = since != Some(&version);
            let now = Instant::now();
            if now >= deadline || is_newer && (!is_loading || now >= filled) {
                return Ok(self.list_now(namespace, allowed));
            }
            tokio::select! {
                _ = changes.changed() => sleep(GATHER).await,
                () = sleep_until(if is_newer { filled } else { deadline }) => {}
            }
        }
    }

    /// One release; held like [`Releases::list`]. One that is not there is a view with the phase `NotFound`.
    ///
    /// # Errors
    /// [`ApiError::Forbidden`] when Slipway itself may not read that namespace and has no operation there either;
    /// [`ApiError::Unavailable`] when nothing could be read yet.
    pub async fn view(&self, key: &ReleaseKey, since: Option<&Version>) -> Result<ReleaseView, ApiError> {
        check(key)?;
        let deadline = Instant::now() + if since.is_some() { HOLD } else { FIRST_VIEW };
        self.first_list(Some(&key.namespace)).await?;
        self.require_readable(key)?;
        loop {
            let mut shown = self.viewers.look(&self.shared, key);
            let is_news = |shown: &Shown| {
                shown.view.as_ref().is_some_and(|view| match since {
                    Some(since) => view.version != *since,
                    None => shown.settled,
                })
            };
            let waited =
                timeout_at(deadline, shown.wait_for(is_news)).await.map(|news| news.map(|it| it.clone()));
            self.viewers.looked(key);
            let view = match waited {
                Ok(Ok(shown)) => shown.view,
                // It had to make room for others: look anew.
                Ok(Err(_)) if Instant::now() < deadline => continue,
                _ => shown.borrow().view.clone(),
            };
            let Some(view) = view else {
                return Err(ApiError::Unavailable {
                    message: format!("Release {key} has not been read yet."),
                });
            };
            return Ok(ReleaseView { now: self.shared.clock.now(), ..(*view).clone() });
        }
    }

    /// The live resources of a release; see [`Releases::view`].
    ///
    /// # Errors
    /// Those of [`Releases::view`], and [`ApiError::NotFound`] when there is no such release.
    pub async fn resources(&self, key: &ReleaseKey) -> Result<Vec<Resource>, ApiError> {
        let view = self.view(key, None).await?;
        if view.record.is_none() {
            return Err(not_found(key, None));
        }
        Ok(view.resources)
    }

    /// Every revision that there is a record of, the newest first, read from the cluster; empty if there is none.
    ///
    /// # Errors
    /// When the cluster refuses or does not answer. A revision that cannot be read says so itself.
    pub async fn history(&self, key: &ReleaseKey) -> Result<Vec<HistoryEntry>, ApiError> {
        check(key)?;
        let records = revisions(&self.shared.client, key).await?;
        let operations = self.shared.feed.all_on(key);
        let entries = records.into_iter().enumerate();
        let entries = entries.map(|(at, record)| self.history_entry(at, record, &operations));
        Ok(futures::stream::iter(entries).buffered(AT_ONCE).collect().await)
    }

    /// A revision's values; those of the newest when none is named.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] when there is no such revision; others when it cannot be read.
    pub async fn values(&self, key: &ReleaseKey, revision: Option<u32>) -> Result<ReleaseValues, ApiError> {
        let (revision, record) = self.record(key, revision).await?;
        Ok(values::of(revision, &record))
    }

    /// A revision's manifest, as helm rendered it, and its hooks.
    ///
    /// # Errors
    /// Those of [`Releases::values`].
    pub async fn manifest(
        &self,
        key: &ReleaseKey,
        revision: Option<u32>,
    ) -> Result<ReleaseManifest, ApiError> {
        let record = self.record(key, revision).await?.1;
        Ok(ReleaseManifest { hooks: manifest::hooks(&record), manifest: record.manifest })
    }

    /// A revision's notes; empty if the chart has none.
    ///
    /// # Errors
    /// Those of [`Releases::values`].
    pub async fn notes(&self, key: &ReleaseKey, revision: Option<u32>) -> Result<String, ApiError> {
        Ok(self.record(key, revision).await?.1.notes)
    }

    /// What the list has for a release's phase; none where it has no row of it.
    pub fn phase(&self, key: &ReleaseKey) -> Option<Phase> {
        self.shared.board().phase(key)
    }

    /// Which list it is now, and whether records in it are still to be read; they are read next.
    fn look(&self, namespace: Option<&str>, allowed: Option<&BTreeSet<String>>) -> (Version, bool) {
        let mut board = self.shared.board();
        let loading = board.loading(namespace, allowed);
        board.ask(&loading);
        let version = self.version(board.fingerprint(namespace, allowed));
        drop(board);
        self.shared.work_is_there();
        (version, !loading.is_empty())
    }

    fn list_now(&self, namespace: Option<&str>, allowed: Option<&BTreeSet<String>>) -> ReleaseList {
        let board = self.shared.board();
        ReleaseList {
            version: self.version(board.fingerprint(namespace, allowed)),
            now: self.shared.clock.now(),
            releases: board.rows(namespace, allowed),
            warnings: board.sources.warnings(namespace),
        }
    }

    fn version(&self, fingerprint: u64) -> Version {
        Version(format!("{:x}-{fingerprint:x}", self.shared.epoch))
    }

    /// Waits until what covers `namespace` has been read, or cannot be.
    async fn first_list(&self, namespace: Option<&str>) -> Result<(), ApiError> {
        if let Some(namespace) = namespace {
            self.shared.cover(namespace);
        }
        let mut changes = self.shared.changes();
        let settled = changes.wait_for(|()| {
            let settled = self.shared.board().sources.is_settled(namespace);
            if !settled && let Some(namespace) = namespace {
                self.shared.cover(namespace);
            }
            settled
        });
        match tokio::time::timeout(FIRST_LIST, settled).await {
            Ok(Ok(_)) => Ok(()),
            _ => Err(ApiError::Unavailable {
                message: "The cluster's API server cannot be reached at the moment.".to_owned(),
            }),
        }
    }

    fn require_readable(&self, key: &ReleaseKey) -> Result<(), ApiError> {
        let standing = self.shared.board().sources.standing(&key.namespace);
        let hidden = matches!(standing, Standing::Forbidden | Standing::Unfollowed);
        if hidden && self.shared.feed.latest(key).is_none() {
            return Err(ApiError::Forbidden { message: self.warnings(Some(&key.namespace)).join(" ") });
        }
        Ok(())
    }

    async fn history_entry(
        &self,
        at: usize,
        record: RecordMeta,
        operations: &[Arc<Operation>],
    ) -> HistoryEntry {
        let detail = if at >= HISTORY_MAX {
            Detail::Unreadable { reason: format!("Only the newest {HISTORY_MAX} revisions are read.") }
        } else {
            match self.shared.reader.read(&record.key, record.revision, decode::summary).await {
                Ok(reading) => match reading.content {
                    Ok(summary) => Detail::Known(summary),
                    Err(error) => Detail::Unreadable { reason: error.to_string() },
                },
                Err(error) => Detail::Unreadable { reason: reason(&error) },
            }
        };
        let (operation, requested_by) = match maker::of(&record, operations) {
            Maker::Ours(operation) => (Some(operation.id.clone()), Some(operation.requested_by.clone())),
            Maker::Forgotten(id) => (Some(id), None),
            Maker::Others => (None, None),
        };
        HistoryEntry {
            requested_by,
            record: ReleaseRecord {
                revision: record.revision,
                status: record.status,
                created: record.created,
                changed: record.changed,
                operation,
                detail,
            },
        }
    }

    /// A revision in full; the newest when none is named.
    async fn record(&self, key: &ReleaseKey, revision: Option<u32>) -> Result<(u32, FullRecord), ApiError> {
        check(key)?;
        let followed = || self.shared.board().index.latest(key).map(|record| record.revision);
        let revision = match revision.or_else(followed) {
            Some(revision) => revision,
            None => {
                let newest = revisions(&self.shared.client, key).await?.into_iter().next();
                newest.ok_or_else(|| not_found(key, None))?.revision
            }
        };
        let reading = match self.shared.reader.read(key, revision, decode::full).await {
            Err(ClusterError::NotFound(_)) => return Err(not_found(key, Some(revision))),
            reading => reading?,
        };
        Ok((revision, reading.content.map_err(|error| undecodable(&error))?))
    }
}

/// Refuses names that no release can have: they go into addresses and selectors.
fn check(key: &ReleaseKey) -> Result<(), ApiError> {
    let is_name = |name: &str| {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
        !name.is_empty() && name.len() <= 253 && name.chars().all(allowed)
    };
    if is_name(&key.namespace) && is_name(&key.name) { Ok(()) } else { Err(not_found(key, None)) }
}

fn not_found(key: &ReleaseKey, revision: Option<u32>) -> ApiError {
    let what = match revision {
        Some(revision) => format!("Revision {revision} of release {key}"),
        None => format!("Release {key}"),
    };
    ApiError::NotFound { what }
}
