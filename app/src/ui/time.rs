//! Instants, as people read them.

use crate::signals::{Memo, dynamic};
use js_sys::Date;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::client::clock::Clock;
use crate::client::kept;
use crate::model::Timestamp;
use crate::model::time::duration_words;
use crate::words::{count, t};

/// Where it is kept that times are told exactly.
const KEY: &str = "slipway.times";
const EXACT: &str = "exact";

/// Whether times are told exactly everywhere: for whoever cannot point at one to read its title.
#[derive(Clone, Copy)]
pub struct ExactTimes(RwSignal<bool>);

impl ExactTimes {
    /// As the user chose it; for everything below.
    pub fn provide() {
        provide_context(Self(RwSignal::new(kept::read(KEY).as_deref() == Some(EXACT))));
    }

    /// The page's.
    pub fn get() -> Self {
        use_context().unwrap_or_else(|| Self(RwSignal::new(false)))
    }

    /// Whether they are; it is followed.
    pub fn is_on(self) -> bool {
        self.0.get()
    }

    /// Tells them the other way.
    pub fn switch(self) {
        self.0.update(|on| *on = !*on);
        kept::write(KEY, if self.0.get_untracked() { EXACT } else { "" });
    }
}

/// An instant as its distance from now, with the date and time as its title; a dash where there is none.
pub fn ago(at: Option<Timestamp>) -> AnyView {
    let Some(at) = at else { return view! { <span class="nothing">"–"</span> }.into_any() };
    let clock = Clock::get();
    let exact = ExactTimes::get();
    let words =
        Memo::new(move || if exact.is_on() { date_words(at) } else { ago_words(clock.now().since(at)) });
    dated(at, dynamic(move || words.get()))
}

/// What is said of an instant, with its date and time as its title.
pub fn dated(at: Timestamp, words: AnyView) -> AnyView {
    view! { <time datetime=iso(at) title=date_words(at)>{words}</time> }.into_any()
}

/// The distance of a moment from now, in words.
pub fn ago_words(millis: u64) -> String {
    let seconds = millis / 1000;
    let (number, one, many) = match seconds {
        0..=9 => return t("Just now").to_owned(),
        10..=59 => (seconds, "{n} second ago", "{n} seconds ago"),
        60..=3599 => (seconds / 60, "{n} minute ago", "{n} minutes ago"),
        3600..=86_399 => (seconds / 3600, "{n} hour ago", "{n} hours ago"),
        _ => (seconds / 86_400, "{n} day ago", "{n} days ago"),
    };
    count(usize::try_from(number).unwrap_or(usize::MAX), one, many)
}

/// How long something took that is over.
pub fn took_words(millis: u64) -> String {
    if millis < 1000 { t("under 1s").to_owned() } else { duration_words(millis) }
}

/// The date and time in the user's own language and zone.
pub fn date_words(at: Timestamp) -> String {
    date(at).to_locale_string(&crate::words::locale(), &JsValue::UNDEFINED).into()
}

fn iso(at: Timestamp) -> String {
    // An instant outside JavaScript's range (a broken record's) has no ISO form, and asking for one throws.
    let date = date(at);
    if date.get_time().is_nan() { String::new() } else { date.to_iso_string().into() }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 are far below 2^53")]
fn date(at: Timestamp) -> Date {
    Date::new(&JsValue::from_f64(at.0 as f64))
}

#[cfg(test)]
mod tests {
    use super::{ago_words, took_words};

    #[test]
    fn what_took_no_second_took_less_than_one() {
        assert_eq!([0, 999, 1_000].map(took_words), ["under 1s", "under 1s", "1s"]);
    }

    #[test]
    fn a_distance_is_told_in_its_largest_unit() {
        for (millis, words) in [
            (0, "Just now"),
            (12_000, "12 seconds ago"),
            (60_000, "1 minute ago"),
            (3_599_000, "59 minutes ago"),
            (7_200_000, "2 hours ago"),
            (172_800_000, "2 days ago"),
        ] {
            assert_eq!(ago_words(millis), words);
        }
    }
}
