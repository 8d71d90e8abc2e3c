use super::FailureClass::*;
use super::*;

fn class(text: &str) -> FailureClass {
    Failure::told_by_helm(text).class
}

fn object(text: &str) -> Option<String> {
    Failure::told_by_helm(text)
        .object
        .map(|object| format!("{}/{}/{}", object.kind, object.namespace.unwrap_or_default(), object.name))
}

#[test]
fn what_real_helms_left_in_their_records_is_known() {
    for (text, expected, named) in [
        (
            "Upgrade \"deployed\" failed: cannot patch \"deployed\" with kind Service: Service \"deployed\" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive]",
            Permanent,
            Some("Service//deployed"),
        ),
        (
            "Release \"refused\" failed: 1 error occurred:\n\t* Service \"refused\" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive]\n\n",
            Permanent,
            Some("Service//refused"),
        ),
        ("Release \"wait-failed\" failed: context deadline exceeded", TimedOut, None),
        (
            "Release \"refused\" failed: server-side apply failed for object g4/refused /v1, Kind=Service: Service \"refused\" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive]",
            Permanent,
            Some("Service//refused"),
        ),
        (
            "Release \"hook-failed\" failed: failed pre-install: resource Job/g4/hook-failed-migrate not ready. status: InProgress, message: Job in progress\ncontext deadline exceeded",
            TimedOut,
            None,
        ),
        (
            "Release \"wait-failed\" failed: resource Deployment/g4/wait-failed not ready. status: InProgress, message: Available: 0/9",
            TimedOut,
            Some("Deployment/g4/wait-failed"),
        ),
        ("Release \"x\" failed: context canceled", Cancelled, None),
    ] {
        assert_eq!(class(text), expected, "{text}");
        if named.is_some() {
            assert_eq!(object(text).as_deref(), named, "{text}");
        }
    }
}

#[test]
fn what_passes_is_transient() {
    for text in [
        "Error: INSTALLATION FAILED: Operation cannot be fulfilled on resourcequotas \"compute\": the object has been modified; please apply your changes to the latest version and try again",
        "Error: INSTALLATION FAILED: conflict occurred while applying object ns/web apps/v1, Kind=Deployment: Operation cannot be fulfilled on resourcequotas \"q\": the object has been modified; please apply your changes to the latest version and try again",
        "Error: UPGRADE FAILED: create: failed to create: etcdserver: request timed out",
        "Error: INSTALLATION FAILED: Kubernetes cluster unreachable: Get \"https://10.0.0.1:6443/version\": net/http: TLS handshake timeout",
        "Error: INSTALLATION FAILED: cluster reachability check failed: kubernetes cluster unreachable: Get \"https://10.0.0.1/version\": dial tcp 10.0.0.1:443: connect: connection refused",
        "Error: query: failed to query with labels: http2: client connection lost",
        "Error: INSTALLATION FAILED: could not get apiVersions from Kubernetes: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: the server is currently unable to handle the request",
        "Error: INSTALLATION FAILED: 1 error occurred:\n\t* Internal error occurred: failed calling webhook \"w.example.com\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": dial tcp 10.0.0.9:443: connect: connection refused\n\n",
        "Error: INSTALLATION FAILED: Internal error occurred: failed calling webhook \"w\": failed to call webhook: Post \"https://w\": no endpoints available for service \"w\"",
        "Error: INSTALLATION FAILED: deployments.apps \"web\" is forbidden: unable to create new content in namespace ns because it is being terminated",
        "Error: INSTALLATION FAILED: failed to fetch https://charts.example.com/web-1.0.0.tgz : 503 Service Unavailable",
        "Error: INSTALLATION FAILED: looks like \"https://nowhere.example\" is not a valid chart repository or cannot be reached: Get \"https://nowhere.example/index.yaml\": dial tcp: lookup nowhere.example: no such host",
    ] {
        assert_eq!(class(text), Transient, "{text}");
    }
}

