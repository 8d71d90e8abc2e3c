//! The bar that says which namespace the page is about, and changes it.

use crate::signals::{Memo, dynamic};
use leptos::prelude::*;

use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::name::check_namespace;
use crate::pages::route::Route;
use crate::ui::dropdown::{Dropdown, Look, MenuList};
use crate::ui::icon::icon;
use crate::ui::toolbar::SearchInput;

/// How many namespaces the menu lists at most; a filter finds the others.
const SHOWN: usize = 100;

/// "Namespace: x", with a menu to search and choose in.
#[component]
pub fn NamespaceBar(route: Memo<Route>) -> impl IntoView {
    let namespace = Memo::new(move || route.with(|route| route.namespace().map(str::to_owned)));
    let face = move || {
        let name = namespace.get().unwrap_or_else(|| "All namespaces".to_owned());
        view! {
            "Namespace: "
            <b>{name}</b>
        }
        .into_any()
    };
    let is_shown = Memo::new(move || route.with(|route| *route != Route::NotFound));
    dynamic(move || {
        is_shown.get().then(|| {
            view! {
                <section class="pf-v6-c-page__main-subnav namespace-bar">
                    <Dropdown look=Look::Text toggle=face>
                        <Choices route namespace />
                    </Dropdown>
                </section>
            }
        })
    })
}

#[component]
fn Choices(route: Memo<Route>, namespace: Memo<Option<String>>) -> impl IntoView {
    let names = fetch(|| client().namespaces());
    let filter = RwSignal::new(String::new());
    let item = move |name: Option<String>, words: String| {
        let selected = namespace.with_untracked(|there| *there == name);
        view! {
            <li class="pf-v6-c-menu__list-item" role="none">
                <a
                    class=if selected { "pf-v6-c-menu__item pf-m-selected" } else { "pf-v6-c-menu__item" }
                    role="menuitem"
                    aria-current=selected.then_some("true")
                    href=route.with_untracked(|route| route.in_namespace(name)).to_string()
                >
                    <span class="pf-v6-c-menu__item-main">
                        <span class="pf-v6-c-menu__item-text">{words}</span>
                        {selected
                            .then(|| view! { <span class="pf-v6-c-menu__item-select-icon">{icon("check")}</span> })}
                    </span>
                </a>
            </li>
        }
        .into_any()
    };
    let list = move || {
        let filter = filter.get();
        let filter = filter.trim();
        let mut items = Vec::new();
        if filter.is_empty() {
            items.push(item(None, "All namespaces".to_owned()));
        }
        let names = names.data.get().unwrap_or_default();
        let found = names.iter().filter(|name| name.contains(filter));
        items.extend(found.take(SHOWN).map(|name| item(Some(name.clone()), name.clone())));
        // Who may not list the namespaces may still know the name of theirs.
        if check_namespace(filter).is_ok() && !names.iter().any(|name| name == filter) {
            items.push(item(Some(filter.to_owned()), format!("Go to “{filter}”")));
        }
        items
    };
    let trouble = move || {
        names.error.get().map(|error| {
            view! { <p class="menu-note">{error.to_string()} " You can type a namespace’s name."</p> }
        })
    };
    view! {
        <div class="pf-v6-c-menu__search">
            <SearchInput
                label="Find a namespace"
                value=filter
                on_input=Callback::new(move |text| filter.set(text))
            />
        </div>
        {dynamic(trouble)}
        <div class="menu-scroll">
            <MenuList>{dynamic(list)}</MenuList>
        </div>
    }
}
