//! What is done and what is suffered, and when: made from a seed alone, so that the same seed gives the same plan.

mod fault;

use std::time::Duration;

use fastrand::Rng;

pub use fault::{Blow, FAULTS, Fault, Line, Process};

/// How many releases there are, each of a namespace and a name of its own.
pub const RELEASES: usize = 50;
/// How many namespaces they are in.
pub const NAMESPACES: usize = 5;
/// How many servers share the work.
pub const SERVERS: usize = 2;
/// How long no fault begins before the end, so that what is under way then meets none.
const QUIET: Duration = Duration::from_secs(10);

/// All of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What it was made from.
    pub seed: u64,
    /// In the order of time.
    pub steps: Vec<Step>,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When, from the beginning on.
    pub at: Duration,
    /// What.
    pub act: Act,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Somebody asks for something.
    Ask(Wish),
    /// Something goes wrong, and is set right after a while.
    Suffer {
        /// What.
        fault: Fault,
        /// After how long.
        lasts: Duration,
        /// Chooses whom it befalls, of those that there are then.
        which: u64,
    },
}

/// What somebody asks for. It may well be refused: the release may not be there, or busy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Which release, below [`RELEASES`].
    pub release: usize,
    /// Which server is asked, below [`SERVERS`].
    pub server: usize,
    /// Whether the other server is asked for the same at the same time, as an impatient client would.
    pub twice: bool,
    /// Whether a Job is to carry it out, where there can be any.
    pub job: bool,
    /// For what.
    pub verb: Verb,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// An install, or an upgrade of what is there.
    Deploy {
        /// The chart.
        chart: Chart,
        /// How long its pods take to start.
        seconds: u8,
        /// `--atomic`
        undo: bool,
    },
    /// What a deployment would do.
    Preview(Chart),
    /// To the revision before.
    Rollback,
    /// With or without its history.
    Uninstall {
        /// Whether the history is kept.
        keep_history: bool,
    },
    /// The chart's own test.
    Test,
    /// That the release's latest operation end early.
    Cancel,
    /// The release's latest operation once more.
    Again,
    /// That a record that is left pending become failed.
    MarkFailed,
}

/// A sample chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// It works.
    Web,
    /// Its hook fails.
    FailingHook,
    /// Its pods never become ready.
    CrashLoop,
    /// The cluster has no such kind.
    Refused,
}

impl Plan {
    /// The plan of `seed` for a run of `length`.
    pub fn new(seed: u64, length: Duration) -> Self {
        let mut rng = Rng::with_seed(seed);
        let mut steps = Vec::new();
        let mut recent = Vec::new();
        let mut at = Duration::ZERO;
        while at < length {
            steps.push(Step { at, act: Act::Ask(wish(&mut rng, &mut recent)) });
            at += Duration::from_millis(rng.u64(100..800));
        }
        let mut deck = Vec::new();
        let mut at = Duration::from_secs(4);
        while at + QUIET < length {
            // Each kind before any comes again.
            let fault = deck.pop().unwrap_or_else(|| {
                deck = FAULTS.to_vec();
                rng.shuffle(&mut deck);
                deck.pop().unwrap_or(Fault::Server)
            });
            let lasts = fault.duration(&mut rng, length);
            steps.push(Step { at, act: Act::Suffer { fault, lasts, which: rng.u64(..) } });
            at += Duration::from_millis(rng.u64(1_000..3_500));
        }
        steps.sort_by_key(|step| step.at);
        Self { seed, steps }
    }
}

/// `recent` are the releases of the wishes before, the last one first.
fn wish(rng: &mut Rng, recent: &mut Vec<usize>) -> Wish {
    let verb = match rng.u8(..100) {
        0..56 => Verb::Deploy { chart: chart(rng), seconds: rng.u8(..5), undo: rng.u8(..6) == 0 },
        56..60 => Verb::Preview(chart(rng)),
        60..68 => Verb::Rollback,
        68..76 => Verb::Uninstall { keep_history: rng.u8(..4) == 0 },
        76..80 => Verb::Test,
        80..88 => Verb::Cancel,
        88..95 => Verb::Again,
        _ => Verb::MarkFailed,
    };
    let older = recent.get(5..).unwrap_or_default();
    let likely = match verb {
        Verb::Deploy { .. } | Verb::Preview(_) => rng.choice(recent.iter()).filter(|_| rng.u8(..100) < 30),
        // What was begun just now may be under way.
        Verb::Cancel => rng.choice(recent.iter().take(4)),
        // And what was begun a while ago may be there.
        _ => rng.choice(older.iter()).filter(|_| rng.u8(..100) < 90),
    };
    let release = likely.copied().unwrap_or_else(|| rng.usize(..RELEASES));
    if matches!(verb, Verb::Deploy { .. }) {
        recent.insert(0, release);
        recent.truncate(20);
    }
    Wish { release, server: rng.usize(..SERVERS), twice: rng.u8(..5) == 0, job: rng.u8(..6) == 0, verb }
}

fn chart(rng: &mut Rng) -> Chart {
    match rng.u8(..12) {
        0 => Chart::FailingHook,
        1 => Chart::CrashLoop,
        2 => Chart::Refused,
        _ => Chart::Web,
    }
}

#[test]
fn the_same_seed_gives_the_same_plan_and_another_one_another() {
    let plan = |seed| Plan::new(seed, Duration::from_secs(120));
    assert_eq!(plan(7), plan(7));
    assert_ne!(plan(7).steps, plan(8).steps);
}

#[test]
fn a_longer_run_suffers_every_kind_of_fault_and_ends_in_peace() {
    let length = Duration::from_secs(180);
    let plan = Plan::new(1, length);
    let faults: Vec<(Duration, Fault)> = plan
        .steps
        .iter()
        .filter_map(|step| match step.act {
            Act::Suffer { fault, .. } => Some((step.at, fault)),
            Act::Ask(_) => None,
        })
        .collect();
    for kind in FAULTS {
        assert!(faults.iter().any(|(_, fault)| *fault == kind), "{kind:?}");
    }
    assert!(faults.iter().all(|(at, _)| *at + QUIET < length));
    assert!(plan.steps.is_sorted_by_key(|step| step.at));
}
