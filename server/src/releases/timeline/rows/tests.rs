use app::model::{
    Attempt, Detail, Failure, FailureClass, ObjectRef, OperationId, OperationOptions, Outcome, RecordStatus,
    ReleaseKey,
};

use super::*;
use crate::releases::course::Course;

const T: i64 = 1_000_000;

fn at(seconds: i64) -> Timestamp {
    Timestamp(T + seconds * 1_000)
}

fn attempt(number: u32, started: i64, ended: Option<i64>, fails: bool) -> Attempt {
    Attempt {
        number,
        started: at(started),
        ended: ended.map(at),
        exit_code: None,
        failure: fails.then(|| Failure::new(FailureClass::Hook, "It broke.", "")),
        revision: None,
        evidence: vec![],
    }
}

fn operation(state: OperationState, attempts: Vec<Attempt>, ended: Option<i64>) -> Operation {
    Operation {
        id: OperationId("op".into()),
        kind: OperationKind::Install,
        release: ReleaseKey::new("ns", "web"),
        chart: None,
        options: OperationOptions::default(),
        requested_by: "me".into(),
        idempotency_key: None,
        created: at(0),
        state,
        max_attempts: 3,
        next_attempt: None,
        attempts,
        base_revision: None,
        cancel: None,
        again: None,
        outcome: ended.map(|ended| Outcome {
            ended: at(ended),
            revision: Some(1),
            failure: None,
            remark: None,
        }),
    }
}

fn record(created: i64, status: RecordStatus) -> ReleaseRecord {
    ReleaseRecord {
        revision: 1,
        status,
        created: Some(at(created)),
        changed: None,
        operation: None,
        detail: Detail::Loading,
    }
}

fn object(kind: &str, health: Health, course: [Option<i64>; 3]) -> Coursed {
    let [created, applied, settled] = course.map(|seconds| seconds.map(at));
    Coursed {
        object: ObjectRef { api_version: "v1".into(), kind: kind.into(), namespace: None, name: "x".into() },
        source: "p/a".into(),
        hook: None,
        health,
        message: "why".into(),
        course: Course { created, applied, settled },
    }
}

fn hook(event: &str, phase: &str, run: [Option<i64>; 2]) -> Coursed {
    let [started, ended] = run.map(|seconds| seconds.map(at));
    let state = HookState { events: vec![event.into()], phase: phase.into(), started, ended };
    Coursed { hook: Some(state), ..object("Job", Health::Missing, [None; 3]) }
}

/// `Kind start..end state`, in seconds.
fn told(timeline: &Timeline) -> Vec<String> {
    let seconds = |at: Option<Timestamp>| at.map_or("?".to_owned(), |at| ((at.0 - T) / 1_000).to_string());
    let row =
        |it: &TimelineRow| format!("{:?} {}..{} {:?}", it.kind, seconds(it.start), seconds(it.end), it.state);
    timeline.rows.iter().map(row).collect()
}

fn seen<'a>(
    operation: Option<&'a Operation>,
    record: Option<&'a ReleaseRecord>,
    objects: &'a [Coursed],
) -> Seen<'a> {
    Seen { operation, record, objects, definitions: &[], now: at(100) }
}

#[test]
fn an_install_is_told_from_its_submission_to_its_last_resource() {
    let attempts = vec![attempt(1, 2, Some(60), false)];
    let operation = operation(OperationState::Succeeded, attempts, Some(61));
    let record = record(6, RecordStatus::Deployed);
    let objects = [
        object("Deployment", Health::Ready, [Some(20), Some(20), Some(58)]),
        object("ConfigMap", Health::Ready, [Some(19), Some(19), Some(19)]),
        hook("pre-install", "Succeeded", [Some(7), Some(18)]),
    ];
    let definitions = [
        Definition { name: "w.example.org".into(), created: Some(at(4)) },
        Definition { name: "old".into(), created: Some(at(-500)) },
    ];
    let timeline = of(&Seen { definitions: &definitions, ..seen(Some(&operation), Some(&record), &objects) });
    assert_eq!(
        told(&timeline),
        [
            "Queue 0..2 Done",
            "Attempt 2..60 Done",
            "Preparation 2..6 Done",
            "Definition 4..? Done",
            "Definition ?..? Unknown",
            "Hook 7..18 Done",
            "Resource 19..19 Done",
            "Resource 20..58 Done",
        ]
    );
    assert_eq!((timeline.from, timeline.to), (Some(at(0)), Some(at(60))));
    assert_eq!(timeline.headline.as_deref(), Some("Deployment x took longest to become ready: 38s."));
    assert_eq!((timeline.revision, timeline.rows[7].source.as_str()), (Some(1), "p/a"));
}

#[test]
fn what_goes_on_reaches_to_now() {
    for (case, attempts, wrote, rows) in [
        ("queued", vec![], None, vec!["Queue 0..? Running"]),
        (
            "fetching",
            vec![attempt(1, 3, None, false)],
            None,
            vec!["Queue 0..3 Done", "Attempt 3..? Running", "Preparation 3..? Running"],
        ),
        (
            "retrying",
            vec![attempt(1, 3, Some(10), true), attempt(2, 15, None, false)],
            Some(5),
            vec!["Queue 0..3 Done", "Attempt 3..10 Failed", "Attempt 15..? Running", "Preparation 3..5 Done"],
        ),
    ] {
        let operation = operation(OperationState::Running, attempts, None);
        let record = wrote.map(|created| record(created, RecordStatus::PendingInstall));
        let timeline = of(&seen(Some(&operation), record.as_ref(), &[]));
        assert_eq!(told(&timeline), rows, "{case}");
        assert_eq!(timeline.to, Some(at(100)), "{case}");
    }
}

