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

/// What is asked about.
#[derive(Clone, Copy)]
pub struct Question {
    /// For which namespace.
    pub form: Form,
    /// Whose schema has the word.
    pub chart: Chart,
    /// The values as they stand.
    pub text: Memo<String>,
    /// What lies between them and the chart's own.
    pub below: Memo<String>,
}

impl Question {
    /// The question as it stands; none while there is no chart to ask about. What it reads is followed.
    pub fn now(self) -> Option<CheckValues> {
        let (values, base, chart) = (self.text.get(), self.below.get(), self.chart.source.get());
        let namespace = self.form.draft.with_untracked(|draft| draft.namespace.clone());
        Some(CheckValues { namespace, chart: chart?, values, base })
    }
}

/// Checks the values, and again after each change. What is outdated by then is dropped.
pub fn checked(question: Question) -> Fetched<ValuesCheck> {
    fetch(move || {
        let (asked, client) = (question.now(), client());
        Box::pin(async move {
            let Some(asked) = asked else { return Ok(ValuesCheck::default()) };
            TimeoutFuture::new(AFTER_MS).await;
            client.check_values(asked).await
        })
    })
}

/// A problem's place in words.
pub fn place(problem: &ValuesProblem) -> String {
    problem.path.join(".")
}

/// How many there are, in words.
pub fn problems_title(number: usize) -> String {
    count(number, "{n} value is not as the chart asks", "{n} values are not as the chart asks")
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
            let title = problems_title(number);
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
