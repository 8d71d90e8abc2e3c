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
use super::elsewhere::Upload;
use super::*;
use crate::credentials::RepositoryCredentials;
use crate::kube::ClusterError;
use url::Url;

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

/// Fetches all indexes again, however fresh they are.
async fn refresh(charts: &Charts) {
    let found = charts.shelf.find(&Reach::default()).await;
    charts.shelf.refresh(&found.repositories, Duration::ZERO).await;
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
    let catalogue =
        charts(&[("good", &good_url), ("broken", &broken_url)]).catalogue(&Reach::default()).await;
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
    refresh(&charts).await;
    repository.fail(Some(StatusCode::SERVICE_UNAVAILABLE));
    refresh(&charts).await;
    let catalogue = charts.catalogue(&Reach::default()).await;
    assert_eq!(catalogue.entries.len(), 1);
    assert!(catalogue.repositories[0].error.as_ref().unwrap().contains("HTTP 503"));
}

#[tokio::test]
async fn whoever_asks_for_it_has_a_repository_fetched_at_once() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    let charts = charts(&[("samples", &url)]);
    refresh(&charts).await;
    repository.put(
        "/charts/index.yaml",
        "entries:\n  web:\n  - {version: 1.0.0, urls: [x]}\n  api:\n  - {version: 1.0.0, urls: [x]}\n",
    );
    let state = charts.look_again(&Reach::default(), "samples").await.unwrap();
    assert_eq!((state.charts, state.error), (Some(2), None));
    let missing = charts.look_again(&Reach::default(), "other").await;
    assert!(matches!(missing, Err(ApiError::NotFound { .. })), "{missing:?}");
}

#[tokio::test]
async fn a_registry_is_asked_for_newer_versions_once_in_a_while() {
    let (registry, url) = FakeRepository::start().await;
    registry.put("/v2/charts/web/tags/list", r#"{"tags": ["1.0.0", "1.2.0", "2.0.0-rc.1"]}"#);
    let charts = charts(&[]);
    let url = format!("oci://{}/charts/web", url.authority());
    let source = ChartSource::Oci { url, version: "1.0.0".into() };
    for _ in 0..2 {
        let installed = [Some((&source, "1.0.0")), Some((&source, "1.2.0")), None];
        let newer = charts.newer_in_registries(&Reach::default(), &installed).await;
        assert_eq!(newer, [Some("1.2.0".to_owned()), None, None]);
    }
    assert_eq!(registry.asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn an_unchanged_index_is_not_sent_again() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    let charts = charts(&[("samples", &url)]);
    refresh(&charts).await;
    refresh(&charts).await;
    assert_eq!(repository.unchanged.load(Ordering::Relaxed), 1);
    assert_eq!(charts.catalogue(&Reach::default()).await.repositories[0].charts, Some(1));
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
    let shown = charts.chart(&Reach::default(), ("samples", "web"), None, None).await.unwrap();
    assert_eq!((shown.version.as_str(), shown.values.as_str()), ("1.0.0", "version: 1.0.0\n"));
    assert_eq!(shown.versions.len(), 2);
    let named = charts.chart(&Reach::default(), ("samples", "web"), Some("2.0.0-rc.1"), None).await.unwrap();
    assert_eq!(named.values, "version: 2.0.0-rc.1\n");
}

#[tokio::test]
async fn an_archive_is_fetched_once() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    repository.put("/charts/web-1.0.0.tgz", web("1.0.0"));
    let charts = charts(&[("samples", &url)]);
    for _ in 0..3 {
        charts.chart(&Reach::default(), ("samples", "web"), None, None).await.unwrap();
    }
    assert_eq!(repository.asked.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn an_archive_with_another_digest_than_the_index_says_is_refused() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", digest(b"another"))]));
    repository.put("/charts/web-1.0.0.tgz", web("1.0.0"));
    let error = charts(&[("samples", &url)])
        .chart(&Reach::default(), ("samples", "web"), None, None)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("digest differs"), "{error}");
}

#[tokio::test]
async fn an_archive_that_is_too_large_is_refused() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None)]));
    repository.put("/charts/web-1.0.0.tgz", vec![0; 21 * 1024 * 1024]);
    let error = charts(&[("samples", &url)])
        .chart(&Reach::default(), ("samples", "web"), None, None)
        .await
        .unwrap_err();
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
        let error = charts.chart(&Reach::default(), (repository, name), version, None).await.unwrap_err();
        assert!(matches!(error, ApiError::NotFound { .. }), "{repository} {name} {version:?}: {error}");
    }
}

