//! Texts of every row of the tables, as helm 3, helm 4 and Kubernetes write them.

use crate::model::FailureClass::{self, *};

/// What nobody has seen before.
pub(super) const STRANGE: &str = "the flux capacitor is cold";

/// Each text with its class.
pub(super) const TEXTS: &[(FailureClass, &str)] = &[
    // Races and outages.
    (
        Transient,
        "Operation cannot be fulfilled on resourcequotas \"Q\": the object has been modified; please apply your changes to the latest version and try again",
    ),
    (
        Transient,
        "conflict occurred while applying object ns/web apps/v1, Kind=Deployment: Operation cannot be fulfilled on resourcequotas \"Q\": the object has been modified; please apply your changes to the latest version and try again",
    ),
    (
        Transient,
        "Operation cannot be fulfilled on deployments.apps \"web\": the object has been modified; please apply your changes to the latest version and try again",
    ),
    (Transient, "etcdserver: request timed out"),
    (Transient, "etcdserver: leader changed"),
    (Transient, "raft proposal dropped"),
    (
        Transient,
        "Kubernetes cluster unreachable: Get \"https://10.0.0.1:6443/version\": net/http: TLS handshake timeout",
    ),
    (
        Transient,
        "kubernetes cluster unreachable: Get \"https://10.0.0.1:6443/version\": dial tcp 10.0.0.1:6443: connect: connection refused",
    ),
    (
        Transient,
        "kubernetes cluster unreachable: Get \"https://10.0.0.1:6443/version\": dial tcp 10.0.0.1:6443: i/o timeout",
    ),
    (Transient, "Kubernetes cluster unreachable: Get \"https://10.0.0.1:6443/version\": EOF"),
    (
        Transient,
        "secrets is forbidden: User \"eve\" cannot list resource \"secrets\" in API group \"\" in the namespace \"ns\": RBAC: clusterrole.rbac.authorization.k8s.io \"edit\" not found",
    ),
    (
        Transient,
        "secrets is forbidden: User \"eve\" cannot list resource \"secrets\" in API group \"\" in the namespace \"ns\": RBAC: [clusterrole.rbac.authorization.k8s.io \"edit\" not found, role.rbac.authorization.k8s.io \"slipway\" not found]",
    ),
    (Transient, "http2: client connection lost"),
    (Transient, "read tcp 10.0.0.2:4000->10.0.0.1:6443: read: connection reset by peer"),
    (Transient, "unexpected EOF"),
    (Transient, "the server is currently unable to handle the request (post deployments.apps)"),
    (
        Transient,
        "the server was unable to return a response in the time allotted, but may still be processing the request (patch services web)",
    ),
    (
        Transient,
        "the server has received too many requests and has asked us to try again later (post secrets)",
    ),
    (
        Transient,
        "an error on the server (\"Internal Server Error\") has prevented the request from succeeding (get secrets)",
    ),
    (
        Transient,
        "an error on the server (\"Bad Gateway\") has prevented the request from succeeding (get secrets)",
    ),
    (Transient, "Timeout: request did not complete within requested timeout - context deadline exceeded"),
    (
        Transient,
        "could not get apiVersions from Kubernetes: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: the server is currently unable to handle the request",
    ),
    (
        Transient,
        "Internal error occurred: failed calling webhook \"w.example.com\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": dial tcp 10.0.0.9:443: connect: connection refused",
    ),
    (
        Transient,
        "Internal error occurred: failed calling webhook \"w.example.com\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": no endpoints available for service \"w\"",
    ),
    (
        Transient,
        "Internal error occurred: failed calling webhook \"w.example.com\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": endpoints \"w\" not found",
    ),
    (
        Transient,
        "Internal error occurred: failed calling webhook \"w.example.com\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": dial tcp 10.0.0.9:443: i/o timeout",
    ),
    (
        Transient,
        "Internal error occurred: failed calling webhook \"w.example.com\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": context deadline exceeded",
    ),
    (
        Transient,
        "Internal error occurred: failed calling webhook \"w.example.com\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": Service Unavailable",
    ),
    (
        Transient,
        "conversion webhook for example.com/v1, Kind=Widget failed: Post \"https://c.ns.svc:443/convert?timeout=30s\": dial tcp 10.0.0.9:443: connect: connection refused",
    ),
    (
        Transient,
        "deployments.apps \"web\" is forbidden: unable to create new content in namespace ns because it is being terminated",
    ),
    (Transient, "failed to fetch https://charts.example.com/web-1.0.0.tgz : 500 Internal Server Error"),
    (Transient, "failed to fetch https://charts.example.com/web-1.0.0.tgz : 503 Service Unavailable"),
    (Transient, "failed to fetch https://charts.example.com/web-1.0.0.tgz : 429 Too Many Requests"),
    (
        Transient,
        "looks like \"https://nowhere.example\" is not a valid chart repository or cannot be reached: Get \"https://nowhere.example/index.yaml\": dial tcp: lookup nowhere.example on 10.0.0.10:53: no such host",
    ),
    (
        Transient,
        "failed to do request: Head \"https://registry.example.com/v2/web/manifests/1.0.0\": dial tcp 10.0.0.7:443: i/o timeout",
    ),
    (
        Transient,
        "Get \"https://charts.example.com/index.yaml\": net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
    ),
    (
        Transient,
        "looks like \"https://charts.example.com\" is not a valid chart repository or cannot be reached: Get \"https://charts.example.com/index.yaml\": dial tcp 10.0.0.7:443: connect: connection refused",
    ),
    (
        Transient,
        "HEAD \"https://registry.example.com/v2/web/manifests/1.0.0\": response status code 503: Service Unavailable",
    ),
    // What lasts.
    (Permanent, "cannot re-use a name that is still in use"),
    (Permanent, "cannot reuse a name that is still in use"),
    (Permanent, "\"web\" has no deployed releases"),
    (Permanent, "uninstall: Release not loaded: web: release: not found"),
    (Permanent, "release: not found"),
    (Permanent, "the release named \"web\" is already deleted"),
    (
        Permanent,
        "failed to create typed patch object (ns/web; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string",
    ),
    (
        Permanent,
        "Secret \"sh.helm.release.v1.web.v1\" is invalid: data: Too long: must have at most 1048576 bytes",
    ),
    (
        Permanent,
        "Secret \"sh.helm.release.v1.web.v1\" is invalid: data: Too long: must have at most 1048576 characters",
    ),
    (
        Permanent,
        "Secret \"sh.helm.release.v1.web.v1\" is invalid: data: Too long: may not be more than 1048576 bytes",
    ),
    (Permanent, "Request entity too large: limit is 3145728"),
    (
        Permanent,
        "unable to build kubernetes objects from release manifest: resource mapping not found for name: \"w\" namespace: \"ns\" from \"\": no matches for kind \"Widget\" in version \"example.com/v1\"\nensure CRDs are installed first",
    ),
    (Permanent, "unable to recognize \"\": no matches for kind \"Widget\" in version \"example.com/v1\""),
    (
        Permanent,
        "unable to build kubernetes objects from current release manifest: resource mapping not found for name: \"w\" namespace: \"\" from \"\": no matches for kind \"PodSecurityPolicy\" in version \"policy/v1beta1\"",
    ),
    (
        Permanent,
        "current release manifest contains removed kubernetes api(s) for this kubernetes version and it is therefore unable to build the kubernetes objects for performing the diff. error from kubernetes: unable to recognize \"\": no matches for kind \"Ingress\" in version \"extensions/v1beta1\"",
    ),
    (
        Permanent,
        "Unable to continue with install: Service \"web\" in namespace \"ns\" exists and cannot be imported into the current release: invalid ownership metadata; annotation validation error: key \"meta.helm.sh/release-name\" must equal \"web\": current value is \"shop\"",
    ),
    (
        Permanent,
        "unable to continue with update: Service \"web\" in namespace \"ns\" exists and cannot be imported into the current release: invalid ownership metadata; label validation error: missing key \"app.kubernetes.io/managed-by\": must be set to \"Helm\"; annotation validation error: missing key \"meta.helm.sh/release-name\": must be set to \"web\"",
    ),
    (
        Permanent,
        "cannot patch \"web\" with kind Deployment: Deployment.apps \"web\" is invalid: spec.selector: Invalid value: {}: field is immutable",
    ),
    (
        Permanent,
        "cannot patch \"db\" with kind StatefulSet: StatefulSet.apps \"db\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template' are forbidden",
    ),
    (
        Permanent,
        "conflict occurred while applying object ns/web apps/v1, Kind=Deployment: Apply failed with 2 conflicts: conflicts with \"kubectl\" using apps/v1:\n- .spec.replicas\n- .spec.paused",
    ),
    (Permanent, "Apply failed with 1 conflict: conflict with \"kubectl\" using apps/v1: .spec.replicas"),
    (
        Permanent,
        "services \"web\" is forbidden: exceeded quota: small, requested: services=1, used: services=1, limited: services=1",
    ),
    (
        Permanent,
        "pods \"web\" is forbidden: failed quota: small: must specify limits.cpu for: c; requests.memory for: c",
    ),
    (
        Permanent,
        "secrets is forbidden: User \"eve\" cannot list resource \"secrets\" in API group \"\" in the namespace \"ns\"",
    ),
    (
        Permanent,
        "admission webhook \"policy.example.com\" denied the request: images must come from our registry",
    ),
    (
        Permanent,
        "Internal error occurred: failed calling webhook \"typeof.example.com\": failed to call webhook: Post \"https://w.ns.svc:443/v?timeout=10s\": service \"w\" not found",
    ),
    (
        Permanent,
        "values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n- at '/replicas': got string, want integer",
    ),
    (
        Permanent,
        "values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n- replicas: Invalid type. Expected: integer, given: string",
    ),
    (
        Permanent,
        "server-side apply failed for object team-a/shopfront apps/v1, Kind=Deployment: failed to create typed patch object (team-a/shopfront; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string",
    ),
    (
        Permanent,
        "server-side apply failed for object a/b apps/v1, Kind=Deployment: failed to create typed patch object (a/b; apps/v1, Kind=Deployment): errors:\n  .spec.replicas: expected numeric (int or float), got string\n  .spec.foo: field not declared in schema",
    ),
    (
        Permanent,
        "Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    ),
    (Permanent, "execution error at (web/templates/a.yaml:3:4): replicas must be set"),
    (Permanent, "parse error at (web/templates/a.yaml:1): unclosed action"),
    (
        Permanent,
        "YAML parse error on web/templates/a.yaml: error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context",
    ),
    (
        Permanent,
        "template: web/templates/a.yaml:3:14: executing \"web/templates/a.yaml\" at <.Values.image.tag>: nil pointer evaluating interface {}.tag",
    ),
    (
        Permanent,
        "web/templates/a.yaml:1:13\n  executing \"web/templates/a.yaml\" at <.Values.image.tag>:\n    nil pointer evaluating interface {}.tag\n\nUse --debug flag to render out invalid YAML",
    ),
    (
        Permanent,
        "failed to parse v.yaml: cannot unmarshal yaml document: error converting YAML to JSON: yaml: mapping values are not allowed in this context",
    ),
    (
        Permanent,
        "release name \"Web\": invalid release name, must match regex ^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$ and the length must not be longer than 53",
    ),
    (
        Permanent,
        "An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: a, b",
    ),
    (
        Permanent,
        "an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: a, b",
    ),
    (Permanent, "chart requires kubeVersion: <1.20 which is incompatible with Kubernetes v1.37.2"),
    (Permanent, "library charts are not installable"),
    (Permanent, "failed to fetch https://charts.example.com/web-1.0.0.tgz : 401 Unauthorized"),
    (Permanent, "failed to fetch https://charts.example.com/web-1.0.0.tgz : 403 Forbidden"),
    (Permanent, "failed to fetch https://charts.example.com/web-1.0.0.tgz : 404 Not Found"),
    (Permanent, "chart \"web\" version \"9.9.9\" not found in https://charts.example.com repository"),
    (Permanent, "no chart version found for web-9.9.9"),
    (Permanent, "unable to locate any tags in provided repository: oci://registry.example.com/web"),
    (Permanent, "could not locate a version matching provided version string 9.9.9"),
    (
        Permanent,
        "Kubernetes cluster unreachable: Get \"https://127.0.0.1:6443/version\": tls: failed to verify certificate: x509: certificate signed by unknown authority",
    ),
    (
        Permanent,
        "looks like \"https://charts.example.com\" is not a valid chart repository or cannot be reached: Get \"https://charts.example.com/index.yaml\": tls: failed to verify certificate: x509: certificate has expired",
    ),
    (
        Permanent,
        "looks like \"https://charts.example.com\" is not a valid chart repository or cannot be reached: Get \"https://charts.example.com/index.yaml\": remote error: tls: certificate required",
    ),
    (Permanent, "Kubernetes cluster unreachable: the server has asked for the client to provide credentials"),
    (Permanent, "Unauthorized"),
    (
        Permanent,
        "an error occurred while rolling back the release. original upgrade error: Service \"web\" is invalid: spec: bad: etcdserver: leader changed",
    ),
    (
        Permanent,
        "clusterroles.rbac.authorization.k8s.io \"web\" is forbidden: the API server says that you cannot grant it",
    ),
    (Permanent, "namespaces \"nowhere\" not found"),
    (
        Permanent,
        "failed to parse /dev/stdin: error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context",
    ),
    (Permanent, "services \"web\" already exists"),
    (
        Permanent,
        "Service \"web\" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive]",
    ),
    (
        Permanent,
        "unable to build kubernetes objects from release manifest: error validating \"\": error validating data: unknown object type \"nil\" in ConfigMap.data.key; if you choose to ignore these errors, turn validation off with --validate=false",
    ),
    // What depends on the circumstances.
    (Locked, "another operation (install/upgrade/rollback) is in progress"),
    (Locked, "release: already exists"),
    (Locked, "secrets \"sh.helm.release.v1.web.v2\" already exists"),
    (TimedOut, "timed out waiting for the condition"),
    (TimedOut, "context deadline exceeded"),
    (TimedOut, "client rate limiter Wait returned an error: context deadline exceeded"),
    (TimedOut, "client rate limiter Wait returned an error: rate: Wait(n=1) would exceed context deadline"),
    (
        TimedOut,
        "resource Deployment/ns/web not ready. status: InProgress, message: Available: 0/9\ncontext deadline exceeded",
    ),
    (
        TimedOut,
        "resource Pod/ns/web still exists. status: Terminating, message: Resource scheduled for deletion",
    ),
    (Hook, "job web-migrate failed: BackoffLimitExceeded"),
    (Hook, "job failed: DeadlineExceeded"),
    (Hook, "pod web-test failed"),
    (Hook, "resource Job/ns/web-migrate not ready. status: Failed, message: Job failed. failed: 1/1"),
    (Hook, "resource Pod/ns/web-check not ready. status: Failed, message: pod web-check failed"),
    (Cancelled, "context canceled"),
    (Unknown, STRANGE),
];
