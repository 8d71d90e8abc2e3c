//! What was found, for people.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Duration;

use app::model::{Failure, FailureClass, Operation, OperationState, RunnerKind};
use testbed::HelmVersion;

use crate::evidence::Evidence;
use crate::faults::Suffered;
use crate::floors;
use crate::plan::FAULTS;
use crate::prover::Verdict;

/// How a run went, besides what it left behind.
pub struct Course {
    /// Its seed.
    pub seed: u64,
    /// Its helm.
    pub helm: HelmVersion,
    /// Whether Jobs carried operations out, too.
    pub has_jobs: bool,
    /// How long things were done and suffered.
    pub lasted: Duration,
    /// How long it took until all was over after that.
    pub calmed: Duration,
    /// How often each answer was given to each request.
    pub answers: BTreeMap<String, usize>,
    /// The faults.
    pub faults: Vec<Suffered>,
}

/// Lines of text.
#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, line: impl std::fmt::Display) {
        // A String takes all that is written.
        let _ = writeln!(self.0, "{line}");
    }
}

/// The report in Markdown.
pub fn report(course: &Course, evidence: &Evidence, verdict: &Verdict) -> String {
    let mut text = Text::default();
    let (lasted, calmed) = (course.lasted.as_secs(), course.calmed.as_secs());
    let helm = if course.helm == HelmVersion::V3 { 3 } else { 4 };
    let jobs = if course.has_jobs { "" } else { ", without a real node, so without Jobs" };
    text.line(format_args!(
        "Seed {}, {lasted} s, helm {helm}{jobs}; all was over {calmed} s later.\n",
        course.seed
    ));
    findings(&mut text, verdict);
    operations(&mut text, evidence);
    text.line("\n| looked at | how many |\n| --- | ---: |");
    for (what, count) in &verdict.counts {
        text.line(format_args!("| {what} | {count} |"));
    }
    for (class, count) in classes(evidence) {
        text.line(format_args!("| failures of class {class} | {count} |"));
    }
    faults(&mut text, &course.faults);
    let away: i64 =
        evidence.outages.iter().map(|span| span.to.duration_since(span.from).as_millis() as i64).sum();
    let part = away.max(0) as u128 * 100 / course.lasted.as_millis().max(1);
    text.line(format_args!("\nThe API server or its store were away for {part} % of the time."));
    let absent = floors::absent(course, evidence);
    let absent = if absent.is_empty() { "nothing".to_owned() } else { absent.join("; ") };
    text.line(format_args!("\nDid not occur: {absent}."));
    text.line(format_args!("\nAnswers: {}.", list(&course.answers)));
    let unknown = unknown(evidence);
    if !unknown.is_empty() {
        text.line(format_args!("\nTexts of no known class: {}.", list(&unknown)));
    }
    text.0
}

fn findings(text: &mut Text, verdict: &Verdict) {
    let Verdict { lost, doubled, unexplained, left, .. } = verdict;
    let all = [("lost", lost), ("doubled", doubled), ("unexplained", unexplained), ("left over", left)];
    let counts = all.map(|(title, found)| format!("{} {title}", found.len()));
    text.line(format_args!("**{}.**", counts.join(", ")));
    for (title, found) in all.iter().filter(|(_, found)| !found.is_empty()) {
        text.line(format_args!("\n{title}:\n"));
        found.iter().for_each(|found| text.line(format_args!("- {found}")));
    }
}

/// A table of operations by what they were and how they ended.
fn operations(text: &mut Text, evidence: &Evidence) {
    use OperationState::{Cancelled, Failed, Interrupted, Succeeded};
    let states = [Succeeded, Failed, Cancelled, Interrupted];
    let titles: Vec<&str> = states.iter().map(|state| state.as_str()).collect();
    text.line(format_args!("\n| operations | all | {} |", titles.join(" | ")));
    text.line("| --- | ---: | ---: | ---: | ---: | ---: |");
    let all = &evidence.operations;
    let mut row = |what: &str, is_it: &dyn Fn(&Operation) -> bool| {
        let of = |state: Option<OperationState>| {
            let counted = all.iter().filter(|it| is_it(it) && state.is_none_or(|state| it.state == state));
            counted.count().to_string()
        };
        let counts: Vec<String> = states.iter().map(|state| of(Some(*state))).collect();
        text.line(format_args!("| {what} | {} | {} |", of(None), counts.join(" | ")));
    };
    for verb in all.iter().map(verb).collect::<BTreeSet<_>>() {
        row(verb, &|operation| self::verb(operation) == verb);
    }
    let accepted: BTreeSet<_> = evidence.accepted.iter().map(|accepted| &accepted.id).collect();
    row("of them by Jobs", &|it| it.options.runner == Some(RunnerKind::Job));
    row("of them tried more than once", &|it| it.attempts.len() > 1);
    row("of them run again by Slipway itself, or for a client without an answer", &|it| {
        !accepted.contains(&it.id)
    });
    row("all", &|_| true);
}

fn verb(operation: &Operation) -> &'static str {
    if operation.options.dry_run { "dry run" } else { operation.kind.as_str() }
}

/// A table of all kinds of faults.
fn faults(text: &mut Text, suffered: &[Suffered]) {
    text.line(format_args!("\n| {} faults | times | of nothing |\n| --- | ---: | ---: |", suffered.len()));
    for fault in FAULTS {
        let times = || suffered.iter().filter(|one| one.fault == fault);
        let of_nothing = times().filter(|one| !one.befell).count();
        text.line(format_args!("| {} | {} | {of_nothing} |", fault.words(), times().count()));
    }
}

fn list(counted: &BTreeMap<String, usize>) -> String {
    counted.iter().map(|(what, count)| format!("{what} ×{count}")).collect::<Vec<_>>().join("; ")
}

fn counted(what: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for one in what {
        *counts.entry(one).or_default() += 1;
    }
    counts
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
