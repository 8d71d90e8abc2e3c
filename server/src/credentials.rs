//! What opens a chart repository. It goes to the repository, and to helm in a file; never into a log, an answer of the API
//! or a command line.

use std::fmt;

use app::model::{Credentials, Secured};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// The longest user name, password or token, in bytes.
const WORD_MAX: usize = 8 * 1024;
/// The most that certificates and keys may have, in bytes: a bundle of all public authorities has 220 KiB.
const PEM_MAX: usize = 256 * 1024;

/// A repository's credentials; without any of them it is open to all.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RepositoryCredentials {
    /// The user name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// A bearer token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The authorities to trust, as PEM, besides those that the system trusts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca: Option<String>,
    /// The client's certificate, as PEM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// Its key, as PEM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl fmt::Debug for RepositoryCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RepositoryCredentials")
    }
}

impl RepositoryCredentials {
    /// Takes the user and the password out of an address.
    pub fn taken_from(url: &mut Url) -> Self {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let username = Some(url.username()).filter(|user| !user.is_empty()).map(decoded);
        let password = url.password().map(decoded);
        // These fail for addresses without a host, which have neither.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        Self { username, password, ..Self::default() }
    }

    /// Those that a user gave, checked.
    ///
    /// # Errors
    /// In words, with the field.
    pub fn given(credentials: &Credentials) -> Result<Self, (&'static str, &'static str)> {
        let kept = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let Credentials { username, password, token, ca, certificate, key } = credentials;
        let found = Self {
            username: kept(username),
            password: kept(password),
            token: kept(token),
            ca: kept(ca),
            certificate: kept(certificate),
            key: kept(key),
        };
        // An address may hold one alone, such as a token for a user name; whoever gives them apart has both.
        if found.username.is_some() != found.password.is_some() {
            let field = if found.username.is_some() { "password" } else { "username" };
            return Err((field, "A user name and a password go together."));
        }
        found.check().map(|()| found)
    }

    /// Whether they make sense.
    ///
    /// # Errors
    /// The field, and in words what is wrong with it.
    pub fn check(&self) -> Result<(), (&'static str, &'static str)> {
        let words = [("username", &self.username), ("password", &self.password), ("token", &self.token)];
        for (field, word) in words {
            let Some(word) = word else { continue };
            if word.len() > WORD_MAX {
                return Err((field, "This is too long."));
            }
            if word.contains(char::is_control) {
                return Err((field, "This has a line break or another control character in it."));
            }
        }
        if self.username.as_ref().is_some_and(|user| user.contains(':')) {
            return Err(("username", "A user name has no colon."));
        }
        if self.token.is_some() && self.username.is_some() {
            return Err(("token", "Give a token, or a user name and a password."));
        }
        let pems = [("ca", &self.ca), ("certificate", &self.certificate), ("key", &self.key)];
        for (field, pem) in pems {
            let Some(pem) = pem else { continue };
            if pem.len() > PEM_MAX {
                return Err((field, "This is too long."));
            }
            if !pem.contains("-----BEGIN ") {
                return Err((field, "This is no PEM text, which has a line -----BEGIN …-----."));
            }
        }
        if self.certificate.is_some() != self.key.is_some() {
            let field = if self.certificate.is_some() { "key" } else { "certificate" };
            return Err((field, "A certificate and its key go together."));
        }
        Ok(())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether something in them must not be seen by others on the way; an authority's certificate may.
    pub fn is_secret(&self) -> bool {
        self.username.is_some() || self.password.is_some() || self.token.is_some() || self.key.is_some()
    }

    /// Which there are.
    pub fn secured(&self) -> Secured {
        Secured {
            password: self.password.is_some(),
            token: self.token.is_some(),
            ca: self.ca.is_some(),
            certificate: self.certificate.is_some(),
            references: None,
        }
    }

    /// Checks that they may be sent to `url`: nobody on the way may read them.
    ///
    /// # Errors
    /// In words.
    pub fn may_go_to(&self, url: &Url) -> Result<(), &'static str> {
        if self.is_secret() && !is_private(url) {
            return Err("Credentials are sent over https alone");
        }
        Ok(())
    }

    /// The header that they make of a request; none if they need none.
    pub fn authorization(&self) -> Option<String> {
        if let Some(token) = &self.token {
            return Some(format!("Bearer {token}"));
        }
        self.basic().map(|basic| format!("Basic {basic}"))
    }

