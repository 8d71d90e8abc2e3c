//! A world that answers, refuses, holds or panics, as a test wants it.

mod inspection;

use std::sync::Arc;

use app::model::{
    Accepted, Activity, ApiError, Catalogue, ChartDetail, CheckValues, ClusterList, CommandLine, Comparison,
    Facet, Form, FormOf, Health, HistoryEntry, LogPart, ObjectDetail, ObjectRef, Operation, OperationId,
    OperationKind, OperationOptions, OperationState, Phase, Picture, PodList, PodLogPiece, PodLogQuery,
    Preview, ReleaseKey, ReleaseList, ReleaseManifest, ReleaseUpdate, ReleaseValues, ReleaseView,
    RepositoryList, RepositorySpec, RepositoryState, RepositoryTest, SubmitOperation, TestReport, Timeline,
    Timestamp, Uploaded, ValuesCheck, ValuesPolicy, ValuesProblem, Version,
};
use app::port::{Backend, Caller, Inspection, PodLog};
use async_trait::async_trait;
use futures::StreamExt;
use tokio_util::sync::CancellationToken;

use crate::http::{Cluster, Clusters, Site};
use crate::identity::Identity;
use crate::kube::access::Access;

/// The one operation of this world.
pub const ID: &str = "01939d5e-0000-7000-8000-000000000001";

/// How the world answers.
#[derive(Default)]
enum Mood {
    #[default]
    Fine,
    Refuses(ApiError),
    Holds,
    Panics,
}

/// A scripted world.
#[derive(Default)]
pub struct FakeBackend(Mood);

impl FakeBackend {
    /// Refuses every call.
    pub fn refusing(error: ApiError) -> Self {
        Self(Mood::Refuses(error))
    }

    /// Never answers.
    pub fn holding() -> Self {
        Self(Mood::Holds)
    }

    /// Has a fault.
    pub fn panicking() -> Self {
        Self(Mood::Panics)
    }

    async fn answer<T>(&self, value: T) -> Result<T, ApiError> {
        match &self.0 {
            Mood::Fine => Ok(value),
            Mood::Refuses(error) => Err(error.clone()),
            Mood::Holds => std::future::pending().await,
            Mood::Panics => panic!("a fault that this test plays"),
        }
    }
}

