//! That no helm goes on unwatched: the watchdog alone, with a shell in helm's place.

use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

/// How long helm may take to end once its time is over.
const GRACE: Duration = Duration::from_secs(5);
/// How much later than it should anything may happen on a busy machine.
const LATE: Duration = Duration::from_secs(10);

struct Watched {
    watchdog: Child,
    /// The runner's end of the pipe.
    runner: Option<ChildStdin>,
    folder: TempDir,
}

/// Runs `script` under watch: in it, `$D` is a folder, where it writes its process's id once it has said what to do at a
/// SIGTERM.
fn watched(at_sigterm: &str, script: &str) -> Watched {
    let folder = tempfile::tempdir().unwrap();
    let (unread, output) = std::io::pipe().unwrap();
    let script = format!("trap '{at_sigterm}' TERM; echo $$ > $D/new && mv $D/new $D/pid; {script}");
    let mut watchdog = Command::new(env!("CARGO_BIN_EXE_slipway"))
        .args(["watch-helm", "/bin/sh", "--", "-c", &script])
        .env("D", folder.path())
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(unread)
        .spawn()
        .unwrap();
    let runner = watchdog.stdin.take();
    Watched { watchdog, runner, folder }
}

impl Watched {
    /// Says that helm may go on for a while.
    fn may_go_on(&mut self, seconds: u64) {
        let now = clock_gettime(ClockId::Boottime);
        let until = (u64::try_from(now.tv_sec).unwrap() + seconds) * 1000;
        self.runner.as_mut().unwrap().write_all(&until.to_be_bytes()).unwrap();
    }

    /// The shell's process, once it has started.
    fn helm(&self) -> Pid {
        let path = self.folder.path().join("pid");
        wait_for(|| path.exists());
        let id = std::fs::read_to_string(path).unwrap();
        Pid::from_raw(id.trim().parse().unwrap()).unwrap()
    }

    fn has(&self, file: &str) -> bool {
        self.folder.path().join(file).exists()
    }

    fn ended(&mut self) -> ExitStatus {
        self.watchdog.wait().unwrap()
    }
}

fn wait_for(is: impl Fn() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < Duration::from_secs(120), "it never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process is there, and no corpse.
fn lives(process: Pid) -> bool {
    let status = Path::new("/proc").join(process.as_raw_nonzero().to_string()).join("stat");
    std::fs::read_to_string(status).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn helm_ends_as_it_would_alone() {
    for (script, code) in [("exit 0", 0), ("exit 3", 3), ("trap - TERM; kill -TERM $$; sleep 9", 128 + 15)] {
        let mut watched = watched("", script);
        watched.may_go_on(60);
        assert_eq!(watched.ended().code(), Some(code), "{script}");
    }
}

#[test]
fn without_a_word_from_its_runner_in_time_helm_is_never_started() {
    let mut stale = watched("", "exit 0");
    stale.may_go_on(0);
    let mut gone = watched("", "exit 0");
    gone.runner = None;
    for watched in [&mut stale, &mut gone] {
        assert_eq!(watched.ended().code(), Some(1));
        assert!(!watched.has("pid"));
    }
}

/// At a SIGTERM.
const ENDS: &str = "touch $D/told; exit 1";
const DOES_NOT_END: &str = "touch $D/told";
const WORKS: &str = "while :; do sleep 0.1; done";

#[test]
fn when_the_runner_dies_helm_is_told_to_end_at_once() {
    let mut watched = watched(ENDS, WORKS);
    watched.may_go_on(60);
    watched.helm();
    let died = Instant::now();
    watched.runner = None;
    assert_eq!(watched.ended().code(), Some(1));
    assert!(watched.has("told") && died.elapsed() < LATE, "{:?}", died.elapsed());
}

#[test]
fn when_the_runner_stands_still_helm_is_told_to_end_when_its_time_is_over() {
    let mut watched = watched(ENDS, WORKS);
    watched.may_go_on(4);
    let helm = watched.helm();
    watched.may_go_on(6);
    let renewed = Instant::now();
    assert!(lives(helm));
    assert_eq!(watched.ended().code(), Some(1));
    let took = renewed.elapsed();
    assert!(
        watched.has("told") && took > Duration::from_secs(4) && took < Duration::from_secs(6) + LATE,
        "{took:?}"
    );
}

#[test]
fn a_helm_that_will_not_end_is_killed_and_no_later_word_saves_it() {
    let mut watched = watched(DOES_NOT_END, WORKS);
    watched.may_go_on(2);
    let (helm, began) = (watched.helm(), Instant::now());
    wait_for(|| watched.has("told"));
    watched.may_go_on(60);
    assert_eq!(watched.ended().code(), Some(128 + 9));
    let took = began.elapsed();
    assert!(took < Duration::from_secs(2) + GRACE + LATE, "{took:?}");
    assert!(!lives(helm));
}

#[test]
fn a_request_to_end_is_handed_on() {
    let mut watched = watched(ENDS, WORKS);
    watched.may_go_on(60);
    watched.helm();
    let id = i32::try_from(watched.watchdog.id()).unwrap();
    kill_process(Pid::from_raw(id).unwrap(), Signal::TERM).unwrap();
    assert_eq!(watched.ended().code(), Some(1));
    assert!(watched.has("told"));
}

#[test]
fn when_the_watchdog_is_killed_helm_dies_with_it() {
    let mut watched = watched(DOES_NOT_END, WORKS);
    watched.may_go_on(60);
    let helm = watched.helm();
    watched.watchdog.kill().unwrap();
    watched.ended();
    wait_for(|| !lives(helm));
}

#[test]
fn the_two_outputs_of_a_dry_run_are_kept_apart() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_slipway"))
        .args(["watch-helm", "--apart", "/bin/sh", "--", "-c", "echo rendered; echo said >&2; cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut runner = child.stdin.take().unwrap();
    runner.write_all(&u64::MAX.to_be_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (&b"rendered\n"[..], &b"said\n"[..]));
    assert!(output.status.success());
}
