//! The attempts of the newest operation: one line when there was just one, a table when there were more.

use leptos::prelude::*;

use super::Live;
use super::failure::class_words;
use crate::client::clock::Clock;
use crate::model::time::duration_words;
use crate::model::{Attempt, FailureClass, Tone};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::button::more;
use crate::ui::label::status_label;
use crate::ui::table::{cell, or_dash, plain_head};
use crate::ui::time::date_words;
use crate::words::{count, t, told};

/// The list; nothing while helm was not started.
#[component]
pub fn Attempts(live: Live) -> impl IntoView {
    let attempts = Memo::new(move || {
        // What others do is no attempt of ours.
        let operation = live.operation.get().filter(|_| !live.is_foreign.get());
        operation.map(|it| it.attempts).unwrap_or_default()
    });
    let number = Memo::new(move || attempts.with(Vec::len));
    // Drawn anew with each attempt alone, so that it stays as the user has folded it.
    dynamic(move || {
        let made = number.get();
        if made == 0 {
            return None;
        }
        let summary = count(made, "{n} attempt", "{n} attempts");
        let table = view! {
            <table class="pf-v6-c-table pf-m-grid-lg pf-m-compact attempts" aria-label=t("Attempts")>
                <thead class="pf-v6-c-table__thead">
                    <tr class="pf-v6-c-table__tr">
                        {plain_head(t("Attempt"))} {plain_head(t("Started"))} {plain_head(t("Took"))}
                        {plain_head(t("Result"))} {plain_head(t("Cause"))} {plain_head(t("Revision"))}
                    </tr>
                </thead>
                <tbody class="pf-v6-c-table__tbody">{dynamic(move || attempts.get().into_iter().map(row).views())}</tbody>
            </table>
        };
        Some(more(summary, made > 1, table.into_any()))
    })
}

fn row(attempt: Attempt) -> AnyView {
    let (tone, words) = match (&attempt.failure, attempt.ended) {
        (Some(failure), _) => (tone_of(failure.class), class_words(failure.class)),
        (None, Some(_)) => (Tone::Success, t("Done")),
        (None, None) => (Tone::Progress, t("Running")),
    };
    let Attempt { number, started, ended, failure, revision, .. } = attempt;
    let clock = Clock::get();
    let took = dynamic(move || duration_words(ended.unwrap_or_else(|| clock.now()).since(started)));
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell(t("Attempt"), number)} {cell(t("Started"), date_words(started))} {cell(t("Took"), took)}
            {cell(t("Result"), status_label(tone, words.to_owned()))}
            {cell(t("Cause"), view! { <span class="wrap">{or_dash(failure.map(|failure| told(&failure.cause)))}</span> })}
            {cell(t("Revision"), or_dash(revision.map(|revision| revision.to_string())))}
        </tr>
    }
    .into_any()
}

fn tone_of(class: FailureClass) -> Tone {
    match class {
        FailureClass::Transient | FailureClass::Interrupted => Tone::Warning,
        FailureClass::Cancelled => Tone::Neutral,
        _ => Tone::Danger,
    }
}
