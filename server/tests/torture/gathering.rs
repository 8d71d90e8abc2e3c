//! Waits until all is over, and gathers what a run leaves behind.

use std::time::{Duration, Instant};

use app::model::Operation;
use jiff::Timestamp;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::api::{Api, ListParams};
use server::kube::records::{RECORD_TYPE, RecordMeta};

use crate::clients::Clients;
use crate::evidence::{Evidence, OPERATION_TYPE, OPERATIONS, Span, Times};
use crate::plan::SERVERS;
use crate::world::World;

/// How often to look.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Waits, for `patience` at most, until no operation is under way and nothing is left over; tells how long that took.
pub async fn until_over(world: &World, patience: Duration) -> Duration {
    let began = Instant::now();
    while began.elapsed() < patience {
        let operations = without_times(operations(world).await);
        let is_over = operations.iter().all(|operation| operation.state.is_terminal());
        if is_over && left(world, &operations).await.is_empty() {
            break;
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    began.elapsed()
}

/// All that a run leaves behind.
pub async fn gather(world: &World, clients: &Clients, outages: Vec<Span>) -> Evidence {
    let recorded = operations(world).await;
    let times = recorded.iter().map(|(operation, times)| (operation.id.clone(), *times)).collect();
    let operations = without_times(recorded);
    let mut disagreements = Vec::new();
    for operation in &operations {
        for server in 0..SERVERS {
            let told = clients.state(server, &operation.id).await;
            if told.as_deref() != Some(operation.state.as_str()) {
                let (id, state) = (&operation.id, operation.state.as_str());
                disagreements.push(format!("server {server} says of {id} {told:?}, and it is {state}"));
            }
        }
    }
    // An answer is in the log a moment after its client has it.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let which = ListParams::default().fields(&format!("type={RECORD_TYPE}"));
    let records =
        Api::<Secret>::all(world.admin.clone()).list_metadata(&which).await.expect("helm's records");
    Evidence {
        accepted: clients.accepted(),
        left: left(world, &operations).await,
        operations,
        times,
        records: records.items.iter().filter_map(|secret| RecordMeta::read(&secret.metadata)).collect(),
        audit: world.cluster.audit().await.expect("the audit log"),
        outages,
        disagreements,
    }
}

/// Slipway's records, but for those that are not its own.
async fn operations(world: &World) -> Vec<(Operation, Times)> {
    let which = ListParams::default().fields(&format!("type={OPERATION_TYPE}"));
    let secrets = Api::<Secret>::namespaced(world.admin.clone(), OPERATIONS);
    secrets.list(&which).await.expect("Slipway's records").items.iter().filter_map(read).collect()
}

fn read(secret: &Secret) -> Option<(Operation, Times)> {
    let text = secret.data.as_ref()?.get("operation")?;
    let operation: Operation = serde_json::from_slice(&text.0).ok()?;
    let created = secret.metadata.creation_timestamp.as_ref()?.0;
    let writes = secret.metadata.managed_fields.iter().flatten();
    let written = writes.filter_map(|write| Some(write.time.as_ref()?.0)).max().unwrap_or(created);
    // Somebody may have copied it.
    let is_own = secret.metadata.name.as_deref() == Some(format!("slipway.op.v1.{}", operation.id).as_str());
    is_own.then_some((operation, Times { created, written }))
}

fn without_times(recorded: Vec<(Operation, Times)>) -> Vec<Operation> {
    recorded.into_iter().map(|(operation, _)| operation).collect()
}

/// What should be gone when all is over.
async fn left(world: &World, operations: &[Operation]) -> Vec<String> {
    let mut servers = Vec::new();
    for server in &world.servers {
        servers.extend(server.pid().await.and_then(|pid| i32::try_from(pid).ok()));
    }
    let ours = world.processes().into_iter().filter(|(number, _)| !servers.contains(number));
    let mut left: Vec<String> = ours.map(|(number, role)| format!("process {number} ({role})")).collect();
    let all = ListParams::default();
    let leases = Api::<Lease>::namespaced(world.admin.clone(), OPERATIONS).list(&all).await.expect("Leases");
    left.extend(leases.items.iter().map(|lease| {
        let holder = lease.spec.as_ref().and_then(|spec| spec.holder_identity.clone()).unwrap_or_default();
        let renewed = lease.spec.as_ref().and_then(|spec| spec.renew_time.as_ref()).map(|at| at.0);
        let age = renewed.map(|at| Timestamp::now().duration_since(at).as_secs());
        format!("the Lease of {holder}, renewed {} s ago", age.unwrap_or_default())
    }));
    let jobs = Api::<Job>::namespaced(world.admin.clone(), OPERATIONS).list(&all).await.expect("Jobs");
    left.extend(jobs.items.iter().map(|job| format!("the Job {:?}", job.metadata.name)));
    let pods = Api::<Pod>::namespaced(world.admin.clone(), OPERATIONS).list(&all).await.expect("pods");
    left.extend(pods.items.iter().map(|pod| format!("the pod {:?}", pod.metadata.name)));
    for operation in operations.iter().filter(|operation| operation.state.is_terminal()) {
        for server in &world.servers {
            let work = server.operation(&operation.id.0).join("work");
            if work.exists() {
                left.push(format!("the working files of {}, which may hold values", operation.id));
            }
        }
    }
    left
}
