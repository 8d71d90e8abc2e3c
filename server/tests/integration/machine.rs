//! What can be wrong with a server's own machine: its disk, its helm, its clock.

use std::time::Duration;

use serde_json::{Value, json};
use testbed::{Disk, HelmVersion};

use crate::aftermath::{classes, ends_for_good, install, is_at_work, shop, upgrade};
use crate::cluster::{cluster, script, with_both_helms};
use crate::processes::{of_operation, peak_memory, runner_of};
use crate::slipway::{Setup, Slipway};

with_both_helms![a_helm_that_is_missing_or_cannot_be_executed_is_named_and_the_operation_can_be_run_again,];

/// How much a runner may have in memory, in KiB, whatever helm says.
const MEMORY_MAX: u64 = 192 * 1024;
/// By how much a clock is wrong.
const AHEAD: Duration = Duration::from_secs(10 * 60);

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_ends_an_operation_with_that_cause_and_it_can_be_run_again() {
    let slipway = Slipway::start().await;
    let namespace = slipway.namespace().await;
    let disk = Disk::over(&slipway.operations_folder()).unwrap();
    disk.fill().unwrap();
    let id = slipway.submit(&install(&namespace, 1)).await;
    let ended = ends_for_good(&slipway, &id).await;
    assert_eq!((&ended["state"], classes(&ended)), (&json!("failed"), vec!["unknown"]), "{ended}");
    let text = ended["outcome"]["failure"]["text"].as_str().unwrap();
    assert!(text.contains(disk.words()), "{text}");
    // There was no room for it here, but in the cluster.
    let log = slipway.get(&format!("operations/{id}/log")).await;
    assert!(log.text().contains(disk.words()), "{}", log.text());
    drop(disk);
    let again = slipway.again(&id).await;
    assert_eq!(ends_for_good(&slipway, &again).await["state"], "succeeded");
}

