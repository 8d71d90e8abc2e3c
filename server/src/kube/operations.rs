//! Slipway's own records, as Secrets in a namespace of their own:
//!
//! - `slipway.op.v1.<id>` of type `slipway.dev/operation.v1`, with the key `operation`, so that a watch stays small, and
//!   `request`, the digest of what was asked for, if it has an idempotency key;
//! - `slipway.op.v1.<id>.input`, removed when the operation ends;
//! - `slipway.op.v1.<id>.log`, gzip;
//! - `slipway.op.v1.<id>.preview`, gzip of JSON: what a dry run rendered.
//!
//! All but the first belong to the first, and the garbage collector removes them with it.

mod secret;

use std::collections::HashSet;
use std::future::ready;

use app::model::failure::CustomKind;
use app::model::{Operation, OperationId, Preview, ReleaseKey, Timestamp};
use async_trait::async_trait;
use futures::stream::{BoxStream, StreamExt};
use k8s_openapi::api::core::v1::{Namespace, Secret};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, ListParams, PostParams};
use kube::core::ObjectMeta;
use kube::runtime::watcher;

use secret::{
    KEY_LABEL, LOG_UNZIPPED_MAX, NAME_PREFIX, TYPE, belonging, bytes, deleted, json, parse, read, secret,
    unzip, zip,
};
pub(super) use secret::{name, owned_by};

use super::records::{self, RecordMeta};
use super::watch::{Change, follow};
use super::{Client, ClusterError, within_deadline};
use crate::operations::{Input, Intent, OperationStore, Records, Stored};
use crate::releases::decode;

/// The largest preview that is kept, zipped: a Secret has 1 MiB for everything.
const PREVIEW_MAX: usize = 900 * 1024;
/// The largest preview that is kept and read.
const PREVIEW_UNZIPPED_MAX: u64 = 16 * 1024 * 1024;
/// How many records that cannot be read are remembered as reported.
const REPORTED_MAX: usize = 1_000;

/// The records of operations in one namespace.
#[derive(Clone)]
pub struct OperationSecrets {
    client: Client,
    namespace: String,
}

impl OperationSecrets {
    /// Keeps them in `namespace`.
    pub fn new(client: Client, namespace: &str) -> Self {
        Self { client, namespace: namespace.to_owned() }
    }

    fn api(&self) -> Api<Secret> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    async fn data<T>(
        &self,
        id: &OperationId,
        key: &str,
        read: impl FnOnce(&[u8]) -> Result<T, ClusterError>,
    ) -> Result<T, ClusterError> {
        let secret = within_deadline(self.api().get(&format!("{NAME_PREFIX}{id}.{key}"))).await?;
        read(bytes(&secret, key)?)
    }
}

#[async_trait]
impl OperationStore for OperationSecrets {
    async fn prepare(&self) -> Result<(), ClusterError> {
        let api: Api<Namespace> = Api::all(self.client.clone());
        let metadata = ObjectMeta { name: Some(self.namespace.clone()), ..ObjectMeta::default() };
        let namespace = Namespace { metadata, ..Namespace::default() };
        match within_deadline(api.create(&PostParams::default(), &namespace)).await {
            Ok(_) | Err(ClusterError::AlreadyExists(_)) => Ok(()),
            // Who may not create namespaces can be given one; whether it is there shows when it is used.
            Err(ClusterError::Forbidden(message)) => match within_deadline(api.get(&self.namespace)).await {
                Ok(_) => Ok(()),
                Err(ClusterError::NotFound(_)) => Err(ClusterError::Forbidden(format!(
                    "the namespace {} does not exist and cannot be created ({message}). Create it, or name another \
                     one with --operations-namespace.",
                    self.namespace
                ))),
                Err(_) => Ok(()),
            },
            Err(error) => Err(error),
        }
    }

    async fn create(&self, operation: &Operation, intent: Option<&Intent>) -> Result<Stored, ClusterError> {
        let secret = secret(operation, intent, None)?;
        read(&within_deadline(self.api().create(&PostParams::default(), &secret)).await?)
    }

    async fn replace(&self, of: &Stored, next: &Operation) -> Result<Stored, ClusterError> {
        let secret = secret(next, of.intent.as_ref(), Some(of))?;
        let name = name(&next.id);
        read(&within_deadline(self.api().replace(&name, &PostParams::default(), &secret)).await?)
    }

    async fn get(&self, id: &OperationId) -> Result<Stored, ClusterError> {
        read(&within_deadline(self.api().get(&name(id))).await?)
    }

    async fn with_key(&self, digest: &str) -> Result<Vec<Stored>, ClusterError> {
        // What the API server has cached: an exact list could take a tenth of a second. A twin that is not cached yet still
        // holds the release's Lease, which tells of it, unless it has ended within that moment.
        let which = ListParams::default().labels(&format!("owner=slipway,{KEY_LABEL}={digest}")).match_any();
        let list = within_deadline(self.api().list(&which)).await?;
        Ok(list.items.iter().filter_map(|secret| read(secret).ok()).collect())
    }

    async fn delete(&self, id: &OperationId) -> Result<(), ClusterError> {
        deleted(within_deadline(self.api().delete(&name(id), &DeleteParams::background())).await)
    }

