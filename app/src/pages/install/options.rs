//! How helm is to do it: what most people choose, and, folded away, what few do.

use leptos::prelude::*;

use super::draft::{Draft, Field};
use super::form::Form;
use crate::model::OperationKind::{self, Install, Rollback, Test, Uninstall, Upgrade};
use crate::model::operation::ATTEMPTS_MAX;
use crate::model::{OperationOptions, ValuesPolicy};
use crate::signals::{Memo, Views, effect};
use crate::ui::button::more;
use crate::ui::field::{CheckBox, FormGroup, Hint, Select, TextInput};
use crate::words::t;

/// An option that is on or off.
#[derive(Clone, Copy)]
struct Flag {
    id: &'static str,
    label: &'static str,
    about: &'static str,
    /// The verbs that have it.
    of: &'static [OperationKind],
    at: fn(&mut OperationOptions) -> &mut bool,
}

const COMMON: [Flag; 4] = [
    Flag {
        id: "wait",
        label: "Wait until everything is ready",
        about: "The operation counts as done when all resources are ready. It runs in the background either way.",
        of: &[Install, Upgrade, Rollback],
        at: |options| &mut options.wait,
    },
    Flag {
        id: "wait",
        label: "Wait until everything is gone",
        about: "The operation counts as done when all resources are deleted.",
        of: &[Uninstall],
        at: |options| &mut options.wait,
    },
    Flag {
        id: "rollback",
        label: "Undo on failure",
        about: "A failed install is removed again, a failed upgrade rolled back.",
        of: &[Install, Upgrade],
        at: |options| &mut options.rollback_on_failure,
    },
    Flag {
        id: "create-namespace",
        label: "Create the namespace",
        about: "If there is none of that name yet.",
        of: &[Install],
        at: |options| &mut options.create_namespace,
    },
];

const FEW: [Flag; 3] = [
    Flag {
        id: "skip-hooks",
        label: "Skip hooks",
        about: "None of the chart’s hooks run.",
        of: &[Install, Upgrade, Rollback, Uninstall],
        at: |options| &mut options.skip_hooks,
    },
    Flag {
        id: "skip-crds",
        label: "Skip CRDs",
        about: "The chart’s custom resource definitions are not installed.",
        of: &[Install, Upgrade],
        at: |options| &mut options.skip_crds,
    },
    Flag {
        id: "force-conflicts",
        label: "Force conflicts",
        about: "Helm 4 only: fields that others manage are taken over.",
        of: &[Install, Upgrade, Rollback],
        at: |options| &mut options.force_conflicts,
    },
];

const KEEP_HISTORY: Flag = Flag {
    id: "keep-history",
    label: "Keep the history",
    about: "The revisions stay, and the release can be rolled back to one of them.",
    of: &[Uninstall],
    at: |options| &mut options.keep_history,
};

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

/// An option that is typed.
#[derive(Clone, Copy)]
struct Text {
    field: Field,
    label: &'static str,
    about: &'static str,
    /// The verbs that have it.
    of: &'static [OperationKind],
    get: fn(&Draft) -> &str,
    set: fn(&mut Draft, String),
}

const TIMEOUT: Text = Text {
    field: Field::Timeout,
    label: "Time-out",
    about: "How long Helm waits at each step before it gives up: 5m, 90s or 2m30s.",
    of: &[Install, Upgrade, Rollback, Uninstall, Test],
    get: |draft| &draft.timeout,
    set: |draft, text| draft.timeout = text,
};

const HISTORY: Text = Text {
    field: Field::HistoryMax,
    label: "History limit",
    about: "How many revisions Helm keeps; 0 keeps all.",
    of: &[Upgrade, Rollback],
    get: |draft| &draft.history_max,
    set: |draft, text| draft.history_max = text,
};

const DESCRIPTION: Text = Text {
    field: Field::Description,
    label: "Description",
    about: "Stands in the revision history, in the place of Helm’s own words.",
    of: &[Install, Upgrade, Uninstall],
    get: |draft| &draft.options.description,
    set: |draft, text| draft.options.description = text,
};

