//! The lines on the page. They are drawn by hand: thousands of them come and go one by one, and most stay as they are.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::ansi::{Part, found, pieces};
use super::kept::{Kept, Line};

/// The hit that the reader is at.
const CURRENT: &str = "log-hit log-current";
const HIT: &str = "log-hit";

/// What is drawn of the lines.
pub struct Drawing {
    frame: Element,
    /// The numbers of the first line that is drawn, and of the first one after it that is not.
    first: usize,
    next: usize,
    cleared: usize,
    was_open: bool,
    wanted: String,
}

impl Drawing {
    /// Nothing yet.
    pub fn new(frame: Element) -> Self {
        Self { frame, first: 0, next: 0, cleared: 0, was_open: false, wanted: String::new() }
    }

    /// Draws what has changed.
    pub fn update(&mut self, kept: &Kept, wanted: &str) {
        if self.cleared != kept.cleared || self.wanted != wanted {
            self.frame.set_text_content(None);
            self.cleared = kept.cleared;
            wanted.clone_into(&mut self.wanted);
            (self.first, self.next) = (kept.dropped, kept.dropped);
        } else if self.was_open && self.next > self.first {
            // It may have become longer since.
            self.drop_child(self.frame.last_child());
            self.next -= 1;
        }
        while self.first < kept.dropped {
            self.drop_child(self.frame.first_child());
            self.first += 1;
        }
        self.next = self.next.max(self.first);
        let fragment = document().create_document_fragment();
        for line in kept.lines.iter().skip(self.next - self.first) {
            if let Some(line) = drawn(line, wanted) {
                // A node that was made just now can be put anywhere.
                let _ = fragment.append_child(&line);
            }
            self.next += 1;
        }
        let _ = self.frame.append_child(&fragment);
        self.was_open = kept.is_open;
    }

    fn drop_child(&self, child: Option<web_sys::Node>) {
        if let Some(child) = child {
            let _ = self.frame.remove_child(&child);
        }
    }
}

fn drawn(line: &Line, wanted: &str) -> Option<Element> {
    let element = document().create_element("div").ok()?;
    let mut style = line.style;
    for (style, text, part) in found(pieces(&line.text, &mut style), wanted) {
        let (name, class) = match part {
            Part::Plain => ("span", style.class()),
            Part::Hit => ("mark", HIT.to_owned()),
            Part::More => ("mark", String::new()),
        };
        let piece = document().create_element(name).ok()?;
        if !class.is_empty() {
            piece.set_class_name(&class);
        }
        piece.set_text_content(Some(&text));
        let _ = element.append_child(&piece);
    }
    Some(element)
}

/// Goes from the hit that the reader is at by so many hits, around the end. Gives which one that is, from 1, of how many;
/// with no step, goes nowhere.
pub fn go_by(frame: &Element, by: i32) -> (u32, u32) {
    let Ok(hits) = frame.query_selector_all(".log-hit") else { return (0, 0) };
    let hit = |at: u32| hits.item(at).and_then(|hit| hit.dyn_into::<Element>().ok());
    let all = hits.length();
    let here = (0..all).find(|at| hit(*at).is_some_and(|hit| hit.class_name() == CURRENT));
    if all == 0 || by == 0 {
        return (here.map_or(0, |here| here + 1), all);
    }
    let to = match here {
        Some(here) => (i64::from(here) + i64::from(by)).rem_euclid(i64::from(all)),
        None if by > 0 => 0,
        None => i64::from(all) - 1,
    };
    let to = u32::try_from(to).unwrap_or(0);
    if let Some(here) = here.and_then(hit) {
        here.set_class_name(HIT);
    }
    if let Some(hit) = hit(to) {
        hit.set_class_name(CURRENT);
        let place = ScrollIntoViewOptions::new();
        place.set_behavior(ScrollBehavior::Instant);
        place.set_block(ScrollLogicalPosition::Center);
        place.set_inline(ScrollLogicalPosition::Nearest);
        hit.scroll_into_view_with_scroll_into_view_options(&place);
    }
    (to + 1, all)
}
