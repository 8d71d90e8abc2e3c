//! The tables of the panel: a chart's versions, and the charts that it brings along.

use leptos::prelude::*;

use crate::model::{ChartDependency, ChartDetail, ChartVersion, Tone};
use crate::pages::query::with_query_without;
use crate::signals::{Views, dynamic};
use crate::ui::address::{Address, encode};
use crate::ui::button::button;
use crate::ui::label::status_label;
use crate::ui::table::{cell, or_dash, plain_head};
use crate::ui::time::ago;
use crate::words::{count, t};

/// How many versions are listed at a time.
const STEP: usize = 50;

/// The versions, the newest first.
pub fn versions(chart: &ChartDetail) -> AnyView {
    let all = StoredValue::new(chart.versions.clone());
    let shown = StoredValue::new(chart.version.clone());
    let most = RwSignal::new(STEP);
    let address = Address::get();
    let rows = move || {
        let path = address.path.get();
        let here = with_query_without(&path, &["tab", "version", "find"]);
        all.with_value(|all| {
            let shown = shown.get_value();
            all.iter().take(most.get()).map(|one| version(one, &here, *one.version == shown)).views()
        })
    };
    let more = move || {
        let rest = all.with_value(Vec::len).saturating_sub(most.get());
        (rest > 0).then(|| {
            view! {
                <div class="cards-more">
                    {button(
                        "pf-v6-c-button pf-m-secondary",
                        t("Show more"),
                        move || most.update(|most| *most += STEP),
                    )} <span class="note">{count(rest, "{n} more version", "{n} more versions")}</span>
                </div>
            }
        })
    };
    view! {
        <table class="pf-v6-c-table pf-m-grid-md pf-m-compact" aria-label=t("Versions")>
            <thead class="pf-v6-c-table__thead">
                <tr class="pf-v6-c-table__tr">
                    {plain_head(t("Chart version"))} {plain_head(t("App version"))} {plain_head(t("Created"))}
                    {plain_head(t("Notes"))}
                </tr>
            </thead>
            <tbody class="pf-v6-c-table__tbody">{dynamic(rows)}</tbody>
        </table>
        {dynamic(more)}
    }
    .into_any()
}

fn version(one: &ChartVersion, here: &str, is_shown: bool) -> AnyView {
    let href =
        format!("{here}{}version={}", if here.contains('?') { '&' } else { '?' }, encode(&one.version));
    let name = one.version.clone();
    let notes = [
        (is_shown, Tone::Neutral, t("Shown")),
        (one.deprecated, Tone::Warning, t("Deprecated")),
        (one.incompatible, Tone::Danger, t("Not for this cluster")),
    ];
    let notes = notes
        .into_iter()
        .filter(|(is_so, ..)| *is_so)
        .map(|(_, tone, words)| match tone {
            Tone::Neutral => view! { <span class="note">{words}</span> }.into_any(),
            tone => status_label(tone, words.to_owned()),
        })
        .views();
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell(t("Chart version"), view! { <a class="wrap" href=href>{name}</a> })}
            {cell(t("App version"), or_dash(one.app_version.clone()))} {cell(t("Created"), ago(one.created))}
            {cell(t("Notes"), notes)}
        </tr>
    }
    .into_any()
}

/// The charts that it brings along.
pub fn dependencies(chart: &ChartDetail) -> AnyView {
    view! {
        <table class="pf-v6-c-table pf-m-grid-md pf-m-compact" aria-label=t("Dependencies")>
            <thead class="pf-v6-c-table__thead">
                <tr class="pf-v6-c-table__tr">
                    {plain_head(t("Name"))} {plain_head(t("Version"))} {plain_head(t("Repository"))}
                    {plain_head(t("Condition"))}
                </tr>
            </thead>
            <tbody class="pf-v6-c-table__tbody">{chart.dependencies.iter().map(dependency).views()}</tbody>
        </table>
    }
    .into_any()
}

fn dependency(one: &ChartDependency) -> AnyView {
    let alias = one.alias.clone().filter(|alias| *alias != one.name);
    let name = view! {
        <div class="wrap">
            {one.name.clone()} {alias.map(|alias| view! { <div class="note">{t("As")} " " {alias}</div> })}
        </div>
    };
    let repository = one.repository.clone().filter(|text| !text.is_empty());
    let repository = match repository {
        Some(address) if address.starts_with("https://") || address.starts_with("http://") => {
            let words = address.clone();
            view! { <a class="wrap" href=address target="_blank" rel="noopener noreferrer">{words}</a> }
                .into_any()
        }
        Some(address) => view! { <span class="wrap">{address}</span> }.into_any(),
        None => or_dash(None),
    };
    let condition = match one.condition.clone() {
        Some(condition) => view! { <code class="wrap">{condition}</code> }.into_any(),
        None => or_dash(None),
    };
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell(t("Name"), name)} {cell(t("Version"), or_dash(one.version.clone()))}
            {cell(t("Repository"), repository)} {cell(t("Condition"), condition)}
        </tr>
    }
    .into_any()
}
