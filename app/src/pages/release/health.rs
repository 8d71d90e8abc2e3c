//! How an object's health is shown.

use leptos::prelude::*;

use crate::model::Health;
use crate::ui::icon::{icon, spinning_icon};

/// All of them, in the order of the filter.
pub const ALL: [Health; 6] = [
    Health::Ready,
    Health::Progressing,
    Health::Failed,
    Health::Missing,
    Health::Terminating,
    Health::Unknown,
];

/// Its word.
pub fn word(health: Health) -> &'static str {
    match health {
        Health::Ready => "Ready",
        Health::Progressing => "In progress",
        Health::Failed => "Failed",
        Health::Missing => "Missing",
        Health::Terminating => "Terminating",
        Health::Unknown => "Unknown",
    }
}

/// Its icon and its word.
pub fn health_view(health: Health) -> AnyView {
    let (class, sign) = match health {
        Health::Ready => ("health health-ready", icon("success")),
        Health::Progressing => ("health health-progress", spinning_icon()),
        Health::Failed => ("health health-failed", icon("danger")),
        Health::Missing => ("health health-none", icon("missing")),
        Health::Terminating => ("health health-none", icon("ban")),
        Health::Unknown => ("health health-none", icon("unknown")),
    };
    view! { <span class=class>{sign} {word(health)}</span> }.into_any()
}
