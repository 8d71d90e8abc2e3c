//! The tables of the panel: a chart's versions, and the charts that it brings along.

use leptos::prelude::*;

use crate::model::{ChartDependency, ChartDetail, ChartVersion, Tone};
use crate::pages::frame::{more_button, outside};
use crate::pages::query::with_query_without;
use crate::signals::{Views, dynamic};
use crate::ui::address::{Address, encode};
use crate::ui::label::status_label;
use crate::ui::table::{cell, or_dash, plain_head};
use crate::ui::time::ago;
use crate::words::{count, say, t};

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
            more_button(count(rest, "{n} more version", "{n} more versions"), move || {
                most.update(|most| *most += STEP);
            })
        })
    };
    let heads = [t("Chart version"), t("App version"), t("Created"), t("Notes")];
    [table(t("Versions"), heads, dynamic(rows)), dynamic(more)].into_iter().views().into_any()
}

fn table(label: &'static str, heads: [&'static str; 4], rows: AnyView) -> AnyView {
    view! {
        <table class="pf-v6-c-table pf-m-grid-md pf-m-compact" aria-label=label>
            <thead class="pf-v6-c-table__thead">
                <tr class="pf-v6-c-table__tr">{heads.into_iter().map(plain_head).views()}</tr>
            </thead>
            <tbody class="pf-v6-c-table__tbody">{rows}</tbody>
        </table>
    }
    .into_any()
}

fn row(cells: [(&'static str, AnyView); 4]) -> AnyView {
    let cells = cells.into_iter().map(|(title, content)| cell(title, content));
    view! { <tr class="pf-v6-c-table__tr">{cells.views()}</tr> }.into_any()
}

fn version(one: &ChartVersion, here: &str, is_shown: bool) -> AnyView {
    let href =
        format!("{here}{}version={}", if here.contains('?') { '&' } else { '?' }, encode(&one.version));
    let notes = [
        (is_shown, Tone::Neutral, t("Shown")),
        (one.deprecated, Tone::Warning, t("Deprecated")),
        (one.incompatible, Tone::Danger, t("Not for this cluster")),
    ];
    let notes = notes.into_iter().filter(|(is_so, ..)| *is_so).map(|(_, tone, words)| match tone {
        Tone::Neutral => view! { <span class="note">{words}</span> }.into_any(),
        tone => status_label(tone, words.to_owned()),
    });
    let link = view! {
        <a class="wrap" href=href>
            {one.version.clone()}
        </a>
    };
    row([
        (t("Chart version"), link.into_any()),
        (t("App version"), or_dash(one.app_version.clone())),
        (t("Created"), ago(one.created)),
        (t("Notes"), notes.views().into_any()),
    ])
}

/// The charts that it brings along.
pub fn dependencies(chart: &ChartDetail) -> AnyView {
    let heads = [t("Name"), t("Version"), t("Repository"), t("Condition")];
    table(t("Dependencies"), heads, chart.dependencies.iter().map(dependency).views().into_any())
}

fn dependency(one: &ChartDependency) -> AnyView {
    let alias = one.alias.clone().filter(|alias| *alias != one.name);
    let alias = alias.map(|alias| say("As {alias}", &[("alias", &alias)])).unwrap_or_default();
    let name = view! {
        <div class="wrap">{one.name.clone()} <div class="note">{alias}</div></div>
    };
    let repository = one.repository.as_ref().filter(|text| !text.is_empty());
    let condition =
        one.condition.clone().map(|condition| view! { <code class="wrap">{condition}</code> }.into_any());
    row([
        (t("Name"), name.into_any()),
        (t("Version"), or_dash(one.version.clone())),
        (t("Repository"), repository.map_or_else(|| or_dash(None), |text| outside(text, text.clone()))),
        (t("Condition"), condition.unwrap_or_else(|| or_dash(None))),
    ])
}
