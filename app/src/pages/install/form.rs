//! What the forms for an install and an upgrade share: their state, their fields, their foot.

use crate::signals::{Memo, dynamic, effect};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::draft::{Draft, Edited, Field, tie_key};
use super::preview::PreviewDialog;
use super::storage;
use crate::client::{client, new_key};
use crate::model::{ApiError, ChartSource, OperationId, OperationKind, ReleaseKey, SubmitOperation, Tone};
use crate::pages::query::query_value;
use crate::pages::route::Route;
use crate::pages::sending::{Sending, accepted};
use crate::ui::address::Address;
use crate::ui::alert::Alert;
use crate::ui::editor::{merge, overlay, syntax_error};

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
    errors: RwSignal<Vec<(Field, String)>>,
    /// On its way, and why it was refused.
    pub sending: Sending,
    name: StoredValue<String>,
    untouched: StoredValue<Draft>,
}

impl Form {
    /// A form of a few fields that nobody would miss after a reload.
    pub fn of_dialog(kind: OperationKind, release: &ReleaseKey) -> Self {
        let ReleaseKey { namespace, name } = release.clone();
        let fresh = Draft { key: new_key(), ..Draft::new(namespace, name, String::new()) };
        Self::with(kind, String::new(), fresh.clone(), fresh)
    }

    /// Opens the form `name`: with the draft that was left in it, else with `fresh`.
    pub fn open(kind: OperationKind, name: String, fresh: Draft) -> Self {
        let mut draft = storage::load(&name).unwrap_or_else(|| Draft { key: new_key(), ..fresh.clone() });
        // A failure offers to go on so.
        if query_value("force-conflicts").with_untracked(|value| value == "true") {
            draft.options.force_conflicts = true;
        }
        let untouched = Draft { key: draft.key.clone(), ..fresh };
        let form = Self::with(kind, name, draft, untouched);
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
        Self {
            kind,
            draft: RwSignal::new(draft),
            values: RwSignal::new(String::new()),
            errors: RwSignal::new(Vec::new()),
            sending,
            name: StoredValue::new(name),
            untouched: StoredValue::new(untouched),
        }
    }

    /// Whether everything is as it was when the form was first opened; it is followed.
    pub fn is_untouched(self) -> bool {
        self.draft.with(|draft| self.untouched.with_value(|untouched| untouched == draft))
    }

