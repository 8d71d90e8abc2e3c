//! A chart's `values.yaml`, to be read and searched.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use crate::pages::query::{query_setter, query_value};
use crate::signals::{Memo, Views, dynamic, effect};
use crate::ui::markup::{Part, class, live, markup, press};
use crate::ui::text::CopyButton;
use crate::ui::toolbar::SearchInput;
use crate::words::{say, t};

/// The most places that are marked; who finds more looks for something longer.
const MARKED_MAX: usize = 500;

/// The text with its search.
pub fn values(text: String) -> AnyView {
    if text.trim().is_empty() {
        return markup(r#"<p class="nothing"><!></p>"#, vec![Part::Word(t("This chart has no values."))]);
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
                let mark = class(move || if at.get() == number { "match match-current" } else { "match" });
                parts.push(before.to_owned().into_any());
                parts.push(markup("<mark x><!></mark>", vec![mark, Part::Text(word.to_owned())]));
                done = end;
            }
            parts.push(text.get(done..).unwrap_or_default().to_owned().into_any());
            parts.into_iter().views()
        })
    };
    let keys = move |event: web_sys::Event| {
        let is_text = event.target().is_some_and(|it| it.has_type::<web_sys::HtmlInputElement>());
        if let (true, Some(event)) = (is_text, event.dyn_ref::<web_sys::KeyboardEvent>())
            && event.key() == "Enter"
            && !event.is_composing()
        {
            step(!event.shift_key());
        }
    };
    let search = view! {
        <SearchInput
            label=t("Find in values")
            value=find
            on_input=Callback::new(move |text| set.run(vec![("find", text)]))
        />
    };
    let copy = view! { <CopyButton text=Signal::derive(move || text.get_value()) /> };
    let tools = markup(
        r##"<div class="list-tools" x><!><button type="button" class="pf-v6-c-button pf-m-plain" x><span class="pf-v6-c-button__icon"><svg class="pf-v6-svg" viewBox="0 0 32 32" aria-hidden="true"><use href="#i-sort-up"></use></svg></span></button><button type="button" class="pf-v6-c-button pf-m-plain" x><span class="pf-v6-c-button__icon"><svg class="pf-v6-svg" viewBox="0 0 32 32" aria-hidden="true"><use href="#i-sort-down"></use></svg></span></button><span class="note" role="status"><!></span><!></div>"##,
        vec![
            Part::On("keydown", Box::new(keys)),
            Part::View(search.into_any()),
            Part::Set("aria-label", t("Previous match").to_owned()),
            Part::Switch("disabled", Box::new(move || many.get() == 0)),
            press(move || step(false)),
            Part::Mark,
            Part::Set("aria-label", t("Next match").to_owned()),
            Part::Switch("disabled", Box::new(move || many.get() == 0)),
            press(move || step(true)),
            live(counted),
            Part::View(copy.into_any()),
        ],
    );
    let content = markup(
        r#"<pre class="text values-text" tabindex="0" role="region" x><!></pre>"#,
        vec![Part::Set("aria-label", t("Default values, YAML").to_owned()), Part::View(dynamic(marked))],
    );
    [tools, content].into_iter().views().into_any()
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
