//! All repositories, wherever they are set up, with their indexes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use app::model::RepositoryOrigin;
use futures::StreamExt;
use futures::future::join_all;
use futures::stream;
use url::Url;

use super::fetch::Fetcher;
use super::repository::{FRESH_FOR, Repository};
use super::source::{Definition, RepositorySource};
use crate::clock::cluster::Clock;
use crate::kube::ClusterError;

/// How long a list of definitions is believed: a page's calls come close together.
const LISTED_FOR: Duration = Duration::from_secs(5);
/// How long listing them may take: while the cluster is away, the repositories of the settings are shown all the same.
const LIST_WITHIN: Duration = Duration::from_secs(5);
/// How many indexes are fetched and read at a time, which bounds the memory for it.
const AT_A_TIME: usize = 3;
/// What is said where some are not for the caller.
const LOCKED: &str = "Some repositories of this namespace are not shown: their credentials are in Secrets that you may not read.";
/// How many namespaces' repositories are remembered, and for how long those that nobody asks for.
const PLACES_MAX: usize = 50;
const PLACE_KEPT_FOR: Duration = Duration::from_secs(1800);

/// Which repositories a caller may see: those of the settings and of Slipway's own always.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// OpenShift's for the whole cluster.
    pub cluster: bool,
    /// OpenShift's for these namespaces: of each, whether those are within it, too, whose credentials are in Secrets there.
    pub namespaces: BTreeMap<String, bool>,
    /// There are more namespaces than are looked into at once.
    pub is_partial: bool,
}

impl Reach {
    /// What everybody can reach, and the server itself keeps fresh.
    pub fn common() -> Self {
        Self { cluster: true, ..Self::default() }
    }

    /// Whether a repository is within it. Whoever may not read a Secret makes no use of it by Slipway either.
    fn has(&self, definition: &Definition) -> bool {
        let is_secret = definition.secured.password || definition.secured.certificate;
        let may_read =
            || definition.namespace.as_ref().and_then(|name| self.namespaces.get(name)) == Some(&true);
        definition.origin != RepositoryOrigin::Project || !is_secret || may_read()
    }

    /// Which namespaces' repositories of `origin` are within it; `None` is those for everybody.
    fn places(&self, origin: RepositoryOrigin) -> Vec<Option<&str>> {
        match origin {
            RepositoryOrigin::Settings | RepositoryOrigin::Slipway => vec![None],
            RepositoryOrigin::Cluster => self.cluster.then_some(None).into_iter().collect(),
            RepositoryOrigin::Project => self.namespaces.keys().map(|name| Some(name.as_str())).collect(),
        }
    }
}

/// The repositories within a reach.
#[derive(Default)]
pub struct Found {
    /// Each has a name of its own.
    pub repositories: Vec<Arc<Repository>>,
    /// Those that another one of the same name stands before.
    pub shadowed: Vec<Arc<Repository>>,
    /// Why there may be more, in words.
    pub warnings: Vec<String>,
}

type Place = (RepositoryOrigin, Option<String>);

#[derive(Default)]
struct Listed {
    at: Option<Instant>,
    used: Option<Instant>,
    repositories: Vec<Arc<Repository>>,
    warning: Option<String>,
}

/// All repositories.
pub struct Shelf {
    fetcher: Fetcher,
    clock: Clock,
    /// In the order in which they come first when two have a name in common.
    sources: Vec<Listing>,
    places: Mutex<HashMap<Place, Listed>>,
    /// Those with repositories of their own, and since when that is known.
    namespaces: Mutex<Option<(Instant, BTreeSet<String>)>>,
}

/// One source.
struct Listing {
    source: Arc<dyn RepositorySource>,
    /// Held while its definitions are listed, so that each repository is there once.
    turn: tokio::sync::Mutex<()>,
}

impl Shelf {
    /// The repositories of these sources.
    pub fn new(fetcher: Fetcher, clock: Clock, sources: Vec<Arc<dyn RepositorySource>>) -> Self {
        let listing = |source| Listing { source, turn: tokio::sync::Mutex::default() };
        let sources = sources.into_iter().map(listing).collect();
        Self { fetcher, clock, sources, places: Mutex::default(), namespaces: Mutex::default() }
    }

    /// The cluster's clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Fetches files without credentials.
    pub fn fetcher(&self) -> &Fetcher {
        &self.fetcher
    }

