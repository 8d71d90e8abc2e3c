//! The live resources of a release.

mod order;

use crate::signals::{Memo, dynamic, keyed};
use leptos::prelude::*;

use super::nothing::no_resources;
use super::object::{object_link, object_panel};
use super::{Live, health};
use crate::model::{Health, ReleaseKey, Resource, Tone};
use crate::pages::query::{query_setter, query_value};
use crate::pages::sorting::{order_menu, sort_in, sorted_by};
use crate::ui::alert::Alert;
use crate::ui::field::Select;
use crate::ui::label::plain_label;
use crate::ui::table::{Sort, cell, or_dash, plain_head, sort_head};
use crate::ui::time::ago;
use crate::ui::toolbar::{SearchInput, ToggleGroup};
use crate::words::{say, t, told};
use order::{Column, Grouping, Listed, Query, SHOWN, Section, in_sections, listed};

/// The tab.
#[component]
pub fn Resources(release: ReleaseKey, live: Live) -> impl IntoView {
    let (text, chosen, layout) = (query_value("q"), query_value("health"), query_value("view"));
    let has_charts = Memo::new(move || {
        live.resources
            .with(|all| all.first().is_some_and(|first| all.iter().any(|one| one.source != first.source)))
    });
    let grouping = Memo::new(move || match (layout.get().as_str(), has_charts.get()) {
        ("kind", _) => Grouping::Kind,
        ("list", _) | (_, false) => Grouping::Nothing,
        _ => Grouping::Chart,
    });
    let (column, direction) = (query_value("sort"), query_value("dir"));
    let sort = Memo::new(move || {
        let value = |name: &str| if name == "dir" { direction.get() } else { column.get() };
        sort_in(value, &Column::ALL, Column::word, Column::Name)
    });
    let listed = Memo::new(move || {
        let query = Query { text: text.get(), health: chosen.get(), sort: sort.get() };
        live.resources.with(|all| listed(all, &query))
    });
    let number = Memo::new(move || listed.with(|listed| listed.found));
    let sections = Memo::new(move || listed.with(|listed| in_sections(&listed.rows, grouping.get())));
    let keys = move || sections.with(|sections| sections.iter().map(section_key).collect());
    let section = move |key: String| section_view(key, sections, listed);
    let is_empty = Memo::new(move || live.resources.with(Vec::is_empty));
    let is_known = Memo::new(move || live.resources_error.with(Option::is_none));
    let body = move || {
        if is_empty.get() {
            // Where they cannot be read nobody knows whether there are any.
            let words = t("They are listed here as soon as Helm has rendered the chart.");
            return if is_known.get() { no_resources(live, words) } else { ().into_any() };
        }
        view! {
            {tools(text, chosen, grouping, has_charts, sort)}
            <table class="pf-v6-c-table pf-m-grid-md pf-m-compact resources" aria-label=t("Resources")>
                <thead class="pf-v6-c-table__thead">
                    <tr class="pf-v6-c-table__tr">{heads(sort)}</tr>
                </thead>
                {keyed(keys, section)}
            </table>
            {dynamic(move || {
                (number.get() == 0)
                    .then(|| view! { <p class="nothing-found">{t("No resources match the filters.")}</p> })
            })}
            <p class="note" role="status">
                {dynamic(move || {
                    // As the head counts them: hooks come and go by themselves.
                    let all_hooks = |all: &Vec<Resource>| all.iter().filter(|one| !one.hooks.is_empty()).count();
                    let hooks = live.resources.with(all_hooks);
                    let all = live.resources.with(Vec::len) - hooks;
                    let (found, found_hooks) = listed.with(|listed| (listed.found - listed.hooks, listed.hooks));
                    let (found, all) = (found.to_string(), all.to_string());
                    let words = say("{found} of {all} resources", &[("found", &found), ("all", &all)]);
                    if hooks == 0 {
                        return words;
                    }
                    let (found, all) = (found_hooks.to_string(), hooks.to_string());
                    [words, say(", {found} of {all} hooks", &[("found", &found), ("all", &all)])].concat()
                })}
                {dynamic(move || {
                    (number.get() > SHOWN)
                        .then(|| {
                            [". ", &say("The first {n} are shown. Filter to find the others.", &[("n", &SHOWN.to_string())])].concat()
                        })
                })}
            </p>
        }
        .into_any()
    };
    view! {
        {dynamic(move || {
            live.resources_error
                .get()
                .map(|text| {
                    view! {
                        <Alert tone=Tone::Warning title=t("Not everything is known")>
                            <p>{told(&text)}</p>
                        </Alert>
                    }
                })
        })}
        {dynamic(body)}
        {object_panel(release, live)}
    }
    .into_any()
}

