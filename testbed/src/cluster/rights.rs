//! Rights for users. What a binding gives is in effect when the API server's authoriser has heard of it: a moment after the
//! binding was created, or long after on a busy machine. Whoever relies on it earlier is refused, and may remember that.

use k8s_openapi::api::authorization::v1::{ResourceRule, SelfSubjectRulesReview, SelfSubjectRulesReviewSpec};
use k8s_openapi::api::rbac::v1::{ClusterRole, PolicyRule, Role, RoleBinding, RoleRef};
use kube::Client;
use kube::api::{Api, DeleteParams, PostParams};
use serde_json::json;

use super::{Cluster, PATIENCE, client_as, from};
use crate::Error;

/// How often the authoriser is asked.
const ASK_EVERY: std::time::Duration = std::time::Duration::from_millis(20);

impl Cluster {
    /// Gives a user the cluster role `edit` in a namespace, and returns when it is in effect.
    pub async fn grant_edit(&self, user: &str, namespace: &str) -> Result<(), Error> {
        self.grant(user, "edit", namespace).await
    }

    /// Gives a user a cluster role in a namespace, and returns when it is in effect.
    pub async fn grant(&self, user: &str, role: &str, namespace: &str) -> Result<(), Error> {
        self.bind(user, "ClusterRole", role, namespace).await
    }

    /// Gives a user a role of their own in a namespace, which allows this much, and returns when it is in effect.
    pub async fn grant_rules(&self, user: &str, rules: &[PolicyRule], namespace: &str) -> Result<(), Error> {
        let role = from(json!({ "metadata": { "name": format!("{user}-own") }, "rules": rules }))?;
        let roles = Api::<Role>::namespaced(self.client("admin").await?, namespace);
        roles.create(&PostParams::default(), &role).await?;
        self.bind(user, "Role", &format!("{user}-own"), namespace).await
    }

    async fn bind(&self, user: &str, kind: &str, role: &str, namespace: &str) -> Result<(), Error> {
        self.identities.token(user)?;
        let role_ref = json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role });
        let binding: RoleBinding = from(json!({
            "metadata": { "name": format!("{user}-{role}") },
            "roleRef": role_ref,
            "subjects": [{ "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user }],
        }))?;
        let bindings = Api::<RoleBinding>::namespaced(self.client("admin").await?, namespace);
        bindings.create(&PostParams::default(), &binding).await?;
        self.until_granted(user, &binding.role_ref, namespace).await
    }

    /// Takes what [`Cluster::grant`] gave from a user, and returns when it is gone.
    pub async fn revoke(&self, user: &str, role: &str, namespace: &str) -> Result<(), Error> {
        let bindings = Api::<RoleBinding>::namespaced(self.client("admin").await?, namespace);
        let name = format!("{user}-{role}");
        let binding = bindings.get(&name).await?;
        bindings.delete(&name, &DeleteParams::default()).await?;
        self.until_revoked(user, &binding.role_ref, namespace).await
    }

    /// Waits until a user, or `system:serviceaccount:NAMESPACE:NAME`, has in `namespace` what a role there allows.
    pub async fn until_granted(&self, user: &str, role: &RoleRef, namespace: &str) -> Result<(), Error> {
        self.until(user, role, namespace, "what a role allows", |rules, has| {
            // A role that is made of others is empty for a moment.
            !rules.is_empty() && rules.iter().all(|rule| has.iter().any(|own| is_same(rule, own)))
        })
        .await
    }

    /// Waits until a user, or `system:serviceaccount:NAMESPACE:NAME`, has nothing in `namespace` of what a role there allows.
    pub async fn until_revoked(&self, user: &str, role: &RoleRef, namespace: &str) -> Result<(), Error> {
        self.until(user, role, namespace, "the end of what a role allows", |rules, has| {
            !rules.iter().any(|rule| has.iter().any(|own| is_same(rule, own)))
        })
        .await
    }

    async fn until(
        &self,
        user: &str,
        role: &RoleRef,
        namespace: &str,
        what: &'static str,
        is_so: impl Fn(&[PolicyRule], &[ResourceRule]) -> bool,
    ) -> Result<(), Error> {
        let (admin, user) = (self.client("admin").await?, client_as(&self.data, user).await?);
        let asked = async {
            while !is_so(&allowed(&admin, role, namespace).await?, &has(&user, namespace).await?) {
                tokio::time::sleep(ASK_EVERY).await;
            }
            Ok(())
        };
        let late = Error::NotReady { what, after: PATIENCE, log: String::new() };
        tokio::time::timeout(PATIENCE, asked).await.unwrap_or(Err(late))
    }
}

/// What a role allows to do to resources.
async fn allowed(admin: &Client, role: &RoleRef, namespace: &str) -> Result<Vec<PolicyRule>, Error> {
    let rules = if role.kind == "ClusterRole" {
        Api::<ClusterRole>::all(admin.clone()).get(&role.name).await?.rules
    } else {
        Api::<Role>::namespaced(admin.clone(), namespace).get(&role.name).await?.rules
    };
    Ok(rules.into_iter().flatten().filter(|rule| rule.resources.is_some()).collect())
}

/// What the authoriser allows a user in a namespace.
async fn has(user: &Client, namespace: &str) -> Result<Vec<ResourceRule>, Error> {
    let spec = SelfSubjectRulesReviewSpec { namespace: Some(namespace.to_owned()) };
    let review = SelfSubjectRulesReview { spec, ..SelfSubjectRulesReview::default() };
    let reviews = Api::<SelfSubjectRulesReview>::all(user.clone());
    let status = reviews.create(&PostParams::default(), &review).await?.status;
    Ok(status.map(|status| status.resource_rules).unwrap_or_default())
}

/// The authoriser tells of each rule of each role, as it is.
fn is_same(rule: &PolicyRule, own: &ResourceRule) -> bool {
    (&rule.api_groups, &rule.resources, &rule.resource_names, &rule.verbs)
        == (&own.api_groups, &own.resources, &own.resource_names, &own.verbs)
}
