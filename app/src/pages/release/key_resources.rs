//! The resources that say most about a release: those that are not well first, then its workloads and the ways to them.

use leptos::prelude::*;

use super::{Live, health};
use crate::model::{Health, ReleaseKey, Resource};
use crate::pages::route::{Route, Tab};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::address::encode;
use crate::ui::label::kind_badge;
use crate::words::{say, t, told};

/// How many are named.
const NAMED: usize = 6;
/// How many weights there are.
const RANKS: u8 = 6;

/// The list, and the way to all of them.
#[component]
pub fn KeyResources(release: ReleaseKey, live: Live) -> impl IntoView {
    let named = Memo::new(move || live.resources.with(|all| few(all)));
    let total =
        Memo::new(move || live.resources.with(|all| all.iter().filter(|one| one.hooks.is_empty()).count()));
    let page = Route::Release { key: release, tab: Tab::Resources }.to_string();
    let all = page.clone();
    let rows = move || {
        let named = named.get();
        if named.is_empty() {
            let words = if live.active.get() {
                t("They are listed here as soon as Helm has rendered the chart.")
            } else {
                t("This release has no resources in the cluster that could be listed.")
            };
            return view! { <p class="note">{words}</p> }.into_any();
        }
        let row = |resource: Resource| row(resource, &page);
        view! { <ul class="key-resources">{named.into_iter().map(row).views()}</ul> }.into_any()
    };
    view! {
        <section class="overview-part" aria-labelledby="resources-title">
            <div class="part-head">
                <h2 class="pf-v6-c-title pf-m-h2" id="resources-title">
                    {t("Resources")}
                </h2>
                {dynamic(move || {
                    let total = total.get();
                    (total > 0)
                        .then(|| {
                            let words = say("See all {n}", &[("n", &total.to_string())]);
                            view! {
                                <a class="pf-v6-c-button pf-m-link pf-m-inline" href=all.clone()>
                                    <span class="pf-v6-c-button__text">{words}</span>
                                </a>
                            }
                        })
                })}
            </div>
            {dynamic(rows)}
        </section>
    }
    .into_any()
}

fn row(resource: Resource, page: &str) -> AnyView {
    let Resource { object, health, message, .. } = resource;
    let href = format!("{page}?q={}", encode(&object.name));
    // Of what is well the icon says enough.
    let message = (health != Health::Ready && !message.is_empty())
        .then(|| view! { <span class="note wrap">{told(&message)}</span> });
    view! {
        <li>
            <span class="named">
                {kind_badge(&object.kind)} <a class="wrap" href=href>
                    <span class="pf-v6-screen-reader">{object.kind.clone()} " "</span>
                    {object.name}
                </a>
            </span>
            {health::health_view(health)}
            {message}
        </li>
    }
    .into_any()
}

/// Those to name, in this order.
fn few(all: &[Resource]) -> Vec<Resource> {
    // A pass for each rank, as long as there is room: next to no code, and a sort would be much.
    let rank = |one: &Resource| concern(one.health) * RANKS + weight(&one.object.kind);
    let mut found: Vec<Resource> = Vec::new();
    for wanted in 0..5 * RANKS {
        let of_rank = all.iter().filter(|one| one.hooks.is_empty() && rank(one) == wanted);
        found.extend(of_rank.take(NAMED - found.len()).cloned());
    }
    found
}

fn concern(health: Health) -> u8 {
    match health {
        Health::Failed => 0,
        Health::Missing => 1,
        Health::Terminating | Health::Progressing | Health::NotYet => 2,
        Health::Unknown => 3,
        Health::Ready => 4,
    }
}

fn weight(kind: &str) -> u8 {
    match kind {
        "Deployment" | "StatefulSet" | "DaemonSet" | "DeploymentConfig" => 0,
        "CronJob" | "Job" | "Pod" => 1,
        "Route" | "Ingress" | "Gateway" | "HTTPRoute" => 2,
        "Service" => 3,
        "PersistentVolumeClaim" => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ObjectRef;

    fn resource(kind: &str, health: Health) -> Resource {
        let object =
            ObjectRef { api_version: "v1".into(), kind: kind.into(), namespace: None, name: kind.into() };
        Resource {
            object,
            source: String::new(),
            hooks: vec![],
            health,
            message: String::new(),
            created: None,
        }
    }

    #[test]
    fn what_is_not_well_comes_first_and_then_the_workloads() {
        let hook = Resource { hooks: vec!["test".into()], ..resource("Pod", Health::Failed) };
        let all = [
            resource("ConfigMap", Health::Ready),
            resource("Service", Health::Ready),
            resource("Deployment", Health::Ready),
            resource("Secret", Health::Missing),
            resource("Job", Health::Failed),
            hook,
        ];
        let kinds: Vec<_> = few(&all).into_iter().map(|one| one.object.kind).collect();
        assert_eq!(kinds, ["Job", "Secret", "Deployment", "Service", "ConfigMap"]);
    }

    #[test]
    fn there_are_never_many() {
        assert_eq!(few(&vec![resource("Pod", Health::Progressing); 200]).len(), NAMED);
    }
}
