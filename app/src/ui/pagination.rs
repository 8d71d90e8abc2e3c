//! Long lists, a page at a time.

use leptos::prelude::*;

use super::dropdown::{Dropdown, Look, MenuChoice, menu_list};
use super::element::{Element, el};
use super::icon::icon;
use crate::signals::{Memo, dynamic};
use crate::words::{phrase, say, t};

/// Where a list is, and what changes that.
#[derive(Clone, Copy)]
pub struct Paging {
    /// The page shown, from 0.
    pub page: Memo<usize>,
    /// How many items there are on all pages.
    pub total: Memo<usize>,
    /// How many items a page has.
    pub size: Memo<usize>,
    /// How many it can have.
    pub sizes: &'static [usize],
    /// Another page was chosen.
    pub on_page: Callback<usize>,
    /// Another size was chosen.
    pub on_size: Callback<usize>,
}

/// A way to another page.
#[derive(Clone, Copy)]
enum To {
    First,
    Previous,
    Next,
    Last,
}

impl Paging {
    /// Where a way leads; none if that is here.
    fn way(self, to: To) -> Option<usize> {
        let page = self.page.get();
        let last = self.total.get().saturating_sub(1) / self.size.get().max(1);
        let to = match to {
            To::First => 0,
            To::Previous => page.saturating_sub(1),
            To::Next => (page + 1).min(last),
            To::Last => last,
        };
        (to != page).then_some(to)
    }
}

/// Which items are shown, how many there are on a page, and the ways to the other pages; `label` names these among others.
pub fn pagination(paging: Paging, label: &'static str) -> AnyView {
    let control = move |word: &'static str, name: &'static str, to: To| -> Element {
        let button = el("button.pf-v6-c-button.pf-m-plain>span.pf-v6-c-button__icon")
            .attr("type", "button")
            .attr("aria-label", word)
            .prop("disabled", move || paging.way(to).is_none())
            .on("click", move |_| {
                if let Some(to) = untrack(|| paging.way(to)) {
                    paging.on_page.run(to);
                }
            })
            .child(icon(name));
        el("div.pf-v6-c-pagination__nav-control").child(button)
    };
    let range = move || {
        let (page, size, total) = (paging.page.get(), paging.size.get(), paging.total.get());
        let first = (page * size + 1).min(total).to_string();
        let last = ((page + 1) * size).min(total).to_string();
        let bold = |text: String| el("b").child(text).done();
        let range = bold([&first, " – ", &last].concat());
        phrase("{range} of {total}", vec![("range", range), ("total", bold(total.to_string()))])
    };
    let sizes = move || {
        let mut all = Vec::new();
        for size in paging.sizes {
            let text = say("{n} per page", &[("n", &size.to_string())]);
            let selected = paging.size.get_untracked() == *size;
            let item = view! { <MenuChoice text selected on_choose=move || paging.on_size.run(*size) /> };
            all.push(item.into_any());
        }
        menu_list(all)
    };
    let menu = view! {
        <Dropdown look=Look::Text align_end=true toggle=move || dynamic(range)>{sizes()}</Dropdown>
    };
    el("div.pf-v6-c-pagination")
        .child(menu.into_any())
        .child(
            el("nav.pf-v6-c-pagination__nav")
                .attr("aria-label", label)
                .child(control(t("First page"), "angle-first", To::First))
                .child(control(t("Previous page"), "angle-left", To::Previous))
                .child(control(t("Next page"), "angle-right", To::Next))
                .child(control(t("Last page"), "angle-last", To::Last)),
        )
        .done()
}
