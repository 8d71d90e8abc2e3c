//! The list of releases.

mod filter;
mod row;

use crate::signals::{Memo, Views, dynamic, keyed};
use leptos::prelude::*;

use super::query::{query_setter, value_in};
use super::route::Route;
use super::title::heading;
use crate::client::client;
use crate::client::fetch::Fetched;
use crate::client::poll::poll;
use crate::model::{ApiError, ReleaseKey, ReleaseList, Tone};
use crate::ui::address::Address;
use crate::ui::alert::Alert;
use crate::ui::button::{button, link_button};
use crate::ui::dropdown::{Dropdown, Look};
use crate::ui::field::CheckBox;
use crate::ui::icon::icon;
use crate::ui::pagination::{PAGE_SIZE, Pagination};
use crate::ui::state::{EmptyState, error_state, stale_banner};
use crate::ui::table::{Sort, hidden_head, plain_head, skeleton_rows, sort_head};
use crate::ui::toolbar::SearchInput;
use filter::{Column, Group, Listed, Query};
use row::Row;

/// The page.
#[component]
pub fn Releases(
    /// None for all.
    namespace: Option<String>,
) -> impl IntoView {
    let of = namespace.clone();
    let list = poll(move |since| client().releases(of.clone(), since));
    let address = Address::get();
    let query = Memo::new(move || address.query.with(|query| Query::read(|name| value_in(query, name))));
    let catalogue = Route::Catalogue { namespace: namespace.clone(), chart: None }.to_string();
    let create = catalogue.clone();
    view! {
        <section class="pf-v6-c-page__main-section page-head">
            {heading("Helm releases".to_owned())}
            {link_button("pf-v6-c-button pf-m-primary", "Create Helm release", create)}
        </section>
        <section class="pf-v6-c-page__main-section">
            {stale_banner(list)}
            {dynamic(move || body(list, query, namespace.is_none(), catalogue.clone()))}
        </section>
    }
    .into_any()
}

#[derive(Clone, PartialEq)]
enum Shown {
    Loading,
    Failed(ApiError),
    Empty,
    Table,
}

fn body(list: Fetched<ReleaseList>, query: Memo<Query>, all: bool, catalogue: String) -> AnyView {
    let catalogue = StoredValue::new(catalogue);
    let shown = Memo::new(move || {
        list.data.with(|data| match data {
            Some(data) if data.releases.is_empty() && data.warnings.is_empty() => Shown::Empty,
            Some(_) => Shown::Table,
            None => list.error.get().map_or(Shown::Loading, Shown::Failed),
        })
    });
    dynamic(move || match shown.get() {
        Shown::Failed(error) => error_state(&error, move || list.retry()),
        Shown::Empty => view! {
            <EmptyState title="No Helm releases found" name="cubes">
                <p>"A release is an application that was installed from a Helm chart."</p>
                <div class="pf-v6-c-empty-state__actions">
                    {link_button("pf-v6-c-button pf-m-primary", "Browse the catalog", catalogue.get_value())}
                </div>
            </EmptyState>
        }
        .into_any(),
        Shown::Loading => view! { <Table list query all /> }.into_any(),
        Shown::Table => view! {
            <Warnings list />
            <Table list query all />
        }
        .into_any(),
    })
}

#[component]
fn Warnings(list: Fetched<ReleaseList>) -> impl IntoView {
    let warnings =
        Memo::new(move || list.data.with(|data| data.map(|data| data.warnings.clone()).unwrap_or_default()));
    dynamic(move || {
        let warnings = warnings.get();
        (!warnings.is_empty()).then(|| {
            view! {
                <Alert tone=Tone::Warning title="This list is not complete">
                    {warnings.into_iter().map(|text| view! { <p>{text}</p> }).views()}
                </Alert>
            }
        })
    })
}

