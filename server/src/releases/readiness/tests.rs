use Health::*;
use serde_json::json;

use super::*;

/// `type status reason` each.
fn conditions(texts: &[&str]) -> Value {
    texts
        .iter()
        .map(|text| {
            let words: Vec<&str> = text.split(' ').collect();
            json!({"type": words[0], "status": words[1], "reason": words.get(2).unwrap_or(&""), "message": ""})
        })
        .collect()
}

/// Each row: what it is, the object, what is to come of it.
fn table(group: &str, kind: &str, rows: &[(&str, Value, Health, &str)]) {
    for (case, object, health, message) in rows {
        assert_eq!(judge(group, kind, object), Verdict::new(*health, *message), "{kind}: {case}");
    }
}

#[test]
fn deployments() {
    let with = |made: i64, updated: i64, ready: i64, available: i64, told: &[&str]| {
        json!({
            "metadata": {"generation": 2},
            "spec": {"replicas": 3, "progressDeadlineSeconds": 600},
            "status": {
                "observedGeneration": 2, "replicas": made, "updatedReplicas": updated,
                "readyReplicas": ready, "availableReplicas": available, "conditions": conditions(told),
            },
        })
    };
    let done = ["Progressing True NewReplicaSetAvailable", "Available True MinimumReplicasAvailable"];
    let late = ["Progressing False ProgressDeadlineExceeded", "Available False MinimumReplicasUnavailable"];
    let quota = ["ReplicaFailure True FailedCreate"];
    let mut without_deadline = with(3, 3, 3, 3, &done[1..]);
    without_deadline["spec"]["progressDeadlineSeconds"] = json!(i32::MAX);
    let one = json!({"status": {"replicas": 1, "updatedReplicas": 1}});
    let none = json!({"spec": {"replicas": 0}, "status": {"conditions": conditions(&done)}});
    table(
        "apps",
        "Deployment",
        &[
            ("new", json!({"spec": {"replicas": 3}}), Progressing, "0 of 3 replicas updated"),
            ("rolling", with(3, 1, 3, 3, &[]), Progressing, "1 of 3 replicas updated"),
            ("starting", with(3, 3, 2, 2, &[]), Progressing, "2 of 3 replicas ready"),
            ("surge", with(4, 3, 4, 4, &[]), Progressing, "1 of its former replicas still to end"),
            (
                "not settled",
                with(3, 3, 3, 3, &done[1..]),
                Progressing,
                "Its new replica set is not complete yet",
            ),
            ("not available", with(3, 3, 3, 3, &done[..1]), Progressing, "Not available yet"),
            ("done", with(3, 3, 3, 3, &done), Ready, "3 of 3 replicas ready"),
            ("without a deadline", without_deadline, Ready, "3 of 3 replicas ready"),
            ("too late", with(3, 3, 1, 1, &late), Failed, "1 of 3 replicas ready; ProgressDeadlineExceeded"),
            ("over quota", with(0, 0, 0, 0, &quota), Progressing, "FailedCreate"),
            ("one replica by default", one, Progressing, "0 of 1 replica ready"),
            ("scaled to none", none, Ready, "0 of 0 replicas ready"),
        ],
    );
}

#[test]
fn replica_sets() {
    let with = |made: i64, ready: i64| {
        json!({"spec": {"replicas": 2}, "status": {
            "replicas": made, "fullyLabeledReplicas": made, "readyReplicas": ready, "availableReplicas": ready,
        }})
    };
    let failing = json!({"status": {"conditions": conditions(&["ReplicaFailure True FailedCreate"])}});
    table(
        "apps",
        "ReplicaSet",
        &[
            ("starting", with(2, 1), Progressing, "1 of 2 replicas ready"),
            ("shrinking", with(3, 2), Progressing, "1 of its former replicas still to end"),
            ("done", with(2, 2), Ready, "2 of 2 replicas ready"),
            ("failing", failing, Progressing, "FailedCreate"),
        ],
    );
}

