//! The values of a revision: what was given, or all that Helm rendered with.

use leptos::prelude::*;

use super::Live;
use super::revision::revision_choice;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::ReleaseKey;
use crate::pages::query::{query_setter, query_value};
use crate::signals::{Memo, dynamic};
use crate::ui::button::button;
use crate::ui::code::{Code, code_view};
use crate::ui::state::{EmptyState, shown, skeleton_lines};
use crate::ui::toolbar::ToggleGroup;
use crate::words::t;

const COMPUTED: &str = "computed";

/// The tab.
#[component]
pub fn Values(release: ReleaseKey, live: Live) -> impl IntoView {
    let (revision, field) = revision_choice(&release, live);
    let name = release.name.clone();
    let values = fetch(move || client().values(release.clone(), revision.get()));
    let (which, query, set) = (query_value("values"), query_value("q"), query_setter());
    let is_computed = Memo::new(move || which.with(|which| which == COMPUTED));
    let text = Memo::new(move || {
        values.data.with(|values| match values {
            Some(values) if is_computed.get() => values.computed.clone(),
            Some(values) => values.user.clone(),
            None => String::new(),
        })
    });
    let file = Memo::new(move || {
        let which = if is_computed.get() { "-computed" } else { "" };
        let revision = revision.get().unwrap_or_default();
        format!("{name}-values{which}-v{revision}.yaml")
    });
    let show = Callback::new(move |which: &'static str| {
        set.run(vec![("values", if which == COMPUTED { COMPUTED.to_owned() } else { String::new() })]);
    });
    let is_empty = Memo::new(move || text.with(|text| text.trim().is_empty()));
    let code = Code {
        label: t("Values"),
        text,
        query,
        on_query: Callback::new(move |text| set.run(vec![("q", text)])),
        file,
    };
    let content = move || {
        dynamic(move || {
            if !is_empty.get() {
                return code_view(code, ().into_any());
            }
            if is_computed.get() {
                return view! {
                    <EmptyState title=t("No values at all") name="info">
                        <p>{t("Neither the chart nor a user has set any.")}</p>
                    </EmptyState>
                }
                .into_any();
            }
            view! {
                <EmptyState title=t("No values were given") name="info">
                    <p>{t("The chart’s own values apply.")}</p>
                    <div class="pf-v6-c-empty-state__actions">
                        {button(
                            "pf-v6-c-button pf-m-secondary",
                            t("Show all values"),
                            move || show.run(COMPUTED),
                        )}
                    </div>
                </EmptyState>
            }
            .into_any()
        })
    };
    view! {
        <div class="list-tools">
            {field}
            <ToggleGroup
                label=t("Which values")
                options=vec![("user", t("Given by users")), (COMPUTED, t("All, computed"))]
                value=Signal::derive(move || if is_computed.get() { COMPUTED } else { "user" }.to_owned())
                on_change=show
            />
        </div>
        {shown(values, || skeleton_lines(8), content)}
    }
    .into_any()
}
