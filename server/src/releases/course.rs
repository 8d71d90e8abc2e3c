//! How an object came to be ready: when it was made, when helm wrote it last, and when it was ready after that. Pure.
//!
//! The cluster tells some of it at any time; the rest is kept as it is seen, for as long as somebody looks.

use app::model::{Health, ObjectRef, Timestamp};
use serde_json::Value;

use super::manifest::HookState;
use super::pods::time;

/// The course of one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// When it was made.
    pub created: Option<Timestamp>,
    /// When helm wrote it last, as far as it tells.
    pub applied: Option<Timestamp>,
    /// When it was first ready after that; for what failed, when it failed.
    pub settled: Option<Timestamp>,
}

/// What a timeline needs to know of one object of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coursed {
    /// The object.
    pub object: ObjectRef,
    /// The sub-chart that it comes from.
    pub source: String,
    /// The hook that it is, if it is one.
    pub hook: Option<HookState>,
    /// How it is doing.
    pub health: Health,
    /// That in one sentence.
    pub message: String,
    /// Its course.
    pub course: Course,
}

/// What an object tells of its course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// What it tells by itself.
    pub course: Course,
    /// When that was heard.
    pub heard: Timestamp,
    /// That it was heard the moment it happened; else it may have been so for long.
    pub is_news: bool,
}

impl Course {
    /// What is known after `told`, of an object with the health `now` that was known as `before`.
    pub fn after(before: Option<(Course, Health)>, told: Told, now: Health) -> Self {
        let Told { course, heard, is_news } = told;
        let same =
            before.filter(|(before, _)| before.created == course.created && before.applied == course.applied);
        let kept = same.and_then(|(before, _)| before.settled);
        let is_settled = |health| matches!(health, Health::Ready | Health::Failed);
        let was_settled = before.is_some_and(|(_, health)| is_settled(health));
        let seen = (is_news && before.is_some() && !was_settled && is_settled(now)).then_some(heard);
        // A pod that is started anew later is ready once more; the first time is what counts.
        let settled = match (kept, course.settled) {
            (Some(kept), Some(told)) => Some(kept.min(told)),
            (kept, told) => kept.or(told).or(seen),
        };
        Self { settled, ..course }
    }
}

/// When an object of `kind` in `group` came to the state that it is in, as it tells by itself. Of what is ready once it
/// exists that is when it was last `written`.
pub fn settled(
    group: &str,
    kind: &str,
    object: &Value,
    health: Health,
    written: Option<Timestamp>,
) -> Option<Timestamp> {
    if !matches!(health, Health::Ready | Health::Failed) {
        return None;
    }
    let condition = |kind: &str, field: &str| {
        let all = object["status"]["conditions"].as_array()?;
        let found = all.iter().find(|condition| condition["type"] == kind)?;
        (found["status"] == "True").then(|| time(&found[field]))?
    };
    match (group, kind, health) {
        // `Available` stays true in a rolling update; this one tells of the newest replica set.
        ("apps" | "extensions", "Deployment", Health::Ready) => condition("Progressing", "lastUpdateTime"),
        ("apps" | "extensions", "ReplicaSet" | "StatefulSet" | "DaemonSet", _) => None,
        ("batch", "Job", Health::Ready) => {
            time(&object["status"]["completionTime"]).or_else(|| condition("Complete", "lastTransitionTime"))
        }
        ("batch", "Job", _) => condition("Failed", "lastTransitionTime"),
        ("", "Pod", Health::Ready) => ended(object).or_else(|| condition("Ready", "lastTransitionTime")),
        ("", "Pod", _) => ended(object),
        ("", "PersistentVolumeClaim", _) => None,
        ("apiextensions.k8s.io", "CustomResourceDefinition", Health::Ready) => {
            condition("Established", "lastTransitionTime")
        }
        (_, _, Health::Ready) => condition("Ready", "lastTransitionTime").or_else(|| {
            let says_nothing = object["status"]["conditions"].as_array().is_none_or(Vec::is_empty);
            let exists =
                says_nothing || matches!(kind, "Service" | "HorizontalPodAutoscaler" | "PodDisruptionBudget");
            written.filter(|_| exists)
        }),
        _ => None,
    }
}