    /// User name and password as basic authentication has them.
    pub fn basic(&self) -> Option<String> {
        if self.username.is_none() && self.password.is_none() {
            return None;
        }
        let (user, password) = (self.username.as_deref(), self.password.as_deref());
        Some(STANDARD.encode(format!("{}:{}", user.unwrap_or_default(), password.unwrap_or_default())))
    }

    /// Each secret text in them, so that it can be taken out of what somebody else says. A user name alone is a token.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        let alone = self.username.as_deref().filter(|_| self.password.is_none());
        [self.password.as_deref(), self.token.as_deref(), alone].into_iter().flatten()
    }
}

/// Whether what is sent there cannot be read on the way: over https, to a registry, which is https too, or within this
/// machine.
pub fn is_private(url: &Url) -> bool {
    url.scheme() == "https" || is_loopback(url)
}

/// Whether it is on this machine.
pub fn is_loopback(url: &Url) -> bool {
    // Schemes that the standard does not know have their host as a name, whatever it looks like.
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => {
            name.eq_ignore_ascii_case("localhost")
                || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basic(user: &str, password: &str) -> RepositoryCredentials {
        let (username, password) = (Some(user.to_owned()), Some(password.to_owned()));
        RepositoryCredentials { username, password, ..RepositoryCredentials::default() }
    }

    #[test]
    fn they_are_taken_out_of_an_address() {
        let mut url = Url::parse("https://me:s%40fe%zz@host/charts?a=1").unwrap();
        assert_eq!(RepositoryCredentials::taken_from(&mut url), basic("me", "s@fe%zz"));
        assert_eq!(url.as_str(), "https://host/charts?a=1");
        let mut token = Url::parse("https://token@host/").unwrap();
        let token = RepositoryCredentials::taken_from(&mut token);
        assert_eq!((token.check(), token.authorization().as_deref()), (Ok(()), Some("Basic dG9rZW46")));
        assert!(RepositoryCredentials::taken_from(&mut url).is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_refused_at_its_field() {
        let pem = || Some("-----BEGIN X-----".to_owned());
        let some = |text: &str| Some(text.to_owned());
        let none = Credentials::default;
        for (given, field) in [
            (Credentials { username: some("me"), ..none() }, "password"),
            (Credentials { password: some("x"), ..none() }, "username"),
            (Credentials { username: some("a:b"), password: some("x"), ..none() }, "username"),
            (Credentials { username: some("me"), password: some("a\nb"), ..none() }, "password"),
            (Credentials { username: some("me"), password: some("x"), token: some("t"), ..none() }, "token"),
            (Credentials { token: some(&"x".repeat(WORD_MAX + 1)), ..none() }, "token"),
            (Credentials { certificate: pem(), ..none() }, "key"),
            (Credentials { key: pem(), ..none() }, "certificate"),
            (Credentials { ca: some("no PEM"), ..none() }, "ca"),
        ] {
            let refused = RepositoryCredentials::given(&given).map_err(|(field, _)| field);
            assert_eq!(refused.err(), Some(field));
        }
        let empty = Credentials { username: some(""), password: some(""), ..none() };
        assert!(RepositoryCredentials::given(&empty).unwrap().is_empty());
    }

    #[test]
    fn they_go_over_https_alone_or_nowhere() {
        let authority = RepositoryCredentials { ca: Some("x".into()), ..RepositoryCredentials::default() };
        for (url, may) in [
            ("https://host/charts", true),
            ("http://host/charts", false),
            ("http://127.0.0.1:80/charts", true),
            ("http://[::1]/charts", true),
            ("http://localhost/charts", true),
            ("http://localhost.example.org/charts", false),
            ("http://127.0.0.1.example.org/charts", false),
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!(basic("me", "x").may_go_to(&url).is_ok(), may, "{url}");
            assert!(authority.may_go_to(&url).is_ok(), "{url}");
        }
    }

    #[test]
    fn nothing_of_them_is_printed() {
        assert!(!format!("{:?}", basic("me", "secret")).contains("secret"));
        let given = Credentials { token: Some("secret".into()), ..Credentials::default() };
        assert!(!format!("{given:?}").contains("secret"));
    }

    #[test]
    fn a_request_has_them_as_its_kind_is() {
        assert_eq!(basic("me", "x").authorization().as_deref(), Some("Basic bWU6eA=="));
        let token = RepositoryCredentials { token: Some("t".into()), ..RepositoryCredentials::default() };
        assert_eq!(token.authorization().as_deref(), Some("Bearer t"));
        assert_eq!(RepositoryCredentials::default().authorization(), None);
    }
}
