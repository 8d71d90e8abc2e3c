//! The first tab: what goes on now, what went wrong, and what the release is.

use crate::signals::{Memo, Views, dynamic};
use leptos::prelude::*;

use super::Live;
use super::groups::Groups;
use super::sentences::{notice, operation_words};
use crate::client::clock::Clock;
use crate::model::time::duration_words;
use crate::model::{
    Attempt, ChartSource, Detail, Failure, ObjectRef, Operation, Phase, RecordSummary, ReleaseKey, Timestamp,
    Tone,
};
use crate::pages::route::{ChartRef, Route};
use crate::ui::alert::Alert;
use crate::ui::label::{kind_badge, status_label, tone_icon};
use crate::ui::table::or_dash;
use crate::ui::time::{ago, date_words};

/// The tab.
#[component]
pub fn Overview(release: ReleaseKey, live: Live) -> impl IntoView {
    let is_counted =
        Memo::new(move || live.progress.with(|progress| progress.as_ref().is_some_and(|it| it.total > 0)));
    let of = release.clone();
    view! {
        <div class="overview">
            <Trouble release=release.clone() live />
            <section class="now" aria-label="State">
                <Now live />
                {dynamic(move || {
                    let release = of.clone();
                    is_counted.get().then(|| view! { <Groups release live /> })
                })}
                {dynamic(move || live.resources_error.get().map(|text| view! { <p class="note">{text}</p> }))}
            </section>
            <h2 class="pf-v6-c-title pf-m-h2">"Helm release details"</h2>
            <Facts release live />
        </div>
    }
    .into_any()
}

/// Failures, notices and remarks.
#[component]
fn Trouble(release: ReleaseKey, live: Live) -> impl IntoView {
    let failure = Memo::new(move || {
        let phase = live.phase.get();
        live.operation.with(|operation| shown_failure(&phase, operation.as_ref()))
    });
    // Without an operation of ours, helm's one line in the record is all that is known.
    let told = Memo::new(move || {
        if !matches!(live.phase.get(), Phase::Failed { kind: None }) {
            return None;
        }
        live.record.with(|record| record.as_ref()?.detail.summary()?.description.clone())
    });
    let remark = Memo::new(move || {
        live.operation.with(|operation| operation.as_ref()?.outcome.as_ref()?.remark.clone())
    });
    let said =
        Memo::new(move || live.phase.with(|phase| live.record.with(|record| notice(phase, record.as_ref()))));
    let again = Memo::new(move || match live.phase.get() {
        Phase::Uninstalled => {
            Some(live.operation.with(|operation| install_again(&release, operation.as_ref())))
        }
        _ => None,
    });
    view! {
        {dynamic(move || failure.get().map(|failure| view! { <FailureAlert failure /> }))}
        {dynamic(move || {
            told.get()
                .map(|text| {
                    view! {
                        <Alert tone=Tone::Danger title="The last operation on this release failed">
                            <p class="wrap">{text}</p>
                        </Alert>
                    }
                })
        })}
        {dynamic(move || {
            said.get()
                .map(|notice| {
                    view! {
                        <Alert tone=notice.tone title=notice.title>
                            <p>{notice.text}</p>
                            {again.get_untracked().map(|href| view! { <a href=href>"Install it again"</a> })}
                        </Alert>
                    }
                })
        })}
        {dynamic(move || {
            remark
                .get()
                .map(|text| {
                    view! {
                        <Alert tone=Tone::Neutral title="Worth knowing">
                            <p>{text}</p>
                        </Alert>
                    }
                })
        })}
    }
}

/// The failure to show: the outcome's while the phase is about that operation, the last attempt's while it is retried.
fn shown_failure(phase: &Phase, operation: Option<&Operation>) -> Option<Failure> {
    match phase {
        Phase::Failed { kind: Some(_) } | Phase::Cancelled { .. } | Phase::Interrupted { .. } => {
            operation?.failure().cloned()
        }
        Phase::Retrying { .. } => operation?.attempts.last()?.failure.clone(),
        _ => None,
    }
}

