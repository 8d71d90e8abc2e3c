//! The fault proxy as its clients see it: real helm, kube's client, and a bare socket's worth of HTTP.

#![allow(clippy::expect_used)]

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt};
use http_body_util::BodyExt;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::api::{DeleteParams, ListParams, PostParams, WatchEvent, WatchParams};
use kube::{Api, Client};
use serde_json::json;
use testbed::{
    Answer, ChartRepository, Cluster, Effect, FaultProxy, HelmVersion, Matcher, Options, Times, WatchFault,
    helm,
};
use tokio::sync::OnceCell;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// One cluster for this file. It is never dropped: it ends as a killed parent's would, with this process.
async fn cluster() -> &'static Cluster {
    static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
    CLUSTER.get_or_init(async || Cluster::start(Options::default()).await.expect("the cluster starts")).await
}

async fn within<T>(seconds: u64, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(seconds), future).await.expect("in time")
}

/// A proxy, and a namespace in which `editor` may edit.
async fn proxied() -> Result<(FaultProxy, String)> {
    let cluster = cluster().await;
    let namespace = cluster.create_namespace(None).await?;
    cluster.grant_edit("editor", &namespace).await?;
    Ok((FaultProxy::start(cluster).await?, namespace))
}

async fn install(version: HelmVersion, release: &str, namespace: &str, kubeconfig: &Path) -> Result<Output> {
    install_with(&[], version, release, namespace, kubeconfig).await
}

async fn install_with(
    flags: &[&str],
    version: HelmVersion,
    release: &str,
    namespace: &str,
    kubeconfig: &Path,
) -> Result<Output> {
    let charts = ChartRepository::start().await?;
    let home = tempfile::tempdir()?;
    let output = tokio::process::Command::new(helm(version)?)
        .args(["install", release, "web", "--namespace", namespace, "--repo", charts.url(), "--kubeconfig"])
        .arg(kubeconfig)
        .args(flags)
        .env("HOME", home.path())
        .output();
    Ok(within(60, output).await?)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({ "metadata": { "name": name } })).expect("a config map")
}

fn maps(client: Client, namespace: &str) -> Api<ConfigMap> {
    Api::namespaced(client, namespace)
}

#[tokio::test]
async fn helm_installs_through_a_proxy_without_rules_that_match() -> Result {
    let (proxy, namespace) = proxied().await?;
    let other = proxy.add(Matcher::writes().agent("kubectl"), Times::Always, Effect::Hang);
    let kubeconfig = proxy.kubeconfig("editor")?;
    for version in [HelmVersion::V3, HelmVersion::V4] {
        let release = format!("{version:?}").to_lowercase();
        let output = install(version, &release, &namespace, &kubeconfig).await?;
        assert!(output.status.success(), "{}", said(&output));
        let secrets = Api::<Secret>::namespaced(cluster().await.client("editor").await?, &namespace);
        secrets.get(&format!("sh.helm.release.v1.{release}.v1")).await?;
    }
    assert_eq!(proxy.hits(&other), 0);
    Ok(())
}

#[tokio::test]
async fn rights_behind_the_proxy_are_those_of_each_user() -> Result {
    let (proxy, namespace) = proxied().await?;
    maps(proxy.client("editor").await?, &namespace).list(&ListParams::default()).await?;
    let refused = maps(proxy.client("nobody").await?, &namespace).list(&ListParams::default()).await;
    assert!(matches!(refused, Err(kube::Error::Api(status)) if status.code == 403));
    assert!(matches!(proxy.kubeconfig("stranger"), Err(testbed::Error::UnknownUser(_))));
    Ok(())
}

#[tokio::test]
async fn a_body_of_a_megabyte_arrives_both_ways() -> Result {
    let (proxy, namespace) = proxied().await?;
    let maps = maps(proxy.client("editor").await?, &namespace);
    let content = "0123456789abcdef".repeat(60_000);
    let big = ConfigMap { data: Some([("big".to_owned(), content)].into()), ..map("big") };
    maps.create(&PostParams::default(), &big).await?;
    assert_eq!(maps.get("big").await?.data, big.data);
    Ok(())
}

