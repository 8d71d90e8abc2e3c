//! The same in a terminal.

use leptos::prelude::*;

use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::SubmitOperation;
use crate::signals::Views;
use crate::ui::button::button;
use crate::ui::modal::{Modal, close_dialog};
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::text::CopyButton;
use crate::words::{t, told};

/// The dialog with the command line that would do what the form does.
#[component]
pub fn CommandDialog(request: SubmitOperation, on_close: Callback<()>) -> impl IntoView {
    let has_values = !request.values.trim().is_empty();
    let values = Signal::stored(request.values.clone());
    let line = fetch(move || client().command_for(request.clone()));
    let content = move || {
        let line = line.data.get_untracked();
        let text = Signal::stored(line.as_ref().map(|line| line.text.clone()).unwrap_or_default());
        let remarks = line.into_iter().flat_map(|line| line.remarks);
        let remarks = remarks.map(|remark| view! { <li>{told(&remark)}</li> }).views();
        let file = has_values.then(|| {
            view! {
                <div class="list-tools">
                    <b>"values.yaml"</b>
                    <CopyButton text=values />
                </div>
                <pre class="text">{values.get_untracked()}</pre>
            }
        });
        view! {
            <div class="values">
                <div class="list-tools">
                    <span class="note">{t("What Slipway has Helm do, for your own shell.")}</span>
                    <CopyButton text />
                </div>
                <pre class="text">{text.get_untracked()}</pre>
                <ul class="remarks">{remarks}</ul>
                {file}
            </div>
        }
        .into_any()
    };
    view! {
        <Modal
            title=t("The same in a terminal")
            wide=true
            on_close
            footer=|| button("pf-v6-c-button pf-m-secondary", t("Close"), close_dialog)
        >
            {shown(line, || skeleton_lines(4), content)}
        </Modal>
    }
}
