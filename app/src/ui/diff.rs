//! What differs between two texts, or between the objects of two manifests, as the server compared them.

mod lines;

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::model::{ComparedPart, Comparison, PartChange, Tone};
use crate::signals::{Views, dynamic};
use crate::ui::alert::Alert;
use crate::ui::button::button;
use crate::ui::label::plain_label;
use crate::ui::toolbar::ToggleGroup;
use crate::words::{count, t};
use lines::{Line, Mark, lines, sides};

/// As many changed lines are shown at once; of more, each part waits to be opened.
const OPEN_MAX: u32 = 400;

/// The difference: a summary, and each part with its lines, one below the other or side by side.
pub fn comparison(comparison: &Comparison) -> AnyView {
    let Comparison { parts, unchanged, left_out, .. } = comparison;
    let same = (*unchanged > 0).then(|| {
        let words = count(*unchanged as usize, "{n} object stays as it is.", "{n} objects stay as they are.");
        view! { <span class="note">{words}</span> }
    });
    if parts.is_empty() && *left_out == 0 {
        return view! {
            <p class="diff-none">
                {t("There are no differences.")} " " {same}
            </p>
        }
        .into_any();
    }
    let left_out = (*left_out > 0).then(|| {
        let words = count(*left_out as usize, "{n} difference is left out.", "{n} differences are left out.");
        view! {
            <Alert tone=Tone::Warning title=words>
                {t("There is more than a page can show.")}
            </Alert>
        }
    });
    let (added, removed) = parts.iter().fold((0, 0), |(a, r), part| (a + part.added, r + part.removed));
    let is_short = added + removed <= OPEN_MAX;
    let look = RwSignal::new(UNIFIED.to_owned());
    let parts = parts.iter().cloned().map(|part| part_view(part, is_short, look)).views();
    let looks = vec![(UNIFIED, t("Unified")), (SIDES, t("Side by side"))];
    let choose = Callback::new(move |chosen: &'static str| look.set(chosen.to_owned()));
    view! {
        <div class="diff">
            <div class="diff-head">
                <span class="diff-counts">{counts(added, removed)}</span>
                {same}
                <div class="diff-looks">
                    <ToggleGroup label=t("Layout") options=looks value=look on_change=choose />
                </div>
            </div>
            {left_out}
            {parts}
        </div>
    }
    .into_any()
}

const UNIFIED: &str = "unified";
const SIDES: &str = "sides";

fn counts(added: u32, removed: u32) -> AnyView {
    let added_words = count(added as usize, "{n} line added", "{n} lines added");
    let removed_words = count(removed as usize, "{n} line removed", "{n} lines removed");
    view! {
        <span class="diff-plus">
            <span aria-hidden="true">{format!("+{added}")}</span>
            <span class="pf-v6-screen-reader">{added_words}</span>
        </span>
        " "
        <span class="diff-minus">
            <span aria-hidden="true">{format!("−{removed}")}</span>
            <span class="pf-v6-screen-reader">{removed_words}</span>
        </span>
    }
    .into_any()
}

/// One part. Its lines are drawn when it is opened; those with secrets, when they are asked for besides.
fn part_view(part: ComparedPart, is_short: bool, look: RwSignal<String>) -> AnyView {
    let ComparedPart { title, source, is_hook, is_sensitive, change, added, removed, unified, is_cut } = part;
    // A text as a whole has no name, and nothing to fold.
    if title.is_empty() {
        return lines_view(unified.into(), is_cut, look);
    }
    let word = match change {
        PartChange::Added => t("Added"),
        PartChange::Removed => t("Removed"),
        PartChange::Changed => t("Changed"),
    };
    let opened = RwSignal::new(is_short && !is_sensitive);
    let revealed = RwSignal::new(!is_sensitive);
    let unified: Arc<str> = unified.into();
    let body = move || {
        opened.get().then(|| {
            if revealed.get() {
                lines_view(unified.clone(), is_cut, look)
            } else {
                let reveal = button("pf-v6-c-button pf-m-link pf-m-inline", t("Reveal values"), move || {
                    revealed.set(true);
                });
                view! { <p class="diff-secret">{t("It holds secrets in clear.")} " " {reveal}</p> }.into_any()
            }
        })
    };
    view! {
        <details
            class="diff-part"
            open=opened.get_untracked()
            on:toggle=move |event| {
                        let details = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
                if details.is_some_and(|it| it.has_attribute("open")) {
                    opened.set(true);
                }
            }
        >
            <summary>
                <span class="diff-title">{title}</span>
                {(!source.is_empty()).then(|| view! { <span class="note">{source}</span> })}
                {is_hook.then(|| plain_label(t("Hook").to_owned()))}
                {plain_label(word.to_owned())}
                <span class="diff-counts">{counts(added, removed)}</span>
            </summary>
            {dynamic(body)}
        </details>
    }
    .into_any()
}

fn lines_view(unified: Arc<str>, is_cut: bool, look: RwSignal<String>) -> AnyView {
    let table = move || {
        let lines = lines(&unified);
        if look.with(|look| look == SIDES) {
            let rows = sides(&lines).into_iter().map(|(left, right)| sides_row(left, right)).views();
            view! {
               <table class="diff-lines">
                   <colgroup>
                       <col class="diff-number" />
                       <col />
                       <col class="diff-number" />
                       <col />
                   </colgroup>
                   <tbody>{rows}</tbody>
               </table>
            }
            .into_any()
        } else {
            let rows = lines.into_iter().map(unified_row).views();
            view! {
               <table class="diff-lines">
                   <colgroup>
                       <col class="diff-number" />
                       <col class="diff-number" />
                       <col />
                   </colgroup>
                   <tbody>{rows}</tbody>
               </table>
            }
            .into_any()
        }
    };
    let cut = is_cut.then(|| {
        view! { <p class="note">{t("The rest of the difference is too long to be shown.")}</p> }
    });
    view! {
        <div class="diff-body">
            {dynamic(table)}
            {cut}
        </div>
    }
    .into_any()
}

fn unified_row(line: Line<'_>) -> AnyView {
    if line.mark == Mark::Gap {
        return gap_row(line.text, 3);
    }
    view! {
        <tr class=class(line.mark)>
            {number(line.old)}
            {number(line.new)}
            {content(line)}
        </tr>
    }
    .into_any()
}

fn sides_row(left: Option<Line<'_>>, right: Option<Line<'_>>) -> AnyView {
    let side = |line: Option<Line<'_>>, is_left: bool| match line {
        Some(line) => {
            let at = if is_left { line.old } else { line.new };
            let is_same = line.mark == Mark::Same;
            let class = if is_same { "" } else { class(line.mark) };
            view! {
                {number(at)}
                <td class=class>{text_view(line)}</td>
            }
            .into_any()
        }
        None => view! {
            <td class="diff-number"></td>
            <td class="diff-nothing"></td>
        }
        .into_any(),
    };
    match left {
        Some(line) if line.mark == Mark::Gap => gap_row(line.text, 4),
        _ => view! { <tr>{side(left, true)} {side(right, false)}</tr> }.into_any(),
    }
}

fn gap_row(text: &str, columns: u32) -> AnyView {
    view! {
        <tr class="diff-gap">
            <td colspan=columns.to_string()>{text.to_owned()}</td>
        </tr>
    }
    .into_any()
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Added => "diff-added",
        Mark::Removed => "diff-removed",
        Mark::Same | Mark::Gap => "",
    }
}

fn number(number: Option<u32>) -> AnyView {
    let number = number.map(|number| number.to_string()).unwrap_or_default();
    view! { <td class="diff-number">{number}</td> }.into_any()
}

fn content(line: Line<'_>) -> AnyView {
    view! { <td>{text_view(line)}</td> }.into_any()
}

/// The sign is a text of its own, so that it is read, and is not part of what is copied of the line's words.
fn text_view(line: Line<'_>) -> AnyView {
    let sign = match line.mark {
        Mark::Added => "+",
        Mark::Removed => "−",
        Mark::Same | Mark::Gap => " ",
    };
    view! {
        <span class="diff-sign">{sign}</span>
        <span class="diff-text">{line.text.to_owned()}</span>
    }
    .into_any()
}
