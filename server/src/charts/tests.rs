//! Against a repository that is served in this process.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use app::model::ApiError;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::archive::tests::pack;
use super::*;

/// A repository that serves what it is told to, and counts what it is asked for.
#[derive(Default)]
struct FakeRepository {
    files: Mutex<HashMap<String, Vec<u8>>>,
    status: Mutex<Option<StatusCode>>,
    asked: AtomicUsize,
    unchanged: AtomicUsize,
    authorised: AtomicUsize,
}

impl FakeRepository {
    async fn start() -> (Arc<Self>, Url) {
        let repository = Arc::new(Self::default());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = Url::parse(&format!("http://{}/charts", listener.local_addr().unwrap())).unwrap();
        let router = Router::new().fallback(answer).with_state(repository.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (repository, url)
    }

    fn put(&self, path: &str, content: impl Into<Vec<u8>>) {
        self.files.lock().unwrap().insert(path.to_owned(), content.into());
    }

    fn fail(&self, status: Option<StatusCode>) {
        *self.status.lock().unwrap() = status;
    }
}

async fn answer(State(repository): State<Arc<FakeRepository>>, request: Request) -> Response {
    repository.asked.fetch_add(1, Ordering::Relaxed);
    if request.headers().contains_key(header::AUTHORIZATION) {
        repository.authorised.fetch_add(1, Ordering::Relaxed);
    }
    if let Some(status) = *repository.status.lock().unwrap() {
        return status.into_response();
    }
    let Some(content) = repository.files.lock().unwrap().get(request.uri().path()).cloned() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let etag = format!("\"{:x}\"", Sha256::digest(&content));
    if request.headers().get(header::IF_NONE_MATCH).is_some_and(|known| known == etag.as_str()) {
        repository.unchanged.fetch_add(1, Ordering::Relaxed);
        return StatusCode::NOT_MODIFIED.into_response();
    }
    ([(header::ETAG, etag)], Body::from(content)).into_response()
}

fn charts(repositories: &[(&str, &Url)]) -> Charts {
    let addresses = repositories
        .iter()
        .map(|(name, url)| RepositoryAddress { name: (*name).into(), url: (*url).clone() });
    Charts::start(&addresses.collect::<Vec<_>>()).unwrap()
}

fn web(version: &str) -> Vec<u8> {
    let chart = format!("name: web\nversion: {version}\ndescription: A web server\n");
    pack(&[
        ("web/Chart.yaml", chart.as_bytes()),
        ("web/values.yaml", format!("version: {version}\n").as_bytes()),
    ])
}

fn index_of(versions: &[(&str, &str, Option<String>)]) -> String {
    let mut text = String::from("entries:\n  web:\n");
    for (version, url, digest) in versions {
        let digest = digest.as_ref().map(|digest| format!(", digest: {digest}")).unwrap_or_default();
        text.push_str(&format!("  - {{version: {version}, urls: ['{url}']{digest}}}\n"));
    }
    text
}

fn digest(content: &[u8]) -> Option<String> {
    Some(format!("{:x}", Sha256::digest(content)))
}

#[tokio::test]
async fn the_catalogue_has_the_charts_of_all_repositories_and_says_which_one_is_broken() {
    let (good, good_url) = FakeRepository::start().await;
    let (broken, broken_url) = FakeRepository::start().await;
    good.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    broken.put("/charts/index.yaml", "<html>Sign in</html>");
    let catalogue = charts(&[("good", &good_url), ("broken", &broken_url)]).catalogue().await;
    assert_eq!(catalogue.entries.len(), 1);
    assert_eq!(
        (catalogue.entries[0].repository.as_str(), catalogue.entries[0].name.as_str()),
        ("good", "web")
    );
    assert_eq!((catalogue.repositories[0].charts, &catalogue.repositories[0].error), (Some(1), &None));
    assert!(catalogue.repositories[1].error.as_ref().unwrap().contains("cannot be read"));
}

#[tokio::test]
async fn a_repository_that_fails_later_keeps_its_last_good_index() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    let charts = charts(&[("samples", &url)]);
    refresh(&charts.repositories, &charts.fetcher, Duration::ZERO).await;
    repository.fail(Some(StatusCode::SERVICE_UNAVAILABLE));
    refresh(&charts.repositories, &charts.fetcher, Duration::ZERO).await;
    let catalogue = charts.catalogue().await;
    assert_eq!(catalogue.entries.len(), 1);
    assert!(catalogue.repositories[0].error.as_ref().unwrap().contains("HTTP 503"));
}

