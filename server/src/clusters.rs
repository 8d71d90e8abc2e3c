//! The clusters that are served: each is opened when it is first asked for, and then has a world of its own.
//!
//! What a kubeconfig names is only a name here. To open a cluster may run a program for its credentials or take a login,
//! which nobody wants for clusters that they do not look at. The default one is opened by whoever starts the server, and is
//! never closed. [`offer`] says which clusters there are, [`wiring`] what one is made of, [`keepsake`] which of them were
//! open when a server ended.

pub mod keepsake;
pub mod offer;
pub mod wiring;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::model::{ApiError, ClusterList};
use async_trait::async_trait;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument;

use crate::http;

/// How long a request waits for a cluster to be opened. A page that is told so soon shows it, and asks again.
const OPEN_WITHIN: Duration = Duration::from_secs(5);
/// How soon a cluster that could not be opened is tried again, at first and at most.
const AGAIN_AFTER: Duration = Duration::from_secs(2);
const AGAIN_AFTER_MAX: Duration = Duration::from_secs(60);
/// How long nobody asks for a cluster before its watches and caches are given up.
const IDLE_FOR: Duration = Duration::from_secs(60 * 60);
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(5 * 60);

/// A cluster that is open. Dropped, it is followed no longer.
pub struct Opened {
    /// What the routes need of it.
    pub cluster: http::Cluster,
    /// Whether operations are under way in it, or may be.
    pub is_busy: Box<dyn Fn() -> bool + Send + Sync>,
    /// What goes on as long as it is open.
    pub life: Box<dyn Any + Send + Sync>,
}

/// Opens clusters.
#[async_trait]
pub trait Opener: Send + Sync {
    /// Begins to follow the cluster of this name. One that is away is no error: it is waited for.
    ///
    /// # Errors
    /// Why it cannot be used, in words for people: its settings or credentials are wrong.
    async fn open(&self, name: &str) -> Result<Opened, String>;
    /// Takes in that the cluster is not followed any more, and needs not be when a server starts.
    fn closed(&self, name: &str);
}

/// All clusters.
pub struct Clusters {
    opener: Arc<dyn Opener>,
    default: String,
    slots: BTreeMap<String, Arc<Slot>>,
}

/// One cluster, open or not.
struct Slot {
    name: String,
    state: watch::Sender<State>,
    /// When it was asked for last.
    asked: Mutex<Instant>,
}

enum State {
    Closed,
    Opening { tries: u32 },
    Open(Arc<Opened>),
    Failed { why: String, tries: u32, again: Instant },
}

impl Clusters {
    /// The clusters of these names, with `default` open already.
    pub fn new(opener: Arc<dyn Opener>, list: ClusterList, default: Opened) -> Self {
        let ClusterList { clusters, default: name } = list;
        let slot = |name: String| (name.clone(), Arc::new(Slot::new(name)));
        let slots: BTreeMap<_, _> = clusters.into_iter().chain([name.clone()]).map(slot).collect();
        if let Some(slot) = slots.get(&name) {
            slot.state.send_replace(State::Open(Arc::new(default)));
        }
        Self { opener, default: name, slots }
    }

    /// The cluster of this name, opened if it is not open.
    ///
    /// # Errors
    /// When there is none of this name, or it cannot be used at the moment.
    pub async fn get(&self, name: Option<&str>) -> Result<Arc<Opened>, ApiError> {
        let name = name.unwrap_or(&self.default);
        let slot = self.slots.get(name);
        let slot = slot.ok_or_else(|| ApiError::NotFound { what: format!("The cluster {name}") })?;
        slot.asked_now();
        slot.begin(&self.opener);
        let mut state = slot.state.subscribe();
        let known = state.wait_for(|state| !matches!(state, State::Opening { .. }));
        let unavailable = |message: String| Err(ApiError::Unavailable { message });
        match timeout(OPEN_WITHIN, known).await {
            Ok(Ok(state)) => match &*state {
                State::Open(opened) => Ok(opened.clone()),
                State::Failed { why, .. } => unavailable(format!("The cluster {name} cannot be used: {why}")),
                State::Closed | State::Opening { .. } => {
                    unavailable(format!("The cluster {name} was just closed."))
                }
            },
            _ => unavailable(format!(
                "The cluster {name} is still being opened. The program for its credentials may take its time."
            )),
        }
    }

