//! Against a registry that is served in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::*;

/// How the registry wants to know who asks.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Door {
    #[default]
    Open,
    /// A token for everybody.
    AnonymousToken,
    /// A token for those who give user and password.
    Token,
    Basic,
    /// A token of which nothing is told.
    Bearer,
}

/// An answer: its status, its `Link`, its content.
type Prepared = (StatusCode, Option<String>, Vec<u8>);

/// A registry that serves what it is told to, and notes what it is asked.
#[derive(Default)]
struct FakeRegistry {
    door: Door,
    host: Mutex<String>,
    answers: Mutex<HashMap<String, Prepared>>,
    asked: Mutex<Vec<String>>,
}

const BASIC: &str = "Basic bWU6c2VjcmV0";

impl FakeRegistry {
    async fn start(door: Door) -> (Arc<Self>, Reference) {
        let registry = Arc::new(Self { door, ..Self::default() });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        *registry.host.lock().unwrap() = host.clone();
        let router = Router::new().fallback(answer).with_state(registry.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (registry, Reference::parse(&format!("oci://{host}/charts/web")).unwrap())
    }

    fn put(&self, path: &str, content: impl Into<Vec<u8>>) {
        self.put_with(path, StatusCode::OK, None, content);
    }

    fn put_with(&self, path: &str, status: StatusCode, link: Option<&str>, content: impl Into<Vec<u8>>) {
        let answer = (status, link.map(str::to_owned), content.into());
        self.answers.lock().unwrap().insert(format!("/v2/charts/web/{path}"), answer);
    }

    /// Makes `archive` the chart of the tag.
    fn put_chart(&self, tag: &str, archive: &[u8]) {
        let digest = digest(archive);
        self.put(&format!("manifests/{tag}"), manifest(CHART_LAYERS[0], &digest, archive.len()));
        self.put(&format!("blobs/{digest}"), archive);
    }

    fn admits(&self, authorization: Option<&str>) -> bool {
        match self.door {
            Door::Open => true,
            Door::Basic => authorization == Some(BASIC),
            _ => authorization == Some("Bearer good"),
        }
    }
}

fn digest(content: &[u8]) -> String {
    format!("sha256:{:x}", Sha256::digest(content))
}

fn manifest(media_type: &str, digest: &str, size: usize) -> String {
    json!({ "layers": [
        { "mediaType": "application/vnd.cncf.helm.chart.provenance.v1.prov", "digest": "sha256:0", "size": 1 },
        { "mediaType": media_type, "digest": digest, "size": size },
    ]})
    .to_string()
}

async fn answer(State(registry): State<Arc<FakeRegistry>>, request: Request) -> Response {
    let authorization = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let path = request.uri().path();
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    registry.asked.lock().unwrap().push(format!("{path}{query} {}", authorization.unwrap_or("-")));
    if path == "/token" {
        let may = registry.door == Door::AnonymousToken || authorization == Some(BASIC);
        let token = json!({ "token": "good" }).to_string();
        return if may { token.into_response() } else { StatusCode::FORBIDDEN.into_response() };
    }
    if !registry.admits(authorization) {
        let host = registry.host.lock().unwrap().clone();
        let challenge = match registry.door {
            Door::Basic => "Basic realm=\"charts\"".to_owned(),
            Door::Bearer => "Bearer".to_owned(),
            _ => format!(
                "Bearer realm=\"http://{host}/token\",service=\"charts\",scope=\"repository:charts/web:pull\""
            ),
        };
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, challenge)]).into_response();
    }
    if path == "/v2/" {
        return StatusCode::OK.into_response();
    }
    // Pages of tags differ by their query.
    let answers = registry.answers.lock().unwrap();
    let found = answers.get(&format!("{path}{query}")).or_else(|| answers.get(path)).cloned();
    match found {
        Some((status, link, content)) => {
            let mut response = (status, Body::from(content)).into_response();
            if let Some(link) = link {
                response.headers_mut().insert(header::LINK, link.parse().unwrap());
            }
            response
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn me() -> RepositoryCredentials {
    RepositoryCredentials {
        username: Some("me".into()),
        password: Some("secret".into()),
        ..RepositoryCredentials::default()
    }
}

fn token(token: &str) -> RepositoryCredentials {
    RepositoryCredentials { token: Some(token.into()), ..RepositoryCredentials::default() }
}

#[tokio::test]
async fn the_tags_that_are_versions_are_listed_newest_first_over_all_pages() {
    let (registry, reference) = FakeRegistry::start(Door::Open).await;
    let next = "</v2/charts/web/tags/list?n=1000&last=b>; rel=\"next\"";
    let first = json!({ "tags": ["1.2.0", "v1.10.0", "latest", "sha256-abc.sig"] }).to_string();
    registry.put_with("tags/list", StatusCode::OK, Some(next), first);
    registry.put("tags/list?n=1000&last=b", json!({ "tags": ["2.0.0-rc.1", "1.3.0_build.5"] }).to_string());
    let (fetcher, open) = (Fetcher::new().unwrap(), RepositoryCredentials::default());
    let versions = Registry::new(&fetcher, &reference, &open).unwrap().versions().await.unwrap();
    assert_eq!(versions, ["2.0.0-rc.1", "v1.10.0", "1.3.0+build.5", "1.2.0"]);
}

#[tokio::test]
async fn a_chart_is_pulled_by_its_versions_tag_and_is_what_its_manifest_names() {
    let (registry, reference) = FakeRegistry::start(Door::Open).await;
    registry.put_chart("1.3.0_build.5", b"the archive");
    registry.put_chart("v1.0.0", b"another archive");
    let (fetcher, open) = (Fetcher::new().unwrap(), RepositoryCredentials::default());
    let mut pulling = Registry::new(&fetcher, &reference, &open).unwrap();
    assert_eq!(pulling.archive("1.3.0+build.5").await.unwrap(), b"the archive");
    assert_eq!(pulling.archive("v1.0.0").await.unwrap(), b"another archive");
    assert_eq!(pulling.archive("1.0.0").await, Err(FetchError::NotFound(404)));
}

#[tokio::test]
async fn what_is_no_chart_or_not_the_one_that_is_named_is_refused() {
    let (registry, reference) = FakeRegistry::start(Door::Open).await;
    let (fetcher, open) = (Fetcher::new().unwrap(), RepositoryCredentials::default());
    let good = digest(b"good");
    registry.put(&format!("blobs/{good}"), "evil");
    for (content, words) in [
        (manifest("application/vnd.oci.image.layer.v1.tar+gzip", &good, 4), "is no chart"),
        (manifest(CHART_LAYERS[0], &good, 4), "not the one that its manifest names"),
        (manifest(CHART_LAYERS[0], "sha256:../../../token", 4), "none of SHA-256"),
        (manifest(CHART_LAYERS[0], &good, 100 * 1024 * 1024), "larger than 20 MiB"),
        ("<html>".to_owned(), "manifest cannot be read"),
    ] {
        registry.put("manifests/1.0.0", content);
        let pulled = Registry::new(&fetcher, &reference, &open).unwrap().archive("1.0.0").await;
        assert!(pulled.as_ref().is_err_and(|error| error.to_string().contains(words)), "{words}: {pulled:?}");
    }
}

#[tokio::test]
async fn each_way_in_is_found_by_what_the_registry_says() {
    let open = RepositoryCredentials::default;
    for (door, credentials, lets_in) in [
        (Door::Open, open(), true),
        (Door::AnonymousToken, open(), true),
        (Door::Token, me(), true),
        (Door::Basic, me(), true),
        (Door::Bearer, token("good"), true),
        (Door::Token, open(), false),
        (Door::Basic, open(), false),
        (Door::Bearer, token("bad"), false),
        (Door::Bearer, me(), false),
    ] {
        let (registry, reference) = FakeRegistry::start(door).await;
        registry.put_chart("1.0.0", b"the archive");
        let fetcher = Fetcher::new().unwrap();
        let mut pulling = Registry::new(&fetcher, &reference, &credentials).unwrap();
        let pulled = pulling.archive("1.0.0").await;
        assert_eq!(pulled.is_ok(), lets_in, "{pulled:?}");
        assert_eq!(pulling.check().await.is_ok(), lets_in);
        let refused = matches!(pulled, Ok(_) | Err(FetchError::Refused(401 | 403)));
        assert!(refused, "{pulled:?}");
    }
}

#[tokio::test]
async fn a_token_is_asked_for_once_and_a_password_goes_to_whoever_hands_it_out_alone() {
    let (registry, reference) = FakeRegistry::start(Door::Token).await;
    registry.put_chart("1.0.0", b"the archive");
    let (fetcher, me) = (Fetcher::new().unwrap(), me());
    Registry::new(&fetcher, &reference, &me).unwrap().archive("1.0.0").await.unwrap();
    let asked = registry.asked.lock().unwrap().clone();
    let blob = format!("/v2/charts/web/blobs/{} Bearer good", digest(b"the archive"));
    assert_eq!(
        asked,
        [
            "/v2/charts/web/manifests/1.0.0 -",
            "/token?service=charts&scope=repository%3Acharts%2Fweb%3Apull Basic bWU6c2VjcmV0",
            "/v2/charts/web/manifests/1.0.0 Bearer good",
            &blob,
        ]
    );
}
