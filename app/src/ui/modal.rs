//! A dialog over the page. The browser's own `<dialog>` keeps the focus inside and makes the rest inert.

use leptos::html;
use leptos::prelude::*;

/// A modal dialog, open for as long as it is there. Escape closes it.
#[component]
pub fn Modal(
    /// Its title.
    #[prop(into)]
    title: String,
    /// Somebody wants it closed.
    on_close: Callback<()>,
    /// The buttons at its foot.
    #[prop(into)]
    footer: ViewFn,
    /// Its body.
    children: Children,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        if let Some(dialog) = dialog.get() {
            // It fails only for a dialog that is open or not in the page; this one is neither.
            let _ = dialog.show_modal();
        }
    });
    view! {
        <dialog
            node_ref=dialog
            class="modal"
            aria-labelledby="modal-title"
            on:cancel=move |event: leptos::ev::Event| {
                event.prevent_default();
                on_close.run(());
            }
        >
            <div class="pf-v6-c-modal-box pf-m-sm">
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
