//! Where repositories are set up. There are several such places; the room knows them by one trait.

use std::collections::BTreeSet;
use std::sync::Arc;

use app::model::{ApiError, References, RepositoryOrigin, RepositorySpec, Secured};
use async_trait::async_trait;
use url::Url;

use super::oci::Reference;
use crate::credentials::RepositoryCredentials;
use crate::kube::ClusterError;
use crate::settings::RepositoryAddress;

/// One repository, as it is set up somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Where.
    pub origin: RepositoryOrigin,
    /// The namespace that it is for; none for all.
    pub namespace: Option<String>,
    /// Its name there.
    pub name: String,
    /// Its address, without credentials; or why there is none.
    pub address: Result<Url, String>,
    /// What people call it.
    pub display_name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Nobody is to use it for now.
    pub disabled: bool,
    /// Which credentials it has.
    pub secured: Secured,
    /// Changes whenever it does.
    pub revision: String,
}

impl Definition {
    /// Its name in Slipway: no two repositories that one caller sees have the same, but for a shadowed one.
    pub fn id(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}:{}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether it is a registry, whose charts are not listed.
    pub fn is_registry(&self) -> bool {
        self.address.as_ref().is_ok_and(|url| url.scheme() == "oci")
    }
}

/// What is written of a repository, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What was asked for.
    pub spec: RepositorySpec,
    /// For one of Slipway's own: its credentials from now on.
    pub credentials: RepositoryCredentials,
    /// For one of OpenShift's: the objects that hold them.
    pub references: References,
}

/// A place where repositories are set up.
#[async_trait]
pub trait RepositorySource: Send + Sync {
    /// Which.
    fn origin(&self) -> RepositoryOrigin;
    /// The repositories of `namespace`, or those for everybody. A cluster that does not have such repositories has none.
    async fn list(&self, namespace: Option<&str>) -> Result<Vec<Definition>, ClusterError>;
    /// The namespaces that have some.
    async fn namespaces(&self) -> Result<BTreeSet<String>, ClusterError> {
        Ok(BTreeSet::new())
    }
    /// The credentials of one, as they are now.
    async fn credentials(&self, of: &Definition) -> Result<RepositoryCredentials, ClusterError>;
    /// Whether one can be added here at all.
    async fn takes_new(&self) -> bool;
    /// Adds one.
    async fn add(&self, new: &Written) -> Result<(), ClusterError>;
    /// Changes one, unless it has changed since `of` was read.
    async fn change(&self, of: &Definition, new: &Written) -> Result<(), ClusterError>;
    /// Removes one, unless it has changed since `of` was read.
    async fn remove(&self, of: &Definition) -> Result<(), ClusterError>;
}

/// The repositories of the settings.
pub struct Settings(Vec<(Definition, RepositoryCredentials)>);

impl Settings {
    /// Those that the command line names.
    pub fn new(addresses: &[RepositoryAddress]) -> Arc<Self> {
        let found = addresses.iter().map(|address| {
            let mut url = address.url.clone();
            let credentials = RepositoryCredentials::taken_from(&mut url);
            let definition = Definition {
                origin: RepositoryOrigin::Settings,
                namespace: None,
                name: address.name.clone(),
                address: Ok(url),
                display_name: None,
                description: None,
                disabled: false,
                secured: credentials.secured(),
                revision: String::new(),
            };
            (definition, credentials)
        });
        Arc::new(Self(found.collect()))
    }
}

#[async_trait]
impl RepositorySource for Settings {
    fn origin(&self) -> RepositoryOrigin {
        RepositoryOrigin::Settings
    }

    async fn list(&self, namespace: Option<&str>) -> Result<Vec<Definition>, ClusterError> {
        let all = self.0.iter().filter(|_| namespace.is_none());
        Ok(all.map(|(definition, _)| definition.clone()).collect())
    }

    async fn credentials(&self, of: &Definition) -> Result<RepositoryCredentials, ClusterError> {
        let known = self.0.iter().find(|(definition, _)| definition.name == of.name);
        Ok(known.map(|(_, credentials)| credentials.clone()).unwrap_or_default())
    }

    async fn takes_new(&self) -> bool {
        false
    }

    async fn add(&self, _: &Written) -> Result<(), ClusterError> {
        Err(fixed())
    }

    async fn change(&self, _: &Definition, _: &Written) -> Result<(), ClusterError> {
        Err(fixed())
    }

    async fn remove(&self, _: &Definition) -> Result<(), ClusterError> {
        Err(fixed())
    }
}

fn fixed() -> ClusterError {
    let words = "The repositories of Slipway's settings are changed where it is started (--repository).";
    ClusterError::Forbidden(words.into())
}

/// The longest display name and description, in characters.
const TEXT_MAX: usize = 2_048;
/// The longest address, in characters.
const ADDRESS_MAX: usize = 2_048;

