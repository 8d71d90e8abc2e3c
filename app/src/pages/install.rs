//! The form that makes a release of a chart.

pub mod draft;
pub mod form;
pub mod options;
mod preview;
pub mod storage;
pub mod values;
pub mod version;

use crate::signals::{Memo, Views, dynamic, effect};
use leptos::prelude::*;

use super::query::query_value;
use super::route::{ChartRef, Route};
use super::title::heading;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::name::{check_namespace, check_release_name, suggest_release_name};
use crate::model::{ChartSource, OperationKind};
use crate::ui::breadcrumb::breadcrumb;
use crate::ui::field::{FormGroup, Hint, TextInput};
use crate::ui::state::{shown, skeleton_lines};
use draft::{Draft, Field};
use form::{Form, FormFrame};
use options::Options;
use values::{Base, ValuesSection};
use version::VersionSelect;

/// The page.
#[component]
pub fn Install(chart: ChartRef, route: Memo<Route>) -> impl IntoView {
    let asked = query_value("version");
    let fresh = Draft::new(
        route.with_untracked(|route| route.namespace().map(str::to_owned)).unwrap_or_default(),
        suggest_release_name(&chart.chart),
        asked.get_untracked(),
    );
    let form =
        Form::open(OperationKind::Install, format!("install/{}/{}", chart.repository, chart.chart), fresh);
    // The namespace bar above is the same choice.
    let mut before = route.with_untracked(|route| route.namespace().map(str::to_owned));
    effect(move || {
        let now = route.with(|route| route.namespace().map(str::to_owned));
        if let Some(name) = now.clone().filter(|_| now != before) {
            form.draft.update(|draft| draft.namespace = name);
        }
        before = now;
    });
    let version = Memo::new(move || form.draft.with(|draft| draft.version.clone()));
    let of = chart.clone();
    let detail = fetch(move || {
        let version = Some(version.get()).filter(|version| !version.is_empty());
        client().chart(of.repository.clone(), of.chart.clone(), version)
    });
    let cancel = move || {
        let namespace = route.with(|route| route.namespace().map(str::to_owned));
        Route::Catalogue { namespace, chart: None }.to_string()
    };
    let (title, of) = (chart.chart.clone(), chart.clone());
    let source = Callback::new(move |()| {
        let version = detail.data.with_untracked(|detail| detail.map(|detail| detail.version.clone()));
        let (repository, name) = (of.repository.clone(), of.chart.clone());
        version.map(|version| ChartSource::Repository { repository, name, version })
    });
    let body = move || {
        view! {
            <div class="form-columns">
                <Target form />
                <VersionSelect form detail current=None />
            </div>
            <ValuesSection form detail base=Base::Chart />
            <Options form />
        }
        .into_any()
    };
    let catalogue = move || {
        Route::Catalogue { namespace: route.with(|route| route.namespace().map(str::to_owned)), chart: None }
            .to_string()
    };
    view! {
        {breadcrumb("Software Catalog", Signal::derive(catalogue), "Create Helm release")}
        <section class="pf-v6-c-page__main-section form-head">
            {heading("Create Helm release".to_owned())}
            <p>
                "From the chart " <b>{title}</b> " of the repository " <b>{chart.repository}</b>
                ". The installation runs on when you leave the page."
            </p>
        </section>
        <FormFrame form source verb="Create" cancel=Signal::derive(cancel) blocked=Signal::derive(|| None::<String>)>
            {shown(detail, || skeleton_lines(10), body)}
        </FormFrame>
    }
    .into_any()
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
            Box::pin(async move { Ok(list.await?.releases.into_iter().map(|row| row.key).collect()) })
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
            Err(error) if !name.is_empty() => Hint::Error(error),
            _ if is_taken.get() => Hint::Warning(format!(
                "A release {name} is there already. Choose another name, or upgrade that one."
            )),
            _ => Hint::Plain("A unique name for the Helm release.".to_owned()),
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
            Err(error) if !name.is_empty() => Hint::Error(error),
            _ if is_new.get() && !draft.with(|draft| draft.options.create_namespace) => Hint::Warning(
                "There is no such namespace. Set “Create the namespace” below to make it.".to_owned(),
            ),
            _ if is_new.get() => Hint::Plain("It is created with the release.".to_owned()),
            _ => Hint::Plain("Choose one, or type a new one’s name.".to_owned()),
        }
    });
    view! {
        <FormGroup id="name" label="Release name" required=true hint=name_hint>
            <TextInput
                id="name"
                value=name
                hint=name_hint
                on_input=move |text| draft.update(|draft| draft.name = text)
            />
        </FormGroup>
        <FormGroup id="namespace" label="Namespace" required=true hint=namespace_hint>
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
        </FormGroup>
    }
}
