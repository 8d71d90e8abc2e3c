//! One release in the list.

use std::sync::Mutex;

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::Context;
use super::explanation::{elsewhere, explanation, unreadable};
use super::filter::row_of;
use super::menu::menu;
use super::order::Column;
use crate::model::{Detail, Phase, RecordSummary, ReleaseKey, ReleaseRow, ReleaseUpdate, Tone};
use crate::pages::route::Route;
use crate::signals::{Memo, dynamic};
use crate::ui::address::encode;
use crate::ui::dropdown::{Dropdown, Look};
use crate::ui::element::el;
use crate::ui::icon::icon;
use crate::ui::label::{kind_badge, status_label};
use crate::ui::table::{cell_of, or_dash};
use crate::ui::time::ago;
use crate::words::{say, t, told};

/// A row. Its cells follow the release; the row itself stays, with its focus and its open menu.
pub fn row(release: ReleaseKey, context: Context) -> AnyView {
    let of = release.clone();
    let now = Memo::new(move || {
        context.list.data.with(|data| data.and_then(|data| row_of(&data.releases, &of)).cloned())
    });
    // What is gone and still has its row keeps what was known of it.
    let last: Mutex<Option<ReleaseRow>> = Mutex::new(None);
    let known = Memo::new(move || {
        let row = now.get();
        let Ok(mut last) = last.lock() else { return row };
        let row = row.or_else(|| last.take().map(|row| ReleaseRow { phase: Phase::NotFound, ..row }));
        last.clone_from(&row);
        row
    });
    let look = move |of: fn(&ReleaseRow) -> Option<String>| {
        Memo::new(move || known.with(|row| row.as_ref().and_then(of)))
    };
    let href = Route::release(&release).to_string();
    let namespace = context.all.then(|| {
        let href = Route::Releases { namespace: Some(release.namespace.clone()) }.to_string();
        cell(Column::Namespace, named("Namespace", &href, &release.namespace))
    });
    let revision = look(|row| row.revision.map(|number| number.to_string()));
    let updated = Memo::new(move || known.with(|row| row.as_ref().and_then(|row| row.updated)));
    let (away, why_unreadable) = (look(elsewhere), look(unreadable));
    let name = el("div").child(named("Helm release", &href, &release.name)).child(note(away)).done();
    let of = release.clone();
    let label = say("Actions for {name}", &[("name", &release.name)]);
    let actions = view! {
        <Dropdown look=Look::Icon label=label align_end=true toggle=|| icon("kebab")>{menu(&of, now)}</Dropdown>
    };
    let about_chart = move || match why_unreadable.get() {
        Some(why) => {
            let text = el("span").child(el("b").child(t("Unreadable"))).child(". ").child(why);
            el("td.pf-v6-c-table__td>span.unreadable")
                .attr("colspan", "3")
                .attr("data-label", Column::Chart.title())
                .child(icon("warning"))
                .child(text)
                .done()
        }
        None => chart(known, context),
    };
    el("tr.pf-v6-c-table__tr")
        .child(check(&release, context))
        .child(cell(Column::Name, name))
        .child(namespace)
        .child(cell(Column::Revision, dynamic(move || or_dash(revision.get()))))
        .child(cell(Column::Updated, dynamic(move || ago(updated.get()))))
        .child(cell(Column::Status, status(known, note(look(explanation)))))
        .child(dynamic(about_chart))
        .child(el("td.pf-v6-c-table__td.pf-v6-c-table__action").child(actions.into_any()))
        .done()
}

fn cell(column: Column, content: AnyView) -> AnyView {
    cell_of(column.class(), column.title(), content)
}

/// A name with its badge, as a link.
fn named(kind: &str, href: &str, name: &str) -> AnyView {
    let link = el("a").attr("href", href).child(name.to_owned());
    el("span.named").child(kind_badge(kind)).child(" ").child(link).done()
}

fn check(release: &ReleaseKey, context: Context) -> AnyView {
    let (of, key) = (release.clone(), release.clone());
    let selection = context.selection;
    let choose = move |event: web_sys::Event| {
        let ranged = event.dyn_ref::<web_sys::MouseEvent>().is_some_and(web_sys::MouseEvent::shift_key);
        let on = event_target_checked(&event);
        context.hold.shown.with_untracked(|shown| selection.choose(&key, on, ranged, &shown.keys));
    };
    let tick = el("input.pf-v6-c-check__input")
        .attr("type", "checkbox")
        .attr("aria-label", &say("Select {name}", &[("name", &release.name)]))
        .prop("checked", move || selection.has(&of))
        .on("click", choose);
    el("td.pf-v6-c-table__td.pf-v6-c-table__check>label.pf-v6-c-check.pf-m-standalone").child(tick).done()
}

fn note(text: Memo<Option<String>>) -> AnyView {
    dynamic(move || text.get().map(|text| el("span.row-note").attr("title", &text).child(text)))
}

fn status(row: Memo<Option<ReleaseRow>>, note: AnyView) -> AnyView {
    let phase = Memo::new(move || row.with(|row| row.as_ref().map(|row| row.phase.clone())));
    let label = move || {
        phase.get().map(|phase| match phase {
            Phase::NotFound => status_label(Tone::Neutral, t("Gone").to_owned()),
            phase => status_label(phase.tone(), told(&phase.words())),
        })
    };
    el("div").child(dynamic(label)).child(note).done()
}

/// The cells about the chart.
fn chart(row: Memo<Option<ReleaseRow>>, context: Context) -> AnyView {
    let summary = Memo::new(move || {
        row.with(|row| match row.as_ref().map(|row| &row.detail) {
            Some(Detail::Known(summary)) => Some(summary.clone()),
            _ => None,
        })
    });
    let told = move |field: fn(&RecordSummary) -> &Option<String>| {
        dynamic(move || {
            summary.with(|summary| match summary {
                Some(summary) => or_dash(field(summary).clone()),
                None => el("div.pf-v6-c-skeleton").done(),
            })
        })
    };
    let newer = Memo::new(move || {
        context.updates.with(|updates| row.with(|row| row.as_ref().and_then(|row| updates.of(row)).cloned()))
    });
    let version = el("div")
        .child(told(|summary| &summary.chart_version))
        .child(dynamic(move || newer.get().map(|newer| update_label(&newer))));
    vec![
        cell(Column::Chart, told(|summary| &summary.chart)),
        cell(Column::ChartVersion, version.done()),
        cell(Column::AppVersion, told(|summary| &summary.app_version)),
    ]
    .into_any()
}

/// "Update available", which leads to the form for that.
fn update_label(newer: &ReleaseUpdate) -> AnyView {
    let ReleaseUpdate { namespace, name, version, repository } = newer;
    let words = say(
        "Update available: {version}, in the repository {repository}",
        &[("version", version), ("repository", repository)],
    );
    let form = Route::Upgrade { key: ReleaseKey::new(namespace, name) }.to_string();
    let link = el("a.pf-v6-c-label__content>span.pf-v6-c-label__text")
        .attr("href", &[&form, "?version=", &encode(version)].concat())
        .attr("title", &words)
        .attr("aria-label", &words)
        .child(t("Update available"));
    el("span.pf-v6-c-label.pf-m-compact.pf-m-blue.pf-m-clickable.update-label").child(link).done()
}
