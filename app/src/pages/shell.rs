//! What is around each page: masthead, navigation, namespace selector.

mod namespace;

use crate::signals::{Memo, dynamic, effect};
use leptos::prelude::*;

use super::route::Route;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::ui::icon::{drawing, icon};
use crate::ui::theme::ThemeMenu;
use namespace::NamespaceBar;

/// Up to this width (PatternFly's `xl`) the navigation lies over the page, and is closed at first.
const NARROW: &str = "(max-width: 1199px)";

/// The frame of all pages.
#[component]
pub fn Shell(
    /// The page shown.
    route: Memo<Route>,
    /// Its content.
    children: Children,
) -> impl IntoView {
    let is_narrow = move || window().match_media(NARROW).ok().flatten().is_some_and(|query| query.matches());
    let nav_open = RwSignal::new(!is_narrow());
    // On a narrow screen the way to another page closes the navigation that lay over this one.
    effect(move || {
        route.track();
        if is_narrow() {
            nav_open.set(false);
        }
    });
    view! {
        <div class="pf-v6-c-page" id="page">
            <div class="pf-v6-c-skip-to-content">
                <a class="pf-v6-c-button pf-m-primary" href="#main" rel="external" on:click=skip>
                    <span class="pf-v6-c-button__text">"Skip to content"</span>
                </a>
            </div>
            <Masthead nav_open />
            <div
                class=Signal::derive(move || {
                    if nav_open.get() {
                        "pf-v6-c-page__sidebar pf-m-expanded"
                    } else {
                        "pf-v6-c-page__sidebar pf-m-collapsed"
                    }
                })
                id="sidebar"
                inert=Signal::derive(move || !nav_open.get())
            >
                <div class="pf-v6-c-page__sidebar-main">
                    <div class="pf-v6-c-page__sidebar-body">
                        <Nav route />
                    </div>
                </div>
            </div>
            <div class="pf-v6-c-page__main-container">
                <main class="pf-v6-c-page__main" id="main" tabindex="-1">
                    <NamespaceBar route />
                    {children()}
                </main>
            </div>
        </div>
    }
    .into_any()
}

/// The fragment of the link is for readers without scripts; the router has no use for it.
fn skip(event: leptos::ev::MouseEvent) {
    use wasm_bindgen::JsCast;
    event.prevent_default();
    let main = document().get_element_by_id("main");
    if let Some(main) = main.and_then(|main| main.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = main.focus();
    }
}

#[component]
fn Masthead(nav_open: RwSignal<bool>) -> impl IntoView {
    let user = fetch(|| client().whoami());
    view! {
        <header class="pf-v6-c-masthead pf-m-display-inline">
            <div class="pf-v6-c-masthead__main">
                <span class="pf-v6-c-masthead__toggle">
                    <button
                        type="button"
                        class="pf-v6-c-button pf-m-plain"
                        aria-label="Navigation"
                        aria-controls="sidebar"
                        aria-expanded=Signal::derive(move || nav_open.get().to_string())
                        on:click=move |_| nav_open.update(|open| *open = !*open)
                    >
                        <span class="pf-v6-c-button__icon">{icon("bars")}</span>
                    </button>
                </span>
                <div class="pf-v6-c-masthead__brand">
                    <a class="pf-v6-c-masthead__logo wordmark" href="/helm/all-namespaces/releases" aria-label="Slipway, start">
                        {drawing("wordmark-sign", "0 0 40 32", "#slipway-sign".to_owned())}
                        <span>"Slipway"</span>
                    </a>
                </div>
            </div>
            <div class="pf-v6-c-masthead__content masthead-tools">
                <ThemeMenu />
                <span class="masthead-user">
                    {icon("user")}
                    <span class="pf-v6-screen-reader">"Signed in as "</span>
                    <span class="masthead-user-name">{dynamic(move || user.data.get().unwrap_or_default())}</span>
                </span>
            </div>
        </header>
    }
}

#[component]
fn Nav(route: Memo<Route>) -> impl IntoView {
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
    };
    view! {
        <nav class="pf-v6-c-nav" aria-label="Main">
            <section class="pf-v6-c-nav__section" aria-labelledby="nav-helm">
                <h2 class="pf-v6-c-nav__section-title" id="nav-helm">
                    "Helm"
                </h2>
                <ul class="pf-v6-c-nav__list" role="list">
                    {item(
                        "Releases",
                        |namespace| Route::Releases { namespace },
                        |route| {
                            matches!(
                                route,
                                Route::Releases { .. }
                                    | Route::Release { .. }
                                    | Route::Upgrade { .. }
                                    | Route::Rollback { .. }
                            )
                        },
                    )}
                    {item(
                        "Software Catalog",
                        |namespace| Route::Catalogue { namespace, chart: None },
                        |route| {
                            matches!(
                                route,
                                Route::Catalogue { .. } | Route::Install { .. } | Route::Elsewhere { .. }
                            )
                        },
                    )}
                    {item(
                        crate::words::t("Repositories"),
                        |namespace| Route::Repositories { namespace },
                        |route| matches!(route, Route::Repositories { .. } | Route::Repository { .. }),
                    )}
                </ul>
            </section>
        </nav>
    }
}
