//! That an operation can be ended early: through whichever server, and although its helm does not want to.

use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use testbed::HelmVersion;

use crate::aftermath::{ends_for_good, install, is_at_work, shop};
use crate::cluster::with_both_helms;
use crate::processes::helm_of;
use crate::slipway::Slipway;

with_both_helms![
    what_one_server_accepted_is_cancelled_through_another,
    a_helm_that_does_not_end_when_it_is_told_to_is_killed_and_that_is_said,
];

/// How long helm has to end once it was told to.
const GRACE: Duration = Duration::from_secs(30);

async fn what_one_server_accepted_is_cancelled_through_another(helm: HelmVersion) {
    let one = Slipway::start_with("admin", helm).await;
    let other = one.another().await;
    let namespace = one.namespace().await;
    let id = one.submit(&install(&namespace, 120)).await;
    is_at_work(&other, &namespace).await;
    assert_eq!(other.cancel(&id).await["cancel"]["by"], "admin");
    let ended = ends_for_good(&one, &id).await;
    assert_eq!(ended["state"], "cancelled", "{ended}");
    assert_eq!(ended["outcome"]["failure"]["cause"], "Cancelled by admin.", "{ended}");
    for server in [&one, &other] {
        let is_over =
            |view: &Value| view["phase"]["phase"] == "cancelled" && view["record"]["status"] == "failed";
        server.until(&shop(&namespace), is_over).await;
        assert_eq!(server.get(&format!("operations/{id}")).await.json(), ended);
    }
}

/// Real helm listens to SIGTERM; one that stands still does not.
async fn a_helm_that_does_not_end_when_it_is_told_to_is_killed_and_that_is_said(version: HelmVersion) {
    let slipway = Slipway::start_with("admin", version).await;
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 240)).await;
    is_at_work(&slipway, &namespace).await;
    kill_process(helm_of(&id).unwrap(), Signal::STOP).unwrap();
    let told = Instant::now();
    slipway.cancel(&id).await;
    let ended = ends_for_good(&slipway, &id).await;
    assert!(told.elapsed() >= GRACE, "killed after {:?}", told.elapsed());
    assert_eq!(ended["state"], "cancelled", "{ended}");
    let failure = &ended["outcome"]["failure"];
    let cause = "Cancelled by admin; helm did not end in time and was killed.";
    assert_eq!((&failure["class"], &failure["cause"]), (&json!("cancelled"), &json!(cause)), "{ended}");
    let log = slipway.get(&format!("operations/{id}/log")).await;
    assert!(log.text().contains("helm was ended by signal 9"), "{}", log.text());
    // helm could not say so in its record; under the Lease it was said in its place.
    slipway
        .until(&shop(&namespace), |view| {
            let description = view["record"]["detail"]["description"].as_str().unwrap_or_default();
            view["phase"]["phase"] == "cancelled"
                && view["record"]["status"] == "failed"
                && description.contains("did not end in time and was killed")
        })
        .await;
    // helm takes the release again.
    let mut next = install(&namespace, 1);
    next["options"] = json!({"takeOver": true});
    slipway.succeeds(&next).await;
}
