//! What tells how a hook's Job went. Pure.

use k8s_openapi::api::batch::v1::Job;
use kube::core::ObjectMeta;

use super::pod::joined;

/// The annotation by which helm knows its hooks.
const HOOK: &str = "helm.sh/hook";

/// Whether helm runs the object as a hook.
pub fn is_hook(metadata: &ObjectMeta) -> bool {
    metadata.annotations.as_ref().is_some_and(|annotations| annotations.contains_key(HOOK))
}

/// One hook's Job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenJob {
    /// Its identity.
    pub uid: String,
    /// Its name.
    pub name: String,
    /// It is complete.
    pub is_done: bool,
    /// Why it failed, if it did: Kubernetes' word and sentence.
    pub failed: Option<(String, String)>,
    /// It is being deleted, or gone.
    pub is_ending: bool,
}

impl SeenJob {
    /// Reads a Job; none if it is no hook.
    pub fn read(job: Job) -> Option<Self> {
        is_hook(&job.metadata).then_some(())?;
        let conditions = job.status.and_then(|status| status.conditions).unwrap_or_default();
        let is_true = |kind: &str| {
            conditions.iter().find(|condition| condition.type_ == kind && condition.status == "True")
        };
        // `FailureTarget` comes first: its pods are being ended, and `Failed` follows when they are gone.
        let failed = is_true("Failed").or_else(|| is_true("FailureTarget"));
        Some(Self {
            uid: job.metadata.uid?,
            name: job.metadata.name?,
            is_done: is_true("Complete").or_else(|| is_true("SuccessCriteriaMet")).is_some(),
            failed: failed.map(|condition| {
                (condition.reason.clone().unwrap_or_default(), condition.message.clone().unwrap_or_default())
            }),
            is_ending: job.metadata.deletion_timestamp.is_some(),
        })
    }

    /// Why it failed, where its pods do not tell: `DeadlineExceeded: …`
    pub fn words(&self) -> String {
        self.failed.as_ref().map(|(reason, message)| joined(reason, message)).unwrap_or_default()
    }
}