#[tokio::test]
async fn helm_reports_the_conflict_of_a_quota_that_stays() -> Result {
    let (proxy, namespace) = proxied().await?;
    for version in [HelmVersion::V3, HelmVersion::V4] {
        let release = format!("{version:?}").to_lowercase();
        let conflict = Effect::Answer(Answer::quota_conflict("compute"));
        let rule = proxy.add(Matcher::writes().path("/services").agent("Helm/"), Times::Always, conflict);
        let output = install(version, &release, &namespace, &proxy.kubeconfig("editor")?).await?;
        assert!(!output.status.success());
        let text = "Operation cannot be fulfilled on resourcequotas \"compute\": the object has been modified; please \
                    apply your changes to the latest version and try again";
        assert!(said(&output).contains(text), "{version:?}: {}", said(&output));
        // Both helms try five times within some tens of milliseconds.
        assert_eq!(proxy.hits(&rule), 5);
        proxy.remove(&rule);
    }
    Ok(())
}

#[tokio::test]
async fn helm_reports_a_webhook_that_refuses_connections() -> Result {
    let (proxy, namespace) = proxied().await?;
    for version in [HelmVersion::V3, HelmVersion::V4] {
        let release = format!("{version:?}").to_lowercase();
        let refused = Effect::Answer(Answer::webhook_refused("policy.example.org"));
        let rule = proxy.add(Matcher::writes().path("/deployments"), Times::Always, refused);
        let output = install(version, &release, &namespace, &proxy.kubeconfig("editor")?).await?;
        let text = said(&output);
        for part in
            ["failed calling webhook \"policy.example.org\"", "10.0.0.1:443: connect: connection refused"]
        {
            assert!(text.contains(part), "{version:?}: {text}");
        }
        proxy.remove(&rule);
    }
    Ok(())
}

#[tokio::test]
async fn each_refusal_reaches_a_client_as_a_status() -> Result {
    let (proxy, namespace) = proxied().await?;
    let maps = maps(proxy.client("editor").await?, &namespace);
    for (answer, code) in [
        (Answer::quota_conflict("compute"), 409),
        (Answer::internal_error("etcdserver: request timed out"), 500),
        (Answer::webhook_refused("policy.example.org"), 500),
        (Answer::gone(), 410),
    ] {
        let rule = proxy.add(Matcher::writes(), Times::First(1), Effect::Answer(answer));
        let refused = maps.create(&PostParams::default(), &map("refused")).await;
        assert!(
            matches!(&refused, Err(kube::Error::Api(status)) if status.code == code),
            "{code}: {refused:?}"
        );
        assert_eq!(proxy.hits(&rule), 1);
    }
    assert!(maps.get_opt("refused").await?.is_none(), "what was refused was written");
    maps.create(&PostParams::default(), &map("accepted")).await?;
    Ok(())
}

#[tokio::test]
async fn helm_waits_as_long_as_it_is_asked_to_and_goes_on() -> Result {
    let (proxy, namespace) = proxied().await?;
    for (version, answer) in
        [(HelmVersion::V3, Answer::too_many_requests(1)), (HelmVersion::V4, Answer::too_many_requests(1))]
    {
        let release = format!("{version:?}").to_lowercase();
        let rule = proxy.add(Matcher::writes(), Times::First(2), Effect::Answer(answer));
        let began = Instant::now();
        let output = install(version, &release, &namespace, &proxy.kubeconfig("editor")?).await?;
        assert!(output.status.success(), "{version:?}: {}", said(&output));
        assert!(began.elapsed() >= Duration::from_secs(2));
        assert_eq!(proxy.hits(&rule), 2);
    }
    Ok(())
}

