//! How the time went in which the newest revision was made, or is being made: a Gantt chart that is a table.

mod axis;
mod row;

use leptos::prelude::*;

use super::Live;
use super::object::{object_panel, pace, refresh_trouble};
use crate::client::client;
use crate::client::clock::Clock;
use crate::client::fetch::refresh;
use crate::model::time::duration_words;
use crate::model::{ReleaseKey, RowKind, RowState, Timeline, TimelineRow, Timestamp};
use crate::signals::{Memo, Views, dynamic, keyed};
use crate::ui::state::{EmptyState, shown, skeleton_lines};
use crate::words::{count, say, t, told};
use axis::Axis;
use row::row_view;

/// What the rows are parted by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Operation,
    Definitions,
    Hooks,
    Resources,
}

impl Part {
    const ALL: [Self; 4] = [Self::Operation, Self::Definitions, Self::Hooks, Self::Resources];

    fn of(kind: RowKind) -> Self {
        match kind {
            RowKind::Queue | RowKind::Attempt | RowKind::Preparation => Self::Operation,
            RowKind::Definition => Self::Definitions,
            RowKind::Hook => Self::Hooks,
            RowKind::Resource => Self::Resources,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Operation => t("Operation"),
            Self::Definitions => t("Custom resource definitions"),
            Self::Hooks => t("Hooks"),
            Self::Resources => t("Resources"),
        }
    }
}

/// The tab.
#[component]
pub fn TimelineTab(release: ReleaseKey, live: Live) -> impl IntoView {
    let of = release.clone();
    let fetched = refresh(pace(live), move || client().timeline(of.clone()));
    let timeline = Memo::new(move || fetched.data.get().unwrap_or_default());
    view! {
        {shown(fetched, || skeleton_lines(8), move || {
            view! { {refresh_trouble(fetched)} {content(timeline, live)} }.into_any()
        })}
        {object_panel(release, live)}
    }
    .into_any()
}

/// A row, the part that it is in, and what tells it from the others there.
#[derive(Clone, PartialEq)]
struct Keyed {
    part: Part,
    key: String,
    row: TimelineRow,
}

/// The rows with their keys. A hook may run twice, and a chart may name an object twice: the second one is told by its number.
fn keyed_rows(timeline: &Timeline) -> Vec<Keyed> {
    let mut all: Vec<Keyed> = Vec::with_capacity(timeline.rows.len());
    for row in &timeline.rows {
        let namespace =
            row.object.as_ref().and_then(|object| object.namespace.as_deref()).unwrap_or_default();
        let is_same = |other: &&Keyed| {
            other.row.kind == row.kind && other.row.label == row.label && other.row.object == row.object
        };
        let before = all.iter().filter(is_same).count();
        let mut key = [&row.label, "/", namespace].concat();
        if before > 0 {
            key.push('#');
            key.push_str(&before.to_string());
        }
        all.push(Keyed { part: Part::of(row.kind), key, row: row.clone() });
    }
    all
}

