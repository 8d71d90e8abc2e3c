//! What containers say, as they say it.
//!
//! Lines are always asked for with their times: a connection that breaks off, as one does on which nothing is said for some
//! minutes, is taken up again where it was, and nobody sees it.

mod lines;

use std::pin::Pin;
use std::time::Duration;

use app::model::pod::LOG_LINES_MAX;
use app::model::{PodLogPiece, PodLogQuery};
use futures::io::{AsyncBufRead, AsyncBufReadExt};
use futures::stream::{BoxStream, StreamExt, unfold};
use k8s_openapi::api::core::v1::{ContainerStatus, Pod};
use kube::api::{Api, LogParams};

use self::lines::Lines;
use super::{Client, ClusterError, within_deadline};

/// The most that is told of a log that is not followed, in bytes.
const READ_MAX: usize = 16 * 1024 * 1024;
/// How often a connection is taken up again in which nothing new was said meanwhile.
const TRIES: u32 = 6;
/// How long to wait before that, times the number of the try.
const PAUSE: Duration = Duration::from_secs(1);

type Reader = Pin<Box<dyn AsyncBufRead + Send>>;

/// The log that `query` asks for. Dropped, nothing more is read.
///
/// # Errors
/// When the cluster refuses or does not answer; [`ClusterError::Invalid`] when there is no such log.
pub async fn stream(
    client: &Client,
    query: PodLogQuery,
) -> Result<BoxStream<'static, PodLogPiece>, ClusterError> {
    let after = match &query.after {
        Some(after) => Some(after.parse().map_err(|_| {
            ClusterError::Invalid("What the log is to go on from is not a time that it told of.".to_owned())
        })?),
        None => None,
    };
    let lines = Lines::new(after, query.timestamps);
    let log = Log { pods: Api::namespaced(client.clone(), &query.namespace), query, lines, told: 0 };
    let reader = log.open().await?;
    let start = State::Reading { log: Box::new(log), reader, tries: 0 };
    Ok(unfold(start, |state| async move { state.next().await }).boxed())
}

struct Log {
    pods: Api<Pod>,
    query: PodLogQuery,
    lines: Lines,
    told: usize,
}

enum State {
    Reading { log: Box<Log>, reader: Reader, tries: u32 },
    Over,
}

impl State {
    async fn next(self) -> Option<(PodLogPiece, Self)> {
        let Self::Reading { mut log, mut reader, mut tries } = self else { return None };
        loop {
            let text = match reader.fill_buf().await {
                Ok([]) => {
                    let rest = log.lines.finish();
                    if rest.is_empty() {
                        return Some((PodLogPiece::End(log.last_words().await), Self::Over));
                    }
                    rest
                }
                Ok(bytes) => {
                    let (text, length) = (log.lines.take(bytes), bytes.len());
                    reader.consume_unpin(length);
                    text
                }
                Err(error) if log.query.follow && tries < TRIES => {
                    tracing::debug!(%error, "a container's log broke off and is taken up again");
                    tries += 1;
                    match log.take_up(tries).await {
                        Ok(again) => reader = again,
                        Err(why) => return Some((PodLogPiece::End(why), Self::Over)),
                    }
                    continue;
                }
                Err(_) => return Some((PodLogPiece::End(BROKEN.to_owned()), Self::Over)),
            };
            if text.is_empty() {
                continue;
            }
            log.told += text.len();
            if !log.query.follow && log.told > READ_MAX {
                let why = format!("Only {} MiB of the log are told.", READ_MAX / (1024 * 1024));
                return Some((PodLogPiece::End(why), Self::Over));
            }
            let piece = PodLogPiece::Lines { text, upto: log.lines.upto() };
            return Some((piece, Self::Reading { log, reader, tries: 0 }));
        }
    }
}

const BROKEN: &str = "The connection to the log is broken.";

impl Log {
    async fn open(&self) -> Result<Reader, ClusterError> {
        let query = &self.query;
        let after = self.lines.last();
        let tail = query.tail.unwrap_or(LOG_LINES_MAX).min(LOG_LINES_MAX);
        let which = LogParams {
            container: query.container.clone(),
            previous: query.previous,
            follow: query.follow,
            timestamps: true,
            // What came before it is known: no lines of it are counted.
            tail_lines: after.is_none().then_some(i64::from(tail)),
            since_seconds: after.is_none().then_some(query.since_seconds.map(i64::from)).flatten(),
            since_time: after,
            ..LogParams::default()
        };
        let log = within_deadline(self.pods.log_stream(&query.pod, &which)).await;
        Ok(Box::pin(log.map_err(of_node)?))
    }

