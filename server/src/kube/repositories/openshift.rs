//! OpenShift's own chart repositories (`helm.openshift.io/v1beta1`): `HelmChartRepository` for the cluster, whose credentials
//! are in `openshift-config`, and `ProjectHelmChartRepository` for a namespace, whose are beside it.

use std::collections::BTreeSet;

use app::model::{References, RepositoryOrigin, Secured};
use async_trait::async_trait;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::api::{Api, ApiResource, DynamicObject, ListParams, PostParams};
use kube::core::{GroupVersionKind, ObjectMeta};
use serde_json::{Value, json};

use super::{COUNT_MAX, TEXT_MAX, text, unchanged};
use crate::charts::source::{Definition, RepositorySource, Written, address};
use crate::credentials::RepositoryCredentials;
use crate::kube::resources::Discovery;
use crate::kube::{Client, ClusterError, within_deadline};

const GROUP: &str = "helm.openshift.io";
const VERSION: &str = "v1beta1";
/// Where the credentials of the cluster's repositories are.
pub const CONFIG_NAMESPACE: &str = "openshift-config";

/// OpenShift's repositories of one of the two kinds.
pub struct OpenShiftRepositories {
    client: Client,
    discovery: Discovery,
    origin: RepositoryOrigin,
}

impl OpenShiftRepositories {
    /// Those for the cluster.
    pub fn of_the_cluster(client: Client) -> Self {
        Self { discovery: Discovery::new(client.clone()), client, origin: RepositoryOrigin::Cluster }
    }

    /// Those for namespaces.
    pub fn of_namespaces(client: Client) -> Self {
        Self { discovery: Discovery::new(client.clone()), client, origin: RepositoryOrigin::Project }
    }

    fn kind(&self) -> &'static str {
        match self.origin {
            RepositoryOrigin::Project => "ProjectHelmChartRepository",
            _ => "HelmChartRepository",
        }
    }

    /// The plural, as rights name it.
    pub fn plural(origin: RepositoryOrigin) -> &'static str {
        match origin {
            RepositoryOrigin::Project => "projecthelmchartrepositories",
            _ => "helmchartrepositories",
        }
    }

    /// The API group, likewise.
    pub fn group() -> &'static str {
        GROUP
    }

    fn api(&self, namespace: Option<&str>) -> Api<DynamicObject> {
        let kind = GroupVersionKind::gvk(GROUP, VERSION, self.kind());
        let resource = ApiResource::from_gvk_with_plural(&kind, Self::plural(self.origin));
        match namespace {
            Some(namespace) => Api::namespaced_with(self.client.clone(), namespace, &resource),
            None => Api::all_with(self.client.clone(), &resource),
        }
    }

    async fn secret(&self, namespace: &str, name: &str) -> Result<Secret, ClusterError> {
        let api: Api<Secret> = Api::namespaced(self.client.clone(), namespace);
        within_deadline(api.get(name)).await
    }
}

#[async_trait]
impl RepositorySource for OpenShiftRepositories {
    fn origin(&self) -> RepositoryOrigin {
        self.origin
    }

    async fn list(&self, namespace: Option<&str>) -> Result<Vec<Definition>, ClusterError> {
        // Those of one namespace after the other are asked for by name.
        if namespace.is_some() != (self.origin == RepositoryOrigin::Project) {
            return Ok(Vec::new());
        }
        let which = ListParams::default().limit(COUNT_MAX);
        let list = within_deadline(self.api(namespace).list(&which)).await?;
        Ok(list.items.iter().filter_map(|object| definition(object, self.origin)).collect())
    }

    async fn namespaces(&self) -> Result<BTreeSet<String>, ClusterError> {
        if self.origin != RepositoryOrigin::Project {
            return Ok(BTreeSet::new());
        }
        let which = ListParams::default().limit(COUNT_MAX);
        match within_deadline(self.api(None).list_metadata(&which)).await {
            Ok(list) => Ok(list.items.into_iter().filter_map(|object| object.metadata.namespace).collect()),
            // A cluster that has no such kind.
            Err(ClusterError::NotFound(_)) => Ok(BTreeSet::new()),
            Err(error) => Err(error),
        }
    }

