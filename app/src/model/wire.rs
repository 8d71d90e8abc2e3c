//! How the tagged values are read: each as one flat record of all fields that any of its variants has. serde's own reader of
//! a tagged enum is several times the code, and the browser loads every byte of it. Writing is serde's own; the tests hold
//! the two together.

use serde::Deserialize;

use super::error::ApiError;
use super::phase::{Phase, Step};
use super::release::{Detail, RecordStatus, RecordSummary};
use super::{OperationId, OperationKind, Timestamp};

/// What is said of a value that no version of Slipway writes.
type Unknown = &'static str;

const UNKNOWN: Unknown = "not a value that this version knows";

/// Any [`Phase`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FlatPhase {
    phase: String,
    kind: Option<OperationKind>,
    step: Option<Step>,
    attempt: Option<u32>,
    max_attempts: Option<u32>,
    next: Option<Timestamp>,
    status: Option<RecordStatus>,
}

impl TryFrom<FlatPhase> for Phase {
    type Error = Unknown;

    fn try_from(flat: FlatPhase) -> Result<Self, Unknown> {
        let kind = flat.kind.ok_or(UNKNOWN);
        let status = flat.status.ok_or(UNKNOWN);
        let (attempt, max_attempts) = (flat.attempt.unwrap_or(1), flat.max_attempts.unwrap_or(1));
        Ok(match flat.phase.as_str() {
            "notFound" => Self::NotFound,
            "queued" => Self::Queued { kind: kind? },
            "working" => {
                Self::Working { kind: kind?, step: flat.step.ok_or(UNKNOWN)?, attempt, max_attempts }
            }
            "retrying" => Self::Retrying { kind: kind?, attempt, max_attempts, next: flat.next },
            "deployed" => Self::Deployed,
            "failed" => Self::Failed { kind: flat.kind },
            "cancelled" => Self::Cancelled { kind: kind? },
            "interrupted" => Self::Interrupted { kind: kind? },
            "pending" => Self::Pending { status: status? },
            "stuck" => Self::Stuck { status: status? },
            "uninstalled" => Self::Uninstalled,
            "superseded" => Self::Superseded,
            "unknown" => Self::Unknown,
            _ => return Err(UNKNOWN),
        })
    }
}

/// Any [`Detail`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FlatDetail {
    state: String,
    reason: Option<String>,
    chart: Option<String>,
    chart_version: Option<String>,
    app_version: Option<String>,
    icon: Option<String>,
    description: Option<String>,
    first_deployed: Option<Timestamp>,
    last_deployed: Option<Timestamp>,
    deleted: Option<Timestamp>,
    target_namespace: Option<String>,
}

impl TryFrom<FlatDetail> for Detail {
    type Error = Unknown;

    fn try_from(flat: FlatDetail) -> Result<Self, Unknown> {
        Ok(match flat.state.as_str() {
            "loading" => Self::Loading,
            "known" => Self::Known(RecordSummary {
                chart: flat.chart,
                chart_version: flat.chart_version,
                app_version: flat.app_version,
                icon: flat.icon,
                description: flat.description,
                first_deployed: flat.first_deployed,
                last_deployed: flat.last_deployed,
                deleted: flat.deleted,
                target_namespace: flat.target_namespace,
            }),
            "unreadable" => Self::Unreadable { reason: flat.reason.ok_or(UNKNOWN)? },
            _ => return Err(UNKNOWN),
        })
    }
}

/// Any [`ApiError`].
#[derive(Deserialize)]
pub(super) struct FlatError {
    code: String,
    field: Option<String>,
    line: Option<u32>,
    message: Option<String>,
    what: Option<String>,
    operation: Option<OperationId>,
    request: Option<String>,
}

impl TryFrom<FlatError> for ApiError {
    type Error = Unknown;

    fn try_from(flat: FlatError) -> Result<Self, Unknown> {
        let message = flat.message.ok_or(UNKNOWN);
        Ok(match flat.code.as_str() {
            "invalid" => Self::Invalid { field: flat.field, line: flat.line, message: message? },
            "forbidden" => Self::Forbidden { message: message? },
            "notFound" => Self::NotFound { what: flat.what.ok_or(UNKNOWN)? },
            "conflict" => Self::Conflict { message: message?, operation: flat.operation },
            "tooLarge" => Self::TooLarge { message: message? },
            "unavailable" => Self::Unavailable { message: message? },
            "signedOut" => Self::SignedOut { message: message? },
            "internal" => Self::Internal { request: flat.request.ok_or(UNKNOWN)? },
            "unreachable" => Self::Unreachable { message: message? },
            _ => return Err(UNKNOWN),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde::{Serialize, de::DeserializeOwned};

    use super::*;

    fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(values: Vec<T>) {
        for value in values {
            let text = serde_json::to_string(&value).unwrap();
            assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
        }
    }

    #[test]
    fn every_phase_is_read_as_it_is_written() {
        let (kind, status) = (OperationKind::Upgrade, RecordStatus::PendingUpgrade);
        comes_back(vec![
            Phase::NotFound,
            Phase::Queued { kind },
            Phase::Working { kind, step: Step::RunningHooks, attempt: 2, max_attempts: 3 },
            Phase::Retrying { kind, attempt: 2, max_attempts: 3, next: Some(Timestamp(7)) },
            Phase::Deployed,
            Phase::Failed { kind: Some(kind) },
            Phase::Failed { kind: None },
            Phase::Cancelled { kind },
            Phase::Interrupted { kind },
            Phase::Pending { status },
            Phase::Stuck { status },
            Phase::Uninstalled,
            Phase::Superseded,
            Phase::Unknown,
        ]);
    }

    #[test]
    fn every_detail_is_read_as_it_is_written() {
        let summary = RecordSummary {
            chart: Some("web".into()),
            chart_version: Some("1".into()),
            app_version: Some("2".into()),
            icon: Some("i".into()),
            description: Some("d".into()),
            first_deployed: Some(Timestamp(1)),
            last_deployed: Some(Timestamp(2)),
            deleted: Some(Timestamp(3)),
            target_namespace: Some("ns".into()),
        };
        let known = [Detail::Known(summary), Detail::Known(RecordSummary::default())];
        comes_back(
            [Detail::Loading, Detail::Unreadable { reason: "r".into() }].into_iter().chain(known).collect(),
        );
    }

    #[test]
    fn every_error_is_read_as_it_is_written() {
        let message = || "m".to_owned();
        comes_back(vec![
            ApiError::Invalid { field: Some("name".into()), line: Some(3), message: message() },
            ApiError::Forbidden { message: message() },
            ApiError::NotFound { what: "w".into() },
            ApiError::Conflict { message: message(), operation: Some(OperationId("o".into())) },
            ApiError::TooLarge { message: message() },
            ApiError::Unavailable { message: message() },
            ApiError::SignedOut { message: message() },
            ApiError::Internal { request: "r".into() },
            ApiError::Unreachable { message: message() },
        ]);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for text in
            [r#"{"phase":"new"}"#, r#"{"phase":"queued"}"#, r#"{"phase":"queued","kind":"fly"}"#, "{}"]
        {
            assert!(serde_json::from_str::<Phase>(text).is_err(), "{text}");
        }
    }
}
