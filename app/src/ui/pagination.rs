//! Long lists, a page at a time.

use leptos::prelude::*;

use crate::signals::dynamic;

use super::icon::icon;

/// How many rows a page of a table has.
pub const PAGE_SIZE: usize = 50;

/// Where the list is, and the way to the next and the previous page. Nothing at all for a list of one page.
#[component]
pub fn Pagination(
    /// The page shown, from 0.
    #[prop(into)]
    page: Signal<usize>,
    /// How many items there are on all pages.
    #[prop(into)]
    total: Signal<usize>,
    /// Another page was chosen.
    on_page: Callback<usize>,
) -> impl IntoView {
    dynamic(move || {
        let (page, total) = (page.get(), total.get());
        let (first, last) = (page * PAGE_SIZE, ((page + 1) * PAGE_SIZE).min(total));
        let control = move |label: &'static str, name, to: Option<usize>| {
            view! {
                <div class="pf-v6-c-pagination__nav-control">
                    <button
                        type="button"
                        class="pf-v6-c-button pf-m-plain"
                        aria-label=label
                        disabled=to.is_none()
                        on:click=move |_| if let Some(to) = to { on_page.run(to) }
                    >
                        <span class="pf-v6-c-button__icon">{icon(name)}</span>
                    </button>
                </div>
            }
        };
        (total > PAGE_SIZE).then(|| {
            view! {
                <div class="pf-v6-c-pagination">
                    <span class="page-range">
                        <b>{format!("{} – {last}", first + 1)}</b>
                        " of "
                        <b>{total}</b>
                    </span>
                    <nav class="pf-v6-c-pagination__nav" aria-label="Pages">
                        {control("Previous page", "angle-left", page.checked_sub(1))}
                        {control("Next page", "angle-right", (last < total).then_some(page + 1))}
                    </nav>
                </div>
            }
        })
    })
}
