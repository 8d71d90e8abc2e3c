//! A log: lines as they come, with their colours, searched, followed, and within bounds.

mod ansi;
mod drawing;
mod kept;

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlAnchorElement, KeyboardEvent, Url};

use super::button::button;
use super::field::CheckBox;
use super::icon::icon;
use super::toolbar::SearchInput;
use crate::signals::{Memo, dynamic, effect};
use crate::words::{count, say, t};
use drawing::{Drawing, go_by};
use kept::Kept;

/// How near to its end a log must be scrolled to be followed, in pixels.
const NEAR_END: i32 = 40;

/// The lines of a log: whoever has them puts them in, and [`log_view`] shows them.
#[derive(Clone, Copy)]
pub struct LogLines {
    kept: RwSignal<Kept>,
    name: RwSignal<String>,
    source: RwSignal<Option<String>>,
    is_live: RwSignal<bool>,
    status: RwSignal<String>,
}

impl LogLines {
    /// None yet. `name` is what the log is of: it is told to screen readers, and names the file that it is downloaded to.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            kept: RwSignal::new(Kept::default()),
            name: RwSignal::new(name.into()),
            source: RwSignal::new(None),
            is_live: RwSignal::new(false),
            status: RwSignal::new(String::new()),
        }
    }

    /// Adds what comes next: whole lines, or parts of them; with the colours of a terminal.
    pub fn push(self, text: &str) {
        if !text.is_empty() {
            self.kept.update(|kept| kept.push(text));
        }
    }

    /// Takes all lines away, for others to come.
    pub fn clear(self) {
        self.kept.update(Kept::clear);
    }

    /// Whether more may come: it is followed then.
    pub fn set_live(self, is_live: bool) {
        // Whoever tells may outlive the page that shows it.
        if self.is_live.try_get_untracked().is_some_and(|now| now != is_live) {
            self.is_live.set(is_live);
        }
    }

    /// What is to be said of where the log comes from: that it has ended, and why; that it is being connected.
    pub fn set_status(self, status: impl Into<String>) {
        let status = status.into();
        if self.status.try_with_untracked(|now| *now != status) == Some(true) {
            self.status.set(status);
        }
    }

    /// What the log is of now.
    pub fn set_name(self, name: impl Into<String>) {
        self.name.set(name.into());
    }

    /// Where all of it can be downloaded from; else it is the lines that are kept here.
    pub fn set_source(self, address: Option<String>) {
        self.source.set(address);
    }
}

/// What is looked for in a log.
#[derive(Clone, Copy)]
pub struct LogSearch {
    /// The words.
    pub wanted: Memo<String>,
    /// They were changed.
    pub on_wanted: Callback<String>,
}

/// The log with its tools; `tools` are further ones of whoever shows it.
pub fn log_view(lines: LogLines, search: LogSearch, tools: AnyView) -> AnyView {
    let LogSearch { wanted, on_wanted } = search;
    let frame = NodeRef::<html::Div>::new();
    let hits = RwSignal::new((0_u32, 0_u32));
    let (follows, wraps) = (RwSignal::new(true), RwSignal::new(true));
    let go = move |by: i32| {
        if let Some(frame) = frame.get_untracked() {
            if by != 0 {
                follows.set(false);
            }
            hits.set(go_by(&frame, by));
        }
    };
    let mut drawing: Option<Drawing> = None;
    let mut searched = String::new();
    effect(move || {
        let Some(frame) = frame.get() else { return };
        let wanted = wanted.get().to_ascii_lowercase();
        let drawing = drawing.get_or_insert_with(|| Drawing::new(frame.clone().into()));
        lines.kept.with(|kept| drawing.update(kept, &wanted));
        // A new word is looked for at once; more lines leave the reader where they are.
        let is_new = searched != wanted;
        untrack(|| go(i32::from(is_new && !wanted.is_empty())));
        searched = wanted;
        if follows.get() {
            request_animation_frame(move || frame.set_scroll_top(frame.scroll_height()));
        }
    });
    let on_scroll = move |_| {
        if let Some(frame) = frame.get_untracked() {
            let below = frame.scroll_height() - frame.scroll_top() - frame.client_height();
            let is_at_end = below < NEAR_END;
            if follows.get_untracked() != is_at_end {
                follows.set(is_at_end);
            }
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Enter" {
            event.prevent_default();
            go(if event.shift_key() { -1 } else { 1 });
        }
    };
    let class = Signal::derive(move || if wraps.get() { "logview logview-wrap" } else { "logview" });
    view! {
        <div class="list-tools">
            <span class="log-search" on:keydown=on_key>
                <SearchInput
                    label=t("Find in the log")
                    value=wanted
                    on_input=on_wanted
                />
            </span>
            {dynamic(move || wanted.with(|wanted| !wanted.is_empty()).then(|| steps(hits, go)))}
            {tools}
            <CheckBox
                id="log-wrap"
                label=t("Wrap lines")
                checked=wraps
                on_change=move |wrap| wraps.set(wrap)
            />
            <span class="log-download">{dynamic(move || download(lines))}</span>
        </div>
        <div
            class=class
            node_ref=frame
            tabindex="0"
            role="log"
            aria-live="off"
            aria-label=Signal::derive(move || say("Log of {name}", &[("name", &lines.name.get())]))
            on:scroll=on_scroll
        ></div>
        {foot(lines, follows)}
    }
    .into_any()
}

