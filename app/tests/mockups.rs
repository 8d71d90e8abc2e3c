//! Each state that a page of the product can be in has a screen among the mock-ups.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by a panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;

/// What pages do while they know nothing, or not all; what a form does.
const STATES: [&str; 10] = [
    "loading",
    "empty",
    "huge",
    "filtered",
    "partial",
    "forbidden",
    "pristine",
    "invalid",
    "submitting",
    "refused",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn review() -> Value {
    let text = fs::read_to_string(root().join("public/mockups/screens.json")).expect("the screens");
    serde_json::from_str(&text).expect("JSON")
}

fn list<'a>(of: &'a Value, name: &str) -> &'a [Value] {
    of[name].as_array().map_or(&[], Vec::as_slice)
}

/// The names of an enum's variants.
fn variants(file: &str, name: &str) -> Vec<String> {
    let source = fs::read_to_string(root().join(file)).expect("a source");
    let tokens: Vec<TokenTree> = TokenStream::from_str(&source).expect("Rust").into_iter().collect();
    let is_it = |three: &[TokenTree]| three[0].to_string() == "enum" && three[1].to_string() == name;
    let body = tokens.windows(3).find(|three| is_it(three)).map(|three| three[2].clone());
    let Some(TokenTree::Group(body)) = body else { panic!("{file} has no enum {name}") };
    let mut found = Vec::new();
    let mut is_next = true;
    for token in body.stream() {
        match token {
            TokenTree::Ident(ident) if is_next => {
                found.push(ident.to_string());
                is_next = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => is_next = true,
            _ => {}
        }
    }
    found
}

#[test]
fn each_page_each_tab_each_phase_and_each_error_has_a_screen() {
    let review = review();
    let shown: BTreeSet<&str> = list(&review, "screens")
        .iter()
        .flat_map(|screen| list(screen, "shows"))
        .filter_map(Value::as_str)
        .collect();
    let mut needed: Vec<String> = STATES.iter().map(|state| format!("state:{state}")).collect();
    for (kind, file, name) in [
        ("route", "app/src/pages/route.rs", "Route"),
        ("tab", "app/src/pages/route.rs", "Tab"),
        ("phase", "app/src/model/phase.rs", "Phase"),
        ("error", "app/src/model/error.rs", "ApiError"),
    ] {
        needed.extend(variants(file, name).iter().map(|variant| format!("{kind}:{variant}")));
    }
    let missing: Vec<&String> = needed.iter().filter(|one| !shown.contains(one.as_str())).collect();
    assert!(missing.is_empty(), "public/mockups/screens.json has no screen that shows {missing:?}");
    let known: BTreeSet<&str> = needed.iter().map(String::as_str).collect();
    let unknown: Vec<&&str> = shown.iter().filter(|one| !known.contains(**one)).collect();
    assert!(unknown.is_empty(), "public/mockups/screens.json tells of what is not there: {unknown:?}");
}

#[test]
fn each_screen_has_a_name_a_number_and_a_recording_of_its_own() {
    let review = review();
    let mut seen = BTreeSet::new();
    let kinds = ["screens", "flows"]
        .into_iter()
        .flat_map(|kind| list(&review, kind).iter().map(move |one| (kind, one)));
    for (kind, one) in kinds {
        for name in ["id", "number", "title", "recording"] {
            assert!(one[name].as_str().is_some_and(|text| !text.is_empty()), "{name} of {one}");
        }
        for name in ["id", "number"] {
            assert!(
                seen.insert((kind, name, one[name].to_string())),
                "twice among the {kind}: {}",
                one[name]
            );
        }
        let recording =
            format!("public/mockups/recordings/{}.json.gz", one["recording"].as_str().expect("a name"));
        assert!(root().join(&recording).is_file(), "{recording} is missing: `make record`");
    }
}
