//! An admission webhook: a policy engine whose pod is not up yet, and then is.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use k8s_openapi::ByteString;
use k8s_openapi::api::admissionregistration::v1::ValidatingWebhookConfiguration;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::fault::acceptor;
use crate::program::reserve;
use crate::{Cluster, Error};

/// The most that a review is read of, in bytes: an API server takes no larger object.
const REVIEW_MAX: usize = 8 * 1024 * 1024;

/// How long the API server may take to hear of a webhook on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A webhook that the API server asks before it creates a Deployment in one namespace. It refuses connections until it
/// is opened; then it admits everything.
#[derive(Debug)]
pub struct Webhook {
    configurations: Api<ValidatingWebhookConfiguration>,
    name: String,
    data: PathBuf,
    closed: Option<TcpSocket>,
    open: Option<JoinHandle<()>>,
    asked: Arc<AtomicU64>,
}

impl Webhook {
    /// Registers a webhook for `namespace` at an address where nobody listens yet, in place of one that was not removed, and
    /// returns when the API server asks it.
    pub async fn closed(cluster: &Cluster, namespace: &str) -> Result<Self, Error> {
        let socket = reserve(0)?;
        let name = format!("{namespace}.slipway.test");
        let certificate = std::fs::read(cluster.data().join("apiserver.crt"))?;
        let configuration = json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingWebhookConfiguration",
            "metadata": { "name": name },
            "webhooks": [{
                "name": name,
                "clientConfig": {
                    "url": format!("https://{}/validate", socket.local_addr()?),
                    "caBundle": ByteString(certificate),
                },
                "rules": [{
                    "apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"],
                }],
                "namespaceSelector": { "matchLabels": { "kubernetes.io/metadata.name": namespace } },
                "failurePolicy": "Fail",
                "sideEffects": "None",
                "admissionReviewVersions": ["v1"],
            }],
        });
        let client = cluster.client("admin").await?;
        let configurations = Api::all(client.clone());
        let applying = PatchParams::apply("testbed").force();
        configurations.patch(&name, &applying, &Patch::Apply(configuration)).await?;
        until_asked(&Api::namespaced(client, namespace)).await?;
        let asked = Arc::default();
        Ok(Self {
            configurations,
            name,
            data: cluster.data().into(),
            closed: Some(socket),
            open: None,
            asked,
        })
    }

    /// From now on somebody listens, and admits what is asked about.
    pub fn open(&mut self) -> Result<(), Error> {
        if let Some(socket) = self.closed.take() {
            let (listener, acceptor) = (socket.listen(64)?, acceptor(&self.data)?);
            let task = tokio::spawn(serve(listener, acceptor, self.asked.clone()));
            self.open = Some(task);
        }
        Ok(())
    }

    /// How often it was asked.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Takes it away, if it is there.
    pub async fn remove(&self) -> Result<(), Error> {
        match self.configurations.delete(&self.name, &DeleteParams::default()).await {
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
            removed => removed.map(drop).map_err(Error::from),
        }
    }
}

impl Drop for Webhook {
    fn drop(&mut self) {
        if let Some(open) = &self.open {
            open.abort();
        }
    }
}

/// Waits until no Deployment is admitted any more: the API server hears of a webhook a moment after it was registered.
async fn until_asked(deployments: &Api<Deployment>) -> Result<(), Error> {
    let labels = json!({ "probe": "webhook" });
    let probe = json!({
        "metadata": { "name": "probe" },
        "spec": {
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "main", "image": "probe" }] },
            },
        },
    });
    let probe = serde_json::from_value(probe).map_err(|error| Error::Kube(kube::Error::SerdeError(error)))?;
    let nothing_is_kept = PostParams { dry_run: true, ..PostParams::default() };
    let refused = async {
        loop {
            match deployments.create(&nothing_is_kept, &probe).await {
                Err(kube::Error::Api(status)) if status.message.contains("failed calling webhook") => {
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
                Ok(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    let late = Error::NotReady { what: "the webhook", after: PATIENCE, log: String::new() };
    tokio::time::timeout(PATIENCE, refused).await.unwrap_or(Err(late))
}

async fn serve(listener: TcpListener, acceptor: TlsAcceptor, asked: Arc<AtomicU64>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, asked) = (acceptor.clone(), asked.clone());
        tokio::spawn(async move {
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let service = service_fn(|request| admit(request, &asked));
            // What the API server does with its connection is its own business.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn admit(request: Request<Incoming>, asked: &AtomicU64) -> Result<Response<Full<Bytes>>, Infallible> {
    let body = Limited::new(request.into_body(), REVIEW_MAX).collect().await;
    let review = body.ok().and_then(|body| serde_json::from_slice::<Value>(&body.to_bytes()).ok());
    let review = review.unwrap_or_default();
    asked.fetch_add(1, Ordering::Relaxed);
    let answer = json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "response": { "uid": review["request"]["uid"], "allowed": true },
    });
    let mut response = Response::new(Full::new(Bytes::from(answer.to_string())));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}