async fn a_helm_that_is_missing_or_cannot_be_executed_is_named_and_the_operation_can_be_run_again(
    version: HelmVersion,
) {
    let setup = Setup::new(cluster().await, version).await;
    let folder = tempfile::tempdir().unwrap();
    let helm = folder.path().join("helm");
    let put_there = || std::os::unix::fs::symlink(&setup.helm, &helm).unwrap();
    put_there();
    let slipway = Slipway::start_as_set(Setup { helm: helm.clone(), ..setup.clone() }).await;
    let namespace = slipway.namespace().await;

    std::fs::remove_file(&helm).unwrap();
    let id = slipway.submit(&install(&namespace, 1)).await;
    let missing = ends_for_good(&slipway, &id).await;
    std::fs::write(&helm, "#!/bin/sh\n").unwrap();
    let again = slipway.again(&id).await;
    let not_executable = ends_for_good(&slipway, &again).await;
    for (operation, words) in [(&missing, "No such file"), (&not_executable, "Permission denied")] {
        assert_eq!(
            (&operation["state"], classes(operation)),
            (&json!("failed"), vec!["unknown"]),
            "{operation}"
        );
        let failure = &operation["outcome"]["failure"];
        assert_eq!(failure["cause"], "helm could not be run.", "{failure}");
        let text = failure["text"].as_str().unwrap();
        assert!(text.contains(words) && text.contains(helm.to_str().unwrap()), "{text}");
    }
    std::fs::remove_file(&helm).unwrap();
    put_there();
    let again = slipway.again(&again).await;
    assert_eq!(ends_for_good(&slipway, &again).await["state"], "succeeded");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_helm_that_says_a_gigabyte_fills_neither_memory_nor_disk_nor_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let talkative = "#!/bin/sh\n\
        if [ \"$1\" = version ]; then echo v4.3.1; exit; fi\n\
        yes 'more than anybody wants to know, and then some' | head -c 1000000000\n\
        echo 'Error: INSTALLATION FAILED: that was all' >&2\n\
        exit 1\n";
    let helm = script(folder.path(), "FakeTalkativeHelm", talkative);
    let setup = Setup { helm, ..Setup::new(cluster().await, HelmVersion::V4).await };
    let slipway = Slipway::start_as_set(setup).await;
    let namespace = slipway.namespace().await;
    let id = slipway.submit(&install(&namespace, 1)).await;
    let mut peak = 0;
    slipway
        .until(&format!("operations/{id}"), |operation| {
            let ours = runner_of(&id).into_iter().chain(of_operation(&id));
            peak = ours.filter_map(peak_memory).fold(peak, u64::max);
            !operation["outcome"].is_null()
        })
        .await;
    let ended = ends_for_good(&slipway, &id).await;
    assert!(ended["outcome"]["failure"]["text"].as_str().unwrap().contains("that was all"), "{ended}");
    println!("measured: while helm wrote 1 GB, the largest of our processes had {} MiB", peak / 1024);
    assert!(peak > 0 && peak < MEMORY_MAX, "{peak} KiB");
    let log = slipway.get(&format!("operations/{id}/log")).await;
    assert!(log.text().len() <= 256 * 1024, "{}", log.text().len());
    let end = "Error: INSTALLATION FAILED: that was all\n";
    assert!(log.text().ends_with(end), "{:?}", log.text().lines().next_back());
    let file = slipway.operations_folder().join(&id).join("helm.log").metadata().unwrap().len();
    assert!(file <= 9 * 1024 * 1024, "{file}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_clock_is_ten_minutes_ahead_is_one_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(cluster().await, HelmVersion::V4).await;
    let right = Slipway::start_as_set(setup.clone()).await;
    let library = testbed::clock_ahead(folder.path(), AHEAD).unwrap().display().to_string();
    let ahead =
        Slipway::start_as_set(Setup { environment: vec![("LD_PRELOAD".into(), library)], ..setup }).await;
    let namespace = right.namespace().await;

    // Each carries out what it accepted, under the other's eyes, and neither takes the other's runner for dead.
    let (early, late) = (namespace.clone(), right.namespace().await);
    let (first, other) = (ahead.submit(&install(&early, 40)).await, right.submit(&install(&late, 40)).await);
    is_at_work(&right, &early).await;
    is_at_work(&ahead, &late).await;
    let (first, _) = tokio::join!(ends_for_good(&right, &first), ends_for_good(&ahead, &other));
    assert_eq!((&first["state"], classes(&first)), (&json!("succeeded"), vec![""]), "{first}");
    // What it dates is dated as the API server would.
    let now = jiff::Timestamp::now().as_millisecond();
    for at in [&first["created"], &first["attempts"][0]["started"], &first["outcome"]["ended"]] {
        let is_ours = (now - 300_000..now + 60_000).contains(&at.as_i64().unwrap());
        assert!(is_ours, "its clock is not the API server's: {first}");
    }

    // What comes later is later, whoever accepted it.
    let second = right.submit(&upgrade(&early, 4)).await;
    for server in [&right, &ahead] {
        let view = server.until(&shop(&early), |view| view["operation"]["id"] == second.as_str()).await;
        assert!(["queued", "working"].contains(&view["phase"]["phase"].as_str().unwrap()), "{view}");
    }
    let ended = ends_for_good(&ahead, &second).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    for server in [&right, &ahead] {
        let view = server.until(&shop(&early), |view| view["phase"]["phase"] == "deployed").await;
        assert_eq!(
            (&view["record"]["revision"], &view["operation"]["id"]),
            (&json!(2), &json!(second)),
            "{view}"
        );
    }
    let all = right.get(&format!("operations?namespace={early}")).await.json();
    let ids: Vec<&Value> = all.as_array().unwrap().iter().map(|operation| &operation["id"]).collect();
    assert_eq!(ids, [&json!(second), &first["id"]]);
}
