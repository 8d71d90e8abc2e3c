//! helm's release records, as Secrets: `sh.helm.release.v1.<name>.v<revision>` of type `helm.sh/release.v1`, labels
//! `owner`, `name`, `status`, `version` (helm's `pkg/storage/driver/secrets.go`).

use app::model::{OperationId, RecordStatus, ReleaseKey, Timestamp};
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, ListParams, PartialObjectMeta, PostParams};
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
    /// When the Secret was created, by the API server's clock.
    pub created: Option<Timestamp>,
    /// When it was last written, by the same clock.
    pub changed: Option<Timestamp>,
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
            changed: last_written(meta),
            operation: label(OPERATION_LABEL).map(|id| OperationId(id.to_owned())),
            uid: meta.uid.clone().unwrap_or_default(),
            resource_version: meta.resource_version.clone().unwrap_or_default(),
        })
    }
}

/// When an object was last written: the API server notes that for each of its managers.
fn last_written(meta: &ObjectMeta) -> Option<Timestamp> {
    let writings = meta.managed_fields.iter().flatten().filter_map(|writing| writing.time.as_ref());
    writings.map(|at| Timestamp(at.0.as_millisecond())).max()
}

/// The records of one release as they are now, the newest revision first; metadata only.
///
/// An exact list can take the API server a tenth of a second: it waits until its cache is known to be up to date
/// (Kubernetes' KEP-2340). Reads by name never wait. So this lists what is cached, and asks by name whether the newest one
/// is still that: what was written to a release before its newest record is in the cache when that is.
///
/// # Errors
/// When the cluster refuses or does not answer.
pub async fn revisions(client: &Client, key: &ReleaseKey) -> Result<Vec<RecordMeta>, ClusterError> {
    let api: Api<Secret> = Api::namespaced(client.clone(), &key.namespace);
    let params = ListParams::default()
        .labels(&format!("owner=helm,name={}", key.name))
        .fields(&format!("type={RECORD_TYPE}"));
    let cached = list(&api, &params.clone().match_any(), key).await?;
    let latest = cached.first();
    let next = latest.map_or(1, |latest| latest.revision.saturating_add(1));
    let unchanged = async {
        match latest {
            None => Ok(true),
            Some(latest) => {
                let found = version(&api, key, latest.revision).await?;
                Ok::<_, ClusterError>(found.is_some_and(|version| version == latest.resource_version))
            }
        }
    };
    let (unchanged, newer) = tokio::try_join!(unchanged, version(&api, key, next))?;
    if unchanged && newer.is_none() { Ok(cached) } else { list(&api, &params, key).await }
}

async fn list(
    api: &Api<Secret>,
    params: &ListParams,
    key: &ReleaseKey,
) -> Result<Vec<RecordMeta>, ClusterError> {
    let list = within_deadline(api.list_metadata(params)).await?;
    let mut records: Vec<RecordMeta> = list
        .items
        .iter()
        .filter_map(|item: &PartialObjectMeta<Secret>| RecordMeta::read(&item.metadata))
        .filter(|record| record.key == *key)
        .collect();
    records.sort_by_key(|record| std::cmp::Reverse(record.revision));
    Ok(records)
}

/// The version of a record as it is now; none when there is no such record.
async fn version(api: &Api<Secret>, key: &ReleaseKey, revision: u32) -> Result<Option<String>, ClusterError> {
    match within_deadline(api.get_metadata(&secret_name(key, revision))).await {
        Ok(found) => Ok(Some(found.metadata.resource_version.unwrap_or_default())),
        Err(ClusterError::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The name of the Secret that holds a revision of a release.
fn secret_name(key: &ReleaseKey, revision: u32) -> String {
    format!("{NAME_PREFIX}{}.v{revision}", key.name)
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
    let secret = within_deadline(api.get(&secret_name(key, revision))).await?;
    let bytes = secret.data.and_then(|mut data| data.remove("release")).map(|bytes| bytes.0);
    Ok(Payload { uid: secret.metadata.uid.unwrap_or_default(), bytes: bytes.unwrap_or_default() })
}

/// Makes a pending record `failed`: `failed` gives its payload as helm would have written it. All else in the Secret stays.
///
/// # Errors
/// [`ClusterError::Conflict`] when it is not pending, or changes meanwhile; else when the cluster refuses or does not answer.
pub async fn mark_failed(
    client: &Client,
    key: &ReleaseKey,
    revision: u32,
    failed: impl Fn(&[u8]) -> Result<Vec<u8>, String>,
) -> Result<(), ClusterError> {
    let api: Api<Secret> = Api::namespaced(client.clone(), &key.namespace);
    let name = secret_name(key, revision);
    let mut secret = within_deadline(api.get(&name)).await?;
    let status = secret.metadata.labels.as_ref().and_then(|labels| labels.get("status"));
    let status = RecordStatus::parse(status.map(String::as_str).unwrap_or_default());
    if !status.is_pending() {
        let message = format!("revision {revision} of {key} is {} by now", status.as_str());
        return Err(ClusterError::Conflict(message));
    }
    let payload = secret.data.as_mut().and_then(|data| data.get_mut("release"));
    let payload = payload.ok_or_else(|| ClusterError::Unreadable(format!("{name} has no key `release`")))?;
    payload.0 = failed(&payload.0).map_err(ClusterError::Unreadable)?;
    secret
        .metadata
        .labels
        .get_or_insert_default()
        .insert("status".into(), RecordStatus::Failed.as_str().into());
    secret.metadata.managed_fields = None;
    // The version that was read goes with it, so that a helm which lives after all is not written over.
    within_deadline(api.replace(&name, &PostParams::default(), &secret)).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ManagedFieldsEntry, Time};

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
    fn a_record_was_last_written_when_the_latest_of_its_managers_wrote_it() {
        let written = |second| ManagedFieldsEntry {
            time: k8s_openapi::jiff::Timestamp::from_second(second).ok().map(Time),
            ..ManagedFieldsEntry::default()
        };
        let managed_fields = Some(vec![written(7), written(9), ManagedFieldsEntry::default()]);
        let record = RecordMeta::read(&ObjectMeta { managed_fields, ..meta("sh.helm.release.v1.a.v1") });
        assert_eq!(record.unwrap().changed, Some(Timestamp(9_000)));
        assert_eq!(RecordMeta::read(&meta("sh.helm.release.v1.a.v1")).unwrap().changed, None);
    }

    #[test]
    fn a_secret_that_is_not_a_record_is_passed_over() {
        for name in ["default-token", "sh.helm.release.v1.a", "sh.helm.release.v1.a.vx"] {
            assert_eq!(RecordMeta::read(&meta(name)), None, "{name}");
        }
    }
}
