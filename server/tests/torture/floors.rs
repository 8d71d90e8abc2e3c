//! Whether enough happened in a run for its verdict to mean something.

use std::time::Duration;

use app::model::{Operation, OperationKind, OperationState, RunnerKind};

use crate::evidence::Evidence;
use crate::faults::Suffered;
use crate::plan::{FAULTS, Fault};
use crate::report::Course;

/// From this length on a run has floors of its own: a shorter one may be spent by a busy machine on next to nothing.
const LONG: Duration = Duration::from_secs(10 * 60);
/// How many operations are accepted in a minute, at least.
const ACCEPTED_PER_MINUTE: u64 = 4;
/// The part of the kinds of faults that has to befall something, and of the faults on helm's line: so many of so many.
const KINDS_THAT_BEFELL: (usize, usize) = (3, 4);
const HELM_LINE_FAULTS_THAT_BEFELL: (usize, usize) = (1, 2);

/// What was asked for and never succeeded, and which faults never befell anything.
pub fn absent(course: &Course, evidence: &Evidence) -> Vec<String> {
    let faults = FAULTS.into_iter().filter(|kind| !befell(&course.faults, *kind));
    let faults = faults.map(|kind| format!("{} (befell nothing)", kind.words()));
    unproven(course, evidence).into_iter().chain(faults).collect()
}

/// In what a run falls short of what it has to be for its verdict to count.
pub fn shortfalls(course: &Course, evidence: &Evidence) -> Vec<String> {
    let mut short = Vec::new();
    let accepted = evidence.accepted.len();
    if accepted == 0 || evidence.operations.iter().all(|operation| operation.attempts.is_empty()) {
        short.push("no operation was accepted and begun".to_owned());
    }
    if course.lasted < LONG {
        return short;
    }
    short.extend(unproven(course, evidence));
    let floor = course.lasted.as_secs() * ACCEPTED_PER_MINUTE / 60;
    if (accepted as u64) < floor {
        short.push(format!("{accepted} operations accepted, and not {floor}"));
    }
    let kinds = FAULTS.into_iter().filter(|kind| befell(&course.faults, *kind)).count();
    if is_less(kinds, FAULTS.len(), KINDS_THAT_BEFELL) {
        short.push(format!("{kinds} of {} kinds of faults befell something", FAULTS.len()));
    }
    let on_helm: Vec<_> = course.faults.iter().filter(|one| matches!(one.fault, Fault::Helm(_))).collect();
    let hit = on_helm.iter().filter(|one| one.befell).count();
    if is_less(hit, on_helm.len(), HELM_LINE_FAULTS_THAT_BEFELL) {
        short.push(format!("{hit} of {} faults on helm's line befell a request", on_helm.len()));
    }
    short
}

/// What somebody can ask for and that never succeeded.
fn unproven(course: &Course, evidence: &Evidence) -> Vec<String> {
    use OperationKind::{Install, MarkFailed, Rollback, Test, Uninstall, Upgrade};
    let mut unproven = Vec::new();
    let mut expect = |what: &str, is_it: &dyn Fn(&Operation) -> bool| {
        if !evidence.operations.iter().any(is_it) {
            unproven.push(what.to_owned());
        }
    };
    let succeeded = |it: &Operation| it.state == OperationState::Succeeded;
    for kind in [Install, Upgrade, Rollback, Uninstall, Test, MarkFailed] {
        let is_it = |it: &Operation| it.kind == kind && it.is_for_real() && succeeded(it);
        expect(&format!("{} that succeeded", kind.as_str()), &is_it);
    }
    expect("dry run that succeeded", &|it| !it.is_for_real() && succeeded(it));
    expect("operation that was cancelled", &|it| it.state == OperationState::Cancelled);
    expect("operation that was interrupted", &|it| it.state == OperationState::Interrupted);
    expect("operation that succeeded when it was tried again", &|it| it.attempts.len() > 1 && succeeded(it));
    if course.has_jobs {
        expect("Job that succeeded", &|it| it.options.runner == Some(RunnerKind::Job) && succeeded(it));
    }
    unproven
}

fn befell(suffered: &[Suffered], kind: Fault) -> bool {
    suffered.iter().any(|one| one.fault == kind && one.befell)
}

fn is_less(count: usize, all: usize, (part, of): (usize, usize)) -> bool {
    count * of < all * part
}

#[test]
fn a_long_run_in_which_next_to_nothing_happened_falls_short_and_a_short_one_need_only_begin() {
    let course = |seconds| Course {
        seed: 1,
        helm: testbed::HelmVersion::V4,
        has_jobs: true,
        lasted: Duration::from_secs(seconds),
        calmed: Duration::ZERO,
        answers: Default::default(),
        faults: vec![Suffered { fault: Fault::Helm(crate::plan::Line::Late), befell: false }],
    };
    let nothing = Evidence::default();
    assert_eq!(shortfalls(&course(60), &nothing), ["no operation was accepted and begun"]);
    let short = shortfalls(&course(600), &nothing);
    for part in [
        "rollback that",
        "Job that",
        "0 operations accepted, and not 40",
        "0 of 45 kinds",
        "0 of 1 faults on",
    ] {
        assert!(short.iter().any(|found| found.starts_with(part)), "{part}: {short:?}");
    }
    assert!(absent(&course(60), &nothing).len() > FAULTS.len());
}
