//! Values that are taken to another version of the chart: how they get there, what the user should look at then, and the way
//! back.

use leptos::prelude::*;

use super::Form;
use crate::client::call::from_json;
use crate::pages::install::draft::{Draft, Edited};
use crate::ui::editor::{MergeNote, carried, reviewed};

/// The draft before its values were taken over other defaults, and how to say where they were.
#[derive(Clone)]
pub struct Before {
    /// The version, and the values as they were edited.
    draft: Box<Draft>,
    /// Whether the values could be merged at all.
    pub is_merged: bool,
}

impl Form {
    /// Other defaults take the place of those that the values in the editor began with: what the user changed is carried over
    /// to them, or stays as it is, where it cannot be told apart.
    pub fn carry_over(self, new_base: &str) {
        let before = self.draft.get_untracked();
        let Some(edited) = before.edited.clone().filter(|edited| edited.base != new_base) else { return };
        let merged = carried(&edited.base, new_base, &edited.text);
        let is_merged = merged.is_some();
        self.draft.update(|draft| match merged {
            Some(merged) => {
                draft.notes = merged.notes;
                draft.edited = (merged.text != new_base)
                    .then(|| Edited { text: merged.text, base: new_base.to_owned() });
            }
            None => draft.edited = Some(Edited { text: edited.text, base: new_base.to_owned() }),
        });
        self.before.set(Some(Before { draft: Box::new(before), is_merged }));
    }

    /// Other defaults are below the values in the editor, which stay.
    pub fn review(self, before: &str, after: &str, users: &str) {
        if let Some(notes) = reviewed(before, after, users) {
            self.draft.update(|draft| draft.notes = notes);
        }
    }

    /// What the user should look at since the values were taken to another version.
    pub fn notes(self) -> Vec<MergeNote> {
        self.draft.with(|draft| from_json(&draft.notes)).unwrap_or_default()
    }

    /// One of them was looked at.
    pub fn settle(self, path: &[String]) {
        self.draft.update(|draft| draft.notes = without_note(&draft.notes, path));
        if self.notes().is_empty() {
            self.forget_notes();
        }
    }

    /// All values are as they were.
    pub fn undo_values(self) {
        self.draft.update(|draft| draft.edited = None);
        self.forget_notes();
    }

    /// Nothing more has to be looked at.
    pub fn forget_notes(self) {
        self.draft.update(|draft| draft.notes.clear());
        self.before.set(None);
    }

    /// What there was before the values were last carried over; it is followed.
    pub fn before(self) -> Option<Before> {
        self.before.get()
    }

    /// Goes back to the version and the values before they were carried over.
    pub fn go_back(self) {
        let Some(Before { draft: before, .. }) = self.before.get_untracked() else { return };
        self.before.set(None);
        self.draft.update(|draft| {
            draft.version = before.version;
            draft.edited = before.edited;
            draft.notes = before.notes;
        });
    }
}

/// A list of notes without the one at a path.
fn without_note(notes: &str, path: &[String]) -> String {
    let (Ok(list), Some(notes)) = (js_sys::JSON::parse(notes), from_json::<Vec<MergeNote>>(notes)) else {
        return String::new();
    };
    let kept = js_sys::Array::new();
    for (note, value) in notes.iter().zip(js_sys::Array::from(&list).iter()) {
        if note.path != path {
            kept.push(&value);
        }
    }
    js_sys::JSON::stringify(&kept).map(String::from).unwrap_or_default()
}
