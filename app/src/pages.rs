//! The pages. `route` has their addresses; each module is one page.

mod catalogue;
pub mod create;
mod elsewhere;
mod frame;
mod install;
mod query;
mod release;
mod releases;
mod repositories;
mod rollback;
mod route;
mod sending;
mod shell;
mod title;
mod upgrade;

use crate::signals::{Memo, dynamic, effect};
use leptos::prelude::*;

use crate::client::{clock::Clock, provide_client};
use crate::ui::address::Address;
use crate::ui::announce::LiveRegion;
use crate::ui::button::link_button;
use crate::ui::state::EmptyState;
use query::with_query;
use route::{Origin, Route};
use shell::Shell;

/// Everything that the user sees.
#[component]
pub fn App() -> impl IntoView {
    provide_client(None);
    Clock::provide();
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
    // The short addresses lead to the whole ones.
    effect(move || {
        let path = address.path.get();
        let whole = route.get();
        if whole != Route::NotFound && !path.starts_with("/helm/ns/") && !path.starts_with("/helm/all-") {
            address.replace(&untrack(|| with_query(&whole.to_string())));
        }
    });
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
            view! { <catalogue::CataloguePage namespace route /> }.into_any()
        }
        Route::Install { chart: Origin::Repository(chart), .. } => {
            view! { <install::Install chart route /> }.into_any()
        }
        Route::Install { .. } => view! { <NotFound /> }.into_any(),
        Route::Elsewhere { .. } => view! { <elsewhere::Elsewhere route /> }.into_any(),
        Route::Repositories { namespace } => view! { <repositories::Repositories namespace /> }.into_any(),
        Route::Repository { namespace, name } => {
            view! { <repositories::form::RepositoryForm namespace name /> }.into_any()
        }
        Route::Release { key, .. } => view! { <release::ReleasePage release=key route /> }.into_any(),
        Route::Upgrade { key } => view! { <upgrade::Upgrade release=key /> }.into_any(),
        Route::Rollback { key } => view! { <rollback::Rollback release=key /> }.into_any(),
        Route::NotFound => view! { <NotFound /> }.into_any(),
    })
}

#[component]
fn NotFound() -> impl IntoView {
    view! {
        <section class="pf-v6-c-page__main-section">
            {title::heading("Page not found".to_owned())}
            <EmptyState title="There is no page at this address" name="search">
                <p>"It may have been mistyped, or be of another version of Slipway."</p>
                <div class="pf-v6-c-empty-state__actions">
                    {link_button(
                        "pf-v6-c-button pf-m-primary",
                        "Go to the Helm releases",
                        "/helm/all-namespaces/releases",
                    )}
                </div>
            </EmptyState>
        </section>
    }
    .into_any()
}
