//! Which language the page is in, and how it gets there.

use js_sys::{Array, JSON, Object, Reflect};
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

/// How dates and numbers are written: as the browser has it for the language of the page, else as that language has it.
pub fn locale() -> String {
    let page = document().document_element().and_then(|root| root.get_attribute("lang")).unwrap_or_default();
    let is_of_page =
        |locale: &String| locale.split('-').next().is_some_and(|primary| primary.eq_ignore_ascii_case(&page));
    let mut preferred = window().navigator().languages().into_iter().filter_map(|locale| locale.as_string());
    preferred.find(is_of_page).unwrap_or(page)
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
        let Some([pages, server]) = fetch(&file(language)).await else { return };
        super::learn(pages, server);
    }
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", language.code());
    }
}

/// The address of a language's file: beside the page's other files, wherever these are.
fn file(language: Language) -> String {
    let place = document().query_selector("meta[name=slipway-words]").ok().flatten();
    let place = place.and_then(|meta| meta.get_attribute("content")).unwrap_or_default();
    [&place, language.code(), ".json"].concat()
}

/// Sentences by their English ones.
type Sentences = Vec<(String, String)>;

async fn fetch(path: &str) -> Option<[Sentences; 2]> {
    let response: Response = JsFuture::from(window().fetch_with_str(path)).await.ok()?.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
    let file = JSON::parse(&text).ok()?;
    let part = |name: &str| {
        let entries = Object::entries(&Reflect::get(&file, &name.into()).ok()?.dyn_into::<Object>().ok()?);
        Some(entries.iter().filter_map(pair).collect())
    };
    Some([part("pages")?, part("server")?])
}

fn pair(entry: JsValue) -> Option<(String, String)> {
    let entry: Array = entry.dyn_into().ok()?;
    Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
}
