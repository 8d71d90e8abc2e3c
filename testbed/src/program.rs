//! A program that cannot outlive this process.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::net::Ipv4Addr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tokio::net::TcpSocket;

use crate::Error;
use crate::tools::Tool;

/// The shell between us and the program holds the reading end of a pipe of ours. The pipe closes when we drop it, and
/// also when we die, however suddenly; then the shell kills the program. `wait` makes the shell end with the program;
/// its number may then become another's, so the one that would kill it ends first. A line in the pipe is a signal for
/// the program, and is answered by a line.
const SUPERVISOR: &str = r#"
exec 3<&0
"$@" </dev/null 3<&- >&2 &
program=$!
( while read -r signal <&3; do kill -"$signal" $program; echo; done; kill -KILL $program ) 2>/dev/null &
watcher=$!
wait $program
kill $watcher
"#;

/// Removes a folder when the pipe closes: what a sudden death leaves behind is not only processes. Those are still
/// dying at that moment, and one of them may write once more.
const JANITOR: &str = r#"read -r _; for _ in 1 2 3 4 5; do rm -rf -- "$1" && exit; sleep 1; done"#;

const LOG_TAIL: u64 = 4096;

/// A program that runs, or was stopped and can be started again; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    command: Command,
    running: Option<Running>,
    ports: Vec<u16>,
    // A stopped program's ports, bound so that nobody takes them, yet refusing connections.
    reserved: Vec<TcpSocket>,
    log: PathBuf,
}

#[derive(Debug)]
struct Running {
    supervisor: Child,
    pipe: ChildStdin,
    answers: Option<ChildStdout>,
    paused: bool,
}

impl Program {
    /// Starts a tool with its output in `<data>/<name>.log`.
    pub(crate) fn start(tool: Tool, arguments: &[String], data: &Path) -> Result<Self, Error> {
        Self::run(tool.name(), &tool.find()?, arguments, data)
    }

    /// Starts any program with its output in `<data>/<name>.log`.
    pub(crate) fn run(
        name: &'static str,
        program: &Path,
        arguments: &[String],
        data: &Path,
    ) -> Result<Self, Error> {
        let log = data.join(format!("{name}.log"));
        let mut command = shell(SUPERVISOR, name);
        command
            .arg(program)
            .args(arguments)
            .current_dir(data)
            .stdout(Stdio::piped())
            .stderr(File::create(&log)?);
        // None of them shall find a configuration of the user's.
        command.env("HOME", data).env_remove("KUBECONFIG");
        Self::supervise(name, command, log)
    }

    /// Starts the process that removes `folder` once this one is gone.
    pub(crate) fn janitor(folder: &Path) -> Result<Self, Error> {
        Self::afterwards("janitor", JANITOR, &[folder.as_os_str()])
    }

    /// Starts a shell whose script waits for its input to end, as it does when this is dropped or this process dies,
    /// and then clears away what is left.
    pub(crate) fn afterwards(name: &'static str, script: &str, arguments: &[&OsStr]) -> Result<Self, Error> {
        let mut command = shell(script, name);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        Self::supervise(name, command, PathBuf::new())
    }

    fn supervise(name: &'static str, mut command: Command, log: PathBuf) -> Result<Self, Error> {
        // A group of its own: the terminal's Ctrl-C is for us, and we end the rest in order.
        command.stdin(Stdio::piped()).process_group(0);
        let mut program = Self { name, command, running: None, ports: Vec::new(), reserved: Vec::new(), log };
        program.start_again()?;
        Ok(program)
    }

    /// The same program with the ports that it listens on, which are kept for it while it is stopped.
    pub(crate) fn listening_on(&mut self, ports: &[u16]) {
        self.ports = ports.to_vec();
    }

    /// Starts a program that was stopped, with the same arguments and more lines for the same log.
    pub(crate) fn start_again(&mut self) -> Result<(), Error> {
        if self.running.is_none() {
            self.reserved.clear();
            let mut supervisor = self.command.spawn()?;
            let pipe = supervisor
                .stdin
                .take()
                .ok_or_else(|| std::io::Error::from(std::io::ErrorKind::BrokenPipe))?;
            let answers = supervisor.stdout.take();
            self.running = Some(Running { supervisor, pipe, answers, paused: false });
        }
        Ok(())
    }

    /// Kills the program, and returns when it is gone.
    pub(crate) fn stop(&mut self) -> Result<(), Error> {
        if let Some(Running { mut supervisor, pipe, .. }) = self.running.take() {
            drop(pipe);
            supervisor.wait()?;
            self.reserved = self.ports.iter().map(|port| reserve(*port)).collect::<Result<_, _>>()?;
        }
        Ok(())
    }

    /// Makes the program stand still: it keeps its connections and does nothing.
    pub(crate) fn pause(&mut self) -> Result<(), Error> {
        self.signal("STOP", true)
    }

    /// Lets a paused program go on.
    pub(crate) fn resume(&mut self) -> Result<(), Error> {
        self.signal("CONT", false)
    }

    fn signal(&mut self, signal: &str, paused: bool) -> Result<(), Error> {
        if let Some(running) = &mut self.running {
            writeln!(running.pipe, "{signal}")?;
            if let Some(answers) = &mut running.answers {
                answers.read_exact(&mut [0])?;
            }
            running.paused = paused;
        }
        Ok(())
    }

    /// Whether it is meant to do its work: it was neither stopped nor paused.
    pub(crate) fn is_on(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.paused)
    }

    /// An error with the end of its log, if the program has ended and nobody stopped it.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        match self.running.as_mut().map(|running| running.supervisor.try_wait()).transpose()?.flatten() {
            None => Ok(()),
            Some(_) => Err(Error::Ended { program: self.name, log: self.log_tail() }),
        }
    }

    /// The last lines that the program wrote.
    pub(crate) fn log_tail(&self) -> String {
        let read = || -> std::io::Result<Vec<u8>> {
            let mut file = File::open(&self.log)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(LOG_TAIL)))?;
            let mut tail = vec![0; LOG_TAIL as usize];
            let read = file.take(LOG_TAIL).read(&mut tail)?;
            tail.truncate(read);
            Ok(tail)
        };
        read().map_or_else(|error| format!("({error})"), |tail| String::from_utf8_lossy(&tail).into_owned())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It cannot refuse to end; an error only says that it is gone already.
        self.ports.clear();
        let _ = self.stop();
    }
}

/// A port of loopback that nobody else can have. Nobody listens on it either: who connects is refused.
pub(crate) fn reserve(port: u16) -> std::io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    // What its connections leave behind for a minute does not keep us from it.
    socket.set_reuseaddr(true)?;
    socket.bind((Ipv4Addr::LOCALHOST, port).into())?;
    Ok(socket)
}

fn shell(script: &str, name: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script, name]);
    command
}
