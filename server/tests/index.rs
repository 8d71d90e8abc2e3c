//! What a large index costs the whole way from its server into the catalogue, in a process of its own: its memory is this
//! test's.

#![allow(clippy::expect_used, reason = "a test fails by a panic")]

use axum::Router;
use axum::body::{Body, Bytes};
use server::charts::index::sample;
use server::charts::{Charts, Reach};
use server::settings::RepositoryAddress;

const CHARTS: usize = 350;
const VERSIONS: usize = 75;

/// The index, chart by chart: this side of it never has the whole.
fn parts() -> impl Iterator<Item = Bytes> {
    let charts = (0..CHARTS).map(|chart| {
        let entries = (0..VERSIONS).map(|version| sample::entry(chart, version));
        Bytes::from(format!("  chart-{chart}:\n") + &entries.collect::<String>())
    });
    std::iter::once(Bytes::from("apiVersion: v1\nentries:\n")).chain(charts)
}

async fn index() -> Body {
    Body::from_stream(futures::stream::iter(parts().map(Ok::<_, std::convert::Infallible>)))
}

/// A figure of this process's memory, in bytes.
fn memory(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).expect("a figure");
    let kilobytes: usize = line.split_whitespace().next().expect("a number").parse().expect("a number");
    kilobytes * 1024
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_of_50_mb_is_in_the_catalogue_and_takes_no_more_than_three_times_its_size() {
    let size: usize = parts().map(|part| part.len()).sum();
    assert!(size > 50_000_000, "{size}");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/charts", listener.local_addr().expect("an address"));
    let router = Router::new().route("/charts/index.yaml", axum::routing::get(index));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let before = memory("VmRSS");
    let address = RepositoryAddress { name: "large".into(), url: url.parse().expect("an address") };
    let charts = Charts::start(&[address]).expect("a client");
    let mut catalogue = charts.catalogue(&Reach::default()).await;
    // A slow machine's first look comes to its end behind.
    while catalogue.entries.is_empty() && catalogue.repositories.iter().all(|one| one.error.is_none()) {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        catalogue = charts.catalogue(&Reach::default()).await;
    }
    assert_eq!(catalogue.entries.len(), CHARTS, "{:?}", catalogue.repositories);
    let more = memory("VmHWM").saturating_sub(before);
    assert!(more < 3 * size, "{} MB for {} MB", more / 1_000_000, size / 1_000_000);
}
