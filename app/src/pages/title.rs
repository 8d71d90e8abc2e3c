//! A page's heading, and what goes with arriving at it: the window's title, the focus, and a word to screen readers.

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

/// Names the window, and with it the entry in the browser's history.
pub fn set_window_title(text: &str) {
    document().set_title(&format!("{text} · Slipway"));
}

/// Moves the focus to the page's heading, once what is drawn in this turn of the loop is there.
pub fn focus_heading() {
    request_animation_frame(|| {
        let heading = document().query_selector("h1").ok().flatten();
        if let Some(heading) = heading.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = heading.focus();
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
    });
}

/// Moves the focus to the heading of each page that is come to from another one, and announces it.
pub fn focus_on_change(page: Memo<Route>) {
    let announcer = Announcer::get();
    let mut came_from_here = false;
    effect(move || {
        page.track();
        if std::mem::replace(&mut came_from_here, true) {
            focus_heading();
            request_animation_frame(move || announcer.say(document().title()));
        }
    });
}