/// When a pod's last container ended, if all of them did.
fn ended(pod: &Value) -> Option<Timestamp> {
    let all = pod["status"]["containerStatuses"].as_array()?;
    let ends = all.iter().map(|status| time(&status["state"]["terminated"]["finishedAt"]));
    ends.collect::<Option<Vec<_>>>()?.into_iter().max()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const AT: &str = "1970-01-01T00:00:09Z";

    fn conditions(kind: &str, status: &str) -> Value {
        let condition =
            json!({"type": kind, "status": status, "lastTransitionTime": AT, "lastUpdateTime": AT});
        json!({"status": {"conditions": [condition]}})
    }

    #[test]
    fn each_kind_tells_in_its_own_way_since_when_it_is_ready() {
        use Health::{Failed, Progressing, Ready};
        let (nine, written) = (Some(Timestamp(9_000)), Some(Timestamp(5_000)));
        let finished =
            json!({"status": {"containerStatuses": [{"state": {"terminated": {"finishedAt": AT}}}]}});
        for (group, kind, object, health, expected) in [
            ("apps", "Deployment", conditions("Progressing", "True"), Ready, nine),
            ("apps", "Deployment", conditions("Progressing", "True"), Progressing, None),
            ("apps", "Deployment", conditions("Available", "True"), Ready, None),
            ("apps", "StatefulSet", conditions("Ready", "True"), Ready, None),
            ("batch", "Job", json!({"status": {"completionTime": AT}}), Ready, nine),
            ("batch", "Job", conditions("Failed", "True"), Failed, nine),
            ("", "Pod", conditions("Ready", "True"), Ready, nine),
            ("", "Pod", finished.clone(), Ready, nine),
            ("", "Pod", finished, Failed, nine),
            ("", "PersistentVolumeClaim", json!({}), Ready, None),
            (
                "apiextensions.k8s.io",
                "CustomResourceDefinition",
                conditions("Established", "True"),
                Ready,
                nine,
            ),
            ("example.org", "Widget", conditions("Ready", "True"), Ready, nine),
            ("example.org", "Widget", conditions("Synced", "True"), Ready, None),
            ("example.org", "Widget", json!({}), Ready, written),
            ("", "ConfigMap", json!({}), Ready, written),
            ("autoscaling", "HorizontalPodAutoscaler", conditions("AbleToScale", "True"), Ready, written),
            ("", "ConfigMap", json!({}), Health::Unknown, None),
        ] {
            assert_eq!(settled(group, kind, &object, health, written), expected, "{kind} {object}");
        }
    }

    #[test]
    fn what_the_cluster_does_not_tell_is_kept_as_it_is_seen() {
        use Health::{Progressing, Ready};
        let course = |applied: i64, settled: Option<i64>| Course {
            created: Some(Timestamp(1)),
            applied: Some(Timestamp(applied)),
            settled: settled.map(Timestamp),
        };
        for (case, before, told, is_news, health, settled) in [
            (
                "seen to become ready",
                Some((course(1, None), Progressing)),
                course(1, None),
                true,
                Ready,
                Some(7),
            ),
            ("ready when first seen", None, course(1, None), true, Ready, None),
            ("listed as ready", Some((course(1, None), Progressing)), course(1, None), false, Ready, None),
            ("told by itself", None, course(1, Some(4)), false, Ready, Some(4)),
            (
                "ready once more",
                Some((course(1, Some(3)), Progressing)),
                course(1, Some(6)),
                true,
                Ready,
                Some(3),
            ),
            (
                "kept while it is not ready",
                Some((course(1, Some(3)), Ready)),
                course(1, None),
                true,
                Progressing,
                Some(3),
            ),
            ("written anew", Some((course(1, Some(3)), Ready)), course(5, None), true, Progressing, None),
            (
                "ready as it was written anew",
                Some((course(1, Some(3)), Ready)),
                course(5, Some(6)),
                true,
                Ready,
                Some(6),
            ),
        ] {
            let told = Told { course: told, heard: Timestamp(7), is_news };
            assert_eq!(Course::after(before, told, health).settled, settled.map(Timestamp), "{case}");
        }
    }
}
