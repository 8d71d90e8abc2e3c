//! What can be gone to and done: the pages, and the releases, charts and namespaces that the user sees. These are asked for
//! when the palette opens, and kept for the next time.

use leptos::prelude::*;

use super::rank::{Best, Candidate, lower, score, words};
use crate::client::client;
use crate::model::{ApiError, CatalogueEntry, Phase, ReleaseKey, ReleaseRow, WayAction};
use crate::pages::release::actions::action_href;
use crate::pages::releases::menu::why_not;
use crate::pages::route::{ChartRef, Origin, Route};
use crate::pages::shell::Sheet;
use crate::signals::{Slot, task};
use crate::words::{say, t};

/// How many are shown at once.
const SHOWN: usize = 12;

/// What is known so far.
#[derive(Clone, Copy)]
pub struct Stock {
    releases: Slot<Vec<Known>>,
    charts: Slot<Vec<KnownChart>>,
    namespaces: Slot<Vec<String>>,
    /// How many answers are still to come.
    pub awaited: RwSignal<u32>,
    /// Why something could not be had.
    pub error: RwSignal<Option<ApiError>>,
}

/// A chart, with what it is known by besides its name, in lower case.
#[derive(Clone, PartialEq, Eq)]
struct KnownChart {
    chart: ChartRef,
    about: String,
}

/// A release, and what can be done with it from here besides what always can.
type Known = (ReleaseKey, [bool; SOMETIMES.len()]);

/// What is shown for a choice.
#[derive(Clone, PartialEq, Eq)]
pub struct Found {
    /// What is done, or gone to.
    pub title: String,
    /// Where, or of what kind it is.
    pub detail: String,
    /// What happens.
    pub choice: Choice,
}

/// What a choice does.
#[derive(Clone, PartialEq, Eq)]
pub enum Choice {
    /// Goes to an address.
    To(String),
    /// Opens a sheet.
    Open(Sheet),
    /// Opens the drawer of operations.
    Operations,
}

impl Stock {
    /// Nothing is known.
    pub fn new() -> Self {
        Self {
            releases: Slot::new(),
            charts: Slot::new(),
            namespaces: Slot::new(),
            awaited: RwSignal::new(0),
            error: RwSignal::new(None),
        }
    }

    /// Asks for all of it anew, of charts those that can be had on the page `here`. What is known already is offered meanwhile.
    pub fn refresh(self, here: &Route) {
        let (client, stock) = (client(), self);
        stock.awaited.set(3);
        stock.error.set(None);
        let end = move |error: Option<ApiError>| {
            if error.is_some() {
                stock.error.set(error);
            }
            stock.awaited.update(|awaited| *awaited = awaited.saturating_sub(1));
        };
        let (releases, charts, namespaces) = (
            client.releases(None, None),
            client.catalogue(here.namespace().map(str::to_owned)),
            client.namespaces(),
        );
        task(async move {
            end(releases
                .await
                .map(|list| {
                    let known =
                        |row: ReleaseRow| (row.key.clone(), SOMETIMES.map(|(action, _)| can(&row, action)));
                    stock.releases.set(Some(list.releases.into_iter().map(known).collect()));
                })
                .err());
        });
        task(async move {
            let chart = |entry: CatalogueEntry| KnownChart {
                about: lower(&[entry.keywords.join(" "), entry.description].join(" ")),
                chart: ChartRef { repository: entry.repository, chart: entry.name },
            };
            let charts =
                charts.await.map(|it| stock.charts.set(Some(it.entries.into_iter().map(chart).collect())));
            end(charts.err());
        });
        task(async move {
            end(namespaces.await.map(|names| stock.namespaces.set(Some(names))).err());
        });
    }

    /// The best that fit what was typed on the page `here`, and how many fit.
    pub fn find(self, typed: &str, here: &Route) -> (Vec<Found>, usize) {
        let words = words(typed);
        let mut best = Best::new(SHOWN);
        self.releases_in(&mut best, &words, here);
        pages(&mut best, &words, here);
        self.charts.with(|charts| {
            for chart in charts.into_iter().flatten() {
                chart_in(&mut best, &words, here, chart);
            }
        });
        let namespace = t("Namespace");
        let kind = lower(namespace);
        self.namespaces.with(|names| {
            for name in names.into_iter().flatten().filter(|_| !words.is_empty()) {
                offer(&mut best, &words, &candidate("", name, &kind), || Found {
                    title: name.clone(),
                    detail: namespace.to_owned(),
                    choice: Choice::To(Route::Releases { namespace: Some(name.clone()) }.to_string()),
                });
            }
        });
        let all = best.all;
        (best.take(), all)
    }

