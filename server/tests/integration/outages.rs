//! That operations come to an end that is understood when the API server or its store is away: a cluster of their own.

use std::time::{Duration, Instant};

use serde_json::Value;
use testbed::{Cluster, HelmVersion, Options};
use tokio::sync::OnceCell;

use crate::aftermath::{ends_for_good, install, is_at_work, shop};
use crate::slipway::{Setup, Slipway};

/// Longer than a Lease.
const OUTAGE: Duration = Duration::from_secs(30);

/// No other test knows this cluster. It ends with this process.
async fn cluster() -> &'static Cluster {
    static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
    CLUSTER.get_or_init(async || Cluster::start(Options::default()).await.expect("the cluster starts")).await
}

/// An install that is under way when the outage begins, and would be long after the Lease ran out.
async fn begun(slipway: &Slipway) -> (String, String) {
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 60)).await;
    is_at_work(slipway, &namespace).await;
    (namespace, id)
}

/// What is seen and said while the cluster is away.
async fn is_away(slipway: &Slipway, namespace: &str) {
    let began = Instant::now();
    let refused = slipway.post("operations", &install(namespace, 1)).await;
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

/// The operation's end once the cluster is back, and the way on.
async fn is_survived(slipway: &Slipway, namespace: &str, id: &str) {
    let ended = ends_for_good(slipway, id).await;
    let view = slipway.get(&shop(namespace)).await.json();
    // helm was ended before anybody else could take the Lease, and could not say so in its record.
    assert_eq!(ended["state"], "interrupted", "{ended}");
    let proof = ended["outcome"]["failure"]["text"].as_str().unwrap();
    assert!(proof.contains("Lease"), "{proof}");
    assert_eq!(view["phase"]["phase"], "interrupted", "{view}");
    let again = slipway.again(id).await;
    assert_eq!(ends_for_good(slipway, &again).await["state"], "succeeded");
    let view = slipway.until(&shop(namespace), |view| view["phase"]["phase"] == "deployed").await;
    assert_ne!(view["record"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_install_survives_that_the_api_server_and_then_its_store_are_away_for_half_a_minute() {
    let cluster = cluster().await;
    let (three, four) = tokio::join!(
        async { Slipway::start_as_set(Setup::new(cluster, HelmVersion::V3).await).await },
        async { Slipway::start_as_set(Setup::new(cluster, HelmVersion::V4).await).await },
    );
    for store in [false, true] {
        let ((a, first), (b, second)) = tokio::join!(begun(&three), begun(&four));
        let away = tokio::time::sleep(OUTAGE);
        if store {
            cluster.stop_etcd().await.unwrap()
        } else {
            cluster.stop_api_server().await.unwrap()
        }
        tokio::join!(is_away(&three, &a), is_away(&four, &b), away);
        if store {
            cluster.start_etcd().await.unwrap()
        } else {
            cluster.start_api_server().await.unwrap()
        }
        tokio::join!(is_survived(&three, &a, &first), is_survived(&four, &b, &second));
    }
}