#[tokio::test]
async fn an_archive_is_never_read_from_this_machines_files() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/index.yaml", index_of(&[("1.0.0", "file:///etc/passwd", None)]));
    let error = charts(&[("samples", &url)])
        .chart(&Reach::default(), ("samples", "web"), None, None)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("neither http, https nor oci"), "{error}");
}

#[tokio::test]
async fn credentials_are_used_and_never_shown() {
    let (repository, mut url) = FakeRepository::start().await;
    url.set_username("me").unwrap();
    url.set_password(Some("secret")).unwrap();
    url.set_query(Some("token=secret"));
    let charts = charts(&[("samples", &url)]);
    let missing = charts.catalogue(&Reach::default()).await;
    assert_eq!(repository.authorised.load(Ordering::Relaxed), 1);
    assert!(missing.repositories[0].error.is_some());
    assert!(!format!("{missing:?}").contains("secret"), "{missing:?}");
    drop(repository);
    let away = Charts::start(&[RepositoryAddress {
        name: "away".into(),
        url: Url::parse("http://me:secret@127.0.0.1:1/?token=secret").unwrap(),
    }]);
    let away = away.unwrap().catalogue(&Reach::default()).await;
    assert!(away.repositories[0].error.as_ref().unwrap().contains("cannot be reached"), "{away:?}");
    assert!(!format!("{away:?}").contains("secret"), "{away:?}");
}

#[tokio::test]
async fn helm_is_told_where_a_chart_is_and_by_the_way_what_opens_it() {
    let url = Url::parse("https://me:secret@example.org/charts").unwrap();
    let charts = charts(&[("samples", &url)]);
    let source = |repository: &str, name: &str, version: &str| ChartSource::Repository {
        repository: repository.into(),
        name: name.into(),
        version: version.into(),
    };
    let resolve = async |source: ChartSource| charts.resolve(&Reach::default(), "ann", &source).await;
    let found = resolve(source("samples", "web", "1.0.0")).await.unwrap();
    let (url, name, version) = ("https://example.org/charts".into(), "web".into(), "1.0.0".into());
    assert_eq!(found.chart, ResolvedChart::Repository { url, name, version });
    assert_eq!(found.credentials.password.as_deref(), Some("secret"));
    let by_url = |url: &str| ChartSource::Url { url: url.into() };
    let oci = |url: &str, version: &str| ChartSource::Oci { url: url.into(), version: version.into() };
    for (source, refused) in [
        (source("elsewhere", "web", "1.0.0"), "chart.repository"),
        (source("samples", "--post-renderer", "1.0.0"), "chart.name"),
        (source("samples", "../web", "1.0.0"), "chart.name"),
        (source("samples", "web", ""), "chart.version"),
        (by_url("file:///etc/passwd"), "chart.url"),
        (by_url("--help"), "chart.url"),
        (by_url("oci://example.org/web"), "chart"),
        (oci("oci://example.org/web", ">1"), "chart.version"),
        (oci("oci://example.org/web", "latest"), "chart.version"),
        (oci("oci://example.org/web:2.0.0", "1.0.0"), "chart.url"),
        (oci("oci://example.org/../web", "1.0.0"), "chart.url"),
    ] {
        match resolve(source.clone()).await {
            Err(ApiError::Invalid { field, .. }) => assert_eq!(field.as_deref(), Some(refused), "{source}"),
            other => panic!("{source}: {other:?}"),
        }
    }
    for (source, secured) in [
        (by_url("https://example.org/a.tgz"), false),
        (by_url("https://example.org/charts/a.tgz"), true),
        (by_url("https://example.org/charts-of-others/a.tgz"), false),
        (oci("oci://example.org/charts/web", "v1.0.0+b"), false),
    ] {
        let found = resolve(source.clone()).await.unwrap();
        assert_eq!(found.credentials.is_secret(), secured, "{source}");
    }
}

