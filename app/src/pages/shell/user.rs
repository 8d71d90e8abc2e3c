//! The user's menu: who they are, their language, how times are told, the shortcuts, and what this is.

use leptos::prelude::*;

use super::{Desk, Sheet};
use crate::cluster;
use crate::signals::{Views, dynamic};
use crate::ui::button::{button, link};
use crate::ui::dropdown::{Dropdown, Look, MenuChoice, MenuList};
use crate::ui::element::{el, text};
use crate::ui::icon::{drawing, icon};
use crate::ui::modal::{Modal, close_dialog};
use crate::ui::time::ExactTimes;
use crate::words::{Language, choose, say, t};

/// The menu.
#[component]
pub fn UserMenu(desk: Desk) -> impl IntoView {
    let exact = ExactTimes::get();
    let user = desk.feed.user;
    let face = move || {
        let name = dynamic(move || user.get().unwrap_or_default());
        let parts = vec![
            icon("user"),
            el("span.pf-v6-screen-reader").child(text(t("Signed in as "))).done(),
            el("span.masthead-user-name").child(name).done(),
        ];
        el("span.masthead-user").children(parts).done()
    };
    let items = move || {
        let now = Language::of_the_user();
        let languages = Language::ALL
            .into_iter()
            .map(|one| {
                view! { <MenuChoice text=one.name() selected=one == now on_choose=move || choose(one) /> }
                    .into_any()
            })
            .views();
        view! {
            {user.get_untracked().map(|user| heading("menu-heading menu-user", user))}
            {heading("menu-heading", t("Language").to_owned())}
            {languages}
            <li class="pf-v6-c-divider" role="separator"></li>
            {item(t("Exact times"), "menuitemcheckbox", Some(exact.is_on()), move || exact.switch())}
            {item(t("Keyboard shortcuts"), "menuitem", None, move || desk.sheet.set(Sheet::Shortcuts))}
            {item(t("About Slipway"), "menuitem", None, move || desk.sheet.set(Sheet::About))}
        }
        .into_any()
    };
    view! {
        <Dropdown look=Look::Text align_end=true toggle=face>
            <MenuList>{dynamic(items)}</MenuList>
        </Dropdown>
    }
}

fn heading(class: &'static str, words: String) -> AnyView {
    el("li").attr("class", class).attr("role", "presentation").child(text(words)).done()
}

fn item(
    words: &'static str,
    role: &'static str,
    checked: Option<bool>,
    act: impl Fn() + Send + 'static,
) -> AnyView {
    let act: Box<dyn Fn()> = Box::new(act);
    view! {
        <li class="pf-v6-c-menu__list-item" role="none">
            <button
                type="button"
                class="pf-v6-c-menu__item"
                role=role
                aria-checked=checked.map(|on| on.to_string())
                on:click=move |_| act()
            >
                <span class="pf-v6-c-menu__item-main">
                    <span class="pf-v6-c-menu__item-text">{words}</span>
                    {(checked == Some(true))
                        .then(|| view! { <span class="pf-v6-c-menu__item-select-icon">{icon("check")}</span> })}
                </span>
            </button>
        </li>
    }
    .into_any()
}

/// What this is, and which version.
#[component]
pub fn About(desk: Desk) -> impl IntoView {
    let sign = drawing("wordmark-sign", "0 0 40 32", "#slipway-sign".to_owned());
    let version = say("Version {version}", &[("version", env!("CARGO_PKG_VERSION"))]);
    let about = t("A console for Helm: it goes on with what was begun, whatever happens to this page.");
    let programs = t("The same for programs: the JSON API");
    let parts = vec![
        el("p.wordmark").child(sign).child(el("span").child(text("Slipway")).done()).done(),
        el("p").child(text(about)).done(),
        el("p").child(text(version)).done(),
        el("p").child(link("", cluster::address("/api/v1/openapi.json"), programs, None, || ())).done(),
    ];
    view! {
        <Modal
            title=t("About Slipway")
            on_close=Callback::new(move |()| desk.sheet.set(Sheet::None))
            footer=|| button("pf-v6-c-button pf-m-primary", t("Close"), close_dialog)
        >
            {el("div.about").children(parts).done()}
        </Modal>
    }
}
