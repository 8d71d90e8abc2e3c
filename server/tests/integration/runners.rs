//! What a runner costs, as a process and as a Job: how soon it is there, and how much memory its processes take. Prints what
//! `docs/evidence/runners.txt` holds; what is asserted is only that it can be measured, for a machine may be busy.

use std::time::{Duration, Instant};

use rustix::process::Pid;
use serde_json::{Value, json};
use testbed::HelmVersion;

use crate::jobs;
use crate::processes::{children_of, peak_memory, runner_of};
use crate::slipway::Slipway;

/// How often each is measured; the figures are the median of times and the largest of sizes.
const RUNS: usize = 5;
/// Runner, watchdog and helm.
const PROCESSES: usize = 3;

/// One of the processes of an operation: when it was there, and the most memory that it had, in KiB.
type Process = (Duration, u64);

/// Looks at an operation's processes until they are gone. Each is the only child of the one before.
fn watched(id: &str, began: Instant) -> [Process; PROCESSES] {
    let mut found: Vec<(Pid, Process)> = Vec::new();
    while began.elapsed() < Duration::from_secs(180) {
        let next = match found.last() {
            None => runner_of(id),
            Some((parent, _)) if found.len() < PROCESSES => children_of(*parent).pop(),
            Some(_) => None,
        };
        found.extend(next.map(|process| (process, (began.elapsed(), 0))));
        for (process, (_, peak)) in &mut found {
            *peak = peak_memory(*process).unwrap_or_default().max(*peak);
        }
        if found.first().is_some_and(|(runner, _)| peak_memory(*runner).is_none()) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let found: Vec<Process> = found.into_iter().map(|(_, process)| process).collect();
    found.try_into().expect("a runner, its watchdog and its helm")
}

fn median(mut times: Vec<Duration>) -> u128 {
    times.sort();
    times[times.len() / 2].as_millis()
}

async fn is_measured(what: &str, slipway: &Slipway, mut body: Value) {
    let (mut answers, mut records) = (Vec::new(), Vec::new());
    let mut seen: [Vec<Process>; PROCESSES] = Default::default();
    for run in 0..RUNS {
        let name = format!("run-{run}");
        body["name"] = json!(name);
        let asked = Instant::now();
        let id = slipway.submit(&body).await;
        answers.push(asked.elapsed());
        let watch = tokio::task::spawn_blocking({
            let id = id.clone();
            move || watched(&id, asked)
        });
        let release = format!("namespaces/{}/releases/{name}", body["namespace"].as_str().unwrap());
        slipway.until(&release, |view| !view["record"].is_null()).await;
        records.push(asked.elapsed());
        assert_eq!(slipway.ended(&id).await["state"], "succeeded");
        for (of, process) in seen.iter_mut().zip(watch.await.unwrap()) {
            of.push(process);
        }
    }
    let [runner, watchdog, helm] = seen.map(|of| {
        let peak = of.iter().map(|(_, peak)| *peak).max().unwrap_or_default();
        assert!(peak > 0, "{what}: {of:?}");
        (median(of.into_iter().map(|(when, _)| when).collect()), peak / 1024)
    });
    println!(
        "measured: {what}, {RUNS} installs: answer after {} ms, runner there after {} ms, its helm after {} ms, helm's record \
         after {} ms; memory at most: runner {} MiB, watchdog {} MiB, helm {} MiB",
        median(answers),
        runner.0,
        helm.0,
        median(records),
        runner.1,
        watchdog.1,
        helm.1,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_process_costs_is_measured() {
    let slipway = Slipway::start().await;
    let body = json!({
        "kind": "install", "namespace": slipway.namespace().await,
        "chart": {"repository": "samples", "name": "web", "version": "1.0.0"},
        "values": "startup: {seconds: 3}\n",
    });
    is_measured("a process", &slipway, body).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_job_costs_is_measured() {
    let Some(slipway) = jobs::server(HelmVersion::V4).await else { return };
    let ns = slipway.namespace().await;
    let body = jobs::body("install", &ns, Some("web"), "startup: {seconds: 3}\n");
    is_measured("a Job", &slipway, body).await;
    let over = Instant::now();
    jobs::nothing_is_left(&slipway).await;
    println!(
        "measured: a Job, its pod and its Lease were gone {} ms after the last end",
        over.elapsed().as_millis()
    );
}
