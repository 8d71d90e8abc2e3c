//! What the chart has to say after an install.

use leptos::prelude::*;

use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::ReleaseKey;
use crate::signals::{Memo, dynamic};
use crate::ui::button::button;
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::text::{CopyButton, text_with_links};
use crate::words::t;

/// The notes of the newest revision, which can be folded away.
#[component]
pub fn Notes(release: ReleaseKey, revision: Memo<Option<u32>>) -> impl IntoView {
    let notes = fetch(move || client().notes(release.clone(), revision.get()));
    let is_open = RwSignal::new(true);
    let text = Memo::new(move || notes.data.get().unwrap_or_default());
    let is_empty = Memo::new(move || text.with(|text| text.trim().is_empty()));
    let content = move || {
        dynamic(move || {
            if is_empty.get() {
                return view! {
                    <p class="note">
                        {t("This chart has no release notes: its authors can tell in them how to reach what was installed.")}
                    </p>
                }
                .into_any();
            }
            // Charts are not trusted: this is a text, in which only addresses of the web are links.
            view! { <div class="notes-text" dir="ltr" tabindex="0" role="group" aria-label=t("Text of the notes")>{text.with(|text| text_with_links(text))}</div> }
                .into_any()
        })
    };
    view! {
        <section class="overview-part" aria-labelledby="notes-title">
            <div class="part-head">
                <h2 class="pf-v6-c-title pf-m-h2" id="notes-title">
                    {t("Release notes")}
                </h2>
                {dynamic(move || {
                    (!is_empty.get())
                        .then(|| {
                            let words = if is_open.get() { t("Hide") } else { t("Show") };
                            view! {
                                {button(
                                    "pf-v6-c-button pf-m-link pf-m-inline",
                                    words,
                                    move || is_open.update(|open| *open = !*open),
                                )}
                                <CopyButton text />
                            }
                                .into_any()
                        })
                })}
            </div>
            {dynamic(move || is_open.get().then(|| shown(notes, || skeleton_lines(3), content)))}
        </section>
    }
    .into_any()
}
