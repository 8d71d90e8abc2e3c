//! How helm is to do it: what most people choose, and, folded away, what few do.

use leptos::prelude::*;

use super::draft::{Draft, Field};
use super::form::Form;
use crate::model::operation::ATTEMPTS_MAX;
use crate::model::{OperationKind, OperationOptions, ValuesPolicy};
use crate::signals::{Memo, Views};
use crate::ui::button::more;
use crate::ui::field::{CheckBox, FormGroup, Hint, Select, TextInput};

/// An option that is on or off.
struct Flag {
    id: &'static str,
    label: &'static str,
    about: &'static str,
    /// The one verb that has it; none for both.
    only: Option<OperationKind>,
    at: fn(&mut OperationOptions) -> &mut bool,
}

const COMMON: [Flag; 3] = [
    Flag {
        id: "wait",
        label: "Wait until everything is ready",
        about: "The operation counts as done when all resources are ready. It runs in the background either way.",
        only: None,
        at: |options| &mut options.wait,
    },
    Flag {
        id: "rollback",
        label: "Undo on failure",
        about: "A failed install is removed again, a failed upgrade rolled back.",
        only: None,
        at: |options| &mut options.rollback_on_failure,
    },
    Flag {
        id: "create-namespace",
        label: "Create the namespace",
        about: "If there is none of that name yet.",
        only: Some(OperationKind::Install),
        at: |options| &mut options.create_namespace,
    },
];

const ADVANCED: [Flag; 3] = [
    Flag {
        id: "skip-hooks",
        label: "Skip hooks",
        about: "None of the chart’s hooks run.",
        only: None,
        at: |options| &mut options.skip_hooks,
    },
    Flag {
        id: "skip-crds",
        label: "Skip CRDs",
        about: "The chart’s custom resource definitions are not installed.",
        only: None,
        at: |options| &mut options.skip_crds,
    },
    Flag {
        id: "force-conflicts",
        label: "Force conflicts",
        about: "Helm 4 only: fields that others manage are taken over.",
        only: None,
        at: |options| &mut options.force_conflicts,
    },
];

const POLICIES: [(ValuesPolicy, &str, &str); 3] = [
    (ValuesPolicy::Reset, "Reset", "The values above are the whole of them."),
    (
        ValuesPolicy::Reuse,
        "Reuse",
        "The values above are laid over those of the last revision, with that revision’s defaults.",
    ),
    (
        ValuesPolicy::ResetThenReuse,
        "Reset then reuse",
        "The values above are laid over those of the last revision, with the new chart’s defaults.",
    ),
];

/// The section.
#[component]
pub fn Options(form: Form) -> impl IntoView {
    let draft = form.draft;
    let flags = move |flags: [Flag; 3]| {
        let flags = flags.into_iter().filter(move |flag| flag.only.is_none_or(|only| only == form.kind));
        flags.map(move |flag| flag_view(flag, draft)).views()
    };
    // What is wrong must be seen, and what was chosen before a reload as well.
    let is_chosen = draft.with_untracked(|draft| {
        let OperationOptions { wait, rollback_on_failure, create_namespace, .. } = draft.options;
        let plain =
            OperationOptions { wait, rollback_on_failure, create_namespace, ..OperationOptions::default() };
        draft.options != plain
    });
    let is_open = Memo::new(move || {
        is_chosen
            || [Field::HistoryMax, Field::Description].into_iter().any(|field| form.error_at(field).is_some())
    });
    let timeout = text(
        form,
        Field::Timeout,
        "Time-out",
        "For each of Helm’s waits: 5m, 90s, 2m30s.",
        (|draft| &draft.timeout, |draft, text| draft.timeout = text),
    );
    view! {
        <fieldset class="options">
            <legend class="pf-v6-c-title pf-m-h2">"Options"</legend>
            <div class="options-checks">{flags(COMMON)}</div>
            <div class="form-columns">{timeout}</div>
            {more("Advanced options", is_open, advanced(form, flags(ADVANCED)))}
        </fieldset>
    }
}

fn advanced(form: Form, flags: Vec<AnyView>) -> AnyView {
    let draft = form.draft;
    let description = text(
        form,
        Field::Description,
        "Description",
        "Stands in the revision history, in the place of Helm’s own words.",
        (|draft| &draft.options.description, |draft, text| draft.options.description = text),
    );
    let upgrade = (form.kind == OperationKind::Upgrade).then(|| {
        let history = text(
            form,
            Field::HistoryMax,
            "History limit",
            "How many revisions Helm keeps; 0 keeps all.",
            (|draft| &draft.history_max, |draft, text| draft.history_max = text),
        );
        vec![policy(form), history]
    });
    let attempts = Memo::new(move || draft.with(|draft| draft.options.attempts.to_string()));
    let numbers: Vec<(String, String)> =
        (1..=ATTEMPTS_MAX).map(|number| (number.to_string(), number.to_string())).collect();
    let hint = Hint::Plain("How often it is tried, where what fails may pass by itself.".to_owned());
    let choose = move |number: String| {
        if let Ok(number) = number.parse() {
            draft.update(|draft| draft.options.attempts = number);
        }
    };
    view! {
        <div class="options-advanced">
            <div class="form-columns">
                {upgrade}
                <FormGroup id="attempts" label="Attempts" hint>
                    <Select id="attempts" value=attempts options=numbers on_change=choose />
                </FormGroup>
                {description}
            </div>
            <div class="options-checks">{flags}</div>
        </div>
    }
    .into_any()
}

fn policy(form: Form) -> AnyView {
    let draft = form.draft;
    let chosen = move || {
        let policy = draft.with(|draft| draft.options.values);
        POLICIES.into_iter().find(|(one, ..)| *one == policy).unwrap_or(POLICIES[0])
    };
    let options: Vec<(String, String)> =
        POLICIES.iter().map(|(_, words, _)| ((*words).to_owned(), (*words).to_owned())).collect();
    let hint = Signal::derive(move || Hint::Plain(chosen().2.to_owned()));
    let choose = move |words: String| {
        if let Some((policy, ..)) = POLICIES.into_iter().find(|(_, one, _)| *one == words) {
            draft.update(|draft| draft.options.values = policy);
        }
    };
    let value = Signal::derive(move || chosen().1.to_owned());
    view! {
        <FormGroup id="values-policy" label="Values of the last revision" hint>
            <Select id="values-policy" value options on_change=choose />
        </FormGroup>
    }
    .into_any()
}

fn flag_view(Flag { id, label, about, at, .. }: Flag, draft: RwSignal<Draft>) -> AnyView {
    let checked = Signal::derive(move || draft.with(|draft| *at(&mut draft.options.clone())));
    view! {
        <CheckBox
            id
            label
            description=about
            checked
            on_change=move |on| draft.update(|draft| *at(&mut draft.options) = on)
        />
    }
    .into_any()
}

/// How a text of the draft is read and written.
type Access = (fn(&Draft) -> &str, fn(&mut Draft, String));

fn text(form: Form, field: Field, label: &'static str, about: &'static str, (get, set): Access) -> AnyView {
    let draft = form.draft;
    let hint = Signal::derive(move || Hint::or_error(about, form.error_at(field)));
    let value = Signal::derive(move || draft.with(|draft| get(draft).to_owned()));
    view! {
        <FormGroup id=field.id() label hint>
            <TextInput id=field.id() value hint on_input=move |text| draft.update(|draft| set(draft, text)) />
        </FormGroup>
    }
    .into_any()
}
