//! Several releases uninstalled at once: one operation each, and what became of each is told.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;

use super::filter::row_of;
use super::menu::why_not;
use super::selection::Selection;
use crate::client::fetch::Fetched;
use crate::client::{Answer, client, new_key};
use crate::model::{
    CommandLine, OperationKind, OperationOptions, ReleaseKey, ReleaseList, SubmitOperation, Tone, WayAction,
};
use crate::pages::release::command::command_view;
use crate::pages::route::Route;
use crate::pages::title::focus_heading;
use crate::signals::{Memo, Slot, dynamic};
use crate::ui::alert::Alert;
use crate::ui::announce::Announcer;
use crate::ui::button::button;
use crate::ui::element::{Element, el};
use crate::ui::field::{CheckBox, FormGroup, Hint, TextInput};
use crate::ui::modal::{Modal, close_dialog};
use crate::words::{count, say, t, told};

/// What is to be typed. It is the command's name, in every language.
const WORD: &str = "uninstall";
/// How many of the chosen releases the dialog names.
const NAMED: usize = 100;
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
    jobs: Slot<Vec<Job>>,
}

impl Removal {
    /// Nothing is removed yet.
    pub fn new(selection: Selection) -> Self {
        Self {
            selection,
            is_asking: RwSignal::new(false),
            keeps_history: RwSignal::new(false),
            jobs: Slot::new(),
        }
    }

    /// Opens the dialog.
    pub fn ask(self) {
        self.keeps_history.set(false);
        self.is_asking.set(true);
    }

    /// Whether something is on its way; it is followed.
    pub fn is_busy(self) -> bool {
        self.jobs.with(|jobs| jobs.is_some_and(|jobs| jobs.iter().any(|job| job.fate == Fate::Sent)))
    }

    /// How the others of a removal are asked for as well.
    fn options(self) -> OperationOptions {
        OperationOptions { keep_history: self.keeps_history.get(), ..OperationOptions::default() }
    }

    fn start(self, keys: Vec<ReleaseKey>) {
        let mut jobs = Vec::with_capacity(keys.len());
        for key in keys {
            jobs.push(Job { key, intent: new_key(), fate: Fate::Sent });
        }
        self.send(jobs);
    }

    /// Those that were refused once more.
    fn retry(self) {
        let mut jobs = self.jobs.get_untracked().unwrap_or_default();
        jobs.retain(|job| matches!(job.fate, Fate::Refused(_)));
        for job in &mut jobs {
            job.fate = Fate::Sent;
        }
        self.send(jobs);
    }

    /// Sends all of them. That goes on when the page is left: what the user asked for is asked for all of them.
    fn send(self, jobs: Vec<Job>) {
        self.jobs.set(Some(jobs.clone()));
        let (client, announcer) = (client(), Announcer::get());
        let options = untrack(|| self.options());
        let mut waiting = jobs;
        waiting.reverse();
        let waiting = Rc::new(RefCell::new(waiting));
        for _ in 0..AT_A_TIME {
            let (client, waiting, options) = (client, Rc::clone(&waiting), options.clone());
            leptos::task::spawn_local(async move {
                loop {
                    let next = waiting.borrow_mut().pop();
                    let Some(Job { key, intent, .. }) = next else { break };
                    let request = request(&key, options.clone(), Some(intent));
                    let answer = client.submit(request).await;
                    // The page is still there to tell it.
                    if self.is_asking.try_get_untracked().is_some() {
                        self.note(
                            &key,
                            match answer {
                                Ok(_) => Fate::Accepted,
                                Err(refusal) => Fate::Refused(told(&refusal.to_string())),
                            },
                        );
                        if !untrack(|| self.is_busy()) {
                            announcer.say(untrack(|| self.outcome()).1);
                        }
                    }
                }
            });
        }
    }

    /// What became of one.
    fn note(self, key: &ReleaseKey, fate: Fate) {
        if fate == Fate::Accepted {
            self.selection.set(std::slice::from_ref(key), false);
        }
        let mut jobs = self.jobs.get_untracked().unwrap_or_default();
        if let Some(job) = jobs.iter_mut().find(|job| job.key == *key) {
            job.fate = fate;
        }
        self.jobs.set(Some(jobs));
    }

    /// What is to be said of all of them together.
    fn outcome(self) -> (Tone, String) {
        let jobs = self.jobs.get().unwrap_or_default();
        let refused = jobs.iter().filter(|job| matches!(job.fate, Fate::Refused(_))).count();
        let sent = jobs.iter().filter(|job| job.fate == Fate::Sent).count();
        let all = jobs.len().to_string();
        if sent > 0 {
            let done = (jobs.len() - sent).to_string();
            (Tone::Progress, say("Asked for {n} of {all} uninstalls", &[("n", &done), ("all", &all)]))
        } else if refused > 0 {
            let n = refused.to_string();
            (Tone::Danger, say("{n} of {all} uninstalls were refused", &[("n", &n), ("all", &all)]))
        } else {
            let words = count(jobs.len(), "{n} uninstall was accepted", "{n} uninstalls were accepted");
            (Tone::Success, words)
        }
    }
}

fn request(key: &ReleaseKey, options: OperationOptions, intent: Option<String>) -> SubmitOperation {
    SubmitOperation {
        kind: OperationKind::Uninstall,
        namespace: key.namespace.clone(),
        name: key.name.clone(),
        chart: None,
        values: String::new(),
        options,
        idempotency_key: intent,
    }
}

