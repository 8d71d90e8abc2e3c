//! That one writer at a time worked on each release.

use std::collections::BTreeMap;

use app::model::{Operation, OperationId};
use testbed::AuditEvent;

use super::Verdict;
use super::outcomes::{ends, when};
use crate::evidence::{Evidence, Span, VANDAL, Writer, is_helms, is_ours, span, writer};
use crate::timeline::{Timeline, timelines};

/// How the Secrets are called in which helm keeps its records.
const RECORD: &str = "sh.helm.release.v1.";

/// Adds what is wrong to `verdict`.
pub fn check(evidence: &Evidence, verdict: &mut Verdict) {
    let timelines = timelines(&evidence.audit);
    let operations: BTreeMap<&OperationId, &Operation> =
        evidence.operations.iter().map(|operation| (&operation.id, operation)).collect();
    verdict.count("releases with a Lease", timelines.len());
    verdict.count("times that a Lease was held", timelines.values().map(|line| line.holds.len()).sum());
    let ends = ends(&evidence.audit);
    let mut processes: BTreeMap<OperationId, BTreeMap<String, Span>> = BTreeMap::new();
    // What was refused was not written; what met an error on the way may have been.
    for event in evidence.audit.iter().filter(|event| !(400..500).contains(&event.code)) {
        match writer(event) {
            Some(Writer { operation: id, process }) => {
                verdict.count("writes by helm", 1);
                let at = span(event);
                let seen = processes.entry(id.clone()).or_default().entry(process).or_insert(at);
                *seen = Span { from: seen.from.min(at.from), to: seen.to.max(at.to) };
                if ends.get(&id).is_some_and(|end| end.to < event.received) {
                    let what = format!("the helm of {id} wrote {} at {}", object(event), when(event));
                    verdict.doubled.push(format!("{what}, after the operation's outcome was written"));
                }
                match operations.get(&id) {
                    Some(operation) => {
                        let release = operation.release.to_string();
                        helm_wrote(&id, event, &release, timelines.get(&release), evidence, verdict);
                    }
                    None => verdict.doubled.push(format!("a helm worked for {id}, which is not recorded")),
                }
            }
            None if event.user == VANDAL => verdict.count("writes by hand", 1),
            None if is_helms(event) => {
                verdict.unexplained.push(format!("an unsigned helm wrote {}", object(event)));
            }
            None if is_ours(event) => slipway_wrote(event, &timelines, evidence, verdict),
            None => {}
        }
    }
    verdict.count("runs of helm that wrote", processes.values().map(BTreeMap::len).sum());
    for (id, spans) in &processes {
        let mut spans: Vec<(&String, &Span)> = spans.iter().collect();
        spans.sort_by_key(|(_, span)| span.from);
        for pair in spans.windows(2) {
            if let [(first, one), (second, other)] = pair
                && one.meets(**other)
            {
                verdict.doubled.push(format!("the helms {first} and {second} worked for {id} at once"));
            }
        }
    }
}

fn helm_wrote(
    id: &OperationId,
    event: &AuditEvent,
    release: &str,
    timeline: Option<&Timeline>,
    evidence: &Evidence,
    verdict: &mut Verdict,
) {
    let at = span(event);
    let what = format!("the helm of {id} wrote {} at {}", object(event), when(event));
    let other = timeline.and_then(|line| line.other(Some(id), at));
    if let Some(other) = other {
        verdict.doubled.push(format!("{what}, when the Lease of {release} was held for {other}"));
    } else if !timeline.is_some_and(|line| line.may_cover(id, at) || ended_meanwhile(line, id, at)) {
        let is_unlogged = timeline.is_none_or(|line| line.is_doubtful(at)) && evidence.may_lack(at.around());
        if is_unlogged {
            verdict
                .count("writes by helm whose Lease's history the log lacks, for the API server was down", 1);
        } else {
            verdict.doubled.push(format!("{what}, when the Lease of {release} was not held for it"));
        }
    }
}

/// Whether a write came while the Lease was held, and was answered when it no longer was, and nobody else had it.
fn ended_meanwhile(timeline: &Timeline, id: &OperationId, at: Span) -> bool {
    timeline.may_cover(id, Span { from: at.from, to: at.from })
}

fn slipway_wrote(
    event: &AuditEvent,
    timelines: &BTreeMap<String, Timeline>,
    evidence: &Evidence,
    verdict: &mut Verdict,
) {
    let Some(release) = release_of(event) else { return };
    let at = span(event);
    verdict.count("records mended by Slipway itself", 1);
    let line = timelines.get(&release);
    if !line.is_some_and(|line| line.was_held(at)) {
        if line.is_none_or(|line| line.is_doubtful(at)) && evidence.may_lack(at.around()) {
            return;
        }
        verdict.doubled.push(format!("Slipway wrote {} without a Lease, at {}", object(event), when(event)));
    }
}

/// The release whose record an event is about.
pub fn release_of(event: &AuditEvent) -> Option<String> {
    let (name, _) = event.name.strip_prefix(RECORD)?.rsplit_once(".v")?;
    (event.resource == "secrets").then(|| format!("{}/{name}", event.namespace))
}

fn object(event: &AuditEvent) -> String {
    format!("{} {} {}/{} ({})", event.verb, event.resource, event.namespace, event.name, event.code)
}

impl Span {
    /// With the time for which a Lease may have been held before that.
    fn around(self) -> Self {
        let from = self.from.checked_sub(jiff::SignedDuration::from_secs(60)).unwrap_or(self.from);
        Self { from, ..self }
    }
}
