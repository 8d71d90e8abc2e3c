//! What stands above the charts: which repositories have a problem, and which cannot be browsed.

use leptos::prelude::*;

use crate::client::clock::Clock;
use crate::model::{RepositoryState, Tone};
use crate::pages::repositories::state::{is_registry, shown_name};
use crate::pages::route::Route;
use crate::signals::{Memo, Views};
use crate::ui::alert::alert;
use crate::ui::time::{ago_words, dated};
use crate::words::{count, phrase, say, t, told};

/// Of how many repositories it is told what is wrong; their own page has all of them.
const LINES_MAX: usize = 5;

/// What is wrong with which repositories: one warning, however many they are.
pub fn troubles(repositories: Memo<Vec<RepositoryState>>, namespace: Option<String>) -> Option<AnyView> {
    let clock = Clock::get();
    let now = untrack(move || clock.now());
    let broken: Vec<(String, AnyView)> = repositories.with(|all| {
        let used = all.iter().filter(|one| !one.disabled);
        let with_error = used.filter_map(|one| one.error.as_ref().map(|error| (one, error)));
        with_error
            .map(|(one, error)| {
                let shown = match (one.charts, one.fetched) {
                    (Some(_), Some(fetched)) => {
                        let age = ago_words(now.since(fetched)).to_lowercase().into_any();
                        let parts = vec![("age", dated(fetched, age))];
                        phrase("What is shown of it was fetched {age}.", parts)
                    }
                    _ => t("None of its charts can be shown.").into_any(),
                };
                (shown_name(one), vec![sentence(told(error)).into_any(), " ".into_any(), shown].into_any())
            })
            .collect()
    });
    let title = match broken.as_slice() {
        [] => return None,
        [(name, _)] => say("The charts of {name} could not be fetched", &[("name", name)]),
        all => count(
            all.len(),
            "The charts of {n} repositories could not be fetched",
            "The charts of {n} repositories could not be fetched",
        ),
    };
    let is_one = broken.len() == 1;
    let lines = broken.into_iter().take(LINES_MAX).map(move |(name, text)| {
        if is_one {
            return view! { <p class="wrap">{text}</p> }.into_any();
        }
        view! {
            <p class="wrap">
                <b>{name}</b>
                ": "
                {text}
            </p>
        }
        .into_any()
    });
    let href = Route::Repositories { namespace }.to_string();
    let content = view! {
        {lines.views()}
        <p>
            <a href=href>{t("See the repositories")}</a>
        </p>
    };
    Some(alert(Tone::Warning, title, content.into_any()))
}

/// A text with a full stop.
fn sentence(mut text: String) -> String {
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

/// What cannot be browsed: registries list no charts.
pub fn registries(repositories: Memo<Vec<RepositoryState>>, namespace: Option<String>) -> Option<AnyView> {
    let names: Vec<String> =
        repositories.with(|all| all.iter().filter(|one| is_registry(one)).map(shown_name).collect());
    if names.is_empty() {
        return None;
    }
    let href = Route::Elsewhere { namespace }.to_string();
    let link = view! { <a href=href>{t("by its address")}</a> }.into_any();
    let names = view! { <b>{names.join(", ")}</b> }.into_any();
    let parts = vec![("names", names), ("link", link)];
    let text = phrase("Registries do not list their charts: install one of {names} {link}.", parts);
    Some(view! { <p class="note registries">{text}</p> }.into_any())
}
