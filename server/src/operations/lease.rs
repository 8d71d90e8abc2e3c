//! Who may work on a release: whoever holds its Lease. It is what makes "nobody works on this" a proof.
//!
//! A Lease is taken at submit, renewed by the runner, and given back at the end. It bars the release for as long as its
//! operation is not over; one whose runner was seen not to renew it ([`sightings`]) is taken over by whoever looks after
//! such operations. Each write names the version that it was decided on, so of two who take the same Lease one is refused.

mod sightings;

use std::time::Duration;

use app::model::{OperationId, ReleaseKey, Timestamp};

pub use sightings::{Look, Sightings, Since};

use tokio::time::Instant;

use super::{Hold, Leases};
use crate::clock;
use crate::kube::ClusterError;

/// For how long a Lease is good after it was renewed, in seconds.
pub const SECONDS: u32 = 20;
/// How often a runner renews it.
pub const RENEW_EVERY: Duration = Duration::from_secs(5);
/// After how long without a renewal a runner gives up: before anyone else may take the Lease, so that its helm has time
/// to end.
pub const GIVE_UP_AFTER: Duration = Duration::from_secs(15);
/// For how long a Lease must be seen unchanged before it counts as run out: its length, and what a busy machine needs to
/// end a helm.
pub const GONE_AFTER: Duration = Duration::from_secs(SECONDS as u64 + 5);

/// What came of trying to take a Lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taking {
    /// It is ours.
    Taken(Hold),
    /// Somebody works on the release.
    Held(Hold),
}

/// The last renewal that is known to have been written: a runner may go on for [`GIVE_UP_AFTER`] from then.
#[derive(Clone, Copy, Debug)]
pub struct Renewal {
    at: Instant,
    /// Until when that is, by [`clock::since_boot`].
    pub until: Duration,
}

impl Renewal {
    /// A renewal that was asked for at `at`, and came to pass.
    pub fn asked_at(at: Instant) -> Self {
        // Read in this order: a process that is stopped between the two has less time, not more.
        let now = clock::since_boot();
        Self { at, until: (now + GIVE_UP_AFTER).saturating_sub(at.elapsed()) }
    }

    /// The same, had it been asked for earlier.
    #[cfg(test)]
    pub fn earlier(self, by: Duration) -> Self {
        Self { at: self.at - by, until: self.until.saturating_sub(by) }
    }

    /// When a runner must give up.
    pub fn ends(self) -> Instant {
        self.at + GIVE_UP_AFTER
    }
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

/// Takes the Lease of `release` if it is free, or `may_take` says so of whoever holds it.
///
/// # Errors
/// When the cluster does not do it.
pub async fn take(
    leases: &dyn Leases,
    release: &ReleaseKey,
    hold: &Hold,
    may_take: impl Fn(&Hold) -> bool,
) -> Result<Taking, ClusterError> {
    // Twice: a Lease that was in the way may be given back before it is read.
    for _ in 0..2 {
        match leases.create(release, hold).await {
            Ok(taken) => return Ok(Taking::Taken(taken)),
            Err(ClusterError::AlreadyExists(_)) => {}
            Err(error) => return Err(error),
        }
        let Some(found) = leases.get(release).await? else { continue };
        if !may_take(&found) {
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
        taken_if(leases, wanted, |_| false).await
    }

    async fn taken_if(leases: &FakeLeases, wanted: &Hold, may_take: impl Fn(&Hold) -> bool) -> Option<Hold> {
        match take(leases, &RELEASE(), wanted, may_take).await.unwrap() {
            Taking::Taken(hold) => Some(hold),
            Taking::Held(_) => None,
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
    async fn a_lease_that_was_taken_over_is_lost_to_its_old_holder() {
        let leases = FakeLeases::default();
        let old = taken(&leases, &hold("a", "x", 0)).await.unwrap();
        assert!(taken_if(&leases, &hold("b", "y", 26), |found| *found == old).await.is_some());
        assert_eq!(renew(&leases, &RELEASE(), &old, Timestamp(27_000)).await, Ok(None));
        give_back(&leases, &RELEASE(), &old).await;
        assert!(leases.get(&RELEASE()).await.unwrap().is_some(), "the new holder's Lease was removed");
    }

    #[tokio::test]
    async fn of_two_who_take_over_at_once_one_wins() {
        let leases = FakeLeases::default();
        let old = taken(&leases, &hold("a", "x", 0)).await.unwrap();
        let (b, c) = (hold("b", "y", 30), hold("c", "z", 30));
        let is_old = |found: &Hold| *found == old;
        let (b, c) = tokio::join!(taken_if(&leases, &b, is_old), taken_if(&leases, &c, is_old));
        assert!(b.is_some() != c.is_some());
    }

    #[tokio::test]
    async fn however_old_a_lease_says_it_is_it_is_not_taken_for_that() {
        let leases = FakeLeases::default();
        taken(&leases, &hold("a", "x", 0)).await.unwrap();
        assert_eq!(taken(&leases, &hold("b", "y", 1_000_000)).await, None);
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
