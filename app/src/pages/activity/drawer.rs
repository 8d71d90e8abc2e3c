//! The drawer of what is going on and what was lately. It is not in the address: it lies over whichever page is there, and the
//! address is that page's, to be shared with somebody whose own operations are others.

use leptos::prelude::*;
use leptos::wasm_split::wasm_split;
use wasm_bindgen::JsCast;

use super::bell::BELL;
use super::notify::{self, Standing};
use super::words::{line, standing, tone};
use super::{Feed, counts};
use crate::client::clock::Clock;
use crate::model::time::duration_words;
use crate::model::{Doing, Tone, WayAction};
use crate::pages::parts::Part;
use crate::pages::release::actions::action_href;
use crate::pages::route::Route;
use crate::signals::{Memo, dynamic, effect, keyed};
use crate::ui::button::{icon_button, link};
use crate::ui::element::{el, text};
use crate::ui::field::CheckBox;
use crate::ui::icon::icon;
use crate::ui::label::{kind_badge, tone_icon};
use crate::ui::lazy::lazy_behind;
use crate::ui::state::{EmptyState, error_state, skeleton_lines};
use crate::ui::time::{ago, dated, took_words};
use crate::words::{count, say, t};

/// Up to this width the drawer has the whole window.
const PHONE: &str = "(max-width: 767px)";

/// Closes the drawer; the focus goes back to what opened it, if it was inside.
pub fn close(feed: Feed) {
    let drawer = document().get_element_by_id("activity");
    let was_inside = drawer.is_some_and(|drawer| drawer.contains(document().active_element().as_deref()));
    feed.is_open.set(false);
    if was_inside && let Some(bell) = element(BELL) {
        let _ = bell.focus();
    }
}

/// A link in it was followed. On a phone it would lie over the page that this leads to.
fn leave(feed: Feed) {
    if window().match_media(PHONE).ok().flatten().is_some_and(|query| query.matches()) {
        close(feed);
    }
}

fn element(id: &str) -> Option<web_sys::HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// The drawer, where it is open. It lies over the page, which stays in use.
#[component]
pub fn Drawer(feed: Feed) -> impl IntoView {
    let panel = move || lazy_behind(|| ().into_any(), || Box::pin(panel()), move |draw| draw(feed));
    dynamic(move || feed.is_open.get().then(panel))
}

/// The drawer is loaded when it is first opened.
#[wasm_split(sheets, wasm_split_path = leptos::wasm_split, fallible)]
fn panel() -> Part<fn(Feed) -> AnyView> {
    Ok(|feed| view! { <Panel feed /> }.into_any())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Loading,
    Failed,
    Empty,
    List,
}

