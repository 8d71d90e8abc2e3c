//! How an object's health is shown.

use leptos::prelude::*;

use crate::model::Health;
use crate::ui::icon::{icon, spinning_icon};
use crate::words::t;

/// All of them, in the order of the filter.
pub const ALL: [Health; 7] = [
    Health::Ready,
    Health::Progressing,
    Health::Failed,
    Health::Missing,
    Health::NotYet,
    Health::Terminating,
    Health::Unknown,
];

/// What stands for it in an address, in every language.
pub fn key(health: Health) -> &'static str {
    match health {
        Health::Ready => "ready",
        Health::Progressing => "progressing",
        Health::Failed => "failed",
        Health::Missing => "missing",
        Health::NotYet => "not-yet",
        Health::Terminating => "terminating",
        Health::Unknown => "unknown",
    }
}

/// Its word.
pub fn word(health: Health) -> &'static str {
    match health {
        Health::Ready => t("Ready"),
        Health::Progressing => t("In progress"),
        Health::Failed => t("Failed"),
        Health::Missing => t("Missing"),
        Health::NotYet => t("Not yet"),
        Health::Terminating => t("Terminating"),
        Health::Unknown => t("Unknown"),
    }
}

/// The name of its icon.
pub fn icon_name(health: Health) -> &'static str {
    match health {
        Health::Ready => "success",
        Health::Progressing => "progress",
        Health::Failed => "danger",
        Health::Missing => "missing",
        Health::NotYet => "clock",
        Health::Terminating => "ban",
        Health::Unknown => "unknown",
    }
}

/// The class that gives it its colour.
pub fn class(health: Health) -> &'static str {
    match health {
        Health::Ready => "health health-ready",
        Health::Progressing => "health health-progress",
        Health::Failed => "health health-failed",
        Health::Missing | Health::NotYet | Health::Terminating | Health::Unknown => "health health-none",
    }
}

/// Its icon and its word.
pub fn health_view(health: Health) -> AnyView {
    let sign = if health == Health::Progressing { spinning_icon() } else { icon(icon_name(health)) };
    view! { <span class=class(health)>{sign} {word(health)}</span> }.into_any()
}
