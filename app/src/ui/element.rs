//! Plain elements by their names: one compiled copy for all of them, where `view!` makes one for each shape of a page. For
//! what is on every page, whose size every first load has.

use leptos::html::custom;
use leptos::prelude::*;

use super::icon::icon;

/// An element of a class, with its parts.
pub fn el(tag: &'static str, class: &'static str, parts: Vec<AnyView>) -> AnyView {
    named(tag, class, Names::default(), parts)
}

/// What an element is called, and what it is.
#[derive(Default)]
pub struct Names {
    /// Its id.
    pub id: Option<&'static str>,
    /// Its role.
    pub role: Option<&'static str>,
    /// The id of what it is named by.
    pub labelledby: Option<&'static str>,
    /// Its tab index.
    pub tabindex: Option<&'static str>,
}

/// An element of a class, with its names and its parts.
pub fn named(tag: &'static str, class: &'static str, names: Names, parts: Vec<AnyView>) -> AnyView {
    custom(tag)
        .class(class)
        .attr("id", names.id)
        .attr("role", names.role)
        .attr("aria-labelledby", names.labelledby)
        .attr("tabindex", names.tabindex)
        .child(parts)
        .into_any()
}

/// A text as a part of an element.
pub fn text(text: impl Into<String>) -> AnyView {
    let text: String = text.into();
    text.into_any()
}

/// A button that is an icon; `label` is what it says to whoever does not see it.
pub fn icon_button(label: String, name: &'static str, act: impl Fn() + 'static) -> AnyView {
    let act: Box<dyn Fn()> = Box::new(act);
    view! {
        <button type="button" class="pf-v6-c-button pf-m-plain" aria-label=label on:click=move |_| act()>
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
