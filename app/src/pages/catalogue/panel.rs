//! One chart, in a panel at the side of the catalogue.

mod facts;
mod lists;
mod values;

use crate::signals::{Memo, Views, dynamic};
use leptos::html;
use leptos::prelude::*;

use super::{PANEL, chart_icon};
use crate::client::client;
use crate::client::fetch::{Fetched, fetch};
use crate::model::{ApiError, ChartDetail, ChartVersion, RepositoryState};
use crate::pages::query::{query_setter, query_value, with_query_without};
use crate::pages::repositories::state::shown_name;
use crate::pages::route::{ChartRef, Origin, Route};
use crate::ui::address::{Address, encode};
use crate::ui::button::{button, link_button, unavailable_button};
use crate::ui::field::Select;
use crate::ui::icon::icon;
use crate::ui::modal::{close_dialog, open_dialog};
use crate::ui::state::{error_state, skeleton_lines};
use crate::words::{say, t};
pub use facts::{alerts, why_not};

/// What was asked for, and what came of it.
type Asked = (String, ChartDetail);

/// The panel's parts, and their words in the address.
const TABS: [(&str, &str); 4] =
    [("", "README"), ("values", "Values"), ("versions", "Versions"), ("dependencies", "Dependencies")];

#[derive(Clone, PartialEq)]
enum Shown {
    Loading,
    Failed(ApiError),
    There,
}

/// The panel. It is a dialog: Escape closes it, and the focus goes back to the card.
#[component]
pub fn ChartPanel(
    namespace: Option<String>,
    chart: ChartRef,
    repositories: Memo<Vec<RepositoryState>>,
) -> impl IntoView {
    let version = query_value("version");
    let of = chart.clone();
    let detail = fetch(move || {
        let asked = version.get();
        let wanted = Some(asked.clone()).filter(|version| !version.is_empty());
        let answer = client().chart(of.repository.clone(), of.chart.clone(), wanted);
        Box::pin(async move { Ok((asked, answer.await?)) })
    });
    // Another version's answer is not this one's.
    let is_there = Memo::new(move || {
        let version = version.get();
        detail.data.with(|it| it.is_some_and(|(asked, _): &Asked| *asked == version))
    });
    let shown = Memo::new(move || match (is_there.get(), detail.error.get()) {
        (true, _) => Shown::There,
        (false, Some(error)) => Shown::Failed(error),
        (false, None) => Shown::Loading,
    });
    let address = Address::get();
    let catalogue = Route::Catalogue { namespace: namespace.clone(), chart: None }.to_string();
    let dialog = NodeRef::<html::Dialog>::new();
    let close = Callback::new(move |()| {
        address.go(&untrack(|| with_query_without(&catalogue, &PANEL)));
    });
    open_dialog(dialog);
    let install = Route::Install { namespace, chart: Origin::Repository(chart.clone()) }.to_string();
    let picture = Memo::new(move || detail.data.with(|it| it.and_then(|(_, it)| it.icon.clone())));
    let repository = chart.repository.clone();
    let from = move || {
        let name = repositories.with(|all| {
            all.iter().find(|one| one.name == repository).map_or_else(|| repository.clone(), shown_name)
        });
        say("From the repository {name}", &[("name", &name)])
    };
    view! {
        <dialog
            class="panel"
            node_ref=dialog
            aria-labelledby="panel-title"
            on:close=move |_: leptos::ev::Event| close.run(())
            on:click=move |event| {
                // Beside the panel: its content lies in elements of their own.
                if event.target() == event.current_target() {
                    close_dialog();
                }
            }
        >
            <div class="panel-frame">
                <header class="panel-head">
                    {dynamic(move || chart_icon(picture.get()))}
                    <div>
                        <h2 class="pf-v6-c-title pf-m-h1 wrap" id="panel-title">
                            {chart.chart}
                        </h2>
                        <p class="note">{dynamic(from)}</p>
                    </div>
                    <button
                        type="button"
                        class="pf-v6-c-button pf-m-plain panel-close"
                        aria-label=t("Close")
                        on:click=move |_| close_dialog()
                    >
                        <span class="pf-v6-c-button__icon">{icon("close")}</span>
                    </button>
                </header>
                {actions(detail, shown, version, install)}
                {dynamic(move || body(shown.get(), detail, repositories))}
            </div>
        </dialog>
    }
    .into_any()
}

