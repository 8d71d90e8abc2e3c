//! What a caller's own rights, and Slipway's settings, allow.

use std::collections::BTreeSet;
use std::sync::Arc;

use app::model::{ApiError, Operation, OperationId};
use app::port::Caller;

use super::World;
use crate::kube::access::Right;

impl World {
    /// The caller's right to read the releases of a namespace.
    pub(super) async fn may_read(&self, caller: &Caller, namespace: &str) -> Result<(), ApiError> {
        self.in_limits(namespace)?;
        let right = Right::to_read_releases(Some(namespace));
        Ok(self.access.require(caller, &right).await?)
    }

    /// Whether the settings let Slipway into a namespace.
    pub(super) fn in_limits(&self, namespace: &str) -> Result<(), ApiError> {
        if self.limited_to.is_empty() || self.limited_to.iter().any(|allowed| allowed == namespace) {
            return Ok(());
        }
        let allowed = self.limited_to.join(", ");
        Err(ApiError::Forbidden {
            message: format!("This Slipway is set up for other namespaces than {namespace}: {allowed}."),
        })
    }

    /// Those of `namespaces` whose releases the caller may read; none when that is all there are.
    pub(super) async fn readable(
        &self,
        caller: &Caller,
        namespaces: BTreeSet<String>,
    ) -> Result<Option<BTreeSet<String>>, ApiError> {
        if self.access.allows(caller, &Right::to_read_releases(None)).await? {
            return Ok(None);
        }
        let mut readable = BTreeSet::new();
        for namespace in namespaces {
            if self.access.allows(caller, &Right::to_read_releases(Some(&namespace))).await? {
                readable.insert(namespace);
            }
        }
        Ok(Some(readable))
    }

    /// The operations that the caller may know of, the newest first; of one namespace, or of the releases of one name, where
    /// named.
    pub(super) async fn visible_operations(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
        name: Option<&str>,
    ) -> Result<Vec<Arc<Operation>>, ApiError> {
        if let Some(namespace) = namespace {
            self.may_read(caller, namespace).await?;
        }
        let mut found = self.operations.list(namespace, name);
        let namespaces = found.iter().map(|operation| operation.release.namespace.clone()).collect();
        let readable = self.readable(caller, namespaces).await?;
        found.retain(|operation| {
            let namespace = &operation.release.namespace;
            self.in_limits(namespace).is_ok() && readable.as_ref().is_none_or(|set| set.contains(namespace))
        });
        Ok(found)
    }

    /// An operation on a release that the caller may change.
    pub(super) async fn changeable(
        &self,
        caller: &Caller,
        id: &OperationId,
    ) -> Result<Arc<Operation>, ApiError> {
        let operation = self.visible(caller, id).await?;
        let right = Right::to_write_releases(&operation.release.namespace);
        self.access.require(caller, &right).await?;
        Ok(operation)
    }

    /// An operation that the caller may know of: without the right to its release, it is not found.
    pub(super) async fn visible(
        &self,
        caller: &Caller,
        id: &OperationId,
    ) -> Result<Arc<Operation>, ApiError> {
        let operation = self.operations.get(id).await?;
        match self.may_read(caller, &operation.release.namespace).await {
            Err(ApiError::Forbidden { .. }) => {
                Err(ApiError::NotFound { what: format!("The operation {id}") })
            }
            other => other.map(|()| operation),
        }
    }
}
