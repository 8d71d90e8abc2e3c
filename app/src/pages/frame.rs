//! What the pages of charts and of repositories are made of.

use leptos::prelude::*;

use crate::model::Tone;
use crate::ui::alert::alert;
use crate::ui::button::button;
use crate::ui::field::{FormGroup, Hint, Select, TextInput};
use crate::ui::icon::icon;
use crate::words::t;

/// The head of a page: its heading, a sentence about it, and its main action.
pub fn page_head(heading: AnyView, about: &'static str, action: AnyView) -> AnyView {
    view! {
        <section class="pf-v6-c-page__main-section page-head">
            <div class="form-head">{heading} <p>{about}</p></div>
            {action}
        </section>
    }
    .into_any()
}

/// A part of a page.
pub fn section(content: AnyView) -> AnyView {
    view! { <section class="pf-v6-c-page__main-section">{content}</section> }.into_any()
}

/// The content of an empty state: a sentence, and what to do.
pub fn teaching(text: &'static str, actions: Vec<AnyView>) -> AnyView {
    view! {
        <p>{text}</p>
        <div class="pf-v6-c-empty-state__actions">{actions}</div>
    }
    .into_any()
}

/// A paragraph of a text from elsewhere, which may have long words.
pub fn wrapped(text: String) -> AnyView {
    view! { <p class="wrap">{text}</p> }.into_any()
}

/// A link out of the console, in a window of its own. What is not http or https is a text.
pub fn outside(address: &str, words: String) -> AnyView {
    if !address.starts_with("https://") && !address.starts_with("http://") {
        return view! { <span class="wrap">{words}</span> }.into_any();
    }
    let address = address.to_owned();
    view! {
        <a class="wrap" target="_blank" rel="noopener noreferrer" href=address>
            {words}
            " "
            {icon("external")}
        </a>
    }
    .into_any()
}

/// An alert with one sentence.
pub fn told_alert(tone: Tone, title: String, text: String) -> AnyView {
    alert(tone, title, wrapped(text))
}

/// "Show more", and how many more there are.
pub fn more_button(rest: String, act: impl Fn() + 'static) -> AnyView {
    let act: Box<dyn Fn()> = Box::new(act);
    view! {
        <div class="cards-more">
            {button("pf-v6-c-button pf-m-secondary", t("Show more"), act)} <span class="note">{rest}</span>
        </div>
    }
    .into_any()
}

/// A field with its label, and what stands below it.
pub fn group(
    id: &'static str,
    label: &'static str,
    required: bool,
    hint: Signal<Hint>,
    field: AnyView,
) -> AnyView {
    view! {
        <FormGroup id=id label=label required=required hint=hint>
            {field}
        </FormGroup>
    }
    .into_any()
}

/// A line of text with its label; `list` is the id of its proposals, where there are any.
pub fn line(
    id: &'static str,
    label: &'static str,
    about: Signal<Hint>,
    value: Signal<String>,
    change: Box<dyn FnMut(String)>,
    kind: Line,
) -> AnyView {
    let Line { required, secret, readonly, list } = kind;
    let input = view! {
        <TextInput id=id value=value hint=about list=list secret=secret readonly=readonly on_input=change />
    };
    group(id, label, required, about, input.into_any())
}

/// What a line of text is like.
#[derive(Clone, Copy, Default)]
pub struct Line {
    /// It must be filled in.
    pub required: bool,
    /// Nobody is to read it over the user's shoulder.
    pub secret: bool,
    /// It can be read only.
    pub readonly: bool,
    /// The id of its proposals.
    pub list: &'static str,
}

/// A choice of one.
pub fn choice(
    id: &'static str,
    value: Signal<String>,
    options: Signal<Vec<(String, String)>>,
    change: Box<dyn FnMut(String)>,
) -> AnyView {
    view! { <Select id=id value=value options=options on_change=change /> }.into_any()
}
