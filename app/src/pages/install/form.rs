//! What the forms for an install and an upgrade share: their state, their fields, their foot.

use crate::signals::{Memo, dynamic, effect};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::draft::{Draft, Edited, Field};
use super::storage;
use crate::client::fetch::Fetched;
use crate::client::{client, new_key};
use crate::model::{ApiError, ChartDetail, ChartSource, ChartVersion, OperationKind, ReleaseKey, Tone};
use crate::pages::query::query_value;
use crate::pages::route::Route;
use crate::ui::address::Address;
use crate::ui::alert::Alert;
use crate::ui::editor::{merge, overlay, syntax_error};
use crate::ui::field::{FormGroup, Hint, Select};

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
    refusal: RwSignal<Option<ApiError>>,
    sending: RwSignal<bool>,
    name: StoredValue<String>,
    untouched: StoredValue<Draft>,
}

impl Form {
    /// Opens the form `name`: with the draft that was left in it, else with `fresh`.
    pub fn open(kind: OperationKind, name: String, fresh: Draft) -> Self {
        let mut draft = storage::load(&name).unwrap_or_else(|| Draft { key: new_key(), ..fresh.clone() });
        // A failure offers to go on so.
        if query_value("force-conflicts").with_untracked(|value| value == "true") {
            draft.options.force_conflicts = true;
        }
        let untouched = StoredValue::new(Draft { key: draft.key.clone(), ..fresh });
        let form = Self {
            kind,
            draft: RwSignal::new(draft),
            values: RwSignal::new(String::new()),
            errors: RwSignal::new(Vec::new()),
            refusal: RwSignal::new(None),
            sending: RwSignal::new(false),
            name: StoredValue::new(name),
            untouched,
        };
        effect(move || {
            form.draft.with(|draft| {
                form.name.with_value(|name| {
                    if untouched.with_value(|untouched| untouched == draft) {
                        storage::forget(name);
                    } else {
                        storage::save(name, draft);
                    }
                });
            });
        });
        form
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
        own.or_else(|| {
            self.refusal.with(|refusal| {
                refusal
                    .as_ref()
                    .filter(|refusal| Field::of_error(refusal) == Some(field))
                    .map(ToString::to_string)
            })
        })
    }

    /// The lines of the values that the server refused.
    pub fn refused_lines(self) -> Vec<(u32, String)> {
        self.refusal.with(|refusal| match refusal {
            Some(ApiError::Invalid { field: Some(field), line: Some(line), message })
                if field == "values" =>
            {
                vec![(*line, message.clone())]
            }
            _ => Vec::new(),
        })
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

    fn submit(self, source: Option<ChartSource>, to_release: impl Fn(&ReleaseKey) + 'static) {
        let Some(source) = source.filter(|_| !self.sending.get_untracked()) else { return };
        self.refusal.set(None);
        let values = self.values.get_untracked();
        let request = self.draft.with_untracked(|draft| {
            let wrong = draft.edited.as_ref().and_then(|edited| syntax_error(&edited.text));
            let request = draft.request(self.kind, source, values);
            match (request, wrong) {
                (request, None) => request,
                (request, Some((line, text))) => {
                    let mut errors = request.err().unwrap_or_default();
                    errors.push((Field::Values, format!("Line {line}: {text}")));
                    Err(errors)
                }
            }
        });
        match request {
            Err(errors) => {
                let first = errors.first().map(|(field, _)| *field);
                self.errors.set(errors);
                focus(first);
            }
            Ok(request) => {
                self.errors.set(Vec::new());
                self.sending.set(true);
                let answer = client().submit(request);
                leptos::task::spawn_local(async move {
                    match answer.await {
                        Ok(accepted) => {
                            self.name.try_with_value(|name| storage::forget(name));
                            to_release(&accepted.release);
                        }
                        Err(refusal) => {
                            focus(Field::of_error(&refusal));
                            self.refusal.try_set(Some(refusal));
                        }
                    }
                    self.sending.try_set(false);
                });
            }
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
        form.submit(source.run(()), move |release| {
            address.go(&Route::release(release).to_string());
        });
    };
    let is_blocked = Memo::new(move || blocked.with(Option::is_some));
    view! {
        <form class="pf-v6-c-form form-frame" novalidate on:submit=submit>
            <section class="pf-v6-c-page__main-section form-body">{children()}</section>
            <section class="pf-v6-c-page__main-section form-foot">
                <div role="alert">{dynamic(move || refusal_view(form))}</div>
                <div class="form-buttons">
                    <button
                        type="submit"
                        class="pf-v6-c-button pf-m-primary"
                        disabled=Signal::derive(move || is_blocked.get() || form.sending.get())
                        aria-describedby=Signal::derive(move || is_blocked.get().then_some("blocked"))
                    >
                        <span class="pf-v6-c-button__text">
                            {dynamic(move || if form.sending.get() { "Sending…" } else { verb })}
                        </span>
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
    let refusal = form.refusal.get()?;
    let (title, text) = (refusal.title(), refusal.to_string());
    let release = form.draft.with_untracked(|draft| ReleaseKey::new(&draft.namespace, &draft.name));
    let link = match &refusal {
        ApiError::Conflict { operation, .. } => {
            let words = if operation.is_some() { "See what is going on there" } else { "See that release" };
            Some(view! { <p><a href=Route::release(&release).to_string()>{words}</a></p> })
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

/// The chart's version.
#[component]
pub fn VersionSelect(
    form: Form,
    detail: Fetched<ChartDetail>,
    /// The version that the release has now.
    current: Option<String>,
) -> impl IntoView {
    let options = Memo::new(move || {
        detail.data.with(|detail| {
            detail
                .iter()
                .flat_map(|it| &it.versions)
                .map(|one| option(one, current.as_deref()))
                .collect::<Vec<_>>()
        })
    });
    let chosen = Memo::new(move || {
        let wanted = form.draft.with(|draft| draft.version.clone());
        detail.data.with(|detail| match detail {
            // The newest one, or one in the place of a version that the repository does not have any more.
            Some(detail) if !detail.versions.iter().any(|one| one.version == wanted) => {
                detail.version.clone()
            }
            _ => wanted,
        })
    });
    let hint = Signal::derive(move || {
        Hint::or_error("Version of the chart, and of the application in it.", form.error_at(Field::Version))
    });
    view! {
        <FormGroup id="version" label="Chart version" required=true hint>
            <Select
                id="version"
                value=chosen
                options
                on_change=move |version| form.draft.update(|draft| draft.version = version)
            />
        </FormGroup>
    }
}

fn option(version: &ChartVersion, current: Option<&str>) -> (String, String) {
    let app = version.app_version.as_ref().map(|app| format!(" / App version {app}")).unwrap_or_default();
    let mark = if current == Some(version.version.as_str()) { " (current)" } else { "" };
    let advice = if version.deprecated { " (deprecated)" } else { "" };
    (version.version.clone(), format!("{}{app}{mark}{advice}", version.version))
}
