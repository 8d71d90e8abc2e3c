//! The rooms put together behind [`app::port::Backend`]. Each call first asks whether the caller's own rights allow it.

mod inspection;
mod streams;

use std::collections::BTreeSet;
use std::sync::Arc;

use app::model::{
    Accepted, ApiError, Catalogue, ChartDetail, HistoryEntry, Operation, OperationId, Preview, ReleaseKey,
    ReleaseList, ReleaseValues, ReleaseView, SubmitOperation, Version,
};
use app::port::{Backend, Caller};
use async_trait::async_trait;
use tracing::Instrument;

use crate::charts::Charts;
use crate::helm::Generation;
use crate::kube::access::{Access, Right};
use crate::kube::{Client, namespaces};
use crate::operations::Operations;
use crate::releases::{OperationsFeed, Releases};
pub use streams::Streams;

/// The real world.
pub struct World {
    /// What callers may do.
    pub access: Arc<Access>,
    /// To list namespaces with.
    pub client: Client,
    /// The namespaces that the settings limit Slipway to; empty for no limit.
    pub limited_to: Vec<String>,
    /// The releases.
    pub releases: Releases,
    /// The operations.
    pub operations: Arc<Operations>,
    /// The repositories.
    pub charts: Charts,
    /// The helm that operations are carried out with.
    pub generation: Generation,
    /// The logs that are being followed.
    pub streams: Streams,
}

impl World {
    async fn may_read(&self, caller: &Caller, namespace: &str) -> Result<(), ApiError> {
        self.in_limits(namespace)?;
        let right = Right::to_read_releases(Some(namespace));
        Ok(self.access.require(caller, &right).await?)
    }

    fn in_limits(&self, namespace: &str) -> Result<(), ApiError> {
        if self.limited_to.is_empty() || self.limited_to.iter().any(|allowed| allowed == namespace) {
            return Ok(());
        }
        let allowed = self.limited_to.join(", ");
        Err(ApiError::Forbidden {
            message: format!("This Slipway is set up for other namespaces than {namespace}: {allowed}."),
        })
    }

    /// Those of `namespaces` whose releases the caller may read; none when that is all there are.
    async fn readable(
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

    /// An operation on a release that the caller may change.
    async fn changeable(&self, caller: &Caller, id: &OperationId) -> Result<Arc<Operation>, ApiError> {
        let operation = self.visible(caller, id).await?;
        let right = Right::to_write_releases(&operation.release.namespace);
        self.access.require(caller, &right).await?;
        Ok(operation)
    }

    /// An operation that the caller may know of: without the right to its release, it is not found.
    async fn visible(&self, caller: &Caller, id: &OperationId) -> Result<Arc<Operation>, ApiError> {
        let operation = self.operations.get(id).await?;
        match self.may_read(caller, &operation.release.namespace).await {
            Err(ApiError::Forbidden { .. }) => {
                Err(ApiError::NotFound { what: format!("The operation {id}") })
            }
            other => other.map(|()| operation),
        }
    }
}

#[async_trait]
impl Backend for World {
    async fn whoami(&self, caller: &Caller) -> Result<String, ApiError> {
        Ok(caller.user.clone())
    }

    async fn namespaces(&self, caller: &Caller) -> Result<Vec<String>, ApiError> {
        if !self.limited_to.is_empty() {
            return Ok(self.limited_to.clone());
        }
        let right = Right::to("list", "namespaces", None);
        if self.access.allows(caller, &right).await? {
            return Ok(namespaces::names(&self.client).await?);
        }
        // A user who may not list them still knows those with releases of theirs.
        let readable = self.readable(caller, self.releases.namespaces()).await?;
        Ok(readable.unwrap_or_else(|| self.releases.namespaces()).into_iter().collect())
    }

    async fn releases(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
        since: Option<&Version>,
    ) -> Result<ReleaseList, ApiError> {
        let allowed = match namespace {
            Some(namespace) => {
                self.may_read(caller, namespace).await?;
                None
            }
            None => self.readable(caller, self.releases.namespaces()).await?,
        };
        self.releases.list(namespace, allowed.as_ref(), since).await
    }

    async fn release(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        since: Option<&Version>,
    ) -> Result<ReleaseView, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        self.releases.view(key, since).await
    }

