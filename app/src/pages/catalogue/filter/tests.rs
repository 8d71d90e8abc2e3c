//! The catalogue's filters.

use super::*;
use crate::model::ChartVersion;

fn entry(repository: &str, name: &str, description: &str, keywords: &[&str]) -> CatalogueEntry {
    CatalogueEntry {
        repository: repository.into(),
        name: name.into(),
        description: description.into(),
        icon: None,
        keywords: keywords.iter().map(|word| (*word).to_owned()).collect(),
        category: None,
        latest: ChartVersion { version: "1.0.0".into(), ..ChartVersion::default() },
        deprecated: false,
    }
}

fn charts() -> Vec<CatalogueEntry> {
    let mut old = entry("samples", "old-redis", "Retired", &["Cache"]);
    old.deprecated = true;
    old.category = Some("Database".into());
    let mut postgres = entry("team", "postgres", "A database", &["sql", "database", "a, b"]);
    postgres.category = Some("Database".into());
    vec![
        entry("samples", "cache-tools", "Around redis", &["cache"]),
        old,
        postgres,
        entry("samples", "redis", "A store for keys", &["cache", "database"]),
        entry("team", "redis-operator", "Looks after stores", &["cache"]),
    ]
}

fn repositories() -> Vec<RepositoryState> {
    let state =
        |name: &str, origin| RepositoryState { name: name.into(), origin, ..RepositoryState::default() };
    vec![state("samples", RepositoryOrigin::Settings), state("team", RepositoryOrigin::Project)]
}

/// What is shown for an address, by name.
fn shown(query: &str) -> Vec<String> {
    let all = charts();
    found(query).shown.into_iter().map(|at| all[at].name.clone()).collect()
}

fn found(query: &str) -> Found {
    read(query).apply(&charts(), &repositories())
}

fn read(query: &str) -> Query {
    let pairs = crate::ui::address::pairs(query);
    Query::read(|name| {
        pairs.iter().find(|(there, _)| there == name).map(|(_, value)| value.clone()).unwrap_or_default()
    })
}

#[test]
fn a_text_is_looked_for_in_name_key_words_and_description_in_this_order() {
    assert_eq!(shown("q=redis"), ["redis", "redis-operator", "cache-tools"]);
    assert_eq!(shown("q=DATABASE"), ["postgres", "redis"]);
    assert_eq!(shown("q=cache"), ["cache-tools", "redis", "redis-operator"]);
    assert_eq!(shown("q=store%20keys"), ["redis"], "each of the words is there");
    assert!(shown("q=nothing").is_empty());
}

#[test]
fn the_order_is_as_the_address_says() {
    assert_eq!(shown(""), ["cache-tools", "postgres", "redis", "redis-operator"]);
    assert_eq!(shown("q=redis&sort=name"), ["cache-tools", "redis", "redis-operator"]);
    assert_eq!(shown("sort=name-desc"), ["redis-operator", "redis", "postgres", "cache-tools"]);
    assert_eq!(shown("sort=whatever"), shown(""));
}

#[test]
fn choices_of_one_filter_add_up_and_filters_narrow_each_other() {
    assert_eq!(shown("repository=samples"), ["cache-tools", "redis"]);
    assert_eq!(shown("repository=samples,team"), shown(""));
    assert_eq!(shown("source=project"), ["postgres", "redis-operator"]);
    assert_eq!(shown("source=project&keyword=cache"), ["redis-operator"]);
    assert_eq!(shown("category=Database"), ["postgres"]);
    assert!(shown("repository=gone").is_empty());
}

#[test]
fn deprecated_charts_are_shown_to_whoever_asks_for_them() {
    assert_eq!(shown("deprecated=true&q=redis"), ["redis", "redis-operator", "old-redis", "cache-tools"]);
    assert_eq!(found("").deprecated, 1);
    assert_eq!(found("repository=team").deprecated, 0);
}

#[test]
fn a_choice_says_what_it_would_bring() {
    let counts = |query: &str, filter: usize| {
        found(query).counts[filter]
            .iter()
            .map(|one| format!("{} {}", one.value, one.count))
            .collect::<Vec<_>>()
    };
    assert_eq!(counts("", 0), ["samples 2", "team 2"]);
    // What is chosen of a filter does not change what its other choices would bring.
    assert_eq!(counts("repository=team", 0), ["samples 2", "team 2"]);
    assert_eq!(counts("repository=team", 3), ["cache 1", "database 1", "sql 1"]);
    assert_eq!(counts("keyword=sql", 0), ["team 1"]);
    assert_eq!(
        counts("keyword=gone", 3),
        ["cache 3", "database 2", "sql 1", "gone 0"],
        "it can be taken away"
    );
    assert_eq!(counts("", 1), ["project 2", "settings 2"]);
}

#[test]
fn clearing_leaves_the_order() {
    let cleared = Query::cleared();
    assert!(cleared.iter().any(|(name, _)| *name == "q") && !cleared.iter().any(|(name, _)| *name == "sort"));
    assert!(!read("sort=name&deprecated=true").is_filtering());
    assert!(read("keyword=sql").is_filtering() && read("q=x").is_filtering());
}
