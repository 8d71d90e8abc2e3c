//! What became of the user's changes when other defaults came below them: nothing of it is lost without a word.

use leptos::prelude::*;

use super::super::form::Form;
use crate::model::Tone;
use crate::signals::{Memo, Views};
use crate::ui::alert::Alert;
use crate::ui::button::button;
use crate::ui::editor::{MergeNote, cut, put};
use crate::words::{phrase, t};

/// The notes; none where there is nothing to tell.
pub fn merged(form: Form, base: Memo<String>) -> Option<AnyView> {
    let (notes, before) = (form.notes(), form.before());
    if notes.is_empty() && before.is_none() {
        return None;
    }
    let is_merged = before.as_ref().is_none_or(|before| before.is_merged);
    let can_go_back = before.is_some();
    let tone = if notes.is_empty() && is_merged { Tone::Neutral } else { Tone::Warning };
    let title = match (is_merged, notes.is_empty()) {
        (false, _) => t("Your values could not be taken apart, and stay as they are"),
        (true, true) => t("Your changes were taken over"),
        (true, false) => t("Your changes were taken over; some of them need a look"),
    };
    let rows = notes.into_iter().map(|note| row(form, base, note)).views();
    let back = can_go_back
        .then(|| button("pf-v6-c-button pf-m-link pf-m-inline", t("Undo"), move || form.go_back()));
    Some(
        view! {
            <div role="status">
                <Alert tone title=title>
                    <ul class="merged">{rows}</ul>
                    <div class="form-buttons">
                        {back}
                        {button("pf-v6-c-button pf-m-link pf-m-inline", t("Dismiss"), move || form.forget_notes())}
                    </div>
                </Alert>
            </div>
        }
        .into_any(),
    )
}

fn row(form: Form, base: Memo<String>, note: MergeNote) -> AnyView {
    let MergeNote { path, kind, old, now, user } = note;
    let code =
        |text: Option<String>| view! { <code class="wrap">{text.unwrap_or_default()}</code> }.into_any();
    let name = view! { <b>{path.join(".")}</b> }.into_any();
    let is_gone = kind == "gone";
    let words = if is_gone {
        phrase(
            "{name}: the chart has no such value any more. Yours, {user}, stays.",
            vec![("name", name), ("user", code(Some(user)))],
        )
    } else {
        phrase(
            "{name}: the chart’s default has changed from {old} to {now}. Yours, {user}, stays.",
            vec![("name", name), ("old", code(old)), ("now", code(now.clone())), ("user", code(Some(user)))],
        )
    };
    let take = move || {
        let text = form.draft.with_untracked(|draft| draft.edited.as_ref().map(|it| it.text.clone()));
        let base = base.get_untracked();
        let text = text.unwrap_or_else(|| base.clone());
        // Where the chart's values are in the text, its default is written there; else it applies without a word.
        let is_in_base = now.as_deref().filter(|_| put(&base, &path, "null").is_some());
        let changed = match is_in_base {
            Some(value) if !is_gone => put(&text, &path, value),
            _ => cut(&text, &path),
        };
        if let Some(changed) = changed {
            form.edit_values(changed, base);
        }
        form.settle(&path);
    };
    let label = if is_gone { t("Remove it") } else { t("Use the chart’s") };
    view! { <li>{words} " " {button("pf-v6-c-button pf-m-link pf-m-inline", label, take)}</li> }.into_any()
}
