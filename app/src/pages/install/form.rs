//! The state that the forms for an install and an upgrade share.

mod carried;

use futures::future::{Either, select};
use gloo_timers::future::TimeoutFuture;

use crate::signals::{Slot, dynamic, effect};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::draft::{Draft, Edited, Field, tie_key};
use super::frame::refusal_view;
use super::storage;
use super::values::check::Question;
use crate::client::{client, new_key};
use crate::model::{
    ApiError, ChartSource, OperationId, OperationKind, ReleaseKey, SubmitOperation, ValuesCheck,
};
use crate::pages::query::query_value;
use crate::pages::sending::{Sending, accepted};
use crate::ui::editor::syntax_error;
use crate::words::{say, told};
pub use carried::Before;

/// How long a check of the values may keep them from being sent, in milliseconds.
const CHECK_MS: u32 = 8000;

/// A form's state.
#[derive(Clone, Copy)]
pub struct Form {
    /// What it makes.
    pub kind: OperationKind,
    /// What is in it.
    pub draft: RwSignal<Draft>,
    /// The values to send; none while they cannot be told.
    pub values: RwSignal<String>,
    /// What is wrong with which field, since the last try.
    pub(super) errors: RwSignal<Vec<(Field, String)>>,
    /// On its way, and why it was refused.
    pub sending: Sending,
    /// What the chart's schema does not take, where that is why the last try was not sent.
    pub(super) stopped: Slot<ValuesCheck>,
    /// The user wants it sent all the same.
    pub(super) insists: RwSignal<bool>,
    /// What the server is asked about the values before they are sent; nothing while they are not shown.
    question: Slot<Question>,
    /// What the values were before they were taken to another version.
    before: Slot<Before>,
    /// It was to be filled with what was sent, which this browser does not have.
    pub(super) is_lost: bool,
    pub(super) name: StoredValue<String>,
    untouched: StoredValue<Draft>,
}

impl Form {
    /// A form of a few fields that nobody would miss after a reload.
    pub fn of_dialog(kind: OperationKind, release: &ReleaseKey) -> Self {
        let ReleaseKey { namespace, name } = release.clone();
        let fresh = Draft { key: new_key(), ..Draft::new(namespace, name, String::new()) };
        Self::with(kind, String::new(), fresh.clone(), fresh)
    }

    /// Opens the form `name`: with the draft that was left in it, else with `fresh`. A link from what came to nothing opens it
    /// with what was sent then.
    pub fn open(kind: OperationKind, name: String, fresh: Draft) -> Self {
        let again = query_value("again").get_untracked();
        let mut fresh = fresh;
        let name = if again.is_empty() {
            name
        } else {
            fresh.name.clone_from(&again);
            storage::sent_name(kind.as_str(), &ReleaseKey::new(&fresh.namespace, &again))
        };
        let kept = storage::load(&name);
        let is_lost = !again.is_empty() && kept.is_none();
        let mut draft = kept.unwrap_or_else(|| Draft { key: new_key(), ..fresh.clone() });
        // A failure offers to go on so.
        if query_value("force-conflicts").with_untracked(|value| value == "true") {
            draft.options.force_conflicts = true;
        }
        if query_value("create-namespace").with_untracked(|value| value == "true") {
            draft.options.create_namespace = true;
        }
        let untouched = Draft { key: draft.key.clone(), ..fresh };
        let form = Self { is_lost, ..Self::with(kind, name, draft, untouched) };
        effect(move || {
            let is_untouched = form.is_untouched();
            form.draft.with(|draft| {
                form.name.with_value(|name| {
                    if is_untouched {
                        storage::forget(name);
                    } else {
                        storage::save(name, draft);
                    }
                });
            });
        });
        form
    }

    fn with(kind: OperationKind, name: String, draft: Draft, untouched: Draft) -> Self {
        let sending = Sending::new();
        effect(move || sending.refusal.with(|refusal| focus(refusal.as_ref().and_then(Field::of_error))));
        let form = Self {
            kind,
            draft: RwSignal::new(draft),
            values: RwSignal::new(String::new()),
            errors: RwSignal::new(Vec::new()),
            sending,
            stopped: Slot::new(),
            insists: RwSignal::new(false),
            question: Slot::new(),
            before: Slot::new(),
            is_lost: false,
            name: StoredValue::new(name),
            untouched: StoredValue::new(untouched),
        };
        effect(move || form.forgive());
        form
    }

