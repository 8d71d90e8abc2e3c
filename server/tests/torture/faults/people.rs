//! What people do by hand.

use std::time::Duration;

use app::model::ReleaseKey;
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, DeleteParams, ListParams};
use serde_json::json;

use super::{Faults, choice, insist};
use crate::evidence::{OPERATION_TYPE, OPERATIONS, VANDAL};
use crate::plan::{NAMESPACES, RELEASES};
use crate::world::{create, from, give_rights, gone, namespace, release, take_rights};

/// How long somebody waits for a helm of their own.
const OWN_HELM: Duration = Duration::from_secs(60);
/// More than Slipway reads of a record.
const TOO_LARGE: usize = 500_000;

impl Faults {
    pub(super) async fn delete_any_records(&self, which: u64) -> bool {
        self.delete_records(&release(choice(which, RELEASES))).await
    }

    pub(super) async fn delete_records_at_work(&self, which: u64) -> bool {
        match self.at_work(which).await {
            Some(release) => self.delete_records(&release).await,
            None => false,
        }
    }

    async fn delete_records(&self, release: &ReleaseKey) -> bool {
        let secrets = Api::<Secret>::namespaced(self.world.vandal.clone(), &release.namespace);
        let which = ListParams::default().labels(&format!("owner=helm,name={}", release.name));
        // One by one: the audit log has no name for a collection.
        insist(|| async {
            let all = secrets.list_metadata(&which).await?.items;
            for secret in &all {
                let name = secret.metadata.name.as_deref().unwrap_or_default();
                // helm may be first.
                gone(secrets.delete(name, &DeleteParams::default()).await)?;
            }
            Ok::<bool, kube::Error>(!all.is_empty())
        })
        .await
    }

    pub(super) async fn uninstall_at_work(&self, which: u64) -> bool {
        let Some(release) = self.at_work(which).await else { return false };
        let (cluster, helm) = (&self.world.cluster, self.world.helm);
        let arguments = ["uninstall", release.name.as_str()];
        let uninstall = cluster.helm(helm, VANDAL, &release.namespace, &arguments);
        // It may fail, as the cluster may be away; or find nothing.
        tokio::time::timeout(OWN_HELM, uninstall).await.is_ok_and(|done| done.is_ok())
    }

    pub(super) async fn take_rights_at_work(&self, which: u64, lasts: Duration) -> bool {
        let Some(release) = self.at_work(which).await else { return false };
        let number = (0..NAMESPACES).find(|number| namespace(*number) == release.namespace);
        let Some(turn) = number.and_then(|number| self.namespaces.get(number)) else { return false };
        let Some(_turn) = self.turn(turn).await else { return false };
        let (admin, namespace) = (&self.world.admin, &release.namespace);
        insist(|| take_rights(admin, namespace)).await;
        self.wait(lasts).await;
        insist(|| give_rights(admin, namespace)).await;
        true
    }

    /// Writes something that looks like one of Slipway's records, and is none.
    pub(super) async fn write_foreign_record(&self, which: u64) -> bool {
        let secrets = Api::<Secret>::namespaced(self.world.vandal.clone(), OPERATIONS);
        let name = format!("slipway.op.v1.foreign-{which:x}");
        let content = match which % 4 {
            0 => Some(b"{\"id\": 7".to_vec()),
            1 => Some(vec![b'['; TOO_LARGE]),
            2 => None,
            _ => {
                let records = ListParams::default().fields(&format!("type={OPERATION_TYPE}"));
                let records = insist(|| secrets.list(&records)).await.items;
                let other = records.into_iter().nth_back(0);
                other.and_then(|secret| secret.data?.remove("operation")).map(|content| content.0)
            }
        };
        let mut secret: Secret = from(json!({
            "metadata": { "name": name, "labels": { "owner": "slipway" } }, "type": OPERATION_TYPE,
        }));
        secret.data = content.map(|content| [("operation".to_owned(), ByteString(content))].into());
        insist(|| create(&secrets, secret.clone())).await;
        true
    }
}
