//! The form that upgrades a release: another version, other values, or both.

mod origin;

use crate::signals::{Memo, dynamic};
use leptos::prelude::*;

use super::install::chart::{Chart, origin_of};
use super::install::draft::Draft;
use super::install::form::Form;
use super::install::frame::FormFrame;
use super::install::options::Options;
use super::install::values::{Base, ValuesSection};
use super::install::version::VersionSelect;
use super::query::query_value;
use super::release::actions::why_not;
use super::route::{ChartRef, Origin, Route};
use super::title::heading;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::client::poll::poll;
use crate::model::{
    ApiError, Catalogue, OperationKind, ReleaseKey, ReleaseValues, ReleaseView, Tone, WayAction,
};
use crate::ui::alert::Alert;
use crate::ui::breadcrumb::breadcrumb;
use crate::ui::button::button;
use crate::ui::field::{FormGroup, Hint, TextInput};
use crate::ui::state::{shown, skeleton_lines};
use crate::words::{say, t, told};
use origin::{OriginSelect, chosen_origin};

/// What the form is about: the release as it is, and where its chart can be had.
#[derive(Clone)]
struct Subject {
    version: String,
    revision: u32,
    origins: Vec<Origin>,
    values: String,
    why_not: Option<String>,
}

impl Subject {
    fn of(view: &ReleaseView, values: ReleaseValues, catalogue: &Catalogue) -> Result<Self, ApiError> {
        let not_found = || ApiError::NotFound { what: format!("A readable revision of {}", view.key) };
        let record = view.record.as_ref().ok_or_else(not_found)?;
        let summary = record.detail.summary().ok_or_else(not_found)?;
        let chart = summary.chart.clone().ok_or_else(not_found)?;
        let mut origins: Vec<Origin> = catalogue
            .entries
            .iter()
            .filter(|entry| entry.name == chart)
            .map(|entry| {
                Origin::Repository(ChartRef {
                    repository: entry.repository.clone(),
                    chart: entry.name.clone(),
                })
            })
            .collect();
        // Where it came from, where an operation of ours tells, is the first choice. An upload may be gone by now.
        let known = view.operation.as_ref().and_then(|operation| operation.chart.as_ref()).map(origin_of);
        match known {
            Some(known @ Origin::Address(_)) => origins.insert(0, known),
            Some(known) => {
                if let Some(at) = origins.iter().position(|origin| *origin == known) {
                    origins.swap(0, at);
                }
            }
            None => {}
        }
        Ok(Self {
            version: summary.chart_version.clone().unwrap_or_default(),
            revision: record.revision,
            origins,
            values: values.user,
            why_not: why_not(&view.actions, WayAction::Upgrade),
        })
    }
}

/// The page.
#[component]
pub fn Upgrade(release: ReleaseKey) -> impl IntoView {
    let of = release.clone();
    let subject = fetch(move || {
        let client = client();
        let (view, catalogue) =
            (client.release(of.clone(), None), client.catalogue(Some(of.namespace.clone())));
        let values = client.values(of.clone(), None);
        Box::pin(async move { Subject::of(&view.await?, values.await?, &catalogue.await?) })
    });
    let page = Route::release(&release).to_string();
    let (of, back) = (release.clone(), page.clone());
    let content = move || {
        subject.data.get_untracked().map_or_else(
            || ().into_any(),
            |subject| view! { <UpgradeForm release=of.clone() subject cancel=back.clone() /> }.into_any(),
        )
    };
    view! {
        {breadcrumb(&release.name, page, t("Upgrade"))}
        <section class="pf-v6-c-page__main-section form-head">
            {heading(t("Upgrade Helm release").to_owned())}
            <p>{t("Choose another version, change the values, or both.")}</p>
        </section>
        {shown(
            subject,
            || view! { <section class="pf-v6-c-page__main-section">{skeleton_lines(10)}</section> }.into_any(),
            content,
        )}
    }
    .into_any()
}

