//! What is above the list: the filters, what was chosen of them, and what can be done with the chosen releases.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::Context;
use super::filter::{Facet, Query};
use super::order::Column;
use super::status::Status;
use crate::pages::sorting::order_menu;
use crate::signals::{Memo, dynamic};
use crate::ui::button::button;
use crate::ui::element::el;
use crate::ui::filter::{Choice, Choices, Labels, badge, filter_menu, label_group};
use crate::ui::icon::icon;
use crate::ui::pagination::{Paging, pagination};
use crate::ui::toolbar::SearchInput;
use crate::words::{count, say, t};

/// The tools.
pub fn tools(context: Context, paging: Paging) -> AnyView {
    let Context { query, set, hold, .. } = context;
    let name = Signal::derive(move || query.with(|query| query.name.clone()));
    let is_open = RwSignal::new(false);
    let filters = Memo::new(move || query.with(|query| labels(query, context.all).len()));
    let waiting = move || {
        let waiting = hold.waiting.get();
        (waiting > 0).then(|| {
            let words = count(waiting, "{n} change: update the list", "{n} changes: update the list");
            el("button.pf-v6-c-button.pf-m-link")
                .attr("type", "button")
                .on("click", move |_| hold.release())
                .child(el("span.pf-v6-c-button__icon.pf-m-start").child(icon("sync")))
                .child(el("span.pf-v6-c-button__text").child(words))
        })
    };
    let on_input = Callback::new(move |text| set.run(vec![("name", text), ("page", String::new())]));
    let search = view! { <SearchInput label=t("Filter by name") value=name on_input /> };
    let fold = el("button.pf-v6-c-button.pf-m-plain.filters-toggle>span.pf-v6-c-button__icon")
        .attr("type", "button")
        .attr("aria-controls", "filters")
        .follow("aria-expanded", move || Some(is_open.get().to_string()))
        .on("click", move |_| is_open.update(|open| *open = !*open))
        .child(icon("filter"))
        .child(el("span.pf-v6-screen-reader").child(t("Filters and order")))
        .child(badge(filters));
    let class = move || Some(if is_open.get() { "filters filters-open" } else { "filters" }.to_owned());
    let folded = el("div")
        .attr("id", "filters")
        .follow("class", class)
        .child(status_filter(context))
        .child(context.all.then(|| facet_filter(context, Facet::Namespace, t("Find a namespace"))))
        .child(facet_filter(context, Facet::Chart, t("Find a chart")))
        .child(order(context));
    let bar = el("div.list-tools.releases-tools")
        .child(choose_page(context))
        .child(search.into_any())
        .child(fold)
        .child(folded)
        .child(el("span.waiting-place").attr("role", "status").child(dynamic(waiting)))
        .child(pagination(paging, t("Pages")));
    el("div.list-head").child(bar).child(dynamic(move || chips(context))).child(chosen(context)).done()
}

/// Chooses the releases of this page.
fn choose_page(context: Context) -> AnyView {
    let Context { selection, hold, .. } = context;
    let share = Memo::new(move || {
        hold.shown.with(|shown| {
            let chosen = shown.keys.iter().filter(|key| selection.has(key)).count();
            (chosen > 0, chosen == shown.keys.len() && chosen > 0)
        })
    });
    let choose = move |event: web_sys::Event| {
        let on = event_target_checked(&event);
        hold.shown.with_untracked(|shown| selection.set(&shown.keys, on));
    };
    let tick = el("input.pf-v6-c-check__input")
        .attr("type", "checkbox")
        .attr("aria-label", t("Select all on this page"))
        .prop("checked", move || share.get().1)
        .prop("indeterminate", move || share.get().0 && !share.get().1)
        .on("change", choose);
    el("label.pf-v6-c-check.pf-m-standalone.choose-page").child(tick).done()
}

/// What can be done with the chosen releases, while there are any.
fn chosen(context: Context) -> AnyView {
    let Context { selection, hold, removal, .. } = context;
    let number = Memo::new(move || selection.keys().len());
    let is_any = Memo::new(move || number.get() > 0);
    let total = Memo::new(move || hold.shown.with(|shown| shown.total));
    let select_all = move || {
        let all = context.list.data.with_untracked(|data| {
            let rows = data.map(|data| data.releases.as_slice()).unwrap_or_default();
            let updates = context.updates.get_untracked();
            context.query.with_untracked(|query| query.all(rows, &updates))
        });
        selection.set(&all, true);
    };
    let more = move || {
        (total.get() > number.get()).then(|| {
            let words = say("Select all {n}", &[("n", &total.get().to_string())]);
            el("button.pf-v6-c-button.pf-m-link.pf-m-inline>span.pf-v6-c-button__text")
                .attr("type", "button")
                .on("click", move |_| select_all())
                .child(words)
        })
    };
    dynamic(move || {
        is_any.get().then(|| {
            let uninstall = el("button.pf-v6-c-button.pf-m-secondary.pf-m-danger>span.pf-v6-c-button__text")
                .attr("type", "button")
                .prop("disabled", move || removal.is_busy())
                .on("click", move |_| removal.ask())
                .child(t("Uninstall"));
            let clear = button("pf-v6-c-button pf-m-link pf-m-inline", t("Clear the selection"), move || {
                selection.clear();
                focus_tools();
            });
            let told = move || Some(count(number.get(), "{n} selected", "{n} selected"));
            el("div.chosen")
                .attr("role", "group")
                .attr("aria-label", t("Selected releases"))
                .child(el("b").attr("role", "status").telling(told))
                .child(uninstall)
                .child(dynamic(more))
                .child(clear)
        })
    })
}

