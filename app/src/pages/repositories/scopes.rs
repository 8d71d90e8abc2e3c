//! The choice of where a new repository is set up.

use leptos::prelude::*;

use super::form::{State, field_error};
use crate::model::RepositoryOrigin;
use crate::signals::{Memo, Views, dynamic};
use crate::words::t;

/// Where it is set up, among the places where this user may.
pub fn scopes(state: State, may_add: Vec<RepositoryOrigin>, namespace: Option<String>) -> AnyView {
    let origin = Memo::new(move || state.draft.with(|draft| draft.origin));
    let is_choice = may_add.len() > 1;
    let choices = may_add.into_iter().rev().map(|one| {
        let (label, about) = match one {
            RepositoryOrigin::Project => (
                t("Namespaced scoped (ProjectHelmChartRepository)"),
                t("Add Helm Chart Repository in the selected namespace."),
            ),
            RepositoryOrigin::Cluster => (
                t("Cluster scoped (HelmChartRepository)"),
                t("Add Helm Chart Repository at the cluster level and in all namespaces."),
            ),
            _ => (
                t("Slipway’s own"),
                t("For everybody who uses Slipway, in all namespaces. Slipway keeps its credentials in a Secret."),
            ),
        };
        if !is_choice {
            // Of one there is nothing to choose.
            return view! { <p><b>{label}</b></p> <p class="note">{about}</p> }.into_any();
        }
        let id = format!("scope-{}", one.as_str());
        let (about_id, namespace) = (format!("{id}-about"), namespace.clone());
        let choose = move |_| {
            state.draft.update(|draft| {
                draft.origin = one;
                draft.for_namespace(namespace.clone());
            });
        };
        view! {
            <div class="pf-v6-c-radio">
                <input
                    class="pf-v6-c-radio__input"
                    type="radio"
                    name="scope"
                    id=id.clone()
                    aria-describedby=about_id.clone()
                    prop:checked=move || origin.get() == one
                    on:change=choose
                />
                <label class="pf-v6-c-radio__label" for=id>
                    {label}
                </label>
                <span class="pf-v6-c-radio__description" id=about_id>
                    {about}
                </span>
            </div>
        }
        .into_any()
    });
    let choices = choices.views();
    let error = move || state.refusal_at(&["origin", "namespace"]).map(field_error);
    view! {
        <fieldset class="scopes">
            <legend>{t("Scope type")}</legend>
            {choices}
            {dynamic(error)}
        </fieldset>
    }
    .into_any()
}
