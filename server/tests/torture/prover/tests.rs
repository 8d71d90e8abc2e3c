//! Hand-made evidence of what must not be: each is found, and nothing is found where all is well.

mod story;

use app::model::{OperationId, OperationKind, OperationState, RecordStatus};
use testbed::AuditEvent;

use crate::evidence::{OPERATOR, POD, Times, VANDAL};
use story::{Story, event, second};

use OperationKind::{Install, MarkFailed, Uninstall};
use OperationState::{Cancelled, Failed, Interrupted, Running, Succeeded};

/// One install that went well.
fn good() -> Story {
    Story::default()
        .accepted("a")
        .held(0, "a")
        .held(5, "a")
        .helm(6, "a", "1")
        .helm(8, "a", "1")
        .written(9, "a", Succeeded)
        .free(10)
        .recorded("a", Install, Succeeded)
        .record(RecordStatus::Deployed)
}

/// It, and a second operation up to its Lease.
fn second_begun() -> Story {
    good().accepted("b").held(11, "b")
}

fn second_ended(story: Story) -> Story {
    story.written(20, "b", Succeeded).free(21).recorded("b", Install, Succeeded)
}

#[test]
fn where_all_is_well_nothing_is_found() {
    assert!(good().verdict().is_good(), "{:?}", good().verdict());
    let two = second_ended(second_begun().helm(12, "b", "2"));
    assert!(two.verdict().is_good(), "{:?}", two.verdict());
    // Whoever looks after an operation takes its Lease, and a retry is another helm.
    let retried = second_ended(second_begun().helm(12, "b", "2").held(15, "b").helm(16, "b", "3"));
    assert!(retried.verdict().is_good(), "{:?}", retried.verdict());
}

#[test]
fn an_operation_without_a_record_or_an_outcome_is_lost() {
    for story in [
        good().accepted("b"),
        good().accepted("b").recorded("b", Uninstall, Running),
        // Nobody was told of it, and still.
        good().recorded("b", Uninstall, Running),
    ] {
        let verdict = story.verdict();
        assert_eq!(verdict.lost.len(), 1, "{verdict:?}");
    }
}

#[test]
fn an_outcome_that_was_written_twice_or_changed_is_doubled() {
    for story in [
        good().written(12, "a", Succeeded),
        good().written(12, "a", Failed),
        Story::default().written(9, "a", Cancelled).recorded("a", Install, Interrupted),
    ] {
        let verdict = story.verdict();
        assert_eq!(verdict.doubled.len(), 1, "{verdict:?}");
    }
}

#[test]
fn one_wish_with_two_operations_is_doubled() {
    let mut story = second_ended(second_begun().helm(12, "b", "2"));
    story.evidence.accepted.last_mut().unwrap().key = "key-a".into();
    let verdict = story.verdict();
    assert!(verdict.doubled.iter().any(|found| found.contains("key-a")), "{verdict:?}");
}

#[test]
fn two_writers_on_one_release_are_found() {
    // The first helm goes on when the second has the release.
    let verdict = second_ended(second_begun().helm(13, "a", "1")).verdict();
    assert!(verdict.doubled.iter().any(|found| found.contains("was held for b")), "{verdict:?}");
    // It was under way when the Lease changed hands.
    let mut story = second_ended(second_begun().helm(13, "a", "1"));
    let late = story.evidence.audit.iter_mut().find(|event| event.received == second(13)).unwrap();
    late.received = second(8);
    assert!(story.verdict().doubled.iter().any(|found| found.contains("was held for b")));
    // Two helms of one operation.
    let verdict = second_ended(second_begun().helm(12, "b", "2").helm(13, "b", "3").helm(14, "b", "2"));
    assert!(verdict.verdict().doubled.iter().any(|found| found.contains("at once")));
}

