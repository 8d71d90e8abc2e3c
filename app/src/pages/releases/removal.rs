//! Several releases uninstalled at once: one operation each, and what became of each is told.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use leptos::prelude::*;

use super::filter::row_of;
use super::menu::why_not;
use super::selection::Selection;
use crate::client::fetch::Fetched;
use crate::client::{client, new_key};
use crate::model::{
    OperationKind, OperationOptions, ReleaseKey, ReleaseList, SubmitOperation, Tone, WayAction,
};
use crate::pages::route::Route;
use crate::pages::title::focus_heading;
use crate::signals::{Memo, Views, dynamic};
use crate::ui::alert::Alert;
use crate::ui::announce::Announcer;
use crate::ui::button::button;
use crate::ui::field::{CheckBox, FormGroup, Hint, TextInput};
use crate::ui::modal::{Modal, close_dialog};
use crate::words::{count, say, t, told};

/// What is to be typed. It is the command's name, in every language.
const WORD: &str = "uninstall";
/// How many of the chosen releases the dialog names.
const NAMED: usize = 200;
/// How many are submitted at a time.
const AT_A_TIME: usize = 4;

/// What became of one of them.
#[derive(Clone, PartialEq)]
enum Fate {
    /// On its way.
    Sent,
    /// Its operation is recorded.
    Accepted,
    /// It is not, and why.
    Refused(String),
}

#[derive(Clone, PartialEq)]
struct Job {
    key: ReleaseKey,
    /// Sent again, it is still the same operation.
    intent: String,
    fate: Fate,
}

/// The removal of the chosen releases.
#[derive(Clone, Copy)]
pub struct Removal {
    selection: Selection,
    is_asking: RwSignal<bool>,
    keeps_history: RwSignal<bool>,
    jobs: RwSignal<Vec<Job>>,
}

impl Removal {
    /// Nothing is removed yet.
    pub fn new(selection: Selection) -> Self {
        Self {
            selection,
            is_asking: RwSignal::new(false),
            keeps_history: RwSignal::new(false),
            jobs: RwSignal::new(Vec::new()),
        }
    }

    /// Opens the dialog.
    pub fn ask(self) {
        self.keeps_history.set(false);
        self.is_asking.set(true);
    }

    /// Whether something is on its way; it is followed.
    pub fn is_busy(self) -> bool {
        self.jobs.with(|jobs| jobs.iter().any(|job| job.fate == Fate::Sent))
    }

    fn start(self, keys: Vec<ReleaseKey>) {
        let job = |key| Job { key, intent: new_key(), fate: Fate::Sent };
        self.jobs.set(keys.into_iter().map(job).collect());
        self.send();
    }

    /// Those that were refused once more.
    fn retry(self) {
        self.jobs.update(|jobs| {
            jobs.retain(|job| matches!(job.fate, Fate::Refused(_)));
            for job in jobs {
                job.fate = Fate::Sent;
            }
        });
        self.send();
    }

    /// Sends all that is to be sent. That goes on when the page is left: what the user asked for is asked for all of them.
    fn send(self) {
        let options = OperationOptions {
            keep_history: self.keeps_history.get_untracked(),
            ..OperationOptions::default()
        };
        let jobs = self.jobs.get_untracked();
        let waiting: Rc<RefCell<VecDeque<Job>>> = Rc::new(RefCell::new(jobs.into()));
        let announcer = Announcer::get();
        for _ in 0..AT_A_TIME {
            let (client, waiting, options) = (client(), Rc::clone(&waiting), options.clone());
            leptos::task::spawn_local(async move {
                loop {
                    let next = waiting.borrow_mut().pop_front();
                    let Some(Job { key, intent, .. }) = next else { break };
                    let request = SubmitOperation {
                        kind: OperationKind::Uninstall,
                        namespace: key.namespace.clone(),
                        name: key.name.clone(),
                        chart: None,
                        values: String::new(),
                        options: options.clone(),
                        idempotency_key: Some(intent),
                    };
                    let fate = match client.submit(request).await {
                        Ok(_) => Fate::Accepted,
                        Err(refusal) => Fate::Refused(told(&refusal.to_string())),
                    };
                    if fate == Fate::Accepted {
                        self.selection.set(std::slice::from_ref(&key), false);
                    }
                    self.jobs.try_update(|jobs| {
                        if let Some(job) = jobs.iter_mut().find(|job| job.key == key) {
                            job.fate = fate;
                        }
                    });
                }
                if self.jobs.try_with_untracked(|_| ()).is_some() && !untrack(|| self.is_busy()) {
                    announcer.say(untrack(|| self.outcome().1));
                }
            });
        }
    }

    /// What is to be said of all of them together.
    fn outcome(self) -> (Tone, String) {
        self.jobs.with(|jobs| {
            let refused = jobs.iter().filter(|job| matches!(job.fate, Fate::Refused(_))).count();
            let sent = jobs.iter().filter(|job| job.fate == Fate::Sent).count();
            let (done, all) = ((jobs.len() - sent).to_string(), jobs.len().to_string());
            if sent > 0 {
                (Tone::Progress, say("Asked for {n} of {all} uninstalls", &[("n", &done), ("all", &all)]))
            } else if refused > 0 {
                let n = refused.to_string();
                (Tone::Danger, say("{n} of {all} uninstalls were refused", &[("n", &n), ("all", &all)]))
            } else {
                (
                    Tone::Success,
                    count(
                        jobs.len(),
                        "{n} release is being uninstalled",
                        "{n} releases are being uninstalled",
                    ),
                )
            }
        })
    }
}

