//! Which revision a tab shows: the newest one, unless the address names another.

use leptos::prelude::*;

use super::Live;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{HistoryEntry, ReleaseKey};
use crate::pages::query::{query_setter, query_value};
use crate::signals::Memo;
use crate::ui::field::Select;
use crate::words::{say, t};

/// The chosen revision, and the field that chooses it.
pub fn revision_choice(release: &ReleaseKey, live: Live) -> (Memo<Option<u32>>, AnyView) {
    let (asked, set) = (query_value("revision"), query_setter());
    let chosen = Memo::new(move || asked.with(|asked| asked.parse().ok()).or_else(|| live.revision.get()));
    let of = release.clone();
    let history = fetch(move || {
        live.revision.track();
        client().history(of.clone())
    });
    let options = Memo::new(move || {
        let known =
            history.data.with(|history| history.map(|all| all.iter().map(revision_of).collect::<Vec<_>>()));
        // Until the history is there, and where it is not to be had, there is the one that is shown.
        let known = known.unwrap_or_else(|| chosen.get().into_iter().collect());
        known.into_iter().map(|revision| option(revision, live.revision.get())).collect::<Vec<_>>()
    });
    let value = Signal::derive(move || chosen.get().map(|revision| revision.to_string()).unwrap_or_default());
    let choose = move |revision: String| {
        let newest = live.revision.get_untracked().map(|newest| newest.to_string());
        // The address of the newest one stays that of the newest one.
        set.run(vec![(
            "revision",
            if newest.as_ref() == Some(&revision) { String::new() } else { revision },
        )]);
    };
    let field = view! {
        <span class="narrow-select">
            <label class="pf-v6-screen-reader" for="revision">
                {t("Revision")}
            </label>
            <Select id="revision" value options on_change=choose />
        </span>
    };
    (chosen, field.into_any())
}

fn revision_of(entry: &HistoryEntry) -> u32 {
    entry.record.revision
}

fn option(revision: u32, newest: Option<u32>) -> (String, String) {
    let number = revision.to_string();
    let words = if newest == Some(revision) {
        say("Revision {revision} (newest)", &[("revision", &number)])
    } else {
        say("Revision {revision}", &[("revision", &number)])
    };
    (number, words)
}
