//! What can be done with a release, and why not, when it cannot: as the server has it.

use leptos::prelude::*;

use super::Live;
use super::dialogs::dialog_href;
use crate::model::{ReleaseKey, Way, WayAction};
use crate::pages::route::Route;
use crate::signals::{Memo, Views, dynamic};
use crate::ui::button::{leading_button, unavailable_button};
use crate::ui::dropdown::{Dropdown, Look, MenuLink, MenuList};
use crate::words::{t, told};

/// The menu's items, in the order in which the console's users know them.
const MENU: [WayAction; 4] = [WayAction::Upgrade, WayAction::Rollback, WayAction::Test, WayAction::Uninstall];

fn menu_words(action: WayAction) -> &'static str {
    match action {
        WayAction::Upgrade => t("Upgrade"),
        WayAction::Rollback => t("Rollback"),
        WayAction::Test => t("Run tests"),
        _ => t("Uninstall"),
    }
}

/// Where an action is done: on a page of its own, or in a dialog.
pub fn action_href(release: &ReleaseKey, action: WayAction) -> String {
    match action {
        WayAction::Upgrade => Route::Upgrade { key: release.clone() }.to_string(),
        WayAction::Rollback => Route::Rollback { key: release.clone() }.to_string(),
        action => dialog_href(release, action),
    }
}

/// Why an action cannot be done; none if it can.
pub fn why_not(ways: &[Way], action: WayAction) -> Option<String> {
    ways.iter().find(|way| way.action == action)?.why_not.as_deref().map(told)
}

/// The button that cancels, while something of ours is under way, and the menu "Actions".
#[component]
pub fn Actions(release: ReleaseKey, live: Live) -> impl IntoView {
    let has_menu = Memo::new(move || live.actions.with(|all| !all.is_empty()) && live.is_there.get());
    let cancel = Memo::new(move || {
        live.actions.with(|all| all.iter().find(|way| way.action == WayAction::Cancel).cloned())
    });
    let release = StoredValue::new(release);
    let href = move |action| release.with_value(|release| action_href(release, action));
    let item = move |action: WayAction| {
        let text = menu_words(action);
        let disabled = Memo::new(move || live.actions.with(|all| why_not(all, action)));
        let danger = action == WayAction::Uninstall;
        view! { <MenuLink href=href(action) text danger disabled /> }.into_any()
    };
    view! {
        <div class="release-actions">
            {dynamic(move || {
                cancel
                    .get()
                    .map(|way| match way.why_not {
                        Some(why) => unavailable_button(t("Cancel"), told(&why)),
                        None => {
                            leading_button("pf-v6-c-button pf-m-secondary", t("Cancel").to_owned(), href(WayAction::Cancel))
                        }
                    })
            })}
            {dynamic(move || {
                has_menu
                    .get()
                    .then(|| {
                        view! {
                            <Dropdown look=Look::Framed align_end=true toggle=|| t("Actions")>
                                <MenuList>{MENU.into_iter().map(item).views()}</MenuList>
                            </Dropdown>
                        }
                    })
            })}
        </div>
    }
}
