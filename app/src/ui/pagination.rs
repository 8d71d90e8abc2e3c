//! Long lists, a page at a time.

use leptos::prelude::*;

use super::dropdown::{Dropdown, Look, MenuChoice, MenuList};
use super::icon::icon;
use crate::signals::{Memo, Views, dynamic};
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

impl Paging {
    fn last(self) -> usize {
        self.total.get().saturating_sub(1) / self.size.get().max(1)
    }
}

/// Which items are shown, how many there are on a page, and the ways to the other pages.
pub fn pagination(paging: Paging) -> AnyView {
    let control = move |label: &'static str, name: &'static str, to: fn(Paging) -> Option<usize>| {
        view! {
            <div class="pf-v6-c-pagination__nav-control">
                <button
                    type="button"
                    class="pf-v6-c-button pf-m-plain"
                    aria-label=label
                    disabled=Signal::derive(move || to(paging).is_none())
                    on:click=move |_| {
                        if let Some(to) = untrack(|| to(paging)) {
                            paging.on_page.run(to);
                        }
                    }
                >
                    <span class="pf-v6-c-button__icon">{icon(name)}</span>
                </button>
            </div>
        }
    };
    let range = move || {
        let (page, size, total) = (paging.page.get(), paging.size.get(), paging.total.get());
        let first = (page * size + 1).min(total).to_string();
        let last = ((page + 1) * size).min(total).to_string();
        let range = [&first, " – ", &last].concat();
        let bold = |text: String| view! { <b>{text}</b> }.into_any();
        phrase("{range} of {total}", vec![("range", bold(range)), ("total", bold(total.to_string()))])
    };
    let sizes = move || {
        paging
            .sizes
            .iter()
            .map(|size| {
                let text = say("{n} per page", &[("n", &size.to_string())]);
                let selected = paging.size.get_untracked() == *size;
                view! { <MenuChoice text selected on_choose=move || paging.on_size.run(*size) /> }.into_any()
            })
            .views()
    };
    let back = |paging: Paging| paging.page.get().checked_sub(1);
    let on = |paging: Paging| (paging.page.get() < paging.last()).then(|| paging.page.get() + 1);
    view! {
        <div class="pf-v6-c-pagination">
            <Dropdown look=Look::Text align_end=true toggle=move || dynamic(range)>
                <MenuList>{sizes()}</MenuList>
            </Dropdown>
            <nav class="pf-v6-c-pagination__nav" aria-label=t("Pages")>
                {control(t("First page"), "angle-first", |paging| (paging.page.get() > 0).then_some(0))}
                {control(t("Previous page"), "angle-left", back)} {control(t("Next page"), "angle-right", on)}
                {control(t("Last page"), "angle-last", |paging| {
                    let last = paging.last();
                    (paging.page.get() < last).then_some(last)
                })}
            </nav>
        </div>
    }
    .into_any()
}
