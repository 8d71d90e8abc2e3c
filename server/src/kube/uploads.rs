//! Uploaded charts, until they are installed: each a Secret `slipway.upload.v1.<id>` of type `slipway.dev/upload.v1` in the
//! namespace of Slipway's records, so that neither a restart nor another server in front loses one. What is submitted with
//! an operation is copied into that operation's own input.

use async_trait::async_trait;
use bytes::Bytes;
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, DeleteParams, ListParams, PostParams};
use kube::core::{ObjectMeta, PartialObjectMeta};

use super::{Client, ClusterError, within_deadline};
use crate::charts::elsewhere::{Upload, Uploads};

const NAME_PREFIX: &str = "slipway.upload.v1.";
const TYPE: &str = "slipway.dev/upload.v1";
const LABEL: (&str, &str) = ("owner", "slipway-upload");
const BY: &str = "slipway.dev/by";
const KEY: &str = "archive";
/// For how long an upload is kept, in milliseconds: somebody fills in a form, and may sleep over it.
const KEPT_FOR_MS: i64 = 24 * 60 * 60 * 1000;
/// The most that are kept, which is at most as many MB; the oldest goes first.
const COUNT_MAX: usize = 50;

/// Uploaded charts in one namespace.
pub struct UploadSecrets {
    client: Client,
    namespace: String,
}

impl UploadSecrets {
    /// Keeps them in `namespace`.
    pub fn new(client: Client, namespace: &str) -> Self {
        Self { client, namespace: namespace.to_owned() }
    }

    fn api(&self) -> Api<Secret> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    /// Removes those that are kept no longer, by the API server's clock: `now` is when it made the newest.
    async fn sweep(&self, now: i64) -> Result<(), ClusterError> {
        let which = ListParams::default().labels(&format!("{}={}", LABEL.0, LABEL.1));
        let known = within_deadline(self.api().list_metadata(&which)).await?.items;
        for name in outdated(&known, now) {
            match within_deadline(self.api().delete(&name, &DeleteParams::background())).await {
                Ok(_) | Err(ClusterError::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Uploads for UploadSecrets {
    async fn put(&self, id: &str, upload: &Upload) -> Result<(), ClusterError> {
        let secret = Secret {
            metadata: ObjectMeta {
                name: Some(format!("{NAME_PREFIX}{id}")),
                labels: Some([(LABEL.0.to_owned(), LABEL.1.to_owned())].into()),
                annotations: Some([(BY.to_owned(), upload.by.clone())].into()),
                ..ObjectMeta::default()
            },
            type_: Some(TYPE.into()),
            data: Some([(KEY.to_owned(), ByteString(upload.content.to_vec()))].into()),
            ..Secret::default()
        };
        let made = within_deadline(self.api().create(&PostParams::default(), &secret)).await?;
        if let Some(now) = made.metadata.creation_timestamp
            && let Err(error) = self.sweep(now.0.as_millisecond()).await
        {
            tracing::warn!(%error, "old uploads are left behind");
        }
        Ok(())
    }

    async fn get(&self, id: &str) -> Result<Upload, ClusterError> {
        let secret = within_deadline(self.api().get(&format!("{NAME_PREFIX}{id}"))).await?;
        let by = secret.metadata.annotations.and_then(|mut notes| notes.remove(BY)).unwrap_or_default();
        let content = secret.data.and_then(|mut data| data.remove(KEY));
        let content = content.ok_or_else(|| ClusterError::Unreadable(format!("no key {KEY}")))?;
        Ok(Upload { by, content: Bytes::from(content.0) })
    }
}

/// Those of `known` that are kept no longer.
fn outdated(known: &[PartialObjectMeta<Secret>], now: i64) -> Vec<String> {
    let age = |it: &PartialObjectMeta<Secret>| {
        let created = it.metadata.creation_timestamp.as_ref();
        created.map_or(i64::MAX, |at| now.saturating_sub(at.0.as_millisecond()))
    };
    let mut all: Vec<(i64, String)> =
        known.iter().filter_map(|it| Some((age(it), it.metadata.name.clone()?))).collect();
    // Of one second, in which many may be made, the ids tell the order.
    all.sort_by(|a, b| (a.0, &b.1).cmp(&(b.0, &a.1)));
    let kept = all.iter().take(COUNT_MAX).take_while(|(age, _)| *age <= KEPT_FOR_MS).count();
    all.split_off(kept).into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

    use super::*;

    fn made(name: &str, at: i64) -> PartialObjectMeta<Secret> {
        let created = k8s_openapi::jiff::Timestamp::from_millisecond(at).unwrap();
        let metadata = ObjectMeta {
            name: Some(name.into()),
            creation_timestamp: Some(Time(created)),
            ..ObjectMeta::default()
        };
        PartialObjectMeta { metadata, ..PartialObjectMeta::default() }
    }

    #[test]
    fn the_old_ones_go_and_those_that_are_too_many() {
        let now = 10 * KEPT_FOR_MS;
        let old = [made("new", now), made("old", now - KEPT_FOR_MS - 1), made("younger", now - KEPT_FOR_MS)];
        assert_eq!(outdated(&old, now), ["old"]);
        let many: Vec<_> = (0..COUNT_MAX + 2).map(|at| made(&format!("u{at:03}"), now)).collect();
        assert_eq!(outdated(&many, now), ["u001", "u000"]);
        assert_eq!(outdated(&[], now), Vec::<String>::new());
    }
}
