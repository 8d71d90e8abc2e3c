//! The menu of what can be created, on the pages that list something.

use leptos::prelude::*;

use super::route::Route;
use crate::signals::Views;
use crate::ui::dropdown::{Dropdown, Look, MenuLink, MenuList};
use crate::words::t;

/// "Create": a release of a chart from the catalogue or from elsewhere, or a repository.
pub fn create_menu(namespace: Option<String>) -> AnyView {
    let items = [
        (t("Helm release"), Route::Catalogue { namespace: namespace.clone(), chart: None }),
        (t("Repository"), Route::Repository { namespace: namespace.clone(), name: None }),
        (t("Helm Chart from URL or file"), Route::Elsewhere { namespace }),
    ];
    let items = StoredValue::new(items.map(|(text, route)| (text, route.to_string())));
    let list = move || {
        items
            .get_value()
            .into_iter()
            .map(|(text, href)| {
                view! { <MenuLink href text disabled=Signal::derive(|| None::<String>) /> }.into_any()
            })
            .views()
    };
    view! {
        <Dropdown look=Look::Primary align_end=true toggle=|| t("Create").into_any()>
            <MenuList>{list()}</MenuList>
        </Dropdown>
    }
    .into_any()
}
