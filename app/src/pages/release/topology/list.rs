//! The picture in words: what there is, and what each has to do with others.

use leptos::prelude::*;

use super::super::health::health_view;
use super::super::object::object_link;
use crate::model::{Picture, PictureNode, Relation};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::label::plain_label;
use crate::ui::table::{cell, or_dash, plain_head};
use crate::words::{say, t, told};

/// What an edge means, as a verb of its beginning.
pub fn verb(relation: Relation) -> &'static str {
    match relation {
        Relation::Routes => t("Routes to"),
        Relation::Selects => t("Selects"),
        Relation::Scales => t("Scales"),
        Relation::Owns => t("Owns"),
        Relation::Mounts => t("Mounts"),
        Relation::Uses => t("Uses"),
    }
}

/// The table.
pub fn list(picture: Memo<Picture>) -> AnyView {
    view! {
        <table class="pf-v6-c-table pf-m-grid-md pf-m-compact resources" aria-label=t("Resources and their relations")>
            <thead class="pf-v6-c-table__thead">
                <tr class="pf-v6-c-table__tr">
                    {plain_head(t("Name"))} {plain_head(t("Type"))} {plain_head(t("Status"))}
                    {plain_head(t("Relations"))}
                </tr>
            </thead>
            {dynamic(move || picture.with(sections))}
        </table>
    }
    .into_any()
}

fn sections(picture: &Picture) -> Vec<AnyView> {
    let section = |(number, group): (usize, &crate::model::PictureGroup)| {
        let own = picture.nodes.iter().enumerate().filter(|(_, node)| node.group as usize == number);
        let rows = own.map(|(at, node)| row(picture, at, node)).views();
        view! {
            <tbody class="pf-v6-c-table__tbody">
                <tr class="pf-v6-c-table__tr group-row">
                    <th class="pf-v6-c-table__th" colspan="4" scope="rowgroup">
                        {group.source.clone()} <span class="nothing">{rows.len()}</span>
                    </th>
                </tr>
                {rows}
            </tbody>
        }
    };
    picture.groups.iter().enumerate().map(section).views()
}

fn row(picture: &Picture, at: usize, node: &PictureNode) -> AnyView {
    let own = picture.edges.iter().filter(|edge| edge.from as usize == at);
    let relations = own
        .filter_map(|edge| Some((edge.relation, picture.nodes.get(edge.to as usize)?)))
        .map(|(relation, to)| {
            let words = [verb(relation), " ", &to.object.kind, " ", &to.object.name].concat();
            view! { <div class="wrap">{words}</div> }
        })
        .views();
    let pods = node.pods.map(|pods| {
        let (ready, total) = (pods.ready.to_string(), pods.total.to_string());
        say("{ready} of {total} pods ready", &[("ready", &ready), ("total", &total)])
    });
    let relations = if relations.is_empty() { or_dash(None) } else { relations.into_any() };
    let status = view! {
        <div>
            {health_view(node.health)}
            <div class="note wrap">{pods.unwrap_or_else(|| told(&node.message))}</div>
        </div>
    };
    let name = view! {
        <span class="named">{object_link(&node.object)} {node.is_hook.then(|| plain_label(t("Hook").to_owned()))}</span>
    };
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell(t("Name"), name)} {cell(t("Type"), node.object.kind.clone())} {cell(t("Status"), status)}
            {cell(t("Relations"), relations)}
        </tr>
    }
    .into_any()
}
