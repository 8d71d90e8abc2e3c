//! What keeps the list still: while somebody points at its rows or has the focus among them, none of them moves or goes, and
//! none comes between. What the rows say changes all the same.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

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
        let last: StoredValue<Option<(Query, Listed)>> = StoredValue::new(None);
        let shown = Memo::new(move || {
            let is_held = is_pointed_at.get() || has_focus.get();
            let (query, fresh) = (query.get(), fresh.get());
            // What the user asked for comes at once.
            let kept = last.with_value(|last| {
                last.as_ref()
                    .filter(|(asked, kept)| is_held && *asked == query && !kept.keys.is_empty())
                    .map(|(_, kept)| kept.clone())
            });
            let shown = kept.unwrap_or(fresh);
            last.set_value(Some((query, shown.clone())));
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

    /// The pointer has come to the rows, or has left them.
    pub fn point(self, at: bool, rows: NodeRef<html::Tbody>) {
        self.is_pointed_at.set(at);
        // What had the focus may have gone without a word.
        let active = document().active_element();
        let is_inside =
            rows.get_untracked().is_some_and(|rows| rows.contains(active.as_ref().map(|it| &**it)));
        if !at && !is_inside {
            self.has_focus.set(false);
        }
    }

    /// The focus has come to the rows, or goes to `to`.
    pub fn focus(self, at: bool, to: Option<web_sys::EventTarget>, rows: NodeRef<html::Tbody>) {
        let to = to.and_then(|to| to.dyn_into::<web_sys::Node>().ok());
        let stays = rows.get_untracked().is_some_and(|rows| to.is_some() && rows.contains(to.as_ref()));
        self.has_focus.set(at || stays);
    }
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
