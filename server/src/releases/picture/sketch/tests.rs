use serde_json::json;

use super::*;

fn resource(api_version: &str, kind: &str, name: &str, source: &str) -> Resource {
    Resource {
        object: object(api_version, kind, name),
        source: source.into(),
        hooks: vec![],
        health: Health::Ready,
        message: String::new(),
        created: None,
    }
}

fn object(api_version: &str, kind: &str, name: &str) -> ObjectRef {
    ObjectRef {
        api_version: api_version.into(),
        kind: kind.into(),
        namespace: Some("ns".into()),
        name: name.into(),
    }
}

fn owner(kind: &str, name: &str) -> Owner {
    Owner { object: object("x/v1", kind, name), uid: name.into() }
}

fn pod(root: usize, between: Vec<Owner>, health: Health, claims: &[&str]) -> PodSeen {
    let claims = claims.iter().map(|claim| (*claim).to_owned()).collect();
    PodSeen { root, between, namespace: Some("ns".into()), health, claims }
}

fn workload(kind: &str, labels: Value, pod: Value) -> Value {
    let mut pod = pod;
    pod["containers"] = json!([]);
    json!({"apiVersion": "apps/v1", "kind": kind, "spec": {"template": {"metadata": {"labels": labels}, "spec": pod}}})
}

/// `from relation to`, by kinds and names.
fn edges(picture: &Picture) -> Vec<String> {
    let name = |at: u32| {
        let object = &picture.nodes[at as usize].object;
        format!("{}/{}", object.kind, object.name)
    };
    picture.edges.iter().map(|it| format!("{} {:?} {}", name(it.from), it.relation, name(it.to))).collect()
}

#[test]
fn a_release_is_joined_from_its_ways_in_to_its_volumes() {
    let resources = [
        resource("networking.k8s.io/v1", "Ingress", "in", "p/a"),
        resource("v1", "Service", "web", "p/a"),
        resource("apps/v1", "Deployment", "web", "p/a"),
        resource("v1", "ConfigMap", "settings", "p/a"),
        resource("autoscaling/v2", "HorizontalPodAutoscaler", "web", "p/a"),
        resource("v1", "Secret", "alone", "p/b"),
    ];
    let specs = [
        json!({"apiVersion": "networking.k8s.io/v1", "kind": "Ingress",
               "spec": {"defaultBackend": {"service": {"name": "web"}}}}),
        json!({"apiVersion": "v1", "kind": "Service", "spec": {"selector": {"app": "web"}}}),
        workload(
            "Deployment",
            json!({"app": "web"}),
            json!({
                "volumes": [{"configMap": {"name": "settings"}}, {"configMap": {"name": "of-others"}}],
                "containers": [],
            }),
        ),
        json!({"apiVersion": "v1", "kind": "ConfigMap"}),
        json!({"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
               "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}}}),
        Value::Null,
    ];
    let replica_set = || vec![owner("ReplicaSet", "web-1")];
    let pods = [
        pod(2, replica_set(), Health::Ready, &[]),
        pod(2, replica_set(), Health::Failed, &[]),
        pod(2, replica_set(), Health::Terminating, &[]),
    ];
    let picture = of(&Sketch { resources: &resources, specs: &specs, pods: &pods });
    assert_eq!(
        edges(&picture),
        [
            "Ingress/in Routes Service/web",
            "Service/web Selects Deployment/web",
            "Deployment/web Mounts ConfigMap/settings",
            "HorizontalPodAutoscaler/web Scales Deployment/web",
        ]
    );
    let counts = PodCounts { ready: 1, progressing: 1, failed: 1, total: 3 };
    assert_eq!(picture.nodes[2].pods, Some(counts));
    let groups: Vec<_> = picture.groups.iter().map(|group| group.source.as_str()).collect();
    assert_eq!((groups, picture.nodes[5].group), (vec!["p/a", "p/b"], 1));
    assert!(picture.nodes.iter().all(|node| node.is_in_manifest) && picture.left_out == 0);
    let of = |listed: &[String]| with_known_pods(picture.clone(), listed).nodes[2].pods;
    assert_eq!((of(&["ns".into()]), of(&["other".into()])), (Some(counts), None));
}

#[test]
fn what_the_manifest_made_is_in_the_picture_too() {
    let resources = [
        resource("batch/v1", "CronJob", "nightly", "p"),
        resource("example.org/v1", "Database", "db", "p"),
        resource("apps/v1", "StatefulSet", "store", "p"),
    ];
    let cron = json!({"apiVersion": "batch/v1", "kind": "CronJob",
                      "spec": {"jobTemplate": {"spec": {"template": {"spec": {"containers": []}}}}}});
    let specs = [cron, Value::Null, workload("StatefulSet", json!({}), json!({}))];
    let pods = [
        pod(0, vec![owner("Job", "nightly-1")], Health::Ready, &[]),
        pod(1, vec![owner("ReplicaSet", "db-x-1"), owner("Deployment", "db-x")], Health::Ready, &[]),
        pod(2, vec![], Health::Ready, &["data-store-0"]),
        pod(2, vec![], Health::Progressing, &["data-store-1"]),
        pod(1, vec![owner("ReplicaSet", "db-x-1"), owner("Deployment", "db-x")], Health::Failed, &[]),
    ];
    let picture = of(&Sketch { resources: &resources, specs: &specs, pods: &pods });
    assert_eq!(
        edges(&picture),
        [
            "CronJob/nightly Owns Job/nightly-1",
            "Database/db Owns Deployment/db-x",
            "StatefulSet/store Mounts PersistentVolumeClaim/data-store-0",
            "StatefulSet/store Mounts PersistentVolumeClaim/data-store-1",
        ]
    );
    let told: Vec<_> = picture
        .nodes
        .iter()
        .skip(3)
        .map(|it| (it.object.name.as_str(), it.health, it.pods.map(|it| it.total)))
        .collect();
    assert_eq!(
        told,
        [
            ("nightly-1", Health::Ready, Some(1)),
            ("db-x", Health::Failed, Some(2)),
            ("data-store-0", Health::Ready, None),
            ("data-store-1", Health::Progressing, None),
        ]
    );
    assert!(picture.nodes.iter().skip(3).all(|node| !node.is_in_manifest));
}

#[test]
fn of_too_many_objects_those_that_say_most_are_shown() {
    let mut resources: Vec<_> =
        (0..600).map(|at| resource("v1", "ConfigMap", &format!("c{at}"), "p")).collect();
    resources.push(resource("apps/v1", "Deployment", "web", "p"));
    let specs = vec![Value::Null; resources.len()];
    let picture = of(&Sketch { resources: &resources, specs: &specs, pods: &[] });
    assert_eq!((picture.nodes.len(), picture.left_out), (NODES_MAX, 101));
    assert_eq!(picture.nodes.last().unwrap().object.kind, "Deployment");
}

#[test]
fn a_service_does_not_select_pods_of_another_namespace() {
    let mut resources =
        [resource("v1", "Service", "web", "p"), resource("apps/v1", "Deployment", "web", "p")];
    resources[1].object.namespace = Some("other".into());
    let specs = [
        json!({"apiVersion": "v1", "kind": "Service", "spec": {"selector": {"app": "web"}}}),
        workload("Deployment", json!({"app": "web"}), json!({})),
    ];
    assert!(of(&Sketch { resources: &resources, specs: &specs, pods: &[] }).edges.is_empty());
}
