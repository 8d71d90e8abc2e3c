//! The catalogue: the charts of all repositories, and one of them in a panel at the side.

mod panel;

use crate::signals::{Memo, Views, dynamic};
use leptos::prelude::*;

use super::query::{query_setter, query_value, with_query};
use super::route::{ChartRef, Route};
use super::title::heading;
use crate::client::client;
use crate::client::fetch::{Fetched, fetch};
use crate::model::{Catalogue, CatalogueEntry, RepositoryState, Tone};
use crate::ui::alert::Alert;
use crate::ui::field::CheckBox;
use crate::ui::icon::icon;
use crate::ui::label::plain_label;
use crate::ui::state::{EmptyState, shown};
use crate::ui::time::ago_words;
use crate::ui::toolbar::SearchInput;
use panel::ChartPanel;

/// The page.
#[component]
pub fn CataloguePage(namespace: Option<String>, route: Memo<Route>) -> impl IntoView {
    let of = namespace.clone();
    let catalogue = fetch(move || client().catalogue(of.clone()));
    let chart = Memo::new(move || match route.get() {
        Route::Catalogue { chart, .. } => chart,
        _ => None,
    });
    let of = namespace.clone();
    let panel = move || {
        let namespace = of.clone();
        chart.get().map(|chart| view! { <ChartPanel namespace chart /> })
    };
    view! {
        <section class="pf-v6-c-page__main-section form-head">
            {heading("Helm Charts".to_owned())}
            <p>"Browse for charts that help to manage installations and upgrades."</p>
        </section>
        <section class="pf-v6-c-page__main-section">
            {shown(
                catalogue,
                || view! { <div class="cards">{(0..6).map(|_| skeleton_card()).views()}</div> }.into_any(),
                move || {
                    let namespace = namespace.clone();
                    view! { <Browser catalogue namespace /> }.into_any()
                },
            )}
        </section>
        {dynamic(panel)}
    }
    .into_any()
}

fn skeleton_card() -> AnyView {
    view! { <div class="pf-v6-c-skeleton card-skeleton"></div> }.into_any()
}

#[component]
fn Browser(catalogue: Fetched<Catalogue>, namespace: Option<String>) -> impl IntoView {
    let (keyword, chosen, set) = (query_value("q"), query_value("repository"), query_setter());
    let repositories =
        Memo::new(move || catalogue.data.with(|it| it.map(|it| it.repositories.clone()).unwrap_or_default()));
    let found = Memo::new(move || {
        let (keyword, chosen) = (keyword.get().trim().to_ascii_lowercase(), chosen.get());
        catalogue.data.with(|it| {
            let entries = it.iter().flat_map(|it| &it.entries);
            entries.filter(|entry| matches(entry, &keyword, &chosen)).cloned().collect::<Vec<_>>()
        })
    });
    let counted = move || match found.with(Vec::len) {
        1 => "1 item".to_owned(),
        count => format!("{count} items"),
    };
    let cards = move || {
        let found = found.get();
        if found.is_empty() {
            return view! {
                <EmptyState title="No charts found" name="search">
                    <p>"No chart matches the filters, or no repository has any."</p>
                </EmptyState>
            }
            .into_any();
        }
        view! {
            <ul class="cards" aria-label="Charts">
                {found.into_iter().map(|entry| card(entry, namespace.clone())).views()}
            </ul>
        }
        .into_any()
    };
    view! {
        {dynamic(move || {
            repositories
                .get()
                .into_iter()
                .filter_map(|repository| repository.error.clone().map(|error| trouble(&repository, error)))
                .views()
        })}
        <div class="catalogue">
            <fieldset class="catalogue-filters">
                <legend>"Chart Repositories"</legend>
                {dynamic(move || {
                    repositories.get().into_iter().map(|one| repository_filter(one, chosen, set)).views()
                })}
            </fieldset>
            <div class="catalogue-main">
                <div class="list-tools">
                    <SearchInput
                        label="Filter by keyword"
                        value=keyword
                        on_input=Callback::new(move |text| set.run(vec![("q", text)]))
                    />
                    <span class="list-count" role="status">
                        {dynamic(counted)}
                    </span>
                </div>
                {dynamic(cards)}
            </div>
        </div>
    }
}

