//! The tabs that show a revision's texts: notes, values, manifest.

use crate::signals::{Memo, dynamic};
use leptos::prelude::*;

use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::ReleaseKey;
use crate::pages::query::{query_setter, query_value};
use crate::ui::editor::YamlEditor;
use crate::ui::state::{EmptyState, shown, skeleton_lines};
use crate::ui::text::{CopyButton, text_with_links};
use crate::ui::toolbar::ToggleGroup;

/// What the chart wants to say after an install.
#[component]
pub fn Notes(release: ReleaseKey, revision: u32) -> impl IntoView {
    let notes = fetch(move || client().notes(release.clone(), Some(revision)));
    let content = move || match notes.data.get() {
        Some(text) if !text.trim().is_empty() => text_with_links(&text),
        _ => view! {
            <EmptyState title="No release notes" name="info">
                <p>"This chart has none."</p>
            </EmptyState>
        }
        .into_any(),
    };
    shown(notes, || skeleton_lines(5), content)
}

/// The values that the user gave, or those that helm rendered with.
#[component]
pub fn Values(release: ReleaseKey, revision: u32) -> impl IntoView {
    let values = fetch(move || client().values(release.clone(), Some(revision)));
    let (which, set) = (query_value("values"), query_setter());
    let computed = Memo::new(move || which.with(|which| which == "computed"));
    let text = Memo::new(move || {
        values.data.with(|values| match values {
            Some(values) if computed.get() => values.computed.clone(),
            Some(values) => values.user.clone(),
            None => String::new(),
        })
    });
    let content = move || {
        view! {
            <div class="list-tools">
                <ToggleGroup
                    label="Which values"
                    options=vec![("user", "Given by users"), ("computed", "All, computed")]
                    value=Signal::derive(move || if computed.get() { "computed" } else { "user" }.to_owned())
                    on_change=Callback::new(move |which: &'static str| set.run(vec![("values", which.to_owned())]))
                />
                <CopyButton text />
            </div>
            {dynamic(move || {
                if text.with(|text| text.trim().is_empty()) {
                    view! {
                        <EmptyState title="No values were given" name="info">
                            <p>"The chart’s own values apply. “All, computed” shows them."</p>
                        </EmptyState>
                    }
                        .into_any()
                } else {
                    view! { <YamlEditor label="Values" value=text /> }.into_any()
                }
            })}
        }
        .into_any()
    };
    shown(values, || skeleton_lines(8), content)
}

/// What helm sent to the cluster.
#[component]
pub fn Manifest(release: ReleaseKey, revision: u32) -> impl IntoView {
    let manifest = fetch(move || client().manifest(release.clone(), Some(revision)));
    let text = Memo::new(move || manifest.data.get().unwrap_or_default());
    let content = move || {
        view! {
            <div class="list-tools">
                <span class="note">"Ctrl+F or ⌘F in the text searches in all of it."</span>
                <CopyButton text />
            </div>
            <YamlEditor label="Manifest" value=text />
        }
        .into_any()
    };
    shown(manifest, || skeleton_lines(12), content)
}
