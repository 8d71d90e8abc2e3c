//! Repositories as they are looked after: listed, tested, added, changed, removed.

use std::collections::BTreeSet;
use std::time::Duration;

use app::model::{ApiError, RepositoryOrigin, RepositorySpec, RepositoryState, RepositoryTest};
use url::Url;

use super::fetch::{FetchError, Validators, shown};
use super::repository::{FRESH_FOR, fetch_index};
use super::source::{Definition, Written, check};
use super::{Charts, Reach};
use crate::credentials::RepositoryCredentials;
use crate::kube::ClusterError;

/// How long a test may take; a page's own request ends a little later.
const TEST_WITHIN: Duration = Duration::from_secs(25);

/// How long an answer waits for the index of a repository that has just been set up.
const FIRST_LOOK_WITHIN: Duration = Duration::from_secs(5);

/// A repository that can be changed or removed: the name that Slipway has for it, and how it is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetUp {
    /// How.
    definition: Definition,
}

impl SetUp {
    /// Where.
    pub fn origin(&self) -> RepositoryOrigin {
        self.definition.origin
    }

    /// For which namespace; none for all.
    pub fn namespace(&self) -> Option<&str> {
        self.definition.namespace.as_deref()
    }
}

impl Charts {
    /// How the repositories within `reach` are doing, by name; and why there may be more.
    pub async fn states(&self, reach: &Reach) -> (Vec<RepositoryState>, Vec<String>) {
        let found = self.shelf.find(reach).await;
        let (shelf, behind) = (self.shelf.clone(), found.repositories.clone());
        tokio::spawn(async move { shelf.refresh(&behind, FRESH_FOR).await });
        let mut states: Vec<_> = found.repositories.iter().map(|repository| repository.state()).collect();
        states.extend(found.shadowed.iter().map(|repository| RepositoryState {
            error: Some("Another repository of this name comes first; give one of them another name.".into()),
            ..repository.state()
        }));
        states.sort_by(|a, b| (&a.name, a.origin.as_str()).cmp(&(&b.name, b.origin.as_str())));
        (states, found.warnings)
    }

    /// Where repositories can be set up in this cluster.
    pub async fn origins(&self) -> Vec<RepositoryOrigin> {
        let mut origins = Vec::new();
        for origin in [RepositoryOrigin::Slipway, RepositoryOrigin::Cluster, RepositoryOrigin::Project] {
            if let Some(source) = self.shelf.source(origin)
                && source.takes_new().await
            {
                origins.push(origin);
            }
        }
        origins
    }

    /// The namespaces that have repositories of their own.
    ///
    /// # Errors
    /// As [`super::shelf::Shelf::namespaces`].
    pub async fn namespaces(&self) -> Result<BTreeSet<String>, ClusterError> {
        self.shelf.namespaces().await
    }

    /// Fetches the index of the repository `name` because a person asks for it, and says how it is then.
    ///
    /// # Errors
    /// When there is none, nobody is to use it, or it does not answer in time.
    pub async fn look_again(&self, reach: &Reach, name: &str) -> Result<RepositoryState, ApiError> {
        let found = self.enabled(reach, name).await?;
        let look = found.refresh(self.shelf.fetcher(), Duration::ZERO);
        tokio::time::timeout(TEST_WITHIN, look).await.map_err(|_| ApiError::Unavailable {
            message: format!("The repository cannot be used: {}.", FetchError::TimedOut),
        })?;
        Ok(found.state())
    }

    /// The repository `name` within `reach`.
    ///
    /// # Errors
    /// When there is none.
    pub async fn set_up(&self, reach: &Reach, name: &str) -> Result<SetUp, ApiError> {
        let found = self.shelf.named(reach, name).await;
        let found = found.ok_or_else(|| ApiError::NotFound { what: format!("The repository {name}") })?;
        Ok(SetUp { definition: found.definition().clone() })
    }

