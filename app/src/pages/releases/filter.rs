//! Which releases the list shows, and in which order: read from the address, applied to the rows.

use std::cmp::Ordering;

use crate::model::{Phase, RecordSummary, ReleaseRow};
use crate::ui::table::Sort;

/// What the filter by status offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Deployed.
    Deployed,
    /// Failed, by whatever operation.
    Failed,
    /// Something is at work on it.
    InProgress,
    /// Interrupted or stuck: nothing goes on by itself.
    NeedsAttention,
    /// Uninstalled with its history kept, cancelled, superseded, unknown.
    Other,
}

impl Group {
    /// All of them, in the order of the filter.
    pub const ALL: [Self; 5] =
        [Self::Deployed, Self::Failed, Self::InProgress, Self::NeedsAttention, Self::Other];

    /// The group that a phase is in.
    pub fn of(phase: &Phase) -> Self {
        match phase {
            Phase::Deployed => Self::Deployed,
            Phase::Failed { .. } => Self::Failed,
            Phase::Interrupted { .. } | Phase::Stuck { .. } => Self::NeedsAttention,
            phase if phase.is_active() => Self::InProgress,
            _ => Self::Other,
        }
    }

    /// Its word in the address.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deployed => "deployed",
            Self::Failed => "failed",
            Self::InProgress => "in-progress",
            Self::NeedsAttention => "needs-attention",
            Self::Other => "other",
        }
    }

    /// Its words in the filter.
    pub fn title(self) -> &'static str {
        match self {
            Self::Deployed => "Deployed",
            Self::Failed => "Failed",
            Self::InProgress => "In progress",
            Self::NeedsAttention => "Needs attention",
            Self::Other => "Other",
        }
    }

    /// How many of `rows` are in each group, in the order of [`Group::ALL`].
    pub fn count(rows: &[ReleaseRow]) -> [u32; 5] {
        Self::ALL.map(|group| {
            let count = rows.iter().filter(|row| Self::of(&row.phase) == group).count();
            u32::try_from(count).unwrap_or(u32::MAX)
        })
    }
}

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
    /// The words of its phase.
    Status,
    /// The chart's name, then its version.
    Chart,
}

impl Column {
    const ALL: [Self; 6] =
        [Self::Name, Self::Namespace, Self::Revision, Self::Updated, Self::Status, Self::Chart];

    /// Its word in the address.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Namespace => "namespace",
            Self::Revision => "revision",
            Self::Updated => "updated",
            Self::Status => "status",
            Self::Chart => "chart",
        }
    }
}

/// A page of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// How many rows there are on all pages.
    pub total: usize,
    /// Which page this is, from 0; the last one, if the address asks for one beyond it.
    pub page: usize,
    /// Its rows.
    pub rows: Vec<ReleaseRow>,
}

/// What the address says about the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Only names that contain this.
    pub name: String,
    /// Only these; all if there is none.
    pub groups: Vec<Group>,
    /// The order.
    pub sort: Sort<Column>,
    /// The page, from 0 (from 1 in the address).
    pub page: usize,
}

impl Query {
    /// Reads it from the values of an address. What cannot be understood is left out.
    pub fn read(value: impl Fn(&str) -> String) -> Self {
        let column = Column::ALL.into_iter().find(|column| column.word() == value("sort"));
        Self {
            name: value("name"),
            groups: Group::ALL
                .into_iter()
                .filter(|group| value("status").split(',').any(|word| word == group.word()))
                .collect(),
            sort: Sort { column: column.unwrap_or(Column::Name), descending: value("dir") == "desc" },
            page: value("page").parse::<usize>().unwrap_or(1).saturating_sub(1),
        }
    }

    /// The changes to an address that take all filters away.
    pub fn cleared() -> Vec<(&'static str, String)> {
        ["name", "status", "page"].map(|name| (name, String::new())).into()
    }

    /// Whether some rows are left out.
    pub fn is_filtering(&self) -> bool {
        !self.name.is_empty() || !self.groups.is_empty()
    }

