//! Every revision of a release.

use crate::signals::{Memo, Views};
use leptos::prelude::*;

use super::Live;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{Detail, HistoryEntry, Phase, RecordStatus, ReleaseKey, Tone};
use crate::ui::label::status_label;
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::table::{cell, or_dash, plain_head};
use crate::ui::time::ago;

/// The tab.
#[component]
pub fn History(release: ReleaseKey, live: Live) -> impl IntoView {
    // A revision's status changes with the phase, without a new revision.
    let status = Memo::new(move || live.record.with(|record| record.as_ref().map(|record| record.status)));
    let history = fetch(move || {
        status.track();
        client().history(release.clone())
    });
    let rows = move || history.data.get().unwrap_or_default().into_iter().map(row).views();
    let content = move || {
        view! {
            <table class="pf-v6-c-table pf-m-grid-lg" aria-label="Revision history">
                <thead class="pf-v6-c-table__thead">
                    <tr class="pf-v6-c-table__tr">
                        {plain_head("Revision")} {plain_head("Updated")} {plain_head("Status")}
                        {plain_head("Chart name")} {plain_head("Chart version")} {plain_head("App version")}
                        {plain_head("Requested by")} {plain_head("Description")}
                    </tr>
                </thead>
                <tbody class="pf-v6-c-table__tbody">{rows}</tbody>
            </table>
        }
        .into_any()
    };
    shown(history, || skeleton_lines(4), content)
}

fn row(entry: HistoryEntry) -> AnyView {
    let HistoryEntry { record, requested_by } = entry;
    let (summary, reason) = match record.detail {
        Detail::Known(summary) => (summary, None),
        Detail::Loading => Default::default(),
        Detail::Unreadable { reason } => (Default::default(), Some(reason)),
    };
    let (tone, words) = status(record.status);
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell("Revision", record.revision)}
            {cell("Updated", ago(summary.last_deployed.or(record.created)))}
            {cell("Status", status_label(tone, words))} {cell("Chart name", or_dash(summary.chart))}
            {cell("Chart version", or_dash(summary.chart_version))}
            {cell("App version", or_dash(summary.app_version))} {cell("Requested by", or_dash(requested_by))}
            {cell("Description", view! { <span class="wrap">{or_dash(reason.or(summary.description))}</span> })}
        </tr>
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
