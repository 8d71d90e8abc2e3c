//! The orders of the list.

use std::cmp::Ordering;

use super::status::Status;
use crate::model::{RecordSummary, ReleaseKey, ReleaseRow};
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
        (Some(a), Some(b)) => compare_versions(a, b),
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

/// The order of versions as semver has it, with helm's leniency: a leading `v` and missing parts are forgiven. What is no
/// version comes before those that are, by its text. Build metadata do not count, but for equal versions.
pub fn compare_versions(a: &str, b: &str) -> Ordering {
    match (read(a), read(b)) {
        (Some((numbers_a, pre_a)), Some((numbers_b, pre_b))) => {
            numbers_a.cmp(&numbers_b).then_with(|| compare_pre(pre_a, pre_b)).then_with(|| a.cmp(b))
        }
        (a_read, b_read) => a_read.is_some().cmp(&b_read.is_some()).then_with(|| a.cmp(b)),
    }
}

/// The numbers and the pre-release part of a version.
fn read(text: &str) -> Option<([u64; 3], &str)> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let text = text.split_once('+').map_or(text, |(text, _)| text);
    let (text, pre) = text.split_once('-').unwrap_or((text, ""));
    let mut numbers = [0; 3];
    for (at, part) in text.split('.').enumerate() {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        *numbers.get_mut(at)? = is_number.then(|| part.parse().ok())??;
    }
    Some((numbers, pre))
}

/// A release comes after its pre-releases; numbers among their words are compared as such, and come before letters.
fn compare_pre(a: &str, b: &str) -> Ordering {
    if a.is_empty() || b.is_empty() {
        return a.is_empty().cmp(&b.is_empty());
    }
    let (mut left, mut right) = (a.split('.'), b.split('.'));
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(one), Some(other)) => match (one.parse::<u64>(), other.parse::<u64>()) {
                (Ok(one), Ok(other)) => one.cmp(&other),
                (one_number, other_number) => {
                    other_number.is_ok().cmp(&one_number.is_ok()).then_with(|| one.cmp(other))
                }
            },
        };
        if order.is_ne() {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::compare_versions;

    #[test]
    fn versions_are_ordered_by_their_numbers_and_what_is_none_comes_first() {
        let mut versions = [
            "1.2.0",
            "nightly",
            "1.10.0",
            "v1.9.9",
            "1.10.0-rc.2",
            "2",
            "1.10.0-rc.10",
            "1.10.0-rc.a",
            "1.2.0+b2",
            "1.2.3.4",
            "1.10.0-rc",
            "",
        ];
        versions.sort_by(|a, b| compare_versions(a, b));
        let expected = [
            "",
            "1.2.3.4",
            "nightly",
            "1.2.0",
            "1.2.0+b2",
            "v1.9.9",
            "1.10.0-rc",
            "1.10.0-rc.2",
            "1.10.0-rc.10",
            "1.10.0-rc.a",
            "1.10.0",
            "2",
        ];
        assert_eq!(versions, expected);
    }
}
