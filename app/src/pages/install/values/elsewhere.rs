//! Values from elsewhere: a file, or another release.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{ReleaseKey, Tone};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::alert::Alert;
use crate::ui::button::button;
use crate::ui::editor::YamlEditor;
use crate::ui::modal::{Modal, close_dialog};
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::toolbar::SearchInput;
use crate::words::{count, say, t, told};

/// The largest file that is read, in bytes: the server takes no more.
const FILE_MAX: f64 = 512.0 * 1024.0;
/// The id of the field that takes a file.
const FILE: &str = "values-file";
/// As many releases are listed at a time.
const LISTED_MAX: usize = 50;

/// Values that could take the place of those in the form.
#[derive(Clone)]
pub struct Taken {
    /// Where they are from.
    pub from: String,
    /// They.
    pub text: String,
    /// They are to be looked at first.
    pub is_to_be_shown: bool,
}

/// The button that takes a file, which can be dropped on it as well.
pub fn upload(take: Callback<Taken>, error: RwSignal<String>) -> AnyView {
    let read = move |file: Option<web_sys::File>| {
        let Some(file) = file else { return };
        error.set(String::new());
        if file.size() > FILE_MAX {
            error.set(t("The file is too large: values have at most 512 KiB.").to_owned());
            return;
        }
        let from = file.name();
        leptos::task::spawn_local(async move {
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            match text {
                // What is no text comes out with signs in the place of what could not be read.
                Some(text) if !text.contains(['\0', '\u{fffd}']) => {
                    take.run(Taken { from, text, is_to_be_shown: false });
                }
                _ => {
                    error.try_set(say("{file} cannot be read as text.", &[("file", &from)]));
                }
            }
        });
    };
    let chosen = move |_| {
        let Some(input) = file_input() else { return };
        read(input.files().and_then(|files| files.get(0)));
        // The same file can be chosen again.
        input.set_value("");
    };
    let is_over = RwSignal::new(false);
    let dropped = move |event: web_sys::DragEvent| {
        event.prevent_default();
        is_over.set(false);
        read(event.data_transfer().and_then(|data| data.files()).and_then(|files| files.get(0)));
    };
    view! {
        <span
            class=Signal::derive(move || if is_over.get() { "drop drop-over" } else { "drop" })
            on:dragover=move |event| {
                event.prevent_default();
                is_over.set(true);
            }
            on:dragleave=move |_| is_over.set(false)
            on:drop=dropped
        >
            {button(
                "pf-v6-c-button pf-m-link pf-m-inline",
                t("Upload values file"),
                move || {
                    if let Some(input) = file_input() {
                        input.click();
                    }
                },
            )}
            <input
                id=FILE
                type="file"
                hidden
                accept=".yaml,.yml,.json,text/yaml,application/yaml"
                aria-label=t("Values file")
                on:change=chosen
            />
        </span>
    }
    .into_any()
}

fn file_input() -> Option<web_sys::HtmlInputElement> {
    document().get_element_by_id(FILE)?.dyn_into().ok()
}

/// The button for the values of another release, and its dialog.
pub fn other_release(take: Callback<Taken>) -> AnyView {
    let is_open = RwSignal::new(false);
    view! {
        {button(
            "pf-v6-c-button pf-m-link pf-m-inline",
            t("Use another release’s values"),
            move || is_open.set(true),
        )}
        {dynamic(move || {
            is_open.get().then(|| view! { <Releases take on_close=Callback::new(move |()| is_open.set(false)) /> })
        })}
    }
    .into_any()
}

