//! What an object's specification says of others: by name, or by the labels of pods. Pure.

use app::model::Relation;
use app::model::Relation::{Mounts, Routes, Scales, Uses};
use serde_json::{Map, Value};

use crate::releases::family::group;

/// What an object has to do with others.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Link<'a> {
    /// With one by its kind and name; in another namespace, if one is named.
    Named { relation: Relation, kind: &'a str, namespace: Option<&'a str>, name: &'a str },
    /// One by name leads to it.
    NamedBy { relation: Relation, kind: &'a str, name: &'a str },
    /// With those whose pods have these labels.
    Pods(Selector<'a>),
    /// With services that have these labels themselves.
    Services(Selector<'a>),
}

/// A choice by labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Selector<'a> {
    labels: Vec<(&'a str, &'a str)>,
    expressions: Vec<(&'a str, &'a str, Vec<&'a str>)>,
}

impl<'a> Selector<'a> {
    /// `{app: web}`; none if it is empty, which selects nothing or all.
    fn plain(labels: &'a Value) -> Option<Self> {
        let labels: Vec<_> = labels
            .as_object()?
            .iter()
            .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
            .collect();
        (!labels.is_empty()).then_some(Self { labels, expressions: Vec::new() })
    }

    /// `{matchLabels: …, matchExpressions: …}`
    fn full(selector: &'a Value) -> Option<Self> {
        let labels = Self::plain(&selector["matchLabels"]).map(|it| it.labels).unwrap_or_default();
        let expression = |it: &'a Value| {
            let values = it["values"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            Some((it["key"].as_str()?, it["operator"].as_str()?, values))
        };
        let expressions: Vec<_> =
            selector["matchExpressions"].as_array().into_iter().flatten().filter_map(expression).collect();
        (!labels.is_empty() || !expressions.is_empty()).then_some(Self { labels, expressions })
    }

    /// Whether it selects what has `labels`.
    pub fn selects(&self, labels: &Map<String, Value>) -> bool {
        let value = |key: &str| labels.get(key).and_then(Value::as_str);
        self.labels.iter().all(|(key, wanted)| value(key) == Some(wanted))
            && self.expressions.iter().all(|(key, operator, values)| match *operator {
                "In" => value(key).is_some_and(|found| values.contains(&found)),
                "NotIn" => value(key).is_none_or(|found| !values.contains(&found)),
                "Exists" => value(key).is_some(),
                "DoesNotExist" => value(key).is_none(),
                _ => false,
            })
    }
}

/// The pod that an object makes, or is: with `metadata` and `spec`.
pub(super) fn template(object: &Value) -> Option<&Value> {
    let found = match object["kind"].as_str()? {
        "Pod" => object,
        "CronJob" => object.pointer("/spec/jobTemplate/spec/template")?,
        _ => object.pointer("/spec/template")?,
    };
    found["spec"]["containers"].is_array().then_some(found)
}

/// What `object` says of others.
pub(super) fn links(object: &Value) -> Vec<Link<'_>> {
    let spec = &object["spec"];
    let kind = object["kind"].as_str().unwrap_or_default();
    match (group(object["apiVersion"].as_str().unwrap_or_default()), kind) {
        ("networking.k8s.io" | "extensions", "Ingress") => {
            let paths = each(&spec["rules"]).flat_map(|rule| each(&rule["http"]["paths"]));
            let backends =
                paths.map(|path| &path["backend"]).chain([&spec["defaultBackend"], &spec["backend"]]);
            let services = backends.flat_map(|it| [&it["service"]["name"], &it["serviceName"]]);
            let secrets = each(&spec["tls"]).filter_map(|it| near(Uses, "Secret", &it["secretName"]));
            services.filter_map(|name| near(Routes, "Service", name)).chain(secrets).collect()
        }
        ("route.openshift.io", "Route") => {
            let others = each(&spec["alternateBackends"]);
            std::iter::once(&spec["to"])
                .chain(others)
                .filter_map(|it| near(Routes, "Service", &it["name"]))
                .collect()
        }
        ("gateway.networking.k8s.io", "HTTPRoute" | "GRPCRoute" | "TCPRoute" | "TLSRoute" | "UDPRoute") => {
            let backends = each(&spec["rules"]).flat_map(|rule| each(&rule["backendRefs"]));
            let services = backends.filter_map(|it| {
                let kind = it["kind"].as_str().unwrap_or("Service");
                named(Routes, kind, it["namespace"].as_str(), &it["name"])
            });
            let gateways = each(&spec["parentRefs"]).filter_map(|it| {
                let kind = it["kind"].as_str().unwrap_or("Gateway");
                Some(Link::NamedBy { relation: Routes, kind, name: it["name"].as_str()? })
            });
            services.chain(gateways).collect()
        }
        ("", "Service") => Selector::plain(&spec["selector"]).map(Link::Pods).into_iter().collect(),
        ("policy", "PodDisruptionBudget") => {
            Selector::full(&spec["selector"]).map(Link::Pods).into_iter().collect()
        }
        ("networking.k8s.io", "NetworkPolicy") => {
            Selector::full(&spec["podSelector"]).map(Link::Pods).into_iter().collect()
        }
        ("monitoring.coreos.com", "PodMonitor") => {
            Selector::full(&spec["selector"]).map(Link::Pods).into_iter().collect()
        }
        ("monitoring.coreos.com", "ServiceMonitor") => {
            Selector::full(&spec["selector"]).map(Link::Services).into_iter().collect()
        }
        ("autoscaling" | "keda.sh", _) => target(&spec["scaleTargetRef"]),
        ("autoscaling.k8s.io", _) => target(&spec["targetRef"]),
        ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => {
            let role = object["roleRef"]["kind"].as_str().unwrap_or("Role");
            let role = near(Uses, role, &object["roleRef"]["name"]);
            let subjects = each(&object["subjects"])
                .filter(|it| it["kind"] == "ServiceAccount")
                .filter_map(|it| named(Uses, "ServiceAccount", it["namespace"].as_str(), &it["name"]));
            role.into_iter().chain(subjects).collect()
        }
        ("", "ServiceAccount") => each(&object["imagePullSecrets"])
            .chain(each(&object["secrets"]))
            .filter_map(|it| near(Uses, "Secret", &it["name"]))
            .collect(),
        _ => template(object).map(|template| of_pod(&template["spec"])).unwrap_or_default(),
    }
}

fn target(reference: &Value) -> Vec<Link<'_>> {
    let kind = reference["kind"].as_str().unwrap_or("Deployment");
    named(Scales, kind, None, &reference["name"]).into_iter().collect()
}

