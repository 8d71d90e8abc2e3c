//! The browser's entry point: mounts the pages in the place of the skeleton that `index.html` shows.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

fn main() {
    // After a panic nothing reacts any more: the page says so instead of looking well.
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        if let Some(notice) = document().get_element_by_id("broken") {
            let _ = notice.remove_attribute("hidden");
        }
    }));
    let root =
        document().get_element_by_id("app").and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(root) = root {
        wasm_bindgen_futures::spawn_local(async move {
            app::words::load().await;
            root.set_inner_html("");
            leptos::mount::mount_to(root, app::pages::App).forget();
        });
    }
}
