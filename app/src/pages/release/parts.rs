//! The tabs of a release that are loaded when they are first shown.

use leptos::prelude::*;
use leptos::wasm_split::wasm_split;

use super::{Live, history, log, manifest, resources, timeline, topology, trials, values};
use crate::model::ReleaseKey;
use crate::pages::parts::Part;

/// What draws a tab.
pub type DrawTab = fn(ReleaseKey, Live) -> AnyView;

/// The revisions.
#[wasm_split(revisions, wasm_split_path = leptos::wasm_split, fallible)]
pub fn history() -> Part<DrawTab> {
    Ok(|release, live| view! { <history::History release live /> }.into_any())
}

/// The values.
#[wasm_split(revisions, wasm_split_path = leptos::wasm_split, fallible)]
pub fn values() -> Part<DrawTab> {
    Ok(|release, live| view! { <values::Values release live /> }.into_any())
}

/// The manifest.
#[wasm_split(revisions, wasm_split_path = leptos::wasm_split, fallible)]
pub fn manifest() -> Part<DrawTab> {
    Ok(|release, live| view! { <manifest::Manifest release live /> }.into_any())
}

/// The chart's own tests.
#[wasm_split(revisions, wasm_split_path = leptos::wasm_split, fallible)]
pub fn tests() -> Part<DrawTab> {
    Ok(|release, live| view! { <trials::Tests release live /> }.into_any())
}

/// What helm said.
#[wasm_split(logs, wasm_split_path = leptos::wasm_split, fallible)]
pub fn log() -> Part<DrawTab> {
    Ok(|release, live| view! { <log::Log release live /> }.into_any())
}

/// The live resources.
#[wasm_split(resources, wasm_split_path = leptos::wasm_split, fallible)]
pub fn resources() -> Part<DrawTab> {
    Ok(|release, live| view! { <resources::Resources release live /> }.into_any())
}

/// The live resources as a picture.
#[wasm_split(topology, wasm_split_path = leptos::wasm_split, fallible)]
pub fn topology() -> Part<DrawTab> {
    Ok(|release, live| view! { <topology::Topology release live /> }.into_any())
}

/// How the time went.
#[wasm_split(timeline, wasm_split_path = leptos::wasm_split, fallible)]
pub fn timeline() -> Part<DrawTab> {
    Ok(|release, live| view! { <timeline::TimelineTab release live /> }.into_any())
}