#[component]
fn UpgradeForm(release: ReleaseKey, subject: Subject, cancel: String) -> impl IntoView {
    let Subject { version: current, revision, origins, values, why_not: cannot } = subject;
    // Whoever comes from "Update available" has chosen the version already.
    let wanted = query_value("version").get_untracked();
    let chosen = if wanted.is_empty() { current.clone() } else { wanted };
    let fresh = Draft {
        revision: Some(revision),
        ..Draft::new(release.namespace.clone(), release.name.clone(), chosen)
    };
    let form = Form::open(OperationKind::Upgrade, format!("upgrade/{release}"), fresh);
    if form.draft.with_untracked(|draft| draft.revision.is_none()) {
        form.draft.update(|draft| draft.revision = Some(revision));
    }
    let origin = chosen_origin(form, origins.clone());
    let chart = Chart::follow(origin, form, Some(current.clone()));
    let of = release.clone();
    let live = poll(move |since| client().release(of.clone(), since));
    let base = RwSignal::new(values);
    let now = current.clone();
    let blocked = Signal::derive(move || {
        let is_same =
            form.is_untouched() && chart.detail.data.with(|it| it.is_none_or(|it| it.version == now));
        let live = live.data.with(|view| view.map(|view| why_not(&view.actions, WayAction::Upgrade)));
        let cannot = live.unwrap_or_else(|| cannot.clone()).map(|why| told(&why));
        let unnamed =
            origin.with(Option::is_none).then(|| t("Say where the chart is to come from.").to_owned());
        cannot
            .or(unnamed)
            .or_else(|| chart.why_not())
            .or_else(|| is_same.then(|| t("Change the version, the values or an option first.").to_owned()))
    });
    let hint = Hint::Plain(t("An upgrade keeps the name.").to_owned());
    let version = current.clone();
    let fields = move || {
        view! {
            {chart.alerts()}
            <ValuesSection form chart base=Base::Release(base) />
            <Options form />
        }
        .into_any()
    };
    let newest = Memo::new(move || live.data.with(|view| Some(view?.record.as_ref()?.revision)));
    let (of, key) = (release.clone(), release.clone());
    let has_origin = Memo::new(move || origin.with(Option::is_some));
    let fields = std::sync::Arc::new(fields);
    view! {
        <FormFrame form source=chart.source verb=t("Upgrade") cancel=Signal::derive(move || cancel.clone()) blocked>
            {dynamic(move || stale(form, &of, newest.get(), base))}
            <div class="form-columns">
                <FormGroup id="name" label=t("Release name") hint=hint.clone()>
                    <TextInput id="name" value=key.name.clone() readonly=true hint on_input=|_| {} />
                </FormGroup>
                <OriginSelect form origins />
                <VersionSelect form chart current=Some(version) />
            </div>
            {dynamic(move || {
                let fields = fields.clone();
                has_origin.get().then(|| shown(chart.detail, || skeleton_lines(10), move || fields()))
            })}
        </FormFrame>
    }
    .into_any()
}

/// Somebody has changed the release since the form was filled from it: what they did would be overwritten unseen.
fn stale(form: Form, release: &ReleaseKey, newest: Option<u32>, base: RwSignal<String>) -> Option<AnyView> {
    let newest = newest?;
    let from = form.draft.with(|draft| draft.revision).filter(|from| *from < newest)?;
    let accept = move || form.draft.update(|draft| draft.revision = Some(newest));
    let of = release.clone();
    let load = move || {
        let answer = client().values(of.clone(), Some(newest));
        leptos::task::spawn_local(async move {
            match answer.await {
                Ok(values) => {
                    // The editor merges what was typed with them.
                    base.try_set(values.user);
                    form.draft.try_update(|draft| draft.revision = Some(newest));
                }
                Err(error) => {
                    form.sending.refusal.try_set(Some(error));
                }
            }
        });
    };
    let title = say(
        "This release has been changed since: it is at revision {now}, and this form began with revision {from}",
        &[("now", &newest.to_string()), ("from", &from.to_string())],
    );
    Some(
        view! {
            <div role="alert">
                <Alert tone=Tone::Warning title=title>
                    <p>{t("To go on as it is may undo what was done there.")}</p>
                    <div class="form-buttons">
                        {button("pf-v6-c-button pf-m-secondary pf-m-small", t("Load the new values"), load)}
                        {button("pf-v6-c-button pf-m-link pf-m-small", t("Go on with these"), accept)}
                    </div>
                </Alert>
            </div>
        }
        .into_any(),
    )
}
