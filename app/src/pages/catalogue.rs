//! The catalogue: the charts of all repositories, and one of them in a panel at the side.

mod card;
mod facets;
mod filter;
mod notes;
mod panel;

use crate::signals::{Memo, Views, dynamic, effect, keyed};
use leptos::prelude::*;

use super::create::create_menu;
use super::frame::{more_button, page_head, section, teaching};
use super::query::{query_setter, query_value, value_in};
use super::repositories::state::is_pending;
use super::route::Route;
use super::title::heading;
use crate::client::client;
use crate::client::fetch::{Fetched, follow};
use crate::model::{Catalogue, RepositoryState};
use crate::ui::address::Address;
use crate::ui::button::{button, link_button};
use crate::ui::dropdown::{Dropdown, Look, MenuChoice, MenuList};
use crate::ui::state::{empty_state, shown};
use crate::ui::toolbar::SearchInput;
use crate::words::{count, say, t};
use card::card;
pub use card::chart_icon;
pub use card::repository_name;
use facets::facets;
use filter::{Found, Order, Query, TEXT};
use notes::{registries, troubles};
use panel::ChartPanel;
pub use panel::{alerts, fact, why_not};

/// What of the address belongs to the panel alone.
const PANEL: [&str; 3] = ["tab", "version", "find"];
/// How many cards are drawn at a time.
const STEP: usize = 60;

/// The page.
#[component]
pub fn CataloguePage(namespace: Option<String>, route: Memo<Route>) -> impl IntoView {
    let of = namespace.clone();
    let waiting = RwSignal::new(false);
    // Asked again while a repository has not answered for the first time.
    let catalogue = follow(waiting.into(), move || client().catalogue(of.clone()));
    let repositories =
        Memo::new(move || catalogue.data.with(|it| it.map(|it| it.repositories.clone()).unwrap_or_default()));
    let pending = Memo::new(move || repositories.with(|all| all.iter().any(is_pending)));
    effect(move || waiting.set(pending.get()));
    let chart = Memo::new(move || match route.get() {
        Route::Catalogue { chart, .. } => chart,
        _ => None,
    });
    let of = namespace.clone();
    let panel = move || {
        let namespace = of.clone();
        chart.get().map(|chart| view! { <ChartPanel namespace chart repositories /> })
    };
    let create = create_menu(namespace.clone());
    let waiting = || {
        let cards = (0..8).map(|_| view! { <div class="pf-v6-c-skeleton card-skeleton"></div> }).views();
        view! {
            <div class="cards" aria-busy="true">
                {cards}
            </div>
        }
        .into_any()
    };
    let about = t("Browse for charts that help manage complex installations and upgrades.");
    let content = shown(catalogue, waiting, move || browser(catalogue, repositories, namespace.clone()));
    view! {
        {page_head(heading(t("Helm Charts").to_owned()), about, create)}
        {section(content)}
        {dynamic(panel)}
    }
    .into_any()
}

fn browser(
    catalogue: Fetched<Catalogue>,
    repositories: Memo<Vec<RepositoryState>>,
    namespace: Option<String>,
) -> AnyView {
    let (address, set) = (Address::get(), query_setter());
    let query = Memo::new(move || address.query.with(|query| Query::read(|name| value_in(query, name))));
    let found = Memo::new(move || {
        catalogue.data.with(|it| match it {
            Some(it) => query.with(|query| query.apply(&it.entries, &it.repositories)),
            None => Found::default(),
        })
    });
    let is_empty = Memo::new(move || catalogue.data.with(|it| it.is_some_and(|it| it.entries.is_empty())));
    let filters_open = RwSignal::new(false);
    let of = StoredValue::new(namespace);
    let side = move || {
        let filters = move || {
            if filters_open.get() { "catalogue-filters filters-open" } else { "catalogue-filters" }
        };
        view! {
            <div class="catalogue-side">
                <button
                    type="button"
                    class="pf-v6-c-button pf-m-secondary filters-toggle"
                    aria-controls="catalogue-filters"
                    aria-expanded=move || filters_open.get().to_string()
                    on:click=move |_| filters_open.update(|open| *open = !*open)
                >
                    <span class="pf-v6-c-button__text">{t("Filters")}</span>
                </button>
                <div id="catalogue-filters" class=filters>
                    {facets(found, query, repositories, set)}
                </div>
            </div>
        }
    };
    let content = move || {
        if is_empty.get() {
            return no_charts(repositories, of.get_value());
        }
        view! {
            <div class="catalogue">
                {side()}
                <div class="catalogue-main">
                    {tools(found, query, set)}
                    {cards(catalogue, found, repositories, of.get_value(), set)}
                </div>
            </div>
        }
        .into_any()
    };
    view! {
        {dynamic(move || troubles(repositories, of.get_value()))}
        {dynamic(move || registries(repositories, of.get_value()))}
        {dynamic(content)}
    }
    .into_any()
}

