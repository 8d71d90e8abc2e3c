//! What tells, on whichever page the user is, that an operation of theirs has ended.

use leptos::prelude::*;

use super::Feed;
use super::words::{line, standing, tone};
use crate::client::clock::Clock;
use crate::client::submitted;
use crate::model::{Doing, ReleaseKey, Tone};
use crate::pages::route::Route;
use crate::signals::{effect, keyed};
use crate::ui::button::{icon_button, link};
use crate::ui::element::{el, text};
use crate::ui::icon::icon;
use crate::words::{say, t};

/// For how many seconds a toast stays, where it goes by itself.
const SECONDS: u32 = 8;
/// The most that are shown; the drawer has them all.
const MOST: usize = 4;

/// A toast.
#[derive(Clone)]
struct Toast {
    id: String,
    release: ReleaseKey,
    tone: Tone,
    title: String,
    line: String,
    /// How many seconds it has been there, unread.
    age: u32,
}

impl Toast {
    fn of(doing: &Doing) -> Self {
        let words = standing(doing.kind, doing.state);
        Self {
            id: doing.id.0.clone(),
            release: doing.release.clone(),
            tone: tone(doing.state),
            title: say("{name}: {what}", &[("name", &doing.release.name), ("what", &words)]),
            line: line(doing),
            age: 0,
        }
    }
}

/// What failed is to be read: it stays until it is closed.
pub fn goes_by_itself(tone: Tone) -> bool {
    matches!(tone, Tone::Success | Tone::Neutral)
}

/// The toasts.
#[derive(Clone, Copy)]
pub struct Toasts {
    all: RwSignal<Vec<Toast>>,
    /// Whether the user is at them, with the pointer or the focus.
    is_held: RwSignal<bool>,
    /// How many were read in this window.
    read: RwSignal<u32>,
}

impl Toasts {
    /// None yet. Each second that the page is seen they grow older, unless the user is at them.
    pub fn new() -> Self {
        let toasts =
            Self { all: RwSignal::new(Vec::new()), is_held: RwSignal::new(false), read: RwSignal::new(0) };
        let clock = Clock::get();
        effect(move || {
            clock.now();
            let is_there = toasts.all.with_untracked(|all| !all.is_empty());
            if is_there && !toasts.is_held.get_untracked() {
                let gone = toasts.all.try_update(age).unwrap_or_default();
                toasts.note_read(&gone);
            }
        });
        toasts
    }

    /// Shows those that are `unread`, the last one first, as far as there is room, and what of them `doings` tells.
    pub fn show(self, unread: &[String], doings: &[Doing]) {
        let next = self.all.with_untracked(|all| shown(all, unread, doings));
        let is_new =
            self.all.with_untracked(|all| !all.iter().map(|it| &it.id).eq(next.iter().map(|it| &it.id)));
        if is_new {
            self.all.set(next);
        }
    }

    /// Those about a release are read.
    pub fn read_about(self, release: &ReleaseKey) {
        let of = |all: &Vec<Toast>| {
            all.iter().filter(|one| one.release == *release).map(|one| one.id.clone()).collect()
        };
        let ids: Vec<String> = self.all.with_untracked(of);
        self.note_read(&ids);
    }

    /// Makes whoever calls this follow what is read.
    pub fn follow_reading(self) {
        self.read.track();
    }

    fn close(self, id: &str) {
        self.note_read(&[id.to_owned()]);
        // The pointer or the focus may have been on the one that is gone, and no event says that it left.
        self.is_held.set(false);
    }

    fn note_read(self, ids: &[String]) {
        if !ids.is_empty() {
            ids.iter().for_each(|id| submitted::forget(id));
            self.read.update(|times| *times += 1);
        }
    }
}

/// What is shown next, where `all` are there. The last ones come first; the others when there is room.
fn shown(all: &[Toast], unread: &[String], doings: &[Doing]) -> Vec<Toast> {
    let toast = |id: &String| {
        let there = all.iter().find(|one| one.id == *id).cloned();
        there.or_else(|| doings.iter().find(|one| one.id.0 == *id && one.ended.is_some()).map(Toast::of))
    };
    unread.iter().filter_map(toast).take(MOST).collect()
}

/// Makes them older, and takes out those that go by themselves: their ids.
fn age(all: &mut Vec<Toast>) -> Vec<String> {
    all.iter_mut().filter(|one| goes_by_itself(one.tone)).for_each(|one| one.age += 1);
    let gone = all.iter().filter(|one| one.age >= SECONDS).map(|one| one.id.clone()).collect();
    all.retain(|one| one.age < SECONDS);
    gone
}

