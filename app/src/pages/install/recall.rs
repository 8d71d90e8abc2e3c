//! A form that was to be filled with what was sent, in a browser that did not send it: the server still knows the chart and how
//! it was to be done, and has the values for whoever may run the operation again.

use leptos::prelude::*;

use super::chart::Chart;
use super::form::Form;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{ChartSource, Operation, Tone};
use crate::signals::{Memo, dynamic, effect};
use crate::ui::alert::alert;
use crate::ui::element::el;
use crate::words::{say, t, told};

/// What the server knows.
#[derive(Clone)]
struct Sent {
    version: Option<String>,
    operation: Operation,
    /// The values, or why they cannot be had.
    values: Result<String, String>,
}

/// Fills the form with what the server knows, and says what that is; nothing where this browser knows it itself.
pub fn recalled(form: Form, chart: Chart, base: Memo<String>, change: Callback<String>) -> AnyView {
    if !form.is_lost {
        return ().into_any();
    }
    let release = form.release();
    let sent = fetch(move || {
        let client = client();
        let operations = client.operations(Some(release.namespace.clone()), Some(release.name.clone()));
        Box::pin(async move {
            let all = operations.await?;
            let last = all.into_iter().find(|one| one.kind == form.kind && one.is_for_real());
            let Some(operation) = last else { return Ok(None) };
            let values =
                client.submitted_values(operation.id.clone()).await.map_err(|error| told(&error.to_string()));
            Ok(Some(Sent { version: version_of(&operation), operation, values }))
        })
    });
    let mut step = 0;
    effect(move || {
        let Some(known) = sent.data.get().flatten() else { return };
        // What was typed meanwhile is the user's.
        if step == 0 && !form.draft.with_untracked(|draft| draft.edited.is_some()) {
            step = 1;
            form.draft.update(|draft| draft.recall(known.version.clone(), &known.operation.options));
        }
        // The values lie over those of that version, which may still be on its way.
        let is_there = chart.source.with(Option::is_some) && base.with(|_| true);
        if let (1, true, Ok(values)) = (step, is_there, &known.values) {
            step = 2;
            if !values.trim().is_empty() {
                change.run(values.clone());
            }
        }
    });
    dynamic(move || {
        let error = sent.error.get().map(|error| told(&error.to_string()));
        let known = sent.data.get();
        if error.is_none() && known.is_none() {
            return ().into_any();
        }
        let (tone, text) =
            words(known.flatten().map(|known| (known.operation.requested_by, known.values)), error);
        let title = t("This browser does not have what was sent").to_owned();
        el("div").attr("role", "status").child(alert(tone, title, el("p.wrap").child(text).done())).done()
    })
}

/// What the form is filled with, in words.
fn words(known: Option<(String, Result<String, String>)>, error: Option<String>) -> (Tone, String) {
    match (known, error) {
        (Some((user, Ok(_))), _) => (
            Tone::Neutral,
            say("The form is filled in from the server, with what {user} sent.", &[("user", &user)]),
        ),
        (Some((_, Err(why))), _) => (
            Tone::Warning,
            say(
                "The chart’s version and the options are those of then. The values are not: {why}",
                &[("why", &why)],
            ),
        ),
        (None, Some(why)) => {
            (Tone::Warning, say("Nor could it be had from the server: {why}", &[("why", &why)]))
        }
        (None, None) => (Tone::Warning, t("Nor does the server: give the values anew.").to_owned()),
    }
}

fn version_of(operation: &Operation) -> Option<String> {
    match operation.chart.as_ref()? {
        ChartSource::Repository { version, .. }
        | ChartSource::Oci { version, .. }
        | ChartSource::Upload { version, .. } => Some(version.clone()),
        ChartSource::Url { .. } => None,
    }
}
