//! Which releases the list shows, and in which order: read from the address, applied to the rows.

use super::order::{Column, compare};
use super::status::Status;
use super::updates::Updates;
use crate::model::{ReleaseKey, ReleaseRow};
use crate::pages::sorting::{places, sort_in};
use crate::ui::address::{decode, encode};
use crate::ui::table::Sort;

/// How many rows a page of the list can have.
pub const PAGE_SIZES: [usize; 4] = [20, 50, 100, 200];
/// How many it has unless the address says otherwise.
const DEFAULT_PAGE_SIZE: usize = 50;

/// A page of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// How many rows there are on all pages.
    pub total: usize,
    /// Which page this is, from 0; the last one, if the address asks for one beyond it.
    pub page: usize,
    /// Its releases, in their order.
    pub keys: Vec<ReleaseKey>,
}

/// What filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// The status.
    Status,
    /// The namespace, where several are shown.
    Namespace,
    /// The chart's name.
    Chart,
    /// Whether there is a newer version.
    Update,
}

impl Facet {
    /// Its name in the address.
    pub fn name(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Namespace => "namespace",
            Self::Chart => "chart",
            Self::Update => "update",
        }
    }
}

/// What the address says about the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Only names that contain this.
    pub name: String,
    /// Only these; all if there is none.
    pub statuses: Vec<Status>,
    /// Only of these; of all if there is none.
    pub namespaces: Vec<String>,
    /// Only of these; of all if there is none.
    pub charts: Vec<String>,
    /// Only those with a newer version.
    pub update: bool,
    /// The order.
    pub sort: Sort<Column>,
    /// The page, from 0 (from 1 in the address).
    pub page: usize,
    /// How many rows it has.
    pub page_size: usize,
}

impl Query {
    /// Reads it from the values of an address. What cannot be understood is left out.
    pub fn read(value: impl Fn(&str) -> String) -> Self {
        let status = words(&value("status"));
        Self {
            name: value("name"),
            statuses: Status::all().filter(|one| status.iter().any(|word| word == one.word())).collect(),
            namespaces: words(&value("namespace")),
            charts: words(&value("chart")),
            update: value("update") == "true",
            sort: sort_in(&value, &Column::ALL, Column::word, Column::Name),
            page: value("page").parse::<usize>().unwrap_or(1).saturating_sub(1),
            page_size: value("per-page")
                .parse()
                .ok()
                .filter(|size| PAGE_SIZES.contains(size))
                .unwrap_or(DEFAULT_PAGE_SIZE),
        }
    }

    /// The changes to an address that take all filters away.
    pub fn cleared() -> Vec<(&'static str, String)> {
        ["name", "status", "namespace", "chart", "update", "page"].map(|name| (name, String::new())).into()
    }

    /// The words that are chosen of a facet.
    pub fn chosen(&self, facet: Facet) -> Vec<String> {
        match facet {
            Facet::Status => self.statuses.iter().map(|status| status.word().to_owned()).collect(),
            Facet::Namespace => self.namespaces.clone(),
            Facet::Chart => self.charts.clone(),
            Facet::Update => self.update.then(|| "true".to_owned()).into_iter().collect(),
        }
    }

    /// The changes to an address that put a word to the chosen ones of a facet, or take it away.
    pub fn changed(&self, facet: Facet, word: &str, on: bool) -> Vec<(&'static str, String)> {
        let mut chosen = self.chosen(facet);
        chosen.retain(|one| one != word);
        if on {
            chosen.push(word.to_owned());
        }
        let all = chosen.iter().map(|word| encode(word)).collect::<Vec<_>>().join(",");
        vec![(facet.name(), all), ("page", String::new())]
    }

