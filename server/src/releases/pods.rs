//! The pods of a release and their containers.

mod containers;

use std::collections::BTreeSet;

use app::model::{ApiError, ObjectRef, PodList, ReleaseKey, ReleasePod};
use serde_json::Value;

use super::Releases;
use super::family::{Family, Line};
use super::readiness::judge;
use crate::kube::objects::{self, Kin};

pub(super) use containers::time;

/// How many pods of a release are told of.
const PODS_MAX: usize = 2_000;
/// How many namespaces of a release are looked into for pods.
const NAMESPACES_MAX: usize = 10;
/// Those that make pods, or what makes them: listed at once, for there may be many.
const MAKERS: [(&str, &str); 2] = [("apps/v1", "ReplicaSet"), ("batch/v1", "Job")];

/// The pods that were found, with what made each.
pub(super) struct Found {
    /// What they belong to.
    pub family: Family,
    /// Each with its line up to the manifest, which it has.
    pub pods: Vec<(Seen, Line)>,
    /// The namespaces whose pods these are.
    pub listed: Vec<String>,
    /// Why these may not be all.
    pub warnings: Vec<String>,
}

/// A pod that belongs to something.
pub(super) struct Seen {
    pub object: ObjectRef,
    pub json: Value,
}

impl Releases {
    /// The pods of the release `key`, of the namespaces that `allowed` says yes to.
    ///
    /// # Errors
    /// Those of [`Releases::view`]; [`ApiError::NotFound`] when there is no such release.
    pub async fn pods(&self, key: &ReleaseKey, allowed: &[String]) -> Result<PodList, ApiError> {
        let Found { family, pods, warnings, .. } = self.find_pods(key, allowed).await?;
        let mut told: Vec<(usize, ReleasePod)> = pods
            .into_iter()
            .filter_map(|(seen, line)| {
                let place = line.root?;
                let root = family.resources.get(place)?;
                let verdict = judge("", "Pod", &seen.json);
                let pod = ReleasePod {
                    object: seen.object,
                    root: root.object.clone(),
                    source: root.source.clone(),
                    health: verdict.health,
                    message: verdict.message,
                    created: time(&seen.json["metadata"]["creationTimestamp"]),
                    node: seen.json["spec"]["nodeName"].as_str().map(str::to_owned),
                    containers: containers::read(&seen.json),
                };
                Some((place, pod))
            })
            .collect();
        told.sort_by(|(a, pod), (b, other)| (a, &pod.object.name).cmp(&(b, &other.object.name)));
        Ok(PodList {
            now: self.shared.clock.now(),
            pods: told.into_iter().map(|(_, pod)| pod).collect(),
            warnings,
        })
    }

    /// Fails unless `pod` belongs to the release `key`.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] if it does not.
    pub async fn require_pod(&self, key: &ReleaseKey, pod: &ObjectRef) -> Result<(), ApiError> {
        let missing = || ApiError::NotFound { what: format!("Pod {}", pod.name) };
        let mut family = self.family(key).await?;
        let kind = self.kind(pod).await?;
        let kin = match objects::kin(&self.shared.client, &kind, pod).await {
            Err(crate::kube::ClusterError::NotFound(_)) => return Err(missing()),
            kin => kin?,
        };
        family.root(&self.shared, pod, &kin).await?.map(|_| ()).ok_or_else(missing)
    }

    /// The namespaces in which the release `key` may have pods, its own first.
    ///
    /// # Errors
    /// Those of [`Releases::view`]; [`ApiError::NotFound`] when there is no such release.
    pub async fn namespaces_of(&self, key: &ReleaseKey) -> Result<Vec<String>, ApiError> {
        let family = self.family(key).await?;
        let others: BTreeSet<&str> =
            family.resources.iter().filter_map(|it| it.object.namespace.as_deref()).collect();
        let own = key.namespace.as_str();
        let others = others.into_iter().filter(|namespace| *namespace != own);
        Ok(std::iter::once(own).chain(others).map(str::to_owned).collect())
    }

    pub(super) async fn find_pods(&self, key: &ReleaseKey, allowed: &[String]) -> Result<Found, ApiError> {
        let mut family = self.family(key).await?;
        let (mut warnings, mut listed) = (Vec::new(), Vec::new());
        let mut found = Vec::new();
        if allowed.len() > NAMESPACES_MAX {
            let all = allowed.len();
            warnings.push(format!("Only {NAMESPACES_MAX} of {all} namespaces are looked into for pods."));
        }
        for namespace in allowed.iter().take(NAMESPACES_MAX) {
            self.learn_makers(&mut family, namespace).await;
            // What nobody made is the manifest's own, or none of the release's.
            let read = |kin: Kin, json: Value| {
                let object = pod_ref(&kin);
                (!kin.owners.is_empty() || family.place(&object).is_some()).then_some((object, kin, json))
            };
            let (pods, are_all) = match objects::pods(&self.shared.client, namespace, read).await {
                Ok(pods) => pods,
                Err(error) => {
                    warnings.push(ApiError::from(error).to_string());
                    continue;
                }
            };
            listed.push(namespace.clone());
            if !are_all {
                warnings.push(format!("The namespace {namespace} has more pods than are looked at."));
            }
            for (object, kin, json) in pods {
                let line = family.line(&self.shared, &object, &kin).await?;
                if line.root.is_some() {
                    found.push((Seen { object, json }, line));
                }
            }
        }
        if found.len() > PODS_MAX {
            warnings.push(format!("Only {PODS_MAX} of {} pods are shown.", found.len()));
            found.truncate(PODS_MAX);
        }
        Ok(Found { family, pods: found, listed, warnings })
    }

    /// Takes in who made what makes pods. What cannot be listed is asked for one by one.
    async fn learn_makers(&self, family: &mut Family, namespace: &str) {
        for (api_version, kind) in MAKERS {
            if let Ok(Some(kind)) = self.shared.discovery.kind(api_version, kind).await
                && let Ok((kin, _)) = objects::all_kin(&self.shared.client, &kind, namespace).await
            {
                family.learn(kin);
            }
        }
    }
}

fn pod_ref(kin: &Kin) -> ObjectRef {
    ObjectRef {
        api_version: "v1".to_owned(),
        kind: "Pod".to_owned(),
        namespace: kin.namespace.clone(),
        name: kin.name.clone(),
    }
}
