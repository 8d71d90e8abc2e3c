//! Refusals, as RFC 9457 problem details.

use app::model::ApiError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// An [`ApiError`] on its way out.
#[derive(Debug)]
pub struct Problem(pub ApiError);

impl From<ApiError> for Problem {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

/// The body of a refusal (RFC 9457), with `code` and the error's own members as extensions.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemDetails {
    /// Always `about:blank`: `code` says more.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The same for each problem of its kind.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What happened here, for a person.
    detail: String,
    /// The kind of the error, for a program; and `field`, `line`, `operation`, `request` where it has them.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    error: ApiError,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        with_status(status, self.0)
    }
}

/// Any route under `/api` that there is not.
pub async fn no_such_route() -> Problem {
    Problem(ApiError::NotFound { what: "The route".into() })
}

/// A method that a route does not have.
pub async fn no_such_method() -> Response {
    with_status(
        StatusCode::METHOD_NOT_ALLOWED,
        ApiError::Invalid { field: None, line: None, message: "This route has no such method.".into() },
    )
}

/// A refusal with a status of its own instead of its error's.
pub fn with_status(status: StatusCode, error: ApiError) -> Response {
    let details = ProblemDetails {
        kind: "about:blank",
        title: error.title(),
        status: status.as_u16(),
        detail: error.to_string(),
        error,
    };
    let mut response = (status, Json(details)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    response
}