/// Where they are shown; once a page.
#[component]
pub fn ToastGroup(feed: Feed) -> impl IntoView {
    let toasts = feed.toasts;
    let hold = move |is_held: bool| move |_| toasts.is_held.set(is_held);
    view! {
        <ul
            class="pf-v6-c-alert-group pf-m-toast"
            role="list"
            aria-live="polite"
            aria-relevant="additions"
            aria-label=t("Notifications")
            on:pointerenter=hold(true)
            on:pointerleave=hold(false)
            on:focusin=move |_| toasts.is_held.set(true)
            on:focusout=move |_| toasts.is_held.set(false)
        >
            {keyed(
                move || toasts.all.with(|all| all.iter().map(|one| one.id.clone()).collect()),
                move |id| {
                    let toast = toasts.all.with_untracked(|all| all.iter().find(|one| one.id == id).cloned());
                    toast.map_or_else(|| ().into_any(), |toast| drawn(toast, toasts))
                },
            )}
        </ul>
    }
}

fn drawn(toast: Toast, toasts: Toasts) -> AnyView {
    let (class, name, word) = match toast.tone {
        Tone::Success => ("pf-v6-c-alert pf-m-success", "success", t("Success: ")),
        Tone::Warning => ("pf-v6-c-alert pf-m-warning", "warning", t("Warning: ")),
        Tone::Danger => ("pf-v6-c-alert pf-m-danger", "danger", t("Error: ")),
        Tone::Progress | Tone::Neutral => ("pf-v6-c-alert pf-m-info", "info", t("Note: ")),
    };
    let Toast { id, release, title, line, .. } = toast;
    let href = Route::release(&release).to_string();
    let (named, read) = (say("Close: {title}", &[("title", &title)]), id.clone());
    let view = link("pf-v6-c-button pf-m-link pf-m-inline", href, t("View release"), None, move || {
        toasts.close(&read);
    });
    let close = icon_button(named, "close", move || toasts.close(&id));
    let word = el("span.pf-v6-screen-reader").child(text(word)).done();
    let mut parts = vec![
        el("div.pf-v6-c-alert__icon").child(icon(name)).done(),
        el("p.pf-v6-c-alert__title").child(word).child(text(title)).done(),
        el("div.pf-v6-c-alert__action").child(close).done(),
    ];
    if !line.is_empty() {
        parts.push(el("div.pf-v6-c-alert__description").child(text(line)).done());
    }
    parts.push(el("div.pf-v6-c-alert__action-group").child(view).done());
    el("li.pf-v6-c-alert-group__item").child(el("div").attr("class", class).children(parts).done()).done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{OperationId, OperationKind, OperationState, Timestamp};

    fn doing(id: &str, state: OperationState) -> Doing {
        Doing {
            id: OperationId(id.into()),
            kind: OperationKind::Install,
            release: ReleaseKey::new("ns", id),
            state,
            requested_by: "me".into(),
            created: Timestamp(0),
            ended: state.is_terminal().then_some(Timestamp(1)),
            attempt: 1,
            max_attempts: 1,
            line: String::new(),
            can_cancel: false,
        }
    }

    fn ids(toasts: &[Toast]) -> Vec<&str> {
        toasts.iter().map(|one| one.id.as_str()).collect()
    }

    #[test]
    fn a_success_goes_by_itself_and_a_failure_stays() {
        let mut all = vec![
            Toast::of(&doing("well", OperationState::Succeeded)),
            Toast::of(&doing("bad", OperationState::Failed)),
        ];
        let gone: Vec<String> = (0..SECONDS).flat_map(|_| age(&mut all)).collect();
        assert_eq!((ids(&all), gone), (vec!["bad"], vec!["well".to_owned()]));
    }

    #[test]
    fn what_is_unread_is_shown_the_last_one_first_and_as_much_as_there_is_room_for() {
        let unread = ["f", "e", "gone", "d", "c", "b"].map(str::to_owned);
        let doings: Vec<Doing> = ["b", "c", "d", "e", "f"].map(|id| doing(id, OperationState::Failed)).into();
        let mut all = shown(&[], &unread, &doings);
        assert_eq!(ids(&all), ["f", "e", "d", "c"]);
        all[1].age = 3;
        let next = shown(&all, &unread[1..], &doings);
        assert_eq!(ids(&next), ["e", "d", "c", "b"], "what was read makes room");
        assert_eq!(next[0].age, 3, "what stays is not told anew");
        assert_eq!(ids(&shown(&all, &unread[..1], &[])), ["f"], "another window has read the others");
        assert!(shown(&[], &unread, &[doing("f", OperationState::Running)]).is_empty());
    }
}
