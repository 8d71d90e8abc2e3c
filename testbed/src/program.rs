//! A program that cannot outlive this process.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::Error;
use crate::tools::Tool;

/// The shell between us and the program holds the reading end of a pipe of ours. The pipe closes when we drop it, and
/// also when we die, however suddenly; then the shell kills the program. `wait` makes the shell end with the program;
/// its number may then become another's, so the one that would kill it ends first.
const SUPERVISOR: &str = r#"
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
( read -r _ <&3; kill -KILL $program ) 2>/dev/null &
watcher=$!
wait $program
kill $watcher
"#;

/// Removes a folder when the pipe closes: what a sudden death leaves behind is not only processes. Those are still
/// dying at that moment, and one of them may write once more.
const JANITOR: &str = r#"read -r _; for _ in 1 2 3 4 5; do rm -rf -- "$1" && exit; sleep 1; done"#;

const LOG_TAIL: u64 = 4096;

/// A running program; dropping it ends it.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    supervisor: Child,
    pipe: Option<ChildStdin>,
    log: PathBuf,
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
        let output = File::create(&log)?;
        let mut command = shell(SUPERVISOR, name);
        command.arg(program).args(arguments).current_dir(data).stdout(output.try_clone()?).stderr(output);
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
        let mut supervisor = command.stdin(Stdio::piped()).process_group(0).spawn()?;
        let pipe = supervisor.stdin.take();
        Ok(Self { name, supervisor, pipe, log })
    }

    /// An error with the end of its log, if the program has ended.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        match self.supervisor.try_wait()? {
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
        self.pipe = None;
        // It was told to end and cannot refuse; an error only says that it is gone already.
        let _ = self.supervisor.wait();
    }
}

fn shell(script: &str, name: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script, name]);
    command
}
