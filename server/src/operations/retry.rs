//! Whether a failed attempt is followed by another, and how each attempt goes about it. Pure.

use std::time::Duration;

use app::model::failure::{CRD_RETRIES, CRD_YOUNG_SECONDS, CustomKind, Retry, TERMINATING_SECONDS};
use app::model::{Failure, Operation, OperationKind, RecordStatus, Timestamp};

use super::settle::{is_own, is_own_by, lacks_logs_alone};
use crate::kube::records::RecordMeta;

/// How long to wait after the first, second, … failed attempt; the last one counts for all that follow.
const PAUSES: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(5), Duration::from_secs(12)];
/// By how much a pause is lengthened at most, in percent of itself, so that what failed together is not tried together.
const JITTER_PERCENT: u32 = 25;

/// How long to wait before the next attempt; none when there is to be none. Only what passes by itself is tried again, and
/// only over a record that helm takes; tests that passed are done, whatever became of their logs. `records` are the release's, the newest first. `since` tells when the youngest of
/// custom kinds that the cluster did not know came to be defined; none if one of them is not.
pub fn pause_before_next(
    operation: &Operation,
    records: &[RecordMeta],
    since: Option<Timestamp>,
    now: Timestamp,
) -> Option<Duration> {
    let made = operation.attempts.len();
    let last = operation.attempts.last()?.failure.as_ref()?;
    if lacks_logs_alone(operation, last) {
        return None;
    }
    let is_left = u32::try_from(made).is_ok_and(|made| made < operation.max_attempts);
    let pause = *PAUSES.get(made.saturating_sub(1)).or(PAUSES.last())?;
    let pause = match last.retry() {
        Retry::Bounded => pause,
        // The attempts that are left are spread over the time that a namespace may take to go.
        Retry::WhileTerminating => {
            let left = operation.max_attempts.checked_sub(u32::try_from(made).ok()?)?;
            Duration::from_secs(u64::from(TERMINATING_SECONDS)).checked_div(left.saturating_mul(left + 1))?
        }
        Retry::IfCrdIsYoung { .. } => {
            let is_young = since.is_some_and(|since| now.since(since) < u64::from(CRD_YOUNG_SECONDS) * 1000);
            let is_early = u32::try_from(made).is_ok_and(|made| made <= CRD_RETRIES);
            pause.checked_mul(u32::from(is_young && is_early)).filter(|pause| !pause.is_zero())?
        }
        Retry::No => return None,
    };
    (is_left && can_go_on(operation, records)).then(|| pause + jitter(operation, pause))
}

/// The custom kinds whose definitions may be too new for helm, according to an operation's last attempt.
pub fn kinds_in_doubt(operation: &Operation) -> Vec<CustomKind> {
    let last = operation.attempts.last().and_then(|attempt| attempt.failure.as_ref());
    match last.map(Failure::retry) {
        Some(Retry::IfCrdIsYoung { kinds }) => kinds,
        _ => vec![],
    }
}

/// Whether helm takes the release again after this operation's failed attempt.
pub fn can_go_on(operation: &Operation, records: &[RecordMeta]) -> bool {
    let Some(latest) = records.first() else { return operation.kind == OperationKind::Install };
    let is_ours = is_own(operation, latest);
    match operation.kind {
        // Our helm could not write how it ended; it is dead, and the next attempt may say so in its place. Of another's
        // nobody knows.
        OperationKind::Install | OperationKind::Upgrade if latest.status.is_pending() => is_ours,
        OperationKind::Install => is_ours && latest.status == RecordStatus::Failed,
        // A record above our own is somebody else's work, which a second attempt would undo. Of a rollback's, its runner has
        // made sure besides that it is ours.
        OperationKind::Upgrade | OperationKind::Rollback => {
            is_ours || Some(latest.revision) == operation.base_revision
        }
        // helm calls it uninstalled although it could not delete everything, and then says only that it "is already deleted".
        OperationKind::Uninstall if operation.options.keep_history => {
            latest.status != RecordStatus::Uninstalled
        }
        OperationKind::Uninstall | OperationKind::Test | OperationKind::MarkFailed => true,
    }
}

/// The same operation waits the same time wherever it is computed: its id is random enough.
fn jitter(operation: &Operation, pause: Duration) -> Duration {
    let sum =
        operation.id.0.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    pause * (sum % (JITTER_PERCENT + 1)) / 100
}

/// What an attempt has to do to the release's record before, and with, its helm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Approach {
    /// The pending revision to mark as failed first: nobody works on it, and helm would refuse the release.
    pub mark_failed: Option<u32>,
    /// Install with `--replace`: helm would refuse the name else. Never by an upgrade, which could take a failed revision's
    /// values for its own.
    pub replace: bool,
}

