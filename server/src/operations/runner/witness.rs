//! What was seen in the cluster, put beside what helm says.

use app::model::{FailureClass, ObjectRef, Operation, OperationKind};

use tokio::sync::watch;

use crate::operations::{Stop, Testimony, Witness};

/// Begins to watch what `operation` does to the cluster; none where it does nothing that could be seen.
pub(super) async fn attend(witness: &dyn Witness, operation: &Operation) -> Option<Box<dyn Testimony>> {
    let is_seen = !operation.options.dry_run && operation.kind != OperationKind::MarkFailed;
    if is_seen { Some(witness.attend(operation).await) } else { None }
}

/// Keeps what was seen during the last attempt of `operation`, if it failed. helm's text on a hook or a time-out seldom
/// names an object and never says why: the first that is to blame is told with the cause, or, of a hook, as the cause. Whoever has lost the right to go
/// on writes nothing, and does not wait for it.
pub(super) async fn explain(
    operation: &mut Operation,
    testimony: Option<Box<dyn Testimony>>,
    stop: &watch::Sender<Stop>,
) {
    let Some(testimony) = testimony else { return };
    let Some(attempt) = operation.attempts.last_mut() else { return };
    let Some(failure) = &mut attempt.failure else { return };
    let mut told = stop.subscribe();
    attempt.evidence = tokio::select! {
        evidence = testimony.explain(failure) => evidence,
        _ = told.wait_for(|stop| *stop == Stop::AtOnce) => return,
    };
    let told = matches!(failure.class, FailureClass::Hook | FailureClass::Test | FailureClass::TimedOut);
    if let Some(first) = attempt.evidence.first().filter(|_| told) {
        failure.object = Some(first.object.clone());
        failure.cause = match (failure.class, first.last_words()) {
            (FailureClass::Hook, Some(verbatim)) => {
                let ObjectRef { kind, name, .. } = &first.object;
                format!("{kind} {name} failed and said: {verbatim}")
            }
            // helm's own words say no more than that there is one.
            (FailureClass::Hook, None) => first.reason.clone(),
            _ => format!("{} {}", failure.cause, first.reason),
        };
    }
}

#[cfg(test)]
pub(super) mod tests {
    use app::model::{ContainerEvidence, Evidence, Failure, OperationState, PodEvidence};

    use super::*;
    use crate::clock::cluster::local;
    use crate::operations::fakes::{FakeWitness, operation};
    use crate::operations::runner::attempt;

    /// Evidence without pods.
    pub(crate) fn evidence(kind: &str, name: &str, reason: &str) -> Evidence {
        let object = ObjectRef {
            api_version: String::new(),
            kind: kind.into(),
            namespace: Some("shop".into()),
            name: name.into(),
        };
        Evidence { object, reason: reason.into(), pods: vec![], events: vec![] }
    }

    async fn explained(text: &str) -> (Failure, usize) {
        let mut operation = attempt::begun(&operation("a", OperationState::Queued), local());
        operation.attempts[0].failure = Some(Failure::told_by_helm(text));
        let witness = FakeWitness::default();
        witness.tells(vec![evidence("Deployment", "web", "Deployment shop/web is not ready: no node."); 2]);
        let testimony = attend(&witness, &operation).await;
        explain(&mut operation, testimony, &watch::Sender::new(Stop::No)).await;
        let attempt = operation.attempts.remove(0);
        (attempt.failure.unwrap(), attempt.evidence.len())
    }

    #[tokio::test]
    async fn a_time_out_is_told_with_the_first_object_that_is_to_blame() {
        let (failure, evidence) = explained("Error: INSTALLATION FAILED: context deadline exceeded").await;
        assert_eq!(failure.object.unwrap().name, "web");
        assert!(
            failure.cause.ends_with(" in time. Deployment shop/web is not ready: no node."),
            "{}",
            failure.cause
        );
        assert_eq!(evidence, 2);
    }

    #[tokio::test]
    async fn a_hook_that_failed_is_told_with_its_own_last_words() {
        let text = "Error: INSTALLATION FAILED: failed pre-install: resource Job/shop/migrate not ready. status: Failed";
        let mut operation = attempt::begun(&operation("a", OperationState::Queued), local());
        operation.attempts[0].failure = Some(Failure::told_by_helm(text));
        let container = ContainerEvidence {
            name: "migrate".into(),
            exit_code: Some(1),
            log: "migrating\nrelation \"orders\" does not exist\n".into(),
            ..ContainerEvidence::default()
        };
        let mut told =
            evidence("Job", "migrate", "Job shop/migrate failed: container migrate exited with 1.");
        told.pods = vec![PodEvidence {
            name: "migrate-x".into(),
            phase: "Failed".into(),
            containers: vec![container],
        }];
        let witness = FakeWitness::default();
        witness.tells(vec![told.clone()]);
        let testimony = attend(&witness, &operation).await;
        explain(&mut operation, testimony, &watch::Sender::new(Stop::No)).await;
        let failure = operation.attempts[0].failure.clone().unwrap();
        assert_eq!(failure.cause, "Job migrate failed and said: relation \"orders\" does not exist");

        told.pods.clear();
        operation.attempts[0].failure = Some(Failure::told_by_helm(text));
        witness.tells(vec![told]);
        let testimony = attend(&witness, &operation).await;
        explain(&mut operation, testimony, &watch::Sender::new(Stop::No)).await;
        let failure = operation.attempts[0].failure.clone().unwrap();
        assert_eq!(failure.cause, "Job shop/migrate failed: container migrate exited with 1.");
    }

    /// Never comes to an end.
    struct FakeTestimony;

    #[async_trait::async_trait]
    impl Testimony for FakeTestimony {
        async fn explain(self: Box<Self>, _: &Failure) -> Vec<Evidence> {
            std::future::pending().await
        }
    }

    #[tokio::test]
    async fn who_has_lost_the_lease_does_not_wait_for_an_explanation() {
        let mut operation = attempt::begun(&operation("a", OperationState::Queued), local());
        operation.attempts[0].failure = Some(Failure::told_by_helm("context deadline exceeded"));
        let stop = watch::Sender::new(Stop::Asked);
        let (before, lost) = (operation.clone(), stop.clone());
        let lose = async { lost.send_replace(Stop::AtOnce) };
        tokio::join!(explain(&mut operation, Some(Box::new(FakeTestimony)), &stop), lose);
        assert_eq!(operation, before);
    }

    #[tokio::test]
    async fn nobody_watches_what_changes_nothing() {
        let mut dry = operation("a", OperationState::Running);
        dry.options.dry_run = true;
        assert!(attend(&FakeWitness::default(), &dry).await.is_none());
    }

    #[tokio::test]
    async fn what_helm_tells_clearly_is_left_as_helm_tells_it() {
        let text = "Error: INSTALLATION FAILED: cannot re-use a name that is still in use";
        let (failure, evidence) = explained(text).await;
        assert_eq!((failure.object, failure.cause), (None, Failure::told_by_helm(text).cause));
        assert_eq!(evidence, 2, "what was seen is kept all the same");
    }
}
