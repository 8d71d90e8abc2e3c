//! Reading a record's payload: at most a few at once, and decoded off the threads that serve requests.

use app::model::{ApiError, ReleaseKey};
use tokio::sync::Semaphore;

use super::decode::DecodeError;
use crate::kube::records::{Payload, payload};
use crate::kube::{Client, ClusterError};

/// How many records are read at once: what they take of memory is at most this times the decoder's limit.
pub const AT_ONCE: usize = 4;

/// Reads records.
pub struct Reader {
    client: Client,
    turns: Semaphore,
}

/// What came of reading one record.
pub struct Reading<T> {
    /// The Secret's identity: another record may have taken the place of the one that was meant.
    pub uid: String,
    /// Its content.
    pub content: Result<T, DecodeError>,
}

impl Reader {
    /// Reads with `client`.
    pub fn new(client: Client) -> Self {
        Self { client, turns: Semaphore::new(AT_ONCE) }
    }

    /// Reads a revision of `key` by `decode`.
    ///
    /// # Errors
    /// When the cluster refuses or does not answer.
    pub async fn read<T: Send + 'static>(
        &self,
        key: &ReleaseKey,
        revision: u32,
        decode: fn(&[u8], &str) -> Result<T, DecodeError>,
    ) -> Result<Reading<T>, ClusterError> {
        // The semaphore is never closed; if it were, one turn too many would be no harm.
        let _turn = self.turns.acquire().await.ok();
        let Payload { uid, bytes } = payload(&self.client, key, revision).await?;
        let namespace = key.namespace.clone();
        let content = tokio::task::spawn_blocking(move || decode(&bytes, &namespace))
            .await
            .map_err(|error| ClusterError::Unreadable(error.to_string()))?;
        Ok(Reading { uid, content })
    }
}

/// Whether trying again in a moment may help.
pub fn is_passing(error: &ClusterError) -> bool {
    matches!(error, ClusterError::Unreachable(_) | ClusterError::Unauthorized(_) | ClusterError::Expired(_))
}

/// Why a record cannot be shown, in words for the user.
pub fn reason(error: &ClusterError) -> String {
    match error {
        ClusterError::Forbidden(_) => "Slipway may list this record, but may not read it.".to_owned(),
        ClusterError::NotFound(_) => "The record is gone.".to_owned(),
        _ => "The cluster does not hand out this record at the moment.".to_owned(),
    }
}

/// A record that cannot be decoded, as an answer to who asked for its content.
pub fn undecodable(error: &DecodeError) -> ApiError {
    match error {
        DecodeError::TooLarge => ApiError::TooLarge { message: error.to_string() },
        _ => ApiError::Unavailable { message: error.to_string() },
    }
}
