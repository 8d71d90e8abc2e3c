//! One release: what goes on with it, what it is, what belongs to it.

pub mod actions;
mod attempts;
pub mod command;
pub mod dialogs;
pub mod difference;
mod evidence;
pub mod failure;
mod groups;
mod head;
mod health;
pub mod history;
mod key_resources;
mod log;
mod manifest;
mod notes;
mod nothing;
mod now;
mod object;
mod overview;
pub mod parts;
mod resources;
pub mod revision;
mod timeline;
mod topology;
mod trials;
mod trouble;
mod values;
mod waiting;

use crate::signals::{Memo, dynamic, effect};
use leptos::prelude::*;

use super::route::{Route, Tab};
use super::title::set_window_title;
use crate::client::fetch::{Fetched, fetch};
use crate::client::poll::poll;
use crate::client::{Answer, client};
use crate::model::{
    Notice, Operation, Phase, Progress, ReleaseKey, ReleaseRecord, ReleaseUpdate, ReleaseView, Resource, Way,
};
use crate::ui::announce::Announcer;
use crate::ui::button::link_button;
use crate::ui::lazy::{Loading, lazy};
use crate::ui::state::{EmptyState, shown, skeleton_lines, stale_banner};
use crate::words::{phrase, t, told};
use dialogs::Dialogs;
use head::{Head, Tabs};

/// The parts of the release that its tabs follow, each by itself, so that only what has changed is drawn again.
#[derive(Clone, Copy)]
pub struct Live {
    phase: Memo<Phase>,
    operation: Memo<Option<Operation>>,
    record: Memo<Option<ReleaseRecord>>,
    progress: Memo<Option<Progress>>,
    resources: Memo<Vec<Resource>>,
    resources_error: Memo<Option<String>>,
    step: Memo<Option<String>>,
    notice: Memo<Option<Notice>>,
    ways: Memo<Vec<Way>>,
    actions: Memo<Vec<Way>>,
    /// The highest revision.
    revision: Memo<Option<u32>>,
    active: Memo<bool>,
    /// What is under way, or was left half way, is none of ours: our newest operation has nothing to say of it.
    is_foreign: Memo<bool>,
    /// A newer version of its chart, where one is known.
    update: Memo<Option<ReleaseUpdate>>,
    /// The server has answered.
    is_known: Memo<bool>,
    is_there: Memo<bool>,
}

impl Live {
    fn of(view: Fetched<ReleaseView>, updates: Fetched<Option<ReleaseUpdate>>) -> Self {
        fn part<T: PartialEq + Send + Sync + 'static>(
            view: Fetched<ReleaseView>,
            of: impl Fn(&ReleaseView) -> T + Send + Sync + 'static,
            otherwise: impl Fn() -> T + Send + Sync + 'static,
        ) -> Memo<T> {
            Memo::new(move || view.data.with(|view| view.map_or_else(&otherwise, &of)))
        }
        let phase = part(view, |view| view.phase.clone(), || Phase::NotFound);
        let record = part(view, |view| view.record.clone(), || None);
        Self {
            phase,
            operation: part(view, |view| view.operation.clone(), || None),
            record,
            progress: part(view, |view| view.progress.clone(), || None),
            resources: part(view, |view| view.resources.clone(), Vec::new),
            resources_error: part(view, |view| view.resources_error.clone(), || None),
            revision: Memo::new(move || record.with(|record| record.as_ref().map(|record| record.revision))),
            step: part(view, |view| view.step.clone(), || None),
            notice: part(view, |view| view.notice.clone(), || None),
            ways: part(view, |view| view.ways.clone(), Vec::new),
            actions: part(view, |view| view.actions.clone(), Vec::new),
            active: Memo::new(move || phase.with(Phase::is_active)),
            is_foreign: Memo::new(move || {
                phase.with(|phase| matches!(phase, Phase::Pending { .. } | Phase::Stuck { .. }))
            }),
            update: Memo::new(move || updates.data.get().flatten()),
            is_known: Memo::new(move || view.data.is_some()),
            is_there: Memo::new(move || phase.with(|phase| *phase != Phase::NotFound)),
        }
    }
}

