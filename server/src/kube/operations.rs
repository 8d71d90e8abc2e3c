//! Slipway's own records, as Secrets in a namespace of their own:
//!
//! - `slipway.op.v1.<id>` of type `slipway.dev/operation.v1`, with the one key `operation`, so that a watch stays small;
//! - `slipway.op.v1.<id>.input`, removed when the operation ends; where the chart was uploaded, its archive is in it as
//!   well, under a key of its own: it must outlive the server that took it;
//! - `slipway.op.v1.<id>.log`, gzip;
//! - `slipway.op.v1.<id>.preview`, gzip of JSON: what a dry run rendered.
//!
//! All but the first belong to the first, and the garbage collector removes them with it.

use std::collections::{BTreeMap, HashSet};
use std::future::ready;
use std::io::{Read, Write};

use app::model::failure::CustomKind;
use app::model::{Operation, OperationId, Preview, ReleaseKey, Timestamp};
use async_trait::async_trait;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use futures::stream::{BoxStream, StreamExt};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::{Namespace, Secret};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::api::{Api, DeleteParams, ListParams, PostParams};
use kube::core::ObjectMeta;
use kube::runtime::watcher;
use serde::de::DeserializeOwned;

use super::records::{self, RecordMeta};
use super::watch::{Change, follow};
use super::{Client, ClusterError, within_deadline};
use crate::operations::{Input, LOG_MAX, OperationStore, Records, Stored};
use crate::releases::decode;

