//! The form that makes a release of a chart.

pub mod chart;
mod command;
pub mod draft;
pub mod form;
pub mod frame;
pub mod options;
mod preview;
mod recall;
pub mod storage;
pub mod values;
pub mod version;

use crate::signals::{Memo, Views, dynamic, effect};
use leptos::prelude::*;

use super::query::query_value;
use super::route::{Origin, Route};
use super::title::heading;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::name::{check_namespace, check_release_name, suggest_release_name};
use crate::model::{OperationKind, ReleaseRow};
use crate::ui::breadcrumb::breadcrumb;
use crate::ui::button::button;
use crate::ui::field::{FormGroup, Hint, TextInput};
use crate::ui::state::{shown, skeleton_lines};
use crate::words::{phrase, say, t, told};
use chart::Chart;
use draft::{Draft, Field};
use form::Form;
use frame::FormFrame;
use options::Options;
use values::{Base, ValuesSection};
use version::VersionSelect;

/// The page.
#[component]
pub fn Install(origin: Origin, route: Memo<Route>) -> impl IntoView {
    let asked = query_value("version");
    let name = match &origin {
        Origin::Repository(chart) => suggest_release_name(&chart.chart),
        // What it is called is in it.
        Origin::Address(_) | Origin::Upload(_) => String::new(),
    };
    let fresh = Draft::new(
        route.with_untracked(|route| route.namespace().map(str::to_owned)).unwrap_or_default(),
        name,
        asked.get_untracked(),
    );
    let stored = match &origin {
        Origin::Repository(chart) => format!("install/{}/{}", chart.repository, chart.chart),
        Origin::Address(url) => format!("install-address/{url}"),
        Origin::Upload(upload) => format!("install-upload/{upload}"),
    };
    let form = Form::open(OperationKind::Install, stored, fresh);
    // The namespace bar above is the same choice.
    let mut before = route.with_untracked(|route| route.namespace().map(str::to_owned));
    effect(move || {
        let now = route.with(|route| route.namespace().map(str::to_owned));
        if let Some(name) = now.clone().filter(|_| now != before) {
            form.draft.update(|draft| draft.namespace = name);
        }
        before = now;
    });
    let of = origin.clone();
    let chart = Chart::follow(Memo::new(move || Some(of.clone())), form, None);
    effect(move || {
        let name = chart.detail.data.with(|detail| detail.map(|detail| detail.name.clone()));
        if let Some(name) = name {
            form.suggest(&suggest_release_name(&name));
        }
    });
    let catalogue = move || {
        Route::Catalogue { namespace: route.with(|route| route.namespace().map(str::to_owned)), chart: None }
            .to_string()
    };
    let body = move || {
        view! {
            {chart.alerts()}
            <ValuesSection form chart base=Base::Chart />
            <Options form />
        }
        .into_any()
    };
    let blocked = Signal::derive(move || chart.why_not());
    view! {
        {breadcrumb(t("Software Catalog"), Signal::derive(catalogue), t("Create Helm release"))}
        <section class="pf-v6-c-page__main-section form-head">
            {heading(t("Create Helm release").to_owned())} <p>{about(&origin, chart)}</p>
        </section>
        <FormFrame form source=chart.source verb=t("Create") cancel=Signal::derive(catalogue) blocked>
            <div class="form-columns">
                <Target form />
                <VersionSelect form chart current=None />
            </div>
            {shown(chart.detail, || skeleton_lines(10), body)}
        </FormFrame>
    }
    .into_any()
}

/// Which chart it is, and that nobody has to wait.
fn about(origin: &Origin, chart: Chart) -> AnyView {
    let bold = |text: String| view! { <b class="wrap">{text}</b> }.into_any();
    let name = dynamic(move || {
        chart.detail.data.with(|detail| detail.map(|detail| format!("{} {}", detail.name, detail.version)))
    });
    let name = view! { <b>{name}</b> }.into_any();
    match origin {
        Origin::Repository(of) => phrase(
            "From the chart {chart} of the repository {repository}. The installation runs on when you leave the page.",
            vec![("chart", bold(of.chart.clone())), ("repository", bold(of.repository.clone()))],
        ),
        Origin::Address(url) => phrase(
            "From the chart {chart} at {address}. The installation runs on when you leave the page.",
            // Without a query, which may hold a token.
            vec![("chart", name), ("address", bold(url.split('?').next().unwrap_or_default().to_owned()))],
        ),
        Origin::Upload(_) => phrase(
            "From the chart {chart}, which you have uploaded. The installation runs on when you leave the page.",
            vec![("chart", name)],
        ),
    }
}