    /// The rows that it lets through; of all, where `but` is what is counted, whatever is chosen of that.
    fn found<'a>(
        &self,
        rows: &'a [ReleaseRow],
        updates: &Updates,
        but: Option<Facet>,
    ) -> impl Iterator<Item = &'a ReleaseRow> {
        let name = self.name.trim().to_ascii_lowercase();
        let asks = |facet: Facet, is_empty: bool| !is_empty && but != Some(facet);
        let by_status = asks(Facet::Status, self.statuses.is_empty());
        let by_namespace = asks(Facet::Namespace, self.namespaces.is_empty());
        let by_chart = asks(Facet::Chart, self.charts.is_empty());
        let by_update = asks(Facet::Update, !self.update);
        rows.iter().filter(move |row| {
            (name.is_empty() || row.key.name.to_ascii_lowercase().contains(&name))
                && (!by_status || self.statuses.iter().any(|status| status.is_of(row)))
                && (!by_namespace || self.namespaces.contains(&row.key.namespace))
                && (!by_chart || chart(row).is_some_and(|chart| self.charts.iter().any(|one| one == chart)))
                && (!by_update || updates.of(row).is_some())
        })
    }

    /// The releases of its page, in its order; equal ones by name and namespace.
    pub fn apply(&self, rows: &[ReleaseRow], updates: &Updates) -> Listed {
        let found: Vec<&ReleaseRow> = self.found(rows, updates, None).collect();
        let places = places(found.len(), &|a, b| {
            let (a, b) = (found[a], found[b]);
            let order = compare(self.sort.column, a, b);
            let order = if self.sort.descending { order.reverse() } else { order };
            order.then_with(|| (&a.key.name, &a.key.namespace).cmp(&(&b.key.name, &b.key.namespace)))
        });
        let page = self.page.min(found.len().saturating_sub(1) / self.page_size);
        let mut keys = Vec::with_capacity(self.page_size);
        for at in places.into_iter().skip(page * self.page_size).take(self.page_size) {
            keys.push(found[at].key.clone());
        }
        Listed { total: found.len(), page, keys }
    }

    /// All that it lets through, on whatever page.
    pub fn all(&self, rows: &[ReleaseRow], updates: &Updates) -> Vec<ReleaseKey> {
        self.found(rows, updates, None).map(|row| row.key.clone()).collect()
    }

    /// How many rows each choice of a facet would show, with what is chosen of the others; by the choices' words. Chosen ones
    /// that no row has are there with 0.
    pub fn counts(&self, facet: Facet, rows: &[ReleaseRow], updates: &Updates) -> Vec<(String, usize)> {
        let found: Vec<&ReleaseRow> = self.found(rows, updates, Some(facet)).collect();
        match facet {
            Facet::Status => {
                let count = |status: Status| found.iter().filter(|row| status.is_of(row)).count();
                Status::all().map(|status| (status.word().to_owned(), count(status))).collect()
            }
            Facet::Update => {
                vec![("true".to_owned(), found.iter().filter(|row| updates.of(row).is_some()).count())]
            }
            Facet::Namespace => {
                tally(found.iter().map(|row| &*row.key.namespace).collect(), &self.namespaces)
            }
            Facet::Chart => tally(found.iter().filter_map(|row| chart(row)).collect(), &self.charts),
        }
    }
}

/// How often each word is there, in their order.
fn tally<'a>(mut words: Vec<&'a str>, chosen: &'a [String]) -> Vec<(String, usize)> {
    let there = words.len();
    words.extend(chosen.iter().map(String::as_str));
    let mut counts: Vec<(String, usize)> = Vec::new();
    for at in places(words.len(), &|a, b| words[a].cmp(words[b])) {
        let one = usize::from(at < there);
        match counts.last_mut() {
            Some((last, count)) if last == words[at] => *count += one,
            _ => counts.push((words[at].to_owned(), one)),
        }
    }
    counts
}

fn chart(row: &ReleaseRow) -> Option<&str> {
    row.detail.summary()?.chart.as_deref()
}

/// The words of a list in an address. A word that has a comma in it is encoded once more.
fn words(list: &str) -> Vec<String> {
    list.split(',').filter(|word| !word.is_empty()).map(decode).collect()
}

/// The row of a release: lists come by namespace and name.
pub fn row_of<'a>(rows: &'a [ReleaseRow], key: &ReleaseKey) -> Option<&'a ReleaseRow> {
    let at = rows.binary_search_by(|row| row.key.cmp(key));
    at.ok().and_then(|at| rows.get(at)).or_else(|| rows.iter().find(|row| row.key == *key))
}

#[cfg(test)]
mod tests;
