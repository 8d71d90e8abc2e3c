//! The filters at the side of the catalogue.

use leptos::prelude::*;

use super::card::repository_name;
use super::filter::{Choice, DEPRECATED, FILTERS, Found, Query};
use crate::model::{RepositoryOrigin, RepositoryState};
use crate::pages::repositories::state::origin_words;
use crate::signals::{Memo, Views, dynamic, keyed};
use crate::ui::button::button;
use crate::words::{count, say, t};

type Change = Callback<Vec<(&'static str, String)>>;

/// How many choices a filter offers at first; a repository of thousands of charts has thousands of key words.
const FEW: usize = 8;
/// How many it offers at most; a text finds the others.
const MANY: usize = 60;

/// All filters.
pub fn facets(
    found: Memo<Found>,
    query: Memo<Query>,
    repositories: Memo<Vec<RepositoryState>>,
    set: Change,
) -> AnyView {
    let named = Named { repositories };
    let titles = [t("Chart Repositories"), t("Source"), t("Category"), t("Keywords")];
    let facets = titles.into_iter().enumerate().map(|(at, title)| facet(title, at, found, query, named, set));
    facets.chain([deprecated(found, query, set)]).views().into_any()
}

/// What the choices are called.
#[derive(Clone, Copy)]
struct Named {
    repositories: Memo<Vec<RepositoryState>>,
}

impl Named {
    fn words(self, filter: usize, value: &str) -> String {
        match filter {
            0 => repository_name(value, self.repositories),
            1 => {
                let all = [
                    RepositoryOrigin::Settings,
                    RepositoryOrigin::Slipway,
                    RepositoryOrigin::Cluster,
                    RepositoryOrigin::Project,
                ];
                all.into_iter()
                    .find(|one| one.as_str() == value)
                    .map_or_else(|| value.to_owned(), |one| origin_words(one).to_owned())
            }
            _ => value.to_owned(),
        }
    }

    /// The choices of a filter, in the order in which they are offered.
    fn choices(self, filter: usize, found: Memo<Found>) -> Vec<Choice> {
        let mut choices = found.with(|found| found.counts[filter].clone());
        if filter == 0 {
            // Each repository, also one that has nothing to show.
            self.repositories.with(|all| {
                let lists = all.iter().filter(|one| one.charts.is_some());
                for one in lists.map(|one| &one.name) {
                    if !choices.iter().any(|choice| choice.value == *one) {
                        choices.push(Choice { value: one.clone(), count: 0 });
                    }
                }
            });
        }
        if filter == 3 {
            return choices;
        }
        // By name: as texts, for which there is code already.
        let mut named: Vec<String> = choices
            .iter()
            .map(|choice| {
                format!(
                    "{}\n{}\n{}",
                    self.words(filter, &choice.value).to_lowercase(),
                    choice.value,
                    choice.count
                )
            })
            .collect();
        named.sort_unstable();
        let choice = |text: &String| {
            let mut parts = text.rsplit('\n');
            let count = parts.next().and_then(|count| count.parse().ok()).unwrap_or_default();
            Choice { value: parts.next().unwrap_or_default().to_owned(), count }
        };
        named.iter().map(choice).collect()
    }
}

/// One filter: a check box for each choice. Where there is nothing to choose, nothing is shown.
fn facet(
    title: &'static str,
    filter: usize,
    found: Memo<Found>,
    query: Memo<Query>,
    named: Named,
    set: Change,
) -> AnyView {
    let is_open = RwSignal::new(false);
    let choices = Memo::new(move || named.choices(filter, found));
    let least = if filter == 1 { 2 } else { 1 };
    let is_shown = Memo::new(move || choices.with(|all| all.len() >= least));
    let rest = Memo::new(move || choices.with(|all| all.len().min(MANY).saturating_sub(FEW)));
    let chosen = move |value: &String| query.with(|query| query.chosen(filter).contains(value));
    let offered = move || {
        let most = if is_open.get() { MANY } else { FEW };
        choices.with(|all| {
            // A chosen one is always there to be taken back.
            let offered = all.iter().enumerate().filter(|(at, one)| *at < most || chosen(&one.value));
            offered.map(|(_, one)| one.value.clone()).collect()
        })
    };
    let choice = move |value: String| {
        let words = named.words(filter, &value);
        let of = value.clone();
        let count = Memo::new(move || {
            choices.with(|all| all.iter().find(|one| one.value == of).map_or(0, |one| one.count))
        });
        let of = value.clone();
        let checked = Signal::derive(move || chosen(&of));
        let toggle = Box::new(move |on: bool| {
            let mut all: Vec<String> = query.with_untracked(|query| query.chosen(filter).to_vec());
            all.retain(|one| *one != value);
            if on {
                all.push(value.clone());
            }
            set.run(vec![(FILTERS[filter], all.join(","))]);
        });
        let label =
            dynamic(move || say("{name} ({n})", &[("name", &words), ("n", &count.get().to_string())]));
        view! { <li>{check(label, checked, toggle)}</li> }.into_any()
    };
    let choice = StoredValue::new(choice);
    let more = move || {
        let rest = rest.get();
        (rest > 0).then(|| {
            let words = if is_open.get() { t("Show less") } else { t("Show more") };
            button("pf-v6-c-button pf-m-link pf-m-inline", words, move || {
                is_open.update(|open| *open = !*open)
            })
        })
    };
    dynamic(move || {
        is_shown.get().then(|| {
            view! {
                <fieldset class="facet">
                    <legend>{title}</legend>
                    <ul role="list">
                        {keyed(offered, move |value| choice.with_value(|choice| choice(value)))}
                    </ul>
                    {dynamic(more)}
                </fieldset>
            }
        })
    })
}

fn deprecated(found: Memo<Found>, query: Memo<Query>, set: Change) -> AnyView {
    let checked = Signal::derive(move || query.with(|query| query.deprecated));
    let many = Memo::new(move || found.with(|found| found.deprecated));
    let is_shown = Memo::new(move || many.get() > 0 || checked.get());
    dynamic(move || {
        is_shown.get().then(|| {
            let label =
                dynamic(move || count(many.get(), "Show {n} deprecated chart", "Show {n} deprecated charts"));
            let toggle = Box::new(move |on: bool| {
                set.run(vec![(DEPRECATED, if on { "true".to_owned() } else { String::new() })]);
            });
            view! { <div class="facet">{check(label, checked, toggle)}</div> }
        })
    })
}

/// A check box inside of its label.
fn check(label: AnyView, checked: Signal<bool>, on_change: Box<dyn Fn(bool) + Send>) -> AnyView {
    view! {
        <label class="pf-v6-c-check">
            <input
                class="pf-v6-c-check__input"
                type="checkbox"
                prop:checked=move || checked.get()
                on:change=move |event| on_change(event_target_checked(&event))
            />
            <span class="pf-v6-c-check__label">{label}</span>
        </label>
    }
    .into_any()
}
