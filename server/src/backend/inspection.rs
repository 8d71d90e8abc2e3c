//! What the tabs of a release's page look into. Besides the right to the release it takes the caller's own right to what is
//! looked at.

use app::model::{
    ApiError, ChartSource, CommandLine, Comparison, Facet, LogPart, ObjectDetail, ObjectRef, Operation,
    OperationId, OperationKind, Picture, PodList, PodLogQuery, ReleaseKey, SubmitOperation, TestReport,
    Timeline, ValuesPolicy,
};
use app::port::{Caller, Inspection, PodLog};
use async_trait::async_trait;
use futures::StreamExt;

use super::World;
use crate::helm::terminal;
use crate::kube::access::Right;
use crate::kube::logs;
use crate::kube::objects::EVENTS_OF_THE_CLUSTER;
use crate::operations::{ResolvedChart, Sourced, Task};

impl World {
    /// Those of the release's namespaces in which the caller may list pods; and why not the others.
    async fn with_pods(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
    ) -> Result<(Vec<String>, Vec<String>), ApiError> {
        let (mut allowed, mut warnings) = (Vec::new(), Vec::new());
        for namespace in self.releases.namespaces_of(key).await? {
            let right = Right::to("list", "pods", Some(&namespace));
            let may = match self.in_limits(&namespace) {
                Ok(()) => self.access.require(caller, &right).await.map_err(ApiError::from),
                limit => limit,
            };
            match may {
                Ok(()) => allowed.push(namespace),
                Err(error) => warnings.push(error.to_string()),
            }
        }
        Ok((allowed, warnings))
    }

    /// The command line for an operation as it is submitted.
    async fn command(
        &self,
        caller: &Caller,
        request: SubmitOperation,
        has_values: bool,
    ) -> Result<CommandLine, ApiError> {
        let sourced = match &request.chart {
            // It is a file that the user has: nothing of it is fetched.
            Some(ChartSource::Upload { name, version, .. }) => {
                let name = format!("{name}-{version}.tgz");
                Some(ResolvedChart::Archive { name, content: bytes::Bytes::new() }.into())
            }
            Some(source) => Some(self.resolve(caller, source, &request.namespace).await?),
            None => None,
        };
        let (chart, credentials) = sourced
            .map_or_else(Default::default, |Sourced { chart, credentials }| (Some(chart), credentials));
        let task = Task {
            id: OperationId(String::new()),
            kind: request.kind,
            release: ReleaseKey::new(request.namespace, request.name),
            chart,
            credentials,
            replace: request.options.take_over && request.kind == OperationKind::Install,
            options: request.options,
            values: String::new(),
        };
        Ok(terminal::line(&task, self.generation, has_values, self.context.as_deref()))
    }
}

#[async_trait]
impl Inspection for World {
    async fn object(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        object: &ObjectRef,
    ) -> Result<ObjectDetail, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        let kind = self.releases.kind(object).await?;
        let namespace = object.namespace.as_deref().filter(|_| kind.namespaced);
        if let Some(namespace) = namespace {
            self.in_limits(namespace)?;
        }
        let right = Right {
            verb: "get",
            group: kind.group().to_owned().into(),
            resource: kind.plural().to_owned().into(),
            namespace: namespace.map(str::to_owned),
        };
        self.access.require(caller, &right).await?;
        let events = Right::to("list", "events", Some(namespace.unwrap_or(EVENTS_OF_THE_CLUSTER)));
        let events = self.access.require(caller, &events).await;
        let events = events.map_err(|error| ApiError::from(error).to_string());
        self.releases.object(key, object, &kind, events).await
    }

    async fn pods(&self, caller: &Caller, key: &ReleaseKey) -> Result<PodList, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        let (allowed, warnings) = self.with_pods(caller, key).await?;
        let mut list = self.releases.pods(key, &allowed).await?;
        list.warnings.splice(0..0, warnings);
        Ok(list)
    }

    async fn pod_log(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        which: PodLogQuery,
    ) -> Result<PodLog, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        self.in_limits(&which.namespace)?;
        app::model::name::check_namespace(&which.namespace)
            .map_err(|message| ApiError::invalid("namespace", message))?;
        let right = Right::to("get", "pods/log", Some(&which.namespace));
        self.access.require(caller, &right).await?;
        let turn = self.streams.take(caller)?;
        let pod = ObjectRef {
            api_version: "v1".to_owned(),
            kind: "Pod".to_owned(),
            namespace: Some(which.namespace.clone()),
            name: which.pod.clone(),
        };
        self.releases.require_pod(key, &pod).await?;
        let stream = logs::stream(&self.client, which).await?;
        // The turn is over when the client goes.
        Ok(stream
            .map(move |piece| {
                let _ = &turn;
                piece
            })
            .boxed())
    }

    async fn picture(&self, caller: &Caller, key: &ReleaseKey) -> Result<Picture, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        let (allowed, warnings) = self.with_pods(caller, key).await?;
        let mut picture = self.releases.picture(key, &allowed).await?;
        picture.warnings.splice(0..0, warnings);
        Ok(picture)
    }

    async fn timeline(&self, caller: &Caller, key: &ReleaseKey) -> Result<Timeline, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        self.releases.timeline(key).await
    }

    async fn tests(&self, caller: &Caller, key: &ReleaseKey) -> Result<TestReport, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        let all = self.operations.list(Some(&key.namespace), Some(&key.name));
        let newest = all.into_iter().find(|operation| operation.kind == OperationKind::Test);
        let log = match &newest {
            // What helm said is not there before it says something.
            Some(operation) => self.operations.log(&operation.id).await.unwrap_or_default(),
            None => String::new(),
        };
        self.releases.tests(key, newest.as_deref(), &log).await
    }

    async fn compare(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        facet: Facet,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Result<Comparison, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        self.releases.compare(key, facet, from, to).await
    }

    async fn compare_preview(
        &self,
        caller: &Caller,
        id: &OperationId,
        facet: Facet,
    ) -> Result<Comparison, ApiError> {
        let operation = self.visible(caller, id).await?;
        let preview = self.operations.preview(id).await?;
        self.releases.compare_preview(&operation.release, facet, preview).await
    }

    async fn compare_values(
        &self,
        caller: &Caller,
        key: &ReleaseKey,
        values: String,
        policy: ValuesPolicy,
    ) -> Result<Comparison, ApiError> {
        self.may_read(caller, &key.namespace).await?;
        self.releases.compare_values(key, values, policy).await
    }

    async fn operation_log_part(
        &self,
        caller: &Caller,
        id: &OperationId,
        since: Option<&str>,
    ) -> Result<LogPart, ApiError> {
        self.visible(caller, id).await?;
        self.operations.log_part(id, since).await
    }

    async fn command_of(&self, caller: &Caller, id: &OperationId) -> Result<CommandLine, ApiError> {
        let operation = self.visible(caller, id).await?;
        let Operation { kind, release, chart, options, .. } = operation.as_ref().clone();
        let request = SubmitOperation {
            kind,
            namespace: release.namespace,
            name: release.name,
            chart,
            values: String::new(),
            options,
            idempotency_key: None,
        };
        // The record does not tell whether there were values; where they are kept is not asked, for they may be secret.
        self.command(caller, request, kind.takes_chart()).await
    }

    async fn command_for(&self, caller: &Caller, request: SubmitOperation) -> Result<CommandLine, ApiError> {
        app::model::name::check_namespace(&request.namespace)
            .map_err(|message| ApiError::invalid("namespace", message))?;
        self.may_read(caller, &request.namespace).await?;
        let has_values = !request.values.trim().is_empty();
        self.command(caller, request, has_values).await
    }
}