#[test]
fn a_writer_without_the_lease_is_found() {
    for story in [
        // After it was given back, and when nobody has it.
        good().helm(11, "a", "1"),
        good().accepted("b").recorded("b", Install, Succeeded).written(20, "b", Succeeded).helm(15, "b", "2"),
        // It was never taken.
        Story::default().helm(1, "a", "1").written(9, "a", Failed).recorded("a", Install, Failed),
    ] {
        let verdict = story.verdict();
        assert!(verdict.doubled.iter().any(|found| found.contains("was not held")), "{verdict:?}");
    }
    let slipway = event(12, OPERATOR, "patch", "secrets", "team", "sh.helm.release.v1.shop.v1");
    assert!(good().other(slipway.clone()).verdict().doubled[0].contains("without a Lease"));
    let in_time = AuditEvent { received: second(7), answered: second(7), ..slipway };
    assert!(good().other(in_time).verdict().is_good());
}

#[test]
fn a_helm_that_writes_after_the_outcome_is_found_although_the_lease_is_still_held() {
    let verdict = good().held(0, "a").helm(9, "a", "1");
    assert!(verdict.verdict().is_good());
    let mut story = Story::default().accepted("a").held(0, "a").written(5, "a", Succeeded);
    story = story.helm(6, "a", "1").free(7).recorded("a", Install, Succeeded).record(RecordStatus::Deployed);
    let verdict = story.verdict();
    assert_eq!(verdict.doubled.len(), 1, "{verdict:?}");
    assert!(verdict.doubled[0].contains("after the operation's outcome"));
}

#[test]
fn what_the_log_lacks_is_forgiven_when_the_api_server_was_down_and_then_alone() {
    // That the Lease was taken is not in the log; that it was renewed is.
    let story = || {
        let mut story = good().accepted("b");
        (story.version, story.lease) = (50, Some(50));
        second_ended(story.helm(12, "b", "2").held(13, "b"))
    };
    let verdict = story().verdict();
    assert!(verdict.doubled.iter().any(|found| found.contains("was not held")), "{verdict:?}");
    assert!(story().outage(11, 12).verdict().is_good(), "{:?}", story().outage(11, 12).verdict());
}

#[test]
fn an_unsigned_helm_and_a_helm_of_nothing_are_found() {
    let mut foreign = event(6, OPERATOR, "update", "secrets", "team", "sh.helm.release.v1.shop.v1");
    foreign.user_agent = "Helm/4".into();
    assert!(good().other(foreign).verdict().unexplained[0].contains("unsigned"));
    assert!(good().helm(6, "z", "1").verdict().doubled[0].contains("not recorded"));
}

#[test]
fn a_helm_in_a_pod_is_told_by_the_pod_and_held_to_the_same() {
    let in_pod = |at: i64, agent: &str| {
        let runner = "system:serviceaccount:slipway:slipway-runner";
        let mut write = event(at, runner, "update", "secrets", "team", "sh.helm.release.v1.shop.v1");
        write.user_agent = agent.into();
        write.extra.insert(POD.into(), vec!["slipway-run-a-x7k2p".into()]);
        write
    };
    let verdict = good().other(in_pod(7, "Helm/4")).verdict();
    assert_eq!((verdict.is_good(), verdict.counts["runs of helm that wrote"]), (false, 2), "{verdict:?}");
    assert!(verdict.doubled[0].contains("at once"));
    assert!(
        good().other(in_pod(12, "Helm/4")).verdict().doubled[0].contains("after the operation's outcome")
    );
    // The runner itself mends records under the Lease alone.
    assert!(good().other(in_pod(7, "")).verdict().is_good());
    assert!(good().other(in_pod(12, "")).verdict().doubled[0].contains("without a Lease"));
    // A token that is none of a pod's signs for nobody.
    let mut unsigned = in_pod(7, "Helm/4");
    unsigned.extra.clear();
    assert!(good().other(unsigned).verdict().unexplained[0].contains("unsigned"));
}

#[test]
fn what_people_do_is_theirs() {
    // Somebody uninstalls the release with a helm of their own, and copies a record of ours.
    let mut helm = event(6, VANDAL, "update", "secrets", "team", "sh.helm.release.v1.shop.v1");
    helm.user_agent = "Helm/4".into();
    assert!(good().other(helm).verdict().is_good());
    let mut story = good().written(12, "a", Failed);
    assert!(!story.verdict().is_good());
    story.evidence.audit.last_mut().unwrap().user = VANDAL.into();
    assert!(story.verdict().is_good(), "{:?}", story.verdict());
}