#[test]
fn a_hook_is_told_if_it_ran_or_is_to_run() {
    let running = operation(OperationState::Running, vec![attempt(1, 1, None, false)], None);
    let over = operation(OperationState::Failed, vec![attempt(1, 1, Some(50), true)], Some(51));
    let done = operation(OperationState::Succeeded, vec![attempt(1, 1, Some(50), false)], Some(51));
    let options = OperationOptions { skip_hooks: true, ..OperationOptions::default() };
    let skipped = Operation { options, ..done.clone() };
    for (case, of_operation, hook, row) in [
        ("to run", &running, hook("post-install", "", [None; 2]), Some("Hook ?..? Waiting")),
        ("runs", &running, hook("pre-install", "Running", [Some(4), None]), Some("Hook 4..? Running")),
        ("failed", &over, hook("pre-install", "Failed", [Some(4), Some(9)]), Some("Hook 4..9 Failed")),
        ("cut off", &over, hook("pre-install", "Running", [Some(4), None]), Some("Hook 4..? Unknown")),
        ("never reached", &over, hook("post-install", "", [None; 2]), Some("Hook ?..? Waiting")),
        ("not kept", &done, hook("post-install", "", [None; 2]), Some("Hook ?..? Unknown")),
        ("skipped", &skipped, hook("post-install", "", [None; 2]), Some("Hook ?..? Waiting")),
        ("of another verb", &running, hook("pre-delete", "", [None; 2]), None),
        ("of an earlier run", &over, hook("test", "Succeeded", [Some(-500), Some(-490)]), None),
    ] {
        let record = record(2, RecordStatus::Failed);
        let objects = [hook];
        let timeline = of(&seen(Some(of_operation), Some(&record), &objects));
        let found: Vec<_> = told(&timeline).into_iter().filter(|row| row.starts_with("Hook")).collect();
        assert_eq!(found.first().map(String::as_str), row, "{case}");
    }
}

#[test]
fn a_failed_operation_says_so_first_and_which_hooks_it_did_not_reach() {
    let mut failed = operation(OperationState::Failed, vec![attempt(1, 1, Some(8), true)], Some(8));
    let why = Failure::new(FailureClass::Permanent, "The quota does not allow it.", "");
    failed.outcome.as_mut().unwrap().failure = Some(why);
    let record = record(2, RecordStatus::Failed);
    let objects = [
        hook("post-install", "", [None; 2]),
        object("Deployment", Health::Progressing, [Some(5), Some(5), None]),
    ];
    let timeline = of(&seen(Some(&failed), Some(&record), &objects));
    let words = "The install failed after 8s: The quota does not allow it.";
    assert_eq!(timeline.headline.as_deref(), Some(words));
    let hook = timeline.rows.iter().find(|row| row.kind == RowKind::Hook).unwrap();
    assert_eq!(hook.note, "post-install: Not reached: the operation ended before it.");
}

#[test]
fn a_time_that_is_not_known_is_told_as_not_known() {
    use Health::{Failed, Missing, Progressing, Ready, Unknown};
    let over = operation(OperationState::Succeeded, vec![attempt(1, 1, Some(50), false)], Some(51));
    for (case, health, course, row, has_note) in [
        ("not seen to become ready", Ready, [Some(5), Some(5), None], "Resource 5..? Done", true),
        ("was there before", Ready, [Some(-90), Some(-90), Some(-80)], "Resource ?..? Unknown", true),
        ("changed by this one", Ready, [Some(-90), Some(7), Some(9)], "Resource 7..9 Done", false),
        ("ready from before the change", Ready, [Some(-90), Some(7), Some(-80)], "Resource 7..? Done", true),
        ("ready again since", Ready, [Some(5), Some(5), Some(90)], "Resource 5..? Done", true),
        ("whole seconds are no time before", Ready, [Some(-1), None, Some(4)], "Resource -1..4 Done", false),
        ("failed", Failed, [Some(5), Some(5), Some(30)], "Resource 5..30 Failed", true),
        ("on its way", Progressing, [Some(5), Some(5), None], "Resource 5..? Running", true),
        ("gone", Missing, [None; 3], "Resource ?..? Unknown", true),
        ("not readable", Unknown, [None; 3], "Resource ?..? Unknown", true),
    ] {
        let record = record(2, RecordStatus::Deployed);
        let objects = [object("Deployment", health, course)];
        let timeline = of(&seen(Some(&over), Some(&record), &objects));
        assert_eq!(told(&timeline).last().map(String::as_str), Some(row), "{case}");
        assert_eq!(!timeline.rows.last().unwrap().note.is_empty(), has_note, "{case}");
    }
}

#[test]
fn a_release_that_is_not_ours_is_told_from_its_record() {
    let record = record(0, RecordStatus::Deployed);
    let objects = [
        object("Deployment", Health::Ready, [Some(2), Some(2), Some(9)]),
        hook("pre-install", "Succeeded", [Some(1), Some(2)]),
    ];
    let timeline = of(&seen(None, Some(&record), &objects));
    assert_eq!(told(&timeline), ["Hook 1..2 Done", "Resource 2..9 Done"]);
    assert_eq!((timeline.operation.is_none(), timeline.from, timeline.to), (true, Some(at(1)), Some(at(9))));
}

#[test]
fn of_too_many_rows_the_first_are_told() {
    let objects: Vec<_> =
        (0..1_500).map(|_| object("ConfigMap", Health::Ready, [Some(1), None, Some(1)])).collect();
    let timeline = of(&seen(None, Some(&record(0, RecordStatus::Deployed)), &objects));
    assert_eq!((timeline.rows.len(), timeline.left_out), (ROWS_MAX, 500));
}
