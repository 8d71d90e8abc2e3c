//! The form that adds a repository or changes one.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::actions::{failed, succeeded};
use super::credentials::{check, credentials};
use super::draft::{Draft, Text, refused_field};
use super::scopes::scopes;
use super::state::shown_name;
use super::why_not;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{ApiError, OperationId, RepositoryList, RepositorySpec, RepositoryTest, Tone};
use crate::pages::frame::{Line, line, page_head, section, teaching, told_alert};
use crate::pages::install::storage;
use crate::pages::query::query_value;
use crate::pages::route::Route;
use crate::pages::sending::Sending;
use crate::pages::title::heading;
use crate::signals::{Memo, Slot, Views, dynamic, effect};
use crate::ui::address::Address;
use crate::ui::announce::Announcer;
use crate::ui::breadcrumb::breadcrumb;
use crate::ui::button::link_button;
use crate::ui::field::Hint;
use crate::ui::state::{empty_state, shown, skeleton_lines};
use crate::words::{say, t, told};

/// The form's state.
#[derive(Clone, Copy)]
pub struct State {
    /// What is in it.
    pub draft: RwSignal<Draft>,
    /// It is being saved.
    saving: Sending,
    /// It is being tested.
    testing: Sending,
    /// What the test said.
    tested: Slot<RepositoryTest>,
    /// The repository that is changed; none for a new one.
    name: StoredValue<Option<String>>,
}

impl State {
    /// Changes a text. What was said of the form before is about another one.
    pub fn set(self, field: Text, text: String) {
        self.draft.update(|draft| draft.set(field, text));
        let is_about = |refusal: &Option<ApiError>| refusal.as_ref().and_then(refused_field) == Some(field);
        for sending in [self.saving, self.testing] {
            if sending.refusal.with_untracked(is_about) {
                sending.refusal.set(None);
            }
        }
        self.tested.set(None);
    }

    /// What was refused of one of these fields.
    pub fn refusal_at(self, fields: &[&str]) -> Option<String> {
        [self.saving, self.testing].into_iter().find_map(|sending| {
            sending.refusal.with(|refusal| match refusal {
                Some(ApiError::Invalid { field: Some(field), message, .. }) => {
                    fields.contains(&field.as_str()).then(|| told(message))
                }
                _ => None,
            })
        })
    }

    fn test(self) {
        self.saving.refusal.set(None);
        self.tested.set(None);
        let (spec, of) = (self.draft.with_untracked(Draft::spec), self.name.get_value());
        let ask = move || -> crate::client::Answer<OperationId> {
            let answer = client().test_repository(spec, of);
            Box::pin(async move {
                self.tested.set(Some(answer.await?));
                Ok(OperationId(String::new()))
            })
        };
        self.testing.send(ask, |_| ());
    }

    fn save(self, done: impl FnOnce(OperationId) + 'static) {
        self.testing.refusal.set(None);
        self.tested.set(None);
        let (spec, of) = (self.draft.with_untracked(Draft::spec), self.name.get_value());
        let ask = move || -> crate::client::Answer<OperationId> {
            let answer = match of {
                Some(name) => client().change_repository(name, spec),
                None => client().add_repository(spec),
            };
            Box::pin(async move { Ok(OperationId(shown_name(&answer.await?))) })
        };
        self.saving.send(ask, done);
    }
}

/// The page.
#[component]
pub fn RepositoryForm(
    /// Which namespace the list was of.
    namespace: Option<String>,
    /// The one to change; none for a new one.
    name: Option<String>,
) -> impl IntoView {
    let of = namespace.clone();
    let list = fetch(move || client().repositories(of.clone()));
    let repositories = Route::Repositories { namespace: namespace.clone() }.to_string();
    let title = match &name {
        Some(_) => t("Edit Helm Chart Repository"),
        None => t("Create Helm Chart Repository"),
    };
    let about = match &name {
        Some(_) => t("What is changed applies to what is fetched from it from now on."),
        None => t("The Software Catalog then lists its charts, to be installed from there."),
    };
    let (back, of) = (repositories.clone(), StoredValue::new((namespace, name)));
    let content = move || {
        let (namespace, name) = of.get_value();
        list.data.with_untracked(|list| {
            list.map_or_else(|| ().into_any(), |list| form(list, namespace, name, &back))
        })
    };
    vec![
        breadcrumb(t("Repositories"), repositories, title),
        page_head(heading(title.to_owned()), about, ().into_any()),
        shown(list, || section(skeleton_lines(10)), content),
    ]
    .into_any()
}

