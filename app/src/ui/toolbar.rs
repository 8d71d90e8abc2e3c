//! What filters a list.

use leptos::prelude::*;

use crate::signals::{Views, dynamic};
use crate::words::t;

use super::icon::icon;

/// A search field that filters as one types.
#[component]
pub fn SearchInput(
    /// What it is for.
    #[prop(into)]
    label: String,
    /// What is in it.
    #[prop(into)]
    value: Signal<String>,
    /// Each change.
    on_input: Callback<String>,
) -> impl IntoView {
    let clear = move || {
        value.with(|value| !value.is_empty()).then(|| {
            view! {
                <div class="pf-v6-c-text-input-group__utilities">
                    <button
                        type="button"
                        class="pf-v6-c-button pf-m-plain"
                        aria-label=t("Clear")
                        on:click=move |_| on_input.run(String::new())
                    >
                        <span class="pf-v6-c-button__icon">{icon("close")}</span>
                    </button>
                </div>
            }
        })
    };
    view! {
        <div class="pf-v6-c-text-input-group search">
            <div class="pf-v6-c-text-input-group__main pf-m-icon">
                <span class="pf-v6-c-text-input-group__text">
                    <span class="pf-v6-c-text-input-group__icon">{icon("search")}</span>
                    <input
                        class="pf-v6-c-text-input-group__text-input"
                        type="text"
                        autocomplete="off"
                        spellcheck="false"
                        aria-label=label.clone()
                        placeholder=label
                        prop:value=value
                        on:input=move |event| on_input.run(event_target_value(&event))
                    />
                </span>
            </div>
            {dynamic(clear)}
        </div>
    }
    .into_any()
}

/// A row of buttons of which one is pressed.
#[component]
pub fn ToggleGroup(
    /// What is chosen.
    label: &'static str,
    /// The values and their words.
    options: Vec<(&'static str, &'static str)>,
    /// The pressed one.
    #[prop(into)]
    value: Signal<String>,
    /// Another one was pressed.
    on_change: Callback<&'static str>,
) -> impl IntoView {
    let buttons = options
        .into_iter()
        .map(|(option, words)| {
            let is_chosen = move || value.with(|value| value == option);
            let class = Signal::derive(move || {
                if is_chosen() {
                    "pf-v6-c-toggle-group__button pf-m-selected"
                } else {
                    "pf-v6-c-toggle-group__button"
                }
            });
            view! {
                <div class="pf-v6-c-toggle-group__item">
                    <button
                        type="button"
                        class=class
                        aria-pressed=Signal::derive(move || is_chosen().to_string())
                        on:click=move |_| on_change.run(option)
                    >
                        <span class="pf-v6-c-toggle-group__text">{words}</span>
                    </button>
                </div>
            }
        })
        .views();
    view! { <div class="pf-v6-c-toggle-group" role="group" aria-label=label>{buttons}</div> }.into_any()
}
