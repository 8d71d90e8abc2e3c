//! What a screen reader is told that the eye sees by itself: page changes and changes of phase.

use leptos::prelude::*;

#[derive(Clone, Copy)]
struct Announcement(RwSignal<String>);

/// Says `text` politely, when the reader has finished what it is saying.
pub fn announce(text: String) {
    if let Some(Announcement(signal)) = use_context() {
        signal.set(text);
    }
}

/// The live region; once a page.
#[component]
pub fn LiveRegion() -> impl IntoView {
    let signal = RwSignal::new(String::new());
    provide_context(Announcement(signal));
    view! { <div class="pf-v6-screen-reader" role="status" aria-live="polite">{signal}</div> }
}
