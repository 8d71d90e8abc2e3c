//! The server's clock, as far as the browser knows it, ticking each second.

use gloo_timers::callback::Interval;
use leptos::prelude::*;

use crate::model::Timestamp;

/// A clock that components can follow. Ages and elapsed times are told by the server's time: the browser's own clock may
/// be minutes off.
#[derive(Clone, Copy)]
pub struct Clock {
    tick: RwSignal<i64>,
    offset: RwSignal<i64>,
}

impl Clock {
    /// Starts the clock of the page, and provides it to everything below. It stands still while the page is hidden.
    pub fn provide() {
        let clock = Self { tick: RwSignal::new(browser_now()), offset: RwSignal::new(0) };
        provide_context(clock);
        Interval::new(1000, move || {
            if !document().hidden() {
                clock.tick.set(browser_now());
            }
        })
        .forget();
    }

    /// The clock of the page.
    pub fn get() -> Self {
        use_context().unwrap_or_else(|| Self { tick: RwSignal::new(browser_now()), offset: RwSignal::new(0) })
    }

    /// What the server's clock shows; whoever asks in a reactive place is asked again each second.
    pub fn now(self) -> Timestamp {
        Timestamp(self.tick.get().max(browser_now()) + self.offset.get())
    }

    /// Learns the server's time from an answer that has just arrived.
    pub fn learn(self, server: Timestamp) {
        let offset = server.0 - browser_now();
        // The way of an answer through the network is not a difference between clocks.
        if (self.offset.get_untracked() - offset).abs() > 500 {
            self.offset.set(offset);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970 are far below 2^53")]
fn browser_now() -> i64 {
    js_sys::Date::now() as i64
}
