//! The dialogs that the address of a release asks for, as `?action=uninstall`: each says what it will do, does it, and
//! keeps what the server refuses.

use leptos::prelude::*;

use super::Live;
use crate::client::{Answer, client};
use crate::model::{OperationId, OperationKind, Phase, ReleaseKey, Way, WayAction};
use crate::pages::install::form::Form;
use crate::pages::install::options::{dialog_options, keep_history};
use crate::pages::query::query_value;
use crate::pages::route::Route;
use crate::pages::sending::accepted;
use crate::pages::title::focus_heading;
use crate::signals::{Memo, dynamic, effect};
use crate::ui::address::Address;
use crate::ui::button::button;
use crate::ui::field::{FormGroup, Hint, TextInput};
use crate::ui::modal::{Modal, close_dialog};

/// What is said of an action that has a dialog: its word in the address, the dialog's title, and what its button says.
struct Words {
    word: &'static str,
    title: &'static str,
    verb: &'static str,
}

fn words(action: WayAction) -> Words {
    let (word, title, verb) = match action {
        WayAction::Cancel => ("cancel", "Cancel the operation?", "Cancel operation"),
        WayAction::Uninstall => ("uninstall", "Uninstall Helm release?", "Uninstall"),
        WayAction::Test => ("test", "Run the release’s tests?", "Run tests"),
        WayAction::Again => ("again", "Run it again?", "Run again"),
        WayAction::MarkFailed => ("mark-failed", "Mark as failed?", "Mark as failed"),
        WayAction::Rollback => ("rollback", "Roll back?", "Roll back"),
        WayAction::Upgrade => ("", "", "Upgrade"),
    };
    Words { word, title, verb }
}

/// The words on the button that leads to a way.
pub fn way_words(way: &Way) -> String {
    let verb = words(way.action).verb;
    way.revision.map_or_else(|| verb.to_owned(), |revision| format!("{verb} to revision {revision}"))
}

/// The address of an action's dialog.
pub fn dialog_href(release: &ReleaseKey, action: WayAction) -> String {
    format!("{}?action={}", Route::release(release), words(action).word)
}

/// The dialog that the address asks for, as long as what it is about can be done.
#[component]
pub fn Dialogs(release: ReleaseKey, live: Live) -> impl IntoView {
    let action = query_value("action");
    let is_asked = Memo::new(move || action.with(|action| !action.is_empty()) && live.is_known.get());
    let way = Memo::new(move || {
        let action = action.get();
        let is_meant = |way: &&Way| words(way.action).word == action && way.why_not.is_none();
        // A rollback without its revision has a page of its own.
        let find = |ways: &Vec<Way>| {
            ways.iter()
                .find(is_meant)
                .filter(|way| (way.action == WayAction::Rollback) == way.revision.is_some())
                .cloned()
        };
        if !is_asked.get() {
            return None;
        }
        live.ways.with(find).or_else(|| live.actions.with(find))
    });
    // Once there is nothing left to ask, the address says so too: a later state must not meet the dialog.
    let address = Address::get();
    let page = Route::release(&release).to_string();
    effect(move || {
        if is_asked.get() && way.with(Option::is_none) {
            address.replace(&page);
            focus_heading();
        }
    });
    dynamic(move || way.get().map(|way| view! { <WayDialog release=release.clone() way live /> }))
}

#[component]
fn WayDialog(release: ReleaseKey, way: Way, live: Live) -> impl IntoView {
    let (action, revision) = (way.action, way.revision);
    let is_uninstall = action == WayAction::Uninstall;
    let typed = RwSignal::new(String::new());
    let form = Form::of_dialog(kind_of(action), &release);
    let address = Address::get();
    let page = Route::release(&release).to_string();
    let close = Callback::new(move |()| address.replace(&page));
    let of = StoredValue::new(release.name.clone());
    let is_ready = Memo::new(move || {
        let is_named = !is_uninstall || of.with_value(|of| typed.with(|typed| typed == of));
        is_named && !form.sending.is_busy.get()
    });
    let Words { title, verb, .. } = words(action);
    let operation = live.operation.with_untracked(|operation| operation.as_ref().map(|it| it.id.clone()));
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if !is_ready.get_untracked() {
            return;
        }
        let done = |_| {
            close_dialog();
            // Where the focus was may be gone with the state that it belonged to.
            focus_heading();
        };
        match (action, operation.clone()) {
            (WayAction::Cancel, Some(id)) => form.sending.send(|| cancelled(id), done),
            (WayAction::Again, Some(id)) => form.sending.send(|| accepted(client().again(id)), done),
            _ => form.send(None, move |request| request.options.revision = revision, done),
        }
    };
    let class = match action {
        WayAction::Cancel | WayAction::Uninstall => "pf-v6-c-button pf-m-danger",
        _ => "pf-v6-c-button pf-m-primary",
    };
    let dismiss = if action == WayAction::Cancel { "Let it go on" } else { "Cancel" };
    let footer = move || {
        view! {
            <button
                type="submit"
                form="dialog-form"
                class=class
                autofocus=!is_uninstall
                disabled=Signal::derive(move || !is_ready.get())
            >
                <span class="pf-v6-c-button__text">{verb}</span>
            </button>
            {button("pf-v6-c-button pf-m-link", dismiss, close_dialog)}
        }
        .into_any()
    };
    let confirmation = is_uninstall.then(move || {
        let hint = Hint::Plain("Type the release’s name to confirm.".to_owned());
        view! {
            <FormGroup id="confirm-name" label="Release name" required=true hint=hint.clone()>
                <TextInput id="confirm-name" value=typed on_input=move |text| typed.set(text) hint=hint />
            </FormGroup>
        }
    });
    // Of an uninstalled release only its history is left.
    let has_resources = live.phase.with_untracked(|phase| *phase != Phase::Uninstalled);
    let keep = (is_uninstall && has_resources).then(|| keep_history(form));
    let has_options =
        matches!(action, WayAction::Rollback | WayAction::Test) || is_uninstall && has_resources;
    let title =
        revision.map_or_else(|| title.to_owned(), |revision| format!("Roll back to revision {revision}?"));
    view! {
        <Modal title=title on_close=close footer>
            <p class="modal-text">
                "Release " <b>{release.name}</b> " in the namespace " <b>{release.namespace}</b> ". " {way.effect}
            </p>
            <form id="dialog-form" class="pf-v6-c-form" novalidate on:submit=submit>
                {confirmation} {keep} {has_options.then(|| dialog_options(form))} {form.refusal_view()}
            </form>
        </Modal>
    }
}

/// What is submitted for an action, where something is.
fn kind_of(action: WayAction) -> OperationKind {
    match action {
        WayAction::Rollback => OperationKind::Rollback,
        WayAction::Uninstall => OperationKind::Uninstall,
        WayAction::Test => OperationKind::Test,
        _ => OperationKind::MarkFailed,
    }
}

fn cancelled(id: OperationId) -> Answer<OperationId> {
    let answer = client().cancel(id);
    Box::pin(async move { Ok(answer.await?.id) })
}