#[tokio::test]
async fn a_chart_by_its_address_is_read_like_any_other() {
    let (repository, url) = FakeRepository::start().await;
    repository.put("/charts/web-1.0.0.tgz", web("1.0.0"));
    let charts = charts(&[]);
    let look = async |address: &str| charts.elsewhere(&Reach::default(), address, None).await;
    let shown = look(&format!("{url}/web-1.0.0.tgz")).await.unwrap();
    assert_eq!(
        (shown.repository.as_str(), shown.name.as_str(), shown.version.as_str()),
        ("", "web", "1.0.0")
    );
    assert_eq!(shown.versions.len(), 1);
    repository.put("/charts/page.tgz", "<html>Sign in</html>");
    for (address, words) in [
        (format!("{url}/missing.tgz"), "was not found"),
        (format!("{url}/page.tgz"), "is damaged"),
        ("http://127.0.0.1:1/web.tgz".into(), "cannot be reached"),
        ("file:///etc/passwd".into(), "starts with https://"),
        ("https://me:secret@example.org/web.tgz".into(), "Leave user name and password out"),
        ("oci://Example/WEB".into(), "lower-case"),
    ] {
        let error = look(&address).await.unwrap_err().to_string();
        assert!(error.contains(words) && !error.contains("secret"), "{address}: {error}");
    }
}

/// Uploads as they are kept by nobody but a test.
#[derive(Default)]
struct FakeUploads(Mutex<HashMap<String, Upload>>);

#[async_trait::async_trait]
impl Uploads for FakeUploads {
    async fn put(&self, id: &str, upload: &Upload) -> Result<(), ClusterError> {
        self.0.lock().unwrap().insert(id.into(), upload.clone());
        Ok(())
    }

    async fn get(&self, id: &str) -> Result<Upload, ClusterError> {
        self.0.lock().unwrap().get(id).cloned().ok_or_else(|| ClusterError::NotFound(id.into()))
    }
}

#[tokio::test]
async fn an_uploaded_chart_is_its_uploaders_and_what_they_say_it_is() {
    let charts =
        Charts::start_with(&[], vec![], Some(Arc::<FakeUploads>::default()), Clock::default()).unwrap();
    let uploaded = charts.upload("ann", web("1.0.0").into()).await.unwrap();
    assert_eq!((uploaded.chart.name.as_str(), uploaded.chart.version.as_str()), ("web", "1.0.0"));
    assert_eq!(charts.uploaded("ann", &uploaded.upload).await.unwrap(), uploaded);
    let source = |upload: &str, name: &str| ChartSource::Upload {
        upload: upload.into(),
        name: name.into(),
        version: "1.0.0".into(),
    };
    let resolve =
        async |user: &str, source: ChartSource| charts.resolve(&Reach::default(), user, &source).await;
    let found = resolve("ann", source(&uploaded.upload, "web")).await.unwrap();
    let (name, content) = ("web-1.0.0.tgz".into(), web("1.0.0").into());
    assert_eq!(found.chart, ResolvedChart::Archive { name, content });
    let wrong = resolve("ann", source(&uploaded.upload, "db")).await.unwrap_err();
    assert!(wrong.to_string().contains("is web 1.0.0"), "{wrong}");
    for (user, id) in [("ben", uploaded.upload.as_str()), ("ann", "../secret"), ("ann", "none")] {
        let error = resolve(user, source(id, "web")).await.unwrap_err();
        assert!(matches!(error, ApiError::NotFound { .. }), "{user} {id}: {error}");
    }
}

#[tokio::test]
async fn an_upload_that_is_no_chart_or_too_large_is_refused() {
    let charts =
        Charts::start_with(&[], vec![], Some(Arc::<FakeUploads>::default()), Clock::default()).unwrap();
    let hostile = pack(&[("web/Chart.yaml", b"name: ../web\nversion: 1.0.0\n")]);
    let nameless = pack(&[("web/Chart.yaml", b"description: none\n")]);
    for (content, words) in [
        (b"no archive".to_vec(), "is damaged"),
        (pack(&[("web/values.yaml", b"a: 1")]), "no readable Chart.yaml"),
        (hostile, "name in the chart's Chart.yaml"),
        (nameless, "name in the chart's Chart.yaml"),
        (vec![0; elsewhere::UPLOAD_MAX + 1], "at most 1000 KB"),
    ] {
        let error = charts.upload("ann", content.into()).await.unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
    }
}

