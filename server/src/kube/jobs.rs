//! Runners as Kubernetes Jobs: one Job with one pod for each operation, in the namespace of Slipway's records.
//!
//! [`manifest`] says what such a Job is, [`account`] what its state means; both are pure.

mod account;
mod manifest;

use std::collections::BTreeMap;

use app::model::{Operation, OperationId};
use async_trait::async_trait;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{Event, Pod, Secret};
use kube::api::{Api, DeleteParams, ListParams, PostParams};

use super::operations::name as record_name;
use super::{Client, ClusterError, within_deadline};
use crate::operations::{Launch, Launcher};
use account::Account;
use manifest::{OPERATION, job, name};

/// What the pods of runners are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerPod {
    /// The image, with Slipway and helm in it.
    pub image: String,
    /// The ServiceAccount in the namespace of Slipway's records whose rights helm has.
    pub service_account: String,
    /// The most processor time that it gets, as Kubernetes writes it.
    pub cpu: String,
    /// The most memory that it gets, as Kubernetes writes it.
    pub memory: String,
    /// The labels of the nodes that it may run on.
    pub nodes: BTreeMap<String, String>,
    /// The taints that it tolerates.
    pub tolerations: Vec<Toleration>,
    /// What `slipway run-operation` is given besides the operation and where things are.
    pub arguments: Vec<String>,
}

/// A taint of nodes that a runner's pod tolerates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toleration {
    /// The taint's key.
    pub key: String,
    /// The taint's value; none for any.
    pub value: Option<String>,
    /// The taint's effect; none for all.
    pub effect: Option<String>,
}

/// Launches runners as Jobs.
pub struct JobLauncher {
    client: Client,
    namespace: String,
    pod: RunnerPod,
}

impl JobLauncher {
    /// Makes Jobs with pods like `pod` in `namespace`, which is that of Slipway's records.
    pub fn new(client: Client, namespace: &str, pod: RunnerPod) -> Self {
        Self { client, namespace: namespace.to_owned(), pod }
    }

    fn jobs(&self) -> Api<Job> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    async fn create(&self, operation: &Operation) -> Result<Launch, ClusterError> {
        let records: Api<Secret> = Api::namespaced(self.client.clone(), &self.namespace);
        let record = within_deadline(records.get_metadata(&record_name(&operation.id))).await?;
        let uid = record.metadata.uid.unwrap_or_default();
        let job = job(operation, &uid, &self.namespace, &self.pod);
        match within_deadline(self.jobs().create(&PostParams::default(), &job)).await {
            // Another server's, or ours with its answer lost.
            Ok(_) | Err(ClusterError::AlreadyExists(_)) => Ok(Launch::Awaited(None)),
            Err(ClusterError::Forbidden(message)) => Ok(Launch::Awaited(Some(account::forbidden(&message)))),
            Err(ClusterError::Invalid(message)) => {
                Ok(Launch::Lost(format!("Kubernetes refuses its Job: {message}")))
            }
            Err(error) => Err(error),
        }
    }

    /// What the cluster shows of a Job.
    async fn account(&self, id: &OperationId, job: Job) -> Result<Account, ClusterError> {
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), &self.namespace);
        let which = ListParams::default().labels(&format!("{OPERATION}={id}"));
        let pods = within_deadline(pods.list(&which)).await?.items;
        let warnings = match (pods.is_empty(), &job.metadata.uid) {
            (true, Some(uid)) => self.warnings(uid).await,
            _ => Vec::new(),
        };
        Ok(Account::new(&job, pods, warnings))
    }

    /// What Kubernetes warns of in its events about a Job: why it can have no pod is told nowhere else. They are not needed
    /// to go on.
    async fn warnings(&self, uid: &str) -> Vec<Event> {
        let events: Api<Event> = Api::namespaced(self.client.clone(), &self.namespace);
        let which = ListParams::default().fields(&format!("involvedObject.uid={uid},type=Warning"));
        match within_deadline(events.list(&which)).await {
            Ok(events) => events.items,
            Err(error) => {
                tracing::warn!(%error, "the events about a runner's Job cannot be read");
                Vec::new()
            }
        }
    }

    async fn find(&self, id: &OperationId) -> Result<Option<Job>, ClusterError> {
        within_deadline(self.jobs().get_opt(&name(id))).await
    }

    async fn ensure(&self, operation: &Operation) -> Result<Launch, ClusterError> {
        match self.find(&operation.id).await? {
            None => self.create(operation).await,
            // Once it is gone there can be another one.
            Some(job) if job.metadata.deletion_timestamp.is_some() => Ok(Launch::Awaited(None)),
            Some(job) => Ok(self.account(&operation.id, job).await?.launch()),
        }
    }
}

#[async_trait]
impl Launcher for JobLauncher {
    async fn launch(&self, operation: &Operation) -> Result<Launch, String> {
        self.ensure(operation).await.map_err(|error| error.to_string())
    }

    async fn last_words(&self, id: &OperationId) -> Option<String> {
        let words = async {
            match self.find(id).await? {
                None => Ok("Of the runner Kubernetes knows nothing any more: its Job is gone.".to_owned()),
                Some(job) => Ok(self.account(id, job).await?.last_words()),
            }
        };
        words
            .await
            .map_err(|error: ClusterError| tracing::warn!(%error, "the runner's Job cannot be read"))
            .ok()
    }

    async fn known(&self) -> Result<Vec<OperationId>, ClusterError> {
        let which = ListParams::default().labels(&format!("owner=slipway,{OPERATION}"));
        let jobs = within_deadline(self.jobs().list_metadata(&which)).await?.items.into_iter();
        let jobs = jobs.filter(|job| job.metadata.deletion_timestamp.is_none());
        Ok(jobs.filter_map(|job| job.metadata.labels?.remove(OPERATION).map(OperationId)).collect())
    }

    async fn clear(&self, id: &OperationId) -> Result<(), ClusterError> {
        match within_deadline(self.jobs().delete(&name(id), &DeleteParams::background())).await {
            Ok(_) | Err(ClusterError::NotFound(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
