//! What is loaded ahead of a click, so that none waits for code: when the page has nothing else to do, the parts of those pages
//! that people mostly go to from here; and the part of a page whose link is pointed at, or has the focus.
//!
//! Whoever saves data is spared all of it. A part that cannot be had now is asked for again where it is shown.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;

use js_sys::{Function, Promise, Reflect};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::release::parts as tabs;
use super::route::{Route, Tab};
use super::{parts, shell};
use crate::client::clock::Clock;
use crate::signals::{Memo, effect};
use crate::ui::address::own_page;
use crate::ui::editor;

/// A part of the program, or the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Release,
    Catalogue,
    Form,
    Editor,
    Sheets,
    Resources,
    Topology,
    Timeline,
    Revisions,
    Logs,
}

/// What still goes on while a page is not all there.
const BUSY: &str = "[aria-busy=true], .pf-v6-c-skeleton";

thread_local! {
    static BEGUN: RefCell<Vec<Piece>> = const { RefCell::new(Vec::new()) };
}

/// Loads ahead for as long as the page is open.
pub fn follow(route: Memo<Route>) {
    if is_spared() {
        return;
    }
    let clock = Clock::get();
    let mut reached: Option<&'static [Piece]> = None;
    effect(move || {
        // A page is asked once a second whether it is all there; one that nobody sees is not.
        clock.now();
        let next = route.with(likely);
        let is_busy = || document().query_selector(BUSY).is_ok_and(|busy| busy.is_some());
        if reached != Some(next) && !is_busy() {
            reached = Some(next);
            leptos::task::spawn_local(async move {
                for piece in next {
                    idle().await;
                    load(*piece).await;
                }
            });
        }
    });
    for event in ["pointerover", "focusin"] {
        window_event_listener(ev::Custom::<web_sys::Event>::new(event), move |event| {
            if let Some(piece) = own_page(&event).and_then(|path| of(&Route::parse(&path))) {
                leptos::task::spawn_local(load(piece));
            }
        });
    }
}

/// The part that a page, or the tab of a release, is in; the list of releases is in none.
fn of(route: &Route) -> Option<Piece> {
    Some(match route {
        Route::Releases { .. } | Route::NotFound => return None,
        Route::Catalogue { .. }
        | Route::Elsewhere { .. }
        | Route::Repositories { .. }
        | Route::Repository { .. } => Piece::Catalogue,
        Route::Install { .. } | Route::Upgrade { .. } => Piece::Form,
        Route::Rollback { .. } => Piece::Release,
        Route::Release { tab, .. } => match tab {
            Tab::Overview => Piece::Release,
            Tab::Resources => Piece::Resources,
            Tab::Topology => Piece::Topology,
            Tab::Timeline => Piece::Timeline,
            Tab::Values | Tab::Manifest | Tab::History | Tab::Tests => Piece::Revisions,
            Tab::Logs => Piece::Logs,
        },
    })
}

/// What people mostly come to from a page, the likeliest first.
fn likely(route: &Route) -> &'static [Piece] {
    use Piece::{Catalogue, Editor, Form, Logs, Release, Resources, Revisions, Sheets};
    match of(route) {
        None => &[Release, Sheets, Catalogue],
        Some(Catalogue) => &[Form, Editor, Sheets],
        // What was sent is followed on the release's page.
        Some(Form) => &[Release, Sheets],
        Some(_) => &[Resources, Revisions, Logs, Form, Editor, Sheets],
    }
}

/// Loads a piece, once.
fn load(piece: Piece) -> Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(async move {
        let is_begun = BEGUN.with_borrow_mut(|begun| {
            let is_begun = begun.contains(&piece);
            if !is_begun {
                begun.push(piece);
            }
            is_begun
        });
        if !is_begun && !is_loaded(piece).await {
            BEGUN.with_borrow_mut(|begun| begun.retain(|one| *one != piece));
        }
    })
}

async fn is_loaded(piece: Piece) -> bool {
    // A release's tabs need what the page around them brings along.
    if is_tab(piece) && parts::release().await.is_err() {
        return false;
    }
    match piece {
        Piece::Release => parts::release().await.is_ok(),
        Piece::Catalogue => parts::catalogue().await.is_ok(),
        Piece::Form => parts::install().await.is_ok(),
        Piece::Sheets => shell::parts::sheets().await.is_ok(),
        Piece::Resources => tabs::resources().await.is_ok(),
        Piece::Topology => tabs::topology().await.is_ok(),
        Piece::Timeline => tabs::timeline().await.is_ok(),
        Piece::Revisions => tabs::history().await.is_ok(),
        Piece::Logs => tabs::log().await.is_ok(),
        Piece::Editor => {
            editor::fetch_ahead();
            true
        }
    }
}

fn is_tab(piece: Piece) -> bool {
    use Piece::{Logs, Resources, Revisions, Timeline, Topology};
    matches!(piece, Resources | Topology | Timeline | Revisions | Logs)
}

/// Whether the user, or a slow line, asks for no more than is needed.
fn is_spared() -> bool {
    let of = |it: &JsValue, name: &str| Reflect::get(it, &name.into()).unwrap_or_default();
    let line = of(&window().navigator(), "connection");
    if !line.is_object() {
        return false;
    }
    let pace = of(&line, "effectiveType").as_string();
    of(&line, "saveData").is_truthy() || pace.is_some_and(|pace| pace.ends_with("2g"))
}

/// Ends when the browser has nothing else to do.
async fn idle() {
    let wait = Promise::new(&mut |resolve, _| {
        let name = JsValue::from_str("requestIdleCallback");
        let ask = Reflect::get(&window(), &name).ok().and_then(|ask| ask.dyn_into::<Function>().ok());
        // A browser without it has its next turn.
        let asked = match ask {
            Some(ask) => ask.call1(&window(), &resolve).is_ok(),
            None => false,
        };
        if !asked {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    });
    let _ = JsFuture::from(wait).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_of_a_link_is_that_of_the_page_that_it_leads_to() {
        for (path, piece) in [
            ("/helm/all-namespaces/releases", None),
            ("/nowhere", None),
            ("/helm/ns/a/catalog/samples/web", Some(Piece::Catalogue)),
            ("/helm/ns/a/repositories/add", Some(Piece::Catalogue)),
            ("/helm/ns/a/install/samples/web", Some(Piece::Form)),
            ("/helm/ns/a/release/web", Some(Piece::Release)),
            ("/helm/ns/a/release/web/upgrade", Some(Piece::Form)),
            ("/helm/ns/a/release/web/rollback", Some(Piece::Release)),
            ("/helm/ns/a/release/web/history", Some(Piece::Revisions)),
            ("/helm/ns/a/release/web/logs", Some(Piece::Logs)),
        ] {
            assert_eq!(of(&Route::parse(path)), piece, "{path}");
        }
    }

    #[test]
    fn a_page_does_not_load_ahead_what_it_is_in_itself() {
        for path in ["/helm/ns/a/catalog", "/helm/ns/a/install/samples/web", "/helm/ns/a/release/web"] {
            let route = Route::parse(path);
            assert!(!likely(&route).iter().any(|piece| Some(*piece) == of(&route)), "{path}");
        }
    }
}
