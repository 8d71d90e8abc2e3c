//! Every revision of a release.

use crate::signals::{Memo, Views, dynamic};
use leptos::prelude::*;

use super::Live;
use super::actions::why_not;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{Detail, HistoryEntry, Phase, RecordStatus, ReleaseKey, Tone, WayAction};
use crate::pages::route::Route;
use crate::ui::label::status_label;
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::table::{cell, hidden_head, or_dash, plain_head};
use crate::ui::time::ago;

/// The tab.
#[component]
pub fn History(release: ReleaseKey, live: Live) -> impl IntoView {
    // A revision's status changes with the phase, without a new revision.
    let status = Memo::new(move || live.record.with(|record| record.as_ref().map(|record| record.status)));
    let rollback = StoredValue::new(Route::Rollback { key: release.clone() }.to_string());
    let history = fetch(move || {
        status.track();
        client().history(release.clone())
    });
    let can_roll_back =
        Memo::new(move || live.actions.with(|all| why_not(all, WayAction::Rollback).is_none()));
    let row = move |entry: HistoryEntry| {
        let revision = entry.record.revision;
        // The newest one is what the release is already.
        let is_offered = move || can_roll_back.get() && live.revision.get() != Some(revision);
        let offer = move || {
            let href = rollback.with_value(|page| format!("{page}?revision={revision}"));
            let label = format!("Rollback to revision {revision}");
            view! {
                <a class="pf-v6-c-button pf-m-link pf-m-inline" href=href aria-label=label>
                    <span class="pf-v6-c-button__text">"Rollback"</span>
                </a>
            }
        };
        view! {
            <tr class="pf-v6-c-table__tr">
                {revision_cells(entry)}
                <td class="pf-v6-c-table__td pf-v6-c-table__action">{dynamic(move || is_offered().then(offer))}</td>
            </tr>
        }
        .into_any()
    };
    let rows = move || history.data.get().unwrap_or_default().into_iter().map(row).views();
    let content = move || {
        view! {
            <table class="pf-v6-c-table pf-m-grid-lg" aria-label="Revision history">
                <thead class="pf-v6-c-table__thead">
                    <tr class="pf-v6-c-table__tr">
                        {REVISION_COLUMNS.into_iter().map(plain_head).views()} {hidden_head("Actions")}
                    </tr>
                </thead>
                <tbody class="pf-v6-c-table__tbody">{dynamic(rows)}</tbody>
            </table>
        }
        .into_any()
    };
    shown(history, || skeleton_lines(4), content)
}

/// The heads of a revision's cells.
pub const REVISION_COLUMNS: [&str; 8] = [
    "Revision",
    "Updated",
    "Status",
    "Chart name",
    "Chart version",
    "App version",
    "Requested by",
    "Description",
];

/// What tells a revision from the others.
pub fn revision_cells(entry: HistoryEntry) -> AnyView {
    let HistoryEntry { record, requested_by } = entry;
    let (summary, reason) = match record.detail {
        Detail::Known(summary) => (summary, None),
        Detail::Loading => Default::default(),
        Detail::Unreadable { reason } => (Default::default(), Some(reason)),
    };
    let (tone, words) = status(record.status);
    view! {
            {cell("Revision", record.revision)}
            {cell("Updated", ago(summary.last_deployed.or(record.created)))}
            {cell("Status", status_label(tone, words))} {cell("Chart name", or_dash(summary.chart))}
            {cell("Chart version", or_dash(summary.chart_version))}
            {cell("App version", or_dash(summary.app_version))} {cell("Requested by", or_dash(requested_by))}
            {cell("Description", view! { <span class="wrap">{or_dash(reason.or(summary.description))}</span> })}
    }
    .into_any()
}

/// A record's status by itself, in the words that the phases have for it.
fn status(status: RecordStatus) -> (Tone, String) {
    let phase = match status {
        RecordStatus::Deployed => Phase::Deployed,
        RecordStatus::Failed => Phase::Failed { kind: None },
        RecordStatus::Uninstalled => Phase::Uninstalled,
        RecordStatus::Superseded => Phase::Superseded,
        RecordStatus::Unknown => Phase::Unknown,
        status => Phase::Pending { status },
    };
    // What an old revision says of an operation is over, whatever it says.
    let tone = if phase.is_active() { Tone::Neutral } else { phase.tone() };
    (tone, phase.words())
}
