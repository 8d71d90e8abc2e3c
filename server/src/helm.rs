//! The one room that starts helm: arguments for helm 3 and helm 4 ([`arguments`]), a clean environment, the process
//! itself, and what to make of its output.

pub mod arguments;
mod environment;
pub mod guard;
mod output;
mod preview;
mod process;
mod source;
pub mod terminal;
mod veil;
pub mod watchdog;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;
use tokio::process::Command;

use crate::kube::Target;
use crate::operations::{Abilities, Ended, Log, NotRun, RenewalSignal, StopSignal, Task};

/// `helm version` reads no cluster and no network.
const VERSION_DEADLINE: Duration = Duration::from_secs(20);

/// The two generations of helm that are in use; their command lines differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// helm 3
    Three,
    /// helm 4
    Four,
}

impl Generation {
    /// The generation of a version as helm tells it (`v3.22.0`, `v4.3`); none for any other.
    pub fn of(version: &str) -> Option<Self> {
        let major = version.trim().trim_start_matches('v').split('.').next()?;
        match major {
            "3" => Some(Self::Three),
            "4" => Some(Self::Four),
            _ => None,
        }
    }
}

/// Why helm cannot be used at all.
#[derive(Debug, Error)]
pub enum HelmError {
    /// It cannot be started.
    #[error("helm ({program}) cannot be started: {source}")]
    Start {
        /// The program as it was given.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It does not tell a version that Slipway knows.
    #[error("{program} does not tell a version of helm 3 or helm 4, but {answer:?}")]
    Version {
        /// The program as it was given.
        program: PathBuf,
        /// What it said instead.
        answer: String,
    },
    /// It is too old for what is asked of it.
    #[error("This helm has no {0}: that came with helm {1}.")]
    Lacks(&'static str, &'static str),
    /// A file for it cannot be written, or its output cannot be read.
    #[error("helm's working files: {0}")]
    Files(#[from] std::io::Error),
}

/// A helm program, and the cluster that it is to work on.
#[derive(Clone, Debug)]
pub struct Helm {
    program: PathBuf,
    generation: Generation,
    target: Target,
    guard: Option<PathBuf>,
}

impl Helm {
    /// Finds out which helm `program` is. `scratch` is an existing folder for what helm may want to write.
    ///
    /// # Errors
    /// When it cannot be started, or is neither helm 3 nor helm 4.
    pub async fn find(program: &Path, target: Target, scratch: &Path) -> Result<Self, HelmError> {
        // helm runs in a folder of its own.
        let kubeconfig = target.kubeconfig.map(std::path::absolute).transpose()?;
        let target = Target { kubeconfig, ..target };
        let mut command = Command::new(program);
        command
            .args(["version", "--template", "{{.Version}}"])
            .env_clear()
            .envs(environment::of(std::env::vars_os(), scratch, &target))
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let start = |source| HelmError::Start { program: program.to_owned(), source };
        let output = match tokio::time::timeout(VERSION_DEADLINE, command.output()).await {
            Ok(output) => output.map_err(start)?,
            Err(_) => return Err(start(std::io::ErrorKind::TimedOut.into())),
        };
        let answer: String = String::from_utf8_lossy(&output.stdout).chars().take(200).collect();
        let generation = Generation::of(&answer)
            .ok_or_else(|| HelmError::Version { program: program.to_owned(), answer })?;
        Ok(Self { program: program.to_owned(), generation, target, guard: None })
    }

    /// Starts helm under a [`watchdog`], with `executable` as the program that has that subcommand, so that no helm goes
    /// on without its runner.
    #[must_use]
    pub fn guarded_by(self, executable: PathBuf) -> Self {
        Self { guard: Some(executable), ..self }
    }

    /// Which helm it is.
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// What it can do that not every helm can.
    pub fn abilities(&self) -> Abilities {
        let is_four = self.generation == Generation::Four;
        Abilities { forces_conflicts: is_four, describes_rollbacks: is_four }
    }
}

#[async_trait]
impl crate::operations::Helm for Helm {
    async fn run(
        &self,
        task: &Task,
        folder: &Path,
        log: &Log,
        stop: StopSignal,
        renewed: RenewalSignal,
    ) -> Result<Ended, NotRun> {
        process::run(self, task, folder, log, stop, renewed).await.map_err(|error| match error {
            HelmError::Lacks(..) => NotRun::Asked(error.to_string()),
            error => NotRun::Here(error.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generation_is_the_major_version() {
        for (version, generation) in [
            ("v3.22.0", Some(Generation::Three)),
            ("v4.3\n", Some(Generation::Four)),
            ("v2.17.0", None),
            ("", None),
            ("not helm", None),
        ] {
            assert_eq!(Generation::of(version), generation, "{version}");
        }
    }
}