#[test]
fn what_lasts_is_permanent_and_says_what_to_do() {
    for text in [
        "Error: INSTALLATION FAILED: cannot re-use a name that is still in use",
        "Error: INSTALLATION FAILED: release name check failed: cannot reuse a name that is still in use",
        "Error: UPGRADE FAILED: \"web\" has no deployed releases",
        "Error: INSTALLATION FAILED: create: failed to create: Secret \"sh.helm.release.v1.big.v1\" is invalid: data: Too long: must have at most 1048576 bytes",
        "Error: INSTALLATION FAILED: create: failed to create: Request entity too large: limit is 3145728",
        "Error: INSTALLATION FAILED: unable to build kubernetes objects from release manifest: resource mapping not found for name: \"w\" namespace: \"ns\" from \"\": no matches for kind \"Widget\" in version \"example.com/v1\"\nensure CRDs are installed first",
        "Error: INSTALLATION FAILED: Unable to continue with install: Service \"web\" in namespace \"ns\" exists and cannot be imported into the current release: invalid ownership metadata; label validation error: missing key \"app.kubernetes.io/managed-by\": must be set to \"Helm\"; annotation validation error: missing key \"meta.helm.sh/release-name\": must be set to \"web\"",
        "Error: UPGRADE FAILED: cannot patch \"web\" with kind Deployment: Deployment.apps \"web\" is invalid: spec.selector: Invalid value: v1.LabelSelector{}: field is immutable",
        "Error: UPGRADE FAILED: cannot patch \"db\" with kind StatefulSet: StatefulSet.apps \"db\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden",
        "Error: UPGRADE FAILED: Apply failed with 1 conflict: conflict with \"kubectl\" using apps/v1: .spec.replicas",
        "Error: INSTALLATION FAILED: services \"web\" is forbidden: exceeded quota: small, requested: services=1, used: services=1, limited: services=1",
        "Error: INSTALLATION FAILED: query: failed to query with labels: secrets is forbidden: User \"eve\" cannot list resource \"secrets\" in API group \"\" in the namespace \"ns\"",
        "Error: INSTALLATION FAILED: admission webhook \"policy.example.com\" denied the request: images must come from our registry; connection reset by peer",
        "Error: INSTALLATION FAILED: values don't meet the specifications of the schema(s) in the following chart(s):\nschema:\n- replicas: Invalid type. Expected: integer, given: string\n",
        "Error: INSTALLATION FAILED: execution error at (web/templates/a.yaml:3:4): context deadline exceeded, or so the chart says",
        "Error: INSTALLATION FAILED: parse error at (web/templates/a.yaml:1): unexpected EOF",
        "Error: INSTALLATION FAILED: YAML parse error on web/templates/a.yaml: error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context",
        "Error: INSTALLATION FAILED: An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: a, b",
        "Error: INSTALLATION FAILED: chart requires kubeVersion: <1.20 which is incompatible with Kubernetes v1.37.2",
        "Error: INSTALLATION FAILED: failed to fetch https://charts.example.com/web-1.0.0.tgz : 404 Not Found",
        "Error: INSTALLATION FAILED: chart \"nope\" version \"1.0.0\" not found in http://127.0.0.1:8080 repository",
        "Error: INSTALLATION FAILED: Kubernetes cluster unreachable: Get \"https://127.0.0.1:1/version\": tls: failed to verify certificate: x509: certificate signed by unknown authority",
        "Error: INSTALLATION FAILED: create: failed to create: namespaces \"nowhere\" not found",
    ] {
        let failure = Failure::told_by_helm(text);
        assert_eq!(failure.class, Permanent, "{text}");
        assert!(failure.advice.is_some(), "{text}");
        assert!(!failure.cause.contains("{1}"), "{}", failure.cause);
    }
}

#[test]
fn what_depends_on_the_circumstances_is_told_apart() {
    for (text, expected) in [
        ("Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress", Locked),
        ("Error: INSTALLATION FAILED: create: failed to create: release: already exists", Locked),
        ("Error: INSTALLATION FAILED: timed out waiting for the condition", TimedOut),
        (
            "Error: UPGRADE FAILED: client rate limiter Wait returned an error: context deadline exceeded",
            TimedOut,
        ),
        (
            "Error: INSTALLATION FAILED: failed post-install: 1 error occurred:\n\t* job hook-fails-migrate failed: BackoffLimitExceeded\n\n",
            Hook,
        ),
        (
            "Error: INSTALLATION FAILED: failed pre-install: resource Job/ns/m not ready. status: Failed, message: Job failed\ncontext deadline exceeded",
            Hook,
        ),
        (
            "Error: INSTALLATION FAILED: release web failed, and has been uninstalled due to atomic being set: context canceled",
            Cancelled,
        ),
        ("Error: something that nobody has seen before", Unknown),
        ("", Unknown),
    ] {
        assert_eq!(class(text), expected, "{text}");
    }
}

#[test]
fn a_wait_that_ran_out_in_a_hook_says_so() {
    let text = "Release \"a\" failed: failed pre-install: timed out waiting for the condition";
    assert!(Failure::told_by_helm(text).cause.starts_with("In a hook: "));
}

#[test]
fn one_lasting_error_among_passing_ones_makes_the_whole_last() {
    let text = "Error: UPGRADE FAILED: etcdserver: request timed out && cannot patch \"web\" with kind Service: Service \"web\" is invalid: spec: bad";
    let failure = Failure::told_by_helm(text);
    assert_eq!(failure.class, Permanent);
    assert_eq!(object(text).as_deref(), Some("Service//web"));
}

#[test]
fn an_unknown_error_beside_a_passing_one_keeps_it_from_being_tried_again() {
    assert_eq!(class("Error: UPGRADE FAILED: etcdserver: leader changed && something new"), Unknown);
}

#[test]
fn objects_are_found_in_each_of_the_forms() {
    for (text, expected) in [
        (
            "resource mapping not found for name: \"w\" namespace: \"ns\" from \"\": no matches for kind \"Widget\" in version \"example.com/v1\"",
            "Widget/ns/w",
        ),
        ("resource Deployment/ns/web not ready. status: InProgress", "Deployment/ns/web"),
        (
            "Unable to continue with install: Service \"web\" in namespace \"ns\" exists and cannot be imported into the current release: …",
            "Service/ns/web",
        ),
        (
            "cannot patch \"web\" with kind Deployment: Deployment.apps \"web\" is invalid: x",
            "Deployment//web",
        ),
        ("job migrate failed: BackoffLimitExceeded", "Job//migrate"),
        (
            "server-side apply failed for object ns/report-0 batch/v1, Kind=CronJob: cronjobs.batch \"report-0\" is forbidden: exceeded quota: shop, requested: count/cronjobs.batch=1",
            "CronJob//report-0",
        ),
        ("pods \"web-x\" is forbidden: failed quota: q: must specify limits.cpu", "Pod//web-x"),
    ] {
        assert_eq!(object(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn a_long_text_is_cut_between_two_characters() {
    let failure = Failure::told_by_helm(&"é".repeat(TEXT_MAX));
    assert!(failure.text.len() <= TEXT_MAX && failure.text.ends_with('é'));
}

proptest::proptest! {
    #[test]
    fn no_text_whatever_upsets_it(text in ".*") {
        Failure::told_by_helm(&text);
    }
}
