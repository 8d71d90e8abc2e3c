//! The navigation at the side.

use leptos::prelude::*;

use crate::pages::route::Route;
use crate::signals::Memo;
use crate::words::t;

/// The sections of the console and their pages.
#[component]
pub fn Nav(route: Memo<Route>) -> impl IntoView {
    let namespace = Memo::new(move || route.with(|route| route.namespace().map(str::to_owned)));
    let item = move |title: &'static str, to: fn(Option<String>) -> Route, is_here: fn(&Route) -> bool| {
        let here = Memo::new(move || route.with(is_here));
        view! {
            <li class="pf-v6-c-nav__item">
                <a
                    class=Signal::derive(move || {
                        if here.get() { "pf-v6-c-nav__link pf-m-current" } else { "pf-v6-c-nav__link" }
                    })
                    aria-current=Signal::derive(move || here.get().then_some("page"))
                    href=Signal::derive(move || to(namespace.get()).to_string())
                >
                    <span class="pf-v6-c-nav__link-text">{title}</span>
                </a>
            </li>
        }
        .into_any()
    };
    let is_release = |route: &Route| {
        matches!(
            route,
            Route::Releases { .. } | Route::Release { .. } | Route::Upgrade { .. } | Route::Rollback { .. }
        )
    };
    let is_repository =
        |route: &Route| matches!(route, Route::Repositories { .. } | Route::Repository { .. });
    let is_chart = |route: &Route| {
        matches!(route, Route::Catalogue { .. } | Route::Install { .. } | Route::Elsewhere { .. })
    };
    view! {
        <nav class="pf-v6-c-nav" aria-label=t("Main")>
            <section class="pf-v6-c-nav__section" aria-labelledby="nav-helm">
                <h2 class="pf-v6-c-nav__section-title" id="nav-helm">
                    "Helm"
                </h2>
                <ul class="pf-v6-c-nav__list" role="list">
                    {item(t("Releases"), |namespace| Route::Releases { namespace }, is_release)}
                    {item(t("Repositories"), |namespace| Route::Repositories { namespace }, is_repository)}
                    {item(t("Software Catalog"), |namespace| Route::Catalogue { namespace, chart: None }, is_chart)}
                </ul>
            </section>
        </nav>
    }
}
