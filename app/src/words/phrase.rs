//! Sentences that have parts of the page in them: a name in bold, a link.

use leptos::prelude::*;

use super::{pieces, t};
use crate::signals::Views;

/// A text with places in the language of the page, with a part of the page in each of them.
pub fn phrase(english: &'static str, mut parts: Vec<(&'static str, AnyView)>) -> AnyView {
    let mut shown = Vec::new();
    for (before, name) in pieces(t(english)) {
        shown.push(before.to_owned().into_any());
        let at = name.and_then(|name| parts.iter().position(|(one, _)| *one == name));
        if let Some(at) = at {
            shown.push(parts.swap_remove(at).1);
        }
    }
    shown.into_iter().views().into_any()
}
