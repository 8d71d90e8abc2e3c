//! Labels and badges.

use leptos::prelude::*;

use super::icon::{icon, spinning_icon};
use crate::model::Tone;

/// The icon that goes with a tone.
pub fn tone_icon(tone: Tone) -> AnyView {
    match tone {
        Tone::Success => icon("success"),
        Tone::Progress => spinning_icon(),
        Tone::Warning => icon("warning"),
        Tone::Danger => icon("danger"),
        Tone::Neutral => icon("ban"),
    }
}

fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Success => "pf-v6-c-label pf-m-outline pf-m-compact pf-m-success",
        Tone::Progress => "pf-v6-c-label pf-m-outline pf-m-compact pf-m-blue",
        Tone::Warning => "pf-v6-c-label pf-m-outline pf-m-compact pf-m-warning",
        Tone::Danger => "pf-v6-c-label pf-m-outline pf-m-compact pf-m-danger",
        Tone::Neutral => "pf-v6-c-label pf-m-outline pf-m-compact",
    }
}

/// A status in one or a few words, with the icon and the colour of its tone.
pub fn status_label(tone: Tone, words: String) -> AnyView {
    view! {
        <span class=tone_class(tone)>
            <span class="pf-v6-c-label__content">
                <span class="pf-v6-c-label__icon">{tone_icon(tone)}</span>
                <span class="pf-v6-c-label__text">{words}</span>
            </span>
        </span>
    }
    .into_any()
}

/// A plain, grey label.
pub fn plain_label(words: String) -> AnyView {
    view! {
        <span class="pf-v6-c-label pf-m-filled pf-m-compact">
            <span class="pf-v6-c-label__content">
                <span class="pf-v6-c-label__text">{words}</span>
            </span>
        </span>
    }
    .into_any()
}

/// The round badge in front of a name that tells what the name is of: `HR`, `D`, `NS`.
pub fn kind_badge(kind: &str) -> AnyView {
    let (short, class) = match kind {
        "Helm release" => ("HR".to_owned(), "kind-badge kind-release"),
        "Namespace" => ("NS".to_owned(), "kind-badge kind-namespace"),
        _ => (abbreviation(kind), class_of(kind)),
    };
    view! { <span class=class title=kind.to_owned() aria-hidden="true">{short}</span> }.into_any()
}

/// The capitals of a kind: `ServiceAccount` is `SA`; at most three.
fn abbreviation(kind: &str) -> String {
    let capitals: String = kind.chars().filter(char::is_ascii_uppercase).take(3).collect();
    if capitals.is_empty() { kind.chars().take(1).flat_map(char::to_uppercase).collect() } else { capitals }
}

fn class_of(kind: &str) -> &'static str {
    match kind {
        "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "Pod" | "Job" | "CronJob" => {
            "kind-badge kind-workload"
        }
        "Service" | "Ingress" | "NetworkPolicy" | "Route" => "kind-badge kind-network",
        "ConfigMap" | "Secret" | "PersistentVolumeClaim" => "kind-badge kind-storage",
        _ => "kind-badge kind-other",
    }
}

#[cfg(test)]
mod tests {
    use super::abbreviation;

    #[test]
    fn a_kind_is_abbreviated_to_its_capitals() {
        for (kind, short) in [
            ("Deployment", "D"),
            ("ServiceAccount", "SA"),
            ("HorizontalPodAutoscaler", "HPA"),
            ("PodDisruptionBudgetThing", "PDB"),
            ("widget", "W"),
            ("", ""),
        ] {
            assert_eq!(abbreviation(kind), short);
        }
    }
}
