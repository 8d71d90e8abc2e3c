//! The parts that pages are made of: PatternFly's components in Leptos. They know no route and no release.

use leptos::prelude::*;

pub mod alert;
pub mod announce;
pub mod dropdown;
pub mod editor;
pub mod field;
pub mod icon;
pub mod label;
pub mod modal;
pub mod pagination;
pub mod progress;
pub mod state;
pub mod table;
pub mod text;
pub mod theme;
pub mod time;
pub mod toolbar;

/// A part of a page that follows the signals it reads. In a box, so that the program has one compiled copy of what redraws
/// such a part in the place of one for each.
pub fn dynamic<V: IntoAny>(mut part: impl FnMut() -> V + Send + 'static) -> AnyView {
    let part: Box<dyn FnMut() -> AnyView + Send> = Box::new(move || part().into_any());
    part.into_any()
}