    async fn history(&self, caller: &Caller, key: &ReleaseKey) -> Result<Vec<HistoryEntry>, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        self.releases.history(key).await
    }

    async fn values(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        revision: Option<u32>,
    ) -> Result<ReleaseValues, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        self.releases.values(key, revision).await
    }

    async fn manifest(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        revision: Option<u32>,
    ) -> Result<String, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        self.releases.manifest(key, revision).await
    }

    async fn notes(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        revision: Option<u32>,
    ) -> Result<String, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        self.releases.notes(key, revision).await
    }

    async fn submit(&self, caller: &Caller, request: SubmitOperation) -> Result<Accepted, ApiError> {
        // The names first: a right to a namespace that cannot exist is no question for the cluster.
        app::model::name::check_namespace(&request.namespace)
            .map_err(|message| ApiError::invalid("namespace", message))?;
        self.in_limits(&request.namespace)?;
        let chart = request.chart.as_ref().map(|source| self.charts.resolve(source)).transpose()?;
        let right = Right::to_write_releases(&request.namespace);
        self.access.require(caller, &right).await?;
        let (operations, user) = (self.operations.clone(), caller.user.clone());
        whole(async move { operations.submit(&user, request, chart).await }).await
    }

    async fn operations(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
        name: Option<&str>,
    ) -> Result<Vec<Operation>, ApiError> {
        if let Some(namespace) = namespace {
            self.may_read(caller, namespace).await?;
        }
        let found = self.operations.list(namespace, name);
        let namespaces = found.iter().map(|operation| operation.release.namespace.clone()).collect();
        let readable = self.readable(caller, namespaces).await?;
        let is_readable = |operation: &&Arc<Operation>| {
            let namespace = &operation.release.namespace;
            self.in_limits(namespace).is_ok() && readable.as_ref().is_none_or(|set| set.contains(namespace))
        };
        Ok(found.iter().filter(is_readable).map(|operation| listed(operation)).collect())
    }

    async fn operation(&self, caller: &Caller, id: &OperationId) -> Result<Operation, ApiError> {
        Ok(self.visible(caller, id).await?.as_ref().clone())
    }

    async fn operation_log(&self, caller: &Caller, id: &OperationId) -> Result<String, ApiError> {
        self.visible(caller, id).await?;
        match self.operations.log(id).await {
            // helm has not said anything yet.
            Err(ApiError::NotFound { .. }) => Ok(String::new()),
            other => other,
        }
    }

    async fn cancel(&self, caller: &Caller, id: &OperationId) -> Result<Operation, ApiError> {
        self.changeable(caller, id).await?;
        Ok(self.operations.cancel(&caller.user, id).await?.as_ref().clone())
    }

    async fn again(&self, caller: &Caller, id: &OperationId) -> Result<Accepted, ApiError> {
        self.changeable(caller, id).await?;
        let (operations, user, id) = (self.operations.clone(), caller.user.clone(), id.clone());
        whole(async move { operations.again(&user, &id).await }).await
    }

    async fn preview(&self, caller: &Caller, id: &OperationId) -> Result<Preview, ApiError> {
        self.visible(caller, id).await?;
        self.operations.preview(id).await
    }

    async fn catalogue(&self, _caller: &Caller) -> Result<Catalogue, ApiError> {
        Ok(self.charts.catalogue().await)
    }

    async fn chart(
        &self,
        _caller: &Caller,
        repository: &str,
        name: &str,
        version: Option<&str>,
    ) -> Result<ChartDetail, ApiError> {
        self.charts.chart(repository, name, version).await
    }
}

/// Carries a submission out in a task of its own, so that a browser which goes away leaves no half of it.
async fn whole(
    submission: impl Future<Output = Result<Accepted, ApiError>> + Send + 'static,
) -> Result<Accepted, ApiError> {
    tokio::spawn(submission.in_current_span()).await.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Err(ApiError::Unavailable { message: "Slipway is stopping.".into() }),
    })
}

/// An operation as a list has it: without evidence, which can be 64 KiB for each.
fn listed(operation: &Operation) -> Operation {
    let mut operation = operation.clone();
    operation.attempts.iter_mut().for_each(|attempt| attempt.evidence.clear());
    operation
}

/// The operations, as the views need them.
pub struct Feed(pub Arc<Operations>);

impl OperationsFeed for Feed {
    fn latest(&self, key: &ReleaseKey) -> Option<Arc<Operation>> {
        self.0.latest(key)
    }

    fn all_latest(&self, namespace: Option<&str>) -> Vec<Arc<Operation>> {
        self.0.all_latest(namespace)
    }

    fn place(&self, id: &OperationId) -> Option<u32> {
        self.0.place(id)
    }

    fn changes(&self) -> tokio::sync::watch::Receiver<u64> {
        self.0.changes()
    }

    fn find(&self, id: &OperationId) -> Option<Arc<Operation>> {
        self.0.find(id)
    }
}
