//! The list as a table, a page at a time.

mod drawn;

use leptos::prelude::*;

use super::Context;
use super::filter::{PAGE_SIZES, Query};
use super::order::Column;
use super::row::row;
use super::tools::{focus_tools, tools};
use crate::model::ReleaseKey;
use crate::pages::sorting::sorted_by;
use crate::signals::{Memo, dynamic, keyed};
use crate::ui::button::button;
use crate::ui::element::el;
use crate::ui::pagination::{Paging, pagination};
use crate::ui::table::{Sort, hidden_head, skeleton_rows, sort_head};
use crate::words::{say, t, told};
use drawn::Drawn;

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
        set.run([sorted_by(sort.column.word(), sort.descending), vec![("page", String::new())]].concat());
    });
    let columns = if all { 10 } else { 9 };
    let mut head = el("thead.pf-v6-c-table__thead>tr.pf-v6-c-table__tr").child(hidden_head(t("Select")));
    for column in Column::ALL {
        if all || column != Column::Namespace {
            head = head.child(sort_head(column.title(), column, sort, on_sort));
        }
    }
    let drawn = Drawn::follow(context);
    let keys = move || {
        let drawn = drawn.number.get();
        hold.shown.with(|shown| shown.keys.iter().take(drawn).map(ToString::to_string).collect())
    };
    let row_of = move |key: String| {
        let Some((namespace, name)) = key.split_once('/') else { return ().into_any() };
        row(ReleaseKey::new(namespace, name), context)
    };
    let is_empty = Memo::new(move || !is_loading.get() && total.get() == 0);
    let is_long = Memo::new(move || total.get() > PAGE_SIZES[0]);
    let body = el("tbody.pf-v6-c-table__tbody")
        .on("pointerenter", move |event| hold.point(true, &event))
        .on("pointerleave", move |event| hold.point(false, &event))
        .on("focusin", move |event| hold.focus(true, &event))
        .on("focusout", move |event| hold.focus(false, &event))
        .child(dynamic(move || is_loading.get().then(|| skeleton_rows(8, columns))))
        .child(keyed(keys, row_of))
        .child(dynamic(move || is_empty.get().then(|| nothing_found(columns, context))));
    // The columns have the same width on every page: nothing moves sideways, and a row costs no look at all others.
    let mut widths = el("colgroup").child(el("col.col-check"));
    for column in Column::ALL {
        if all || column != Column::Namespace {
            widths = widths.child(el("col").attr("class", column.class()));
        }
    }
    let table = el("table.pf-v6-c-table.pf-m-grid-lg.pf-m-compact.releases")
        .attr("aria-label", t("Helm releases"))
        .follow("aria-busy", move || Some(is_loading.get().to_string()))
        .follow("aria-rowcount", move || drawn.row_count())
        .child(widths.child(el("col.col-action")))
        .child(head.child(hidden_head(t("Actions"))))
        .child(body);
    let foot = dynamic(move || {
        is_long
            .get()
            .then(|| el("div.list-tools.list-foot").child(pagination(paging, t("Pages, below the list"))))
    });
    vec![tools(context, paging), table.done(), drawn.rest(), foot].into_any()
}

fn nothing_found(columns: usize, context: Context) -> AnyView {
    let Context { query, set, asked, .. } = context;
    let is_unknown = Memo::new(move || query.with(|query| query.update) && asked.error.with(Option::is_some));
    let content = move || {
        let act: Box<dyn Fn()>;
        let (text, words);
        if is_unknown.get() {
            let why = asked.error.get().map(|error| told(&error.to_string())).unwrap_or_default();
            text = say("Which charts have a newer version is not known: {error}", &[("error", &why)]);
            (words, act) = (t("Try again"), Box::new(move || asked.retry()));
        } else {
            text = t("No Helm releases match the filters.").to_owned();
            words = t("Clear all filters");
            act = Box::new(move || {
                set.run(Query::cleared());
                focus_tools();
            });
        }
        let button = button("pf-v6-c-button pf-m-link pf-m-inline", words, act);
        vec![el("p").child(text).done(), button].into_any()
    };
    let cell = el("td.pf-v6-c-table__td.nothing-found").attr("colspan", &columns.to_string());
    el("tr.pf-v6-c-table__tr").child(cell.child(dynamic(content))).done()
}
