//! The pages. `route` has their addresses; each module is one page.

mod activity;
mod ahead;
mod catalogue;
pub mod create;
mod elsewhere;
mod frame;
mod install;
mod palette;
mod parts;
mod query;
mod release;
mod releases;
mod repositories;
mod rollback;
mod route;
mod sending;
mod shell;
mod shortcuts;
mod sorting;
mod title;
mod upgrade;

use crate::signals::{Memo, dynamic, effect};
use leptos::prelude::*;

use crate::client::clock::Clock;
use crate::ui::address::Address;
use crate::ui::announce::LiveRegion;
use crate::ui::button::link_button;
use crate::ui::lazy::{Loading, lazy};
use crate::ui::state::EmptyState;
use crate::ui::time::ExactTimes;
use crate::words::t;
use query::with_query;
use route::Route;
use shell::Shell;

/// Everything that the user sees.
#[component]
pub fn App() -> impl IntoView {
    Clock::provide();
    ExactTimes::provide();
    Address::provide();
    view! {
        <LiveRegion />
        <Pages />
    }
}

#[component]
fn Pages() -> impl IntoView {
    let address = Address::get();
    let route = Memo::new(move || address.path.with(|path| Route::parse(path)));
    // Short and old addresses lead to the whole ones.
    effect(move || {
        let path = address.path.get();
        let whole = route.get();
        let to = whole.to_string();
        if whole != Route::NotFound && to != path.trim_end_matches('/') {
            address.replace(&untrack(|| with_query(&to)));
        }
    });
    ahead::follow(route);
    view! {
        <Shell route>
            <Page route />
        </Shell>
    }
}

/// The page of the address. Parts of an address that a page follows by itself (the tab, the chart in the panel) do not
/// make it anew.
#[component]
fn Page(route: Memo<Route>) -> impl IntoView {
    let identity = Memo::new(move || match route.get() {
        Route::Release { key, .. } => Route::release(&key),
        Route::Catalogue { namespace, .. } => Route::Catalogue { namespace, chart: None },
        // These forms have their own choice of the namespace.
        Route::Elsewhere { .. } => Route::Elsewhere { namespace: None },
        Route::Install { chart, .. } => Route::Install { namespace: None, chart },
        route => route,
    });
    title::focus_on_change(identity);
    dynamic(move || match identity.get() {
        Route::Releases { namespace } => view! { <releases::Releases namespace /> }.into_any(),
        Route::Catalogue { namespace, .. } => {
            loaded(|| Box::pin(parts::catalogue()), move |draw| draw(namespace.clone(), route))
        }
        Route::Install { chart: origin, .. } => {
            loaded(|| Box::pin(parts::install()), move |draw| draw(origin.clone(), route))
        }
        Route::Elsewhere { .. } => loaded(|| Box::pin(parts::elsewhere()), move |draw| draw(route)),
        Route::Repositories { namespace } => {
            loaded(|| Box::pin(parts::repositories()), move |draw| draw(namespace.clone()))
        }
        Route::Repository { namespace, name } => {
            loaded(|| Box::pin(parts::repository()), move |draw| draw(namespace.clone(), name.clone()))
        }
        Route::Release { key, .. } => {
            loaded(|| Box::pin(parts::release()), move |draw| draw(key.clone(), route))
        }
        Route::Upgrade { key } => loaded(|| Box::pin(parts::upgrade()), move |draw| draw(key.clone())),
        Route::Rollback { key } => loaded(|| Box::pin(parts::rollback()), move |draw| draw(key.clone())),
        Route::NotFound => view! { <NotFound /> }.into_any(),
    })
}

/// A page that is loaded when it is first come to.
fn loaded<F: Copy + Send + Sync + 'static>(
    load: impl Fn() -> Loading<F> + 'static,
    draw: impl Fn(F) -> AnyView + Send + 'static,
) -> AnyView {
    lazy(load, move |function| {
        let page = draw(function);
        title::drawn();
        page
    })
}

#[component]
fn NotFound() -> impl IntoView {
    view! {
        <section class="pf-v6-c-page__main-section">
            {title::heading(t("Page not found").to_owned())}
            <EmptyState title=t("There is no page at this address") name="search">
                <p>{t("It may have been mistyped, or be of another version of Slipway.")}</p>
                <div class="pf-v6-c-empty-state__actions">
                    {link_button(
                        "pf-v6-c-button pf-m-primary",
                        t("Go to the Helm releases"),
                        Route::Releases { namespace: None }.to_string(),
                    )}
                </div>
            </EmptyState>
        </section>
    }
    .into_any()
}
