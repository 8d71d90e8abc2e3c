//! A recording in the server's place: the mock-ups show these very pages with answers that were recorded from a real run.
//! The player, a script of theirs (`public/mockups/player.js`), makes itself known before the program starts; in the product
//! there is none. Its answers are responses like the network's, so that all that follows is the same.

use js_sys::{Function, Promise, Reflect};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

/// Under what name the player is known to the page.
const PLAYER: &str = "slipwayPlayer";
/// What the player tells the page when it goes to another time: whatever was asked is asked again.
const JUMP: &str = "slipway-jump";

thread_local! {
    static PLAYER_OF_PAGE: Option<JsValue> = player();
    static JUMPS: Option<ArcRwSignal<u32>> = is_recorded().then(jumps);
}

fn player() -> Option<JsValue> {
    // Outside of a browser there is none.
    let is_browser = cfg!(target_arch = "wasm32");
    let player = is_browser.then(|| Reflect::get(&js_sys::global(), &PLAYER.into()).ok())??;
    player.is_object().then_some(player)
}

fn jumps() -> ArcRwSignal<u32> {
    let jumps = ArcRwSignal::new(0);
    let counted = jumps.clone();
    window_event_listener(ev::Custom::<web_sys::Event>::new(JUMP), move |_| {
        counted.update(|times| *times += 1);
    });
    jumps
}

/// Whether a recording answers.
pub fn is_recorded() -> bool {
    PLAYER_OF_PAGE.with(Option::is_some)
}

/// The recording's answer, a `Response`, to a request; none in the product.
pub(super) fn answer(address: &str, body: &str) -> Option<Promise> {
    PLAYER_OF_PAGE.with(|player| {
        let player = player.as_ref()?;
        let ask: Function = Reflect::get(player, &"answer".into()).ok()?.dyn_into().ok()?;
        ask.call2(player, &address.into(), &body.into()).ok()?.dyn_into().ok()
    })
}

/// Counts each jump of the player as a reason to ask again.
pub(super) fn track_jumps() {
    JUMPS.with(|jumps| {
        if let Some(jumps) = jumps {
            jumps.track();
        }
    });
}