/// The text, the order, and how many there are.
fn tools(found: Memo<Found>, query: Memo<Query>, set: Callback<Vec<(&'static str, String)>>) -> AnyView {
    let text = query_value(TEXT);
    let order = Memo::new(move || query.with(|query| query.order));
    let words = |order| match order {
        Order::Relevance => t("Relevance"),
        Order::Ascending => t("A-Z"),
        Order::Descending => t("Z-A"),
    };
    let many = Memo::new(move || found.with(|found| found.shown.len()));
    let choices = move || {
        Order::ALL
            .into_iter()
            .map(|one| {
                let choose = move || set.run(vec![("sort", one.word().to_owned())]);
                view! { <MenuChoice text=words(one) selected=order.get_untracked() == one on_choose=choose /> }
            })
            .views()
    };
    let clear = move || {
        query.with(Query::is_filtering).then(|| {
            button("pf-v6-c-button pf-m-link", t("Clear all filters"), move || set.run(Query::cleared()))
        })
    };
    let sorted = move || say("Sort: {order}", &[("order", words(order.get()))]).into_any();
    view! {
        <div class="list-tools">
            <SearchInput
                label=t("Filter by keyword")
                value=text
                on_input=Callback::new(move |text| set.run(vec![(TEXT, text)]))
            />
            <Dropdown look=Look::Framed toggle=sorted>
                <MenuList>{choices()}</MenuList>
            </Dropdown>
            {dynamic(clear)}
            <span class="list-count" role="status">
                {dynamic(move || count(many.get(), "{n} item", "{n} items"))}
            </span>
        </div>
    }
    .into_any()
}

/// The cards: the first ones, and more when they are asked for.
fn cards(
    catalogue: Fetched<Catalogue>,
    found: Memo<Found>,
    repositories: Memo<Vec<RepositoryState>>,
    namespace: Option<String>,
    set: Callback<Vec<(&'static str, String)>>,
) -> AnyView {
    let most = RwSignal::new(STEP);
    // Another search begins at its top.
    let order = Memo::new(move || found.with(|found| found.shown.clone()));
    effect(move || {
        order.track();
        most.set(STEP);
    });
    let keys = move || {
        catalogue.data.with(|it| {
            let Some(it) = it else { return Vec::new() };
            order.with(|order| {
                let shown = order.iter().take(most.get()).filter_map(|at| it.entries.get(*at));
                shown
                    .map(|entry| format!("{}\n{}\n{}", entry.repository, entry.name, entry.latest.version))
                    .collect()
            })
        })
    };
    let part = move |key: String| {
        let mut words = key.split('\n');
        let (repository, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let namespace = namespace.clone();
        catalogue.data.with_untracked(|it| {
            let found = it.and_then(|it| {
                it.entries.iter().find(|entry| entry.name == name && entry.repository == repository)
            });
            found.map_or_else(|| ().into_any(), |entry| card(entry, namespace, repositories))
        })
    };
    let rest = Memo::new(move || order.with(|order| order.len().saturating_sub(most.get())));
    let more = move || {
        let rest = rest.get();
        (rest > 0).then(|| {
            more_button(count(rest, "{n} more chart", "{n} more charts"), move || {
                most.update(|most| *most += STEP)
            })
        })
    };
    let nothing = move || {
        order.with(Vec::is_empty).then(|| {
            let clear =
                button("pf-v6-c-button pf-m-link", t("Clear all filters"), move || set.run(Query::cleared()));
            let content = teaching(t("No chart matches the filters."), vec![clear]);
            empty_state(t("No results found").to_owned(), "search", content)
        })
    };
    view! {
        <ul class="cards" aria-label=t("Charts")>
            {keyed(keys, part)}
        </ul>
        {dynamic(more)}
        {dynamic(nothing)}
    }
    .into_any()
}

/// In place of charts, where no repository has any.
fn no_charts(repositories: Memo<Vec<RepositoryState>>, namespace: Option<String>) -> AnyView {
    let text = repositories.with(|all| match () {
        () if all.is_empty() => {
            t("A chart repository lists the charts that can be installed. There is none yet.")
        }
        () if all.iter().any(is_pending) => t("The repositories are being asked for their charts."),
        () => t("No repository lists a chart at the moment."),
    });
    let add = Route::Repository { namespace: namespace.clone(), name: None }.to_string();
    let elsewhere = Route::Elsewhere { namespace }.to_string();
    let actions = vec![
        link_button("pf-v6-c-button pf-m-primary", t("Add a repository"), add),
        link_button("pf-v6-c-button pf-m-link", t("Install Helm Chart from URL or file"), elsewhere),
    ];
    empty_state(t("No Helm charts found").to_owned(), "cubes", teaching(text, actions))
}
