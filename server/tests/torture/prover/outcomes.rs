//! That each operation has one outcome.

use std::collections::{BTreeMap, BTreeSet};

use app::model::{Operation, OperationId, OperationState};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use testbed::AuditEvent;

use super::Verdict;
use crate::evidence::{Evidence, OPERATIONS, Span, is_done, is_ours, span};

/// For how long a write may be under way when the API server dies.
const UNDER_WAY: jiff::SignedDuration = jiff::SignedDuration::from_secs(30);

/// Adds what is wrong to `verdict`.
pub fn check(evidence: &Evidence, verdict: &mut Verdict) {
    let recorded: BTreeMap<&OperationId, &Operation> =
        evidence.operations.iter().map(|operation| (&operation.id, operation)).collect();
    let accepted: BTreeSet<&OperationId> = evidence.accepted.iter().map(|accepted| &accepted.id).collect();
    verdict.count("operations accepted", accepted.len());
    verdict.count("operations recorded", recorded.len());
    for id in &accepted {
        if !recorded.contains_key(*id) {
            verdict.lost.push(format!("{id} was accepted and has no record"));
        }
    }
    for operation in recorded.values() {
        let (what, state) = (words(operation), operation.state.as_str());
        match &operation.outcome {
            None => verdict.lost.push(format!("{what} has no outcome: it is {state}")),
            Some(_) if !operation.state.is_terminal() => {
                verdict.lost.push(format!("{what} has an outcome and is {state}"));
            }
            Some(outcome) if operation.state != OperationState::Succeeded => {
                if outcome.failure.as_ref().is_none_or(|failure| failure.cause.is_empty()) {
                    verdict.unexplained.push(format!("{what} is {state} without a cause"));
                }
            }
            Some(_) => {}
        }
    }
    written_once(evidence, &recorded, verdict);
    one_for_each_key(evidence, verdict);
    in_order(evidence, verdict);
}

/// Each outcome was written once, and stayed as it was written.
fn written_once(evidence: &Evidence, recorded: &BTreeMap<&OperationId, &Operation>, verdict: &mut Verdict) {
    let mut outcomes: BTreeMap<OperationId, Vec<(u64, Operation)>> = BTreeMap::new();
    for (version, operation) in evidence.audit.iter().filter_map(written) {
        if operation.state.is_terminal() {
            outcomes.entry(operation.id.clone()).or_default().push((version, operation));
        }
    }
    for (id, written) in &mut outcomes {
        written.sort_by_key(|(version, _)| *version);
        if let [(_, first), .., (_, last)] = written.as_slice() {
            let (first, last) = (first.state.as_str(), last.state.as_str());
            verdict.doubled.push(format!("the outcome of {id} was written twice: {first}, then {last}"));
        }
        let kept = recorded.get(id).map(|operation| operation.state);
        if let ([(_, only)], Some(kept)) = (written.as_slice(), kept)
            && only.state != kept
        {
            let (only, kept) = (only.state.as_str(), kept.as_str());
            verdict.doubled.push(format!("{id} was written {only} and is {kept}"));
        }
    }
    for operation in recorded.values().filter(|operation| operation.state.is_terminal()) {
        // It was written just when the API server died; such a write is done, and not logged.
        let unlogged = evidence.times.get(&operation.id).is_some_and(|times| {
            // To the second, and of when the write came.
            let to = times.written.saturating_add(UNDER_WAY).unwrap_or(times.written);
            evidence.may_lack(Span { from: times.written, to })
        });
        if !outcomes.contains_key(&operation.id) && !unlogged {
            verdict.unexplained.push(format!("nobody was seen to write the outcome of {}", words(operation)));
        }
    }
    verdict.count("outcomes in the audit log", outcomes.len());
}

/// Who asked twice for the same got the same.
fn one_for_each_key(evidence: &Evidence, verdict: &mut Verdict) {
    let mut ids: BTreeMap<&str, BTreeSet<&OperationId>> = BTreeMap::new();
    for operation in &evidence.operations {
        if let Some(key) = &operation.idempotency_key {
            ids.entry(key).or_default().insert(&operation.id);
        }
    }
    for accepted in &evidence.accepted {
        ids.entry(&accepted.key).or_default().insert(&accepted.id);
    }
    for (key, ids) in ids.into_iter().filter(|(_, ids)| ids.len() > 1) {
        verdict.doubled.push(format!("what was asked for once, with the key {key}, is {ids:?}"));
    }
}

/// Operations on one release have ids in the order in which they were recorded, whatever the clocks of servers say.
fn in_order(evidence: &Evidence, verdict: &mut Verdict) {
    let mut by_release: BTreeMap<String, Vec<&OperationId>> = BTreeMap::new();
    for operation in &evidence.operations {
        by_release.entry(operation.release.to_string()).or_default().push(&operation.id);
    }
    for (release, mut ids) in by_release {
        ids.sort_unstable();
        for pair in ids.windows(2) {
            if let [first, second] = pair
                && let (Some(one), Some(other)) = (evidence.times.get(*first), evidence.times.get(*second))
                && other.created < one.created
            {
                verdict
                    .unexplained
                    .push(format!("{second} of {release} comes after {first}, and came before"));
            }
        }
    }
}

/// The operation that an event of ours recorded, and the version of its record.
fn written(event: &AuditEvent) -> Option<(u64, Operation)> {
    let is_write = ["create", "update"].contains(&event.verb.as_str()) && is_done(event);
    if !is_write || event.resource != "secrets" || event.namespace != OPERATIONS || !is_ours(event) {
        return None;
    }
    let data = event.request.as_ref()?.pointer("/data/operation")?.as_str()?;
    let operation = serde_json::from_slice(&STANDARD.decode(data).ok()?).ok()?;
    let version = event.response.as_ref()?.pointer("/metadata/resourceVersion")?.as_str()?;
    Some((version.parse().ok()?, operation))
}

/// When the outcome of each operation was first written.
pub fn ends(audit: &[AuditEvent]) -> BTreeMap<OperationId, Span> {
    let mut ends = BTreeMap::new();
    for event in audit {
        if let Some((_, operation)) = written(event).filter(|(_, operation)| operation.state.is_terminal()) {
            ends.entry(operation.id).or_insert(span(event));
        }
    }
    ends
}

/// An operation in words.
pub fn words(operation: &Operation) -> String {
    format!("{} ({} of {})", operation.id, operation.kind.as_str(), operation.release)
}

/// When an event was, in words.
pub fn when(event: &AuditEvent) -> String {
    let span = span(event);
    format!("{:.3} to {:.3}", span.from, span.to)
}
