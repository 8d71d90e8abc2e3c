//! The routes, with a world that these tests play.

pub(crate) mod fake;

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use tower::ServiceExt;

use app::model::ApiError;

use super::*;
use fake::{FakeBackend, cluster, site, site_of};

/// An answer, read to its end.
struct Answer {
    status: u16,
    headers: axum::http::HeaderMap,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }
}

async fn send(request: Request<Body>) -> Answer {
    send_to(site(FakeBackend::default()), request).await
}

async fn send_to(site: Site, request: Request<Body>) -> Answer {
    let response = router(site).oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, 8 << 20).await.unwrap();
    Answer {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    }
}

fn get(path: &str) -> Request<Body> {
    Request::get(path).header("host", "127.0.0.1:8080").body(Body::empty()).unwrap()
}

fn post(path: &str, body: impl Into<String>) -> Request<Body> {
    Request::post(path)
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .body(Body::from(body.into()))
        .unwrap()
}

fn install() -> Value {
    json!({"kind": "install", "namespace": "ns", "name": "shop",
           "chart": {"repository": "samples", "name": "web", "version": "1.0.0"}})
}

#[tokio::test]
async fn an_accepted_operation_is_answered_with_its_place() {
    let answer = send(post("/api/v1/operations", install().to_string())).await;
    assert_eq!(answer.status, 202, "{}", answer.body);
    assert_eq!(
        answer.header("location"),
        format!("/api/v1/operations/{}", answer.json()["id"].as_str().unwrap())
    );
}

#[tokio::test]
async fn a_body_that_is_not_an_operation_is_refused_at_its_field() {
    let with = |field: &str, value: Value| {
        let mut body = install();
        body[field] = value;
        body.to_string()
    };
    for (body, field) in [
        (with("kind", json!("explode")), json!("kind")),
        (with("options", json!({"timeout": "long"})), json!("options.timeout")),
        (with("options", json!({"atomic": true})), json!("options.atomic")),
        (with("surprise", json!(1)), json!("surprise")),
        (with("chart", json!({"repository": "samples"})), json!("chart")),
        ("{".to_owned(), Value::Null),
        ("[]".to_owned(), Value::Null),
    ] {
        let answer = send(post("/api/v1/operations", body.clone())).await;
        assert_eq!(answer.status, 422, "{body}: {}", answer.body);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        let problem = answer.json();
        assert_eq!((&problem["code"], &problem["field"]), (&json!("invalid"), &field), "{body}: {problem}");
    }
}

#[tokio::test]
async fn each_error_has_its_status_and_its_members() {
    for (error, status, member) in [
        (ApiError::Forbidden { message: "no".into() }, 403, "code"),
        (
            ApiError::Conflict {
                message: "busy".into(),
                operation: Some(app::model::OperationId("x".into())),
            },
            409,
            "operation",
        ),
        (ApiError::Unavailable { message: "away".into() }, 503, "detail"),
        (
            ApiError::Invalid { field: Some("values".into()), line: Some(3), message: "bad".into() },
            422,
            "line",
        ),
    ] {
        let answer =
            send_to(site(FakeBackend::refusing(error)), post("/api/v1/operations", install().to_string()))
                .await;
        assert_eq!(answer.status, status);
        assert!(!answer.json()[member].is_null(), "{}", answer.body);
    }
}

#[tokio::test]
async fn the_page_gets_the_same_errors_with_the_same_statuses() {
    let error = ApiError::Conflict { message: "busy".into(), operation: None };
    let body = json!({"request": install()}).to_string();
    let answer = send_to(site(FakeBackend::refusing(error.clone())), post("/api/ui/submit", body)).await;
    assert_eq!(answer.status, 409, "{}", answer.body);
    assert_eq!(serde_json::from_str::<ApiError>(&answer.body).unwrap(), error);
}

#[tokio::test]
async fn a_server_function_answers() {
    let answer = send(post("/api/ui/whoami", "{}")).await;
    assert_eq!((answer.status, answer.body.as_str()), (200, "\"jane\""));
}

