//! A dialog over the page. The browser's own `<dialog>` keeps the focus inside and makes the rest inert.

use crate::signals::effect;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::icon::icon;
use crate::words::t;

/// Closes the dialog that is open, as Escape does. The browser then gives the focus back to where it was before.
pub fn close_dialog() {
    let dialog = document().query_selector("dialog[open]").ok().flatten();
    if let Some(dialog) = dialog.and_then(|dialog| dialog.dyn_into::<web_sys::HtmlDialogElement>().ok()) {
        dialog.close();
    }
}

/// The button at the corner of a panel that closes it.
pub fn close_button() -> AnyView {
    view! {
        <button
            type="button"
            class="pf-v6-c-button pf-m-plain panel-close"
            aria-label=t("Close")
            title=t("Close")
            on:click=move |_| close_dialog()
        >
            <span class="pf-v6-c-button__icon">{icon("close")}</span>
        </button>
    }
    .into_any()
}

/// Opens the dialog of that reference as soon as it is there.
pub fn open_dialog(dialog: NodeRef<html::Dialog>) {
    effect(move || {
        if let Some(dialog) = dialog.get() {
            // It fails only for a dialog that is open or not in the page; this one is neither.
            let _ = dialog.show_modal();
        }
    });
}

/// A modal dialog, open from the start. Escape closes it.
#[component]
pub fn Modal(
    /// Its title.
    #[prop(into)]
    title: String,
    /// It holds a text.
    #[prop(optional)]
    wide: bool,
    /// It was closed.
    on_close: Callback<()>,
    /// The buttons at its foot.
    #[prop(into)]
    footer: ViewFn,
    /// Its body.
    children: Children,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    open_dialog(dialog);
    view! {
        <dialog
            node_ref=dialog
            class=if wide { "modal modal-wide" } else { "modal" }
            aria-labelledby="modal-title"
            on:close=move |_: leptos::ev::Event| on_close.run(())
        >
            <div class="pf-v6-c-modal-box">
                <header class="pf-v6-c-modal-box__header">
                    <h2 class="pf-v6-c-modal-box__title" id="modal-title">
                        <span class="pf-v6-c-modal-box__title-text">{title}</span>
                    </h2>
                </header>
                <div class="pf-v6-c-modal-box__body">{children()}</div>
                <footer class="pf-v6-c-modal-box__footer">{footer.run()}</footer>
            </div>
        </dialog>
    }
    .into_any()
}
