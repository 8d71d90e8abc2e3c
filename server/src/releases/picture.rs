//! A release as a picture: its objects, what they have to do with each other, and a place for each.

mod layout;
mod relations;
mod sketch;

use app::model::{ApiError, ObjectRef, Picture, ReleaseKey};
use serde_json::Value;

use self::sketch::{PodSeen, Sketch};
use super::pods::Found;
use super::readiness::judge;
use super::{Releases, manifest};

/// The largest document that is taken apart for the picture, in bytes: etcd takes no larger object.
const DOCUMENT_MAX: usize = 2 * 1024 * 1024;

impl Releases {
    /// The release `key` as a picture, with the pods of the namespaces that `allowed` says yes to.
    ///
    /// # Errors
    /// Those of [`Releases::view`]; [`ApiError::NotFound`] when there is no such release.
    pub async fn picture(&self, key: &ReleaseKey, allowed: &[String]) -> Result<Picture, ApiError> {
        let Found { family, pods, listed, warnings } = self.find_pods(key, allowed).await?;
        let (_, record) = self.record(key, None).await?;
        let namespace = record.summary.target_namespace.clone().unwrap_or_else(|| key.namespace.clone());
        let made = tokio::task::spawn_blocking(move || {
            let mut specs = vec![Value::Null; family.resources.len()];
            for document in manifest::of_record(&record) {
                for (object, spec) in objects(&document.text, &namespace) {
                    if let Some(slot) = family.place(&object).and_then(|place| specs.get_mut(place)) {
                        *slot = spec;
                    }
                }
            }
            let pods: Vec<PodSeen> = pods
                .into_iter()
                .filter_map(|(pod, line)| {
                    let health = judge("", "Pod", &pod.json).health;
                    let claims = relations::claims(&pod.json["spec"]);
                    Some(PodSeen {
                        root: line.root?,
                        between: line.between,
                        namespace: pod.object.namespace,
                        health,
                        claims,
                    })
                })
                .collect();
            let picture = sketch::of(&Sketch { resources: &family.resources, specs: &specs, pods: &pods });
            layout::place(sketch::with_known_pods(picture, &listed))
        });
        let picture = made.await.map_err(|_| ApiError::Unavailable {
            message: "The picture of the release could not be drawn.".to_owned(),
        })?;
        Ok(Picture { warnings, ..picture })
    }
}

/// The objects of one document, a list's one by one. Those without a namespace are taken to be in `namespace`.
fn objects(document: &str, namespace: &str) -> Vec<(ObjectRef, Value)> {
    if document.len() > DOCUMENT_MAX {
        return Vec::new();
    }
    let options = serde_saphyr::options! {
        // helm's parser takes the last one too.
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
    };
    let Ok(json) = serde_saphyr::from_str_with_options::<Value>(document, options) else { return Vec::new() };
    let is_list = json["kind"].as_str().is_some_and(|kind| kind.ends_with("List"));
    let items = match json["items"].as_array() {
        Some(items) if is_list => items.clone(),
        _ => vec![json],
    };
    let named = |json: Value| {
        let text = |path: &str| json.pointer(path).and_then(Value::as_str).filter(|text| !text.is_empty());
        let object = ObjectRef {
            api_version: text("/apiVersion")?.to_owned(),
            kind: text("/kind")?.to_owned(),
            namespace: Some(text("/metadata/namespace").unwrap_or(namespace).to_owned()),
            name: text("/metadata/name")?.to_owned(),
        };
        Some((object, json))
    };
    items.into_iter().filter_map(named).collect()
}