#[tokio::test]
async fn helm_reports_a_server_that_is_not_available() -> Result {
    let (proxy, namespace) = proxied().await?;
    for version in [HelmVersion::V3, HelmVersion::V4] {
        let release = format!("{version:?}").to_lowercase();
        let rule = proxy.add(Matcher::writes(), Times::Always, Effect::Answer(Answer::unavailable()));
        let output = install(version, &release, &namespace, &proxy.kubeconfig("editor")?).await?;
        let text = "the server is currently unable to handle the request";
        assert!(said(&output).contains(text), "{version:?}: {}", said(&output));
        proxy.remove(&rule);
    }
    Ok(())
}

#[tokio::test]
async fn a_connection_is_reset_in_the_middle_of_an_answer() -> Result {
    let (proxy, namespace) = proxied().await?;
    for version in [HelmVersion::V3, HelmVersion::V4] {
        let release = format!("{version:?}").to_lowercase();
        let rule =
            proxy.add(Matcher::writes().path("/services"), Times::Always, Effect::Reset { after: 100 });
        let output = install(version, &release, &namespace, &proxy.kubeconfig("editor")?).await?;
        assert!(said(&output).contains("connection reset by peer"), "{version:?}: {}", said(&output));
        assert!(proxy.hits(&rule) >= 1);
        proxy.remove(&rule);
    }
    Ok(())
}

#[tokio::test]
async fn the_beginning_of_an_answer_arrives_before_its_connection_is_reset() -> Result {
    let (proxy, _) = proxied().await?;
    let rule =
        proxy.add(Matcher::reads().path("/openapi/v2"), Times::First(1), Effect::Reset { after: 100_000 });
    let client = proxy.client("admin").await?;
    let mut body =
        client.send(http::Request::get("/openapi/v2").body(kube::client::Body::empty())?).await?.into_body();
    let mut arrived = 0;
    let error = loop {
        match within(10, body.frame()).await.ok_or("the answer ended well")? {
            Ok(frame) => arrived += frame.into_data().map_or(0, |data| data.len()),
            Err(error) => break error,
        }
    };
    assert!(format!("{error:?}").contains("ConnectionReset"), "{error:?}");
    assert_eq!((arrived, proxy.hits(&rule)), (100_000, 1));
    Ok(())
}

#[tokio::test]
async fn an_answer_is_lost_and_what_was_asked_is_done() -> Result {
    let (proxy, namespace) = proxied().await?;
    let rule = proxy.add(Matcher::writes(), Times::First(1), Effect::LoseAnswer);
    let maps = maps(proxy.client("editor").await?, &namespace);
    let lost = maps.create(&PostParams::default(), &map("written")).await;
    assert!(!matches!(lost, Ok(_) | Err(kube::Error::Api(_))), "{lost:?}");
    within(5, proxy.until_hit(&rule, 1)).await;
    maps.get("written").await?;
    Ok(())
}

#[tokio::test]
async fn a_handshake_hangs_until_it_is_released() -> Result {
    let (proxy, namespace) = proxied().await?;
    let rule = proxy.add(Matcher::any(), Times::Always, Effect::HangHandshake);
    let kubeconfig = proxy.kubeconfig("editor")?;
    let installed = install(HelmVersion::V4, "hangs", &namespace, &kubeconfig);
    let asked = proxy.client("editor").await?;
    let asked = tokio::spawn(async move { asked.apiserver_version().await });
    let output = installed.await?;
    assert!(said(&output).contains("TLS handshake timeout"), "{}", said(&output));
    assert!(!asked.is_finished());
    proxy.remove(&rule);
    within(5, asked).await??;
    assert!(proxy.hits(&rule) >= 2);
    Ok(())
}

