//! Who may work on a release: whoever holds its Lease. It is what makes "nobody works on this" a proof.
//!
//! A Lease is taken at submit, renewed by the runner, and given back at the end. One that ran out may be taken over.
//! Each write names the version that it was decided on, so of two who take the same Lease one is refused.

use std::time::Duration;

use app::model::{OperationId, ReleaseKey, Timestamp};

use super::{Hold, Leases};
use crate::kube::ClusterError;

/// For how long a Lease is good after it was renewed, in seconds.
pub const SECONDS: u32 = 20;
/// How often a runner renews it.
pub const RENEW_EVERY: Duration = Duration::from_secs(5);
/// After how long without a renewal a runner gives up: before anyone else may take the Lease, so that its helm has time
/// to end.
pub const GIVE_UP_AFTER: Duration = Duration::from_secs(15);
/// By how much two machines' clocks may differ: a Lease is taken over only when it ran out by more than this.
const CLOCKS_DIFFER_BY_MS: u64 = 5_000;

/// What came of trying to take a Lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taking {
    /// It is ours.
    Taken(Hold),
    /// Somebody works on the release.
    Held(Hold),
}

/// Whether a Lease ran out, at `now`.
pub fn has_run_out(hold: &Hold, now: Timestamp) -> bool {
    now.since(hold.renewed) > u64::from(hold.seconds) * 1000 + CLOCKS_DIFFER_BY_MS
}

/// A hold on behalf of `operation` that begins at `now`.
pub fn new_hold(operation: &OperationId, by: &str, key_digest: Option<&str>, now: Timestamp) -> Hold {
    Hold {
        operation: operation.clone(),
        by: by.to_owned(),
        key_digest: key_digest.map(str::to_owned),
        renewed: now,
        seconds: SECONDS,
        resource_version: String::new(),
    }
}