#[tokio::test]
async fn an_unchanged_index_is_not_sent_again() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    let charts = charts(&[("samples", &url)]);
    refresh(&charts.repositories, &charts.fetcher, Duration::ZERO).await;
    refresh(&charts.repositories, &charts.fetcher, Duration::ZERO).await;
    assert_eq!(repository.unchanged.load(Ordering::Relaxed), 1);
    assert_eq!(charts.catalogue().await.repositories[0].charts, Some(1));
}

#[tokio::test]
async fn a_chart_is_shown_in_its_newest_stable_version_unless_one_is_named() {
    let (repository, url) = FakeRepository::start().await;
    let versions =
        [("2.0.0-rc.1", "web-2.0.0-rc.1.tgz", None), ("1.0.0", "web-1.0.0.tgz", digest(&web("1.0.0")))];
    repository.put("/charts/index.yaml", index_of(&versions));
    repository.put("/charts/web-1.0.0.tgz", web("1.0.0"));
    repository.put("/charts/web-2.0.0-rc.1.tgz", web("2.0.0-rc.1"));
    let charts = charts(&[("samples", &url)]);
    let shown = charts.chart("samples", "web", None).await.unwrap();
    assert_eq!((shown.version.as_str(), shown.values.as_str()), ("1.0.0", "version: 1.0.0\n"));
    assert_eq!(shown.versions.len(), 2);
    let named = charts.chart("samples", "web", Some("2.0.0-rc.1")).await.unwrap();
    assert_eq!(named.values, "version: 2.0.0-rc.1\n");
}

#[tokio::test]
async fn an_archive_is_fetched_once() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    repository.put("/charts/web-1.0.0.tgz", web("1.0.0"));
    let charts = charts(&[("samples", &url)]);
    for _ in 0..3 {
        charts.chart("samples", "web", None).await.unwrap();
    }
    assert_eq!(repository.asked.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn an_archive_with_another_digest_than_the_index_says_is_refused() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", digest(b"another"))]));
    repository.put("/charts/web-1.0.0.tgz", web("1.0.0"));
    let error = charts(&[("samples", &url)]).chart("samples", "web", None).await.unwrap_err();
    assert!(error.to_string().contains("digest differs"), "{error}");
}

#[tokio::test]
async fn an_archive_that_is_too_large_is_refused() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    repository.put("/charts/web-1.0.0.tgz", vec![0; 21 * 1024 * 1024]);
    let error = charts(&[("samples", &url)]).chart("samples", "web", None).await.unwrap_err();
    assert!(error.to_string().contains("larger than 20 MiB"), "{error}");
}

#[tokio::test]
async fn what_a_repository_does_not_have_is_not_found() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    let charts = charts(&[("samples", &url)]);
    for (repository, name, version) in [
        ("elsewhere", "web", None),
        ("samples", "nothing", None),
        ("samples", "web", Some("9.9.9")),
        ("samples", "web", Some("1.0.0")),
    ] {
        let error = charts.chart(repository, name, version).await.unwrap_err();
        assert!(matches!(error, ApiError::NotFound { .. }), "{repository} {name} {version:?}: {error}");
    }
}

#[tokio::test]
async fn an_archive_is_never_read_from_this_machines_files() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "file:///etc/passwd", None)]));
    let error = charts(&[("samples", &url)]).chart("samples", "web", None).await.unwrap_err();
    assert!(error.to_string().contains("neither http nor https"), "{error}");
}

