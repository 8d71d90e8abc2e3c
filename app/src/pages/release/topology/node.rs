//! An object in the picture.

use leptos::ev;
use leptos::prelude::*;
use leptos::svg;

use super::super::health;
use super::super::object::object_href;
use super::shapes::{ring, shortened};
use crate::model::picture::{NODE_HEIGHT, NODE_WIDTH};
use crate::model::{Health, PictureNode};
use crate::signals::{Memo, dynamic};
use crate::words::{say, t, told};

/// The id of a node's element.
pub fn id_of(key: &str) -> String {
    ["node:", key].concat()
}

/// A node: a link over what is drawn of it, whose name says more than there is room for. It opens the object's panel. `here` is the node that Tab leads to; the arrows lead on from there.
pub fn node_view(
    key: String,
    node: Memo<Option<PictureNode>>,
    here: Memo<String>,
    on_focus: impl Fn(String) + 'static,
) -> AnyView {
    let Some(object) = node.with_untracked(|node| node.as_ref().map(|node| node.object.clone())) else {
        return ().into_any();
    };
    let href = object_href(&object);
    let own = key.clone();
    let place = Signal::derive(move || {
        node.with(|node| {
            let (x, y) = node.as_ref().map_or((0, 0), |node| (node.x, node.y));
            ["translate(", &x.to_string(), "px,", &y.to_string(), "px)"].concat()
        })
    });
    let class = Signal::derive(move || {
        node.with(|node| match node {
            Some(node) if !node.is_in_manifest || node.is_hook => "node node-made",
            _ => "node",
        })
    });
    let words = Memo::new(move || node.with(|node| node.as_ref().map(words).unwrap_or_default()));
    let sign = Memo::new(move || node.with(|node| node.as_ref().map(|node| (node.health, node.pods))));
    let name = shortened(&object.name);
    // The macro takes an `a` and a `title` for HTML's.
    let title = svg::title().child(dynamic(move || words.get()));
    let face = view! { <rect class="node-box" width=NODE_WIDTH height=NODE_HEIGHT rx="8" /> };
    let link = svg::a()
        .attr("href", href)
        .attr("id", id_of(&key))
        .attr("tabindex", Signal::derive(move || if here.with(|here| *here == own) { "0" } else { "-1" }))
        .attr("aria-label", Signal::derive(move || words.get()))
        .on(ev::focus, move |_| on_focus(key.clone()))
        .child((title.into_any(), face.into_any()))
        .into_any();
    view! {
        <g class=class style:transform=place>
            {link}
                {dynamic(move || sign.get().map(|(health, pods)| {
                    let shapes = match pods {
                        Some(pods) => ring(pods),
                        None => String::new(),
                    };
                    let number = pods.map(|pods| pods.total.to_string());
                    // A ring tells how its pods are; what else is wrong is told at its corner.
                    let icon = match (number.is_some(), health) {
                        (true, Health::Ready) => None,
                        (true, _) => Some(("translate(138px,-9px) scale(0.6)", health)),
                        _ => Some(("translate(8px,8px)", health)),
                    };
                    view! {
                        <g class=health::class(health) aria-hidden="true">
                            <g inner_html=shapes></g>
                            {number.map(|number| view! { <text class="node-number" x="24" y="29">{number}</text> })}
                            {icon.map(|(place, health)| {
                                let href = ["#i-", health::icon_name(health)].concat();
                                view! {
                                    <g style:transform=place>
                                        <circle class="node-ground" cx="16" cy="16" r="16" />
                                        <use_ href=href x="4" y="4" width="24" height="24" />
                                    </g>
                                }
                            })}
                        </g>
                    }
                }))}
                <text class="node-name" x="46" y="21" aria-hidden="true">
                    {name}
                </text>
                <text class="node-kind" x="46" y="38" aria-hidden="true">
                    {shortened(&object.kind)}
                </text>
        </g>
    }
    .into_any()
}

/// What a node says to whoever cannot see it, or points at it.
fn words(node: &PictureNode) -> String {
    let object = &node.object;
    let mut words = [&*object.kind, " ", &object.name, ": ", health::word(node.health)].concat();
    if !node.message.is_empty() {
        words.push_str(", ");
        words.push_str(&told(&node.message));
    }
    if node.is_hook {
        words.push_str(", ");
        words.push_str(t("hook"));
    }
    if let Some(pods) = node.pods {
        let (ready, total) = (pods.ready.to_string(), pods.total.to_string());
        words.push_str(", ");
        words.push_str(&say("{ready} of {total} pods ready", &[("ready", &ready), ("total", &total)]));
    }
    words
}
