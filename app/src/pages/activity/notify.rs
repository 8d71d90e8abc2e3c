//! The system's own notifications, for a page that nobody sees: only where the user has asked for them.

use js_sys::Reflect;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Notification, NotificationOptions, NotificationPermission};

use super::words::{line, standing};
use crate::client::kept;
use crate::model::Doing;
use crate::pages::route::Route;

/// Where the wish is kept.
const KEY: &str = "slipway.notify";
const YES: &str = "yes";

/// Whether there are notifications here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The browser has none, or not at this address.
    Unsupported,
    /// The user, or whoever set the browser up, has forbidden them.
    Denied,
    /// They can be asked for.
    Off,
    /// They are shown.
    On,
}

/// How it is now.
pub fn standing_now() -> Standing {
    let is_there = Reflect::has(&window(), &"Notification".into()).unwrap_or(false);
    if !is_there || !window().is_secure_context() {
        return Standing::Unsupported;
    }
    let is_wanted = kept::read(KEY).as_deref() == Some(YES);
    match Notification::permission() {
        NotificationPermission::Denied => Standing::Denied,
        NotificationPermission::Granted if is_wanted => Standing::On,
        _ => Standing::Off,
    }
}

/// Whether notifications are shown.
pub fn is_on() -> bool {
    standing_now() == Standing::On
}

/// The user wants them, or no longer. To be called from a press of theirs: only then a browser asks.
pub fn choose(wanted: bool, standing: RwSignal<Standing>) {
    kept::write(KEY, if wanted { YES } else { "" });
    let asked = wanted.then(|| Notification::request_permission().ok()).flatten();
    leptos::task::spawn_local(async move {
        if let Some(asked) = asked {
            // Refused is an answer, too: what the permission is now says it.
            let _ = JsFuture::from(asked).await;
        }
        standing.try_set(standing_now());
    });
}

/// The address of the page's own icon.
fn icon() -> Option<String> {
    document().query_selector("link[rel=icon]").ok()??.get_attribute("href")
}

/// Shows how an operation ended. A press leads to its release.
pub fn show(doing: &Doing) {
    if !is_on() {
        return;
    }
    let options = NotificationOptions::new();
    options.set_tag(&doing.id.0);
    options.set_body(&[doing.release.to_string(), line(doing)].join("\n"));
    if let Some(icon) = icon() {
        options.set_icon(&icon);
    }
    // A phone's browser shows none from a page, and says so by an exception.
    let Ok(shown) = Notification::new_with_options(&standing(doing.kind, doing.state), &options) else {
        return;
    };
    let address = Route::release(&doing.release).to_string();
    let opened = shown.clone();
    let open = Closure::once_into_js(move || {
        let _ = window().focus();
        opened.close();
        let _ = window().location().set_href(&address);
    });
    shown.set_onclick(Some(open.unchecked_ref()));
}
