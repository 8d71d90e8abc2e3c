//! Which resources the list shows, in which order, and what they are put together by. Pure.

use std::cmp::Ordering;

use super::super::health;
use super::super::object::key_of;
use crate::model::Resource;
use crate::pages::sorting::places;
use crate::ui::table::Sort;
use crate::words::t;

/// How many rows are drawn at most; a filter finds the others.
pub const SHOWN: usize = 500;

/// What the list can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The object's name.
    Name,
    /// Its kind.
    Type,
    /// Its namespace.
    Namespace,
    /// How it is doing, in the order of the filter.
    Status,
    /// When it was created.
    Created,
}

impl Column {
    /// All of them, from left to right.
    pub const ALL: [Self; 5] = [Self::Name, Self::Type, Self::Namespace, Self::Status, Self::Created];

    /// Its word in the address.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Type => "type",
            Self::Namespace => "namespace",
            Self::Status => "status",
            Self::Created => "created",
        }
    }

    /// Its head.
    pub fn title(self) -> &'static str {
        match self {
            Self::Name => t("Name"),
            Self::Type => t("Type"),
            Self::Namespace => t("Namespace"),
            Self::Status => t("Status"),
            Self::Created => t("Created"),
        }
    }
}

/// What the rows are put together by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// The sub-chart.
    Chart,
    /// The kind.
    Kind,
    /// Nothing.
    Nothing,
}

/// What is searched for, and the order.
#[derive(Clone, PartialEq, Eq)]
pub struct Query {
    /// In the name, the kind or the chart.
    pub text: String,
    /// The key of a health; empty for all.
    pub health: String,
    /// The order.
    pub sort: Sort<Column>,
}

/// A resource that is shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Row {
    /// What tells it from all others.
    pub key: String,
    /// Its place in the manifest.
    pub place: usize,
    /// It.
    pub resource: Resource,
}

/// What is shown of all resources.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// How many were found.
    pub found: usize,
    /// How many of these are hooks.
    pub hooks: usize,
    /// At most [`SHOWN`] of them, in their order.
    pub rows: Vec<Row>,
}

/// The rows of a chart or of a kind under its name, or all of them under none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The chart, or the kind.
    pub title: Option<String>,
    /// The keys of its rows.
    pub keys: Vec<String>,
}

/// What `query` finds, in its order; equal ones as they are in the manifest.
pub fn listed(all: &[Resource], query: &Query) -> Listed {
    let text = query.text.trim().to_lowercase();
    let found: Vec<(usize, &Resource)> =
        all.iter().enumerate().filter(|(_, one)| matches(one, &text, &query.health)).collect();
    let sorted = places(found.len(), &|a, b| {
        let order = compare(query.sort.column, found[a].1, found[b].1);
        let order = if query.sort.descending { order.reverse() } else { order };
        order.then_with(|| a.cmp(&b))
    });
    let mut rows: Vec<Row> = Vec::with_capacity(found.len().min(SHOWN));
    for at in sorted.into_iter().take(SHOWN) {
        let (place, resource) = found[at];
        let mut key = key_of(&resource.object);
        // A hook can have the name of another one.
        while rows.iter().any(|row| row.key == key) {
            key.push('\'');
        }
        rows.push(Row { key, place, resource: resource.clone() });
    }
    let hooks = found.iter().filter(|(_, one)| !one.hooks.is_empty()).count();
    Listed { found: found.len(), hooks, rows }
}

fn matches(resource: &Resource, text: &str, chosen: &str) -> bool {
    let is_chosen = chosen.is_empty() || health::key(resource.health) == chosen;
    let object = &resource.object;
    is_chosen
        && (text.is_empty()
            || [&object.name, &object.kind, &resource.source]
                .iter()
                .any(|it| it.to_lowercase().contains(text)))
}

fn compare(column: Column, a: &Resource, b: &Resource) -> Ordering {
    let place = |one: &Resource| health::ALL.iter().position(|health| *health == one.health);
    match column {
        Column::Name => a.object.name.cmp(&b.object.name),
        Column::Type => a.object.kind.cmp(&b.object.kind),
        Column::Namespace => a.object.namespace.cmp(&b.object.namespace),
        Column::Status => place(a).cmp(&place(b)),
        Column::Created => a.created.cmp(&b.created),
    }
}

