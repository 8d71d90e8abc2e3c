//! The YAML editor: the element `<yaml-editor>` of `style/editor.js`, loaded when the first one is shown. Where that script
//! cannot be loaded, a plain text field does its work.

mod form;
mod texts;

use leptos::ev;
use leptos::prelude::*;

use crate::signals::{Slot, dynamic, effect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

pub use form::ValuesForm;
pub use texts::{MergeNote, carried, cut, overlay, put, reviewed, syntax_error};

/// An error at a line of the text, from 1.
pub type LineError = (u32, String);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Loading,
    Ready,
    Failed,
}

/// An editor for YAML.
#[component]
pub fn YamlEditor(
    /// What the field is called.
    #[prop(into)]
    label: String,
    /// The text to show. Set anew it replaces what is in the editor.
    #[prop(into)]
    value: Signal<String>,
    /// Each change that the user makes, with the whole text.
    #[prop(optional)]
    on_change: Option<Callback<String>>,
    /// Errors to mark.
    #[prop(into, optional)]
    errors: Signal<Vec<LineError>>,
    /// The form of the chart's values as JSON, for completion and hints.
    #[prop(into, optional)]
    model: Signal<Option<String>>,
    /// A line to go to, whenever it is set.
    #[prop(optional)]
    go_to: Option<Slot<u32>>,
) -> impl IntoView {
    let script = RwSignal::new(Script::Loading);
    load(script);
    let readonly = on_change.is_none();
    let changed = move |text: String| {
        if let Some(on_change) = on_change {
            on_change.run(text);
        }
    };
    let label = StoredValue::new(label);
    if let Some(go_to) = go_to {
        effect(move || {
            if let (Script::Ready, Some(line)) = (script.get(), go_to.get()) {
                tell("yaml-editor", "goTo", line.into());
                go_to.set(None);
            }
        });
    }
    let editor = move || {
        view! {
            <yaml-editor
                class="yaml-editor"
                prop:label=label.get_value()
                prop:readonly=readonly
                prop:value=value
                prop:model=model
                prop:diagnostics=move || diagnostics(&errors.get())
                on:change=move |event: ev::Event| {
                    changed(value_of(&event).unwrap_or_default());
                }
            ></yaml-editor>
        }
        .into_any()
    };
    let field = move || {
        view! {
            <textarea
                class="yaml-editor yaml-plain"
                aria-label=label.get_value()
                readonly=readonly
                spellcheck="false"
                prop:value=value
                on:input=move |event| changed(event_target_value(&event))
            ></textarea>
        }
        .into_any()
    };
    dynamic(move || match script.get() {
        Script::Ready => editor(),
        Script::Failed => field(),
        Script::Loading => view! { <div class="yaml-editor pf-v6-c-skeleton"></div> }.into_any(),
    })
}

fn diagnostics(errors: &[LineError]) -> JsValue {
    let list = js_sys::Array::new();
    for (line, message) in errors {
        let one = js_sys::Object::new();
        // Setting a property of a plain, new object does not fail.
        let _ = js_sys::Reflect::set(&one, &"line".into(), &(*line).into());
        let _ = js_sys::Reflect::set(&one, &"message".into(), &message.into());
        list.push(&one);
    }
    list.into()
}

/// Where the script is.
fn address() -> Option<String> {
    let meta = document().query_selector("meta[name=slipway-editor]").ok().flatten();
    meta.and_then(|meta| meta.get_attribute("content"))
}

/// Lets the browser fetch the script before an editor needs it.
pub fn fetch_ahead() {
    let link = document().create_element("link").ok();
    if let (Some(address), Some(link), Some(head)) = (address(), link, document().head()) {
        let _ = link.set_attribute("rel", "modulepreload");
        let _ = link.set_attribute("href", &address);
        let _ = head.append_child(&link);
    }
}

/// Loads the script once a page; further editors find their element defined.
fn load(script: RwSignal<Script>) {
    let element = document().create_element("script").ok();
    let (Some(address), Some(element), Some(head)) = (address(), element, document().head()) else {
        script.set(Script::Failed);
        return;
    };
    for (event, end) in [("load", Script::Ready), ("error", Script::Failed)] {
        let listener = Closure::once_into_js(move || {
            script.try_set(end);
        });
        let _ = element.add_event_listener_with_callback(event, listener.unchecked_ref());
    }
    // A module that is there already is not run again, and says so by the same event.
    let _ = element.set_attribute("type", "module");
    let _ = element.set_attribute("src", &address);
    let _ = head.append_child(&element);
}

/// The text of an element of the editor's that has changed.
fn value_of(event: &ev::Event) -> Option<String> {
    js_sys::Reflect::get(event.target()?.as_ref(), &"value".into()).ok()?.as_string()
}

/// Calls a method of the page's first element of that name, once what is drawn in this turn of the loop is there.
fn tell(element: &'static str, name: &'static str, argument: JsValue) {
    request_animation_frame(move || {
        let Some(element) = document().query_selector(element).ok().flatten() else { return };
        let method = js_sys::Reflect::get(&element, &name.into()).ok();
        if let Some(method) = method.and_then(|it| it.dyn_into::<js_sys::Function>().ok()) {
            let _ = method.call1(&element, &argument);
        }
    });
}
