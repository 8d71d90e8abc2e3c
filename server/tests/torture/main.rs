//! Random operations on many releases under random faults, and the proof afterwards that nothing was lost, done twice,
//! or left without an explanation. `make torture` runs it for longer.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by a panic")]

mod clients;
mod evidence;
mod faults;
mod floors;
mod gathering;
mod journal;
mod plan;
mod prover;
mod report;
mod timeline;
mod world;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use testbed::HelmVersion;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use clients::Clients;
use faults::Faults;
use journal::Journal;
use plan::{Act, Plan};
use report::Course;
use world::World;

/// The seed when none is given, so that every ordinary run of the tests does the same.
const SEED: u64 = 20_915;
/// For how long, when that is not said.
const SECONDS: u64 = 60;
/// How long it may take until all is over: a stopped runner's Lease has to run out, and the queue to empty.
const OVER_WITHIN: Duration = Duration::from_secs(240);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_operation_is_lost_doubled_or_unexplained_under_random_faults() {
    let seed = number("SLIPWAY_TORTURE_SEED").unwrap_or(SEED);
    let seconds = number("SLIPWAY_TORTURE_MINUTES").map_or(SECONDS, |minutes| minutes * 60);
    let helm = if number("SLIPWAY_TORTURE_HELM") == Some(3) { HelmVersion::V3 } else { HelmVersion::V4 };
    println!("seed {seed}, {seconds} s");
    let plan = Plan::new(seed, Duration::from_secs(seconds));
    let world = Arc::new(World::start(helm).await);
    let journal = Arc::new(Journal::new());
    let clients = Arc::new(Clients::new(world.clone(), format!("torture-{seed}"), journal.clone()));
    let calm = CancellationToken::new();
    let faults = Arc::new(Faults::new(world.clone(), calm.clone(), journal.clone()));

    faults.keep_watches_short(seed);
    let began = Instant::now();
    let broken = follow(&plan, &clients, &faults, began, &calm).await;
    let lasted = began.elapsed();

    let calmed = gathering::until_over(&world, OVER_WITHIN).await;
    let evidence = gathering::gather(&world, &clients, faults.outages()).await;
    let verdict = prover::prove(&evidence);
    let course = Course {
        seed,
        helm,
        has_jobs: world.has_jobs(),
        lasted,
        calmed,
        answers: clients.answers(),
        faults: faults.done(),
    };
    let report = report::report(&course, &evidence, &verdict);
    println!("\n{report}");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("torture-{seed}.md"));
    std::fs::write(&path, &report).unwrap();
    std::fs::write(path.with_extension("journal"), journal.text()).unwrap();
    if !verdict.is_good() {
        let kept = keep(&world, seed);
        panic!("seed {seed}: not as promised; the report is {}, the evidence in {kept}", path.display());
    }
    assert!(broken.is_empty(), "seed {seed}: a part of the test itself failed: {broken:?}");
    let short = floors::shortfalls(&course, &evidence);
    assert!(short.is_empty(), "seed {seed}: as promised, and too little to prove it: {short:?}");
}

/// Does what the plan says, and returns when it is done and all is set right, with what of that failed: what Slipway did
/// is to be proved all the same.
async fn follow(
    plan: &Plan,
    clients: &Arc<Clients>,
    faults: &Arc<Faults>,
    began: Instant,
    calm: &CancellationToken,
) -> Vec<String> {
    let (mut asking, mut suffering) = (JoinSet::new(), JoinSet::new());
    for (number, step) in plan.steps.iter().cloned().enumerate() {
        tokio::time::sleep_until(began + step.at).await;
        match step.act {
            Act::Ask(wish) => {
                let clients = clients.clone();
                asking.spawn(async move { clients.ask(number, &wish).await });
            }
            Act::Suffer { fault, lasts, which } => {
                let faults = faults.clone();
                suffering.spawn(async move { faults.suffer(fault, lasts, which).await });
            }
        }
    }
    calm.cancel();
    let mut broken = Vec::new();
    while let Some(ended) = suffering.join_next().await {
        broken.extend(ended.err().map(|error| error.to_string()));
    }
    faults.end().await;
    while let Some(ended) = asking.join_next().await {
        broken.extend(ended.err().map(|error| error.to_string()));
    }
    broken
}

/// Keeps the audit log and Slipway's own logs of a run that failed.
fn keep(world: &World, seed: u64) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("torture-{seed}"));
    std::fs::create_dir_all(&folder).unwrap();
    let _ = std::fs::copy(world.cluster.data().join("audit.log"), folder.join("audit.log"));
    for (number, server) in world.servers.iter().enumerate() {
        let _ = std::fs::copy(server.log(), folder.join(format!("server-{number}.log")));
        for operation in std::fs::read_dir(server.operations()).into_iter().flatten().flatten() {
            for log in ["runner.log", "helm.log"] {
                let name = format!("{}.{log}", operation.file_name().to_string_lossy());
                let _ = std::fs::copy(operation.path().join(log), folder.join(name));
            }
        }
    }
    folder.display().to_string()
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok().filter(|text| !text.is_empty())?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}
