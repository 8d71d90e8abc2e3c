//! What the pages of charts and of repositories are made of.

use leptos::prelude::*;

use crate::model::Tone;
use crate::signals::Views;
use crate::ui::alert::alert;
use crate::ui::button::button;
use crate::ui::field::{FormGroup, Hint, Select, TextInput};
use crate::ui::markup::{Part, markup};
use crate::words::t;

/// The head of a page: its heading, a sentence about it, and its main action.
pub fn page_head(heading: AnyView, about: &'static str, action: AnyView) -> AnyView {
    markup(
        r#"<section class="pf-v6-c-page__main-section page-head"><div class="form-head"><!><p><!></p></div><!></section>"#,
        vec![Part::View(heading), Part::Word(about), Part::View(action)],
    )
}

/// A part of a page.
pub fn section(content: AnyView) -> AnyView {
    markup(r#"<section class="pf-v6-c-page__main-section"><!></section>"#, vec![Part::View(content)])
}

/// The content of an empty state: a sentence, and what to do.
pub fn teaching(text: &'static str, actions: Vec<AnyView>) -> AnyView {
    let sentence = markup("<p><!></p>", vec![Part::Word(text)]);
    let actions = markup(
        r#"<div class="pf-v6-c-empty-state__actions"><!></div>"#,
        vec![Part::View(actions.into_iter().views().into_any())],
    );
    [sentence, actions].into_iter().views().into_any()
}

/// A paragraph of a text from elsewhere, which may have long words.
pub fn wrapped(text: String) -> AnyView {
    markup(r#"<p class="wrap"><!></p>"#, vec![Part::Text(text)])
}

/// A link out of the console, in a window of its own. What is not http or https is a text.
pub fn outside(address: &str, words: String) -> AnyView {
    if !address.starts_with("https://") && !address.starts_with("http://") {
        return markup(r#"<span class="wrap"><!></span>"#, vec![Part::Text(words)]);
    }
    markup(
        r##"<a class="wrap" target="_blank" rel="noopener noreferrer" x><!> <svg class="pf-v6-svg" viewBox="0 0 32 32" aria-hidden="true"><use href="#i-external"></use></svg></a>"##,
        vec![Part::Set("href", address.to_owned()), Part::Text(words)],
    )
}

/// An alert with one sentence.
pub fn told_alert(tone: Tone, title: String, text: String) -> AnyView {
    alert(tone, title, wrapped(text))
}

/// "Show more", and how many more there are.
pub fn more_button(rest: String, act: impl Fn() + 'static) -> AnyView {
    let act: Box<dyn Fn()> = Box::new(act);
    markup(
        r#"<div class="cards-more"><!><span class="note"><!></span></div>"#,
        vec![Part::View(button("pf-v6-c-button pf-m-secondary", t("Show more"), act)), Part::Text(rest)],
    )
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
