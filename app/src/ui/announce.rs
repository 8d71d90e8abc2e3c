//! What a screen reader is told that the eye sees by itself: page changes and changes of phase.

use leptos::prelude::*;

use crate::signals::dynamic;

#[derive(Clone, Copy)]
struct Announcement(RwSignal<String>);

/// What speaks to screen readers. Taken where a component is made, used whenever there is something to say.
#[derive(Clone, Copy)]
pub struct Announcer(Option<RwSignal<String>>);

impl Announcer {
    /// The page's.
    pub fn get() -> Self {
        Self(use_context::<Announcement>().map(|Announcement(signal)| signal))
    }

    /// Says `text` politely, when the reader has finished what it is saying.
    pub fn say(self, text: String) {
        if let Some(signal) = self.0 {
            signal.set(text);
        }
    }
}

/// The live region; once a page.
#[component]
pub fn LiveRegion() -> impl IntoView {
    let signal = RwSignal::new(String::new());
    provide_context(Announcement(signal));
    view! { <div class="pf-v6-screen-reader" role="status" aria-live="polite">{dynamic(move || signal.get())}</div> }
}
