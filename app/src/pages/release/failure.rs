//! A failure explained: its class, its cause, the object concerned, and helm's own text.

use leptos::prelude::*;

use super::Live;
use super::actions::action_href;
use super::evidence::evidence_view;
use super::object::address;
use crate::model::{
    ContainerEvidence, Evidence, Failure, FailureClass, NextAction, NextStep, ObjectRef, Operation, Phase,
    ReleaseKey, Way, WayAction,
};
use crate::pages::install::chart::origin_of;
use crate::pages::route::{Route, Tab};
use crate::signals::{Views, dynamic};
use crate::ui::address::encode;
use crate::ui::button::{link_button, more};
use crate::ui::label::{kind_badge, plain_label};
use crate::words::{say, t, told};

/// A class in words.
pub fn class_words(class: FailureClass) -> &'static str {
    match class {
        FailureClass::Transient => t("Transient"),
        FailureClass::Permanent => t("Permanent"),
        FailureClass::Locked => t("Locked"),
        FailureClass::TimedOut => t("Timed out"),
        FailureClass::Hook => t("Hook failed"),
        FailureClass::Test => t("Test failed"),
        FailureClass::Cancelled => t("Cancelled"),
        FailureClass::Interrupted => t("Interrupted"),
        FailureClass::Unknown => t("Unknown cause"),
    }
}

/// The failure; its cause is left out where the `title` above says it.
pub fn failure_view(failure: Failure, title: &str, release: &ReleaseKey, live: Live) -> AnyView {
    let Failure { class, cause, advice, object, text, next } = failure;
    let evidence = evidence_of(live);
    // What the cause says already is not said twice: then what was seen of an object begins with its name.
    let is_told = |one: &Evidence| {
        let of_hook = format!("{} {} failed and said: ", one.object.kind, one.object.name);
        cause.ends_with(&one.reason) || cause.starts_with(&of_hook)
    };
    let told_of: Vec<bool> = evidence.iter().map(is_told).collect();
    let is_named = |object: &ObjectRef| {
        let same = |one: &Evidence| one.object.kind == object.kind && one.object.name == object.name;
        evidence.iter().zip(&told_of).any(|(one, told)| *told && same(one))
    };
    let object = object.filter(|object| !is_named(object));
    let cause = (cause != title).then(|| view! { <p class="wrap">{told(&cause)}</p> });
    let object = object.map(|object| object_view(&object, release, live));
    // The proof of an interruption is short, and what the reader has to go by.
    let text = (!text.is_empty()).then(|| match class {
        FailureClass::Interrupted => view! { <p class="wrap">{told(&text)}</p> }.into_any(),
        _ => said_by_helm(text),
    });
    let release = release.clone();
    let object_evidence = evidence
        .iter()
        .zip(&told_of)
        .map(|(one, told)| evidence_view(one, told.then(|| object_view(&one.object, &release, live))))
        .views();
    let is_said = |it: &ContainerEvidence| !it.log.is_empty() || !it.message.is_empty();
    let is_shown = evidence.iter().flat_map(|one| &one.pods).flat_map(|pod| &pod.containers).any(is_said);
    let steps = move || {
        // Where the release was left half way, the ways out are the next steps, and other values, where Helm takes them.
        let has_ways = live.ways.with(|ways| !ways.is_empty());
        let is_pending =
            || live.record.with(|record| record.as_ref().is_some_and(|it| it.status.is_pending()));
        let is_another = |step: &NextStep| step.action == NextAction::EditValues && !is_pending();
        let next = next.iter().filter(|step| !(is_shown && step.action == NextAction::SeeHookLog));
        let next = next.filter(|step| !has_ways || is_another(step));
        let links = next.filter_map(|step| {
            let href = step_href(step, &release, live)?;
            Some(link_button("pf-v6-c-button pf-m-secondary pf-m-small", told(step.action.label()), href))
        });
        let links = links.views();
        (!links.is_empty()).then(|| view! { <div class="ways">{links}</div> })
    };
    view! {
        <div class="failure">
            {plain_label(class_words(class).to_owned())} {cause} {advice.map(|advice| view! { <p>{told(&advice)}</p> })}
            {object} {object_evidence} {text} {dynamic(steps)}
        </div>
    }
    .into_any()
}

/// Helm's own text, folded away.
pub fn said_by_helm(text: String) -> AnyView {
    more(t("What Helm said"), false, view! { <pre class="text">{text}</pre> }.into_any())
}