    fn releases_in(self, best: &mut Best<Found>, words: &[String], here: &Route) {
        let (verbs, sometimes, kind) = (told_verbs(VERBS), told_verbs(SOMETIMES), lower(t("Helm release")));
        let own = match here {
            Route::Release { key, .. } | Route::Upgrade { key } | Route::Rollback { key } => Some(key),
            _ => None,
        };
        self.releases.with(|keys| {
            for (key, can) in keys.into_iter().flatten() {
                let place = [&key.namespace, " ", &kind].concat();
                let is_near = here.namespace() == Some(key.namespace.as_str());
                let candidate = |verb| Candidate { is_near, ..candidate(verb, &key.name, &place) };
                if !words.is_empty() {
                    offer(best, words, &candidate(""), || Found {
                        title: key.name.clone(),
                        detail: say("Helm release in {namespace}", &[("namespace", &key.namespace)]),
                        choice: Choice::To(Route::release(key).to_string()),
                    });
                }
                let now = sometimes.iter().zip(can).filter(|(_, can)| **can).map(|(verb, _)| verb);
                for (action, title, verb) in verbs.iter().chain(now) {
                    let make = || Found {
                        title: say(title, &[("name", &key.name)]),
                        detail: say("Helm release in {namespace}", &[("namespace", &key.namespace)]),
                        choice: Choice::To(action_href(key, *action)),
                    };
                    if words.is_empty() {
                        // What can be done with the release that is in view is there unasked.
                        if own == Some(key) {
                            best.offer(1, make);
                        }
                    } else {
                        offer(best, words, &candidate(verb), make);
                    }
                }
            }
        });
    }
}

/// What can be done to a release from here; its page says why not, where it cannot.
const VERBS: [(WayAction, &str); 3] = [
    (WayAction::Upgrade, "Upgrade {name}"),
    (WayAction::Rollback, "Roll back {name}"),
    (WayAction::Uninstall, "Uninstall {name}"),
];

/// What can be done to it only now and then, and is offered then alone.
const SOMETIMES: [(WayAction, &str); 3] = [
    (WayAction::Test, "Run the tests of {name}"),
    (WayAction::Cancel, "Cancel the operation on {name}"),
    (WayAction::Again, "Run the last operation on {name} again"),
];

/// Whether one of those can be done, as far as the list tells.
fn can(row: &ReleaseRow, action: WayAction) -> bool {
    match action {
        WayAction::Cancel => row.phase.is_active() && !matches!(row.phase, Phase::Pending { .. }),
        WayAction::Again => matches!(
            row.phase,
            Phase::Failed { kind: Some(_) } | Phase::Cancelled { .. } | Phase::Interrupted { .. }
        ),
        action => why_not(row, action).is_none(),
    }
}

/// Actions of a release: how they are told, and by which words they are known.
fn told_verbs<const N: usize>(
    verbs: [(WayAction, &'static str); N],
) -> [(WayAction, &'static str, String); N] {
    verbs.map(|(action, title)| (action, title, lower(&say(title, &[("name", "")]))))
}

/// What is known by its verb, name and place alone, these in lower case.
fn candidate<'a>(verb: &'a str, name: &'a str, place: &'a str) -> Candidate<'a> {
    Candidate { verb, name, place, about: "", is_near: false }
}

/// Offers a candidate, if it fits.
fn offer(best: &mut Best<Found>, words: &[String], candidate: &Candidate<'_>, make: impl FnOnce() -> Found) {
    if let Some(score) = score(words, candidate) {
        best.offer(score, make);
    }
}

fn chart_in(best: &mut Best<Found>, words: &[String], here: &Route, known: &KnownChart) {
    let KnownChart { chart, about } = known;
    if words.is_empty() {
        return;
    }
    let namespace = here.namespace().map(str::to_owned);
    let (name, place) = (lower(&chart.chart), lower(&chart.repository));
    let detail = || say("Chart of {repository}", &[("repository", &chart.repository)]);
    let candidate = |verb| Candidate { about, ..candidate(verb, &name, &place) };
    offer(best, words, &candidate(""), || Found {
        title: chart.chart.clone(),
        detail: detail(),
        choice: Choice::To(
            Route::Catalogue { namespace: namespace.clone(), chart: Some(chart.clone()) }.to_string(),
        ),
    });
    let verb = lower(&say("Create Helm release from {name}", &[("name", "")]));
    offer(best, words, &candidate(&verb), || Found {
        title: say("Create Helm release from {name}", &[("name", &chart.chart)]),
        detail: detail(),
        choice: Choice::To(
            Route::Install { namespace: namespace.clone(), chart: Origin::Repository(chart.clone()) }
                .to_string(),
        ),
    });
}

fn pages(best: &mut Best<Found>, words: &[String], here: &Route) {
    let namespace = here.namespace().map(str::to_owned);
    let to = |route: Route| Choice::To(route.to_string());
    let page = t("Page");
    let all = [
        (t("Helm releases"), to(Route::Releases { namespace: namespace.clone() })),
        (t("Helm releases of all namespaces"), to(Route::Releases { namespace: None })),
        (t("Software Catalog"), to(Route::Catalogue { namespace: namespace.clone(), chart: None })),
        (t("Helm repositories"), to(Route::Repositories { namespace: namespace.clone() })),
        (t("Add Helm repository"), to(Route::Repository { namespace: namespace.clone(), name: None })),
        (t("Install Helm Chart from URL or file"), to(Route::Elsewhere { namespace })),
        (t("Operations"), Choice::Operations),
        (t("Keyboard shortcuts"), Choice::Open(Sheet::Shortcuts)),
        (t("About Slipway"), Choice::Open(Sheet::About)),
    ];
    for (title, choice) in all {
        let detail = if matches!(choice, Choice::To(_)) { page } else { t("On every page") };
        offer(best, words, &candidate("", &lower(title), &lower(detail)), || Found {
            title: title.to_owned(),
            detail: detail.to_owned(),
            choice,
        });
    }
}
