//! Why there is no secure connection to a server, and what can be done about it.

use std::error::Error;
use std::io;

use rustls::{AlertDescription, CertificateError};
use thiserror::Error;

/// What is wrong. Each names the server: after a redirection it is another one than was asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    /// Neither the system's authorities nor the repository's own have signed its certificate.
    #[error(
        "the certificate of {0} is not signed by an authority that is trusted here; if it is the right server, give the repository the certificate of its authority (CA)"
    )]
    Untrusted(String),
    /// A self-signed certificate may be an authority's, or a server's, but not both.
    #[error(
        "the certificate of {0} is an authority’s own (CA:TRUE), which no server may have; it needs one that the authority has signed"
    )]
    Authority(String),
    /// It is too old.
    #[error("the certificate of {0} has expired; the server needs a new one")]
    Expired(String),
    /// Its time has not come.
    #[error("the certificate of {0} is not valid yet; its server’s clock or Slipway’s is wrong")]
    Early(String),
    /// It is for another address.
    #[error("the certificate of {0} is for another name; use the address that it is made for")]
    OtherName(String),
    /// The server wants to see one of ours.
    #[error("{0} asks for a client certificate; give the repository one with its key")]
    Demanded(String),
    /// The server does not like the one that it was shown.
    #[error(
        "{0} does not accept the repository’s client certificate; it may have expired, or be for another server"
    )]
    NotAccepted(String),
    /// Whatever answers there is no TLS.
    #[error("{0} does not speak TLS; its address may have to begin with http://")]
    Plain(String),
    /// Anything else.
    #[error("there is no secure connection to {0}: {1}")]
    Other(String, String),
}

impl Trouble {
    /// Whether the server's certificate is what is wrong.
    pub fn is_of_certificate(&self) -> bool {
        use Trouble::{Authority, Early, Expired, OtherName, Untrusted};
        matches!(self, Untrusted(_) | Authority(_) | Expired(_) | Early(_) | OtherName(_))
    }

    /// What TLS says of the server `host`, if it is the cause; `has_shown`: it was shown a client certificate.
    pub fn of(error: &(dyn Error + 'static), host: &str, has_shown: bool) -> Option<Self> {
        let host = host.to_owned();
        Some(match cause(error)? {
            rustls::Error::InvalidCertificate(why) => match why {
                CertificateError::UnknownIssuer => Self::Untrusted(host),
                CertificateError::Expired | CertificateError::ExpiredContext { .. } => Self::Expired(host),
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                    Self::Early(host)
                }
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                    Self::OtherName(host)
                }
                CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
                    Self::Authority(host)
                }
                other => Self::Other(host, other.to_string()),
            },
            rustls::Error::AlertReceived(alert) => match alert {
                AlertDescription::CertificateRequired => Self::Demanded(host),
                AlertDescription::BadCertificate
                | AlertDescription::UnsupportedCertificate
                | AlertDescription::CertificateRevoked
                | AlertDescription::CertificateExpired
                | AlertDescription::CertificateUnknown
                | AlertDescription::UnknownCA
                | AlertDescription::AccessDenied
                | AlertDescription::HandshakeFailure
                    if has_shown =>
                {
                    Self::NotAccepted(host)
                }
                // What TLS 1.2 has for a certificate that is missing.
                AlertDescription::BadCertificate | AlertDescription::HandshakeFailure => Self::Demanded(host),
                other => Self::Other(host, format!("{other:?}")),
            },
            rustls::Error::InvalidMessage(_) => Self::Plain(host),
            other => Self::Other(host, other.to_string()),
        })
    }
}

/// What TLS says, wherever in the causes of `error` it is: an I/O error does not tell of what is in it.
fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    if let Some(found) = error.downcast_ref() {
        return Some(found);
    }
    let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    let inner = inner.and_then(|inner| cause(inner));
    inner.or_else(|| error.source().and_then(cause))
}

#[cfg(test)]
mod tests {
    use rustls::InvalidMessage;

    use super::*;

    fn told(error: rustls::Error, has_shown: bool) -> Option<Trouble> {
        let wrapped = io::Error::other(io::Error::new(io::ErrorKind::InvalidData, error));
        Trouble::of(&wrapped, "host", has_shown)
    }

    #[test]
    fn what_is_wrong_with_a_certificate_is_told_with_what_to_do() {
        let host = || "host".to_owned();
        for (why, expected) in [
            (CertificateError::UnknownIssuer, Trouble::Untrusted(host())),
            (CertificateError::Expired, Trouble::Expired(host())),
            (CertificateError::NotValidYet, Trouble::Early(host())),
            (CertificateError::NotValidForName, Trouble::OtherName(host())),
            (CertificateError::Revoked, Trouble::Other(host(), CertificateError::Revoked.to_string())),
        ] {
            assert_eq!(told(why.into(), false), Some(expected));
        }
    }

    #[test]
    fn a_client_certificate_is_asked_for_or_not_accepted() {
        use AlertDescription as Alert;
        for (alert, has_shown, is_demanded) in [
            (Alert::CertificateRequired, false, true),
            (Alert::HandshakeFailure, false, true),
            (Alert::BadCertificate, false, true),
            (Alert::HandshakeFailure, true, false),
            (Alert::UnknownCA, true, false),
            (Alert::CertificateExpired, true, false),
        ] {
            let expected = if is_demanded { Trouble::Demanded } else { Trouble::NotAccepted };
            let told = told(rustls::Error::AlertReceived(alert), has_shown);
            assert_eq!(told, Some(expected("host".to_owned())), "{alert:?}");
        }
    }

    #[test]
    fn what_speaks_no_tls_is_seen_as_that_and_what_is_no_tls_as_nothing() {
        let plain = rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType);
        assert_eq!(told(plain, false), Some(Trouble::Plain("host".to_owned())));
        assert_eq!(Trouble::of(&io::Error::other("refused"), "host", false), None);
    }
}
