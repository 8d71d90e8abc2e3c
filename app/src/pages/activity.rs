//! What is going on in the background, on every page: what feeds it, the bell, the drawer, and what tells of an end.

mod bell;
mod drawer;
mod notify;
mod toasts;
mod words;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use super::route::Route;
use crate::client::clock::Clock;
use crate::client::poll::{in_time, until_visible, with_jitter};
use crate::client::{client, kept, session, submitted};
use crate::model::{Activity, ApiError, Doing, ReleaseKey, Timestamp};
use crate::signals::{Memo, Slot, effect, task};
use toasts::Toasts;

pub use bell::Bell;
pub use drawer::{Drawer, close};
pub use toasts::ToastGroup;

/// Where it is kept until when the user has looked.
const SEEN: &str = "slipway.seen";
/// How long to wait before asking again, in milliseconds: while somebody looks.
const LOOKED_AT_MS: u32 = 2000;
/// While the user waits for an end, or for a session.
const AWAITED_MS: u32 = 3000;
/// While others are at work.
const BUSY_MS: u32 = 10_000;
/// While nothing is known to go on, and at most between two tries that fail.
const IDLE_MS: u32 = 30_000;
/// A success that is older than this is no news to anybody who comes back.
const NEWS_MS: u64 = 60 * 60 * 1000;
/// Nor is what needs a look after this long, but for the list of what ended.
const NEEDED_MS: u64 = 24 * 60 * 60 * 1000;

/// What is known of what goes on.
#[derive(Clone, Copy)]
pub struct Feed {
    /// The operations; none before the first answer.
    doings: Slot<Vec<Doing>>,
    more: RwSignal<u32>,
    error: RwSignal<Option<ApiError>>,
    again: RwSignal<u32>,
    /// Whether the drawer is open.
    pub is_open: RwSignal<bool>,
    /// Until when the user has looked, by the server's clock.
    seen: RwSignal<i64>,
    /// Who the user is.
    pub user: Slot<String>,
    toasts: Toasts,
}

impl Feed {
    /// Follows what goes on for as long as the page is open.
    pub fn follow(route: Memo<Route>, user: Slot<String>) -> Self {
        let feed = Self {
            doings: Slot::new(),
            more: RwSignal::new(0),
            error: RwSignal::new(None),
            again: RwSignal::new(0),
            is_open: RwSignal::new(false),
            seen: RwSignal::new(kept::read_here(SEEN).and_then(|text| text.parse().ok()).unwrap_or(0)),
            user,
            toasts: Toasts::new(),
        };
        let (clock, own) = (Clock::get(), submitted::follow());
        effect(move || {
            feed.again.track();
            feed.is_open.track();
            own.track();
            task(async move {
                let mut failures = 0;
                let mut version = None;
                loop {
                    match in_time(client().activity(version.clone())).await {
                        Ok(Activity { version: newest, now, doings, more }) => {
                            clock.learn(now);
                            failures = 0;
                            version = Some(newest);
                            feed.more.set(more);
                            feed.error.set(None);
                            if let Some(doings) = doings {
                                feed.take(doings, now);
                            }
                            feed.tell(route, now);
                            feed.show_unread();
                        }
                        Err(error) => {
                            failures += 1;
                            feed.error.set(Some(error));
                        }
                    }
                    TimeoutFuture::new(with_jitter(feed.pause(failures))).await;
                    if !notify::is_on() || submitted::awaited().is_empty() {
                        until_visible().await;
                    }
                }
            });
        });
        // Whoever is on the release's page reads there how it went; and what was read makes room for what was not.
        effect(move || {
            if let Route::Release { key, .. } = route.get() {
                feed.toasts.read_about(&key);
            }
        });
        effect(move || {
            feed.toasts.follow_reading();
            untrack(|| feed.show_unread());
        });
        window_event_listener(leptos::ev::storage, move |_| feed.show_unread());
        feed
    }

    fn take(self, doings: Vec<Doing>, now: Timestamp) {
        // What had ended before somebody's first visit is not news to them.
        if self.seen.get_untracked() == 0 {
            self.note_seen(now);
        }
        self.doings.set(Some(doings));
    }

    /// Notes that the user has looked.
    fn note_seen(self, now: Timestamp) {
        self.seen.set(now.0);
        kept::write_here(SEEN, &now.0.to_string());
    }

