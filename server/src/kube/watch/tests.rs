//! An API server that answers by a script.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::http::{Request, Response, StatusCode};
use kube::client::Body;
use serde_json::{Value, json};

use super::*;

/// One answer of the API server; after the last one it is silent.
enum Answer {
    List(&'static [&'static str]),
    Watch(Vec<Value>),
    Refusal(StatusCode),
}

fn secret(name: &str) -> Value {
    let name = format!("sh.helm.release.v1.{name}.v1");
    let metadata = json!({"name": name, "namespace": "ns", "uid": name, "resourceVersion": "2"});
    json!({"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": metadata})
}

fn event(kind: &str, name: &str) -> Value {
    json!({"type": kind, "object": secret(name)})
}

/// The same with a version of its own.
fn event_at(kind: &str, name: &str, version: &str) -> Value {
    let mut event = event(kind, name);
    event["object"]["metadata"]["resourceVersion"] = version.into();
    event
}

fn failure(code: u16) -> Value {
    json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "", "message": "so it is", "code": code})
}

fn answer(answer: Answer) -> (StatusCode, Vec<u8>) {
    match answer {
        Answer::List(names) => {
            let items: Vec<Value> = names.iter().map(|name| secret(name)).collect();
            let list = json!({
                "apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList",
                "metadata": {"resourceVersion": "1"}, "items": items,
            });
            (StatusCode::OK, list.to_string().into_bytes())
        }
        Answer::Watch(events) => {
            (StatusCode::OK, events.iter().map(|event| format!("{event}\n")).collect::<String>().into_bytes())
        }
        Answer::Refusal(status) => (status, failure(status.as_u16()).to_string().into_bytes()),
    }
}

/// A client of that API server, and what it asked for.
fn scripted(answers: impl IntoIterator<Item = Answer>) -> (Client, Arc<Mutex<Vec<String>>>) {
    let answers = Mutex::new(answers.into_iter().collect::<VecDeque<_>>());
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let log = Arc::clone(&asked);
    let service = tower::service_fn(move |request: Request<Body>| {
        log.lock().unwrap().push(request.uri().to_string());
        let next = answers.lock().unwrap().pop_front();
        async move {
            let Some(next) = next else { return std::future::pending().await };
            let (status, body) = answer(next);
            Ok::<_, std::convert::Infallible>(
                Response::builder().status(status).body(Body::from(body)).unwrap(),
            )
        }
    });
    (Client::new(service, "default"), asked)
}

/// The first `steps` steps of following the records, in words.
async fn told(answers: impl IntoIterator<Item = Answer>, steps: usize) -> Vec<String> {
    let (client, _) = scripted(answers);
    let changes: Vec<_> = records(&client, None).take(steps).collect().await;
    changes
        .into_iter()
        .map(|change| match change {
            Change::Listed(record) => format!("listed {}", record.key.name),
            Change::Written(record) => format!("written {}", record.key.name),
            Change::Removed(record) => format!("removed {}", record.key.name),
            Change::Failed(error) => format!("failed: {error}"),
            Change::Restarted => "restarted".into(),
            Change::Complete => "complete".into(),
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_list_is_followed_by_a_watch_that_goes_on_where_it_broke_off() {
    let began = tokio::time::Instant::now();
    let told = told(
        [
            Answer::List(&["a"]),
            Answer::Watch(vec![event("ADDED", "b"), event("DELETED", "a")]),
            Answer::Watch(vec![event("MODIFIED", "b")]),
        ],
        6,
    )
    .await;
    assert_eq!(told, ["restarted", "listed a", "complete", "written b", "removed a", "written b"]);
    assert_eq!(began.elapsed(), Duration::ZERO, "nothing pauses where nothing fails");
}

#[tokio::test(start_paused = true)]
async fn an_expired_watch_lists_anew_without_a_word() {
    let in_the_stream = Answer::Watch(vec![json!({"type": "ERROR", "object": failure(410)})]);
    for expiry in [in_the_stream, Answer::Refusal(StatusCode::GONE)] {
        let told = told([Answer::List(&["a"]), expiry, Answer::List(&["b"])], 6).await;
        assert_eq!(told, ["restarted", "listed a", "complete", "restarted", "listed b", "complete"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_tells_of_changes_out_of_their_order_lists_anew() {
    let told = told(
        [
            Answer::List(&["a"]),
            // Twice the same is no disorder.
            Answer::Watch(vec![event_at("MODIFIED", "a", "5"), event_at("MODIFIED", "a", "5")]),
            Answer::Watch(vec![event_at("DELETED", "a", "7"), event_at("MODIFIED", "a", "6")]),
            Answer::List(&["b"]),
        ],
        9,
    )
    .await;
    let expected =
        "restarted, listed a, complete, written a, written a, removed a, restarted, listed b, complete";
    assert_eq!(told.join(", "), expected);
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_told_and_tried_again_from_the_list_on() {
    for status in
        [StatusCode::SERVICE_UNAVAILABLE, StatusCode::INTERNAL_SERVER_ERROR, StatusCode::TOO_MANY_REQUESTS]
    {
        let told = told([Answer::Refusal(status), Answer::List(&["a"])], 5).await;
        let failed = "failed: the cluster cannot be reached: so it is";
        assert_eq!(told, ["restarted", failed, "restarted", "listed a", "complete"], "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_right_that_is_granted_is_noticed() {
    let told = told([Answer::Refusal(StatusCode::FORBIDDEN), Answer::List(&["a"])], 5).await;
    assert_eq!(told, ["restarted", "failed: so it is", "restarted", "listed a", "complete"]);
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_cannot_begin_is_told_too() {
    let told =
        told([Answer::List(&[]), Answer::Refusal(StatusCode::SERVICE_UNAVAILABLE), Answer::List(&["a"])], 6)
            .await;
    assert_eq!(
        told[2..],
        ["failed: the cluster cannot be reached: so it is", "restarted", "listed a", "complete"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_secret_that_is_not_a_record_is_passed_over() {
    let mut odd = event("ADDED", "odd");
    odd["object"]["metadata"]["name"] = json!("odd");
    let told = told([Answer::List(&[]), Answer::Watch(vec![odd.clone(), odd, event("ADDED", "a")])], 3).await;
    assert_eq!(told, ["restarted", "complete", "written a"]);
}

#[tokio::test(start_paused = true)]
async fn only_the_metadata_of_records_that_are_not_superseded_is_asked_for() {
    let (client, asked) = scripted([Answer::List(&[])]);
    let _: Vec<_> = records(&client, Some("team")).take(2).collect().await;
    let asked = asked.lock().unwrap()[0].clone();
    let wanted = [
        "/namespaces/team/secrets",
        "labelSelector=owner%3Dhelm%2Cstatus%21%3Dsuperseded",
        "fieldSelector=type%3Dhelm.sh%2Frelease.v1",
    ];
    assert!(wanted.iter().all(|part| asked.contains(part)), "{asked}");
}