    fn watch(&self) -> BoxStream<'static, Change<Stored>> {
        let which = watcher::Config::default().labels("owner=slipway").fields(&format!("type={TYPE}"));
        let mut reported = HashSet::new();
        follow(self.api(), which)
            .filter_map(move |change| {
                ready(change.filter_map(|secret| match read(&secret) {
                    Ok(stored) => Some(stored),
                    Err(error) => {
                        let name = secret.metadata.name;
                        if reported.len() < REPORTED_MAX && reported.insert(name.clone()) {
                            tracing::warn!(?name, %error, "an operation's record cannot be read");
                        }
                        None
                    }
                }))
            })
            .boxed()
    }

    fn watch_one(&self, id: &OperationId) -> BoxStream<'static, Change<Stored>> {
        let which = watcher::Config::default().fields(&format!("metadata.name={}", name(id)));
        follow(self.api(), which)
            .filter_map(|change| ready(change.filter_map(|secret| read(&secret).ok())))
            .boxed()
    }

    async fn put_input(&self, of: &Stored, input: &Input) -> Result<(), ClusterError> {
        let secret = belonging(of, "input", json(input)?);
        match within_deadline(self.api().create(&PostParams::default(), &secret)).await {
            // Ours with its answer lost, or that of the same intent.
            Ok(_) | Err(ClusterError::AlreadyExists(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn input(&self, id: &OperationId) -> Result<Input, ClusterError> {
        self.data(id, "input", parse).await
    }

    async fn delete_input(&self, id: &OperationId) -> Result<(), ClusterError> {
        let name = format!("{NAME_PREFIX}{id}.input");
        deleted(within_deadline(self.api().delete(&name, &DeleteParams::background())).await)
    }

    async fn put_log(&self, of: &Stored, text: &str) -> Result<(), ClusterError> {
        let secret = belonging(of, "log", zip(text)?);
        let name = secret.metadata.name.clone().unwrap_or_default();
        let api = self.api();
        match within_deadline(api.replace(&name, &PostParams::default(), &secret)).await {
            Err(ClusterError::NotFound(_)) => {
                within_deadline(api.create(&PostParams::default(), &secret)).await.map(drop)
            }
            replaced => replaced.map(drop),
        }
    }

    async fn log(&self, id: &OperationId) -> Result<String, ClusterError> {
        match self.data(id, "log", |bytes| unzip(bytes, LOG_UNZIPPED_MAX)).await {
            Err(ClusterError::NotFound(_)) => Ok(String::new()),
            log => log,
        }
    }

    async fn put_preview(&self, of: &Stored, preview: &Preview) -> Result<(), ClusterError> {
        let text = String::from_utf8_lossy(&json(preview)?).into_owned();
        let mut bytes = zip(&text)?;
        if bytes.len() > PREVIEW_MAX || text.len() as u64 > PREVIEW_UNZIPPED_MAX {
            let manifest = "# What was rendered is too large to be shown.\n".to_owned();
            bytes = zip(&String::from_utf8_lossy(&json(&Preview { manifest, ..Preview::default() })?))?;
        }
        let secret = belonging(of, "preview", bytes);
        match within_deadline(self.api().create(&PostParams::default(), &secret)).await {
            // Ours, with its answer lost.
            Ok(_) | Err(ClusterError::AlreadyExists(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn preview(&self, id: &OperationId) -> Result<Preview, ClusterError> {
        self.data(id, "preview", |bytes| parse(unzip(bytes, PREVIEW_UNZIPPED_MAX)?.as_bytes())).await
    }
}

/// helm's records, for the operations room.
pub struct HelmRecords(pub Client);

#[async_trait]
impl Records for HelmRecords {
    async fn revisions(&self, release: &ReleaseKey) -> Result<Vec<RecordMeta>, ClusterError> {
        records::revisions(&self.0, release).await
    }

    async fn description(&self, release: &ReleaseKey, revision: u32) -> Result<Option<String>, ClusterError> {
        let payload = records::payload(&self.0, release, revision).await?;
        Ok(decode::summary(&payload.bytes, &release.namespace).ok().and_then(|summary| summary.description))
    }

    async fn defined_since(&self, kinds: &[CustomKind]) -> Result<Option<Timestamp>, ClusterError> {
        let api: Api<CustomResourceDefinition> = Api::all(self.0.clone());
        let definitions = within_deadline(api.list(&ListParams::default())).await?.items;
        let since = kinds.iter().map(|wanted| {
            let (group, version) = wanted.api_version.split_once('/')?;
            let found = definitions.iter().find(|definition| {
                let spec = &definition.spec;
                let is_served = spec.versions.iter().any(|served| served.name == version && served.served);
                spec.group == group && spec.names.kind == wanted.kind && is_served
            })?;
            let created = found.metadata.creation_timestamp.as_ref()?;
            Some(Timestamp(created.0.as_millisecond()))
        });
        Ok(since.collect::<Option<Vec<_>>>().and_then(|since| since.into_iter().max()))
    }

    async fn mark_failed(
        &self,
        release: &ReleaseKey,
        revision: u32,
        description: &str,
    ) -> Result<(), ClusterError> {
        records::mark_failed(&self.0, release, revision, |payload| decode::failed(payload, description)).await
    }
}
