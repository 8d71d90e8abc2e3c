//! What the editor's script does with texts of values. Where it is not there, nothing of that can be done.

use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};

use super::LineError;
use crate::client::call::from_json;

/// What of `text` differs from `base`, as YAML: what helm has to be given so that the chart's `base` becomes `text`. None
/// where the script is not there, or a text cannot be taken apart.
pub fn overlay(base: &str, text: &str) -> Option<String> {
    call("overlay", &[base, text])?.as_string()
}

/// A user's values, taken from one version of a chart to another.
#[derive(Deserialize)]
pub struct Merged {
    /// The new version's defaults with what the user has other than the old ones.
    pub text: String,
    /// What the user should look at: a JSON list of [`MergeNote`].
    pub notes: String,
}

/// A value that the user has changed, and the chart as well.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct MergeNote {
    /// The names on the way to it.
    pub path: Vec<String>,
    /// `conflict` where the chart has another default now, `gone` where it has none any more.
    pub kind: String,
    /// The default that it had, as YAML.
    pub old: Option<String>,
    /// The one that it has now.
    pub now: Option<String>,
    /// What the user has.
    pub user: String,
}

/// `users`, which are the defaults `before` as the user changed them, over the defaults `after`.
pub fn carried(before: &str, after: &str, users: &str) -> Option<Merged> {
    from_json(&call("carried", &[before, after, users])?.as_string()?)
}

/// What to look at in values that stay as they are while the defaults below them change: a JSON list of [`MergeNote`].
pub fn reviewed(before: &str, after: &str, users: &str) -> Option<String> {
    call("reviewed", &[before, after, users])?.as_string()
}

/// `text` with `value` at a path.
pub fn put(text: &str, path: &[String], value: &str) -> Option<String> {
    call("put", &[text, &json(path), value])?.as_string()
}

/// `text` without the value at a path.
pub fn cut(text: &str, path: &[String]) -> Option<String> {
    call("cut", &[text, &json(path)])?.as_string()
}

fn json(path: &[String]) -> String {
    let path: js_sys::Array = path.iter().map(|name| JsValue::from_str(name)).collect();
    js_sys::JSON::stringify(&path).map(String::from).unwrap_or_default()
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
