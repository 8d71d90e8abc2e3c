//! Texts from elsewhere: shown as they are, with their addresses made into links, and copied.

use crate::signals::{Views, dynamic};
use crate::words::t;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::announce::Announcer;
use super::icon::icon;

/// A piece of a text.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Link(&'a str),
}

/// Splits a text at its http and https addresses. Only these two schemes are links.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = next_address(rest) {
        let (before, from) = rest.split_at(start);
        let end = from
            .find(|c: char| c.is_whitespace() || c.is_control() || "\"'<>`|\\^{}".contains(c))
            .unwrap_or(from.len());
        // What ends a sentence does not end an address.
        let address = from[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']']);
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        pieces.push(Piece::Link(address));
        rest = &from[address.len()..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

fn next_address(text: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find("http")?;
        let scheme = ["https://", "http://"].into_iter().find(|scheme| text[at..].starts_with(scheme));
        let has_host =
            scheme.is_some_and(|scheme| text[at + scheme.len()..].starts_with(char::is_alphanumeric));
        if has_host {
            return Some(at);
        }
        from = at + 4;
    }
}

/// A text as it is, line by line, with links.
pub fn text_with_links(text: &str) -> AnyView {
    let pieces = pieces(text)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.to_owned().into_any(),
            Piece::Link(address) => {
                let (address, words) = (address.to_owned(), address.to_owned());
                view! { <a href=address target="_blank" rel="noopener noreferrer">{words}</a> }.into_any()
            }
        })
        .views();
    view! { <pre class="text">{pieces}</pre> }.into_any()
}

/// A button that copies a text.
#[component]
pub fn CopyButton(
    /// The text, when the button is pressed.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let copied = RwSignal::new(false);
    let announcer = Announcer::get();
    let copy = move |_| {
        // The promise fails where the browser forbids it; then the words on the button do not change.
        let written = window().navigator().clipboard().write_text(&text.get_untracked());
        leptos::task::spawn_local(async move {
            if wasm_bindgen_futures::JsFuture::from(written).await.is_ok() {
                announcer.say(t("Copied").to_owned());
                copied.try_set(true);
                Timeout::new(2000, move || {
                    copied.try_set(false);
                })
                .forget();
            }
        });
    };
    view! {
        <button type="button" class="pf-v6-c-button pf-m-secondary pf-m-small" on:click=copy>
            <span class="pf-v6-c-button__icon pf-m-start">
                {dynamic(move || if copied.get() { icon("check") } else { icon("copy") })}
            </span>
            <span class="pf-v6-c-button__text">{dynamic(move || if copied.get() { t("Copied") } else { t("Copy") })}</span>
        </button>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_a_text_become_links() {
        assert_eq!(
            pieces("Open http://a.b:80/x?y=1. Or (https://c.d)!"),
            [
                Piece::Text("Open "),
                Piece::Link("http://a.b:80/x?y=1"),
                Piece::Text(". Or ("),
                Piece::Link("https://c.d"),
                Piece::Text(")!"),
            ]
        );
    }

    #[test]
    fn nothing_else_becomes_a_link() {
        for text in ["javascript:alert(1)", "http://", "https:// x", "httpx", "ftp://a", ""] {
            assert!(!pieces(text).iter().any(|piece| matches!(piece, Piece::Link(_))), "{text}");
        }
    }

    #[test]
    fn no_character_is_lost() {
        for text in ["a http://b c", "http://ü.x/y\"onclick=", "日本 https://日本.jp、x", "httphttp://a"]
        {
            let whole: String =
                pieces(text).iter().map(|(Piece::Text(part) | Piece::Link(part))| *part).collect();
            assert_eq!(whole, text);
        }
    }
}