#[tokio::test]
async fn a_request_hangs_until_it_is_released() -> Result {
    let (proxy, namespace) = proxied().await?;
    let rule = proxy.add(Matcher::writes(), Times::First(1), Effect::Hang);
    let through = maps(proxy.client("editor").await?, &namespace);
    let asked = tokio::spawn(async move { through.create(&PostParams::default(), &map("late")).await });
    within(5, proxy.until_hit(&rule, 1)).await;
    let direct = maps(cluster().await.client("editor").await?, &namespace);
    assert!(direct.get_opt("late").await?.is_none());
    proxy.clear();
    within(5, asked).await??;
    direct.get("late").await?;
    Ok(())
}

#[tokio::test]
async fn each_write_is_late_and_reads_are_not() -> Result {
    let (proxy, namespace) = proxied().await?;
    let delay = Duration::from_secs(2);
    let rule = proxy.add(Matcher::writes(), Times::Always, Effect::Delay(delay));
    let maps = maps(proxy.client("editor").await?, &namespace);
    let began = Instant::now();
    maps.create(&PostParams::default(), &map("late")).await?;
    assert!(began.elapsed() >= delay);
    let began = Instant::now();
    maps.get("late").await?;
    assert!(began.elapsed() < delay);
    assert_eq!(proxy.hits(&rule), 1);
    Ok(())
}

/// What a watch from the namespace's beginning, distorted, says while five config maps `0` to `4` are made.
async fn watched(fault: WatchFault, until: usize) -> Result<(Vec<String>, u64)> {
    let (proxy, namespace) = proxied().await?;
    let rule = proxy.add(Matcher::watches(), Times::Always, Effect::Watch(fault));
    let direct = maps(cluster().await.client("editor").await?, &namespace);
    let version = direct.list(&ListParams::default()).await?.metadata.resource_version.unwrap_or_default();
    let through = maps(proxy.client("editor").await?, &namespace);
    // Those are ours; the one with the cluster's certificate is everywhere.
    let params = WatchParams::default().fields("metadata.name!=kube-root-ca.crt");
    let events = through.watch(&params, &version).await?;
    for name in 0..5 {
        direct.create(&PostParams::default(), &map(&name.to_string())).await?;
    }
    let name = |event: WatchEvent<ConfigMap>| match event {
        WatchEvent::Added(map) => map.metadata.name.unwrap_or_default(),
        WatchEvent::Error(status) => status.code.to_string(),
        other => format!("{other:?}"),
    };
    let names = events.map_ok(name).take(until).try_collect::<Vec<_>>();
    Ok((within(10, names).await?, proxy.hits(&rule)))
}

#[tokio::test]
async fn a_watch_closes_early() -> Result {
    assert_eq!(watched(WatchFault::CloseAfter(2), usize::MAX).await?, (vec!["0".into(), "1".into()], 1));
    Ok(())
}

#[tokio::test]
async fn a_watch_says_that_its_version_is_gone() -> Result {
    assert_eq!(watched(WatchFault::GoneAfter(1), usize::MAX).await?, (vec!["0".into(), "410".into()], 1));
    Ok(())
}

#[tokio::test]
async fn a_watch_delivers_events_twice() -> Result {
    let (names, hits) = watched(WatchFault::Double, 10).await?;
    assert_eq!((names.join(" ").as_str(), hits), ("0 0 1 1 2 2 3 3 4 4", 5));
    Ok(())
}

#[tokio::test]
async fn a_watch_swaps_neighbours_and_keeps_the_last_event() -> Result {
    let (names, hits) = watched(WatchFault::Swap, 5).await?;
    assert_eq!((names.join(" ").as_str(), hits), ("1 0 3 2 4", 2));
    Ok(())
}

