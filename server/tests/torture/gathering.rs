//! Waits until all is over, and gathers what a run leaves behind.

use std::time::{Duration, Instant};

use app::model::{Operation, OperationState};
use jiff::Timestamp;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, ListParams};
use server::kube::records::{RECORD_TYPE, RecordMeta};

use crate::clients::Clients;
use crate::evidence::{Evidence, OPERATIONS, Span};
use crate::plan::SERVERS;
use crate::world::{World, processes};

/// How often to look.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// What Slipway's records have for a type.
const OPERATION_TYPE: &str = "slipway.dev/operation.v1";

/// Waits, for `patience` at most, until no operation is under way and nothing is left over; tells how long that took.
pub async fn until_over(world: &World, patience: Duration) -> Duration {
    let began = Instant::now();
    while began.elapsed() < patience {
        let operations = operations(world).await;
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
    let operations = operations(world).await;
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
        records: records.items.iter().filter_map(|secret| RecordMeta::read(&secret.metadata)).collect(),
        audit: world.cluster.audit().await.expect("the audit log"),
        outages,
        disagreements,
    }
}

/// Slipway's records, but for those that cannot be read.
async fn operations(world: &World) -> Vec<Operation> {
    let which = ListParams::default().fields(&format!("type={OPERATION_TYPE}"));
    let secrets = Api::<Secret>::namespaced(world.admin.clone(), OPERATIONS);
    let secrets = secrets.list(&which).await.expect("Slipway's records");
    let text = |secret: &Secret| secret.data.as_ref().and_then(|data| data.get("operation")).cloned();
    let read = secrets.items.iter().filter_map(|secret| serde_json::from_slice(&text(secret)?.0).ok());
    read.collect()
}

/// What should be gone when all is over.
async fn left(world: &World, operations: &[Operation]) -> Vec<String> {
    let mut servers = Vec::new();
    for server in &world.servers {
        servers.extend(server.pid().await.and_then(|pid| i32::try_from(pid).ok()));
    }
    let ours = processes(world.folder.path()).into_iter().filter(|(number, _)| !servers.contains(number));
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
    for operation in operations.iter().filter(|operation| operation.state == OperationState::Succeeded) {
        for server in &world.servers {
            let work = server.data().join("operations").join(&operation.id.0).join("work");
            if work.exists() {
                left.push(format!("the working files of {}, which may hold values", operation.id));
            }
        }
    }
    left
}
