//! Every text that a person reads is in the message catalogue, and each other language has all of them.

#![allow(clippy::expect_used, reason = "a test fails by a panic")]

#[path = "words/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use source::{Said, sources};

/// Words that stand in the code of the pages and are no texts: names of keys, kinds and headers.
const NO_TEXTS: [&str; 0] = [];

fn languages() -> Vec<(String, BTreeMap<String, String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/words");
    let files = std::fs::read_dir(folder).expect("the languages").flatten();
    files
        .map(|file| {
            let text = std::fs::read_to_string(file.path()).expect("a language");
            let words = serde_json::from_str(&text).expect("texts by their English ones");
            (file.file_name().to_string_lossy().into_owned(), words)
        })
        .collect()
}

/// The places of a text, without their names where `by_name` is not asked for.
fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).collect()
}

/// A sentence with all its places alike.
fn shape(sentence: &str) -> String {
    let mut shape = String::new();
    for (at, part) in sentence.split('{').enumerate() {
        let rest = part.split_once('}').filter(|_| at > 0).map(|(_, rest)| rest);
        shape += if at > 0 { "{}" } else { "" };
        shape += rest.unwrap_or(part);
    }
    shape
}

#[test]
fn every_text_of_the_pages_is_in_every_language() {
    let said = sources(&["app/src/pages", "app/src/ui", "app/src/client", "app/src/words"]);
    let keys: BTreeSet<&str> =
        said.iter().filter(|one| one.is_translated).map(|one| one.text.as_str()).collect();
    assert!(keys.len() > 100, "few texts were found: {keys:?}");
    for (language, words) in languages() {
        let missing: Vec<&&str> = keys.iter().filter(|key| !words.contains_key(**key)).collect();
        assert!(missing.is_empty(), "{language} lacks {} texts:\n{}", missing.len(), lines(&missing));
    }
}

#[test]
fn no_text_of_the_pages_is_outside_the_catalogue() {
    let said = sources(&["app/src/pages", "app/src/ui"]);
    let bare: Vec<String> = said
        .iter()
        .filter(|one| !one.is_translated && one.reads_as_text() && !NO_TEXTS.contains(&one.text.as_str()))
        .map(|one| format!("{}: {:?}", one.file, one.text))
        .collect();
    assert!(bare.is_empty(), "{} texts are not translated:\n{}", bare.len(), lines(&bare));
}

#[test]
fn every_sentence_of_the_server_is_in_every_language() {
    let sentences = server_sentences();
    for (language, words) in languages() {
        let known: BTreeSet<String> = words.keys().map(|english| shape(english)).collect();
        let missing: Vec<&String> =
            sentences.iter().filter(|(shape, _)| !known.contains(*shape)).map(|(_, whole)| whole).collect();
        assert!(missing.is_empty(), "{language} lacks {} sentences:\n{}", missing.len(), lines(&missing));
    }
}

#[test]
fn no_language_has_what_nobody_says() {
    let pages = sources(&["app/src"]);
    let mut said: BTreeSet<String> = pages.iter().map(|one| shape(&one.text)).collect();
    said.extend(server_sentences().into_keys());
    for (language, words) in languages() {
        let dead: Vec<&String> = words.keys().filter(|english| !said.contains(&shape(english))).collect();
        assert!(dead.is_empty(), "{language} has {} texts that nobody says:\n{}", dead.len(), lines(&dead));
    }
}

#[test]
fn a_text_keeps_its_places_in_every_language() {
    for (language, words) in languages() {
        for (english, other) in words {
            assert_eq!(places(&english), places(&other), "{language}: {english:?}");
            assert!(!other.trim().is_empty(), "{language}: {english:?}");
        }
    }
}

/// The sentences that the server says, by their shapes.
fn server_sentences() -> BTreeMap<String, String> {
    let said = sources(&["app/src/model", "server/src"]);
    said.iter()
        .filter(|one| one.reads_as_sentence())
        .map(|one: &Said| (shape(&one.text), one.text.clone()))
        .collect()
}

fn lines<T: std::fmt::Display>(all: &[T]) -> String {
    all.iter().map(|one| format!("  {one}\n")).collect()
}
