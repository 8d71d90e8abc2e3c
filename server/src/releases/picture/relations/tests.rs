use serde_json::json;

use super::*;

/// `relation Kind/name`, or how it selects.
fn told(object: &Value) -> Vec<String> {
    let words = |link: Link<'_>| match link {
        Link::Named { relation, kind, namespace: None, name } => format!("{relation:?} {kind}/{name}"),
        Link::Named { relation, kind, namespace: Some(namespace), name } => {
            format!("{relation:?} {kind}/{namespace}/{name}")
        }
        Link::NamedBy { relation, kind, name } => format!("by {kind}/{name} {relation:?}"),
        Link::Pods(_) => "pods".to_owned(),
        Link::Services(_) => "services".to_owned(),
    };
    links(object).into_iter().map(words).collect()
}

fn workload(pod: Value) -> Value {
    json!({"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": {"spec": pod}}})
}

#[test]
fn each_kind_names_others_in_its_own_way() {
    for (api_version, kind, more, links) in [
        (
            "networking.k8s.io/v1",
            "Ingress",
            json!({"spec": {
                "defaultBackend": {"service": {"name": "d"}},
                "rules": [{"http": {"paths": [{"backend": {"service": {"name": "a"}}}]}}, {}],
                "tls": [{"secretName": "cert"}, {}],
            }}),
            vec!["Routes Service/a", "Routes Service/d", "Uses Secret/cert"],
        ),
        (
            "extensions/v1beta1",
            "Ingress",
            json!({"spec": {"backend": {"serviceName": "old"}}}),
            vec!["Routes Service/old"],
        ),
        (
            "route.openshift.io/v1",
            "Route",
            json!({"spec": {"to": {"kind": "Service", "name": "a"}, "alternateBackends": [{"name": "b"}]}}),
            vec!["Routes Service/a", "Routes Service/b"],
        ),
        (
            "gateway.networking.k8s.io/v1",
            "HTTPRoute",
            json!({"spec": {"parentRefs": [{"name": "g"}], "rules": [{"backendRefs": [{"name": "a"}, {"name": "b", "namespace": "n"}]}]}}),
            vec!["Routes Service/a", "Routes Service/n/b", "by Gateway/g Routes"],
        ),
        ("v1", "Service", json!({"spec": {"selector": {"app": "web"}}}), vec!["pods"]),
        ("v1", "Service", json!({"spec": {"selector": {}}}), vec![]),
        (
            "policy/v1",
            "PodDisruptionBudget",
            json!({"spec": {"selector": {"matchLabels": {"a": "b"}}}}),
            vec!["pods"],
        ),
        ("networking.k8s.io/v1", "NetworkPolicy", json!({"spec": {"podSelector": {}}}), vec![]),
        (
            "monitoring.coreos.com/v1",
            "ServiceMonitor",
            json!({"spec": {"selector": {"matchLabels": {"a": "b"}}}}),
            vec!["services"],
        ),
        (
            "autoscaling/v2",
            "HorizontalPodAutoscaler",
            json!({"spec": {"scaleTargetRef": {"kind": "StatefulSet", "name": "db"}}}),
            vec!["Scales StatefulSet/db"],
        ),
        (
            "keda.sh/v1alpha1",
            "ScaledObject",
            json!({"spec": {"scaleTargetRef": {"name": "web"}}}),
            vec!["Scales Deployment/web"],
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "RoleBinding",
            json!({"roleRef": {"kind": "Role", "name": "r"}, "subjects": [
                {"kind": "ServiceAccount", "name": "s", "namespace": "n"}, {"kind": "User", "name": "u"},
            ]}),
            vec!["Uses Role/r", "Uses ServiceAccount/n/s"],
        ),
        ("v1", "ServiceAccount", json!({"imagePullSecrets": [{"name": "p"}]}), vec!["Uses Secret/p"]),
        ("v1", "ConfigMap", json!({"data": {"spec": "x"}}), vec![]),
        ("example.org/v1", "Deployment", json!({"spec": "nonsense"}), vec![]),
    ] {
        let mut object = json!({"apiVersion": api_version, "kind": kind});
        object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(told(&object), links, "{object}");
    }
}

#[test]
fn a_pod_names_what_it_mounts_and_what_it_reads_its_settings_from() {
    let pod = json!({
        "serviceAccountName": "sa",
        "imagePullSecrets": [{"name": "pull"}],
        "volumes": [
            {"persistentVolumeClaim": {"claimName": "data"}},
            {"configMap": {"name": "cm"}},
            {"secret": {"secretName": "s"}},
            {"projected": {"sources": [{"configMap": {"name": "pc"}}, {"secret": {"name": "ps"}}]}},
            {"emptyDir": {}},
        ],
        "initContainers": [{"envFrom": [{"secretRef": {"name": "init"}}]}],
        "containers": [{"env": [
            {"valueFrom": {"configMapKeyRef": {"name": "key"}}},
            {"valueFrom": {"secretKeyRef": {"name": "skey"}}},
            {"value": "plain"},
        ]}],
    });
    let expected = [
        "Mounts PersistentVolumeClaim/data",
        "Mounts ConfigMap/cm",
        "Mounts Secret/s",
        "Mounts ConfigMap/pc",
        "Mounts Secret/ps",
        "Uses Secret/init",
        "Uses ConfigMap/key",
        "Uses Secret/skey",
        "Uses ServiceAccount/sa",
        "Uses Secret/pull",
    ];
    assert_eq!(claims(&pod), ["data"]);
    assert_eq!(told(&workload(pod.clone())), expected);
    assert_eq!(told(&json!({"apiVersion": "v1", "kind": "Pod", "spec": pod})), expected);
    let cron = json!({"apiVersion": "batch/v1", "kind": "CronJob",
                      "spec": {"jobTemplate": {"spec": {"template": {"spec": pod}}}}});
    assert_eq!(told(&cron), expected);
}

#[test]
fn a_selector_selects_by_labels_and_by_expressions() {
    let labels = json!({"app": "web", "tier": "front"});
    let expression = |operator: &str, key: &str, values: Value| json!({"matchExpressions": [{"key": key, "operator": operator, "values": values}]});
    for (selector, selects) in [
        (json!({"matchLabels": {"app": "web"}}), true),
        (json!({"matchLabels": {"app": "web", "tier": "back"}}), false),
        (
            json!({"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "x", "operator": "Exists"}]}),
            false,
        ),
        (expression("In", "app", json!(["api", "web"])), true),
        (expression("In", "x", json!(["web"])), false),
        (expression("NotIn", "app", json!(["web"])), false),
        (expression("NotIn", "x", json!(["web"])), true),
        (expression("Exists", "tier", json!([])), true),
        (expression("DoesNotExist", "tier", json!([])), false),
        (expression("Guess", "tier", json!([])), false),
    ] {
        let found = Selector::full(&selector).unwrap().selects(labels.as_object().unwrap());
        assert_eq!(found, selects, "{selector}");
    }
    assert_eq!(Selector::full(&json!({})), None);
}
