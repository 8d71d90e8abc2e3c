//! The form that upgrades a release: another version, other values, or both.

use crate::signals::Memo;
use leptos::prelude::*;

use super::install::draft::Draft;
use super::install::form::{Form, FormFrame};
use super::install::options::Options;
use super::install::values::{Base, ValuesSection};
use super::install::version::VersionSelect;
use super::query::query_value;
use super::release::actions::why_not;
use super::route::Route;
use super::title::heading;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{
    ApiError, Catalogue, ChartDetail, ChartSource, OperationKind, ReleaseKey, ReleaseValues, ReleaseView,
    WayAction,
};
use crate::ui::breadcrumb::breadcrumb;
use crate::ui::button::link_button;
use crate::ui::field::{FormGroup, Hint, Select, TextInput};
use crate::ui::state::{EmptyState, shown, skeleton_lines};

/// What the form is about: the release as it is, and the repositories that have its chart.
#[derive(Clone)]
struct Subject {
    chart: String,
    version: String,
    repositories: Vec<String>,
    values: String,
    why_not: Option<String>,
}

impl Subject {
    fn of(view: &ReleaseView, values: ReleaseValues, catalogue: &Catalogue) -> Result<Self, ApiError> {
        let not_found = || ApiError::NotFound { what: format!("A readable revision of {}", view.key) };
        let summary =
            view.record.as_ref().and_then(|record| record.detail.summary()).ok_or_else(not_found)?;
        let chart = summary.chart.clone().ok_or_else(not_found)?;
        let mut repositories: Vec<String> = catalogue
            .entries
            .iter()
            .filter(|entry| entry.name == chart)
            .map(|entry| entry.repository.clone())
            .collect();
        // The repository that it came from, where an operation of ours tells, is the first choice.
        let known = view.operation.as_ref().and_then(|operation| match &operation.chart {
            Some(ChartSource::Repository { repository, name, .. }) if *name == chart => Some(repository),
            _ => None,
        });
        if let Some(at) = repositories.iter().position(|repository| Some(repository) == known) {
            repositories.swap(0, at);
        }
        let version = summary.chart_version.clone().unwrap_or_default();
        Ok(Self {
            chart,
            version,
            repositories,
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
            |subject| {
                if subject.repositories.is_empty() {
                    no_repository(subject.chart, back.clone())
                } else {
                    view! { <UpgradeForm release=of.clone() subject cancel=back.clone() /> }.into_any()
                }
            },
        )
    };
    view! {
        {breadcrumb(&release.name, page, "Upgrade")}
        <section class="pf-v6-c-page__main-section form-head">
            {heading("Upgrade Helm release".to_owned())} <p>"Choose another version, change the values, or both."</p>
        </section>
        {shown(
            subject,
            || view! { <section class="pf-v6-c-page__main-section">{skeleton_lines(10)}</section> }.into_any(),
            content,
        )}
    }
    .into_any()
}

fn no_repository(chart: String, page: String) -> AnyView {
    view! {
        <EmptyState title="The chart is in none of the repositories" name="cubes">
            <p>"The release was made of the chart " <b>{chart}</b> ", which no configured repository lists."</p>
            <div class="pf-v6-c-empty-state__actions">
                {link_button("pf-v6-c-button pf-m-primary", "Back to the release", page)}
            </div>
        </EmptyState>
    }
    .into_any()
}

#[component]
fn UpgradeForm(release: ReleaseKey, subject: Subject, cancel: String) -> impl IntoView {
    let Subject { chart, version: current, repositories, values, why_not } = subject;
    // Whoever comes from "Update available" has chosen the version already.
    let wanted = query_value("version").get_untracked();
    let chosen = if wanted.is_empty() { current.clone() } else { wanted };
    let fresh = Draft::new(release.namespace.clone(), release.name.clone(), chosen);
    let form = Form::open(OperationKind::Upgrade, format!("upgrade/{release}"), fresh);
    let repository = RwSignal::new(repositories.first().cloned().unwrap_or_default());
    let version = Memo::new(move || form.draft.with(|draft| draft.version.clone()));
    let (name, now) = (chart.clone(), current.clone());
    let detail = fetch(move || {
        let (repository, name) = (repository.get(), name.clone());
        let (version, now) = (version.get(), now.clone());
        let client = client();
        Box::pin(async move {
            match client.chart(repository.clone(), name.clone(), Some(version.clone())).await {
                // A repository that has dropped the release's own version still has others.
                Err(ApiError::NotFound { .. }) if version == now => {
                    client.chart(repository, name, None).await
                }
                answer => answer,
            }
        })
    });
    let source = Callback::new(move |()| {
        let version = detail.data.with_untracked(|it| it.map(|it: &ChartDetail| it.version.clone()))?;
        Some(ChartSource::Repository { repository: repository.get_untracked(), name: chart.clone(), version })
    });
    let now = current.clone();
    let blocked = Signal::derive(move || {
        let is_same = form.is_untouched() && detail.data.with(|it| it.is_none_or(|it| it.version == now));
        why_not
            .clone()
            .or_else(|| is_same.then(|| "Change the version, the values or an option first.".to_owned()))
    });
    let hint = Hint::Plain("An upgrade keeps the name.".to_owned());
    let several = (repositories.len() > 1).then(|| {
        let options: Vec<(String, String)> =
            repositories.iter().map(|one| (one.clone(), one.clone())).collect();
        let hint = Hint::Plain("Several repositories have a chart of this name.".to_owned());
        view! {
            <FormGroup id="repository" label="Repository" hint>
                <Select id="repository" value=repository options on_change=move |name| repository.set(name) />
            </FormGroup>
        }
    });
    let base = RwSignal::new(values);
    let fields = move || {
        let current = Some(current.clone());
        view! {
            <VersionSelect form detail current />
            <ValuesSection form detail base=Base::Release(base.into()) />
            <Options form />
        }
        .into_any()
    };
    view! {
        <FormFrame form source verb="Upgrade" cancel=Signal::derive(move || cancel.clone()) blocked>
            <div class="form-columns">
                <FormGroup id="name" label="Release name" hint=hint.clone()>
                    <TextInput id="name" value=release.name.clone() readonly=true hint on_input=|_| {} />
                </FormGroup>
                {several}
            </div>
            {shown(detail, || skeleton_lines(10), fields)}
        </FormFrame>
    }
    .into_any()
}
