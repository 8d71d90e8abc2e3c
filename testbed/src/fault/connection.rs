//! One client's connection, and where its requests go.

use std::convert::Infallible;
use std::future::{pending, poll_fn};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use http::uri::{Authority, Scheme};
use http::{HeaderValue, Request, Response, Uri, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

use super::body::{Body, cut_off, distorted, drain, unchanged, whole};
use super::rule::{Effect, Rule};
use super::{Rules, rule};
use crate::Error;

/// What all connections of a proxy share.
#[derive(Clone)]
pub(super) struct Gate {
    pub(super) rules: Rules,
    acceptor: TlsAcceptor,
    upstream: Client<HttpsConnector<HttpConnector>, Incoming>,
    authority: Authority,
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gate")
            .field("rules", &self.rules)
            .field("authority", &self.authority)
            .finish_non_exhaustive()
    }
}

impl Gate {
    /// A way to the API server at `url`, whose certificate and key are in `data`.
    pub(super) fn new(url: &str, data: &Path) -> Result<Self, Error> {
        let uri = url.parse::<Uri>().map_err(|error| Error::Kube(kube::Error::HttpError(error.into())))?;
        let authority = uri.authority().cloned().ok_or_else(|| std::io::Error::other("no address"))?;
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(certificates(data)?);
        let client = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(std::io::Error::other)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        tcp.enforce_http(false);
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(client)
            .https_only()
            .enable_http1()
            .wrap_connector(tcp);
        Ok(Self {
            rules: Rules::default(),
            acceptor: acceptor(data)?,
            upstream: Client::builder(TokioExecutor::new()).build(connector),
            authority,
        })
    }

    async fn answer(self, request: Request<Incoming>, cut: Cut) -> Response<Body> {
        let (method, uri, headers) = (request.method(), request.uri(), request.headers());
        let Some(rule) = self.rules.find(|rule| rule.takes_request(method, uri, headers)) else {
            return self.forward(request, &cut).await.map(unchanged);
        };
        tracing::debug!(%method, path = uri.path(), effect = ?rule.effect(), "a fault");
        match rule.effect() {
            Effect::Answer(answer) => {
                drain(request.into_body()).await;
                rule.hit();
                answer.response().map(whole)
            }
            Effect::Hang => {
                rule.hit();
                rule.until_removed().await;
                self.forward(request, &cut).await.map(unchanged)
            }
            Effect::Delay(delay) => {
                rule.hit();
                // A rule that is removed ends what it does.
                let _ = tokio::time::timeout(*delay, rule.until_removed()).await;
                self.forward(request, &cut).await.map(unchanged)
            }
            Effect::LoseAnswer => {
                self.forward(request, &cut).await;
                rule.hit();
                cut.now().await
            }
            Effect::Reset { after } => {
                let response = self.forward(request, &cut).await;
                response.map(|body| cut_off(body, *after, rule.clone(), cut))
            }
            Effect::Watch(fault) => self.distort(request, *fault, rule.clone(), &cut).await,
            // It is for connections, and takes no request.
            Effect::HangHandshake => self.forward(request, &cut).await.map(unchanged),
        }
    }

    /// Forwards a watch and distorts its events. A client that would rather have them in protobuf or compressed is
    /// given plain lines of JSON, which it takes as well.
    async fn distort(
        self,
        mut request: Request<Incoming>,
        fault: super::WatchFault,
        rule: Rule,
        cut: &Cut,
    ) -> Response<Body> {
        let accepted = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
        if let Some(json) = accepted.and_then(only_json) {
            request.headers_mut().insert(header::ACCEPT, json);
        }
        request.headers_mut().remove(header::ACCEPT_ENCODING);
        let response = self.forward(request, cut).await;
        let kind = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_stream =
            response.status().is_success() && kind.is_some_and(|kind| kind.starts_with("application/json"));
        if is_stream { response.map(|body| distorted(body, fault, rule)) } else { response.map(unchanged) }
    }

