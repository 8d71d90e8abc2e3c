//! What an identity may do, asked of the cluster itself.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use app::port::Caller;
use k8s_openapi::api::authentication::v1::SelfSubjectReview;
use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec,
};
use kube::api::{Api, PostParams};

use super::{Client, ClusterError};

/// How long an answer is believed: short enough for a right that was just taken away, long enough for a page's polls.
const BELIEVED_FOR: Duration = Duration::from_secs(30);

/// One question: may the caller do `verb` to `resource` of `group` in `namespace` (none: in all)?
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Right {
    /// `list`, `create`, …
    pub verb: &'static str,
    /// The API group; empty for the core one.
    pub group: Cow<'static, str>,
    /// The plural, with the subresource if it is about one, as roles name them: `secrets`, `pods/log`.
    pub resource: Cow<'static, str>,
    /// The namespace; none for all of them, or for a cluster-scoped resource.
    pub namespace: Option<String>,
}

impl Right {
    /// A right to what Kubernetes itself has.
    pub fn to(verb: &'static str, resource: &'static str, namespace: Option<&str>) -> Self {
        Self { verb, group: "".into(), resource: resource.into(), namespace: namespace.map(str::to_owned) }
    }

    /// The right to read the releases of `namespace`: helm's records are Secrets.
    pub fn to_read_releases(namespace: Option<&str>) -> Self {
        Self::to("list", "secrets", namespace)
    }

    /// The right to change the releases of `namespace`: helm's first act is to write its record.
    pub fn to_write_releases(namespace: &str) -> Self {
        Self::to("create", "secrets", Some(namespace))
    }
}

impl std::fmt::Display for Right {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { verb, resource, namespace, .. } = self;
        match namespace {
            Some(namespace) => write!(f, "{verb} {resource} in namespace {namespace}"),
            None => write!(f, "{verb} {resource} in all namespaces"),
        }
    }
}

/// Asks the cluster what callers may do, and remembers for a moment.
pub struct Access {
    client: Client,
    answers: Mutex<HashMap<(Caller, Right), (Instant, bool)>>,
}

impl Access {
    /// Asks with `client`.
    pub fn new(client: Client) -> Self {
        Self { client, answers: Mutex::default() }
    }

    /// Who the client's identity is, as the cluster names it.
    ///
    /// # Errors
    /// When the cluster does not answer.
    pub async fn whoami(&self) -> Result<String, ClusterError> {
        let api: Api<SelfSubjectReview> = Api::all(self.client.clone());
        let answer = api.create(&PostParams::default(), &SelfSubjectReview::default()).await?;
        let user = answer.status.and_then(|status| status.user_info).and_then(|user| user.username);
        Ok(user.unwrap_or_else(|| "unknown".into()))
    }

    /// Whether `caller` has `right`.
    ///
    /// # Errors
    /// When the cluster does not answer; a caller must take that for a no.
    pub async fn allows(&self, caller: &Caller, right: &Right) -> Result<bool, ClusterError> {
        let question = (caller.clone(), right.clone());
        let known = self.lock().get(&question).copied();
        if let Some((_, answer)) = known.filter(|(at, _)| at.elapsed() < BELIEVED_FOR) {
            return Ok(answer);
        }
        let api: Api<SelfSubjectAccessReview> = Api::all(self.client.clone());
        let (resource, subresource) = match right.resource.split_once('/') {
            Some((resource, subresource)) => (resource, Some(subresource)),
            None => (right.resource.as_ref(), None),
        };
        let review = SelfSubjectAccessReview {
            spec: SelfSubjectAccessReviewSpec {
                resource_attributes: Some(ResourceAttributes {
                    verb: Some(right.verb.into()),
                    group: Some(right.group.clone().into_owned()),
                    resource: Some(resource.to_owned()),
                    subresource: subresource.map(str::to_owned),
                    namespace: right.namespace.clone(),
                    ..ResourceAttributes::default()
                }),
                ..SelfSubjectAccessReviewSpec::default()
            },
            ..SelfSubjectAccessReview::default()
        };
        let answer = api.create(&PostParams::default(), &review).await?;
        let allowed = answer.status.is_some_and(|status| status.allowed);
        let mut answers = self.lock();
        answers.retain(|_, (at, _)| at.elapsed() < BELIEVED_FOR);
        answers.insert(question, (Instant::now(), allowed));
        Ok(allowed)
    }

    /// Like [`Access::allows`], as an error that names the missing right.
    ///
    /// # Errors
    /// [`ClusterError::Forbidden`] when the caller has not the right.
    pub async fn require(&self, caller: &Caller, right: &Right) -> Result<(), ClusterError> {
        if self.allows(caller, right).await? {
            return Ok(());
        }
        Err(ClusterError::Forbidden(format!("{} may not {right}.", caller.user)))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(Caller, Right), (Instant, bool)>> {
        self.answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
