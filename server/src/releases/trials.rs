//! What a release's own tests came to: from the record's hooks, and from the operation that ran them.

use app::model::{ApiError, Evidence, ObjectRef, Operation, ReleaseKey, ReleaseTest, TestReport, TestResult};

use super::decode::{FullRecord, Hook};
use super::{Releases, manifest};

/// How helm begins the log of a test's pod (`helm test --logs`, `pkg/action/release_testing.go`).
const LOG_HEADLINE: &str = "POD LOGS: ";

impl Releases {
    /// The tests of the newest revision of `key`; `newest` is the newest operation that ran them, and `log` what helm said.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] when there is no such release; others when its record cannot be read.
    pub async fn tests(
        &self,
        key: &ReleaseKey,
        newest: Option<&Operation>,
        log: &str,
    ) -> Result<TestReport, ApiError> {
        let (revision, record) = self.record(key, None).await?;
        Ok(report(revision, &record, newest, log))
    }
}

fn report(revision: u32, record: &FullRecord, newest: Option<&Operation>, log: &str) -> TestReport {
    let is_active = newest.is_some_and(|operation| !operation.state.is_terminal());
    let evidence: Vec<&Evidence> = newest
        .and_then(|operation| operation.attempts.last())
        .map(|attempt| attempt.evidence.iter().collect())
        .unwrap_or_default();
    let hooks = record.hooks.iter().filter(|hook| is_test(hook));
    let tests = hooks.filter_map(|hook| {
        let text = manifest::texts("", &hook.manifest).into_iter().next()?;
        let is_same = |object: &ObjectRef| object.kind == text.object.kind && object.name == text.object.name;
        let result = match (hook.last_run.phase.as_str(), hook.last_run.started_at) {
            ("Succeeded", _) => TestResult::Passed,
            ("Failed", _) => TestResult::Failed,
            ("Running", _) if is_active => TestResult::Running,
            (_, Some(_)) => TestResult::Unknown,
            (_, None) => TestResult::NotRun,
        };
        let evidence = evidence.iter().find(|it| is_same(&it.object));
        // What is left of an operation before is not of this run.
        let is_of_run = newest.is_some_and(|operation| {
            hook.last_run.started_at.is_some_and(|started| started.0 >= operation.created.0 - 1_000)
        });
        Some(ReleaseTest {
            source: manifest::sub_chart(&hook.path),
            result,
            started: hook.last_run.started_at,
            ended: hook.last_run.completed_at,
            log: is_of_run.then(|| section(log, &text.object.name)).flatten(),
            evidence: evidence.filter(|_| result == TestResult::Failed).map(|it| (*it).clone()),
            object: text.object,
        })
    });
    TestReport {
        revision: Some(revision),
        operation: newest.map(|operation| operation.id.clone()),
        state: newest.map(|operation| operation.state),
        tests: tests.collect(),
    }
}

/// helm 2's word still does.
fn is_test(hook: &Hook) -> bool {
    hook.events.iter().any(|event| matches!(event.as_str(), "test" | "test-success"))
}

