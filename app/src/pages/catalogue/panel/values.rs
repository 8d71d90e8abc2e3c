//! A chart's `values.yaml`, to be read and searched.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use crate::pages::query::{query_setter, query_value};
use crate::signals::{Memo, Views, dynamic, effect};
use crate::ui::icon::icon;
use crate::ui::text::CopyButton;
use crate::ui::toolbar::SearchInput;
use crate::words::{say, t};

/// The most places that are marked; who finds more looks for something longer.
const MARKED_MAX: usize = 500;

/// The text with its search.
pub fn values(text: String) -> AnyView {
    if text.trim().is_empty() {
        return view! { <p class="nothing">{t("This chart has no values.")}</p> }.into_any();
    }
    let (find, set) = (query_value("find"), query_setter());
    let text = StoredValue::new(text);
    let found = Memo::new(move || text.with_value(|text| find.with(|find| places(text, find))));
    let length = Memo::new(move || find.with(String::len));
    let at = RwSignal::new(0_usize);
    effect(move || {
        found.track();
        at.set(0);
    });
    let many = Memo::new(move || found.with(Vec::len));
    let step = move |forward: bool| {
        let many = many.get_untracked();
        if many > 0 {
            at.update(|at| *at = (*at + if forward { 1 } else { many - 1 }) % many);
        }
    };
    effect(move || {
        at.track();
        found.track();
        request_animation_frame(show_current);
    });
    let counted = move || match (many.get(), find.with(String::is_empty)) {
        (_, true) => String::new(),
        (0, _) => t("No matches").to_owned(),
        (many, _) => {
            let all = if many == MARKED_MAX { format!("{many}+") } else { many.to_string() };
            say("{n} of {all}", &[("n", &(at.get() + 1).to_string()), ("all", &all)])
        }
    };
    let marked = move || {
        text.with_value(|text| {
            let mut parts = Vec::new();
            let mut done = 0;
            for (number, place) in found.get().into_iter().enumerate() {
                let end = place + length.get_untracked();
                let (Some(before), Some(word)) = (text.get(done..place), text.get(place..end)) else {
                    continue;
                };
                let class = move || if at.get() == number { "match match-current" } else { "match" };
                parts.push(before.to_owned().into_any());
                parts.push(view! { <mark class=class>{word.to_owned()}</mark> }.into_any());
                done = end;
            }
            parts.push(text.get(done..).unwrap_or_default().to_owned().into_any());
            parts.into_iter().views()
        })
    };
    let keys = move |event: web_sys::KeyboardEvent| {
        let is_text = event.target().is_some_and(|it| it.has_type::<web_sys::HtmlInputElement>());
        if is_text && event.key() == "Enter" && !event.is_composing() {
            step(!event.shift_key());
        }
    };
    let step_button = move |label: &'static str, name: &'static str, forward: bool| {
        view! {
            <button
                type="button"
                class="pf-v6-c-button pf-m-plain"
                aria-label=label
                prop:disabled=move || many.get() == 0
                on:click=move |_| step(forward)
            >
                <span class="pf-v6-c-button__icon">{icon(name)}</span>
            </button>
        }
    };
    view! {
        <div class="list-tools" on:keydown=keys>
            <SearchInput
                label=t("Find in values")
                value=find
                on_input=Callback::new(move |text| set.run(vec![("find", text)]))
            />
            {step_button(t("Previous match"), "sort-up", false)}
            {step_button(t("Next match"), "sort-down", true)} <span class="note" role="status">
                {dynamic(counted)}
            </span>
            <CopyButton text=Signal::derive(move || text.get_value()) />
        </div>
        <pre class="text values-text" tabindex="0" role="region" aria-label=t("Default values, YAML")>
            {dynamic(marked)}
        </pre>
    }
    .into_any()
}

/// Where `find` is in `text`, whatever the case of its ASCII letters.
fn places(text: &str, find: &str) -> Vec<usize> {
    if find.is_empty() {
        return Vec::new();
    }
    let (text, find) = (text.to_ascii_lowercase(), find.to_ascii_lowercase());
    text.match_indices(&find).map(|(at, _)| at).take(MARKED_MAX).collect()
}

fn show_current() {
    if let Ok(Some(mark)) = document().query_selector(".match-current") {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        mark.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn a_text_is_found_whatever_its_case() {
        assert_eq!(places("Replicas: 1\nreplicas: 2\n", "REPLICAS"), [0, 12]);
        assert_eq!(places("ü: Ü", "ü"), [0]);
        assert!(places("a", "").is_empty() && places("", "a").is_empty());
        assert_eq!(places(&"a".repeat(2000), "a").len(), super::MARKED_MAX);
    }
}
