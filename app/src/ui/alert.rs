//! Alerts in the flow of the page.

use leptos::prelude::*;

use super::icon::icon;
use crate::model::Tone;
use crate::words::t;

/// An alert with a title and a body; its tone gives it icon, colour and the word that a screen reader says first.
#[component]
pub fn Alert(
    /// How bad it is.
    tone: Tone,
    /// One line.
    #[prop(into)]
    title: String,
    /// What more there is to say.
    children: Children,
) -> impl IntoView {
    alert(tone, title, children())
}

/// The same, as a function.
pub fn alert(tone: Tone, title: String, content: AnyView) -> AnyView {
    let (class, name, word) = match tone {
        Tone::Success => ("pf-v6-c-alert pf-m-inline pf-m-success", "success", t("Success: ")),
        Tone::Warning => ("pf-v6-c-alert pf-m-inline pf-m-warning", "warning", t("Warning: ")),
        Tone::Danger => ("pf-v6-c-alert pf-m-inline pf-m-danger", "danger", t("Error: ")),
        Tone::Progress | Tone::Neutral => ("pf-v6-c-alert pf-m-inline pf-m-info", "info", t("Note: ")),
    };
    view! {
        <div class=class>
            <div class="pf-v6-c-alert__icon">{icon(name)}</div>
            <p class="pf-v6-c-alert__title">
                <span class="pf-v6-screen-reader">{word}</span>
                {title}
            </p>
            <div class="pf-v6-c-alert__description">{content}</div>
        </div>
    }
    .into_any()
}
