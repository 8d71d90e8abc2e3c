//! The screens and flows that the documents name are those of the mock-ups, by number, title and picture.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{assert_none, between, documents, files, prose_and_blocks, read, resolve};

fn review() -> Value {
    serde_json::from_str(&read("public/mockups/screens.json")).expect("JSON")
}

/// The screens, or the flows.
fn all(of: &str) -> Vec<Value> {
    review()[of].as_array().cloned().expect("a list")
}

fn text<'a>(of: &'a Value, name: &str) -> &'a str {
    of[name].as_str().unwrap_or_default()
}

/// What a link to each screen says, and the picture that it leads to.
fn pictures() -> BTreeMap<String, String> {
    let screens = all("screens");
    let label = |screen: &Value| format!("screen {}, {}", text(screen, "number"), text(screen, "title"));
    let picture = |screen: &Value| format!("docs/review/pictures/{}.webp", text(screen, "id"));
    let found: BTreeMap<_, _> = screens.iter().map(|screen| (label(screen), picture(screen))).collect();
    assert_eq!(found.len(), screens.len(), "two screens have the same number and title");
    found
}

/// The links to screens: what each says, and where it leads.
fn links(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let parts: Vec<&str> = line.split("](").collect();
        for pair in parts.windows(2) {
            let label = pair[0].rsplit('[').next().unwrap_or_default();
            let target = pair[1].split(')').next().unwrap_or_default();
            if label.starts_with("screen ") || target.contains("/pictures/") {
                found.push((label, target));
            }
        }
    }
    found
}

/// The flows that are named: each one's number and title. A line may end within a title.
fn flows(text: &str) -> Vec<(String, String)> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let named = words.split("ock-up flow ").skip(1).map(|after| {
        let (number, rest) = after.split_once(", *").unwrap_or((after, ""));
        (number.to_owned(), rest.split('*').next().unwrap_or_default().to_owned())
    });
    named.collect()
}

#[test]
fn screens_that_are_linked_have_that_number_title_and_picture() {
    let (pictures, mut all, mut wrong) = (pictures(), 0, Vec::new());
    for document in documents(&files()) {
        let (prose, blocks) = prose_and_blocks(&document.text);
        let links = links(&prose);
        all += links.len();
        for (label, target) in &links {
            let picture = resolve(&document.path, target);
            if picture.is_none() || picture.as_ref() != pictures.get(*label) {
                wrong.push(format!("{}: [{label}]({target})", document.path));
            }
        }
        // A diagram has no links: what it shows is linked in the text.
        for number in between(&blocks, "<br/>screen ", "\"") {
            if !links.iter().any(|(label, _)| label.starts_with(&format!("screen {number}, "))) {
                wrong.push(format!("{}: screen {number} of a diagram is not linked", document.path));
            }
        }
    }
    assert!(all >= 20, "only {all} links to screens were found");
    assert_none(&wrong, "Screens that are not as they are said to be");
}

#[test]
fn flows_that_are_named_have_that_number_and_title() {
    let known: BTreeSet<(String, String)> = all("flows")
        .iter()
        .map(|flow| (text(flow, "number").trim_start_matches('F').to_owned(), text(flow, "title").to_owned()))
        .collect();
    let (mut named, mut wrong) = (BTreeSet::new(), Vec::new());
    for document in documents(&files()) {
        for flow in flows(&document.text) {
            if !known.contains(&flow) {
                wrong.push(format!("{}: mock-up flow {}, {}", document.path, flow.0, flow.1));
            }
            named.insert(flow);
        }
    }
    assert_none(&wrong, "Flows that are not as they are said to be");
    assert_eq!(named, known, "a flow is named by no document");
}

#[test]
fn each_change_of_the_pages_leads_to_screens() {
    let page = read("docs/design/frontend.md");
    let part = |heading: &str| {
        let (_, after) = page.split_once(heading).expect("the heading");
        after.split("\n##").next().unwrap_or_default().to_owned()
    };
    // The first column, as far as it is a change's number.
    let numbers = |part: &str| -> BTreeSet<String> {
        let cells = part.lines().filter_map(|line| line.strip_prefix("| F")?.split([' ', ',']).next());
        cells.map(|number| format!("F{number}")).collect()
    };
    let changes = numbers(&part("\n## The changes\n"));
    assert_eq!(changes.len(), 10, "{changes:?}");
    assert_eq!(numbers(&part("\n### Where each leads\n")), changes);
}

#[test]
fn each_screen_says_what_changes() {
    let screens = all("screens");
    let silent = screens.iter().filter(|screen| text(screen, "note").is_empty());
    let wrong: Vec<String> = silent.map(|screen| text(screen, "id").to_owned()).collect();
    assert!(screens.len() > 20, "only {} screens were found", screens.len());
    assert_none(&wrong, "Screens without a note");
}

#[test]
fn links_and_flows_are_found() {
    let line = "| a ([screen 1.2, B, c](../review/pictures/b.webp)) | [d](e.md), [screen 1.3, F](f.md) |";
    let expected = [("screen 1.2, B, c", "../review/pictures/b.webp"), ("screen 1.3, F", "f.md")];
    assert_eq!(links(line), expected);
    let named = flows("Mock-up flow 2, *A\nrace*, and mock-up flow 3.");
    let expected = [("2", "A race"), ("3.", "")];
    assert_eq!(named, expected.map(|(number, title)| (number.to_owned(), title.to_owned())));
}
