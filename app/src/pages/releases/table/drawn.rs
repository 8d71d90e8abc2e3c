//! How many rows of a page of the list are drawn: those in sight, and some below. The others are drawn as they come into
//! sight, a few in each frame, and the place that they will take is kept free. So what a press of a key costs does not grow
//! with the page.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

use crate::pages::releases::Context;
use crate::pages::releases::filter::Query;
use crate::pages::releases::hold::Hold;
use crate::signals::{Memo, Slot, effect};
use crate::ui::element::el;

/// How many rows are drawn at first, and how many more in a frame: so many take less than the eye sees, also on a slow machine.
const FIRST: usize = 12;
const MORE: usize = 6;
/// How far below the window rows are drawn, in heights of the window.
const BELOW: f64 = 2.0;
/// Where the rows that are drawn end.
const END: &str = "rows-end";

/// What is drawn.
#[derive(Clone, Copy)]
pub struct Drawn {
    /// How many rows.
    pub number: Memo<usize>,
    hold: Hold,
    /// How high the rows are that are not, in pixels.
    rest: RwSignal<f64>,
}

impl Drawn {
    /// Draws what is in sight for as long as the list is there.
    pub fn follow(context: Context) -> Self {
        let Context { query, hold, .. } = context;
        let reached: Slot<(Query, usize)> = Slot::new();
        let number = Memo::new(move || {
            query.with(|query| {
                reached.with(|reached| match reached {
                    Some((asked, number)) if asked == query => *number,
                    _ => FIRST,
                })
            })
        });
        let drawn = Self { number, hold, rest: RwSignal::new(0.0) };
        let looked = RwSignal::new(0);
        effect(move || {
            looked.track();
            let (number, query) = (number.get(), query.get());
            let all = hold.shown.with(|shown| shown.keys.len());
            // Where the rows end is known when they are drawn.
            request_animation_frame(move || {
                if drawn.measure(all.saturating_sub(number)) {
                    reached.set(Some((query, number + MORE)));
                }
            });
        });
        follow_sight(Box::new(move || {
            looked.try_update(|times| *times += 1);
        }));
        // On paper there is no further down.
        let print = window_event_listener(ev::Custom::<web_sys::Event>::new("beforeprint"), move |_| {
            reached.set(Some((query.get_untracked(), usize::MAX)));
        });
        on_cleanup(move || print.remove());
        drawn
    }

    /// Keeps the place of the `missing` rows free, and says whether some of them are in sight, or nearly.
    fn measure(self, missing: usize) -> bool {
        let end = document().get_element_by_id(END).map(|end| end.get_bounding_client_rect().top());
        let window = window().inner_height().ok().and_then(|height| height.as_f64());
        let (Some(end), Some(window)) = (end, window) else { return false };
        self.rest.try_set(if missing == 0 {
            0.0
        } else {
            average_height() * f64::from(u32::try_from(missing).unwrap_or(u32::MAX))
        });
        missing > 0 && end < window * (1.0 + BELOW)
    }

    /// How many rows the table has, where not all of them are drawn.
    pub fn row_count(self) -> Option<String> {
        let all = self.hold.shown.with(|shown| shown.keys.len());
        // The head is one, too.
        (all > self.number.get()).then(|| (all + 1).to_string())
    }

    /// The place of the rows that are not drawn.
    pub fn rest(self) -> AnyView {
        let height = move || Some(format!("height: {}px", self.rest.get()));
        el("div").attr("id", END).attr("aria-hidden", "true").follow("style", height).done()
    }
}

/// How high a row is.
fn average_height() -> f64 {
    let rows = document().query_selector(".releases tbody").ok().flatten();
    rows.map_or(0.0, |rows| {
        rows.get_bounding_client_rect().height() / f64::from(rows.child_element_count().max(1))
    })
}

/// Calls `look` whenever something else may have come into sight.
fn follow_sight(look: Box<dyn FnMut()>) {
    let look = Closure::wrap(look).into_js_value();
    let look: js_sys::Function = look.unchecked_into();
    // What scrolls is inside the page, and its events do not bubble.
    let _ = document().add_event_listener_with_callback_and_bool("scroll", &look, true);
    let _ = window().add_event_listener_with_callback("resize", &look);
    let look = StoredValue::new_local(look);
    on_cleanup(move || {
        look.try_with_value(|look| {
            let _ = document().remove_event_listener_with_callback_and_bool("scroll", look, true);
            let _ = window().remove_event_listener_with_callback("resize", look);
        });
    });
}
