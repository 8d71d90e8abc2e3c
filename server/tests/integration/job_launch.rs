//! How Jobs are launched: once for each operation, and with a word why when none can be, or when it cannot begin.

use std::collections::BTreeMap;
use std::time::Duration;

use app::model::{
    Operation, OperationId, OperationKind, OperationOptions, OperationState, ReleaseKey, Timestamp,
};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::coordination::v1::Lease;
use kube::api::{Api, ListParams};
use serde_json::json;
use server::kube::jobs::{JobLauncher, RunnerPod};
use server::kube::operations::OperationSecrets;
use server::operations::{Launch, Launcher, OperationStore};
use testbed::HelmVersion;

use crate::cluster::cluster;
use crate::jobs::{body, nothing_is_left, objects, server_given};
use crate::slipway::Slipway;

/// Submits an install whose runner cannot begin, and gives why in the server's words.
async fn why_it_cannot_begin(more: &[&str]) -> String {
    let slipway = server_given(HelmVersion::V4, more).await;
    let ns = slipway.namespace().await;
    let ended = slipway.ended(&slipway.submit(&body("install", &ns, Some("web"), "")).await).await;
    assert_eq!(ended["state"], "failed", "{ended}");
    nothing_is_left(&slipway).await;
    ended["outcome"]["failure"]["cause"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_that_cannot_begin_fails_its_operation_and_says_why() {
    let (account, image) = tokio::join!(
        why_it_cannot_begin(&["--runner-image=slipway:1", "--runner-service-account=nobody"]),
        async {
            if !cluster().await.has_real_node() {
                println!("skipped: a simulated node pulls no images");
                return None;
            }
            Some(why_it_cannot_begin(&["--runner-image=registry.invalid/slipway:1"]).await)
        },
    );
    assert!(account.contains("it can have no pod") && account.contains("\"nobody\" not found"), "{account}");
    let begin =
        "Its runner could not begin: container runner cannot get its image registry.invalid/slipway:1: ";
    assert!(image.is_none_or(|why| why.starts_with(begin)));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_image_a_job_is_refused_and_nothing_is_recorded() {
    let slipway = Slipway::start().await;
    let ns = slipway.namespace().await;
    let mut request = body("uninstall", &ns, None, "");
    request["options"]["runner"] = json!("job");
    let refused = slipway.post("operations", &request).await;
    assert_eq!(
        (refused.status, &refused.json()["field"]),
        (422, &json!("options.runner")),
        "{}",
        refused.text()
    );
    assert_eq!(slipway.get(&format!("operations?namespace={ns}")).await.json(), json!([]));
    assert!(objects::<Lease>(&slipway).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_made_once_and_goes_with_its_operation() {
    let namespace = cluster().await.create_namespace(None).await.unwrap();
    let client = cluster().await.client("admin").await.unwrap();
    let store = OperationSecrets::new(client.clone(), &namespace);
    let operation = Operation {
        id: OperationId(uuid::Uuid::now_v7().to_string()),
        kind: OperationKind::Install,
        release: ReleaseKey::new(&namespace, "shop"),
        chart: None,
        options: OperationOptions::default(),
        requested_by: "ann".into(),
        idempotency_key: None,
        created: Timestamp(1_796_010_132_000),
        state: OperationState::Queued,
        max_attempts: 3,
        next_attempt: None,
        attempts: vec![],
        base_revision: None,
        outcome: None,
        cancel: None,
        again: None,
    };
    store.create(&operation, None).await.unwrap();
    let jobs: Api<Job> = Api::namespaced(client.clone(), &namespace);
    let pod = RunnerPod {
        image: "slipway:1".into(),
        service_account: "default".into(),
        cpu: "500m".into(),
        memory: "256Mi".into(),
        // No node has it, so that it stays as it is.
        nodes: BTreeMap::from([("there".to_owned(), "is-none".to_owned())]),
        tolerations: vec![],
        arguments: vec![],
    };
    let launcher = JobLauncher::new(client, &namespace, pod);
    assert_eq!(launcher.launch(&operation).await, Ok(Launch::Awaited(None)));
    let job = jobs.get(&format!("slipway-run-{}", operation.id)).await.unwrap();
    let spec = job.spec.as_ref().unwrap();
    assert_eq!((spec.backoff_limit, spec.active_deadline_seconds), (Some(0), Some(10_800)));
    let again = launcher.launch(&operation).await.unwrap();
    assert!(matches!(&again, Launch::Awaited(_)), "{again:?}");
    let one = jobs.list(&ListParams::default()).await.unwrap().items;
    assert_eq!(one.iter().map(|job| &job.metadata.uid).collect::<Vec<_>>(), [&job.metadata.uid]);
    assert_eq!(launcher.known().await.unwrap(), std::slice::from_ref(&operation.id));
    let waits = async {
        loop {
            if let Launch::Awaited(Some(kept)) = launcher.launch(&operation).await.unwrap() {
                return kept.why;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let why = tokio::time::timeout(Duration::from_secs(120), waits).await.expect("the scheduler says why");
    assert!(why.contains("cannot be scheduled") && why.contains("affinity/selector"), "{why}");

    store.delete(&operation.id).await.unwrap();
    let gone = async {
        while !jobs.list(&ListParams::default()).await.unwrap().items.is_empty() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(180), gone).await.expect("the Job goes with the record");
    assert!(launcher.clear(&operation.id).await.is_ok(), "what is gone is cleared away");
}