    /// What is wrong with a field, as far as the last try told.
    pub fn error_at(self, field: Field) -> Option<String> {
        let own = self
            .errors
            .with(|errors| errors.iter().find(|(at, _)| *at == field).map(|(_, text)| text.clone()));
        let found = own.or_else(|| {
            self.sending.refusal.with(|refusal| {
                refusal
                    .as_ref()
                    .filter(|refusal| Field::of_error(refusal) == Some(field))
                    .map(ToString::to_string)
            })
        });
        found.map(|text| crate::words::told(&text))
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
    fn release(self) -> ReleaseKey {
        self.draft.with_untracked(|draft| ReleaseKey::new(&draft.namespace, &draft.name))
    }

    /// Why the last try was refused.
    pub fn refusal_view(self) -> AnyView {
        view! { <div role="alert">{dynamic(move || refusal_view(self))}</div> }.into_any()
    }

    /// The user has changed the values, which were `base` before.
    pub fn edit_values(self, text: String, base: String) {
        self.draft.update(|draft| draft.edited = (text != base).then_some(Edited { text, base }));
    }

    /// Another version was chosen: the changes that the user made are carried over to its values.
    pub fn carry_over(self, new_base: &str) {
        let carried = self.draft.with_untracked(|draft| {
            let edited = draft.edited.as_ref().filter(|edited| edited.base != new_base)?;
            let changes = overlay(&edited.base, &edited.text)?;
            merge(new_base, &changes)
        });
        if let Some(text) = carried {
            self.edit_values(text, new_base.to_owned());
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
        let values = self.values.get_untracked();
        let request = self.draft.with_untracked(|draft| {
            let wrong = draft.edited.as_ref().and_then(|edited| syntax_error(&edited.text));
            let request = draft.request(self.kind, chart, values);
            match (request, wrong) {
                (request, None) => request,
                (request, Some((line, text))) => {
                    let mut errors = request.err().unwrap_or_default();
                    errors.push((Field::Values, format!("Line {line}: {text}")));
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
        if let Some(mut request) = request {
            change(&mut request);
            tie_key(&mut request);
            self.sending.send(|| accepted(client().submit(request)), done);
        }
    }
}

fn focus(field: Option<Field>) {
    let Some(id) = field.map(Field::id) else { return };
    // A field that is folded away is unfolded in this turn of the loop.
    request_animation_frame(move || {
        let element = document().get_element_by_id(id);
        if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
            element.scroll_into_view();
            let _ = element.focus();
        }
    });
}

/// The form, and its foot that stays in sight: errors, and the two buttons.
#[component]
pub fn FormFrame(
    form: Form,
    /// The chart to send; none while it is not known.
    source: Callback<(), Option<ChartSource>>,
    /// What the first button says.
    verb: &'static str,
    /// Where "Cancel" leads.
    #[prop(into)]
    cancel: Signal<String>,
    /// Why it cannot be sent now.
    #[prop(into)]
    blocked: Signal<Option<String>>,
    /// The fields.
    children: Children,
) -> impl IntoView {
    let address = Address::get();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if blocked.with_untracked(Option::is_some) {
            return;
        }
        let release = form.release();
        form.send(
            source.run(()),
            |_| (),
            move |_| {
                form.name.try_with_value(|name| storage::forget(name));
                address.go(&Route::release(&release).to_string());
            },
        );
    };
    let previewed = RwSignal::new(None);
    let preview = move |_| {
        // Each look is an operation of its own, and none is the one that the form makes.
        let change = |request: &mut SubmitOperation| {
            request.options.dry_run = true;
            request.idempotency_key = Some(new_key());
        };
        form.send(source.run(()), change, move |id| previewed.set(Some(id)));
    };
    let is_blocked = Memo::new(move || blocked.with(Option::is_some));
    view! {
        <form class="pf-v6-c-form form-frame" novalidate on:submit=submit>
            <section class="pf-v6-c-page__main-section form-body">{children()}</section>
            <section class="pf-v6-c-page__main-section form-foot">
                {form.refusal_view()}
                <div class="form-buttons">
                    <button
                        type="submit"
                        class="pf-v6-c-button pf-m-primary"
                        disabled=Signal::derive(move || is_blocked.get() || form.sending.is_busy.get())
                        aria-describedby=Signal::derive(move || is_blocked.get().then_some("blocked"))
                    >
                        <span class="pf-v6-c-button__text">
                            {dynamic(move || if form.sending.is_busy.get() { "Sending…" } else { verb })}
                        </span>
                    </button>
                    // Not disabled while it is sent: the focus comes back to it.
                    <button type="button" class="pf-v6-c-button pf-m-secondary" disabled=Signal::derive(move || is_blocked.get()) on:click=preview>
                        <span class="pf-v6-c-button__text">"Preview"</span>
                    </button>
                    <a
                        class="pf-v6-c-button pf-m-link"
                        href=cancel
                        on:click=move |_| form.name.with_value(|name| storage::forget(name))
                    >
                        <span class="pf-v6-c-button__text">"Cancel"</span>
                    </a>
                    <span class="note" id="blocked">
                        {dynamic(move || blocked.get())}
                    </span>
                </div>
            </section>
        </form>
        {dynamic(move || {
            previewed
                .get()
                .map(|id| view! { <PreviewDialog id on_close=Callback::new(move |()| previewed.set(None)) /> })
        })}
    }
}

/// Why the last try was refused. What belongs to a field is said there; here it is said that there is something.
fn refusal_view(form: Form) -> Option<AnyView> {
    let fields = form.errors.with(Vec::len);
    if fields > 0 {
        let title = if fields == 1 { "One field needs a look" } else { "Some fields need a look" };
        return Some(
            view! { <Alert tone=Tone::Danger title=title>"See the notes at the fields."</Alert> }.into_any(),
        );
    }
    let refusal = form.sending.refusal.get()?;
    let (title, text) = (refusal.title(), refusal.to_string());
    let link = match &refusal {
        // Other verbs are sent from that very page.
        ApiError::Conflict { operation, .. } if form.kind.takes_chart() => {
            let words = if operation.is_some() { "See what is going on there" } else { "See that release" };
            Some(view! { <p><a href=Route::release(&form.release()).to_string()>{words}</a></p> })
        }
        _ => None,
    };
    let retry = refusal
        .is_passing()
        .then_some("Nothing that you typed is lost. Send it again when you like: it is still one operation.");
    Some(
        view! {
            <Alert tone=Tone::Danger title=title>
                <p class="wrap">{text}</p>
                {link}
                {retry.map(|text| view! { <p>{text}</p> })}
            </Alert>
        }
        .into_any(),
    )
}
