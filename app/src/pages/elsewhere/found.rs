//! What was found: enough of it to know that it is the right one.

use leptos::prelude::*;

use super::{Change, Looked, State, address};
use crate::model::ChartDetail;
use crate::pages::catalogue::{alerts, chart_icon, fact};
use crate::pages::frame::{choice, group, outside};
use crate::pages::route::Origin;
use crate::signals::Views;
use crate::ui::field::Hint;
use crate::words::{count, t};

/// The chart, and its versions where there are several.
pub fn found(state: State, set: Change, looked: Looked) -> AnyView {
    let Looked { origin, chart } = looked;
    let is_registry = matches!(&origin, Origin::Address(url) if url.starts_with("oci://"));
    let versions = if is_registry { versions(state, set, &chart) } else { ().into_any() };
    view! {
        <section class="pf-v6-c-card found" aria-labelledby="found-title">
            <div class="found-head" role="status">
                {chart_icon(chart.icon.clone())} <div>
                    <h2 class="pf-v6-c-title pf-m-h2 wrap" id="found-title">
                        {format!("{} {}", chart.name, chart.version)}
                    </h2>
                    <p class="wrap">{chart.description.clone()}</p>
                </div>
            </div>
            {alerts(&chart)}
            {versions}
            <dl class="found-facts">{facts(&chart)}</dl>
        </section>
    }
    .into_any()
}

fn versions(state: State, set: Change, chart: &ChartDetail) -> AnyView {
    let options: Vec<(String, String)> =
        chart.versions.iter().map(|one| (one.version.clone(), one.version.clone())).collect();
    let about = count(options.len(), "{n} version is in the registry.", "{n} versions are in the registry.");
    let hint = Signal::derive(move || Hint::Plain(about.clone()));
    let chosen = chart.version.clone();
    let change = Box::new(move |version| address::look(state, set, Some(version)));
    let (chosen, options) = (Signal::derive(move || chosen.clone()), Signal::derive(move || options.clone()));
    group("chart-version", t("Chart version"), true, hint, choice("chart-version", chosen, options, change))
}

fn facts(chart: &ChartDetail) -> AnyView {
    let maintainers: Vec<String> = chart.maintainers.iter().map(ToString::to_string).collect();
    let contents = [
        (chart.readme.is_some(), t("README")),
        (chart.schema.is_some(), t("Schema of its values")),
        (!chart.values.trim().is_empty(), t("Default values")),
    ];
    let contents: Vec<&str> =
        contents.into_iter().filter(|(is_in, _)| *is_in).map(|(_, words)| words).collect();
    let dependencies: Vec<&str> = chart.dependencies.iter().map(|one| one.name.as_str()).collect();
    let text = |text: Option<String>| text.filter(|text| !text.is_empty()).map(IntoAny::into_any);
    let facts = [
        (t("App version"), text(chart.app_version.clone())),
        (t("Home page"), chart.home.as_ref().map(|home| outside(home, home.clone()))),
        (t("Maintainers"), text(Some(maintainers.join(", ")))),
        (t("Contents"), text(Some(contents.join(", ")))),
        (t("Dependencies"), text(Some(dependencies.join(", ")))),
    ];
    facts.into_iter().map(|(title, content)| fact(title, content)).views().into_any()
}
