//! Repositories as they are in the wild, played by a server of these tests.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;

use super::archive::tests::pack;
use super::*;

/// Serves `router` on loopback; answers with its address.
async fn serve(router: Router) -> Url {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    Url::parse(&format!("http://{address}/charts")).unwrap()
}

fn charts(repositories: &[(&str, Url)]) -> Charts {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let addresses: Vec<_> = repositories
        .iter()
        .map(|(name, url)| RepositoryAddress { name: (*name).to_owned(), url: url.clone() })
        .collect();
    Charts::start(&addresses).unwrap()
}

fn web() -> Router {
    let archive =
        pack(&[("web/Chart.yaml", "name: web\nhome: javascript:alert(1)\n"), ("web/values.yaml", "a: 1\n")]);
    Router::new()
        .route(
            "/charts/index.yaml",
            get(|| async { "entries:\n  web:\n  - {version: 1.0.0, urls: [web-1.0.0.tgz]}\n" }),
        )
        .route("/charts/web-1.0.0.tgz", get(move || async move { archive }))
}

#[tokio::test]
async fn a_broken_repository_is_one_warning_and_the_others_list() {
    let broken = Router::new().route("/charts/index.yaml", get(|| async { (StatusCode::BAD_GATEWAY, "") }));
    let charts = charts(&[("bad", serve(broken).await), ("good", serve(web()).await)]);
    let catalogue = charts.catalogue().await;
    let names: Vec<_> = catalogue.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["web"]);
    let error = catalogue.repositories[0].error.as_deref().unwrap();
    assert!(error.contains("502"), "{error}");
    assert_eq!(catalogue.repositories[1].error, None);
}

#[tokio::test]
async fn a_chart_is_read_from_its_archive_beside_the_index() {
    let charts = charts(&[("r", serve(web()).await)]);
    let chart = charts.chart("r", "web", None).await.unwrap();
    assert_eq!((chart.version.as_str(), chart.values.as_str()), ("1.0.0", "a: 1\n"));
    assert_eq!(chart.home, None, "a home page that is not on the web is dropped");
}

#[tokio::test]
async fn what_is_not_there_is_not_found_by_its_name() {
    let charts = charts(&[("r", serve(web()).await)]);
    for (repository, name, version) in [("x", "web", None), ("r", "x", None), ("r", "web", Some("9.9.9"))] {
        let error = charts.chart(repository, name, version).await.unwrap_err();
        assert!(matches!(error, ApiError::NotFound { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn an_archive_that_the_index_does_not_describe_is_refused() {
    let index = "entries:\n  web:\n  - {version: 1.0.0, digest: abc, urls: [web-1.0.0.tgz]}\n";
    let router = Router::new()
        .route("/charts/index.yaml", get(move || async move { index }))
        .route("/charts/web-1.0.0.tgz", get(|| async { pack(&[("web/Chart.yaml", "name: web\n")]) }));
    let charts = charts(&[("r", serve(router).await)]);
    let error = charts.chart("r", "web", None).await.unwrap_err();
    assert!(error.to_string().contains("digest"), "{error}");
}

#[tokio::test]
async fn an_index_cannot_send_us_to_a_file_of_this_machine() {
    let index = "entries:\n  web:\n  - {version: 1.0.0, urls: ['file:///etc/passwd']}\n";
    let router = Router::new().route("/charts/index.yaml", get(move || async move { index }));
    let charts = charts(&[("r", serve(router).await)]);
    let error = charts.chart("r", "web", None).await.unwrap_err();
    assert!(error.to_string().contains("file:"), "{error}");
}

#[tokio::test]
async fn an_index_that_did_not_change_is_not_sent_again() {
    static SENT: AtomicUsize = AtomicUsize::new(0);
    let answer = |headers: HeaderMap| async move {
        if headers.get("if-none-match").is_some_and(|tag| tag == "\"one\"") {
            return (StatusCode::NOT_MODIFIED, [("etag", "\"one\"")], "");
        }
        SENT.fetch_add(1, Ordering::SeqCst);
        (StatusCode::OK, [("etag", "\"one\"")], "entries: {web: [{version: 1.0.0}]}")
    };
    let charts = charts(&[("r", serve(Router::new().route("/charts/index.yaml", get(answer))).await)]);
    charts.catalogue().await;
    charts.repositories[0].refresh().await;
    assert_eq!(charts.catalogue().await.entries.len(), 1);
    assert_eq!(SENT.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_password_in_the_address_is_shown_to_nobody() {
    let mut url = serve(web()).await;
    url.set_username("me").unwrap();
    url.set_password(Some("secret")).unwrap();
    let catalogue = charts(&[("r", url)]).catalogue().await;
    assert!(!format!("{catalogue:?}").contains("secret"), "{catalogue:?}");
}

#[tokio::test]
async fn a_source_is_resolved_or_refused_at_its_field() {
    let charts = charts(&[("r", Url::parse("https://charts.example.org/stable").unwrap())]);
    let named = |repository: &str| ChartSource::Repository {
        repository: repository.into(),
        name: "web".into(),
        version: "1.0.0".into(),
    };
    let resolved = charts.resolve(&named("r")).unwrap();
    assert!(
        matches!(resolved, ResolvedChart::Repository { url, .. } if url == "https://charts.example.org/stable")
    );
    for (source, at) in [
        (named("x"), "chart.repository"),
        (ChartSource::Url { url: "file:///etc/passwd".into() }, "chart.url"),
        (ChartSource::Url { url: "--post-renderer=x".into() }, "chart.url"),
    ] {
        let error = charts.resolve(&source).unwrap_err();
        assert!(matches!(&error, ApiError::Invalid { field: Some(field), .. } if field == at), "{error:?}");
    }
}