#[component]
fn Releases(take: Callback<Taken>, on_close: Callback<()>) -> impl IntoView {
    let releases = fetch(|| client().releases(None, None));
    let search = RwSignal::new(String::new());
    let error = RwSignal::new(String::new());
    let found = Memo::new(move || {
        let wanted = search.get().to_lowercase();
        let is_wanted = |key: &ReleaseKey| {
            wanted.split_whitespace().all(|word| key.name.contains(word) || key.namespace.contains(word))
        };
        releases.data.with(|list| {
            let rows = list.into_iter().flat_map(|list| &list.releases);
            rows.map(|row| row.key.clone()).filter(is_wanted).collect::<Vec<_>>()
        })
    });
    let choose = move |key: ReleaseKey| {
        error.set(String::new());
        let answer = client().values(key.clone(), None);
        leptos::task::spawn_local(async move {
            match answer.await {
                Ok(values) if values.user.trim().is_empty() => {
                    let release = key.to_string();
                    let words = say("{release} was given no values of its own.", &[("release", &release)]);
                    error.try_set(words);
                }
                Ok(values) => {
                    close_dialog();
                    take.run(Taken { from: key.to_string(), text: values.user, is_to_be_shown: true });
                }
                Err(why) => {
                    error.try_set(told(&why.to_string()));
                }
            }
        });
    };
    let row = move |key: ReleaseKey| {
        let of = key.clone();
        view! {
            <li>
                <button
                    type="button"
                    class="pf-v6-c-button pf-m-link pf-m-inline"
                    on:click=move |_| choose(of.clone())
                >
                    <span class="pf-v6-c-button__text">{key.name}</span>
                </button>
                <span class="note">{key.namespace}</span>
            </li>
        }
    };
    let list = move || {
        let found = found.get();
        if found.is_empty() {
            return view! { <p class="note">{t("No release matches.")}</p> }.into_any();
        }
        let rest = found.len().saturating_sub(LISTED_MAX);
        let rest = (rest > 0).then(|| {
            let words = count(rest, "{n} more: narrow the search.", "{n} more: narrow the search.");
            view! { <li class="note">{words}</li> }
        });
        let rows = found.into_iter().take(LISTED_MAX).map(row).views();
        view! { <ul class="values-releases">{rows} {rest}</ul> }.into_any()
    };
    let content = move || {
        view! {
            <div class="values">
                <SearchInput
                    label=t("Filter by name or namespace")
                    value=search
                    on_input=Callback::new(move |text| search.set(text))
                />
                <p class="field-error" role="alert">
                    {dynamic(move || error.get())}
                </p>
                {dynamic(list)}
            </div>
        }
        .into_any()
    };
    view! {
        <Modal
            title=t("Use another release’s values")
            on_close
            footer=|| button("pf-v6-c-button pf-m-link", t("Cancel"), close_dialog)
        >
            {shown(releases, || skeleton_lines(6), content)}
        </Modal>
    }
}

/// Shows the values that would be taken, and says what they would take the place of.
#[component]
pub fn TakenDialog(
    offer: Taken,
    /// Something was changed in the form.
    is_edited: bool,
    /// They are taken.
    take: Callback<String>,
    on_close: Callback<()>,
) -> impl IntoView {
    let Taken { from, text, .. } = offer;
    let value = Signal::stored(text.clone());
    let accept = move || {
        take.run(text.clone());
        close_dialog();
    };
    let accept = StoredValue::new_local(accept);
    let warning = is_edited.then(|| {
        view! {
            <Alert tone=Tone::Warning title=t("The values that you have typed are replaced")>
                {t("Cancel keeps them.")}
            </Alert>
        }
    });
    view! {
        <Modal
            title=say("Use the values of {from}?", &[("from", &from)])
            wide=true
            on_close
            footer=move || {
                view! {
                    {button(
                        "pf-v6-c-button pf-m-primary",
                        t("Use these values"),
                        move || accept.with_value(|accept| accept()),
                    )}
                    {button("pf-v6-c-button pf-m-link", t("Cancel"), close_dialog)}
                }
                    .into_any()
            }
        >
            <div class="values">
                {warning} <p class="note">{t("What they do not name is the chart’s default.")}</p>
                <YamlEditor label=t("Values to use") value />
            </div>
        </Modal>
    }
}
