//! How a repository is doing, in words.

use crate::model::{RepositoryOrigin, RepositoryState, Tone};
use crate::words::t;

/// What people call it.
pub fn shown_name(repository: &RepositoryState) -> String {
    let called = repository.display_name.as_ref().filter(|name| !name.trim().is_empty());
    called.unwrap_or(&repository.name).clone()
}

/// Its own name, without the namespace that it is for.
pub fn own_name(repository: &RepositoryState) -> &str {
    let namespace = repository.namespace.as_deref();
    let own = namespace.and_then(|namespace| repository.name.strip_prefix(namespace)?.strip_prefix(':'));
    own.unwrap_or(&repository.name)
}

/// Where it is set up.
pub fn origin_words(origin: RepositoryOrigin) -> &'static str {
    match origin {
        RepositoryOrigin::Settings => t("Slipway’s settings"),
        RepositoryOrigin::Slipway => t("Added in Slipway"),
        RepositoryOrigin::Cluster => t("Cluster"),
        RepositoryOrigin::Project => t("Namespace"),
    }
}

/// Whether it is a registry, which lists no charts.
pub fn is_registry(repository: &RepositoryState) -> bool {
    repository.url.starts_with("oci://")
}

/// Whether it has not answered yet, and may still do so.
pub fn is_pending(repository: &RepositoryState) -> bool {
    !repository.disabled && repository.fetched.is_none() && repository.error.is_none()
}

/// Its state, in a word.
pub fn state_words(repository: &RepositoryState) -> (Tone, &'static str) {
    match (&repository.error, repository.fetched) {
        _ if repository.disabled => (Tone::Neutral, t("Disabled")),
        (Some(_), Some(_)) => (Tone::Warning, t("Not up to date")),
        (Some(_), None) => (Tone::Danger, t("Error")),
        (None, Some(_)) => (Tone::Success, t("Ready")),
        (None, None) => (Tone::Progress, t("Not fetched yet")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Timestamp;

    fn state(disabled: bool, fetched: bool, error: bool) -> RepositoryState {
        RepositoryState {
            name: "demo:team".into(),
            namespace: Some("demo".into()),
            disabled,
            fetched: fetched.then_some(Timestamp(1)),
            error: error.then(|| "x".into()),
            ..RepositoryState::default()
        }
    }

    #[test]
    fn a_repository_is_in_one_state() {
        for (disabled, fetched, error, words) in [
            (true, true, true, "Disabled"),
            (false, true, false, "Ready"),
            (false, true, true, "Not up to date"),
            (false, false, true, "Error"),
            (false, false, false, "Not fetched yet"),
        ] {
            let state = state(disabled, fetched, error);
            assert_eq!(state_words(&state).1, words);
            assert_eq!(is_pending(&state), words == "Not fetched yet");
        }
    }

    #[test]
    fn it_is_called_what_people_call_it() {
        let mut one = state(false, true, false);
        assert_eq!((shown_name(&one).as_str(), own_name(&one)), ("demo:team", "team"));
        one.display_name = Some("Team charts".into());
        assert_eq!(shown_name(&one), "Team charts");
        one.namespace = None;
        assert_eq!(own_name(&one), "demo:team");
    }
}
