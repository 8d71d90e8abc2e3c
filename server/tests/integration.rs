//! Slipway against a real cluster: one binary, so that all of its tests share one.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by a panic")]

#[path = "integration/aftermath.rs"]
mod aftermath;
#[path = "integration/api.rs"]
mod api;
#[path = "integration/cancel.rs"]
mod cancel;
#[path = "integration/cluster.rs"]
mod cluster;
#[path = "integration/clusters.rs"]
mod clusters;
#[path = "integration/deaths.rs"]
mod deaths;
#[path = "integration/evidence.rs"]
mod evidence;
#[path = "integration/inspection.rs"]
mod inspection;
#[path = "integration/job_launch.rs"]
mod job_launch;
#[path = "integration/job_verbs.rs"]
mod job_verbs;
#[path = "integration/jobs.rs"]
mod jobs;
#[path = "integration/machine.rs"]
mod machine;
#[path = "integration/manifests.rs"]
mod manifests;
#[path = "integration/obstacles.rs"]
mod obstacles;
#[path = "integration/operations.rs"]
mod operations;
#[path = "integration/options.rs"]
mod options;
#[path = "integration/orphans.rs"]
mod orphans;
#[path = "integration/outages.rs"]
mod outages;
#[path = "integration/processes.rs"]
mod processes;
#[path = "integration/queue.rs"]
mod queue;
#[path = "integration/reading.rs"]
mod reading;
#[path = "integration/rights.rs"]
mod rights;
#[path = "integration/scenarios.rs"]
mod scenarios;
#[path = "integration/secrets.rs"]
mod secrets;
#[path = "integration/secure.rs"]
mod secure;
#[path = "integration/slipway.rs"]
mod slipway;
#[path = "integration/sources.rs"]
mod sources;
#[path = "integration/updates.rs"]
mod updates;
#[path = "integration/values.rs"]
mod values;
#[path = "integration/verbs.rs"]
mod verbs;
#[path = "integration/watchdog.rs"]
mod watchdog;
#[path = "integration/watches.rs"]
mod watches;
#[path = "integration/weather.rs"]
mod weather;
