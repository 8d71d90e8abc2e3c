//! The orders of the list.

use std::cmp::Ordering;

use super::status::Status;
use crate::model::{RecordSummary, ReleaseKey, ReleaseRow, version};
use crate::pages::sorting::places;
use crate::words::t;

/// What the list can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The release's name.
    Name,
    /// Its namespace.
    Namespace,
    /// Its highest revision.
    Revision,
    /// When it last changed.
    Updated,
    /// What is shown of its phase, in the order of the filter.
    Status,
    /// The chart's name.
    Chart,
    /// The chart's version.
    ChartVersion,
    /// The version of the application in the chart.
    AppVersion,
}

impl Column {
    /// All of them, from left to right.
    pub const ALL: [Self; 8] = [
        Self::Name,
        Self::Namespace,
        Self::Revision,
        Self::Updated,
        Self::Status,
        Self::Chart,
        Self::ChartVersion,
        Self::AppVersion,
    ];

    /// Its word in the address.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Namespace => "namespace",
            Self::Revision => "revision",
            Self::Updated => "updated",
            Self::Status => "status",
            Self::Chart => "chart",
            Self::ChartVersion => "chart-version",
            Self::AppVersion => "app-version",
        }
    }

    /// The class of its cells.
    pub fn class(self) -> &'static str {
        match self {
            Self::Name => "col-name",
            Self::Namespace => "col-namespace",
            Self::Revision => "col-revision",
            Self::Updated => "col-updated",
            Self::Status => "col-status",
            Self::Chart => "col-chart",
            Self::ChartVersion => "col-version",
            Self::AppVersion => "col-app",
        }
    }

    /// Its head.
    pub fn title(self) -> &'static str {
        match self {
            Self::Name => t("Name"),
            Self::Namespace => t("Namespace"),
            Self::Revision => t("Revision"),
            Self::Updated => t("Updated"),
            Self::Status => t("Status"),
            Self::Chart => t("Chart name"),
            Self::ChartVersion => t("Chart version"),
            Self::AppVersion => t("App version"),
        }
    }
}

/// Two releases by a column.
pub fn compare(column: Column, a: &ReleaseRow, b: &ReleaseRow) -> Ordering {
    fn text(row: &ReleaseRow, of: fn(&RecordSummary) -> &Option<String>) -> Option<&str> {
        of(row.detail.summary()?).as_deref()
    }
    let versions = |of: fn(&RecordSummary) -> &Option<String>| match (text(a, of), text(b, of)) {
        (Some(a), Some(b)) => version::compare(a, b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    };
    let place = |row: &ReleaseRow| Status::of(&row.phase) as u8;
    match column {
        Column::Name => a.key.name.cmp(&b.key.name),
        Column::Namespace => a.key.namespace.cmp(&b.key.namespace),
        Column::Revision => a.revision.cmp(&b.revision),
        Column::Updated => a.updated.cmp(&b.updated),
        Column::Status => place(a).cmp(&place(b)),
        Column::Chart => text(a, |it| &it.chart)
            .cmp(&text(b, |it| &it.chart))
            .then_with(|| versions(|it| &it.chart_version)),
        Column::ChartVersion => versions(|it| &it.chart_version),
        Column::AppVersion => versions(|it| &it.app_version),
    }
}

/// Keys in their order, each of them once.
pub fn unique(keys: Vec<ReleaseKey>) -> Vec<ReleaseKey> {
    let mut sorted: Vec<ReleaseKey> = Vec::with_capacity(keys.len());
    for at in places(keys.len(), &|a, b| keys[a].cmp(&keys[b])) {
        if sorted.last() != Some(&keys[at]) {
            sorted.push(keys[at].clone());
        }
    }
    sorted
}
