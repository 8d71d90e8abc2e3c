//! What is said about a release that is not simply well: one notice for the API and the page alike. Honest about what is
//! known: a dead helm is proven for an operation of ours, and for nobody else's.

use serde::{Deserialize, Serialize};

use super::{Failure, Tone};

/// A notice on a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// Its colour.
    pub tone: Tone,
    /// What the matter is, in one line.
    pub title: String,
    /// What it means and what to do, in sentences; empty if the title says all.
    pub text: String,
    /// What failed, where something did.
    pub failure: Option<Failure>,
}

#[cfg(feature = "ssr")]
pub use told::{Host, notice, step, with_hook};

#[cfg(feature = "ssr")]
mod told {
    use super::Notice;
    use crate::model::phase::STUCK_AFTER_MS;
    use crate::model::{
        Failure, Health, Operation, OperationKind, OperationState, Phase, RecordStatus, ReleaseRecord,
        Resource, Step, Tone,
    };

    /// Whose server must start an operation, where that is not the one that tells.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Host {
        /// The server of the user who asked for it: its runners have their rights.
        Of(String),
        /// Any that launches Jobs.
        WithJobs,
    }

    /// The notice that a phase calls for.
    pub fn notice(
        phase: &Phase,
        operation: Option<&Operation>,
        record: Option<&ReleaseRecord>,
    ) -> Option<Notice> {
        let failure = || operation.and_then(Operation::failure).cloned();
        match phase {
            Phase::Interrupted { kind } => {
                let title = format!("The {} was interrupted", noun(*kind));
                let failure = failure();
                let text = match failure {
                    Some(_) => "",
                    None => "Its runner stopped renewing its Lease: nothing is at work on this release.",
                };
                Some(Notice { failure, ..plain(Tone::Warning, title, text) })
            }
            Phase::Cancelled { kind } => {
                let title = format!("The {} was cancelled", noun(*kind));
                Some(Notice { failure: failure(), ..plain(Tone::Neutral, title, "") })
            }
            Phase::Failed { kind: Some(kind) } => {
                let failure = failure();
                let title = match &failure {
                    Some(failure) => failure.cause.clone(),
                    None => format!("The {} failed", noun(*kind)),
                };
                Some(Notice { failure, ..plain(Tone::Danger, title, "") })
            }
            // helm's one line in the record is all that is known of what others did.
            Phase::Failed { kind: None } => {
                let told = record.and_then(|record| record.detail.summary()?.description.as_deref());
                let failure = told.map(Failure::told_by_helm);
                let title = "The last operation on this release failed".to_owned();
                Some(Notice { failure, ..plain(Tone::Danger, title, "") })
            }
            Phase::Retrying { attempt, .. } => {
                let failure = operation?.attempts.last()?.failure.clone()?;
                // What to do about it is being done.
                let failure = Failure { advice: None, next: vec![], ..failure };
                let title = format!("Attempt {} failed. It may pass: it is tried again.", attempt - 1);
                Some(Notice { failure: Some(failure), ..plain(Tone::Warning, title, "") })
            }
            // An upgrade that came to nothing, or that helm undid.
            Phase::Deployed if operation.is_some_and(|operation| left_as_it_was(operation, record)) => {
                let what = noun(operation?.kind);
                let title = match operation?.state {
                    OperationState::Cancelled => {
                        format!("The {what} was cancelled; the release is as it was")
                    }
                    OperationState::Interrupted => {
                        format!("The {what} was interrupted; the release is as it was")
                    }
                    _ => format!("The {what} failed; the release is as it was"),
                };
                Some(Notice { failure: failure(), ..plain(Tone::Warning, title, "") })
            }
            // Tests change nothing that the phase tells.
            Phase::Deployed => {
                let tests = operation.filter(|operation| operation.kind == OperationKind::Test)?;
                match tests.state {
                    OperationState::Failed | OperationState::Cancelled | OperationState::Interrupted => {
                        let title = format!("The release’s tests: {}", tests.state.as_str());
                        Some(Notice { failure: failure(), ..plain(Tone::Warning, title, "") })
                    }
                    OperationState::Succeeded => {
                        Some(plain(Tone::Success, "The release’s tests passed".to_owned(), ""))
                    }
                    _ => None,
                }
            }
            phase => without_failure(phase, record),
        }
    }

    fn without_failure(phase: &Phase, record: Option<&ReleaseRecord>) -> Option<Notice> {
        let (tone, title, text) = match phase {
            Phase::Pending { status } => (
                Tone::Neutral,
                "Begun outside of Slipway, and not finished".to_owned(),
                format!(
                    "The record says “{}”, and no operation of Slipway’s wrote that. Whether a Helm is still at work on it \
                     cannot be known from here. The page follows what can be seen: the record and the resources. If the \
                     record says the same {} minutes after it was written, the ways out are offered.",
                    status.as_str(),
                    STUCK_AFTER_MS / 60_000
                ),
            ),
            Phase::Stuck { status } => (
                Tone::Warning,
                format!("The record has said “{}” for longer than a Helm takes", status.as_str()),
                "Whether a Helm is still at work somewhere cannot be known from here. If you are sure that there is \
                 none, these are the ways out."
                    .to_owned(),
            ),
            Phase::Uninstalled => {
                let kept = record.is_some_and(|record| record.status == RecordStatus::Uninstalled);
                let text = if kept {
                    "Its resources are gone; its history was kept."
                } else {
                    "Its resources and its history are gone."
                };
                let tone = if kept { Tone::Neutral } else { Tone::Success };
                (tone, "This release is uninstalled".to_owned(), text.to_owned())
            }
            Phase::Superseded => (
                Tone::Warning,
                "No revision of this release is active".to_owned(),
                "Its newest revision is superseded, and the one that took its place is not there: a clean-up may have \
                 removed it. An upgrade makes a new one."
                    .to_owned(),
            ),
            Phase::Unknown => (
                Tone::Warning,
                "Helm does not know the state of this release".to_owned(),
                "Look at its resources and its history before you change it.".to_owned(),
            ),
            _ => return None,
        };
        Some(plain(tone, title, &text))
    }

    /// Whether an operation that would have changed the release ended without that, and nothing was done since.
    fn left_as_it_was(operation: &Operation, record: Option<&ReleaseRecord>) -> bool {
        let is_without_success =
            operation.state.is_terminal() && operation.state != OperationState::Succeeded;
        let left = operation.outcome.as_ref().and_then(|outcome| outcome.revision);
        is_without_success
            && !matches!(operation.kind, OperationKind::Test | OperationKind::MarkFailed)
            && left.is_some()
            && left == record.map(|record| record.revision)
    }

    fn plain(tone: Tone, title: String, text: &str) -> Notice {
        Notice { tone, title, text: text.to_owned(), failure: None }
    }

    fn noun(kind: OperationKind) -> &'static str {
        match kind {
            OperationKind::MarkFailed => "change of the record",
            kind => kind.as_str(),
        }
    }

    fn in_line(place: u32) -> String {
        match (place % 10, place % 100) {
            (1..=3, 11..=13) => format!("{place}th in line"),
            (1, _) => format!("{place}st in line"),
            (2, _) => format!("{place}nd in line"),
            (3, _) => format!("{place}rd in line"),
            _ => format!("{place}th in line"),
        }
    }

    /// What is going on, at which `place` in the queue, in a few words without a full stop; none while nothing is. `host` is
    /// whose server must start it, where that is not this one.
    pub fn step(
        phase: &Phase,
        operation: Option<&Operation>,
        place: Option<u32>,
        host: Option<&Host>,
    ) -> Option<String> {
        let wish = operation.filter(|operation| !operation.state.is_terminal());
        if let Some(cancel) = wish.and_then(|operation| operation.cancel.as_ref()) {
            return Some(format!("Cancelling… asked for by {}", cancel.by));
        }
        match phase {
            Phase::Working { step, .. } => Some(step.words().to_owned()),
            // Whatever its place is, it is not this server that it begins by.
            Phase::Queued { .. } => Some(match (host, place) {
                (Some(Host::Of(user)), _) => {
                    format!("Waiting for the Slipway of {user}: only that one may run it")
                }
                (Some(Host::WithJobs), _) => {
                    "Waiting for a Slipway that launches Jobs: this one does not".to_owned()
                }
                (None, Some(0 | 1)) => "Next in line".to_owned(),
                (None, Some(place)) => in_line(place),
                (None, None) => "Waiting for a runner".to_owned(),
            }),
            Phase::Retrying { .. } => Some("Waiting before the next attempt".to_owned()),
            _ => None,
        }
    }

    /// The `words` of what is going on, with the hook that runs, where one does.
    pub fn with_hook(words: String, phase: &Phase, live: &[Resource]) -> String {
        let Phase::Working { step: step @ (Step::RunningHooks | Step::Finishing), .. } = phase else {
            return words;
        };
        let running = live.iter().find(|it| !it.hooks.is_empty() && it.health == Health::Progressing);
        match running.filter(|_| words == step.words()) {
            Some(Resource { object, .. }) => {
                format!("{}: {} {}", Step::RunningHooks.words(), object.kind, object.name)
            }
            None => words,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::model::operation::Cancel;
        use crate::model::phase::tests::{operation, record};
        use crate::model::{ObjectRef, Timestamp};

        #[test]
        fn only_our_own_operation_is_said_to_be_dead() {
            let ours = notice(&Phase::Interrupted { kind: OperationKind::Upgrade }, None, None).unwrap();
            assert!(ours.text.contains("nothing is at work"));
            let foreign = notice(&Phase::Stuck { status: RecordStatus::PendingUpgrade }, None, None).unwrap();
            assert!(foreign.text.contains("cannot be known"));
            let young = notice(&Phase::Pending { status: RecordStatus::PendingUpgrade }, None, None).unwrap();
            assert!(young.text.contains("cannot be known") && young.text.contains("15 minutes"));
        }

        #[test]
        fn a_release_that_is_well_needs_no_notice() {
            let ours = operation(OperationKind::Install, OperationState::Succeeded, None, Some(1));
            assert_eq!(notice(&Phase::Deployed, Some(&ours), None), None);
            assert_eq!(notice(&Phase::Deployed, None, None), None);
        }

        #[test]
        fn an_upgrade_that_came_to_nothing_is_told_until_something_else_is_done() {
            let told = |state, latest| {
                let ours = operation(OperationKind::Upgrade, state, Some(1), Some(1));
                let record = record(latest, RecordStatus::Deployed);
                notice(&Phase::Deployed, Some(&ours), Some(&record)).map(|notice| notice.title)
            };
            let title = told(OperationState::Failed, 1);
            assert_eq!(title.as_deref(), Some("The upgrade failed; the release is as it was"));
            assert_eq!(told(OperationState::Failed, 2), None);
            assert_eq!(told(OperationState::Succeeded, 1), None);
        }

        #[test]
        fn tests_that_ran_are_told_of() {
            let told = |state| {
                let ours = operation(OperationKind::Test, state, Some(1), Some(1));
                notice(&Phase::Deployed, Some(&ours), None).map(|notice| notice.tone)
            };
            assert_eq!(told(OperationState::Succeeded), Some(Tone::Success));
            assert_eq!(told(OperationState::Failed), Some(Tone::Warning));
        }

        #[test]
        fn a_history_that_was_kept_is_not_said_to_be_gone() {
            let told =
                |record: Option<&ReleaseRecord>| notice(&Phase::Uninstalled, None, record).unwrap().text;
            assert!(told(Some(&record(1, RecordStatus::Uninstalled))).contains("kept"));
            assert!(told(None).contains("history are gone"));
        }

        #[test]
        fn the_wish_to_cancel_is_told_until_the_end() {
            let working = Phase::Working {
                kind: OperationKind::Install,
                step: Step::Applying,
                attempt: 1,
                max_attempts: 3,
            };
            let mut ours = operation(OperationKind::Install, OperationState::Running, None, None);
            assert_eq!(step(&working, Some(&ours), None, None).as_deref(), Some("Creating resources"));
            ours.cancel = Some(Cancel { by: "ada".into(), at: Timestamp(0) });
            assert_eq!(
                step(&working, Some(&ours), None, None).as_deref(),
                Some("Cancelling… asked for by ada")
            );
            ours.state = OperationState::Cancelled;
            assert_eq!(
                step(&Phase::Cancelled { kind: OperationKind::Install }, Some(&ours), None, None),
                None
            );
        }

        #[test]
        fn the_place_in_the_queue_is_told() {
            let queued = Phase::Queued { kind: OperationKind::Install };
            for (place, words) in [
                (None, "Waiting for a runner"),
                (Some(1), "Next in line"),
                (Some(2), "2nd in line"),
                (Some(3), "3rd in line"),
                (Some(11), "11th in line"),
                (Some(21), "21st in line"),
                (Some(112), "112th in line"),
            ] {
                assert_eq!(step(&queued, None, place, None).as_deref(), Some(words));
            }
        }

        #[test]
        fn whose_server_is_to_start_it_is_told_whatever_its_place() {
            let queued = Phase::Queued { kind: OperationKind::Install };
            for (host, words) in [
                (Host::Of("ada".into()), "Waiting for the Slipway of ada: only that one may run it"),
                (Host::WithJobs, "Waiting for a Slipway that launches Jobs: this one does not"),
            ] {
                for place in [None, Some(1), Some(7)] {
                    assert_eq!(step(&queued, None, place, Some(&host)).as_deref(), Some(words));
                }
            }
        }

        #[test]
        fn while_a_hook_runs_it_is_named() {
            let hook = |health| Resource {
                object: ObjectRef {
                    api_version: "batch/v1".into(),
                    kind: "Job".into(),
                    namespace: None,
                    name: "migrate".into(),
                },
                source: String::new(),
                hooks: vec!["pre-install".into()],
                health,
                message: String::new(),
                created: None,
            };
            let kind = OperationKind::Install;
            for (step, health, words) in [
                (Step::RunningHooks, Health::Progressing, "Running hooks: Job migrate"),
                (Step::RunningHooks, Health::NotYet, "Running hooks"),
                (Step::Finishing, Health::Progressing, "Running hooks: Job migrate"),
                (Step::Waiting, Health::Progressing, "Waiting for resources to become ready"),
            ] {
                let phase = Phase::Working { kind, step, attempt: 1, max_attempts: 1 };
                assert_eq!(with_hook(step.words().to_owned(), &phase, &[hook(health)]), words);
            }
            let phase = Phase::Working { kind, step: Step::RunningHooks, attempt: 1, max_attempts: 1 };
            let cancelling = "Cancelling… asked for by ada".to_owned();
            assert_eq!(with_hook(cancelling.clone(), &phase, &[hook(Health::Progressing)]), cancelling);
        }
    }
}
