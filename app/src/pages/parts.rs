//! What is loaded when it is first shown: the parts of the program, and the pages in each.

use leptos::prelude::*;
use leptos::wasm_split::{SplitLoaderError, wasm_split};

use super::route::{Origin, Route};
use super::{catalogue, install, upgrade};
use crate::model::ReleaseKey;
use crate::signals::Memo;

type Part<F> = Result<F, SplitLoaderError>;

/// The catalogue.
#[wasm_split(catalogue, wasm_split_path = leptos::wasm_split, fallible)]
pub fn catalogue() -> Part<fn(Option<String>, Memo<Route>) -> AnyView> {
    Ok(|namespace, route| view! { <catalogue::CataloguePage namespace route /> }.into_any())
}

/// The form that makes a release.
#[wasm_split(form, wasm_split_path = leptos::wasm_split, fallible)]
pub fn install() -> Part<fn(Origin, Memo<Route>) -> AnyView> {
    Ok(|origin, route| view! { <install::Install origin route /> }.into_any())
}

/// The form that upgrades one.
#[wasm_split(form, wasm_split_path = leptos::wasm_split, fallible)]
pub fn upgrade() -> Part<fn(ReleaseKey) -> AnyView> {
    Ok(|release| view! { <upgrade::Upgrade release /> }.into_any())
}