/// The fields, or why there are none.
fn form(list: &RepositoryList, namespace: Option<String>, name: Option<String>, back: &str) -> AnyView {
    let page = back.to_owned();
    let cannot = |title: &'static str, text: &'static str| {
        let back = link_button("pf-v6-c-button pf-m-primary", t("See the repositories"), page);
        empty_state(title.to_owned(), "ban", teaching(text, vec![back]))
    };
    let draft = match &name {
        Some(name) => {
            let Some(found) = list.repositories.iter().find(|one| one.name == *name) else {
                let text = t("It may have been removed, or be of another namespace.");
                return cannot(t("There is no such repository"), text);
            };
            if let Some(why_not) = why_not(list, found) {
                return cannot(t("This repository cannot be changed here"), why_not);
            }
            Draft::of(found)
        }
        None => {
            // One of a namespace, where one is chosen, as OpenShift's console has it; else what there is.
            let Some(origin) = list.may_add.last().copied() else {
                let text = t(
                    "You do not have the right to add one. An administrator can, or you can ask for the right to create Secrets in the namespace of Slipway’s records, or HelmChartRepository or ProjectHelmChartRepository objects.",
                );
                return cannot(t("You cannot add a repository"), text);
            };
            let url = query_value("url").get_untracked();
            Draft::new(origin, namespace.clone(), url)
        }
    };
    let is_new = name.is_none();
    let kept = keep_name(&draft, name.as_deref());
    let mut now = draft.clone();
    // What was typed before the page was loaded anew, as long as it may still be saved there.
    let is_possible =
        |spec: &RepositorySpec| spec.origin == draft.origin || is_new && list.may_add.contains(&spec.origin);
    if let Some(spec) = storage::load::<RepositorySpec>(&kept).filter(is_possible) {
        now.origin = spec.origin;
        now.for_namespace(namespace.clone());
        now.resume(spec);
    }
    let state = State {
        draft: RwSignal::new(now),
        saving: Sending::new(),
        testing: Sending::new(),
        tested: Slot::new(),
        name: StoredValue::new(name),
    };
    focus_refused(state);
    let (name, fresh) = (kept.clone(), draft.kept());
    effect(move || {
        let now = state.draft.with(Draft::kept);
        if now == fresh {
            storage::forget(&name);
        } else {
            storage::save(&name, &now);
        }
    });
    let forget = Callback::new(move |()| storage::forget(&kept));
    let (address, announcer, list_page) = (Address::get(), Announcer::get(), back.to_owned());
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let page = list_page.clone();
        state.save(move |OperationId(name)| {
            forget.run(());
            address.go(&page);
            announcer.say(say("{name} is saved.", &[("name", &name)]));
        });
    };
    let scopes = is_new.then(|| scopes(state, list.may_add.clone(), namespace));
    let disabled = Memo::new(move || state.draft.with(|draft| draft.disabled));
    let url = t("Helm Chart repository URL: https://… with an index.yaml below it, or oci://registry/path.");
    let about = t("A display name for the Helm Chart repository.");
    let fields = [
        name_field(state, is_new),
        field(state, Text::DisplayName, t("Display name"), about, false, false),
        field(
            state,
            Text::Description,
            t("Description"),
            t("A description for the Helm Chart repository."),
            false,
            false,
        ),
        field(state, Text::Url, t("URL"), url, true, false),
        check(
            "repository-disabled",
            t("Disable usage of the repository in the Software Catalog"),
            None,
            disabled,
            Box::new(move |on| state.draft.update(|draft| draft.disabled = on)),
        ),
        credentials(state),
    ];
    view! {
        <form class="pf-v6-c-form form-frame" novalidate on:submit=submit>
            <section class="pf-v6-c-page__main-section form-body repository-form">
                {scopes} {fields.into_iter().views()}
            </section>
            {foot(state, is_new, back.to_owned(), forget)}
        </form>
    }
    .into_any()
}

/// Where the browser keeps the form for a while.
fn keep_name(draft: &Draft, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("repository/{}/{name}", draft.origin.as_str()),
        None => "repository".to_owned(),
    }
}

