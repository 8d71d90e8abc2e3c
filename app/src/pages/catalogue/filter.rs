//! Which charts the catalogue shows, and in which order: read from the address, applied to what the repositories list.

use crate::model::{CatalogueEntry, RepositoryOrigin, RepositoryState};

/// The order of the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// What matches the text best comes first; without a text, by name.
    Relevance,
    /// By name.
    Ascending,
    /// By name, backwards.
    Descending,
}

impl Order {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Relevance, Self::Ascending, Self::Descending];

    /// Its word in the address; the first has none.
    pub fn word(self) -> &'static str {
        match self {
            Self::Relevance => "",
            Self::Ascending => "name",
            Self::Descending => "name-desc",
        }
    }
}

/// The names of the filters in the address.
pub const REPOSITORY: &str = "repository";
/// Where the repository is set up.
pub const SOURCE: &str = "source";
/// What kind of software it is.
pub const CATEGORY: &str = "category";
/// A key word.
pub const KEYWORD: &str = "keyword";
/// The text.
pub const TEXT: &str = "q";
/// Those that their authors advise against as well.
pub const DEPRECATED: &str = "deprecated";

/// What the address says about the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Each of these words is somewhere in the chart.
    words: Vec<String>,
    /// The chosen ones of each filter; all where there is none.
    chosen: [Vec<String>; 4],
    /// Deprecated charts, too.
    pub deprecated: bool,
    /// The order.
    pub order: Order,
}

/// The filters, in the order of [`Query::chosen`] and [`Found::counts`].
pub const FILTERS: [&str; 4] = [REPOSITORY, SOURCE, CATEGORY, KEYWORD];

/// One choice of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is chosen.
    pub value: String,
    /// How many charts it has, of those that the other filters leave.
    pub count: usize,
}

/// What is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The places of the charts in the list, in order.
    pub shown: Vec<usize>,
    /// The choices of each filter.
    pub counts: [Vec<Choice>; 4],
    /// How many deprecated charts the other filters leave.
    pub deprecated: usize,
}

impl Query {
    /// Reads it from the values of an address.
    pub fn read(value: impl Fn(&str) -> String) -> Self {
        let order = value("sort");
        Self {
            words: value(TEXT).to_lowercase().split_whitespace().map(str::to_owned).collect(),
            chosen: FILTERS.map(|name| split(&value(name))),
            deprecated: value(DEPRECATED) == "true",
            order: Order::ALL.into_iter().find(|one| one.word() == order).unwrap_or(Order::Relevance),
        }
    }

    /// The chosen ones of a filter, by its place in [`FILTERS`].
    pub fn chosen(&self, filter: usize) -> &[String] {
        self.chosen.get(filter).map(Vec::as_slice).unwrap_or_default()
    }

    /// The changes to an address that take all filters away.
    pub fn cleared() -> Vec<(&'static str, String)> {
        FILTERS.into_iter().chain([TEXT, DEPRECATED]).map(|name| (name, String::new())).collect()
    }

    /// Whether some charts are left out because of what the user asked for.
    pub fn is_filtering(&self) -> bool {
        !self.words.is_empty() || self.chosen.iter().any(|chosen| !chosen.is_empty())
    }

