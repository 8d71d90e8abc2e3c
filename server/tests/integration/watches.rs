//! That Slipway shows what is, whatever its watches tell it: closed, expired, without bookmarks, twice, or out of order.

use serde_json::json;
use testbed::{Effect, FaultProxy, HelmVersion, Matcher, Times, WatchFault};

use crate::aftermath::{ends_for_good, install, is_at_work, shop, upgrade};
use crate::cluster::{cluster, with_both_helms};
use crate::slipway::{Setup, Slipway};

with_both_helms![a_release_is_seen_for_what_it_is_although_each_watch_is_closed_after_an_event];

/// Follows a release from its install to its uninstall while `fault` befalls the first `times` watches of Secrets, which
/// are helm's records and Slipway's own; those of the runners are among them.
async fn a_release_is_seen_for_what_it_is(helm: HelmVersion, fault: WatchFault, times: Times) {
    let proxy = FaultProxy::start(cluster().await).await.unwrap();
    let rule = proxy.add(Matcher::watches().path("/secrets"), times, Effect::Watch(fault));
    let setup = Setup::new(cluster().await, helm).await;
    let setup = Setup { kubeconfig: proxy.kubeconfig("admin").unwrap(), ..setup };
    let slipway = Slipway::start_as_set(setup).await;
    let namespace = slipway.namespace().await;
    let is_phase = |phase: &'static str, revision: u32| {
        let (slipway, path) = (&slipway, shop(&namespace));
        async move {
            slipway
                .until(&path, |view| {
                    view["phase"]["phase"] == phase && view["record"]["revision"] == revision
                })
                .await
        }
    };

    let id = slipway.submit(&install(&namespace, 1)).await;
    assert_eq!(ends_for_good(&slipway, &id).await["state"], "succeeded");
    is_phase("deployed", 1).await;

    let id = slipway.submit(&upgrade(&namespace, 60)).await;
    is_at_work(&slipway, &namespace).await;
    slipway.cancel(&id).await;
    assert_eq!(ends_for_good(&slipway, &id).await["state"], "cancelled");
    is_phase("cancelled", 2).await;

    let id = slipway.submit(&upgrade(&namespace, 1)).await;
    assert_eq!(ends_for_good(&slipway, &id).await["state"], "succeeded");
    is_phase("deployed", 3).await;
    let uninstall = json!({"kind": "uninstall", "namespace": namespace, "name": "shop"});
    let id = slipway.submit(&uninstall).await;
    assert_eq!(ends_for_good(&slipway, &id).await["state"], "succeeded");
    slipway
        .until(&shop(&namespace), |view| view["record"].is_null() && view["phase"]["phase"] == "uninstalled")
        .await;
    // That bookmarks come at all is up to the API server.
    assert!(fault == WatchFault::DropBookmarks || proxy.hits(&rule) > 0);
}

async fn a_release_is_seen_for_what_it_is_although_each_watch_is_closed_after_an_event(helm: HelmVersion) {
    a_release_is_seen_for_what_it_is(helm, WatchFault::CloseAfter(1), Times::Always).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_is_seen_for_what_it_is_although_watches_expire() {
    a_release_is_seen_for_what_it_is(HelmVersion::V3, WatchFault::GoneAfter(1), Times::First(6)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_is_seen_for_what_it_is_although_no_bookmark_arrives() {
    a_release_is_seen_for_what_it_is(HelmVersion::V4, WatchFault::DropBookmarks, Times::Always).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_is_seen_for_what_it_is_although_each_event_comes_twice() {
    a_release_is_seen_for_what_it_is(HelmVersion::V3, WatchFault::Double, Times::Always).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_is_seen_for_what_it_is_although_events_change_places() {
    a_release_is_seen_for_what_it_is(HelmVersion::V4, WatchFault::Swap, Times::First(6)).await;
}