/// What was said of the last try, and the buttons.
fn foot(state: State, is_new: bool, back: String, forget: Callback<()>) -> AnyView {
    let said = move || {
        let refusal = state.saving.refusal.get();
        let at_field = |refusal: &ApiError| {
            let is_section = matches!(refusal, ApiError::Invalid { field: Some(field), .. } if field == "credentials" || field == "references");
            is_section || refused_field(refusal).is_some()
        };
        match (refusal, state.testing.refusal.get(), state.tested.get()) {
            (Some(refusal), ..) | (None, Some(refusal), _) if at_field(&refusal) => {
                let text = t("See the notes at the fields.").to_owned();
                told_alert(Tone::Danger, t("One field needs a look").to_owned(), text)
            }
            (Some(refusal), ..) => {
                told_alert(Tone::Danger, told(refusal.title()), told(&refusal.to_string()))
            }
            (None, Some(refusal), _) => failed(&refusal),
            (None, None, Some(tested)) => succeeded(&tested),
            (None, None, None) => ().into_any(),
        }
    };
    // Not disabled: the focus stays where it is.
    let is_busy = move || (state.saving.is_busy.get() || state.testing.is_busy.get()).to_string();
    let verb = if is_new { t("Create") } else { t("Save") };
    let save = move || if state.saving.is_busy.get() { t("Saving…") } else { verb };
    let test = move || if state.testing.is_busy.get() { t("Testing…") } else { t("Test connection") };
    view! {
        <section class="pf-v6-c-page__main-section form-foot">
            <div role="alert">{dynamic(said)}</div>
            <div class="form-buttons">
                <button type="submit" class="pf-v6-c-button pf-m-primary" aria-disabled=is_busy>
                    <span class="pf-v6-c-button__text">{dynamic(save)}</span>
                </button>
                <button
                    type="button"
                    class="pf-v6-c-button pf-m-secondary"
                    aria-disabled=is_busy
                    on:click=move |_| state.test()
                >
                    <span class="pf-v6-c-button__text">{dynamic(test)}</span>
                </button>
                <a class="pf-v6-c-button pf-m-link" href=back on:click=move |_| forget.run(())>
                    <span class="pf-v6-c-button__text">{t("Cancel")}</span>
                </a>
            </div>
        </section>
    }
    .into_any()
}

/// A name is given once.
fn name_field(state: State, is_new: bool) -> AnyView {
    if is_new {
        return field(
            state,
            Text::Name,
            t("Name"),
            t("A unique name for the Helm Chart repository."),
            true,
            false,
        );
    }
    let hint = Signal::derive(|| Hint::Plain(t("A repository keeps its name.").to_owned()));
    let value = Signal::derive(move || state.draft.with(|draft| draft.text(Text::Name).to_owned()));
    let kind = Line { readonly: true, ..Line::default() };
    line(Text::Name.id(), t("Name"), hint, value, Box::new(|_| ()), kind)
}

/// What is wrong with a part of the form that is no single field.
pub fn field_error(text: String) -> AnyView {
    view! {
        <p class="field-error" role="alert">
            {text}
        </p>
    }
    .into_any()
}

/// What stands below a field: what is wrong with it, else what it is for.
pub fn hint(state: State, text: Option<Text>, about: &'static str) -> Signal<Hint> {
    Signal::derive(move || Hint::or_error(about, text.and_then(|text| state.refusal_at(&[text.field()]))))
}

/// A line of text.
pub fn field(
    state: State,
    text: Text,
    label: &'static str,
    about: &'static str,
    required: bool,
    secret: bool,
) -> AnyView {
    let below = hint(state, Some(text), about);
    let value = Signal::derive(move || state.draft.with(|draft| draft.text(text).to_owned()));
    let kind = Line { required, secret, ..Line::default() };
    line(text.id(), label, below, value, Box::new(move |words| state.set(text, words)), kind)
}

/// Takes the user to the field that was refused.
fn focus_refused(state: State) {
    let refused = Memo::new(move || {
        [state.saving, state.testing]
            .into_iter()
            .find_map(|sending| sending.refusal.with(|it| it.as_ref().and_then(refused_field)))
            .map(Text::id)
    });
    effect(move || {
        let Some(id) = refused.get() else { return };
        let element = document().get_element_by_id(id);
        if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = element.focus();
        }
    });
}