    /// Finds out of which ends the user is to be told; what they see where they are, or is no news, they know.
    fn tell(self, route: Memo<Route>, now: Timestamp) {
        let (awaited, unread) = (submitted::awaited(), submitted::unread());
        let over = |ids: &[String]| {
            self.doings.with_untracked(|doings| ended(ids, doings.map_or(&[], |doings: &Vec<Doing>| doings)))
        };
        let awaited = over(&awaited);
        if document().hidden() {
            // The toast waits until the page is seen; what is told twice to the system, it shows once.
            awaited.iter().for_each(notify::show);
            return;
        }
        let is_in_view = |release: &ReleaseKey| {
            route.with_untracked(|route| matches!(route, Route::Release { key, .. } if key == release))
        };
        for doing in awaited.iter().chain(&over(&unread)) {
            if is_in_view(&doing.release) || !is_news(doing, now) {
                submitted::forget(&doing.id.0);
            } else if !unread.contains(&doing.id.0) {
                submitted::tell(&doing.id);
            }
        }
    }

    /// Shows what the user has not read of, in this window or another one, before or after a reload.
    fn show_unread(self) {
        let unread = submitted::unread();
        self.doings.with_untracked(|doings| {
            self.toasts.show(&unread, doings.map_or(&[], |doings: &Vec<Doing>| doings));
        });
    }

    fn pause(self, failures: u32) -> u32 {
        let is_busy = self.doings.with_untracked(|doings| {
            doings.is_some_and(|all: &Vec<Doing>| all.iter().any(|one| one.ended.is_none()))
        });
        let normal = if self.is_open.get_untracked() {
            LOOKED_AT_MS
        } else if !submitted::awaited().is_empty() || session::follow().get_untracked() {
            AWAITED_MS
        } else if is_busy {
            BUSY_MS
        } else {
            IDLE_MS
        };
        // Who has to sign in again comes back any moment, and is asked for by nobody else on many pages.
        if failures == 0 || session::follow().get_untracked() {
            return normal;
        }
        (LOOKED_AT_MS << failures.min(5)).min(IDLE_MS)
    }
}

/// Those of `doings` that are over and were waited for.
fn ended(awaited: &[String], doings: &[Doing]) -> Vec<Doing> {
    let is_meant = |doing: &&Doing| doing.ended.is_some() && awaited.contains(&doing.id.0);
    doings.iter().filter(is_meant).cloned().collect()
}

/// Whether its end is still worth a word: what needs a look is so for longer.
fn is_news(doing: &Doing, now: Timestamp) -> bool {
    let for_ms = if toasts::goes_by_itself(words::tone(doing.state)) { NEWS_MS } else { NEEDED_MS };
    doing.ended.is_some_and(|ended| now.since(ended) < for_ms)
}

/// How many are under way, and how many of the user's own have ended since they looked.
fn counts(doings: &[Doing], user: Option<&str>, seen: i64) -> (usize, usize) {
    let running = doings.iter().filter(|doing| doing.ended.is_none()).count();
    let is_new = |doing: &&Doing| {
        doing.ended.is_some_and(|ended| ended.0 > seen) && user.is_some_and(|user| user == doing.requested_by)
    };
    (running, doings.iter().filter(is_new).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{OperationId, OperationKind, OperationState};

    fn doing(id: &str, by: &str, ended: Option<i64>) -> Doing {
        Doing {
            id: OperationId(id.into()),
            kind: OperationKind::Install,
            release: ReleaseKey::new("ns", id),
            state: if ended.is_some() { OperationState::Succeeded } else { OperationState::Running },
            requested_by: by.into(),
            created: Timestamp(0),
            ended: ended.map(Timestamp),
            attempt: 1,
            max_attempts: 3,
            line: String::new(),
            can_cancel: true,
        }
    }

    #[test]
    fn an_end_is_told_of_what_was_waited_for() {
        let doings = [doing("a", "me", Some(5)), doing("b", "me", None), doing("c", "me", Some(6))];
        let awaited = ["a", "b", "x"].map(str::to_owned);
        let told: Vec<String> = ended(&awaited, &doings).into_iter().map(|doing| doing.id.0).collect();
        assert_eq!(told, ["a"]);
    }

    #[test]
    fn a_failure_is_news_for_longer_than_a_success() {
        let hours = |hours: i64| Timestamp(hours * 60 * 60 * 1000);
        let is_news = |state, ended| is_news(&Doing { state, ..doing("a", "me", Some(ended)) }, hours(30));
        assert!(is_news(OperationState::Succeeded, hours(30).0 - 1));
        assert!(!is_news(OperationState::Succeeded, hours(29).0));
        assert!(is_news(OperationState::Failed, hours(8).0));
        assert!(!is_news(OperationState::Failed, hours(5).0));
    }

    #[test]
    fn the_bell_counts_what_runs_and_what_ended_of_ones_own_since_one_looked() {
        let doings = [
            doing("a", "me", None),
            doing("b", "other", None),
            doing("c", "me", Some(9)),
            doing("d", "me", Some(5)),
            doing("e", "other", Some(9)),
        ];
        assert_eq!(counts(&doings, Some("me"), 7), (2, 1));
        assert_eq!(counts(&doings, None, 0), (2, 0), "whose they are is not known yet");
    }
}
