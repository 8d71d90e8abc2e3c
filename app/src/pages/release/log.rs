//! What Helm said in an operation: live while it runs.

mod follow;

use leptos::prelude::*;

use super::Live;
use super::command::command_of;
use crate::client::client;
use crate::client::fetch::{Fetched, fetch};
use crate::model::{ApiError, Operation, OperationId, OperationState, ReleaseKey, Tone};
use crate::pages::query::{query_setter, query_value, query_word};
use crate::pages::route::{Route, Tab};
use crate::signals::{Memo, dynamic, effect};
use crate::ui::alert::Alert;
use crate::ui::field::Select;
use crate::ui::logview::{LogLines, LogSearch, log_view};
use crate::ui::state::{EmptyState, error_state, skeleton_lines};
use crate::ui::time::date_words;
use crate::words::{count, phrase, say, t, told};
use follow::follow_log;

/// What is looked for in the log, in the address.
const FIND: &str = "find";

/// How many operations there are to choose from.
const LISTED: usize = 50;

/// The tab.
#[component]
pub fn Log(release: ReleaseKey, live: Live) -> impl IntoView {
    let (asked, set) = (query_value("op"), query_setter());
    let newest =
        Memo::new(move || live.operation.with(|operation| operation.as_ref().map(|it| it.id.clone())));
    let state = Memo::new(move || live.operation.with(|operation| operation.as_ref().map(|it| it.state)));
    let of = release.clone();
    let all: Fetched<Vec<Operation>> = fetch(move || {
        newest.track();
        state.track();
        client().operations(Some(of.namespace.clone()), Some(of.name.clone()))
    });
    let id = Memo::new(move || {
        let asked = asked.get();
        if asked.is_empty() { newest.get() } else { Some(OperationId(asked)) }
    });
    let options = Memo::new(move || {
        let known = all.data.with(|all| {
            let all = all.map(Vec::as_slice).unwrap_or_default();
            all.iter().take(LISTED).map(|it| (it.id.0.clone(), operation_words(it))).collect::<Vec<_>>()
        });
        if known.is_empty() {
            let shown =
                live.operation.with(|it| it.as_ref().map(|it| (it.id.0.clone(), operation_words(it))));
            return shown.into_iter().collect();
        }
        known
    });
    let value = Signal::derive(move || id.get().map(|id| id.0).unwrap_or_default());
    let choose = move |id: String| {
        let is_newest = newest.get_untracked().is_some_and(|newest| newest.0 == id);
        // The address of the newest one goes on to what comes after it.
        set.run(vec![("op", if is_newest { String::new() } else { id })]);
    };
    let choose = StoredValue::new(choose);
    let name = release.name.clone();
    let resources = Route::Release { key: release, tab: Tab::Resources }.to_string();
    let about = move || {
        let link = view! { <a href=resources.clone()>{t("Resources")}</a> }.into_any();
        let words = phrase(
            "This is what Helm said. What the pods say is in the panel of each workload, below {resources}.",
            vec![("resources", link)],
        );
        view! { <p class="note">{words}</p> }
    };
    let log = move || {
        let Some(id) = id.get() else {
            return view! {
                <EmptyState title=t("No operation of Slipway’s") name="info">
                    <p>{t("What other programs do with this release leaves no log here.")}</p>
                </EmptyState>
            }
            .into_any();
        };
        let field = view! {
            <span class="log-choice">
                <label class="pf-v6-screen-reader" for="operation">
                    {t("Operation")}
                </label>
                <Select id="operation" value options on_change=move |id| choose.with_value(|choose| choose(id)) />
            </span>
        };
        view! { <LogOf id name=name.clone() field=field.into_any() /> }.into_any()
    };
    view! {
        {about()}
        {dynamic(log)}
    }
}

/// `Upgrade, 30/11/2026, 16:12 by ada: failed`.
fn operation_words(operation: &Operation) -> String {
    let state = match operation.state {
        OperationState::Queued => t("queued"),
        OperationState::Running => t("running"),
        OperationState::Retrying => t("retrying"),
        OperationState::Succeeded => t("succeeded"),
        OperationState::Failed => t("failed"),
        OperationState::Cancelled => t("cancelled"),
        OperationState::Interrupted => t("interrupted"),
    };
    let kind = if operation.options.dry_run { t("Preview").to_owned() } else { told(operation.kind.noun()) };
    let with = [("kind", kind.as_str()), ("time", &date_words(operation.created)), ("state", state)];
    say("{kind}, {time}: {state}", &with)
}

#[component]
fn LogOf(id: OperationId, name: String, field: AnyView) -> impl IntoView {
    let lines = LogLines::new(name);
    let log = follow_log(id.clone(), lines);
    let attempts = Memo::new(move || log.attempts.get());
    let search = LogSearch { wanted: query_value(FIND), on_wanted: query_word(FIND) };
    let status = move || {
        if let Some(error) = log.error.get() {
            return match error {
                ApiError::Unreachable { .. } => t("Connection to Slipway lost. Trying again…").to_owned(),
                error => told(&error.to_string()),
            };
        }
        let words = if log.is_over.get() { t("The operation has ended.") } else { t("Live") };
        if attempts.get() > 1 {
            let attempts = count(attempts.get(), "{n} attempt", "{n} attempts");
            return say("{words} {attempts}", &[("words", words), ("attempts", &attempts)]);
        }
        words.to_owned()
    };
    effect(move || lines.set_status(status()));
    let is_refused = Memo::new(move || {
        log.error.with(|error| error.as_ref().is_some_and(|error| !error.is_passing())) && !log.is_known.get()
    });
    let body = move || {
        if is_refused.get() {
            let error = log.error.get_untracked();
            return error.map(|error| error_state(&error, move || log.retry())).into_any();
        }
        if !log.is_known.get() {
            return skeleton_lines(8);
        }
        let cut = dynamic(move || {
            log.is_cut.get().then(|| {
                view! {
                    <Alert tone=Tone::Neutral title=t("The beginning of the log is left out")>
                        <p>{t("It is longer than what is kept of it.")}</p>
                    </Alert>
                }
            })
        });
        view! {
            {cut}
            {log_view(lines, search, ().into_any())}
        }
        .into_any()
    };
    view! {
        <div class="list-tools">{field}</div>
        {dynamic(body)}
        {command_of(id)}
    }
    .into_any()
}