/// Where to, and under which name.
#[component]
fn Target(form: Form) -> impl IntoView {
    let draft = form.draft;
    let name = Memo::new(move || draft.with(|draft| draft.name.clone()));
    let namespace = Memo::new(move || draft.with(|draft| draft.namespace.clone()));
    let namespaces = fetch(|| client().namespaces());
    // Which releases there are already; asked for when the namespace is one that exists.
    let there = Memo::new(move || {
        let namespace = namespace.get();
        namespaces.data.with(|all| all.is_none_or(|all| all.contains(&namespace))).then_some(namespace)
    });
    let releases = fetch(move || match there.get().filter(|name| check_namespace(name).is_ok()) {
        Some(namespace) => {
            let list = client().releases(Some(namespace), None);
            // One that came to nothing, of which Helm has no record, is not in the way.
            let is_there = |row: &ReleaseRow| row.revision.is_some() || row.phase.is_active();
            Box::pin(async move {
                Ok(list.await?.releases.into_iter().filter(is_there).map(|row| row.key).collect())
            })
        }
        None => Box::pin(async { Ok(Vec::new()) }),
    });
    let is_taken = Memo::new(move || {
        let (name, namespace) = (name.get(), namespace.get());
        releases.data.with(|keys| {
            keys.into_iter()
                .flatten()
                .any(|key: &crate::model::ReleaseKey| key.name == name && key.namespace == namespace)
        })
    });
    let name_hint = Signal::derive(move || {
        if let Some(error) = form.error_at(Field::Name) {
            return Hint::Error(error);
        }
        let name = name.get();
        match check_release_name(&name) {
            Err(error) if !name.is_empty() => Hint::Error(told(&error)),
            _ if is_taken.get() => Hint::Warning(say(
                "A release {name} is there already. Choose another name, or upgrade that one.",
                &[("name", &name)],
            )),
            _ => Hint::Plain(t("A unique name for the Helm release.").to_owned()),
        }
    });
    let is_new = Memo::new(move || {
        let name = namespace.get();
        !name.is_empty() && namespaces.data.with(|all| all.is_some_and(|all| !all.contains(&name)))
    });
    let namespace_hint = Signal::derive(move || {
        if let Some(error) = form.error_at(Field::Namespace) {
            return Hint::Error(error);
        }
        let name = namespace.get();
        match check_namespace(&name) {
            Err(error) if !name.is_empty() => Hint::Error(told(&error)),
            _ if is_new.get() && !draft.with(|draft| draft.options.create_namespace) => {
                Hint::Warning(t("There is no such namespace.").to_owned())
            }
            _ if is_new.get() => Hint::Plain(t("It is created with the release.").to_owned()),
            _ => Hint::Plain(t("Choose one, or type a new one’s name.").to_owned()),
        }
    });
    view! {
        <FormGroup id="name" label=t("Release name") required=true hint=name_hint>
            <TextInput
                id="name"
                value=name
                hint=name_hint
                on_input=move |text| draft.update(|draft| draft.name = text)
            />
        </FormGroup>
        <FormGroup id="namespace" label=t("Namespace") required=true hint=namespace_hint>
            <TextInput
                id="namespace"
                list="namespaces"
                value=namespace
                hint=namespace_hint
                on_input=move |text| draft.update(|draft| draft.namespace = text)
            />
            <datalist id="namespaces">
                {dynamic(move || {
                    namespaces
                        .data
                        .get()
                        .unwrap_or_default()
                        .into_iter()
                        .map(|name| view! { <option value=name></option> })
                        .views()
                })}
            </datalist>
            {dynamic(move || {
                let is_asked = is_new.get() && !draft.with(|draft| draft.options.create_namespace);
                is_asked
                    .then(|| {
                        button(
                            "pf-v6-c-button pf-m-link pf-m-inline",
                            t("Create it with the release"),
                            move || draft.update(|draft| draft.options.create_namespace = true),
                        )
                    })
            })}
        </FormGroup>
    }
}
