//! The drawer of what is going on and what was lately.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::bell::BELL;
use super::notify::{self, Standing};
use super::words::{line, standing, tone};
use super::{Feed, counts};
use crate::client::clock::Clock;
use crate::model::time::duration_words;
use crate::model::{Doing, Tone, WayAction};
use crate::pages::release::actions::action_href;
use crate::pages::route::Route;
use crate::signals::{Memo, dynamic, effect, keyed};
use crate::ui::field::CheckBox;
use crate::ui::icon::icon;
use crate::ui::label::{kind_badge, tone_icon};
use crate::ui::state::{EmptyState, error_state, skeleton_lines};
use crate::ui::time::ago;
use crate::words::{count, say, t};

/// Closes the drawer; the focus goes back to what opened it, if it was inside.
pub fn close(feed: Feed) {
    let drawer = document().get_element_by_id("activity");
    let was_inside = drawer.is_some_and(|drawer| drawer.contains(document().active_element().as_deref()));
    feed.is_open.set(false);
    if was_inside && let Some(bell) = element(BELL) {
        let _ = bell.focus();
    }
}

fn element(id: &str) -> Option<web_sys::HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// The drawer, where it is open. It lies over the page, which stays in use.
#[component]
pub fn Drawer(feed: Feed) -> impl IntoView {
    dynamic(move || feed.is_open.get().then(|| view! { <Panel feed /> }))
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
        Shown::Loading => view! { <div class="activity-wait">{skeleton_lines(6)}</div> }.into_any(),
        Shown::Failed => feed.error.get_untracked().map_or_else(
            || ().into_any(),
            |error| error_state(&error, move || feed.again.update(|times| *times += 1)),
        ),
        Shown::Empty => view! {
            <EmptyState title=t("No operations yet") name="bell">
                <p>
                    {t("What is installed, upgraded, rolled back or removed runs in the background, and is seen here from every page.")}
                </p>
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
    view! {
        <aside class="activity" id="activity" aria-labelledby="activity-title">
            <div class="pf-v6-c-notification-drawer">
                <div class="pf-v6-c-notification-drawer__header">
                    <h2 class="pf-v6-c-notification-drawer__header-title" id="activity-title" tabindex="-1">
                        {t("Operations")}
                    </h2>
                    <span class="pf-v6-c-notification-drawer__header-status">
                        {dynamic(move || {
                            let running = running.get();
                            (running > 0).then(|| count(running, "{n} running", "{n} running"))
                        })}
                    </span>
                    <div class="pf-v6-c-notification-drawer__header-action">
                        <button
                            type="button"
                            class="pf-v6-c-button pf-m-plain"
                            aria-label=t("Close")
                            on:click=move |_| close(feed)
                        >
                            <span class="pf-v6-c-button__icon">{icon("close")}</span>
                        </button>
                    </div>
                </div>
                {dynamic(move || {
                    is_stale
                        .get()
                        .then(|| {
                            view! {
                                <p class="activity-note" role="status">
                                    {icon("warning")}
                                    {t("Slipway does not answer. What is shown may be old.")}
                                </p>
                            }
                        })
                })}
                <div class="pf-v6-c-notification-drawer__body" tabindex="-1">
                    {dynamic(body)}
                </div>
                <Switch />
            </div>
        </aside>
    }
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
                view! {
                    <section class="activity-group" aria-labelledby=id>
                        <h3 class="activity-heading" id=id>
                            {title}
                        </h3>
                        <ul class="pf-v6-c-notification-drawer__list" role="list">
                            {keyed(move || ids.get(), item)}
                        </ul>
                    </section>
                }
            })
        })
    };
    view! {
        {group(t("Running"), "activity-running", true)}
        {dynamic(move || {
            let more = feed.more.get() as usize;
            (more > 0)
                .then(|| {
                    view! { <p class="activity-note">{count(more, "{n} more is running.", "{n} more are running.")}</p> }
                })
        })}
        {group(t("Ended lately"), "activity-ended", false)}
    }
    .into_any()
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
    let text = of(doing, line);
    let can_cancel = of(doing, |doing| doing.can_cancel && doing.ended.is_none());
    let ended = of(doing, |doing| doing.ended);
    let class = Signal::derive(move || {
        let is_read = ended.get().is_none_or(|ended| ended.0 <= seen);
        match (is_read, toned()) {
            (true, Tone::Success) => "pf-v6-c-notification-drawer__list-item pf-m-read pf-m-success",
            (true, Tone::Warning) => "pf-v6-c-notification-drawer__list-item pf-m-read pf-m-warning",
            (true, Tone::Danger) => "pf-v6-c-notification-drawer__list-item pf-m-read pf-m-danger",
            (true, _) => "pf-v6-c-notification-drawer__list-item pf-m-read pf-m-info",
            (false, Tone::Success) => "pf-v6-c-notification-drawer__list-item pf-m-success",
            (false, Tone::Warning) => "pf-v6-c-notification-drawer__list-item pf-m-warning",
            (false, Tone::Danger) => "pf-v6-c-notification-drawer__list-item pf-m-danger",
            (false, _) => "pf-v6-c-notification-drawer__list-item pf-m-info",
        }
    });
    let (release, created, by) = (first.release.clone(), first.created, first.requested_by.clone());
    let (href, cancel) = (Route::release(&release).to_string(), action_href(&release, WayAction::Cancel));
    let cancel_label = say("Cancel: {name}", &[("name", &release.name)]);
    let is_others = Memo::new({
        let by = by.clone();
        move || feed.user.with(|user| user.is_some_and(|user: &String| *user != by))
    });
    let time = move || match ended.get() {
        None => dynamic(move || say("for {time}", &[("time", &duration_words(clock.now().since(created)))])),
        Some(ended) => {
            let took = say("took {time}", &[("time", &duration_words(ended.since(created)))]);
            view! {
                {ago(Some(ended))}
                ", "
                {took}
            }
            .into_any()
        }
    };
    view! {
        <li class=class>
            <div class="pf-v6-c-notification-drawer__list-item-header">
                <span class="pf-v6-c-notification-drawer__list-item-header-icon">
                    {dynamic(move || tone_icon(toned()))}
                </span>
                <h4 class="pf-v6-c-notification-drawer__list-item-header-title">
                    <a href=href>{release.name}</a>
                </h4>
            </div>
            <div class="pf-v6-c-notification-drawer__list-item-action">
                {dynamic(move || {
                    can_cancel
                        .get()
                        .then(|| {
                            view! {
                                <a
                                    class="pf-v6-c-button pf-m-link pf-m-inline"
                                    href=cancel.clone()
                                    aria-label=cancel_label.clone()
                                >
                                    <span class="pf-v6-c-button__text">{t("Cancel")}</span>
                                </a>
                            }
                        })
                })}
            </div>
            <div class="pf-v6-c-notification-drawer__list-item-description activity-about">
                <p>
                    <b>{dynamic(move || words.get())}</b>
                </p>
                {dynamic(move || {
                    let text = text.get();
                    (!text.is_empty()).then(|| view! { <p class="activity-line" title=text.clone()>{text.clone()}</p> })
                })}
                <p class="named">{kind_badge("Namespace")} {release.namespace}</p>
            </div>
            <div class="pf-v6-c-notification-drawer__list-item-timestamp">
                {dynamic(time)}
                {dynamic(move || is_others.get().then(|| say(", by {user}", &[("user", &by)])))}
            </div>
        </li>
    }
    .into_any()
}

/// The switch of the browser's own notifications.
#[component]
fn Switch() -> impl IntoView {
    let now = RwSignal::new(notify::standing_now());
    view! {
        <div class="activity-foot">
            {dynamic(move || match now.get() {
                Standing::Unsupported => {
                    view! { <p class="note">{t("This browser shows no notifications of this page.")}</p> }.into_any()
                }
                Standing::Denied => {
                    view! {
                        <p class="note">
                            {t("The browser forbids notifications of this page. Allow them in its settings for this site to be told of an end while you are elsewhere.")}
                        </p>
                    }
                        .into_any()
                }
                standing => {
                    view! {
                        <CheckBox
                            id="browser-notifications"
                            label=t("Browser notifications")
                            description=t("When an operation of yours ends while this page is in the background.")
                            checked=standing == Standing::On
                            on_change=move |wanted| notify::choose(wanted, now)
                        />
                    }
                        .into_any()
                }
            })}
        </div>
    }
}