    /// What was said of the last try is said no longer of what has been put right since; it follows what is typed.
    fn forgive(self) {
        let wrong = self.draft.with(|draft| draft.request(self.kind, None, String::new()).err());
        let wrong = wrong.unwrap_or_default();
        let is_still = |(field, _): &(Field, String)| {
            *field == Field::Values || wrong.iter().any(|(other, _)| other == field)
        };
        if !self.errors.with_untracked(|errors| errors.iter().all(is_still)) {
            self.errors.update(|errors| errors.retain(is_still));
        }
        let is_about_input = |refusal: &Option<ApiError>| {
            let refusal = refusal.as_ref();
            refusal.is_some_and(|it| Field::of_error(it).is_some() || matches!(it, ApiError::Conflict { .. }))
        };
        if self.sending.refusal.with_untracked(is_about_input) {
            self.sending.refusal.set(None);
        }
    }

    /// Whether everything is as it was when the form was first opened; it is followed.
    pub fn is_untouched(self) -> bool {
        self.draft.with(|draft| self.untouched.with_value(|untouched| untouched == draft))
    }

    /// What is wrong with a field, as far as the last try told.
    pub fn error_at(self, field: Field) -> Option<String> {
        let own =
            self.errors.with(|errors| errors.iter().find(|(at, _)| *at == field).map(|(_, text)| told(text)));
        own.or_else(|| {
            self.sending.refusal.with(|refusal| {
                let refusal = refusal.as_ref().filter(|refusal| Field::of_error(refusal) == Some(field))?;
                Some(told(&refusal.to_string()))
            })
        })
    }

    /// The lines of the values that the server refused.
    pub fn refused_lines(self) -> Vec<(u32, String)> {
        self.sending.refusal.with(|refusal| match refusal {
            Some(ApiError::Invalid { field: Some(field), line: Some(line), message })
                if field == "values" =>
            {
                vec![(*line, message.clone())]
            }
            _ => Vec::new(),
        })
    }

    /// What it is about, as far as it is filled in.
    pub(super) fn release(self) -> ReleaseKey {
        self.draft.with_untracked(|draft| ReleaseKey::new(&draft.namespace, &draft.name))
    }

    /// Why the last try was refused.
    pub fn refusal_view(self) -> AnyView {
        view! { <div role="alert">{dynamic(move || refusal_view(self))}</div> }.into_any()
    }

    /// The user has changed the values, which were `base` before.
    pub fn edit_values(self, text: String, base: String) {
        self.errors.update(|errors| errors.retain(|(field, _)| *field != Field::Values));
        self.draft.update(|draft| {
            // With the last change goes what there was to look at.
            if text == base {
                draft.notes.clear();
            }
            draft.edited = (text != base).then_some(Edited { text, base });
        });
    }

    /// Names the release after its chart, unless the user has named it.
    pub fn suggest(self, name: &str) {
        if self.draft.with_untracked(|draft| draft.name.is_empty()) {
            self.untouched.update_value(|draft| name.clone_into(&mut draft.name));
            self.draft.update(|draft| name.clone_into(&mut draft.name));
        }
    }

    /// Sends what is in it with `change` made to it, or says what is wrong with which field; `done` is called when it was
    /// accepted.
    pub fn send(
        self,
        chart: Option<ChartSource>,
        change: impl FnOnce(&mut SubmitOperation) + 'static,
        done: impl FnOnce(OperationId) + 'static,
    ) {
        self.send_boxed(chart, Box::new(change), Box::new(done));
    }

    fn send_boxed(
        self,
        chart: Option<ChartSource>,
        change: Box<dyn FnOnce(&mut SubmitOperation)>,
        done: Box<dyn FnOnce(OperationId)>,
    ) {
        // Without its chart the form is not there yet.
        if self.sending.is_busy.get_untracked() || self.kind.takes_chart() && chart.is_none() {
            return;
        }
        self.sending.refusal.set(None);
        if let Some(mut request) = self.request(chart) {
            change(&mut request);
            tie_key(&mut request);
            self.sending.send(|| accepted(client().submit(request)), done);
        }
    }

