//! Accepting an operation: checked and recorded; its runner comes later, and helm later still.
//!
//! The order is what makes it safe: the release's Lease first, so that of two submissions one is refused; then whether
//! the same intent was recorded before, and what helm's records say; then the record, its input, and the answer. The
//! Lease bars the release from then on until the operation is over, however long it waits: what it says of its age counts
//! for nothing here.

mod half;
mod intent;

use std::sync::Arc;
use std::time::Duration;

use app::model::{
    Accepted, ApiError, Operation, OperationId, OperationKind, OperationState, ReleaseKey, RunnerKind,
    SubmitOperation, Timestamp,
};
use tokio::time::Instant;
use uuid::Uuid;

use super::lease::{self, Taking};
use super::{Hold, Input, Intent, Operations, Sourced, Stored, precheck, settle, validation};
use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;

/// For how long a submission waits for the record of its twin, which is being written just then.
const TWIN_PATIENCE: Duration = Duration::from_secs(3);

/// How often a write that got no answer is tried, and how long to wait before each time but the first.
const TIMES: usize = 3;
const ASK_AGAIN_AFTER: Duration = Duration::from_millis(200);

enum Recorded {
    New(Box<Stored>),
    Twin(Arc<Operation>),
}

impl Operations {
    /// Accepts an operation that `caller` asks for and has the right to. `chart` is what the request's chart means.
    ///
    /// # Errors
    /// When the request is not well formed, something stands in the way, or the cluster does not answer. Nothing is left
    /// behind then; but where a key was given, there may be an operation that has ended before it began. If the cluster
    /// answers nothing any more, not even what it has recorded, that may still be carried out: the same key tells.
    pub async fn submit(
        &self,
        caller: &str,
        request: SubmitOperation,
        chart: Option<Sourced>,
    ) -> Result<Accepted, ApiError> {
        self.accept(caller, request, chart, None).await
    }

    /// Accepts it, as what does the operation `again` once more where that is named.
    pub(super) async fn accept(
        &self,
        caller: &str,
        mut request: SubmitOperation,
        chart: Option<Sourced>,
        again: Option<OperationId>,
    ) -> Result<Accepted, ApiError> {
        validation::check(&request)?;
        let intent = Intent::of(&request, caller);
        let key = intent.as_ref().map(|intent| intent.key.as_str());
        let runner = self.launchers.choose(&request.options)?;
        request.options.runner = Some(runner);
        // Which helm an image has, nobody knows here.
        if runner == RunnerKind::Process {
            validation::check_helm(request.kind, &request.options, self.abilities)?;
        }
        let release = ReleaseKey::new(&request.namespace, &request.name);
        let input = Input::new(chart, request.values.clone());
        // A twin whose record was never written gives its Lease back; then it is our turn.
        for _ in 0..3 {
            let id = new_id(self.board.last_id(&release).as_ref(), self.clock.now());
            let wanted = lease::new_hold(&id, &self.by, key, self.clock.now());
            let taken = Instant::now();
            let hold = match self.take_lease(&release, &wanted).await.map_err(own_room)? {
                Taking::Taken(hold) => hold,
                Taking::Held(found) if key.is_some() && found.key_digest.as_deref() == key => {
                    match self.board.wait_for(&found.operation, TWIN_PATIENCE).await {
                        Some(twin) => return self.complete(&twin, intent.as_ref(), &input).await,
                        None => continue,
                    }
                }
                Taking::Held(found) => {
                    return match self.twin(&release, key).await.map_err(own_room)? {
                        Some(twin) => self.complete(&twin, intent.as_ref(), &input).await,
                        None => Err(self.in_the_way(&release, &found.operation)),
                    };
                }
            };
            let operation = new_operation(id, (caller, self.clock.now()), request, &release, again);
            let recorded = self.record(operation, intent.as_ref(), &input, taken).await;
            return match recorded {
                Ok(Recorded::New(stored)) => {
                    self.is_ours(&stored.operation.id);
                    Ok(accepted(&stored.operation))
                }
                Ok(Recorded::Twin(twin)) => {
                    lease::give_back(&*self.leases, &release, &hold).await;
                    self.complete(&twin, intent.as_ref(), &input).await
                }
                Err(error) => {
                    lease::give_back(&*self.leases, &release, &hold).await;
                    Err(error)
                }
            };
        }
        Err(ApiError::Unavailable { message: "The same submission is under way; try again.".into() })
    }

    async fn take_lease(&self, release: &ReleaseKey, wanted: &Hold) -> Result<Taking, ClusterError> {
        let found = match lease::take(&*self.leases, release, wanted, |_| false).await {
            Err(ClusterError::NotFound(_)) => {
                self.store.prepare().await?;
                lease::take(&*self.leases, release, wanted, |_| false).await?
            }
            taking => taking?,
        };
        match found {
            // An operation that is over works no more, though its runner may not have given the Lease back yet.
            Taking::Held(found) if self.is_over(&found.operation).await? => {
                lease::take(&*self.leases, release, wanted, |now| *now == found).await
            }
            taking => Ok(taking),
        }
    }

