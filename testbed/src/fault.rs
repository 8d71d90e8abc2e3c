//! A proxy before the API server that does to its clients what networks and clusters do, when a test says so.
//!
//! ```no_run
//! # async fn example(cluster: &testbed::Cluster) -> Result<(), testbed::Error> {
//! use testbed::{Answer, Effect, FaultProxy, Matcher, Times};
//! let proxy = FaultProxy::start(cluster).await?;
//! let race = Answer::quota_conflict("compute");
//! let rule = proxy.add(Matcher::writes().agent("Helm/"), Times::First(2), Effect::Answer(race));
//! let kubeconfig = proxy.kubeconfig("editor")?; // for helm, or for a server
//! proxy.until_hit(&rule, 1).await;
//! # let _ = kubeconfig;
//! # Ok(())
//! # }
//! ```

mod answer;
mod body;
mod connection;
mod rule;
mod watch;

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

pub use self::answer::Answer;
use self::connection::Gate;
pub(crate) use self::connection::{acceptor, certificates, private_key};
pub use self::rule::{Effect, Matcher, Rule, Times};
pub use self::watch::WatchFault;
use crate::cluster::private;
use crate::{Cluster, Error};

/// A proxy on loopback before a cluster's API server. What no rule matches passes through it unchanged, with the client's
/// own credentials. Dropping it cuts its connections.
///
/// It speaks HTTP/1.1 over TLS, with the API server's own certificate: client-go sends no token in the clear. While the
/// API server is stopped, the proxy still accepts connections, and resets them at the first request. What needs another
/// protocol, as `exec` and `port-forward` do, does not pass.
#[derive(Debug)]
pub struct FaultProxy {
    port: u16,
    data: PathBuf,
    gate: Gate,
    acceptor: JoinHandle<()>,
}

impl FaultProxy {
    /// Starts a proxy before a cluster, with no rules yet.
    pub async fn start(cluster: &Cluster) -> Result<Self, Error> {
        let gate = Gate::new(cluster.url(), cluster.data())?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let acceptor = tokio::spawn(accept(listener, gate.clone()));
        Ok(Self { port, data: cluster.data().to_path_buf(), gate, acceptor })
    }

    /// Its address, in place of the API server's.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// A kubeconfig with which a user of the cluster goes through this proxy.
    pub fn kubeconfig(&self, user: &str) -> Result<PathBuf, Error> {
        let direct = match std::fs::read(self.data.join(format!("{user}.kubeconfig"))) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::UnknownUser(user.to_owned()));
            }
            read => read?,
        };
        let mut file: serde_json::Value =
            serde_json::from_slice(&direct).map_err(|error| Error::Kube(kube::Error::SerdeError(error)))?;
        file["clusters"][0]["cluster"]["server"] = self.url().into();
        let path = self.data.join(format!("{user}.through-{}.kubeconfig", self.port));
        private(&path, format!("{file:#}\n").as_bytes())?;
        Ok(path)
    }

    /// A client with a user's rights that goes through this proxy.
    pub async fn client(&self, user: &str) -> Result<Client, Error> {
        let file = Kubeconfig::read_from(self.kubeconfig(user)?)?;
        let config = Config::from_custom_kubeconfig(file, &KubeConfigOptions::default()).await?;
        Ok(Client::try_from(config)?)
    }

    /// Adds a rule. Of several that match a request, the first that was added and still applies is followed, alone.
    pub fn add(&self, matcher: Matcher, times: Times, effect: Effect) -> Rule {
        let rule = Rule::new(matcher, times, effect);
        self.gate.rules.write(|rules| rules.push(rule.clone()));
        rule
    }

    /// Takes a rule away, and lets go what it holds up. Watches that it distorts stay so.
    pub fn remove(&self, rule: &Rule) {
        self.gate.rules.write(|rules| rules.retain(|other| other != rule));
        rule.release();
    }

    /// Takes all rules away.
    pub fn clear(&self) {
        let rules = self.gate.rules.write(std::mem::take);
        rules.iter().for_each(Rule::release);
    }

    /// How often a rule took effect: for each request or connection, and on a distorted watch for each event.
    pub fn hits(&self, rule: &Rule) -> u64 {
        rule.hits()
    }

    /// Waits until a rule took effect at least `count` times.
    pub async fn until_hit(&self, rule: &Rule, count: u64) {
        rule.until_hit(count).await;
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.acceptor.abort();
        self.clear();
    }
}

async fn accept(listener: TcpListener, gate: Gate) {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => connections.spawn(connection::serve(stream, gate.clone())),
            Err(error) => {
                tracing::warn!(%error, "the fault proxy could not accept a connection");
                // Out of descriptors, perhaps: they come back when others are done.
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            }
        };
        while connections.try_join_next().is_some() {}
    }
}

/// What every connection looks at for each request.
#[derive(Debug, Clone, Default)]
struct Rules(Arc<std::sync::Mutex<Vec<Rule>>>);

impl Rules {
    fn write<T>(&self, with: impl FnOnce(&mut Vec<Rule>) -> T) -> T {
        with(&mut self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// The rule that this request or connection falls under.
    fn find(&self, falls_under: impl Fn(&Rule) -> bool) -> Option<Rule> {
        self.write(|rules| rules.iter().find(|rule| falls_under(rule)).cloned())
    }
}
