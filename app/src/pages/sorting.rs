//! How a table is sorted, in its address: `sort=name&dir=desc`.

use std::cmp::Ordering;

use leptos::prelude::*;

use crate::ui::dropdown::{Dropdown, Look, MenuChoice, menu_divider, menu_list};
use crate::ui::element::el;
use crate::ui::icon::icon;
use crate::ui::table::Sort;
use crate::words::t;

/// The name of the column in an address.
const SORT: &str = "sort";
/// The name of the direction.
const DIRECTION: &str = "dir";
const DESCENDING: &str = "desc";

/// The order that an address asks for, by its values: that of the one of `columns` that has its word there, else of `first`.
pub fn sort_in<C: Copy>(
    value: impl Fn(&str) -> String,
    columns: &[C],
    word: fn(C) -> &'static str,
    first: C,
) -> Sort<C> {
    let asked = value(SORT);
    let column = columns.iter().copied().find(|column| word(*column) == asked).unwrap_or(first);
    Sort { column, descending: value(DIRECTION) == DESCENDING }
}

/// The changes to an address that sort by the column of that word.
pub fn sorted_by(word: &'static str, descending: bool) -> Vec<(&'static str, String)> {
    let direction = if descending { DESCENDING } else { "" };
    vec![(SORT, word.to_owned()), (DIRECTION, direction.to_owned())]
}

/// The places of `count` things in their order: one compiled copy of the sorting, for things of all types.
pub fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_unstable_by(|a, b| compare(*a, *b));
    places
}

/// The order as a menu, where the heads of the columns are not shown. `columns` are their words and titles, and `now` is the
/// word of the one that sorts, and the direction.
pub fn order_menu(
    columns: Vec<(&'static str, &'static str)>,
    now: Signal<(&'static str, bool)>,
    set: Callback<Vec<(&'static str, String)>>,
) -> AnyView {
    let title = {
        let columns = columns.clone();
        move || {
            let now = now.get().0;
            columns.iter().find(|(word, _)| *word == now).map(|(_, title)| (*title).to_owned())
        }
    };
    let face = move || {
        el("span.toggle-filter")
            .child(icon("sort"))
            .child(el("span.pf-v6-screen-reader").child(t("Order")))
            .telling(title.clone())
            .done()
    };
    let choice = move |text: &'static str, selected: bool, word: &'static str, descending: bool| {
        let on_choose = move || set.run(sorted_by(word, descending));
        view! { <MenuChoice text selected on_choose /> }.into_any()
    };
    let items = move || {
        let (word, descending) = untrack(|| now.get());
        let columns = columns.iter().map(|(one, title)| choice(title, *one == word, one, descending));
        let mut items: Vec<AnyView> = columns.collect();
        items.push(menu_divider());
        items.push(choice(t("Ascending"), !descending, word, false));
        items.push(choice(t("Descending"), descending, word, true));
        menu_list(items)
    };
    let menu = view! { <Dropdown look=Look::Framed toggle=face>{items()}</Dropdown> };
    el("span.narrow-only").child(menu.into_any()).done()
}