/// Clusters by name, the first of which is the default.
struct FakeClusters(Vec<(&'static str, Cluster)>);

#[async_trait]
impl Clusters for FakeClusters {
    fn list(&self) -> ClusterList {
        let clusters = self.0.iter().map(|(name, _)| (*name).to_owned()).collect();
        ClusterList { clusters, default: self.0[0].0.to_owned() }
    }

    async fn open(&self, name: Option<&str>) -> Result<Cluster, ApiError> {
        let found = self.0.iter().find(|(known, _)| name.is_none_or(|name| name == *known));
        found
            .map(|(_, cluster)| cluster.clone())
            .ok_or_else(|| ApiError::NotFound { what: "The cluster".into() })
    }
}

/// A cluster with `backend` for a world and `jane` for a caller.
pub fn cluster(backend: FakeBackend) -> Cluster {
    Cluster {
        backend: Arc::new(backend),
        identity: Arc::new(Identity::known(Caller { user: "jane".into() }, nowhere())),
        readiness: Arc::new(Vec::new),
    }
}

/// A site with these clusters.
pub fn site_of(clusters: Vec<(&'static str, Cluster)>) -> Site {
    Site { clusters: Arc::new(FakeClusters(clusters)), stopping: CancellationToken::new() }
}

/// A site with one cluster, which has `backend` for a world.
pub fn site(backend: FakeBackend) -> Site {
    site_of(vec![("here", cluster(backend))])
}

/// Whom a cluster that is away would have to name.
pub fn away() -> Arc<Identity> {
    Arc::new(Identity::local(nowhere()))
}

fn nowhere() -> Arc<Access> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let nowhere = kube::Config::new("http://127.0.0.1:1".parse().unwrap());
    Arc::new(Access::new(kube::Client::try_from(nowhere).unwrap()))
}

fn operation() -> Operation {
    Operation {
        id: OperationId(ID.into()),
        kind: OperationKind::Install,
        release: ReleaseKey::new("ns", "shop"),
        chart: None,
        options: OperationOptions::default(),
        requested_by: "jane".into(),
        idempotency_key: None,
        created: Timestamp(0),
        state: OperationState::Queued,
        max_attempts: 1,
        next_attempt: None,
        attempts: vec![],
        base_revision: None,
        cancel: None,
        again: None,
        outcome: None,
    }
}

#[async_trait]
impl Backend for FakeBackend {
    async fn whoami(&self, caller: &Caller) -> Result<String, ApiError> {
        self.answer(caller.user.clone()).await
    }

    async fn namespaces(&self, _: &Caller) -> Result<Vec<String>, ApiError> {
        self.answer(vec!["ns".into()]).await
    }

    async fn releases(
        &self,
        _: &Caller,
        _: Option<&str>,
        _: Option<&Version>,
    ) -> Result<ReleaseList, ApiError> {
        let list = ReleaseList {
            version: Version("1".into()),
            now: Timestamp(0),
            releases: vec![],
            warnings: vec![],
        };
        self.answer(list).await
    }

    async fn release(
        &self,
        _: &Caller,
        key: &ReleaseKey,
        _: Option<&Version>,
    ) -> Result<ReleaseView, ApiError> {
        let phase =
            if key.name == "gone" { Phase::NotFound } else { Phase::Queued { kind: OperationKind::Install } };
        let view = ReleaseView {
            version: Version("1".into()),
            now: Timestamp(0),
            key: key.clone(),
            phase,
            operation: Some(operation()),
            queue_place: Some(2),
            record: None,
            progress: None,
            resources: vec![],
            resources_error: None,
            ways: vec![],
            actions: vec![],
            step: None,
            notice: None,
        };
        self.answer(view).await
    }

    async fn history(&self, _: &Caller, _: &ReleaseKey) -> Result<Vec<HistoryEntry>, ApiError> {
        self.answer(vec![]).await
    }

    async fn values(&self, _: &Caller, _: &ReleaseKey, _: Option<u32>) -> Result<ReleaseValues, ApiError> {
        self.answer(ReleaseValues { revision: 1, user: String::new(), computed: String::new() }).await
    }

    async fn manifest(
        &self,
        _: &Caller,
        _: &ReleaseKey,
        _: Option<u32>,
    ) -> Result<ReleaseManifest, ApiError> {
        self.answer(ReleaseManifest::default()).await
    }

    async fn notes(&self, _: &Caller, _: &ReleaseKey, _: Option<u32>) -> Result<String, ApiError> {
        self.answer(String::new()).await
    }

    async fn submit(&self, _: &Caller, request: SubmitOperation) -> Result<Accepted, ApiError> {
        let release = ReleaseKey::new(request.namespace, request.name);
        self.answer(Accepted { id: OperationId(ID.into()), release, state: OperationState::Queued }).await
    }

    async fn activity(&self, _: &Caller, _: Option<&Version>) -> Result<Activity, ApiError> {
        let version = Version("1".into());
        self.answer(Activity { version, now: Timestamp(0), doings: Some(vec![]), more: 0 }).await
    }

    async fn operations(
        &self,
        _: &Caller,
        _: Option<&str>,
        _: Option<&str>,
    ) -> Result<Vec<Operation>, ApiError> {
        self.answer(vec![operation()]).await
    }

    async fn operation(&self, _: &Caller, _: &OperationId) -> Result<Operation, ApiError> {
        self.answer(operation()).await
    }

    async fn operation_log(&self, _: &Caller, _: &OperationId) -> Result<String, ApiError> {
        self.answer(String::new()).await
    }

    async fn cancel(&self, _: &Caller, _: &OperationId) -> Result<Operation, ApiError> {
        self.answer(operation()).await
    }

    async fn again(&self, _: &Caller, id: &OperationId) -> Result<Accepted, ApiError> {
        let release = operation().release;
        self.answer(Accepted { id: id.clone(), release, state: OperationState::Queued }).await
    }

    async fn submitted_values(&self, _: &Caller, _: &OperationId) -> Result<String, ApiError> {
        self.answer(String::new()).await
    }

    async fn preview(&self, _: &Caller, _: &OperationId) -> Result<Preview, ApiError> {
        self.answer(Preview::default()).await
    }

    async fn catalogue(&self, _: &Caller, _: Option<&str>) -> Result<Catalogue, ApiError> {
        self.answer(Catalogue::default()).await
    }

    async fn chart(
        &self,
        _: &Caller,
        repository: &str,
        name: &str,
        _: Option<&str>,
    ) -> Result<ChartDetail, ApiError> {
        let chart = ChartDetail {
            repository: repository.into(),
            name: name.into(),
            version: "1.0.0".into(),
            ..ChartDetail::default()
        };
        self.answer(chart).await
    }

    async fn chart_form(&self, _: &Caller, _: &FormOf) -> Result<Form, ApiError> {
        self.answer(Form::default()).await
    }

    async fn check_values(&self, _: &Caller, request: CheckValues) -> Result<ValuesCheck, ApiError> {
        let problem = ValuesProblem { path: vec![], line: Some(1), column: None, message: request.values };
        self.answer(ValuesCheck { problems: vec![problem], notes: vec![] }).await
    }

    async fn chart_elsewhere(
        &self,
        _: &Caller,
        _: &str,
        _: &str,
        _: Option<&str>,
    ) -> Result<ChartDetail, ApiError> {
        self.answer(ChartDetail::default()).await
    }

    async fn upload(&self, _: &Caller, _: &str, archive: Vec<u8>) -> Result<Uploaded, ApiError> {
        self.answer(Uploaded { upload: archive.len().to_string(), ..Uploaded::default() }).await
    }

    async fn uploaded(&self, _: &Caller, _: &str) -> Result<Uploaded, ApiError> {
        self.answer(Uploaded::default()).await
    }

    async fn repositories(&self, _: &Caller, _: Option<&str>) -> Result<RepositoryList, ApiError> {
        self.answer(RepositoryList::default()).await
    }

    async fn test_repository(
        &self,
        _: &Caller,
        _: RepositorySpec,
        _: Option<&str>,
    ) -> Result<RepositoryTest, ApiError> {
        self.answer(RepositoryTest::default()).await
    }

    async fn look_again(&self, _: &Caller, _: &str) -> Result<RepositoryState, ApiError> {
        self.answer(RepositoryState::default()).await
    }

    async fn add_repository(&self, _: &Caller, _: RepositorySpec) -> Result<RepositoryState, ApiError> {
        self.answer(RepositoryState::default()).await
    }

    async fn change_repository(
        &self,
        _: &Caller,
        _: &str,
        _: RepositorySpec,
    ) -> Result<RepositoryState, ApiError> {
        self.answer(RepositoryState::default()).await
    }

    async fn remove_repository(&self, _: &Caller, _: &str) -> Result<(), ApiError> {
        self.answer(()).await
    }

    async fn updates(&self, _: &Caller, _: Option<&str>) -> Result<Vec<ReleaseUpdate>, ApiError> {
        self.answer(vec![]).await
    }
}