    async fn credentials(&self, of: &Definition) -> Result<RepositoryCredentials, ClusterError> {
        let Some(references) = &of.secured.references else { return Ok(RepositoryCredentials::default()) };
        let namespace = of.namespace.as_deref().unwrap_or(CONFIG_NAMESPACE);
        let mut found = RepositoryCredentials::default();
        if let Some(name) = &references.password {
            let secret = self.secret(namespace, name).await?;
            found.username = Some(required(&secret, name, "username")?);
            found.password = Some(required(&secret, name, "password")?);
        }
        if let Some(name) = &references.certificate {
            let secret = self.secret(namespace, name).await?;
            found.certificate = Some(required(&secret, name, "tls.crt")?);
            found.key = Some(required(&secret, name, "tls.key")?);
        }
        if let Some(name) = &references.ca {
            let api: Api<ConfigMap> = Api::namespaced(self.client.clone(), namespace);
            let map = within_deadline(api.get(name)).await?;
            let bundle = map.data.and_then(|mut data| data.remove("ca-bundle.crt"));
            let missing =
                || ClusterError::Unreadable(format!("the ConfigMap {name} has no key ca-bundle.crt"));
            found.ca = Some(bundle.ok_or_else(missing)?);
        }
        Ok(found)
    }

    async fn takes_new(&self) -> bool {
        let kind = self.discovery.kind(&format!("{GROUP}/{VERSION}"), self.kind()).await;
        kind.is_ok_and(|kind| kind.is_some())
    }

    async fn add(&self, new: &Written) -> Result<(), ClusterError> {
        let namespace = new.spec.namespace.as_deref();
        let kind = GroupVersionKind::gvk(GROUP, VERSION, self.kind());
        let mut object = DynamicObject::new(
            &new.spec.name,
            &ApiResource::from_gvk_with_plural(&kind, Self::plural(self.origin)),
        );
        object.metadata = ObjectMeta { namespace: namespace.map(str::to_owned), ..object.metadata };
        object.data = json!({ "spec": {} });
        write(&mut object.data, new);
        within_deadline(self.api(namespace).create(&PostParams::default(), &object)).await.map(drop)
    }

    async fn change(&self, of: &Definition, new: &Written) -> Result<(), ClusterError> {
        let api = self.api(of.namespace.as_deref());
        let mut object = within_deadline(api.get(&of.name)).await?;
        if object.metadata.resource_version.as_deref() != Some(&of.revision) {
            return Err(ClusterError::Conflict(format!("{} was changed", of.name)));
        }
        // What it has besides stays as it is.
        write(&mut object.data, new);
        within_deadline(api.replace(&of.name, &PostParams::default(), &object)).await.map(drop)
    }

    async fn remove(&self, of: &Definition) -> Result<(), ClusterError> {
        within_deadline(self.api(of.namespace.as_deref()).delete(&of.name, &unchanged(of))).await.map(drop)
    }
}

fn required(secret: &Secret, name: &str, key: &str) -> Result<String, ClusterError> {
    text(secret, key).ok_or_else(|| ClusterError::Unreadable(format!("the Secret {name} has no key {key}")))
}

fn definition(object: &DynamicObject, origin: RepositoryOrigin) -> Option<Definition> {
    let spec = object.data.get("spec").unwrap_or(&Value::Null);
    let word = |value: Option<&Value>| {
        let text = value.and_then(Value::as_str).filter(|text| !text.is_empty())?;
        Some(text.chars().take(TEXT_MAX).collect::<String>())
    };
    let connection = spec.get("connectionConfig").unwrap_or(&Value::Null);
    let reference = |key: &str| word(connection.get(key).and_then(|reference| reference.get("name")));
    let references = References {
        ca: reference("ca"),
        certificate: reference("tlsClientConfig"),
        password: reference("basicAuthConfig"),
    };
    Some(Definition {
        origin,
        namespace: (origin == RepositoryOrigin::Project).then(|| object.metadata.namespace.clone()).flatten(),
        name: object.metadata.name.clone()?,
        address: address(&word(connection.get("url")).unwrap_or_default()),
        display_name: word(spec.get("name")),
        description: word(spec.get("description")),
        disabled: spec.get("disabled").and_then(Value::as_bool).unwrap_or_default(),
        secured: Secured {
            password: references.password.is_some(),
            token: false,
            ca: references.ca.is_some(),
            certificate: references.certificate.is_some(),
            references: Some(references).filter(|references| *references != References::default()),
        },
        revision: object.metadata.resource_version.clone().unwrap_or_default(),
    })
}

