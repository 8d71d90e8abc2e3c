//! A page's heading, and what goes with arriving at it: the window's title, the focus, and a word to screen readers.

use std::cell::RefCell;

use crate::signals::{Memo, effect};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::route::Route;
use crate::ui::announce::Announcer;

/// The page's only `h1`. It also names the window.
pub fn heading(text: String) -> AnyView {
    set_window_title(&text);
    view! { <h1 class="pf-v6-c-title pf-m-h1 page-title" tabindex="-1">{text}</h1> }.into_any()
}

thread_local! {
    /// What the window is called after: the page, and the cluster, where that has to be told from others.
    static NAMED: RefCell<(String, String)> = const { RefCell::new((String::new(), String::new())) };
}

/// Names the window after a page, and with it the entry in the browser's history.
pub fn set_window_title(page: &str) {
    name_window(|(named, _)| page.clone_into(named));
}

/// There are several clusters: windows on the same page of two of them are told apart by their titles.
pub fn name_cluster(cluster: &str) {
    name_window(|(_, named)| cluster.clone_into(named));
}

fn name_window(change: impl FnOnce(&mut (String, String))) {
    let title = NAMED.with_borrow_mut(|named| {
        change(named);
        window_title(&named.0, &named.1)
    });
    document().set_title(&title);
}

/// From the narrow to the wide, as tabs and histories cut a title's end off.
fn window_title(page: &str, cluster: &str) -> String {
    let parts = [page, cluster, "Slipway"];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// A page was come to, and its heading is not there yet.
#[derive(Clone, Copy)]
struct Awaited(StoredValue<bool>);

/// Moves the focus to the page's heading, once what is drawn in this turn of the loop is there.
pub fn focus_heading() {
    request_animation_frame(|| {
        focus();
    });
}

/// Whether there was a heading to take the focus.
fn focus() -> bool {
    let heading = document().query_selector("h1").ok().flatten();
    let heading = heading.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(heading) = &heading {
        let _ = heading.focus();
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }
    heading.is_some()
}

/// Moves the focus to the heading of each page that is come to from another one, and announces it.
pub fn focus_on_change(page: Memo<Route>) {
    let awaited = Awaited(StoredValue::new(false));
    provide_context(awaited);
    let mut came_from_here = false;
    effect(move || {
        page.track();
        if std::mem::replace(&mut came_from_here, true) {
            arrive(awaited);
        }
    });
}

/// A page that had to be loaded first is drawn.
pub fn drawn() {
    if let Some(awaited) = use_context::<Awaited>().filter(|awaited| awaited.0.get_value()) {
        arrive(awaited);
    }
}

fn arrive(awaited: Awaited) {
    let announcer = Announcer::get();
    request_animation_frame(move || {
        let is_there = focus();
        awaited.0.set_value(!is_there);
        if is_there {
            announcer.say(document().title());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::window_title;

    #[test]
    fn a_window_is_named_after_its_page_and_after_the_cluster_where_there_are_several() {
        for (page, cluster, title) in [
            ("Helm releases", "", "Helm releases · Slipway"),
            ("History · web", "kind-a", "History · web · kind-a · Slipway"),
            ("", "kind-a", "kind-a · Slipway"),
            ("", "", "Slipway"),
        ] {
            assert_eq!(window_title(page, cluster), title);
        }
    }
}
