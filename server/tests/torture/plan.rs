//! What is done and what is suffered, and when: made from a seed alone, so that the same seed gives the same plan.

use std::time::Duration;

use fastrand::Rng;

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
    Suffer(Fault, Duration),
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

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Between helm and the API server.
    Helm(Line),
    /// Between Slipway and the API server.
    Slipway(Line),
    /// One of Slipway's own processes, if there is one then; the number chooses it.
    Process(Process, Blow, u64),
    /// A server is killed, or all of them are, and started again.
    Server(Option<usize>),
    /// The API server is killed and started again.
    ApiServerDead,
    /// The API server stands still.
    ApiServerStill,
    /// etcd is killed and started again.
    EtcdDead,
    /// etcd stands still.
    EtcdStill,
    /// Somebody deletes helm's records of a release by hand.
    RecordsDeleted(usize),
    /// Slipway's user may do nothing in a namespace.
    RightsTaken(usize),
    /// Somebody writes an operation record that cannot be read.
    ForeignRecord(u64),
}

/// What happens to requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// The first writes meet a conflict over a quota.
    QuotaConflict,
    /// 429 now and then.
    TooMany,
    /// 500 now and then.
    InternalError,
    /// 503 now and then.
    Unavailable,
    /// Answers break off.
    Reset,
    /// What was asked is done, and not answered.
    AnswerLost,
    /// Each write comes two seconds late.
    Late,
    /// Requests hang until it is over.
    Hang,
    /// So do TLS handshakes.
    HandshakeHangs,
    /// Watches end with 410.
    WatchGone,
    /// Watches are closed.
    WatchClosed,
    /// Each event comes twice.
    WatchDouble,
    /// Neighbouring events change places.
    WatchSwap,
    /// There are no bookmarks.
    NoBookmarks,
}

impl Line {
    /// Whether it befalls watches alone.
    pub fn is_of_watches(self) -> bool {
        matches!(
            self,
            Self::WatchGone | Self::WatchClosed | Self::WatchDouble | Self::WatchSwap | Self::NoBookmarks
        )
    }
}

/// One of Slipway's processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// `slipway run-operation`
    Runner,
    /// `slipway watch-helm`
    Watchdog,
    /// helm.
    Helm,
}

/// What is done to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    /// SIGKILL
    Kill,
    /// SIGSTOP, and SIGCONT when it is over.
    Stop,
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
            let kind = deck.pop().unwrap_or_else(|| {
                deck = KINDS.to_vec();
                rng.shuffle(&mut deck);
                deck.pop().unwrap_or(Kind::ServerDead)
            });
            let (fault, lasts) = fault(kind, &mut rng);
            steps.push(Step { at, act: Act::Suffer(fault, lasts) });
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
    Wish { release, server: rng.usize(..SERVERS), twice: rng.u8(..5) == 0, verb }
}

fn chart(rng: &mut Rng) -> Chart {
    match rng.u8(..12) {
        0 => Chart::FailingHook,
        1 => Chart::CrashLoop,
        2 => Chart::Refused,
        _ => Chart::Web,
    }
}

/// The kinds of faults.
#[derive(Clone, Copy)]
enum Kind {
    Helm(Line),
    Slipway(Line),
    Process(Process, Blow),
    ServerDead,
    ServersDead,
    Cluster(Fault),
    RecordsDeleted,
    RightsTaken,
    ForeignRecord,
}

