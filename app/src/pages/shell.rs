//! What is around each page: masthead, navigation, namespace selector; and what can be opened over each of them.

mod cluster;
mod namespace;
mod navigation;
pub mod parts;
mod session;
mod user;

use crate::signals::{Memo, dynamic, effect};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

use super::activity::{Bell, Drawer, Feed, ToastGroup};
use super::palette::Stock;
use super::route::Route;
use super::shortcuts;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::ui::icon::{drawing, icon};
use crate::ui::lazy::lazy_behind;
use crate::ui::theme::ThemeMenu;
use crate::words::t;
use namespace::NamespaceBar;
use navigation::Nav;
use session::SessionNotice;
use user::UserMenu;

/// Up to this width (PatternFly's `xl`) the navigation lies over the page, and is closed at first.
const NARROW: &str = "(max-width: 1199px)";

/// What lies over the page, of which there is one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// Nothing.
    None,
    /// The command palette.
    Palette,
    /// The keyboard shortcuts.
    Shortcuts,
    /// What this is.
    About,
}

/// What can be opened from every page.
#[derive(Clone, Copy)]
pub struct Desk {
    /// The page shown.
    pub route: Memo<Route>,
    /// What lies over it.
    pub sheet: RwSignal<Sheet>,
    /// What goes on in the background.
    pub feed: Feed,
    /// What the palette knows.
    pub stock: Stock,
    nav_open: RwSignal<bool>,
}

impl Desk {
    /// Closes the navigation where it lies over the page.
    pub fn close_navigation(self) {
        if self.nav_open.get_untracked() && is_narrow() {
            self.nav_open.set(false);
        }
    }
}

fn is_narrow() -> bool {
    window().match_media(NARROW).ok().flatten().is_some_and(|query| query.matches())
}

/// Follows the window: narrowed, it closes the navigation that would lie over the page; widened, it opens it again.
fn follow_width(nav_open: RwSignal<bool>) {
    let Some(query) = window().match_media(NARROW).ok().flatten() else { return };
    let changed = Closure::<dyn FnMut()>::new(move || nav_open.set(!is_narrow())).into_js_value();
    // Where it is refused, the button still opens and closes it.
    let _ = query.add_event_listener_with_callback("change", changed.unchecked_ref());
}

/// The frame of all pages.
#[component]
pub fn Shell(
    /// The page shown.
    route: Memo<Route>,
    /// Its content.
    children: Children,
) -> impl IntoView {
    let nav_open = RwSignal::new(!is_narrow());
    follow_width(nav_open);
    let user = fetch(|| client().whoami());
    let sheet = RwSignal::new(Sheet::None);
    let desk = Desk { route, sheet, feed: Feed::follow(route, user.data), stock: Stock::new(), nav_open };
    shortcuts::listen(desk);
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
                    <span class="pf-v6-c-button__text">{t("Skip to content")}</span>
                </a>
            </div>
            <Masthead desk />
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
                    <SessionNotice />
                    <NamespaceBar route />
                    {children()}
                </main>
            </div>
            <Drawer feed=desk.feed />
        </div>
        <ToastGroup feed=desk.feed />
        {dynamic(move || match sheet.get() {
            Sheet::None => ().into_any(),
            shown => lazy_behind(|| ().into_any(), || Box::pin(parts::sheets()), move |draw| draw(desk, shown)),
        })}
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
fn Masthead(desk: Desk) -> impl IntoView {
    let nav_open = desk.nav_open;
    view! {
        <header class="pf-v6-c-masthead pf-m-display-inline">
            <div class="pf-v6-c-masthead__main">
                <span class="pf-v6-c-masthead__toggle">
                    <button
                        type="button"
                        class="pf-v6-c-button pf-m-plain"
                        aria-label=t("Navigation")
                        aria-controls="sidebar"
                        aria-expanded=Signal::derive(move || nav_open.get().to_string())
                        on:click=move |_| nav_open.update(|open| *open = !*open)
                    >
                        <span class="pf-v6-c-button__icon">{icon("bars")}</span>
                    </button>
                </span>
                <div class="pf-v6-c-masthead__brand">
                    <a class="pf-v6-c-masthead__logo wordmark" href=Route::Releases { namespace: None }.to_string() aria-label=t("Slipway, start")>
                        {drawing("wordmark-sign", "0 0 40 32", "#slipway-sign".to_owned())}
                        <span>"Slipway"</span>
                    </a>
                </div>
            </div>
            <div class="pf-v6-c-masthead__content masthead-tools">
                <cluster::ClusterMenu />
                <button
                    type="button"
                    class="pf-v6-c-button pf-m-plain"
                    aria-label=t("Go to or do")
                    aria-keyshortcuts="Control+K Meta+K"
                    title=t("Go to or do (Ctrl K)")
                    on:click=move |_| desk.sheet.set(Sheet::Palette)
                >
                    <span class="pf-v6-c-button__icon">{icon("search")}</span>
                </button>
                <Bell feed=desk.feed />
                <ThemeMenu />
                <UserMenu desk />
            </div>
        </header>
    }
}