#[test]
fn stateful_sets() {
    let with = |made: i64, ready: i64, updated: i64, revisions: [&str; 2], strategy: Value| {
        json!({"spec": {"replicas": 3, "updateStrategy": strategy}, "status": {
            "replicas": made, "readyReplicas": ready, "updatedReplicas": updated, "currentReplicas": made,
            "currentRevision": revisions[0], "updateRevision": revisions[1],
        }})
    };
    let rolling = || json!({"type": "RollingUpdate"});
    let partition = || json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 1}});
    table(
        "apps",
        "StatefulSet",
        &[
            ("one by one", with(2, 1, 2, ["a", "a"], rolling()), Progressing, "1 of 3 replicas ready"),
            (
                "shrinking",
                with(4, 3, 3, ["a", "a"], rolling()),
                Progressing,
                "1 of its former replicas still to end",
            ),
            ("rolling", with(3, 3, 1, ["a", "b"], rolling()), Progressing, "1 of 3 replicas updated"),
            ("done", with(3, 3, 3, ["a", "a"], rolling()), Ready, "3 of 3 replicas ready"),
            (
                "partition",
                with(3, 3, 1, ["a", "b"], partition()),
                Progressing,
                "1 of 2 replicas in the partition updated",
            ),
            ("partition done", with(3, 3, 2, ["a", "b"], partition()), Ready, "3 of 3 replicas ready"),
            (
                "on delete",
                with(3, 2, 0, ["a", "b"], json!({"type": "OnDelete"})),
                Ready,
                "2 of 3 replicas ready; updated on deletion",
            ),
        ],
    );
}

#[test]
fn daemon_sets() {
    let with = |wanted: i64, updated: i64, ready: i64| {
        json!({"metadata": {"generation": 1}, "status": {
            "observedGeneration": 1, "desiredNumberScheduled": wanted, "currentNumberScheduled": wanted,
            "updatedNumberScheduled": updated, "numberAvailable": ready, "numberReady": ready,
        }})
    };
    table(
        "apps",
        "DaemonSet",
        &[
            ("new", json!({}), Progressing, "Not taken up by its controller yet"),
            ("starting", with(4, 4, 3), Progressing, "On 3 of 4 nodes ready"),
            ("rolling", with(4, 2, 4), Progressing, "On 2 of 4 nodes ready"),
            ("done", with(4, 4, 4), Ready, "On 4 of 4 nodes ready"),
            ("on no node", with(0, 0, 0), Ready, "On 0 of 0 nodes ready"),
        ],
    );
}

#[test]
fn jobs() {
    let with = |told: &[&str]| {
        json!({"spec": {"completions": 2}, "status": {
            "startTime": "2026-01-01T00:00:00Z", "succeeded": 1, "conditions": conditions(told),
        }})
    };
    let mut retried = with(&[]);
    retried["status"]["failed"] = json!(3);
    table(
        "batch",
        "Job",
        &[
            ("new", json!({}), Progressing, "Not started yet"),
            ("at work", with(&[]), Progressing, "1 of 2 completed"),
            ("at work again", retried, Progressing, "1 of 2 completed, 3 failed"),
            ("done", with(&["Complete True"]), Ready, "Completed"),
            ("given up", with(&["Failed True BackoffLimitExceeded"]), Failed, "BackoffLimitExceeded"),
            ("suspended", with(&["Suspended True JobSuspended"]), Ready, "Suspended"),
        ],
    );
}

#[test]
fn pods() {
    let running = |ready: bool| {
        json!({"status": {
            "phase": "Running", "containerStatuses": [{"name": "app", "ready": ready}],
            "conditions": conditions(&[if ready { "Ready True" } else { "Ready False" }]),
        }})
    };
    let waiting = |list: &str, reason: &str| {
        json!({"status": {
            "phase": "Pending", (list): [{"name": "app", "state": {"waiting": {"reason": reason}}}],
        }})
    };
    let unscheduled = json!({"status": {"phase": "Pending", "conditions": conditions(&["PodScheduled False Unschedulable"])}});
    let evicted = json!({"status": {"phase": "Failed", "reason": "Evicted", "message": "low on memory"}});
    table(
        "",
        "Pod",
        &[
            ("new", json!({"status": {"phase": "Pending"}}), Progressing, "Starting"),
            ("nowhere to go", unscheduled, Progressing, "Unschedulable"),
            ("pulling", waiting("containerStatuses", "ContainerCreating"), Progressing, "Starting"),
            (
                "crashing",
                waiting("containerStatuses", "CrashLoopBackOff"),
                Failed,
                "Container app: CrashLoopBackOff",
            ),
            (
                "no image",
                waiting("initContainerStatuses", "ImagePullBackOff"),
                Failed,
                "Container app: ImagePullBackOff",
            ),
            ("not ready", running(false), Progressing, "0 of 1 containers ready"),
            ("ready", running(true), Ready, "Running"),
            ("done", json!({"status": {"phase": "Succeeded"}}), Ready, "Completed"),
            ("evicted", evicted, Failed, "Evicted: low on memory"),
            ("failed", json!({"status": {"phase": "Failed"}}), Failed, "The pod failed"),
        ],
    );
}

