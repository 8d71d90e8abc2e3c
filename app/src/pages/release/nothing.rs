//! What is said where a release has no resources: that they come, while Helm is at it, or that there are none.

use leptos::prelude::*;

use super::Live;
use crate::signals::dynamic;
use crate::ui::state::EmptyState;
use crate::words::t;

/// Said in the place of the resources; `soon` is what is said while they may come.
pub fn no_resources(live: Live, soon: &'static str) -> AnyView {
    dynamic(move || {
        let (title, words) = if live.active.get() {
            (t("No resources yet"), soon)
        } else {
            (t("No resources"), t("This release has no resources in the cluster that could be listed."))
        };
        view! {
            <EmptyState title name="cubes">
                <p>{words}</p>
            </EmptyState>
        }
    })
}
