//! Answers that an API server gives on a bad day, in its own words.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use serde_json::{Value, json};

/// A refusal as a Kubernetes `Status`.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    code: StatusCode,
    reason: &'static str,
    message: String,
    details: Value,
    retry_after: Option<u32>,
}

impl Answer {
    /// 409: two writes at once counted against the same quota. The client did nothing wrong, and may try again.
    pub fn quota_conflict(quota: &str) -> Self {
        let message = format!(
            "Operation cannot be fulfilled on resourcequotas \"{quota}\": the object has been modified; please apply \
             your changes to the latest version and try again"
        );
        let details = json!({ "name": quota, "kind": "resourcequotas" });
        Self { details, ..Self::new(StatusCode::CONFLICT, "Conflict", message) }
    }

    /// 429, with what the client is asked to wait in seconds.
    pub fn too_many_requests(retry_after: u32) -> Self {
        let message =
            "The server has received too many requests and has asked us to try again later".to_owned();
        Self {
            details: json!({ "retryAfterSeconds": retry_after }),
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", message)
        }
    }

    /// 500, for a reason such as `etcdserver: request timed out`.
    pub fn internal_error(why: &str) -> Self {
        let message = format!("Internal error occurred: {why}");
        let details = json!({ "causes": [{ "message": why }] });
        Self { details, ..Self::new(StatusCode::INTERNAL_SERVER_ERROR, "InternalError", message) }
    }

    /// 500, because nobody listens where an admission webhook should be.
    pub fn webhook_refused(webhook: &str) -> Self {
        Self::internal_error(&format!(
            "failed calling webhook \"{webhook}\": failed to call webhook: Post \
             \"https://{webhook}.svc:443/validate?timeout=10s\": dial tcp 10.0.0.1:443: connect: connection refused"
        ))
    }

    /// 503.
    pub fn unavailable() -> Self {
        let message = "the server is currently unable to handle the request".to_owned();
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailable", message)
    }

    /// 410: a watch or a page of a list asks for a version that the server no longer knows.
    pub fn gone() -> Self {
        Self::new(StatusCode::GONE, "Expired", "too old resource version: 1 (2)".to_owned())
    }

    fn new(code: StatusCode, reason: &'static str, message: String) -> Self {
        Self { code, reason, message, details: Value::Null, retry_after: None }
    }

    /// The object itself.
    pub(super) fn status(&self) -> Value {
        let mut status = json!({
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            "reason": self.reason,
            "code": self.code.as_u16(),
        });
        if !self.details.is_null() {
            status["details"] = self.details.clone();
        }
        status
    }

    /// The whole answer.
    pub(super) fn response(&self) -> Response<Bytes> {
        let mut response = Response::new(Bytes::from(format!("{}\n", self.status())));
        *response.status_mut() = self.code;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_what_a_client_takes_for_a_status() {
        for (answer, code, reason, part) in [
            (
                Answer::quota_conflict("q"),
                409,
                "Conflict",
                "on resourcequotas \"q\": the object has been modified;",
            ),
            (Answer::too_many_requests(3), 429, "TooManyRequests", "too many requests"),
            (Answer::internal_error("etcdserver: leader changed"), 500, "InternalError", "leader changed"),
            (
                Answer::webhook_refused("w"),
                500,
                "InternalError",
                "failed calling webhook \"w\": failed to call",
            ),
            (Answer::unavailable(), 503, "ServiceUnavailable", "currently unable"),
            (Answer::gone(), 410, "Expired", "too old resource version"),
        ] {
            let response = answer.response();
            assert_eq!(response.status().as_u16(), code);
            let status: kube::core::Status = serde_json::from_slice(response.body()).expect("a status");
            assert_eq!((status.code, status.reason.as_str()), (code, reason));
            assert!(status.message.contains(part), "{}", status.message);
            assert_eq!(response.headers().contains_key(header::RETRY_AFTER), code == 429);
        }
    }
}
