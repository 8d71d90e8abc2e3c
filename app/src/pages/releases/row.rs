//! One release in the list.

use crate::signals::{Memo, Views, dynamic};
use leptos::prelude::*;

use crate::model::{Detail, Phase, RecordSummary, ReleaseKey, ReleaseRow, WayAction};
use crate::pages::release::actions::action_href;
use crate::pages::route::Route;
use crate::ui::dropdown::{Dropdown, Look, MenuLink, MenuList};
use crate::ui::icon::icon;
use crate::ui::label::{kind_badge, status_label};
use crate::ui::table::{cell, or_dash};
use crate::ui::time::ago;

const MENU: [(WayAction, &str); 4] = [
    (WayAction::Upgrade, "Upgrade"),
    (WayAction::Rollback, "Rollback"),
    (WayAction::Uninstall, "Uninstall"),
    (WayAction::Cancel, "Cancel operation"),
];

/// Why an action cannot be done, as far as the list tells; the pages know more.
fn why_not(phase: &Phase, action: WayAction) -> Option<String> {
    let why = match (phase, action) {
        (Phase::Queued { .. } | Phase::Retrying { .. }, WayAction::Cancel) => return None,
        (Phase::Working { kind, .. }, WayAction::Cancel) if kind.ends_cleanly() => return None,
        (Phase::Working { .. }, WayAction::Cancel) => "Helm cannot be stopped cleanly in the middle of this.",
        (_, WayAction::Cancel) => "No operation of Slipway’s is under way.",
        (Phase::Pending { .. }, _) => "A Helm outside of Slipway may be at work on it.",
        (phase, _) if phase.is_active() => "An operation is under way. Wait for its end.",
        _ => return None,
    };
    Some(why.to_owned())
}

/// A row. Its cells follow the release; the row itself stays, with its focus and its open menu.
#[component]
pub fn Row(release: ReleaseKey, row: Memo<Option<ReleaseRow>>, all: bool) -> impl IntoView {
    let href = Route::release(&release).to_string();
    let namespace = all.then(|| {
        let href = Route::Releases { namespace: Some(release.namespace.clone()) }.to_string();
        let link = view! { <span class="named">{kind_badge("Namespace")} <a href=href>{release.namespace.clone()}</a></span> };
        cell("Namespace", link)
    });
    let phase = Memo::new(move || row.with(|row| row.as_ref().map(|row| row.phase.clone())));
    let revision = Memo::new(move || row.with(|row| row.as_ref().and_then(|row| row.revision)));
    let updated = Memo::new(move || row.with(|row| row.as_ref().and_then(|row| row.updated)));
    let detail = Memo::new(move || row.with(|row| row.as_ref().map(|row| row.detail.clone())));
    let told = move |field: fn(&RecordSummary) -> Option<String>| {
        dynamic(move || match detail.get() {
            Some(Detail::Known(summary)) => or_dash(field(&summary)),
            Some(Detail::Unreadable { reason }) => {
                view! { <span class="unreadable" title=reason>{icon("warning")} "Unreadable"</span> }
                    .into_any()
            }
            _ => view! { <div class="pf-v6-c-skeleton"></div> }.into_any(),
        })
    };
    let later = move |field: fn(&RecordSummary) -> Option<String>| {
        dynamic(move || match detail.get() {
            Some(Detail::Known(summary)) => or_dash(field(&summary)),
            Some(Detail::Unreadable { .. }) => or_dash(None),
            _ => view! { <div class="pf-v6-c-skeleton"></div> }.into_any(),
        })
    };
    let of = StoredValue::new(release.clone());
    let item = move |(action, text): (WayAction, &'static str)| {
        let disabled =
            Memo::new(move || phase.with(|phase| phase.as_ref().and_then(|phase| why_not(phase, action))));
        let href = of.with_value(|of| action_href(of, action));
        let danger = action == WayAction::Uninstall;
        view! { <MenuLink href text danger disabled /> }.into_any()
    };
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell("Name", view! {
                <span class="named">
                    {kind_badge("Helm release")} <a href=href>{release.name.clone()}</a>
                </span>
            })} {namespace}
            {cell("Revision", dynamic(move || or_dash(revision.get().map(|number| number.to_string()))))}
            {cell("Updated", dynamic(move || ago(updated.get())))}
            {cell(
                "Status",
                dynamic(move || phase.get().map(|phase| status_label(phase.tone(), phase.words()))),
            )} {cell("Chart name", told(|summary| summary.chart.clone()))}
            {cell("Chart version", later(|summary| summary.chart_version.clone()))}
            {cell("App version", later(|summary| summary.app_version.clone()))}
            <td class="pf-v6-c-table__td pf-v6-c-table__action">
                <Dropdown
                    look=Look::Icon
                    label=format!("Actions for {}", release.name)
                    align_end=true
                    toggle=|| icon("kebab")
                >
                    <MenuList>{MENU.into_iter().map(item).views()}</MenuList>
                </Dropdown>
            </td>
        </tr>
    }
}
