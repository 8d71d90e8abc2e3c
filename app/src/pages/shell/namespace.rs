//! The bar that says which namespace the page is about, and changes it.

mod recent;

use crate::signals::{Memo, dynamic, effect, keyed};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::name::check_namespace;
use crate::pages::route::Route;
use crate::ui::dropdown::{Dropdown, Look, menu_divider, menu_list};
use crate::ui::element::el;
use crate::ui::icon::icon;
use crate::ui::toolbar::SearchInput;
use crate::words::{count, phrase, say, t, told};

/// How many namespaces the menu lists at most; a filter finds the others.
const SHOWN: usize = 100;

/// "Namespace: x", with a menu to search and choose in.
#[component]
pub fn NamespaceBar(route: Memo<Route>) -> impl IntoView {
    let namespace = Memo::new(move || route.with(|route| route.namespace().map(str::to_owned)));
    let face = move || {
        let name = namespace.get().unwrap_or_else(|| t("All namespaces").to_owned());
        phrase("Namespace: {name}", vec![("name", el("b").child(name).done())])
    };
    effect(move || namespace.with(|name| name.iter().for_each(|name| recent::visit(name))));
    let is_shown = Memo::new(move || route.with(|route| *route != Route::NotFound));
    dynamic(move || {
        is_shown.get().then(|| {
            view! {
                <section class="pf-v6-c-page__main-subnav namespace-bar">
                    <Dropdown look=Look::Text toggle=face>
                        {choices(route, namespace)}
                    </Dropdown>
                </section>
            }
        })
    })
}

/// A line of the menu: where it leads, and its words. None leads to all namespaces.
type Line = (Option<String>, String);

fn choices(route: Memo<Route>, namespace: Memo<Option<String>>) -> AnyView {
    let names = fetch(|| client().namespaces());
    let filter = RwSignal::new(String::new());
    let href = move |name: Option<String>| route.with_untracked(|route| route.in_namespace(name)).to_string();
    let item = move |name: Option<String>, words: &str| -> AnyView {
        let selected = namespace.with_untracked(|there| *there == name);
        let mark = selected.then(|| el("span.pf-v6-c-menu__item-select-icon").child(icon("check")));
        let link = el("a")
            .attr("class", if selected { "pf-v6-c-menu__item pf-m-selected" } else { "pf-v6-c-menu__item" })
            .attr("role", "menuitem")
            .attr("tabindex", "-1")
            .attr("href", &href(name))
            .follow("aria-current", move || selected.then(|| "true".to_owned()))
            .child(
                el("span.pf-v6-c-menu__item-main")
                    .child(el("span.pf-v6-c-menu__item-text").child(words.to_owned()))
                    .child(mark),
            );
        el("li.pf-v6-c-menu__list-item").attr("role", "none").child(link).done()
    };
    let found = Memo::new(move || {
        let filter = filter.with(|filter| filter.trim().to_lowercase());
        names.data.with(|all| find(all.map(Vec::as_slice), &filter, &recent::visited()))
    });
    // Each line by what it is, so that one that stays keeps the focus when others come.
    let keys = move || {
        found.with(|found| {
            let mut keys = Vec::new();
            if !found.recent.is_empty() {
                keys.push("recent".to_owned());
                keys.extend(found.recent.iter().map(|name| ["recent/", name].concat()));
                keys.push("line".to_owned());
            }
            for (name, words) in &found.lines {
                keys.push(["to/", name.as_deref().unwrap_or_default(), "/", words].concat());
            }
            if found.more > 0 {
                keys.push(["more/", &found.more.to_string()].concat());
            }
            keys
        })
    };
    let part = move |key: String| match key.split_once('/') {
        None if key == "recent" => el("li.menu-group").attr("role", "none").child(t("Recent")).done(),
        None => menu_divider(),
        Some(("more", more)) => {
            let more = more.parse().unwrap_or_default();
            let text = count(more, "{n} more. Type to find it.", "{n} more. Type to find them.");
            el("li.menu-note").attr("role", "none").child(text).done()
        }
        Some(("recent", name)) => item(Some(name.to_owned()), name),
        Some((_, line)) => {
            let (name, words) = line.split_once('/').unwrap_or((line, line));
            item((!name.is_empty()).then(|| name.to_owned()), words)
        }
    };
    let trouble = move || {
        let text = names.error.get().map(|error| {
            say("{error} You can type a namespace’s name.", &[("error", &told(&error.to_string()))])
        });
        text.or_else(|| names.is_loading().then(|| t("Loading").to_owned()))
            .map(|text| el("p.menu-note").child(text))
    };
    // Enter goes to the first one that was found.
    let on_key = move |event: web_sys::Event| {
        let Some(event) = event.dyn_ref::<web_sys::KeyboardEvent>() else { return };
        let is_typed = filter.with_untracked(|filter| !filter.trim().is_empty());
        if event.key() == "Enter" && is_typed {
            event.prevent_default();
            let search = event.current_target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
            let menu = search.and_then(|search| search.parent_element());
            let first = menu.and_then(|menu| menu.query_selector(".menu-scroll a").ok().flatten());
            if let Some(first) = first.and_then(|first| first.dyn_into::<web_sys::HtmlElement>().ok()) {
                first.click();
            }
        }
    };
    let on_input = Callback::new(move |text| filter.set(text));
    let search = view! { <SearchInput label=t("Find a namespace") value=filter on_input /> };
    el("div")
        .child(el("div.pf-v6-c-menu__search").on("keydown", on_key).child(search.into_any()))
        .child(dynamic(trouble))
        .child(el("div.menu-scroll").child(menu_list(vec![keyed(keys, part)])))
        .done()
}