/// The dialog, while it is open, for the chosen ones of `list`.
pub fn dialog(removal: Removal, list: Fetched<ReleaseList>) -> AnyView {
    dynamic(move || removal.is_asking.get().then(|| question(removal, list)))
}

fn question(removal: Removal, list: Fetched<ReleaseList>) -> AnyView {
    // With why it cannot be uninstalled now, where it cannot.
    let targets = Memo::new(move || {
        let why = |key: &ReleaseKey| {
            list.data.with(|data| {
                let row = data.and_then(|data| row_of(&data.releases, key));
                row.and_then(|row| why_not(row, WayAction::Uninstall))
            })
        };
        removal.selection.keys().into_iter().map(|key| (why(&key), key)).collect::<Vec<_>>()
    });
    let able = Memo::new(move || targets.with(|all| all.iter().filter(|(why, _)| why.is_none()).count()));
    let typed = RwSignal::new(String::new());
    let is_ready = Memo::new(move || able.get() > 0 && typed.with(|typed| typed.trim() == WORD));
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if is_ready.get_untracked() {
            let able = targets.get_untracked().into_iter().filter(|(why, _)| why.is_none());
            removal.start(able.map(|(_, key)| key).collect());
            close_dialog();
            // The button that had the focus goes with the selection.
            focus_heading();
        }
    };
    let footer = move || {
        let verb = move || count(able.get(), "Uninstall {n} release", "Uninstall {n} releases");
        view! {
            <button
                type="submit"
                form="removal"
                class="pf-v6-c-button pf-m-danger"
                disabled=Signal::derive(move || !is_ready.get())
            >
                <span class="pf-v6-c-button__text">{dynamic(verb)}</span>
            </button>
            {button("pf-v6-c-button pf-m-link", t("Cancel"), close_dialog)}
        }
        .into_any()
    };
    let names = move || {
        let all = targets.get();
        let more = all.len().saturating_sub(NAMED);
        let items = all.into_iter().take(NAMED).map(|(why, key)| target(&key, why)).views();
        let more = (more > 0)
            .then(|| view! { <li class="nothing">{count(more, "and {n} more", "and {n} more")}</li> });
        view! { {items} {more} }.into_any()
    };
    let hint = Hint::Plain(say("Type {word} to confirm.", &[("word", WORD)]));
    view! {
        <Modal
            title=t("Uninstall Helm releases?")
            on_close=Callback::new(move |()| removal.is_asking.set(false))
            footer
        >
            <p class="modal-text">
                {t(
                    "Helm deletes the resources of these releases, and their history unless it is kept. This cannot be undone.",
                )}
            </p>
            <ul class="removal-names" tabindex="0" aria-label=t("Releases to uninstall")>
                {dynamic(names)}
            </ul>
            <form id="removal" class="pf-v6-c-form" novalidate on:submit=submit>
                <FormGroup id="confirm-removal" label=t("Confirmation") required=true hint=hint.clone()>
                    <TextInput id="confirm-removal" value=typed on_input=move |text| typed.set(text) hint=hint />
                </FormGroup>
                <CheckBox
                    id="removal-keeps-history"
                    label=t("Keep the history")
                    description=t("The revisions stay, and the release can be rolled back to one of them.")
                    checked=removal.keeps_history
                    on_change=move |on| removal.keeps_history.set(on)
                />
            </form>
        </Modal>
    }
    .into_any()
}

fn target(key: &ReleaseKey, why_not: Option<String>) -> AnyView {
    let why_not = why_not.map(|why| {
        let text = say("Left out: {reason}", &[("reason", &why)]);
        view! { <span class="row-note">{text}</span> }
    });
    view! {
        <li>
            <b>{key.name.clone()}</b>
            " "
            <span class="nothing">{key.namespace.clone()}</span>
            {why_not}
        </li>
    }
    .into_any()
}

/// What became of them, above the list, until it is put away.
pub fn results(removal: Removal) -> AnyView {
    let outcome = Memo::new(move || (!removal.jobs.with(Vec::is_empty)).then(|| removal.outcome()));
    let refused = Memo::new(move || {
        removal.jobs.with(|jobs| {
            let refused = jobs.iter().filter_map(|job| match &job.fate {
                Fate::Refused(why) => Some((job.key.clone(), why.clone())),
                _ => None,
            });
            refused.collect::<Vec<_>>()
        })
    });
    let reasons = move || {
        refused
            .get()
            .into_iter()
            .map(|(key, why)| {
                let href = Route::release(&key).to_string();
                view! {
                    <li>
                        <a href=href>{key.name}</a>
                        " "
                        <span class="nothing">{key.namespace}</span>
                        ": "
                        {why}
                    </li>
                }
            })
            .views()
    };
    dynamic(move || {
        outcome.get().map(|(tone, title)| {
            let is_over = tone != Tone::Progress;
            let again = (tone == Tone::Danger).then(|| {
                button("pf-v6-c-button pf-m-link pf-m-inline", t("Try those again"), move || removal.retry())
            });
            let away = is_over.then(|| {
                button("pf-v6-c-button pf-m-link pf-m-inline", t("Dismiss"), move || {
                    removal.jobs.set(Vec::new())
                })
            });
            view! {
                <div class="removal-results">
                    <Alert tone=tone title=title>
                        <ul>{dynamic(reasons)}</ul>
                        <div class="alert-links">{again} {away}</div>
                    </Alert>
                </div>
            }
        })
    })
}
