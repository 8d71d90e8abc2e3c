//! What the documents name exists: the pages that they link to, the files, the targets of make, the commands, the tests.

#![allow(clippy::expect_used, reason = "a test fails by a panic")]

#[path = "documents/evidence.rs"]
mod evidence;
#[path = "documents/mockups.rs"]
mod mockups;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders that are made, or are somebody else's.
const NOT_OURS: [&str; 5] = [".git", "target", "node_modules", "dist", "results"];
/// Documents about the files of openshift/console, which look like ours.
const ABOUT_OTHERS: [&str; 2] = ["docs/design/backend.md", "docs/design/frontend.md"];
/// Ends of the names of files that nobody else's document has.
const OUR_ENDS: [&str; 4] = [".rs", ".sh", ".spec.ts", ".mjs"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// The files of this repository, with their paths from the root.
fn files() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            let is_ours = !NOT_OURS.iter().any(|name| entry.file_name() == *name);
            if path.is_dir() && is_ours {
                folders.push(path);
            } else if path.is_file() {
                found.insert(path.strip_prefix(root()).expect("below the root").display().to_string());
            }
        }
    }
    found
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("a file that can be read")
}

struct Document {
    path: String,
    text: String,
}

fn documents(files: &BTreeSet<String>) -> Vec<Document> {
    let pages = files.iter().filter(|path| path.ends_with(".md") && !path.starts_with("testbed/charts/"));
    let found: Vec<_> = pages.map(|path| Document { path: path.clone(), text: read(path) }).collect();
    assert!(found.iter().any(|document| document.path == "README.md"), "no documents were found");
    found
}

/// The text between `start` and `end`, each time that it occurs within a line.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some((_, after)) = rest.split_once(start) {
            let Some((inner, next)) = after.split_once(end) else { break };
            found.push(inner);
            rest = next;
        }
    }
    found
}

/// A document without its blocks of code, and the blocks alone.
fn prose_and_blocks(text: &str) -> (String, String) {
    let (mut prose, mut blocks, mut is_block) = (String::new(), String::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
            continue;
        }
        let to = if is_block { &mut blocks } else { &mut prose };
        to.push_str(line);
        to.push('\n');
    }
    (prose, blocks)
}

/// What stands in backticks in the prose.
fn spans(text: &str) -> Vec<String> {
    between(&prose_and_blocks(text).0, "`", "`").into_iter().map(str::to_owned).collect()
}

/// What a heading's address is, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|it| it.is_alphanumeric() || [' ', '-', '_'].contains(it));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let prose = prose_and_blocks(text).0;
    prose
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

