//! One release: what goes on with it, what it is, what belongs to it.

pub mod actions;
mod attempts;
mod dialogs;
mod evidence;
pub mod failure;
mod groups;
mod health;
pub mod history;
mod log;
mod now;
mod object;
mod overview;
mod resources;
mod texts;
mod timeline;
mod topology;
mod trouble;
mod waiting;

use crate::signals::{Memo, Views, dynamic, effect};
use leptos::prelude::*;

use super::route::{Route, Tab};
use super::title::set_window_title;
use crate::client::client;
use crate::client::fetch::Fetched;
use crate::client::poll::poll;
use crate::model::{
    Notice, Operation, Phase, Progress, ReleaseKey, ReleaseRecord, ReleaseView, Resource, Way,
};
use crate::ui::announce::Announcer;
use crate::ui::breadcrumb::breadcrumb;
use crate::ui::button::link_button;
use crate::ui::label::{kind_badge, status_label};
use crate::ui::state::{EmptyState, shown, skeleton_lines, stale_banner};
use actions::Actions;
use dialogs::Dialogs;

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
    /// The server has answered.
    is_known: Memo<bool>,
    is_there: Memo<bool>,
}

impl Live {
    fn of(view: Fetched<ReleaseView>) -> Self {
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
    let live = Live::of(view);
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

/// Tells screen readers when the phase has changed.
fn tell_changes(release: &ReleaseKey, live: Live) {
    let name = release.name.clone();
    let announcer = Announcer::get();
    let mut before: Option<String> = None;
    effect(move || {
        if !live.is_known.get() {
            return;
        }
        let words = live.phase.with(Phase::words);
        let now = live.step.with(|step| match step {
            Some(step) => format!("{words}: {step}"),
            None => words,
        });
        if before.as_ref().is_some_and(|before| *before != now) {
            announcer.say(format!("{name}: {now}"));
        }
        before = Some(now);
    });
}

#[component]
fn Head(release: ReleaseKey, live: Live) -> impl IntoView {
    let releases = Route::Releases { namespace: Some(release.namespace.clone()) }.to_string();
    let status = move || {
        live.is_known.get().then(|| live.phase.with(|phase| status_label(phase.tone(), phase.words())))
    };
    view! {
        {breadcrumb("Helm releases", releases, "Helm release details")}
        <section class="pf-v6-c-page__main-section page-head">
            <div class="release-title">
                {kind_badge("Helm release")}
                <h1 class="pf-v6-c-title pf-m-h1 page-title" tabindex="-1">
                    {release.name.clone()}
                </h1>
                <span data-testid="phase">{dynamic(status)}</span>
            </div>
            <Actions release live />
        </section>
    }
}

#[component]
fn Tabs(release: ReleaseKey, tab: Memo<Tab>) -> impl IntoView {
    let items = Tab::ALL
        .into_iter()
        .map(|one| {
            let href = Route::Release { key: release.clone(), tab: one }.to_string();
            let is_here = move || tab.get() == one;
            let class = Signal::derive(move || {
                if is_here() { "pf-v6-c-tabs__item pf-m-current" } else { "pf-v6-c-tabs__item" }
            });
            view! {
                <li class=class>
                    <a
                        class="pf-v6-c-tabs__link"
                        href=href
                        aria-current=Signal::derive(move || is_here().then_some("page"))
                    >
                        <span class="pf-v6-c-tabs__item-text">{one.title()}</span>
                    </a>
                </li>
            }
        })
        .views();
    view! {
        <section class="pf-v6-c-page__main-tabs">
            <nav class="pf-v6-c-tabs pf-m-page-insets release-tabs" aria-label="Release">
                <ul class="pf-v6-c-tabs__list" role="list">{items}</ul>
            </nav>
        </section>
    }
}

fn tab_content(release: &ReleaseKey, live: Live, tab: Memo<Tab>) -> AnyView {
    let release = release.clone();
    dynamic(move || {
        let release = release.clone();
        match tab.get() {
            Tab::Overview => view! { <overview::Overview release live /> }.into_any(),
            Tab::Resources => view! { <resources::Resources release live /> }.into_any(),
            Tab::Logs => view! { <log::Log live /> }.into_any(),
            Tab::Topology => view! { <topology::Topology release live /> }.into_any(),
            Tab::Timeline => view! { <timeline::TimelineTab release live /> }.into_any(),
            Tab::Tests => ().into_any(),
            tab => by_revision(release, live, tab),
        }
    })
}

/// The tabs that show a revision's payload: asked for anew when there is a new revision.
fn by_revision(release: ReleaseKey, live: Live, tab: Tab) -> AnyView {
    dynamic(move || {
        let release = release.clone();
        let Some(revision) = live.revision.get() else {
            return view! {
                <EmptyState title="No revision yet" name="clock">
                    <p>"Helm writes the first revision when it has fetched and rendered the chart."</p>
                </EmptyState>
            }
            .into_any();
        };
        match tab {
            Tab::History => view! { <history::History release live /> }.into_any(),
            Tab::Values => view! { <texts::Values release revision /> }.into_any(),
            _ => view! { <texts::Manifest release revision /> }.into_any(),
        }
    })
}

fn not_found(release: &ReleaseKey) -> AnyView {
    let ReleaseKey { namespace, name } = release.clone();
    let list = Route::Releases { namespace: Some(namespace.clone()) }.to_string();
    let catalogue = Route::Catalogue { namespace: Some(namespace.clone()), chart: None }.to_string();
    view! {
        <EmptyState title="There is no such release" name="search">
            <p>
                "No release in the namespace " <b>{namespace}</b> " has the name " <b>{name}</b>
                ". It may have been uninstalled."
            </p>
            <div class="pf-v6-c-empty-state__actions">
                {link_button("pf-v6-c-button pf-m-primary", "Helm releases", list)}
                {link_button("pf-v6-c-button pf-m-link", "Browse the catalog", catalogue)}
            </div>
        </EmptyState>
    }
    .into_any()
}
