//! The page that rolls a release back: a table of the revisions that it can go back to.

use leptos::prelude::*;

use super::install::form::Form;
use super::install::options::dialog_options;
use super::query::{query_setter, query_value};
use super::release::actions::why_not;
use super::release::command::command_for;
use super::release::difference::difference;
use super::release::history::{revision_cells, revision_columns};
use super::route::Route;
use super::title::heading;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{
    ApiError, HistoryEntry, OperationKind, RecordStatus, ReleaseKey, SubmitOperation, Tone, WayAction,
};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::address::Address;
use crate::ui::alert::Alert;
use crate::ui::breadcrumb::breadcrumb;
use crate::ui::button::link_button;
use crate::ui::state::{EmptyState, shown, skeleton_lines};
use crate::ui::table::{cell, hidden_head, plain_head};
use crate::words::{phrase, say, t};

/// What there is to go back to, and why nothing can be done now.
struct Subject {
    newest: u32,
    entries: Vec<HistoryEntry>,
    why_not: Option<String>,
}

/// The page. Which revision is chosen is in its address.
#[component]
pub fn Rollback(release: ReleaseKey) -> impl IntoView {
    let of = release.clone();
    let subject = fetch(move || {
        let (view, history) = (client().release(of.clone(), None), client().history(of.clone()));
        Box::pin(async move {
            let view = view.await?;
            let Some(record) = &view.record else {
                return Err(ApiError::NotFound { what: format!("The release {}", view.key) });
            };
            let newest = record.revision;
            // All but the newest one, which is what the release is already.
            let entries = history.await?.into_iter().skip(1).collect();
            Ok(Subject { newest, entries, why_not: why_not(&view.actions, WayAction::Rollback) })
        })
    });
    let page = Route::release(&release).to_string();
    let (chosen, set) = (query_value("revision"), query_setter());
    let row = move |entry: HistoryEntry| {
        let revision = entry.record.revision.to_string();
        let of = revision.clone();
        let is_chosen = Signal::derive(move || chosen.with(|chosen| *chosen == of));
        view! {
            <tr class="pf-v6-c-table__tr">
                {cell(
                    t("Select"),
                    view! {
                        <input
                            type="radio"
                            name="revision"
                            aria-label=say("Revision {revision}", &[("revision", &revision)])
                            prop:checked=is_chosen
                            on:change=move |_| set.run(vec![("revision", revision.clone())])
                        />
                    },
                )}
                {revision_cells(entry)}
            </tr>
        }
        .into_any()
    };
    let form = Form::of_dialog(OperationKind::Rollback, &release);
    let pair = Memo::new(move || {
        let to = chosen.with(|chosen| chosen.parse::<u32>().ok())?;
        let newest = subject.data.with(|subject| {
            let subject = subject?;
            let is_there = subject.entries.iter().any(|entry| entry.record.revision == to);
            is_there.then_some(subject.newest)
        })?;
        Some((newest, to))
    });
    let had_failed = Memo::new(move || {
        let to = pair.get().map(|(_, to)| to);
        subject.data.with(|subject| {
            let mut entries = subject.into_iter().flat_map(|it| &it.entries);
            entries
                .find(|entry| Some(entry.record.revision) == to)
                .is_some_and(|it| it.record.had_failed() || it.record.status == RecordStatus::Failed)
        })
    });
    let warning = move || {
        had_failed.get().then(|| {
            view! {
                <Alert tone=Tone::Warning title=t("This revision failed when it was made")>
                    <p>{t("The same may fail again. Its description has what went wrong.")}</p>
                </Alert>
            }
        })
    };
    let (facet, of) = (query_value("facet"), release.clone());
    let choose = Callback::new(move |word: &'static str| set.run(vec![("facet", word.to_owned())]));
    let is_chosen = Memo::new(move || pair.with(Option::is_some));
    let changes = move || {
        let release = of.clone();
        is_chosen.get().then(|| {
            let title = move || {
                pair.get().map(|(from, to)| {
                    let with = [("from", &*from.to_string()), ("to", &*to.to_string())];
                    say("What changes from revision {from} to revision {to}", &with)
                })
            };
            view! {
                <section class="overview-part" aria-labelledby="changes">
                    <h2 class="pf-v6-c-title pf-m-h2" id="changes">
                        {dynamic(title)}
                    </h2>
                    {difference(release, pair, facet.into(), choose)}
                </section>
            }
        })
    };
    let content = move || {
        let rows = subject.data.with(|subject| {
            subject.map(|it| it.entries.clone()).unwrap_or_default().into_iter().map(row).views()
        });
        if rows.is_empty() {
            return view! {
                <EmptyState title=t("There is no earlier revision") name="info">
                    <p>{t("A release can go back once it has been upgraded.")}</p>
                </EmptyState>
            }
            .into_any();
        }
        view! {
            <table class="pf-v6-c-table pf-m-grid-lg" aria-label=t("Revisions")>
                <thead class="pf-v6-c-table__thead">
                    <tr class="pf-v6-c-table__tr">
                        {hidden_head(t("Select"))} {revision_columns().into_iter().map(plain_head).views()}
                    </tr>
                </thead>
                <tbody class="pf-v6-c-table__tbody">{rows}</tbody>
            </table>
            {dynamic(warning)}
            {dynamic(changes.clone())}
            {dialog_options(form)}
            {command_for(
                form,
                move |options| options.revision = chosen.with(|chosen| chosen.parse().ok()),
            )}
        }
        .into_any()
    };
    let blocked = Memo::new(move || {
        let chosen = chosen.get().parse::<u32>();
        subject.data.with(|subject| {
            let subject = subject?;
            let is_there = subject.entries.iter().any(|entry| Ok(entry.record.revision) == chosen);
            subject.why_not.clone().or_else(|| (!is_there).then(|| t("Choose a revision first.").to_owned()))
        })
    });
    let is_ready = Memo::new(move || {
        subject.data.is_some() && blocked.with(Option::is_none) && !form.sending.is_busy.get()
    });
    let (address, to) = (Address::get(), page.clone());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if !is_ready.get_untracked() {
            return;
        }
        let revision: Option<u32> = chosen.get_untracked().parse().ok();
        let change = move |request: &mut SubmitOperation| {
            request.options.revision = revision;
        };
        let to = to.clone();
        form.send(None, change, move |_| address.go(&to));
    };
    view! {
        {breadcrumb(&release.name, page.clone(), t("Rollback"))}
        <section class="pf-v6-c-page__main-section form-head">
            {heading(t("Rollback Helm release").to_owned())}
            <p>
                {phrase(
                    "Select the revision to which {name} should go back. Helm records it as a new revision.",
                    vec![("name", view! { <b>{release.name}</b> }.into_any())],
                )}
            </p>
        </section>
        <form class="pf-v6-c-form form-frame" on:submit=submit>
            <section class="pf-v6-c-page__main-section">{shown(subject, || skeleton_lines(6), content)}</section>
            <section class="pf-v6-c-page__main-section form-foot">
                {form.refusal_view()}
                <div class="form-buttons">
                    <button
                        type="submit"
                        class="pf-v6-c-button pf-m-primary"
                        disabled=Signal::derive(move || !is_ready.get())
                        aria-describedby="blocked"
                    >
                        <span class="pf-v6-c-button__text">{t("Rollback")}</span>
                    </button>
                    {link_button("pf-v6-c-button pf-m-link", t("Cancel"), page)}
                    <span class="note" id="blocked">
                        {dynamic(move || blocked.get())}
                    </span>
                </div>
            </section>
        </form>
    }
    .into_any()
}
