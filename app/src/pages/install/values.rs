//! The values in the form: an editor, what will be sent, and the chart's own texts beside it.
//!
//! An install begins with the chart's whole `values.yaml` in the editor. Sending that whole text would pin each default of
//! this version for ever, so only what the user changed is sent. An upgrade begins with what the user gave before, and
//! sends the whole of it.

use crate::signals::{Memo, dynamic, effect};
use leptos::prelude::*;

use super::draft::Field;
use super::form::Form;
use crate::client::fetch::Fetched;
use crate::model::ChartDetail;
use crate::ui::button::{button, more};
use crate::ui::editor::{YamlEditor, overlay};

/// What the editor begins with.
#[derive(Clone, Copy)]
pub enum Base {
    /// The chart's values: what is sent is the difference to them.
    Chart,
    /// The release's own values, sent as they are.
    Release(Signal<String>),
}

/// The section.
#[component]
pub fn ValuesSection(form: Form, detail: Fetched<ChartDetail>, base: Base) -> impl IntoView {
    let defaults =
        Memo::new(move || detail.data.with(|detail| detail.map(|it| it.values.clone()).unwrap_or_default()));
    let base_text = Memo::new(move || match base {
        Base::Chart => defaults.get(),
        Base::Release(values) => values.get(),
    });
    if matches!(base, Base::Chart) {
        effect(move || base_text.with(|base| form.carry_over(base)));
    }
    let edited = Memo::new(move || form.draft.with(|draft| draft.edited.clone()));
    let text = Memo::new(move || edited.get().map_or_else(|| base_text.get(), |edited| edited.text));
    let sent = Memo::new(move || {
        let (base_text, text) = (base_text.get(), text.get());
        match base {
            Base::Chart if text == base_text => Sent::Nothing,
            Base::Chart => match overlay(&base_text, &text) {
                Some(changes) if changes.trim().is_empty() => Sent::Nothing,
                Some(changes) => Sent::Changes(changes),
                None => Sent::Whole(text),
            },
            Base::Release(_) => Sent::Whole(text),
        }
    });
    effect(move || {
        form.values.set(match sent.get() {
            Sent::Nothing => String::new(),
            Sent::Changes(text) | Sent::Whole(text) => text,
        });
    });
    let is_edited = Memo::new(move || edited.with(Option::is_some));
    let reset = move || form.draft.update(|draft| draft.edited = None);
    view! {
        <section class="values" aria-labelledby="values-title">
            <div class="values-head">
                <h2 class="pf-v6-c-title pf-m-h2" id="values-title">
                    "Values"
                </h2>
                {dynamic(move || {
                    is_edited
                        .get()
                        .then(|| {
                            button("pf-v6-c-button pf-m-link pf-m-inline", "Undo all changes", reset)
                        })
                })}
            </div>
            <div id="values" tabindex="-1">
                <YamlEditor
                    label="Values, YAML. Tab leaves the editor."
                    value=text
                    errors=Signal::derive(move || form.refused_lines())
                    on_change=Callback::new(move |text| form.edit_values(text, base_text.get_untracked()))
                />
            </div>
            {dynamic(move || {
                form.error_at(Field::Values)
                    .map(|error| {
                        view! {
                            <p class="field-error" role="alert">
                                {error}
                            </p>
                        }
                    })
            })}
            {dynamic(move || sent_view(sent.get(), base))}
            <Reference detail defaults base />
        </section>
    }
}

#[derive(Clone, PartialEq)]
enum Sent {
    Nothing,
    Changes(String),
    Whole(String),
}

fn sent_view(sent: Sent, base: Base) -> AnyView {
    match (sent, base) {
        (Sent::Nothing, _) => {
            view! { <p class="note">"The chart’s own values apply; none are stored with the release."</p> }.into_any()
        }
        (Sent::Changes(changes), _) => more(
            "Only your changes are stored with the release. Show them",
            false,
            view! { <pre class="text">{changes}</pre> }.into_any(),
        ),
        (Sent::Whole(_), Base::Chart) => view! {
            <p class="note">
                "The whole text is stored with the release: later versions’ defaults will not take its place."
            </p>
        }
        .into_any(),
        (Sent::Whole(_), Base::Release(_)) => {
            view! { <p class="note">"These values replace the ones given before. What is not named here is the chart’s default."</p> }
                .into_any()
        }
    }
}

/// What one wants to read while writing values.
#[component]
fn Reference(detail: Fetched<ChartDetail>, defaults: Memo<String>, base: Base) -> impl IntoView {
    let readme = Memo::new(move || detail.data.with(|detail| detail.and_then(|it| it.readme.clone())));
    let shows_defaults = RwSignal::new(false);
    view! {
        {matches!(base, Base::Release(_))
            .then(|| {
                view! {
                    <details class="more" on:toggle=move |_| shows_defaults.set(true)>
                        <summary>"The chart’s default values"</summary>
                        {dynamic(move || {
                            shows_defaults.get().then(|| view! { <YamlEditor label="Default values" value=defaults /> })
                        })}
                    </details>
                }
            })}
        {dynamic(move || {
            readme
                .get()
                .map(|html| {
                    let readme = view! { <div class="pf-v6-c-content readme" inner_html=html></div> };
                    more("README of the chart", false, readme.into_any())
                })
        })}
    }
}