/// `path` as seen from the folder of the document `from`; none if it leads out of the repository.
fn resolve(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether it names one file or folder, and not a pattern or a part of one.
fn is_path(name: &str) -> bool {
    name.chars().all(|it| it.is_ascii_alphanumeric() || "_./-".contains(it))
}

/// Whether there is a file of this path, or of this name in some folder, or a folder of this path.
fn is_there(files: &BTreeSet<String>, name: &str) -> bool {
    let name = name.trim_end_matches('/');
    let (ending, folder) = (format!("/{name}"), format!("{name}/"));
    files.iter().any(|file| file == name || file.ends_with(&ending) || file.starts_with(&folder))
}

fn assert_none(wrong: &[String], what: &str) {
    assert!(wrong.is_empty(), "{what}:\n{}", wrong.join("\n"));
}

#[test]
fn links_lead_somewhere() {
    let files = files();
    let mut wrong = Vec::new();
    for Document { path, text } in documents(&files) {
        for link in between(&prose_and_blocks(&text).0, "](", ")") {
            if link.contains("://") {
                continue;
            }
            let (page, heading) = link.split_once('#').map_or((link, None), |(page, to)| (page, Some(to)));
            let target = if page.is_empty() { Some(path.clone()) } else { resolve(&path, page) };
            let target = target.filter(|target| root().join(target).exists());
            let is_right = target.is_some_and(|target| {
                heading.is_none_or(|heading| {
                    target.ends_with(".md") && anchors(&read(&target)).contains(heading)
                })
            });
            if !is_right {
                wrong.push(format!("{path}: {link}"));
            }
        }
    }
    assert_none(&wrong, "Links that lead nowhere");
}

#[test]
fn files_that_are_named_are_there() {
    let files = files();
    let folders: BTreeSet<&str> = files.iter().filter_map(|path| Some(path.split_once('/')?.0)).collect();
    let mut wrong = Vec::new();
    for Document { path, text } in documents(&files) {
        for name in spans(&text).iter().filter(|name| is_path(name)) {
            let first = name.split_once('/').map(|(first, _)| first);
            let is_from_root = first.is_some_and(|first| folders.contains(first));
            let ends_as_ours = OUR_ENDS.iter().any(|end| name.len() > end.len() && name.ends_with(end));
            let may_be_others = ABOUT_OTHERS.contains(&path.as_str()) && !is_from_root;
            if (is_from_root || ends_as_ours) && !may_be_others && !is_there(&files, name) {
                wrong.push(format!("{path}: {name}"));
            }
        }
    }
    assert_none(&wrong, "Files that are not there");
}

#[test]
fn targets_of_make_that_are_named_exist() {
    let files = files();
    let makefile = read("Makefile");
    let targets: BTreeSet<&str> =
        makefile.lines().filter_map(|line| Some(line.split_once(": ##")?.0)).collect();
    assert!(targets.contains("test"), "no targets in the Makefile: {targets:?}");
    let mut wrong = Vec::new();
    for Document { path, text } in documents(&files) {
        let mut commands = spans(&text);
        commands.extend(prose_and_blocks(&text).1.lines().map(str::to_owned));
        for command in commands {
            let words: Vec<&str> =
                command.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
            // Settings may come before it: `PORT=8081 make demo`.
            let mut words = words.into_iter().skip_while(|word| word.contains('='));
            if words.next() != Some("make") {
                continue;
            }
            let target = words.find(|word| !word.contains('=') && !word.starts_with('-'));
            if target.is_some_and(|target| !targets.contains(target)) {
                wrong.push(format!("{path}: {command}"));
            }
        }
    }
    assert_none(&wrong, "Targets that the Makefile does not have");
}

#[test]
fn tests_that_are_named_exist() {
    let files = files();
    let sources: Vec<String> =
        files.iter().filter(|path| path.ends_with(".rs")).map(|path| read(path)).collect();
    let mut wrong = Vec::new();
    for Document { path, text } in documents(&files) {
        for name in spans(&text) {
            // A test's name is a sentence.
            let is_sentence = name.matches('_').count() >= 4
                && name.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
            let function = format!("fn {name}(");
            if is_sentence && !sources.iter().any(|source| source.contains(&function)) {
                wrong.push(format!("{path}: {name}"));
            }
        }
        let commands = prose_and_blocks(&text).1;
        for command in commands.lines().filter(|line| line.contains("cargo test ")) {
            let after = |flag: &str| command.split_once(flag)?.1.split_whitespace().next();
            let (Some(package), Some(test)) = (after(" -p "), after(" --test ")) else { continue };
            let places = [format!("{package}/tests/{test}.rs"), format!("{package}/tests/{test}/main.rs")];
            if !places.iter().any(|place| files.contains(place)) {
                wrong.push(format!("{path}: {command}"));
            }
        }
    }
    assert_none(&wrong, "Tests that are not there");
}

/// The commands that a document gives: those in backticks and those in blocks, without what is set before them.
fn commands(text: &str) -> Vec<String> {
    let mut found = spans(text);
    found.extend(prose_and_blocks(text).1.lines().map(str::to_owned));
    let without_settings = |command: String| {
        let words = command.split_whitespace().take_while(|word| !word.starts_with('#'));
        words.skip_while(|word| word.contains('=')).collect::<Vec<_>>().join(" ")
    };
    found.into_iter().map(without_settings).collect()
}

#[test]
fn commands_that_are_named_exist() {
    let files = files();
    let mut wrong = Vec::new();
    for Document { path, text } in documents(&files) {
        for command in commands(&text) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let after = |flag: &str| words.iter().skip_while(|word| **word != flag).nth(1).copied();
            let script = words.first().filter(|word| {
                words.len() > 1
                    && ["docs/evidence/", "testbed/", "deploy/"].iter().any(|folder| word.starts_with(folder))
            });
            let example = after("--example").map(|name| format!("testbed/examples/{name}.rs"));
            let bench = after("--bench").map(|name| format!("server/benches/{name}.rs"));
            let needed = script.map(|&script| script.to_owned()).into_iter().chain(example).chain(bench);
            wrong.extend(
                needed.filter(|file| !files.contains(file)).map(|file| format!("{path}: {command}: {file}")),
            );
        }
    }
    assert_none(&wrong, "Commands that are not there");
}

/// What is said to be the titles of a browser test's file: "`name.spec.ts`: "title"", with more of them after "and".
fn titles(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once(".spec.ts`: \"") {
            let name = before.rsplit('`').next().unwrap_or_default();
            rest = after;
            while let Some((title, next)) = rest.split_once('"') {
                found.push((format!("{name}.spec.ts"), title.to_owned()));
                let Some(more) = next.strip_prefix(" and \"") else { break };
                rest = more;
            }
        }
    }
    found
}

#[test]
fn titles_of_browser_tests_that_are_quoted_exist() {
    let files = files();
    let mut wrong = Vec::new();
    let mut all = 0;
    for Document { path, text } in documents(&files) {
        for (name, title) in titles(&text) {
            all += 1;
            let spec = format!("end2end/tests/{name}");
            let tests = if files.contains(&spec) { read(&spec) } else { String::new() };
            if !["'", "`"].iter().any(|quote| tests.contains(&format!("test({quote}{title}{quote},"))) {
                wrong.push(format!("{path}: {name}: {title}"));
            }
        }
    }
    assert!(all > 10, "only {all} titles were found");
    assert_none(&wrong, "Browser tests that are not there");
}

#[test]
fn the_checks_see_what_is_wrong() {
    assert_eq!(between("a [b](c.md) and [d](e.md#f)", "](", ")"), ["c.md", "e.md#f"]);
    assert_eq!(resolve("docs/design/users.md", "../failures.md"), Some("docs/failures.md".into()));
    assert_eq!(resolve("README.md", "../elsewhere.md"), None);
    assert_eq!(anchor(" By argument: an operator with a CRD"), "by-argument-an-operator-with-a-crd");
    assert_eq!(anchor(" Failed → pending-install"), "failed--pending-install");
    assert!(!is_there(&files(), "server/src/nothing.rs") && is_there(&files(), "server/src/operations/"));
    assert_eq!(commands("`A=1 make demo # now`"), ["make demo"]);
    let quoted = titles("| 1 | `a.spec.ts`: \"b\" and \"c, d\"; \"e\", `f.spec.ts`: \"g\" |");
    let expected = [("a.spec.ts", "b"), ("a.spec.ts", "c, d"), ("f.spec.ts", "g")];
    assert_eq!(quoted, expected.map(|(file, title)| (file.to_owned(), title.to_owned())));
    let (prose, blocks) = prose_and_blocks("a\n```sh\nmake test\n```\nb\n");
    assert_eq!((prose.as_str(), blocks.as_str()), ("a\nb\n", "make test\n"));
}