fn trouble(repository: &RepositoryState, error: String) -> AnyView {
    let shown = match (repository.charts, repository.fetched) {
        (Some(_), Some(fetched)) => {
            let age = crate::client::clock::Clock::get().now().since(fetched);
            format!(" What is shown of it was fetched {}.", ago_words(age).to_ascii_lowercase())
        }
        _ => " None of its charts can be shown.".to_owned(),
    };
    view! {
        <Alert tone=Tone::Warning title=format!("The repository {} has a problem", repository.name)>
            <p class="wrap">{error} {shown}</p>
        </Alert>
    }
    .into_any()
}

fn repository_filter(
    repository: RepositoryState,
    chosen: Memo<String>,
    set: Callback<Vec<(&'static str, String)>>,
) -> AnyView {
    let name = repository.name.clone();
    let count = repository.charts.unwrap_or_default();
    let is_chosen = {
        let name = name.clone();
        Signal::derive(move || chosen.with(|chosen| chosen.split(',').any(|one| one == name)))
    };
    let toggle = move |on: bool| {
        let mut names: Vec<String> = chosen.with_untracked(|chosen| {
            chosen.split(',').filter(|one| !one.is_empty() && *one != name).map(str::to_owned).collect()
        });
        if on {
            names.push(name.clone());
        }
        set.run(vec![("repository", names.join(","))]);
    };
    view! {
        <CheckBox
            id=format!("repository-{}", repository.name)
            label=format!("{} ({count})", repository.name)
            checked=is_chosen
            on_change=toggle
        />
    }
    .into_any()
}

fn matches(entry: &CatalogueEntry, keyword: &str, chosen: &str) -> bool {
    let is_chosen = chosen.is_empty() || chosen.split(',').any(|one| one == entry.repository);
    let texts = [&entry.name, &entry.description].into_iter().chain(&entry.keywords);
    is_chosen
        && (keyword.is_empty() || texts.into_iter().any(|text| text.to_ascii_lowercase().contains(keyword)))
}

fn card(entry: CatalogueEntry, namespace: Option<String>) -> AnyView {
    let chart = ChartRef { repository: entry.repository.clone(), chart: entry.name.clone() };
    let path = Route::Catalogue { namespace, chart: Some(chart) }.to_string();
    // The filters stay behind the panel.
    let href = Signal::derive(move || with_query(&path));
    let app = entry.latest.app_version.map(|app| format!(" · App {app}")).unwrap_or_default();
    view! {
        <li class="pf-v6-c-card card">
            <div class="card-head">{chart_icon(entry.icon)} {plain_label(entry.repository)}</div>
            <h2 class="card-title">
                <a class="card-link" href=href>
                    {entry.name}
                </a>
            </h2>
            <p class="card-version">{entry.latest.version} {app} {entry.deprecated.then_some(" · Deprecated")}</p>
            <p class="card-text">{entry.description}</p>
        </li>
    }
    .into_any()
}

/// The chart's icon, or a stand-in: for none, and for one that cannot be loaded.
fn chart_icon(address: Option<String>) -> AnyView {
    let address = RwSignal::new(address);
    dynamic(move || match address.get() {
        Some(source) => view! {
            <img class="chart-icon" src=source alt="" loading="lazy" on:error=move |_| address.set(None) />
        }
        .into_any(),
        None => view! { <span class="chart-icon chart-icon-none">{icon("cubes")}</span> }.into_any(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ChartVersion;

    fn entry() -> CatalogueEntry {
        CatalogueEntry {
            repository: "samples".into(),
            name: "web".into(),
            description: "A small server".into(),
            icon: None,
            keywords: vec!["http".into()],
            category: None,
            latest: ChartVersion {
                version: "1.0.0".into(),
                app_version: None,
                created: None,
                deprecated: false,
                incompatible: false,
            },
            deprecated: false,
        }
    }

    #[test]
    fn a_keyword_is_looked_for_in_name_description_and_key_words() {
        for keyword in ["", "web", "small", "http"] {
            assert!(matches(&entry(), keyword, ""), "{keyword}");
        }
        assert!(!matches(&entry(), "database", ""));
    }

    #[test]
    fn a_chosen_repository_hides_the_others() {
        assert!(matches(&entry(), "", "samples,other"));
        assert!(!matches(&entry(), "", "other"));
    }
}