/// Takes the Lease of `release` if it is free, ran out, or `is_over` says of its holder that it works no more.
///
/// # Errors
/// When the cluster does not do it.
pub async fn take(
    leases: &dyn Leases,
    release: &ReleaseKey,
    hold: &Hold,
    is_over: impl Fn(&Hold) -> bool,
) -> Result<Taking, ClusterError> {
    // Twice: a Lease that was in the way may be given back before it is read.
    for _ in 0..2 {
        match leases.create(release, hold).await {
            Ok(taken) => return Ok(Taking::Taken(taken)),
            Err(ClusterError::AlreadyExists(_)) => {}
            Err(error) => return Err(error),
        }
        let Some(found) = leases.get(release).await? else { continue };
        if !has_run_out(&found, hold.renewed) && !is_over(&found) {
            return Ok(Taking::Held(found));
        }
        match leases.replace(release, &found, hold).await {
            Ok(taken) => return Ok(Taking::Taken(taken)),
            Err(ClusterError::Conflict(_) | ClusterError::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    match leases.get(release).await? {
        Some(found) => Ok(Taking::Held(found)),
        None => Err(ClusterError::Conflict(format!("the Lease of {release} changes hands all the time"))),
    }
}

/// Renews a hold; `None` when it is no longer ours.
///
/// # Errors
/// When the cluster does not answer, which does not mean that the hold is lost.
pub async fn renew(
    leases: &dyn Leases,
    release: &ReleaseKey,
    hold: &Hold,
    now: Timestamp,
) -> Result<Option<Hold>, ClusterError> {
    let next = Hold { renewed: now, ..hold.clone() };
    match leases.replace(release, hold, &next).await {
        Ok(renewed) => Ok(Some(renewed)),
        Err(ClusterError::Conflict(_) | ClusterError::NotFound(_)) => {
            // A renewal whose answer was lost looks like somebody else's write.
            let found = leases.get(release).await?;
            Ok(found.filter(|found| found.operation == hold.operation && found.by == hold.by))
        }
        Err(error) => Err(error),
    }
}

/// Gives a hold back. One that is no longer ours is left alone; one that cannot be given back runs out.
pub async fn give_back(leases: &dyn Leases, release: &ReleaseKey, hold: &Hold) {
    match leases.delete(release, hold).await {
        Ok(()) | Err(ClusterError::Conflict(_) | ClusterError::NotFound(_)) => {}
        Err(error) => tracing::warn!(%release, %error, "the Lease could not be given back; it will run out"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::fakes::FakeLeases;

    const RELEASE: fn() -> ReleaseKey = || ReleaseKey::new("ns", "web");

    fn hold(operation: &str, by: &str, seconds: i64) -> Hold {
        new_hold(&OperationId(operation.into()), by, None, Timestamp(seconds * 1000))
    }

    async fn taken(leases: &FakeLeases, wanted: &Hold) -> Option<Hold> {
        match take(leases, &RELEASE(), wanted, |_| false).await.unwrap() {
            Taking::Taken(hold) => Some(hold),
            Taking::Held(_) => None,
        }
    }

    #[test]
    fn a_lease_runs_out_after_its_time_and_what_clocks_may_differ() {
        let held = hold("a", "x", 100);
        for (second, out) in [(90, false), (100, false), (120, false), (125, false), (126, true)] {
            assert_eq!(has_run_out(&held, Timestamp(second * 1000)), out, "{second}");
        }
    }

    #[tokio::test]
    async fn a_free_lease_is_taken_and_a_held_one_names_its_holder() {
        let leases = FakeLeases::default();
        assert!(taken(&leases, &hold("a", "x", 0)).await.is_some());
        let second = take(&leases, &RELEASE(), &hold("b", "y", 10), |_| false).await.unwrap();
        assert!(matches!(second, Taking::Held(found) if found.operation.0 == "a"));
    }

    #[tokio::test]
    async fn a_lease_that_ran_out_is_taken_over_and_its_old_holder_learns_it() {
        let leases = FakeLeases::default();
        let old = taken(&leases, &hold("a", "x", 0)).await.unwrap();
        assert!(taken(&leases, &hold("b", "y", 26)).await.is_some());
        assert_eq!(renew(&leases, &RELEASE(), &old, Timestamp(27_000)).await, Ok(None));
        give_back(&leases, &RELEASE(), &old).await;
        assert!(leases.get(&RELEASE()).await.unwrap().is_some(), "the new holder's Lease was removed");
    }

    #[tokio::test]
    async fn of_two_who_take_over_at_once_one_wins() {
        let leases = FakeLeases::default();
        taken(&leases, &hold("a", "x", 0)).await;
        let (b, c) = (hold("b", "y", 30), hold("c", "z", 30));
        let (b, c) = tokio::join!(taken(&leases, &b), taken(&leases, &c));
        assert!(b.is_some() != c.is_some());
    }

    #[tokio::test]
    async fn a_lease_whose_holder_works_no_more_is_taken_over_at_once() {
        let leases = FakeLeases::default();
        taken(&leases, &hold("a", "server", 0)).await;
        let ours = |found: &Hold| found.operation.0 == "a";
        let runner = take(&leases, &RELEASE(), &hold("a", "runner", 1), ours).await.unwrap();
        assert!(matches!(runner, Taking::Taken(_)));
    }

    #[tokio::test]
    async fn a_renewal_whose_answer_was_lost_is_still_ours() {
        let leases = FakeLeases::default();
        let old = taken(&leases, &hold("a", "x", 0)).await.unwrap();
        renew(&leases, &RELEASE(), &old, Timestamp(5_000)).await.unwrap().unwrap();
        let again = renew(&leases, &RELEASE(), &old, Timestamp(6_000)).await.unwrap();
        assert_eq!(again.map(|hold| hold.renewed), Some(Timestamp(5_000)));
    }

    #[tokio::test]
    async fn what_was_given_back_is_free() {
        let leases = FakeLeases::default();
        let first = taken(&leases, &hold("a", "x", 0)).await.unwrap();
        give_back(&leases, &RELEASE(), &first).await;
        assert!(taken(&leases, &hold("b", "y", 1)).await.is_some());
    }
}
