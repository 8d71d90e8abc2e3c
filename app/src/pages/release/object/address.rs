//! An object in an address: `apps/v1/Deployment/namespace/name`, the namespace empty for a cluster-scoped one.

use crate::model::ObjectRef;

/// The object as it is written in an address.
pub fn text(object: &ObjectRef) -> String {
    let namespace = object.namespace.as_deref().unwrap_or_default();
    [&object.api_version, &object.kind, namespace, &object.name].join("/")
}

/// The object that is written so.
pub fn parse(text: &str) -> Option<ObjectRef> {
    let mut parts = text.rsplitn(4, '/');
    let (name, namespace, kind) = (parts.next()?, parts.next()?, parts.next()?);
    let api_version = parts.next()?;
    (!name.is_empty() && !kind.is_empty()).then(|| ObjectRef {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        namespace: (!namespace.is_empty()).then(|| namespace.to_owned()),
        name: name.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_comes_back_from_its_address() {
        for (api_version, kind, namespace, name) in [
            ("apps/v1", "Deployment", Some("demo"), "web"),
            ("v1", "Pod", Some("demo"), "web-7d9-x2"),
            ("rbac.authorization.k8s.io/v1", "ClusterRole", None, "system:web"),
            ("", "Job", Some("demo"), "migrate"),
        ] {
            let object = ObjectRef {
                api_version: api_version.into(),
                kind: kind.into(),
                namespace: namespace.map(str::to_owned),
                name: name.into(),
            };
            assert_eq!(parse(&text(&object)), Some(object));
        }
    }

    #[test]
    fn what_names_no_object_is_none() {
        for text in ["", "web", "Pod/web", "Pod/demo/web", "v1/Pod/demo/", "v1//demo/web"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
