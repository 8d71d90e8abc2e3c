//! What an object is, and the pods that it has.

use leptos::prelude::*;

use super::super::health::health_view;
use super::conditions::conditions;
use super::logs::pods_of;
use super::{object_link, refresh_trouble};
use crate::client::fetch::Fetched;
use crate::model::{
    ContainerRole, Health, ObjectDetail, ObjectRef, PodContainer, PodList, ReleasePod, Timestamp,
};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::icon::icon;
use crate::ui::label::plain_label;
use crate::ui::table::or_dash;
use crate::ui::time::{ago, date_words};
use crate::words::{count, t, told};

/// How many pods are drawn; the log has all of them to choose from.
const PODS_SHOWN: usize = 100;

/// The part of an object that is told here: what changes is drawn anew, and the server's clock always changes.
#[derive(Clone, PartialEq)]
struct Told {
    health: Health,
    message: String,
    created: Option<Timestamp>,
    root: ObjectRef,
    source: String,
}

/// The description, and the pods.
pub fn details(object: &ObjectRef, detail: Fetched<ObjectDetail>, pods: Option<Fetched<PodList>>) -> AnyView {
    let of = Memo::new(move || {
        detail.data.with(|it| {
            it.map(|it| Told {
                health: it.health,
                message: it.message.clone(),
                created: it.created,
                root: it.root.clone(),
                source: it.source.clone(),
            })
        })
    });
    let whose = object.clone();
    view! {
        {dynamic(move || of.get().map(|of| facts(&whose, of)))}
        {conditions(detail)}
        {pods.map(|pods| pods_view(object.clone(), pods))}
    }
    .into_any()
}

fn facts(object: &ObjectRef, of: Told) -> AnyView {
    let fact = |term: &'static str, value: AnyView| {
        view! {
            <div>
                <dt>{term}</dt>
                <dd class="wrap">{value}</dd>
            </div>
        }
        .into_any()
    };
    let created = match of.created {
        Some(at) => view! { {ago(Some(at))} " " <span class="note">{date_words(at)}</span> }.into_any(),
        None => or_dash(None),
    };
    let root = (of.root != *object).then(|| fact(t("Belongs to"), object_link(&of.root)));
    view! {
        <dl class="object-facts">
            {fact(t("Status"), health_view(of.health))} {fact(t("Reason"), or_dash(Some(told(&of.message))))}
            {fact(t("Type"), [&object.kind, " · ", &object.api_version].concat().into_any())}
            {fact(t("Namespace"), or_dash(object.namespace.clone()))} {fact(t("Created"), created)}
            {fact(t("Chart"), or_dash(Some(of.source)))} {root}
        </dl>
    }
    .into_any()
}

fn pods_view(object: ObjectRef, pods: Fetched<PodList>) -> AnyView {
    let own = Memo::new(move || {
        pods.data.with(|list| list.map(|list| pods_of(&list.pods, &object)).unwrap_or_default())
    });
    let warnings = Memo::new(move || pods.data.with(|list| list.map(|list| list.warnings.clone())));
    view! {
        {refresh_trouble(pods)}
        {dynamic(move || {
            warnings.get().unwrap_or_default().into_iter().map(|text| view! { <p class="note">{told(&text)}</p> }).views()
        })}
        {dynamic(move || own.get().into_iter().take(PODS_SHOWN).map(pod_view).views())}
        {dynamic(move || {
            (own.with(Vec::len) > PODS_SHOWN)
                .then(|| {
                    view! {
                        <p class="note">
                            {count(PODS_SHOWN, "Only the first one is shown.", "Only the first {n} are shown.")}
                        </p>
                    }
                })
        })}
    }
    .into_any()
}

fn pod_view(pod: ReleasePod) -> AnyView {
    let containers = pod.containers.into_iter().map(container_view).views();
    view! {
        <section class="object-pod">
            <div class="object-pod-head">
                {object_link(&pod.object)} {health_view(pod.health)}
                <span class="note wrap">{told(&pod.message)}</span>
                <span class="note">{ago(pod.created)}</span>
                {pod.node.map(|node| view! { <span class="note wrap">{t("Node")} " " {node}</span> })}
            </div>
            <ul class="object-containers" aria-label=t("Containers")>
                {containers}
            </ul>
        </section>
    }
    .into_any()
}

fn container_view(container: PodContainer) -> AnyView {
    let role = match container.role {
        ContainerRole::Init => Some(t("Init")),
        ContainerRole::Sidecar => Some(t("Sidecar")),
        ContainerRole::Debug => Some(t("Debug")),
        ContainerRole::Main => None,
    };
    let (class, name) = if container.is_ready {
        ("health health-ready", "success")
    } else if container.state.starts_with("waiting: ") {
        ("health health-failed", "warning")
    } else {
        ("health health-none", "info")
    };
    let restarts = (container.restarts > 0)
        .then(|| plain_label(count(container.restarts as usize, "{n} restart", "{n} restarts")));
    view! {
        <li>
            <span class="wrap">{container.name}</span>
            {role.map(|role| plain_label(role.to_owned()))}
            <span class=class>{icon(name)} {told(&container.state)}</span>
            {restarts}
        </li>
    }
    .into_any()
}