#[test]
fn a_later_operation_with_an_earlier_id_is_found() {
    let mut story = second_ended(second_begun().helm(12, "b", "2"));
    let id = OperationId("b".into());
    story.evidence.times.insert(id, Times { created: second(-1), written: second(20) });
    assert!(story.verdict().unexplained[0].contains("came before"), "{:?}", story.verdict());
}

#[test]
fn a_record_that_nobody_explains_or_that_belies_the_outcome_is_unexplained() {
    let story = |kind, state, status: Option<RecordStatus>| {
        let story = Story::default().accepted("a").held(0, "a").written(9, "a", state).free(10);
        let story = story.recorded("a", kind, state);
        match status {
            Some(status) => story.record(status),
            None => story,
        }
    };
    for (kind, state, status, found) in [
        (Install, Succeeded, Some(RecordStatus::Deployed), 0),
        // Left pending by a success that says nothing of it: not explained, and not true.
        (Install, Succeeded, Some(RecordStatus::PendingInstall), 2),
        (Install, Succeeded, Some(RecordStatus::Failed), 1),
        (Install, Succeeded, None, 1),
        (Install, Interrupted, Some(RecordStatus::PendingInstall), 0),
        (Install, Interrupted, None, 0),
        (Uninstall, Succeeded, None, 0),
        (Uninstall, Succeeded, Some(RecordStatus::Deployed), 1),
        (MarkFailed, Succeeded, Some(RecordStatus::Failed), 0),
        (MarkFailed, Succeeded, Some(RecordStatus::PendingUpgrade), 2),
    ] {
        let verdict = story(kind, state, status).verdict();
        assert_eq!(verdict.unexplained.len(), found, "{kind:?} {state:?} {status:?}: {verdict:?}");
    }
    // Somebody else's deed is no lie of ours.
    let mut vandal = event(12, VANDAL, "delete", "secrets", "team", "sh.helm.release.v1.shop.v1");
    assert!(story(Install, Succeeded, None).other(vandal.clone()).verdict().is_good());
    vandal.name = "sh.helm.release.v1.front.v1".into();
    assert!(!story(Install, Succeeded, None).other(vandal.clone()).verdict().is_good());
    // A namespace that goes takes all records along; one that went before the operation took none of its.
    (vandal.user, vandal.verb, vandal.name) = ("admin".into(), "deletecollection".into(), String::new());
    assert!(story(Install, Succeeded, None).other(vandal.clone()).verdict().is_good());
    (vandal.received, vandal.answered) = (second(-2), second(-1));
    assert!(!story(Install, Succeeded, None).other(vandal.clone()).verdict().is_good());
    (vandal.answered, vandal.namespace) = (second(12), "other".into());
    assert!(!story(Install, Succeeded, None).other(vandal).verdict().is_good());
    // A pending record without any operation on it.
    assert_eq!(Story::default().record(RecordStatus::PendingInstall).verdict().unexplained.len(), 1);
}

#[test]
fn an_outcome_without_a_cause_and_one_that_nobody_wrote_are_unexplained() {
    let mut story = Story::default().written(9, "a", Failed).recorded("a", Install, Failed);
    assert!(story.verdict().is_good());
    story.evidence.operations[0].outcome.as_mut().unwrap().failure = None;
    assert!(story.verdict().unexplained[0].contains("without a cause"));
    let unseen = Story::default().recorded("a", Install, Failed);
    assert!(unseen.verdict().unexplained[0].contains("nobody was seen"));
}

#[test]
fn what_is_left_over_and_who_disagrees_is_told() {
    let mut story = good();
    story.evidence.left.push("the Lease of a".into());
    story.evidence.disagreements.push("server 1 says of a".into());
    let verdict = story.verdict();
    assert_eq!((verdict.left.len(), verdict.unexplained.len()), (1, 1));
    assert!(!verdict.is_good());
}