#[component]
fn Panel(feed: Feed) -> impl IntoView {
    // What is unread stays marked for as long as the drawer is open.
    let (seen, clock) = (feed.seen.get_untracked(), Clock::get());
    effect(move || {
        if feed.doings.is_some() {
            feed.note_seen(untrack(|| clock.now()));
        }
    });
    effect(|| {
        if let Some(title) = element("activity-title") {
            let _ = title.focus();
        }
    });
    let shown = Memo::new(move || {
        feed.doings.with(|doings: Option<&Vec<Doing>>| match doings {
            Some(doings) if doings.is_empty() => Shown::Empty,
            Some(_) => Shown::List,
            None if feed.error.with(Option::is_some) => Shown::Failed,
            None => Shown::Loading,
        })
    });
    let body = move || {
        match shown.get() {
        Shown::Loading => el("div.activity-wait").child(skeleton_lines(6)).done(),
        Shown::Failed => feed.error.get_untracked().map_or_else(
            || ().into_any(),
            |error| error_state(&error, move || feed.again.update(|times| *times += 1)),
        ),
        Shown::Empty => view! {
            <EmptyState title=t("No operations yet") name="bell">
                {t("What is installed, upgraded, rolled back or removed runs in the background, and is seen here from every page.")}
            </EmptyState>
        }
        .into_any(),
        Shown::List => list(feed, seen),
    }
    };
    let is_stale = Memo::new(move || feed.doings.is_some() && feed.error.with(Option::is_some));
    let running = Memo::new(move || {
        let running = feed.doings.with(|doings| counts(doings.map_or(&[], |it: &Vec<_>| it), None, 0).0);
        running + feed.more.get() as usize
    });
    let status = dynamic(move || {
        let running = running.get();
        (running > 0).then(|| count(running, "{n} running", "{n} running"))
    });
    let close = icon_button(t("Close").to_owned(), "close", move || close(feed));
    let stale = move || {
        let words = t("Slipway does not answer. What is shown may be old.");
        is_stale.get().then(|| {
            el("p.activity-note").attr("role", "status").child(icon("warning")).child(text(words)).done()
        })
    };
    let head = vec![
        el("h2.pf-v6-c-notification-drawer__header-title")
            .attr("id", "activity-title")
            .attr("tabindex", "-1")
            .child(text(t("Operations")))
            .done(),
        el("span.pf-v6-c-notification-drawer__header-status").child(status).done(),
        el("div.pf-v6-c-notification-drawer__header-action").child(close).done(),
    ];
    let parts = vec![
        el("div.pf-v6-c-notification-drawer__header").children(head).done(),
        dynamic(stale),
        el("div.pf-v6-c-notification-drawer__body").attr("tabindex", "-1").child(dynamic(body)).done(),
        switch(),
    ];
    el("aside.activity")
        .attr("id", "activity")
        .attr("aria-labelledby", "activity-title")
        .child(el("div.pf-v6-c-notification-drawer").children(parts).done())
        .done()
}

fn list(feed: Feed, seen: i64) -> AnyView {
    let clock = Clock::get();
    let part = move |is_running: bool| {
        move || {
            feed.doings.with(|doings| {
                let doings = doings.map_or(&[][..], |it: &Vec<Doing>| it);
                let here = doings.iter().filter(|doing| doing.ended.is_none() == is_running);
                here.map(|doing| doing.id.0.clone()).collect::<Vec<_>>()
            })
        }
    };
    let item = move |id: String| {
        let find = move || {
            feed.doings.with(|doings| {
                doings.and_then(|all: &Vec<Doing>| all.iter().find(|one| one.id.0 == id).cloned())
            })
        };
        let doing = Memo::new(find);
        match doing.get_untracked() {
            Some(first) => item(&first, doing, feed, clock, seen),
            None => ().into_any(),
        }
    };
    let group = move |title: &'static str, id: &'static str, is_running: bool| {
        let ids = Memo::new(part(is_running));
        let is_there = Memo::new(move || ids.with(|ids| !ids.is_empty()));
        dynamic(move || {
            is_there.get().then(|| {
                let items = keyed(move || ids.get(), item);
                let parts = vec![
                    el("h3.activity-heading").attr("id", id).child(text(title)).done(),
                    el("ul.pf-v6-c-notification-drawer__list").attr("role", "list").child(items).done(),
                ];
                el("section.activity-group").attr("aria-labelledby", id).children(parts).done()
            })
        })
    };
    let more = move || {
        let more = feed.more.get() as usize;
        let words = || count(more, "{n} more is running.", "{n} more are running.");
        (more > 0).then(|| el("p.activity-note").child(text(words())).done())
    };
    let parts = vec![
        group(t("Running"), "activity-running", true),
        dynamic(more),
        group(t("Ended lately"), "activity-ended", false),
    ];
    el("div").children(parts).done()
}

