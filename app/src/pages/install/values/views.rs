//! The two views of the values: a form, and YAML.

use leptos::prelude::*;
use serde::Deserialize;

use super::super::chart::Chart;
use super::super::form::Form;
use super::check::{place, problems_view};
use crate::client::call::from_json;
use crate::client::client;
use crate::client::fetch::{Fetched, fetch};
use crate::model::{FormOf, Tone, ValuesCheck, ValuesProblem};
use crate::pages::query::{query_setter, query_value};
use crate::signals::{Memo, Slot, Views as _, dynamic, effect};
use crate::ui::alert::Alert;
use crate::ui::editor::{ValuesForm, YamlEditor};
use crate::ui::state::{error_state, skeleton_lines};
use crate::words::{t, told};

const FORM: &str = "form";
const YAML: &str = "yaml";

/// What of the form the page itself reads.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    has_schema: bool,
    notes: Vec<String>,
}

/// Both of them, of one text.
#[derive(Clone, Copy)]
pub struct Views {
    /// What the values are of.
    pub form: Form,
    /// Its chart.
    pub chart: Chart,
    /// The text.
    pub text: Memo<String>,
    /// What is wrong with it.
    pub check: Fetched<ValuesCheck>,
    /// The user has changed it.
    pub change: Callback<String>,
    /// It has the chart's own values in it.
    pub whole: bool,
}

impl Views {
    /// The choice of the view, and the one that is chosen. Which one is in the address; without a word there a chart with a
    /// schema is shown as a form.
    pub fn draw(self) -> AnyView {
        let Self { form, chart, text, check, change, whole } = self;
        let model = fetch(move || {
            let source = chart.source.get();
            let namespace = form.draft.with_untracked(|draft| draft.namespace.clone());
            let client = client();
            Box::pin(async move {
                match source {
                    Some(chart) => client.chart_form(FormOf { namespace, chart }).await,
                    None => std::future::pending().await,
                }
            })
        });
        let head = Memo::new(move || model.data.with(|model| from_json::<Head>(model?)));
        let (asked, set) = (query_value("view"), query_setter());
        let chosen = Memo::new(move || match asked.get().as_str() {
            FORM => Some(FORM),
            YAML => Some(YAML),
            _ if head.with(Option::is_some) => {
                Some(if head.with(|head| head.as_ref().is_some_and(|it| it.has_schema)) {
                    FORM
                } else {
                    YAML
                })
            }
            _ if model.error.with(Option::is_some) => Some(YAML),
            _ => None,
        });
        let model_text = Signal::derive(move || model.data.get());
        let (line, path) = (Slot::new(), Slot::new());
        let go = Callback::new(move |problem: ValuesProblem| {
            if chosen.get_untracked() == Some(FORM) {
                path.set(Some(problem.path));
            } else {
                line.set(Some(problem.line.unwrap_or(1)));
            }
        });
        // What the server refused at a line is looked at there.
        effect(move || {
            if let Some((at, _)) = form.refused_lines().first() {
                line.set(Some(*at));
            }
        });
        // So is the first of what the schema does not take, when the form was to be sent with it.
        effect(move || {
            if let Some(found) = form.stopped.get() {
                let first = found.problems.first().cloned();
                check.data.set(Some(found));
                first.into_iter().for_each(|problem| go.run(problem));
            }
        });
        let errors = Signal::derive(move || {
            let mut errors = form.refused_lines();
            check.data.with(|check| {
                let problems = check.into_iter().flat_map(|check| &check.problems);
                errors.extend(problems.filter_map(|problem| {
                    let at = place(problem);
                    Some((problem.line?, format!("{at}: {}", told(&problem.message))))
                }));
            });
            errors
        });
        let problems = Signal::derive(move || {
            let told = |problem: &ValuesProblem| (problem.path.clone(), told(&problem.message));
            check
                .data
                .with(|check| check.map(|it| it.problems.iter().map(told).collect()).unwrap_or_default())
        });
        let fields = move || {
            view! { <ValuesForm value=text model=model_text whole problems go_to=path on_change=change /> }
                .into_any()
        };
        let editor = move || {
            view! {
                <YamlEditor
                    label=t("Values, YAML. Tab leaves the editor.")
                    value=text
                    errors
                    model=model_text
                    go_to=line
                    on_change=change
                />
            }
            .into_any()
        };
        let shown = move || match chosen.get() {
            Some(FORM) if model.data.is_some() => fields(),
            Some(FORM) => match model.error.get() {
                Some(error) => error_state(&error, move || model.retry()),
                None => skeleton_lines(8),
            },
            Some(_) => editor(),
            None => skeleton_lines(8),
        };
        let choose = Callback::new(move |view: &'static str| set.run(vec![("view", view.to_owned())]));
        view! {
            <div class="values-via" role="radiogroup" aria-labelledby="values-via">
                <b id="values-via">{t("Configure via:")}</b>
                {radio(FORM, t("Form view"), chosen, choose)}
                {radio(YAML, t("YAML view"), chosen, choose)}
            </div>
            {dynamic(move || (chosen.get() == Some(FORM)).then(|| head.get().map(notes)).flatten())}
            {dynamic(shown)}
            {problems_view(check, go)}
        }
        .into_any()
    }
}

/// What the form cannot tell.
fn notes(Head { has_schema, notes }: Head) -> AnyView {
    let schema = (!has_schema).then(|| {
        view! {
            <Alert tone=Tone::Neutral title=t("This chart has no schema")>
                {t("The fields are made of its default values. What they may hold is not checked.")}
            </Alert>
        }
    });
    let notes = notes.into_iter().map(|note| view! { <p class="note">{told(&note)}</p> }).views();
    view! {
        {schema}
        {notes}
    }
    .into_any()
}

fn radio(
    view: &'static str,
    words: &'static str,
    chosen: Memo<Option<&'static str>>,
    choose: Callback<&'static str>,
) -> AnyView {
    let id = format!("view-{view}");
    view! {
        <div class="pf-v6-c-radio">
            <input
                class="pf-v6-c-radio__input"
                type="radio"
                name="values-view"
                id=id.clone()
                prop:checked=Signal::derive(move || chosen.get() == Some(view))
                on:change=move |_| choose.run(view)
            />
            <label class="pf-v6-c-radio__label" for=id>
                {words}
            </label>
        </div>
    }
    .into_any()
}
