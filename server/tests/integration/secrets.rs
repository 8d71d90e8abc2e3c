//! What nobody else may see: not on a command line, not in a log, not in a file that is left behind.

use serde_json::{Value, json};
use testbed::{ChartRepository, HelmVersion};

use crate::aftermath::{classes, ends_for_good};
use crate::cluster::{charts, cluster, script, with_both_helms};
use crate::slipway::{Setup, Slipway};

/// As it is, and as an address has it.
const PASSWORD: (&str, &str) = ("s:cr@t", "s%3Acr%40t");

with_both_helms!(a_repositorys_password_is_on_no_command_line_and_in_no_log);

async fn a_repositorys_password_is_on_no_command_line_and_in_no_log(version: HelmVersion) {
    let repository = ChartRepository::serve(charts().await.folder()).await.unwrap();
    repository.protect("me", PASSWORD.0);
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("lines");
    let real = testbed::helm(version).unwrap();
    let recording = format!("#!/bin/sh\necho \"$@\" >>{}\nexec {} \"$@\"\n", lines.display(), real.display());
    let helm = script(folder.path(), "helm", &recording);
    let address = |password: &str| repository.url().replace("://", &format!("://me:{password}@"));
    let more = [("guarded", PASSWORD.1), ("wrong", "guess")]
        .map(|(name, password)| ["--repository".to_owned(), format!("{name}={}", address(password))]);
    let setup = Setup { helm, more: more.concat(), ..Setup::new(cluster().await, version).await };
    let slipway = Slipway::start_as_set(setup).await;
    let namespace = slipway.namespace().await;
    let install = |name: &str, repository: &str| {
        json!({
            "kind": "install", "namespace": namespace, "name": name, "values": "replicas: 1\n",
            "chart": {"repository": repository, "name": "web", "version": "1.0.0"},
        })
    };

    let good = ends_for_good(&slipway, &slipway.submit(&install("good", "guarded")).await).await;
    assert_eq!(good["state"], "succeeded", "{good}");
    let wrong = ends_for_good(&slipway, &slipway.submit(&install("wrong", "wrong")).await).await;
    assert_eq!((&wrong["state"], classes(&wrong)), (&json!("failed"), vec!["permanent"]), "{wrong}");
    assert!(wrong["outcome"]["failure"]["cause"].as_str().unwrap().contains("does not let"), "{wrong}");

    let mut seen = std::fs::read_to_string(&lines).unwrap();
    assert!(seen.contains(" -- good "), "{seen}");
    for operation in [&good, &wrong] {
        let id = operation["id"].as_str().unwrap();
        seen.push_str(slipway.get(&format!("operations/{id}/log")).await.text());
        seen.push_str(&operation.to_string());
        assert!(!slipway.operations_folder().join(id).join("work").exists(), "{id}");
    }
    for secret in [PASSWORD.0, PASSWORD.1, "guess"] {
        assert!(!seen.contains(secret), "{seen}");
    }
    let asked: Vec<Value> = repository.requests().into_iter().map(Value::from).collect();
    assert!(asked.contains(&json!("web-1.0.0.tgz")), "{asked:?}");
}
