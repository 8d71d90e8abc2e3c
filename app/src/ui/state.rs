//! What stands in for content: while it loads, when there is none, when it cannot be had, and when it is old.

use crate::signals::{Memo, Views, dynamic};
use leptos::prelude::*;
use std::sync::Arc;

use super::alert::Alert;
use super::button::button;
use super::icon::icon;
use crate::client::clock::Clock;
use crate::client::fetch::Fetched;
use crate::model::time::duration_words;
use crate::model::{ApiError, Timestamp, Tone};
use crate::words::{say, t, told};

/// Grey lines in the place of text.
pub fn skeleton_lines(count: usize) -> AnyView {
    let lines = (0..count).map(|_| view! { <div class="pf-v6-c-skeleton"></div> }).views();
    view! {
        <div class="skeleton-lines" role="status">
            <span class="pf-v6-screen-reader">{t("Loading")}</span>
            {lines}
        </div>
    }
    .into_any()
}

/// A page, or a part of one, that has nothing to show, and what to do about it.
#[component]
pub fn EmptyState(
    /// What there is not.
    #[prop(into)]
    title: String,
    /// The icon above.
    name: &'static str,
    /// The sentence below, and the actions.
    children: Children,
) -> impl IntoView {
    empty_state(title, name, children())
}

/// The same, as a function.
pub fn empty_state(title: String, name: &'static str, content: AnyView) -> AnyView {
    view! {
        <div class="pf-v6-c-empty-state">
            <div class="pf-v6-c-empty-state__content">
                <div class="pf-v6-c-empty-state__header">
                    <div class="pf-v6-c-empty-state__icon">{icon(name)}</div>
                    <div class="pf-v6-c-empty-state__title">
                        <h2 class="pf-v6-c-empty-state__title-text">{title}</h2>
                    </div>
                </div>
                <div class="pf-v6-c-empty-state__body">{content}</div>
            </div>
        </div>
    }
    .into_any()
}

/// In place of what could not be had.
pub fn error_state(error: &ApiError, retry: impl Fn() + 'static) -> AnyView {
    let name = match error {
        ApiError::Forbidden { .. } => "ban",
        ApiError::NotFound { .. } => "search",
        ApiError::SignedOut { .. } => "user",
        _ => "danger",
    };
    let again = error.is_passing().then(|| {
        view! {
            <div class="pf-v6-c-empty-state__actions">
                {button("pf-v6-c-button pf-m-secondary", t("Try again"), retry)}
            </div>
        }
    });
    let (title, text) = (told(error.title()), told(&error.to_string()));
    view! {
        <EmptyState title=title name=name>
            <p>{text}</p>
            {again}
        </EmptyState>
    }
    .into_any()
}

/// The three states of something that is asked for: loading, not to be had, there. The content is made once; it follows
/// the data by itself.
pub fn shown<T: Send + Sync + 'static>(
    fetched: Fetched<T>,
    loading: impl Fn() -> AnyView + Send + Sync + 'static,
    content: impl Fn() -> AnyView + Send + Sync + 'static,
) -> AnyView {
    let has_data = Memo::new(move || fetched.data.is_some());
    shown_of(has_data, fetched.error, Box::new(move || fetched.retry()), Box::new(loading), Box::new(content))
}

type Draw = Box<dyn Fn() -> AnyView + Send + Sync>;

/// [`shown`], for all types: one compiled copy.
fn shown_of(
    has_data: Memo<bool>,
    error: RwSignal<Option<ApiError>>,
    retry: Box<dyn Fn() + Send + Sync>,
    loading: Draw,
    content: Draw,
) -> AnyView {
    let retry = Arc::new(retry);
    dynamic(move || {
        if has_data.get() {
            return content();
        }
        let retry = Arc::clone(&retry);
        match error.get() {
            Some(error) => error_state(&error, move || retry()),
            None => loading(),
        }
    })
}

/// Says that what is shown is old, and how old, while the server cannot be reached.
pub fn stale_banner<T: Send + Sync + 'static>(fetched: Fetched<T>) -> AnyView {
    // While there is nothing to show, the place of the content says what is wrong.
    // That the session has ended is said once, over every page.
    let error = Memo::new(move || {
        let error = fetched.data.is_some().then(|| fetched.error.get()).flatten();
        error.filter(|error| !matches!(error, ApiError::SignedOut { .. }))
    });
    stale_banner_of(error, fetched.as_of)
}

fn stale_banner_of(error: Memo<Option<ApiError>>, as_of: RwSignal<Option<Timestamp>>) -> AnyView {
    let clock = Clock::get();
    let age = move || {
        let age = as_of.get().map(|as_of| clock.now().since(as_of));
        age.map_or_else(
            || t("Trying again…").to_owned(),
            |age| say("Showing the state of {age} ago. Trying again…", &[("age", &duration_words(age))]),
        )
    };
    dynamic(move || {
        error.get().map(|error| {
            let title = match error {
                ApiError::Unreachable { .. } => t("Connection to Slipway lost.").to_owned(),
                error => told(&error.to_string()),
            };
            view! {
                <div class="stale" role="status">
                    <Alert tone=Tone::Warning title=title>
                        <span aria-live="off">{dynamic(age)}</span>
                    </Alert>
                </div>
            }
        })
    })
}
