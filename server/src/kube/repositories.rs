//! Chart repositories that are set up in the cluster: Slipway's own, each a Secret in the namespace of its records, and
//! OpenShift's ([`openshift`]).
//!
//! A Secret `slipway.repository.v1.<name>` of type `slipway.dev/repository.v1` has a key `url` and, as needed,
//! `displayName`, `description`, `disabled` (`true`), `username` and `password`, `token`, `ca.crt`, `tls.crt` and `tls.key`:
//! it can as well be written by `kubectl`.

pub mod openshift;

use std::collections::BTreeMap;

use app::model::RepositoryOrigin;
use async_trait::async_trait;
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, DeleteParams, ListParams, PostParams, Preconditions};
use kube::core::ObjectMeta;

use super::{Client, ClusterError, within_deadline};
use crate::charts::source::{Definition, RepositorySource, Written, address};
use crate::credentials::RepositoryCredentials;

const NAME_PREFIX: &str = "slipway.repository.v1.";
const TYPE: &str = "slipway.dev/repository.v1";
/// What the Secrets are found by; their type alone would have the API server look at all Secrets of the namespace.
const LABEL: (&str, &str) = ("owner", "slipway-repository");
/// The most repositories that are read.
const COUNT_MAX: u32 = 500;
/// The longest text of one that is shown, in characters.
const TEXT_MAX: usize = 2_048;

/// Slipway's own repositories.
pub struct RepositorySecrets {
    client: Client,
    namespace: String,
}

impl RepositorySecrets {
    /// Keeps them in `namespace`.
    pub fn new(client: Client, namespace: &str) -> Self {
        Self { client, namespace: namespace.to_owned() }
    }

    fn api(&self) -> Api<Secret> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }
}

#[async_trait]
impl RepositorySource for RepositorySecrets {
    fn origin(&self) -> RepositoryOrigin {
        RepositoryOrigin::Slipway
    }

    async fn list(&self, namespace: Option<&str>) -> Result<Vec<Definition>, ClusterError> {
        if namespace.is_some() {
            return Ok(Vec::new());
        }
        let which = ListParams::default()
            .labels(&format!("{}={}", LABEL.0, LABEL.1))
            .fields(&format!("type={TYPE}"))
            .limit(COUNT_MAX);
        let list = within_deadline(self.api().list(&which)).await?;
        Ok(list.items.iter().filter_map(definition).collect())
    }

    async fn credentials(&self, of: &Definition) -> Result<RepositoryCredentials, ClusterError> {
        let secret = within_deadline(self.api().get(&format!("{NAME_PREFIX}{}", of.name))).await?;
        Ok(credentials(&secret))
    }

    async fn takes_new(&self) -> bool {
        true
    }

    async fn add(&self, new: &Written) -> Result<(), ClusterError> {
        within_deadline(self.api().create(&PostParams::default(), &secret(new))).await.map(drop)
    }

    async fn change(&self, of: &Definition, new: &Written) -> Result<(), ClusterError> {
        let name = format!("{NAME_PREFIX}{}", of.name);
        let known = within_deadline(self.api().get(&name)).await?;
        if known.metadata.resource_version.as_deref() != Some(&of.revision) {
            return Err(ClusterError::Conflict(format!("{} was changed", of.name)));
        }
        let secret = changed(known, new);
        within_deadline(self.api().replace(&name, &PostParams::default(), &secret)).await.map(drop)
    }

    async fn remove(&self, of: &Definition) -> Result<(), ClusterError> {
        let name = format!("{NAME_PREFIX}{}", of.name);
        within_deadline(self.api().delete(&name, &unchanged(of))).await.map(drop)
    }
}

/// Deletes what is as it was when `of` was read, and nothing else.
fn unchanged(of: &Definition) -> DeleteParams {
    DeleteParams::default()
        .preconditions(Preconditions { resource_version: Some(of.revision.clone()), uid: None })
}

fn definition(secret: &Secret) -> Option<Definition> {
    let name = secret.metadata.name.as_deref()?.strip_prefix(NAME_PREFIX)?.to_owned();
    let text = |key: &str| text(secret, key).map(|text| text.chars().take(TEXT_MAX).collect::<String>());
    Some(Definition {
        origin: RepositoryOrigin::Slipway,
        namespace: None,
        name,
        address: address(text("url").unwrap_or_default().trim()),
        display_name: text("displayName"),
        description: text("description"),
        disabled: text("disabled").as_deref().map(str::trim) == Some("true"),
        secured: credentials(secret).secured(),
        revision: secret.metadata.resource_version.clone().unwrap_or_default(),
    })
}

