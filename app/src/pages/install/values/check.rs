//! What is wrong with the values, as one types: the chart's schema has the word, and the server reads it.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use super::super::chart::Chart;
use super::super::form::Form;
use crate::client::client;
use crate::client::fetch::{Fetched, fetch};
use crate::model::{CheckValues, Tone, ValuesCheck, ValuesProblem};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::alert::Alert;
use crate::words::{count, say, t, told};

/// For how long nothing more is typed before it is looked at, in milliseconds.
const AFTER_MS: u32 = 300;
/// As many problems are listed.
const LISTED_MAX: usize = 50;

/// Checks `text`, over `below`, and again after each change. What is outdated by then is dropped.
pub fn checked(form: Form, chart: Chart, text: Memo<String>, below: Memo<String>) -> Fetched<ValuesCheck> {
    fetch(move || {
        let (values, base, source) = (text.get(), below.get(), chart.source.get());
        let namespace = form.draft.with_untracked(|draft| draft.namespace.clone());
        let client = client();
        Box::pin(async move {
            let Some(chart) = source else { return Ok(ValuesCheck::default()) };
            TimeoutFuture::new(AFTER_MS).await;
            client.check_values(CheckValues { namespace, chart, values, base }).await
        })
    })
}

/// A problem's place in words.
pub fn place(problem: &ValuesProblem) -> String {
    problem.path.join(".")
}

/// The list of what is wrong; each of it leads to its place.
pub fn problems_view(check: Fetched<ValuesCheck>, go: Callback<ValuesProblem>) -> AnyView {
    let row = move |problem: ValuesProblem| {
        let line = problem.line.map(|line| say("Line {line}", &[("line", &line.to_string())]));
        let (at, message) = (place(&problem), told(&problem.message));
        view! {
            <li>
                <button
                    type="button"
                    class="pf-v6-c-button pf-m-link pf-m-inline problem"
                    on:click=move |_| go.run(problem.clone())
                >
                    <span class="pf-v6-c-button__text">
                        {line.map(|line| view! { <span class="problem-line">{line}</span> })} <b>{at}</b> " " {message}
                    </span>
                </button>
            </li>
        }
    };
    let list = move || {
        let found = check.data.get().unwrap_or_default();
        let notes = found.notes.iter().map(|note| view! { <p class="note">{told(note)}</p> }).views();
        let failed = check.error.get().map(|error| {
            let words = say("The values could not be checked: {why}", &[("why", &told(&error.to_string()))]);
            view! { <p class="note">{words}</p> }
        });
        let number = found.problems.len();
        let alert = (number > 0).then(|| {
            let title =
                count(number, "{n} value is not as the chart asks", "{n} values are not as the chart asks");
            let more = (number > LISTED_MAX).then(|| view! { <li>{t("There are more.")}</li> });
            let rows = found.problems.into_iter().take(LISTED_MAX).map(row).views();
            view! {
                <Alert tone=Tone::Danger title=title>
                    <ul class="problems">{rows} {more}</ul>
                </Alert>
            }
        });
        view! {
            {alert}
            {failed}
            {notes}
        }
        .into_any()
    };
    view! {
        <div class="values-problems" role="status">
            {dynamic(list)}
        </div>
    }
    .into_any()
}
