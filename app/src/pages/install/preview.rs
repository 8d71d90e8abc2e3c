//! What helm would make of a form: a dry run, of which nothing is stored in the cluster but what it said.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use crate::client::fetch::fetch;
use crate::client::{Answer, client};
use crate::model::{Failure, OperationId, Preview, Tone};
use crate::pages::release::failure::said_by_helm;
use crate::ui::alert::Alert;
use crate::ui::button::{button, more};
use crate::ui::editor::YamlEditor;
use crate::ui::modal::{Modal, close_dialog};
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::text::{CopyButton, text_with_links};

/// How often it is asked whether the dry run is over, in milliseconds.
const ASK_EVERY_MS: u32 = 500;

/// What came of a dry run.
type Rendered = Result<Preview, Failure>;

/// The dialog for the dry run `id`. Closed before the end of that, it cancels it.
#[component]
pub fn PreviewDialog(id: OperationId, on_close: Callback<()>) -> impl IntoView {
    let of = id.clone();
    let rendered = fetch(move || ended(of.clone()));
    let close = move |()| {
        if !rendered.data.is_some() {
            let answer = client().cancel(id.clone());
            // If it is over by now, nothing is lost; if it is not, it ends by itself.
            leptos::task::spawn_local(async move { drop(answer.await) });
        }
        on_close.run(());
    };
    let loading = || {
        view! {
            <p class="modal-text">"When it is its turn, Helm fetches and renders the chart…"</p>
            {skeleton_lines(8)}
        }
        .into_any()
    };
    let content = move || match rendered.data.get_untracked() {
        Some(Ok(preview)) => preview_view(preview),
        Some(Err(failure)) => failure_view(failure),
        None => ().into_any(),
    };
    view! {
        <Modal
            title="Preview"
            wide=true
            on_close=Callback::new(close)
            footer=|| button("pf-v6-c-button pf-m-secondary", "Close", close_dialog)
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

fn preview_view(Preview { manifest, hooks, notes }: Preview) -> AnyView {
    let text = if hooks.is_empty() {
        manifest
    } else {
        format!("{manifest}---\n# The hooks, which run before or after the rest.\n{hooks}")
    };
    let text = Signal::stored(text);
    let notes = (!notes.trim().is_empty()).then(|| more("Release notes", false, text_with_links(&notes)));
    view! {
        <div class="values">
            <div class="list-tools">
                <span class="note">"What Helm would send to the cluster. Nothing of it is stored, and no hook has run."</span>
                <CopyButton text />
            </div>
            <YamlEditor label="Manifests" value=text />
            {notes}
        </div>
    }
    .into_any()
}

fn failure_view(Failure { cause, advice, text, .. }: Failure) -> AnyView {
    view! {
        <Alert tone=Tone::Danger title=cause>
            {advice.map(|advice| view! { <p>{advice}</p> })} {said_by_helm(text)}
        </Alert>
    }
    .into_any()
}
