//! What of OpenShift a console of Helm's can meet: the kinds of its chart repositories.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use kube::runtime::wait::{await_condition, conditions};
use serde_json::{Value, json};

use super::{Cluster, PATIENCE, from};
use crate::Error;

impl Cluster {
    /// Installs `HelmChartRepository` and `ProjectHelmChartRepository` (`helm.openshift.io/v1beta1`), and returns when they
    /// are served. Doing it twice is doing it once.
    pub async fn install_openshift_repositories(&self) -> Result<(), Error> {
        for (kind, scope) in
            [("HelmChartRepository", "Cluster"), ("ProjectHelmChartRepository", "Namespaced")]
        {
            self.define(definition(kind, scope)).await?;
        }
        Ok(())
    }

    /// Makes a project (`project.openshift.io/v1`) of this name. On OpenShift each namespace is one, and a list of them has
    /// those that the caller may see; here they are objects like others.
    pub async fn create_project(&self, name: &str) -> Result<(), Error> {
        self.define(project_definition()).await?;
        let kind = GroupVersionKind::gvk("project.openshift.io", "v1", "Project");
        let kind = ApiResource::from_gvk_with_plural(&kind, "projects");
        let projects = Api::<DynamicObject>::all_with(self.client("admin").await?, &kind);
        projects.create(&PostParams::default(), &DynamicObject::new(name, &kind)).await?;
        Ok(())
    }

    async fn define(&self, definition: Value) -> Result<(), Error> {
        let definitions = Api::<CustomResourceDefinition>::all(self.client("admin").await?);
        let definition: CustomResourceDefinition = from(definition)?;
        let name = definition.metadata.name.clone().unwrap_or_default();
        let params = PatchParams::apply("testbed").force();
        definitions.patch(&name, &params, &Patch::Apply(&definition)).await?;
        let established = await_condition(definitions, &name, conditions::is_crd_established());
        if !matches!(tokio::time::timeout(PATIENCE, established).await, Ok(Ok(_))) {
            let (what, log) = ("a kind of OpenShift's", String::new());
            return Err(Error::NotReady { what, after: PATIENCE, log });
        }
        Ok(())
    }
}

fn project_definition() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "projects.project.openshift.io" },
        "spec": {
            "group": "project.openshift.io", "scope": "Cluster",
            "names": { "kind": "Project", "listKind": "ProjectList", "singular": "project", "plural": "projects" },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": { "openAPIV3Schema": { "type": "object" } },
            }],
        },
    })
}

/// The kind as OpenShift has it (openshift/api, `helm/v1beta1`), but for some of what its API server checks.
fn definition(kind: &str, scope: &str) -> Value {
    let singular = kind.to_lowercase();
    let plural = singular.replace("repository", "repositories");
    let reference = json!({
        "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } },
    });
    let text = |max: u32| json!({ "type": "string", "minLength": 1, "maxLength": max });
    let connection = json!({
        "type": "object",
        "properties": {
            "url": { "type": "string", "pattern": "^https?:\\/\\/", "maxLength": 2048 },
            "ca": reference, "tlsClientConfig": reference, "basicAuthConfig": reference,
        },
    });
    let spec = json!({
        "type": "object",
        "properties": {
            "name": text(100), "description": text(2048), "disabled": { "type": "boolean" },
            "connectionConfig": connection,
        },
    });
    let status = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let schema = json!({
        "type": "object", "required": ["spec"], "properties": { "spec": spec, "status": status },
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.helm.openshift.io") },
        "spec": {
            "group": "helm.openshift.io", "scope": scope,
            "names": { "kind": kind, "listKind": format!("{kind}List"), "singular": singular, "plural": plural },
            "versions": [{
                "name": "v1beta1", "served": true, "storage": true,
                "subresources": { "status": {} }, "schema": { "openAPIV3Schema": schema },
            }],
        },
    })
}
