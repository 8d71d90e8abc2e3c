//! Repositories over TLS, with authorities of their own, and clients' certificates: read by Slipway, and by real helm.

use reqwest::Method;
use serde_json::{Value, json};
use testbed::{Clients, HelmVersion};

use crate::cluster::{cluster, with_both_helms};
use crate::slipway::{Slipway, unique};
use crate::sources::{BASIC, BEARER, NOTHING, PASSWORD, install, installs, private, secure, send};

/// A repository at `host`, with these credentials.
fn spec(name: &str, host: &str, credentials: &Value) -> Value {
    let url = format!("https://{host}/charts");
    json!({ "origin": "slipway", "name": name, "url": url, "credentials": credentials })
}

fn web(repository: &str) -> Value {
    json!({ "repository": repository, "name": "web", "version": "1.0.0" })
}

/// Why a repository cannot be had.
async fn refused(slipway: &Slipway, spec: &Value) -> String {
    let (status, refusal) = send(slipway, Method::POST, "repository-tests", spec).await;
    assert_eq!(status, 503, "{refusal}");
    refusal["detail"].as_str().unwrap().to_owned()
}

/// Tries a repository and adds it.
async fn is_added(slipway: &Slipway, spec: &Value) {
    let (status, tested) = send(slipway, Method::POST, "repository-tests", spec).await;
    assert!(status == 200 && tested["charts"].as_u64() > Some(7), "{status} {tested}");
    let (status, added) = send(slipway, Method::POST, "repositories", spec).await;
    assert_eq!(status, 201, "{added}");
}

async fn a_repository_is_read_when_its_own_authority_is_trusted_and_not_before(helm: HelmVersion) {
    let host = format!("127.0.0.1:{}", secure(NOTHING, Clients::All).await);
    let slipway = Slipway::start_with("admin", helm).await;
    let namespace = slipway.namespace().await;
    let words = "the certificate of 127.0.0.1 is not signed by an authority that is trusted here; if it is the right \
                 server, give the repository the certificate of its authority (CA)";
    assert!(refused(&slipway, &spec("own", &host, &Value::Null)).await.contains(words));
    // One that is added all the same says what is wrong with it, and is well when that is mended.
    let added = send(&slipway, Method::POST, "repositories", &spec("own", &host, &Value::Null)).await;
    assert_eq!(added.0, 201, "{}", added.1);
    slipway.get("charts").await;
    let of = |list: &Value| {
        list["repositories"].as_array().unwrap().iter().find(|it| it["name"] == "own").cloned()
    };
    let is_told =
        |list: &Value| of(list).unwrap()["error"].as_str().is_some_and(|error| error.contains(words));
    slipway.until("repositories", is_told).await;

    let (authority, _) = cluster().await.certificate().unwrap();
    let ca = json!({ "ca": authority });
    let (status, changed) = send(&slipway, Method::PUT, "repositories/own", &spec("own", &host, &ca)).await;
    assert_eq!(status, 200, "{changed}");
    assert_eq!(changed["secured"]["ca"], true, "{changed}");
    slipway.until("charts", |charts| of(charts).unwrap()["charts"].as_u64() > Some(7)).await;
    installs(&slipway, &install(&namespace, &unique("web"), web("own"))).await;
    let by_url = json!({ "url": format!("https://{host}/charts/web-1.0.0.tgz") });
    installs(&slipway, &install(&namespace, &unique("web"), by_url)).await;

    let elsewhere = host.replace("127.0.0.1", "localhost");
    let why = refused(&slipway, &spec("other", &elsewhere, &ca)).await;
    assert!(why.contains("the certificate of localhost is for another name"), "{why}");
    let why = refused(&slipway, &spec("plain", &private(NOTHING).await, &ca)).await;
    assert!(why.contains("127.0.0.1 does not speak TLS"), "{why}");
}

async fn a_server_that_asks_for_a_certificate_is_shown_the_repositorys(helm: HelmVersion) {
    let host = format!("127.0.0.1:{}", secure(NOTHING, Clients::Certified).await);
    let slipway = Slipway::start_with("admin", helm).await;
    let namespace = slipway.namespace().await;
    let (certificate, key) = cluster().await.certificate().unwrap();
    let why = refused(&slipway, &spec("certified", &host, &json!({ "ca": certificate }))).await;
    let words = "127.0.0.1 asks for a client certificate; give the repository one with its key";
    assert!(why.contains(words), "{why}");
    let credentials = json!({ "ca": certificate, "certificate": certificate, "key": key });
    is_added(&slipway, &spec("certified", &host, &credentials)).await;
    installs(&slipway, &install(&namespace, &unique("web"), web("certified"))).await;
    let by_url = json!({ "url": format!("https://{host}/charts/web-1.0.0.tgz") });
    installs(&slipway, &install(&namespace, &unique("web"), by_url)).await;
    let list = slipway.get("repositories").await.text().to_owned();
    assert!(list.contains("\"certificate\":true") && !list.contains("-----BEGIN"), "{list}");
}

async fn passwords_and_tokens_go_over_tls(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let namespace = slipway.namespace().await;
    let (authority, _) = cluster().await.certificate().unwrap();
    let user = json!({ "ca": authority, "username": "me", "password": PASSWORD });
    let token = json!({ "ca": authority, "token": PASSWORD });
    for (name, wants, credentials) in [("private", BASIC, user), ("tokens", BEARER, token)] {
        let host = format!("127.0.0.1:{}", secure(wants, Clients::All).await);
        let why = refused(&slipway, &spec(name, &host, &json!({ "ca": authority }))).await;
        assert!(why.contains("access is refused (HTTP 401)"), "{why}");
        is_added(&slipway, &spec(name, &host, &credentials)).await;
        installs(&slipway, &install(&namespace, &unique("web"), web(name))).await;
    }
}

async fn what_helm_says_of_a_certificate_is_told_and_not_tried_again(helm: HelmVersion) {
    let slipway = Slipway::start_with("admin", helm).await;
    let namespace = slipway.namespace().await;
    let (authority, _) = cluster().await.certificate().unwrap();
    // No repository is there, and so no authority but the system's.
    let unknown = format!("127.0.0.1:{}", secure(NOTHING, Clients::All).await);
    // This one has not what its server asks for.
    let half = format!("127.0.0.1:{}", secure(NOTHING, Clients::Certified).await);
    let spec = spec("half", &half, &json!({ "ca": authority }));
    assert_eq!(send(&slipway, Method::POST, "repositories", &spec).await.0, 201);
    for (host, words) in [
        (unknown, "A server's certificate is not trusted."),
        (half, "A server does not accept the certificate that it is shown, or is shown none."),
    ] {
        let chart = json!({ "url": format!("https://{host}/charts/web-1.0.0.tgz") });
        let id = slipway.submit(&install(&namespace, &unique("web"), chart)).await;
        let operation = slipway.ended(&id).await;
        assert_eq!(
            (&operation["state"], &operation["attempts"].as_array().map(Vec::len)),
            (&json!("failed"), &Some(1)),
            "{operation}"
        );
        assert!(operation.to_string().contains(words), "{operation}");
    }
}

with_both_helms!(
    a_repository_is_read_when_its_own_authority_is_trusted_and_not_before,
    a_server_that_asks_for_a_certificate_is_shown_the_repositorys,
    passwords_and_tokens_go_over_tls,
    what_helm_says_of_a_certificate_is_told_and_not_tried_again,
);
