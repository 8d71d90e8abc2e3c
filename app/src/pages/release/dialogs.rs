//! The dialogs that the address of a release asks for, as `?action=uninstall`: each says what it will do, does it, and
//! keeps what the server refuses.

use leptos::prelude::*;

use super::Live;
use super::command::{command_for, command_of};
use super::difference::difference;
use crate::client::{Answer, client};
use crate::model::{OperationId, OperationKind, Phase, ReleaseKey, Way, WayAction};
use crate::pages::install::form::Form;
use crate::pages::install::options::{dialog_options, keep_history};
use crate::pages::query::{query_setter, query_value};
use crate::pages::route::Route;
use crate::pages::sending::accepted;
use crate::pages::title::focus_heading;
use crate::signals::{Memo, dynamic, effect};
use crate::ui::button::button;
use crate::ui::field::{FormGroup, Hint, TextInput};
use crate::ui::modal::{Modal, close_dialog};
use crate::words::{phrase, say, t, told};

/// What is compared before a rollback, by its word in the address.
const FACET: &str = "changes";

/// What is said of an action that has a dialog: its word in the address, the dialog's title, and what its button says.
struct Words {
    word: &'static str,
    title: &'static str,
    verb: &'static str,
}

fn words(action: WayAction) -> Words {
    let (word, title, verb) = match action {
        WayAction::Cancel => ("cancel", t("Cancel the operation?"), t("Cancel operation")),
        WayAction::Uninstall => ("uninstall", t("Uninstall Helm release?"), t("Uninstall")),
        WayAction::Test => ("test", t("Run the release’s tests?"), t("Run tests")),
        WayAction::Again => ("again", t("Run it again?"), t("Run again")),
        WayAction::MarkFailed => ("mark-failed", t("Mark as failed?"), t("Mark as failed")),
        WayAction::Rollback => ("rollback", t("Roll back?"), t("Roll back")),
        WayAction::Upgrade => ("", "", t("Upgrade")),
    };
    Words { word, title, verb }
}

/// The words on the button that leads to a way.
pub fn way_words(way: &Way) -> String {
    let verb = words(way.action).verb;
    way.revision.map_or_else(
        || verb.to_owned(),
        |revision| say("Roll back to revision {revision}", &[("revision", &revision.to_string())]),
    )
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
    let set = query_setter();
    effect(move || {
        if is_asked.get() && way.with(Option::is_none) {
            set.run(vec![("action", String::new()), (FACET, String::new())]);
            focus_heading();
        }
    });
    // What else is said of it may change while the dialog is open: what was typed in it stays.
    let which = Memo::new(move || way.with(|way| way.as_ref().map(|way| (way.action, way.revision))));
    dynamic(move || {
        which
            .get()
            .and_then(|_| way.get_untracked())
            .map(|way| view! { <WayDialog release=release.clone() way live /> })
    })
}

#[component]
fn WayDialog(release: ReleaseKey, way: Way, live: Live) -> impl IntoView {
    let (action, revision) = (way.action, way.revision);
    let is_uninstall = action == WayAction::Uninstall;
    let typed = RwSignal::new(String::new());
    let form = Form::of_dialog(kind_of(action), &release);
    let set = query_setter();
    let close = Callback::new(move |()| {
        set.run(vec![("action", String::new()), (FACET, String::new())]);
    });
    let of = StoredValue::new(release.name.clone());
    let is_ready = Memo::new(move || {
        let is_named = !is_uninstall || of.with_value(|of| typed.with(|typed| typed == of));
        is_named && !form.sending.is_busy.get()
    });
    let Words { title, verb, .. } = words(action);
    let operation = live.operation.with_untracked(|operation| operation.as_ref().map(|it| it.id.clone()));
    let again = operation.clone();
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
    let dismiss = if action == WayAction::Cancel { t("Let it go on") } else { t("Cancel") };
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
        let hint = Hint::Plain(t("Type the release’s name to confirm.").to_owned());
        view! {
            <FormGroup id="confirm-name" label=t("Release name") required=true hint=hint.clone()>
                <TextInput id="confirm-name" value=typed on_input=move |text| typed.set(text) hint=hint />
            </FormGroup>
        }
    });
    // Of an uninstalled release only its history is left.
    let has_resources = live.phase.with_untracked(|phase| *phase != Phase::Uninstalled);
    let keep = (is_uninstall && has_resources).then(|| keep_history(form));
    let has_options =
        matches!(action, WayAction::Rollback | WayAction::Test) || is_uninstall && has_resources;
    let title = revision.map_or_else(
        || title.to_owned(),
        |revision| say("Roll back to revision {revision}?", &[("revision", &revision.to_string())]),
    );
    let is_wide = revision.is_some();
    let changes = revision.map(|revision| changes_view(release.clone(), live, revision));
    let command = match (action, again) {
        (WayAction::Again, Some(id)) => Some(command_of(id)),
        _ if has_options || is_uninstall => {
            Some(command_for(form, move |options| options.revision = revision))
        }
        _ => None,
    };
    let bold = |text: String| view! { <b>{text}</b> }.into_any();
    let (name, namespace) = (bold(release.name), bold(release.namespace));
    let about = phrase(
        "Release {name} in the namespace {namespace}.",
        vec![("name", name), ("namespace", namespace)],
    );
    view! {
        <Modal title=title wide=is_wide on_close=close footer>
            <p class="modal-text">{about} " " {told(&way.effect)}</p>
            <form id="dialog-form" class="pf-v6-c-form" novalidate on:submit=submit>
                {changes} {confirmation} {keep} {has_options.then(|| dialog_options(form))} {command} {form.refusal_view()}
            </form>
        </Modal>
    }
}

/// What a rollback to `revision` would change, for whoever wants to see it before.
fn changes_view(release: ReleaseKey, live: Live, revision: u32) -> AnyView {
    let pair = Memo::new(move || Some((live.revision.get()?, revision)));
    let (facet, set) = (query_value(FACET), query_setter());
    let choose = Callback::new(move |word: &'static str| set.run(vec![(FACET, word.to_owned())]));
    view! {
        <section class="overview-part" aria-label=t("What changes")>
            {difference(release, pair, facet.into(), choose)}
        </section>
    }
    .into_any()
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