const NAME_PREFIX: &str = "slipway.op.v1.";
const TYPE: &str = "slipway.dev/operation.v1";
/// The type of what belongs to an operation.
const DATA_TYPE: &str = "slipway.dev/operation-data.v1";
const KEY_LABEL: &str = "slipway.dev/idempotency";
/// Where the archive of an uploaded chart is in an input.
const ARCHIVE_KEY: &str = "archive";
/// The most that a Secret's values have together (`MaxSecretSize` in Kubernetes' API).
const SECRET_MAX: usize = 1024 * 1024;
/// How much of a log is read. Bytes that are no text were replaced by three each before it was kept.
const LOG_UNZIPPED_MAX: u64 = 3 * LOG_MAX as u64;
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

    async fn create(&self, operation: &Operation, key_digest: Option<&str>) -> Result<Stored, ClusterError> {
        let secret = secret(operation, key_digest, None)?;
        read(&within_deadline(self.api().create(&PostParams::default(), &secret)).await?)
    }

    async fn replace(&self, of: &Stored, next: &Operation) -> Result<Stored, ClusterError> {
        let secret = secret(next, of.key_digest.as_deref(), Some(of))?;
        let name = name(&next.id);
        read(&within_deadline(self.api().replace(&name, &PostParams::default(), &secret)).await?)
    }

    async fn get(&self, id: &OperationId) -> Result<Stored, ClusterError> {
        read(&within_deadline(self.api().get(&name(id))).await?)
    }

    async fn with_key(&self, digest: &str) -> Result<Vec<Stored>, ClusterError> {
        // What the API server has cached: an exact list could take a tenth of a second. A twin whose record is so new that it
        // is not cached yet still holds the release's Lease, which tells of it.
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
        let mut secret = belonging(of, "input", json(input)?);
        if let Some(archive) = input.archive() {
            secret
                .data
                .get_or_insert_default()
                .insert(ARCHIVE_KEY.to_owned(), ByteString(archive.to_vec()));
        }
        let size: usize = secret.data.iter().flatten().map(|(_, bytes)| bytes.0.len()).sum();
        if size > SECRET_MAX {
            let words = "The chart, the values and the repository’s credentials have more than 1 MiB together; \
                         Slipway keeps them in a Secret, which holds no more.";
            return Err(ClusterError::TooLarge(words.into()));
        }
        match within_deadline(self.api().create(&PostParams::default(), &secret)).await {
            // Ours with its answer lost, or that of the same intent.
            Ok(_) | Err(ClusterError::AlreadyExists(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn input(&self, id: &OperationId) -> Result<Input, ClusterError> {
        let secret = within_deadline(self.api().get(&format!("{NAME_PREFIX}{id}.input"))).await?;
        let input: Input = parse(bytes(&secret, "input")?)?;
        match input.archive() {
            Some(_) => Ok(input.with_archive(bytes(&secret, ARCHIVE_KEY)?.to_vec().into())),
            None => Ok(input),
        }
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

pub(super) fn name(id: &OperationId) -> String {
    format!("{NAME_PREFIX}{id}")
}

fn secret(
    operation: &Operation,
    key_digest: Option<&str>,
    of: Option<&Stored>,
) -> Result<Secret, ClusterError> {
    let mut labels: BTreeMap<String, String> = [
        ("owner", "slipway"),
        ("slipway.dev/release", &operation.release.name),
        ("slipway.dev/namespace", &operation.release.namespace),
        ("slipway.dev/kind", operation.kind.as_str()),
        ("slipway.dev/state", operation.state.as_str()),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .collect();
    labels.extend(key_digest.map(|digest| (KEY_LABEL.to_owned(), digest.to_owned())));
    Ok(Secret {
        metadata: ObjectMeta {
            name: Some(name(&operation.id)),
            labels: Some(labels),
            uid: of.map(|of| of.uid.clone()),
            resource_version: of.map(|of| of.resource_version.clone()),
            ..ObjectMeta::default()
        },
        type_: Some(TYPE.into()),
        data: Some([("operation".to_owned(), ByteString(json(operation)?))].into()),
        ..Secret::default()
    })
}

/// What makes an object go when the record of the operation `id` goes, whose identity is `uid`.
pub(super) fn owned_by(id: &OperationId, uid: &str) -> OwnerReference {
    OwnerReference {
        api_version: "v1".into(),
        kind: "Secret".into(),
        name: name(id),
        uid: uid.to_owned(),
        ..OwnerReference::default()
    }
}

/// A Secret with the one key `key` that goes when `of` goes.
fn belonging(of: &Stored, key: &str, bytes: Vec<u8>) -> Secret {
    let owner = owned_by(&of.operation.id, &of.uid);
    Secret {
        metadata: ObjectMeta {
            name: Some(format!("{NAME_PREFIX}{}.{key}", of.operation.id)),
            labels: Some([("owner".to_owned(), "slipway-data".to_owned())].into()),
            owner_references: Some(vec![owner]),
            ..ObjectMeta::default()
        },
        type_: Some(DATA_TYPE.into()),
        data: Some([(key.to_owned(), ByteString(bytes))].into()),
        ..Secret::default()
    }
}

fn read(secret: &Secret) -> Result<Stored, ClusterError> {
    let metadata = &secret.metadata;
    let operation: Operation = parse(bytes(secret, "operation")?)?;
    if metadata.name.as_deref() != Some(&name(&operation.id)) {
        return Err(ClusterError::Unreadable("the record is not that of its name".into()));
    }
    Ok(Stored {
        operation,
        key_digest: metadata.labels.as_ref().and_then(|labels| labels.get(KEY_LABEL)).cloned(),
        uid: metadata.uid.clone().unwrap_or_default(),
        resource_version: metadata.resource_version.clone().unwrap_or_default(),
    })
}

fn bytes<'a>(secret: &'a Secret, key: &str) -> Result<&'a [u8], ClusterError> {
    let data = secret.data.as_ref().and_then(|data| data.get(key));
    data.map(|bytes| bytes.0.as_slice()).ok_or_else(|| ClusterError::Unreadable(format!("no key {key}")))
}

fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, ClusterError> {
    serde_json::to_vec(value).map_err(|error| ClusterError::Unreadable(error.to_string()))
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ClusterError> {
    serde_json::from_slice(bytes).map_err(|error| ClusterError::Unreadable(error.to_string()))
}

fn zip(text: &str) -> Result<Vec<u8>, ClusterError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    written.map_err(|error| ClusterError::Unreadable(error.to_string()))
}

fn unzip(bytes: &[u8], limit: u64) -> Result<String, ClusterError> {
    let mut text = Vec::new();
    let copied = std::io::copy(&mut GzDecoder::new(bytes).take(limit), &mut text);
    copied.map_err(|error| ClusterError::Unreadable(error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn deleted<T>(result: Result<T, ClusterError>) -> Result<(), ClusterError> {
    match result {
        Ok(_) | Err(ClusterError::NotFound(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use app::model::OperationState;

    use super::*;
    use crate::operations::fakes::operation;

    fn stored() -> Stored {
        Stored {
            operation: operation("0198c0de", OperationState::Queued),
            key_digest: Some("abc".into()),
            uid: "u".into(),
            resource_version: "7".into(),
        }
    }

    #[test]
    fn a_record_reads_back_as_it_was_written() {
        let stored = stored();
        let secret = secret(&stored.operation, stored.key_digest.as_deref(), Some(&stored)).unwrap();
        assert_eq!(secret.metadata.name.as_deref(), Some("slipway.op.v1.0198c0de"));
        assert_eq!(secret.metadata.labels.as_ref().unwrap()["slipway.dev/state"], "queued");
        assert_eq!(secret.data.as_ref().unwrap().keys().collect::<Vec<_>>(), ["operation"]);
        assert_eq!(read(&secret).unwrap(), stored);
    }

    #[test]
    fn a_record_that_cannot_be_read_is_an_error_and_no_more() {
        let stored = stored();
        let good = secret(&stored.operation, None, None).unwrap();
        let mut empty = good.clone();
        empty.data = None;
        let mut broken = good.clone();
        broken.data = Some([("operation".to_owned(), ByteString(b"{".to_vec()))].into());
        let mut renamed = good;
        renamed.metadata.name = Some("slipway.op.v1.other".into());
        for secret in [empty, broken, renamed] {
            assert!(matches!(read(&secret), Err(ClusterError::Unreadable(_))));
        }
    }

    #[test]
    fn input_and_log_go_with_their_operation() {
        let secret = belonging(&stored(), "input", vec![]);
        let owner = &secret.metadata.owner_references.as_ref().unwrap()[0];
        assert_eq!((owner.name.as_str(), owner.uid.as_str()), ("slipway.op.v1.0198c0de", "u"));
        assert_eq!(secret.metadata.labels.as_ref().unwrap()["owner"], "slipway-data");
    }

    #[test]
    fn a_log_is_unzipped_within_its_bound() {
        let text = "helm said so\n".repeat(1_000);
        assert_eq!(unzip(&zip(&text).unwrap(), LOG_UNZIPPED_MAX).unwrap(), text);
        let bomb = zip(&"0".repeat(16 * 1024 * 1024)).unwrap();
        assert_eq!(unzip(&bomb, LOG_UNZIPPED_MAX).unwrap().len(), 3 * LOG_MAX);
        assert!(unzip(b"no gzip", LOG_UNZIPPED_MAX).is_err());
    }
}
