//! Parts of tables.

use crate::signals::{Memo, Views, dynamic};
use leptos::prelude::*;

use super::element::el;
use super::icon::icon;

/// Which column a table is sorted by, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort<C> {
    /// The column.
    pub column: C,
    /// The largest first.
    pub descending: bool,
}

/// A column's head that sorts the table.
pub fn sort_head<C: Copy + PartialEq + Send + Sync + 'static>(
    title: &'static str,
    column: C,
    sort: Signal<Sort<C>>,
    on_sort: Callback<Sort<C>>,
) -> AnyView {
    let direction = Memo::new(move || {
        let sort = sort.get();
        (sort.column == column).then_some(sort.descending)
    });
    sort_head_of(title, direction, Box::new(move |descending| on_sort.run(Sort { column, descending })))
}

fn sort_head_of(title: &'static str, direction: Memo<Option<bool>>, on_sort: Box<dyn Fn(bool)>) -> AnyView {
    let class = move || {
        Some(match direction.get() {
            Some(_) => "pf-v6-c-table__th pf-v6-c-table__sort pf-m-selected".to_owned(),
            None => "pf-v6-c-table__th pf-v6-c-table__sort".to_owned(),
        })
    };
    let arrow = move || match direction.get() {
        Some(true) => icon("sort-down"),
        Some(false) => icon("sort-up"),
        None => icon("sort"),
    };
    let aria = move || {
        Some(match direction.get() {
            Some(true) => "descending".to_owned(),
            Some(false) => "ascending".to_owned(),
            None => "none".to_owned(),
        })
    };
    let button = el("button.pf-v6-c-table__button>span.pf-v6-c-table__button-content")
        .attr("type", "button")
        .on("click", move |_| on_sort(direction.get_untracked() == Some(false)))
        .child(el("span.pf-v6-c-table__text").child(title))
        .child(el("span.pf-v6-c-table__sort-indicator").child(dynamic(arrow)));
    el("th").attr("scope", "col").follow("class", class).follow("aria-sort", aria).child(button).done()
}

/// A column's head that only names it.
pub fn plain_head(title: &'static str) -> AnyView {
    view! { <th class="pf-v6-c-table__th" scope="col">{title}</th> }.into_any()
}

/// The head of a column of buttons, whose name is not shown.
pub fn hidden_head(title: &'static str) -> AnyView {
    view! {
        <td class="pf-v6-c-table__td">
            <span class="pf-v6-screen-reader">{title}</span>
        </td>
    }
    .into_any()
}

/// A cell; on a narrow screen it carries its column's name.
pub fn cell(column: &'static str, content: impl IntoAny) -> AnyView {
    view! { <td class="pf-v6-c-table__td" data-label=column>{content.into_any()}</td> }.into_any()
}

/// A [`cell`] with a class of its own.
pub fn cell_of(class: &'static str, column: &'static str, content: impl IntoAny) -> AnyView {
    let class = ["pf-v6-c-table__td ", class].concat();
    el("td").attr("class", &class).attr("data-label", column).child(content.into_any()).done()
}

/// A text, or a dash where there is none.
pub fn or_dash(text: Option<String>) -> AnyView {
    match text.filter(|text| !text.is_empty()) {
        Some(text) => text.into_any(),
        None => view! { <span class="nothing">"–"</span> }.into_any(),
    }
}

/// Rows in the place of rows.
pub fn skeleton_rows(rows: usize, columns: usize) -> AnyView {
    let cells = move || {
        (0..columns)
            .map(|_| view! { <td class="pf-v6-c-table__td"><div class="pf-v6-c-skeleton"></div></td> })
            .views()
    };
    (0..rows)
        .map(|_| view! { <tr class="pf-v6-c-table__tr" aria-hidden="true">{cells()}</tr> })
        .views()
        .into_any()
}