/// Reads a repository's address: of an index, or of a place in a registry.
///
/// # Errors
/// In words.
pub fn address(text: &str) -> Result<Url, String> {
    if text.len() > ADDRESS_MAX {
        return Err("The address is too long.".into());
    }
    if text.starts_with("oci://") {
        let reference = Reference::parse(text)?;
        if reference.version.is_some() {
            return Err("A repository's address has no version.".into());
        }
        return Url::parse(&reference.address())
            .map_err(|error| format!("The address cannot be read: {error}."));
    }
    let url = Url::parse(text).map_err(|error| format!("The address cannot be read: {error}."))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("The address of a repository starts with https://, http:// or oci://.".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("Give the user name and the password by themselves: an address is shown.".into());
    }
    Ok(url)
}

/// Checks what a user asks for, but for its credentials.
///
/// # Errors
/// [`ApiError::Invalid`] with the field.
pub fn check(spec: &RepositorySpec) -> Result<Url, ApiError> {
    let name = &spec.name;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if name.is_empty()
        || name.len() > 200
        || !name.split('.').all(|part| part.starts_with(edge) && part.ends_with(edge))
        || !name.chars().all(plain)
    {
        let words = "A name has lower-case letters, digits, '-' and '.', and begins and ends with a letter or a digit.";
        return Err(ApiError::invalid("name", words));
    }
    for (field, text) in [("displayName", &spec.display_name), ("description", &spec.description)] {
        if text.as_ref().is_some_and(|text| text.chars().count() > TEXT_MAX) {
            return Err(ApiError::invalid(field, "This is too long."));
        }
    }
    match (spec.origin, &spec.namespace) {
        (RepositoryOrigin::Settings, _) => return Err(fixed().into()),
        (RepositoryOrigin::Project, Some(namespace)) => {
            app::model::name::check_namespace(namespace)
                .map_err(|words| ApiError::invalid("namespace", words))?;
        }
        (RepositoryOrigin::Project, None) => {
            return Err(ApiError::invalid("namespace", "A repository of a namespace names it."));
        }
        (_, Some(_)) => {
            return Err(ApiError::invalid("namespace", "Such a repository is for all namespaces."));
        }
        (_, None) => {}
    }
    let is_own = spec.origin == RepositoryOrigin::Slipway;
    if spec.references.is_some() && is_own {
        let words = "Only OpenShift's repositories name the objects that hold their credentials.";
        return Err(ApiError::invalid("references", words));
    }
    if spec.credentials.is_some() && !is_own {
        let words = "OpenShift's repositories keep their credentials in objects of their own; name these.";
        return Err(ApiError::invalid("credentials", words));
    }
    address(&spec.url).map_err(|words| ApiError::invalid("url", words))
}

#[cfg(test)]
mod tests {
    use app::model::Credentials;

    use super::*;

    fn spec() -> RepositorySpec {
        RepositorySpec {
            origin: RepositoryOrigin::Slipway,
            name: "stable".into(),
            url: "https://charts.example.org/stable".into(),
            ..RepositorySpec::default()
        }
    }

    #[test]
    fn an_address_is_that_of_an_index_or_of_a_place_in_a_registry() {
        for (text, taken) in [
            ("https://charts.example.org/stable", true),
            ("http://charts.example.org", true),
            ("oci://registry.example.org/charts", true),
            ("oci://registry.example.org/charts:1.0.0", false),
            ("https://me:secret@charts.example.org", false),
            ("file:///etc/passwd", false),
            ("charts", false),
            ("", false),
        ] {
            assert_eq!(address(text).is_ok(), taken, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_by_its_field() {
        assert!(check(&spec()).is_ok());
        for (change, field) in [
            (RepositorySpec { name: "A b".into(), ..spec() }, "name"),
            (RepositorySpec { name: "a:b".into(), ..spec() }, "name"),
            (RepositorySpec { name: "a..b".into(), ..spec() }, "name"),
            (RepositorySpec { url: "ftp://x".into(), ..spec() }, "url"),
            (RepositorySpec { namespace: Some("demo".into()), ..spec() }, "namespace"),
            (RepositorySpec { origin: RepositoryOrigin::Project, ..spec() }, "namespace"),
            (RepositorySpec { references: Some(References::default()), ..spec() }, "references"),
            (
                RepositorySpec {
                    origin: RepositoryOrigin::Cluster,
                    credentials: Some(Credentials::default()),
                    ..spec()
                },
                "credentials",
            ),
            (RepositorySpec { description: Some("x".repeat(3_000)), ..spec() }, "description"),
        ] {
            match check(&change) {
                Err(ApiError::Invalid { field: named, .. }) => assert_eq!(named.as_deref(), Some(field)),
                other => panic!("{field}: {other:?}"),
            }
        }
        let of_settings = RepositorySpec { origin: RepositoryOrigin::Settings, ..spec() };
        assert!(matches!(check(&of_settings), Err(ApiError::Forbidden { .. })));
    }
}
