//! The address in the browser's bar, as signals: links change it without loading a page anew, and so do "back" and
//! "forward". Which page an address shows is not known here.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use crate::client::recorded::is_recorded;
use crate::cluster;

/// The address of the page.
#[derive(Clone, Copy)]
pub struct Address {
    /// The path, as in the bar.
    pub path: RwSignal<String>,
    /// The query, without its `?`.
    pub query: RwSignal<String>,
}

impl Address {
    /// Follows the browser's address for as long as the page is open, and provides it to everything below.
    pub fn provide() {
        let address = Self { path: RwSignal::new(String::new()), query: RwSignal::new(String::new()) };
        address.read();
        provide_context(address);
        window_event_listener(ev::popstate, move |_| address.read());
        window_event_listener(ev::click, move |event| {
            if let Some(href) = own_link(&event) {
                event.prevent_default();
                address.go(&href);
            }
        });
    }

    /// The page's.
    pub fn get() -> Self {
        use_context().unwrap_or_else(|| Self {
            path: RwSignal::new(String::new()),
            query: RwSignal::new(String::new()),
        })
    }

    /// Goes to another address; "back" leads here again.
    pub fn go(self, to: &str) {
        self.enter(to, false);
    }

    /// Goes to another address, in the place of this one.
    pub fn replace(self, to: &str) {
        self.enter(to, true);
    }

    fn enter(self, to: &str, replace: bool) {
        let to = if is_recorded() { ["#", to].concat() } else { to.to_owned() };
        // The browser refuses an address of another origin, which none of ours is, and a flood of them, where staying is right.
        let entered = window().history().and_then(|history| {
            if replace {
                history.replace_state_with_url(&JsValue::NULL, "", Some(&to))
            } else {
                history.push_state_with_url(&JsValue::NULL, "", Some(&to))
            }
        });
        if entered.is_ok() {
            self.read();
        }
    }

    fn read(self) {
        let (path, query) = in_bar();
        // The query first: a page that is drawn for the new path reads its own query.
        if self.query.with_untracked(|now| *now != query) {
            self.query.set(query);
        }
        if self.path.with_untracked(|now| *now != path) {
            self.path.set(path);
        }
    }
}

/// The path and the query, without its `?`, in the browser's bar. A page that shows a recording may lie anywhere, even among
/// files: it has them behind the `#`.
pub fn in_bar() -> (String, String) {
    let location = window().location();
    if !is_recorded() {
        let query = location.search().unwrap_or_default();
        return (location.pathname().unwrap_or_default(), query.trim_start_matches('?').to_owned());
    }
    let address = location.hash().unwrap_or_default();
    let address = address.trim_start_matches('#');
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    (path.to_owned(), query.to_owned())
}

/// The address of the link that was clicked, if it is a page of ours and the user wants it here.
fn own_link(event: &web_sys::MouseEvent) -> Option<String> {
    let elsewhere = event.button() != 0
        || event.meta_key()
        || event.ctrl_key()
        || event.shift_key()
        || event.alt_key()
        || event.default_prevented();
    if elsewhere {
        return None;
    }
    let link = link_of(event)?;
    let href = link.get_attribute("href").filter(|href| is_own(href))?;
    (!link.has_attribute("target") && !link.has_attribute("download")).then_some(href)
}

/// The path of the link that an event is about, if it is a page of ours.
pub fn own_page(event: &web_sys::Event) -> Option<String> {
    let href = link_of(event)?.get_attribute("href").filter(|href| is_own(href))?;
    href.split(['?', '#']).next().map(str::to_owned)
}

fn link_of(event: &web_sys::Event) -> Option<web_sys::Element> {
    event.target()?.dyn_into::<web_sys::Element>().ok()?.closest("a[href]").ok()?
}

/// A page of another cluster is loaded anew.
fn is_own(href: &str) -> bool {
    cluster::path(href).is_some_and(|path| {
        path.starts_with('/') && !["//", "/api/", "/c/"].iter().any(|other| path.starts_with(other))
    })
}

/// The names and values in a query.
pub fn pairs(query: &str) -> Vec<(String, String)> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| part.split_once('=').unwrap_or((part, "")))
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

/// A text as a segment of a path or a value in a query (RFC 3986, unreserved characters stay).
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            encoded.push('%');
            encoded.push(char::from(DIGITS[usize::from(byte >> 4)]));
            encoded.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
    encoded
}

/// The text that was encoded; what is no escape stays.
pub fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok()))
            .flatten();
        decoded.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_back_from_its_encoding() {
        for text in ["", "web", "a b&c=d", "50%", "日本 🚢", "a/b?c#d"] {
            let encoded = encode(text);
            assert!(encoded.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)));
            assert_eq!(decode(&encoded), text);
        }
    }

    #[test]
    fn a_broken_escape_stays_as_it_is() {
        assert_eq!(decode("a%zz%4"), "a%zz%4");
        assert_eq!(decode("%E2%82%AC"), "€");
    }

    #[test]
    fn a_query_is_read_as_it_was_written() {
        let query = format!("name={}&status=a%2Cb&flag&&x=1=2", encode("a b"));
        let expected = [("name", "a b"), ("status", "a,b"), ("flag", ""), ("x", "1=2")];
        assert_eq!(pairs(&query), expected.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec());
    }
}