    /// The place where repositories of `origin` are set up.
    pub fn source(&self, origin: RepositoryOrigin) -> Option<&Arc<dyn RepositorySource>> {
        self.sources.iter().map(|listing| &listing.source).find(|source| source.origin() == origin)
    }

    /// The repositories within `reach`, as they are set up now.
    pub async fn find(&self, reach: &Reach) -> Found {
        let mut found = Found::default();
        let mut names = HashSet::new();
        if reach.is_partial {
            let words = "There are more namespaces with repositories of their own than are shown together; choose a namespace to see its.";
            found.warnings.push(words.into());
        }
        let within = self.sources.iter().flat_map(|listing| {
            let places = reach.places(listing.source.origin()).into_iter();
            places.map(move |namespace| self.list(listing, namespace))
        });
        for (repositories, warning) in join_all(within).await {
            found.warnings.extend(warning);
            let all = repositories.len();
            let within: Vec<_> = repositories.into_iter().filter(|it| reach.has(it.definition())).collect();
            if within.len() < all {
                found.warnings.push(LOCKED.into());
            }
            for repository in within {
                if names.insert(repository.id()) {
                    found.repositories.push(repository);
                } else {
                    found.shadowed.push(repository);
                }
            }
        }
        found
    }

    /// The repository that has this name within `reach`. Asks no further than needed.
    pub async fn named(&self, reach: &Reach, name: &str) -> Option<Arc<Repository>> {
        for listing in &self.sources {
            for namespace in reach.places(listing.source.origin()) {
                let (repositories, _) = self.list(listing, namespace).await;
                let mut within = repositories.into_iter().filter(|it| reach.has(it.definition()));
                if let Some(found) = within.find(|repository| repository.id() == name) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// The namespaces that have repositories of their own.
    ///
    /// # Errors
    /// When the cluster does not tell; [`ClusterError::Forbidden`] when it tells of each namespace by itself alone.
    pub async fn namespaces(&self) -> Result<BTreeSet<String>, ClusterError> {
        let known = self.known_namespaces().clone().filter(|(at, _)| at.elapsed() < LISTED_FOR);
        if let Some((_, names)) = known {
            return Ok(names);
        }
        let mut names = BTreeSet::new();
        for Listing { source, .. } in &self.sources {
            names.extend(source.namespaces().await?);
        }
        *self.known_namespaces() = Some((Instant::now(), names.clone()));
        Ok(names)
    }

    fn known_namespaces(&self) -> MutexGuard<'_, Option<(Instant, BTreeSet<String>)>> {
        self.namespaces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The repository within `reach` whose credentials are for `url`: on the same server, with `url` below its address.
    pub async fn owner_of(&self, reach: &Reach, url: &Url) -> Option<Arc<Repository>> {
        let found = self.find(reach).await.repositories.into_iter();
        let owners = found.filter(|repository| {
            let definition = repository.definition();
            !definition.disabled && definition.address.as_ref().is_ok_and(|address| is_below(url, address))
        });
        owners.max_by_key(|repository| repository.url().map_or(0, |url| url.path().len()))
    }

    /// Forgets what is known of how the repositories of `origin` are set up, for one of them has just been changed.
    pub fn forget(&self, origin: RepositoryOrigin, namespace: Option<&str>) {
        if let Some(listed) = self.lock().get_mut(&(origin, namespace.map(str::to_owned))) {
            listed.at = None;
        }
        *self.known_namespaces() = None;
    }

    /// Fetches the indexes of these that are older than `age`, a few at a time.
    pub async fn refresh(&self, repositories: &[Arc<Repository>], age: Duration) {
        stream::iter(repositories)
            .for_each_concurrent(AT_A_TIME, |repository| repository.refresh(&self.fetcher, age))
            .await;
    }

    /// Keeps fresh what everybody can reach; never ends.
    pub async fn keep_fresh(&self) {
        loop {
            let found = self.find(&Reach::common()).await;
            self.refresh(&found.repositories, FRESH_FOR / 2).await;
            tokio::time::sleep(FRESH_FOR).await;
        }
    }

    async fn list(
        &self,
        Listing { source, turn }: &Listing,
        namespace: Option<&str>,
    ) -> (Vec<Arc<Repository>>, Option<String>) {
        let place = (source.origin(), namespace.map(str::to_owned));
        if let Some(known) = self.known(&place) {
            return known;
        }
        let _turn = turn.lock().await;
        if let Some(known) = self.known(&place) {
            return known;
        }
        let away = |_| Err(ClusterError::Unreachable("no answer in time".into()));
        let answer = tokio::time::timeout(LIST_WITHIN, source.list(namespace)).await.unwrap_or_else(away);
        let mut places = self.lock();
        forget_unused(&mut places);
        let listed = places.entry(place).or_default();
        (listed.at, listed.used) = (Some(Instant::now()), Some(Instant::now()));
        listed.warning = match answer {
            Ok(definitions) => {
                listed.repositories = renewed(&listed.repositories, definitions, source, &self.clock);
                None
            }
            // A cluster that has no such kind.
            Err(ClusterError::NotFound(_)) => {
                listed.repositories.clear();
                None
            }
            Err(ClusterError::Forbidden(words)) => {
                listed.repositories.clear();
                Some(format!("Some repositories cannot be listed: {words}"))
            }
            // What was there still is, as far as anybody knows.
            Err(_) => Some("Some repositories cannot be listed: the cluster does not answer.".into()),
        };
        (listed.repositories.clone(), listed.warning.clone())
    }

    fn known(&self, place: &Place) -> Option<(Vec<Arc<Repository>>, Option<String>)> {
        let mut places = self.lock();
        let listed = places.get_mut(place)?;
        listed.used = Some(Instant::now());
        let is_fresh = listed.at.is_some_and(|at| at.elapsed() < LISTED_FOR);
        is_fresh.then(|| (listed.repositories.clone(), listed.warning.clone()))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Place, Listed>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The repositories of these definitions, with the indexes of those that were there before.
fn renewed(
    before: &[Arc<Repository>],
    definitions: Vec<Definition>,
    source: &Arc<dyn RepositorySource>,
    clock: &Clock,
) -> Vec<Arc<Repository>> {
    let renew = |definition: Definition| {
        let same = before.iter().find(|known| known.definition().name == definition.name);
        match same {
            Some(known) if *known.definition() == definition => known.clone(),
            Some(known) => Arc::new(known.changed(definition)),
            None => Arc::new(Repository::new(definition, source.clone(), clock.clone())),
        }
    };
    definitions.into_iter().map(renew).collect()
}

/// Forgets the repositories of namespaces that nobody looks at any more: their indexes may be large.
fn forget_unused(places: &mut HashMap<Place, Listed>) {
    places.retain(|(_, namespace), listed| {
        namespace.is_none() || listed.used.is_some_and(|used| used.elapsed() < PLACE_KEPT_FOR)
    });
    while places.len() >= PLACES_MAX {
        let of_namespaces = places.iter().filter(|((_, namespace), _)| namespace.is_some());
        let Some(oldest) =
            of_namespaces.min_by_key(|(_, listed)| listed.used).map(|(place, _)| place.clone())
        else {
            break;
        };
        places.remove(&oldest);
    }
}

/// Whether `url` is below `base`, on the same server.
fn is_below(url: &Url, base: &Url) -> bool {
    let path = base.path().trim_end_matches('/');
    // Addresses in registries have an origin of their own each.
    (url.scheme(), url.host_str(), url.port_or_known_default())
        == (base.scheme(), base.host_str(), base.port_or_known_default())
        && url.path().strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        && !url.path().contains("/../")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_for_what_is_below_a_repositorys_address() {
        let base = Url::parse("https://host/charts").unwrap();
        for (url, below) in [
            ("https://host/charts/web-1.tgz", true),
            ("https://host:443/charts/a/web-1.tgz", true),
            ("https://host/charts-of-others/web-1.tgz", false),
            ("https://host/charts/../other/web-1.tgz", false),
            ("http://host/charts/web-1.tgz", false),
            ("https://host:8443/charts/web-1.tgz", false),
            ("https://host.example.org/charts/web-1.tgz", false),
        ] {
            assert_eq!(is_below(&Url::parse(url).unwrap(), &base), below, "{url}");
        }
        let registry = Url::parse("oci://r.io:5000/team").unwrap();
        for (url, below) in [
            ("oci://r.io:5000/team/web", true),
            ("oci://r.io:5000/other/web", false),
            ("oci://r.io/team/web", false),
        ] {
            assert_eq!(is_below(&Url::parse(url).unwrap(), &registry), below, "{url}");
        }
    }
}