fn item(first: &Doing, doing: Memo<Option<Doing>>, feed: Feed, clock: Clock, seen: i64) -> AnyView {
    fn of<T: PartialEq + Send + Sync + Default + 'static>(
        doing: Memo<Option<Doing>>,
        look: fn(&Doing) -> T,
    ) -> Memo<T> {
        Memo::new(move || doing.with(|doing| doing.as_ref().map(look).unwrap_or_default()))
    }
    let state = Memo::new(move || doing.with(|doing| doing.as_ref().map(|doing| doing.state)));
    let toned = move || state.get().map_or(Tone::Neutral, tone);
    let words = of(doing, |doing| standing(doing.kind, doing.state));
    let text_of = of(doing, line);
    let can_cancel = of(doing, |doing| doing.can_cancel && doing.ended.is_none());
    let ended = of(doing, |doing| doing.ended);
    let class = Signal::derive(move || {
        let is_read = ended.get().is_none_or(|ended| ended.0 <= seen);
        let tone = match toned() {
            Tone::Success => "pf-m-success",
            Tone::Warning => "pf-m-warning",
            Tone::Danger => "pf-m-danger",
            _ => "pf-m-info",
        };
        let read = if is_read { " pf-m-read " } else { " " };
        ["pf-v6-c-notification-drawer__list-item", read, tone].concat()
    });
    let (release, created, by) = (first.release.clone(), first.created, first.requested_by.clone());
    let (href, cancel) = (Route::release(&release).to_string(), action_href(&release, WayAction::Cancel));
    let cancel_label = say("Cancel: {name}", &[("name", &release.name)]);
    let is_others = Memo::new({
        let by = by.clone();
        move || feed.user.with(|user| user.is_some_and(|user: &String| *user != by))
    });
    let time = move || match ended.get() {
        None => {
            let age = move || say("for {time}", &[("time", &duration_words(clock.now().since(created)))]);
            dated(created, dynamic(age))
        }
        Some(ended) => {
            let took = say("took {time}", &[("time", &took_words(ended.since(created)))]);
            el("span").child(ago(Some(ended))).child(text(", ")).child(text(took)).done()
        }
    };
    let button = "pf-v6-c-button pf-m-link pf-m-inline";
    let cancel = move || {
        can_cancel.get().then(|| {
            link(button, cancel.clone(), t("Cancel"), Some(cancel_label.clone()), move || leave(feed))
        })
    };
    let said = move || {
        let text_now = text_of.get();
        (!text_now.is_empty()).then(|| el("p.activity-line").child(text(text_now)).done())
    };
    let who = dynamic(move || is_others.get().then(|| say(", by {user}", &[("user", &by)])));
    let sign = dynamic(move || tone_icon(toned()));
    let title = vec![link("", href, release.name, None, move || leave(feed))];
    let head = vec![
        el("span.pf-v6-c-notification-drawer__list-item-header-icon").child(sign).done(),
        el("h4.pf-v6-c-notification-drawer__list-item-header-title").children(title).done(),
    ];
    let about = vec![
        el("p").child(el("b").child(dynamic(move || words.get())).done()).done(),
        dynamic(said),
        el("p.named").child(kind_badge("Namespace")).child(text(release.namespace)).done(),
    ];
    let about_class = "pf-v6-c-notification-drawer__list-item-description activity-about";
    let parts = vec![
        el("div.pf-v6-c-notification-drawer__list-item-header").children(head).done(),
        el("div.pf-v6-c-notification-drawer__list-item-action").child(dynamic(cancel)).done(),
        el("div").attr("class", about_class).children(about).done(),
        el("div.pf-v6-c-notification-drawer__list-item-timestamp").child(dynamic(time)).child(who).done(),
    ];
    view! { <li class=class>{parts}</li> }.into_any()
}

/// The switch of the browser's own notifications.
fn switch() -> AnyView {
    let now = RwSignal::new(notify::standing_now());
    let note = |words: &'static str| el("p.note").child(text(words)).done();
    let part = move || match now.get() {
        Standing::Unsupported => note(t("This browser shows no notifications of this page.")),
        Standing::Denied => note(t(
            "The browser forbids notifications of this page. Allow them in its settings for this site to be told of an end \
             while you are elsewhere.",
        )),
        standing => view! {
            <CheckBox
                id="browser-notifications"
                label=t("Browser notifications")
                description=t("When an operation of yours ends while this page is in the background.")
                checked=standing == Standing::On
                on_change=move |wanted| notify::choose(wanted, now)
            />
        }
        .into_any(),
    };
    el("div.activity-foot").child(dynamic(part)).done()
}
