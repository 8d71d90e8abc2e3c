//! What can be done with a repository from the list: each is a dialog that the address asks for, `?action=remove&of=team`.

use leptos::prelude::*;

use super::draft::Draft;
use super::state::shown_name;
use super::why_not;
use crate::client::fetch::{Fetched, fetch};
use crate::client::{Answer, client};
use crate::model::{ApiError, RepositoryList, RepositoryState, RepositoryTest, Tone};
use crate::pages::frame::told_alert;
use crate::pages::query::{query_value, with_query_without};
use crate::pages::route::Route;
use crate::pages::sending::Sending;
use crate::pages::title::focus_heading;
use crate::signals::{Memo, dynamic, effect};
use crate::ui::address::{Address, encode};
use crate::ui::button::button;
use crate::ui::modal::{Modal, close_dialog};
use crate::ui::state::skeleton_lines;
use crate::words::{count, phrase, say, t, told};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Fetch its index now.
    Refresh,
    /// Ask it, with what it is set up with.
    Test,
    /// Nobody uses it for now.
    Disable,
    /// It is used again.
    Enable,
    /// It is set up no more.
    Remove,
}

impl Action {
    const ALL: [Self; 5] = [Self::Refresh, Self::Test, Self::Disable, Self::Enable, Self::Remove];

    fn word(self) -> &'static str {
        match self {
            Self::Refresh => "refresh",
            Self::Test => "test",
            Self::Disable => "disable",
            Self::Enable => "enable",
            Self::Remove => "remove",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Refresh => t("Refresh"),
            Self::Test => t("Test connection"),
            Self::Disable => t("Disable repository?"),
            Self::Enable => t("Enable repository?"),
            Self::Remove => t("Remove repository?"),
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Refresh => t("Refresh"),
            Self::Test => t("Test connection"),
            Self::Disable => t("Disable"),
            Self::Enable => t("Enable"),
            Self::Remove => t("Remove"),
        }
    }

    /// What comes of it.
    fn effect(self, name: String) -> AnyView {
        let parts = vec![("name", view! { <b class="wrap">{name}</b> }.into_any())];
        match self {
            Self::Refresh | Self::Test => ().into_any(),
            Self::Disable => phrase(
                "The charts of {name} leave the catalog. Releases that were installed from it stay as they are.",
                parts,
            ),
            Self::Enable => phrase("The charts of {name} come back into the catalog.", parts),
            Self::Remove => phrase(
                "{name} is set up no more, and credentials that Slipway keeps for it are deleted. Releases that were installed from it stay as they are.",
                parts,
            ),
        }
    }
}

/// The address of an action's dialog.
pub fn action_href(namespace: Option<String>, action: Action, repository: &str) -> String {
    let page = Route::Repositories { namespace };
    format!("{page}?action={}&of={}", action.word(), encode(repository))
}

/// The dialog that the address asks for, where it can be done.
pub fn dialogs(namespace: Option<String>, list: Fetched<RepositoryList>) -> AnyView {
    let (action, of) = (query_value("action"), query_value("of"));
    let asked = Memo::new(move || {
        let action = action.with(|word| Action::ALL.into_iter().find(|one| one.word() == word))?;
        let repository = list.data.with(|list| {
            let list = list?;
            let found = of.with(|of| list.repositories.iter().find(|one| one.name == *of))?;
            let can_be = action == Action::Refresh || why_not(list, found).is_none();
            can_be.then(|| found.name.clone())
        })?;
        Some((action, repository))
    });
    let page = Route::Repositories { namespace }.to_string();
    dynamic(move || {
        let (action, name) = asked.get()?;
        let repository = list.data.with_untracked(|list| {
            list.and_then(|list| list.repositories.iter().find(|one| one.name == name).cloned())
        })?;
        let (address, page) = (Address::get(), page.clone());
        let close = Callback::new(move |()| {
            address.replace(&untrack(|| with_query_without(&page, &["action", "of"])));
        });
        Some(match action {
            Action::Refresh => refresh_dialog(&repository, list, close),
            Action::Test => test_dialog(&repository, close),
            action => change_dialog(action, repository, list, close),
        })
    })
}