/// The heads of the columns. A reason is a sentence, which has no order.
fn heads(sort: Memo<Sort<Column>>) -> Vec<AnyView> {
    let set = query_setter();
    let on_sort =
        Callback::new(move |sort: Sort<Column>| set.run(sorted_by(sort.column.word(), sort.descending)));
    let mut heads = Column::ALL
        .into_iter()
        .map(|one| sort_head(one.title(), one, sort.into(), on_sort))
        .collect::<Vec<_>>();
    heads.insert(4, plain_head(t("Reason")));
    heads
}

/// The filters, and what the rows are put together by.
fn tools(
    text: Memo<String>,
    chosen: Memo<String>,
    grouping: Memo<Grouping>,
    has_charts: Memo<bool>,
    sort: Memo<Sort<Column>>,
) -> AnyView {
    let set = query_setter();
    let columns = Column::ALL.map(|column| (column.word(), column.title()));
    let now = Signal::derive(move || sort.with(|sort| (sort.column.word(), sort.descending)));
    let options: Vec<(String, String)> = std::iter::once((String::new(), t("All states").to_owned()))
        .chain(health::ALL.map(|one| (health::key(one).to_owned(), health::word(one).to_owned())))
        .collect();
    let layouts = move || {
        let by_chart = has_charts.get().then(|| ("groups", t("By chart")));
        let layouts = by_chart.into_iter().chain([("kind", t("By type")), ("list", t("One list"))]);
        let value = Signal::derive(move || {
            match grouping.get() {
                Grouping::Chart => "groups",
                Grouping::Kind => "kind",
                Grouping::Nothing => "list",
            }
            .to_owned()
        });
        view! {
            <ToggleGroup
                label=t("Grouping")
                options=layouts.collect()
                value
                on_change=Callback::new(move |layout: &'static str| {
                    set.run(vec![("view", layout.to_owned())]);
                })
            />
        }
        .into_any()
    };
    view! {
        <div class="list-tools">
            <SearchInput
                label=t("Filter by name, type or chart")
                value=text
                on_input=Callback::new(move |text| set.run(vec![("q", text)]))
            />
            <span class="narrow-select">
                <label class="pf-v6-screen-reader" for="health">
                    {t("Status")}
                </label>
                <Select
                    id="health"
                    value=chosen
                    options=options
                    on_change=move |word| set.run(vec![("health", word)])
                />
            </span>
            {order_menu(columns.to_vec(), now, set)} {dynamic(layouts)}
        </div>
    }
    .into_any()
}

/// The rows of one section; `key` is that of [`section_key`].
fn section_view(key: String, sections: Memo<Vec<Section>>, listed: Memo<Listed>) -> AnyView {
    let title = key.strip_prefix(TITLED).map(str::to_owned);
    let keys = Memo::new(move || {
        sections.with(|all| {
            let own = all.iter().find(|section| section_key(section) == key);
            own.map(|section| section.keys.clone()).unwrap_or_default()
        })
    });
    let title = title.map(|title| {
        let title = if title.is_empty() { t("(no source)").to_owned() } else { title };
        view! {
            <tr class="pf-v6-c-table__tr group-row">
                <th class="pf-v6-c-table__th" colspan="6" scope="rowgroup">
                    {title} " " <span class="nothing">{dynamic(move || keys.with(Vec::len).to_string())}</span>
                </th>
            </tr>
        }
    });
    let row_of = move |key: String| {
        let resource = Memo::new(move || {
            listed.with(|all| all.rows.iter().find(|row| row.key == key).map(|row| row.resource.clone()))
        });
        row(resource)
    };
    view! { <tbody class="pf-v6-c-table__tbody">{title} {keyed(move || keys.get(), row_of)}</tbody> }
        .into_any()
}

/// What the key of a section with a title begins with.
const TITLED: char = '=';

fn section_key(section: &Section) -> String {
    section.title.as_ref().map(|title| format!("{TITLED}{title}")).unwrap_or_default()
}

fn row(resource: Memo<Option<Resource>>) -> AnyView {
    let Some((object, hooks)) =
        resource.with_untracked(|it| it.as_ref().map(|it| (it.object.clone(), it.hooks.join(", "))))
    else {
        return ().into_any();
    };
    let health = Memo::new(move || resource.with(|it| it.as_ref().map_or(Health::Unknown, |it| it.health)));
    let message = Memo::new(move || resource.with(|it| it.as_ref().map(|it| told(&it.message))));
    let created = Memo::new(move || resource.with(|it| it.as_ref().and_then(|it| it.created)));
    let name = view! {
        <span class="named">
            {object_link(&object)}
            {(!hooks.is_empty()).then(|| plain_label(say("Hook: {events}", &[("events", &hooks)])))}
        </span>
    };
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell(t("Name"), name)} {cell(t("Type"), object.kind.clone())}
            {cell(t("Namespace"), or_dash(object.namespace.clone()))}
            {cell(t("Status"), dynamic(move || health::health_view(health.get())))}
            {cell(t("Reason"), view! { <span class="wrap">{dynamic(move || or_dash(message.get()))}</span> })}
            {cell(t("Created"), dynamic(move || ago(created.get())))}
        </tr>
    }
    .into_any()
}