/// How the attempt that has just begun goes about it, over these records, the newest first.
pub fn approach(operation: &Operation, records: &[RecordMeta]) -> Approach {
    let is_again = operation.attempts.len() > 1;
    let Some(latest) = records.first().filter(|_| is_again || operation.options.take_over) else {
        return Approach::default();
    };
    // Of what an earlier attempt left it is known that its helm is dead, and of what was there at the submission the same was
    // made sure. What has come since is somebody else's, and may be at work.
    let was_there = operation.options.take_over && Some(latest.revision) == operation.base_revision;
    let is_dead = was_there || is_own_by(operation, latest, operation.attempts.len().saturating_sub(1));
    let mark_failed =
        (operation.kind.takes_chart() && is_dead && latest.status.is_pending()).then_some(latest.revision);
    let replace = operation.kind == OperationKind::Install
        && (mark_failed.is_some()
            || matches!(latest.status, RecordStatus::Failed | RecordStatus::Uninstalled));
    Approach { mark_failed, replace }
}

#[cfg(test)]
mod tests {
    use OperationKind::{Install, Rollback, Uninstall, Upgrade};
    use app::model::{Attempt, OperationId, OperationOptions, OperationState};

    use super::*;
    use crate::operations::fakes::{operation, record};

    const NOW: Timestamp = Timestamp(1_000_000);
    const PASSING: &str = "Error: etcdserver: leader changed";

    fn after(kind: OperationKind, text: &str, attempts: u32, max_attempts: u32) -> Operation {
        let attempt = |number| Attempt {
            number,
            started: Timestamp(0),
            ended: Some(Timestamp(1)),
            exit_code: Some(1),
            failure: Some(Failure::told_by_helm(text)),
            revision: None,
            evidence: vec![],
        };
        Operation {
            kind,
            base_revision: (kind != Install).then_some(1),
            attempts: (1..=attempts).map(attempt).collect(),
            max_attempts,
            ..operation("a", OperationState::Running)
        }
    }

    fn own(revision: u32, status: RecordStatus) -> RecordMeta {
        RecordMeta { operation: Some(OperationId("a".into())), ..record(revision, status) }
    }

    #[test]
    fn only_what_passes_is_tried_again_and_only_while_attempts_are_left() {
        let pause = |text, made, most| pause_before_next(&after(Install, text, made, most), &[], None, NOW);
        for (made, at_least) in [(1, 2), (2, 5), (3, 12), (4, 12)] {
            let (least, most) = (Duration::from_secs(at_least), Duration::from_secs(at_least) * 5 / 4);
            let found = pause(PASSING, made, 5).unwrap();
            assert!((least..=most).contains(&found), "{made}: {found:?}");
        }
        assert_eq!(pause(PASSING, 5, 5), None);
        assert_eq!(pause(PASSING, 1, 1), None);
        assert_eq!(pause("Error: context deadline exceeded", 1, 3), None);
        assert_eq!(pause("Error: nobody knows this", 1, 3), None);
    }

    #[test]
    fn tests_that_passed_are_not_run_again_for_the_sake_of_their_logs() {
        const UNREAD: &str = "Error: unable to get pod logs for web-test: Get \"https://node\": dial tcp: connect: connection refused";
        let records = [record(1, RecordStatus::Deployed)];
        for (text, expected) in [(UNREAD, false), (&UNREAD.replace("unable to get pod logs for", ""), true)] {
            let operation = after(OperationKind::Test, text, 1, 3);
            let last = operation.attempts[0].failure.as_ref().unwrap();
            assert_eq!(last.retry(), Retry::Bounded, "{text}");
            assert_eq!(pause_before_next(&operation, &records, None, NOW).is_some(), expected, "{text}");
        }
    }

    #[test]
    fn a_namespace_that_is_being_deleted_is_given_two_minutes() {
        let text = "Error: secrets \"a\" is forbidden: unable to create new content in namespace ns because it is being \
                    terminated";
        for most in 1..=5 {
            let pauses = (1..=most)
                .map_while(|made| pause_before_next(&after(Install, text, made, most), &[], None, NOW));
            let pauses: Vec<_> = pauses.collect();
            assert_eq!(pauses.len(), most as usize - 1);
            assert!(pauses.iter().sum::<Duration>() <= Duration::from_secs(120), "{pauses:?}");
        }
    }

    #[test]
    fn a_kind_that_is_not_known_is_tried_again_only_while_its_definition_is_young() {
        let text = "Error: INSTALLATION FAILED: unable to build kubernetes objects from release manifest: resource mapping \
                    not found for name: \"w\" namespace: \"ns\" from \"\": no matches for kind \"Widget\" in version \
                    \"example.com/v1\"";
        let young = Some(Timestamp(NOW.0 - 30_000));
        let pause =
            |made, since| pause_before_next(&after(Install, text, made, 5), &[], since, NOW).is_some();
        assert_eq!(kinds_in_doubt(&after(Install, text, 1, 5))[0].kind, "Widget");
        assert!(pause(1, young) && pause(2, young) && !pause(3, young));
        assert!(!pause(1, None) && !pause(1, Some(Timestamp(NOW.0 - 90_000))));
    }

