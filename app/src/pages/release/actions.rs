//! What can be done with a release, and why not, when it cannot.

use crate::signals::{Memo, dynamic};
use leptos::prelude::*;

use super::Live;
use crate::model::{Phase, ReleaseKey};
use crate::pages::route::Route;
use crate::ui::dropdown::{Dropdown, Look, MenuLink, MenuList};

/// Why nothing can be started while something is under way.
pub fn active_reason(phase: &Phase) -> Option<String> {
    match phase {
        Phase::Pending { .. } => Some("A Helm outside of Slipway is at work on this release.".to_owned()),
        phase if phase.is_active() => Some("An operation is under way. Wait for its end.".to_owned()),
        _ => None,
    }
}

/// Whether there is something to uninstall.
pub fn can_uninstall(phase: &Phase) -> bool {
    !matches!(phase, Phase::Uninstalled | Phase::NotFound)
}

/// The address of the dialog that uninstalls.
pub fn uninstall_href(release: &ReleaseKey) -> String {
    format!("{}?action=uninstall", Route::release(release))
}

fn upgrade_reason(phase: &Phase) -> Option<String> {
    match phase {
        Phase::Uninstalled => Some("It is uninstalled; install it again from the catalog.".to_owned()),
        Phase::Stuck { .. } => Some("Helm refuses while the record is pending.".to_owned()),
        phase => active_reason(phase),
    }
}

fn uninstall_reason(phase: &Phase) -> Option<String> {
    if can_uninstall(phase) { active_reason(phase) } else { Some("It is uninstalled already.".to_owned()) }
}

/// The menu "Actions".
#[component]
pub fn Actions(release: ReleaseKey, live: Live) -> impl IntoView {
    let upgrade = StoredValue::new(Route::Upgrade { key: release.clone() }.to_string());
    let uninstall = StoredValue::new(uninstall_href(&release));
    let is_there = Memo::new(move || live.phase.with(|phase| *phase != Phase::NotFound));
    dynamic(move || {
        is_there.get().then(|| {
            view! {
                <Dropdown look=Look::Framed align_end=true toggle=|| "Actions">
                    <MenuList>
                        <MenuLink
                            href=upgrade.get_value()
                            text="Upgrade"
                            disabled=Signal::derive(move || live.phase.with(upgrade_reason))
                        />
                        <MenuLink
                            href=uninstall.get_value()
                            text="Uninstall"
                            danger=true
                            disabled=Signal::derive(move || live.phase.with(uninstall_reason))
                        />
                    </MenuList>
                </Dropdown>
            }
        })
    })
}
