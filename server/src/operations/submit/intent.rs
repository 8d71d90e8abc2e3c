//! When two submissions are the same.

use app::model::SubmitOperation;
use sha2::{Digest, Sha256};

use crate::operations::Intent;

impl Intent {
    /// That of a request of `caller`, if it has a key. It is made of the request as it came: what a server adds, another might
    /// not.
    pub(super) fn of(request: &SubmitOperation, caller: &str) -> Option<Self> {
        let key = request.idempotency_key.as_deref()?;
        let parts = [key, caller, &request.namespace, &request.name, request.kind.as_str()];
        let content = serde_json::to_string(request).unwrap_or_default();
        // A label's value has 63 characters at most.
        Some(Self { key: digest(&parts).chars().take(40).collect(), content: digest(&[&content]) })
    }

    /// Whether one of the same key asks for the same, as far as that is known of both.
    pub(super) fn asks_for_the_same_as(&self, other: &Self) -> bool {
        self.content.is_empty() || other.content.is_empty() || self.content == other.content
    }
}

fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
