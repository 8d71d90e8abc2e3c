//! Which language the page is in, and how it gets there.

use js_sys::{Array, JSON, Object};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// Where the choice is kept.
const KEY: &str = "slipway.language";

/// A language that the pages can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// Its code (BCP 47).
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Its name, in itself.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
        }
    }

    /// What the user chose; else the first of the browser's languages that there is.
    pub fn of_the_user() -> Self {
        let of_code = |code: &str| {
            let primary = code.split('-').next().unwrap_or_default();
            Self::ALL.into_iter().find(|language| primary.eq_ignore_ascii_case(language.code()))
        };
        let kept =
            window().local_storage().ok().flatten().and_then(|storage| storage.get_item(KEY).ok().flatten());
        let chosen = kept.as_deref().and_then(of_code);
        let preferred =
            || window().navigator().languages().iter().find_map(|code| of_code(&code.as_string()?));
        chosen.or_else(preferred).unwrap_or(Self::English)
    }
}

/// Keeps the choice, and loads the page anew in it.
pub fn choose(language: Language) {
    if let Some(storage) = window().local_storage().ok().flatten() {
        // A browser that keeps nothing stays with its own language.
        let _ = storage.set_item(KEY, language.code());
    }
    let _ = window().location().reload();
}

/// Learns the user's language before the first page is drawn. Where its file cannot be had, the page is in English.
pub async fn load() {
    let language = Language::of_the_user();
    if language != Language::English {
        let Some(sentences) = fetch(&format!("/words/{}.json", language.code())).await else { return };
        super::learn(sentences.into_iter());
    }
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", language.code());
    }
}

async fn fetch(path: &str) -> Option<Vec<(String, String)>> {
    let response: Response = JsFuture::from(window().fetch_with_str(path)).await.ok()?.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
    let entries: Array = Object::entries(&JSON::parse(&text).ok()?.dyn_into::<Object>().ok()?);
    let pair = |entry: JsValue| {
        let entry: Array = entry.dyn_into().ok()?;
        Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
    };
    Some(entries.iter().filter_map(pair).collect())
}
