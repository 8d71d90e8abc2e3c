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
use crate::ui::markup::{Part, class, live, markup, press};
use crate::ui::modal::{close_dialog, open_dialog};
use crate::ui::state::{error_state, skeleton_lines};
use crate::words::{say, t};
pub use facts::{alerts, fact, why_not};

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
    let from =
        move || say("From the repository {name}", &[("name", &repository_name(&repository, repositories))]);
    let content = markup(
        r##"<div class="panel-frame"><header class="panel-head"><!><div><h2 class="pf-v6-c-title pf-m-h1 wrap" id="panel-title"><!></h2><p class="note"><!></p></div><button type="button" class="pf-v6-c-button pf-m-plain panel-close" x><span class="pf-v6-c-button__icon"><svg class="pf-v6-svg" viewBox="0 0 32 32" aria-hidden="true"><use href="#i-close"></use></svg></span></button></header><!><!></div>"##,
        vec![
            Part::View(dynamic(move || chart_icon(picture.get()))),
            Part::Text(chart.chart),
            live(from),
            Part::Set("aria-label", t("Close").to_owned()),
            press(close_dialog),
            Part::View(actions(detail, shown, version, install)),
            Part::View(dynamic(move || body(shown.get(), detail, repositories))),
        ],
    );
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
            {content}
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
    markup(
        r#"<div class="panel-actions"><!><label class="panel-version-label" for="panel-version"><!></label><div class="panel-version"><!></div></div>"#,
        vec![
            Part::View(dynamic(create)),
            Part::Word(t("Chart version")),
            Part::View(choice("panel-version", chosen.into(), options.into(), change)),
        ],
    )
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
        Shown::Loading => markup(r#"<div class="panel-body"><!></div>"#, vec![Part::View(skeleton_lines(8))]),
        Shown::Failed(error) => {
            let set = query_setter();
            let newest = query_value("version").with_untracked(|version| !version.is_empty()).then(|| {
                button("pf-v6-c-button pf-m-link", t("Show the newest version"), move || {
                    set.run(vec![("version", String::new())]);
                })
            });
            let said = error_state(&error, move || detail.retry());
            markup(
                r#"<div class="panel-body panel-failed"><!></div>"#,
                vec![Part::View(std::iter::once(said).chain(newest).views().into_any())],
            )
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
    let tabs = TABS.into_iter().filter(|(word, _)| *word != "dependencies" || has_dependencies);
    let tabs = tabs.map(|(word, title)| tab_item(tab, word, title)).views();
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
    markup(
        r#"<div class="panel-body"><!><div class="panel-text"><!><p class="wrap"><!></p><nav class="pf-v6-c-tabs panel-tabs" x><ul class="pf-v6-c-tabs__list" role="list"><!></ul></nav><!></div></div>"#,
        vec![
            Part::View(facts),
            Part::View(notes),
            Part::Text(description),
            Part::Set("aria-label", t("Chart").to_owned()),
            Part::View(tabs.into_any()),
            Part::View(dynamic(shown)),
        ],
    )
}

fn tab_item(tab: Memo<String>, word: &'static str, title: &'static str) -> AnyView {
    let is_here = move || tab.with(|tab| is_tab(tab, word));
    let address = Address::get();
    let href = move || {
        let here = with_query_without(&address.path.get(), &["tab", "find"]);
        Some(match word {
            "" => here,
            word => format!("{here}{}tab={word}", if here.contains('?') { '&' } else { '?' }),
        })
    };
    markup(
        r#"<li x><a class="pf-v6-c-tabs__link" x><span class="pf-v6-c-tabs__item-text"><!></span></a></li>"#,
        vec![
            class(move || if is_here() { "pf-v6-c-tabs__item pf-m-current" } else { "pf-v6-c-tabs__item" }),
            Part::Mark,
            Part::Follow("href", Box::new(href)),
            Part::Follow("aria-current", Box::new(move || is_here().then(|| "page".to_owned()))),
            Part::Word(tab_title(title)),
        ],
    )
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
        None => markup(r#"<p class="nothing"><!></p>"#, vec![Part::Word(t("README not available"))]),
    }
}
