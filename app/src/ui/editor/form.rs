//! The values as a form: the element `<values-form>` of the editor's script.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::Closure;

use super::{Script, load, tell, value_of};
use crate::signals::{Slot, dynamic, effect};
use crate::ui::state::skeleton_lines;
use crate::words::told;

/// What is wrong with values: the names on the way to it, and the words.
pub type ValuesProblems = Vec<(Vec<String>, String)>;

/// A text of values as a form. It shows and changes the text alone.
#[component]
pub fn ValuesForm(
    /// The text.
    #[prop(into)]
    value: Signal<String>,
    /// The form of the chart's values, as JSON.
    #[prop(into)]
    model: Signal<Option<String>>,
    /// The text has the chart's own values in it.
    whole: bool,
    /// What is wrong with the values.
    #[prop(into)]
    problems: Signal<ValuesProblems>,
    /// A value to go to, whenever it is set.
    go_to: Slot<Vec<String>>,
    /// Each change that the user makes, with the whole text.
    on_change: Callback<String>,
) -> impl IntoView {
    let script = RwSignal::new(Script::Loading);
    load(script);
    effect(move || {
        if let (Script::Ready, Some(path)) = (script.get(), go_to.get()) {
            let path: js_sys::Array = path.iter().map(|name| JsValue::from_str(name)).collect();
            tell("values-form", "reveal", path.into());
            go_to.set(None);
        }
    });
    let translate = Closure::<dyn Fn(String) -> String>::new(|sentence: String| told(&sentence));
    let translate = StoredValue::new_local(translate.into_js_value());
    dynamic(move || match script.get() {
        Script::Ready => view! {
            <values-form
                class="values-form"
                prop:told=translate.get_value()
                prop:whole=whole
                prop:model=model
                prop:value=value
                prop:problems=move || list(&problems.get())
                on:change=move |event: ev::Event| {
                    if let Some(text) = value_of(&event) {
                        on_change.run(text);
                    }
                }
            ></values-form>
        }
        .into_any(),
        // The YAML view, which needs no script, is there for it.
        Script::Failed => ().into_any(),
        Script::Loading => skeleton_lines(8),
    })
}

fn list(problems: &ValuesProblems) -> JsValue {
    let list = js_sys::Array::new();
    for (path, message) in problems {
        let one = js_sys::Object::new();
        let path: js_sys::Array = path.iter().map(|name| JsValue::from_str(name)).collect();
        // Setting a property of a plain, new object does not fail.
        let _ = js_sys::Reflect::set(&one, &"path".into(), &path);
        let _ = js_sys::Reflect::set(&one, &"message".into(), &message.into());
        list.push(&one);
    }
    list.into()
}
