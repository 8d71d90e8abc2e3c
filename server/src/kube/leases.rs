//! The Leases of releases (`coordination.k8s.io/v1`), in the namespace of Slipway's records.

use app::model::{OperationId, ReleaseKey, Timestamp};
use async_trait::async_trait;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use kube::api::{Api, DeleteParams, ListParams, PostParams, Preconditions};
use kube::core::ObjectMeta;
use sha2::{Digest, Sha256};

use super::{Client, ClusterError, within_deadline};
use crate::operations::{Hold, Leases};

const BY: &str = "slipway.dev/by";
const KEY: &str = "slipway.dev/idempotency";
const RELEASE: &str = "slipway.dev/release";

/// The Leases in one namespace.
#[derive(Clone)]
pub struct LeaseObjects {
    client: Client,
    namespace: String,
}

impl LeaseObjects {
    /// Keeps them in `namespace`.
    pub fn new(client: Client, namespace: &str) -> Self {
        Self { client, namespace: namespace.to_owned() }
    }

    fn api(&self) -> Api<Lease> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }
}

#[async_trait]
impl Leases for LeaseObjects {
    async fn create(&self, release: &ReleaseKey, hold: &Hold) -> Result<Hold, ClusterError> {
        let lease = lease(release, hold, None);
        read(&within_deadline(self.api().create(&PostParams::default(), &lease)).await?)
    }

    async fn list(&self) -> Result<Vec<(ReleaseKey, Hold)>, ClusterError> {
        let ours = ListParams::default().labels("owner=slipway");
        let list = within_deadline(self.api().list(&ours)).await?;
        Ok(list.items.iter().filter_map(|lease| Some((release_of(lease)?, read(lease).ok()?))).collect())
    }

    async fn get(&self, release: &ReleaseKey) -> Result<Option<Hold>, ClusterError> {
        within_deadline(self.api().get_opt(&name(release))).await?.as_ref().map(read).transpose()
    }

    async fn replace(&self, release: &ReleaseKey, of: &Hold, next: &Hold) -> Result<Hold, ClusterError> {
        let lease = lease(release, next, Some(&of.resource_version));
        read(&within_deadline(self.api().replace(&name(release), &PostParams::default(), &lease)).await?)
    }

    async fn delete(&self, release: &ReleaseKey, of: &Hold) -> Result<(), ClusterError> {
        let unchanged = Preconditions { resource_version: Some(of.resource_version.clone()), uid: None };
        let params = DeleteParams::default().preconditions(unchanged);
        within_deadline(self.api().delete(&name(release), &params)).await.map(drop)
    }
}

/// `slipway-` and 128 bits of a hash: a namespace and a name together can be longer than a name may be.
fn name(release: &ReleaseKey) -> String {
    let hash = Sha256::digest(release.to_string());
    let hex: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("slipway-{hex}")
}

fn lease(release: &ReleaseKey, hold: &Hold, resource_version: Option<&str>) -> Lease {
    let mut annotations = vec![(BY, hold.by.clone()), (RELEASE, release.to_string())];
    annotations.extend(hold.key_digest.clone().map(|digest| (KEY, digest)));
    let renewed = k8s_openapi::jiff::Timestamp::from_millisecond(hold.renewed.0).ok().map(MicroTime);
    Lease {
        metadata: ObjectMeta {
            name: Some(name(release)),
            labels: Some([("owner".to_owned(), "slipway".to_owned())].into()),
            annotations: Some(annotations.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
            resource_version: resource_version.map(str::to_owned),
            ..ObjectMeta::default()
        },
        spec: Some(LeaseSpec {
            holder_identity: Some(hold.operation.0.clone()),
            lease_duration_seconds: i32::try_from(hold.seconds).ok(),
            renew_time: renewed,
            ..LeaseSpec::default()
        }),
    }
}

/// Which release a Lease is of; none if it is not one of ours, whatever its labels say.
fn release_of(lease: &Lease) -> Option<ReleaseKey> {
    let (namespace, release) = lease.metadata.annotations.as_ref()?.get(RELEASE)?.split_once('/')?;
    let key = ReleaseKey::new(namespace, release);
    (lease.metadata.name.as_deref() == Some(&name(&key))).then_some(key)
}

/// A Lease without a holder is nobody's: no operation has an empty id.
fn read(lease: &Lease) -> Result<Hold, ClusterError> {
    let spec = lease.spec.clone().unwrap_or_default();
    let annotation = |key: &str| lease.metadata.annotations.as_ref()?.get(key).cloned();
    Ok(Hold {
        operation: OperationId(spec.holder_identity.unwrap_or_default()),
        by: annotation(BY).unwrap_or_default(),
        key_digest: annotation(KEY),
        renewed: Timestamp(spec.renew_time.map_or(0, |at| at.0.as_millisecond())),
        seconds: spec.lease_duration_seconds.and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or(0),
        resource_version: lease
            .metadata
            .resource_version
            .clone()
            .ok_or_else(|| ClusterError::Unreadable("a Lease without a version".into()))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_reads_back_as_it_was_written() {
        let hold = Hold {
            operation: OperationId("a".into()),
            by: "runner on x, process 1".into(),
            key_digest: Some("d".into()),
            renewed: Timestamp(1_796_010_132_123),
            seconds: 20,
            resource_version: "7".into(),
        };
        assert_eq!(read(&lease(&ReleaseKey::new("ns", "web"), &hold, Some("7"))).unwrap(), hold);
    }

    #[test]
    fn a_lease_tells_its_release_if_it_is_that_of_its_name() {
        let (key, other) = (ReleaseKey::new("ns", "web"), ReleaseKey::new("ns", "shop"));
        let hold = crate::operations::fakes::hold("a");
        let mut lease = lease(&key, &hold, None);
        assert_eq!(release_of(&lease), Some(key));
        lease.metadata.name = Some(name(&other));
        assert_eq!(release_of(&lease), None);
    }

    #[test]
    fn releases_of_the_same_name_have_leases_of_their_own() {
        let (a, b) = (name(&ReleaseKey::new("a", "web")), name(&ReleaseKey::new("b", "web")));
        assert_ne!(a, b);
        assert_eq!(a.len(), 40);
    }
}