#[tokio::test]
async fn a_streamed_list_keeps_its_end_without_other_bookmarks() -> Result {
    let (proxy, namespace) = proxied().await?;
    proxy.add(Matcher::watches(), Times::Always, Effect::Watch(WatchFault::DropBookmarks));
    let maps = maps(proxy.client("editor").await?, &namespace);
    let events = maps.watch(&WatchParams::default().initial_events(), "0").await?.boxed();
    let end = events.try_filter(|event| {
        let is_bookmark = matches!(event, WatchEvent::Bookmark(_));
        async move { is_bookmark }
    });
    within(10, Box::pin(end).try_next()).await?.ok_or("no end of the list")?;
    Ok(())
}

#[tokio::test]
async fn helm_waits_for_its_release_on_watches_that_are_distorted() -> Result {
    let (proxy, namespace) = proxied().await?;
    for (release, fault) in [
        ("double", WatchFault::Double),
        ("drop", WatchFault::DropBookmarks),
        ("close", WatchFault::CloseAfter(2)),
        ("gone", WatchFault::GoneAfter(2)),
    ] {
        // The first watch alone: helm asks again, and needs one that is well.
        let matcher = Matcher::watches().path("/deployments").agent("Helm/");
        let rule = proxy.add(matcher, Times::First(1), Effect::Watch(fault));
        let kubeconfig = proxy.kubeconfig("editor")?;
        let output = install_with(&["--wait"], HelmVersion::V4, release, &namespace, &kubeconfig).await?;
        assert!(output.status.success(), "{fault:?}: {}", said(&output));
        // A minute passes between two bookmarks.
        assert!(proxy.hits(&rule) > 0 || fault == WatchFault::DropBookmarks, "{fault:?}");
        proxy.remove(&rule);
    }
    Ok(())
}

#[tokio::test]
async fn a_watch_without_a_fault_lives_on_beside_other_requests() -> Result {
    let (proxy, namespace) = proxied().await?;
    let maps = maps(proxy.client("editor").await?, &namespace);
    let version = maps.list(&ListParams::default()).await?.metadata.resource_version.unwrap_or_default();
    let mut events = maps.watch(&WatchParams::default(), &version).await?.boxed();
    for name in ["first", "second"] {
        maps.create(&PostParams::default(), &map(name)).await?;
        maps.delete(name, &DeleteParams::default()).await?;
        let mut seen = Vec::new();
        while seen.len() < 2 {
            match within(5, events.try_next()).await?.ok_or("the watch ended")? {
                WatchEvent::Added(map) if map.metadata.name.as_deref() == Some(name) => seen.push("added"),
                WatchEvent::Deleted(map) if map.metadata.name.as_deref() == Some(name) => {
                    seen.push("deleted")
                }
                _ => {}
            }
        }
        assert_eq!(seen, ["added", "deleted"]);
    }
    Ok(())
}

#[tokio::test]
async fn chance_falls_alike_for_the_same_seed() -> Result {
    let (proxy, namespace) = proxied().await?;
    let maps = maps(proxy.client("editor").await?, &namespace);
    let mut runs = Vec::new();
    for _ in 0..2 {
        let rule = proxy.add(Matcher::reads(), Times::OneIn(3, 11), Effect::Answer(Answer::gone()));
        let mut run = Vec::new();
        for _ in 0..12 {
            run.push(maps.list(&ListParams::default()).await.is_ok());
        }
        assert_eq!(proxy.hits(&rule), run.iter().filter(|passed| !**passed).count() as u64);
        proxy.remove(&rule);
        runs.push(run);
    }
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].contains(&true) && runs[0].contains(&false));
    Ok(())
}

#[tokio::test]
async fn a_proxy_that_is_dropped_ends_what_goes_through_it() -> Result {
    let (proxy, namespace) = proxied().await?;
    let maps = maps(proxy.client("editor").await?, &namespace);
    let events = maps.watch(&WatchParams::default(), "0").await?;
    drop(proxy);
    // In whichever way the client's library tells of it.
    let _ = within(5, events.try_collect::<Vec<_>>()).await;
    assert!(maps.list(&ListParams::default()).await.is_err());
    Ok(())
}
