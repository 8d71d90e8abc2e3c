//! A chart by its address.

use leptos::prelude::*;

use super::{Change, Looked, State};
use crate::client::client;
use crate::model::{ApiError, Tone};
use crate::pages::frame::{Line, line, told_alert};
use crate::pages::route::{Origin, Route};
use crate::signals::{Memo, dynamic};
use crate::ui::address::encode;
use crate::ui::alert::alert;
use crate::ui::field::Hint;
use crate::words::{phrase, t, told};

/// Looks at what is at the address, in one version of it where there are several.
pub fn look(state: State, set: Change, version: Option<String>) {
    let url = state.url.get_untracked().trim().to_owned();
    if url.is_empty() || state.is_busy.get_untracked() {
        return;
    }
    let Some(namespace) = state.target() else { return };
    state.turn.update(|turn| *turn += 1);
    state.refusal.set(None);
    state.is_busy.set(true);
    let turn = state.turn.get_untracked();
    let (wanted, same) = (version.clone(), version.clone());
    let answer = client().chart_elsewhere(namespace, url.clone(), version);
    leptos::task::spawn_local(async move {
        let answer = answer.await;
        let is_found = answer.is_ok();
        let looked = answer.map(|chart| Looked { origin: Origin::Address(untagged(&url)), chart });
        // What may hold a token does not go into the address bar.
        let again = Box::new(move || look(state, set, same));
        if state.take(turn, looked, again) && is_found && !url.contains(['?', '@']) {
            set.run(vec![("url", url), ("version", wanted.unwrap_or_default())]);
        }
    });
}

/// An address in a registry without its tag: the version is said beside it.
fn untagged(url: &str) -> String {
    if !url.starts_with("oci://") {
        return url.to_owned();
    }
    let name = url.rfind('/').map_or(0, |at| at + 1);
    match url[name..].find(':') {
        Some(tag) => url[..name + tag].to_owned(),
        None => url.to_owned(),
    }
}

/// Where a repository would be that has the address: what is above the archive, or above the chart.
fn above(url: &str) -> String {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let host = url.find("://").map_or(0, |at| at + 3);
    match url[..end].rfind('/') {
        Some(at) if at > host => url[..at].to_owned(),
        _ => url[..end].to_owned(),
    }
}

/// What is said of a place that a repository is needed for, because credentials or certificates are.
fn needs_repository(refusal: &ApiError) -> Option<&'static str> {
    let ApiError::Unavailable { message } = refusal else { return None };
    let is_about = |words: &&str| message.contains(*words);
    if ["access is refused", "asks for a client certificate"].iter().any(is_about) {
        return Some(t("This place asks for credentials"));
    }
    message.contains("is not signed by an authority").then(|| t("This place’s certificate is not trusted"))
}

/// The field, and what is said of what is in it.
pub fn field(state: State, set: Change, namespace: Memo<Option<String>>) -> AnyView {
    let about = t(
        "For example oci://registry.example.com/charts/mychart or https://example.com/charts/mychart-1.0.0.tgz.",
    );
    let hint = Signal::derive(move || {
        let refused = state.refusal.with(|refusal| match refusal {
            Some(ApiError::Invalid { field, message, .. }) if field.as_deref() != Some("namespace") => {
                Some(told(message))
            }
            Some(ApiError::NotFound { .. }) => Some(t("There is no chart at this address.").to_owned()),
            Some(ApiError::Unavailable { message }) => Some(told(message)),
            _ => None,
        });
        Hint::or_error(about, refused)
    });
    let change = move |text: String| {
        if state.chart.is_some() {
            set.run(vec![("url", String::new()), ("version", String::new())]);
        }
        state.forget();
        state.url.set(text);
    };
    let said = move || {
        let refusal = state.refusal.get()?;
        if let Some(title) = needs_repository(&refusal) {
            return Some(private(state, namespace.get(), title));
        }
        let is_at_field = matches!(
            refusal,
            ApiError::Invalid { .. } | ApiError::NotFound { .. } | ApiError::Unavailable { .. }
        );
        let text = told(&refusal.to_string());
        (!is_at_field).then(|| told_alert(Tone::Danger, told(refusal.title()), text))
    };
    let kind = Line { required: true, ..Line::default() };
    let field = line("chart-url", t("Chart URL"), hint, state.url.into(), Box::new(change), kind);
    view! {
        {field}
        <div role="alert">{dynamic(said)}</div>
    }
    .into_any()
}

/// What to do about such a place.
fn private(state: State, namespace: Option<String>, title: &str) -> AnyView {
    let form = Route::Repository { namespace, name: None };
    let place = state.url.with_untracked(|url| above(url.trim()));
    let href = format!("{form}?url={}", encode(&place));
    let link = view! { <a href=href>{t("Add a repository with them")}</a> }.into_any();
    let text = phrase(
        "Credentials and certificates are not given here. {link}; charts below its address are then fetched with them.",
        vec![("link", link)],
    );
    let text = view! { <p>{text}</p> };
    alert(Tone::Warning, title.to_owned(), text.into_any())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_no_part_of_where_a_chart_is() {
        for (url, expected) in [
            ("oci://r.example:5000/charts/web", "oci://r.example:5000/charts/web"),
            ("oci://r.example:5000/charts/web:1.0.0", "oci://r.example:5000/charts/web"),
            ("https://r.example:8080/web-1.tgz", "https://r.example:8080/web-1.tgz"),
            ("oci://", "oci://"),
        ] {
            assert_eq!(untagged(url), expected);
        }
    }

    #[test]
    fn a_repository_would_be_above_the_chart() {
        for (url, expected) in [
            ("https://r.example/charts/web-1.tgz", "https://r.example/charts"),
            ("https://r.example/web-1.tgz?token=a/b", "https://r.example"),
            ("oci://r.example:5000/team/web", "oci://r.example:5000/team"),
            ("https://r.example", "https://r.example"),
        ] {
            assert_eq!(above(url), expected);
        }
    }
}
