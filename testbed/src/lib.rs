//! A Kubernetes cluster for tests and the demo: real etcd, API server, controllers and scheduler, simulated pods
//! (kwok), real helm, and a repository of sample charts. Everything listens on loopback, keeps its data in a folder of
//! its own, and ends with the process that started it. On request, and where the machine allows it, a second node runs
//! pods for real ([`Cluster::has_real_node`]).
//!
//! ```no_run
//! # async fn example() -> Result<(), testbed::Error> {
//! let cluster = testbed::Cluster::start(testbed::Options::default()).await?;
//! let namespace = cluster.create_namespace(None).await?;
//! cluster.grant_edit("editor", &namespace).await?;
//! let client = cluster.client("editor").await?;
//! # let _ = client;
//! # Ok(())
//! # }
//! ```

mod charts;
mod clock;
mod cluster;
mod disk;
mod error;
mod fault;
mod program;
mod secure;
mod tools;
mod webhook;

pub use charts::ChartRepository;
pub use clock::clock_ahead;
pub use cluster::{AuditEvent, Cluster, Options, User};
pub use disk::Disk;
pub use error::Error;
pub use fault::{Answer, Effect, FaultProxy, Matcher, Rule, Times, WatchFault};
pub use secure::{Clients, SecureListener};
pub use tools::{HelmVersion, helm};
pub use webhook::Webhook;
