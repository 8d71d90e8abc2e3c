//! What the proposal claims of the console was seen, with the output beside the script that printed it, or is read in lines that
//! are named.

use std::collections::BTreeSet;

use super::{assert_none, between, documents, files, read};

/// The scripts that measure or show something, without what they share; each has its output beside it.
fn evidence(files: &BTreeSet<String>) -> Vec<String> {
    let scripts = files.iter().filter(|path| path.starts_with("docs/evidence/") && path.ends_with(".sh"));
    let found: Vec<_> = scripts.filter(|path| !path.ends_with("/requests.sh")).cloned().collect();
    assert!(!found.is_empty(), "no evidence was found");
    found
}

#[test]
fn evidence_has_its_output_which_says_where_it_is_from_and_is_linked() {
    let files = files();
    let documents = documents(&files);
    let is_linked = |name: &str| documents.iter().any(|it| it.text.contains(&format!("evidence/{name}")));
    let mut wrong = Vec::new();
    for script in evidence(&files) {
        let output = script.replace(".sh", ".txt");
        if !files.contains(&output) {
            wrong.push(format!("{script}: no {output}"));
        }
    }
    for output in files.iter().filter(|path| path.starts_with("docs/evidence/") && path.ends_with(".txt")) {
        let text = read(output);
        let top: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        let top = top.join("\n");
        for what in ["Kubernetes 1.", "202", "$ "] {
            if !top.contains(what) {
                wrong.push(format!("{output}: its top does not have {what:?}"));
            }
        }
        let commands = top.lines().filter_map(|line| line.split_once("$ ")).map(|(_, command)| command);
        for word in commands
            .flat_map(str::split_whitespace)
            .filter(|word| word.starts_with("docs/") || word.starts_with("testbed/"))
        {
            if !files.contains(word) {
                wrong.push(format!("{output}: {word}"));
            }
        }
        let name = output.rsplit('/').next().unwrap_or_default();
        if !is_linked(name) {
            wrong.push(format!("{output}: no document links to it"));
        }
        for private in ["/tmp/", "/root/", "/home/"] {
            if text.contains(private) {
                wrong.push(format!("{output}: {private}"));
            }
        }
    }
    assert_none(&wrong, "Evidence that is not whole");
}

/// The cells of the tables in a text, a row each.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().filter_map(|line| line.trim().strip_prefix('|')?.strip_suffix('|'));
    rows.map(|row| row.split('|').map(str::trim).collect()).collect()
}

/// Whether a text names lines of a file: `12` or `12–34` after its name.
fn names_lines(text: &str) -> bool {
    let mut words =
        text.split_whitespace().skip_while(|word| !word.contains(".go`") && !word.contains(".ts"));
    words.any(|word| word.starts_with(|first: char| first.is_ascii_digit()))
}

#[test]
fn each_fault_of_the_console_was_seen_by_a_step_or_has_the_lines_that_it_is_read_in() {
    let (page, script) = (read("docs/design/backend.md"), read("docs/evidence/console.sh"));
    let shown = shown("docs/evidence/console.txt");
    let (mut wrong, mut faults) = (Vec::new(), 0);
    for row in rows(&page).iter().filter(|row| row.len() == 5 && row[0].parse::<u8>().is_ok()) {
        let [number, _, steps, place, known] = row[..] else { continue };
        faults += 1;
        for step in between(steps, "`", "`") {
            if !script.contains(&format!("step_{step}()")) || !shown.contains(step) {
                wrong.push(format!("fault {number}: {step} does not show it"));
            }
        }
        if known.contains("seen") != steps.contains('`') {
            wrong.push(format!("fault {number}: seen, and by no step; or by a step, and not seen"));
        }
        let is_read = known.contains("read") && names_lines(place);
        if !(is_read || known.contains("seen")) {
            wrong.push(format!("fault {number}: neither seen nor read"));
        }
    }
    assert!(faults > 10, "{faults} faults were found");
    assert_none(&wrong, "Faults without proof");
}

/// The steps that an output says were shown.
fn shown(output: &str) -> BTreeSet<String> {
    let of =
        |row: &Vec<&str>| (row.first() == Some(&"yes")).then(|| row.get(1).map(|step| (*step).to_owned()))?;
    rows(&read(output)).iter().filter_map(of).collect()
}

#[test]
fn each_flow_that_is_compared_was_shown_on_both() {
    let (now, then) = (shown("docs/evidence/console.txt"), shown("docs/evidence/slipway.txt"));
    let page = read("docs/design/users.md");
    let (mut wrong, mut flows) = (Vec::new(), 0);
    for row in rows(&page).iter().filter(|row| row.len() == 4 && row[0].starts_with('`')) {
        for step in between(row[0], "`", "`") {
            flows += 1;
            if !now.contains(step) || !(then.contains(step) || row[3] == "there is none") {
                wrong.push(step.to_owned());
            }
        }
    }
    assert!(flows > 10, "{flows} flows were found");
    assert_none(&wrong, "Flows that were not shown");
}

#[test]
fn the_scenarios_are_as_many_as_is_said() {
    let page = read("docs/design/scenarios.md");
    let tables = page.split("\n## ").filter(|part| part.contains("| scenario | outcome |"));
    // Each table has a heading and a line below it.
    let scenarios: usize = tables.map(|part| rows(part).len() - 2).sum();
    let said = format!("{scenarios} of them, each with its test");
    assert!(read("docs/design.md").contains(&said), "there are {scenarios}");
}

/// The days of the changes `first` to `last` of a page, as `B1` to `B5`.
fn days(page: &str, letter: char, first: u32, last: u32, column: usize) -> u32 {
    let is_counted = |name: &str| {
        name.strip_prefix(letter)
            .and_then(|number| number.parse().ok())
            .is_some_and(|it| (first..=last).contains(&it))
    };
    let of =
        |row: &Vec<&str>| row.get(column)?.split(|it: char| !it.is_ascii_digit()).next()?.parse::<u32>().ok();
    rows(page).iter().filter(|row| row.first().is_some_and(|name| is_counted(name))).filter_map(of).sum()
}

#[test]
fn the_days_of_the_changes_add_up_to_what_is_said() {
    let (design, review) = (read("docs/design.md"), read("docs/review.md"));
    let (backend, frontend) = (read("docs/design/backend.md"), read("docs/design/frontend.md"));
    let b = |first, last| days(&backend, 'B', first, last, 4);
    let f = |first, last| days(&frontend, 'F', first, last, 5);
    let (mend, follow, outlive) = ((b(1, 5), f(1, 4)), (b(6, 11), f(5, 10)), b(14, 14));
    for line in [
        format!("| 1 Mend | {} (B1–B5) | {} (F1–F4) | {} |", mend.0, mend.1, mend.0 + mend.1),
        format!("| 2 Follow | {} (B6–B11) | {} (F5–F10) | {} |", follow.0, follow.1, follow.0 + follow.1),
        format!("| 3 Outlive | {outlive} (B14)"),
        format!("| on the way, independent | {} (B12, B13)", b(12, 13)),
    ] {
        assert!(design.contains(&line), "{line}");
    }
    let line = format!("| {0} | {0} + {1} | {0} + {1} + {outlive}", mend.0 + mend.1, follow.0 + follow.1);
    assert!(review.contains(&line), "{line}");
}

#[test]
fn rows_and_lines_are_found() {
    assert_eq!(rows("a\n| 1 | b |\n"), [["1", "b"]]);
    assert!(names_lines("`a.go` 12–34") && !names_lines("`a.go`, all of it"));
}