const KINDS: [Kind; 34] = [
    Kind::Helm(Line::QuotaConflict),
    Kind::Helm(Line::TooMany),
    Kind::Helm(Line::InternalError),
    Kind::Helm(Line::Unavailable),
    Kind::Helm(Line::Reset),
    Kind::Helm(Line::AnswerLost),
    Kind::Helm(Line::Late),
    Kind::Helm(Line::Hang),
    Kind::Helm(Line::HandshakeHangs),
    Kind::Helm(Line::WatchSwap),
    Kind::Slipway(Line::TooMany),
    Kind::Slipway(Line::InternalError),
    Kind::Slipway(Line::Unavailable),
    Kind::Slipway(Line::Reset),
    Kind::Slipway(Line::AnswerLost),
    Kind::Slipway(Line::Late),
    Kind::Slipway(Line::Hang),
    Kind::Slipway(Line::WatchGone),
    Kind::Slipway(Line::WatchClosed),
    Kind::Slipway(Line::WatchDouble),
    Kind::Slipway(Line::WatchSwap),
    Kind::Slipway(Line::NoBookmarks),
    Kind::Process(Process::Runner, Blow::Kill),
    Kind::Process(Process::Runner, Blow::Stop),
    Kind::Process(Process::Watchdog, Blow::Kill),
    Kind::Process(Process::Helm, Blow::Kill),
    Kind::ServerDead,
    Kind::ServersDead,
    Kind::Cluster(Fault::ApiServerDead),
    Kind::Cluster(Fault::ApiServerStill),
    Kind::Cluster(Fault::EtcdDead),
    Kind::RecordsDeleted,
    Kind::RightsTaken,
    Kind::ForeignRecord,
];

fn fault(kind: Kind, rng: &mut Rng) -> (Fault, Duration) {
    let mut seconds = |least: u64, most: u64| Duration::from_millis(rng.u64(least * 1_000..=most * 1_000));
    match kind {
        Kind::Helm(line) => (Fault::Helm(line), seconds(2, 8)),
        Kind::Slipway(line) => (Fault::Slipway(line), seconds(2, 8)),
        // Past the Lease's length, often.
        Kind::Process(process, Blow::Stop) => {
            (Fault::Process(process, Blow::Stop, rng.u64(..)), Duration::from_millis(rng.u64(12_000..36_000)))
        }
        Kind::Process(process, blow) => (Fault::Process(process, blow, rng.u64(..)), Duration::ZERO),
        Kind::ServerDead => {
            let lasts = seconds(0, 8);
            (Fault::Server(Some(rng.usize(..SERVERS))), lasts)
        }
        Kind::ServersDead => (Fault::Server(None), seconds(0, 8)),
        Kind::Cluster(Fault::ApiServerStill) => {
            let fault = [Fault::ApiServerStill, Fault::EtcdStill];
            let lasts = seconds(2, 8);
            (fault[rng.usize(..2)], lasts)
        }
        // An outage of half a minute is rare.
        Kind::Cluster(fault) => match seconds(0, 5) {
            long if long > Duration::from_secs(4) => (fault, Duration::from_secs(30)),
            short => (fault, short + Duration::from_secs(2)),
        },
        Kind::RecordsDeleted => (Fault::RecordsDeleted(rng.usize(..RELEASES)), Duration::ZERO),
        Kind::RightsTaken => {
            let lasts = seconds(2, 8);
            (Fault::RightsTaken(rng.usize(..NAMESPACES)), lasts)
        }
        Kind::ForeignRecord => (Fault::ForeignRecord(rng.u64(..)), Duration::ZERO),
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
    let length = Duration::from_secs(120);
    let plan = Plan::new(1, length);
    let faults: Vec<&Step> = plan.steps.iter().filter(|step| matches!(step.act, Act::Suffer(..))).collect();
    let mut kinds: Vec<String> = faults.iter().map(|step| format!("{:?}", step.act)).collect();
    kinds.iter_mut().for_each(|kind| kind.truncate(kind.find(", ").unwrap_or(kind.len())));
    kinds.sort_unstable();
    kinds.dedup();
    assert!(faults.len() > KINDS.len(), "{} faults", faults.len());
    assert!(kinds.len() > 25, "{kinds:?}");
    assert!(faults.iter().all(|step| step.at + QUIET < length));
    assert!(plan.steps.is_sorted_by_key(|step| step.at));
}
