//! Pages whose code is loaded when they are first shown, so that the first load is small however much Slipway can do.
//!
//! A function that is marked with `wasm_split(NAME)` and all that only it uses are in a file of that name; where it is drawn
//! is this module's.

use std::future::Future;
use std::pin::Pin;

use leptos::prelude::*;
use leptos::wasm_split::SplitLoaderError;

use super::state::{error_state, skeleton_lines};
use crate::model::ApiError;
use crate::signals::{Memo, Slot, dynamic, effect, task};
use crate::words::t;

/// Code that is on its way; then a function that draws.
pub type Loading<F> = Pin<Box<dyn Future<Output = Result<F, SplitLoaderError>>>>;

/// What `draw` makes of a function that `load` loads: lines until it is there, and a way to try again if it cannot be had.
pub fn lazy<F: Copy + Send + Sync + 'static>(
    load: impl Fn() -> Loading<F> + 'static,
    draw: impl Fn(F) -> AnyView + Send + 'static,
) -> AnyView {
    lazy_behind(|| skeleton_lines(6), load, draw)
}

/// [`lazy`], with something else in its place until it is there.
pub fn lazy_behind<F: Copy + Send + Sync + 'static>(
    loading: fn() -> AnyView,
    load: impl Fn() -> Loading<F> + 'static,
    draw: impl Fn(F) -> AnyView + Send + 'static,
) -> AnyView {
    let loaded = Slot::new();
    let failed = RwSignal::new(false);
    let tries = RwSignal::new(0);
    effect(move || {
        tries.track();
        let loading = load();
        task(async move {
            match loading.await {
                Ok(function) => loaded.set(Some(function)),
                Err(_) => failed.set(true),
            }
        });
    });
    dynamic(move || match loaded.get() {
        Some(function) => draw(function),
        None => missing(loading, failed, tries),
    })
}

fn missing(loading: fn() -> AnyView, failed: RwSignal<bool>, tries: RwSignal<u32>) -> AnyView {
    let is_failed = Memo::new(move || failed.get());
    dynamic(move || {
        if !is_failed.get() {
            return loading();
        }
        let message = t("This part of Slipway’s page could not be loaded.").to_owned();
        error_state(&ApiError::Unreachable { message }, move || {
            failed.set(false);
            tries.update(|tries| *tries += 1);
        })
    })
}
