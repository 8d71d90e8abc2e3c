//! The repositories that charts come from.

mod actions;
mod credentials;
mod draft;
pub mod form;
mod row;
mod scopes;
pub mod state;

use leptos::prelude::*;

use super::create::create_menu;
use super::frame::{page_head, section, teaching, wrapped};
use super::query::{query_setter, query_value};
use super::route::Route;
use super::title::heading;
use crate::client::client;
use crate::client::fetch::{Fetched, follow};
use crate::model::{RepositoryList, RepositoryOrigin, RepositoryState, Tone};
use crate::signals::{Memo, Views, dynamic, effect, keyed};
use crate::ui::alert::alert;
use crate::ui::button::{button, link_button};
use crate::ui::state::{empty_state, shown, stale_banner};
use crate::ui::table::{hidden_head, plain_head, skeleton_rows};
use crate::ui::toolbar::SearchInput;
use crate::words::{count, t, told};
use state::is_pending;

/// How many columns the table has.
const COLUMNS: usize = 7;

/// The page.
#[component]
pub fn Repositories(
    /// Whose are shown beside those for everybody.
    namespace: Option<String>,
) -> impl IntoView {
    let of = namespace.clone();
    let waiting = RwSignal::new(false);
    let list = follow(waiting.into(), move || client().repositories(of.clone()));
    let pending =
        Memo::new(move || list.data.with(|it| it.is_some_and(|it| it.repositories.iter().any(is_pending))));
    effect(move || waiting.set(pending.get()));
    let create = create_menu(namespace.clone());
    let of = namespace.clone();
    let about = t("Helm Chart repositories are where the charts of the catalog come from.");
    let content = shown(list, || table(skeleton_rows(4, COLUMNS)), move || content(list, namespace.clone()));
    view! {
        {page_head(heading(t("Repositories").to_owned()), about, create)}
        {section(vec![stale_banner(list), content].into_any())}
        {actions::dialogs(of, list)}
    }
    .into_any()
}

fn content(list: Fetched<RepositoryList>, namespace: Option<String>) -> AnyView {
    let (text, set) = (query_value("name"), query_setter());
    let found = Memo::new(move || {
        let text = text.get().trim().to_lowercase();
        list.data.with(|it| {
            let all = it.iter().flat_map(|it| &it.repositories);
            let has = |one: &&RepositoryState| {
                [Some(&one.name), one.display_name.as_ref(), Some(&one.url)]
                    .into_iter()
                    .flatten()
                    .any(|there| there.to_lowercase().contains(&text))
            };
            all.filter(has).cloned().collect::<Vec<_>>()
        })
    });
    let warnings = move || {
        let warnings = list.data.with(|it| it.map(|it| it.warnings.clone()).unwrap_or_default());
        (!warnings.is_empty()).then(|| {
            let lines = warnings.iter().map(|text| wrapped(told(text))).views();
            alert(Tone::Warning, t("This list is not complete").to_owned(), lines.into_any())
        })
    };
    let is_empty = Memo::new(move || list.data.with(|it| it.is_some_and(|it| it.repositories.is_empty())));
    let of = StoredValue::new(namespace);
    let counted = move || count(found.with(Vec::len), "{n} repository", "{n} repositories");
    let tools = move || {
        view! {
            <div class="list-tools">
                <SearchInput
                    label=t("Filter by name")
                    value=text
                    on_input=Callback::new(move |text| set.run(vec![("name", text)]))
                />
                <span class="list-count" role="status">
                    {dynamic(counted)}
                </span>
            </div>
        }
    };
    let nothing = move || {
        found.with(Vec::is_empty).then(|| {
            let clear = button("pf-v6-c-button pf-m-link pf-m-inline", t("Clear all filters"), move || {
                set.run(vec![("name", String::new())]);
            });
            view! {
                <tr class="pf-v6-c-table__tr">
                    <td class="pf-v6-c-table__td nothing-found" colspan=COLUMNS.to_string()>
                        <p>{t("No repositories match the filter.")}</p>
                        {clear}
                    </td>
                </tr>
            }
        })
    };
    let rows = move || {
        let rows = keyed(
            move || found.with(|found| found.iter().map(key_of).collect()),
            move |key| row::row(key, found, list, of.get_value()),
        );
        vec![rows, dynamic(nothing)].into_any()
    };
    let body = move || {
        if !is_empty.get() {
            return view! { {tools()} {table(rows())} }.into_any();
        }
        let text = t("A chart repository lists the charts that can be installed. There is none yet.");
        let add = Route::Repository { namespace: of.get_value(), name: None }.to_string();
        let add = link_button("pf-v6-c-button pf-m-primary", t("Add a repository"), add);
        empty_state(t("No repositories found").to_owned(), "cubes", teaching(text, vec![add]))
    };
    vec![dynamic(warnings), dynamic(body)].into_any()
}

fn table(rows: AnyView) -> AnyView {
    let heads = [t("Name"), t("Source"), t("Repo URL"), t("Status"), t("Charts"), t("Last fetched")];
    let heads = heads.into_iter().map(plain_head).chain([hidden_head(t("Actions"))]).views();
    view! {
        <table class="pf-v6-c-table pf-m-grid-lg pf-m-compact repositories" aria-label=t("Repositories")>
            <thead class="pf-v6-c-table__thead">
                <tr class="pf-v6-c-table__tr">{heads}</tr>
            </thead>
            <tbody class="pf-v6-c-table__tbody">{rows}</tbody>
        </table>
    }
    .into_any()
}

/// What tells a row from the others: two may have one name.
fn key_of(repository: &RepositoryState) -> String {
    format!("{}\n{}", repository.origin.as_str(), repository.name)
}

/// Why the repository cannot be changed by this user; none if it can.
fn why_not(list: &RepositoryList, repository: &RepositoryState) -> Option<&'static str> {
    let order = |one: &RepositoryState| match one.origin {
        RepositoryOrigin::Settings => 0,
        RepositoryOrigin::Slipway => 1,
        RepositoryOrigin::Cluster => 2,
        RepositoryOrigin::Project => 3,
    };
    let mut namesakes = list.repositories.iter().filter(|one| one.name == repository.name);
    match () {
        () if repository.origin == RepositoryOrigin::Settings => {
            Some(t("It is set up where Slipway is started (--repository), and changed there."))
        }
        // What is asked for by this name is the other one.
        () if namesakes.any(|one| order(one) < order(repository)) => {
            Some(t("Another repository of this name stands before it. Change it where it is kept."))
        }
        () if !list.may_change.contains(&repository.name) => {
            Some(t("You do not have the right to change this repository."))
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_repository_cannot_be_changed_is_said() {
        let of =
            |name: &str, origin| RepositoryState { name: name.into(), origin, ..RepositoryState::default() };
        let list = RepositoryList {
            repositories: vec![
                of("given", RepositoryOrigin::Settings),
                of("ours", RepositoryOrigin::Slipway),
                of("ours", RepositoryOrigin::Cluster),
                of("theirs", RepositoryOrigin::Cluster),
            ],
            may_change: vec!["ours".into()],
            ..RepositoryList::default()
        };
        let told: Vec<_> = list.repositories.iter().map(|one| why_not(&list, one).is_some()).collect();
        assert_eq!(told, [true, false, true, true]);
    }
}
