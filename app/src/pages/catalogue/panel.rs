//! One chart, in a panel at the side of the catalogue.

mod facts;
mod lists;
mod values;

use crate::signals::{Memo, Views, dynamic};
use leptos::html;
use leptos::prelude::*;

use super::{PANEL, chart_icon, repository_name};
use crate::client::client;
use crate::client::fetch::{Fetched, fetch};
use crate::model::{ApiError, ChartDetail, ChartVersion, RepositoryState};
use crate::pages::frame::choice;
use crate::pages::query::{query_setter, query_value, with_query_without};
use crate::pages::route::{ChartRef, Origin, Route};
use crate::ui::address::{Address, encode};
use crate::ui::button::{button, link_button, unavailable_button};
use crate::ui::modal::{close_button, close_dialog, open_dialog};
use crate::ui::state::{error_state, skeleton_lines};
use crate::words::{say, t};
pub use facts::{alerts, fact, why_not};

/// What was asked for, and what came of it.
type Asked = (String, ChartDetail);

/// The panel's parts, by their words in the address; the README, which comes first, has none.
const TABS: [&str; 4] = ["", "values", "versions", "dependencies"];

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
    let from =
        move || say("From the repository {name}", &[("name", &repository_name(&repository, repositories))]);
    let head = view! {
        <header class="panel-head">
            {dynamic(move || chart_icon(picture.get()))}
            <div>
                <h2 class="pf-v6-c-title pf-m-h1 wrap" id="panel-title">
                    {chart.chart}
                </h2>
                <p class="note">{dynamic(from)}</p>
            </div>
            {close_button()}
        </header>
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
                {head} {actions(detail, shown, version, install)}
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
    let change = Box::new(move |version| set.run(vec![("version", version)]));
    view! {
        <div class="panel-actions">
            {dynamic(create)} <label class="panel-version-label" for="panel-version">
                {t("Chart version")}
            </label>
            <div class="panel-version">
                {choice("panel-version", chosen.into(), options.into(), change)}
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
            let said = error_state(&error, move || detail.retry());
            view! { <div class="panel-body panel-failed">{said} {newest}</div> }.into_any()
        }
        Shown::There => {
            let chart = detail.data.with_untracked(|it| it.map(|(_, it)| it.clone()).unwrap_or_default());
            content(chart, repositories)
        }
    }
}

fn content(chart: ChartDetail, repositories: Memo<Vec<RepositoryState>>) -> AnyView {
    let tab = query_value("tab");
    let has_dependencies = !chart.dependencies.is_empty();
    let tabs = TABS.into_iter().filter(|word| *word != "dependencies" || has_dependencies);
    let tabs = tabs.map(|word| tab_item(tab, word)).views();
    let facts = facts::facts(&chart, repositories);
    let (notes, description) = (alerts(&chart), chart.description.clone());
    let chart = StoredValue::new(chart);
    let shown = move || {
        let word = tab.get();
        chart.with_value(|chart| match word.as_str() {
            "values" => values::values(chart.values.clone()),
            "versions" => lists::versions(chart),
            "dependencies" if has_dependencies => lists::dependencies(chart),
            _ => readme(chart.readme.clone()),
        })
    };
    view! {
        <div class="panel-body">
            {facts} <div class="panel-text">
                {notes} <p class="wrap">{description}</p>
                <nav class="pf-v6-c-tabs panel-tabs" aria-label=t("Chart")>
                    <ul class="pf-v6-c-tabs__list" role="list">
                        {tabs}
                    </ul>
                </nav>
                {dynamic(shown)}
            </div>
        </div>
    }
    .into_any()
}

fn tab_item(tab: Memo<String>, word: &'static str) -> AnyView {
    let is_here = move || tab.with(|tab| is_tab(tab, word));
    let address = Address::get();
    let href = move || {
        let here = with_query_without(&address.path.get(), &["tab", "find"]);
        match word {
            "" => here,
            word => format!("{here}{}tab={word}", if here.contains('?') { '&' } else { '?' }),
        }
    };
    let class = move || if is_here() { "pf-v6-c-tabs__item pf-m-current" } else { "pf-v6-c-tabs__item" };
    view! {
        <li class=class>
            <a class="pf-v6-c-tabs__link" href=href aria-current=move || is_here().then_some("page")>
                <span class="pf-v6-c-tabs__item-text">{tab_title(word)}</span>
            </a>
        </li>
    }
    .into_any()
}

fn is_tab(tab: &str, word: &str) -> bool {
    if TABS.contains(&tab) { tab == word } else { word.is_empty() }
}

fn tab_title(word: &str) -> &'static str {
    match word {
        "values" => t("Values"),
        "versions" => t("Versions"),
        "dependencies" => t("Dependencies"),
        _ => t("README"),
    }
}

/// The README, which the server has made safe.
fn readme(html: Option<String>) -> AnyView {
    match html {
        // It may be wider than its place, and is then scrolled, also by keyboard.
        Some(html) => view! {
            <div
                class="pf-v6-c-content readme"
                tabindex="0"
                role="region"
                aria-label=t("README")
                inner_html=html
            ></div>
        }
        .into_any(),
        None => view! { <p class="nothing">{t("README not available")}</p> }.into_any(),
    }
}