    /// Whether an operation is recorded, and is over. The watch may not have told of that yet.
    async fn is_over(&self, id: &OperationId) -> Result<bool, ClusterError> {
        if self.board.get(id).is_some_and(|operation| operation.state.is_terminal()) {
            return Ok(true);
        }
        match self.store.get(id).await {
            Ok(stored) => {
                self.board.wrote(&stored);
                Ok(stored.operation.state.is_terminal())
            }
            // It is being submitted just now, or its server died before it was recorded, or its record was overwritten;
            // recovery tells.
            Err(ClusterError::NotFound(_) | ClusterError::Unreadable(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The operation that the same key has made already: one that this server knows of, its own writes among them, or else
    /// one that the API server does, which may be a moment behind.
    async fn twin(
        &self,
        release: &ReleaseKey,
        key: Option<&str>,
    ) -> Result<Option<Arc<Operation>>, ClusterError> {
        let Some(key) = key else { return Ok(None) };
        if let Some(known) = self.board.with_key(release, key) {
            return Ok(Some(known));
        }
        let found = self.store.with_key(key).await?.into_iter().next();
        found.iter().for_each(|stored| self.board.wrote(stored));
        Ok(found.map(|stored| Arc::new(stored.operation)))
    }

    async fn record(
        &self,
        mut operation: Operation,
        intent: Option<&Intent>,
        input: &Input,
        taken: Instant,
    ) -> Result<Recorded, ApiError> {
        let release = operation.release.clone();
        let (twin, records) = tokio::join!(
            self.twin(&release, intent.map(|intent| intent.key.as_str())),
            self.records.revisions(&release)
        );
        if let Some(twin) = twin.map_err(own_room)? {
            return Ok(Recorded::Twin(twin));
        }
        // Somebody removed its Lease by hand.
        if let Some(active) = self.board.active_on(&release)
            && !self.is_over(&active.id).await.map_err(own_room)?
        {
            return Err(self.in_the_way(&release, &active.id));
        }
        let before = self.board.latest(&release);
        if let Some(id) = &operation.again {
            self.is_as_left(id, records.as_ref().map_or(&[][..], Vec::as_slice)).await?;
        }
        let scene = precheck::Scene { records: &records?, before: before.as_deref(), now: operation.created };
        let latest = precheck::check(operation.kind, &operation.options, &release, &scene)?;
        precheck::expected(&operation.options, &release, latest)?;
        operation.base_revision = latest;
        if operation.kind == OperationKind::Rollback {
            // Now, and not when a second attempt finds the first one's revision on top.
            operation.options.revision =
                latest.map(|latest| precheck::rollback_target(&operation.options, latest));
        }
        let written = async {
            let stored = again_if_unanswered(|| self.create(&operation, intent)).await?;
            again_if_unanswered(|| self.put_input(&stored, input)).await?;
            // A Lease without a record is cleared away after a while: if this process was stopped in between, the release
            // may be somebody else's.
            if taken.elapsed() >= lease::GIVE_UP_AFTER {
                return Err(ClusterError::Unreachable("the submission took too long".into()));
            }
            Ok(stored)
        };
        let stored = match written.await {
            Ok(stored) => stored,
            // It is there, and will be carried out: to say anything else would be wrong.
            Err(error) => {
                let found = self.take_back(&operation.id, intent.is_some()).await;
                found.ok_or_else(|| own_room(error))?
            }
        };
        self.board.wrote(&stored);
        self.forget_inputs_before(&stored.operation);
        Ok(Recorded::New(Box::new(stored)))
    }

    /// Checks that nobody has done anything to a release since the operation `id` was interrupted, be it by a helm in a
    /// terminal: doing it again would undo that.
    async fn is_as_left(&self, id: &OperationId, records: &[RecordMeta]) -> Result<(), ApiError> {
        let before = self.get(id).await?;
        let is_as_left = records.first().is_none_or(|latest| {
            settle::is_own(&before, latest) || Some(latest.revision) == before.base_revision
        });
        if is_as_left {
            return Ok(());
        }
        let message = "Something else was done with the release since; look at it first.".to_owned();
        Err(ApiError::Conflict { message, operation: None })
    }

    /// Creates the record; one that is there has been created before, without an answer.
    async fn create(&self, operation: &Operation, intent: Option<&Intent>) -> Result<Stored, ClusterError> {
        match self.store.create(operation, intent).await {
            Err(ClusterError::AlreadyExists(_)) => self.store.get(&operation.id).await,
            created => created,
        }
    }

    /// The same for what it was submitted with.
    async fn put_input(&self, of: &Stored, input: &Input) -> Result<(), ClusterError> {
        match self.store.put_input(of, input).await {
            Err(ClusterError::AlreadyExists(_)) => Ok(()),
            put => put,
        }
    }

    /// What was kept to do an earlier operation again is out of date once there is a newer one; nobody waits for that.
    fn forget_inputs_before(&self, operation: &Operation) {
        let release = &operation.release;
        let earlier = self.board.list(Some(&release.namespace), Some(&release.name)).into_iter();
        let earlier: Vec<_> = earlier
            .filter(|other| other.id < operation.id && other.state.is_terminal())
            .filter(|other| other.state != OperationState::Succeeded && operation.is_for_real())
            .map(|other| other.id.clone())
            .collect();
        let store = self.store.clone();
        tokio::spawn(async move {
            for id in earlier {
                if let Err(error) = store.delete_input(&id).await {
                    tracing::warn!(operation = %id, %error, "the operation's input is left behind; it goes with its record");
                }
            }
        });
    }

    fn in_the_way(&self, release: &ReleaseKey, found: &OperationId) -> ApiError {
        let what = match self.board.get(found) {
            // Somebody only looks: it is over soon, and changes nothing.
            Some(other) if !other.is_for_real() => {
                let message = format!(
                    "A preview of the {} of {} is being rendered, for {}. It changes nothing and is over in a moment: try again \
                     then.",
                    other.kind.noun().to_lowercase(),
                    release.name,
                    other.requested_by
                );
                return ApiError::Conflict { message, operation: Some(found.clone()) };
            }
            Some(other) => {
                format!("{} that {} asked for", other.kind.noun().to_lowercase(), other.requested_by)
            }
            None => "another operation".to_owned(),
        };
        let message = format!("Something is being done with the release {} already: {what}.", release.name);
        ApiError::Conflict { message, operation: Some(found.clone()) }
    }
}

/// A new id. Ids are of the API server's time, so that those of several servers sort by when they were made; and one sorts
/// after `last` on the same release even if the server that made that one reckons differently.
fn new_id(last: Option<&OperationId>, now: Timestamp) -> OperationId {
    let new = id_at(Duration::from_millis(u64::try_from(now.0).unwrap_or(0)));
    let last = last.and_then(|last| Uuid::parse_str(&last.0).ok()).filter(|last| *last >= new);
    let after = last.and_then(|last| {
        let (seconds, nanoseconds) = last.get_timestamp()?.to_unix();
        Some(id_at(Duration::new(seconds, nanoseconds) + Duration::from_millis(1)))
    });
    OperationId(after.unwrap_or(new).to_string())
}

/// An id of this time since the epoch.
fn id_at(time: Duration) -> Uuid {
    Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, time.as_secs(), time.subsec_nanos()))
}

/// Asks again what got no answer: the same twice comes to the same.
async fn again_if_unanswered<T, F: Future<Output = Result<T, ClusterError>>>(
    ask: impl Fn() -> F,
) -> Result<T, ClusterError> {
    for _ in 1..TIMES {
        match ask().await {
            Err(ClusterError::Unreachable(_)) => tokio::time::sleep(ASK_AGAIN_AFTER).await,
            answer => return answer,
        }
    }
    ask().await
}

fn new_operation(
    id: OperationId,
    (caller, now): (&str, Timestamp),
    request: SubmitOperation,
    release: &ReleaseKey,
    again: Option<OperationId>,
) -> Operation {
    Operation {
        id,
        kind: request.kind,
        release: release.clone(),
        chart: request.chart,
        max_attempts: request.options.attempts,
        options: request.options,
        requested_by: caller.to_owned(),
        idempotency_key: request.idempotency_key,
        created: now,
        state: OperationState::Queued,
        next_attempt: None,
        attempts: vec![],
        base_revision: None,
        outcome: None,
        cancel: None,
        again,
    }
}

fn accepted(operation: &Operation) -> Accepted {
    Accepted { id: operation.id.clone(), release: operation.release.clone(), state: operation.state }
}

/// An error about Slipway's own objects: the user cannot know that there are any.
fn own_room(error: ClusterError) -> ApiError {
    match error {
        ClusterError::Forbidden(message) => ApiError::Forbidden {
            message: format!("Slipway may not keep its own records in the cluster: {message}"),
        },
        ClusterError::NotFound(message) => ApiError::Unavailable {
            message: format!("There is no place for Slipway's own records in the cluster: {message}"),
        },
        ClusterError::AlreadyExists(_) | ClusterError::Conflict(_) => ApiError::Unavailable {
            message: "Many submissions for this release come at once; try again.".into(),
        },
        other => other.into(),
    }
}

#[cfg(test)]
mod tests;
