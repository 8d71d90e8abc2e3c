//! One live object of a release, looked at closely.

use app::model::{ApiError, ObjectDetail, ObjectRef, ReleaseKey};

use super::family::{Family, group};
use super::readiness::judge;
use super::values::yaml;
use super::{Releases, not_found};
use crate::kube::resources::Kind;
use crate::kube::{ClusterError, objects};

impl Releases {
    /// The kind of `object`, which says what right it takes to read it.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] when the cluster has no such kind; else when it does not answer.
    pub async fn kind(&self, object: &ObjectRef) -> Result<Kind, ApiError> {
        let kind = self.shared.discovery.kind(&object.api_version, &object.kind).await?;
        kind.ok_or_else(|| ApiError::NotFound { what: format!("The kind {}", object.kind) })
    }

    /// The object of `kind` that `object` names, of the release `key`; with its events, if `with_events`.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] when it is not in the cluster, or has nothing to do with the release; else when the cluster
    /// refuses or does not answer.
    pub async fn object(
        &self,
        key: &ReleaseKey,
        object: &ObjectRef,
        kind: &Kind,
        with_events: Result<(), String>,
    ) -> Result<ObjectDetail, ApiError> {
        let namespace = object.namespace.clone().filter(|_| kind.namespaced);
        let object = ObjectRef { namespace, ..object.clone() };
        let missing = || ApiError::NotFound { what: format!("{} {}", object.kind, object.name) };
        if kind.namespaced && object.namespace.is_none() {
            return Err(missing());
        }
        let mut family = self.family(key).await?;
        let whole = match objects::whole(&self.shared.client, kind, &object).await {
            Err(ClusterError::NotFound(_)) => return Err(missing()),
            whole => whole?,
        };
        let root = family.root(&self.shared, &object, &whole.kin).await?.ok_or_else(missing)?;
        let root = family.resources.get(root).ok_or_else(missing)?;
        let (events, events_error) = match with_events {
            Err(reason) => (Vec::new(), Some(reason)),
            Ok(()) => {
                let told =
                    objects::events(&self.shared.client, object.namespace.as_deref(), &whole.kin.uid).await;
                match told.map_err(ApiError::from) {
                    Ok(events) => (events, None),
                    Err(error) => (Vec::new(), Some(error.to_string())),
                }
            }
        };
        let verdict = judge(kind.group(), &object.kind, &whole.json);
        Ok(ObjectDetail {
            now: self.shared.clock.now(),
            root: root.object.clone(),
            source: root.source.clone(),
            yaml: yaml(&whole.json),
            is_sensitive: is_sensitive(&object),
            created: whole.kin.created,
            health: verdict.health,
            message: verdict.message,
            conditions: objects::conditions(&whole.json),
            events,
            events_error,
            object,
        })
    }

    /// What belongs to the release `key`.
    pub(super) async fn family(&self, key: &ReleaseKey) -> Result<Family, ApiError> {
        let view = self.view(key, None).await?;
        if view.record.is_none() {
            return Err(not_found(key, None));
        }
        match view.resources_error {
            Some(message) if view.resources.is_empty() => Err(ApiError::Unavailable { message }),
            _ => Ok(Family::new(view.resources)),
        }
    }
}

/// Whether an object's content is a secret in itself.
pub(super) fn is_sensitive(object: &ObjectRef) -> bool {
    object.kind == "Secret" && group(&object.api_version).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_of_kubernetes_is_told_from_others_of_that_name() {
        let object = |api_version: &str, kind: &str| ObjectRef {
            api_version: api_version.into(),
            kind: kind.into(),
            namespace: None,
            name: "x".into(),
        };
        assert!(is_sensitive(&object("v1", "Secret")));
        assert!(
            !is_sensitive(&object("example.org/v1", "Secret")) && !is_sensitive(&object("v1", "ConfigMap"))
        );
    }
}
