//! Extractors that refuse with problem details, naming the field.

use app::model::ApiError;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use bytes::Bytes;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// A JSON body.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let bytes = Bytes::from_request(request, state).await.map_err(unread)?;
        let mut text = serde_json::Deserializer::from_slice(&bytes);
        serde_path_to_error::deserialize(&mut text).map(Self).map_err(|error| {
            let field = Some(error.path().to_string()).filter(|path| path != "." && path != "?");
            let message = match field.as_deref() {
                Some("chart") => format!("{}.", app::model::chart::SOURCES),
                _ => format!("The body cannot be read: {}.", error.inner()),
            };
            ApiError::Invalid { field, line: None, message }.into()
        })
    }
}

/// The body of an upload, which is no JSON.
pub struct Archive(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Archive {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        Bytes::from_request(request, state).await.map(Self).map_err(unread)
    }
}

fn unread(rejection: BytesRejection) -> Problem {
    if rejection.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        return Problem(super::guard::too_large());
    }
    Problem(ApiError::Invalid { field: None, line: None, message: "The body broke off.".into() })
}

/// The query.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        query.map(|query| Self(query.0)).map_err(|rejection| {
            let message = format!("{}.", rejection.body_text());
            Problem(ApiError::Invalid { field: None, line: None, message })
        })
    }
}

/// The variable parts of the path.
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Self(path.0)).map_err(|rejection| {
            let message = format!("{}.", rejection.body_text());
            Problem(ApiError::Invalid { field: None, line: None, message })
        })
    }
}
