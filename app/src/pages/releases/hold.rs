//! What keeps the list still: while somebody points at its rows or has the focus among them, none of them moves or goes, and
//! none comes between. What the rows say changes all the same.

use std::sync::Mutex;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, EventTarget, FocusEvent, Node};

use super::filter::{Listed, Query};
use crate::model::ReleaseKey;
use crate::signals::Memo;

/// The list as it is shown.
#[derive(Clone, Copy)]
pub struct Hold {
    /// What is shown.
    pub shown: Memo<Listed>,
    /// How many rows are in another place by now.
    pub waiting: Memo<usize>,
    is_pointed_at: RwSignal<bool>,
    has_focus: RwSignal<bool>,
}

impl Hold {
    /// Shows what is `fresh`, unless it is held.
    pub fn new(query: Memo<Query>, fresh: Memo<Listed>) -> Self {
        let (is_pointed_at, has_focus) = (RwSignal::new(false), RwSignal::new(false));
        let last: Mutex<Option<(Query, Listed)>> = Mutex::new(None);
        let shown = Memo::new(move || {
            let is_held = is_pointed_at.get() || has_focus.get();
            let (query, fresh) = (query.get(), fresh.get());
            let Ok(mut last) = last.lock() else { return fresh };
            // What the user asked for comes at once.
            let kept =
                last.take().filter(|(asked, kept)| is_held && *asked == query && !kept.keys.is_empty());
            let shown = kept.map_or(fresh, |(_, kept)| kept);
            *last = Some((query, shown.clone()));
            shown
        });
        let waiting =
            Memo::new(move || shown.with(|shown| fresh.with(|fresh| changes(&shown.keys, &fresh.keys))));
        Self { shown, waiting, is_pointed_at, has_focus }
    }

    /// Lets the rows go to their places.
    pub fn release(self) {
        self.is_pointed_at.set(false);
        self.has_focus.set(false);
    }

    /// The pointer has come to the rows, or has left them, as the event on them says.
    pub fn point(self, at: bool, event: &Event) {
        self.is_pointed_at.set(at);
        // What had the focus may have gone without a word.
        if !at && !is_inside(event, document().active_element().map(Into::into)) {
            self.has_focus.set(false);
        }
    }

    /// The focus has come to the rows, or goes elsewhere.
    pub fn focus(self, at: bool, event: &Event) {
        let to = event.dyn_ref::<FocusEvent>().and_then(FocusEvent::related_target);
        self.has_focus.set(at || is_inside(event, to));
    }
}

/// Whether something is inside the element that an event is listened to on.
fn is_inside(event: &Event, what: Option<EventTarget>) -> bool {
    let node = |target: EventTarget| target.dyn_into::<Node>().ok();
    let (rows, what) = (event.current_target().and_then(node), what.and_then(node));
    what.is_some() && rows.is_some_and(|rows| rows.contains(what.as_ref()))
}

/// How many rows came, went, or must move for `shown` to become `fresh`.
fn changes(shown: &[ReleaseKey], fresh: &[ReleaseKey]) -> usize {
    if shown == fresh {
        return 0;
    }
    let places: Vec<usize> =
        shown.iter().filter_map(|key| fresh.iter().position(|other| other == key)).collect();
    // Those that can stay are the longest rising part of the new places: for each length the smallest end.
    let mut ends: Vec<usize> = Vec::new();
    for place in &places {
        let at = ends.partition_point(|end| end < place);
        match ends.get_mut(at) {
            Some(end) => *end = *place,
            None => ends.push(*place),
        }
    }
    let (gone, new) = (shown.len() - places.len(), fresh.len() - places.len());
    gone + new + places.len() - ends.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_rows_that_came_went_or_must_move() {
        let keys = |names: &str| names.chars().map(|name| ReleaseKey::new("ns", name)).collect::<Vec<_>>();
        for (shown, fresh, expected) in [
            ("abc", "abc", 0),
            ("abc", "ab", 1),
            ("abc", "abcd", 1),
            ("abc", "cab", 1),
            ("abcd", "dcba", 3),
            ("abc", "xbc", 2),
            ("", "ab", 2),
        ] {
            assert_eq!(changes(&keys(shown), &keys(fresh)), expected, "{shown} {fresh}");
        }
    }
}
