//! The parts that pages are made of: PatternFly's components in Leptos. They know no route and no release.

pub mod address;
pub mod alert;
pub mod announce;
pub mod breadcrumb;
pub mod button;
pub mod dropdown;
pub mod editor;
pub mod field;
pub mod icon;
pub mod label;
pub mod markup;
pub mod modal;
pub mod pagination;
pub mod progress;
pub mod state;
pub mod table;
pub mod text;
pub mod theme;
pub mod time;
pub mod toolbar;