#[tokio::test]
async fn what_is_not_there_is_a_problem_under_the_api_and_a_page_elsewhere() {
    for path in [
        "/api",
        "/api/",
        "/api/v1",
        "/api/v1/nothing",
        "/api/v2/releases",
        "/api/v1/namespaces/ns/releases/gone",
        "/api/v1/namespaces/ns/releases/gone/resources",
    ] {
        let answer = send(get(path)).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (404, "application/problem+json"),
            "{path}"
        );
    }
    assert_eq!(send(post("/api/ui/no_such_call", "{}")).await.status, 404);
    assert_eq!(send(get("/missing.js")).await.status, 404);
}

/// The address of every route: those of the document, the page's calls, and the rest.
async fn every_address() -> Vec<String> {
    let document = send(get("/api/v1/openapi.json")).await.json();
    let documented = document["paths"].as_object().unwrap().keys().map(|path| address(path));
    let calls = leptos::server_fn::axum::server_fn_paths().map(|(path, _)| path.to_owned());
    let others = ["/", "/livez", "/readyz", "/api/v1/openapi.json", "/api/nothing"].map(str::to_owned);
    let all: Vec<String> = documented.chain(calls).chain(others).collect();
    assert!(all.len() > 25, "{all:?}");
    all
}

fn address(path: &str) -> String {
    let address = path
        .replace("{pod}", "web-1")
        .replace("{namespace}", "ns")
        .replace("{name}", "shop")
        .replace("{id}", fake::ID)
        .replace("{upload}", fake::ID)
        .replace("{repository}", "samples");
    // What a question cannot do without.
    match path {
        "/api/v1/chart" => format!("{address}?namespace=ns&url=oci://registry/web"),
        "/api/v1/uploads" => format!("{address}?namespace=ns"),
        _ if path.ends_with("/object") => format!("{address}?apiVersion=v1&kind=Pod&objectName=web"),
        _ => address,
    }
}

/// A body that a route takes.
fn body(path: &str) -> Value {
    if path.contains("/repositor") {
        return json!({"origin": "slipway", "name": "stable", "url": "https://charts.example.org"});
    }
    let chart = &install()["chart"];
    match path {
        "/api/v1/values/form" => json!({"namespace": "ns", "chart": chart}),
        "/api/v1/values/check" => json!({"namespace": "ns", "chart": chart, "values": ""}),
        _ => install(),
    }
}

#[tokio::test]
async fn no_route_takes_a_request_that_a_foreign_page_sent() {
    let app = router(site(FakeBackend::default()));
    for path in every_address().await {
        for (method, header, value, status) in [
            (Method::POST, "sec-fetch-site", "cross-site", 403),
            (Method::POST, "sec-fetch-site", "same-site", 403),
            (Method::POST, "origin", "https://evil.example", 403),
            (Method::POST, "origin", "null", 403),
            (Method::DELETE, "origin", "https://evil.example", 403),
            (Method::POST, "content-type", "text/plain", 415),
            (Method::POST, "content-type", "application/x-www-form-urlencoded", 415),
            (Method::POST, "content-type", "multipart/form-data; boundary=x", 415),
            (Method::POST, "host", "rebound.example:8080", 403),
            (Method::GET, "host", "rebound.example:8080", 403),
            (Method::GET, "impersonate-user", "system:admin", 403),
            (Method::GET, "impersonate-group", "system:masters", 403),
        ] {
            let mut request = post(&path, "{}");
            *request.method_mut() = method.clone();
            request.headers_mut().insert(header, value.parse().unwrap());
            let answer = app.clone().oneshot(request).await.unwrap();
            let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok());
            let told = (answer.status().as_u16(), kind.unwrap_or_default());
            assert_eq!(told, (status, "application/problem+json"), "{method} {path} with {header}: {value}");
        }
    }
}

