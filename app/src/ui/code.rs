//! A long text that is read and not edited: its lines numbered, searched, copied and kept as a file. Only what is in sight is
//! drawn, so that megabytes scroll as smoothly as a page.

pub mod lines;

use leptos::html;
use leptos::prelude::*;

use super::icon::icon;
use super::text::CopyButton;
use super::toolbar::SearchInput;
use crate::signals::{Memo, Views, dynamic, effect};
use crate::ui::download::download;
use crate::words::{say, t};
use lines::{Class, Lines, found, pieces};

/// The height of a line, in pixels: as in the style sheet.
const LINE: i32 = 20;
/// How many lines are drawn at a time: more than the highest window shows, and a margin on both sides.
const DRAWN: usize = 300;
/// By how many lines the drawn ones move on.
const STEP: usize = 100;
/// Up to so many lines all are drawn: the browser's own search finds them, and all can be selected.
const ALL: usize = 1500;

/// A text and what is done with it.
#[derive(Clone, Copy)]
pub struct Code {
    /// What it is called.
    pub label: &'static str,
    /// It.
    pub text: Memo<String>,
    /// What is searched for.
    pub query: Memo<String>,
    /// The search was changed.
    pub on_query: Callback<String>,
    /// What it is called as a file.
    pub file: Memo<String>,
}

/// The tools of the text, with `more` of the page's own before them, and the text.
pub fn code_view(code: Code, more: AnyView) -> AnyView {
    let Code { label, text, query, on_query, file } = code;
    let lines = Memo::new(move || text.with(|text| Lines::of(text)));
    let matches = Memo::new(move || query.with(|query| lines.with(|lines| found(lines, query.trim()))));
    let at = RwSignal::new(0_usize);
    let frame = NodeRef::<html::Div>::new();
    let show_line = move |line: usize| {
        if let Some(frame) = frame.get_untracked() {
            let line = i32::try_from(line).unwrap_or(i32::MAX / LINE);
            frame.set_scroll_top(line * LINE - frame.client_height() / 3);
        }
    };
    // A search leads to its first place at once.
    effect(move || {
        matches.track();
        at.set(0);
        let first = matches.with_untracked(|matches| matches.first().copied());
        if let Some(line) = first {
            request_animation_frame(move || show_line(line));
        }
    });
    let step = move |back: bool| {
        matches.with_untracked(|matches| {
            let count = matches.len();
            if count > 0 {
                let next = (at.get_untracked() + if back { count - 1 } else { 1 }) % count;
                at.set(next);
                show_line(matches[next]);
            }
        });
    };
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Enter" {
            event.prevent_default();
            step(event.shift_key());
        }
    };
    let keep = move |_: leptos::ev::MouseEvent| {
        file.with_untracked(|file| text.with_untracked(|text| download(file, text)));
    };
    view! {
        <div class="code-frame">
            <div class="list-tools code-tools">
                {more} <div class="code-search" on:keydown=on_key>
                    <SearchInput label=t("Search") value=query on_input=on_query />
                </div>
                {dynamic(move || {
                    query.with(|query| !query.trim().is_empty()).then(|| steps(matches, at, Callback::new(step)))
                })}
                <span class="code-buttons">
                    <CopyButton text />
                    <button type="button" class="pf-v6-c-button pf-m-secondary pf-m-small" on:click=keep>
                        <span class="pf-v6-c-button__icon pf-m-start">{icon("download")}</span>
                        <span class="pf-v6-c-button__text">{t("Download")}</span>
                    </button>
                </span>
            </div>
            {window_of(Window { label, lines, query, matches, at, frame })}
        </div>
    }
    .into_any()
}

