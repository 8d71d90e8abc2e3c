//! One repository in the list.

use leptos::prelude::*;

use super::actions::{Action, action_href};
use super::state::{is_registry, origin_words, shown_name, state_words};
use super::{key_of, why_not};
use crate::client::fetch::Fetched;
use crate::model::{RepositoryList, RepositoryOrigin, RepositoryState};
use crate::pages::frame::{outside, wrapped};
use crate::pages::route::Route;
use crate::signals::{Memo, Views, dynamic};
use crate::ui::address::encode;
use crate::ui::button::more;
use crate::ui::dropdown::{Dropdown, Look, MenuLink, MenuList};
use crate::ui::icon::icon;
use crate::ui::label::status_label;
use crate::ui::table::{cell, or_dash};
use crate::ui::time::ago;
use crate::words::{say, t, told};

/// A row. Its cells follow the repository; the row itself stays, with its focus and its open menu.
pub fn row(
    key: String,
    found: Memo<Vec<RepositoryState>>,
    list: Fetched<RepositoryList>,
    namespace: Option<String>,
) -> AnyView {
    let state = Memo::new(move || {
        found.with(|found| found.iter().find(|one| key_of(one) == key).cloned()).unwrap_or_default()
    });
    let why_not = Memo::new(move || {
        let why_not = list.data.with(|list| list.and_then(|list| state.with(|state| why_not(list, state))));
        why_not.map(str::to_owned)
    });
    let cell_of = move |title: &'static str, part: fn(&RepositoryState) -> AnyView| {
        cell(title, dynamic(move || state.with(part)))
    };
    let of = namespace.clone();
    let name = dynamic(move || {
        let (state, is_fixed) = (state.get(), why_not.with(Option::is_some));
        let shown = shown_name(&state);
        let under = if shown == state.name { String::new() } else { state.name.clone() };
        let head = if is_fixed {
            view! { <span class="wrap">{shown}</span> }.into_any()
        } else {
            let href = Route::Repository { namespace: of.clone(), name: Some(state.name) }.to_string();
            view! {
                <a class="wrap" href=href>
                    {shown}
                </a>
            }
            .into_any()
        };
        view! {
            <div class="repository-name">
                {head} <div class="note">{under}</div>
                <div class="note wrap clamp">{state.description.unwrap_or_default()}</div>
            </div>
        }
    });
    let cells = [
        cell(t("Name"), name),
        cell_of(t("Source"), source),
        cell_of(t("Repo URL"), |state| match state.url.as_str() {
            "" => or_dash(None),
            url => outside(url, url.to_owned()),
        }),
        cell_of(t("Status"), status),
        cell_of(t("Charts"), charts),
        cell_of(t("Last fetched"), |state| ago(state.fetched)),
    ];
    view! {
        <tr class="pf-v6-c-table__tr">
            {cells.into_iter().views()} <td class="pf-v6-c-table__td pf-v6-c-table__action">
                {menu(state, why_not, namespace)}
            </td>
        </tr>
    }
    .into_any()
}

fn source(state: &RepositoryState) -> AnyView {
    let words = origin_words(state.origin);
    match &state.namespace {
        Some(namespace) => say("{source} {name}", &[("source", words), ("name", namespace)]),
        None => words.to_owned(),
    }
    .into_any()
}

fn status(state: &RepositoryState) -> AnyView {
    let (tone, words) = state_words(state);
    let reason = state.error.as_ref().filter(|_| !state.disabled);
    let reason = reason.map(|error| more(t("Why"), false, wrapped(told(error))));
    view! { <div class="repository-status">{status_label(tone, words.to_owned())} {reason}</div> }.into_any()
}

fn charts(state: &RepositoryState) -> AnyView {
    if is_registry(state) {
        return view! {
            <span class="nothing" title=t("Registries do not list their charts.")>
                {t("Not listed")}
            </span>
        }
        .into_any();
    }
    or_dash(state.charts.map(|charts| charts.to_string()))
}

fn menu(state: Memo<RepositoryState>, why_not: Memo<Option<String>>, namespace: Option<String>) -> AnyView {
    let name = Memo::new(move || state.with(|state| state.name.clone()));
    let is_disabled = Memo::new(move || state.with(|state| state.disabled));
    let origin = Memo::new(move || state.with(|state| state.origin));
    let namespace = StoredValue::new(namespace);
    let items = move || {
        let (name, namespace) = (name.get(), namespace.get_value());
        let item = |text: &'static str, href: String, danger: bool| {
            view! { <MenuLink href text danger disabled=why_not /> }.into_any()
        };
        let action = |action: Action| action_href(namespace.clone(), action, &name);
        let edit = Route::Repository { namespace: namespace.clone(), name: Some(name.clone()) }.to_string();
        let switch = if is_disabled.get() {
            item(t("Enable"), action(Action::Enable), false)
        } else {
            item(t("Disable"), action(Action::Disable), false)
        };
        let catalogue = Route::Catalogue { namespace: namespace.clone(), chart: None }.to_string();
        let browse = (!is_disabled.get() && state.with(|state| !is_registry(state))).then(|| {
            let href = format!("{catalogue}?repository={}", encode(&name));
            view! { <MenuLink href text=t("Browse charts") disabled=Signal::derive(|| None::<String>) /> }
                .into_any()
        });
        // For everybody: a chart that was published a moment ago is not to be waited for.
        let refresh = (!is_disabled.get()).then(|| {
            let href = action(Action::Refresh);
            view! { <MenuLink href text=t("Refresh") disabled=Signal::derive(|| None::<String>) /> }
                .into_any()
        });
        // Those of the settings have nothing else.
        let is_fixed = origin.get() == RepositoryOrigin::Settings;
        let edit = item(t("Edit"), edit, false);
        let test = item(t("Test connection"), action(Action::Test), false);
        let remove = item(t("Remove"), action(Action::Remove), true);
        let items = [Some(edit), Some(test), (!is_fixed).then_some(switch), Some(remove)];
        browse.into_iter().chain(refresh).chain(items.into_iter().flatten()).views()
    };
    let label = name.with(|name| say("Actions for {name}", &[("name", name)]));
    view! {
        <Dropdown look=Look::Icon label=label align_end=true toggle=|| icon("kebab")>
            <MenuList>{items()}</MenuList>
        </Dropdown>
    }
    .into_any()
}
