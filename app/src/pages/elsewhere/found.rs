//! What was found: enough of it to know that it is the right one.

use leptos::prelude::*;

use super::{Looked, State, address};
use crate::model::ChartDetail;
use crate::pages::catalogue::{alerts, chart_icon};
use crate::pages::route::Origin;
use crate::signals::Views;
use crate::ui::field::{FormGroup, Hint, Select};
use crate::ui::icon::icon;
use crate::ui::table::or_dash;
use crate::words::{count, t};

/// The chart, and its versions where there are several.
pub fn found(state: State, looked: Looked) -> AnyView {
    let Looked { origin, chart } = looked;
    let is_registry = matches!(&origin, Origin::Address(url) if url.starts_with("oci://"));
    let notes = alerts(&chart);
    let versions = is_registry.then(|| versions(state, &chart));
    let description = chart.description.clone();
    view! {
        <section class="pf-v6-c-card found" aria-labelledby="found-title">
            <div class="found-head">
                {chart_icon(chart.icon.clone())} <div>
                    <h2 class="pf-v6-c-title pf-m-h2 wrap" id="found-title" role="status">
                        {format!("{} {}", chart.name, chart.version)}
                    </h2>
                    {(!description.is_empty()).then(|| view! { <p class="wrap">{description}</p> })}
                </div>
            </div>
            {notes} {versions} {facts(&chart)}
        </section>
    }
    .into_any()
}

fn versions(state: State, chart: &ChartDetail) -> AnyView {
    let options: Vec<(String, String)> =
        chart.versions.iter().map(|one| (one.version.clone(), one.version.clone())).collect();
    let about = count(options.len(), "{n} version is in the registry.", "{n} versions are in the registry.");
    let hint = Hint::Plain(about);
    let chosen = chart.version.clone();
    view! {
        <FormGroup id="chart-version" label=t("Chart version") required=true hint>
            <Select
                id="chart-version"
                value=Signal::derive(move || chosen.clone())
                options=Signal::derive(move || options.clone())
                on_change=move |version| address::look(state, Some(version))
            />
        </FormGroup>
    }
    .into_any()
}

fn facts(chart: &ChartDetail) -> AnyView {
    let home = chart.home.clone().filter(|home| home.starts_with("http")).map(|address| {
        let words = address.clone();
        view! {
            <a href=address target="_blank" rel="noopener noreferrer">
                {words} " " {icon("external")}
            </a>
        }
    });
    let maintainers: Vec<String> = chart.maintainers.iter().map(ToString::to_string).collect();
    let contents = [
        (chart.readme.is_some(), t("README")),
        (chart.schema.is_some(), t("Schema of its values")),
        (!chart.values.trim().is_empty(), t("Default values")),
    ];
    let contents: Vec<&str> =
        contents.into_iter().filter(|(is_in, _)| *is_in).map(|(_, words)| words).collect();
    let dependencies: Vec<String> = chart.dependencies.iter().map(|one| one.name.clone()).collect();
    let text = |words: Vec<String>| or_dash(Some(words.join(", ")));
    let facts = [
        (t("App version"), or_dash(chart.app_version.clone())),
        (t("Home page"), home.map_or_else(|| or_dash(None), IntoAny::into_any)),
        (t("Maintainers"), text(maintainers)),
        (t("Contents"), or_dash(Some(contents.join(", ")))),
        (t("Dependencies"), text(dependencies)),
    ];
    let facts = facts.into_iter().map(|(title, content)| {
        view! {
            <div>
                <dt>{title}</dt>
                <dd class="wrap">{content}</dd>
            </div>
        }
    });
    let facts = facts.views();
    view! { <dl class="found-facts">{facts}</dl> }.into_any()
}
