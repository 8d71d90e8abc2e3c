//! What the Secrets of an operation look like.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use app::model::{Operation, OperationId};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::core::ObjectMeta;
use serde::de::DeserializeOwned;

use crate::kube::ClusterError;
use crate::operations::{Intent, LOG_MAX, Stored};

/// How the names of all Secrets of operations begin.
pub(super) const NAME_PREFIX: &str = "slipway.op.v1.";
/// The type of an operation's record.
pub(super) const TYPE: &str = "slipway.dev/operation.v1";
/// The type of what belongs to an operation.
const DATA_TYPE: &str = "slipway.dev/operation-data.v1";
/// The label with the digest of an idempotency key.
pub(super) const KEY_LABEL: &str = "slipway.dev/idempotency";
/// The key of the digest of what was asked for.
const CONTENT: &str = "request";
/// How much of a log is read. Bytes that are no text were replaced by three each before it was kept.
pub(super) const LOG_UNZIPPED_MAX: u64 = 3 * LOG_MAX as u64;

pub(in crate::kube) fn name(id: &OperationId) -> String {
    format!("{NAME_PREFIX}{id}")
}

pub(super) fn secret(
    operation: &Operation,
    intent: Option<&Intent>,
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
    labels.extend(intent.map(|intent| (KEY_LABEL.to_owned(), intent.key.clone())));
    let mut data = BTreeMap::from([("operation".to_owned(), ByteString(json(operation)?))]);
    // Not a label: it is of the user's values, too.
    let content = intent.map(|intent| intent.content.clone()).filter(|content| !content.is_empty());
    data.extend(content.map(|content| (CONTENT.to_owned(), ByteString(content.into_bytes()))));
    Ok(Secret {
        metadata: ObjectMeta {
            name: Some(name(&operation.id)),
            labels: Some(labels),
            uid: of.map(|of| of.uid.clone()),
            resource_version: of.map(|of| of.resource_version.clone()),
            ..ObjectMeta::default()
        },
        type_: Some(TYPE.into()),
        data: Some(data),
        ..Secret::default()
    })
}

/// What makes an object go when the record of the operation `id` goes, whose identity is `uid`.
pub(in crate::kube) fn owned_by(id: &OperationId, uid: &str) -> OwnerReference {
    OwnerReference {
        api_version: "v1".into(),
        kind: "Secret".into(),
        name: name(id),
        uid: uid.to_owned(),
        ..OwnerReference::default()
    }
}

/// A Secret with the one key `key` that goes when `of` goes.
pub(super) fn belonging(of: &Stored, key: &str, bytes: Vec<u8>) -> Secret {
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

pub(super) fn read(secret: &Secret) -> Result<Stored, ClusterError> {
    let metadata = &secret.metadata;
    let operation: Operation = parse(bytes(secret, "operation")?)?;
    if metadata.name.as_deref() != Some(&name(&operation.id)) {
        return Err(ClusterError::Unreadable("the record is not that of its name".into()));
    }
    let key = metadata.labels.as_ref().and_then(|labels| labels.get(KEY_LABEL)).cloned();
    let content = || bytes(secret, CONTENT).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    Ok(Stored {
        operation,
        intent: key.map(|key| Intent { key, content: content().unwrap_or_default() }),
        uid: metadata.uid.clone().unwrap_or_default(),
        resource_version: metadata.resource_version.clone().unwrap_or_default(),
    })
}

pub(super) fn bytes<'a>(secret: &'a Secret, key: &str) -> Result<&'a [u8], ClusterError> {
    let data = secret.data.as_ref().and_then(|data| data.get(key));
    data.map(|bytes| bytes.0.as_slice()).ok_or_else(|| ClusterError::Unreadable(format!("no key {key}")))
}

pub(super) fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, ClusterError> {
    serde_json::to_vec(value).map_err(|error| ClusterError::Unreadable(error.to_string()))
}

pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ClusterError> {
    serde_json::from_slice(bytes).map_err(|error| ClusterError::Unreadable(error.to_string()))
}

pub(super) fn zip(text: &str) -> Result<Vec<u8>, ClusterError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    written.map_err(|error| ClusterError::Unreadable(error.to_string()))
}

pub(super) fn unzip(bytes: &[u8], limit: u64) -> Result<String, ClusterError> {
    let mut text = Vec::new();
    let copied = std::io::copy(&mut GzDecoder::new(bytes).take(limit), &mut text);
    copied.map_err(|error| ClusterError::Unreadable(error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

pub(super) fn deleted<T>(result: Result<T, ClusterError>) -> Result<(), ClusterError> {
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
            intent: Some(Intent { key: "abc".into(), content: "def".into() }),
            uid: "u".into(),
            resource_version: "7".into(),
        }
    }

    #[test]
    fn a_record_reads_back_as_it_was_written() {
        let stored = stored();
        let secret = secret(&stored.operation, stored.intent.as_ref(), Some(&stored)).unwrap();
        assert_eq!(secret.metadata.name.as_deref(), Some("slipway.op.v1.0198c0de"));
        assert_eq!(secret.metadata.labels.as_ref().unwrap()["slipway.dev/state"], "queued");
        assert_eq!(secret.data.as_ref().unwrap().keys().collect::<Vec<_>>(), ["operation", "request"]);
        assert_eq!(read(&secret).unwrap(), stored);
    }

    #[test]
    fn a_record_of_before_there_were_digests_of_what_was_asked_for_reads_as_one_without() {
        let old = Intent { key: "abc".into(), content: String::new() };
        let stored = Stored { intent: Some(old), ..stored() };
        let secret = secret(&stored.operation, stored.intent.as_ref(), Some(&stored)).unwrap();
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