#[component]
fn Table(list: Fetched<ReleaseList>, query: Memo<Query>, all: bool) -> impl IntoView {
    let set = query_setter();
    let is_loading = Memo::new(move || list.is_loading());
    let listed = Memo::new(move || {
        list.data.with(|data| {
            data.map(|data| query.with(|query| query.apply(&data.releases, PAGE_SIZE))).unwrap_or_default()
        })
    });
    let total = Memo::new(move || listed.with(|listed| listed.total));
    let page = Memo::new(move || listed.with(|listed| listed.page));
    let sort = Signal::derive(move || query.with(|query| query.sort));
    let on_sort = Callback::new(move |sort: Sort<Column>| {
        let direction = if sort.descending { "desc" } else { "" };
        set.run(vec![
            ("sort", sort.column.word().to_owned()),
            ("dir", direction.to_owned()),
            ("page", String::new()),
        ]);
    });
    let head = move |title, column| sort_head(title, column, sort, on_sort);
    let columns = if all { 9 } else { 8 };
    let paging = move || {
        view! {
            <Pagination
                page
                total
                on_page=Callback::new(move |page: usize| set.run(vec![("page", (page + 1).to_string())]))
            />
        }
    };
    view! {
        <div class="list-tools">
            <Filters list query set />
            {paging()}
        </div>
        <table class="pf-v6-c-table pf-m-grid-lg pf-m-compact releases" aria-label="Helm releases" aria-busy=Signal::derive(move || is_loading.get().to_string())>
            <thead class="pf-v6-c-table__thead">
                <tr class="pf-v6-c-table__tr">
                    {head("Name", Column::Name)} {all.then(|| head("Namespace", Column::Namespace))}
                    {head("Revision", Column::Revision)} {head("Updated", Column::Updated)}
                    {head("Status", Column::Status)} {head("Chart name", Column::Chart)}
                    {plain_head("Chart version")} {plain_head("App version")} {hidden_head("Actions")}
                </tr>
            </thead>
            <tbody class="pf-v6-c-table__tbody">
                {dynamic(move || is_loading.get().then(|| skeleton_rows(8, columns)))}
                {keyed(
                    move || listed.with(|listed| listed.rows.iter().map(|row| row.key.to_string()).collect()),
                    move |key| row_of(&key, listed, all),
                )}
                {dynamic(move || (!is_loading.get() && total.get() == 0).then(|| nothing_found(columns, set)))}
            </tbody>
        </table>
        <div class="list-tools list-foot">{paging()}</div>
    }
}

/// The row of the release `key`, in words; it follows what the list says of it.
fn row_of(key: &str, listed: Memo<Listed>, all: bool) -> AnyView {
    let Some((namespace, name)) = key.split_once('/') else { return ().into_any() };
    let release = ReleaseKey::new(namespace, name);
    let of = release.clone();
    let row = Memo::new(move || listed.with(|listed| listed.rows.iter().find(|row| row.key == of).cloned()));
    view! { <Row release row all /> }.into_any()
}

fn nothing_found(columns: usize, set: Callback<Vec<(&'static str, String)>>) -> AnyView {
    view! {
        <tr class="pf-v6-c-table__tr">
            <td class="pf-v6-c-table__td nothing-found" colspan=columns.to_string()>
                <p>"No Helm releases match the filters."</p>
                {button("pf-v6-c-button pf-m-link pf-m-inline", "Clear all filters", move || set.run(Query::cleared()))}
            </td>
        </tr>
    }
    .into_any()
}

#[component]
fn Filters(
    list: Fetched<ReleaseList>,
    query: Memo<Query>,
    set: Callback<Vec<(&'static str, String)>>,
) -> impl IntoView {
    let name = Signal::derive(move || query.with(|query| query.name.clone()));
    let counts = Memo::new(move || {
        list.data.with(|data| Group::count(data.map(|data| data.releases.as_slice()).unwrap_or_default()))
    });
    let toggle = move |group: Group, on: bool| {
        let groups = Group::ALL
            .into_iter()
            .filter(|one| if *one == group { on } else { query.with(|query| query.groups.contains(one)) });
        let words: Vec<&str> = groups.map(Group::word).collect();
        set.run(vec![("status", words.join(",")), ("page", String::new())]);
    };
    let choices = move || {
        Group::ALL
            .into_iter()
            .enumerate()
            .map(|(at, group)| {
                let count = dynamic(move || counts.with(|counts| counts[at].to_string()));
                view! {
                    <li class="menu-check">
                        <CheckBox
                            id=format!("status-{}", group.word())
                            label=group.title()
                            checked=Signal::derive(move || query.with(|query| query.groups.contains(&group)))
                            on_change=move |on| toggle(group, on)
                        />
                        <span class="pf-v6-c-badge pf-m-read">{count}</span>
                    </li>
                }
            })
            .views()
    };
    let face = move || {
        let chosen = query.with(|query| query.groups.len());
        view! {
            <span class="toggle-filter">
                {icon("filter")} "Status"
                {(chosen > 0).then(|| view! { <span class="pf-v6-c-badge pf-m-read">{chosen}</span> })}
            </span>
        }
        .into_any()
    };
    view! {
        <Dropdown look=Look::Framed toggle=face>
            <ul class="menu-checks" role="group" aria-label="Status">{choices()}</ul>
        </Dropdown>
        <SearchInput
            label="Filter by name"
            value=name
            on_input=Callback::new(move |text| set.run(vec![("name", text), ("page", String::new())]))
        />
        {dynamic(move || {
            query
                .with(Query::is_filtering)
                .then(|| {
                    button("pf-v6-c-button pf-m-link", "Clear all filters", move || set.run(Query::cleared()))
                })
        })}
    }
}