    /// The charts that it lets through, in its order; and what the choices would bring.
    pub fn apply(&self, entries: &[CatalogueEntry], repositories: &[RepositoryState]) -> Found {
        let mut found: Vec<(u32, usize)> = Vec::new();
        let mut values: [Vec<String>; 4] = Default::default();
        let mut deprecated = 0;
        for (at, entry) in entries.iter().enumerate() {
            let Some(rank) = self.rank(entry) else { continue };
            let of = [
                vec![entry.repository.clone()],
                vec![source(entry, repositories).to_owned()],
                entry.category.iter().filter(|name| can_be_chosen(name)).cloned().collect(),
                keywords(entry),
            ];
            let passes: Vec<bool> = of
                .iter()
                .zip(&self.chosen)
                .map(|(of, chosen)| chosen.is_empty() || of.iter().any(|one| chosen.contains(one)))
                .collect();
            let refused = passes.iter().filter(|passes| !**passes).count();
            if entry.deprecated && refused == 0 {
                deprecated += 1;
            }
            if entry.deprecated && !self.deprecated {
                continue;
            }
            if refused == 0 {
                found.push((rank, at));
            }
            // What a choice would bring is told as if nothing else of its own filter were chosen.
            for ((all, of), passes) in values.iter_mut().zip(of).zip(passes) {
                if refused == 0 || refused == 1 && !passes {
                    all.extend(of);
                }
            }
        }
        let mut shown: Vec<usize> = match self.order {
            Order::Relevance => by_rank(&found),
            _ => found.iter().map(|(_, at)| *at).collect(),
        };
        if self.order == Order::Descending {
            shown.reverse();
        }
        let mut counts = values.map(tally);
        for (counts, chosen) in counts.iter_mut().zip(&self.chosen) {
            for value in chosen {
                if !counts.iter().any(|one| one.value == *value) {
                    counts.push(Choice { value: value.clone(), count: 0 });
                }
            }
        }
        Found { shown, counts, deprecated }
    }

    /// How far down it comes: its name counts most, then its key words, then its description. None if a word is nowhere.
    fn rank(&self, entry: &CatalogueEntry) -> Option<u32> {
        if self.words.is_empty() {
            return Some(0);
        }
        let (name, description) = (entry.name.to_lowercase(), entry.description.to_lowercase());
        let others: Vec<String> =
            entry.keywords.iter().chain(&entry.category).map(|word| word.to_lowercase()).collect();
        let ranks = self.words.iter().map(|word| {
            let has = |text: &String| text.contains(word.as_str());
            match () {
                () if name == *word => Some(0),
                () if name.starts_with(word.as_str()) => Some(1),
                () if has(&name) => Some(2),
                () if others.contains(word) => Some(3),
                () if others.iter().any(has) => Some(4),
                () if has(&description) => Some(6),
                () => None,
            }
        });
        ranks.sum()
    }
}

/// The values of one filter in an address.
fn split(value: &str) -> Vec<String> {
    value.split(',').filter(|one| !one.is_empty()).map(str::to_owned).collect()
}

/// A comma stands between choices.
fn can_be_chosen(value: &str) -> bool {
    !value.is_empty() && !value.contains(',')
}

fn source(entry: &CatalogueEntry, repositories: &[RepositoryState]) -> &'static str {
    let of = repositories.iter().find(|repository| repository.name == entry.repository);
    of.map_or(RepositoryOrigin::Settings, |repository| repository.origin).as_str()
}

/// The key words that can be chosen, each once.
fn keywords(entry: &CatalogueEntry) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in entry.keywords.iter().map(|word| word.trim().to_lowercase()) {
        if can_be_chosen(&word) && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The places by their ranks, those of one rank as they come. There are few ranks: no sorting is needed, and its code is not
/// loaded.
fn by_rank(found: &[(u32, usize)]) -> Vec<usize> {
    let last = found.iter().map(|(rank, _)| *rank).max().unwrap_or_default();
    let of = |rank| found.iter().filter(move |(one, _)| *one == rank).map(|(_, at)| *at);
    (0..=last).flat_map(of).collect()
}

/// How often each is there: the most frequent first, equal ones by name.
fn tally(mut values: Vec<String>) -> Vec<Choice> {
    values.sort_unstable();
    let mut counts: Vec<String> = Vec::new();
    let mut rest = values.as_slice();
    while let Some(first) = rest.first() {
        let many = rest.iter().take_while(|one| *one == first).count();
        // Sorted as texts, the largest number comes first.
        counts.push(format!("{:010}{first}", u32::MAX - u32::try_from(many).unwrap_or(u32::MAX)));
        rest = &rest[many..];
    }
    counts.sort_unstable();
    let choice = |text: &String| {
        let (number, value) = text.split_at(10);
        let number: u32 = number.parse().unwrap_or_default();
        Choice { value: value.to_owned(), count: usize::try_from(u32::MAX - number).unwrap_or_default() }
    };
    counts.iter().map(choice).collect()
}

#[cfg(test)]
mod tests;
