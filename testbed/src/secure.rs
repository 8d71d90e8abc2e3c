//! A server that speaks TLS as one inside a company does: its certificate is signed by an authority that nobody else knows,
//! and it may ask its clients for one, too.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{NoClientAuth, ServerConfig};
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName, SignatureScheme};
use tokio::io::{AsyncReadExt, copy, sink};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::fault::{certificates, private_key};
use crate::{Cluster, Error};

/// The most that is read of what a client goes on to say whose handshake has failed, in bytes.
const LEFTOVER_MAX: u64 = 64 * 1024;

/// Who may speak with a [`SecureListener`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clients {
    /// Everybody.
    All,
    /// Who shows the cluster's own certificate ([`Cluster::certificate`]).
    Certified,
}

/// Listens on 127.0.0.1 with the certificate of a cluster's API server, for that address alone.
pub struct SecureListener {
    tcp: TcpListener,
    acceptor: TlsAcceptor,
}

impl SecureListener {
    /// Begins to listen.
    pub async fn bind(cluster: &Cluster, clients: Clients) -> Result<Self, Error> {
        let chain = certificates(cluster.data())?;
        let verifier: Arc<dyn ClientCertVerifier> = match (clients, chain.first()) {
            (Clients::Certified, Some(certificate)) => {
                Arc::new(Pinned { certificate: certificate.clone(), provider: ring::default_provider() })
            }
            _ => Arc::new(NoClientAuth),
        };
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_client_cert_verifier(verifier)
            .with_single_cert(chain, private_key(cluster.data())?)
            .map_err(io::Error::other)?;
        let tcp = TcpListener::bind("127.0.0.1:0").await?;
        Ok(Self { tcp, acceptor: TlsAcceptor::from(Arc::new(config)) })
    }

    /// The port.
    pub fn port(&self) -> Result<u16, Error> {
        Ok(self.tcp.local_addr()?.port())
    }
}

impl axum::serve::Listener for SecureListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, address) = axum::serve::Listener::accept(&mut self.tcp).await;
            match self.acceptor.accept(stream).into_fallible().await {
                Ok(stream) => return (stream, address),
                // Closed with something unread, the connection would be reset, and why it was refused be lost with it.
                Err((_, stream)) => {
                    drop(tokio::spawn(async move { copy(&mut stream.take(LEFTOVER_MAX), &mut sink()).await }))
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.tcp.local_addr()
    }
}

/// Takes one certificate alone, whatever it was made for.
#[derive(Debug)]
struct Pinned {
    certificate: CertificateDer<'static>,
    provider: CryptoProvider,
}

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        shown: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        if *shown == self.certificate {
            Ok(ClientCertVerified::assertion())
        } else {
            Err(CertificateError::ApplicationVerificationFailure.into())
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
