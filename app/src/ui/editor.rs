//! The YAML editor: the element `<yaml-editor>` of `style/editor.js`, loaded when the first one is shown. Where that script
//! cannot be loaded, a plain text field does its work.

use leptos::ev;
use leptos::prelude::*;

use crate::signals::dynamic;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

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
    let editor = move || {
        view! {
            <yaml-editor
                class="yaml-editor"
                prop:label=label.get_value()
                prop:readonly=readonly
                prop:value=value
                prop:diagnostics=move || diagnostics(&errors.get())
                on:change=move |event: ev::Event| {
                    let text = event.target().and_then(|it| js_sys::Reflect::get(&it, &"value".into()).ok());
                    changed(text.and_then(|text| text.as_string()).unwrap_or_default());
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

/// Loads the script once a page; further editors find their element defined.
fn load(script: RwSignal<Script>) {
    let address = document()
        .query_selector("meta[name=slipway-editor]")
        .ok()
        .flatten()
        .and_then(|meta| meta.get_attribute("content"));
    let element = document().create_element("script").ok();
    let (Some(address), Some(element), Some(head)) = (address, element, document().head()) else {
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

/// What of `text` differs from `base`, as YAML: what helm has to be given so that the chart's `base` becomes `text`. None
/// where the script is not there, or a text cannot be taken apart.
pub fn overlay(base: &str, text: &str) -> Option<String> {
    call("overlay", &[base, text])?.as_string()
}

/// `base` with the values of `changes` put into it, its comments kept. None as with [`overlay`].
pub fn merge(base: &str, changes: &str) -> Option<String> {
    call("merge", &[base, changes])?.as_string()
}

/// The first error in a YAML text; none if there is none, or the script is not there to tell.
pub fn syntax_error(text: &str) -> Option<LineError> {
    let error = call("problem", &[text])?;
    let line = js_sys::Reflect::get(&error, &"line".into()).ok()?.as_f64()?;
    let message = js_sys::Reflect::get(&error, &"message".into()).ok()?.as_string()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a line number")]
    Some((line as u32, message))
}

/// Calls a static function of the element's class.
fn call(name: &str, arguments: &[&str]) -> Option<JsValue> {
    let registry = js_sys::Reflect::get(&js_sys::global(), &"customElements".into()).ok()?;
    let get: js_sys::Function = js_sys::Reflect::get(&registry, &"get".into()).ok()?.dyn_into().ok()?;
    let class = get.call1(&registry, &"yaml-editor".into()).ok()?;
    let function: js_sys::Function = js_sys::Reflect::get(&class, &name.into()).ok()?.dyn_into().ok()?;
    let arguments: js_sys::Array = arguments.iter().map(|text| JsValue::from_str(text)).collect();
    function.apply(&class, &arguments).ok().filter(|value| !value.is_null() && !value.is_undefined())
}
