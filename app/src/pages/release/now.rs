//! The phase in large, with what goes on, for how long, and who asked for it.

use leptos::prelude::*;

use super::Live;
use super::actions::why_not;
use crate::client::clock::Clock;
use crate::model::time::duration_words;
use crate::model::{Operation, OperationKind, Phase, ReleaseRecord, Timestamp, Tone, WayAction};
use crate::signals::{Memo, dynamic};
use crate::ui::label::tone_icon;
use crate::ui::time::took_words;
use crate::words::{phrase, say, t, told};

/// The head of the panel.
#[component]
pub fn Now(live: Live) -> impl IntoView {
    let clock = Clock::get();
    let is_foreign = live.is_foreign;
    let timing = Memo::new(move || {
        // All that is known of what others do is since when.
        if is_foreign.get() {
            let since = live.record.with(|record| record.as_ref().and_then(ReleaseRecord::pending_since))?;
            return Some(duration_words(clock.now().since(since)));
        }
        let operation = live.operation.get()?;
        // Of an operation that is over only while the phase is its own outcome.
        match (operation.ended(), live.active.get()) {
            (None, _) => Some(duration_words(clock.now().since(operation.created))),
            (Some(ended), false) => {
                Some(say("took {time}", &[("time", &took_words(ended.since(operation.created)))]))
            }
            _ => None,
        }
    });
    let words = Memo::new(move || told(&live.phase.with(Phase::words)));
    let next = Memo::new(move || match live.phase.get() {
        Phase::Retrying { next, .. } => next,
        _ => None,
    });
    // The newest operation of ours is not what is going on then.
    let of_ours = move |of: fn(&Operation) -> String| {
        Memo::new(move || {
            live.operation.with(|operation| operation.as_ref().filter(|_| !is_foreign.get()).map(of))
        })
    };
    let what = of_ours(operation_words);
    let by = of_ours(|operation| operation.requested_by.clone());
    let fact = |term: &'static str, text: Memo<Option<String>>| {
        dynamic(move || text.get().map(|text| view! { <div><dt>{term}</dt><dd>{text}</dd></div> }))
    };
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
                <p class="now-phase" data-testid="now">
                    {dynamic(move || words.get())} {dynamic(move || next.get().map(|at| countdown(at, clock)))}
                </p>
                <p class="now-step">{dynamic(move || live.step.get().map(|step| told(&step)))}</p>
                {dynamic(move || why_not_cancel(live).map(|why| view! { <p class="note">{why}</p> }))}
            </div>
            <dl class="now-facts">
                {dynamic(move || {
                    timing
                        .with(Option::is_some)
                        .then(|| {
                            view! {
                                <div>
                                    <dt>{dynamic(move || timing_words(is_foreign.get(), live.active.get()))}</dt>
                                    <dd class="elapsed">{dynamic(move || timing.get())}</dd>
                                </div>
                            }
                        })
                })} {fact(t("Operation"), what)} {fact(t("Requested by"), by)}
            </dl>
        </div>
    }
}

fn timing_words(is_foreign: bool, is_active: bool) -> &'static str {
    match (is_foreign, is_active) {
        (true, _) => t("Pending for"),
        (_, true) => t("Elapsed"),
        _ => t("Last operation"),
    }
}

/// `, next in 5 s`, each second; what stands there keeps its place when it loses a digit.
fn countdown(at: Timestamp, clock: Clock) -> AnyView {
    let words = Memo::new(move || say("{n} s", &[("n", &at.since(clock.now()).div_ceil(1000).to_string())]));
    let time = view! { <span class="countdown">{dynamic(move || words.get())}</span> }.into_any();
    phrase(", next in {time}", vec![("time", time)])
}

/// Why what is under way cannot be stopped: the button alone says it to those only who point at it.
fn why_not_cancel(live: Live) -> Option<String> {
    // That somebody has asked for it is said already.
    let is_asked = live.operation.with(|operation| operation.as_ref().is_some_and(|it| it.cancel.is_some()));
    live.actions.with(|all| why_not(all, WayAction::Cancel)).filter(|_| !is_asked)
}

/// What an operation does, in a few words: `Install of samples/web 1.2.0`, `Rollback to revision 2`.
fn operation_words(operation: &Operation) -> String {
    let kind = told(operation.kind.noun());
    if let (OperationKind::Rollback, Some(revision)) = (operation.kind, operation.options.revision) {
        return say("Rollback to revision {revision}", &[("revision", &revision.to_string())]);
    }
    match &operation.chart {
        Some(chart) => say("{kind} of {chart}", &[("kind", &kind), ("chart", &chart.to_string())]),
        None => kind,
    }
}
