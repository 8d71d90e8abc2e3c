//! A release as a picture: its objects and what they have to do with each other; or the same as a list.

mod canvas;
mod list;
mod neighbour;
mod node;
mod shapes;
mod sight;

use leptos::prelude::*;

use super::Live;
use super::nothing::no_resources;
use super::object::{object_panel, pace, refresh_trouble};
use crate::client::client;
use crate::client::fetch::refresh;
use crate::model::{Picture, Relation, ReleaseKey, Tone};
use crate::pages::query::{query_setter, query_value};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::alert::Alert;
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::toolbar::ToggleGroup;
use crate::words::{count, t, told};

/// What an edge can mean, in the order of the legend.
const RELATIONS: [Relation; 6] =
    [Relation::Routes, Relation::Selects, Relation::Scales, Relation::Owns, Relation::Mounts, Relation::Uses];

/// The tab.
#[component]
pub fn Topology(release: ReleaseKey, live: Live) -> impl IntoView {
    let of = release.clone();
    let fetched = refresh(pace(live), move || client().picture(of.clone()));
    let picture = Memo::new(move || fetched.data.get().unwrap_or_default());
    view! {
        {shown(fetched, || skeleton_lines(8), move || view! { {refresh_trouble(fetched)} {content(picture, live)} }.into_any())}
        {object_panel(release, live)}
    }
    .into_any()
}

fn content(picture: Memo<Picture>, live: Live) -> AnyView {
    let is_empty = Memo::new(move || picture.with(|it| it.nodes.is_empty()));
    let warnings = Memo::new(move || picture.with(|it| it.warnings.clone()));
    let left_out = Memo::new(move || picture.with(|it| it.left_out as usize));
    let (layout, set) = (query_value("view"), query_setter());
    let is_list = Memo::new(move || layout.with(|layout| layout == "list"));
    let body = move || {
        if is_empty.get() {
            return no_resources(live, t("They are drawn here as soon as Helm has rendered the chart."));
        }
        view! {
            <div class="list-tools">
                <ToggleGroup
                    label=t("View")
                    options=vec![("picture", t("Graph")), ("list", t("List"))]
                    value=Signal::derive(move || if is_list.get() { "list" } else { "picture" }.to_owned())
                    on_change=Callback::new(move |chosen: &'static str| {
                        let chosen = if chosen == "list" { chosen } else { "" };
                        set.run(vec![("view", chosen.to_owned())]);
                    })
                />
                {dynamic(move || (!is_list.get()).then(|| legend(picture)))}
            </div>
            {dynamic(move || if is_list.get() { list::list(picture) } else { canvas::canvas(picture) })}
        }
        .into_any()
    };
    view! {
        {dynamic(move || {
            let warnings = warnings.get();
            (!warnings.is_empty())
                .then(|| {
                    view! {
                        <Alert tone=Tone::Warning title=t("Not everything is known")>
                            {warnings.iter().map(|text| view! { <p>{told(text)}</p> }).views()}
                        </Alert>
                    }
                })
        })}
        {dynamic(body)}
        {dynamic(move || {
            let left_out = left_out.get();
            (left_out > 0)
                .then(|| {
                    view! {
                        <p class="note">
                            {count(
                                left_out,
                                "One more resource is left out of the picture. The Resources tab has it.",
                                "{n} more resources are left out of the picture. The Resources tab has them.",
                            )}
                        </p>
                    }
                })
        })}
    }
    .into_any()
}

/// What the lines mean that are in the picture.
fn legend(picture: Memo<Picture>) -> AnyView {
    let there = Memo::new(move || {
        picture.with(|it| {
            let is_there = |relation: &Relation| it.edges.iter().any(|edge| edge.relation == *relation);
            RELATIONS.into_iter().filter(is_there).collect::<Vec<_>>()
        })
    });
    let item = |relation: Relation| {
        view! {
            <li>
                <svg class="legend-line" aria-hidden="true">
                    <line class=shapes::class(relation) x1="0" y1="6" x2="28" y2="6" />
                </svg>
                {list::verb(relation)}
            </li>
        }
    };
    view! {
        <ul class="legend note" aria-label=t("Meaning of the lines")>
            {dynamic(move || there.get().into_iter().map(item).views())}
        </ul>
    }
    .into_any()
}
