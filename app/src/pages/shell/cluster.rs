//! The menu that says which cluster the page is about, and leads to the others. It is there when there are others.

use leptos::prelude::*;

use crate::client::client;
use crate::client::fetch::fetch;
use crate::cluster;
use crate::model::ClusterList;
use crate::pages::route::Route;
use crate::pages::title;
use crate::signals::{Memo, dynamic, effect};
use crate::ui::address::Address;
use crate::ui::dropdown::{Dropdown, Look, MenuList};
use crate::ui::icon::icon;
use crate::ui::toolbar::SearchInput;
use crate::words::{say, t};

/// From how many clusters on there is a field to find one by its name.
const SEARCH_FROM: usize = 8;

/// "Cluster: x", with a menu of all.
#[component]
pub fn ClusterMenu() -> impl IntoView {
    let clusters = fetch(|| client().clusters());
    // A single one needs no menu and no name, unless the page is of one that is not there.
    let others = Memo::new(move || {
        let here = cluster::name();
        clusters.data.with(|list| list.filter(|list| list.clusters.iter().any(|name| *name != here)).cloned())
    });
    effect(move || {
        if others.with(Option::is_some) {
            title::name_cluster(&cluster::name());
        }
    });
    dynamic(move || {
        others.get().map(|list| {
            view! {
                <div class="cluster-menu">
                    <Dropdown
                        look=Look::Text
                        label=say("Cluster: {name}", &[("name", &cluster::name())])
                        toggle=face
                    >
                        {choices(list.clone())}
                    </Dropdown>
                </div>
            }
        })
    })
}

fn face() -> AnyView {
    view! {
        <span class="cluster-word">{t("Cluster:")} " "</span>
        <b class="cluster-name">{cluster::name()}</b>
    }
    .into_any()
}

/// All clusters, each a link to the page of this kind there: another page, which the browser loads anew.
fn choices(list: ClusterList) -> AnyView {
    let filter = RwSignal::new(String::new());
    let there = Address::get().path.with_untracked(|path| counterpart(&Route::parse(path)).to_string());
    let is_long = list.clusters.len() >= SEARCH_FROM;
    let item = move |name: &String| {
        let selected = *name == cluster::name();
        let mark =
            selected.then(|| view! { <span class="pf-v6-c-menu__item-select-icon">{icon("check")}</span> });
        view! {
            <li class="pf-v6-c-menu__list-item" role="none">
                <a
                    class=if selected { "pf-v6-c-menu__item pf-m-selected" } else { "pf-v6-c-menu__item" }
                    role="menuitem"
                    aria-current=selected.then_some("true")
                    href=cluster::elsewhere(name, &there)
                >
                    <span class="pf-v6-c-menu__item-main">
                        <span class="pf-v6-c-menu__item-text">{name.clone()}</span>
                        {mark}
                    </span>
                </a>
            </li>
        }
        .into_any()
    };
    let items = move || {
        let filter = filter.get().trim().to_lowercase();
        let found = list.clusters.iter().filter(|name| name.to_lowercase().contains(&filter));
        found.map(&item).collect::<Vec<_>>()
    };
    let search = is_long.then(|| {
        view! {
            <div class="pf-v6-c-menu__search">
                <SearchInput
                    label=t("Find a cluster")
                    value=filter
                    on_input=Callback::new(move |text| filter.set(text))
                />
            </div>
        }
    });
    view! {
        {search}
        <div class="menu-scroll">
            <MenuList>{dynamic(items)}</MenuList>
        </div>
    }
    .into_any()
}

/// The page to begin with in another cluster, of the kind of this one. The namespace stays, as clusters of one owner often
/// have the same ones. A release, a chart or an upload of this cluster may be another thing there, or none.
fn counterpart(route: &Route) -> Route {
    let namespace = route.namespace().map(str::to_owned);
    match route {
        Route::Catalogue { .. } | Route::Install { .. } => Route::Catalogue { namespace, chart: None },
        _ => route.in_namespace(namespace),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_cluster_begins_with_a_page_of_the_same_kind_in_the_same_namespace() {
        for (here, there) in [
            ("/helm/ns/a/releases", "/helm/ns/a/releases"),
            ("/helm/ns/a/release/web/history", "/helm/ns/a/releases"),
            ("/helm/ns/a/release/web/upgrade", "/helm/ns/a/releases"),
            ("/helm/ns/a/catalog/samples/web", "/helm/ns/a/catalog"),
            ("/helm/ns/a/install/samples/web", "/helm/ns/a/catalog"),
            ("/helm/ns/a/install-upload/u-1", "/helm/ns/a/catalog"),
            ("/helm/all-namespaces/repositories/edit/x", "/helm/all-namespaces/repositories"),
            ("/nowhere", "/helm/all-namespaces/releases"),
        ] {
            assert_eq!(counterpart(&Route::parse(here)).to_string(), there, "{here}");
        }
    }
}