    /// Asks the API server. Where that is not there, the client's connection is cut: it is not ours to answer.
    async fn forward(&self, mut request: Request<Incoming>, cut: &Cut) -> Response<Incoming> {
        let mut parts = std::mem::take(request.uri_mut()).into_parts();
        parts.scheme = Some(Scheme::HTTPS);
        parts.authority = Some(self.authority.clone());
        let Ok(uri) = Uri::from_parts(parts) else { return cut.now().await };
        *request.uri_mut() = uri;
        // These are about the connection to us.
        for name in [header::HOST, header::CONNECTION, header::UPGRADE] {
            request.headers_mut().remove(name);
        }
        match self.upstream.request(request).await {
            Ok(mut response) => {
                response.headers_mut().remove(header::CONNECTION);
                response
            }
            Err(error) => {
                tracing::debug!(%error, "the API server gave the fault proxy no answer");
                cut.now().await
            }
        }
    }
}

/// Takes connections as the API server whose certificate and key are in `data`.
pub(crate) fn acceptor(data: &Path) -> Result<TlsAcceptor, Error> {
    let mut server = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(std::io::Error::other)?
        .with_no_client_auth()
        .with_single_cert(certificates(data)?, private_key(data)?)
        .map_err(std::io::Error::other)?;
    server.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(server)))
}

/// The API server's certificate, and its authority's.
pub(crate) fn certificates(data: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let certificates = CertificateDer::pem_file_iter(data.join("apiserver.crt"))
        .and_then(Iterator::collect::<Result<Vec<_>, _>>);
    Ok(certificates.map_err(unusable)?)
}

/// Its key.
pub(crate) fn private_key(data: &Path) -> Result<PrivateKeyDer<'static>, Error> {
    Ok(PrivateKeyDer::from_pem_file(data.join("apiserver.key")).map_err(unusable)?)
}

fn unusable(error: rustls::pki_types::pem::Error) -> std::io::Error {
    std::io::Error::other(error.to_string())
}

/// The parts of an `Accept` header that ask for JSON, if there are any.
fn only_json(accepted: &str) -> Option<HeaderValue> {
    let json = accepted.split(',').map(str::trim).filter(|kind| kind.starts_with("application/json"));
    let json = json.collect::<Vec<_>>().join(",");
    if json.is_empty() { None } else { HeaderValue::from_str(&json).ok() }
}

/// Cuts a connection.
#[derive(Clone, Default)]
pub(super) struct Cut(Arc<Notify>);

impl Cut {
    /// Has the connection reset once what was said on it is sent; what asked for this goes with it.
    pub(super) async fn now<T>(&self) -> T {
        self.0.notify_one();
        pending().await
    }
}

/// Serves a connection to its end.
pub(super) async fn serve(stream: TcpStream, gate: Gate) {
    if let Some(rule) = gate.rules.find(rule::Rule::takes_connection) {
        rule.hit();
        rule.until_removed().await;
    }
    // Watches are small messages.
    let _ = stream.set_nodelay(true);
    // A client that gives up in the middle of its handshake is none of our business.
    let Ok(stream) = gate.acceptor.accept(stream).await else { return };
    let cut = Cut::default();
    let service = service_fn(|request| {
        let answer: Pin<Box<dyn Future<Output = _> + Send>> =
            Box::pin(gate.clone().answer(request, cut.clone()));
        async { Ok::<_, Infallible>(answer.await) }
    });
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        // First, so that it has sent what it has when it is cut.
        biased;
        _ = poll_fn(|context| Pin::new(&mut connection).poll(context)) => {}
        () = cut.0.notified() => {
            let stream = connection.into_parts().io.into_inner();
            // Closed with nothing left to say, a connection without this would end in good order.
            if let Err(error) = stream.get_ref().0.set_zero_linger() {
                tracing::warn!(%error, "the fault proxy could not reset a connection");
            }
        }
    }
}