/// Has the index fetched at once, and says what came of it; the list behind follows.
fn refresh_dialog(
    repository: &RepositoryState,
    list: Fetched<RepositoryList>,
    close: Callback<()>,
) -> AnyView {
    let name = repository.name.clone();
    let answer = fetch(move || client().look_again(name.clone()));
    effect(move || {
        if answer.data.is_some() {
            list.retry();
        }
    });
    let title = t("The repository could not be fetched");
    let body = move || match (answer.data.get(), answer.error.get()) {
        (_, Some(error)) => told_alert(Tone::Danger, title.to_owned(), told(&error.to_string())),
        (Some(RepositoryState { error: Some(error), .. }), _) => {
            told_alert(Tone::Danger, title.to_owned(), told(&error))
        }
        (Some(state), _) => {
            let text = match state.charts {
                Some(charts) => {
                    let charts =
                        count(usize::try_from(charts).unwrap_or(usize::MAX), "{n} chart", "{n} charts");
                    say("It lists {charts}.", &[("charts", &charts)])
                }
                None => t("It answers as a registry does. Registries do not list their charts.").to_owned(),
            };
            told_alert(Tone::Success, t("The repository was fetched").to_owned(), text)
        }
        (None, None) => skeleton_lines(2),
    };
    let title = say("Refresh of {name}", &[("name", &shown_name(repository))]);
    view! {
        <Modal
            title=title
            on_close=close
            footer=|| button("pf-v6-c-button pf-m-primary", t("Close"), close_dialog)
        >
            <div aria-live="polite">{dynamic(body)}</div>
        </Modal>
    }
    .into_any()
}

/// Asks the repository at once, and says what it said.
fn test_dialog(repository: &RepositoryState, close: Callback<()>) -> AnyView {
    let (spec, name) = (Draft::of(repository).spec(), repository.name.clone());
    let answer = fetch(move || client().test_repository(spec.clone(), Some(name.clone())));
    let body = move || match (answer.data.get(), answer.error.get()) {
        (_, Some(error)) => failed(&error),
        (Some(test), _) => succeeded(&test),
        (None, None) => skeleton_lines(2),
    };
    let footer = move || {
        let again = move || {
            answer.data.set(None);
            answer.error.set(None);
            answer.retry();
        };
        let close = button("pf-v6-c-button pf-m-primary", t("Close"), close_dialog);
        let again = button("pf-v6-c-button pf-m-link", t("Test again"), again);
        vec![close, again].into_any()
    };
    let title = say("Test of {name}", &[("name", &shown_name(repository))]);
    view! {
        <Modal title=title on_close=close footer=ViewFn::from(footer)>
            <div aria-live="polite">{dynamic(body)}</div>
        </Modal>
    }
    .into_any()
}

/// What a repository said that can be used.
pub fn succeeded(test: &RepositoryTest) -> AnyView {
    let text = match (test.charts, test.versions) {
        (Some(charts), Some(versions)) => {
            let number = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
            let charts = count(number(charts), "{n} chart", "{n} charts");
            let versions = count(number(versions), "{n} version", "{n} versions");
            say("It lists {charts} in {versions}.", &[("charts", &charts), ("versions", &versions)])
        }
        _ => t("It answers as a registry does. Registries do not list their charts.").to_owned(),
    };
    told_alert(Tone::Success, t("The repository can be used").to_owned(), text)
}

/// Why one cannot be used.
pub fn failed(error: &ApiError) -> AnyView {
    told_alert(Tone::Danger, t("The test failed").to_owned(), told(&error.to_string()))
}

/// Asks whether it is meant, does it, and keeps what the server refuses.
fn change_dialog(
    action: Action,
    repository: RepositoryState,
    list: Fetched<RepositoryList>,
    close: Callback<()>,
) -> AnyView {
    let sending = Sending::new();
    let effect = action.effect(shown_name(&repository));
    let act = move || {
        let repository = repository.clone();
        let ask = move || match action {
            Action::Remove => named(client().remove_repository(repository.name.clone())),
            action => {
                let mut draft = Draft::of(&repository);
                draft.disabled = action == Action::Disable;
                let answer = client().change_repository(repository.name.clone(), draft.spec());
                named(Box::pin(async move { Ok(answer.await?.name) }))
            }
        };
        sending.send(ask, move |_| {
            list.retry();
            close_dialog();
            // The row, and the menu in it, may be gone.
            focus_heading();
        });
    };
    let act = StoredValue::new(act);
    let footer = move || {
        let is_removal = action == Action::Remove;
        let look = if is_removal { "pf-v6-c-button pf-m-danger" } else { "pf-v6-c-button pf-m-primary" };
        view! {
            <button
                type="button"
                class=look
                autofocus=!is_removal
                prop:disabled=move || sending.is_busy.get()
                on:click=move |_| act.with_value(|act| act())
            >
                <span class="pf-v6-c-button__text">{action.verb()}</span>
            </button>
            {button("pf-v6-c-button pf-m-link", t("Cancel"), close_dialog)}
        }
        .into_any()
    };
    let refused = move || {
        let refusal = sending.refusal.get()?;
        Some(told_alert(Tone::Danger, told(refusal.title()), told(&refusal.to_string())))
    };
    view! {
        <Modal title=action.title() on_close=close footer=ViewFn::from(footer)>
            <div>
                <p class="modal-text">{effect}</p>
                <div role="alert">{dynamic(refused)}</div>
            </div>
        </Modal>
    }
    .into_any()
}

/// A repository's name in the place of an operation's: what is sent is done when it is answered.
fn named(answer: Answer<String>) -> Answer<crate::model::OperationId> {
    Box::pin(async move { Ok(crate::model::OperationId(answer.await?)) })
}
