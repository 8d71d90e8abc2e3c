//! One run of helm.

use std::ffi::OsString;
use std::io::PipeWriter;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::{Child, Command};
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use super::repository::{self, Guarded};
use super::veil::Veil;
use super::watchdog::{self, GRACE};
use super::{Generation, Helm, HelmError, arguments, environment, output, preview};
use crate::operations::{Ended, Log, RenewalSignal, Stop, StopSignal, Task, private};

/// How long helm may take to end when it is told to, before it is killed: it stops what it waits for and writes its record.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to read on after helm's end, for a grandchild that holds its output open.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long to read on after helm's end what it rendered, which may be much for a machine that has much to do.
const RENDERING: Duration = Duration::from_secs(60);

/// Runs helm to its end; see [`crate::operations::Helm::run`].
pub(super) async fn run(
    helm: &Helm,
    task: &Task,
    folder: &Path,
    log: &Log,
    stop: StopSignal,
    renewed: RenewalSignal,
) -> Result<Ended, HelmError> {
    let values = match task.values.trim() {
        "" => None,
        _ => {
            let path = folder.join("values.yaml");
            private::write(&path, task.values.as_bytes())?;
            Some(path)
        }
    };
    // Empty, so that a chart's name can never be that of a file beside us.
    let current = folder.join("current");
    private::create_dir(&current)?;
    let arguments = arguments::of(task, helm.generation, &helm.target, values.as_deref());
    if task.options.force_conflicts && helm.generation == Generation::Three {
        return Err(HelmError::Lacks("--force-conflicts", "4"));
    }
    let run = Run { helm, task, folder, current: &current, log };
    if let Some(guarded) = Guarded::of(task.chart.as_ref()) {
        guarded.write(folder)?;
        let update = repository::UPDATE.map(OsString::from);
        let (ended, said) = run.once(&update, stop.clone(), renewed.clone(), false).await?;
        if let Some(unreached) = repository::unreached(ended, &said) {
            return Ok(unreached);
        }
    }
    let (ended, said) = run.once(&arguments, stop, renewed, task.options.dry_run).await?;
    Ok(Ended { error: output::last_error(&said), ..ended })
}

/// What each helm that works for one task has in common.
struct Run<'a> {
    helm: &'a Helm,
    task: &'a Task,
    folder: &'a Path,
    current: &'a Path,
    log: &'a Log,
}

impl Run<'_> {
    /// Runs one helm to its end; gives the end of what it said as well. One that `renders` puts that into a preview.
    async fn once(
        &self,
        arguments: &[OsString],
        stop: StopSignal,
        renewed: RenewalSignal,
        renders: bool,
    ) -> Result<(Ended, String), HelmError> {
        let Self { helm, task, folder, current, log } = *self;
        log.append(format!("$ {}\n", shown(arguments)).as_bytes());
        // What a dry run renders is not for the log.
        let rendered = if renders { Some(std::io::pipe()?) } else { None };
        let (rendered, stdout) = rendered.map_or((None, None), |(from, to)| (Some(from), Some(to)));
        let (mut child, output, watchdog) = spawn(helm, arguments, folder, current, stdout)?;
        // The watchdog takes the end of this, whether by our death or by our leave, for the end of helm's time.
        let _telling = AbortOnDropHandle::new(tokio::spawn(watchdog::tell(watchdog, renewed)));
        let heard = tokio::spawn(copy(output, log.clone(), Veil::of(task.chart.as_ref())));
        let rendered = rendered.map(|from| Receiver::from_owned_fd(from.into())).transpose()?;
        let rendered = rendered.map(|from| tokio::spawn(preview::read(from)));
        let (status, killed) = wait(&mut child, stop).await?;
        let heard = tokio::time::timeout(LAST_WORDS, heard).await;
        let said = heard.ok().and_then(Result::ok).unwrap_or_default();
        let preview = match rendered {
            Some(reading) if status.success() => Some(
                tokio::time::timeout(RENDERING, reading)
                    .await
                    .map_err(std::io::Error::from)?
                    .map_err(std::io::Error::from)??,
            ),
            _ => None,
        };
        let (code, signal) = watchdog::ending(status);
        if let Some(signal) = signal {
            log.append(format!("helm was ended by signal {signal}\n").as_bytes());
        }
        Ok((Ended { code, signal, killed, error: String::new(), preview }, said))
    }
}

