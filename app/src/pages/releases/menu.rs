//! The menu of a row: what can be done with the release, and why not. What the list knows is there at once; the server's own
//! word, with the ways out of a release that was left half way, comes behind it.

use leptos::prelude::*;

use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{Phase, RecordStatus, ReleaseKey, ReleaseRow, ReleaseView, Way, WayAction};
use crate::pages::release::actions::{action_href, why_not as told_why_not};
use crate::pages::release::dialogs::{dialog_href, way_words};
use crate::signals::{Memo, dynamic};
use crate::ui::dropdown::{MenuLink, menu_divider, menu_list};
use crate::ui::element::el;
use crate::words::{say, t, told};

/// The items, in the order in which the console's users know them.
fn items() -> [(WayAction, &'static str); 4] {
    [
        (WayAction::Upgrade, t("Upgrade")),
        (WayAction::Rollback, t("Rollback")),
        (WayAction::Test, t("Run tests")),
        (WayAction::Uninstall, t("Uninstall")),
    ]
}

/// Why an action cannot be done, as far as the list tells.
pub fn why_not(row: &ReleaseRow, action: WayAction) -> Option<String> {
    let phase = &row.phase;
    let is_gone = matches!(phase, Phase::Uninstalled | Phase::NotFound);
    let takes_what_is_there = matches!(action, WayAction::Upgrade | WayAction::Test);
    let is_pending = row.status.is_some_and(RecordStatus::is_pending);
    let why = match phase {
        Phase::Pending { .. } => t("A Helm outside of Slipway may be at work on it. The details say more."),
        phase if phase.is_active() => t("An operation is under way. Wait for its end."),
        _ if is_gone && takes_what_is_there => t("It is uninstalled; install it again from the catalog."),
        _ if row.revision.is_none() => t("Helm has no record of this release."),
        _ if takes_what_is_there && is_pending => {
            t("Helm refuses while the record is pending. The details show the ways out.")
        }
        _ if takes_what_is_there && row.status == Some(RecordStatus::Uninstalling) => {
            t("Its uninstall is not finished. Uninstall it again.")
        }
        _ if action == WayAction::Rollback && row.revision <= Some(1) => {
            t("There is no earlier revision to go back to.")
        }
        _ => return None,
    };
    Some(why.to_owned())
}

/// Whether an operation of ours is under way.
fn is_ours(phase: &Phase) -> bool {
    phase.is_active() && !matches!(phase, Phase::Pending { .. })
}

/// What is in the open menu of a row.
pub fn menu(release: &ReleaseKey, row: Memo<Option<ReleaseRow>>) -> AnyView {
    let (of, asked) = (StoredValue::new(release.clone()), release.clone());
    let view = fetch(move || client().release(asked.clone(), None));
    let item = move |(action, text): (WayAction, &'static str)| {
        let disabled = Memo::new(move || {
            let guess = row.with(|row| match row {
                Some(row) => why_not(row, action),
                None => Some(t("It is gone.").to_owned()),
            });
            view.data.with(|view| match view {
                Some(view) if view.actions.iter().any(|way| way.action == action) => {
                    told_why_not(&view.actions, action).map(|why| told(&why))
                }
                _ => guess,
            })
        });
        let href = of.with_value(|of| action_href(of, action));
        view! { <MenuLink href text danger=action == WayAction::Uninstall disabled /> }.into_any()
    };
    let is_running = Memo::new(move || row.with(|row| row.as_ref().is_some_and(|row| is_ours(&row.phase))));
    let cancel = move || {
        is_running.get().then(|| {
            let disabled = Memo::new(move || {
                view.data.with(|view| told_why_not(&view?.actions, WayAction::Cancel).map(|why| told(&why)))
            });
            let href = of.with_value(|of| action_href(of, WayAction::Cancel));
            view! { <MenuLink href text=t("Cancel operation") disabled /> }.into_any()
        })
    };
    let trouble = move || {
        view.error.get().map(|error| {
            let text =
                say("What more can be done is not known: {error}", &[("error", &told(&error.to_string()))]);
            el("li.menu-note").attr("role", "none").child(text)
        })
    };
    let mut all: Vec<AnyView> = Vec::new();
    for one in items() {
        all.push(item(one));
    }
    all.push(dynamic(cancel));
    all.push(dynamic(move || view.data.with(|view| view.map(ways_out))));
    all.push(dynamic(trouble));
    menu_list(all)
}

/// What the release's own page offers beside that: the ways out, and the last operation once more.
fn ways_out(view: &ReleaseView) -> AnyView {
    let again = view.ways.is_empty().then_some(WayAction::Again);
    let is_offered = |way: &&Way| way.action != WayAction::Uninstall;
    let is_again = |way: &&Way| Some(way.action) == again;
    let mut items = Vec::new();
    for way in view.ways.iter().filter(is_offered).chain(view.actions.iter().filter(is_again)) {
        if items.is_empty() {
            items.push(menu_divider());
        }
        let (href, why) = (dialog_href(&view.key, way.action), way.why_not.as_deref().map(told));
        items.push(view! { <MenuLink href text=way_words(way) disabled=why /> }.into_any());
    }
    items.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Detail, OperationKind};

    #[test]
    fn the_list_knows_why_most_cannot_be_done() {
        use WayAction::{Rollback, Test, Uninstall, Upgrade};
        let pending = RecordStatus::PendingUpgrade;
        let deployed = Some(RecordStatus::Deployed);
        for (phase, revision, status, possible) in [
            (Phase::Deployed, Some(1), deployed, vec![Upgrade, Test, Uninstall]),
            (Phase::Deployed, Some(2), deployed, vec![Upgrade, Rollback, Test, Uninstall]),
            (Phase::Queued { kind: OperationKind::Upgrade }, Some(2), deployed, vec![]),
            (Phase::Pending { status: pending }, Some(2), Some(pending), vec![]),
            (Phase::Stuck { status: pending }, Some(2), Some(pending), vec![Rollback, Uninstall]),
            (Phase::Uninstalled, Some(2), Some(RecordStatus::Uninstalled), vec![Rollback, Uninstall]),
            (Phase::Failed { kind: None }, None, None, vec![]),
            (Phase::Failed { kind: None }, Some(1), Some(RecordStatus::Uninstalling), vec![Uninstall]),
        ] {
            let row = ReleaseRow {
                key: ReleaseKey::new("ns", "web"),
                phase,
                revision,
                status,
                detail: Detail::Loading,
                updated: None,
            };
            let found =
                [Upgrade, Rollback, Test, Uninstall].into_iter().filter(|a| why_not(&row, *a).is_none());
            assert_eq!(found.collect::<Vec<_>>(), possible, "{row:?}");
        }
    }
}
