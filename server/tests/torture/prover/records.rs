//! That helm's records say what the outcomes say.

use std::collections::BTreeMap;

use app::model::{Operation, OperationKind, OperationState, RecordStatus, ReleaseKey};
use server::kube::records::RecordMeta;

use super::Verdict;
use super::outcomes::words;
use super::writers::release_of;
use crate::evidence::{Evidence, is_done, is_ours};

/// Adds what is wrong to `verdict`.
pub fn check(evidence: &Evidence, verdict: &mut Verdict) {
    let mut newest: BTreeMap<ReleaseKey, &RecordMeta> = BTreeMap::new();
    for record in &evidence.records {
        let seen = newest.entry(record.key.clone()).or_insert(record);
        if record.revision > seen.revision {
            *seen = record;
        }
    }
    let mut last: BTreeMap<ReleaseKey, &Operation> = BTreeMap::new();
    let changing = |operation: &&Operation| {
        operation.is_for_real() && operation.kind != OperationKind::Test && !operation.attempts.is_empty()
    };
    for operation in evidence.operations.iter().filter(changing) {
        let seen = last.entry(operation.release.clone()).or_insert(operation);
        if operation.id > seen.id {
            *seen = operation;
        }
    }
    verdict.count("releases with a record", newest.len());
    let is_half_way =
        |record: &RecordMeta| record.status.is_pending() || record.status == RecordStatus::Uninstalling;
    for record in newest.values().filter(|record| is_half_way(record)) {
        verdict.count("records left pending, and explained or not", 1);
        let told = last.get(&record.key).and_then(|operation| Some((operation, operation.outcome.as_ref()?)));
        let is_explained =
            told.is_some_and(|(_, outcome)| outcome.failure.is_some() || outcome.remark.is_some());
        if !is_explained && !was_vandalised(evidence, &record.key, last.get(&record.key).copied()) {
            let (key, status) = (&record.key, record.status.as_str());
            let told = told.map_or("nobody".into(), |(operation, _)| words(operation));
            verdict.unexplained.push(format!("{key} is left {status}, and {told} says nothing of it"));
        }
    }
    for operation in last.values().filter(|operation| operation.state == OperationState::Succeeded) {
        let remark = operation.outcome.as_ref().and_then(|outcome| outcome.remark.as_ref());
        let status = newest.get(&operation.release).map(|record| record.status);
        if remark.is_none()
            && !agrees(operation, status)
            && !was_vandalised(evidence, &operation.release, Some(operation))
        {
            let status = status.map_or("not there", RecordStatus::as_str);
            verdict.unexplained.push(format!("{} succeeded, and the record is {status}", words(operation)));
        }
    }
}

/// Whether the newest record may have this status after the success of `operation`.
fn agrees(operation: &Operation, status: Option<RecordStatus>) -> bool {
    use RecordStatus::{Deployed, Failed, Uninstalled};
    match operation.kind {
        OperationKind::Install | OperationKind::Upgrade | OperationKind::Rollback => status == Some(Deployed),
        OperationKind::Uninstall if operation.options.keep_history => status == Some(Uninstalled),
        OperationKind::Uninstall => status.is_none(),
        OperationKind::MarkFailed => status == Some(Failed),
        OperationKind::Test => true,
    }
}

/// Whether somebody other than Slipway had a hand in the release's records, or deleted its namespace, since the operation was
/// recorded.
fn was_vandalised(evidence: &Evidence, release: &ReleaseKey, since: Option<&Operation>) -> bool {
    let since = since.and_then(|operation| evidence.times.get(&operation.id)).map(|times| times.created);
    evidence.audit.iter().any(|event| {
        let all_of_it = event.verb == "deletecollection"
            && event.resource == "secrets"
            && event.namespace == release.namespace;
        !is_ours(event)
            && is_done(event)
            && since.is_none_or(|since| event.answered >= since)
            && (all_of_it || release_of(event) == Some(release.to_string()))
    })
}