/// Which hit of how many, and the ways to the others.
fn steps(hits: RwSignal<(u32, u32)>, go: impl Fn(i32) + Copy + 'static) -> AnyView {
    let step = |label: &'static str, name, by| {
        view! {
            <button type="button" class="pf-v6-c-button pf-m-plain" aria-label=label on:click=move |_| go(by)>
                <span class="pf-v6-c-button__icon">{icon(name)}</span>
            </button>
        }
        .into_any()
    };
    let words = move || match hits.get() {
        (_, 0) => t("Not found").to_owned(),
        (at, all) => say("{at} of {all}", &[("at", &at.to_string()), ("all", &all.to_string())]),
    };
    view! {
        <span class="log-steps">
            <span class="log-hits" role="status">
                {dynamic(words)}
            </span>
            {step(t("Previous match"), "sort-up", -1)}
            {step(t("Next match"), "sort-down", 1)}
        </span>
    }
    .into_any()
}

/// What is said below the lines: whether they are followed, and how the log stands.
fn foot(lines: LogLines, follows: RwSignal<bool>) -> AnyView {
    let following = move || {
        let is_empty = lines.kept.with(|kept| kept.lines.is_empty());
        let words = match (lines.is_live.get(), follows.get()) {
            (true, _) if is_empty => t("Nothing has been said yet"),
            (true, true) => t("Following the log"),
            (true, false) => t("Scrolled up: not following"),
            _ => "",
        };
        (!words.is_empty()).then(|| view! { <span>{words}</span> })
    };
    let resume = move || {
        (lines.is_live.get() && !follows.get())
            .then(|| button("pf-v6-c-button pf-m-link pf-m-inline", t("Follow"), move || follows.set(true)))
    };
    let dropped = move || {
        lines.kept.with(|kept| kept.dropped > 0).then(|| {
            view! { <span>{count(kept::LINES_MAX, "Only the last line is kept here.", "Only the last {n} lines are kept here.")}</span> }
        })
    };
    view! {
        <div class="log-foot note">
            {dynamic(following)} {dynamic(resume)} <span role="status">{dynamic(move || lines.status.get())}</span>
            {dynamic(dropped)}
        </div>
    }
    .into_any()
}

fn download(lines: LogLines) -> AnyView {
    let face = || {
        view! {
            <span class="pf-v6-c-button__icon pf-m-start">{icon("download")}</span>
            <span class="pf-v6-c-button__text">{t("Download")}</span>
        }
    };
    let file = move || format!("{}.log", lines.name.get_untracked().replace([' ', '/', ':'], "-"));
    match lines.source.get() {
        Some(address) => view! {
            <a class="pf-v6-c-button pf-m-secondary pf-m-small" href=address download=file()>
                {face()}
            </a>
        }
        .into_any(),
        None => view! {
            <button
                type="button"
                class="pf-v6-c-button pf-m-secondary pf-m-small"
                on:click=move |_| {
                    // Fails where the browser has no room for the text; there is nothing to be done about that here.
                    let _ = save(&lines.kept.with_untracked(Kept::text), &file());
                }
            >
                {face()}
            </button>
        }
        .into_any(),
    }
}

/// Gives the user a text as a file.
fn save(text: &str, file: &str) -> Result<(), JsValue> {
    let blob = Blob::new_with_str_sequence(&js_sys::Array::of1(&text.into()))?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(file);
    link.click();
    Url::revoke_object_url(&address)
}
