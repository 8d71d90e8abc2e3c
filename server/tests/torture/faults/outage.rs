//! What befalls the cluster.

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Namespace;
use k8s_openapi::api::rbac::v1::RoleBinding;
use kube::api::{Api, DeleteParams, Patch, PatchParams};
use serde_json::json;
use testbed::Webhook;
use tokio::time::Instant;

use super::{Faults, insist};
use crate::evidence::{OPERATOR, Span};
use crate::plan::{AWAY_PART, Fault};
use crate::world::{create, from, give_rights, gone, namespace};

impl Faults {
    pub(super) async fn make_outage(&self, fault: Fault, lasts: Duration) -> bool {
        let Some(_turn) = self.turn(&self.outage).await else { return false };
        let cluster = &self.world.cluster;
        let (began, away) = (Timestamp::now(), Instant::now());
        let begun = match fault {
            Fault::ApiServerDead => cluster.stop_api_server().await,
            Fault::ApiServerStill => cluster.pause_api_server().await,
            Fault::EtcdDead => cluster.stop_etcd().await,
            _ => cluster.pause_etcd().await,
        };
        begun.expect("an outage");
        self.wait(lasts).await;
        let ended = match fault {
            Fault::ApiServerDead => cluster.start_api_server().await,
            Fault::ApiServerStill => cluster.resume_api_server().await,
            Fault::EtcdDead => cluster.start_etcd().await,
            _ => cluster.resume_etcd().await,
        };
        ended.expect("its end");
        // Requests that it held up may be answered a little later.
        self.outages.lock().expect("no panic").push(Span { from: began, to: Timestamp::now() });
        self.journal.note(format_args!("{fault:?}: back after {:?}", away.elapsed()));
        // The next one waits, however long a busy machine took.
        self.wait(away.elapsed() * (AWAY_PART - 1)).await;
        true
    }

    /// Has a namespace terminated, which takes as long as something in it is held, and makes it anew.
    pub(super) async fn delete_namespace(&self, number: usize, lasts: Duration) -> bool {
        let Some(_turn) = self.turn(&self.namespaces[number]).await else { return false };
        let (admin, name) = (&self.world.admin, namespace(number));
        let namespaces = Api::<Namespace>::all(admin.clone());
        let bindings = Api::<RoleBinding>::namespaced(admin.clone(), &name);
        // The right to write is what is held: else that would be missed, and not the namespace.
        let hold = |finalizers: serde_json::Value| {
            let held = Patch::Merge(json!({ "metadata": { "finalizers": finalizers } }));
            let bindings = bindings.clone();
            async move { gone(bindings.patch(OPERATOR, &PatchParams::default(), &held).await) }
        };
        insist(|| hold(json!(["slipway.test/held"]))).await;
        insist(|| async { gone(namespaces.delete(&name, &DeleteParams::default()).await) }).await;
        self.wait(lasts).await;
        insist(|| hold(json!(null))).await;
        insist(|| async {
            let found = namespaces.get_opt(&name).await.map_err(|_| ())?;
            if found.is_some() { Err(()) } else { Ok(()) }
        })
        .await;
        insist(|| create(&namespaces, from(json!({ "metadata": { "name": name } })))).await;
        insist(|| give_rights(admin, &name)).await;
        true
    }

    /// Puts up a webhook that refuses connections for most of the time, then admits everything, and then is taken away.
    pub(super) async fn put_webhook_down(&self, number: usize, lasts: Duration) -> bool {
        let Some(_turn) = self.turn(&self.namespaces[number]).await else { return false };
        let name = namespace(number);
        let mut webhook = insist(|| Webhook::closed(&self.world.cluster, &name)).await;
        self.wait(lasts * 2 / 3).await;
        webhook.open().expect("an open webhook");
        self.wait(lasts / 3).await;
        insist(|| webhook.remove()).await;
        true
    }
}
