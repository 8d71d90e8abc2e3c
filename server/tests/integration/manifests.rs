//! `deploy/slipway.yaml`, applied to the tests' cluster: what stands there is what servers and runners have here.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::{Namespace, ServiceAccount};
use k8s_openapi::api::rbac::v1::{ClusterRoleBinding, RoleBinding, RoleRef};
use kube::api::{
    Api, ApiResource, DeleteParams, DynamicObject, GroupVersionKind, Patch, PatchParams, PostParams,
};
use serde_json::{Value, json};

use crate::cluster::cluster;

const MANIFESTS: &str = include_str!("../../../deploy/slipway.yaml");

/// Applies everything but the Deployment to a namespace of its own, and gives its name. Then there is a kubeconfig for the
/// server's ServiceAccount, as that of the user of the same name as the namespace.
pub async fn apply() -> String {
    let cluster = cluster().await;
    let client = cluster.client("admin").await.unwrap();
    let namespace = cluster.create_namespace(None).await.unwrap();
    let mut bindings = Vec::new();
    for text in MANIFESTS.split("\n---\n") {
        let mut object = read(text);
        let kind = object["kind"].as_str().unwrap().to_owned();
        match kind.as_str() {
            "Deployment" => continue,
            "Namespace" => {
                let labels = Patch::Merge(json!({"metadata": {"labels": object["metadata"]["labels"]}}));
                let namespaces: Api<Namespace> = Api::all(client.clone());
                namespaces.patch(&namespace, &PatchParams::default(), &labels).await.unwrap();
                continue;
            }
            _ => {}
        }
        let is_cluster_wide = kind.starts_with("Cluster");
        if is_cluster_wide {
            let name = format!("{}-{namespace}", object["metadata"]["name"].as_str().unwrap());
            object["metadata"]["name"] = name.into();
            if kind == "ClusterRoleBinding" && object["roleRef"]["name"] == "slipway" {
                object["roleRef"]["name"] = format!("slipway-{namespace}").into();
            }
        } else {
            object["metadata"]["namespace"] = namespace.clone().into();
        }
        for subject in object["subjects"].as_array_mut().into_iter().flatten() {
            subject["namespace"] = namespace.clone().into();
        }
        let version = object["apiVersion"].as_str().unwrap();
        let (group, version) = version.split_once('/').unwrap_or(("", version));
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, &kind));
        let api: Api<DynamicObject> = match is_cluster_wide {
            true => Api::all_with(client.clone(), &resource),
            false => Api::namespaced_with(client.clone(), &namespace, &resource),
        };
        if kind.ends_with("Binding") {
            bindings.push(object.clone());
        }
        let object: DynamicObject = serde_json::from_value(object).unwrap();
        api.create(&PostParams::default(), &object).await.unwrap();
    }
    for binding in bindings {
        let role: RoleRef = serde_json::from_value(binding["roleRef"].clone()).unwrap();
        let account = account(&namespace, binding["subjects"][0]["name"].as_str().unwrap());
        cluster.until_granted(&account, &role, &namespace).await.unwrap();
    }
    let accounts: Api<ServiceAccount> = Api::namespaced(client, &namespace);
    let request = TokenRequest { spec: TokenRequestSpec::default(), ..TokenRequest::default() };
    let granted = accounts.create_token_request("slipway", &PostParams::default(), &request).await.unwrap();
    let admins = std::fs::read_to_string(cluster.kubeconfig("admin")).unwrap();
    let own = admins.replace(cluster.token("admin").unwrap(), &granted.status.unwrap().token);
    std::fs::write(cluster.kubeconfig(&namespace), own).unwrap();
    namespace
}

/// Deploys the server to `namespace`, to which the rest was applied, with another image and more arguments.
pub async fn deploy(namespace: &str, image: &str, more: &[&str]) {
    let client = cluster().await.client("admin").await.unwrap();
    let mut objects = MANIFESTS.split("\n---\n").map(read);
    let mut deployment = objects.find(|object| object["kind"] == "Deployment").unwrap();
    deployment["metadata"]["namespace"] = namespace.into();
    let pod = &mut deployment["spec"]["template"]["spec"];
    pod["nodeSelector"] = json!({"slipway.dev/node": "real"});
    pod["tolerations"] = json!([{"key": "slipway.dev/node", "operator": "Exists"}]);
    pod["containers"][0]["image"] = image.into();
    let arguments = pod["containers"][0]["args"].as_array_mut().unwrap();
    for argument in arguments.iter_mut() {
        *argument = argument.as_str().unwrap().replace("slipway:latest", image).into();
    }
    arguments.push(format!("--operations-namespace={namespace}").into());
    arguments.extend(more.iter().map(|word| Value::from(*word)));
    let api: Api<Deployment> = Api::namespaced(client, namespace);
    api.create(&PostParams::default(), &serde_json::from_value(deployment).unwrap()).await.unwrap();
}

fn read(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap()
}

/// Takes the wide rights from the runner, and gives it those of an admin of `of` in their place, as the manifests propose.
pub async fn narrow(namespace: &str, of: &str) {
    let (cluster, runner) = (cluster().await, account(namespace, "slipway-runner"));
    let client = cluster.client("admin").await.unwrap();
    let all: Api<ClusterRoleBinding> = Api::all(client.clone());
    let name = format!("slipway-runner-{namespace}");
    let wide = all.get(&name).await.unwrap();
    all.delete(&name, &DeleteParams::default()).await.unwrap();
    cluster.until_revoked(&runner, &wide.role_ref, of).await.unwrap();
    let narrow = json!({
        "metadata": {"name": "slipway-runner"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "admin"},
        "subjects": [{"kind": "ServiceAccount", "name": "slipway-runner", "namespace": namespace}],
    });
    let bindings: Api<RoleBinding> = Api::namespaced(client, of);
    let narrow: RoleBinding = serde_json::from_value(narrow).unwrap();
    bindings.create(&PostParams::default(), &narrow).await.unwrap();
    cluster.until_granted(&runner, &narrow.role_ref, of).await.unwrap();
}

/// A ServiceAccount as the API server knows it.
fn account(namespace: &str, name: &str) -> String {
    format!("system:serviceaccount:{namespace}:{name}")
}