/// What helm printed of the pod `name`, the last time that it did: helm 3 in one piece, helm 4 in one for each container,
/// whose name is in the headline.
fn section(log: &str, name: &str) -> Option<String> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut inside: Option<usize> = None;
    for line in log.lines() {
        if let Some(headline) = line.strip_prefix(LOG_HEADLINE) {
            inside = headline.strip_prefix(name).and_then(container).map(|container| {
                found.retain(|(of, _)| *of != container);
                found.push((container, Vec::new()));
                found.len() - 1
            });
        } else if line.starts_with("Error: ") {
            inside = None;
        } else if let Some((_, lines)) = inside.and_then(|at| found.get_mut(at)) {
            lines.push(line);
        }
    }
    let several = found.len() > 1;
    let texts = found.iter().map(|(container, lines)| {
        let text = lines.join("\n").trim_end().to_owned();
        if several { format!("{container}:\n{text}") } else { text }
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// The container that a headline names after the pod's name; empty where it names none. None where the name is longer: it is
/// another pod's.
fn container(rest: &str) -> Option<&str> {
    let rest = rest.trim_end();
    if rest.is_empty() {
        return Some("");
    }
    rest.strip_prefix(" (")?.strip_suffix(')')
}

#[cfg(test)]
mod tests {
    use app::model::{Attempt, OperationId, OperationKind, OperationOptions, OperationState, Timestamp};
    use serde_json::json;

    use super::*;
    use crate::releases::decode;

    fn hook(name: &str, events: &[&str], phase: &str) -> serde_json::Value {
        let started = if phase.is_empty() { "" } else { "1970-01-01T00:00:09Z" };
        json!({
            "path": "p/charts/a/templates/t.yaml", "events": events,
            "manifest": format!("kind: Pod\napiVersion: v1\nmetadata: {{name: {name}}}\n"),
            "last_run": {"started_at": started, "completed_at": started, "phase": phase},
        })
    }

    fn record(hooks: &[serde_json::Value]) -> FullRecord {
        let payload = json!({"hooks": hooks}).to_string();
        let payload = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, payload);
        decode::full(payload.as_bytes(), "ns").unwrap()
    }

    fn operation(state: OperationState) -> Operation {
        let object =
            ObjectRef { api_version: String::new(), kind: "Pod".into(), namespace: None, name: "bad".into() };
        let evidence = Evidence { object, reason: "why".into(), pods: vec![], events: vec![] };
        Operation {
            id: OperationId("op".into()),
            kind: OperationKind::Test,
            release: ReleaseKey::new("ns", "web"),
            chart: None,
            options: OperationOptions::default(),
            requested_by: "me".into(),
            idempotency_key: None,
            created: Timestamp(9_500),
            state,
            max_attempts: 1,
            next_attempt: None,
            attempts: vec![Attempt {
                number: 1,
                started: Timestamp(9_600),
                ended: None,
                exit_code: None,
                failure: None,
                revision: None,
                evidence: vec![evidence],
            }],
            base_revision: None,
            cancel: None,
            again: None,
            outcome: None,
        }
    }

    #[test]
    fn each_test_is_told_with_its_result_its_log_and_what_was_seen() {
        use TestResult::{Failed, NotRun, Passed, Running};
        let record = record(&[
            hook("good", &["test"], "Succeeded"),
            hook("bad", &["test-success"], "Failed"),
            hook("going", &["test"], "Running"),
            hook("not-yet", &["test", "post-install"], ""),
            hook("no-test", &["post-install"], "Succeeded"),
        ]);
        let log =
            "TEST SUITE: good\n\nPOD LOGS: good\none\ntwo\n\nPOD LOGS: bad\nno\nError: 1 error occurred\n";
        let report = report(3, &record, Some(&operation(OperationState::Running)), log);
        let told: Vec<_> =
            report.tests.iter().map(|it| (it.object.name.as_str(), it.result, it.log.as_deref())).collect();
        assert_eq!(
            told,
            [
                ("good", Passed, Some("one\ntwo")),
                ("bad", Failed, Some("no")),
                ("going", Running, None),
                ("not-yet", NotRun, None)
            ]
        );
        let seen: Vec<_> = report.tests.iter().map(|it| it.evidence.is_some()).collect();
        assert_eq!(seen, [false, true, false, false]);
        assert_eq!((report.revision, report.tests[0].source.as_str()), (Some(3), "p/a"));
    }

    #[test]
    fn what_each_container_said_is_told_as_either_helm_prints_it() {
        let log = "POD LOGS: web\nold\n\nPOD LOGS: web-2\nof another\n\nPOD LOGS: web\nnew\n";
        assert_eq!(section(log, "web").as_deref(), Some("new"));
        let log = "POD LOGS: web (main)\none\n\nPOD LOGS: web (side)\ntwo\n\nError: no\nmore\n";
        assert_eq!(section(log, "web").as_deref(), Some("main:\none\n\nside:\ntwo"));
        let log = "POD LOGS: web (main)\none\n\nPOD LOGS: web-2 (main)\ntwo\n";
        assert_eq!(section(log, "web").as_deref(), Some("one"));
        assert_eq!(section(log, "we"), None);
    }

    #[test]
    fn what_ran_and_did_not_end_is_not_known_and_has_no_log_of_another_run() {
        let record = record(&[hook("going", &["test"], "Running")]);
        let mut late = operation(OperationState::Interrupted);
        late.created = Timestamp(60_000);
        let report = report(1, &record, Some(&late), "POD LOGS: going\nof another run\n");
        assert_eq!((report.tests[0].result, report.tests[0].log.as_deref()), (TestResult::Unknown, None));
        assert!(super::report(1, &record, None, "").state.is_none());
    }
}
