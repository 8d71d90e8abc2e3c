//! What helm would make of a form: a dry run, of which nothing is stored in the cluster but what it said.

mod manifests;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use crate::client::fetch::{Fetched, fetch};
use crate::client::{Answer, client};
use crate::model::{Comparison, Facet, Failure, OperationId, OperationKind, Preview, Tone};
use crate::pages::query::{query_setter, query_value};
use crate::pages::release::failure::said_by_helm;
use crate::signals::{Memo, dynamic};
use crate::ui::alert::Alert;
use crate::ui::button::button;
use crate::ui::diff::comparison;
use crate::ui::modal::{Modal, close_dialog};
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::text::text_with_links;
use crate::ui::toolbar::ToggleGroup;
use crate::words::{say, t, told};
use manifests::manifests_view;

use super::form::Form;
use super::frame::FORM_ID;

/// How often it is asked whether the dry run is over, in milliseconds.
const ASK_EVERY_MS: u32 = 500;

/// What came of a dry run.
type Rendered = Result<Preview, Failure>;

/// The dialog for the dry run `id`. Closed before the end of that, it cancels it.
#[component]
pub fn PreviewDialog(form: Form, id: OperationId, on_close: Callback<()>) -> impl IntoView {
    let of = id.clone();
    let rendered = fetch(move || ended(of.clone()));
    let of = id.clone();
    let close = move |()| {
        if !rendered.data.is_some() {
            let answer = client().cancel(of.clone());
            // If it is over by now, nothing is lost; if it is not, it ends by itself.
            leptos::task::spawn_local(async move { drop(answer.await) });
        }
        on_close.run(());
    };
    let loading = || {
        view! {
            <p class="modal-text">{t("When it is its turn, Helm fetches and renders the chart…")}</p>
            {skeleton_lines(8)}
        }
        .into_any()
    };
    // What was looked at is what is sent, by the form that it was made of. The dialog is there until the form is asked.
    let go = move || {
        let verb = if form.kind == OperationKind::Upgrade { t("Upgrade") } else { t("Create") };
        rendered.data.with(|it| it.is_some_and(Result::is_ok)).then(|| {
            view! {
                <button
                    type="submit"
                    form=FORM_ID
                    class="pf-v6-c-button pf-m-primary"
                    on:click=move |_| close_dialog()
                >
                    <span class="pf-v6-c-button__text">{verb}</span>
                </button>
            }
        })
    };
    let content = move || match rendered.data.get_untracked() {
        Some(Ok(preview)) => preview_view(form, id.clone(), preview),
        Some(Err(failure)) => failure_view(failure),
        None => ().into_any(),
    };
    view! {
        <Modal
            title=t("Preview")
            wide=true
            on_close=Callback::new(close)
            footer=move || view! { {dynamic(go)} {button("pf-v6-c-button pf-m-secondary", t("Close"), close_dialog)} }.into_any()
        >
            {shown(rendered, loading, content)}
        </Modal>
    }
}

fn ended(id: OperationId) -> Answer<Rendered> {
    let client = client();
    Box::pin(async move {
        loop {
            let operation = client.operation(id.clone()).await?;
            match operation.outcome.map(|outcome| outcome.failure) {
                Some(Some(failure)) => return Ok(Err(failure)),
                Some(None) => return Ok(Ok(client.preview(id).await?)),
                None => TimeoutFuture::new(ASK_EVERY_MS).await,
            }
        }
    })
}

/// What is shown of it, by its word in the address.
pub const SHOWN: &str = "show";
const CHANGES: &str = "changes";
const VALUES: &str = "values";
const MANIFESTS: &str = "manifests";
const NOTES: &str = "notes";

/// What would become of the release, and for an upgrade what would change.
fn preview_view(form: Form, id: OperationId, preview: Preview) -> AnyView {
    let is_upgrade = form.kind == OperationKind::Upgrade;
    let has_notes = !preview.notes.trim().is_empty();
    let mut tabs = Vec::new();
    if is_upgrade {
        tabs.extend([(CHANGES, t("Changes")), (VALUES, t("Values"))]);
    }
    tabs.push((MANIFESTS, t("Manifests")));
    if has_notes {
        tabs.push((NOTES, t("Release notes")));
    }
    let (asked, set) = (query_value(SHOWN), query_setter());
    let known: Vec<&'static str> = tabs.iter().map(|(tab, _)| *tab).collect();
    let chosen = Memo::new(move || {
        let found = asked.with(|asked| known.iter().copied().find(|tab| *tab == asked.as_str()));
        found.or(known.first().copied()).unwrap_or(MANIFESTS).to_owned()
    });
    let release = form.release();
    let policy = form.draft.with_untracked(|draft| draft.options.values);
    let body = move || match chosen.get().as_str() {
        CHANGES => {
            let id = id.clone();
            compared(fetch(move || client().compare_preview(id.clone(), Facet::Manifest)))
        }
        VALUES => {
            let release = release.clone();
            compared(fetch(move || client().compare_values(release.clone(), form.values.get(), policy)))
        }
        NOTES => text_with_links(&preview.notes),
        _ => manifests_view(&preview),
    };
    view! {
        <div class="values">
            <span class="note">
                {t("What Helm would send to the cluster. Nothing of it is stored, and no hook has run.")}
            </span>
            {(is_upgrade || has_notes)
                .then(|| {
                    view! {
                        <ToggleGroup
                            label=t("What to show")
                            options=tabs
                            value=chosen
                            on_change=Callback::new(move |tab: &'static str| set.run(vec![(SHOWN, tab.to_owned())]))
                        />
                    }
                })}
            {dynamic(body)}
        </div>
    }
    .into_any()
}

fn compared(found: Fetched<Comparison>) -> AnyView {
    let content = move || {
        let found = found.data.get().unwrap_or_default();
        let revision = found.from.map(|from| from.to_string());
        let words = match &revision {
            Some(revision) if found.from_failed => say(
                "Compared with revision {revision}, which failed: not all of that need be in the cluster.",
                &[("revision", revision)],
            ),
            Some(revision) => say("Compared with revision {revision}.", &[("revision", revision)]),
            None => t("Nothing was deployed before: all of it is new to Helm.").to_owned(),
        };
        view! { <p class="note">{words}</p> {comparison(&found)} }.into_any()
    };
    shown(found, || skeleton_lines(8), content)
}

fn failure_view(Failure { cause, advice, text, .. }: Failure) -> AnyView {
    view! {
        <Alert tone=Tone::Danger title=told(&cause)>
            {advice.map(|advice| view! { <p>{told(&advice)}</p> })} {said_by_helm(text)}
        </Alert>
    }
    .into_any()
}
