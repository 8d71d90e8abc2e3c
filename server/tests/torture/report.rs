//! What was found, for people.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use app::model::{Failure, FailureClass, OperationState};

use crate::evidence::Evidence;
use crate::prover::Verdict;

/// How a run went, besides what it left behind.
pub struct Course {
    /// Its seed.
    pub seed: u64,
    /// How long things were done and suffered.
    pub lasted: Duration,
    /// How long it took until all was over after that.
    pub calmed: Duration,
    /// How often each answer was given to each request.
    pub answers: BTreeMap<String, usize>,
    /// The faults.
    pub faults: Vec<String>,
}

/// The report in Markdown.
pub fn report(course: &Course, evidence: &Evidence, verdict: &Verdict) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        // A String takes all that is written.
        let _ = writeln!(text, "{line}");
    };
    let Verdict { lost, doubled, unexplained, left, counts } = verdict;
    let (lasted, calmed) = (course.lasted.as_secs(), course.calmed.as_secs());
    line(format!("Seed {}, {lasted} s; all was over {calmed} s later.\n", course.seed));
    line(format!(
        "**{} lost, {} doubled, {} unexplained, {} left over.**\n",
        lost.len(),
        doubled.len(),
        unexplained.len(),
        left.len()
    ));
    line("| what | how many |\n| --- | --- |".into());
    for (what, count) in counts {
        line(format!("| {what} | {count} |"));
    }
    line(format!("| faults | {} |", course.faults.len()));
    for (state, count) in states(evidence) {
        line(format!("| operations {state} | {count} |"));
    }
    for (class, count) in classes(evidence) {
        line(format!("| failures of class {class} | {count} |"));
    }
    for (title, found) in
        [("Lost", lost), ("Doubled", doubled), ("Unexplained", unexplained), ("Left over", left)]
    {
        if !found.is_empty() {
            line(format!("\n{title}:\n"));
            found.iter().for_each(|found| line(format!("- {found}")));
        }
    }
    let list = |counted: BTreeMap<String, usize>| {
        let words = counted.into_iter().map(|(what, count)| format!("{what} ×{count}"));
        words.collect::<Vec<_>>().join("; ")
    };
    line(format!("\nFaults: {}.", list(counted(course.faults.iter().cloned()))));
    line(format!("\nAnswers: {}.", list(course.answers.clone())));
    let unknown = unknown(evidence);
    if !unknown.is_empty() {
        line(format!("\nTexts of no known class: {}.", list(unknown)));
    }
    text
}

fn counted(what: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for one in what {
        *counts.entry(one).or_default() += 1;
    }
    counts
}

fn states(evidence: &Evidence) -> BTreeMap<String, usize> {
    let state = |state: OperationState| state.as_str().to_owned();
    counted(evidence.operations.iter().map(|operation| state(operation.state)))
}

fn classes(evidence: &Evidence) -> BTreeMap<String, usize> {
    let failures = evidence.operations.iter().filter_map(|operation| operation.failure());
    counted(failures.map(|failure| format!("{:?}", failure.class)))
}

fn unknown(evidence: &Evidence) -> BTreeMap<String, usize> {
    let failures = evidence.operations.iter().filter_map(|operation| operation.failure());
    let unknown = failures.filter(|failure| failure.class == FailureClass::Unknown);
    // helm may have said nothing.
    let text = |failure: &Failure| format!("{} {}", failure.cause, failure.text).replace('\n', " ");
    counted(unknown.map(|failure| text(failure).chars().take(300).collect()))
}