/// What was seen in the cluster of the newest operation's last attempt, where the phase is about that.
fn evidence_of(live: Live) -> Vec<Evidence> {
    if live.phase.with_untracked(|phase| *phase == Phase::Failed { kind: None }) {
        return Vec::new();
    }
    let last = |operation: &Operation| Some(operation.attempts.last()?.evidence.clone());
    live.operation.with_untracked(|operation| operation.as_ref().and_then(last)).unwrap_or_default()
}

/// Where a step leads; none where it does not fit the release as it is now.
fn step_href(step: &NextStep, release: &ReleaseKey, live: Live) -> Option<String> {
    let tab = |tab| Some(Route::Release { key: release.clone(), tab }.to_string());
    let if_possible = |action| {
        let is_possible =
            |ways: &Vec<Way>| ways.iter().any(|way| way.action == action && way.why_not.is_none());
        live.actions.with(is_possible).then(|| action_href(release, action))
    };
    // Without a revision there is nothing to upgrade: it is installed anew.
    let form = || {
        let upgrade = if_possible(WayAction::Upgrade).map(|upgrade| with_what_was_sent(upgrade, release));
        upgrade.unwrap_or_else(|| install_again(release, live))
    };
    match step.action {
        NextAction::TryAgain | NextAction::ReplaceFailed => if_possible(WayAction::Again),
        NextAction::Upgrade => if_possible(WayAction::Upgrade),
        NextAction::Rollback => if_possible(WayAction::Rollback),
        NextAction::Uninstall => if_possible(WayAction::Uninstall),
        NextAction::OpenOwner => {
            let namespace = step.namespace.clone().unwrap_or_else(|| release.namespace.clone());
            step.name.clone().map(|name| Route::release(&ReleaseKey::new(namespace, name)).to_string())
        }
        NextAction::CreateNamespace => {
            Some(format!("{}&create-namespace=true", install_again(release, live)))
        }
        NextAction::ForceConflicts => Some(format!("{}&force-conflicts=true", form())),
        NextAction::EditValues | NextAction::ChooseAnotherVersion => Some(form()),
        NextAction::ChooseAnotherName => Some(install_again(release, live)),
        NextAction::SeeHookLog => hook_log(release, live),
        NextAction::SeeResources => tab(Tab::Resources),
        NextAction::SeeTests => tab(Tab::Tests),
        // The ways out have it, and the reader is there already.
        NextAction::MarkFailed | NextAction::OpenRelease => None,
    }
}

/// The log of the hook that failed: in the panel of its object, where the release has it. Helm's own log has nothing of it.
fn hook_log(release: &ReleaseKey, live: Live) -> Option<String> {
    let named = live.notice.with(|notice| notice.as_ref()?.failure.as_ref()?.object.clone())?;
    let object = live.resources.with(|all| {
        all.iter().map(|one| &one.object).find(|it| it.kind == named.kind && it.name == named.name).cloned()
    })?;
    let resources = Route::Release { key: release.clone(), tab: Tab::Resources };
    Some(format!("{resources}?object={}&look=logs", encode(&address::text(&object))))
}

/// A form's address that opens it with what was sent last, where this browser knows it.
fn with_what_was_sent(form: String, release: &ReleaseKey) -> String {
    format!("{form}?again={}", encode(&release.name))
}

/// The form that makes a release like this one.
pub fn install_again(release: &ReleaseKey, live: Live) -> String {
    let namespace = Some(release.namespace.clone());
    let chart = live.operation.with_untracked(|operation| operation.as_ref().and_then(|it| it.chart.clone()));
    let route = match chart {
        Some(chart) => Route::Install { namespace, chart: origin_of(&chart) },
        None => Route::Catalogue { namespace, chart: None },
    };
    with_what_was_sent(route.to_string(), release)
}

/// The object, with the way to its row among the resources where it has one.
fn object_view(object: &ObjectRef, release: &ReleaseKey, live: Live) -> AnyView {
    let words = match &object.namespace {
        Some(namespace) => {
            let with = [("kind", object.kind.as_str()), ("name", &object.name), ("namespace", namespace)];
            say("{kind} {name} in {namespace}", &with)
        }
        None => format!("{} {}", object.kind, object.name),
    };
    let is_own = live.resources.with_untracked(|all| {
        all.iter().any(|one| one.object.kind == object.kind && one.object.name == object.name)
    });
    let words = if is_own {
        let resources = Route::Release { key: release.clone(), tab: Tab::Resources };
        let href = format!("{resources}?q={}", encode(&object.name));
        view! { <a class="wrap" href=href>{words}</a> }.into_any()
    } else {
        view! { <span class="wrap">{words}</span> }.into_any()
    };
    view! { <p class="named">{kind_badge(&object.kind)} {words}</p> }.into_any()
}
