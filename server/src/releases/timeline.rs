//! How the time went in which the newest revision of a release was made.

mod rows;
mod words;

use app::model::{ApiError, ObjectRef, Operation, ReleaseKey, Timeline};

use self::rows::{Definition, Seen};
use super::{Releases, not_found};
use crate::kube::objects;

/// How many custom resource definitions of a chart are asked for.
const DEFINITIONS_MAX: usize = 50;

impl Releases {
    /// The timeline of the newest revision of `key`, or of the operation on it that is under way.
    ///
    /// # Errors
    /// Those of [`Releases::view`]; [`ApiError::NotFound`] when there is neither.
    pub async fn timeline(&self, key: &ReleaseKey) -> Result<Timeline, ApiError> {
        let view = self.view(key, None).await?;
        let shown = self.viewers.look(&self.shared, key).borrow().clone();
        let operation = view.operation.as_ref().filter(|operation| {
            view.record.as_ref().is_none_or(|record| {
                is_about(operation, record.revision, record.operation.as_ref() == Some(&operation.id))
            })
        });
        if operation.is_none() && view.record.is_none() {
            return Err(not_found(key, None));
        }
        let mut definitions = Vec::new();
        for name in shown.definitions.iter().take(DEFINITIONS_MAX) {
            definitions.push(Definition { name: name.clone(), created: self.defined(name).await });
        }
        Ok(rows::of(&Seen {
            operation,
            record: view.record.as_ref(),
            objects: &shown.courses,
            definitions: &definitions,
            now: self.shared.clock.now(),
        }))
    }

    /// Since when there is a custom resource definition of this name, where that can be seen.
    async fn defined(&self, name: &str) -> Option<app::model::Timestamp> {
        let object = ObjectRef {
            api_version: "apiextensions.k8s.io/v1".to_owned(),
            kind: "CustomResourceDefinition".to_owned(),
            namespace: None,
            name: name.to_owned(),
        };
        let kind = self.shared.discovery.kind(&object.api_version, &object.kind).await.ok()??;
        objects::kin(&self.shared.client, &kind, &object).await.ok()?.created
    }
}

/// Whether the release is as it is by `operation`: it is under way, or it wrote the newest revision, or was about it.
fn is_about(operation: &Operation, revision: u32, has_label: bool) -> bool {
    let is_its_end = operation.outcome.as_ref().is_none_or(|outcome| outcome.revision == Some(revision));
    is_its_end || has_label && operation.base_revision.unwrap_or(0) < revision
}