    /// The log from where it broke off; or why there is no more of it.
    async fn take_up(&mut self, tries: u32) -> Result<Reader, String> {
        self.lines.break_off();
        tokio::time::sleep(PAUSE * tries).await;
        match self.open().await {
            Ok(reader) => Ok(reader),
            Err(ClusterError::NotFound(_)) => Err("The pod is gone.".to_owned()),
            Err(ClusterError::Forbidden(message)) => Err(message),
            Err(_) => Err(BROKEN.to_owned()),
        }
    }

    /// Why there is no more of it.
    async fn last_words(&self) -> String {
        if !self.query.follow {
            return String::new();
        }
        match within_deadline(self.pods.get_status(&self.query.pod)).await {
            Ok(pod) => state_words(&pod, self.query.container.as_deref()).to_owned(),
            Err(ClusterError::NotFound(_)) => "The pod is gone.".to_owned(),
            Err(_) => "The log has ended.".to_owned(),
        }
    }
}

/// The API server hands the question on to the node's kubelet: what it answers then is no outage of its own.
fn of_node(error: ClusterError) -> ClusterError {
    // `Get "https://10.0.0.1:10250/containerLogs/…": dial tcp …`, or that the node has told no address.
    let is_of_node = |why: &str| {
        ["containerLogs", ":10250", "preferred addresses", "no answer within"]
            .iter()
            .any(|sign| why.contains(sign))
    };
    match error {
        ClusterError::Unreachable(why) if is_of_node(&why) => {
            // The address in front says nothing to a person.
            let reason = why.split_once("\": ").map_or(why.as_str(), |(_, reason)| reason);
            ClusterError::Node(reason.trim_end_matches('.').to_owned())
        }
        error => error,
    }
}

fn state_words(pod: &Pod, container: Option<&str>) -> &'static str {
    let status = pod.status.as_ref();
    let of = |statuses: Option<&Vec<ContainerStatus>>| statuses.cloned().unwrap_or_default();
    let mut all = of(status.and_then(|it| it.container_statuses.as_ref()));
    all.extend(of(status.and_then(|it| it.init_container_statuses.as_ref())));
    all.extend(of(status.and_then(|it| it.ephemeral_container_statuses.as_ref())));
    let found = all.into_iter().find(|status| container.is_none_or(|name| status.name == name));
    match found.and_then(|status| status.state) {
        Some(state) if state.terminated.is_some() => "The container has ended.",
        Some(state) if state.running.is_some() => "The container was started again.",
        Some(_) => "The container has ended and waits to be started again.",
        None => "The log has ended.",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_node_that_does_not_answer_is_no_outage_of_the_cluster() {
        let unreachable = |why: &str| of_node(ClusterError::Unreachable(why.to_owned()));
        assert_eq!(
            unreachable(
                "Get \"https://10.0.0.2:10250/containerLogs/a/web/web?follow=true\": dial tcp 10.0.0.2:10250: connect: connection refused"
            ),
            ClusterError::Node("dial tcp 10.0.0.2:10250: connect: connection refused".to_owned())
        );
        assert_eq!(
            unreachable("no preferred addresses found; known addresses: []"),
            ClusterError::Node("no preferred addresses found; known addresses: []".to_owned())
        );
        let away = "error trying to connect: connection refused";
        assert_eq!(unreachable(away), ClusterError::Unreachable(away.to_owned()));
        let told = app::model::ApiError::from(ClusterError::Node("i/o timeout".to_owned())).to_string();
        assert_eq!(told, "The node that the pod runs on did not give its log: i/o timeout");
    }

    #[test]
    fn a_log_that_ends_is_told_with_what_became_of_its_container() {
        for (state, words) in [
            (json!({"terminated": {"exitCode": 1}}), "The container has ended."),
            (json!({"running": {}}), "The container was started again."),
            (json!({"waiting": {}}), "The container has ended and waits to be started again."),
        ] {
            let status = json!({"name": "a", "image": "", "imageID": "", "ready": true, "restartCount": 0, "state": state});
            let pod = json!({"metadata": {}, "status": {"initContainerStatuses": [status]}});
            let pod: Pod = serde_json::from_value(pod).unwrap();
            assert_eq!(state_words(&pod, Some("a")), words);
            assert_eq!(state_words(&pod, Some("b")), "The log has ended.");
        }
    }
}
