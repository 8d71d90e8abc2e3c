//! Sends a file. The browser's older way of asking is the one that tells how far it is; it is used through its names, for
//! its typed form would be loaded by every browser.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::call::{from_json, unreachable, unreadable};
use super::{Answer, client, session};
use crate::cluster;
use crate::model::{ApiError, Uploaded};
use crate::ui::address::encode;

/// Uploads a chart's archive, to be installed in `namespace`; `progress` is told the percentage that has been sent. Dropped
/// before its end, it is given up on the network, too.
pub fn upload(namespace: &str, file: &web_sys::File, progress: impl Fn(u32) + 'static) -> Answer<Uploaded> {
    let place = cluster::address("/api/v1/uploads?namespace=");
    let path = format!("{place}{}", encode(namespace));
    let file: JsValue = file.into();
    let progress: Box<dyn Fn(u32)> = Box::new(progress);
    Box::pin(async move {
        let sent = Sent::start(&path, &file, progress).map_err(|_| unreachable())?;
        JsFuture::from(sent.end.clone()).await.map_err(|_| unreachable())?;
        let text = |name| get(&sent.request, name).and_then(|text| text.as_string()).unwrap_or_default();
        let status = get(&sent.request, "status").and_then(|status| status.as_f64()).unwrap_or_default();
        if status == 0.0 {
            // This way of asking follows a proxy that leads to its own page, and may not see where to. The other one tells.
            return Err(match client().whoami().await {
                Err(error @ ApiError::SignedOut { .. }) => error,
                _ => unreachable(),
            });
        }
        if status == 401.0 || !text("responseURL").contains(&place) {
            return Err(session::ended());
        }
        if (200.0..300.0).contains(&status) {
            session::note_answer();
            return from_json(&text("responseText")).ok_or_else(unreadable);
        }
        Err(from_json(&text("responseText")).unwrap_or_else(unreadable))
    })
}

/// A request on its way.
struct Sent {
    request: JsValue,
    /// Settled when it has ended, however.
    end: Promise,
    _progress: Closure<dyn FnMut(JsValue)>,
}

impl Sent {
    fn start(path: &str, file: &JsValue, progress: Box<dyn Fn(u32)>) -> Result<Self, JsValue> {
        let maker: Function = Reflect::get(&js_sys::global(), &"XMLHttpRequest".into())?.dyn_into()?;
        let request = Reflect::construct(&maker, &Array::new())?;
        let on_progress = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            let number = |name| get(&event, name).and_then(|number| number.as_f64());
            if let (Some(loaded), Some(total)) = (number("loaded"), number("total")) {
                progress(percent(loaded, total));
            }
        });
        let end = Promise::new(&mut |resolve, _| {
            // Setting a property of a new object does not fail.
            let _ = Reflect::set(&request, &"onloadend".into(), &resolve);
        });
        Reflect::set(&Reflect::get(&request, &"upload".into())?, &"onprogress".into(), on_progress.as_ref())?;
        call(&request, "open", &["POST".into(), path.into()])?;
        call(&request, "setRequestHeader", &["content-type".into(), "application/gzip".into()])?;
        call(&request, "setRequestHeader", &["accept".into(), "application/json".into()])?;
        call(&request, "send", std::slice::from_ref(file))?;
        Ok(Self { request, end, _progress: on_progress })
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        // One that has ended is not disturbed.
        let _ = call(&self.request, "abort", &[]);
    }
}

fn get(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &name.into()).ok()
}

fn call(of: &JsValue, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    let function: Function = Reflect::get(of, &name.into())?.dyn_into()?;
    function.apply(of, &arguments.iter().collect::<Array>())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
fn percent(loaded: f64, total: f64) -> u32 {
    if total > 0.0 { (loaded / total * 100.0).clamp(0.0, 100.0) as u32 } else { 0 }
}