fn install_again(release: &ReleaseKey, operation: Option<&Operation>) -> String {
    let namespace = Some(release.namespace.clone());
    match operation.and_then(|operation| operation.chart.clone()) {
        Some(ChartSource::Repository { repository, name, .. }) => {
            Route::Install { namespace, chart: ChartRef { repository, chart: name } }.to_string()
        }
        _ => Route::Catalogue { namespace, chart: None }.to_string(),
    }
}

#[component]
fn FailureAlert(failure: Failure) -> impl IntoView {
    let object = failure.object.as_ref().map(|object| {
        view! {
            <p class="named">
                {kind_badge(&object.kind)} <span class="wrap">{object_words(object)}</span>
            </p>
        }
    });
    view! {
        <Alert tone=Tone::Danger title=failure.cause>
            {failure.advice.map(|advice| view! { <p>{advice}</p> })} {object}
            <details class="more">
                <summary>"What Helm said"</summary>
                <pre class="text">{failure.text}</pre>
            </details>
        </Alert>
    }
}

fn object_words(object: &ObjectRef) -> String {
    match &object.namespace {
        Some(namespace) => format!("{} {} in {namespace}", object.kind, object.name),
        None => format!("{} {}", object.kind, object.name),
    }
}

/// The phase in large, with its step, its time and its attempt.
#[component]
fn Now(live: Live) -> impl IntoView {
    let clock = Clock::get();
    let step = Memo::new(move || match live.phase.get() {
        Phase::Working { step, .. } => Some(step.words().to_owned()),
        Phase::Queued { .. } => Some("Waiting for a runner".to_owned()),
        Phase::Retrying { next, .. } => Some(match next {
            Some(at) if clock.now() < at => {
                format!("Next attempt in {}", duration_words(at.since(clock.now())))
            }
            _ => "Next attempt is due".to_owned(),
        }),
        _ => None,
    });
    let attempt = Memo::new(move || match live.phase.get() {
        Phase::Working { attempt, max_attempts, .. } | Phase::Retrying { attempt, max_attempts, .. }
            if max_attempts > 1 =>
        {
            Some(format!("{attempt} of {max_attempts}"))
        }
        _ => None,
    });
    let timing = Memo::new(move || {
        let operation = live.operation.get()?;
        // Of an operation that is over only while the phase is its own outcome.
        match (operation.ended(), live.active.get()) {
            (None, _) => Some(duration_words(clock.now().since(operation.created))),
            (Some(ended), false) => Some(format!("took {}", duration_words(ended.since(operation.created)))),
            _ => None,
        }
    });
    let what = Memo::new(move || live.operation.with(|operation| operation.as_ref().map(operation_words)));
    let by = Memo::new(move || {
        live.operation.with(|operation| operation.as_ref().map(|operation| operation.requested_by.clone()))
    });
    view! {
        <div class="now-head">
            <div class=Signal::derive(move || {
                match live.phase.with(Phase::tone) {
                    Tone::Success => "now-sign tone-success",
                    Tone::Progress => "now-sign tone-progress",
                    Tone::Warning => "now-sign tone-warning",
                    Tone::Danger => "now-sign tone-danger",
                    Tone::Neutral => "now-sign",
                }
            })>{dynamic(move || tone_icon(live.phase.with(Phase::tone)))}</div>
            <div class="now-words">
                <p class="now-phase">{dynamic(move || live.phase.with(title))}</p>
                <p class="now-step">{dynamic(move || step.get())}</p>
            </div>
            <dl class="now-facts">
                {dynamic(move || attempt.get().map(|text| view! { <div><dt>"Attempt"</dt><dd>{text}</dd></div> }))}
                {dynamic(move || {
                    timing
                        .with(Option::is_some)
                        .then(|| {
                            view! {
                                <div>
                                    <dt>{dynamic(move || if live.active.get() { "Elapsed" } else { "Last operation" })}</dt>
                                    <dd class="elapsed">{dynamic(move || timing.get())}</dd>
                                </div>
                            }
                        })
                })}
                {dynamic(move || what.get().map(|text| view! { <div class="now-what"><dt>"Operation"</dt><dd>{text}</dd></div> }))}
                {dynamic(move || by.get().map(|text| view! { <div><dt>"Requested by"</dt><dd>{text}</dd></div> }))}
            </dl>
        </div>
        <Attempts live />
    }
}

