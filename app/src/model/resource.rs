//! The live resources of a release, and how many of them are ready.

use serde::{Deserialize, Serialize};

use super::time::Timestamp;

/// One Kubernetes object, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ObjectRef {
    /// `apps/v1`, `v1`, …; empty where a message does not tell.
    pub api_version: String,
    /// `Deployment`, …
    pub kind: String,
    /// None for a cluster-scoped object.
    pub namespace: Option<String>,
    /// The object's name.
    pub name: String,
}

/// How an object is doing, as kstatus (`sigs.k8s.io/cli-utils`) judges it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Health {
    /// It is what its specification asks for.
    Ready,
    /// On its way.
    Progressing,
    /// It will not get there by itself.
    Failed,
    /// The manifest names it and the cluster does not have it.
    Missing,
    /// The cluster does not have it, for its turn has not come: a hook that has not run, or what helm is still to make.
    NotYet,
    /// It is being deleted.
    Terminating,
    /// It could not be read, or its kind is not known.
    Unknown,
}

/// One object of the release's manifest, with its live state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// The object.
    pub object: ObjectRef,
    /// The sub-chart that it comes from (`# Source:`), by path: `platform`, `platform/auth`; empty if the manifest does not tell.
    pub source: String,
    /// The hook events of a hook (`pre-install`, …); empty for an ordinary object.
    pub hooks: Vec<String>,
    /// How it is doing.
    pub health: Health,
    /// One short sentence: `2 of 3 replicas ready`, or why it is failed, missing or unknown.
    pub message: String,
    /// When it was created.
    pub created: Option<Timestamp>,
}

/// How many resources are ready, in all and by sub-chart. Hooks are not counted: most are gone when they are done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Progress {
    /// Ready.
    pub ready: u32,
    /// Failed.
    pub failed: u32,
    /// All.
    pub total: u32,
    /// By sub-chart, in the manifest's order.
    pub groups: Vec<ProgressGroup>,
}

/// One sub-chart's part of the progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ProgressGroup {
    /// The sub-chart, as in [`Resource::source`].
    pub source: String,
    /// Ready.
    pub ready: u32,
    /// Failed.
    pub failed: u32,
    /// All.
    pub total: u32,
}

/// What is missing in `resources` is still to come while helm is at it, as `phase` tells.
#[cfg(feature = "ssr")]
pub fn awaited(resources: &mut [Resource], phase: &super::Phase) {
    use super::{OperationKind, Phase, RecordStatus};
    let makes = |kind: &OperationKind| {
        matches!(kind, OperationKind::Install | OperationKind::Upgrade | OperationKind::Rollback)
    };
    let is_coming = match phase {
        Phase::Queued { kind } | Phase::Working { kind, .. } | Phase::Retrying { kind, .. } => makes(kind),
        Phase::Pending { status } => *status != RecordStatus::Uninstalling,
        _ => false,
    };
    for resource in resources.iter_mut().filter(|it| is_coming && it.health == Health::Missing) {
        resource.health = Health::NotYet;
        "Not created yet".clone_into(&mut resource.message);
    }
}

impl Progress {
    /// Counts `resources`.
    pub fn of(resources: &[Resource]) -> Self {
        let mut progress = Self::default();
        for resource in resources.iter().filter(|resource| resource.hooks.is_empty()) {
            let (ready, failed) =
                (u32::from(resource.health == Health::Ready), u32::from(resource.health == Health::Failed));
            progress.ready += ready;
            progress.failed += failed;
            progress.total += 1;
            let place = progress.groups.iter().position(|group| group.source == resource.source);
            let place = place.unwrap_or_else(|| {
                progress.groups.push(ProgressGroup {
                    source: resource.source.clone(),
                    ready: 0,
                    failed: 0,
                    total: 0,
                });
                progress.groups.len() - 1
            });
            if let Some(group) = progress.groups.get_mut(place) {
                group.ready += ready;
                group.failed += failed;
                group.total += 1;
            }
        }
        progress
    }

    /// Ready resources in percent; 100 when there are none to wait for.
    pub fn percent(&self) -> u32 {
        (self.ready * 100).checked_div(self.total).unwrap_or(100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(name: &str, source: &str, health: Health) -> Resource {
        Resource {
            object: ObjectRef {
                api_version: "v1".into(),
                kind: "Service".into(),
                namespace: Some("ns".into()),
                name: name.into(),
            },
            source: source.into(),
            hooks: vec![],
            health,
            message: String::new(),
            created: None,
        }
    }

    #[test]
    fn progress_is_counted_in_all_and_by_sub_chart() {
        let progress = Progress::of(&[
            resource("a", "p/x", Health::Ready),
            resource("b", "p/y", Health::Progressing),
            resource("c", "p/x", Health::Failed),
        ]);
        assert_eq!((progress.ready, progress.failed, progress.total, progress.percent()), (1, 1, 3, 33));
        let groups: Vec<_> = progress.groups.iter().map(|g| (g.source.as_str(), g.ready, g.total)).collect();
        assert_eq!(groups, [("p/x", 1, 2), ("p/y", 0, 1)]);
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn what_helm_is_still_to_make_is_not_missing() {
        use crate::model::{OperationKind, Phase, Step};
        let working = |kind| Phase::Working { kind, step: Step::RunningHooks, attempt: 1, max_attempts: 1 };
        for (phase, expected) in [
            (working(OperationKind::Install), Health::NotYet),
            (working(OperationKind::Uninstall), Health::Missing),
            (working(OperationKind::Test), Health::Missing),
            (Phase::Failed { kind: Some(OperationKind::Install) }, Health::Missing),
            (Phase::Deployed, Health::Missing),
        ] {
            let mut all = [resource("a", "p", Health::Missing), resource("b", "p", Health::Ready)];
            awaited(&mut all, &phase);
            assert_eq!(all.map(|it| it.health), [expected, Health::Ready], "{phase:?}");
        }
    }

    #[test]
    fn a_hook_is_not_waited_for() {
        let mut hook = resource("job", "p", Health::Missing);
        hook.hooks = vec!["pre-install".into()];
        assert_eq!(Progress::of(&[hook]).total, 0);
    }

    #[test]
    fn nothing_to_wait_for_is_all_of_it_ready() {
        assert_eq!(Progress::default().percent(), 100);
    }
}