/// The page.
#[component]
pub fn ReleasePage(release: ReleaseKey, route: Memo<Route>) -> impl IntoView {
    let of = release.clone();
    let view = poll(move |since| client().release(of.clone(), since));
    let version = Memo::new(move || view.data.with(|view| chart_version(view?)));
    let of = release.clone();
    let updates = fetch(move || {
        version.track();
        update_of(&of)
    });
    let live = Live::of(view, updates);
    let tab = Memo::new(move || match route.get() {
        Route::Release { tab, .. } => tab,
        _ => Tab::Overview,
    });
    tell_changes(&release, live);
    let name = release.name.clone();
    effect(move || {
        let tab = tab.get();
        set_window_title(&if tab == Tab::Overview {
            name.clone()
        } else {
            format!("{} · {name}", tab.title())
        });
    });
    let content =
        {
            let release = release.clone();
            move || {
                let release = release.clone();
                dynamic(move || {
                    if live.is_there.get() { tab_content(&release, live, tab) } else { not_found(&release) }
                })
            }
        };
    view! {
        <Head release=release.clone() live />
        <Tabs release=release.clone() tab />
        <section class="pf-v6-c-page__main-section">
            {stale_banner(view)} {shown(view, || skeleton_lines(6), content)}
        </section>
        <Dialogs release live />
    }
    .into_any()
}

fn chart_version(view: &ReleaseView) -> Option<String> {
    view.record.as_ref()?.detail.summary()?.chart_version.clone()
}

/// The newer version of a release's chart. Where the repositories cannot tell there is none to speak of.
fn update_of(release: &ReleaseKey) -> Answer<Option<ReleaseUpdate>> {
    let name = release.name.clone();
    let answer = client().updates(Some(release.namespace.clone()));
    Box::pin(async move { Ok(answer.await?.into_iter().find(|update| update.name == name)) })
}

/// Tells screen readers when the phase has changed.
fn tell_changes(release: &ReleaseKey, live: Live) {
    let name = release.name.clone();
    let announcer = Announcer::get();
    let mut before: Option<String> = None;
    effect(move || {
        if !live.is_known.get() {
            return;
        }
        let words = told(&live.phase.with(Phase::words));
        let now = live.step.with(|step| match step {
            Some(step) => format!("{words}: {}", told(step)),
            None => words,
        });
        if before.as_ref().is_some_and(|before| *before != now) {
            announcer.say(format!("{name}: {now}"));
        }
        before = Some(now);
    });
}

fn tab_content(release: &ReleaseKey, live: Live, tab: Memo<Tab>) -> AnyView {
    let release = release.clone();
    dynamic(move || {
        let release = release.clone();
        match tab.get() {
            Tab::Overview => view! { <overview::Overview release live /> }.into_any(),
            Tab::Resources => lazy(|| Box::pin(parts::resources()), move |draw| draw(release.clone(), live)),
            Tab::Topology => lazy(|| Box::pin(parts::topology()), move |draw| draw(release.clone(), live)),
            Tab::Timeline => lazy(|| Box::pin(parts::timeline()), move |draw| draw(release.clone(), live)),
            Tab::Logs => lazy(|| Box::pin(parts::log()), move |draw| draw(release.clone(), live)),
            tab => by_revision(release, live, tab),
        }
    })
}

/// The tabs that show what is in the record: there is nothing before there is a revision.
fn by_revision(release: ReleaseKey, live: Live, tab: Tab) -> AnyView {
    let has_revision = Memo::new(move || live.revision.get().is_some());
    dynamic(move || {
        let release = release.clone();
        if !has_revision.get() {
            return view! {
                <EmptyState title=t("No revision yet") name="clock">
                    <p>{t("Helm writes the first revision when it has fetched and rendered the chart.")}</p>
                </EmptyState>
            }
            .into_any();
        }
        let load = move || -> Loading<parts::DrawTab> {
            match tab {
                Tab::History => Box::pin(parts::history()),
                Tab::Tests => Box::pin(parts::tests()),
                Tab::Values => Box::pin(parts::values()),
                _ => Box::pin(parts::manifest()),
            }
        };
        lazy(load, move |draw| draw(release.clone(), live))
    })
}

fn not_found(release: &ReleaseKey) -> AnyView {
    let ReleaseKey { namespace, name } = release.clone();
    let list = Route::Releases { namespace: Some(namespace.clone()) }.to_string();
    let catalogue = Route::Catalogue { namespace: Some(namespace.clone()), chart: None }.to_string();
    let bold = |text: String| view! { <b>{text}</b> }.into_any();
    let words = phrase(
        "No release in the namespace {namespace} has the name {name}. It may have been uninstalled.",
        vec![("namespace", bold(namespace)), ("name", bold(name))],
    );
    view! {
        <EmptyState title=t("There is no such release") name="search">
            <p>{words}</p>
            <div class="pf-v6-c-empty-state__actions">
                {link_button("pf-v6-c-button pf-m-primary", t("Helm releases"), list)}
                {link_button("pf-v6-c-button pf-m-link", t("Browse the catalog"), catalogue)}
            </div>
        </EmptyState>
    }
    .into_any()
}