    /// Fetches the index with the given settings, and stores nothing. For a change of `of`, credentials that are left out
    /// are those that it has.
    ///
    /// # Errors
    /// When the settings make no sense, or nothing can be fetched with them.
    pub async fn test_repository(
        &self,
        spec: &RepositorySpec,
        of: Option<&SetUp>,
    ) -> Result<RepositoryTest, ApiError> {
        let (url, written) = self.written(spec, of).await?;
        let credentials = self.effective(spec, &url, written).await?;
        let unknown = Validators::default();
        let fetch = fetch_index(self.shelf.fetcher(), &url, &credentials, &unknown);
        let answer = tokio::time::timeout(TEST_WITHIN, fetch).await.unwrap_or(Err(FetchError::TimedOut));
        let index = answer.map_err(|error| ApiError::Unavailable {
            message: format!("The repository cannot be used: {error}."),
        })?;
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let index = index.map(|(index, _)| index);
        let versions = index.as_ref().map(|index| index.charts.values().map(|it| it.versions.len()).sum());
        Ok(RepositoryTest {
            charts: index.map(|index| count(index.charts.len())),
            versions: versions.map(count),
        })
    }

    /// Adds a repository.
    ///
    /// # Errors
    /// When its settings make no sense, its name is taken, or the cluster refuses.
    pub async fn add_repository(
        &self,
        reach: &Reach,
        spec: &RepositorySpec,
    ) -> Result<RepositoryState, ApiError> {
        let (_, written) = self.written(spec, None).await?;
        let id = id_of(spec);
        if self.shelf.named(reach, &id).await.is_some() {
            return Err(taken(&id));
        }
        let source = self.shelf.source(spec.origin).ok_or_else(|| no_such_place(spec.origin))?;
        source.add(&written).await.map_err(|error| match error {
            ClusterError::AlreadyExists(_) => taken(&id),
            ClusterError::NotFound(_) => no_such_place(spec.origin),
            other => other.into(),
        })?;
        self.settled(reach, spec, &id).await
    }

    /// Changes a repository to be as `spec` says. Its name and where it is set up stay.
    ///
    /// # Errors
    /// When the settings make no sense, it has changed meanwhile, or the cluster refuses.
    pub async fn change_repository(
        &self,
        reach: &Reach,
        of: &SetUp,
        spec: &RepositorySpec,
    ) -> Result<RepositoryState, ApiError> {
        let before = &of.definition;
        let is_same =
            (spec.origin, &spec.namespace, &spec.name) == (before.origin, &before.namespace, &before.name);
        if !is_same {
            let words = "A repository keeps its name and its place; add another one and remove this one.";
            return Err(ApiError::invalid("name", words));
        }
        let (_, written) = self.written(spec, Some(of)).await?;
        let source = self.shelf.source(spec.origin).ok_or_else(|| no_such_place(spec.origin))?;
        source.change(before, &written).await.map_err(changed_meanwhile)?;
        self.settled(reach, spec, &before.id()).await
    }

    /// Removes a repository.
    ///
    /// # Errors
    /// When it has changed meanwhile, or the cluster refuses.
    pub async fn remove_repository(&self, of: &SetUp) -> Result<(), ApiError> {
        let definition = &of.definition;
        let source = self.shelf.source(definition.origin).ok_or_else(|| no_such_place(definition.origin))?;
        source.remove(definition).await.map_err(changed_meanwhile)?;
        self.shelf.forget(definition.origin, definition.namespace.as_deref());
        Ok(())
    }

    /// What is to be written, checked: credentials go over https alone, and those that are kept go to the server that
    /// they were given for, and to no other.
    async fn written(&self, spec: &RepositorySpec, of: Option<&SetUp>) -> Result<(Url, Written), ApiError> {
        let before = of.map(|of| &of.definition);
        let spec = &with_whole_address(spec, before);
        let url = check(spec)?;
        let credentials = match (&spec.credentials, before) {
            (Some(given), _) => {
                let given = RepositoryCredentials::given(given);
                given.map_err(|(field, words)| ApiError::invalid(&format!("credentials.{field}"), words))?
            }
            (None, Some(before)) if before.origin == RepositoryOrigin::Slipway => {
                let source = self.shelf.source(before.origin).ok_or_else(|| no_such_place(before.origin))?;
                let kept = source.credentials(before).await?;
                if kept.is_secret() && !before.address.as_ref().is_ok_and(|old| is_same_server(old, &url)) {
                    let words = "Its credentials were given for another server; give them anew for this one.";
                    return Err(ApiError::invalid("credentials", words));
                }
                kept
            }
            _ => RepositoryCredentials::default(),
        };
        credentials.may_go_to(&url).or_else(|words| match url.scheme() {
            "oci" => Ok(()),
            _ => Err(ApiError::invalid("url", format!("{words}."))),
        })?;
        let references = spec.references.clone().unwrap_or_default();
        let has_references = references.password.is_some() || references.certificate.is_some();
        if has_references && url.scheme() == "http" && !crate::credentials::is_private(&url) {
            return Err(ApiError::invalid("url", "Credentials are sent over https alone."));
        }
        Ok((url, Written { spec: spec.clone(), credentials, references }))
    }