/// What a pod has as volumes and reads its settings from. Volumes come first: what is both is mounted.
fn of_pod(spec: &Value) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    for volume in each(&spec["volumes"]) {
        found.extend(near(Mounts, CLAIM, &volume["persistentVolumeClaim"]["claimName"]));
        found.extend(near(Mounts, "ConfigMap", &volume["configMap"]["name"]));
        found.extend(near(Mounts, "Secret", &volume["secret"]["secretName"]));
        for source in each(&volume["projected"]["sources"]) {
            found.extend(near(Mounts, "ConfigMap", &source["configMap"]["name"]));
            found.extend(near(Mounts, "Secret", &source["secret"]["name"]));
        }
    }
    for container in each(&spec["initContainers"]).chain(each(&spec["containers"])) {
        for from in each(&container["envFrom"]) {
            found.extend(near(Uses, "ConfigMap", &from["configMapRef"]["name"]));
            found.extend(near(Uses, "Secret", &from["secretRef"]["name"]));
        }
        for from in each(&container["env"]).map(|variable| &variable["valueFrom"]) {
            found.extend(near(Uses, "ConfigMap", &from["configMapKeyRef"]["name"]));
            found.extend(near(Uses, "Secret", &from["secretKeyRef"]["name"]));
        }
    }
    found.extend(near(Uses, "ServiceAccount", &spec["serviceAccountName"]));
    found.extend(each(&spec["imagePullSecrets"]).filter_map(|it| near(Uses, "Secret", &it["name"])));
    found
}

/// The kind of a volume claim.
pub(super) const CLAIM: &str = "PersistentVolumeClaim";

/// The claims that a pod has as volumes.
pub(super) fn claims(spec: &Value) -> Vec<String> {
    let name = |volume: &Value| Some(volume["persistentVolumeClaim"]["claimName"].as_str()?.to_owned());
    each(&spec["volumes"]).filter_map(name).collect()
}

fn each(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().map_or(&[][..], Vec::as_slice).iter()
}

/// With one of its own namespace.
fn near<'a>(relation: Relation, kind: &'a str, name: &'a Value) -> Option<Link<'a>> {
    named(relation, kind, None, name)
}

fn named<'a>(
    relation: Relation,
    kind: &'a str,
    namespace: Option<&'a str>,
    name: &'a Value,
) -> Option<Link<'a>> {
    let name = name.as_str().filter(|name| !name.is_empty())?;
    Some(Link::Named { relation, kind, namespace, name })
}

#[cfg(test)]
mod tests;
