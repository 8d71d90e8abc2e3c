//! What tells, on whichever page the user is, that an operation of theirs has ended.

use leptos::prelude::*;

use super::Feed;
use super::words::{line, standing, tone};
use crate::client::clock::Clock;
use crate::model::{Doing, Tone};
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
    tone: Tone,
    title: String,
    line: String,
    href: String,
    /// How many seconds it has been there, unread.
    age: u32,
}

impl Toast {
    /// What failed is to be read: it stays until it is closed.
    fn goes_by_itself(&self) -> bool {
        matches!(self.tone, Tone::Success | Tone::Neutral)
    }
}

/// The toasts.
#[derive(Clone, Copy)]
pub struct Toasts {
    all: RwSignal<Vec<Toast>>,
    /// Whether the user is at them, with the pointer or the focus.
    is_held: RwSignal<bool>,
}

impl Toasts {
    /// None yet. Each second that the page is seen they grow older, unless the user is at them.
    pub fn new() -> Self {
        let toasts = Self { all: RwSignal::new(Vec::new()), is_held: RwSignal::new(false) };
        let clock = Clock::get();
        effect(move || {
            clock.now();
            let is_there = toasts.all.with_untracked(|all| !all.is_empty());
            if is_there && !toasts.is_held.get_untracked() {
                toasts.all.update(age);
            }
        });
        toasts
    }

    /// Tells how an operation ended.
    pub fn add(self, doing: &Doing) {
        let words = standing(doing.kind, doing.state);
        let toast = Toast {
            id: doing.id.0.clone(),
            tone: tone(doing.state),
            title: say("{name}: {what}", &[("name", &doing.release.name), ("what", &words)]),
            line: line(doing),
            href: Route::release(&doing.release).to_string(),
            age: 0,
        };
        self.all.update(|all| {
            all.retain(|one| one.id != toast.id);
            all.insert(0, toast);
            all.truncate(MOST);
        });
    }

    fn close(self, id: &str) {
        self.all.update(|all| all.retain(|one| one.id != id));
        // The pointer or the focus may have been on the one that is gone, and no event says that it left.
        self.is_held.set(false);
    }
}

fn age(all: &mut Vec<Toast>) {
    all.iter_mut().filter(|one| one.goes_by_itself()).for_each(|one| one.age += 1);
    all.retain(|one| one.age < SECONDS);
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
    let Toast { id, title, line, href, .. } = toast;
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

    #[test]
    fn a_success_goes_by_itself_and_a_failure_stays() {
        let toast = |id: &str, tone| Toast {
            id: id.into(),
            tone,
            title: String::new(),
            line: String::new(),
            href: String::new(),
            age: 0,
        };
        let mut all = vec![toast("well", Tone::Success), toast("bad", Tone::Danger)];
        for _ in 0..SECONDS {
            age(&mut all);
        }
        let left: Vec<&str> = all.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(left, ["bad"]);
    }
}