#[tokio::test]
async fn while_the_cluster_is_away_every_call_says_so_and_the_page_is_served() {
    let nobody = || Cluster { identity: fake::away(), ..cluster(FakeBackend::default()) };
    let away = || site_of(vec![("here", nobody())]);
    let calls = every_address().await.into_iter().filter(|path| path.starts_with("/api/ui/"));
    // Which others there are is told all the same.
    for path in calls.filter(|path| path != "/api/ui/clusters") {
        let answer = send_to(away(), post(&path, "{}")).await;
        let error = serde_json::from_str::<ApiError>(&answer.body).unwrap();
        assert!(answer.status == 503 && error.is_passing(), "{path}: {}", answer.body);
    }
    let answer = send_to(away(), get("/api/v1/releases")).await;
    assert_eq!((answer.status, &answer.json()["code"]), (503, &json!("unavailable")));
    assert_eq!(send_to(away(), get("/livez")).await.status, 200);
}

#[tokio::test]
async fn what_is_below_a_cluster_is_about_that_cluster_alone() {
    let refusing = || cluster(FakeBackend::refusing(ApiError::Forbidden { message: "not here".into() }));
    let site = || site_of(vec![("here", cluster(FakeBackend::default())), ("a/b:c", refusing())]);
    let list = send_to(site(), get("/api/v1/clusters")).await.json();
    assert_eq!(list, json!({"clusters": ["here", "a/b:c"], "default": "here"}));
    for (below, status) in [("", 202), ("/c/here", 202), ("/c/a%2Fb%3Ac", 403), ("/c/nowhere", 404)] {
        let answer =
            send_to(site(), post(&format!("{below}/api/v1/operations"), install().to_string())).await;
        assert_eq!(answer.status, status, "{below}: {}", answer.body);
        if status == 202 {
            let place = format!("{below}/api/v1/operations/{}", answer.json()["id"].as_str().unwrap());
            assert_eq!(answer.header("location"), place);
        }
        let called = send_to(site(), post(&format!("{below}/api/ui/namespaces"), "{}")).await;
        assert_eq!(called.status == 200, status == 202, "{below}: {}", called.body);
        let others = send_to(site(), post(&format!("{below}/api/ui/clusters"), "{}")).await;
        assert_eq!((others.status, others.json()), (200, list.clone()), "{below}");
    }
    let servers = send_to(site(), get("/api/v1/openapi.json")).await.json()["servers"].clone();
    assert_eq!(servers[1]["url"], "/c/{cluster}");
    assert_eq!(servers[1]["variables"]["cluster"]["enum"], json!(["here", "a/b:c"]));
}

#[tokio::test]
async fn a_page_without_a_cluster_leads_to_the_same_one_of_the_default_cluster() {
    for (address, there) in [
        ("/", "/c/here/"),
        ("/helm/ns/a/release/web.v2?tab=x%2Fy", "/c/here/helm/ns/a/release/web.v2?tab=x%2Fy"),
    ] {
        let answer = send(get(address)).await;
        assert_eq!((answer.status, answer.header("location")), (307, there));
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_ne!(send(get(there)).await.status, 307);
    }
    // A file has one address, and what is no page stays none.
    assert_eq!(send(get("/nothing.js")).await.status, 404);
    assert_eq!(send(get("/c/here/nothing.js")).await.status, 404);
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let answer = send(post("/api/v1/operations", "x".repeat(BODY_MAX + 1))).await;
    assert_eq!(answer.status, 413, "{}", answer.body);
}

#[tokio::test]
async fn an_archive_is_taken_as_it_is_and_nothing_else_is() {
    let upload = |kind: &'static str| {
        let mut request = post("/api/v1/uploads?namespace=ns", "\u{1f}\u{8b}");
        request.headers_mut().insert("content-type", kind.parse().unwrap());
        request
    };
    let answer = send(upload("application/gzip")).await;
    assert_eq!((answer.status, answer.json()["upload"].as_str()), (201, Some("3")));
    for form in ["multipart/form-data; boundary=x", "text/plain", "application/x-www-form-urlencoded"] {
        assert_eq!(send(upload(form)).await.status, 415, "{form}");
    }
}

#[tokio::test]
async fn a_panic_is_an_answer_with_the_requests_id() {
    let answer = send_to(site(FakeBackend::panicking()), get("/api/v1/namespaces")).await;
    assert_eq!(answer.status, 500);
    assert_eq!(answer.json()["request"], answer.header("x-request-id"));
}