/// What a terminal would be told for these: a line for each.
fn command_lines(keys: Vec<ReleaseKey>, options: OperationOptions) -> Answer<CommandLine> {
    let client = client();
    Box::pin(async move {
        let mut all = CommandLine::default();
        for key in keys {
            let CommandLine { text, remarks } =
                client.command_for(request(&key, options.clone(), None)).await?;
            all.text.push_str(&text);
            all.text.push('\n');
            for remark in remarks {
                if !all.remarks.contains(&remark) {
                    all.remarks.push(remark);
                }
            }
        }
        Ok(all)
    })
}

/// The dialog, while it is open, for the chosen ones of `list`.
pub fn dialog(removal: Removal, list: Fetched<ReleaseList>) -> AnyView {
    dynamic(move || removal.is_asking.get().then(|| question(removal, list)))
}

/// A chosen release, with why it cannot be uninstalled now, where it cannot.
type Target = (Option<String>, ReleaseKey);

fn targets(removal: Removal, list: Fetched<ReleaseList>) -> Vec<Target> {
    let mut targets = Vec::new();
    list.data.with(|data| {
        for key in removal.selection.keys().iter() {
            let row = data.and_then(|data| row_of(&data.releases, key));
            targets.push((row.and_then(|row| why_not(row, WayAction::Uninstall)), key.clone()));
        }
    });
    targets
}

fn question(removal: Removal, list: Fetched<ReleaseList>) -> AnyView {
    let targets = Memo::new(move || targets(removal, list));
    let able = Memo::new(move || targets.with(|all| all.iter().filter(|(why, _)| why.is_none()).count()));
    let typed = RwSignal::new(String::new());
    let is_ready = Memo::new(move || able.get() > 0 && typed.with(|typed| typed.trim() == WORD));
    let submit = move |event: web_sys::Event| {
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
        let verb = move || Some(count(able.get(), "Uninstall {n} release", "Uninstall {n} releases"));
        let submit = el("button.pf-v6-c-button.pf-m-danger>span.pf-v6-c-button__text")
            .attr("type", "submit")
            .attr("form", "removal")
            .prop("disabled", move || !is_ready.get())
            .telling(verb);
        vec![submit.done(), button("pf-v6-c-button pf-m-link", t("Cancel"), close_dialog)].into_any()
    };
    let names = move || {
        let all = targets.get();
        let more = all.len().saturating_sub(NAMED);
        let mut items = Vec::new();
        for (why, key) in all.into_iter().take(NAMED) {
            let why =
                why.map(|why| el("span.row-note").child(say("Left out: {reason}", &[("reason", &why)])));
            items.push(name_of(&key).child(why).done());
        }
        if more > 0 {
            items.push(el("li.nothing").child(count(more, "and {n} more", "and {n} more")).done());
        }
        items
    };
    let hint = Hint::Plain(say("Type {word} to confirm.", &[("word", WORD)]));
    let word = view! {
        <FormGroup id="confirm-removal" label=t("Confirmation") required=true hint=hint.clone()>
            <TextInput id="confirm-removal" value=typed on_input=move |text| typed.set(text) hint=hint autofocus=true />
        </FormGroup>
    };
    let keep = view! {
        <CheckBox
            id="removal-keeps-history"
            label=t("Keep the history")
            description=t("The revisions stay, and the release can be rolled back to one of them.")
            checked=removal.keeps_history
            on_change=move |on| removal.keeps_history.set(on)
        />
    };
    let command = move || {
        let able = targets.get().into_iter().filter(|(why, _)| why.is_none());
        command_lines(able.take(NAMED).map(|(_, key)| key).collect(), removal.options())
    };
    let body = vec![
        el("p.modal-text")
            .child(t(
                "Helm deletes the resources of these releases, and their history unless it is kept. This cannot be undone.",
            ))
            .done(),
        el("ul.removal-names")
            .attr("tabindex", "0")
            .attr("aria-label", t("Releases to uninstall"))
            .child(dynamic(names))
            .done(),
        el("form.pf-v6-c-form")
            .attr("id", "removal")
            .attr("novalidate", "")
            .on("submit", submit)
            .child(word.into_any())
            .child(keep.into_any())
            .child(command_view(Arc::new(command)))
            .done(),
    ];
    let on_close = Callback::new(move |()| removal.is_asking.set(false));
    view! { <Modal title=t("Uninstall Helm releases?") on_close footer>{body}</Modal> }.into_any()
}

/// The line that names a release.
fn name_of(key: &ReleaseKey) -> Element {
    let link = el("a").attr("href", &Route::release(key).to_string()).child(key.name.clone());
    el("li").child(link).child(" ").child(el("span.nothing").child(key.namespace.clone()))
}

/// What became of them, above the list, until it is put away.
pub fn results(removal: Removal) -> AnyView {
    let outcome = Memo::new(move || removal.jobs.is_some().then(|| removal.outcome()));
    let reasons = move || {
        let mut reasons = Vec::new();
        for job in removal.jobs.get().unwrap_or_default() {
            if let Fate::Refused(why) = job.fate {
                reasons.push(name_of(&job.key).child(": ").child(why).done());
            }
        }
        reasons
    };
    let link =
        |text: &'static str, act: Box<dyn Fn()>| button("pf-v6-c-button pf-m-link pf-m-inline", text, act);
    dynamic(move || {
        outcome.get().map(|(tone, title)| {
            let again =
                (tone == Tone::Danger).then(|| link(t("Try those again"), Box::new(move || removal.retry())));
            let away = (tone != Tone::Progress).then(|| {
                link(
                    t("Dismiss"),
                    Box::new(move || {
                        removal.jobs.set(None);
                        focus_heading();
                    }),
                )
            });
            let body = vec![
                el("ul").child(dynamic(reasons)).done(),
                el("div.alert-links").child(again).child(away).done(),
            ];
            el("div.removal-results").child(view! { <Alert tone title>{body}</Alert> }.into_any())
        })
    })
}