#[tokio::test]
async fn credentials_go_to_the_repositorys_own_server_alone() {
    let (own, mut url) = FakeRepository::start().await;
    let (other, other_url) = FakeRepository::start().await;
    let elsewhere = format!("{other_url}/web-2.0.0.tgz");
    own.put("/charts/index.yaml", index_of(&[("1.0.0", "web-1.0.0.tgz", None), ("2.0.0", &elsewhere, None)]));
    own.put("/charts/web-1.0.0.tgz", web("1.0.0"));
    other.put("/charts/web-2.0.0.tgz", web("2.0.0"));
    url.set_username("me").unwrap();
    url.set_password(Some("secret")).unwrap();
    let charts = charts(&[("samples", &url)]);
    for version in ["1.0.0", "2.0.0"] {
        charts.chart(&Reach::default(), ("samples", "web"), Some(version), None).await.unwrap();
    }
    assert_eq!(own.authorised.load(Ordering::Relaxed), 2);
    assert_eq!((other.asked.load(Ordering::Relaxed), other.authorised.load(Ordering::Relaxed)), (1, 0));
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
    let form = charts.form(&Reach::default(), "me", &source("1.0.0")).await.unwrap();
    assert_eq!((form.root.fields.len(), form.root.fields[0].key.as_str()), (1, "replicas"));
    let check = async |chart: ChartSource, values: &str| {
        let (namespace, values, base) = ("ns".into(), values.into(), String::new());
        let request = CheckValues { namespace, chart, values, base };
        charts.check_values(&Reach::default(), "me", request).await
    };
    assert_eq!(check(source("1.0.0"), "replicas: 2\n").await.unwrap(), ValuesCheck::default());
    assert_eq!(check(source("1.0.0"), "replicas: x\n").await.unwrap().problems[0].line, Some(1));
    let by_url = ChartSource::Url { url: format!("{url}/web-1.0.0.tgz") };
    assert_eq!(check(by_url, "replicas: x\n").await.unwrap().problems.len(), 1);
    let large = "#".repeat(crate::operations::VALUES_MAX + 1);
    assert!(matches!(check(source("1.0.0"), &large).await, Err(ApiError::TooLarge { .. })));
    assert!(matches!(
        charts.form(&Reach::default(), "me", &source("2.0.0")).await,
        Err(ApiError::NotFound { .. })
    ));
    let file = ChartSource::Url { url: "file:///etc/passwd".into() };
    assert!(matches!(charts.form(&Reach::default(), "me", &file).await, Err(ApiError::Invalid { .. })));
}

#[tokio::test]
async fn what_helm_cannot_fetch_by_itself_is_fetched_for_it() {
    let (repository, url) = FakeRepository::start().await;
    let versions = [
        ("1.0.0", "web-1.0.0.tgz", digest(&web("1.0.0"))),
        ("1.1.0", "web-1.0.0.tgz", digest(b"another")),
        ("2.0.0", "oci://registry.example.org/web:2.0.0_b", None),
        ("3.0.0", "missing.tgz", None),
    ];
    repository.put("/charts/index.yaml", index_of(&versions));
    repository.put("/charts/web-1.0.0.tgz", web("1.0.0"));
    let credentials = RepositoryCredentials { token: Some("t".into()), ..RepositoryCredentials::default() };
    let told = async |version: &str| {
        let (url, name, version) = (url.to_string(), "web".into(), version.into());
        match pull(&ResolvedChart::Repository { url, name, version }, &credentials).await {
            Ok(Pulled::Archive(content)) => Ok((content == web("1.0.0"), None)),
            Ok(Pulled::InRegistry(chart)) => Ok((false, Some(chart))),
            Err(words) => Err(words),
        }
    };
    for version in ["1.0.0", "v1.0.0"] {
        assert_eq!(told(version).await, Ok((true, None)), "{version}");
    }
    let chart =
        ResolvedChart::Oci { url: "oci://registry.example.org/web".into(), version: "2.0.0+b".into() };
    assert_eq!(told("2.0.0").await, Ok((false, Some(chart))));
    for (version, words) in [
        ("1.1.0", "not the one"),
        ("3.0.0", "missing.tgz : 404"),
        ("9.0.0", "version \"9.0.0\" not found in"),
    ] {
        let error = told(version).await.unwrap_err();
        assert!(error.contains(words), "{version}: {error}");
    }
    let asked = repository.asked.load(Ordering::Relaxed);
    assert_eq!(repository.authorised.load(Ordering::Relaxed), asked);
}
