//! The dialog that uninstalls: the name is typed, so that no release goes by a slip of the hand.

use crate::signals::{Memo, dynamic};
use leptos::prelude::*;

use crate::client::{client, new_key};
use crate::model::{ApiError, OperationKind, OperationOptions, ReleaseKey, SubmitOperation, Tone};
use crate::pages::route::Route;
use crate::ui::address::Address;
use crate::ui::alert::Alert;
use crate::ui::field::{FormGroup, Hint, TextInput};
use crate::ui::modal::{Modal, close_dialog};

/// The dialog.
#[component]
pub fn Uninstall(release: ReleaseKey) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let sending = RwSignal::new(false);
    let error = RwSignal::new(None::<ApiError>);
    let address = Address::get();
    let page = Route::release(&release).to_string();
    let close = Callback::new(move |()| {
        address.replace(&page);
    });
    let name = StoredValue::new(release.name.clone());
    let matches = Memo::new(move || name.with_value(|name| typed.with(|typed| typed == name)));
    // One intent, one key: pressed twice it is still one operation.
    let key = new_key();
    let request = StoredValue::new(SubmitOperation {
        kind: OperationKind::Uninstall,
        namespace: release.namespace.clone(),
        name: release.name.clone(),
        chart: None,
        values: String::new(),
        options: OperationOptions::default(),
        idempotency_key: Some(key),
    });
    let submit = move || {
        if !matches.get_untracked() || sending.get_untracked() {
            return;
        }
        sending.set(true);
        let answer = client().submit(request.get_value());
        leptos::task::spawn_local(async move {
            match answer.await {
                Ok(_) => close_dialog(),
                Err(refusal) => {
                    error.try_set(Some(refusal));
                }
            }
            sending.try_set(false);
        });
    };
    let footer = move || {
        view! {
            <button
                type="button"
                class="pf-v6-c-button pf-m-danger"
                disabled=Signal::derive(move || !matches.get() || sending.get())
                on:click=move |_| submit()
            >
                <span class="pf-v6-c-button__text">"Uninstall"</span>
            </button>
            <button type="button" class="pf-v6-c-button pf-m-link" on:click=move |_| close_dialog()>
                <span class="pf-v6-c-button__text">"Cancel"</span>
            </button>
        }
        .into_any()
    };
    let hint = Hint::Plain("Type the release’s name to confirm.".to_owned());
    view! {
        <Modal title="Uninstall Helm release?" on_close=close footer>
            <p class="modal-text">
                "This deletes the resources of " <b>{release.name}</b> " in the namespace "
                <b>{release.namespace}</b> " and its history. It cannot be undone."
            </p>
            <form
                class="pf-v6-c-form"
                on:submit=move |event| {
                    event.prevent_default();
                    submit();
                }
            >
                <FormGroup id="confirm-name" label="Release name" required=true hint=hint.clone()>
                    <TextInput id="confirm-name" value=typed on_input=move |text| typed.set(text) hint=hint />
                </FormGroup>
            </form>
            {dynamic(move || {
                error
                    .get()
                    .map(|error| {
                        view! {
                            <Alert tone=Tone::Danger title=error.title()>
                                {error.to_string()}
                            </Alert>
                        }
                    })
            })}
        </Modal>
    }
}
