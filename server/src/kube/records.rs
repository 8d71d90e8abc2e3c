//! helm's release records, as Secrets: `sh.helm.release.v1.<name>.v<revision>` of type `helm.sh/release.v1`, labels
//! `owner`, `name`, `status`, `version` (helm's `pkg/storage/driver/secrets.go`).

use app::model::{OperationId, RecordStatus, ReleaseKey, Timestamp};
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, ListParams, PartialObjectMeta};
use kube::core::ObjectMeta;

use super::{Client, ClusterError, within_deadline};

/// How the names of helm's Secrets begin.
const NAME_PREFIX: &str = "sh.helm.release.v1.";
/// The type of helm's Secrets; as a field selector it keeps foreign Secrets with helm's labels out.
pub const RECORD_TYPE: &str = "helm.sh/release.v1";
/// The label that an operation of ours leaves on the records that it writes (helm's `--labels`).
pub const OPERATION_LABEL: &str = "slipway.dev/operation";

/// One record without its payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordMeta {
    /// The release.
    pub key: ReleaseKey,
    /// The revision.
    pub revision: u32,
    /// The status.
    pub status: RecordStatus,
    /// When the Secret was created.
    pub created: Option<Timestamp>,
    /// The operation of ours that wrote it.
    pub operation: Option<OperationId>,
    /// The Secret's identity: a release of the same name and revision that was made anew has another one.
    pub uid: String,
    /// The Secret's version: changes with each write.
    pub resource_version: String,
}

impl RecordMeta {
    /// Reads a record's metadata; none if it is not one of helm's Secrets. The Secret's name is the truth, read from the
    /// right because a release's name may itself end in `.v2`; labels fill in what the name does not tell.
    pub fn read(meta: &ObjectMeta) -> Option<Self> {
        let rest = meta.name.as_deref()?.strip_prefix(NAME_PREFIX)?;
        let (name, revision) = rest.rsplit_once(".v")?;
        let label = |key: &str| meta.labels.as_ref().and_then(|labels| labels.get(key)).map(String::as_str);
        Some(Self {
            key: ReleaseKey::new(meta.namespace.as_deref()?, name),
            revision: revision.parse().ok()?,
            status: RecordStatus::parse(label("status").unwrap_or_default()),
            created: meta.creation_timestamp.as_ref().map(|created| Timestamp(created.0.as_millisecond())),
            operation: label(OPERATION_LABEL).map(|id| OperationId(id.to_owned())),
            uid: meta.uid.clone().unwrap_or_default(),
            resource_version: meta.resource_version.clone().unwrap_or_default(),
        })
    }
}

/// The records of one release, the newest revision first; metadata only.
///
/// # Errors
/// When the cluster refuses or does not answer.
pub async fn revisions(client: &Client, key: &ReleaseKey) -> Result<Vec<RecordMeta>, ClusterError> {
    let api: Api<Secret> = Api::namespaced(client.clone(), &key.namespace);
    let params = ListParams::default()
        .labels(&format!("owner=helm,name={}", key.name))
        .fields(&format!("type={RECORD_TYPE}"));
    let list = within_deadline(api.list_metadata(&params)).await?;
    let mut records: Vec<RecordMeta> = list
        .items
        .iter()
        .filter_map(|item: &PartialObjectMeta<Secret>| RecordMeta::read(&item.metadata))
        .filter(|record| record.key == *key)
        .collect();
    records.sort_by_key(|record| std::cmp::Reverse(record.revision));
    Ok(records)
}

/// A record's payload. Not to be printed: it holds the values.
#[derive(Clone, PartialEq, Eq)]
pub struct Payload {
    /// The Secret's identity.
    pub uid: String,
    /// What helm stored: base64. Empty if the Secret has no such key.
    pub bytes: Vec<u8>,
}

/// The payload of one record.
///
/// # Errors
/// When the cluster refuses or does not answer; [`ClusterError::NotFound`] when there is no such record.
pub async fn payload(client: &Client, key: &ReleaseKey, revision: u32) -> Result<Payload, ClusterError> {
    let api: Api<Secret> = Api::namespaced(client.clone(), &key.namespace);
    let name = format!("{NAME_PREFIX}{}.v{revision}", key.name);
    let secret = within_deadline(api.get(&name)).await?;
    let bytes = secret.data.and_then(|mut data| data.remove("release")).map(|bytes| bytes.0);
    Ok(Payload { uid: secret.metadata.uid.unwrap_or_default(), bytes: bytes.unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(name: &str) -> ObjectMeta {
        ObjectMeta { name: Some(name.into()), namespace: Some("ns".into()), ..ObjectMeta::default() }
    }

    #[test]
    fn the_revision_is_read_from_the_right() {
        let record = RecordMeta::read(&meta("sh.helm.release.v1.a.v2.v10")).unwrap();
        assert_eq!((record.key.name.as_str(), record.revision), ("a.v2", 10));
    }

    #[test]
    fn a_secret_that_is_not_a_record_is_passed_over() {
        for name in ["default-token", "sh.helm.release.v1.a", "sh.helm.release.v1.a.vx"] {
            assert_eq!(RecordMeta::read(&meta(name)), None, "{name}");
        }
    }
}