/// The phase in words; which attempt it is stands beside it.
fn title(phase: &Phase) -> String {
    match phase {
        Phase::Working { kind, .. } | Phase::Retrying { kind, .. } => kind.progressive().to_owned(),
        phase => phase.words(),
    }
}

/// The attempts, once there is more than one.
#[component]
fn Attempts(live: Live) -> impl IntoView {
    let attempts = Memo::new(move || {
        live.operation.with(|operation| operation.as_ref().map(|it| it.attempts.clone()).unwrap_or_default())
    });
    dynamic(move || {
        let attempts = attempts.get();
        (attempts.len() > 1).then(|| {
            view! { <ol class="attempts" aria-label="Attempts">{attempts.into_iter().map(attempt_view).views()}</ol> }
        })
    })
}

fn attempt_view(attempt: Attempt) -> AnyView {
    let (tone, words) = match (&attempt.failure, attempt.ended) {
        (Some(failure), _) => (Tone::Danger, failure.cause.clone()),
        (None, Some(_)) => (Tone::Success, "Done".to_owned()),
        (None, None) => (Tone::Progress, "Running".to_owned()),
    };
    let took = attempt.ended.map(|ended| duration_words(ended.since(attempt.started)));
    view! {
        <li>
            {status_label(tone, format!("Attempt {}", attempt.number))} <span>{words}</span>
            <span class="nothing">{took}</span>
        </li>
    }
    .into_any()
}

/// The description list.
#[component]
fn Facts(release: ReleaseKey, live: Live) -> impl IntoView {
    let summary = Memo::new(move || {
        live.record.with(|record| record.as_ref().and_then(|record| record.detail.summary().cloned()))
    });
    let unreadable = Memo::new(move || {
        live.record.with(|record| match record.as_ref().map(|record| &record.detail) {
            Some(Detail::Unreadable { reason }) => Some(reason.clone()),
            _ => None,
        })
    });
    let told = move |of: fn(&RecordSummary) -> Option<String>| {
        dynamic(move || or_dash(summary.with(|summary| summary.as_ref().and_then(of))))
    };
    let when = move |of: fn(&RecordSummary) -> Option<Timestamp>| {
        dynamic(move || match summary.with(|summary| summary.as_ref().and_then(of)) {
            Some(at) => view! { {date_words(at)} " (" {ago(Some(at))} ")" }.into_any(),
            None => or_dash(None),
        })
    };
    let namespace = Route::Releases { namespace: Some(release.namespace.clone()) }.to_string();
    view! {
        {dynamic(move || {
            unreadable
                .get()
                .map(|reason| {
                    view! {
                        <Alert tone=Tone::Warning title="The record of this release cannot be read">
                            <p>{reason}</p>
                        </Alert>
                    }
                })
        })}
        <dl class="pf-v6-c-description-list facts">
            {fact("Name", release.name.clone())}
            {fact(
                "Namespace",
                view! { <span class="named">{kind_badge("Namespace")} <a href=namespace>{release.namespace}</a></span> },
            )} {fact("Chart name", told(|summary| summary.chart.clone()))}
            {fact("Chart version", told(|summary| summary.chart_version.clone()))}
            {fact("App version", told(|summary| summary.app_version.clone()))}
            {fact("Revision", dynamic(move || or_dash(live.revision.get().map(|number| number.to_string()))))}
            {fact("Created", when(|summary| summary.first_deployed))}
            {fact("Updated", when(|summary| summary.last_deployed))}
            {fact("Description", told(|summary| summary.description.clone()))}
        </dl>
    }
}

fn fact(term: &'static str, value: impl IntoAny) -> AnyView {
    view! {
        <div class="pf-v6-c-description-list__group">
            <dt class="pf-v6-c-description-list__term">
                <span class="pf-v6-c-description-list__text">{term}</span>
            </dt>
            <dd class="pf-v6-c-description-list__description">
                <div class="pf-v6-c-description-list__text wrap">{value.into_any()}</div>
            </dd>
        </div>
    }
    .into_any()
}
