//! Progress bars.

use crate::signals::dynamic;
use leptos::prelude::*;

use crate::model::Tone;
use crate::words::say;

/// A bar with its words above it, and what it measures beside them.
#[component]
pub fn ProgressBar(
    /// What it says: `12 of 31 resources ready`.
    #[prop(into)]
    label: Signal<String>,
    /// From 0 to 100.
    #[prop(into)]
    percent: Signal<u32>,
    /// Its colour: success, danger, warning for what nobody works on, or any other for the plain one.
    #[prop(into)]
    tone: Signal<Tone>,
) -> impl IntoView {
    let class = Signal::derive(move || match tone.get() {
        Tone::Success => "pf-v6-c-progress pf-m-success",
        Tone::Danger => "pf-v6-c-progress pf-m-danger",
        Tone::Warning => "pf-v6-c-progress pf-m-warning",
        _ => "pf-v6-c-progress",
    });
    view! {
        <div class=class>
            <div class="pf-v6-c-progress__description" aria-hidden="true">{dynamic(move || label.get())}</div>
            <div class="pf-v6-c-progress__status" aria-hidden="true">
                <span class="pf-v6-c-progress__measure">{dynamic(move || say("{n}%", &[("n", &percent.get().to_string())]))}</span>
            </div>
            <div
                class="pf-v6-c-progress__bar"
                role="progressbar"
                aria-label=label
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=Signal::derive(move || percent.get().to_string())
            >
                <div class="pf-v6-c-progress__indicator" style:width=Signal::derive(move || format!("{}%", percent.get()))></div>
            </div>
        </div>
    }
    .into_any()
}