#[tokio::test]
async fn a_held_request_ends_when_the_server_stops() {
    let site = site(FakeBackend::holding());
    let stopping = site.stopping.clone();
    let held = tokio::spawn(send_to(site, get("/api/v1/releases")));
    stopping.cancel();
    assert_eq!(held.await.unwrap().status, 503);
}

#[tokio::test]
async fn every_answer_has_the_headers_that_protect_it() {
    for path in ["/api/v1/namespaces", "/livez", "/", "/c/here/", "/c/here/api/v1/namespaces"] {
        let answer = send(get(path)).await;
        assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert!(!answer.header("x-request-id").is_empty(), "{path}");
    }
}

#[tokio::test]
async fn it_lives_before_it_is_ready_and_says_what_is_missing() {
    let readiness: Readiness = Arc::new(|| vec!["the releases have not been listed yet".into()]);
    let unready = || Cluster { readiness: readiness.clone(), ..cluster(FakeBackend::default()) };
    let ready = || cluster(FakeBackend::default());
    let site = site_of(vec![("here", unready()), ("other", ready())]);
    assert_eq!(send_to(site.clone(), get("/livez")).await.status, 200);
    let answer = send_to(site.clone(), get("/readyz")).await;
    assert_eq!((answer.status, answer.body.trim()), (503, "the releases have not been listed yet"));
    assert_eq!(send_to(site, get("/c/other/readyz")).await.status, 200);
    // The server is ready when its default cluster is.
    let site = site_of(vec![("here", ready()), ("other", unready())]);
    assert_eq!(send_to(site, get("/readyz")).await.status, 200);
}

#[tokio::test]
async fn every_route_of_the_document_answers_and_refuses_other_methods() {
    let document = send(get("/api/v1/openapi.json")).await.json();
    assert_eq!(document["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 39, "{:?}", paths.keys());
    for (path, methods) in paths {
        let address = address(path);
        for method in methods.as_object().unwrap().keys() {
            let mut request = match method.as_str() {
                "post" | "put" => post(&address, body(path).to_string()),
                _ => get(&address),
            };
            *request.method_mut() = method.to_uppercase().parse().unwrap();
            let answer = send(request).await;
            assert!(answer.status < 300, "{method} {address}: {} {}", answer.status, answer.body);
        }
        let mut request = post(&address, "{}");
        *request.method_mut() = Method::PATCH;
        let answer = send(request).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (405, "application/problem+json"),
            "{address}"
        );
    }
}

#[tokio::test]
async fn a_pods_log_is_plain_text_or_events_as_the_client_has_it() {
    let path = "/api/v1/namespaces/ns/releases/shop/pods/web-1/log?previous=true";
    let plain = send(get(path)).await;
    assert_eq!(plain.body, "web-1 None\ntwo\nthree\r\n");
    assert_eq!((plain.status, plain.header("content-type")), (200, "text/plain; charset=utf-8"));

    let mut request = get(path);
    request.headers_mut().insert("accept", "text/event-stream".parse().unwrap());
    request.headers_mut().insert("last-event-id", "2026-01-01T00:00:00Z".parse().unwrap());
    let events = send(request).await;
    let expected = "data: web-1 Some(\"2026-01-01T00:00:00Z\")\nid: 1\n\ndata: two\ndata: three\nid: 2\n\n\
                    event: end\ndata: why\n\n";
    assert_eq!((events.status, events.body.as_str()), (200, expected));
    assert_eq!(events.header("content-type"), "text/event-stream");
    assert_eq!(send(get("/api/v1/namespaces/ns/releases/shop/pods/web-1/log?colour=red")).await.status, 422);
}

#[tokio::test]
async fn a_log_that_is_followed_ends_when_the_server_stops() {
    let site = site(FakeBackend::default());
    let stopping = site.stopping.clone();
    let path = "/api/v1/namespaces/ns/releases/shop/pods/web-1/log?follow=true";
    let followed = tokio::spawn(send_to(site, get(path)));
    tokio::task::yield_now().await;
    stopping.cancel();
    let followed = followed.await.unwrap();
    assert!(followed.status == 503 || followed.body == "web-1 None\n", "{}", followed.body);
}