fn credentials(secret: &Secret) -> RepositoryCredentials {
    RepositoryCredentials {
        username: text(secret, "username"),
        password: text(secret, "password"),
        token: text(secret, "token"),
        ca: text(secret, "ca.crt"),
        certificate: text(secret, "tls.crt"),
        key: text(secret, "tls.key"),
    }
}

/// The text at `key`, unless it is empty. What is no UTF-8 is no text.
fn text(secret: &Secret, key: &str) -> Option<String> {
    let bytes = &secret.data.as_ref()?.get(key)?.0;
    std::str::from_utf8(bytes).ok().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A Secret as it is to be. What others have added to it stays: labels, annotations, keys.
fn changed(mut known: Secret, new: &Written) -> Secret {
    let data = known.data.get_or_insert_default();
    for (key, text) in data_of(new) {
        match text {
            Some(text) => drop(data.insert(key.to_owned(), ByteString(text.into_bytes()))),
            None => drop(data.remove(key)),
        }
    }
    known
}

/// What is at each key of a Secret.
fn data_of(new: &Written) -> [(&'static str, Option<String>); 10] {
    let (spec, credentials) = (&new.spec, &new.credentials);
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    [
        ("url", some(&spec.url)),
        ("displayName", spec.display_name.clone()),
        ("description", spec.description.clone()),
        ("disabled", spec.disabled.then(|| "true".to_owned())),
        ("username", credentials.username.clone()),
        ("password", credentials.password.clone()),
        ("token", credentials.token.clone()),
        ("ca.crt", credentials.ca.clone()),
        ("tls.crt", credentials.certificate.clone()),
        ("tls.key", credentials.key.clone()),
    ]
}

fn secret(new: &Written) -> Secret {
    let data: BTreeMap<_, _> = data_of(new)
        .into_iter()
        .filter_map(|(key, text)| Some((key.to_owned(), ByteString(text?.into_bytes()))))
        .collect();
    Secret {
        metadata: ObjectMeta {
            name: Some(format!("{NAME_PREFIX}{}", new.spec.name)),
            labels: Some([(LABEL.0.to_owned(), LABEL.1.to_owned())].into()),
            ..ObjectMeta::default()
        },
        type_: Some(TYPE.into()),
        data: Some(data),
        ..Secret::default()
    }
}

#[cfg(test)]
mod tests {
    use app::model::{References, RepositorySpec};

    use super::*;

    fn written() -> Written {
        let spec = RepositorySpec {
            origin: RepositoryOrigin::Slipway,
            name: "stable".into(),
            url: "https://charts.example.org/stable".into(),
            display_name: Some("Stable charts".into()),
            disabled: true,
            ..RepositorySpec::default()
        };
        let credentials = RepositoryCredentials {
            username: Some("me".into()),
            password: Some("secret".into()),
            ..RepositoryCredentials::default()
        };
        Written { spec, credentials, references: References::default() }
    }

    #[test]
    fn a_repository_reads_back_as_it_was_written() {
        let new = written();
        let secret = secret(&new);
        let definition = definition(&secret).unwrap();
        assert_eq!(definition.address.as_ref().unwrap().as_str(), new.spec.url);
        assert_eq!((definition.name.as_str(), definition.disabled), ("stable", true));
        assert_eq!(definition.display_name, new.spec.display_name);
        assert_eq!((definition.secured.password, definition.secured.token), (true, false));
        assert_eq!(credentials(&secret), new.credentials);
        assert!(!format!("{definition:?}").contains("secret"));
    }

    #[test]
    fn a_change_leaves_alone_what_others_have_added() {
        let mut known = secret(&written());
        known.metadata.annotations = Some([("theirs".to_owned(), "yes".to_owned())].into());
        known.data.get_or_insert_default().insert("theirs".to_owned(), ByteString(b"yes".to_vec()));
        let mut new = written();
        new.credentials =
            RepositoryCredentials { token: Some("t".into()), ..RepositoryCredentials::default() };
        new.spec.disabled = false;
        let changed = changed(known, &new);
        let keys: Vec<_> = changed.data.iter().flatten().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["displayName", "theirs", "token", "url"]);
        assert!(changed.metadata.annotations.is_some() && changed.metadata.labels.is_some());
    }

    #[test]
    fn one_that_makes_no_sense_says_so_and_costs_no_other() {
        let mut broken = secret(&written());
        broken.data = Some([("url".to_owned(), ByteString(b"\xff".to_vec()))].into());
        assert!(definition(&broken).unwrap().address.is_err());
        broken.data = None;
        assert!(definition(&broken).unwrap().address.is_err());
        broken.metadata.name = Some("another".into());
        assert_eq!(definition(&broken), None);
    }
}
