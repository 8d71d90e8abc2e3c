//! What an object says of its own state.

use leptos::prelude::*;

use crate::client::fetch::Fetched;
use crate::model::object::CONDITIONS_MAX;
use crate::model::{ObjectCondition, ObjectDetail};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::table::{cell, or_dash, plain_head};
use crate::ui::time::ago;
use crate::words::{count, t};

/// The conditions; nothing where an object has none.
pub fn conditions(detail: Fetched<ObjectDetail>) -> AnyView {
    let all =
        Memo::new(move || detail.data.with(|it| it.map(|it| it.conditions.clone()).unwrap_or_default()));
    dynamic(move || {
        let all = all.get();
        (!all.is_empty()).then(|| table(all))
    })
}

fn table(all: Vec<ObjectCondition>) -> AnyView {
    let is_cut = all.len() >= CONDITIONS_MAX;
    view! {
        <section class="object-conditions">
            <h3 class="pf-v6-c-title pf-m-md" id="object-conditions">
                {t("Conditions")}
            </h3>
            <table class="pf-v6-c-table pf-m-grid-md pf-m-compact" aria-labelledby="object-conditions">
                <thead class="pf-v6-c-table__thead">
                    <tr class="pf-v6-c-table__tr">
                        {plain_head(t("Type"))} {plain_head(t("Status"))} {plain_head(t("Updated"))}
                        {plain_head(t("Reason"))} {plain_head(t("Message"))}
                    </tr>
                </thead>
                <tbody class="pf-v6-c-table__tbody">{all.into_iter().map(row).views()}</tbody>
            </table>
            {is_cut
                .then(|| {
                    view! {
                        <p class="note">
                            {count(CONDITIONS_MAX, "Only the first one is shown.", "Only the first {n} are shown.")}
                        </p>
                    }
                })}
        </section>
    }
    .into_any()
}

/// The words are the object's own, which nobody translates.
fn row(condition: ObjectCondition) -> AnyView {
    let ObjectCondition { kind, status, reason, message, changed } = condition;
    let text = |text: String| view! { <span class="wrap">{or_dash(Some(text))}</span> };
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell(t("Type"), text(kind))} {cell(t("Status"), text(status))} {cell(t("Updated"), ago(changed))}
            {cell(t("Reason"), text(reason))} {cell(t("Message"), text(message))}
        </tr>
    }
    .into_any()
}
