//! The list as a table, a page at a time.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;

use super::Context;
use super::filter::{PAGE_SIZES, Query};
use super::order::Column;
use super::row::row;
use super::tools::{focus_tools, tools};
use crate::model::ReleaseKey;
use crate::signals::{Memo, Views, dynamic, effect, keyed};
use crate::ui::button::button;
use crate::ui::pagination::{Paging, pagination};
use crate::ui::table::{Sort, hidden_head, skeleton_rows, sort_head};
use crate::words::{say, t, told};

/// How many rows of a long page are drawn at first, and how many more in each frame: so many take less than the eye sees.
const FIRST: usize = 50;
const MORE: usize = 10;

/// The tools and the table.
pub fn table(context: Context) -> AnyView {
    let Context { list, query, set, hold, all, asked, .. } = context;
    // Without the answer about updates nothing can be said of what has one.
    let is_loading =
        Memo::new(move || list.is_loading() || query.with(|query| query.update) && asked.is_loading());
    let total = Memo::new(move || hold.shown.with(|shown| shown.total));
    let paging = Paging {
        page: Memo::new(move || hold.shown.with(|shown| shown.page)),
        total,
        size: Memo::new(move || query.with(|query| query.page_size)),
        sizes: &PAGE_SIZES,
        on_page: Callback::new(move |page: usize| set.run(vec![("page", (page + 1).to_string())])),
        on_size: Callback::new(move |size: usize| {
            set.run(vec![("per-page", size.to_string()), ("page", String::new())]);
        }),
    };
    let sort = Signal::derive(move || query.with(|query| query.sort));
    let on_sort = Callback::new(move |sort: Sort<Column>| {
        let direction = if sort.descending { "desc" } else { "" };
        set.run(vec![
            ("sort", sort.column.word().to_owned()),
            ("dir", direction.to_owned()),
            ("page", String::new()),
        ]);
    });
    let columns = if all { 10 } else { 9 };
    let heads = Column::ALL
        .into_iter()
        .filter(|column| all || *column != Column::Namespace)
        .map(|column| sort_head(column.title(), column, sort, on_sort))
        .views();
    let drawn = drawn(context);
    let rows = NodeRef::<html::Tbody>::new();
    view! {
        {tools(context, paging)}
        <table
            class="pf-v6-c-table pf-m-grid-lg pf-m-compact releases"
            aria-label=t("Helm releases")
            aria-busy=Signal::derive(move || is_loading.get().to_string())
        >
            <thead class="pf-v6-c-table__thead">
                <tr class="pf-v6-c-table__tr">{hidden_head(t("Select"))} {heads} {hidden_head(t("Actions"))}</tr>
            </thead>
            <tbody
                class="pf-v6-c-table__tbody"
                node_ref=rows
                on:pointerenter=move |_| hold.point(true, rows)
                on:pointerleave=move |_| hold.point(false, rows)
                on:focusin=move |_| hold.focus(true, None, rows)
                on:focusout=move |event: ev::FocusEvent| hold.focus(false, event.related_target(), rows)
            >
                {dynamic(move || is_loading.get().then(|| skeleton_rows(8, columns)))}
                {keyed(
                    move || {
                        let drawn = drawn.get();
                        hold.shown.with(|shown| shown.keys.iter().take(drawn).map(ToString::to_string).collect())
                    },
                    move |key| {
                        let Some((namespace, name)) = key.split_once('/') else { return ().into_any() };
                        row(ReleaseKey::new(namespace, name), context)
                    },
                )}
                {dynamic(move || (!is_loading.get() && total.get() == 0).then(|| nothing_found(columns, context)))}
            </tbody>
        </table>
        {dynamic(move || {
            (total.get() > PAGE_SIZES[0])
                .then(|| view! { <div class="list-tools list-foot">{pagination(paging)}</div> })
        })}
    }
    .into_any()
}

/// How many rows of the page are drawn: a long one comes in pieces, so that nothing waits for the last of them.
fn drawn(context: Context) -> Memo<usize> {
    let Context { query, hold, .. } = context;
    let reached: RwSignal<Option<(Query, usize)>> = RwSignal::new(None);
    let drawn = Memo::new(move || {
        query.with(|query| {
            reached.with(|reached| match reached {
                Some((asked, number)) if asked == query => *number,
                _ => FIRST,
            })
        })
    });
    effect(move || {
        let (drawn, query) = (drawn.get(), query.get());
        if hold.shown.with(|shown| shown.keys.len() > drawn) {
            request_animation_frame(move || {
                reached.try_set(Some((query, drawn + MORE)));
            });
        }
    });
    drawn
}

fn nothing_found(columns: usize, context: Context) -> AnyView {
    let Context { query, set, asked, .. } = context;
    let is_unknown = Memo::new(move || query.with(|query| query.update) && asked.error.with(Option::is_some));
    let content = move || {
        if !is_unknown.get() {
            let clear = move || {
                set.run(Query::cleared());
                focus_tools();
            };
            return view! {
                <p>{t("No Helm releases match the filters.")}</p>
                {button("pf-v6-c-button pf-m-link pf-m-inline", t("Clear all filters"), clear)}
            }
            .into_any();
        }
        let why = asked.error.get().map(|error| told(&error.to_string())).unwrap_or_default();
        view! {
            <p>{say("Which charts have a newer version is not known: {error}", &[("error", &why)])}</p>
            {button("pf-v6-c-button pf-m-link pf-m-inline", t("Try again"), move || asked.retry())}
        }
        .into_any()
    };
    view! {
        <tr class="pf-v6-c-table__tr">
            <td class="pf-v6-c-table__td nothing-found" colspan=columns.to_string()>
                {dynamic(content)}
            </td>
        </tr>
    }
    .into_any()
}
