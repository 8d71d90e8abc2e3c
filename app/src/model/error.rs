//! What an answer says when it cannot be what was asked for. Each variant is something that a person can act on; none
//! carries a library's own text about the cluster.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::OperationId;

/// An error of the API, for the page and for programs alike.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "camelCase", try_from = "super::wire::FlatError")]
pub enum ApiError {
    /// The request is not well formed; the same request can never succeed.
    #[error("{message}")]
    Invalid {
        /// The field concerned, as the API names it (`name`, `values`, `options.timeout`).
        field: Option<String>,
        /// The line in that field, from 1, where it is a text.
        line: Option<u32>,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// The user's own rights do not allow it.
    #[error("{message}")]
    Forbidden {
        /// Which right is missing, in words.
        message: String,
    },
    /// There is no such thing, or the user may not know of it.
    #[error("{what} was not found")]
    NotFound {
        /// The thing.
        what: String,
    },
    /// Something stands in the way: another operation on the same release, or a release of that name.
    #[error("{message}")]
    Conflict {
        /// What, in words.
        message: String,
        /// The operation in the way, where it is one.
        operation: Option<OperationId>,
    },
    /// The body is larger than the server takes.
    #[error("{message}")]
    TooLarge {
        /// The limit, in words.
        message: String,
    },
    /// The cluster, or a repository, cannot be reached, or did not answer in time; later it may.
    #[error("{message}")]
    Unavailable {
        /// What cannot be reached.
        message: String,
    },
    /// Nobody is signed in any longer: the session, or the credentials for the cluster, have run out.
    #[error("{message}")]
    SignedOut {
        /// Who does not know the user any more.
        message: String,
    },
    /// A fault of Slipway's own. The log has more under the request's id.
    #[error("Slipway failed to answer (request {request})")]
    Internal {
        /// The request's id.
        request: String,
    },
    /// The browser could not reach Slipway, or could not read its answer. Never sent by the server.
    #[error("{message}")]
    Unreachable {
        /// What happened, in words.
        message: String,
    },
}

impl ApiError {
    /// A refusal of the field `field`.
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::Invalid { field: Some(field.to_owned()), line: None, message: message.into() }
    }

    /// The HTTP status that goes with it.
    pub fn status(&self) -> u16 {
        match self {
            Self::Invalid { .. } => 422,
            Self::SignedOut { .. } => 401,
            Self::Forbidden { .. } => 403,
            Self::NotFound { .. } => 404,
            Self::Conflict { .. } => 409,
            Self::TooLarge { .. } => 413,
            Self::Unavailable { .. } => 503,
            Self::Internal { .. } | Self::Unreachable { .. } => 500,
        }
    }

    /// A short title that is the same for each error of its kind (RFC 9457, `title`).
    pub fn title(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "Invalid request",
            Self::Forbidden { .. } => "Not allowed",
            Self::NotFound { .. } => "Not found",
            Self::Conflict { .. } => "Conflict",
            Self::TooLarge { .. } => "Too large",
            Self::Unavailable { .. } => "Not available",
            Self::SignedOut { .. } => "Your session has ended",
            Self::Internal { .. } => "Internal error",
            Self::Unreachable { .. } => "Slipway cannot be reached",
        }
    }

    /// Whether trying again later, unchanged, can help.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Unavailable { .. }
                | Self::SignedOut { .. }
                | Self::Internal { .. }
                | Self::Unreachable { .. }
        )
    }
}