    /// Opens a cluster that was open when a server ended: what was under way in it is to be looked after, whether or not
    /// anybody asks for it. Goes on until that is done.
    pub async fn reopen(&self, name: &str) {
        let Some(slot) = self.slots.get(name) else { return };
        let mut state = slot.state.subscribe();
        loop {
            slot.asked_now();
            slot.begin(&self.opener);
            let again = {
                let known = state.wait_for(|state| !matches!(state, State::Opening { .. })).await;
                match known.as_deref() {
                    Ok(State::Failed { again, .. }) => *again,
                    Ok(State::Open(_)) | Err(_) => return,
                    Ok(_) => Instant::now() + AGAIN_AFTER,
                }
            };
            tokio::time::sleep_until(again).await;
        }
    }

    /// Gives up clusters that nobody asks for; never ends.
    pub async fn close_idle(&self) {
        loop {
            sleep(LOOK_EVERY).await;
            for slot in self.slots.values().filter(|slot| slot.name != self.default) {
                slot.close_if(&self.opener, |opened, idle| idle >= IDLE_FOR && !(opened.is_busy)());
            }
        }
    }

    /// Closes all clusters in which nothing is under way, for the server ends.
    pub fn end(&self) {
        for slot in self.slots.values().filter(|slot| slot.name != self.default) {
            slot.close_if(&self.opener, |opened, _| !(opened.is_busy)());
        }
    }
}

impl Slot {
    fn new(name: String) -> Self {
        let state = watch::Sender::new(State::Closed);
        Self { name, state, asked: Mutex::new(Instant::now()) }
    }

    fn asked_now(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn idle(&self) -> Duration {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Begins to open the cluster unless it is open, or has failed only a moment ago. However many ask, it is done once.
    fn begin(self: &Arc<Self>, opener: &Arc<dyn Opener>) {
        let begins = self.state.send_if_modified(|state| {
            let tries = match state {
                State::Closed => 0,
                State::Failed { tries, again, .. } if *again <= Instant::now() => *tries,
                _ => return false,
            };
            *state = State::Opening { tries };
            true
        });
        if !begins {
            return;
        }
        let (slot, opener) = (self.clone(), opener.clone());
        let span = tracing::info_span!("cluster", name = self.name);
        tokio::spawn(
            async move {
                // In a task of its own: a fault in there must not leave it opening for ever.
                let (opening, name) = (opener.clone(), slot.name.clone());
                let opening = tokio::spawn(async move { opening.open(&name).await }.in_current_span());
                let opened = opening.await.unwrap_or_else(|fault| Err(fault.to_string()));
                slot.state.send_modify(|state| *state = state.after(opened));
            }
            .instrument(span),
        );
    }

    /// Closes it if it is open, and `is_enough` of it and of how long nobody has asked for it.
    fn close_if(&self, opener: &Arc<dyn Opener>, is_enough: impl Fn(&Opened, Duration) -> bool) {
        let closed = self.state.send_if_modified(|state| {
            let closes = matches!(state, State::Open(opened) if is_enough(opened, self.idle()));
            if closes {
                *state = State::Closed;
            }
            closes
        });
        if closed {
            tracing::info!(cluster = self.name, "the cluster is followed no longer");
            opener.closed(&self.name);
        }
    }
}

impl State {
    /// What an attempt to open a cluster has come to.
    fn after(&self, opened: Result<Opened, String>) -> Self {
        match opened {
            Ok(opened) => Self::Open(Arc::new(opened)),
            Err(why) => {
                let tries = if let Self::Opening { tries } = self { *tries } else { 0 };
                let pause = AGAIN_AFTER.saturating_mul(1 << tries.min(5)).min(AGAIN_AFTER_MAX);
                tracing::warn!(why, "the cluster cannot be used");
                Self::Failed { why, tries: tries.saturating_add(1), again: Instant::now() + pause }
            }
        }
    }
}

#[async_trait]
impl http::Clusters for Clusters {
    fn list(&self) -> ClusterList {
        ClusterList { clusters: self.slots.keys().cloned().collect(), default: self.default.clone() }
    }

    async fn open(&self, name: Option<&str>) -> Result<http::Cluster, ApiError> {
        Ok(self.get(name).await?.cluster.clone())
    }
}

#[cfg(test)]
mod tests;
