//! Buttons, links that look like buttons, and what folds away.

use leptos::prelude::*;

use super::address::Address;
use super::icon::icon;

/// A button with a text on it; `class` is its look.
pub fn button(class: &'static str, text: &'static str, act: impl Fn() + 'static) -> AnyView {
    let act: Box<dyn Fn()> = Box::new(act);
    view! {
        <button type="button" class=class on:click=move |_| act()>
            <span class="pf-v6-c-button__text">{text}</span>
        </button>
    }
    .into_any()
}

/// A link that looks like a button.
pub fn link_button(class: &'static str, text: impl Into<String>, href: impl Into<String>) -> AnyView {
    let (text, href): (String, String) = (text.into(), href.into());
    view! {
        <a class=class href=href>
            <span class="pf-v6-c-button__text">{text}</span>
        </a>
    }
    .into_any()
}

/// A button that leads to another address: of a dialog, which is no page.
pub fn leading_button(class: &'static str, text: String, to: String) -> AnyView {
    let address = Address::get();
    view! {
        <button type="button" class=class on:click=move |_| address.go(&to)>
            <span class="pf-v6-c-button__text">{text}</span>
        </button>
    }
    .into_any()
}

/// A button that cannot be pressed, and says why to whoever points at it or comes to it by keyboard. One a page.
pub fn unavailable_button(text: &'static str, why: String) -> AnyView {
    view! {
        <span class="with-reason">
            <button
                type="button"
                class="pf-v6-c-button pf-m-secondary pf-m-aria-disabled"
                aria-disabled="true"
                aria-describedby="why-not"
            >
                <span class="pf-v6-c-button__text">{text}</span>
            </button>
            <span class="reason" id="why-not" role="tooltip">
                {why}
            </span>
        </span>
    }
    .into_any()
}

/// What is shown when its summary is pressed.
pub fn more(summary: impl Into<String>, open: impl Into<Signal<bool>>, content: AnyView) -> AnyView {
    let (summary, open): (String, Signal<bool>) = (summary.into(), open.into());
    view! {
        <details class="more" open=open>
            <summary>{summary}</summary>
            {content}
        </details>
    }
    .into_any()
}

/// A button that is an icon; `label` is what it says to whoever does not see it, or points at it.
pub fn icon_button(label: String, name: &'static str, act: impl Fn() + 'static) -> AnyView {
    let act: Box<dyn Fn()> = Box::new(act);
    view! {
        <button
            type="button"
            class="pf-v6-c-button pf-m-plain"
            aria-label=label.clone()
            title=label
            on:click=move |_| act()
        >
            <span class="pf-v6-c-button__icon">{icon(name)}</span>
        </button>
    }
    .into_any()
}

/// A link in the look of `class`. `label` is what it says where its words are not enough.
pub fn link(
    class: &'static str,
    href: String,
    words: impl Into<String>,
    label: Option<String>,
    act: impl Fn() + 'static,
) -> AnyView {
    let (words, act): (String, Box<dyn Fn()>) = (words.into(), Box::new(act));
    view! {
        <a class=class href=href aria-label=label on:click=move |_| act()>
            <span class="pf-v6-c-button__text">{words}</span>
        </a>
    }
    .into_any()
}
