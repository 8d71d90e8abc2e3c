//! How many resources are ready, sub-chart by sub-chart: a tile each, dense enough for dozens of them.

use crate::signals::{Memo, dynamic, keyed};
use leptos::prelude::*;

use super::Live;
use super::waiting::Waiting;
use crate::model::{Progress, ProgressGroup, ReleaseKey, Tone};
use crate::pages::route::{Route, Tab};
use crate::ui::address::encode;
use crate::ui::icon::icon;
use crate::ui::progress::ProgressBar;
use crate::words::{say, t};

/// The bar over all resources, those that the end waits for, and the tiles.
#[component]
pub fn Groups(release: ReleaseKey, live: Live) -> impl IntoView {
    let progress = Memo::new(move || live.progress.get().unwrap_or_default());
    let label = Memo::new(move || progress.with(words));
    let percent = Memo::new(move || progress.with(Progress::percent));
    let tone = Memo::new(move || {
        let tone = progress.with(|progress| tone(progress.ready, progress.failed, progress.total));
        if tone == Tone::Progress && live.is_at_rest() { Tone::Warning } else { tone }
    });
    let sources = Memo::new(move || {
        progress.with(|progress| progress.groups.iter().map(|group| group.source.clone()).collect::<Vec<_>>())
    });
    let resources = Route::Release { key: release, tab: Tab::Resources }.to_string();
    let tile = move |source: String| {
        let of = source.clone();
        let group = Memo::new(move || {
            progress.with(|progress| progress.groups.iter().find(|group| group.source == of).cloned())
        });
        let href = format!("{resources}?q={}", encode(&source));
        view! { <Tile source href group /> }.into_any()
    };
    let tiles = move || {
        // A chart without sub-charts is one group: the bar says it all.
        sources.with(|sources| sources.len() > 1).then(|| {
            let tile = tile.clone();
            view! {
                <ul class="tiles" aria-label=t("Resources by chart")>
                    {keyed(move || sources.get(), tile)}
                </ul>
            }
        })
    };
    view! {
        <ProgressBar label percent tone />
        {dynamic(move || live.active.get().then(|| view! { <Waiting live /> }))}
        {dynamic(tiles)}
    }
    .into_any()
}

#[component]
fn Tile(source: String, href: String, group: Memo<Option<ProgressGroup>>) -> impl IntoView {
    let counts = Memo::new(move || {
        group.with(|group| group.as_ref().map_or((0, 0, 0), |group| (group.ready, group.failed, group.total)))
    });
    let is = move |wanted: Tone| {
        let (ready, failed, total) = counts.get();
        tone(ready, failed, total) == wanted
    };
    let (path, name) = source.rsplit_once('/').unwrap_or(("", &source));
    let (path, name) = (path.to_owned(), if name.is_empty() { t("(no source)") } else { name }.to_owned());
    let class = Signal::derive(move || {
        let (ready, failed, total) = counts.get();
        match tone(ready, failed, total) {
            Tone::Success => "tile tile-ready",
            Tone::Danger => "tile tile-failed",
            _ => "tile",
        }
    });
    let width = Signal::derive(move || {
        let (ready, _, total) = counts.get();
        format!("{}%", (ready * 100).checked_div(total).unwrap_or(100))
    });
    view! {
        <li
            class=class
            title=source.clone()
        >
            <a class="tile-link" href=href>
                <span class="tile-name">
                    {(!path.is_empty())
                        .then(|| view! { <span class="pf-v6-screen-reader">{format!("{path}/")}</span> })} {name}
                </span>
                <span class="tile-count">
                    {dynamic(move || is(Tone::Success).then(|| icon("success")))}
                    {dynamic(move || is(Tone::Danger).then(|| icon("danger")))}
                    {dynamic(move || {
                        let (ready, _, total) = counts.get();
                        format!("{ready}/{total}")
                    })}
                    <span class="pf-v6-screen-reader">" " {t("ready")}</span>
                </span>
            </a>
            <span class="tile-bar" aria-hidden="true">
                <span class="tile-fill" style:width=width></span>
            </span>
        </li>
    }
    .into_any()
}

fn tone(ready: u32, failed: u32, total: u32) -> Tone {
    match (ready, failed) {
        (_, 1..) => Tone::Danger,
        (ready, 0) if ready == total => Tone::Success,
        _ => Tone::Progress,
    }
}

fn words(progress: &Progress) -> String {
    let Progress { ready, failed, total, .. } = progress;
    let (ready, total, failed_words) = (ready.to_string(), total.to_string(), failed.to_string());
    let with = [("ready", ready.as_str()), ("total", &total), ("failed", &failed_words)];
    if *failed > 0 {
        say("{ready} of {total} resources ready, {failed} failed", &with)
    } else {
        say("{ready} of {total} resources ready", &with)
    }
}