/// Starts helm under its watchdog; gives the end of the pipe that helm writes to, and the one to the watchdog.
///
/// The reading end of helm's output is handed down as well ([`watchdog`] says why).
fn spawn(
    helm: &Helm,
    arguments: &[OsString],
    folder: &Path,
    current: &Path,
    stdout: Option<PipeWriter>,
) -> Result<(Child, Receiver, Sender), HelmError> {
    let (output, input) = std::io::pipe()?;
    let (words, watchdog) = std::io::pipe()?;
    let mut command = match &helm.guard {
        Some(executable) => {
            let mut command = Command::new(executable);
            command.arg(watchdog::SUBCOMMAND).args(stdout.as_ref().map(|_| watchdog::APART));
            command.arg(absolute(&helm.program)).arg("--");
            command.stdin(words);
            match stdout {
                Some(stdout) => command.stdout(stdout).stderr(input),
                None => command.stdout(input).stderr(output.try_clone()?),
            };
            command
        }
        None => {
            let mut command = Command::new(&helm.program);
            command.stdin(output.try_clone()?);
            command.stdout(stdout.map_or_else(|| input.try_clone(), Ok)?).stderr(input);
            command
        }
    };
    let child = command
        .args(arguments)
        .env_clear()
        .envs(environment::of(std::env::vars_os(), folder, &helm.target))
        .current_dir(current)
        .process_group(0)
        .spawn()
        .map_err(|source| HelmError::Start { program: helm.program.clone(), source })?;
    Ok((child, Receiver::from_owned_fd(output.into())?, Sender::from_owned_fd(watchdog.into())?))
}

/// A program given by a path is looked for from here, not from helm's folder; one given by name is found on PATH.
fn absolute(program: &Path) -> PathBuf {
    let is_name = program.components().count() == 1 && program.is_relative();
    if is_name { program.to_owned() } else { std::path::absolute(program).unwrap_or(program.to_owned()) }
}

/// The command line as the log shows it: paths and names, never a credential.
fn shown(arguments: &[OsString]) -> String {
    let shown = |argument: &OsString| {
        let argument = argument.to_string_lossy();
        argument.split(' ').map(without_credentials).collect::<Vec<_>>().join(" ")
    };
    format!("helm {}", arguments.iter().map(shown).collect::<Vec<_>>().join(" "))
}

/// `https://user:secret@host/x?token` as `https://host/x`.
fn without_credentials(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else { return word.to_owned() };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

/// Waits for helm's end, and brings it about when told to. The flag says that it had to be killed.
async fn wait(child: &mut Child, mut stop: StopSignal) -> std::io::Result<(ExitStatus, bool)> {
    let mut kill_at: Option<Instant> = None;
    let mut killed = false;
    stop.mark_changed();
    loop {
        tokio::select! {
            status = child.wait() => return Ok((status?, killed)),
            Ok(()) = stop.changed() => {
                let told = *stop.borrow_and_update();
                if told != Stop::No {
                    terminate(child);
                }
                let patience = match told {
                    Stop::No => None,
                    Stop::Asked => Some(PATIENCE),
                    Stop::AtOnce => Some(GRACE),
                };
                let latest = patience.map(|patience| Instant::now() + patience);
                kill_at = kill_at.into_iter().chain(latest).min();
            }
            () = tokio::time::sleep_until(kill_at.unwrap_or_else(Instant::now)), if kill_at.is_some() && !killed => {
                killed = true;
                child.start_kill()?;
            }
        }
    }
}

fn terminate(child: &Child) {
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(Err(error)) = pid.map(|pid| kill_process(pid, Signal::TERM)) {
        tracing::warn!(%error, "helm cannot be told to end");
    }
}

/// Copies helm's output to the log as it comes, and returns its last [`output::TAIL_MAX`] bytes.
async fn copy(mut from: Receiver, log: Log, mut veil: Veil) -> String {
    let (mut tail, mut buffer) = (Vec::new(), vec![0; 8 * 1024]);
    let mut keep = |said: &[u8]| {
        log.append(said);
        tail.extend_from_slice(said);
        let surplus = tail.len().saturating_sub(output::TAIL_MAX);
        tail.drain(..surplus);
    };
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        keep(&veil.pass(buffer.get(..length).unwrap_or_default()));
    }
    keep(&veil.rest());
    String::from_utf8_lossy(&tail).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_shown_without_credentials() {
        for (argument, expected) in [
            ("--repo=https://me:secret@charts.example/a@b", "--repo=https://charts.example/a@b"),
            ("--repo=https://charts.example?token=secret", "--repo=https://charts.example"),
            ("https://store.example/web.tgz?X-Signature=a/b@c#d", "https://store.example/web.tgz"),
            ("--description=as https://a/b?c=d says, why?", "--description=as https://a/b says, why?"),
        ] {
            let arguments = ["install", argument, "--", "web"].map(OsString::from);
            assert_eq!(shown(&arguments), format!("helm install {expected} -- web"));
        }
    }
}
