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
/// The API server or its store are away for one part in so many of the time, and no more: else little is done in a run.
pub const AWAY_PART: u32 = 5;
/// What it takes them to come back.
const COMING_BACK: Duration = Duration::from_secs(3);
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
    /// Whether it is about the next release that it suits, should there be one when it is asked.
    pub suits: bool,
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
        let mut may_be_away_at = at;
        while at + QUIET < length {
            let fault = draw(&mut rng, &mut deck, at >= may_be_away_at);
            let lasts = fault.duration(&mut rng, length);
            if fault.is_outage() {
                may_be_away_at = at + (lasts + COMING_BACK) * AWAY_PART;
            }
            steps.push(Step { at, act: Act::Suffer { fault, lasts, which: rng.u64(..) } });
            at += Duration::from_millis(rng.u64(1_000..3_500));
        }
        steps.sort_by_key(|step| step.at);
        Self { seed, steps }
    }
}

/// The next fault: each kind comes before any comes again, but that an outage waits until there may be one.
fn draw(rng: &mut Rng, deck: &mut Vec<Fault>, may_be_away: bool) -> Fault {
    let may_come = |fault: &Fault| may_be_away || !fault.is_outage();
    if !deck.iter().any(may_come) {
        let mut others: Vec<Fault> = FAULTS.into_iter().filter(|fault| !deck.contains(fault)).collect();
        rng.shuffle(&mut others);
        // What waits comes first.
        deck.splice(0..0, others);
    }
    deck.iter().rposition(may_come).map_or(Fault::Server, |at| deck.remove(at))
}

/// `recent` are the releases of the wishes before, the last one first.
fn wish(rng: &mut Rng, recent: &mut Vec<usize>) -> Wish {
    let verb = match rng.u8(..100) {
        0..48 => Verb::Deploy { chart: chart(rng), seconds: rng.u8(..5), undo: rng.u8(..6) == 0 },
        48..54 => Verb::Preview(chart(rng)),
        54..66 => Verb::Rollback,
        66..74 => Verb::Uninstall { keep_history: rng.u8(..4) == 0 },
        74..82 => Verb::Test,
        82..88 => Verb::Cancel,
        88..94 => Verb::Again,
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
    let suits = rng.u8(..100) < if matches!(verb, Verb::Deploy { .. }) { 35 } else { 85 };
    Wish {
        release,
        server: rng.usize(..SERVERS),
        twice: rng.u8(..5) == 0,
        job: rng.u8(..6) == 0,
        suits,
        verb,
    }
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
    let length = Duration::from_secs(600);
    for seed in 0..50 {
        let plan = Plan::new(seed, length);
        let faults: Vec<(Duration, Fault, Duration)> = plan
            .steps
            .iter()
            .filter_map(|step| match step.act {
                Act::Suffer { fault, lasts, .. } => Some((step.at, fault, lasts)),
                Act::Ask(_) => None,
            })
            .collect();
        for kind in FAULTS {
            assert!(faults.iter().any(|(_, fault, _)| *fault == kind), "{kind:?}");
        }
        assert!(faults.iter().all(|(at, ..)| *at + QUIET < length));
        assert!(plan.steps.is_sorted_by_key(|step| step.at));
        let outages = faults.iter().filter(|(_, fault, _)| fault.is_outage());
        let away: Duration = outages.map(|(.., lasts)| *lasts + COMING_BACK).sum();
        // The last one has its peace after the end, in part.
        assert!(away <= length / AWAY_PART + fault::LONG_OUTAGE, "{away:?}");
    }
}