/// Writes what is asked for into an object, and leaves alone what is not ours.
fn write(object: &mut Value, new: &Written) {
    let (asked, references) = (&new.spec, &new.references);
    if !object.get("spec").is_some_and(Value::is_object) {
        *object = json!({ "spec": {} });
    }
    let spec = &mut object["spec"];
    let set = |of: &mut Value, key: &str, value: Option<Value>| {
        let Some(fields) = of.as_object_mut() else { return };
        match value {
            Some(value) => drop(fields.insert(key.to_owned(), value)),
            None => drop(fields.remove(key)),
        }
    };
    set(spec, "name", asked.display_name.clone().map(Value::from));
    set(spec, "description", asked.description.clone().map(Value::from));
    set(spec, "disabled", asked.disabled.then_some(Value::Bool(true)));
    if !spec["connectionConfig"].is_object() {
        spec["connectionConfig"] = json!({});
    }
    let connection = &mut spec["connectionConfig"];
    set(connection, "url", Some(asked.url.clone().into()));
    for (key, name) in [
        ("ca", &references.ca),
        ("tlsClientConfig", &references.certificate),
        ("basicAuthConfig", &references.password),
    ] {
        set(connection, key, name.clone().map(|name| json!({ "name": name })));
    }
}

#[cfg(test)]
mod tests {
    use app::model::RepositorySpec;

    use super::*;

    fn object(data: Value) -> DynamicObject {
        let kind = GroupVersionKind::gvk(GROUP, VERSION, "ProjectHelmChartRepository");
        let mut object = DynamicObject::new("team", &ApiResource::from_gvk(&kind));
        object.metadata.namespace = Some("demo".into());
        object.metadata.resource_version = Some("7".into());
        object.data = data;
        object
    }

    #[test]
    fn a_repository_is_read_as_openshift_writes_it() {
        let read = definition(
            &object(json!({ "spec": {
                "name": "Team charts", "description": "Ours", "disabled": true,
                "connectionConfig": {
                    "url": "https://charts.example.org", "ca": { "name": "authorities" },
                    "tlsClientConfig": { "name": "client" }, "basicAuthConfig": { "name": "user" },
                },
            }})),
            RepositoryOrigin::Project,
        );
        let read = read.unwrap();
        assert_eq!(read.id(), "demo:team");
        assert_eq!((read.display_name.as_deref(), read.disabled), (Some("Team charts"), true));
        assert_eq!(read.address.as_ref().unwrap().as_str(), "https://charts.example.org/");
        let references = read.secured.references.unwrap();
        assert_eq!(
            [references.ca, references.certificate, references.password].map(Option::unwrap),
            ["authorities", "client", "user"]
        );
    }

    #[test]
    fn one_that_makes_no_sense_says_so() {
        for data in [json!({}), json!({"spec": {"connectionConfig": {"url": 3}}}), json!({"spec": "x"})] {
            let read = definition(&object(data), RepositoryOrigin::Project).unwrap();
            assert!(read.address.is_err() && read.secured == Secured::default(), "{read:?}");
        }
    }

    #[test]
    fn a_change_leaves_alone_what_is_not_ours() {
        let spec = RepositorySpec {
            origin: RepositoryOrigin::Project,
            namespace: Some("demo".into()),
            name: "team".into(),
            url: "https://elsewhere.example.org".into(),
            ..RepositorySpec::default()
        };
        let references = References { ca: Some("authorities".into()), ..References::default() };
        let new = Written { spec, credentials: RepositoryCredentials::default(), references };
        let mut data = json!({ "status": { "x": 1 }, "spec": {
            "description": "Old", "later": 1,
            "connectionConfig": { "url": "https://a", "basicAuthConfig": { "name": "user" }, "later": 2 },
        }});
        write(&mut data, &new);
        assert_eq!(
            data,
            json!({ "status": { "x": 1 }, "spec": {
                "later": 1,
                "connectionConfig": {
                    "url": "https://elsewhere.example.org", "ca": { "name": "authorities" }, "later": 2,
                },
            }})
        );
    }
}