fn content(timeline: Memo<Timeline>, live: Live) -> AnyView {
    let clock = Clock::get();
    let is_running =
        Memo::new(move || timeline.with(|it| it.rows.iter().any(|row| row.state == RowState::Running)));
    let now = Memo::new(move || {
        let told = timeline.with(|it| it.now).unwrap_or(Timestamp(0));
        if is_running.get() { clock.now().max(told) } else { told }
    });
    // Once for all rows: each of them looks for itself.
    let rows = Memo::new(move || timeline.with(keyed_rows));
    let axis = Memo::new(move || timeline.with(|it| Axis::of(it, now.get(), live.active.get())));
    let is_empty = Memo::new(move || timeline.with(|it| it.rows.is_empty()));
    let headline = Memo::new(move || timeline.with(|it| it.headline.clone()));
    let left_out = Memo::new(move || timeline.with(|it| it.left_out as usize));
    let revision = Memo::new(move || timeline.with(|it| it.revision));
    let whole = Memo::new(move || axis.get().map(|axis| duration_words(axis.to.since(axis.from))));
    dynamic(move || {
        if is_empty.get() {
            return view! {
                <EmptyState title=t("No times yet") name="clock">
                    <p>{t("What happens is shown here as soon as it begins.")}</p>
                </EmptyState>
            }
            .into_any();
        }
        view! {
            <div class="timeline-words">
                {dynamic(move || headline.get().map(|words| view! { <p class="timeline-headline">{told(&words)}</p> }))}
                <p class="note">
                    {dynamic(move || {
                        revision.get().map(|revision| say("Revision {n}", &[("n", &revision.to_string())]))
                    })}
                    {dynamic(move || {
                        whole.get().map(|whole| [" · ", &say("{time} in all", &[("time", &whole)])].concat())
                    })}
                </p>
            </div>
            <div class="timeline" role="table" aria-label=t("Timeline")>
                <div role="rowgroup">
                    <div class="timeline-row timeline-head" role="row">
                        <span role="columnheader">{t("Name")}</span>
                        <span class="timeline-axis" role="columnheader">
                            <span class="pf-v6-screen-reader">{t("Time")}</span>
                            {dynamic(move || axis.get().map(marks))}
                        </span>
                        <span class="timeline-took" role="columnheader">{t("Duration")}</span>
                    </div>
                </div>
                {Part::ALL.into_iter().map(|part| part_view(part, rows, axis, now)).views()}
            </div>
            {dynamic(move || {
                let left_out = left_out.get();
                (left_out > 0)
                    .then(|| {
                        view! {
                            <p class="note">
                                {count(left_out, "One more row is not shown.", "{n} more rows are not shown.")}
                            </p>
                        }
                    })
            })}
        }
        .into_any()
    })
}

fn part_view(part: Part, rows: Memo<Vec<Keyed>>, axis: Memo<Option<Axis>>, now: Memo<Timestamp>) -> AnyView {
    let keys = Memo::new(move || {
        let own = |rows: &Vec<Keyed>| {
            rows.iter().filter(|it| it.part == part).map(|it| it.key.clone()).collect::<Vec<_>>()
        };
        rows.with(own)
    });
    let is_there = Memo::new(move || keys.with(|keys| !keys.is_empty()));
    let one = move |key: String| {
        let row = Memo::new(move || {
            let is_it = |it: &&Keyed| it.part == part && it.key == key;
            rows.with(|rows| rows.iter().find(is_it).map(|it| it.row.clone()))
        });
        row_view(row, axis, now)
    };
    dynamic(move || {
        is_there.get().then(|| {
            view! {
                <div role="rowgroup" aria-label=part.title()>
                    <div class="timeline-row timeline-part" role="row">
                        <span role="cell">{part.title()}</span>
                    </div>
                    {keyed(move || keys.get(), one)}
                </div>
            }
        })
    })
}

/// The marks of the axis; each says how long after the beginning it is.
fn marks(axis: Axis) -> AnyView {
    let mark = |(place, millis): (u64, u64)| {
        view! {
            <span class="timeline-mark" style:inset-inline-start=row::percent(place)>
                {duration_words(millis)}
            </span>
        }
    };
    let marks = axis.marks().into_iter().map(mark).views();
    view! { <span class="timeline-marks" aria-hidden="true">{marks}</span> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_key_of_its_own() {
        let row = |kind, label: &str| TimelineRow {
            kind,
            label: label.into(),
            object: None,
            source: String::new(),
            start: None,
            end: None,
            state: RowState::Done,
            note: String::new(),
        };
        let rows = vec![
            row(RowKind::Queue, "Wait for its turn"),
            row(RowKind::Hook, "Job migrate"),
            row(RowKind::Hook, "Job migrate"),
            row(RowKind::Resource, "Job migrate"),
        ];
        let timeline = Timeline { rows, ..Timeline::default() };
        let all = keyed_rows(&timeline);
        let keys =
            |part| all.iter().filter(|it| it.part == part).map(|it| it.key.as_str()).collect::<Vec<_>>();
        assert_eq!(keys(Part::Hooks), ["Job migrate/", "Job migrate/#1"]);
        assert_eq!(keys(Part::Resources), ["Job migrate/"]);
        assert_eq!(keys(Part::Operation).len(), 1);
    }
}