/// "Create", and which version of.
fn actions(detail: Fetched<Asked>, shown: Memo<Shown>, version: Memo<String>, install: String) -> AnyView {
    let set = query_setter();
    let create = move || {
        let why_not = (shown.get() == Shown::There)
            .then(|| detail.data.with(|it| it.and_then(|(_, it)| why_not(it))))
            .flatten();
        if let Some(why_not) = why_not {
            return unavailable_button(t("Create"), why_not);
        }
        let version = version.get();
        let href = match version.as_str() {
            "" => install.clone(),
            version => format!("{install}?version={}", encode(version)),
        };
        link_button("pf-v6-c-button pf-m-primary", t("Create"), href)
    };
    let options = Memo::new(move || {
        detail.data.with(|it| {
            it.map(|(_, it)| it.versions.iter().map(option).collect::<Vec<_>>()).unwrap_or_default()
        })
    });
    // The one that is asked for, also while it is on its way.
    let chosen = Memo::new(move || match version.get() {
        version if version.is_empty() => {
            detail.data.with(|it| it.map(|(_, it)| it.version.clone()).unwrap_or_default())
        }
        version => version,
    });
    view! {
        <div class="panel-actions">
            {dynamic(create)} <label class="panel-version-label" for="panel-version">
                {t("Chart version")}
            </label>
            <div class="panel-version">
                <Select
                    id="panel-version"
                    value=chosen
                    options
                    on_change=move |version| set.run(vec![("version", version)])
                />
            </div>
        </div>
    }
    .into_any()
}

fn option(version: &ChartVersion) -> (String, String) {
    let mut words = version.version.clone();
    if let Some(app) = &version.app_version {
        words.push_str(&say(" / App version {app}", &[("app", app)]));
    }
    if version.deprecated {
        words.push_str(t(" (deprecated)"));
    }
    if version.incompatible {
        words.push_str(t(" (not for this cluster)"));
    }
    (version.version.clone(), words)
}

fn body(shown: Shown, detail: Fetched<Asked>, repositories: Memo<Vec<RepositoryState>>) -> AnyView {
    match shown {
        Shown::Loading => view! { <div class="panel-body">{skeleton_lines(8)}</div> }.into_any(),
        Shown::Failed(error) => {
            let set = query_setter();
            let newest = query_value("version").with_untracked(|version| !version.is_empty()).then(|| {
                button("pf-v6-c-button pf-m-link", t("Show the newest version"), move || {
                    set.run(vec![("version", String::new())]);
                })
            });
            view! {
                <div class="panel-body panel-failed">
                    {error_state(&error, move || detail.retry())} {newest}
                </div>
            }
            .into_any()
        }
        Shown::There => {
            let chart = detail.data.with_untracked(|it| it.map(|(_, it)| it.clone()).unwrap_or_default());
            content(chart, repositories)
        }
    }
}

fn content(chart: ChartDetail, repositories: Memo<Vec<RepositoryState>>) -> AnyView {
    let tab = query_value("tab");
    let address = Address::get();
    let tabs = TABS
        .into_iter()
        .filter(|(word, _)| *word != "dependencies" || !chart.dependencies.is_empty())
        .map(|(word, title)| {
            let is_here = move || tab.with(|tab| is_tab(tab, word));
            let class = Signal::derive(move || {
                if is_here() { "pf-v6-c-tabs__item pf-m-current" } else { "pf-v6-c-tabs__item" }
            });
            let href = Signal::derive(move || {
                let here = with_query_without(&address.path.get(), &["tab", "find"]);
                match word {
                    "" => here,
                    word => format!("{here}{}tab={word}", if here.contains('?') { '&' } else { '?' }),
                }
            });
            view! {
                <li class=class>
                    <a
                        class="pf-v6-c-tabs__link"
                        href=href
                        aria-current=Signal::derive(move || is_here().then_some("page"))
                    >
                        <span class="pf-v6-c-tabs__item-text">{tab_title(title)}</span>
                    </a>
                </li>
            }
        })
        .views();
    let facts = facts::facts(&chart, repositories);
    let (notes, description) = (alerts(&chart), chart.description.clone());
    let chart = StoredValue::new(chart);
    view! {
        <div class="panel-body">
            {facts}
            <div class="panel-text">
                {notes} {(!description.is_empty()).then(|| view! { <p class="wrap">{description}</p> })}
                <nav class="pf-v6-c-tabs panel-tabs" aria-label=t("Chart")>
                    <ul class="pf-v6-c-tabs__list" role="list">
                        {tabs}
                    </ul>
                </nav>
                {dynamic(move || {
                    let word = tab.get();
                    chart
                        .with_value(|chart| match word.as_str() {
                            "values" => values::values(chart.values.clone()),
                            "versions" => lists::versions(chart),
                            "dependencies" if !chart.dependencies.is_empty() => lists::dependencies(chart),
                            _ => readme(chart.readme.clone()),
                        })
                })}
            </div>
        </div>
    }
    .into_any()
}

fn is_tab(tab: &str, word: &str) -> bool {
    let is_known = TABS.iter().any(|(known, _)| *known == tab);
    if is_known { tab == word } else { word.is_empty() }
}

fn tab_title(title: &'static str) -> &'static str {
    match title {
        "Values" => t("Values"),
        "Versions" => t("Versions"),
        "Dependencies" => t("Dependencies"),
        _ => t("README"),
    }
}

/// The README, which the server has made safe.
fn readme(html: Option<String>) -> AnyView {
    match html {
        Some(html) => view! { <div class="pf-v6-c-content readme" inner_html=html></div> }.into_any(),
        None => view! { <p class="nothing">{t("README not available")}</p> }.into_any(),
    }
}
