//! One release in the list.

use leptos::prelude::*;

use super::Context;
use super::explanation::{elsewhere, explanation, unreadable};
use super::filter::row_of;
use super::menu::menu;
use super::order::Column;
use crate::model::{Detail, Phase, RecordSummary, ReleaseKey, ReleaseRow, Tone};
use crate::pages::route::Route;
use crate::signals::{Memo, dynamic};
use crate::ui::dropdown::{Dropdown, Look};
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
    let last: StoredValue<Option<ReleaseRow>> = StoredValue::new(None);
    let known = Memo::new(move || {
        let row =
            now.get().or_else(|| last.get_value().map(|row| ReleaseRow { phase: Phase::NotFound, ..row }));
        last.set_value(row.clone());
        row
    });
    let href = Route::release(&release).to_string();
    let namespace = context.all.then(|| {
        let href = Route::Releases { namespace: Some(release.namespace.clone()) }.to_string();
        let link = view! {
            <span class="named">{kind_badge("Namespace")} <a href=href>{release.namespace.clone()}</a></span>
        };
        cell_of("col-namespace", Column::Namespace.title(), link)
    });
    let revision = Memo::new(move || known.with(|row| row.as_ref().and_then(|row| row.revision)));
    let updated = Memo::new(move || known.with(|row| row.as_ref().and_then(|row| row.updated)));
    let away = Memo::new(move || known.with(|row| row.as_ref().and_then(elsewhere)));
    let why_unreadable = Memo::new(move || known.with(|row| row.as_ref().and_then(unreadable)));
    let label = format!("{} {}", t("Actions for"), release.name);
    let of = release.clone();
    view! {
        <tr class="pf-v6-c-table__tr">
            {check(&release, context)}
            {cell_of("col-name", Column::Name.title(), view! {
                <span class="named">
                    {kind_badge("Helm release")} <a href=href>{release.name.clone()}</a>
                </span>
                {dynamic(move || away.get().map(note))}
            })}
            {namespace}
            {cell_of(
                "col-revision",
                Column::Revision.title(),
                dynamic(move || or_dash(revision.get().map(|number| number.to_string()))),
            )}
            {cell_of("col-updated", Column::Updated.title(), dynamic(move || ago(updated.get())))}
            {cell_of("col-status", Column::Status.title(), status(known))}
            {dynamic(move || match why_unreadable.get() {
                Some(why) => view! {
                    <td class="pf-v6-c-table__td" colspan="3" data-label=Column::Chart.title()>
                        <span class="unreadable">
                            {icon("warning")} <span><b>{t("Unreadable")}</b> ". " {why}</span>
                        </span>
                    </td>
                }
                .into_any(),
                None => chart(known, context),
            })}
            <td class="pf-v6-c-table__td pf-v6-c-table__action">
                <Dropdown look=Look::Icon label=label align_end=true toggle=|| icon("kebab")>
                    {menu(&of, now)}
                </Dropdown>
            </td>
        </tr>
    }
    .into_any()
}

fn check(release: &ReleaseKey, context: Context) -> AnyView {
    let (of, key) = (release.clone(), release.clone());
    let selection = context.selection;
    let choose = move |event: leptos::ev::MouseEvent| {
        let on = event_target::<web_sys::HtmlInputElement>(&event).checked();
        context.hold.shown.with_untracked(|shown| selection.choose(&key, on, event.shift_key(), &shown.keys));
    };
    view! {
        <td class="pf-v6-c-table__td pf-v6-c-table__check">
            <label class="pf-v6-c-check pf-m-standalone">
                <input
                    class="pf-v6-c-check__input"
                    type="checkbox"
                    aria-label=say("Select {name}", &[("name", &release.name)])
                    prop:checked=Signal::derive(move || selection.has(&of))
                    on:click=choose
                />
            </label>
        </td>
    }
    .into_any()
}

fn note(text: String) -> AnyView {
    let title = text.clone();
    view! { <span class="row-note" title=title>{text}</span> }.into_any()
}

fn status(row: Memo<Option<ReleaseRow>>) -> AnyView {
    let phase = Memo::new(move || row.with(|row| row.as_ref().map(|row| row.phase.clone())));
    let why = Memo::new(move || row.with(|row| row.as_ref().and_then(explanation)));
    let label = move || {
        phase.get().map(|phase| match phase {
            Phase::NotFound => status_label(Tone::Neutral, t("Gone").to_owned()),
            phase => status_label(phase.tone(), told(&phase.words())),
        })
    };
    view! {
        {dynamic(label)}
        {dynamic(move || why.get().map(note))}
    }
    .into_any()
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
                None => view! { <div class="pf-v6-c-skeleton"></div> }.into_any(),
            })
        })
    };
    let newer = Memo::new(move || {
        context.updates.with(|updates| row.with(|row| row.as_ref().and_then(|row| updates.of(row)).cloned()))
    });
    let update = move || {
        newer.get().map(|newer| {
            let words = say(
                "Update available: {version}, in the repository {repository}",
                &[("version", &newer.version), ("repository", &newer.repository)],
            );
            let key = ReleaseKey::new(newer.namespace, newer.name);
            let form = Route::Upgrade { key }.to_string();
            let href = [&form, "?version=", &crate::ui::address::encode(&newer.version)].concat();
            let label = words.clone();
            view! {
                <span class="pf-v6-c-label pf-m-compact pf-m-blue pf-m-clickable update-label">
                    <a class="pf-v6-c-label__content" href=href title=words aria-label=label>
                        <span class="pf-v6-c-label__text">{t("Update available")}</span>
                    </a>
                </span>
            }
        })
    };
    view! {
        {cell_of("col-chart", Column::Chart.title(), told(|summary| &summary.chart))}
        {cell_of("col-version", Column::ChartVersion.title(), view! { {told(|summary| &summary.chart_version)} {dynamic(update)} })}
        {cell_of("col-app", Column::AppVersion.title(), told(|summary| &summary.app_version))}
    }
    .into_any()
}
