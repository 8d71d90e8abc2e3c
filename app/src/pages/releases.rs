//! The list of releases.

mod explanation;
mod filter;
mod hold;
pub mod menu;
mod order;
mod removal;
mod row;
mod selection;
mod status;
mod table;
mod tools;
mod updates;

use leptos::prelude::*;

use super::create::create_menu;
use super::query::{query_setter, value_in};
use super::route::Route;
use super::title::heading;
use crate::client::client;
use crate::client::fetch::{Fetched, fetch};
use crate::client::poll::poll;
use crate::model::name::check_namespace;
use crate::model::{ApiError, ReleaseList, ReleaseUpdate, Tone};
use crate::signals::{Memo, Part, dynamic, effect};
use crate::ui::address::Address;
use crate::ui::alert::Alert;
use crate::ui::button::link_button;
use crate::ui::element::el;
use crate::ui::state::{EmptyState, error_state, stale_banner};
use crate::words::{say, t, told};
use filter::{Listed, Query};
use hold::Hold;
use removal::Removal;
use selection::Selection;
use updates::Updates;

/// What the parts of the page share.
#[derive(Clone, Copy)]
struct Context {
    list: Fetched<ReleaseList>,
    /// What the address asks for.
    query: Memo<Query>,
    /// Changes the address.
    set: Callback<Vec<(&'static str, String)>>,
    /// The answer about newer versions, and what it says.
    asked: Fetched<Vec<ReleaseUpdate>>,
    updates: Memo<Updates>,
    hold: Hold,
    selection: Selection,
    removal: Removal,
    /// Whether it is the list of all namespaces.
    all: bool,
}

/// The page.
#[component]
pub fn Releases(
    /// None for all.
    namespace: Option<String>,
) -> impl IntoView {
    let create = create_menu(namespace.clone());
    let mistake = namespace.as_deref().and_then(|name| check_namespace(name).err());
    let content = match mistake {
        Some(mistake) => no_namespace(&namespace.unwrap_or_default(), &mistake),
        None => listed(namespace),
    };
    let head = el("section.pf-v6-c-page__main-section.page-head")
        .child(heading(t("Helm releases").to_owned()))
        .child(create);
    vec![head.done(), el("section.pf-v6-c-page__main-section").child(content).done()].into_any()
}

/// In place of the list of what can be no namespace.
fn no_namespace(name: &str, mistake: &str) -> AnyView {
    let all = Route::Releases { namespace: None }.to_string();
    let title = say("There can be no namespace “{name}”", &[("name", name)]);
    let body = vec![
        el("p").child(told(mistake)).done(),
        el("div.pf-v6-c-empty-state__actions")
            .child(link_button("pf-v6-c-button pf-m-primary", t("Show all namespaces"), all))
            .done(),
    ];
    view! { <EmptyState title=title name="search">{body}</EmptyState> }.into_any()
}

fn listed(namespace: Option<String>) -> AnyView {
    let of = namespace.clone();
    let list = poll(move |since| client().releases(of.clone(), since));
    let address = Address::get();
    let query = Memo::new(move || address.query.with(|query| Query::read(|name| value_in(query, name))));
    let asked = updates::ask(list, namespace.clone());
    let updates =
        Memo::new(move || asked.data.with(|all| Updates::new(all.map(Vec::as_slice).unwrap_or_default())));
    let all = namespace.is_none();
    let fresh = Memo::new(move || {
        let mut query = query.get();
        if !all {
            query.namespaces.clear();
        }
        list.data.with(|data| {
            data.map_or_else(Listed::default, |data| {
                updates.with(|updates| query.apply(&data.releases, updates))
            })
        })
    });
    let selection = Selection::new();
    let removal = Removal::new(selection);
    let hold = Hold::new(query, fresh);
    let context = Context { list, query, set: query_setter(), asked, updates, hold, selection, removal, all };
    effect(move || {
        list.data.with(|data| {
            if let Some(data) = data {
                selection.keep(&data.releases);
            }
        });
    });
    vec![
        stale_banner(list),
        removal::results(removal),
        body(context, namespace),
        removal::dialog(removal, list),
    ]
    .into_any()
}

#[derive(Clone, PartialEq)]
enum Shown {
    Failed(ApiError),
    Empty,
    Table,
}

fn body(context: Context, namespace: Option<String>) -> AnyView {
    let list = context.list;
    let shown = Memo::new(move || {
        list.data.with(|data| match data {
            Some(data) if data.releases.is_empty() && data.warnings.is_empty() => Shown::Empty,
            Some(_) => Shown::Table,
            None => list.error.get().map_or(Shown::Table, Shown::Failed),
        })
    });
    dynamic(move || match shown.get() {
        Shown::Failed(error) => error_state(&error, move || list.retry()),
        Shown::Empty => empty(namespace.clone()),
        Shown::Table => vec![warnings(list), table::table(context)].into_any(),
    })
}

fn empty(namespace: Option<String>) -> AnyView {
    let catalogue = Route::Catalogue { namespace: namespace.clone(), chart: None }.to_string();
    let elsewhere = Route::Elsewhere { namespace: namespace.clone() }.to_string();
    let names = namespace.is_some().then(|| fetch(|| client().namespaces()));
    let doubt = namespace.clone().zip(names).map(|(name, names)| {
        dynamic(move || {
            let is_unknown = names.data.with(|all| all.is_some_and(|all| !all.contains(&name)));
            is_unknown.then(|| {
                let text = say(
                    "It is not among the namespaces that you may list: {name} may not exist, or be mistyped.",
                    &[("name", &name)],
                );
                el("p.empty-doubt").child(text)
            })
        })
    });
    let all = namespace.as_ref().map(|_| {
        let all = Route::Releases { namespace: None }.to_string();
        link_button("pf-v6-c-button pf-m-link", t("Show all namespaces"), all)
    });
    let place = match &namespace {
        Some(name) => say("There are none in the namespace {name}.", &[("name", name)]),
        None => t("There are none in the namespaces that you may see.").to_owned(),
    };
    let body = vec![
        el("p").child(place).done(),
        doubt.into_part(),
        el("p")
            .child(t(
                "A release is an application that was installed from a Helm chart. Choose a chart in the catalog: it is installed in the background, and followed here.",
            ))
            .done(),
        el("div.pf-v6-c-empty-state__actions")
            .child(link_button("pf-v6-c-button pf-m-primary", t("Browse the catalog"), catalogue))
            .done(),
        el("div.pf-v6-c-empty-state__actions")
            .child(link_button("pf-v6-c-button pf-m-link", t("Install Helm Chart from URL or file"), elsewhere))
            .child(all)
            .done(),
    ];
    view! { <EmptyState title=t("No Helm releases found") name="cubes">{body}</EmptyState> }.into_any()
}

fn warnings(list: Fetched<ReleaseList>) -> AnyView {
    let warnings =
        Memo::new(move || list.data.with(|data| data.map(|data| data.warnings.clone()).unwrap_or_default()));
    dynamic(move || {
        let warnings = warnings.get();
        (!warnings.is_empty()).then(|| {
            let mut lines = Vec::new();
            for text in warnings {
                lines.push(el("p").child(told(&text)).done());
            }
            view! { <Alert tone=Tone::Warning title=t("This list is not complete")>{lines}</Alert> }
                .into_any()
        })
    })
}
