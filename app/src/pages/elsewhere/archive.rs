//! A chart that is uploaded.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::{Change, Looked, State, size_words};
use crate::client::client;
use crate::client::upload::upload;
use crate::model::{ApiError, Tone, Uploaded};
use crate::pages::frame::told_alert;
use crate::pages::route::Origin;
use crate::signals::{Memo, dynamic};
use crate::ui::button::button;
use crate::ui::progress::ProgressBar;
use crate::words::{say, t, told};

/// The largest archive that the server takes, in bytes (`charts/elsewhere.rs` there).
const LARGEST: f64 = 1_000_000.0;

fn looked(uploaded: Uploaded) -> Looked {
    Looked { origin: Origin::Upload(uploaded.upload), chart: uploaded.chart }
}

/// Looks at an archive that was uploaded before.
pub fn recall(state: State, id: String) {
    state.turn.update(|turn| *turn += 1);
    state.is_busy.set(true);
    let (turn, answer) = (state.turn.get_untracked(), client().uploaded(id.clone()));
    leptos::task::spawn_local(async move {
        let answer = answer.await;
        state.take(turn, answer.map(looked), Box::new(move || recall(state, id)));
    });
}

/// Sends a file, unless one sees beforehand that it is refused.
fn send(state: State, set: Change, file: web_sys::File) {
    state.forget();
    let Some(namespace) = state.target() else { return };
    if file.size() > LARGEST {
        let (name, size) = (file.name(), size_words(file.size()));
        let message = say(
            "{name} has {size}. An uploaded chart has at most 1 MB; put it into a repository or a registry.",
            &[("name", &name), ("size", &size)],
        );
        state.refusal.set(Some(ApiError::TooLarge { message }));
        return;
    }
    state.is_busy.set(true);
    state.sent.set(Some(0));
    let turn = state.turn.get_untracked();
    let progress = move |percent| {
        if state.is_at(turn) {
            state.sent.set(Some(percent));
        }
    };
    let answer = upload(&namespace, &file, progress);
    leptos::task::spawn_local(async move {
        let answer = answer.await;
        let id = answer.as_ref().ok().map(|it| it.upload.clone());
        if state.take(turn, answer.map(looked), Box::new(move || send(state, set, file)))
            && let Some(id) = id
        {
            set.run(vec![("upload", id)]);
        }
    });
}

/// Where a file is dropped or chosen, and what became of the last one.
pub fn field(state: State, set: Change) -> AnyView {
    let is_over = RwSignal::new(false);
    let take = move |files: Option<web_sys::FileList>| {
        let Some(files) = files else { return };
        match (files.length(), files.get(0)) {
            (1, Some(file)) => send(state, set, file),
            (0, _) | (1, None) => {}
            _ => {
                state.forget();
                let words = t("A chart is one archive: choose or drop one file.");
                state.refusal.set(Some(ApiError::invalid("archive", words)));
            }
        }
    };
    let on_drop = move |event: web_sys::DragEvent| {
        event.prevent_default();
        is_over.set(false);
        take(event.data_transfer().and_then(|dropped| dropped.files()));
    };
    let on_over = move |event: web_sys::DragEvent| {
        // Else the browser opens the file.
        event.prevent_default();
        is_over.set(true);
    };
    let on_choose = move |event: web_sys::Event| {
        let chosen = event.target().and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
        if let Some(chosen) = chosen {
            take(chosen.files());
            // The same file can be chosen again, changed meanwhile.
            chosen.set_value("");
        }
    };
    let open = || {
        let input = document().get_element_by_id("archive");
        if let Some(input) = input.and_then(|input| input.dyn_into::<web_sys::HtmlElement>().ok()) {
            input.click();
        }
    };
    let is_sending = Memo::new(move || state.sent.with(Option::is_some));
    let progress = move || {
        is_sending.get().then(|| {
            let percent = Signal::derive(move || state.sent.get().unwrap_or_default());
            let label = Signal::derive(|| t("Uploading").to_owned());
            view! { <ProgressBar label percent tone=Signal::derive(|| Tone::Progress) /> }
        })
    };
    let said = move || {
        let is_about_namespace = state.refusal_at("namespace").is_some();
        let refusal = state.refusal.get().filter(|_| !is_about_namespace)?;
        let text = told(&refusal.to_string());
        let is_about_archive = matches!(refusal, ApiError::Invalid { .. } | ApiError::TooLarge { .. });
        let title = match is_about_archive {
            true => t("The archive cannot be used").to_owned(),
            false => told(refusal.title()),
        };
        Some(told_alert(Tone::Danger, title, text))
    };
    view! {
        <div class="pf-v6-c-form__group">
            <div class="pf-v6-c-form__group-label">
                <span class="pf-v6-c-form__label-text" id="archive-label">
                    {t("Chart archive")}
                </span>
            </div>
            <div
                class=move || if is_over.get() { "drop-zone drop-over" } else { "drop-zone" }
                role="group"
                aria-labelledby="archive-label"
                aria-describedby="archive-hint"
                on:dragover=on_over
                on:dragleave=move |_| is_over.set(false)
                on:drop=on_drop
            >
                <p>{t("Drag and drop a .tgz file here")}</p>
                {button("pf-v6-c-button pf-m-secondary", t("Choose a file"), open)}
                <input
                    type="file"
                    id="archive"
                    hidden
                    accept=".tgz,.tar.gz,application/gzip"
                    aria-label=t("Chart archive")
                    on:change=on_choose
                />
                <p class="note" id="archive-hint">
                    {t("As helm package makes it, at most 1 MB. It is kept for a day, for you alone.")}
                </p>
                {dynamic(progress)}
            </div>
        </div>
        <div role="alert">{dynamic(said)}</div>
    }
    .into_any()
}