/// The sections: the charts in the manifest's order, the kinds in the alphabet's; their rows as they are sorted.
pub fn in_sections(rows: &[Row], grouping: Grouping) -> Vec<Section> {
    let mut sections: Vec<(usize, Section)> = Vec::new();
    for Row { key, place, resource } in rows {
        let title = match grouping {
            Grouping::Chart => Some(resource.source.clone()),
            Grouping::Kind => Some(resource.object.kind.clone()),
            Grouping::Nothing => None,
        };
        match sections.iter_mut().find(|(_, section)| section.title == title) {
            Some((first, section)) => {
                *first = (*first).min(*place);
                section.keys.push(key.clone());
            }
            None => sections.push((*place, Section { title, keys: vec![key.clone()] })),
        }
    }
    let order = places(sections.len(), &|a, b| match grouping {
        Grouping::Kind => sections[a].1.title.cmp(&sections[b].1.title),
        _ => sections[a].0.cmp(&sections[b].0),
    });
    order.into_iter().map(|at| sections[at].1.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Health, ObjectRef, Timestamp};

    fn resource(name: &str, source: &str, health: Health) -> Resource {
        let object = ObjectRef {
            api_version: "v1".into(),
            kind: "Service".into(),
            namespace: None,
            name: name.into(),
        };
        let source = source.to_owned();
        Resource { object, source, hooks: vec![], health, message: String::new(), created: None }
    }

    fn by(column: Column, descending: bool) -> Query {
        Query { text: String::new(), health: String::new(), sort: Sort { column, descending } }
    }

    fn names(listed: &Listed) -> Vec<&str> {
        listed.rows.iter().map(|row| row.resource.object.name.as_str()).collect()
    }

    #[test]
    fn a_text_finds_names_kinds_and_charts() {
        let one = resource("web", "platform/auth", Health::Ready);
        for text in ["", "we", "service", "auth"] {
            assert!(matches(&one, text, ""), "{text}");
        }
        assert!(!matches(&one, "db", ""));
        assert!(matches(&one, "web", "ready") && !matches(&one, "web", "failed"));
    }

    #[test]
    fn resources_are_sorted_by_each_column_and_equal_ones_stay_as_the_manifest_has_them() {
        let mut all = [
            resource("c", "x", Health::Ready),
            resource("a", "x", Health::Failed),
            resource("b", "x", Health::Ready),
        ];
        all[0].object.kind = "ConfigMap".into();
        all[1].object.namespace = Some("other".into());
        (all[0].created, all[1].created) = (Some(Timestamp(9)), Some(Timestamp(5)));
        for (column, descending, expected) in [
            (Column::Name, false, ["a", "b", "c"]),
            (Column::Name, true, ["c", "b", "a"]),
            (Column::Type, false, ["c", "a", "b"]),
            (Column::Type, true, ["a", "b", "c"]),
            (Column::Namespace, false, ["c", "b", "a"]),
            (Column::Status, false, ["c", "b", "a"]),
            (Column::Status, true, ["a", "c", "b"]),
            (Column::Created, true, ["c", "a", "b"]),
        ] {
            assert_eq!(names(&listed(&all, &by(column, descending))), expected, "{column:?} {descending}");
        }
    }

    #[test]
    fn a_chart_that_comes_up_twice_in_the_manifest_is_one_section_and_keeps_its_place() {
        let all =
            [("c", "x"), ("b", "y"), ("a", "x")].map(|(name, source)| resource(name, source, Health::Ready));
        let rows = listed(&all, &by(Column::Name, false)).rows;
        let sections = in_sections(&rows, Grouping::Chart);
        let told: Vec<_> = sections.iter().map(|it| (it.title.as_deref(), it.keys.len())).collect();
        assert_eq!(told, [(Some("x"), 2), (Some("y"), 1)]);
        assert!(sections[0].keys[0].ends_with("/a") && sections[0].keys[1].ends_with("/c"));
        assert_eq!(in_sections(&rows, Grouping::Nothing).len(), 1);
    }

    #[test]
    fn kinds_are_in_the_order_of_the_alphabet() {
        let mut all = ["a", "b", "c"].map(|name| resource(name, "x", Health::Ready));
        all[1].object.kind = "ConfigMap".into();
        let rows = listed(&all, &by(Column::Name, true)).rows;
        let titles: Vec<_> = in_sections(&rows, Grouping::Kind).into_iter().map(|it| it.title).collect();
        assert_eq!(titles, [Some("ConfigMap".to_owned()), Some("Service".to_owned())]);
    }

    #[test]
    fn of_a_huge_release_some_are_shown_and_two_of_one_name_are_two_rows() {
        let mut all: Vec<_> =
            (0..2 * SHOWN).map(|at| resource(&at.to_string(), "x", Health::Ready)).collect();
        all[1] = all[0].clone();
        let listed = listed(&all, &by(Column::Name, false));
        assert_eq!((listed.found, listed.rows.len()), (2 * SHOWN, SHOWN));
        assert_ne!(listed.rows[0].key, listed.rows[1].key);
    }
}