/// What the menu lists.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    recent: Vec<String>,
    lines: Vec<Line>,
    /// How many more there are.
    more: usize,
}

/// What there is for a `filter`: among `names`, where they are known, and of those that were `visited` lately.
fn find(names: Option<&[String]>, filter: &str, visited: &[String]) -> Found {
    let known = names.unwrap_or_default();
    let is_there = |name: &&String| names.is_none() || known.contains(name);
    let mut lines: Vec<Line> = Vec::new();
    let mut recent = Vec::new();
    if filter.is_empty() {
        lines.push((None, t("All namespaces").to_owned()));
        // Of a few the recent ones are no shorter.
        if names.is_none() || known.len() > visited.len() {
            recent = visited.iter().filter(is_there).cloned().collect();
        }
    }
    // The one of that very name first, then those that begin so.
    let ranks: [fn(&str, &str) -> bool; 3] = [
        |name, filter| name == filter,
        |name, filter| name != filter && name.starts_with(filter),
        |name, filter| !name.starts_with(filter) && name.contains(filter),
    ];
    let (mut more, bound) = (0, lines.len() + SHOWN);
    for is_of in ranks {
        for name in known.iter().filter(|name| is_of(name, filter)) {
            if lines.len() < bound {
                lines.push((Some(name.clone()), name.clone()));
            } else {
                more += 1;
            }
        }
    }
    // Who may not list the namespaces may still know the name of theirs.
    if check_namespace(filter).is_ok() && !known.iter().any(|name| name == filter) {
        lines.push((Some(filter.to_owned()), say("Go to “{name}”", &[("name", filter)])));
    }
    Found { recent, lines, more }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|name| (*name).to_owned()).collect()
    }

    fn words(found: &Found) -> Vec<&str> {
        found.lines.iter().map(|(_, words)| words.as_str()).collect()
    }

    #[test]
    fn without_a_filter_all_are_there_and_recent_ones_that_still_are() {
        let all = names(&["a", "b", "c"]);
        let found = find(Some(&all), "", &names(&["c", "gone"]));
        assert_eq!(words(&found), ["All namespaces", "a", "b", "c"]);
        assert_eq!(found.recent, ["c"]);
    }

    #[test]
    fn a_filter_finds_the_nearest_first_and_what_is_not_listed() {
        let all = names(&["my-team", "team", "team-a", "other"]);
        let found = find(Some(&all), "team", &names(&["other"]));
        assert_eq!(words(&found), ["team", "team-a", "my-team"]);
        assert!(found.recent.is_empty());
        assert_eq!(words(&find(Some(&all), "te", &[])), ["team", "team-a", "my-team", "Go to “te”"]);
        assert_eq!(words(&find(Some(&all), "No Name", &[])), Vec::<&str>::new());
        assert_eq!(words(&find(None, "team", &[])), ["Go to “team”"]);
    }

    #[test]
    fn of_very_many_the_rest_is_told() {
        let all: Vec<String> = (0..5000).map(|at| format!("ns-{at}")).collect();
        let found = find(Some(&all), "", &[]);
        assert_eq!((found.lines.len(), found.more), (SHOWN + 1, 4900));
    }
}
