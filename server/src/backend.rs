//! The rooms put together behind [`app::port::Backend`]. Each call first asks whether the caller's own rights allow it.

mod activity;
mod feed;
mod inspection;
mod repositories;
mod rights;
mod streams;

use std::collections::BTreeSet;
use std::sync::Arc;

use app::model::{
    Accepted, Activity, ApiError, Catalogue, ChartDetail, CheckValues, Form, FormOf, HistoryEntry, Operation,
    OperationId, Preview, ReleaseKey, ReleaseList, ReleaseManifest, ReleaseUpdate, ReleaseValues,
    ReleaseView, RepositoryList, RepositorySpec, RepositoryState, RepositoryTest, SubmitOperation, Uploaded,
    ValuesCheck, Version,
};
use app::port::{Backend, Caller};
use async_trait::async_trait;
use tracing::Instrument;

use crate::charts::Charts;
use crate::clock::cluster::Clock;
use crate::helm::Generation;
use crate::kube::access::{Access, Right};
use crate::kube::version::ClusterVersion;
use crate::kube::{Client, namespaces};
use crate::operations::Operations;
use crate::releases::Releases;

pub use self::feed::Feed;
pub use self::streams::Streams;

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
    /// Where Slipway's own objects are.
    pub operations_namespace: String,
    /// Its context, where there are others that a person's own helm could be set to.
    pub context: Option<String>,
    /// Which Kubernetes it is.
    pub cluster_version: ClusterVersion,
    /// Its clock.
    pub clock: Clock,
}

#[async_trait]
impl Backend for World {
    async fn whoami(&self, caller: &Caller) -> Result<String, ApiError> {
        Ok(caller.user.clone())
    }

    async fn namespaces(&self, caller: &Caller) -> Result<Vec<String>, ApiError> {
        if !self.limited_to.is_empty() {
            let limits: BTreeSet<_> = self.limited_to.iter().cloned().collect();
            let readable = self.readable(caller, limits.clone()).await?;
            return Ok(readable.unwrap_or(limits).into_iter().collect());
        }
        let right = Right::to("list", "namespaces", None);
        if self.access.allows(caller, &right).await? {
            return Ok(namespaces::names(&self.client).await?);
        }
        // A user who may not list them still knows those with releases of theirs, and OpenShift tells of their projects.
        let readable = self.readable(caller, self.releases.namespaces()).await?;
        let mut names = readable.unwrap_or_else(|| self.releases.namespaces());
        names.extend(namespaces::projects(&self.client).await?);
        Ok(names.into_iter().collect())
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
    ) -> Result<ReleaseManifest, ApiError> {
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
        let right = Right::to_write_releases(&request.namespace);
        self.access.require(caller, &right).await?;
        let chart = match &request.chart {
            Some(source) => Some(self.resolve(caller, source, &request.namespace).await?),
            None => None,
        };
        let (operations, user) = (self.operations.clone(), caller.user.clone());
        whole(async move { operations.submit(&user, request, chart).await }).await
    }

    async fn operations(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
        name: Option<&str>,
    ) -> Result<Vec<Operation>, ApiError> {
        let found = self.visible_operations(caller, namespace, name).await?;
        Ok(found.iter().map(|operation| listed(operation)).collect())
    }

    async fn activity(&self, caller: &Caller, since: Option<&Version>) -> Result<Activity, ApiError> {
        self.lately(caller, since).await
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

    async fn submitted_values(&self, caller: &Caller, id: &OperationId) -> Result<String, ApiError> {
        // Who may run it again has its values in the record that comes of that; who may only look may not.
        self.changeable(caller, id).await?;
        self.operations.submitted_values(id).await
    }

    async fn preview(&self, caller: &Caller, id: &OperationId) -> Result<Preview, ApiError> {
        self.visible(caller, id).await?;
        self.operations.preview(id).await
    }

    async fn catalogue(&self, caller: &Caller, namespace: Option<&str>) -> Result<Catalogue, ApiError> {
        self.all_charts(caller, namespace).await
    }

    async fn chart(
        &self,
        caller: &Caller,
        repository: &str,
        name: &str,
        version: Option<&str>,
    ) -> Result<ChartDetail, ApiError> {
        let reach = self.reach_of(caller, repository).await?;
        let cluster = self.cluster_version.get().await.ok();
        let chart = self.charts.chart(&reach, (repository, name), version, cluster.as_deref()).await?;
        Ok(self.checked(chart).await)
    }

    async fn chart_elsewhere(
        &self,
        caller: &Caller,
        namespace: &str,
        url: &str,
        version: Option<&str>,
    ) -> Result<ChartDetail, ApiError> {
        self.may_install(caller, namespace).await?;
        let reach = self.reach(caller, Some(namespace)).await?;
        Ok(self.checked(self.charts.elsewhere(&reach, url, version).await?).await)
    }

    async fn upload(&self, caller: &Caller, namespace: &str, archive: Vec<u8>) -> Result<Uploaded, ApiError> {
        self.may_install(caller, namespace).await?;
        let Uploaded { upload, chart } = self.charts.upload(&caller.user, archive.into()).await?;
        Ok(Uploaded { upload, chart: self.checked(chart).await })
    }

    async fn uploaded(&self, caller: &Caller, upload: &str) -> Result<Uploaded, ApiError> {
        let Uploaded { upload, chart } = self.charts.uploaded(&caller.user, upload).await?;
        Ok(Uploaded { upload, chart: self.checked(chart).await })
    }

    async fn repositories(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
    ) -> Result<RepositoryList, ApiError> {
        self.list_repositories(caller, namespace).await
    }

    async fn test_repository(
        &self,
        caller: &Caller,
        spec: RepositorySpec,
        of: Option<&str>,
    ) -> Result<RepositoryTest, ApiError> {
        self.try_repository(caller, &spec, of).await
    }

    async fn look_again(&self, caller: &Caller, repository: &str) -> Result<RepositoryState, ApiError> {
        World::look_again(self, caller, repository).await
    }

    async fn add_repository(
        &self,
        caller: &Caller,
        spec: RepositorySpec,
    ) -> Result<RepositoryState, ApiError> {
        self.new_repository(caller, &spec).await
    }

    async fn change_repository(
        &self,
        caller: &Caller,
        name: &str,
        spec: RepositorySpec,
    ) -> Result<RepositoryState, ApiError> {
        self.other_repository(caller, name, &spec).await
    }

    async fn remove_repository(&self, caller: &Caller, name: &str) -> Result<(), ApiError> {
        self.no_repository(caller, name).await
    }

    async fn updates(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
    ) -> Result<Vec<ReleaseUpdate>, ApiError> {
        let rows = self.releases(caller, namespace, None).await?.releases;
        self.newer(caller, namespace, &rows).await
    }

    async fn chart_form(&self, caller: &Caller, request: &FormOf) -> Result<Form, ApiError> {
        let reach = self.reach_to(caller, &request.namespace, &request.chart).await?;
        self.charts.form(&reach, &caller.user, &request.chart).await
    }

    async fn check_values(&self, caller: &Caller, request: CheckValues) -> Result<ValuesCheck, ApiError> {
        let reach = self.reach_to(caller, &request.namespace, &request.chart).await?;
        self.charts.check_values(&reach, &caller.user, request).await
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
