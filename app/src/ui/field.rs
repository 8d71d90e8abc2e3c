//! Form fields with their labels, hints and errors.

use crate::signals::{Memo, Views, dynamic};
use leptos::prelude::*;

use super::icon::icon;

/// What stands below a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// What it is for.
    Plain(String),
    /// Worth a look, and no obstacle.
    Warning(String),
    /// It cannot stay so.
    Error(String),
}

impl Hint {
    /// An error if there is one, else the plain words.
    pub fn or_error(plain: &str, error: Option<String>) -> Self {
        error.map_or_else(|| Self::Plain(plain.to_owned()), Self::Error)
    }

    fn is_error(&self) -> bool {
        matches!(self, Self::Error(_))
    }
}

/// A label, a field and what stands below it. The field's element has the id `id`, and `ID-hint` describes it.
#[component]
pub fn FormGroup(
    /// The field's id.
    id: &'static str,
    /// The label.
    label: &'static str,
    /// It must be filled in.
    #[prop(optional)]
    required: bool,
    /// What stands below.
    #[prop(into)]
    hint: Signal<Hint>,
    /// The field.
    children: Children,
) -> impl IntoView {
    let below = move || {
        let (class, name, text) = match hint.get() {
            Hint::Plain(text) => ("pf-v6-c-helper-text__item", None, text),
            Hint::Warning(text) => ("pf-v6-c-helper-text__item pf-m-warning", Some("warning"), text),
            Hint::Error(text) => ("pf-v6-c-helper-text__item pf-m-error", Some("danger"), text),
        };
        view! {
            <div class=class>
                {name.map(|name| view! { <span class="pf-v6-c-helper-text__item-icon">{icon(name)}</span> })}
                <span class="pf-v6-c-helper-text__item-text">{text}</span>
            </div>
        }
    };
    view! {
        <div class="pf-v6-c-form__group">
            <div class="pf-v6-c-form__group-label">
                <label class="pf-v6-c-form__label" for=id>
                    <span class="pf-v6-c-form__label-text">{label}</span>
                    {required
                        .then(|| {
                            view! {
                                <span class="pf-v6-c-form__label-required" aria-hidden="true">
                                    " *"
                                </span>
                            }
                        })}
                </label>
            </div>
            <div class="pf-v6-c-form__group-control">
                {children()}
                <div class="pf-v6-c-form__helper-text" id=format!("{id}-hint") aria-live="polite">
                    <div class="pf-v6-c-helper-text">{dynamic(below)}</div>
                </div>
            </div>
        </div>
    }
    .into_any()
}

/// A line of text.
#[component]
pub fn TextInput(
    /// Its id.
    id: &'static str,
    /// What is in it.
    #[prop(into)]
    value: Signal<String>,
    /// Each change.
    on_input: impl FnMut(String) + 'static,
    /// What stands below it, for the field's own state.
    #[prop(into)]
    hint: Signal<Hint>,
    /// It can be read only.
    #[prop(optional)]
    readonly: bool,
    /// It is told of a change when the field is left, and not with each key.
    #[prop(optional)]
    on_change: bool,
    /// The id of a `datalist` of proposals.
    #[prop(optional)]
    list: &'static str,
    /// Nobody is to read it over the user's shoulder.
    #[prop(optional)]
    secret: bool,
    /// It takes the focus when its dialog opens.
    #[prop(optional)]
    autofocus: bool,
) -> impl IntoView {
    let on_input: std::rc::Rc<std::cell::RefCell<dyn FnMut(String)>> =
        std::rc::Rc::new(std::cell::RefCell::new(on_input));
    let on_left = std::rc::Rc::clone(&on_input);
    let is_error = Memo::new(move || hint.with(Hint::is_error));
    let class = Signal::derive(move || match (readonly, is_error.get()) {
        (true, _) => "pf-v6-c-form-control pf-m-readonly",
        (_, true) => "pf-v6-c-form-control pf-m-error",
        _ => "pf-v6-c-form-control",
    });
    view! {
        <span class=class>
            <input
                type=if secret { "password" } else { "text" }
                id=id
                list=list
                autocomplete=if secret { "new-password" } else { "off" }
                spellcheck="false"
                readonly=readonly
                autofocus=autofocus
                aria-describedby=format!("{id}-hint")
                aria-invalid=Signal::derive(move || is_error.get().to_string())
                prop:value=value
                on:input=move |event| {
                    if !on_change {
                        on_input.borrow_mut()(event_target_value(&event));
                    }
                }
                on:change=move |event| {
                    if on_change {
                        on_left.borrow_mut()(event_target_value(&event));
                    }
                }
            />
        </span>
    }
    .into_any()
}

/// A choice of one.
#[component]
pub fn Select(
    /// Its id.
    id: &'static str,
    /// The chosen one.
    #[prop(into)]
    value: Signal<String>,
    /// The values and their words.
    #[prop(into)]
    options: Signal<Vec<(String, String)>>,
    /// The choice has changed.
    on_change: impl FnMut(String) + 'static,
) -> impl IntoView {
    let mut on_change = on_change;
    view! {
        <span class="pf-v6-c-form-control">
            <select
                id=id
                aria-describedby=format!("{id}-hint")
                disabled=Signal::derive(move || options.with(Vec::is_empty))
                on:change=move |event| on_change(event_target_value(&event))
            >
                {dynamic(move || {
                    options
                        .get()
                        .into_iter()
                        .map(|(option, words)| {
                            let is_chosen = value.with(|value| *value == option);
                            view! {
                                <option value=option selected=is_chosen>
                                    {words}
                                </option>
                            }
                        })
                        .views()
                })}
            </select>
            <span class="pf-v6-c-form-control__utilities">
                <span class="pf-v6-c-form-control__toggle-icon">{icon("caret")}</span>
            </span>
        </span>
    }
    .into_any()
}

/// A check box with what it means.
#[component]
pub fn CheckBox(
    /// Its id.
    #[prop(into)]
    id: String,
    /// The words beside it.
    #[prop(into)]
    label: String,
    /// What it means.
    #[prop(into, optional)]
    description: String,
    /// Whether it is set.
    #[prop(into)]
    checked: Signal<bool>,
    /// It was changed.
    on_change: impl FnMut(bool) + 'static,
) -> impl IntoView {
    let mut on_change = on_change;
    let about = format!("{id}-about");
    let described = (!description.is_empty()).then(|| about.clone());
    view! {
        <div class="pf-v6-c-check">
            <input
                class="pf-v6-c-check__input"
                type="checkbox"
                id=id.clone()
                aria-describedby=described.clone()
                prop:checked=checked
                on:change=move |event| on_change(event_target_checked(&event))
            />
            <label class="pf-v6-c-check__label" for=id>
                {label}
            </label>
            {described
                .map(|about| {
                    view! {
                        <span class="pf-v6-c-check__description" id=about>
                            {description}
                        </span>
                    }
                })}
        </div>
    }
    .into_any()
}
