//! What is loaded when it is first shown: the parts of the program, and the pages in each.

use leptos::prelude::*;
use leptos::wasm_split::{SplitLoaderError, wasm_split};

use super::route::{Origin, Route};
use super::{catalogue, elsewhere, install, release, repositories, rollback, upgrade};
use crate::model::ReleaseKey;
use crate::signals::Memo;

/// A function of a part, once that is loaded.
pub type Part<F> = Result<F, SplitLoaderError>;

/// Draws the catalogue for a namespace.
pub type DrawCatalogue = fn(Option<String>, Memo<Route>) -> AnyView;
/// Draws the form of a repository, for a namespace and a name.
pub type DrawRepository = fn(Option<String>, Option<String>) -> AnyView;

/// A release.
#[wasm_split(release, wasm_split_path = leptos::wasm_split, fallible)]
pub fn release() -> Part<fn(ReleaseKey, Memo<Route>) -> AnyView> {
    Ok(|release, route| view! { <release::ReleasePage release route /> }.into_any())
}

/// The catalogue.
#[wasm_split(catalogue, wasm_split_path = leptos::wasm_split, fallible)]
pub fn catalogue() -> Part<DrawCatalogue> {
    Ok(|namespace, route| view! { <catalogue::CataloguePage namespace route /> }.into_any())
}

/// Where a chart that is in no repository is named.
#[wasm_split(catalogue, wasm_split_path = leptos::wasm_split, fallible)]
pub fn elsewhere() -> Part<fn(Memo<Route>) -> AnyView> {
    Ok(|route| view! { <elsewhere::Elsewhere route /> }.into_any())
}

/// The repositories.
#[wasm_split(catalogue, wasm_split_path = leptos::wasm_split, fallible)]
pub fn repositories() -> Part<fn(Option<String>) -> AnyView> {
    Ok(|namespace| view! { <repositories::Repositories namespace /> }.into_any())
}

/// The form of a repository.
#[wasm_split(catalogue, wasm_split_path = leptos::wasm_split, fallible)]
pub fn repository() -> Part<DrawRepository> {
    Ok(|namespace, name| view! { <repositories::form::RepositoryForm namespace name /> }.into_any())
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

/// The page that rolls a release back.
#[wasm_split(release, wasm_split_path = leptos::wasm_split, fallible)]
pub fn rollback() -> Part<fn(ReleaseKey) -> AnyView> {
    Ok(|release| view! { <rollback::Rollback release /> }.into_any())
}