    /// Has the values looked at before they are sent, as long as the caller lives: until they are others, what was wrong with
    /// them is what stopped the last try.
    pub(super) fn ask_before_sending(self, question: Question) {
        self.question.set(Some(question));
        effect(move || {
            question.now();
            self.stopped.set(None);
        });
        on_cleanup(move || self.question.set(None));
    }

    /// [`Form::send`], unless the chart's schema does not take the values: helm would refuse them, so the user sees first what is
    /// wrong. Where the server cannot tell in time, helm has the word.
    pub fn send_checked(self, chart: Option<ChartSource>, done: impl FnOnce(OperationId) + 'static) {
        self.send_checked_boxed(chart, Box::new(done));
    }

    fn send_checked_boxed(self, chart: Option<ChartSource>, done: Box<dyn FnOnce(OperationId)>) {
        let insists = self.insists.get_untracked();
        self.insists.set(false);
        self.stopped.set(None);
        let asked = self.question.get_untracked().filter(|_| !insists);
        let asked = asked.and_then(|question| untrack(|| question.now()));
        let (Some(asked), false, Some(_)) = (asked, self.sending.is_busy.get_untracked(), &chart) else {
            return self.send_boxed(chart, Box::new(|_| ()), done);
        };
        self.sending.refusal.set(None);
        // What is wrong with another field is said without asking anybody.
        let Some(mut request) = self.request(chart) else { return };
        tie_key(&mut request);
        self.sending.is_busy.set(true);
        let client = client();
        leptos::task::spawn_local(async move {
            let answer = select(client.check_values(asked), TimeoutFuture::new(CHECK_MS)).await;
            // The page may have been left.
            if self.sending.is_busy.try_set(false).is_some() {
                return;
            }
            match answer {
                Either::Left((Ok(found), _)) if !found.problems.is_empty() => self.stopped.set(Some(found)),
                _ => self.sending.send(|| accepted(client.submit(request)), done),
            }
        });
    }

    /// What would be sent; none where something is wrong with a field, which is said there then.
    pub fn request(self, chart: Option<ChartSource>) -> Option<SubmitOperation> {
        let values = self.values.get_untracked();
        let request = self.draft.with_untracked(|draft| {
            let wrong = draft.edited.as_ref().and_then(|edited| syntax_error(&edited.text));
            let request = draft.request(self.kind, chart, values);
            match (request, wrong) {
                (request, None) => request,
                (request, Some((line, text))) => {
                    let mut errors = request.err().unwrap_or_default();
                    let words = say("Line {line}: {text}", &[("line", &line.to_string()), ("text", &text)]);
                    errors.push((Field::Values, words));
                    Err(errors)
                }
            }
        });
        let (request, errors) = match request {
            Ok(request) => (Some(request), Vec::new()),
            Err(errors) => (None, errors),
        };
        focus(errors.first().map(|(field, _)| *field));
        self.errors.set(errors);
        request
    }

    /// It was accepted: what was sent is kept, in case that it comes to nothing. False when the form has been left since.
    pub(super) fn sent(self) -> bool {
        let Some(draft) = self.draft.try_get_untracked() else { return false };
        let name = storage::sent_name(self.kind.as_str(), &ReleaseKey::new(&draft.namespace, &draft.name));
        // What is made of it then is another intent, and over whatever is there by then.
        storage::save(&name, &Draft { key: new_key(), revision: None, ..draft });
        self.name.try_with_value(|own| {
            if *own != name {
                storage::forget(own)
            }
        });
        true
    }
}

fn focus(field: Option<Field>) {
    let Some(id) = field.map(Field::id) else { return };
    // A field that is folded away is unfolded in this turn of the loop.
    request_animation_frame(move || {
        let element = document().get_element_by_id(id);
        if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
            // With its label above it, and below what sticks to the window's edge.
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Center);
            element.scroll_into_view_with_scroll_into_view_options(&options);
            let _ = element.focus();
        }
    });
}
