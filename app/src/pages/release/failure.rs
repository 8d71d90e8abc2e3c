//! A failure explained: its class, its cause, the object concerned, and helm's own text.

use leptos::prelude::*;

use super::Live;
use crate::model::{Failure, FailureClass, ObjectRef, ReleaseKey};
use crate::pages::route::{Route, Tab};
use crate::ui::address::encode;
use crate::ui::button::more;
use crate::ui::label::{kind_badge, plain_label};

/// A class in words.
pub fn class_words(class: FailureClass) -> &'static str {
    match class {
        FailureClass::Transient => "Transient",
        FailureClass::Permanent => "Permanent",
        FailureClass::Locked => "Locked",
        FailureClass::TimedOut => "Timed out",
        FailureClass::Hook => "Hook failed",
        FailureClass::Cancelled => "Cancelled",
        FailureClass::Interrupted => "Interrupted",
        FailureClass::Unknown => "Unknown cause",
    }
}

/// The failure; its cause is left out where the `title` above says it.
pub fn failure_view(failure: Failure, title: &str, release: &ReleaseKey, live: Live) -> AnyView {
    let Failure { class, cause, advice, object, text, .. } = failure;
    let cause = (cause != title).then(|| view! { <p class="wrap">{cause}</p> });
    let object = object.map(|object| object_view(&object, release, live));
    // The proof of an interruption is short, and what the reader has to go by.
    let text = (!text.is_empty()).then(|| match class {
        FailureClass::Interrupted => view! { <p class="wrap">{text}</p> }.into_any(),
        _ => more("What Helm said", false, view! { <pre class="text">{text}</pre> }.into_any()),
    });
    view! {
        <div class="failure">
            {plain_label(class_words(class).to_owned())} {cause} {advice.map(|advice| view! { <p>{advice}</p> })}
            {object} {text}
        </div>
    }
    .into_any()
}

/// The object, with the way to its row among the resources where it has one.
fn object_view(object: &ObjectRef, release: &ReleaseKey, live: Live) -> AnyView {
    let words = match &object.namespace {
        Some(namespace) => format!("{} {} in {namespace}", object.kind, object.name),
        None => format!("{} {}", object.kind, object.name),
    };
    let is_own = live.resources.with_untracked(|all| {
        all.iter().any(|one| one.object.kind == object.kind && one.object.name == object.name)
    });
    let words = if is_own {
        let resources = Route::Release { key: release.clone(), tab: Tab::Resources };
        let href = format!("{resources}?q={}", encode(&object.name));
        view! { <a class="wrap" href=href>{words}</a> }.into_any()
    } else {
        view! { <span class="wrap">{words}</span> }.into_any()
    };
    view! { <p class="named">{kind_badge(&object.kind)} {words}</p> }.into_any()
}
