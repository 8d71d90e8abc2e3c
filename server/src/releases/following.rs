//! The tasks that keep the board up to date: the watches, the readers of records, the operations, the clock.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use app::model::Detail;
use futures::StreamExt;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use super::board::Board;
use super::decode;
use super::feed::OperationsFeed;
use super::index::{Read, Source};
use super::reader::{AT_ONCE, Reader, is_passing, reason};
use super::sources::Scope;
use crate::clock::cluster::Clock;
use crate::kube::resources::Discovery;
use crate::kube::watch::{Change, records};
use crate::kube::{Client, ClusterError, namespaces};

/// How often phases that depend on the time are looked at.
pub const TICK: Duration = Duration::from_secs(5);
/// How soon a record that could not be fetched is tried again.
pub const TRY_AGAIN: Duration = Duration::from_secs(2);

/// What all tasks and requests share.
pub struct Shared {
    /// The cluster, as Slipway's own identity.
    pub client: Client,
    /// The cluster's clock.
    pub clock: Clock,
    /// The cluster's kinds.
    pub discovery: Arc<Discovery>,
    /// Reads payloads.
    pub reader: Reader,
    /// Our operations.
    pub feed: Arc<dyn OperationsFeed>,
    /// Part of every version: this process's own.
    pub epoch: u64,
    /// Ends every task.
    pub end: CancellationToken,
    board: Mutex<Board>,
    changed: watch::Sender<()>,
    work: Notify,
    /// Ends the watches of single namespaces, while there are any.
    one_by_one: Mutex<CancellationToken>,
}

impl Shared {
    /// Starts all tasks.
    pub fn start(
        client: Client,
        clock: Clock,
        scope: Scope,
        feed: Arc<dyn OperationsFeed>,
        epoch: u64,
    ) -> Arc<Self> {
        let end = CancellationToken::new();
        let shared = Arc::new(Self {
            discovery: Arc::new(Discovery::new(client.clone())),
            reader: Reader::new(client.clone()),
            client,
            clock,
            feed,
            epoch,
            board: Mutex::new(Board::new(scope)),
            changed: watch::Sender::new(()),
            work: Notify::new(),
            one_by_one: Mutex::new(end.child_token()),
            end,
        });
        let sources = shared.board().sources.all();
        for source in sources {
            shared.follow(source, &shared.end);
        }
        for _ in 0..AT_ONCE {
            shared.spawn(&shared.end, Arc::clone(&shared).read_records());
        }
        shared.spawn(&shared.end, Arc::clone(&shared).follow_operations());
        shared.spawn(&shared.end, Arc::clone(&shared).keep_time());
        shared
    }

    /// The board; never held across an await.
    pub fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells of every change of the board.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Tells the readers that something was asked for.
    pub fn work_is_there(&self) {
        self.work.notify_waiters();
    }

    /// Sees to it that `namespace` is followed, where that takes a watch of its own.
    pub fn cover(self: &Arc<Self>, namespace: &str) {
        let new = self.board().sources.add(namespace);
        if let Some(source) = new {
            let token = self.one_by_one();
            self.follow(source, &token);
        }
    }

    /// Runs `task` until `token` ends it.
    pub fn spawn(&self, token: &CancellationToken, task: impl Future<Output = ()> + Send + 'static) {
        let token = token.clone();
        tokio::spawn(async move {
            token.run_until_cancelled_owned(task).await;
        });
    }

    fn one_by_one(&self) -> CancellationToken {
        self.one_by_one.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn follow(self: &Arc<Self>, source: Source, token: &CancellationToken) {
        self.spawn(token, Arc::clone(self).follow_records(source));
    }

    async fn follow_records(self: Arc<Self>, source: Source) {
        let mut changes = records(&self.client, source.as_deref());
        while let Some(change) = changes.next().await {
            let failure = if let Change::Failed(error) = &change { Some(error.clone()) } else { None };
            let is_complete = change == Change::Complete;
            let changed = self.board().apply(&source, change, self.clock.now());
            match (&failure, changed) {
                (Some(error), true) => {
                    tracing::warn!(namespace = source.as_deref(), %error, "Release records cannot be followed");
                }
                (Some(error), false) => {
                    tracing::debug!(namespace = source.as_deref(), %error, "Release records still cannot be followed");
                }
                (None, _) => {}
            }
            if source.is_none() && matches!(failure, Some(ClusterError::Forbidden(_))) {
                self.find_namespaces().await;
            }
            if source.is_none() && is_complete {
                self.end_one_by_one();
            }
            if changed {
                self.changed.send_replace(());
                self.work.notify_waiters();
            }
        }
    }

    /// Follows each namespace that can be listed; asked again each time that all at once is refused.
    async fn find_namespaces(self: &Arc<Self>) {
        let names = match namespaces::names(&self.client).await {
            Ok(names) => names,
            Err(error) => {
                tracing::info!(%error, "Namespaces cannot be listed: only those that are asked for are followed");
                Vec::new()
            }
        };
        let found = self.board().sources.found(names);
        let token = self.one_by_one();
        for source in found {
            self.follow(source, &token);
        }
    }

    fn end_one_by_one(&self) {
        let mut token = self.one_by_one.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *token, self.end.child_token()).cancel();
    }

    /// Reads the payloads of latest records, one after the other.
    async fn read_records(self: Arc<Self>) {
        loop {
            let work = self.work.notified();
            let next = self.board().next_unread();
            let Some(record) = next else {
                work.await;
                continue;
            };
            let detail = match self.reader.read(&record.key, record.revision, decode::summary).await {
                // Another record has taken its place: the watch is about to tell.
                Ok(reading) if reading.uid != record.uid => continue,
                Err(ClusterError::NotFound(_)) => continue,
                Ok(reading) => match reading.content {
                    Ok(summary) => Detail::Known(summary),
                    Err(error) => Detail::Unreadable { reason: error.to_string() },
                },
                Err(error) if is_passing(&error) => {
                    tokio::time::sleep(TRY_AGAIN).await;
                    self.board().put_back(&record.key);
                    continue;
                }
                Err(error) => {
                    tracing::warn!(release = %record.key, %error, "A release record cannot be read");
                    Detail::Unreadable { reason: reason(&error) }
                }
            };
            // The payload may be newer than the version that was asked for. Its own word would be that of a version
            // that the watch has not told of, and the record would be read over and over until it does.
            let content = Read { uid: record.uid, resource_version: record.resource_version, detail };
            self.board().learn(&record.key, content, self.clock.now());
            self.changed.send_replace(());
        }
    }

    async fn follow_operations(self: Arc<Self>) {
        let mut changes = self.feed.changes();
        loop {
            changes.borrow_and_update();
            let operations = self.feed.all_latest(None);
            if self.board().set_operations(operations, self.clock.now()) {
                self.changed.send_replace(());
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    async fn keep_time(self: Arc<Self>) {
        loop {
            tokio::time::sleep(TICK).await;
            if self.board().tick(self.clock.now()) {
                self.changed.send_replace(());
            }
        }
    }
}