#[tokio::test]
async fn credentials_are_used_and_never_shown() {
    let (repository, mut url) = FakeRepository::start().await;
    url.set_username("me").unwrap();
    url.set_password(Some("secret")).unwrap();
    url.set_query(Some("token=secret"));
    let charts = charts(&[("samples", &url)]);
    let missing = charts.catalogue().await;
    assert_eq!(repository.authorised.load(Ordering::Relaxed), 1);
    assert!(missing.repositories[0].error.is_some());
    assert!(!format!("{missing:?}").contains("secret"), "{missing:?}");
    drop(repository);
    let away = Charts::start(&[RepositoryAddress {
        name: "away".into(),
        url: Url::parse("http://me:secret@127.0.0.1:1/?token=secret").unwrap(),
    }]);
    let away = away.unwrap().catalogue().await;
    assert!(away.repositories[0].error.as_ref().unwrap().contains("cannot be reached"), "{away:?}");
    assert!(!format!("{away:?}").contains("secret"), "{away:?}");
}

#[tokio::test]
async fn helm_is_told_where_a_chart_is() {
    let url = Url::parse("https://example.org/charts").unwrap();
    let charts = charts(&[("samples", &url)]);
    let source = |repository: &str, name: &str, version: &str| ChartSource::Repository {
        repository: repository.into(),
        name: name.into(),
        version: version.into(),
    };
    assert_eq!(
        charts.resolve(&source("samples", "web", "1.0.0")),
        Ok(ResolvedChart::Repository { url: url.to_string(), name: "web".into(), version: "1.0.0".into() })
    );
    let field = |source: &ChartSource| match charts.resolve(source) {
        Err(ApiError::Invalid { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    for (source, refused) in [
        (source("elsewhere", "web", "1.0.0"), "chart.repository"),
        (source("samples", "--post-renderer", "1.0.0"), "chart.name"),
        (source("samples", "../web", "1.0.0"), "chart.name"),
        (source("samples", "web", ""), "chart.version"),
        (ChartSource::Url { url: "file:///etc/passwd".into() }, "chart.url"),
        (ChartSource::Url { url: "--help".into() }, "chart.url"),
    ] {
        assert_eq!(field(&source).as_deref(), Some(refused), "{source}");
    }
    assert!(matches!(
        charts.resolve(&ChartSource::Url { url: "https://example.org/a.tgz".into() }),
        Ok(ResolvedChart::Url { .. })
    ));
}

#[tokio::test]
async fn a_charts_values_have_a_form_and_are_checked() {
    let (repository, url) = FakeRepository::start().await;
    let archive = pack(&[
        ("web/Chart.yaml", b"name: web\nversion: 1.0.0\n"),
        ("web/values.yaml", b"replicas: 1\n"),
        ("web/values.schema.json", br#"{"properties": {"replicas": {"type": "integer"}}}"#),
    ]);
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", digest(&archive))]));
    repository.put("/charts/web-1.0.0.tgz", archive);
    let charts = charts(&[("samples", &url)]);
    let source = |version: &str| ChartSource::Repository {
        repository: "samples".into(),
        name: "web".into(),
        version: version.into(),
    };
    let form = charts.form(&source("1.0.0")).await.unwrap();
    assert_eq!((form.root.fields.len(), form.root.fields[0].key.as_str()), (1, "replicas"));
    let check = async |chart: ChartSource, values: &str| {
        let (namespace, values, base) = ("ns".into(), values.into(), String::new());
        charts.check_values(CheckValues { namespace, chart, values, base }).await
    };
    assert_eq!(check(source("1.0.0"), "replicas: 2\n").await.unwrap(), ValuesCheck::default());
    assert_eq!(check(source("1.0.0"), "replicas: x\n").await.unwrap().problems[0].line, Some(1));
    let by_url = ChartSource::Url { url: format!("{url}/web-1.0.0.tgz") };
    assert_eq!(check(by_url, "replicas: x\n").await.unwrap().problems.len(), 1);
    let large = "#".repeat(crate::operations::VALUES_MAX + 1);
    assert!(matches!(check(source("1.0.0"), &large).await, Err(ApiError::TooLarge { .. })));
    assert!(matches!(charts.form(&source("2.0.0")).await, Err(ApiError::NotFound { .. })));
    let file = ChartSource::Url { url: "file:///etc/passwd".into() };
    assert!(matches!(charts.form(&file).await, Err(ApiError::Invalid { .. })));
}
