//! What the cluster answers when it does not do what was asked.

use app::model::ApiError;
use thiserror::Error;

/// A refusal or an outage of the cluster. Carries the API server's message, never a response's body.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClusterError {
    /// No usable kubeconfig.
    #[error("no usable cluster configuration: {0}")]
    Settings(String),
    /// 401: the credentials are not, or no longer, good.
    #[error("the cluster does not accept the credentials: {0}")]
    Unauthorized(String),
    /// 403, in the API server's words.
    #[error("{0}")]
    Forbidden(String),
    /// 404.
    #[error("not found: {0}")]
    NotFound(String),
    /// 409 AlreadyExists.
    #[error("already exists: {0}")]
    AlreadyExists(String),
    /// 409 Conflict: the object changed meanwhile.
    #[error("changed meanwhile: {0}")]
    Conflict(String),
    /// 410: the resource version is too old.
    #[error("expired: {0}")]
    Expired(String),
    /// 413, or an object over its kind's limit.
    #[error("too large: {0}")]
    TooLarge(String),
    /// 400 or 422: the API server refuses the object itself.
    #[error("refused: {0}")]
    Invalid(String),
    /// No connection, a time-out, or a 5xx.
    #[error("the cluster cannot be reached: {0}")]
    Unreachable(String),
    /// The API server answers, and the node whose part it is does not.
    #[error("the node does not answer: {0}")]
    Node(String),
    /// An answer that cannot be read.
    #[error("an answer that cannot be read: {0}")]
    Unreadable(String),
}

impl From<kube::Error> for ClusterError {
    fn from(error: kube::Error) -> Self {
        match error {
            kube::Error::Api(status) => {
                let message = status.message.clone();
                match (status.code, status.reason.as_str()) {
                    (401, _) => Self::Unauthorized(message),
                    (403, _) => Self::Forbidden(message),
                    (404, _) => Self::NotFound(message),
                    (409, "AlreadyExists") => Self::AlreadyExists(message),
                    (409, _) => Self::Conflict(message),
                    (410, _) => Self::Expired(message),
                    (413, _) => Self::TooLarge(message),
                    (422, _) if message.contains("Too long") => Self::TooLarge(message),
                    (400 | 422, _) => Self::Invalid(message),
                    _ => Self::Unreachable(message),
                }
            }
            kube::Error::SerdeError(error) => Self::Unreadable(error.to_string()),
            kube::Error::Auth(error) => Self::Unauthorized(error.to_string()),
            other => Self::Unreachable(causes(&other)),
        }
    }
}

impl From<ClusterError> for ApiError {
    /// For the user: what it means, without the client's own words where those say nothing to a person.
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Forbidden(message) => Self::Forbidden { message },
            ClusterError::NotFound(message) => Self::NotFound { what: message },
            ClusterError::TooLarge(message) => Self::TooLarge { message },
            ClusterError::Invalid(message) => Self::Invalid { field: None, line: None, message },
            ClusterError::AlreadyExists(message) | ClusterError::Conflict(message) => {
                Self::Conflict { message, operation: None }
            }
            ClusterError::Unauthorized(_) => Self::SignedOut {
                message: "The cluster does not accept Slipway's credentials. Sign in to the cluster again."
                    .into(),
            },
            ClusterError::Node(why) => Self::Unavailable {
                message: format!("The node that the pod runs on did not give its log: {why}"),
            },
            ClusterError::Settings(_)
            | ClusterError::Expired(_)
            | ClusterError::Unreachable(_)
            | ClusterError::Unreadable(_) => Self::Unavailable {
                message: "The cluster's API server cannot be reached at the moment.".into(),
            },
        }
    }
}

/// An error with the chain of its causes: the outermost one alone (`ServiceError`) says nothing.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let words = cause.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        next = cause.source();
    }
    text
}
