//! What can be opened over every page, and is loaded when it first is.

use leptos::prelude::*;
use leptos::wasm_split::wasm_split;

use super::user::About;
use super::{Desk, Sheet};
use crate::pages::palette::Palette;
use crate::pages::parts::Part;
use crate::pages::shortcuts::ShortcutSheet;

/// The sheets.
#[wasm_split(sheets, wasm_split_path = leptos::wasm_split, fallible)]
pub fn sheets() -> Part<fn(Desk, Sheet) -> AnyView> {
    Ok(|desk, sheet| match sheet {
        Sheet::None => ().into_any(),
        Sheet::Palette => view! { <Palette desk /> }.into_any(),
        Sheet::Shortcuts => view! { <ShortcutSheet desk /> }.into_any(),
        Sheet::About => view! { <About desk /> }.into_any(),
    })
}
