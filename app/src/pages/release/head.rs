//! The head of a release's page: what it is, how it is and since when, what can be done, and the tabs.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::Live;
use super::actions::Actions;
use crate::client::clock::Clock;
use crate::model::time::duration_words;
use crate::model::{Health, Phase, Progress, ReleaseKey, ReleaseRecord, Timestamp, Tone};
use crate::pages::route::{Route, Tab};
use crate::signals::{Memo, Views, dynamic, effect};
use crate::ui::address::encode;
use crate::ui::breadcrumb::breadcrumb;
use crate::ui::icon::icon;
use crate::ui::label::{kind_badge, status_label, tone_icon};
use crate::ui::time::{ago, dated};
use crate::words::{phrase, say, t, told};

/// The head.
#[component]
pub fn Head(release: ReleaseKey, live: Live) -> impl IntoView {
    let releases = Route::Releases { namespace: Some(release.namespace.clone()) }.to_string();
    let status = move || {
        live.is_known.get().then(|| live.phase.with(|phase| status_label(phase.tone(), told(&phase.words()))))
    };
    view! {
        {breadcrumb(t("Helm releases"), releases, t("Helm release details"))}
        <section class="pf-v6-c-page__main-section page-head">
            <div class="release-head">
                <div class="release-title">
                    {kind_badge("Helm release")} <h1 class="pf-v6-c-title pf-m-h1 page-title" tabindex="-1">
                        {release.name.clone()}
                    </h1> <span data-testid="phase">{dynamic(status)}</span>
                </div>
                <div class="release-line">{line(&release, live)}</div>
            </div>
            <Actions release live />
        </section>
    }
    .into_any()
}

/// What it is made of, how it is, and since when.
fn line(release: &ReleaseKey, live: Live) -> AnyView {
    let chart = Memo::new(move || {
        live.record.with(|record| {
            let summary = record.as_ref()?.detail.summary()?;
            let chart = summary.chart.clone()?;
            Some(match &summary.chart_version {
                Some(version) => format!("{chart} {version}"),
                None => chart,
            })
        })
    });
    let release = StoredValue::new(release.clone());
    let part = |view: AnyView| view! { <span>{view}</span> }.into_any();
    let clock = Clock::get();
    let began = Memo::new(move || live.began());
    let changed = Memo::new(move || live.changed());
    let resources = move |progress: &Progress| {
        let href = release
            .with_value(|release| Route::Release { key: release.clone(), tab: Tab::Resources }.to_string());
        let Progress { ready, failed, total, .. } = *progress;
        let (tone, words) = health_words(ready, failed, total);
        let tone = if tone == Tone::Progress && live.is_at_rest() { Tone::Warning } else { tone };
        view! {
            <a class=format!("release-health {}", tone_class(tone)) href=href>
                {tone_icon(tone)} {words}
            </a>
        }
        .into_any()
    };
    vec![
        dynamic(move || chart.get().map(|chart| part(phrase("Chart {chart}", vec![("chart", bold(chart))])))),
        update_view(release, live),
        dynamic(move || {
            let revision = live.revision.get()?;
            Some(part(phrase("Revision {revision}", vec![("revision", bold(revision.to_string()))])))
        }),
        dynamic(move || {
            live.progress.with(|progress| progress.as_ref().filter(|it| it.total > 0).map(resources))
        }),
        dynamic(move || {
            if let Some(began) = began.get() {
                let took = dynamic(move || duration_words(clock.now().since(began)));
                let time = view! { <b class="release-time">{took}</b> }.into_any();
                return Some(part(phrase("For {time}", vec![("time", dated(began, time))])));
            }
            let changed = changed.get()?;
            Some(part(phrase("Updated {ago}", vec![("ago", ago(Some(changed)))])))
        }),
    ]
    .into_any()
}

fn bold(text: String) -> AnyView {
    view! { <b>{text}</b> }.into_any()
}

/// That there is a newer version of the chart, and the way to it.
pub fn update_view(release: StoredValue<ReleaseKey>, live: Live) -> AnyView {
    dynamic(move || {
        let update = live.update.get()?;
        let href = release.with_value(|release| {
            format!("{}?version={}", Route::Upgrade { key: release.clone() }, encode(&update.version))
        });
        let label = say("Update available: {version}", &[("version", &update.version)]);
        Some(view! {
            <a class="pf-v6-c-label pf-m-compact pf-m-blue release-update" href=href>
                <span class="pf-v6-c-label__content">
                    <span class="pf-v6-c-label__icon">{icon("sort-up")}</span>
                    <span class="pf-v6-c-label__text">{label}</span>
                </span>
            </a>
        })
    })
}

fn health_words(ready: u32, failed: u32, total: u32) -> (Tone, String) {
    let (ready_words, total_words) = (ready.to_string(), total.to_string());
    let with = [("ready", ready_words.as_str()), ("total", total_words.as_str())];
    if failed > 0 {
        return (
            Tone::Danger,
            say("{failed} of {total} failed", &[("failed", &failed.to_string()), with[1]]),
        );
    }
    let tone = if ready == total { Tone::Success } else { Tone::Progress };
    (tone, say("{ready} of {total} ready", &with))
}

fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Success => "tone-success",
        Tone::Danger => "tone-danger",
        Tone::Warning => "tone-warning",
        _ => "tone-progress",
    }
}

impl Live {
    /// Nobody is at work on what is not ready, so that nothing may look like it.
    pub fn is_at_rest(self) -> bool {
        self.phase.with(|phase| match phase.tone() {
            Tone::Danger | Tone::Warning | Tone::Neutral => true,
            Tone::Success => self.resources.with(|all| {
                let moves = |health| matches!(health, Health::Progressing | Health::Terminating);
                !all.iter().any(|one| one.hooks.is_empty() && moves(one.health))
            }),
            Tone::Progress => false,
        })
    }

    /// Since when what is under way is under way.
    fn began(self) -> Option<Timestamp> {
        if !self.active.get() {
            return None;
        }
        if self.is_foreign.get() {
            return self.record.with(|record| record.as_ref().and_then(ReleaseRecord::pending_since));
        }
        self.operation.with(|operation| operation.as_ref().map(|it| it.created))
    }

    /// When the release changed last, as far as is known.
    fn changed(self) -> Option<Timestamp> {
        let recorded = self.record.with(|record| record.as_ref().and_then(ReleaseRecord::updated));
        // Of what is gone without a record only the operation knows.
        let gone = self.phase.with(|phase| *phase == Phase::Uninstalled);
        let ended = || self.operation.with(|operation| operation.as_ref()?.ended());
        recorded.or_else(|| ended().filter(|_| gone))
    }
}

/// The tabs: a row of links that stays in sight, and can be scrolled where it is longer than the page is wide.
#[component]
pub fn Tabs(release: ReleaseKey, tab: Memo<Tab>) -> impl IntoView {
    let list = NodeRef::<html::Ul>::new();
    // Whether something is hidden before and after what is in sight.
    let hidden = RwSignal::new((false, false));
    let measure = move || {
        if let Some(list) = list.get_untracked() {
            let (left, width) = (list.scroll_left(), list.client_width());
            let now = (left > 1, left + width + 1 < list.scroll_width());
            if hidden.get_untracked() != now {
                hidden.set(now);
            }
        }
    };
    let is_long = Memo::new(move || hidden.get() != (false, false));
    effect(move || {
        tab.track();
        list.track();
        // With the buttons beside it there is less room.
        is_long.track();
        request_animation_frame(move || {
            let current = list
                .try_get_untracked()
                .flatten()
                .and_then(|list| list.query_selector("[aria-current]").ok().flatten());
            if let Some(current) = current {
                let how = ScrollIntoViewOptions::new();
                how.set_inline(ScrollLogicalPosition::Nearest);
                how.set_block(ScrollLogicalPosition::Nearest);
                current.scroll_into_view_with_scroll_into_view_options(&how);
                measure();
            }
        });
    });
    let resized = window_event_listener(ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    let items = Tab::ALL.into_iter().map(|one| item(&release, one, tab)).views();
    let control =
        move |label: &'static str, name: &'static str, by: i32, is_end: fn((bool, bool)) -> bool| {
            let go = move |_| {
                if let Some(list) = list.get_untracked() {
                    list.set_scroll_left(list.scroll_left() + by * list.client_width() / 2);
                }
            };
            view! {
                <div class="pf-v6-c-tabs__scroll-button">
                    <button
                        type="button"
                        class="pf-v6-c-button pf-m-plain"
                        aria-label=label
                        disabled=Signal::derive(move || is_end(hidden.get()))
                        on:click=go
                    >
                        <span class="pf-v6-c-button__icon">{icon(name)}</span>
                    </button>
                </div>
            }
            .into_any()
        };
    let class = Signal::derive(move || {
        if is_long.get() {
            "pf-v6-c-tabs pf-m-page-insets pf-m-scrollable release-tabs"
        } else {
            "pf-v6-c-tabs pf-m-page-insets release-tabs"
        }
    });
    view! {
        <section class="pf-v6-c-page__main-tabs release-tabs-bar">
            <nav class=class aria-label=t("Release")>
                {dynamic(move || is_long.get().then(|| control(t("Tabs before"), "angle-left", -1, |(before, _)| !before)))}
                <ul class="pf-v6-c-tabs__list" role="list" node_ref=list on:scroll=move |_| measure()>
                    {items}
                </ul>
                {dynamic(move || is_long.get().then(|| control(t("Tabs after"), "angle-right", 1, |(_, after)| !after)))}
            </nav>
        </section>
    }
    .into_any()
}

fn item(release: &ReleaseKey, one: Tab, tab: Memo<Tab>) -> AnyView {
    let href = Route::Release { key: release.clone(), tab: one }.to_string();
    let is_here = move || tab.get() == one;
    let class =
        Signal::derive(
            move || {
                if is_here() { "pf-v6-c-tabs__item pf-m-current" } else { "pf-v6-c-tabs__item" }
            },
        );
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
    .into_any()
}
