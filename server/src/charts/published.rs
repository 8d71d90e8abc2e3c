//! Newer versions in registries. These list no charts, so each chart that a release came from is asked for by itself: seldom,
//! a few at a time, and behind whoever asks.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use app::model::ChartSource;
use futures::StreamExt;
use futures::stream;
use url::Url;

use super::elsewhere::credentials_of;
use super::oci::{Reference, Registry};
use super::repository::Repository;
use super::shelf::Shelf;
use super::{Charts, Reach, order, place_in};

/// For how long an answer is believed, also a refusal.
const BELIEVED_FOR: Duration = Duration::from_secs(900);
/// For how long whoever asks waits for what is not known yet.
const ANSWER_WITHIN: Duration = Duration::from_secs(4);
/// How many charts are asked for at a time, and how many at all for one question.
const AT_A_TIME: usize = 4;
const ASKED_MAX: usize = 100;
/// How many charts' versions are remembered.
const KNOWN_MAX: usize = 1_000;

/// What registries have told.
#[derive(Default)]
pub struct Published {
    charts: Mutex<HashMap<String, Known>>,
}

struct Known {
    asked: Instant,
    /// The newest stable one.
    newest: Option<String>,
}

/// A chart in a registry, and the repository whose credentials open it.
#[derive(Clone)]
struct Place {
    reference: Reference,
    owner: Option<Arc<Repository>>,
}

impl Place {
    /// What one user's credentials find is nobody else's answer.
    fn key(&self) -> String {
        let owner = self.owner.as_ref().map(|owner| owner.id()).unwrap_or_default();
        format!("{owner} {}", self.reference.address())
    }
}

impl Charts {
    /// Of each of these charts and the version of it that is installed: the newest stable version after that, where it is in
    /// a registry that has told of one.
    pub async fn newer_in_registries(
        &self,
        reach: &Reach,
        installed: &[Option<(&ChartSource, &str)>],
    ) -> Vec<Option<String>> {
        let mut places = BTreeMap::new();
        let mut asked = Vec::new();
        for one in installed.iter().copied() {
            let place = match one {
                Some((source, _)) => self.place_of(reach, source).await,
                None => None,
            };
            let key = place.as_ref().map(Place::key);
            if let (Some(key), Some(place)) = (&key, place) {
                places.insert(key.clone(), place);
            }
            asked.push(key.zip(one.map(|(_, version)| version)));
        }
        let due: Vec<_> = {
            let known = self.published.lock();
            let is_due = |key: &String| known.get(key).is_none_or(|it| it.asked.elapsed() >= BELIEVED_FOR);
            places.into_iter().filter(|(key, _)| is_due(key)).take(ASKED_MAX).collect()
        };
        if !due.is_empty() {
            let (shelf, published) = (self.shelf.clone(), self.published.clone());
            let asking = tokio::spawn(async move { published.ask(&shelf, due).await });
            // What takes longer is known the next time.
            let _ = tokio::time::timeout(ANSWER_WITHIN, asking).await;
        }
        let known = self.published.lock();
        let newer = |(key, version): (String, &str)| {
            let newest = known.get(&key)?.newest.clone()?;
            let (new, old) = (order::parse(&newest)?, order::parse(version)?);
            new.cmp_precedence(&old).is_gt().then_some(newest)
        };
        asked.into_iter().map(|one| newer(one?)).collect()
    }

    async fn place_of(&self, reach: &Reach, source: &ChartSource) -> Option<Place> {
        match source {
            ChartSource::Oci { url, .. } => {
                let reference = Reference::parse(url).ok()?;
                let owner = self.shelf.owner_of(reach, &Url::parse(&reference.address()).ok()?).await;
                Some(Place { reference, owner })
            }
            ChartSource::Repository { repository, name, .. } => {
                let found = self.shelf.named(reach, repository).await?;
                let is_usable = found.definition().is_registry() && !found.definition().disabled;
                let reference = is_usable.then(|| place_in(&found, name))?.ok()?;
                Some(Place { reference, owner: Some(found) })
            }
            ChartSource::Url { .. } | ChartSource::Upload { .. } => None,
        }
    }
}

impl Published {
    async fn ask(&self, shelf: &Shelf, due: Vec<(String, Place)>) {
        stream::iter(due)
            .for_each_concurrent(AT_A_TIME, |(key, place)| async move {
                let newest = newest(shelf, &place).await;
                let mut known = self.lock();
                while known.len() >= KNOWN_MAX && !known.contains_key(&key) {
                    let oldest = known.iter().min_by_key(|(_, it)| it.asked).map(|(key, _)| key.clone());
                    let Some(oldest) = oldest else { break };
                    known.remove(&oldest);
                }
                // What it told before still holds, as far as anybody knows.
                let before = known.get(&key).and_then(|it| it.newest.clone());
                known.insert(key, Known { asked: Instant::now(), newest: newest.unwrap_or(before) });
            })
            .await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.charts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The newest stable version that a registry has of a chart; none if it does not say.
async fn newest(shelf: &Shelf, Place { reference, owner }: &Place) -> Option<Option<String>> {
    let credentials = credentials_of(owner.as_ref()).await.ok()?;
    let mut registry = Registry::new(shelf.fetcher(), reference, &credentials).ok()?;
    let versions = registry.versions().await.ok()?;
    Some(versions.into_iter().find(|version| order::is_stable(version)))
}
