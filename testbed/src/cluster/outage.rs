//! What can happen to a running cluster's API server and its store.
//!
//! A test that does this starts a cluster of its own: the others would not understand.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::start::is_ok;
use super::{Cluster, PATIENCE};
use crate::Error;
use crate::program::Program;
use crate::tools::{API_SERVER, ETCD, Tool};

impl Cluster {
    /// Kills the API server. Its port refuses connections until it is started again.
    pub async fn stop_api_server(&self) -> Result<(), Error> {
        self.change(API_SERVER, Program::stop).await
    }

    /// Starts the API server again, on the same port and the same data, and returns when it is ready.
    pub async fn start_api_server(&self) -> Result<(), Error> {
        self.change(API_SERVER, Program::start_again).await?;
        self.ready().await
    }

    /// Makes the API server stand still (`SIGSTOP`): it accepts connections and answers nothing.
    pub async fn pause_api_server(&self) -> Result<(), Error> {
        self.change(API_SERVER, Program::pause).await
    }

    /// Lets a paused API server go on, and returns when it is ready.
    pub async fn resume_api_server(&self) -> Result<(), Error> {
        self.change(API_SERVER, Program::resume).await?;
        self.ready().await
    }

    /// Kills etcd. The API server goes on without its store.
    pub async fn stop_etcd(&self) -> Result<(), Error> {
        self.change(ETCD, Program::stop).await
    }

    /// Starts etcd again, on the same port and the same data, and returns when the API server is ready.
    pub async fn start_etcd(&self) -> Result<(), Error> {
        self.change(ETCD, Program::start_again).await?;
        self.ready().await
    }

    /// Makes etcd stand still (`SIGSTOP`).
    pub async fn pause_etcd(&self) -> Result<(), Error> {
        self.change(ETCD, Program::pause).await
    }

    /// Lets a paused etcd go on, and returns when the API server is ready.
    pub async fn resume_etcd(&self) -> Result<(), Error> {
        self.change(ETCD, Program::resume).await?;
        self.ready().await
    }

    /// Changes a program where waiting for it holds nobody up.
    async fn change(
        &self,
        tool: Tool,
        change: impl FnOnce(&mut Program) -> Result<(), Error> + Send + 'static,
    ) -> Result<(), Error> {
        let programs = self.programs.clone();
        let changed = tokio::task::spawn_blocking(move || {
            let mut programs = programs.lock().unwrap_or_else(PoisonError::into_inner);
            let program = programs.iter_mut().find(|program| program.name == tool.name());
            program.map_or(Ok(()), change)
        });
        changed.await.map_err(std::io::Error::from)?
    }

    /// Waits for the API server, unless it or its store was stopped or paused: then there is nothing to wait for.
    async fn ready(&self) -> Result<(), Error> {
        let on = |tool: Tool| {
            let programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
            programs.iter().any(|program| program.name == tool.name() && program.is_on())
        };
        let admin = self.client("admin").await?;
        let began = Instant::now();
        while on(API_SERVER) && on(ETCD) && !is_ok(&admin, "/readyz").await {
            self.check()?;
            if began.elapsed() > PATIENCE {
                let programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
                let program = programs.iter().find(|program| program.name == API_SERVER.name());
                return Err(Error::NotReady {
                    what: API_SERVER.name(),
                    after: PATIENCE,
                    log: program.map(Program::log_tail).unwrap_or_default(),
                });
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }
}
