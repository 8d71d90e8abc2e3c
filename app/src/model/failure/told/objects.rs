//! The object that an error's text speaks of.

use super::words::between;
use crate::model::ObjectRef;

/// The object that `text` names, where it is in one of the forms that helm and Kubernetes use.
pub(super) fn named_in(text: &str) -> Option<ObjectRef> {
    unmapped(text)
        .or_else(|| not_ready(text))
        .or_else(|| owned(text))
        .or_else(|| patched(text))
        .or_else(|| applied(text))
        .or_else(|| typed(text))
        .or_else(|| invalid(text))
        .or_else(|| forbidden(text))
        .or_else(|| hook_job(text))
}

fn object(api_version: &str, kind: &str, namespace: Option<&str>, name: &str) -> Option<ObjectRef> {
    let is_kind =
        kind.starts_with(|c: char| c.is_ascii_uppercase()) && kind.chars().all(|c| c.is_ascii_alphanumeric());
    (is_kind && !name.is_empty()).then(|| ObjectRef {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        namespace: namespace.filter(|namespace| !namespace.is_empty()).map(str::to_owned),
        name: name.to_owned(),
    })
}

/// `resource mapping not found for name: "N" namespace: "NS" from "": no matches for kind "K" in version "G/V"`
fn unmapped(text: &str) -> Option<ObjectRef> {
    let kind = between(text, "no matches for kind \"", "\"")?;
    let version = between(text, "in version \"", "\"").unwrap_or_default();
    let name = between(text, "name: \"", "\"").unwrap_or_default();
    object(version, kind, between(text, "namespace: \"", "\""), name)
}

/// `resource K/NS/N not ready. status: …`
fn not_ready(text: &str) -> Option<ObjectRef> {
    let path =
        between(text, "resource ", " not ready").or_else(|| between(text, "resource ", " still exists"));
    let mut path = path?.split('/');
    let (kind, namespace, name) = (path.next()?, path.next()?, path.next()?);
    object("", kind, Some(namespace), name)
}

/// `K "N" in namespace "NS" exists and cannot be imported …`
fn owned(text: &str) -> Option<ObjectRef> {
    let (head, _) = text.split_once(" exists and cannot be imported")?;
    let namespace = between(head, "in namespace \"", "\"");
    let (before, rest) = head.split_once('"')?;
    object("", before.split_whitespace().next_back()?, namespace, rest.split('"').next()?)
}

/// `cannot patch "N" with kind K: …`
fn patched(text: &str) -> Option<ObjectRef> {
    let name = between(text, "cannot patch \"", "\"")?;
    object("", between(text, "with kind ", ":")?, None, name)
}

/// `… object NS/N G/V, Kind=K: …`, as helm 4 says of an object that it applies.
fn applied(text: &str) -> Option<ObjectRef> {
    let (path, rest) = text.split_once(" object ")?.1.split_once(' ')?;
    let (version, kind) = rest.split_once(", Kind=")?;
    let (namespace, name) = path.split_once('/')?;
    object(version.trim_start_matches('/'), kind.split(':').next()?, Some(namespace), name)
}

/// `failed to create typed patch object (NS/N; G/V, Kind=K): …`
fn typed(text: &str) -> Option<ObjectRef> {
    let inside = between(text, "typed patch object (", ")")?;
    let (path, kind) = inside.split_once("; ")?;
    let (namespace, name) = path.split_once('/')?;
    let (version, kind) = kind.split_once(", Kind=")?;
    object(version.trim_start_matches('/'), kind, Some(namespace), name)
}

/// `K "N" is invalid: …`, behind whatever helm 4 puts before it.
fn invalid(text: &str) -> Option<ObjectRef> {
    let (head, _) = text.split_once("\" is invalid")?;
    let (before, name) = head.rsplit_once('"')?;
    object("", before.split_whitespace().next_back()?.rsplit('.').next()?, None, name)
}

/// `RESOURCE "NAME" is forbidden: …`
fn forbidden(text: &str) -> Option<ObjectRef> {
    let (head, _) = text.split_once("\" is forbidden: ")?;
    let (before, name) = head.rsplit_once('"')?;
    let resource = before.split_whitespace().next_back()?;
    let plural = resource.split('.').next()?;
    let (_, kind) = KINDS.iter().find(|(known, _)| *known == plural)?;
    object("", kind, None, name)
}

/// The kinds that quotas and policies speak of by their resource.
const KINDS: [(&str, &str); 16] = [
    ("configmaps", "ConfigMap"),
    ("cronjobs", "CronJob"),
    ("daemonsets", "DaemonSet"),
    ("deployments", "Deployment"),
    ("horizontalpodautoscalers", "HorizontalPodAutoscaler"),
    ("ingresses", "Ingress"),
    ("jobs", "Job"),
    ("persistentvolumeclaims", "PersistentVolumeClaim"),
    ("pods", "Pod"),
    ("replicasets", "ReplicaSet"),
    ("replicationcontrollers", "ReplicationController"),
    ("resourcequotas", "ResourceQuota"),
    ("secrets", "Secret"),
    ("serviceaccounts", "ServiceAccount"),
    ("services", "Service"),
    ("statefulsets", "StatefulSet"),
];

/// `job NAME failed: …`
fn hook_job(text: &str) -> Option<ObjectRef> {
    let (start, kind) = if text.starts_with("pod ") { ("pod ", "Pod") } else { ("job ", "Job") };
    let name = between(text, start, " failed")?;
    (!name.contains(' ')).then(|| object("", kind, None, name.trim_matches('"'))).flatten()
}
