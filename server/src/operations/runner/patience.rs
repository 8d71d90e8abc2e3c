//! How long a runner goes on asking the cluster for what it cannot do without.

use std::time::Duration;

use tokio::sync::watch;

use crate::kube::ClusterError;
use crate::operations::Stop;

/// How long to wait before the cluster is asked again.
pub(super) const ASK_AGAIN_AFTER: Duration = Duration::from_secs(2);
/// How often it is asked when it does not answer: for about as long as a rolling update of the API server takes.
const TIMES: u32 = 60;
/// How often it is asked when it refuses. Whoever has claimed an operation has had the rights for all that follows, and an
/// API server that has just started refuses until it has read all roles and bindings: for some seconds.
const TIMES_REFUSED: u32 = 10;

/// Asks the cluster for what is Slipway's own until it answers, while we have the Lease.
pub(super) async fn insist<T, F: Future<Output = Result<T, ClusterError>>>(
    stop: &watch::Sender<Stop>,
    ask: impl Fn() -> F,
) -> Result<T, ClusterError> {
    ask_again(stop, ask, times).await
}

/// The same for what is a user's: that right may have been taken away, which is told soon.
pub(super) async fn insist_on_theirs<T, F: Future<Output = Result<T, ClusterError>>>(
    stop: &watch::Sender<Stop>,
    ask: impl Fn() -> F,
) -> Result<T, ClusterError> {
    ask_again(stop, ask, times_for_theirs).await
}

async fn ask_again<T, F: Future<Output = Result<T, ClusterError>>>(
    stop: &watch::Sender<Stop>,
    ask: impl Fn() -> F,
    times: fn(&ClusterError) -> u32,
) -> Result<T, ClusterError> {
    let mut told = stop.subscribe();
    for asked in 1.. {
        match ask().await {
            Err(error) if asked < times(&error) && *stop.borrow() != Stop::AtOnce => {
                tracing::warn!(%error, "the cluster is asked again");
                let lost = told.wait_for(|told| *told == Stop::AtOnce);
                let _ = tokio::time::timeout(ASK_AGAIN_AFTER, lost).await;
            }
            answer => return answer,
        }
    }
    ask().await
}

/// How often to ask what is answered so.
fn times(error: &ClusterError) -> u32 {
    match error {
        ClusterError::Unreachable(_) => TIMES,
        ClusterError::Forbidden(_) => TIMES_REFUSED,
        _ => 1,
    }
}

/// The same where the right may be missing: unless the API server says that it looked for a role and did not find it.
fn times_for_theirs(error: &ClusterError) -> u32 {
    match error {
        ClusterError::Forbidden(words) if !(words.contains("RBAC: ") && words.contains("not found")) => 1,
        error => times(error),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// How often it is asked what is answered so every time.
    async fn asked(error: ClusterError, stop: Stop) -> u32 {
        let (stop, asked) = (watch::Sender::new(stop), AtomicU32::new(0));
        let answer: Result<(), _> = insist(&stop, || async {
            asked.fetch_add(1, Ordering::SeqCst);
            Err(error.clone())
        })
        .await;
        assert_eq!(answer, Err(error));
        asked.load(Ordering::SeqCst)
    }

    #[tokio::test(start_paused = true)]
    async fn what_may_pass_is_asked_again_for_a_while_and_nothing_else() {
        let words = || "words".to_owned();
        for (error, expected) in [
            (ClusterError::Unreachable(words()), TIMES),
            (ClusterError::Forbidden(words()), TIMES_REFUSED),
            (ClusterError::NotFound(words()), 1),
            (ClusterError::Conflict(words()), 1),
            (ClusterError::Unauthorized(words()), 1),
        ] {
            assert_eq!(asked(error.clone(), Stop::No).await, expected, "{error}");
            assert_eq!(asked(error.clone(), Stop::AtOnce).await, 1, "{error}: nobody may go on");
        }
    }

    #[test]
    fn a_users_right_that_is_missing_is_told_at_once() {
        let cannot = "secrets is forbidden: User \"eve\" cannot list resource \"secrets\"";
        let unknown = format!("{cannot}: RBAC: clusterrole.rbac.authorization.k8s.io \"edit\" not found");
        assert_eq!(times_for_theirs(&ClusterError::Forbidden(cannot.into())), 1);
        assert_eq!(times_for_theirs(&ClusterError::Forbidden(unknown)), TIMES_REFUSED);
        assert_eq!(times_for_theirs(&ClusterError::Unreachable("words".into())), TIMES);
    }
}
