//! What the cluster tells of an object.

use leptos::prelude::*;

use crate::client::fetch::Fetched;
use crate::model::object::EVENTS_MAX;
use crate::model::time::duration_words;
use crate::model::{ObjectDetail, ObjectEvent, Tone};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::alert::Alert;
use crate::ui::icon::icon;
use crate::ui::state::EmptyState;
use crate::ui::time::ago;
use crate::words::{count, say, t, told};

/// The events, the warnings first; or why there are none.
pub fn events(detail: Fetched<ObjectDetail>) -> AnyView {
    let of = Memo::new(move || {
        detail
            .data
            .with(|it| it.map(|it| (in_order(&it.events), it.events_error.clone())).unwrap_or_default())
    });
    dynamic(move || {
        match of.get() {
        (_, Some(error)) => view! {
            <Alert tone=Tone::Warning title=t("The events cannot be read")>
                <p>{told(&error)}</p>
            </Alert>
        }
        .into_any(),
        (events, None) if events.is_empty() => view! {
            <EmptyState title=t("No events") name="info">
                <p>{t("The cluster tells of nothing that happened to this object. It keeps events for a limited time, usually an hour.")}</p>
            </EmptyState>
        }
        .into_any(),
        (events, None) => {
            let is_cut = events.len() >= EVENTS_MAX;
            view! {
                <ul class="events" aria-label=t("Events")>{events.into_iter().map(item).views()}</ul>
                {is_cut
                    .then(|| {
                        view! {
                            <p class="note">
                                {count(EVENTS_MAX, "Only the newest event is shown.", "Only the newest {n} events are shown.")}
                            </p>
                        }
                    })}
            }
            .into_any()
        }
    }
    })
}

fn item(event: ObjectEvent) -> AnyView {
    let (class, name, word) = if event.is_warning {
        ("event event-warning", "warning", t("Warning"))
    } else {
        ("event", "info", t("Normal"))
    };
    let span = event.last.zip(event.first).map(|(last, first)| last.since(first)).unwrap_or(0);
    let times = match (event.count, span) {
        (0 | 1, _) => None,
        (times, 0..=999) => Some(count(times as usize, "once", "{n} times")),
        (times, span) => {
            Some(say("{n} times in {time}", &[("n", &times.to_string()), ("time", &duration_words(span))]))
        }
    };
    view! {
        <li class=class>
            <span class="event-sign">{icon(name)} <span class="pf-v6-screen-reader">{word}</span></span>
            <span class="event-head">
                <b class="wrap">{event.reason}</b>
                <span class="note">
                    {ago(event.last)} {times.map(|times| [", ", &times].concat())}
                    {(!event.by.is_empty()).then(|| [" · ", &event.by].concat())}
                </span>
            </span>
            <span class="event-text wrap">{event.message}</span>
        </li>
    }
    .into_any()
}

/// The warnings first; the newest first within each, as they are told.
fn in_order(events: &[ObjectEvent]) -> Vec<ObjectEvent> {
    let of = |is_warning: bool| events.iter().filter(move |event| event.is_warning == is_warning).cloned();
    of(true).chain(of(false)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Timestamp;

    #[test]
    fn warnings_come_first_and_then_what_is_newest() {
        let event = |reason: &str, last: i64, is_warning: bool| ObjectEvent {
            last: Some(Timestamp(last)),
            first: None,
            count: 1,
            is_warning,
            reason: reason.into(),
            message: String::new(),
            by: String::new(),
        };
        let events = [
            event("Pulled", 9, false),
            event("BackOff", 5, true),
            event("Scheduled", 1, false),
            event("Failed", 3, true),
        ];
        let order: Vec<String> = in_order(&events).into_iter().map(|event| event.reason).collect();
        assert_eq!(order, ["BackOff", "Failed", "Pulled", "Scheduled"]);
    }
}