#[test]
fn claims_services_budgets_definitions_and_autoscalers() {
    table(
        "",
        "PersistentVolumeClaim",
        &[
            ("new", json!({}), Progressing, "Not bound to a volume yet"),
            (
                "pending",
                json!({"status": {"phase": "Pending"}}),
                Progressing,
                "Pending: not bound to a volume yet",
            ),
            ("bound", json!({"status": {"phase": "Bound"}}), Ready, "Bound"),
            ("lost", json!({"status": {"phase": "Lost"}}), Failed, "Its volume is lost"),
        ],
    );
    let balancer = |extra: Value, ingress: Value| {
        json!({
            "spec": {"type": "LoadBalancer", "externalIPs": extra}, "status": {"loadBalancer": {"ingress": ingress}},
        })
    };
    table(
        "",
        "Service",
        &[
            ("inside", json!({"spec": {"type": "ClusterIP"}}), Ready, "Exists"),
            ("no address", balancer(json!([]), json!([])), Progressing, "No load balancer address yet"),
            ("an address", balancer(json!([]), json!([{"ip": "10.0.0.1"}])), Ready, "Exists"),
            ("an address of its own", balancer(json!(["10.0.0.1"]), json!([])), Ready, "Exists"),
        ],
    );
    let budget = |allowed: i64| json!({"status": {"observedGeneration": 1, "disruptionsAllowed": allowed}});
    table(
        "policy",
        "PodDisruptionBudget",
        &[
            ("new", json!({}), Progressing, "Not taken up by its controller yet"),
            ("none", budget(0), Ready, "0 disruptions allowed"),
            ("one", budget(1), Ready, "1 disruption allowed"),
        ],
    );
    let told = |texts: &[&str]| json!({"status": {"conditions": conditions(texts)}});
    table(
        "apiextensions.k8s.io",
        "CustomResourceDefinition",
        &[
            ("new", json!({}), Progressing, "Not established yet"),
            ("installing", told(&["Established False Installing"]), Progressing, "Not established yet"),
            ("established", told(&["NamesAccepted True", "Established True"]), Ready, "Established"),
            ("name taken", told(&["NamesAccepted False ListKindConflict"]), Failed, "ListKindConflict"),
            ("refused", told(&["Established False NotAccepted"]), Failed, "NotAccepted"),
        ],
    );
    table(
        "autoscaling",
        "HorizontalPodAutoscaler",
        &[
            ("new", json!({}), Ready, "Exists"),
            ("scaling", told(&["AbleToScale True", "ScalingActive True"]), Ready, "Exists"),
            (
                "blind",
                told(&["ScalingActive False FailedGetResourceMetric"]),
                Ready,
                "Does not scale: FailedGetResourceMetric",
            ),
        ],
    );
}

#[test]
fn kinds_without_rules_of_their_own_are_taken_by_their_word() {
    let told = |texts: &[&str]| json!({"status": {"conditions": conditions(texts)}});
    table(
        "example.org",
        "Database",
        &[
            ("no status", json!({"metadata": {"name": "a"}}), Ready, "Exists"),
            ("ready", told(&["Ready True"]), Ready, "Ready"),
            ("not ready", told(&["Ready False Provisioning"]), Progressing, "Provisioning"),
            ("not known", told(&["Ready Unknown Waiting"]), Progressing, "Waiting"),
            ("stalled", told(&["Ready True", "Stalled True NoSpace"]), Failed, "NoSpace"),
            ("reconciling", told(&["Ready True", "Reconciling True Resizing"]), Progressing, "Resizing"),
        ],
    );
}

#[test]
fn whatever_it_is_a_deletion_or_an_unseen_change_comes_first() {
    let deleted =
        json!({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}, "status": {"phase": "Running"}});
    let unseen =
        json!({"metadata": {"generation": 2}, "status": {"observedGeneration": 1, "phase": "Running"}});
    for (group, kind) in [("apps", "Deployment"), ("", "Pod"), ("batch", "Job"), ("example.org", "Database")]
    {
        table(
            group,
            kind,
            &[
                ("deleted", deleted.clone(), Terminating, "Being deleted"),
                ("unseen", unseen.clone(), Progressing, "Its latest change has not been taken up yet"),
            ],
        );
    }
}