    /// The credentials that a repository would have: those that were given, or what the objects hold that were named.
    async fn effective(
        &self,
        spec: &RepositorySpec,
        url: &Url,
        written: Written,
    ) -> Result<RepositoryCredentials, ApiError> {
        if spec.origin == RepositoryOrigin::Slipway {
            return Ok(written.credentials);
        }
        let source = self.shelf.source(spec.origin).ok_or_else(|| no_such_place(spec.origin))?;
        let secured =
            app::model::Secured { references: Some(written.references), ..app::model::Secured::default() };
        let definition = Definition {
            origin: spec.origin,
            namespace: spec.namespace.clone(),
            name: spec.name.clone(),
            address: Ok(url.clone()),
            display_name: None,
            description: None,
            disabled: false,
            secured,
            revision: String::new(),
        };
        source.credentials(&definition).await.map_err(|error| match error {
            ClusterError::NotFound(what) => ApiError::invalid("references", format!("Not there: {what}.")),
            ClusterError::Unreadable(why) => ApiError::invalid("references", format!("{why}.")),
            other => other.into(),
        })
    }

    /// A repository that has just been written, after a first look at it.
    async fn settled(
        &self,
        reach: &Reach,
        spec: &RepositorySpec,
        id: &str,
    ) -> Result<RepositoryState, ApiError> {
        self.shelf.forget(spec.origin, spec.namespace.as_deref());
        let found = self.shelf.named(reach, id).await;
        let found = found.ok_or_else(|| ApiError::NotFound { what: format!("The repository {id}") })?;
        let first_look = found.refresh(self.shelf.fetcher(), Duration::ZERO);
        // One that takes longer is there all the same.
        let _ = tokio::time::timeout(FIRST_LOOK_WITHIN, first_look).await;
        Ok(found.state())
    }
}

fn id_of(spec: &RepositorySpec) -> String {
    match &spec.namespace {
        Some(namespace) => format!("{namespace}:{}", spec.name),
        None => spec.name.clone(),
    }
}

/// What was asked for, with the address that the repository has where it was left as it is shown: what may be a secret in
/// it, its query, is not shown, and whoever changes something else does not lose it.
fn with_whole_address(spec: &RepositorySpec, before: Option<&Definition>) -> RepositorySpec {
    let kept = before.and_then(|before| before.address.as_ref().ok());
    match kept.filter(|kept| shown(kept) == spec.url.trim()) {
        Some(kept) => RepositorySpec { url: kept.to_string(), ..spec.clone() },
        None => spec.clone(),
    }
}

fn is_same_server(a: &Url, b: &Url) -> bool {
    let server =
        |url: &Url| (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port_or_known_default());
    server(a) == server(b)
}

fn taken(id: &str) -> ApiError {
    ApiError::Conflict {
        message: format!("There is a repository {id} already; choose another name."),
        operation: None,
    }
}

fn changed_meanwhile(error: ClusterError) -> ApiError {
    match error {
        ClusterError::Conflict(_) => ApiError::Conflict {
            message: "Somebody else has changed the repository meanwhile; look at it again.".into(),
            operation: None,
        },
        ClusterError::NotFound(_) => ApiError::NotFound { what: "The repository".into() },
        other => other.into(),
    }
}

fn no_such_place(origin: RepositoryOrigin) -> ApiError {
    let message = match origin {
        RepositoryOrigin::Cluster => "This cluster has no HelmChartRepository, which is a part of OpenShift.",
        RepositoryOrigin::Project => {
            "This cluster has no ProjectHelmChartRepository, which is a part of OpenShift."
        }
        _ => "Repositories cannot be set up there.",
    };
    ApiError::invalid("origin", message)
}

#[cfg(test)]
mod tests;