/// The boxes of a facet, counted while its menu is open.
fn choices(
    context: Context,
    facet: Facet,
    title: &'static str,
    words: fn(&str) -> Option<&'static str>,
) -> Choices {
    let Context { list, query, set, updates, .. } = context;
    let all = Memo::new(move || {
        query.with(|query| {
            let chosen = query.chosen(facet);
            let counts = list.data.with(|data| {
                let rows = data.map(|data| data.releases.as_slice()).unwrap_or_default();
                updates.with(|updates| query.counts(facet, rows, updates))
            });
            let mut choices = Vec::with_capacity(counts.len());
            for (word, count) in counts {
                choices.push(Choice {
                    title: words(&word).map_or_else(|| word.clone(), str::to_owned),
                    chosen: chosen.contains(&word),
                    word,
                    count,
                });
            }
            choices
        })
    });
    let on_change = Callback::new(move |(word, on): (String, bool)| {
        set.run(query.with_untracked(|query| query.changed(facet, &word, on)));
    });
    Choices { title, all, on_change }
}

fn facet_filter(context: Context, facet: Facet, search: &'static str) -> AnyView {
    let number = Memo::new(move || context.query.with(|query| query.chosen(facet).len()));
    let title = title(facet);
    filter_menu(title, number, Some(search), move || vec![choices(context, facet, title, |_| None)])
}

fn status_filter(context: Context) -> AnyView {
    let number =
        Memo::new(move || context.query.with(|query| query.statuses.len() + usize::from(query.update)));
    let groups = move || {
        let all = choices(context, Facet::Status, t("Status"), status_title);
        let part = move |title, those: &'static [Status]| {
            let is_one = move |one: &&Choice| those.iter().any(|status| status.word() == one.word);
            let part =
                Memo::new(move || all.all.with(|all| all.iter().filter(is_one).cloned().collect::<Vec<_>>()));
            Choices { title, all: part, ..all }
        };
        vec![
            part(t("Status"), &Status::SHOWN),
            part(t("In Helm’s record"), &Status::RECORDED),
            choices(context, Facet::Update, t("Chart"), |_| Some(t("Update available"))),
        ]
    };
    filter_menu(t("Status"), number, None, groups)
}

fn status_title(word: &str) -> Option<&'static str> {
    Status::all().find(|status| status.word() == word).map(Status::title)
}

fn title(facet: Facet) -> &'static str {
    match facet {
        Facet::Status => t("Status"),
        Facet::Namespace => t("Namespace"),
        Facet::Chart | Facet::Update => t("Chart"),
    }
}

/// The order, where the heads of the columns are not shown.
fn order(context: Context) -> AnyView {
    let Context { query, set, all, .. } = context;
    let shown = Column::ALL.into_iter().filter(|column| all || *column != Column::Namespace);
    let now = Signal::derive(move || query.with(|query| (query.sort.column.word(), query.sort.descending)));
    let set = Callback::new(move |mut changes: Vec<(&'static str, String)>| {
        changes.push(("page", String::new()));
        set.run(changes);
    });
    order_menu(shown.map(|column| (column.word(), column.title())).collect(), now, set)
}

/// What is chosen, by what it is about.
fn labels(query: &Query, all: bool) -> Vec<Labels> {
    let group = |facet: Facet, title| {
        let words = |word: String| match facet {
            Facet::Status => status_title(&word).unwrap_or_default().to_owned(),
            Facet::Update => t("Update available").to_owned(),
            _ => word.clone(),
        };
        let chosen = query.chosen(facet).into_iter().map(|word| (word.clone(), words(word))).collect();
        Labels { title, name: facet.name(), chosen }
    };
    let name = (!query.name.is_empty()).then(|| (query.name.clone(), query.name.clone()));
    let mut groups = vec![
        Labels { title: t("Name"), name: "name", chosen: name.into_iter().collect() },
        group(Facet::Status, t("Status")),
        group(Facet::Chart, t("Chart")),
        group(Facet::Update, t("Updates")),
    ];
    if all {
        groups.insert(2, group(Facet::Namespace, t("Namespace")));
    }
    groups.retain(|labels| !labels.chosen.is_empty());
    groups
}

fn chips(context: Context) -> AnyView {
    let Context { query, set, all, .. } = context;
    let groups = query.with(|query| labels(query, all));
    if groups.is_empty() {
        return ().into_any();
    }
    let remove = Callback::new(move |(name, word): (&'static str, String)| {
        let facets = [Facet::Status, Facet::Namespace, Facet::Chart, Facet::Update];
        match facets.into_iter().find(|facet| facet.name() == name) {
            Some(facet) => set.run(query.with_untracked(|query| query.changed(facet, &word, false))),
            None => set.run(vec![(name, String::new()), ("page", String::new())]),
        }
        focus_tools();
    });
    let clear = move || {
        set.run(Query::cleared());
        focus_tools();
    };
    let mut chips = el("div.chips");
    for group in groups {
        chips = chips.child(label_group(group, remove));
    }
    chips.child(button("pf-v6-c-button pf-m-link pf-m-inline", t("Clear all filters"), clear)).done()
}

/// The button that was pressed is gone: the focus goes to the next one, else to the first tool.
pub fn focus_tools() {
    request_animation_frame(|| {
        let found = [".chips button", ".filters-toggle", ".releases-tools .search input"]
            .into_iter()
            .filter_map(|one| {
                document().query_selector(one).ok().flatten()?.dyn_into::<web_sys::HtmlElement>().ok()
            })
            .find(|one| one.offset_parent().is_some());
        if let Some(found) = found {
            let _ = found.focus();
        }
    });
}
