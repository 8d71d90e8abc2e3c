//! One row of a timeline: what it is, where on the axis it is, and how long it took.

use leptos::prelude::*;

use super::super::object::object_href;
use super::axis::{Axis, Bar};
use crate::model::{RowState, TimelineRow, Timestamp};
use crate::signals::{Memo, dynamic};
use crate::ui::icon::{icon, spinning_icon};
use crate::ui::time::{date_words, took_words};
use crate::words::{say, t, told};

/// Thousandths as CSS has them.
pub fn percent(thousandths: u64) -> String {
    [&(thousandths / 10).to_string(), ".", &(thousandths % 10).to_string(), "%"].concat()
}

/// The row.
pub fn row_view(row: Memo<Option<TimelineRow>>, axis: Memo<Option<Axis>>, now: Memo<Timestamp>) -> AnyView {
    let bar = Memo::new(move || row.with(|row| axis.get()?.bar(row.as_ref()?, now.get())));
    let lasted =
        Memo::new(move || row.with(|row| row.as_ref().map(|row| took(row, now.get())).unwrap_or_default()));
    let (label, object) = row
        .with_untracked(|row| row.as_ref().map(|row| (told(&row.label), row.object.clone())))
        .unwrap_or_default();
    let name = match object {
        Some(object) => {
            let href = object_href(&object);
            view! { <a class="wrap" href=href>{label}</a> }.into_any()
        }
        None => view! { <span class="wrap">{label}</span> }.into_any(),
    };
    let state = move || row.with(|row| row.as_ref().map_or(RowState::Unknown, |row| row.state));
    let note = move || {
        let note = row.with(|row| row.as_ref().map(|row| told(&row.note)).unwrap_or_default());
        (!note.is_empty()).then(|| view! { <span class="note timeline-note wrap">{note}</span> }.into_any())
    };
    let track = move || {
        let title = row.with(|row| row.as_ref().map(times).unwrap_or_default());
        let words = title.clone();
        view! {
            <span class="timeline-track" title=words>
                <span class="pf-v6-screen-reader">{title}</span>
                {bar.get().map(|bar| bar_view(bar, state()))}
            </span>
        }
    };
    view! {
        <div class="timeline-row" role="row">
            <span class="timeline-name" role="rowheader">
                {dynamic(move || sign(state()))} {name} {dynamic(note)}
            </span>
            <span class="timeline-cell" role="cell">
                {dynamic(track)}
            </span>
            <span class="timeline-took" role="cell">
                {dynamic(move || lasted.get())}
            </span>
        </div>
    }
    .into_any()
}

fn bar_view(bar: Bar, state: RowState) -> AnyView {
    let class = match (state, bar.goes_on) {
        (RowState::Done, _) => "timeline-bar bar-done",
        (RowState::Running, false) => "timeline-bar bar-running",
        (RowState::Running, true) => "timeline-bar bar-running bar-goes-on",
        (RowState::Failed, _) => "timeline-bar bar-failed",
        (RowState::Waiting | RowState::Unknown, _) => "timeline-bar bar-unknown",
    };
    let (left, width) = (percent(bar.left), percent(bar.width));
    view! { <span class=class style:inset-inline-start=left style:width=width></span> }.into_any()
}

/// The state's icon, and its word for whoever cannot see that.
fn sign(state: RowState) -> AnyView {
    let (class, sign) = match state {
        RowState::Done => ("health health-ready", icon("success")),
        RowState::Running => ("health health-progress", spinning_icon()),
        RowState::Failed => ("health health-failed", icon("danger")),
        RowState::Waiting => ("health health-none", icon("clock")),
        RowState::Unknown => ("health health-none", icon("unknown")),
    };
    view! { <span class=class>{sign} <span class="pf-v6-screen-reader">{word(state)}</span></span> }
        .into_any()
}

fn word(state: RowState) -> &'static str {
    match state {
        RowState::Done => t("Done"),
        RowState::Running => t("In progress"),
        RowState::Failed => t("Failed"),
        RowState::Waiting => t("Waiting"),
        RowState::Unknown => t("Unknown"),
    }
}

/// How long it took, or has taken so far.
fn took(row: &TimelineRow, now: Timestamp) -> String {
    let lasted = |end: Timestamp| row.start.map(|start| took_words(end.since(start)));
    match (row.state, row.end) {
        (RowState::Waiting, _) => t("Not begun").to_owned(),
        (RowState::Running, _) => match lasted(now) {
            Some(time) => say("{time} so far", &[("time", &time)]),
            None => t("Not known").to_owned(),
        },
        (_, end) => end.and_then(lasted).unwrap_or_else(|| t("Not known").to_owned()),
    }
}

/// When it began and ended, exactly.
fn times(row: &TimelineRow) -> String {
    let (start, end) = (row.start.map(date_words), row.end.map(date_words));
    match (start, end) {
        (Some(start), Some(end)) => say("From {start} to {end}", &[("start", &start), ("end", &end)]),
        (Some(start), None) => say("Since {start}", &[("start", &start)]),
        (None, _) if row.state == RowState::Waiting => t("It has not begun").to_owned(),
        (None, _) => t("When it was is not known").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RowKind;

    #[test]
    fn the_time_it_took_is_told_as_far_as_it_is_known() {
        use RowState::{Done, Failed, Running, Unknown, Waiting};
        for (state, start, end, words) in [
            (Done, Some(0), Some(12_000), "12s"),
            (Done, Some(0), Some(400), "under 1s"),
            (Done, Some(0), None, "Not known"),
            (Failed, Some(0), Some(75_000), "1m 15s"),
            (Running, Some(3_000), None, "7s so far"),
            (Running, None, None, "Not known"),
            (Waiting, None, None, "Not begun"),
            (Unknown, None, None, "Not known"),
        ] {
            let row = TimelineRow {
                kind: RowKind::Resource,
                label: String::new(),
                object: None,
                source: String::new(),
                start: start.map(Timestamp),
                end: end.map(Timestamp),
                state,
                note: String::new(),
            };
            assert_eq!(took(&row, Timestamp(10_000)), words);
        }
    }

    #[test]
    fn thousandths_are_written_as_percent() {
        assert_eq!([0, 5, 500, 1000].map(percent), ["0.0%", "0.5%", "50.0%", "100.0%"]);
    }
}
