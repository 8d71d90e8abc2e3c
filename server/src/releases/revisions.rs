//! Revisions side by side: what was given, what was rendered, what came of it.

use app::model::{ApiError, Comparison, Facet, Preview, RecordStatus, ReleaseKey, ValuesPolicy};

use super::decode::FullRecord;
use super::{Releases, comparison, manifest, not_found, values};
use crate::kube::records::{RecordMeta, revisions};

impl Releases {
    /// What differs between two revisions of `key`. Where none is named, the newest one is on the right, and the one
    /// before the right one on the left.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] when there is no such revision; others when it cannot be read.
    pub async fn compare(
        &self,
        key: &ReleaseKey,
        facet: Facet,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Result<Comparison, ApiError> {
        let (to, right) = self.record(key, to).await?;
        let from = match from {
            Some(from) => Some(from),
            None => {
                let all = revisions(&self.shared.client, key).await?;
                all.into_iter().map(|record| record.revision).find(|revision| *revision < to)
            }
        };
        let left = match from {
            Some(from) => Some(self.record(key, Some(from)).await?.1),
            None => None,
        };
        let found = compared(move || match facet {
            Facet::Manifest => comparison::of_manifests(&texts(left.as_ref()), &texts(Some(&right))),
            _ => comparison::of_texts(&text(facet, left.as_ref()), &text(facet, Some(&right))),
        });
        Ok(Comparison { from, to: Some(to), ..found.await? })
    }

    /// What differs between the revision of `key` that helm goes on from and what a dry run rendered. All is new where there
    /// is none.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] for values, which a dry run does not tell; others when the record cannot be read.
    pub async fn compare_preview(
        &self,
        key: &ReleaseKey,
        facet: Facet,
        preview: Preview,
    ) -> Result<Comparison, ApiError> {
        let all = revisions(&self.shared.client, key).await?;
        let base = current(&all);
        let (from, from_failed) =
            (base.map(|it| it.revision), base.is_some_and(|it| it.status == RecordStatus::Failed));
        let left = match from {
            Some(from) => Some(self.record(key, Some(from)).await?.1),
            None => None,
        };
        let found = match facet {
            Facet::Manifest => {
                compared(move || {
                    let right = manifest::texts(&preview.manifest, &preview.hooks);
                    comparison::of_manifests(&texts(left.as_ref()), &right)
                })
                .await?
            }
            Facet::Notes => {
                compared(move || comparison::of_texts(&text(facet, left.as_ref()), &preview.notes)).await?
            }
            Facet::Values | Facet::Computed => {
                return Err(ApiError::invalid(
                    "facet",
                    "A dry run tells no values: compare manifest or notes.",
                ));
            }
        };
        Ok(Comparison { from, from_failed, to: None, ..found })
    }

    /// What differs between the values of the revision that is deployed and those that an upgrade with `values`, YAML that is
    /// about to be submitted, would give it.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] when there is no such release; others when the record cannot be read.
    pub async fn compare_values(
        &self,
        key: &ReleaseKey,
        values: String,
        policy: ValuesPolicy,
    ) -> Result<Comparison, ApiError> {
        let all = revisions(&self.shared.client, key).await?;
        let from = current(&all).or(all.first()).ok_or_else(|| not_found(key, None))?.revision;
        let left = self.record(key, Some(from)).await?.1;
        let found = compared(move || {
            // Written alike: comments, order and quotes are not what differs.
            let parsed: Result<serde_json::Value, _> = serde_saphyr::from_str(&values);
            let right =
                parsed.map_or(values, |parsed| values::yaml(&values::kept(&left.config, parsed, policy)));
            comparison::of_texts(&text(Facet::Values, Some(&left)), &right)
        })
        .await?;
        Ok(Comparison { from: Some(from), to: None, ..found })
    }
}

/// The revision that an upgrade goes on from, as helm chooses it (`action/upgrade.go`): the one that is deployed, else the
/// newest one, whose objects are there as far as it came.
fn current(all: &[RecordMeta]) -> Option<&RecordMeta> {
    let deployed = all.iter().find(|record| record.status == RecordStatus::Deployed);
    deployed.or_else(|| all.first().filter(|record| record.status != RecordStatus::Uninstalled))
}

/// Compares off the threads that serve requests.
async fn compared(compare: impl FnOnce() -> Comparison + Send + 'static) -> Result<Comparison, ApiError> {
    tokio::task::spawn_blocking(compare)
        .await
        .map_err(|_| ApiError::Unavailable { message: "The comparison could not be made.".to_owned() })
}

fn texts(record: Option<&FullRecord>) -> Vec<manifest::ManifestText> {
    record.map(manifest::of_record).unwrap_or_default()
}

fn text(facet: Facet, record: Option<&FullRecord>) -> String {
    let Some(record) = record else { return String::new() };
    match facet {
        Facet::Values => values::of(0, record).user,
        Facet::Computed => values::of(0, record).computed,
        Facet::Notes => record.notes.clone(),
        Facet::Manifest => record.manifest.clone(),
    }
}
