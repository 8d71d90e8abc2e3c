//! The values in the form: as fields or as YAML, what will be sent, and what is wrong with them. The text is the truth, and
//! both views change it alone.
//!
//! An install begins with the chart's whole `values.yaml`. Sending that whole text would pin each default of this version for
//! ever, so only what the user changed is sent. An upgrade begins with what the user gave before, and sends the whole of it.

pub mod check;
mod elsewhere;
mod merged;
mod views;

use crate::signals::{Memo, Slot, dynamic, effect};
use leptos::prelude::*;

use super::chart::Chart;
use super::draft::Field;
use super::form::Form;
use super::recall::recalled;
use crate::model::ValuesPolicy;
use crate::ui::button::{button, more};
use crate::ui::editor::{YamlEditor, overlay};
use crate::ui::modal::{Modal, close_dialog};
use crate::words::t;
use check::{Question, checked};
use elsewhere::{Taken, TakenDialog, other_release, upload};
use merged::merged;
use views::Views;

/// What the editor begins with.
#[derive(Clone, Copy)]
pub enum Base {
    /// The chart's values: what is sent is the difference to them.
    Chart,
    /// The release's own values, sent as they are.
    Release(RwSignal<String>),
}

/// The section.
#[component]
pub fn ValuesSection(form: Form, chart: Chart, base: Base) -> impl IntoView {
    let detail = chart.detail;
    let defaults =
        Memo::new(move || detail.data.with(|detail| detail.map(|it| it.values.clone()).unwrap_or_default()));
    let base_text = Memo::new(move || match base {
        Base::Chart => defaults.get(),
        Base::Release(values) => values.get(),
    });
    effect(move || {
        // A chart that is not there has no values to carry anything over to.
        if matches!(base, Base::Release(_)) || detail.data.is_some() {
            base_text.with(|base| form.carry_over(base));
        }
    });
    if let Base::Release(_) = base {
        review_defaults(form, defaults, base_text);
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
    // What lies between the text and the chart's own values.
    let below = Memo::new(move || match base {
        Base::Release(values) if form.draft.with(|draft| draft.options.values != ValuesPolicy::Reset) => {
            values.get()
        }
        _ => String::new(),
    });
    let question = Question { form, chart, text, below };
    let check = checked(question);
    form.ask_before_sending(question);
    let change = Callback::new(move |text| form.edit_values(text, base_text.get_untracked()));
    let is_edited = Memo::new(move || edited.with(Option::is_some));
    let taken = Slot::<Taken>::new();
    // What was typed is not given up without a word.
    let take = Callback::new(move |offer: Taken| {
        if is_edited.get_untracked() || offer.is_to_be_shown {
            taken.set(Some(offer));
        } else {
            change.run(offer.text);
        }
    });
    let file_error = RwSignal::new(String::new());
    let views = Views { form, chart, text, check, change, whole: matches!(base, Base::Chart) };
    view! {
        <section class="values" aria-labelledby="values-title">
            <div class="values-head">
                <h2 class="pf-v6-c-title pf-m-h2" id="values-title">
                    {t("Values")}
                </h2>
                {readme(chart)}
                {upload(take, file_error)}
                {other_release(take)}
                {dynamic(move || {
                    is_edited
                        .get()
                        .then(|| {
                            button(
                                "pf-v6-c-button pf-m-link pf-m-inline",
                                t("Undo all changes"),
                                move || form.undo_values(),
                            )
                        })
                })}
            </div>
            <p class="field-error" role="alert">
                {dynamic(move || file_error.get())}
            </p>
            {recalled(form, chart, base_text, change)}
            {dynamic(move || merged(form, base_text))}
            {dynamic(move || {
                let is_bare = matches!(base, Base::Release(_)) && text.with(|text| text.trim().is_empty());
                is_bare
                    .then(|| {
                        let words = t(
                            "This release was given no values of its own: it has the chart’s defaults, which are shown below. Write here what is to differ.",
                        );
                        view! { <p class="note">{words}</p> }
                    })
            })}
            <div id="values" tabindex="-1">
                {views.draw()}
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
            {matches!(base, Base::Release(_)).then(|| default_values(defaults))}
        </section>
        {dynamic(move || {
            taken
                .get()
                .map(|offer| {
                    let is_edited = is_edited.get_untracked();
                    view! {
                        <TakenDialog
                            offer
                            is_edited
                            take=change
                            on_close=Callback::new(move |()| taken.set(None))
                        />
                    }
                })
        })}
    }
    .into_any()
}

/// The values that a release was given stay as they are over the defaults of another version; what these have changed is said.
fn review_defaults(form: Form, defaults: Memo<String>, users: Memo<String>) {
    let mut before: Option<String> = None;
    effect(move || {
        let now = defaults.get();
        if now.is_empty() {
            return;
        }
        if let Some(before) = before.replace(now.clone()).filter(|before| *before != now) {
            let edited = form.draft.with_untracked(|draft| draft.edited.as_ref().map(|it| it.text.clone()));
            form.review(&before, &now, &edited.unwrap_or_else(|| users.get_untracked()));
        }
    });
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
            let words = t("The chart’s own values apply; none are stored with the release.");
            view! { <p class="note">{words}</p> }.into_any()
        }
        (Sent::Changes(changes), _) => more(
            t("Only your changes are stored with the release. Show them"),
            false,
            view! { <pre class="text">{changes}</pre> }.into_any(),
        ),
        (Sent::Whole(_), Base::Chart) => view! {
            <p class="note">
                {t("The whole text is stored with the release: later versions’ defaults will not take its place.")}
            </p>
        }
        .into_any(),
        (Sent::Whole(_), Base::Release(_)) => view! {
            <p class="note">
                {t("These values replace the ones given before. What is not named here is the chart’s default.")}
            </p>
        }
        .into_any(),
    }
}

/// What one wants to read while writing values.
fn default_values(defaults: Memo<String>) -> AnyView {
    let is_shown = RwSignal::new(false);
    view! {
        <details class="more" on:toggle=move |_| is_shown.set(true)>
            <summary>{t("The chart’s default values")}</summary>
            {dynamic(move || {
                is_shown.get().then(|| view! { <YamlEditor label=t("Default values") value=defaults /> })
            })}
        </details>
    }
    .into_any()
}

fn readme(chart: Chart) -> AnyView {
    let readme = Memo::new(move || chart.detail.data.with(|detail| detail.and_then(|it| it.readme.clone())));
    let is_open = RwSignal::new(false);
    let link = move || {
        readme.with(Option::is_some).then(|| {
            button("pf-v6-c-button pf-m-link pf-m-inline", t("View README"), move || is_open.set(true))
        })
    };
    let dialog = move || {
        is_open.get().then(|| {
            let html = readme.get_untracked().unwrap_or_default();
            view! {
                <Modal
                    title="README"
                    wide=true
                    on_close=Callback::new(move |()| is_open.set(false))
                    footer=|| button("pf-v6-c-button pf-m-secondary", t("Close"), close_dialog)
                >
                    <div class="pf-v6-c-content readme" tabindex="0" inner_html=html></div>
                </Modal>
            }
        })
    };
    view! {
        {dynamic(link)}
        {dynamic(dialog)}
    }
    .into_any()
}