/// The section of a form.
#[component]
pub fn Options(form: Form) -> impl IntoView {
    // What was chosen before a reload must be seen.
    let is_chosen = form.draft.with_untracked(|draft| {
        let OperationOptions { wait, rollback_on_failure, create_namespace, .. } = draft.options;
        let plain =
            OperationOptions { wait, rollback_on_failure, create_namespace, ..OperationOptions::default() };
        draft.options != plain
    });
    let of_upgrade = (form.kind == Upgrade).then(|| policy(form));
    let mut fields: Vec<AnyView> = of_upgrade.into_iter().collect();
    fields.extend(texts(form, &[HISTORY]));
    fields.push(attempts(form));
    fields.extend(texts(form, &[DESCRIPTION]));
    view! {
        <fieldset class="options">
            <legend class="pf-v6-c-title pf-m-h2">{t("Options")}</legend>
            <div class="options-checks">{checks(form, &COMMON)}</div>
            <div class="form-columns">{texts(form, &[TIMEOUT])}</div>
            {folded(t("Advanced options"), form, is_chosen, &[HISTORY, DESCRIPTION], fields, checks(form, &FEW))}
        </fieldset>
    }
}

/// What there is to choose for a verb that has a dialog in place of a form.
pub fn dialog_options(form: Form) -> AnyView {
    const TEXTS: [Text; 3] = [TIMEOUT, HISTORY, DESCRIPTION];
    let mut flags = checks(form, &COMMON);
    flags.extend(checks(form, &FEW));
    folded(t("Options"), form, false, &TEXTS, texts(form, &TEXTS), flags)
}

/// Whether the history of an uninstalled release stays.
pub fn keep_history(form: Form) -> AnyView {
    flag_view(KEEP_HISTORY, form.draft)
}

/// What few look at: folded away, unless something in it was chosen, or is wrong in one of its `texts`.
fn folded(
    title: &'static str,
    form: Form,
    is_chosen: bool,
    texts: &'static [Text],
    fields: Vec<AnyView>,
    flags: Vec<AnyView>,
) -> AnyView {
    // Once open it stays so: who mends what is wrong types in it.
    let has_been_wrong = RwSignal::new(is_chosen);
    effect(move || {
        if texts.iter().any(|text| form.error_at(text.field).is_some()) {
            has_been_wrong.set(true);
        }
    });
    let is_open = Memo::new(move || has_been_wrong.get());
    let content = view! {
        <div class="options-advanced">
            <div class="form-columns">{fields}</div>
            <div class="options-checks">{flags}</div>
        </div>
    };
    more(title, is_open, content.into_any())
}

fn checks(form: Form, flags: &[Flag]) -> Vec<AnyView> {
    let flags = flags.iter().filter(|flag| flag.of.contains(&form.kind));
    flags.map(|flag| flag_view(*flag, form.draft)).views()
}

fn texts(form: Form, texts: &[Text]) -> Vec<AnyView> {
    let texts = texts.iter().filter(|text| text.of.contains(&form.kind));
    texts.map(|text| text_view(*text, form)).views()
}

fn attempts(form: Form) -> AnyView {
    let draft = form.draft;
    let attempts = Memo::new(move || draft.with(|draft| draft.options.attempts.to_string()));
    let numbers: Vec<(String, String)> =
        (1..=ATTEMPTS_MAX).map(|number| (number.to_string(), number.to_string())).collect();
    let hint = Hint::Plain(t("How often it is tried, where what fails may pass by itself.").to_owned());
    let choose = move |number: String| {
        if let Ok(number) = number.parse() {
            draft.update(|draft| draft.options.attempts = number);
        }
    };
    view! {
        <FormGroup id="attempts" label=t("Attempts") hint>
            <Select id="attempts" value=attempts options=numbers on_change=choose />
        </FormGroup>
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
        POLICIES.iter().map(|(_, words, _)| ((*words).to_owned(), t(words).to_owned())).collect();
    let hint = Signal::derive(move || Hint::Plain(t(chosen().2).to_owned()));
    let choose = move |words: String| {
        if let Some((policy, ..)) = POLICIES.into_iter().find(|(_, one, _)| *one == words) {
            draft.update(|draft| draft.options.values = policy);
        }
    };
    let value = Signal::derive(move || chosen().1.to_owned());
    view! {
        <FormGroup id="values-policy" label=t("Values of the last revision") hint>
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
            label=t(label)
            description=t(about)
            checked
            on_change=move |on| draft.update(|draft| *at(&mut draft.options) = on)
        />
    }
    .into_any()
}

fn text_view(Text { field, label, about, get, set, .. }: Text, form: Form) -> AnyView {
    let draft = form.draft;
    let hint = Signal::derive(move || Hint::or_error(t(about), form.error_at(field)));
    let value = Signal::derive(move || draft.with(|draft| get(draft).to_owned()));
    view! {
        <FormGroup id=field.id() label=t(label) hint>
            <TextInput id=field.id() value hint on_input=move |text| draft.update(|draft| set(draft, text)) />
        </FormGroup>
    }
    .into_any()
}
