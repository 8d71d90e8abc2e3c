//! The tests that the chart has for this release: what came of each, and what it said.

use leptos::prelude::*;

use super::Live;
use super::actions::why_not;
use super::evidence::evidence_view;
use crate::client::client;
use crate::client::clock::Clock;
use crate::client::fetch::follow;
use crate::model::time::duration_words;
use crate::model::{
    OperationKind, OperationState, ReleaseKey, ReleaseTest, TestReport, TestResult, Tone, WayAction,
};
use crate::pages::query::query_setter;
use crate::pages::route::{Route, Tab};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::address::encode;
use crate::ui::button::{button, link_button, more, unavailable_button};
use crate::ui::label::{kind_badge, status_label};
use crate::ui::state::{EmptyState, shown, skeleton_lines};
use crate::ui::time::{ago, took_words};
use crate::words::{count, phrase, say, t};

/// The tab.
#[component]
pub fn Tests(release: ReleaseKey, live: Live) -> impl IntoView {
    // The newest run of the tests, as far as it is the newest operation; it is told of by the page's own poll.
    let run = Memo::new(move || {
        live.operation.with(|operation| {
            let tests = operation.as_ref().filter(|it| it.kind == OperationKind::Test)?;
            Some((tests.id.clone(), tests.state))
        })
    });
    let is_running = Memo::new(move || run.with(|run| run.as_ref().is_some_and(|(_, it)| !it.is_terminal())));
    let of = release.clone();
    let report = follow(is_running.into(), move || {
        run.track();
        live.revision.track();
        client().tests(of.clone())
    });
    let logs = Route::Release { key: release, tab: Tab::Logs }.to_string();
    let content = move || {
        let logs = logs.clone();
        dynamic(move || {
            let report = report.data.get().unwrap_or_default();
            if report.tests.is_empty() { no_tests() } else { report_view(report, live, &logs) }
        })
    };
    shown(report, || skeleton_lines(6), content)
}

fn no_tests() -> AnyView {
    let code = |text: &'static str| view! { <code>{text}</code> }.into_any();
    view! {
        <EmptyState title=t("This chart has no tests") name="check">
            <p>
                {phrase(
                    "A chart’s authors can add pods or Jobs with the annotation {annotation}. They are run here, or by {command}, and tell whether the release does what it should.",
                    vec![("annotation", code("helm.sh/hook: test")), ("command", code("helm test"))],
                )}
            </p>
            <div class="pf-v6-c-empty-state__actions">
                <a
                    class="pf-v6-c-button pf-m-link"
                    href="https://helm.sh/docs/topics/chart_tests/"
                    target="_blank"
                    rel="noopener noreferrer"
                >
                    <span class="pf-v6-c-button__text">{t("How chart tests are written")}</span>
                </a>
            </div>
        </EmptyState>
    }
    .into_any()
}

fn report_view(report: TestReport, live: Live, logs: &str) -> AnyView {
    let set = query_setter();
    let run = move || {
        let why = live.actions.with(|all| why_not(all, WayAction::Test));
        match why {
            Some(why) => unavailable_button(t("Run tests"), why),
            None => button("pf-v6-c-button pf-m-primary", t("Run tests"), move || {
                set.run(vec![("action", "test".to_owned())]);
            }),
        }
    };
    let TestReport { revision, operation, state, tests } = report;
    let log = operation.map(|id| {
        let href = format!("{logs}?op={}", encode(&id.0));
        link_button("pf-v6-c-button pf-m-link pf-m-inline", t("See Helm’s log"), href)
    });
    let told = state.and_then(state_words);
    let passed = tests.iter().filter(|test| test.result == TestResult::Passed).count();
    let all = count(tests.len(), "{n} test", "{n} tests");
    let is_run = tests.iter().any(|test| test.result != TestResult::NotRun);
    let summary = if is_run {
        say("{passed} of {all} passed", &[("passed", &passed.to_string()), ("all", &all)])
    } else {
        say("{all}, not run yet", &[("all", &all)])
    };
    let of = revision.map(|revision| {
        view! { <span class="note">{say("Of revision {revision}", &[("revision", &revision.to_string())])}</span> }
    });
    view! {
        <div class="list-tools">
            {dynamic(run)}
            <b role="status">{summary}</b>
            {of}
            {told.map(|words| view! { <span class="note">{words}</span> })}
            {log}
        </div>
        <ul class="trials">{tests.into_iter().map(trial).views()}</ul>
    }
    .into_any()
}

/// How the run itself ended, where that says more than the results.
fn state_words(state: OperationState) -> Option<&'static str> {
    match state {
        OperationState::Queued | OperationState::Retrying => Some(t("The run has not begun yet.")),
        OperationState::Running => Some(t("They are running.")),
        OperationState::Cancelled => Some(t("The last run was cancelled.")),
        OperationState::Interrupted => Some(t("The last run was interrupted.")),
        OperationState::Succeeded | OperationState::Failed => None,
    }
}

fn trial(test: ReleaseTest) -> AnyView {
    let ReleaseTest { object, source, result, started, ended, log, evidence } = test;
    let (tone, words) = match result {
        TestResult::NotRun => (Tone::Neutral, t("Not run")),
        TestResult::Running => (Tone::Progress, t("Running")),
        TestResult::Passed => (Tone::Success, t("Passed")),
        TestResult::Failed => (Tone::Danger, t("Failed")),
        TestResult::Unknown => (Tone::Warning, t("Unknown")),
    };
    let clock = Clock::get();
    let is_running = result == TestResult::Running;
    let took = started.filter(|_| is_running || ended.is_some()).map(|started| {
        let took = dynamic(move || match ended {
            Some(ended) => took_words(ended.since(started)),
            None => duration_words(clock.now().since(started)),
        });
        view! { <span class="note">{phrase("Took {time}", vec![("time", took)])}</span> }
    });
    let when = started.map(|started| view! { <span class="note">{ago(Some(started))}</span> });
    let is_failed = result == TestResult::Failed;
    let label = say("Log of {name}", &[("name", &object.name)]);
    let log = match log {
        Some(text) if !text.is_empty() => {
            let text = view! { <pre class="text" tabindex="0" role="region" aria-label=label>{text}</pre> };
            Some(more(t("What it said"), is_failed, text.into_any()))
        }
        Some(_) => Some(view! { <p class="note">{t("It said nothing.")}</p> }.into_any()),
        None => None,
    };
    view! {
        <li class="trial">
            <div class="trial-head">
                {status_label(tone, words.to_owned())} <span class="named">
                    {kind_badge(&object.kind)} <b class="wrap">{object.name}</b>
                </span> {(!source.is_empty()).then(|| view! { <span class="note wrap">{source}</span> })} {when} {took}
            </div>
            {evidence.as_ref().map(|evidence| evidence_view(evidence, None))}
            {log}
        </li>
    }
    .into_any()
}