    #[test]
    fn operations_that_fail_together_are_not_tried_together() {
        let pause = |id: &str| {
            let operation = Operation { id: OperationId(id.into()), ..after(Install, PASSING, 1, 3) };
            pause_before_next(&operation, &[], None, NOW)
        };
        let different: std::collections::BTreeSet<_> =
            (0..20).map(|number| pause(&format!("id-{number}"))).collect();
        assert!(different.len() > 5, "{different:?}");
    }

    #[test]
    fn nothing_is_tried_over_a_record_that_helm_refuses_or_that_is_somebody_elses() {
        use RecordStatus::{Deployed, Failed, PendingInstall, PendingRollback, PendingUpgrade, Uninstalling};
        for (kind, records, expected) in [
            (Install, vec![], true),
            (Install, vec![own(1, Failed)], true),
            (Install, vec![own(1, PendingInstall)], true),
            (Install, vec![record(1, PendingInstall)], false),
            (Install, vec![own(1, Deployed)], false),
            (Install, vec![record(1, Failed)], false),
            (Upgrade, vec![own(2, Failed), record(1, Deployed)], true),
            (Upgrade, vec![record(1, Deployed)], true),
            (Upgrade, vec![own(2, PendingUpgrade), record(1, Deployed)], true),
            (Upgrade, vec![record(2, PendingUpgrade), record(1, Deployed)], false),
            (Upgrade, vec![record(2, Deployed)], false),
            (Upgrade, vec![], false),
            (Rollback, vec![record(2, PendingRollback)], true),
            (Rollback, vec![record(2, PendingUpgrade)], false),
            (Rollback, vec![record(3, Deployed)], false),
            (Uninstall, vec![record(1, Uninstalling)], true),
        ] {
            let operation = after(kind, PASSING, 1, 3);
            assert_eq!(
                pause_before_next(&operation, &records, None, NOW).is_some(),
                expected,
                "{kind:?} {records:?}"
            );
        }
    }

    #[test]
    fn an_uninstall_that_keeps_the_history_is_not_done_twice() {
        for (keep_history, status, expected) in [
            (true, RecordStatus::Uninstalling, true),
            (true, RecordStatus::Uninstalled, false),
            (false, RecordStatus::Uninstalled, true),
        ] {
            let options = OperationOptions { keep_history, ..OperationOptions::default() };
            let operation = Operation { options, ..after(Uninstall, PASSING, 1, 3) };
            assert_eq!(can_go_on(&operation, &[record(1, status)]), expected, "{keep_history} {status:?}");
        }
    }

    #[test]
    fn what_somebody_else_has_begun_since_is_left_to_them_although_it_bears_our_label() {
        // Between two attempts, or between a submission and its first one.
        for (attempts, take_over, base, latest) in [
            (2, false, None, own(2, RecordStatus::PendingUpgrade)),
            (1, true, Some(1), record(2, RecordStatus::PendingUpgrade)),
        ] {
            let options = OperationOptions { take_over, ..OperationOptions::default() };
            let operation =
                Operation { options, base_revision: base, ..after(Install, PASSING, attempts, 3) };
            assert_eq!(approach(&operation, &[latest]), Approach::default(), "{attempts} {take_over}");
        }
    }

    #[test]
    fn an_attempt_takes_the_approach_that_helm_accepts() {
        use RecordStatus::{Deployed, Failed, PendingInstall, PendingRollback, PendingUpgrade};
        let same = Approach::default();
        let replacing = Approach { replace: true, ..same };
        for (kind, attempts, take_over, latest, expected) in [
            (Install, 1, false, None, same),
            (Install, 2, false, None, same),
            (Install, 2, false, Some(own(1, Failed)), replacing),
            (Install, 1, true, Some(record(1, Failed)), replacing),
            (
                Install,
                1,
                true,
                Some(own(1, PendingInstall)),
                Approach { mark_failed: Some(1), replace: true },
            ),
            (
                Install,
                2,
                false,
                Some(own(1, PendingInstall)),
                Approach { mark_failed: Some(1), replace: true },
            ),
            (Upgrade, 2, false, Some(own(2, Failed)), same),
            (
                Upgrade,
                2,
                false,
                Some(own(2, PendingUpgrade)),
                Approach { mark_failed: Some(2), replace: false },
            ),
            (Rollback, 2, false, Some(record(2, PendingRollback)), same),
            (
                Upgrade,
                1,
                true,
                Some(own(2, PendingUpgrade)),
                Approach { mark_failed: Some(2), replace: false },
            ),
            (Upgrade, 1, true, Some(record(1, Deployed)), same),
        ] {
            let options = OperationOptions { take_over, ..OperationOptions::default() };
            let mut operation = Operation { options, ..after(kind, PASSING, attempts, 3) };
            let records: Vec<_> = latest.into_iter().collect();
            if take_over {
                operation.base_revision = records.first().map(|latest| latest.revision);
            }
            assert_eq!(
                approach(&operation, &records),
                expected,
                "{kind:?} {attempts} {take_over} {records:?}"
            );
        }
    }
}