    /// The rows that it lets through, in its order, equal ones by name and namespace: those of its page.
    pub fn apply(&self, rows: &[ReleaseRow], page_size: usize) -> Listed {
        let name = self.name.trim().to_ascii_lowercase();
        let mut found: Vec<&ReleaseRow> = rows
            .iter()
            .filter(|row| row.key.name.to_ascii_lowercase().contains(&name))
            .filter(|row| self.groups.is_empty() || self.groups.contains(&Group::of(&row.phase)))
            .collect();
        found.sort_by(|a, b| {
            let order = self.compare(a, b);
            let order = if self.sort.descending { order.reverse() } else { order };
            order.then_with(|| (&a.key.name, &a.key.namespace).cmp(&(&b.key.name, &b.key.namespace)))
        });
        let page = self.page.min(found.len().saturating_sub(1) / page_size);
        let rows = found.iter().skip(page * page_size).take(page_size).map(|row| (*row).clone()).collect();
        Listed { total: found.len(), page, rows }
    }

    fn compare(&self, a: &ReleaseRow, b: &ReleaseRow) -> Ordering {
        fn chart(row: &ReleaseRow) -> Option<(&str, Option<&str>)> {
            let summary: &RecordSummary = row.detail.summary()?;
            Some((summary.chart.as_deref()?, summary.chart_version.as_deref()))
        }
        match self.sort.column {
            Column::Name => a.key.name.cmp(&b.key.name),
            Column::Namespace => a.key.namespace.cmp(&b.key.namespace),
            Column::Revision => a.revision.cmp(&b.revision),
            Column::Updated => a.updated.cmp(&b.updated),
            Column::Status => a.phase.words().cmp(&b.phase.words()),
            Column::Chart => chart(a).cmp(&chart(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Detail, OperationKind, ReleaseKey, Timestamp};

    fn row(name: &str, phase: Phase, updated: i64) -> ReleaseRow {
        ReleaseRow {
            key: ReleaseKey::new("ns", name),
            phase,
            revision: Some(1),
            status: None,
            detail: Detail::Loading,
            updated: Some(Timestamp(updated)),
        }
    }

    fn rows() -> Vec<ReleaseRow> {
        vec![
            row("web", Phase::Deployed, 3),
            row("api", Phase::Failed { kind: None }, 1),
            row("db", Phase::Queued { kind: OperationKind::Install }, 2),
        ]
    }

    fn query(address: &[(&str, &str)]) -> Query {
        Query::read(|name| {
            address.iter().find(|(there, _)| *there == name).map_or("", |(_, value)| value).to_owned()
        })
    }

    fn names(query: &Query) -> Vec<String> {
        query.apply(&rows(), 50).rows.into_iter().map(|row| row.key.name).collect()
    }

    #[test]
    fn an_address_without_a_query_lists_all_by_name() {
        assert_eq!(names(&query(&[])), ["api", "db", "web"]);
    }

    #[test]
    fn the_address_filters_by_name_and_by_status() {
        assert_eq!(names(&query(&[("name", "W")])), ["web"]);
        assert_eq!(names(&query(&[("status", "failed,in-progress")])), ["api", "db"]);
        assert!(names(&query(&[("status", "failed"), ("name", "web")])).is_empty());
    }

    #[test]
    fn the_address_sorts_in_both_directions() {
        assert_eq!(names(&query(&[("sort", "updated")])), ["api", "db", "web"]);
        assert_eq!(names(&query(&[("sort", "updated"), ("dir", "desc")])), ["web", "db", "api"]);
    }

    #[test]
    fn a_page_beyond_the_last_is_the_last() {
        let listed = query(&[("page", "9")]).apply(&rows(), 2);
        assert_eq!((listed.total, listed.page, listed.rows.len()), (3, 1, 1));
    }

    #[test]
    fn an_address_that_makes_no_sense_is_read_as_if_it_said_nothing() {
        assert_eq!(query(&[("sort", "x"), ("status", "y"), ("page", "-1")]), query(&[]));
    }

    #[test]
    fn every_row_is_counted_once() {
        assert_eq!(Group::count(&rows()).iter().sum::<u32>(), 3);
    }
}