/// How many places were found, and the ways from one to the next.
fn steps(matches: Memo<Vec<usize>>, at: RwSignal<usize>, step: Callback<bool>) -> AnyView {
    let words = move || {
        let count = matches.with(Vec::len);
        if count == 0 {
            return t("Nothing found").to_owned();
        }
        say("{at} of {n}", &[("at", &(at.get() + 1).to_string()), ("n", &count.to_string())])
    };
    let control = move |label: &'static str, name: &'static str, back: bool| {
        view! {
            <button
                type="button"
                class="pf-v6-c-button pf-m-plain pf-m-small"
                aria-label=label
                disabled=Signal::derive(move || matches.with(Vec::is_empty))
                on:click=move |_| step.run(back)
            >
                <span class="pf-v6-c-button__icon">{icon(name)}</span>
            </button>
        }
    };
    view! {
        <span class="code-steps">
            <span role="status">{dynamic(words)}</span>
            {control(t("Previous match"), "sort-up", true)}
            {control(t("Next match"), "sort-down", false)}
        </span>
    }
    .into_any()
}

#[derive(Clone, Copy)]
struct Window {
    label: &'static str,
    lines: Memo<Lines>,
    query: Memo<String>,
    matches: Memo<Vec<usize>>,
    at: RwSignal<usize>,
    frame: NodeRef<html::Div>,
}

/// The part of the text that is in sight.
fn window_of(Window { label, lines, query, matches, at, frame }: Window) -> AnyView {
    let first = RwSignal::new(0_usize);
    let on_scroll = move |_| {
        if let Some(frame) = frame.get_untracked() {
            let top = usize::try_from(frame.scroll_top() / LINE).unwrap_or(0);
            let start = (top.saturating_sub(STEP)) / STEP * STEP;
            if first.get_untracked() != start {
                first.set(start);
            }
        }
    };
    // Another text is read from its beginning.
    effect(move || {
        lines.track();
        first.set(0);
        if let Some(frame) = frame.get_untracked() {
            frame.set_scroll_top(0);
        }
    });
    let height = Signal::derive(move || format!("{}px", lines.with(Lines::len) * 20));
    // Paper has no window: all of it is drawn before it is printed.
    let on_paper = RwSignal::new(false);
    for (event, is_on) in [("beforeprint", true), ("afterprint", false)] {
        let handle = window_event_listener_untyped(event, move |_| {
            on_paper.try_set(is_on);
        });
        on_cleanup(move || handle.remove());
    }
    let range = move || {
        let count = lines.with(Lines::len);
        if count <= ALL || on_paper.get() {
            (0, count)
        } else {
            (first.get(), (first.get() + DRAWN).min(count))
        }
    };
    let range = Memo::new(range);
    let digits = Memo::new(move || lines.with(Lines::len).to_string().len());
    let offset = Signal::derive(move || format!("translateY({}px)", range.get().0 * 20));
    let current = Memo::new(move || matches.with(|matches| matches.get(at.get()).copied()));
    let drawn = move || {
        let (from, to) = range.get();
        let (query, current) = (query.get(), current.get());
        lines.with(|lines| {
            (from..to).map(|number| line_view(lines.line(number), number, query.trim(), current)).views()
        })
    };
    view! {
        <div class="code" role="region" tabindex="0" aria-label=label node_ref=frame on:scroll=on_scroll>
            <div class="code-space" style:height=height>
                <div
                    class="code-window"
                    style:transform=offset
                    style:--digits=Signal::derive(move || digits.get().to_string())
                >
                    {dynamic(drawn)}
                </div>
            </div>
        </div>
    }
    .into_any()
}

fn line_view(line: &str, number: usize, query: &str, current: Option<usize>) -> AnyView {
    let class = if current == Some(number) { "code-line code-current" } else { "code-line" };
    let pieces = pieces(line, query)
        .into_iter()
        .map(|(class, text)| {
            let text = text.to_owned();
            match class {
                Class::Plain => text.into_any(),
                Class::Key => view! { <span class="code-key">{text}</span> }.into_any(),
                Class::Comment => view! { <span class="code-comment">{text}</span> }.into_any(),
                Class::Found => view! { <mark class="code-found">{text}</mark> }.into_any(),
            }
        })
        .views();
    view! {
        <div class=class data-number=(number + 1).to_string()>
            {pieces}
        </div>
    }
    .into_any()
}
