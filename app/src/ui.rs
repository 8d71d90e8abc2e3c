//! The parts that pages are made of: PatternFly's components in Leptos. They know no route and no release.

pub mod address;
pub mod alert;
pub mod announce;
pub mod breadcrumb;
pub mod button;
pub mod code;
pub mod diff;
pub mod download;
pub mod dropdown;
pub mod editor;
pub mod element;
pub mod field;
pub mod filter;
pub mod icon;
pub mod label;
pub mod lazy;
pub mod logview;
pub mod modal;
pub mod pagination;
pub mod progress;
pub mod state;
pub mod table;
pub mod text;
pub mod theme;
pub mod time;
pub mod toolbar;
